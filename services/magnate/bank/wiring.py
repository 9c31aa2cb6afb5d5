"""The bank's composition root: the only place where its parts meet the log, the settings and each other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from magnate.bank.ledgers import Ledgers
from magnate.bank.metrics import BankMetrics
from magnate.bank.poster import Poster
from magnate.bank.posting import Posting
from magnate.bank.proofs import Proofs
from magnate.bank.propose import BankPeerServicer
from magnate.bank.queries import Queries
from magnate.bank.service import Bank
from magnate.bank.servicer import LedgerServicer
from magnate.bank.snapshot import LedgerSnapshots
from magnate.bank.table_snapshot import TableSnapshots
from magnate.bank.tables.fold import TableFold
from magnate.bank.tables.wiring import Tables
from magnate.bank.v1 import bank_pb2_grpc, ledger_pb2_grpc
from magnate.kit.clock import SystemClock
from magnate.kit.log.guard import raise_guard
from magnate.kit.log.opening import open_log
from magnate.kit.rpc.channels import connect
from magnate.kit.transact import Transactor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import grpc
    from prometheus_client import CollectorRegistry

    from magnate.bank.settings import BankSettings
    from magnate.bank.tables.state import TableState
    from magnate.kit.clock import Clock
    from magnate.kit.lifecycle import Lifecycle
    from magnate.kit.log.port import Log
    from magnate.kit.rpc.server import Registration


async def wire(
    settings: BankSettings, life: Lifecycle, registry: CollectorRegistry
) -> Sequence[Registration]:
    """Connect to the log and return the bank's servicers."""
    log = await open_log(settings, life, registry)
    await raise_guard(log, settings.key_ring)
    bank, tables, registrations = compose(settings, log, registry, SystemClock())
    await life.start("bank", None, bank.close)
    await life.start("tables", None, tables.close)
    if settings.worker == 0:
        life.background("table counts", tables.count_for_ever())
    return registrations


def compose(
    settings: BankSettings,
    log: Log,
    registry: CollectorRegistry,
    clock: Clock,
    connect: Callable[..., grpc.aio.Channel] = connect,
) -> tuple[Bank, Tables, Sequence[Registration]]:
    """Put the bank together on any log, and whatever connects it with others; tests use the one in memory."""
    keys = settings.key_ring
    metrics = BankMetrics(registry)
    bank = Bank(
        log,
        keys,
        metrics,
        snapshots=LedgerSnapshots(),
        games_cached_max=settings.games_cached_max,
        queue_per_game_max=settings.queue_per_game_max,
    )
    transactor: Transactor[TableState] = Transactor(
        log,
        keys,
        TableFold(),
        codec=TableSnapshots(),
        clock=clock,
        games_cached_max=settings.games_cached_max,
        queue_per_game_max=settings.queue_per_game_max,
    )
    transactor.on_damage = metrics.damaged.inc
    tables = Tables(settings, transactor, clock, registry, connect)
    queries = Queries(Ledgers(bank, transactor), log, keys, clock, metrics.damaged.inc)
    posting = Posting(transactor, clock, tenant=settings.tenant, epoch=settings.epoch, shards=settings.shards)
    ledger = LedgerServicer(queries, Proofs(queries, log, keys), Poster(posting, keys, clock, metrics))
    return (
        bank,
        tables,
        [
            partial(ledger_pb2_grpc.add_LedgerServiceServicer_to_server, ledger),
            partial(bank_pb2_grpc.add_BankPeerServiceServicer_to_server, BankPeerServicer(bank)),
            tables.registration,
        ],
    )
