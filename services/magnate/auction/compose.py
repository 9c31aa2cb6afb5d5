"""What one decision becomes in the log: our events, what the rules make of an outcome, and the money.

An auction that ends asks the game what follows; the rules may ask for the next auction, which may end at
once, too. The question is then put again with the longer list of outcomes. Whatever money all that frees or
takes, the other auctions go on with. Everything here is repeatable: nothing is written.
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
from magnate.auction.money import Money
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
ANSWERS_MAX: Final = 16
"""How often, in one commit, all auctions are asked what they make of the money that others have freed.

What is left then is bid with the next commit of auctions, or when the time is up.
"""


class EndlessError(KitError):
    """The rules asked for one auction after another without an end: a bug of ours."""


class Composition:
    """What is going to be one commit."""

    __slots__ = (
        "auctions", "before", "bids", "deadlines", "ends", "events", "follow", "followed", "gone", "limits",
        "moves", "outcomes", "payees", "secret_events", "table", "time_ms", "told", "version",
    )  # fmt: skip

    def __init__(self, loaded: Loaded[GameState], time_ms: int, limits: list[int] | None = None) -> None:
        self.before = state = loaded.state
        self.version = loaded.version + 1
        self.time_ms = time_ms
        self.limits = limits or []  # by seat, what it could raise
        self.told = state.available(time_ms)  # and what it might spend when that was told
        self.auctions = state.auctions.copy()
        self.ends = state.ends()
        self.gone = state.gone()
        self.events: list[AuctionEvent] = []
        self.secret_events: list[AuctionEvent] = []
        self.deadlines: list[DeadlineSet | DeadlineCleared] = []
        self.moves: list[Instruction] = []  # what the bank does, in the order of deciding
        self.bids: list[
            tuple[int, Instruction]
        ] = []  # what of it is for bids, and how many outcomes before it
        self.outcomes: list[AuctionOutcome] = []
        self.follow: Follow | None = None
        self.followed = 0  # so many outcomes the rules have settled
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
        moves = [hold_instruction(hold) for hold in decision.holds]
        moves += [pay_instruction(paid, self.payees.get(paid.auction, "")) for paid in decision.payments]
        self.moves += moves
        self.bids += [(self.followed, move) for move in moves]
        self.outcomes += decision.outcomes
        if self.table is not None:  # where there are no rules
            for won in decision.outcomes:
                self._capture(won)

    def take(self, steps: Sequence[Step]) -> None:
        """Decide what the rules ask, or a bank whose table closes: there a hammer that is due falls first."""
        for step in steps:
            if isinstance(step.ask, AutoPass) and not step.ask.auction:
                self._go_on_from(step)
                continue
            if self.table is not None and isinstance(step.ask, CancelAuction):
                self._close_due(step.ask.auction)
            # who asks for a table knows less of its money than its log says
            available = step.available if self.table is None else self._money()
            self._decide(step.ask, available, step.limits)

    def _close_due(self, number: int) -> None:
        auction = self.auctions.running.get(number)
        if auction is not None and is_due(self.ends.get(number, NO_END), self.time_ms):
            self._decide(DeadlineDue(deadline_id(auction)), self._money(), [])

    def _decide(self, ask: object, available: list[int], limits: list[int]) -> None:
        facts = Facts(self.time_ms, self.time_ms, available, self.ends, limits, self.gone)
        self.add(decided(decide(self.auctions, NOBODY, ask, facts)))

    def _capture(self, won: AuctionOutcome) -> None:
        """Take the price, as far as it is on hold."""
        if won.winner != NOBODY and won.hold_id:
            amount = won.price if won.held is None else won.held
            reason = REASONS[TRANSFER_REASON_AUCTION]
            self.moves.append(Capture(won.hold_id, BANK_ACCOUNT, amount, reason))

    def go_on(self) -> None:
        """Have auctions go on with the money that this commit frees or takes.

        What happens in the only one there is its own decision has seen. Holds take no money for good.
        """
        if self.outcomes or len(self.before.auctions.running) > 1:
            taken = any(isinstance(move, Capture | Pay) for move in self.moves)
            self._go_on(self._money, only_ceilings=not taken)

    def follow_up(self, follow: Follow) -> None:
        """Add what the rules make of all outcomes so far, and what they ask because of the last one."""
        known = 0 if self.follow is None else len(self.follow.instructions)
        self._capture(self.outcomes[self.followed])
        self.moves += follow.instructions[known:]
        self.follow = follow
        self.followed += 1
        self.limits, self.told = follow.limits, self._money()
        self.take(follow.steps)

    def _money(self) -> list[int]:
        """Return by seat what it may spend after this commit as it is by now."""
        before = self.before
        money = Money(before.auctions, before.available(self.time_ms), at_table=self.table is not None)
        return money.after(self.instructions())

    def _go_on_from(self, step: Step) -> None:
        """The same with the money that the rules say there is."""
        money, done = Money(self.auctions, step.available, at_table=False), len(self.moves)
        self.limits, self.told = step.limits, step.available
        self._go_on(lambda: money.after(self.moves[done:]))

    def _go_on(self, money: Callable[[], list[int]], *, only_ceilings: bool = False) -> None:
        """Make bids for whom they can be made, pass who cannot bid, until all rest or one in a game ends.

        What somebody has on hold may come back to him, so it counts.
        """
        for _ in range(ANSWERS_MAX):
            before = len(self.events)
            for number, auction in list(self.auctions.running.items()):
                if only_ceilings and not auction.ceilings:
                    continue
                available = money()
                changed = zip(self.limits, available, self.told, strict=False)
                limits = [limit + now - then for limit, now, then in changed]
                ended = len(self.outcomes)
                self._decide(AutoPass(number), available, limits)
                if self.table is None and len(self.outcomes) > ended:
                    return  # the rules say first what follows
            if len(self.events) == before:
                return

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

    def instructions(self) -> list[Instruction]:
        """Return what the bank has to do, in its order."""
        if self.table is None:
            return self.moves
        return at_table(self.moves, self.table, self._payee, self.version)

    def _payee(self, hold_id: str) -> str:
        """Return who gets what a hold is captured for."""
        return self.payees.get(auction_of(hold_id), "") or BANK_ACCOUNT


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


def pay_instruction(paid: BidPaid, payee: str) -> Instruction:
    """Return what the bank has to do about a bid that is paid to somebody (empty: it), or is given back."""
    seat, reason = seat_account(paid.seat), REASONS[TRANSFER_REASON_AUCTION]
    if paid.amount < 0:
        return Pay(BANK_ACCOUNT, seat, -paid.amount, reason)
    return Pay(seat, payee or BANK_ACCOUNT, paid.amount, reason)


async def compose(
    game: GamePeer, loaded: Loaded[GameState], decision: Decision, time_ms: int, limits: list[int]
) -> Composition | None:
    """Return the whole commit that a decision leads to; None when the game is further than our state.

    `limits`: by seat, what it could raise before, where bids may be as high.
    """
    whole = Composition(loaded, time_ms, limits)
    whole.add(decision)
    in_game = loaded.state.table is None
    for answered in range(ROUNDS_MAX):  # one by one: the answer says only what is asked because of the last
        if len(whole.outcomes) == answered or not in_game:  # at a table there are no rules to ask
            whole.go_on()
            if len(whole.outcomes) == answered or not in_game:
                return whole
        follow = await game.propose(
            loaded.game_id,
            loaded.version,
            time_ms,
            whole.outcomes[: answered + 1],
            whole.bids,
        )
        if isinstance(follow, Behind):
            return None
        whole.follow_up(follow)
    raise EndlessError(f"more than {ROUNDS_MAX} auctions ended in one commit of game {loaded.game_id}")
