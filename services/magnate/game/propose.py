"""What other services ask of the rules: what the end of an auction leads to. Pure: nothing is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game.chance import chance_of
from magnate.game.codec import rules_section, table_section
from magnate.game.compose import settle_deadlines
from magnate.game.draft import Draft
from magnate.game.ports import AskStep
from magnate.kit.errors import InvalidArgumentError
from magnate.rules.decide import settle
from magnate.rules.decision import Decision
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

    `asks` are those that followed from the last outcome; `limits` is what each seat could raise after all,
    `out` who has left the game by then.
    """

    __slots__ = ("asks", "deadlines", "instructions", "limits", "out", "sections")

    def __init__(
        self,
        sections: list[Section],
        instructions: list[Instruction],
        deadlines: list[DeadlineChange],
        asks: list[AskStep],
        limits: list[int],
        out: list[int],
    ) -> None:
        self.sections = sections
        self.instructions = instructions
        self.deadlines = deadlines
        self.asks = asks
        self.limits = limits
        self.out = out


def propose(
    loaded: Loaded[GameState],
    outcomes: Sequence[AuctionOutcome],
    moves: Sequence[tuple[int, Instruction]],
    time_ms: int,
) -> GameProposal:
    """Return what these outcomes, in this order, lead to from this head, in a commit at `time_ms`.

    `moves` is what the bank does for bids in the same commit, and how many outcomes come before it.

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
    draft = Draft(state, decision)
    left = list(moves)
    for number, outcome in enumerate(outcomes):
        asked = len(decision.asks)
        while left and left[0][0] <= number:
            draft.follow(left.pop(0)[1])
        refused = settle(rules, outcome, chance_of(state), decision, elapsed_ms)
        if refused is not None:
            raise InvalidArgumentError(f"outcomes[{number}]", f"{refused.name}: {refused.detail}")
        draft.forget_hold(outcome.hold_id)
    for _, move in left:
        draft.follow(move)
    available = [rules.available(seat) for seat in range(rules.seats)]
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
        [seat for seat in range(rules.seats) if rules.out[seat]],
    )
