"""What one decision becomes in the log: our events, what the rules make of an outcome, and the money.

An auction that ends asks the game what follows; the rules may ask for the next auction, which may end at
once, too. The question is then put again with the longer list of outcomes. Everything here is repeatable:
nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction import codec
from magnate.auction.domain.auctions import decide, evolve
from magnate.auction.domain.decision import Decision, Facts, HoldPlaced, HoldReleased
from magnate.auction.ports import Behind
from magnate.kit.errors import KitError
from magnate.peers.accounts import BANK_ACCOUNT, REASONS, seat_account
from magnate.peers.bank import Capture, Pay, Place, Release
from magnate.rules.bidding import NOBODY
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import TRANSFER_REASON_AUCTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.auction.domain.auctions import State
    from magnate.auction.domain.decision import BidPaid, DeadlineCleared, DeadlineSet
    from magnate.auction.ports import Follow, GamePeer, Step
    from magnate.auction.state import GameState
    from magnate.kit.log.commit import Section
    from magnate.kit.log.fold import Loaded
    from magnate.peers.bank import Instruction
    from magnate.rules.vocabulary import AuctionEvent, AuctionOutcome

ROUNDS_MAX: Final = 128
"""Auctions that may end within one commit: every lot of the largest board, and room."""


class EndlessError(KitError):
    """The rules asked for one auction after another without an end: a bug of ours."""


class Composition:
    """What is going to be one commit."""

    __slots__ = ("auctions", "deadlines", "events", "follow", "holds", "outcomes", "payments")

    def __init__(self, auctions: State) -> None:
        self.auctions = auctions.copy()
        self.events: list[AuctionEvent] = []
        self.deadlines: list[DeadlineSet | DeadlineCleared] = []
        self.holds: list[HoldPlaced | HoldReleased] = []
        self.payments: list[BidPaid] = []
        self.outcomes: list[AuctionOutcome] = []
        self.follow: Follow | None = None

    def add(self, decision: Decision) -> None:
        """Add a decision and fold its events."""
        for event in decision.events:
            evolve(self.auctions, event)
        self.events += decision.events
        self.deadlines += decision.deadlines
        self.holds += decision.holds
        self.payments += decision.payments
        self.outcomes += decision.outcomes

    def take(self, steps: Sequence[Step], time_ms: int) -> None:
        """Decide what the rules ask."""
        for step in steps:
            facts = Facts(time_ms, time_ms, step.available, due_ms=0, paused=False, limits=step.limits)
            decision = decide(self.auctions, -1, step.ask, facts)
            if isinstance(decision, Rejection):
                raise TypeError(f"an ask of the rules was refused: {decision!r}")
            self.add(decision)

    def released(self) -> list[str]:
        """Return the ids of the holds that are given back."""
        return [hold.hold_id for hold in self.holds if isinstance(hold, HoldReleased)]

    def sections(self) -> list[Section]:
        """Return the sections of the commit, but for the ledger's."""
        sections: list[Section] = [] if self.follow is None else list(self.follow.sections)
        if self.events:
            sections.append(codec.auction_section(self.events))
        others = [] if self.follow is None else self.follow.deadlines
        if self.deadlines or others:
            sections.append(codec.deadlines_section(self.deadlines, others))
        return sections

    def instructions(self) -> list[Instruction]:
        """Return what the bank has to do: give back, hold, take the price, and what follows from it."""
        reason = REASONS[TRANSFER_REASON_AUCTION]
        released = [Release(hold_id) for hold_id in self.released()]
        placed = [
            Place(hold.hold_id, seat_account(hold.seat), hold.amount)
            for hold in self.holds
            if isinstance(hold, HoldPlaced)
        ]
        paid = [Pay(seat_account(one.seat), BANK_ACCOUNT, one.amount, reason) for one in self.payments]
        captured = [
            Capture(won.hold_id, BANK_ACCOUNT, won.price if won.held is None else won.held, reason)
            for won in self.outcomes
            if won.winner != NOBODY and won.hold_id
        ]
        return [*released, *placed, *paid, *captured, *(self.follow.instructions if self.follow else ())]


async def compose(
    game: GamePeer, loaded: Loaded[GameState], decision: Decision, time_ms: int
) -> Composition | None:
    """Return the whole commit that a decision leads to; None when the game is further than our state."""
    whole = Composition(loaded.state.auctions)
    whole.add(decision)
    answered = 0
    for _ in range(ROUNDS_MAX):
        if len(whole.outcomes) == answered:
            return whole
        answered = len(whole.outcomes)
        follow = await game.propose(
            loaded.game_id, loaded.version, time_ms, whole.outcomes, whole.released(), whole.payments
        )
        if isinstance(follow, Behind):
            return None
        whole.follow = follow
        whole.take(follow.steps, time_ms)
    raise EndlessError(f"more than {ROUNDS_MAX} auctions ended in one commit of game {loaded.game_id}")
