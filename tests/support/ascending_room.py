"""A room for one ascending auction: decisions are folded, and money, holds and deadlines kept."""

from __future__ import annotations

from magnate.auction.domain.auctions import INITIAL, decide, evolve
from magnate.auction.domain.decision import DeadlineSet, Decision, End, Facts, HoldPlaced
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import OpenAuction, PassAuction, PlaceBid

NOW = 1_000_000
CLOSE = 10_000
LOT = 24


class Room:
    """An auction room: folds every decision, keeps the deadline and what everybody has."""

    def __init__(self, available: list[int], bidders: list[int] | None = None, minimum: int = 1) -> None:
        self.state = INITIAL.copy()
        self.available = available
        self.holds: dict[str, tuple[int, int]] = {}
        self.deadlines: dict[str, int] = {}
        self.now = NOW
        self.paused = False
        bidders = list(range(len(available))) if bidders is None else bidders
        self.opening = self.act(-1, OpenAuction(1, LOT, bidders, minimum, 1, CLOSE))

    def facts(self, received_at_ms: int | None = None) -> Facts:
        """What is known now."""
        due_ms = next(iter(self.deadlines.values()), 0)
        received = self.now if received_at_ms is None else received_at_ms
        return Facts(self.now, received, list(self.available), {1: End(due_ms, paused=self.paused)})

    def act(self, seat: int, command: object, received_at_ms: int | None = None) -> Decision | Rejection:
        """Decide, and fold what was decided."""
        answer = decide(self.state, seat, command, self.facts(received_at_ms))
        if isinstance(answer, Decision):
            for event in answer.events:
                evolve(self.state, event)
            for hold in answer.holds:
                if isinstance(hold, HoldPlaced):
                    self.holds[hold.hold_id] = (hold.seat, hold.amount)
                    self.available[hold.seat] -= hold.amount
                    assert self.available[hold.seat] >= 0
                else:
                    seat_of, amount = self.holds.pop(hold.hold_id)
                    self.available[seat_of] += amount
            for change in answer.deadlines:
                if isinstance(change, DeadlineSet):
                    assert change.deadline_id not in self.deadlines
                    self.deadlines[change.deadline_id] = change.due_ms
                else:
                    del self.deadlines[change.deadline_id]
        return answer

    def bid(self, seat: int, amount: int) -> Decision | Rejection:
        """Bid on the lot."""
        return self.act(seat, PlaceBid(LOT, amount))

    def skip(self, seat: int) -> Decision | Rejection:
        """Pass."""
        return self.act(seat, PassAuction(LOT))


def decided(answer: Decision | Rejection) -> Decision:
    """The decision, which it must be."""
    assert isinstance(answer, Decision), answer
    return answer


def refused(answer: Decision | Rejection) -> str:
    """The name of the refusal, which it must be."""
    assert isinstance(answer, Rejection), answer
    return answer.name
