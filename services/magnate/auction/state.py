"""What the auction service folds of a game: auctions, what each seat can spend, deadlines, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from magnate.auction.domain.auctions import INITIAL, State
from magnate.auction.domain.decision import KIND_CALL, End
from magnate.auction.domain.draft import auction_of

if TYPE_CHECKING:
    from magnate.auction.tables.state import Table

OWNER: Final = "auction"
"""The owner of the deadlines this service deals with."""


@final
class Deadline:
    """A pending deadline. While it is paused `due_ms` is 0 and `left_ms` says what was left.

    `shifted`: it was missed once and has got the time that was lost.
    """

    __slots__ = ("due_ms", "kind", "left_ms", "owner", "paused", "shifted")

    def __init__(
        self,
        owner: str,
        due_ms: int,
        *,
        paused: bool = False,
        left_ms: int = 0,
        kind: str = "",
        shifted: bool = False,
    ) -> None:
        self.owner = owner
        self.due_ms = due_ms
        self.paused = paused
        self.left_ms = left_ms
        self.kind = kind
        self.shifted = shifted

    def stopped(self, left_ms: int) -> Deadline:
        """Return it as it is when it was paused."""
        return Deadline(self.owner, 0, paused=True, left_ms=left_ms, kind=self.kind, shifted=self.shifted)

    def running(self, due_ms: int, *, shifted: bool = False) -> Deadline:
        """Return it as it is with another due time."""
        return Deadline(self.owner, due_ms, kind=self.kind, shifted=shifted or self.shifted)


@final
class GameState:
    """One game as auctions see it.

    Attributes:
        auctions: the auctions.
        posted: by seat, what its account adds up to.
        held: by seat, what holds reserve of it.
        deadlines: all pending ones by id, whoever owns them.
        over: whether the game has ended.
        closed_ms: by number, when the auctions that have ended did so.
        table: of a table of the bank or a ledger of clients, what auctions need to know; None: a game.
    """

    __slots__ = ("auctions", "closed_ms", "deadlines", "held", "over", "posted", "table")

    def __init__(self) -> None:
        self.auctions: State = INITIAL.copy()
        self.posted: list[int] = []
        self.held: list[int] = []
        self.deadlines: dict[str, Deadline] = {}
        self.over = False
        self.closed_ms: dict[int, int] = {}
        self.table: Table | None = None

    def copy(self) -> GameState:
        """Return an independent copy. Deadlines are replaced, never changed, so they are shared."""
        twin = GameState()
        twin.auctions = self.auctions.copy()
        twin.posted = list(self.posted)
        twin.held = list(self.held)
        twin.deadlines = dict(self.deadlines)
        twin.over = self.over
        twin.closed_ms = dict(self.closed_ms)
        twin.table = self.table
        return twin

    def available(self, now_ms: int = 0) -> list[int]:
        """Return by seat what it may spend or hold at a time: holds that have lapsed by then are none."""
        found = [posted - held for posted, held in zip(self.posted, self.held, strict=True)]
        if self.table is not None:
            for one in self.table.lapsing.values():
                if one.expires_at_ms <= now_ms:
                    found[one.seat] += one.amount
        return found

    def gone(self) -> frozenset[int]:
        """Return the seats at a table whose accounts are closed; in a game there are none."""
        return frozenset() if self.table is None else self.table.closed_seats

    def ends(self) -> dict[int, End]:
        """Return when the running auctions end, by number."""
        found: dict[int, End] = {}
        for deadline_id, deadline in self.deadlines.items():
            if deadline.owner == OWNER:
                end = found.setdefault(auction_of(deadline_id), End(0))
                if deadline.kind == KIND_CALL:
                    end.call_id, end.call_due_ms = deadline_id, deadline.due_ms
                else:
                    end.due_ms, end.paused, end.left_ms = deadline.due_ms, deadline.paused, deadline.left_ms
        return found
