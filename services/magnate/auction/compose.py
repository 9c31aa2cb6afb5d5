"""What one decision becomes in the log: our events, what the rules make of an outcome, and the money.

An auction that ends asks the game what follows; the rules may ask for the next auction, which may end at
once, too. The question is then put again with the longer list of outcomes. Everything here is repeatable:
nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction import codec
from magnate.auction.domain.auctions import decide, evolve
from magnate.auction.domain.decision import (
    NO_END,
    DeadlineDue,
    Decision,
    End,
    Facts,
    HoldPlaced,
    HoldReleased,
    HoldRevealed,
    follow_end,
    is_due,
)
from magnate.auction.domain.draft import auction_of, deadline_id
from magnate.auction.money import money_after
from magnate.auction.ports import Behind
from magnate.auction.tables.money import at_table
from magnate.kit.errors import KitError
from magnate.peers.accounts import BANK_ACCOUNT, REASONS, seat_account
from magnate.peers.bank import Capture, Pay, Place, Release, Reveal
from magnate.rules.bidding import NOBODY
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import (
    TRANSFER_REASON_AUCTION,
    AuctionOpened,
    AutoPass,
    BidPlaced,
    CancelAuction,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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

    __slots__ = (
        "auctions", "before", "deadlines", "ends", "events", "follow", "gone", "holds", "moves", "outcomes",
        "payees", "payments", "secret_events", "table",
    )  # fmt: skip

    def __init__(self, state: GameState) -> None:
        self.before = state
        self.auctions = state.auctions.copy()
        self.ends = state.ends()
        self.gone = state.gone()
        self.events: list[AuctionEvent] = []
        self.secret_events: list[AuctionEvent] = []
        self.deadlines: list[DeadlineSet | DeadlineCleared] = []
        self.holds: list[HoldPlaced | HoldRevealed | HoldReleased] = []
        self.payments: list[BidPaid] = []
        self.moves: list[Instruction] = []  # what the bank does about both, in the order of deciding
        self.outcomes: list[AuctionOutcome] = []
        self.follow: Follow | None = None
        self.table = state.table
        self.payees = {one.auction: one.opened.payee for one in state.auctions.running.values()}

    def add(self, decision: Decision) -> None:
        """Add a decision and fold its events."""
        for event in (*decision.secret_events, *decision.events):
            evolve(self.auctions, event)
            if isinstance(event, AuctionOpened):
                self.payees[event.auction] = event.payee
        self.secret_events += decision.secret_events
        self.events += decision.events
        self.deadlines += decision.deadlines
        for change in decision.deadlines:
            follow_end(self.ends.setdefault(auction_of(change.deadline_id), End(0)), change)
        self.holds += decision.holds
        self.payments += decision.payments
        self.moves += [hold_instruction(hold) for hold in decision.holds]
        self.moves += [pay_instruction(paid) for paid in decision.payments]
        self.outcomes += decision.outcomes

    def take(self, steps: Sequence[Step], time_ms: int) -> None:
        """Decide what the rules ask, or a bank whose table closes: there a hammer that is due falls first."""
        for step in steps:
            facts = Facts(time_ms, time_ms, step.available, self.ends, step.limits, self.gone)
            if self.table is not None and isinstance(step.ask, CancelAuction):
                self._close_due(step.ask.auction, facts)
            self.add(decided(decide(self.auctions, NOBODY, step.ask, facts)))

    def _close_due(self, number: int, facts: Facts) -> None:
        auction = self.auctions.running.get(number)
        if auction is not None and is_due(self.ends.get(number, NO_END), facts.time_ms):
            self.add(decided(decide(self.auctions, NOBODY, DeadlineDue(deadline_id(auction)), facts)))

    def auto_pass(self, version: int, time_ms: int) -> bool:
        """Pass who has paid too much here to bid in another auction; say whether that was anybody.

        What he has on hold may come back to him, so it counts.
        """
        if not (self.outcomes or self.payments):
            return False
        before = len(self.events)
        money = money_after(self.before, self.instructions(version), time_ms)
        limits = [] if self.follow is None else self.follow.limits
        for number in list(self.auctions.running):
            facts = Facts(time_ms, time_ms, money, self.ends, limits, self.gone)
            self.add(decided(decide(self.auctions, NOBODY, AutoPass(number), facts)))
        return len(self.events) > before

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

    def secret_sections(self) -> list[Section]:
        """Return the secret sections of the commit, but for the ledger's."""
        return [codec.auction_section(self.secret_events)] if self.secret_events else []

    def instructions(self, version: int) -> list[Instruction]:
        """Return what the bank has to do: give back and hold, take the price, and what follows from it.

        `version` is that of the commit.
        """
        reason = REASONS[TRANSFER_REASON_AUCTION]
        captured = [
            Capture(won.hold_id, BANK_ACCOUNT, won.price if won.held is None else won.held, reason)
            for won in self.outcomes
            if won.winner != NOBODY and won.hold_id
        ]
        follow = () if self.follow is None else self.follow.instructions
        return self._placed([*self.moves, *captured, *follow], version)

    def bidding(self, version: int) -> list[Instruction]:
        """Return what the bank has to do in the commit `version`; in a game the rules take the prices."""
        return self._placed(self.moves, version) if self.table is None else self.instructions(version)

    def _placed(self, asks: list[Instruction], version: int) -> list[Instruction]:
        return asks if self.table is None else at_table(asks, self.table, self._payee(), version)

    def _payee(self) -> Callable[[str], str]:
        """Return who gets what a hold is captured for, or (of no hold) what is paid for a bid."""
        acting = {event.auction for event in self.events if isinstance(event, BidPlaced)}
        paid_for = max(acting, default=0)  # one command bids in one auction
        return lambda hold_id: self.payees.get(auction_of(hold_id) or paid_for, "") or BANK_ACCOUNT


def decided(answer: Decision | Rejection) -> Decision:
    """Return the answer to what is asked by the rules, or by auctions themselves; it is never refused."""
    if isinstance(answer, Rejection):
        raise TypeError(f"an ask of the rules was refused: {answer!r}")
    return answer


def hold_instruction(hold: HoldPlaced | HoldRevealed | HoldReleased) -> Instruction:
    """Return what the bank has to do about a hold."""
    if isinstance(hold, HoldPlaced):
        return Place(hold.hold_id, seat_account(hold.seat), hold.amount, concealed=hold.concealed)
    return Reveal(hold.hold_id) if isinstance(hold, HoldRevealed) else Release(hold.hold_id)


def pay_instruction(paid: BidPaid) -> Instruction:
    """Return what the bank has to do about a bid that was paid, or is given back."""
    seat, reason = seat_account(paid.seat), REASONS[TRANSFER_REASON_AUCTION]
    if paid.amount < 0:
        return Pay(BANK_ACCOUNT, seat, -paid.amount, reason)
    return Pay(seat, BANK_ACCOUNT, paid.amount, reason)


async def compose(
    game: GamePeer, loaded: Loaded[GameState], decision: Decision, time_ms: int
) -> Composition | None:
    """Return the whole commit that a decision leads to; None when the game is further than our state."""
    whole = Composition(loaded.state)
    whole.add(decision)
    in_game = loaded.state.table is None
    answered = 0
    for _ in range(ROUNDS_MAX):
        if len(whole.outcomes) == answered or not in_game:  # at a table there are no rules to ask
            if not whole.auto_pass(loaded.version + 1, time_ms):
                return whole
            continue
        answered += 1  # one by one: the answer says only what is asked because of the last one
        follow = await game.propose(
            loaded.game_id,
            loaded.version,
            time_ms,
            whole.outcomes[:answered],
            whole.released(),
            whole.payments,
        )
        if isinstance(follow, Behind):
            return None
        whole.follow = follow
        whole.take(follow.steps, time_ms)
    raise EndlessError(f"more than {ROUNDS_MAX} auctions ended in one commit of game {loaded.game_id}")
