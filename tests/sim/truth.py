"""The one game of a seed as the log has it: folded commit by commit with each service's own fold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from magnate.auction.fold import AuctionFold
from magnate.auction.snapshot import AuctionSnapshots
from magnate.bank.fold import LedgerFold
from magnate.bank.table_snapshot import TableSnapshots
from magnate.bank.tables.fold import TableFold
from magnate.bank.v1 import terminal_pb2
from magnate.game.domain.table import MISSING, PAUSED, RUNNING
from magnate.game.fold import GameFold
from magnate.game.snapshot import GameSnapshots
from magnate.kit.log.commit import TABLE as TABLE_SECTION
from magnate.kit.log.commit import ZERO_HASH, check_follows, parse_commit
from magnate.timer.codec import TimerFold
from tests.sim.world import KEYS

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit
    from magnate.rules.bidding import Auction
    from magnate.rules.state import State
    from magnate.timer.domain.schedule import State as Schedule

GAME: Final = GameSnapshots()
AUCTION: Final = AuctionSnapshots()
TABLE: Final = TableSnapshots()


class Truth:
    """What everybody should know."""

    def __init__(self, game_id: str, *, unit: bool = False) -> None:
        self.game_id = game_id
        self._unit = unit  # the bank has a part in the game, too
        self.version = 0
        self.time_ms = 0
        self.commits: list[ParsedCommit] = []
        self.game = GameFold().initial(game_id)
        self.auction = AuctionFold().initial(game_id)
        self.ledger = LedgerFold().initial(game_id)
        self.timers = TimerFold().initial(game_id)
        self.table = TableFold().initial(game_id)
        self._hash = ZERO_HASH
        self.is_game = True
        self._folds: list[tuple[str, Any]] = [
            ("game", GameFold()),
            ("auction", AuctionFold()),
            ("ledger", LedgerFold()),
            ("timers", TimerFold()),
        ]

    def take(self, data: bytes, sequence: int) -> ParsedCommit:
        """Verify and fold the next commit; what does not fit raises as it would in a service."""
        commit = parse_commit(KEYS, self.game_id, data, sequence)
        check_follows(commit, self.version, self._hash, self.time_ms)
        if commit.version == 1 and commit.section(TABLE_SECTION) is None:
            self.is_game = False  # of clients: the game service has no part in it, but the bank's tables have
            self._folds[0] = ("table", TableFold())
        elif commit.version == 1 and self._unit:
            self._folds.append(("table", TableFold()))
        for name, fold in self._folds:
            setattr(self, name, fold.apply(getattr(self, name), commit))
        self.commits.append(commit)
        self.version, self._hash, self.time_ms = commit.version, commit.hash, commit.time_ms
        return commit

    def state_of(self, service: str) -> Any:
        """Return the state that a service should hold."""
        return {"game": self.game, "auction": self.auction, "bank": self.table}[service]

    def is_of(self, service: str) -> bool:
        """Say whether a service folds this log: of games, of tables of the bank, auctions of both."""
        return (
            service == "auction" or self.is_game == (service == "game") or (self._unit and service == "bank")
        )

    @property
    def rules(self) -> State | None:
        """The rules' state, None until the game starts."""
        return self.game.rules

    @property
    def running(self) -> bool:
        """Whether the game is being played, and not paused."""
        return self.game.table.status == RUNNING

    @property
    def started(self) -> bool:
        """Whether the game has begun and is not over."""
        return self.game.table.status in (RUNNING, PAUSED)

    @property
    def closed(self) -> bool:
        """Whether this is a card table that was closed."""
        return self.auction.table is not None and self.auction.table.closed

    @property
    def exists(self) -> bool:
        """Whether the table is there."""
        return self.game.table.status != MISSING

    @property
    def schedule(self) -> Schedule:
        """What is pending."""
        return self.timers.schedule

    def auctions(self) -> list[Auction]:
        """Return the running auctions, the first one opened first."""
        return list((self.game.auctions if self.is_game else self.auction.auctions.running).values())


def game_bytes(state: Any) -> bytes:
    """Return a state of the game service as bytes that are the same for equal states."""
    return GAME.encode(state)


def auction_bytes(state: Any) -> bytes:
    """Return a state of the auction service as bytes that are the same for equal states."""
    return AUCTION.encode(state)


def table_bytes(state: Any) -> bytes:
    """Return a state of a table of the bank, but for its ledger, which is stored in layers, as such bytes."""
    message = terminal_pb2.TableState.FromString(TABLE.encode(state))
    message.ClearField("ledger")
    return message.SerializeToString(deterministic=True)


BYTES: Final[dict[str, Any]] = {"game": game_bytes, "auction": auction_bytes, "bank": table_bytes}
"""What encodes the state of a service."""
