"""Golden games: the file format, and what a game's state is compared by.

A file has one JSON object a line. The first says what the others need:

    {"format": 1, "game_id": …, "keys": "id:hex", "board": …, "fields": [names of the rules' state]}

and each of the others is one stored record: its place in the stream, its bytes, and a digest of what all
four services make of the log up to here:

    {"sequence": 3, "data": base64, "digest": hex}

The digest goes over the fields that the file names, so a field that is added later changes no digest.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from magnate.auction.fold import AuctionFold
from magnate.bank.fold import LedgerFold
from magnate.game.fold import GameFold
from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import ZERO_HASH, check_follows, parse_commit
from magnate.rules.plain import plain
from magnate.timer.codec import TimerFold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from magnate.kit.log.commit import ParsedCommit

FORMAT: Final = 1
GAMES: Final = Path(__file__).parent / "games"
MANIFEST: Final = GAMES / "MANIFEST"


class Rebuilt:
    """What the four services make of a log, commit by commit."""

    def __init__(self, game_id: str, fields: list[str]) -> None:
        self.fields = fields
        self._folds = GameFold(), LedgerFold(), AuctionFold(), TimerFold()
        self.game = self._folds[0].initial(game_id)
        self.ledger = self._folds[1].initial(game_id)
        self.auction = self._folds[2].initial(game_id)
        self.schedule = self._folds[3].initial(game_id)

    def apply(self, commit: ParsedCommit) -> None:
        """Fold one commit."""
        self.game = self._folds[0].apply(self.game, commit)
        self.ledger = self._folds[1].apply(self.ledger, commit)
        self.auction = self._folds[2].apply(self.auction, commit)
        self.schedule = self._folds[3].apply(self.schedule, commit)

    def digest(self) -> str:
        """Return the digest of everything, in a writing that is this file's own."""
        text = json.dumps([self._table(), self._rules(), self._money(), self._auction(), self._deadlines()])
        return hashlib.sha256(text.encode()).hexdigest()

    def _table(self) -> list[Any]:
        table = self.game.table
        entropies = [entropy.hex() for entropy in table.entropies]
        return [table.status, table.title, table.names, entropies, table.seed.hex(), table.paused_at_ms]

    def _rules(self) -> list[Any]:
        if self.game.rules is None:
            return []
        values = plain(self.game.rules)
        return [[name, values.get(name)] for name in self.fields]

    def _money(self) -> list[Any]:
        ledger = self.ledger
        names = enumerate(ledger.names)
        accounts = sorted([name, ledger.posted[at], ledger.held[at]] for at, name in names)
        return [accounts, sorted([hold.hold_id, hold.amount] for hold in ledger.holds.values())]

    def _auction(self) -> list[Any]:
        running = next(iter(self.auction.auctions.running.values()), None)
        if running is None:
            return []
        return [running.auction, running.lot, running.leader, running.price, running.bidders, running.active]

    def _deadlines(self) -> list[Any]:
        pending = self.schedule.deadlines.values()
        return sorted([one.deadline_id, one.owner, one.kind, one.due_ms, one.left_ms] for one in pending)


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what a golden file says first, and its records."""
    head, *records = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return head, records


def verified(head: dict[str, Any], records: list[dict[str, Any]]) -> Iterator[tuple[ParsedCommit, str]]:
    """Yield each commit, checked as a service checks it, with the digest that was recorded for it."""
    keys = KeyRing.parse(head["keys"])
    version, commit_hash, time_ms = 0, ZERO_HASH, 0
    for record in records:
        data = base64.b64decode(record["data"])
        commit = parse_commit(keys, head["game_id"], data, record["sequence"])
        check_follows(commit, version, commit_hash, time_ms)
        version, commit_hash, time_ms = commit.version, commit.hash, commit.time_ms
        yield commit, record["digest"]


def hash_of(path: Path) -> str:
    """Return the hash of a file as the manifest lists it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def manifest() -> dict[str, str]:
    """Return the hash of each golden file by its name."""
    lines = MANIFEST.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}
