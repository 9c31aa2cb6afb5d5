"""Real processes for races over auctions: two of each service and of the timer; games with a lot for sale."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import grpc

from magnate.bank.v1 import ledger_pb2, ledger_pb2_grpc
from magnate.cli.check import check_game
from magnate.cli.ports import free_port
from magnate.cli.processes import Managed
from magnate.cli.stack import Stack, StackOptions
from magnate.client.bidding import BiddingSession
from magnate.client.session import Session
from magnate.game.v1 import game_pb2
from magnate.kit.rpc.status import remote_error
from magnate.log.v1 import log_pb2
from magnate.rules.v1 import vocabulary_pb2
from tests.support.dice import to_a_lot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path


class Sale:
    """A game in which a lot is for sale; seat 0 declined it."""

    def __init__(self, game_id: str, tokens: list[str]) -> None:
        self.game_id = game_id
        self.tokens = tokens

    @property
    def seats(self) -> int:
        """Return how many play."""
        return len(self.tokens)


class House:
    """Everything runs: a session for games, and one for each auction process."""

    def __init__(self, stack: Stack, games: Session, halls: list[BiddingSession]) -> None:
        self.stack = stack
        self.games = games
        self.halls = halls
        self._bank = grpc.aio.insecure_channel(stack.addresses("bank")[0])
        self.ledger = ledger_pb2_grpc.LedgerServiceStub(self._bank)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self._bank.close()

    async def put_up(
        self, *, seats: int = 3, close_seconds: int = 2, options: Mapping[str, str] | None = None
    ) -> Sale:
        """Begin a game, throw to a lot and decline it: it is auctioned among all."""
        game_id = await self.games.create_game(
            seat_count=seats,
            options={"auction.close_seconds": str(close_seconds), **(options or {})},
            sandbox=game_pb2.Sandbox(dice=to_a_lot(seats)),
        )
        tokens = [(await self.games.join(game_id, f"Bidder {seat}")).token for seat in range(seats)]
        await self.games.start(game_id, tokens[0])
        sale = Sale(game_id, tokens)
        await self.act(sale, 0, roll={})
        await self.act(sale, 0, decline_lot={})
        return sale

    async def act(self, sale: Sale, seat: int, **command: Any) -> game_pb2.ActResponse:
        """Send a command of a seat, such as `roll={}`."""
        ((kind, fields),) = command.items()
        message = vocabulary_pb2.Command()
        inner = getattr(message, kind)
        inner.SetInParent()
        for name, value in fields.items():
            setattr(inner, name, value)
        return await self.games.act(sale.game_id, sale.tokens[seat], message)

    async def commits(self, sale: Sale) -> list[log_pb2.PublicPart]:
        """Return the public parts of the whole log."""
        return [log_pb2.PublicPart.FromString(one.public) for one in await self.games.export(sale.game_id)]

    async def events(self, sale: Sale, kind: str) -> list[Any]:
        """Return the events of auctions of one kind, in the order in which they happened."""
        from magnate.auction.v1 import auction_pb2

        found = []
        for commit in await self.commits(sale):
            for section in commit.sections:
                if section.kind == log_pb2.SECTION_KIND_AUCTION:
                    events = auction_pb2.AuctionSection.FromString(section.body).events
                    found += [getattr(one, kind) for one in events if one.WhichOneof("kind") == kind]
        return found

    async def over(self, sale: Sale, seconds: float = 30.0) -> None:
        """Wait until no auction runs in the game."""
        async with asyncio.timeout(seconds):
            async for update in self.halls[0].watch(sale.game_id):
                if not update.HasField("auction"):
                    return

    async def settled(self, sale: Sale, *, cancelled: bool = False) -> list[Any]:
        """Wait for the end of the auction, and see that it is one: closed once, no hold, no money lost.

        Returns the closes, or the cancels.
        """
        await self.over(sale)
        closes = await self.events(sale, "auction_closed")
        cancels = await self.events(sale, "auction_cancelled")
        opened = await self.events(sale, "auction_opened")
        assert len(closes) + len(cancels) == len(opened), (opened, closes, cancels)
        numbers = [one.auction for one in (*closes, *cancels)]
        assert len(set(numbers)) == len(numbers), f"ended twice: {numbers}"
        holds = await self.ledger.ListHolds(ledger_pb2.ListHoldsRequest(ledger_id=sale.game_id))
        assert not holds.holds, holds
        trial = await self.ledger.GetTrialBalance(ledger_pb2.GetTrialBalanceRequest(ledger_id=sale.game_id))
        assert trial.debit_total == trial.credit_total
        checked = await check_game(self.games, sale.game_id, self.stack.addresses("bank")[0])
        assert checked.ok, checked.faults
        return list(cancels if cancelled else closes)

    async def kill(self, name: str) -> None:
        """Kill a process the hard way; its supervisor starts another."""
        pid = self.stack.processes[name].pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    async def kill_and_wait(self, name: str) -> None:
        """The same, and wait until the other one is healthy."""
        started = asyncio.create_task(self.stack.processes[name].next_start())
        await asyncio.sleep(0)
        await self.kill(name)
        await started


@asynccontextmanager
async def running_house(
    data: Path, *, workers: int = 2, timers: int = 2, nats_url: str = "", replicas: int = 1
) -> AsyncIterator[House]:
    """Run everything for as long as this lasts."""
    stack = Stack(
        StackOptions(
            data=data, workers=workers, free_ports=True, sandbox=True, nats_url=nats_url, replicas=replicas
        )
    )
    async with AsyncExitStack() as exit_stack:
        exit_stack.push_async_callback(stack.stop)
        await stack.start()
        for number in range(1, timers):
            extra = _another_timer(stack, number)
            await extra.start()
            stack.processes[f"timer-{number}"] = extra
        games = await exit_stack.enter_async_context(Session(stack.addresses("game")[0]))
        halls = [
            await exit_stack.enter_async_context(BiddingSession(address))
            for address in stack.addresses("auction")
        ]
        yield await exit_stack.enter_async_context(House(stack, games, halls))


def _another_timer(stack: Stack, number: int) -> Managed:
    """Return one more timer process than the supervisor starts."""
    first = stack.processes["timer-0"].spec
    metrics = free_port()
    environment = {
        **first.environment,
        "MAGNATE_PORT": str(free_port()),
        "MAGNATE_METRICS_PORT": str(metrics),
        "MAGNATE_WORKERS": "2",
        "MAGNATE_WORKER": str(number),
    }
    return Managed(
        replace(
            first,
            name=f"timer-{number}",
            environment=environment,
            health_url=f"http://127.0.0.1:{metrics}/healthz",
            log_path=first.log_path.with_name(f"timer-{number}.log"),
        )
    )


async def outcome(call: Any) -> Any:
    """Return the answer of a call, or its refusal as a value."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        return remote_error(error)
