"""The bank's composition root: the only place where its parts meet the log, the settings and each other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from magnate.bank.metrics import BankMetrics
from magnate.bank.propose import BankPeerServicer
from magnate.bank.queries import Queries
from magnate.bank.service import Bank
from magnate.bank.servicer import BankServicer
from magnate.bank.snapshot import LedgerSnapshots
from magnate.bank.v1 import bank_pb2_grpc
from magnate.kit.log.guard import raise_guard
from magnate.kit.log.jetstream import JetStreamLog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prometheus_client import CollectorRegistry

    from magnate.bank.settings import BankSettings
    from magnate.kit.lifecycle import Lifecycle
    from magnate.kit.log.port import Log
    from magnate.kit.rpc.server import Registration


async def wire(
    settings: BankSettings, life: Lifecycle, registry: CollectorRegistry
) -> Sequence[Registration]:
    """Connect to the log and return the bank's servicers."""
    log = JetStreamLog(
        settings.nats_url.split(","),
        tenant=settings.tenant,
        epoch=settings.epoch,
        shards=settings.shards,
        replicas=settings.replicas,
    )
    await life.start("log", log.connect, log.close)
    await log.ensure()
    await raise_guard(log, settings.key_ring)
    bank, registrations = compose(settings, log, registry)
    await life.start("bank", None, bank.close)
    return registrations


def compose(
    settings: BankSettings, log: Log, registry: CollectorRegistry
) -> tuple[Bank, Sequence[Registration]]:
    """Put the bank together on any log; tests use the one in memory."""
    bank = Bank(
        log,
        settings.key_ring,
        BankMetrics(registry),
        snapshots=LedgerSnapshots(),
        games_cached_max=settings.games_cached_max,
        queue_per_game_max=settings.queue_per_game_max,
    )
    queries = Queries(bank, log, settings.key_ring)
    return bank, [
        partial(bank_pb2_grpc.add_BankServiceServicer_to_server, BankServicer(queries)),
        partial(bank_pb2_grpc.add_BankPeerServiceServicer_to_server, BankPeerServicer(bank)),
    ]
