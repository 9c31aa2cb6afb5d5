"""Many bidders on one lot of a running server, for `magnate bench bids`."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final, Self

import grpc

from magnate.auction.v1 import auction_pb2
from magnate.cli.audit.table import LIST, examine
from magnate.cli.check import check_game
from magnate.client.bidding import BiddingSession, bid_request
from magnate.client.ledger import LedgerSession, transfer
from magnate.client.quick import PLAIN
from magnate.client.session import Session, bearer, refused
from magnate.kit.keys import KeyRing
from magnate.kit.log.jetstream import JetStreamLog
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.cli.stack import Stack

ANSWER_SECONDS_MAX: Final = 30.0
GAME_SEATS: Final = 8
STEPS_MAX: Final = 200
RICH: Final = 1_000_000_000
CLOSE_MS: Final = 600_000
_OPTIONS: Final = {"auction.close_seconds": "600", "auction.bid_limit": "none"}


class Bids:
    """What became of the bids of one run; `took` are the seconds from the planned moment to the answer."""

    def __init__(self) -> None:
        self.offered = 0
        self.accepted = 0
        self.refused: dict[str, int] = {}
        self.unanswered = 0
        self.took: list[float] = []
        self.seconds = 0.0

    @property
    def answered(self) -> int:
        """Return how many were accepted or refused."""
        return self.accepted + sum(self.refused.values())


class Lot:
    """One lot under the hammer, and everybody who bids for it, each on a connection of his own.

    Bidders look at what one watch of the auction shows, and at their own answers.
    """

    def __init__(self, addresses: Sequence[str], game_id: str, tokens: Sequence[str], bidders: int) -> None:
        self.game_id = game_id
        self._tokens = tokens
        self._sessions = [BiddingSession(addresses[one % len(addresses)]) for one in range(bidders)]
        self._watching: asyncio.Task[None] | None = None
        self.price = 0
        self.version = 0
        self.leader = -1

    async def __aenter__(self) -> Self:
        seen = await self._sessions[0].auctions(self.game_id, token=self._tokens[0])
        self._see(seen.version, seen.auction.leader, seen.auction.least_bid - 1)
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await asyncio.gather(*(session.__aexit__(*exc) for session in self._sessions))

    async def offer(self, per_second: float, seconds: float) -> Bids:
        """Have so many bids made a second, one bidder after another, however long the answers take."""
        bids, clock = Bids(), time.perf_counter
        started = clock()
        sent: list[asyncio.Task[None]] = []
        for number in range(round(per_second * seconds)):
            planned = started + number / per_second
            if planned > clock():
                await asyncio.sleep(planned - clock())
            bids.offered += 1
            sent.append(asyncio.create_task(self._bid(number, planned, bids)))
        await asyncio.gather(*sent)
        bids.seconds = clock() - started
        return bids

    async def _bid(self, number: int, planned: float, bids: Bids) -> None:
        bidder = number % len(self._sessions)
        seat = bidder % len(self._tokens)
        if seat == self.leader:  # he watches, and does not better himself
            seat = (seat + 1) % len(self._tokens)
        request = bid_request(self.game_id, self.price + 1, seen_version=self.version)
        try:
            answer = await self._sessions[bidder].stub.PlaceBid(
                request, timeout=ANSWER_SECONDS_MAX, metadata=bearer(self._tokens[seat])
            )
        except grpc.aio.AioRpcError as error:
            if error.code() in {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE}:
                bids.unanswered += 1
                return
            reason = refused(error).reason
            bids.refused[reason] = bids.refused.get(reason, 0) + 1
        else:
            bids.accepted += 1
            self._see(answer.version, answer.auction.leader, answer.auction.price)
        bids.took.append(time.perf_counter() - planned)

    async def _watch(self) -> None:
        async for update in self._sessions[0].watch(self.game_id, token=self._tokens[0]):
            if update.HasField("auction"):
                self._see(update.version, update.auction.leader, update.auction.least_bid - 1)

    def _see(self, version: int, leader: int, price: int) -> None:
        if version >= self.version:
            self.version, self.leader, self.price = version, leader, price


async def game_lot(stack: Stack, bidders: int) -> Lot:
    """Begin a game of eight seats and decline the first lot; each seat has several bidders."""
    async with Session(stack.addresses("game")[0]) as session:
        await session.reach()
        game_id = await session.create_game(seat_count=GAME_SEATS, title="bids", options=_OPTIONS)
        tokens = [(await session.join(game_id, f"Bidder {seat}")).token for seat in range(GAME_SEATS)]
        situation = (await session.start(game_id, tokens[0])).situation
        commands = {
            vocabulary_pb2.PHASE_ROLL: PLAIN["roll"],
            vocabulary_pb2.PHASE_BUY: PLAIN["decline_lot"],
            vocabulary_pb2.PHASE_ACT: PLAIN["end_turn"],
        }
        for _ in range(STEPS_MAX):
            if situation.phase == vocabulary_pb2.PHASE_AUCTION:
                return Lot(stack.addresses("auction"), game_id, tokens, bidders)
            seat = situation.turn_seat
            situation = (await session.act(game_id, tokens[seat], commands[situation.phase])).situation
    raise ConnectionError(f"game {game_id} came to no auction")


async def verify_game(stack: Stack, lot: Lot) -> list[str]:
    """Examine the game of a lot; returns what is wrong, one line each."""
    async with Session(stack.addresses("game")[0]) as session:
        checked = await check_game(session, lot.game_id, stack.addresses("bank")[0])
    return [f"{lot.game_id}: {fault}" for fault in checked.faults]


async def table_lot(stack: Stack, bidders: int) -> Lot:
    """Open a ledger with an account for each bidder, and an auction for all of them."""
    seats = [f"seat-{seat}" for seat in range(bidders)]
    async with LedgerSession(stack.addresses("bank")[0]) as bank:
        opened = await bank.open(seats)
        await bank.post(
            opened.ledger_id, opened.banker_token, [transfer("bank", seat, RICH, "start") for seat in seats]
        )
    async with BiddingSession(stack.addresses("auction")[0]) as hall:
        terms = auction_pb2.AuctionTerms(close_ms=CLOSE_MS)
        await hall.sell(opened.ledger_id, opened.banker_token, "a lot that all want", terms)
    tokens = [one.token for one in opened.account_tokens]
    return Lot(stack.addresses("auction"), opened.ledger_id, tokens, bidders)


async def verify_table(stack: Stack, lot: Lot) -> list[str]:
    """Examine the whole log of a lot's table, as the audit does; returns what is wrong, one line each."""
    keys = KeyRing.parse((stack.data / "keys").read_text().strip())
    log = JetStreamLog([stack.nats_url], tenant="main", epoch=1, shards=4, replicas=1)
    await log.connect()
    try:
        stored = await log.load(lot.game_id)
    finally:
        await log.close()
    finding = examine(keys, lot.game_id, stored, None, 0)
    if finding.version < lot.version:
        finding.add(lot.version, LIST, "was answered and is not there")
    return [f"{lot.game_id}: version {fault.version}: {fault.what}" for fault in finding.faults]
