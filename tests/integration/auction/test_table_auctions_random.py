"""Whatever people do at a table in whatever order, its auctions end and its money adds up."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.auction.v1 import auction_pb2
from magnate.kit.rpc.status import remote_error
from tests.support.auction_tables import SaleTable, serving_house

if TYPE_CHECKING:
    from collections.abc import Awaitable

pytestmark = pytest.mark.asyncio

STEPS = 150
WHAT = ("bid", "sell", "pass", "proxy", "cancel", "pause", "resume", "wait", "post", "retire", "undo")
OFTEN = (45, 8, 4, 10, 2, 3, 1, 12, 4, 0.4, 3)
PLAYERS = ("Ann", "Bob", "Cid", "Dan", "Eve")
EXPECTED = frozenset(
    {
        "ACCOUNT_CLOSED", "ACCOUNT_NOT_EMPTY", "ALREADY_BID", "ALREADY_LEADING", "ALREADY_PASSED",
        "AUCTIONS_RUN", "AUCTION_CLOSED",
        "BID_EXCEEDS_FUNDS", "BID_TOO_LOW", "CARD_RETIRED", "GAME_PAUSED", "INSUFFICIENT_FUNDS",
        "INVALID_AMOUNT", "NOTHING_TO_UNDO", "NOT_A_BIDDER", "NOT_ENOUGH_BIDDERS", "NOT_THE_BANKER",
        "NOT_THE_LAST", "NOT_YOUR_TURN", "NO_AUCTION", "NO_PROXY_BID", "PROXY_NOT_ALLOWED", "TABLE_CLOSED",
        "TABLE_NOT_PAUSED", "TABLE_PAUSED", "TOO_MANY_AUCTIONS", "WHICH_LOT",
    }
)  # fmt: skip
"""What may be refused at all; anything else, above all INTERNAL, is a fault."""


class Evening:
    """Somebody does something, again and again."""

    def __init__(self, table: SaleTable, seed: int) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.done = 0
        self.refused: dict[str, int] = {}

    async def step(self) -> None:
        """Do one thing."""
        chance, table = self.chance, self.table
        seat = chance.randrange(len(PLAYERS))
        state = await table.state()
        assert state.table is not None
        running = list(state.auctions.running.values())
        one = chance.choice(running) if running and chance.random() < 0.9 else None
        auction = chance.randrange(-1, 99) if one is None else one.auction
        kind = chance.choices(WHAT, OFTEN)[0]
        if state.table.paused and chance.random() < 0.4:
            kind = "resume"
        elif not running and chance.random() < 0.6:
            kind = "sell"
        if kind == "bid":
            least = 50 if one is None or chance.random() < 0.2 else one.least_bid
            await self.tries(table.bid(seat, least + chance.choice((0, 0, 1, 5, 40)), auction=auction))
        elif kind == "sell":
            await self.tries(self._sell(seat))
        elif kind == "pass":
            await self.tries(table.do("PassAuction", table.cards[seat], auction=auction))
        elif kind == "proxy":
            ceiling = chance.choice((0, chance.randrange(1, 300)))
            await self.tries(table.do("SetProxyBid", table.cards[seat], ceiling=ceiling, auction=auction))
        elif kind == "cancel":
            await self.tries(table.do("CancelAuction", table.banker, auction=auction))
        elif kind == "wait":
            await table.wait(chance.choice((50, 400, 1_500, 5_000)))
        elif kind == "post":
            await self.tries(table.post((f"seat-{seat}>seat-{(seat + 1) % len(PLAYERS)}", 20)))
        else:
            await self._unit(kind, seat)

    async def _unit(self, kind: str, seat: int) -> None:
        table = self.table.table
        assert table is not None
        if kind == "retire":
            await self.tries(table.do("RetireCard", card_id=table.cards[seat]))
        elif kind == "undo":
            operations = await table.operations()
            if operations and operations[0].kind == "auction":
                await self.tries(table.do("UndoOperation", version=operations[0].version))
        else:
            await self.tries(table.do("PauseTable" if kind == "pause" else "ResumeTable"))

    def _sell(self, seat: int) -> Awaitable[Any]:
        chance = self.chance
        kind = auction_pb2.AuctionKind.ValueType(chance.randrange(1, 6))
        terms = auction_pb2.AuctionTerms(kind=kind, minimum=chance.randrange(0, 40))
        bank = False
        if terms.kind == auction_pb2.AUCTION_KIND_DUTCH:
            terms.dutch_start, terms.dutch_step, terms.dutch_tick_ms = 100, 7, 200
        else:
            terms.close_ms = chance.choice((1_000, 3_000))
        if terms.kind <= auction_pb2.AUCTION_KIND_PENNY:
            terms.increment = chance.randrange(1, 9)
            terms.fixed_step = chance.random() < 0.2
            turns = terms.kind == auction_pb2.AUCTION_KIND_ASCENDING and chance.random() < 0.2
            terms.by_turn, terms.proxies = turns, not turns and chance.random() < 0.5
            if not turns and chance.random() < 0.5:
                terms.extend_ms, terms.extensions_max, terms.cap_ms = 900, chance.randrange(4), 6_000
                terms.calls_ms = chance.choice((0, 200))
        if terms.kind == auction_pb2.AUCTION_KIND_PENNY:
            terms.fee = chance.choice((0, 3))
            bank = terms.refund_losers = chance.random() < 0.4
            terms.refund_on_cancel = bank and chance.random() < 0.5
        payee = "" if bank or chance.random() < 0.4 else f"seat-{seat}"
        request = {"label": "whatever", "payee": payee, "terms": terms}
        return self.table.do("OpenAuction", self.table.banker, **request)

    async def tries(self, call: Awaitable[Any]) -> None:
        """Do it, or see that it is refused by a name that may come, and writes nothing."""
        try:
            await call
            self.done += 1
        except grpc.aio.AioRpcError as error:
            reason = remote_error(error).reason
            if reason not in EXPECTED:
                raise
            self.refused[reason] = self.refused.get(reason, 0) + 1

    async def check(self) -> None:
        """Nothing is lost, nobody is below zero, what is on hold belongs to auctions that run."""
        state = await self.table.state()
        assert all(posted >= held >= 0 for posted, held in zip(state.posted, state.held, strict=True))
        if not state.auctions.running:
            assert not any(state.held)
            assert not [one for one in state.deadlines.values() if one.owner == "auction"]
        else:
            assert {one.auction for one in state.auctions.running.values()} == set(state.ends())


@pytest.mark.parametrize("seed", range(8))
async def test_any_evening_ends_with_books_that_balance(seed: int) -> None:
    """Random sales of all kinds, bids, passes, pauses, cancels, payments, undos, cards retired, time."""
    async with serving_house() as house:
        table = await house.table(PLAYERS, opening_amount=400)
        evening = Evening(table, seed)
        for _ in range(STEPS):
            await evening.step()
            await evening.check()
        assert evening.done > STEPS / 6, evening.refused
        assert table.table is not None
        if seed % 2:
            await evening.tries(table.table.do("ResumeTable"))
            await table.wait(120_000)
            assert not (await table.state()).auctions.running
        await table.table.do("CloseTable")
        await evening.check()
        await table.sound()
