"""Upcasters: what older releases stored, read as if this one had written it.

A change of meaning gets a new section version and one function here, from each version to the next. Whoever
reads stored sections of the rules, reads them through `rules_events`, so nobody else knows that older forms
exist: not the fold, not the watch stream, not the check of fairness.

    rules, version 1 -> 2   a card that asks was ChoiceOffered; it is a QuestionAsked like any other question
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from magnate.kit.log.commit import Section

RULES_VERSION: Final = 2
"""What this release writes."""
RULES_VERSIONS: Final = (1, 2)
"""What this release reads."""


def rules_events(section: Section) -> Sequence[vocabulary_pb2.Event]:
    """Return the events of a stored section of the rules, in the form of this release."""
    message = game_pb2.RulesSection.FromString(section.body)
    for upcast in _RULES[section.version - 1 :]:
        for event in message.events:
            upcast(event)
    return message.events


def _questions_of_cards(event: vocabulary_pb2.Event) -> None:
    if event.WhichOneof("kind") != "choice_offered":
        return
    old = event.choice_offered
    new = vocabulary_pb2.QuestionAsked(
        seat=old.seat,
        question=vocabulary_pb2.QUESTION_CARD,
        square=-1,
        deck=old.deck,
        card=old.card,
    )
    event.question_asked.CopyFrom(new)


_RULES: Final[tuple[Callable[[vocabulary_pb2.Event], None], ...]] = (_questions_of_cards,)
"""By place: from version 1 to 2, from 2 to 3 …"""
