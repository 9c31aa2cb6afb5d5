"""Clients: a player a seat who does anything legal, and the bank's card terminal."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import grpc

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.game.sight import seen
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.game.vocabulary_codec import encode_command
from magnate.kit.ids import rendezvous
from magnate.kit.rpc.channels import Peers
from magnate.kit.rpc.exchange import PeerUnavailableError
from magnate.kit.rpc.status import RemoteError, remote_error
from magnate.peers.game import SeatCommands
from magnate.rules.any_command import any_command
from magnate.rules.bidding import MODE_DUTCH
from magnate.rules.chance import RandomChance
from magnate.rules.random_bot import RandomBot
from magnate.rules.vocabulary import (
    PHASE_AUCTION,
    Command,
    PassAuction,
    PayDebt,
    PlaceBid,
    Resign,
    SetProxyBid,
)
from magnate.rules.waiting import waiting_seats
from tests.sim.channel import SimChannel
from tests.sim.snipers import IN_AUCTIONS, Sniper, time_of
from tests.sim.streaming import PlayStream
from tests.sim.world import ADDRESSES, KEYS

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.rules.bidding import Auction
    from tests.sim.promises import Promises
    from tests.sim.truth import Truth
    from tests.sim.world import World

Metadata: TypeAlias = "tuple[tuple[str, str], ...]"

TRIES_MAX: Final = 12
AWAY_SECONDS: Final = 5.0
"""How often somebody who is away looks whether all is over."""
IDLE_SECONDS: Final = 0.4
"""How often somebody looks at most who has nothing to do."""
SNIPED: Final = 0.1
"""How often a command waits for the last moment."""
AGAIN: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.CANCELLED,
    }
)
"""Nobody knows, or nothing happened: the same command is sent again."""
BUGS: Final = frozenset({grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS})
UNEXPECTED: Final = frozenset({grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNAUTHENTICATED})


class Unanswered(Exception):  # noqa: N818 - no fault of the program
    """Nobody answered, however often it was sent."""


class Clients:
    """All clients of a seed: what they share is the number of commands they may send."""

    def __init__(self, world: World, promises: Promises) -> None:
        self.world = world
        self.promises = promises
        self.chance = world.chance("clients")
        self.game_id = ""
        self.tokens: list[str] = []
        self.named: dict[
            tuple[str, int], set[str]
        ] = {}  # what clients of streams call themselves, by kind and seat
        self._names = 0
        self.unit = False  # the game has one
        self.sent = 0
        self.accepted = 0
        self.busy = 0
        self._games = [SimChannel(world.net, None, one) for one in ADDRESSES["game"]]
        self._auctions = [SimChannel(world.net, None, one) for one in ADDRESSES["auction"]]
        self.stubs: list[Any] = [game_pb2_grpc.GameServiceStub(one) for one in self._games]  # type: ignore[arg-type]
        self.bids: list[Any] = [auction_pb2_grpc.AuctionServiceStub(one) for one in self._auctions]  # type: ignore[arg-type]
        self.terminal = SeatCommands(
            Peers(ADDRESSES["game"], rendezvous, connect=world.net.connect), KEYS, "bank"
        )

    @property
    def truth(self) -> Truth:
        """What the log says."""
        assert self.promises.truth is not None
        return self.promises.truth

    def unit_pays(self) -> bool:
        """Say whether a payment by card is left to the game's unit."""
        return self.unit and self.world.faulty and self.world.chance("unit").random() < 0.7

    def new_name(self) -> int:
        """Return another number, for a client that opens a stream."""
        self._names += 1
        return self._names

    def new_id(self, word: str) -> str:
        """Count a command and return its id."""
        self.sent += 1
        command_id = f"{word}{self.sent}"
        self.promises.sent[command_id] = self.world.now_ms()
        return command_id

    async def sure(self, word: str, method: str, request: Any, stubs: list[Any], who: Metadata = ()) -> Any:
        """Call one or the other process until there is an answer; raises the refusal."""
        pause = 0.05
        for _ in range(TRIES_MAX):
            stub = self.chance.choice(stubs)
            self.busy += 1
            try:
                late = self.chance.choice((0.5, 3.0, 20.0))
                return await getattr(stub, method)(request, timeout=late, metadata=who)
            except grpc.aio.AioRpcError as error:
                code = error.code()
                self.world.tell("answer", f"{word} {code.name}")
                if code in BUGS or code in UNEXPECTED:
                    failure = remote_error(error)
                    self.world.fail("no call ends in an error of ours", f"{word}: {failure}")
                if code not in AGAIN:
                    raise
            finally:
                self.busy -= 1
            await asyncio.sleep(pause * (0.5 + self.chance.random()))
            pause = min(pause * 2, 5.0)
        raise Unanswered(word)

    async def open(self) -> None:
        """Open the table, seat everybody, begin."""
        plan = self.world.plan
        request = game_pb2.CreateGameRequest(command_id="open", ruleset=plan.ruleset, seat_count=plan.seats)
        for name, value in plan.options.items():
            request.options.add(name=name, value=value)
        created = await self.sure("open", "CreateGame", request, self.stubs)
        self.game_id = created.game_id
        for seat in range(plan.seats):
            join = game_pb2.JoinGameRequest(
                game_id=self.game_id, command_id=f"join{seat}", name=f"Seat {seat}", entropy=bytes([seat])
            )
            joined = await self.sure("join", "JoinGame", join, self.stubs)
            self.tokens.append(joined.token)
        start = game_pb2.StartGameRequest(game_id=self.game_id, command_id="start")
        await self.sure("start", "StartGame", start, self.stubs, self.who(0))

    def who(self, seat: int) -> Metadata:
        """Return the metadata of a seat's calls."""
        return (("authorization", f"Bearer {self.tokens[seat]}"),)


class Streamed:
    """An open stream in the place of a stub."""

    def __init__(self, stream: PlayStream) -> None:
        self._stream = stream

    async def act(self, request: game_pb2.ActRequest, *, timeout: float, metadata: Metadata) -> Any:  # noqa: ASYNC109
        """Act over the stream, which was opened with the seat's token."""
        del metadata
        return await self._stream.act(request, timeout)


class Player:
    """One seat."""

    def __init__(self, clients: Clients, seat: int) -> None:
        self.clients = clients
        self.seat = seat
        self.chance = clients.world.chance(f"seat {seat}")
        self.random = RandomChance(self.chance.getrandbits(32))
        self.away_until = 0.0
        self.absence = 0.15 if self.chance.random() < 0.15 else 0.01
        self.stream = PlayStream(clients, seat) if self.chance.random() < 0.4 else None
        self._sniper = Sniper(clients.world, f"seat {seat}", SNIPED)
        self._bot: RandomBot | None = None

    async def play(self, until: Callable[[], bool]) -> None:
        """Act now and then."""
        world = self.clients.world
        think = pause = world.plan.think_seconds
        while not until():
            away = self.away_until - world.loop.time()
            await asyncio.sleep(min(away, AWAY_SECONDS) if away > 0 else self.chance.expovariate(1.0) * pause)
            if until() or away > AWAY_SECONDS:
                continue
            pause = min(2 * pause, max(IDLE_SECONDS, think))  # for as long as there is nothing to do
            if self.chance.random() < self.absence:
                self.away_until = world.loop.time() + self.chance.uniform(1, 60)
            try:
                if await self.step():
                    pause = think
            except Unanswered as unanswered:
                world.tell("gave up", str(unanswered))
            except grpc.aio.AioRpcError:
                continue  # a refusal, which was judged already

    async def step(self) -> bool:
        """Send one command, if there is one; say whether."""
        clients = self.clients
        truth = clients.truth
        rules = truth.rules
        if rules is None or not truth.started:
            return False
        if not truth.running:
            return False
        command = self.choose(truth)
        if command is None or (isinstance(command, PayDebt) and command.by_card and self.clients.unit_pays()):
            return False
        due_ms = time_of(truth, self.seat, command)
        if await self._sniper.waits(due_ms):  # what he wanted may be of the past by now
            if truth.started and truth.running and truth.rules is not None:
                command = self.choose(truth) or command
            due_ms = time_of(truth, self.seat, command) or due_ms
            if clients.sent >= clients.world.plan.commands:
                return False
        clients.world.races.sent(due_ms, bid=isinstance(command, IN_AUCTIONS))
        await self.act(command)
        return True

    def choose(self, truth: Truth) -> Command | None:
        """Return a command that is legal now, by the newest state there is."""
        rules = truth.rules
        assert rules is not None
        auctions = truth.auctions()
        if self.chance.random() < (0.02 if auctions else 0.001) and not rules.out[self.seat]:
            return Resign()
        acting = [one for one in auctions if one.may_act(self.seat)]
        if acting and (rules.phase == PHASE_AUCTION or self.chance.random() < 0.5):
            return self._bid(truth, self.chance.choice(acting))
        if rules.out[self.seat]:
            return None
        waits = self.seat in waiting_seats(rules, truth.game.auctions)
        try:
            if waits and rules.phase != PHASE_AUCTION and self.chance.random() < 0.75:
                if self._bot is None or self._bot.state is not rules:
                    self._bot = RandomBot(rules, self.random)
                return self._bot.command(self.seat)
            if waits or self.chance.random() < 0.15:
                return any_command(rules, self.seat, self.random)
        except AssertionError:  # the bot does not think of everything
            return None
        return None

    def _bid(self, truth: Truth, auction: Auction) -> Command:
        number = auction.auction if self.chance.random() < 0.8 or len(truth.game.auctions) > 1 else 0
        if auction.may_set_ceiling(self.seat) and self.chance.random() < 0.25:
            ceiling = auction.least_ceiling(self.seat) + int(self.chance.random() ** 2 * 300)
            return SetProxyBid(auction.lot, ceiling if self.chance.random() < 0.9 else 0, number)
        if self.chance.random() < 0.35:
            return PassAuction(auction.lot, number)
        if auction.opened.mode == MODE_DUTCH:
            auction = seen(truth.game, self.seat, self.clients.world.now_ms()).auctions[auction.auction]
        more = int(self.chance.random() ** 3 * 200)
        amount = auction.least_bid + more - more % auction.step
        if auction.asking:
            amount = auction.asking
        if self.chance.random() < 0.1:
            amount += self.chance.randint(-5, 5000)
        assert truth.rules is not None
        if amount > truth.rules.available(self.seat) and self.chance.random() < 0.7:
            return PassAuction(auction.lot, number)
        return PlaceBid(auction.lot, amount, number)

    async def act(self, command: Command) -> None:
        """Send a command as clients do: again if nobody answers, sometimes twice, sometimes changed."""
        clients, chance = self.clients, self.chance
        command_id = clients.new_id("c")
        request = game_pb2.ActRequest(game_id=clients.game_id, command_id=command_id)
        encode_command(command, request.command)
        if chance.random() < 0.7 or clients.world.on("small"):
            request.seen_version = clients.truth.version
        clients.world.tell("act", f"{command_id} seat {self.seat} {command!r}")
        if isinstance(command, PayDebt) and command.by_card:
            await self._by_card(request)
            return
        direct = isinstance(command, IN_AUCTIONS) and chance.random() < 0.4
        sending = [self._send(request, direct=direct)]
        if chance.random() < 0.06:
            sending.append(self._send(request, direct=direct))
        if chance.random() < 0.02:
            other = game_pb2.ActRequest()
            other.CopyFrom(request)
            other.command.end_turn.SetInParent()
            sending.append(self._send(other, direct=False))
        ends = await asyncio.gather(*sending, return_exceptions=True)
        if chance.random() < 0.05 and ends[0] is None:
            await self._send(request, direct=direct)
        for end in ends:
            if end is not None and not isinstance(end, grpc.aio.AioRpcError | Unanswered):
                raise end

    async def _send(self, request: game_pb2.ActRequest, *, direct: bool) -> None:
        clients = self.clients
        at = clients.truth.version
        try:
            if direct:
                method, bid = _as_bid(request)
                answer = await clients.sure(
                    request.command_id, method, bid, clients.bids, clients.who(self.seat)
                )
            elif self.stream is not None and self.chance.random() < 0.8:
                answer = await clients.sure(request.command_id, "act", request, [Streamed(self.stream)])
            else:
                answer = await clients.sure(
                    request.command_id, "Act", request, clients.stubs, clients.who(self.seat)
                )
        except grpc.aio.AioRpcError as error:
            self._refused(request.command_id, remote_error(error), at)
            raise
        content = b"".join(
            one.SerializeToString(deterministic=True)
            for one in (*getattr(answer, "auction_events", answer.events), *(() if direct else answer.events))
        )
        clients.accepted += 1
        clients.world.tell(
            "done", f"{request.command_id} version {answer.version}{' again' if answer.replayed else ''}"
        )
        clients.promises.acknowledged(request.command_id, answer.version, content)

    def _refused(self, command_id: str, failure: RemoteError, at: int) -> None:
        clients = self.clients
        clients.world.tell("refused", f"{command_id} {failure.reason}")
        clients.world.met[f"refused {failure.reason}"] += 1
        clients.promises.refused(command_id, failure.reason, int(failure.metadata.get("version", "0")), at)

    async def _by_card(self, request: game_pb2.ActRequest) -> None:
        clients = self.clients
        clients.busy += 1
        try:
            result = await clients.terminal.act(request, self.seat, clients.world.now_ms())
        except (PeerUnavailableError, RemoteError) as error:
            clients.world.tell("by card", f"{request.command_id} {error}")
            return
        finally:
            clients.busy -= 1
        if result.WhichOneof("result") == "accepted":
            clients.accepted += 1


def _as_bid(request: game_pb2.ActRequest) -> tuple[str, Any]:
    """Return the same command as the auction service itself takes it: the method, and its request."""
    kinds: dict[str, tuple[str, Any]] = {
        "place_bid": ("PlaceBid", auction_pb2.PlaceBidRequest),
        "pass_auction": ("PassAuction", auction_pb2.PassAuctionRequest),
        "set_proxy_bid": ("SetProxyBid", auction_pb2.SetProxyBidRequest),
    }
    kind = str(request.command.WhichOneof("kind"))
    method, message = kinds[kind]
    inner: Any = getattr(request.command, kind)
    fields = {field.name: value for field, value in inner.ListFields()}
    bid = message(
        game_id=request.game_id, command_id=request.command_id, seen_version=request.seen_version, **fields
    )
    return method, bid
