"""Many stand-alone ledgers that are posted to at once: for `magnate bench transfers` and the load tests."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Final, Self

from magnate.bank.v1 import ledger_pb2
from magnate.client.ledger import LedgerSession, post_request, transfer
from magnate.client.posting import PostStream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEDGERS: Final = 64
SEATS: Final = 4
START_AMOUNT: Final = 1_000_000_000
CONNECTIONS: Final = 4
VERIFIED_AT_ONCE: Final = 4


class Account:
    """One ledger as its client knows it: what it posted, and what was acknowledged."""

    def __init__(self, opened: ledger_pb2.OpenLedgerResponse) -> None:
        self.ledger_id = opened.ledger_id
        self.token = opened.banker_token
        self.posted = 0
        self.entries: dict[str, str] = {}  # entry id by transfer id, of what was acknowledged

    def batch(self, size: int) -> ledger_pb2.PostRequest:
        """Return the next batch: each seat pays the next one, which pays the one after it."""
        first, self.posted = self.posted, self.posted + size
        asks = [
            transfer(
                f"seat-{number % SEATS}",
                f"seat-{(number + 1) % SEATS}",
                1 + number % 7,
                "load",
                transfer_id=f"load-{number}",
            )
            for number in range(first, first + size)
        ]
        return post_request(self.ledger_id, asks, command_id=f"load-{first}", token=self.token)

    def acknowledge(self, request: ledger_pb2.PostRequest, response: ledger_pb2.PostResponse) -> int:
        """Note what a response acknowledges; return how many transfers."""
        count = 0
        for asked, result in zip(request.instructions, response.results, strict=True):
            if not result.rejection:
                self.entries[asked.transfer.transfer_id] = result.entry_id
                count += 1
        return count


class Ledgers:
    """Ledgers on one or more bank processes, each with its own stream to one of them."""

    def __init__(self, addresses: Sequence[str], count: int = LEDGERS) -> None:
        self._addresses = addresses
        self._count = count
        self._exit = AsyncExitStack()
        self._sessions: list[LedgerSession] = []
        self._streams: list[PostStream] = []
        self.accounts: list[Account] = []

    async def __aenter__(self) -> Self:
        for place in range(max(CONNECTIONS, len(self._addresses))):
            address = self._addresses[place % len(self._addresses)]
            session = await self._exit.enter_async_context(LedgerSession(address))
            self._sessions.append(session)
            self._streams.append(await self._exit.enter_async_context(PostStream(session)))
        self.accounts = list(await asyncio.gather(*(self._open(place) for place in range(self._count))))
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self._exit.aclose()

    @property
    def acknowledged(self) -> int:
        """Return how many transfers were acknowledged."""
        return sum(len(account.entries) for account in self.accounts)

    async def post(self, place: int, size: int) -> int:
        """Post the next batch of a ledger; return how many transfers were acknowledged."""
        account = self.accounts[place]
        request = account.batch(size)
        reply = await self._streams[place % len(self._streams)].post(request)
        if reply.HasField("failure"):
            failure = reply.failure
            raise ConnectionError(f"{account.ledger_id}: {failure.reason}: {failure.message}")
        return account.acknowledge(request, reply.response)

    async def verify(self) -> list[str]:
        """Read every ledger again; returns what is wrong, one line each.

        Each acknowledged transfer must be there exactly once, under the entry it was acknowledged with, and
        nothing else; what was paid must add up to the balances, and those to zero.
        """
        gate = asyncio.Semaphore(VERIFIED_AT_ONCE)
        faults: list[str] = []

        async def one(place: int, account: Account) -> None:
            async with gate:
                found = await self._faults(self._sessions[place % len(self._sessions)], account)
                faults.extend(f"{account.ledger_id}: {fault}" for fault in found)

        await asyncio.gather(*(one(place, account) for place, account in enumerate(self.accounts)))
        return faults

    async def _open(self, place: int) -> Account:
        session = self._sessions[place % len(self._sessions)]
        account = Account(await session.open([f"seat-{seat}" for seat in range(SEATS)]))
        start = [transfer("bank", f"seat-{seat}", START_AMOUNT, "start") for seat in range(SEATS)]
        await session.post(account.ledger_id, account.token, start)
        return account

    async def _faults(self, session: LedgerSession, account: Account) -> list[str]:
        lines = await session.statement(account.ledger_id)
        faults = []
        sums: dict[str, int] = {}
        found: dict[str, str] = {}
        for line in lines:
            sums[line.debit] = sums.get(line.debit, 0) - line.amount
            sums[line.credit] = sums.get(line.credit, 0) + line.amount
            if line.transfer_id in found:
                faults.append(f"transfer {line.transfer_id} is there twice")
            if line.reason != "start":
                found[line.transfer_id] = line.entry_id
        lost = account.entries.keys() - found.keys()
        if lost:
            faults.append(f"{len(lost)} acknowledged transfers are not there")
        if any(found[one] != entry_id for one, entry_id in account.entries.items() if one in found):
            faults.append("transfers are there under other entries than they were acknowledged with")
        balances = await session.balances(account.ledger_id)
        if {name: one.posted for name, one in balances.items()} != sums or sum(sums.values()) != 0:
            faults.append("the balances are not what the entries add up to")
        trial = await session.stub.GetTrialBalance(
            ledger_pb2.GetTrialBalanceRequest(ledger_id=account.ledger_id)
        )
        if trial.debit_total != trial.credit_total or trial.entries != len(lines):
            faults.append("the trial balance does not agree")
        return faults


async def closed_loop(ledgers: Ledgers, size: int, going: Callable[[], bool]) -> int:
    """Post with one batch in flight a ledger while `going()`; returns how many were acknowledged."""

    async def post(place: int) -> int:
        moved = 0
        while going():
            moved += await ledgers.post(place, size)
        return moved

    return sum(await asyncio.gather(*(post(place) for place in range(len(ledgers.accounts)))))
