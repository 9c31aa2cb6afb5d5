"""Auctions at tables of the bank and at ledgers, over gRPC: sold, paid, paused, cancelled, closed."""

from __future__ import annotations

import pytest

from magnate.auction.codec import auction_events
from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import bank_pb2
from magnate.rules.vocabulary import BidsRefunded
from tests.support.auction_tables import CLOSE_MS, refusal, serving_house

pytestmark = pytest.mark.asyncio


async def test_a_sale_between_cards() -> None:
    """The banker puts Ann's bicycle up; the others outbid each other; she gets the price."""
    async with serving_house() as house:
        table = await house.table()
        opened = await table.sell(payee="seat-0", minimum=10, increment=5)
        assert opened.auction == 1
        (auction,) = opened.auctions
        assert (auction.terms.label, auction.terms.payee) == ("a bicycle", "seat-0")
        assert (list(auction.bidders), auction.least_bid, auction.remaining_ms) == ([1, 2], 10, CLOSE_MS)
        assert (await refusal(table.bid(0, 10))).reason == "NOT_A_BIDDER"
        await table.bid(1, 10)
        led = await table.bid(2, 15)
        assert (led.auction.leader, led.auction.price) == (2, 15)
        assert (await table.money())["seat-2"] == (100, 15)
        assert (await table.money())["seat-1"] == (100, 0)
        await table.wait(CLOSE_MS)
        assert await table.money() == {
            "bank": (-300, 0), "seat-0": (115, 0), "seat-1": (100, 0), "seat-2": (85, 0),
        }  # fmt: skip
        assert table.table is not None
        sale = (await table.table.operations())[0]
        assert (sale.kind, sale.note, sale.actor) == ("auction", "a bicycle", "timer")
        assert [(one.debit, one.credit, one.amount) for one in sale.entries] == [("seat-2", "seat-0", 15)]
        assert not (await table.running()).auctions
        await table.sound()


async def test_a_sale_can_be_taken_back_like_any_other_operation() -> None:
    """The banker undoes it, and the money is where it was."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell(payee="seat-0")
        await table.bid(1, 30)
        await table.wait(CLOSE_MS)
        assert table.table is not None
        sale = (await table.table.operations())[0]
        await table.table.do("UndoOperation", version=sale.version, note="she keeps it")
        assert (await table.money())["seat-0"] == (100, 0)
        assert (await table.money())["seat-1"] == (100, 0)
        await table.sound()


async def test_a_paid_bid_is_not_taken_back_while_it_counts() -> None:
    """The auction would give it back once more at the close; when that is over, the last is undone first."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell(kind=auction_pb2.AUCTION_KIND_PENNY, refund_losers=True)
        await table.bid(0, 20)
        paid = await table.bid(1, 60)
        undo = table.table.do("UndoOperation", version=paid.version)
        assert (await refusal(undo)).reason == "AUCTIONS_RUN"
        again = bank_pb2.Reverse(transfer_id="mine", reverses=f"auction:{paid.version}.0")
        assert (await refusal(table.order(bank_pb2.Instruction(reverse=again)))).reason == "AUCTIONS_RUN"
        await table.wait(CLOSE_MS)
        assert [(await table.money())[f"seat-{seat}"][0] for seat in range(2)] == [100, 40]
        for operation in list(await table.table.operations())[:3]:
            await table.table.do("UndoOperation", version=operation.version)
        assert [(await table.money())[f"seat-{seat}"][0] for seat in range(2)] == [100, 100]
        await table.sound()


@pytest.mark.parametrize("how", ["close", "cancel"])
async def test_nothing_is_given_back_to_a_card_that_is_retired(how: str) -> None:
    """Nor is it said: what was on the card has gone to the bank."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell(kind=auction_pb2.AUCTION_KIND_PENNY, refund_losers=True, refund_on_cancel=True)
        for seat, amount in ((0, 20), (1, 30), (2, 60)):
            await table.bid(seat, amount)
        await table.table.do("RetireCard", card_id=(await table.table.now()).cards[0].card_id)
        if how == "close":
            await table.wait(CLOSE_MS)
        else:
            await table.do("CancelAuction", table.banker, auction=1)
        given = [
            one.seat for one in auction_events((await table.commits())[-1]) if isinstance(one, BidsRefunded)
        ]
        assert given == ([1] if how == "close" else [1, 2])
        assert (await table.money())["seat-1"] == (100, 0)
        await table.sound()


async def test_a_ledger_alone_has_auctions_with_as_many_bidders_as_accounts() -> None:
    """Forty seats, no cards; the price goes to the bank; nobody but who pays has less."""
    async with serving_house() as house:
        ledger = await house.ledger(40)
        opened = await ledger.sell("a house", token=ledger.banker)
        assert list(opened.auctions[0].bidders) == list(range(40))
        for seat in range(40):
            await ledger.bid(seat, seat + 1)
        await ledger.wait(CLOSE_MS)
        money = await ledger.money()
        assert money["seat-39"] == (60, 0)
        assert all(money[f"seat-{seat}"] == (100, 0) for seat in range(39))
        assert sum(posted for posted, _ in money.values()) == 0
        await ledger.sound()


async def test_several_auctions_at_once_hold_what_adds_up() -> None:
    """Case C020: 100 on the card, 60 of it led with in one auction, so 41 is too much in the other."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell("one")
        assert (await table.sell("two")).auction == 2
        assert (await refusal(table.bid(1, 10))).reason == "WHICH_LOT"
        await table.bid(1, 60, auction=1)
        assert (await refusal(table.bid(1, 41, auction=2))).reason == "BID_EXCEEDS_FUNDS"
        await table.bid(1, 40, auction=2)
        assert (await table.money())["seat-1"] == (100, 100)
        shown = await table.running()
        assert [(one.auction, one.leader, one.price) for one in shown.auctions] == [(1, 1, 60), (2, 1, 40)]
        await table.wait(CLOSE_MS)
        assert (await table.money())["seat-1"] == (0, 0)
        await table.sound()


async def test_a_pause_of_the_table_stops_the_hammer() -> None:
    """The bank writes it in the commit of the pause; nothing is bid meanwhile; what was left is left then."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell()
        await table.bid(0, 7)
        await table.wait(CLOSE_MS - 3_000)
        await table.table.do("PauseTable")
        shown = (await table.running()).auctions[0]
        assert (shown.paused, shown.HasField("close_time"), shown.remaining_ms) == (True, False, 3_000)
        assert (await refusal(table.bid(1, 8))).reason == "TABLE_PAUSED"
        assert (await refusal(table.sell())).reason == "TABLE_PAUSED"
        await table.wait(60_000)
        assert (await table.running()).auctions
        await table.table.do("ResumeTable")
        assert (await table.running()).auctions[0].remaining_ms == 3_000
        await table.wait(2_999)
        assert (await table.running()).auctions
        await table.wait(1)
        assert (await table.money())["seat-0"] == (93, 0)
        await table.sound()


async def test_a_pause_after_a_downtime_keeps_what_was_left_of_a_close_that_was_missed() -> None:
    """The banker pauses before the timer is back: after the break one can bid as long as at the last bid."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell()
        await table.wait(4_000)
        await table.bid(0, 7)
        house.clock.advance(3_600_000)
        await table.table.do("PauseTable")
        assert (await table.running()).auctions[0].remaining_ms == CLOSE_MS
        await table.table.do("ResumeTable")
        await table.bid(1, 8)
        await table.wait(CLOSE_MS)
        assert (await table.money())["seat-1"] == (92, 0)
        await table.sound()


async def test_a_pause_stops_the_price_that_falls() -> None:
    """Who looks meanwhile is told what the lot would cost, and it goes on from there."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell(
            kind=auction_pb2.AUCTION_KIND_DUTCH, dutch_start=90, dutch_step=10, dutch_tick_ms=1_000
        )
        await table.wait(3_500)
        await table.table.do("PauseTable")
        await table.wait(60_000)
        assert (await table.running()).auction.least_bid == 60
        await table.table.do("ResumeTable")
        await table.wait(499)
        assert (await table.running()).auction.least_bid == 60
        await table.wait(1)
        assert (await table.running()).auction.least_bid == 50


async def test_a_table_that_is_closed_cancels_its_auctions_in_the_same_commit() -> None:
    """Two run, one of them a penny auction; holds and payments come back before the cards are ranked."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell("held")
        await table.sell("paid", kind=auction_pb2.AUCTION_KIND_PENNY, refund_on_cancel=True)
        await table.bid(0, 30, auction=1)
        await table.bid(1, 20, auction=2)
        before = await table.version()
        closed = await table.table.do("CloseTable")
        assert await table.version() == before + 1
        assert {one.seat: one.total for one in closed.table.ranking} == {0: 100, 1: 100, 2: 100}
        assert all(money[1] == 0 for money in (await table.money()).values())
        assert (await table.money())["seat-1"] == (100, 0)
        state = await table.state()
        assert not state.auctions.running
        assert not state.deadlines
        assert (await refusal(table.bid(2, 40))).reason == "TABLE_CLOSED"
        await table.sound()


async def test_an_auction_is_cancelled_by_the_banker_also_while_the_table_is_paused() -> None:
    """Nothing is sold, and nothing stays on hold."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell()
        await table.bid(1, 50)
        await table.table.do("PauseTable")
        cancelled = await table.do("CancelAuction", table.banker, auction=1)
        assert [one.WhichOneof("kind") for one in cancelled.events] == ["auction_cancelled"]
        assert (await table.money())["seat-1"] == (100, 0)
        for number, reason in ((1, "AUCTION_CLOSED"), (2, "NO_AUCTION"), (-1, "NO_AUCTION")):
            refused = await refusal(table.do("CancelAuction", table.banker, auction=number))
            assert refused.reason == reason
        await table.sound()


async def test_where_everybody_works_the_unit_everybody_may_sell() -> None:
    """For himself or the bank; only he and the banker may cancel it."""
    async with serving_house() as house:
        table = await house.table(edition="", shared_unit=True)
        opened = await table.sell(token=table.cards[1], payee="seat-1")
        assert list(opened.auctions[0].bidders) == [0, 2]
        assert (await refusal(table.sell(token=table.cards[1], payee="seat-2"))).reason == "NOT_THE_BANKER"
        other = table.do("CancelAuction", table.cards[0], auction=1)
        assert (await refusal(other)).reason == "NOT_THE_SELLER"
        await table.do("CancelAuction", table.cards[1], auction=1)
        strict = await house.table()
        assert (await refusal(strict.sell(token=strict.cards[1]))).reason == "NOT_THE_BANKER"


async def test_the_price_of_a_seller_who_has_left_goes_to_the_bank() -> None:
    """His card is retired while others bid for his lot: the hammer falls all the same."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell(payee="seat-0")
        await table.bid(1, 25)
        await table.table.do("RetireCard", card_id=table.table.cards[0])
        await table.wait(CLOSE_MS)
        money = await table.money()
        assert money["seat-1"] == (75, 0)
        assert money["seat-0"] == (0, 0)
        assert money["bank"] == (-175, 0)
        await table.sound()


async def test_a_leader_keeps_his_card_until_he_is_outbid() -> None:
    """What is held for his bid is in the way of retiring it; a card that does not lead is out at once."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell()
        await table.bid(1, 25)
        retiring = table.table.do("RetireCard", card_id=table.table.cards[1])
        assert (await refusal(retiring)).reason == "ACCOUNT_NOT_EMPTY"
        await table.bid(2, 26)
        await table.table.do("RetireCard", card_id=table.table.cards[1])
        assert (await refusal(table.bid(1, 27))).reason == "CARD_RETIRED"
        await table.wait(CLOSE_MS)
        assert (await table.money())["seat-2"] == (74, 0)
        await table.sound()


async def test_every_kind_of_auction_is_had_at_a_table() -> None:
    """Penny to a player, sealed, Vickrey, Dutch, with proxies: who has it, and for what."""
    async with serving_house() as house:
        table = await house.table(opening_amount=1_000)
        penny, sealed = auction_pb2.AUCTION_KIND_PENNY, auction_pb2.AUCTION_KIND_SEALED
        vickrey, dutch = auction_pb2.AUCTION_KIND_VICKREY, auction_pb2.AUCTION_KIND_DUTCH

        await table.sell("penny", kind=penny, payee="seat-2")
        await table.bid(0, 10)
        await table.bid(1, 11)
        assert (await table.money())["seat-2"] == (1_021, 0)
        await table.wait(CLOSE_MS)
        assert (await table.money())["seat-1"] == (989, 0)

        for kind, price in ((sealed, 70), (vickrey, 60)):
            before = (await table.money())["seat-0"][0]
            await table.sell("secret", kind=kind)
            await table.bid(1, 60)
            await table.bid(0, 70)
            shown = (await table.running(table.cards[0])).auctions[0]
            assert (list(shown.sealed_seats), shown.own_bid, shown.leader) == ([1, 0], 70, -1)
            assert (await table.running(table.cards[2])).auctions[0].own_bid == 0
            await table.wait(CLOSE_MS)
            assert (await table.money())["seat-0"] == (before - price, 0)
            assert all(held == 0 for _, held in (await table.money()).values())

        await table.sell("dutch", kind=dutch, minimum=10, dutch_start=100, dutch_step=10, dutch_tick_ms=500)
        await table.wait(1_200)
        shown = (await table.running()).auctions[0]
        assert shown.least_bid == 80
        before = (await table.money())["seat-1"][0]
        await table.bid(1, 95)
        assert (await table.money())["seat-1"] == (before - 80, 0)

        await table.sell("proxy", proxies=True)
        await table.do("SetProxyBid", table.cards[0], ceiling=50)
        answered = await table.bid(1, 20)
        assert (answered.auction.leader, answered.auction.price) == (0, 21)
        assert (await table.running(table.cards[0])).auctions[0].own_ceiling == 50
        assert (await table.running(table.cards[1])).auctions[0].own_ceiling == 0
        before = (await table.money())["seat-0"][0]
        await table.wait(CLOSE_MS)
        assert (await table.money())["seat-0"] == (before - 21, 0)
        await table.sound()


async def test_opening_twice_by_one_command_opens_once() -> None:
    """The same request has the same answer; with another content it is refused."""
    async with serving_house() as house:
        table = await house.table()
        first = await table.sell(token=table.banker)
        version = await table.version()
        request = {"label": "a bicycle", "terms": auction_pb2.AuctionTerms(close_ms=CLOSE_MS)}
        one = await table.do("OpenAuction", table.banker, command_id="the-same-one", **request)
        again = await table.do("OpenAuction", table.banker, command_id="the-same-one", **request)
        assert (one.auction, again.auction, again.replayed) == (2, 2, True)
        assert first.auction == 1
        assert await table.version() == version + 1
        other = {**request, "label": "a car"}
        reused = table.do("OpenAuction", table.banker, command_id="the-same-one", **other)
        assert (await refusal(reused)).reason == "COMMAND_ID_REUSED"


async def test_reading_takes_a_token_of_the_table_whoever_has_it() -> None:
    """A guest looks on; who has none does not; the first message of a watch is the state of now."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell()
        guest = await table.table.guest()
        assert (await table.running(guest)).auctions[0].terms.label == "a bicycle"
        nobody = table.do("GetAuction", "")
        assert (await refusal(nobody)).reason == "TOKEN_MISSING"
        other = await house.table()
        foreign = table.do("GetAuction", other.banker)
        assert (await refusal(foreign)).reason == "TOKEN_FOR_OTHER_TABLE"
        with_token = (("authorization", f"Bearer {guest}"),)
        ahead = auction_pb2.WatchAuctionRequest(game_id=table.table_id, from_version=99)
        refused = await refusal(house.stub.WatchAuction(ahead, metadata=with_token).read())
        assert [path for path, _ in refused.violations] == ["from_version"]
        watch = house.stub.WatchAuction(
            auction_pb2.WatchAuctionRequest(game_id=table.table_id), metadata=with_token
        )
        first = await watch.read()
        assert first.auctions[0].remaining_ms == CLOSE_MS
        assert first.server_time.ToMilliseconds() == house.clock.now_ms()
        await table.bid(1, 9)
        while not (seen := await watch.read()).events:
            pass  # a heartbeat
        assert (seen.events[0].bid_placed.amount, seen.auctions[0].leader) == (9, 1)
        watch.cancel()
