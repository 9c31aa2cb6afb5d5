"""Exports compared with the log: the stored records of a game, and the books of any ledger as a document."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import bank_pb2, ledger_pb2, ledger_pb2_grpc
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import AUCTION, LEDGER
from magnate.kit.rpc.status import remote_error
from tests.sim.channel import SimChannel
from tests.sim.players import BUGS
from tests.sim.promises import SEALED
from tests.sim.world import ADDRESSES

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit
    from tests.sim.players import Clients, Metadata
    from tests.sim.truth import Truth

IS_THE_LOG: Final = "an export is what is in the log"
FIELDS: Final = ("sequence", "public", "previous_hash", "hash")
TRIES_MAX: Final = 5


class Exports:
    """Exports what a seed has made, and compares."""

    def __init__(self, clients: Clients, who: Metadata = ()) -> None:
        self.clients = clients
        self._who = who
        self._chance = clients.world.chance("exports")
        channels: list[Any] = [SimChannel(clients.world.net, None, one) for one in ADDRESSES["bank"]]
        self._ledgers: list[Any] = [ledger_pb2_grpc.LedgerServiceStub(one) for one in channels]

    async def compare(self) -> None:
        """Compare with the newest state of the log."""
        if self.clients.truth.is_game:
            version = self.clients.truth.version
            if await self.records() < version:
                self._fail(f"an export ends before version {version}")
        await self.books()

    async def records(self) -> int:
        """Compare the stored records of a game, and what is told of their secrets; return how far they go."""
        clients, truth = self.clients, self.clients.truth
        after = self._chance.choice((0, 0, truth.version // 2))
        request = game_pb2.ExportGameRequest(game_id=clients.game_id, after_version=after)
        records = await self._read(clients.stubs, "ExportGame", request)
        secret = self._secret_versions(truth)
        stored = truth.commits[after : after + len(records)]
        if len(stored) < len(records):
            self._fail(f"{len(records)} records after version {after} of {truth.version}")
        for record, commit in zip(records, stored, strict=False):
            if any(getattr(record, field) != getattr(commit, field) for field in FIELDS):
                self._fail(f"version {commit.version} is another")
            if record.opened_secret:
                if hashlib.sha256(record.opened_secret).digest() != record.secret_digest:
                    self._fail(f"the secret of version {commit.version} is another")
                if commit.version in secret:
                    what = f"the secret of version {commit.version} in an export"
                    clients.promises.fail("nobody sees what is hidden", what)
        clients.world.met["exported records"] += len(records)
        return after + len(records)

    async def books(self) -> None:
        """Compare the books: every commit with money is there, and what each account stands at."""
        clients, truth = self.clients, self.clients.truth
        request = ledger_pb2.ExportLedgerRequest(
            ledger_id=clients.game_id, format=ledger_pb2.LEDGER_FORMAT_JSON
        )
        pieces = await self._read(self._ledgers, "ExportLedger", request)
        document = json.loads(b"".join(piece.data for piece in pieces))
        secret = any(one.opened.mode in SEALED for one in truth.auctions())  # what no document tells
        if secret or document["version"] != truth.version:  # a clock has come due meanwhile
            return
        scale = document["scale"]
        ledger = truth.ledger
        balances = {
            one["account"]: (int(one["posted"]) // scale, int(one["held"]) // scale)
            for one in document["balances"]
        }
        for account, found in balances.items():
            place = ledger.index[account]
            if found != (ledger.posted[place], ledger.held[place]):
                self._fail(f"{account} stands at {found} in the books")
        if self._who and balances.keys() != set(ledger.names):
            self._fail(f"the banker's books have {sorted(balances)}")
        booked = [one["version"] for one in document["bookings"]]
        expected = [one.version for one in truth.commits if _has_records(one)]
        if booked != expected:
            self._fail(f"the books have versions {booked}, not {expected}")
        clients.world.met["exported books"] += 1

    def _secret_versions(self, truth: Truth) -> set[int]:
        """Return which commits have what nobody may know yet: bids that are sealed, the seed of the dice."""
        running = {one.auction for one in truth.auctions()}
        found = set()
        for commit in truth.commits:
            section = commit.section(AUCTION)
            events = [] if section is None else auction_pb2.AuctionSection.FromString(section.body).events
            sealed = any(one.bid_sealed.auction in running for one in events if one.HasField("bid_sealed"))
            if sealed or (truth.started and truth.game.table.seed in commit.secret):
                found.add(commit.version)
        return found

    async def _read(self, stubs: list[Any], method: str, request: Any) -> list[Any]:
        """Read a stream to its end, from one process or the other."""
        error: grpc.aio.AioRpcError | None = None
        for _ in range(TRIES_MAX):
            call = getattr(self._chance.choice(stubs), method)(request, metadata=self._who)
            try:
                return [message async for message in call]
            except grpc.aio.AioRpcError as broken:
                error = broken
                failure = remote_error(broken)
                if failure.code in BUGS:
                    self.clients.promises.fail("no call ends in an error of ours", f"{method}: {failure}")
        assert error is not None
        raise error

    def _fail(self, what: str) -> None:
        self.clients.promises.fail(IS_THE_LOG, what)


def _has_records(commit: ParsedCommit) -> bool:
    section = commit.section(LEDGER)
    return section is not None and bool(bank_pb2.LedgerSection.FromString(section.body).records)
