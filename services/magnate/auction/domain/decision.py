"""What a decision about an auction is made of: events, deadlines, holds, payments, outcomes. Plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from magnate.rules.vocabulary import AuctionEvent, AuctionOutcome

KIND_CLOSE: Final = "close"
"""The kind of an auction's deadline: the hammer falls."""
KIND_CALL: Final = "call"
"""The kind of the deadline at which "going once" or "going twice" is called."""


class End:
    """When an auction ends, as its deadlines say.

    Attributes:
        due_ms: when the hammer falls; 0 while the auction is paused, or before it has a deadline.
        paused: whether its deadline is paused.
        left_ms: while it is, how much was left.
        call_id: the id of the pending deadline at which the next call is made, or empty.
        call_due_ms: when that is.
    """

    __slots__ = ("call_due_ms", "call_id", "due_ms", "left_ms", "paused")

    def __init__(self, due_ms: int, *, paused: bool = False, call_id: str = "", call_due_ms: int = 0) -> None:
        self.due_ms = due_ms
        self.paused = paused
        self.left_ms = 0
        self.call_id = call_id
        self.call_due_ms = call_due_ms


NO_END: Final = End(0)
"""Of an auction that has no deadline yet."""


def is_due(end: End, at_ms: int) -> bool:
    """Whether the time of an auction that ends then was up."""
    return 0 < end.due_ms <= at_ms and not end.paused


class Facts:
    """What a decision needs to know beside the auctions.

    Attributes:
        time_ms: the time of the commit that is being made.
        received_at_ms: when the command was first seen.
        available: by seat, what it may spend now (posted less held).
        ends: by number of the auction, when it ends.
        limits: by seat, what it could raise to pay a bid, where bids may be as high; else as `available`.
        gone: at a table, the seats whose accounts are closed: nothing is given back to them.
    """

    __slots__ = ("available", "ends", "gone", "limits", "received_at_ms", "time_ms")

    def __init__(
        self,
        time_ms: int,
        received_at_ms: int,
        available: list[int],
        ends: dict[int, End] | None = None,
        limits: list[int] | None = None,
        gone: frozenset[int] = frozenset(),
    ) -> None:
        self.time_ms = time_ms
        self.received_at_ms = received_at_ms
        self.available = available
        self.ends: dict[int, End] = ends or {}
        self.limits: list[int] = limits or available
        self.gone = gone


class DeadlineDue:
    """A deadline of an auction has come: mostly the hammer falls. Its id says what it was set for."""

    __slots__ = ("deadline_id",)

    def __init__(self, deadline_id: str) -> None:
        self.deadline_id = deadline_id


class DeadlineSet:
    """Something happens at `due_ms` unless something else happens before; `kind` says what."""

    __slots__ = ("deadline_id", "due_ms", "kind")

    def __init__(self, deadline_id: str, due_ms: int, kind: str = KIND_CLOSE) -> None:
        self.deadline_id = deadline_id
        self.due_ms = due_ms
        self.kind = kind

    def __repr__(self) -> str:
        return f"DeadlineSet({self.deadline_id!r}, {self.due_ms}, {self.kind!r})"


class DeadlineCleared:
    """That deadline is no longer waited for."""

    __slots__ = ("deadline_id",)

    def __init__(self, deadline_id: str) -> None:
        self.deadline_id = deadline_id

    def __repr__(self) -> str:
        return f"DeadlineCleared({self.deadline_id!r})"


class HoldPlaced:
    """Reserve the money of a bid; `concealed`: until it ends only its owner may know."""

    __slots__ = ("amount", "concealed", "hold_id", "seat")

    def __init__(self, hold_id: str, seat: int, amount: int, *, concealed: bool = False) -> None:
        self.hold_id = hold_id
        self.seat = seat
        self.amount = amount
        self.concealed = concealed

    def __repr__(self) -> str:
        return f"HoldPlaced({self.hold_id!r}, seat={self.seat}, {self.amount})"


class HoldReleased:
    """Give back the money of a bid."""

    __slots__ = ("hold_id",)

    def __init__(self, hold_id: str) -> None:
        self.hold_id = hold_id

    def __repr__(self) -> str:
        return f"HoldReleased({self.hold_id!r})"


class HoldRevealed:
    """Let everybody see the hold of a sealed bid."""

    __slots__ = ("hold_id",)

    def __init__(self, hold_id: str) -> None:
        self.hold_id = hold_id

    def __repr__(self) -> str:
        return f"HoldRevealed({self.hold_id!r})"


def follow_end(end: End, change: DeadlineSet | DeadlineCleared) -> None:
    """Fold a change of one of its deadlines into the end of an auction."""
    if isinstance(change, DeadlineCleared):
        if change.deadline_id == end.call_id:
            end.call_id, end.call_due_ms = "", 0
        else:
            end.due_ms = 0
    elif change.kind == KIND_CALL:
        end.call_id, end.call_due_ms = change.deadline_id, change.due_ms
    else:
        end.due_ms = change.due_ms


class BidPaid:
    """A bid, or the fee for it, is paid at once (penny auction); below 0 it is given back."""

    __slots__ = ("amount", "auction", "seat")

    def __init__(self, auction: int, seat: int, amount: int) -> None:
        self.auction = auction
        self.seat = seat
        self.amount = amount

    def __repr__(self) -> str:
        return f"BidPaid({self.auction}, seat={self.seat}, {self.amount})"


class Decision:
    """Everything one command decided. `holds` stand in the order in which they happen.

    `secret_events` are stored where only the bidders' services can read them.
    """

    __slots__ = ("deadlines", "events", "holds", "outcomes", "payments", "secret_events")

    def __init__(self) -> None:
        self.events: list[AuctionEvent] = []
        self.secret_events: list[AuctionEvent] = []
        self.deadlines: list[DeadlineSet | DeadlineCleared] = []
        self.holds: list[HoldPlaced | HoldRevealed | HoldReleased] = []
        self.payments: list[BidPaid] = []
        self.outcomes: list[AuctionOutcome] = []
