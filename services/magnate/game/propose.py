"""What other services ask of the rules: what the end of an auction leads to. Pure: nothing is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game.chance import chance_of
from magnate.game.codec import rules_section, table_section
from magnate.game.compose import settle_deadlines
from magnate.game.draft import Draft
from magnate.game.ports import AskStep
from magnate.kit.errors import InvalidArgumentError
from magnate.rules import purse
from magnate.rules.decide import settle
from magnate.rules.decision import BANK, Decision
from magnate.rules.steps.auction import bid_limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.ports import DeadlineChange
    from magnate.game.state import GameState
    from magnate.kit.log.commit import Section
    from magnate.kit.log.fold import Loaded
    from magnate.peers.bank import Instruction
    from magnate.rules.vocabulary import AuctionOutcome


class GameProposal:
    """What the rules add to the commit of an auction that ended.

    `asks` are those that followed from the last outcome; `limits` is what each seat could raise after all.
    """

    __slots__ = ("asks", "deadlines", "instructions", "limits", "sections")

    def __init__(
        self,
        sections: list[Section],
        instructions: list[Instruction],
        deadlines: list[DeadlineChange],
        asks: list[AskStep],
        limits: list[int],
    ) -> None:
        self.sections = sections
        self.instructions = instructions
        self.deadlines = deadlines
        self.asks = asks
        self.limits = limits


def propose(
    loaded: Loaded[GameState],
    outcomes: Sequence[AuctionOutcome],
    released_holds: Sequence[str],
    payments: Sequence[tuple[int, int]],
    time_ms: int,
) -> GameProposal:
    """Return what these outcomes, in this order, lead to from this head, in a commit at `time_ms`.

    Before them the same commit releases some holds, and takes some payments (seat, amount) for bids.

    Raises:
        InvalidArgumentError: an outcome that no well-behaved auction service sends.
    """
    state = loaded.state.draft()
    rules = state.rules
    if rules is None:
        raise InvalidArgumentError("outcomes", "the game has not begun")
    decision = Decision()
    asked = 0
    elapsed_ms = state.table.elapsed_ms(time_ms)
    _end_holds(loaded.state, state, released_holds)
    for seat, amount in payments:
        if amount > 0:
            purse.moved(rules, seat, BANK, amount)
        else:  # given back
            purse.moved(rules, BANK, seat, -amount)
    for number, outcome in enumerate(outcomes):
        asked = len(decision.asks)
        _see_hold(loaded.state, state, outcome)
        refused = settle(rules, outcome, chance_of(state), decision, elapsed_ms)
        if refused is not None:
            raise InvalidArgumentError(f"outcomes[{number}]", f"{refused.name}: {refused.detail}")
    available = [rules.available(seat) for seat in range(rules.seats)]
    draft = Draft(state, decision)
    settle_deadlines(draft, loaded, time_ms)
    limits = bid_limits(rules)
    sections = [rules_section(decision.events)] if decision.events else []
    if draft.table_events:
        sections.insert(0, table_section(draft.table_events))
    return GameProposal(
        sections,
        draft.payments(),
        draft.deadlines,
        [AskStep(ask, available, limits) for ask in decision.asks[asked:]],
        limits,
    )


def _see_hold(known: GameState, state: GameState, outcome: AuctionOutcome) -> None:
    """Place, in the draft, the hold of a bid that closed its auction in the same commit: none has seen it.

    Else what the winner has on hold in other auctions would be taken for it.
    """
    assert state.rules is not None
    if outcome.hold_id and outcome.hold_id not in known.holds and 0 <= outcome.winner < state.rules.seats:
        captured = outcome.price if outcome.held is None else outcome.held
        purse.hold_placed(state.rules, outcome.winner, captured + outcome.released)


def _end_holds(known: GameState, state: GameState, released_holds: Sequence[str]) -> None:
    """Give back, in the draft, the holds that end without payment in the same commit."""
    assert state.rules is not None
    for hold_id in released_holds:
        held = known.holds.get(hold_id)
        if held is not None:
            purse.hold_released(state.rules, *held)
