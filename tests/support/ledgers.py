"""A bank over a log in memory, spoken to by real clients over gRPC."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry

from magnate.bank.settings import BankSettings
from magnate.bank.v1 import bank_pb2
from magnate.bank.wiring import compose
from magnate.client.ledger import LedgerSession
from magnate.kit.clock import FakeClock
from magnate.kit.log.memory import MemoryLog
from magnate.kit.rpc.server import RpcServer
from tests.support.banking import KEYS, START_MS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.kit.log.port import Log

SEATS = ("seat-0", "seat-1", "seat-2")


class Served:
    """A bank that is served, its log and its clock."""

    def __init__(self, session: LedgerSession, log: Log, clock: FakeClock) -> None:
        self.session = session
        self.log = log
        self.clock = clock


@contextlib.asynccontextmanager
async def serving(log: Log | None = None, clock: FakeClock | None = None) -> AsyncIterator[Served]:
    """Serve a bank on a free port and connect to it."""
    log, clock = log or MemoryLog(), clock or FakeClock(START_MS)
    registry, settings = CollectorRegistry(), BankSettings(keys=KEYS)
    _, _, registrations = compose(settings, log, registry, clock)
    server = RpcServer(registrations, settings, registry)
    await server.start()
    await server.ready()
    try:
        async with LedgerSession(f"127.0.0.1:{server.port}", retry_seconds=5) as session:
            yield Served(session, log, clock)
    finally:
        await server.drain()


def hold(hold_id: str, account: str, amount: int, expires_at_ms: int = 0) -> bank_pb2.Instruction:
    """Return the instruction to reserve money."""
    one = bank_pb2.PlaceHold(hold_id=hold_id, account=account, amount=amount, expires_at_ms=expires_at_ms)
    return bank_pb2.Instruction(place_hold=one)


def capture(hold_id: str, to: str, amount: int, transfer_id: str) -> bank_pb2.Instruction:
    """Return the instruction to pay from a hold."""
    one = bank_pb2.CaptureHold(
        hold_id=hold_id, to=to, amount=amount, reason="capture", transfer_id=transfer_id
    )
    return bank_pb2.Instruction(capture_hold=one)


def release(hold_id: str) -> bank_pb2.Instruction:
    """Return the instruction to give a hold back."""
    return bank_pb2.Instruction(release_hold=bank_pb2.ReleaseHold(hold_id=hold_id))


def reverse(transfer_id: str, reverses: str, note: str = "") -> bank_pb2.Instruction:
    """Return the instruction to take a transfer back."""
    one = bank_pb2.Reverse(transfer_id=transfer_id, reverses=reverses, note=note)
    return bank_pb2.Instruction(reverse=one)
