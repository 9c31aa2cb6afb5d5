"""Puts together what serves tables; the bank's own composition root calls this."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING, Final

from magnate.bank.games.client import Games
from magnate.bank.games.units import UnitsInGames
from magnate.bank.tables.desk import Desk
from magnate.bank.tables.history import Histories
from magnate.bank.tables.joining import STATUS_PREFIX, Joining
from magnate.bank.tables.metrics import TableMetrics
from magnate.bank.tables.operating import Operating
from magnate.bank.tables.service import TableService
from magnate.bank.tables.servicer import TerminalServicer
from magnate.bank.tables.tries import Tries
from magnate.bank.tables.watch import Watch
from magnate.bank.v1 import terminal_pb2_grpc
from magnate.kit.ids import rendezvous
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.heads import list_heads
from magnate.kit.rpc.channels import Peers, connect
from magnate.peers.auction import Auctions

if TYPE_CHECKING:
    from collections.abc import Callable

    import grpc
    from prometheus_client import CollectorRegistry

    from magnate.bank.settings import BankSettings
    from magnate.bank.tables.state import TableState
    from magnate.kit.clock import Clock
    from magnate.kit.rpc.server import Registration
    from magnate.kit.transact import Transactor

COUNT_SECONDS: Final = 5.0
STATUS_WORDS: Final = ("open", "paused", "closed")


class Tables:
    """What serves tables in one bank process."""

    def __init__(
        self,
        settings: BankSettings,
        transactor: Transactor[TableState],
        clock: Clock,
        registry: CollectorRegistry,
        connect: Callable[..., grpc.aio.Channel] = connect,
    ) -> None:
        self._games = _games_of(settings, connect)
        self._transactor = transactor
        self._log = transactor.log
        self._keys = keys = settings.key_ring
        self._metrics = metrics = TableMetrics(registry)
        self._auctions = _auctions_of(settings, connect)
        self.service = TableService(
            transactor,
            keys,
            clock,
            tenant=settings.tenant,
            epoch=settings.epoch,
            shards=settings.shards,
            auctions=self._auctions,
        )
        in_games = None if self._games is None else UnitsInGames(self.service, self._games, keys, clock)
        desk = Desk(self.service, keys, clock, Tries(), metrics, in_games)
        histories = Histories(self._log, keys, transactor.on_damage)
        servicer = TerminalServicer(
            desk,
            Operating(desk),
            Watch(self._log, keys, clock, histories, metrics, self._games),
            Joining(self._log, keys),
            histories,
        )
        self.registration: Registration = partial(
            terminal_pb2_grpc.add_TerminalServiceServicer_to_server, servicer
        )

    async def close(self) -> None:
        """Wait for snapshots that are being written, and leave the other services."""
        await self._transactor.close()
        if self._games is not None:
            await self._games.close()
        if self._auctions is not None:
            await self._auctions.close()

    async def count_for_ever(self) -> None:
        """Keep the number of tables of each status in the metrics."""
        while True:
            with contextlib.suppress(LogUnavailableError):
                await self.count()
            await asyncio.sleep(COUNT_SECONDS)

    async def count(self) -> None:
        """Count tables by their status, as the heads have it."""
        counts = dict.fromkeys(STATUS_WORDS, 0)
        for head in await list_heads(self._log, self._keys):
            word = head.status.removeprefix(STATUS_PREFIX)
            if word != head.status and word in counts:
                counts[word] += 1
        for word, count in counts.items():
            self._metrics.tables.labels(word).set(count)


def _games_of(settings: BankSettings, connect: Callable[..., grpc.aio.Channel]) -> Games | None:
    """Return the games of the game service, None where the bank is told of no such service."""
    addresses = settings.peers("game")
    return Games(Peers(addresses, rendezvous, connect=connect), settings.key_ring) if addresses else None


def _auctions_of(settings: BankSettings, connect: Callable[..., grpc.aio.Channel]) -> Auctions | None:
    """Return the auctions of the auction service, None where the bank is told of no such service."""
    addresses = settings.peers("auction")
    if not addresses:
        return None
    return Auctions(Peers(addresses, rendezvous, connect=connect), settings.key_ring, settings.service)
