"""What a decision about auctions consists of: events, deadlines, holds, outcomes. Plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from magnate.rules.vocabulary import AuctionEvent, AuctionOutcome

KIND_CLOSE: Final = "close"
"""The kind of an auction's deadline: the hammer falls."""


class Facts:
    """What a decision needs to know beside the auctions.

    Attributes:
        time_ms: the time of the commit that is being made.
        received_at_ms: when the command was first seen.
        available: by seat, what it may spend now (posted less held).
        limits: by seat, what it could raise to pay a bid, where bids may be as high; else as `available`.
        due_ms: when the running auction closes; 0 when none runs or it is paused.
        paused: whether its deadline is paused.
    """

    __slots__ = ("available", "due_ms", "limits", "paused", "received_at_ms", "time_ms")

    def __init__(
        self,
        time_ms: int,
        received_at_ms: int,
        available: list[int],
        due_ms: int,
        paused: bool,
        limits: list[int] | None = None,
    ) -> None:
        self.time_ms = time_ms
        self.received_at_ms = received_at_ms
        self.available = available
        self.limits: list[int] = limits or available
        self.due_ms = due_ms
        self.paused = paused


class CloseAuction:
    """The time without a bid has passed: let the hammer fall. `deadline_id` says for which bid."""

    __slots__ = ("deadline_id",)

    def __init__(self, deadline_id: str) -> None:
        self.deadline_id = deadline_id


class DeadlineSet:
    """The hammer falls at `due_ms` unless something happens before."""

    __slots__ = ("deadline_id", "due_ms")

    def __init__(self, deadline_id: str, due_ms: int) -> None:
        self.deadline_id = deadline_id
        self.due_ms = due_ms

    def __repr__(self) -> str:
        return f"DeadlineSet({self.deadline_id!r}, {self.due_ms})"


class DeadlineCleared:
    """That deadline is no longer waited for."""

    __slots__ = ("deadline_id",)

    def __init__(self, deadline_id: str) -> None:
        self.deadline_id = deadline_id

    def __repr__(self) -> str:
        return f"DeadlineCleared({self.deadline_id!r})"


class HoldPlaced:
    """Reserve the money of a bid."""

    __slots__ = ("amount", "hold_id", "seat")

    def __init__(self, hold_id: str, seat: int, amount: int) -> None:
        self.hold_id = hold_id
        self.seat = seat
        self.amount = amount

    def __repr__(self) -> str:
        return f"HoldPlaced({self.hold_id!r}, seat={self.seat}, {self.amount})"


class HoldReleased:
    """Give back the money of a bid."""

    __slots__ = ("hold_id",)

    def __init__(self, hold_id: str) -> None:
        self.hold_id = hold_id

    def __repr__(self) -> str:
        return f"HoldReleased({self.hold_id!r})"


class BidPaid:
    """A bid is paid to the bank at once, won or not (penny auction)."""

    __slots__ = ("amount", "seat")

    def __init__(self, seat: int, amount: int) -> None:
        self.seat = seat
        self.amount = amount

    def __repr__(self) -> str:
        return f"BidPaid(seat={self.seat}, {self.amount})"


class Decision:
    """Everything one command decided. Releases stand before the hold they make room for."""

    __slots__ = ("deadlines", "events", "holds", "outcomes", "payments")

    def __init__(self) -> None:
        self.events: list[AuctionEvent] = []
        self.deadlines: list[DeadlineSet | DeadlineCleared] = []
        self.holds: list[HoldPlaced | HoldReleased] = []
        self.payments: list[BidPaid] = []
        self.outcomes: list[AuctionOutcome] = []
