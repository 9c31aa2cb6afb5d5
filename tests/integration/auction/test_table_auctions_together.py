"""Several auctions at a table: what one of them frees or takes, and whose hammer falls before what."""

from __future__ import annotations

import pytest

from magnate.auction.codec import auction_events
from magnate.auction.v1 import auction_pb2
from magnate.rules.vocabulary import AuctionClosed, BidPlaced
from tests.support.auction_tables import CLOSE_MS, SaleTable, refusal, serving_house

pytestmark = pytest.mark.asyncio


async def happened(table: SaleTable, last: int) -> list[list[tuple[str, int, int]]]:
    """Return what bids and hammers the last commits hold: who leads or wins which auction."""
    found = []
    for commit in (await table.commits())[-last:]:
        events = auction_events(commit)
        told = [("bid", one.auction, one.seat) for one in events if isinstance(one, BidPlaced)]
        told += [("sold", one.auction, one.winner) for one in events if isinstance(one, AuctionClosed)]
        found.append(told)
    return found


async def ceiling(table: SaleTable, seat: int, amount: int, auction: int) -> None:
    """Have bids made for a card."""
    await table.do("SetProxyBid", table.cards[seat], ceiling=amount, auction=auction)


async def test_what_is_outbid_in_one_is_bid_in_the_other_in_the_same_commit() -> None:
    """Card 1 wants both, and has money for one at a time."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell("one", proxies=True)
        await table.sell("two", proxies=True)
        await table.bid(1, 60, auction=1)
        await ceiling(table, 1, 80, auction=2)
        await table.bid(0, 45, auction=2)
        assert await happened(table, 1) == [[("bid", 2, 0)]]
        await table.bid(2, 61, auction=1)
        assert await happened(table, 1) == [[("bid", 1, 2), ("bid", 2, 1)]]
        assert await table.money() == {
            "bank": (-300, 0), "seat-0": (100, 0), "seat-1": (100, 46), "seat-2": (100, 61),
        }  # fmt: skip
        await table.wait(CLOSE_MS)
        await table.sound()


async def test_a_price_is_bid_elsewhere_in_the_commit_of_the_sale() -> None:
    """Card 0 is paid for its bicycle, and its ceiling for the other lot was waiting for that."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell("hers", payee="seat-0")
        await table.sell("two", proxies=True, close_ms=3 * CLOSE_MS)
        await table.sell("three", close_ms=3 * CLOSE_MS)
        await table.bid(0, 90, auction=3)
        await ceiling(table, 0, 50, auction=2)
        await table.bid(1, 30, auction=1)
        await table.bid(2, 20, auction=2)
        await table.wait(CLOSE_MS)
        assert await happened(table, 1) == [[("bid", 2, 0), ("sold", 1, 1)]]
        assert (await table.money())["seat-0"] == (130, 90 + 21)
        assert table.table is not None
        assert (await table.table.operations())[0].note == "hers", "nothing was paid for the other yet"
        await table.wait(3 * CLOSE_MS)
        await table.sound()


async def test_what_a_cancelled_auction_gives_back_is_bid_in_the_same_commit() -> None:
    """But not while the table is paused: nothing is bid then, and no clock is set."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        for label in ("one", "two", "three"):
            await table.sell(label, proxies=True)
        await table.bid(1, 60, auction=1)
        await table.bid(1, 30, auction=3)
        await ceiling(table, 1, 80, auction=2)
        await table.bid(0, 20, auction=2)
        await table.do("CancelAuction", table.banker, auction=3)
        assert await happened(table, 1) == [[("bid", 2, 1)]]
        await table.bid(0, 41, auction=2)
        await table.table.do("PauseTable")
        await table.do("CancelAuction", table.banker, auction=1)
        assert await happened(table, 1) == [[]]
        (stopped,) = (await table.state()).deadlines.values()
        assert stopped.paused
        await table.table.do("ResumeTable")
        await table.wait(CLOSE_MS)
        assert (await table.money())["seat-1"] == (100, 42), "what is left to bid is bid when the time is up"
        await table.wait(CLOSE_MS)
        assert (await table.money())["seat-1"] == (58, 0)
        await table.sound()


async def test_money_that_the_banker_brings_is_bid_when_the_time_is_up_at_the_latest() -> None:
    """The bank asks no auction when it moves money; a ceiling loses nothing by it."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell("one", proxies=True)
        await table.sell("two")
        await table.bid(1, 80, auction=2)
        await ceiling(table, 1, 60, auction=1)
        await table.bid(0, 30, auction=1)
        await table.post(("bank>seat-1", 50))
        assert (await table.running()).auctions[0].leader == 0
        await table.wait(CLOSE_MS)
        (running,) = (await table.running()).auctions
        assert (running.auction, running.leader, running.price) == (1, 1, 31), "and the others may answer"
        await table.wait(CLOSE_MS)
        assert (await table.money())["seat-1"] == (150 - 80 - 31, 0)
        await table.sound()


async def test_a_paid_bid_goes_to_its_own_payee_whatever_else_is_bid_in_its_commit() -> None:
    """Card 2 is paid for the bid in the first; what that bid takes passes its bidder in the second."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell("paid", payee="seat-2", kind=auction_pb2.AUCTION_KIND_PENNY)
        await table.sell("held", payee="seat-0", proxies=True)
        await table.sell("third")
        await table.bid(2, 90, auction=3)
        await ceiling(table, 2, 40, auction=2)
        await table.bid(1, 20, auction=2)
        await table.bid(1, 15, auction=1)
        assert await happened(table, 1) == [[("bid", 1, 1), ("bid", 2, 2)]]
        money = await table.money()
        assert (money["seat-0"], money["seat-2"]) == ((100, 0), (115, 90 + 21))
        await table.wait(CLOSE_MS)
        await table.sound()


async def test_a_hammer_that_is_due_falls_before_a_bid_in_another_auction() -> None:
    """The seller's bid counts on the price, which is hers since a moment; the timer has not been there."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell("hers", payee="seat-0")
        await table.sell("two", close_ms=3 * CLOSE_MS)
        await table.bid(1, 30, auction=1)
        house.clock.advance(CLOSE_MS)
        await table.bid(0, 130, auction=2)
        assert await happened(table, 2) == [[("sold", 1, 1)], [("bid", 2, 0), ("sold", 2, 0)]]


async def test_hammers_fall_in_the_order_in_which_they_are_due() -> None:
    """Whichever of them somebody comes for first, and before another lot is put up."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell("late", close_ms=CLOSE_MS + 2)
        await table.sell("soon", close_ms=CLOSE_MS)
        await table.sell("between", close_ms=CLOSE_MS + 1)
        house.clock.advance(CLOSE_MS + 500)
        late = next(key for key in (await table.state()).deadlines if key.startswith("a1-"))
        await house.service.expire(table.table_id, late, await table.version())
        assert [told for (told,) in await happened(table, 3)] == [
            ("sold", 2, -1), ("sold", 3, -1), ("sold", 1, -1),
        ]  # fmt: skip
        await table.sell("next")
        house.clock.advance(CLOSE_MS)
        await table.sell("and another")
        assert await happened(table, 2) == [[("sold", 4, -1)], []]


async def test_a_bid_that_is_too_late_for_its_own_auction_writes_nothing() -> None:
    """It is refused by that one's end, whatever else is due."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell("one")
        await table.sell("two")
        house.clock.advance(CLOSE_MS)
        before = await table.version()
        assert (await refusal(table.bid(1, 10, auction=2))).reason == "AUCTION_CLOSED"
        assert await table.version() == before


async def test_a_hammer_that_is_due_falls_before_the_table_is_paused() -> None:
    """The timer has not been there; a break stops what has time left, and this one had none."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell("over", payee="seat-0")
        await table.sell("two", close_ms=2 * CLOSE_MS)
        await table.bid(1, 30, auction=1)
        house.clock.advance(CLOSE_MS)
        await table.table.do("PauseTable")
        assert await happened(table, 2) == [[("sold", 1, 1)], []]
        (stopped,) = (await table.running()).auctions
        assert (stopped.auction, stopped.paused, stopped.remaining_ms) == (2, True, CLOSE_MS)
