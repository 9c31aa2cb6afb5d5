"""What other services ask of the rules: what the end of an auction leads to. Pure: nothing is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game.chance import chance_of
from magnate.game.codec import rules_section, table_section
from magnate.game.compose import Draft, pay_of
from magnate.kit.errors import InvalidArgumentError
from magnate.rules import purse
from magnate.rules.decide import settle
from magnate.rules.decision import Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.ports import DeadlineChange
    from magnate.game.state import GameState
    from magnate.kit.log.commit import Section
    from magnate.kit.log.fold import Loaded
    from magnate.peers.bank import Instruction
    from magnate.rules.vocabulary import Ask, AuctionOutcome


class GameProposal:
    """What the rules add to the commit of an auction that ended.

    `asks` are those that followed from the last outcome, each with the money available to every seat then.
    """

    __slots__ = ("asks", "deadlines", "instructions", "sections")

    def __init__(
        self,
        sections: list[Section],
        instructions: list[Instruction],
        deadlines: list[DeadlineChange],
        asks: list[tuple[Ask, list[int]]],
    ) -> None:
        self.sections = sections
        self.instructions = instructions
        self.deadlines = deadlines
        self.asks = asks


def propose(
    loaded: Loaded[GameState], outcomes: Sequence[AuctionOutcome], released_holds: Sequence[str]
) -> GameProposal:
    """Return what these outcomes, in this order, lead to from this head.

    Raises:
        InvalidArgumentError: an outcome that no well-behaved auction service sends.
    """
    state = loaded.state.draft()
    rules = state.rules
    if rules is None:
        raise InvalidArgumentError("outcomes", "the game has not begun")
    decision = Decision()
    asked = 0
    _end_holds(loaded.state, state, released_holds)
    for number, outcome in enumerate(outcomes):
        asked = len(decision.asks)
        refused = settle(rules, outcome, chance_of(state), decision)
        if refused is not None:
            raise InvalidArgumentError(f"outcomes[{number}]", f"{refused.name}: {refused.detail}")
    available = [rules.available(seat) for seat in range(rules.seats)]
    draft = Draft(state, decision)
    draft.end_if_over()
    sections = [rules_section(decision.events)]
    if draft.table_events:
        sections.insert(0, table_section(draft.table_events))
    return GameProposal(
        sections,
        [pay_of(transfer) for transfer in decision.transfers],
        draft.deadlines,
        [(ask, available) for ask in decision.asks[asked:]],
    )


def _end_holds(known: GameState, state: GameState, released_holds: Sequence[str]) -> None:
    """Give back, in the draft, the holds that end without payment in the same commit."""
    assert state.rules is not None
    for hold_id in released_holds:
        held = known.holds.get(hold_id)
        if held is not None:
            purse.hold_released(state.rules, *held)
