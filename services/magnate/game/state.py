"""What the game service knows of one game: the table, the rules' state, the auction, the deadlines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.domain.table import TableState
from magnate.rules.bidding_fold import copied

if TYPE_CHECKING:
    from magnate.rules.bidding import Auction
    from magnate.rules.state import State


AMOUNTS: Final = 0
SQUARES: Final = 1
DEALS: Final = 2
"""Places in `GameState.script_used`."""


class Deadline:
    """A pending deadline. `due_ms` is 0 while it is paused; then `left_ms` says what was left.

    `runs_through`: no pause of the game stops it. `held`: it was stopped for itself, so no resumption of the
    game lets it run. `shifted`: it was missed once and has got the time that was lost.
    """

    __slots__ = ("due_ms", "held", "kind", "left_ms", "owner", "runs_through", "shifted")

    def __init__(
        self,
        owner: str,
        kind: str,
        due_ms: int,
        left_ms: int = 0,
        runs_through: bool = False,
        held: bool = False,
        shifted: bool = False,
    ) -> None:
        self.owner = owner
        self.kind = kind
        self.due_ms = due_ms
        self.left_ms = left_ms
        self.runs_through = runs_through
        self.held = held
        self.shifted = shifted

    def paused(self, left_ms: int, *, held: bool = False) -> Deadline:
        """Return it as it is when it was stopped."""
        return Deadline(self.owner, self.kind, 0, left_ms, self.runs_through, held, self.shifted)

    def running(self, due_ms: int, *, shifted: bool = False) -> Deadline:
        """Return it as it is with another due time."""
        shifted = shifted or self.shifted
        return Deadline(self.owner, self.kind, due_ms, 0, self.runs_through, False, shifted)

    def row(self) -> list[object]:
        """Return what a snapshot keeps of it, in the order of the constructor."""
        flags = [self.runs_through, self.held, self.shifted]
        return [self.owner, self.kind, self.due_ms, self.left_ms, *(flags if any(flags) else ())]


class GameState:
    """The fold of all sections that the game service reads: TABLE, RULES, LEDGER, AUCTION, DEADLINES.

    `rules` is None until the game starts. `holds` has (seat, amount) by hold id; those in `concealed` are
    behind sealed bids, and for nobody to see but their seats (`sight.seen`). `opened` keeps the bytes of
    TableOpened for snapshots.
    """

    __slots__ = (
        "auctions", "cards_used", "concealed", "deadlines", "game_id", "holds", "opened", "rules",
        "script_used", "table", "throws_used",
    )  # fmt: skip

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.table = TableState()
        self.rules: State | None = None
        self.auctions: dict[int, Auction] = {}
        self.deadlines: dict[str, Deadline] = {}
        self.holds: dict[str, tuple[int, int]] = {}
        self.concealed: frozenset[str] = frozenset()
        self.opened = b""
        # How much of a sandbox's script is used up.
        self.throws_used = 0
        self.cards_used: dict[int, int] = {}
        self.script_used = [0, 0, 0]

    def pop_hold(self, hold_id: str) -> tuple[int, int]:
        """Take out a hold that has ended, in place; return seat and amount."""
        if hold_id in self.concealed:
            self.concealed -= {hold_id}
        return self.holds.pop(hold_id)

    @property
    def auction(self) -> Auction | None:
        """The running auction that was opened first, if any runs."""
        return next(iter(self.auctions.values()), None)

    def copy(self) -> GameState:
        """Return an independent copy. Deadlines are replaced, never changed, so they are shared."""
        twin = self.draft()
        twin.table = self.table.copy()
        twin.auctions = copied(self.auctions)
        twin.deadlines = dict(self.deadlines)
        twin.holds = dict(self.holds)
        twin.cards_used = dict(self.cards_used)
        twin.script_used = list(self.script_used)
        return twin

    def draft(self) -> GameState:
        """Return a copy to decide on: the rules are its own, all else is shared until it is replaced."""
        twin = GameState.__new__(GameState)
        twin.game_id = self.game_id
        twin.table = self.table
        twin.rules = None if self.rules is None else self.rules.copy()
        twin.auctions = self.auctions
        twin.deadlines = self.deadlines
        twin.holds = self.holds
        twin.concealed = self.concealed
        twin.opened = self.opened
        twin.throws_used = self.throws_used
        twin.cards_used = self.cards_used
        twin.script_used = self.script_used
        return twin
