"""Older forms of stored events are read in the form of this release."""

from __future__ import annotations

import pytest

from magnate.game.codec import rules_section
from magnate.game.upcast import RULES_VERSION, RULES_VERSIONS, rules_events
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import decode_event
from magnate.kit.log.commit import RULES, Section
from magnate.rules.v1 import vocabulary_pb2
from magnate.rules.vocabulary import QUESTION_CARD, QuestionAsked, TurnEnded


def stored(*events: vocabulary_pb2.Event, version: int) -> Section:
    """Return a section as a release of that section version stored it."""
    body = game_pb2.RulesSection(events=events).SerializeToString()
    return Section(RULES, version, body)


def test_a_card_that_asked_is_a_question() -> None:
    """Section version 1 said ChoiceOffered, which is a question like any other since version 2."""
    old = vocabulary_pb2.Event(choice_offered=vocabulary_pb2.ChoiceOffered(seat=2, deck=1, card=15))
    other = vocabulary_pb2.Event(turn_ended=vocabulary_pb2.TurnEnded(seat=2))
    found = [decode_event(event) for event in rules_events(stored(old, other, version=1))]
    assert found == [QuestionAsked(2, QUESTION_CARD, -1, 0, 1, 15), TurnEnded(2)]


def test_what_is_written_now_is_read_as_it_is() -> None:
    """The newest version needs no upcaster, and is among those that are read."""
    section = rules_section([QuestionAsked(0, QUESTION_CARD, -1, 0, 0, 3)])
    assert section.version == RULES_VERSION == max(RULES_VERSIONS)
    (event,) = rules_events(section)
    assert decode_event(event) == QuestionAsked(0, QUESTION_CARD, -1, 0, 0, 3)


@pytest.mark.parametrize("version", RULES_VERSIONS)
def test_every_version_that_is_read_has_its_upcasters(version: int) -> None:
    """From each version there is a way to the newest one."""
    event = vocabulary_pb2.Event(turn_ended=vocabulary_pb2.TurnEnded(seat=1))
    assert [decode_event(one) for one in rules_events(stored(event, version=version))] == [TurnEnded(1)]
