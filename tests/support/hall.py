"""Auction, bank and timer as real processes on a real nats-server, with a game service that only nods."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
from prometheus_client import CollectorRegistry

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.bank.domain.instructions import OpenAccount, Transfer
from magnate.bank.metrics import BankMetrics
from magnate.bank.service import Bank
from magnate.cli.ports import free_port
from magnate.cli.processes import Managed, ProcessSpec
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.clock import SystemClock
from magnate.kit.log.commit import DEADLINES, RULES, Section, build_commit
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.port import Appended
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.tokens import mint_seat
from magnate.timer.v1 import timer_pb2, timer_pb2_grpc
from tests.support.auctioning import CLOSE_MS, LOT
from tests.support.banking import KEYS, Caller, new_game
from tests.support.nats import NatsServer, running_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

CALL_SECONDS = 20.0


class NoddingGame(game_pb2_grpc.GamePeerServiceServicer):
    """A game service that lets every outcome stand and has nothing to add."""

    def __init__(self) -> None:
        self.expired: list[str] = []

    async def Exchange(  # noqa: N802 - the name in the proto
        self, request_iterator: AsyncIterator[game_pb2.ExchangeRequest], context: Any
    ) -> AsyncIterator[game_pb2.ExchangeResponse]:
        """Nod."""
        await context.send_initial_metadata(())
        async for message in request_iterator:
            answer = game_pb2.ExchangeResponse()
            for call in message.calls:
                reply = answer.replies.add(id=call.id)
                if call.WhichOneof("call") == "expire":
                    self.expired.append(call.expire.deadline_id)
                    reply.expire.gone.version = call.expire.seen_version
                else:
                    section = reply.propose.proposal.sections.add()
                    section.kind = RULES  # type: ignore[assignment]  # an int that stays one
                    section.version = 1
            yield answer


class Hall:
    """The whole stack; `kill` ends a process the hard way, and it is started again at once."""

    def __init__(self, nats: NatsServer, directory: Path, log: JetStreamLog) -> None:
        self.nats = nats
        self.directory = directory
        self.log = log
        self.game = NoddingGame()
        self.ports = {name: free_port() for name in ("game", "bank", "auction", "timer")}
        self.metrics_ports = {name: free_port() for name in ("bank", "auction", "timer", "timer2")}
        self.processes: dict[str, Managed] = {}
        self._server = grpc.aio.server()
        self._channel: grpc.aio.Channel | None = None
        self._commands = 0

    async def open(self, *names: str) -> None:
        """Start the game in this process and the named services as processes."""
        game_pb2_grpc.add_GamePeerServiceServicer_to_server(self.game, self._server)
        self._server.add_insecure_port(f"127.0.0.1:{self.ports['game']}")
        await self._server.start()
        await asyncio.gather(*(self.start(name) for name in names))
        self._channel = grpc.aio.insecure_channel(
            f"127.0.0.1:{self.ports['auction']}",
            options=[("grpc.max_reconnect_backoff_ms", 200), ("grpc.min_reconnect_backoff_ms", 50)],
        )

    async def start(self, name: str, port: int = 0) -> None:
        """Start a service's process; `timer2` is a second timer."""
        service = name.rstrip("2")
        environment = {
            "PYTHONPATH": "services",
            "MAGNATE_NATS_URL": self.nats.url,
            "MAGNATE_KEYS": f"k1:{(b'k' * 32).hex()}",
            "MAGNATE_PORT": str(port or (0 if name == "timer2" else self.ports[name])),
            "MAGNATE_METRICS_PORT": str(self.metrics_ports[name]),
            "MAGNATE_LOG_LEVEL": "info",
            "MAGNATE_LOG_FORMAT": "json",
            "MAGNATE_SWEEP_SECONDS": "1",
            **{f"MAGNATE_{one.upper()}_ADDRESSES": f"127.0.0.1:{at}" for one, at in self.ports.items()},
        }
        spec = ProcessSpec(
            name=name,
            argv=(sys.executable, "-m", f"magnate.{service}"),
            health_url=f"http://127.0.0.1:{self.metrics_ports[name]}/healthz",
            log_path=self.directory / f"{name}.log",
            environment=environment,
        )
        self.processes[name] = Managed(spec)
        await self.processes[name].start()

    def kill(self, name: str) -> None:
        """End a process the hard way; its keeper starts it again."""
        pid = self.processes[name].pid
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    async def close(self) -> None:
        """End everything that was started."""
        if self._channel is not None:
            await self._channel.close()
        await asyncio.gather(*(process.stop() for process in self.processes.values()))
        await self._server.stop(0)

    async def seat(self, name: str, seats: int, cash: int) -> Caller:
        """Open the accounts of a new game."""
        caller = Caller(self.log, new_game(name))
        bank = Bank(self.log, KEYS, BankMetrics(CollectorRegistry()))
        accounts = ["bank", *(f"seat-{seat}" for seat in range(seats))]
        await caller.commit(
            bank,
            *(OpenAccount(account) for account in accounts),
            *(Transfer("bank", account, cash, "start") for account in accounts[1:]),
        )
        return caller

    async def put_up(self, caller: Caller, available: Sequence[int], close_ms: int = CLOSE_MS) -> None:
        """Open an auction as the game service does: ask the auction service, append what it says."""
        now_ms = _now_ms()
        ask = auction_pb2.ProposeRequest(
            game_id=caller.game_id, head_version=caller.head.version, time_ms=now_ms
        )
        step = ask.steps.add(available=available)
        opening = step.ask.open_auction
        opening.auction, opening.lot, opening.minimum, opening.increment = 1, LOT, 1, 1
        opening.bidders.extend(range(len(available)))
        opening.close_ms = close_ms
        reply = await self.exchange(auction_pb2.Call(id=1, propose=ask))
        proposal = reply.propose.proposal
        deadlines = timer_pb2.DeadlinesSection(changes=proposal.deadlines)
        await append(
            caller,
            now_ms,
            (proposal.section.kind, proposal.section.body),
            (DEADLINES, deadlines.SerializeToString()),
        )

    async def exchange(self, call: auction_pb2.Call) -> auction_pb2.Reply:
        """Ask the auction service as a peer."""
        stub = auction_pb2_grpc.AuctionPeerServiceStub(self._open())
        stream = stub.Exchange(metadata=peer_metadata(KEYS, "game"))
        await stream.write(auction_pb2.ExchangeRequest(calls=[call]))
        message = await stream.read()
        assert isinstance(message, auction_pb2.ExchangeResponse)
        stream.cancel()
        return message.replies[0]

    async def bid(
        self, caller: Caller, seat: int, amount: int, command_id: str = ""
    ) -> auction_pb2.PlaceBidResponse:
        """Bid over gRPC."""
        self._commands += 1
        request = auction_pb2.PlaceBidRequest(
            game_id=caller.game_id, command_id=command_id or f"bid-{self._commands}", lot=LOT, amount=amount
        )
        return await self.public.PlaceBid(
            request, metadata=token(caller, seat), timeout=CALL_SECONDS, wait_for_ready=True
        )

    async def skip(self, caller: Caller, seat: int) -> auction_pb2.PassAuctionResponse:
        """Pass over gRPC."""
        self._commands += 1
        request = auction_pb2.PassAuctionRequest(
            game_id=caller.game_id, command_id=f"pass-{self._commands}", lot=LOT
        )
        return await self.public.PassAuction(
            request, metadata=token(caller, seat), timeout=CALL_SECONDS, wait_for_ready=True
        )

    @property
    def public(self) -> auction_pb2_grpc.AuctionServiceStub:
        """Return the public face of the auction service."""
        return auction_pb2_grpc.AuctionServiceStub(self._open())

    @property
    def timer(self) -> timer_pb2_grpc.TimerServiceStub:
        """Return the public face of the timer."""
        return timer_pb2_grpc.TimerServiceStub(grpc.aio.insecure_channel(f"127.0.0.1:{self.ports['timer']}"))

    def _open(self) -> grpc.aio.Channel:
        assert self._channel is not None
        return self._channel


async def append(caller: Caller, now_ms: int, *sections: tuple[int, bytes]) -> None:
    """Append a commit that moves no money."""
    head = caller.head
    commit = build_commit(
        KEYS,
        caller.game_id,
        caller.command(),
        [Section(kind, 1, body) for kind, body in sections],
        previous_version=head.version,
        previous_hash=head.hash,
        previous_time_ms=head.time_ms,
        now_ms=now_ms,
    )
    result = await caller.log.append(caller.game_id, commit.data, head.sequence)
    assert isinstance(result, Appended), result
    caller.saw(commit.data, result.sequence)


def token(caller: Caller, seat: int) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a seat's calls."""
    return (("authorization", f"Bearer {mint_seat(KEYS, caller.game_id, seat)}"),)


def _now_ms() -> int:
    return SystemClock().now_ms()


@contextlib.asynccontextmanager
async def running_hall(*names: str) -> AsyncIterator[Hall]:
    """Run a nats-server and these services for the length of an `async with`."""
    async with running_server() as nats:
        log = JetStreamLog([nats.url])
        await log.connect()
        await log.ensure()
        with tempfile.TemporaryDirectory(prefix="hall-") as directory:
            hall = Hall(nats, Path(directory), log)
            try:
                await hall.open(*names)
                yield hall
            finally:
                await hall.close()
                await log.close()
