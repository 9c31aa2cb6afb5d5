"""An auction room for auctions of any kind, several at once: folds every decision as the services do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.auction.domain.auctions import INITIAL, decide, evolve
from magnate.auction.domain.decision import (
    DeadlineDue,
    DeadlineSet,
    Decision,
    End,
    Facts,
    HoldPlaced,
    HoldReleased,
)
from magnate.auction.domain.draft import deadline_id
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import CancelAuction, DropBidder, OpenAuction, PassAuction, PlaceBid

if TYPE_CHECKING:
    from magnate.rules.vocabulary import AuctionOutcome

NOW = 1_000_000
CLOSE = 10_000
LOT = 24


class Room:
    """Keeps what each seat has on its account and on hold, the deadlines, and what has ended."""

    def __init__(self, posted: list[int]) -> None:
        self.state = INITIAL.copy()
        self.posted = list(posted)
        self.holds: dict[str, tuple[int, int, bool]] = {}
        self.deadlines: dict[str, int] = {}
        self.paused_at = 0
        self.now = NOW
        self.outcomes: list[AuctionOutcome] = []

    def available(self) -> list[int]:
        """Return what each seat can spend."""
        left = list(self.posted)
        for seat, amount, _ in self.holds.values():
            left[seat] -= amount
        return left

    def open(self, ask: OpenAuction) -> Decision:
        """Open an auction."""
        return decided(self.act(-1, ask))

    def bid(
        self, seat: int, amount: int, *, at_ms: int | None = None, auction: int = 0
    ) -> Decision | Rejection:
        """Bid."""
        return self.act(seat, PlaceBid(0, amount, auction), at_ms)

    def skip(self, seat: int, *, auction: int = 0) -> Decision | Rejection:
        """Pass."""
        return self.act(seat, PassAuction(0, auction))

    def leave(self, seat: int) -> list[Decision]:
        """Have a seat leave the game."""
        return [decided(self.act(-1, DropBidder(number, seat))) for number in list(self.state.running)]

    def cancel(self) -> list[Decision]:
        """End all auctions without a decision."""
        return [decided(self.act(-1, CancelAuction(number))) for number in list(self.state.running)]

    def time_up(self) -> Decision:
        """Let time pass until the first deadline."""
        name = min(self.deadlines, key=lambda one: self.deadlines[one])
        self.now = max(self.now, self.deadlines[name])
        return decided(self.act(-1, DeadlineDue(name)))

    def pause(self) -> None:
        """Stop the clocks."""
        self.paused_at = self.now

    def resume(self) -> None:
        """Let them run on with what was left."""
        stood = self.now - self.paused_at
        self.deadlines = {name: due + stood for name, due in self.deadlines.items()}
        self.paused_at = 0

    def act(self, seat: int, command: object, at_ms: int | None = None) -> Decision | Rejection:
        """Decide, and fold what was decided."""
        ends = {}
        for number, one in self.state.running.items():
            ends[number] = End(self.deadlines[deadline_id(one)], paused=self.paused_at > 0)
            for name, due_ms in self.deadlines.items():
                if name.startswith(f"{deadline_id(one)}-"):
                    ends[number].call_id, ends[number].call_due_ms = name, due_ms
        received = self.now if at_ms is None else at_ms
        before = repr(self.state.running)
        answer = decide(self.state, seat, command, Facts(self.now, received, self.available(), ends))
        assert repr(self.state.running) == before, "deciding changes nothing"
        if isinstance(answer, Decision):
            self._fold(answer)
        return answer

    def _fold(self, decision: Decision) -> None:
        for event in (*decision.secret_events, *decision.events):
            evolve(self.state, event)
        for hold in decision.holds:
            if isinstance(hold, HoldPlaced):
                assert hold.hold_id not in self.holds
                self.holds[hold.hold_id] = (hold.seat, hold.amount, hold.concealed)
                assert self.available()[hold.seat] >= 0
            elif isinstance(hold, HoldReleased):
                del self.holds[hold.hold_id]
            else:
                seat, amount, concealed = self.holds[hold.hold_id]
                assert concealed
                self.holds[hold.hold_id] = (seat, amount, False)
        for paid in decision.payments:
            self.posted[paid.seat] -= paid.amount
        for won in decision.outcomes:
            if won.hold_id:
                seat, amount, concealed = self.holds.pop(won.hold_id)
                captured = won.price if won.held is None else won.held
                assert not concealed, "what is captured everybody has seen"
                assert seat == won.winner
                assert amount == captured + won.released
                self.posted[seat] -= captured
        for change in decision.deadlines:
            if isinstance(change, DeadlineSet):
                self.deadlines[change.deadline_id] = change.due_ms
            else:
                del self.deadlines[change.deadline_id]
        self.outcomes += decision.outcomes


def decided(answer: Decision | Rejection) -> Decision:
    """Return the decision, which it must be."""
    assert isinstance(answer, Decision), answer
    return answer


def refused(answer: Decision | Rejection) -> str:
    """Return the name of the refusal, which it must be."""
    assert isinstance(answer, Rejection), answer
    return answer.name
