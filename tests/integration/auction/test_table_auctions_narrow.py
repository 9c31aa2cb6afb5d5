"""Auctions at tables where it is narrow: full ledgers, lapsed holds, secrets, snapshots, pauses."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from magnate.auction.snapshot import AuctionSnapshots
from magnate.auction.tables.state import Table
from magnate.auction.v1 import auction_pb2
from magnate.bank.domain.limits import AMOUNT_MAX, INSTRUCTIONS_MAX, TRANSFERS_MAX
from magnate.bank.table_snapshot import TableSnapshots
from magnate.bank.tables.fold import TableFold
from magnate.bank.v1 import bank_pb2, terminal_pb2
from magnate.cli.audit.deeds import Deeds
from magnate.cli.audit.table import auction_events_of, lines_of
from magnate.client.bidding import BiddingSession
from magnate.client.session import RefusedError
from magnate.kit.log.fold import Loader
from magnate.kit.rpc.status import remote_error
from magnate.rules.vocabulary import AuctionClosed
from tests.support.auction_tables import CLOSE_MS, refusal, serving_house
from tests.support.bank_tables import serving
from tests.support.banking import KEYS

pytestmark = pytest.mark.asyncio


async def test_a_price_that_nobody_bid_is_a_fault_of_the_log() -> None:
    """The audit compares what moved at a table with what its auctions say, to the last unit and account."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell(payee="seat-0")
        await table.bid(1, 30)
        await table.wait(CLOSE_MS)
        await table.sound()
        commits = await table.commits()
        deeds, faults = Deeds(), []
        for commit in commits:
            events = auction_events_of(commit)
            for event in events:
                if isinstance(event, AuctionClosed):
                    event.price = 31
            faults += deeds.check([], events, lines_of(commit), in_game=False)
        assert faults == ["seat-1 paid seat-0 30 for auction; the deeds say 31"]


async def test_what_is_cached_of_a_table_is_what_its_log_says() -> None:
    """Snapshots of both services, with auctions running, one of a card's own, one paused, a card retired."""
    async with serving_house() as house:
        table = await house.table(("Ann", "Bob", "Cid", "Dan"), edition="", shared_unit=True)
        assert table.table is not None
        await table.table.do("RetireCard", card_id=table.table.cards[3])
        await table.sell("one", token=table.cards[1], payee="seat-1", extend_ms=500)
        await table.sell("two", proxies=True)
        await table.do("SetProxyBid", table.cards[0], ceiling=40, auction=2)
        await table.bid(1, 12, auction=2)
        await table.table.do("PauseTable")
        state = await table.state()
        again = AuctionSnapshots().decode(AuctionSnapshots().encode(state))
        assert state.table is not None
        assert again.table is not None
        for name in Table.__slots__:
            assert getattr(again.table, name) == getattr(state.table, name), name
        assert again.auctions.running == state.auctions.running
        assert (again.posted, again.held) == (state.posted, state.held)
        assert (dict(state.table.sellers), state.table.opened, state.table.paused) == ({1: 1}, 2, True)
        loaded = (await Loader(house.log, KEYS, TableFold()).load(table.table_id)).state
        cached = TableSnapshots().decode(TableSnapshots().encode(loaded))
        assert (cached.auctions, cached.pending) == (loaded.auctions, loaded.pending)
        assert loaded.auctions == {1: "one", 2: "two"}
        assert [one.left_ms for one in loaded.pending.values()] == [CLOSE_MS, CLOSE_MS]


async def test_a_pause_and_a_bid_that_meet_have_one_order() -> None:
    """Bids and pauses sent together: whichever lands first counts, and no time is lost."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell()
        leads = 0
        for number in range(1, 9):
            bid = asyncio.create_task(_outcome(table.bid(1 - leads, number)))
            await table.table.do("PauseTable")
            answer = await bid
            shown = (await table.running()).auctions[0]
            assert shown.paused
            bid_first = answer == ""
            assert bid_first or answer == "TABLE_PAUSED"
            assert (shown.price == number) == bid_first
            leads = 1 - leads if bid_first else leads
            await table.table.do("ResumeTable")
            assert (await table.running()).auctions[0].remaining_ms == CLOSE_MS
        await table.do("CancelAuction", table.banker, auction=1)
        await table.sound()


async def test_money_that_a_lapsed_hold_reserved_may_be_bid() -> None:
    """From the millisecond on at which the hold of a client is over, whether or not the ledger says so."""
    async with serving_house() as house:
        ledger = await house.ledger(2)
        expires_ms = house.clock.now_ms() + 5_000
        hold = bank_pb2.PlaceHold(hold_id="mine", account="seat-1", amount=90, expires_at_ms=expires_ms)
        await ledger.order(bank_pb2.Instruction(place_hold=hold))
        await ledger.sell(minimum=5)
        assert (await refusal(ledger.bid(1, 50))).reason == "BID_EXCEEDS_FUNDS"
        await ledger.wait(4_999)
        assert (await refusal(ledger.bid(1, 50))).reason == "BID_EXCEEDS_FUNDS"
        await ledger.wait(1)
        await ledger.bid(1, 50)
        assert not (await ledger.state()).table.lapsing  # type: ignore[union-attr]
        await ledger.wait(CLOSE_MS)
        assert (await ledger.money())["seat-1"] == (50, 0)
        await ledger.sound()


async def test_nobody_but_an_auction_ends_the_hold_of_a_bid() -> None:
    """Not even the banker, by way of the ledger: the hammer could not fall any more."""
    async with serving_house() as house:
        ledger = await house.ledger()
        await ledger.sell()
        await ledger.bid(1, 50)
        (hold,) = (await ledger.holds()).holds
        asks = (
            bank_pb2.Instruction(release_hold=bank_pb2.ReleaseHold(hold_id=hold.hold_id)),
            bank_pb2.Instruction(
                capture_hold=bank_pb2.CaptureHold(
                    hold_id=hold.hold_id, to="seat-0", amount=50, reason="mine", transfer_id="t"
                )
            ),
        )
        for ask in asks:
            assert (await refusal(ledger.order(ask))).reason == "INVALID_ARGUMENT"
        await ledger.wait(CLOSE_MS)
        await ledger.sound()


async def test_the_hammer_falls_also_where_the_ledger_is_full_of_ids() -> None:
    """New bids are refused by that name; the sale has no id then, and is made all the same."""
    async with serving_house() as house:
        ledger = await house.ledger()
        await ledger.sell()
        await ledger.bid(1, 50)
        state = (await Loader(house.log, KEYS, TableFold()).load(ledger.table_id)).state
        room = TRANSFERS_MAX - len(state.ledger.known)
        while room:
            count = min(room, INSTRUCTIONS_MAX)
            await ledger.post(*[("bank>seat-0", 1)] * count)
            room -= count
        assert (await refusal(ledger.bid(2, 60))).reason == "TOO_MANY_TRANSFERS"
        await ledger.wait(CLOSE_MS)
        assert (await ledger.money())["seat-1"] == (50, 0)
        await ledger.sound()


async def test_what_is_on_hold_for_a_sealed_bid_shows_nowhere_at_a_table() -> None:
    """Cards, balances, holds, the unit: others see what is posted; the bidder sees his own hold."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell(kind=auction_pb2.AUCTION_KIND_SEALED)
        await table.bid(0, 70)
        for token in (table.banker, table.cards[1], await table.table.guest()):
            assert [card.balance for card in (await table.table.now(token)).cards] == [100, 100, 100]
        assert (await table.money())["seat-0"] == (100, 0)
        assert (await table.money(table.cards[1]))["seat-0"] == (100, 0)
        assert (await table.money(table.cards[0]))["seat-0"] == (100, 70)
        assert not (await table.holds()).holds
        spent = await table.post(("seat-0>bank", 31))
        assert spent.results[0].rejection == "INSUFFICIENT_FUNDS"
        await table.wait(CLOSE_MS)
        assert (await table.money())["seat-0"] == (30, 0)
        await table.sound()


async def test_the_client_sells_bids_and_watches() -> None:
    """Every call of `magnate.client.bidding`; a watch that begins later begins with the state of now."""
    async with serving_house() as house:
        table = await house.table()
        async with BiddingSession(house.address) as hall:
            terms = auction_pb2.AuctionTerms(close_ms=CLOSE_MS, proxies=True)
            for label in ("one", "two"):
                await hall.sell(table.table_id, table.banker, label, terms, payee="seat-2")
            await hall.set_ceiling(table.table_id, table.cards[0], 30, lot=1)
            await hall.bid(table.table_id, table.cards[1], 10, lot=1)
            await hall.pass_(table.table_id, table.cards[1], lot=2)
            with pytest.raises(RefusedError, match="WHICH_LOT"):
                await hall.bid(table.table_id, table.cards[1], 10)
            watch = hall.watch(table.table_id, token=table.cards[0])
            first = await anext(watch)
            shown = [(one.auction, one.leader, one.price) for one in first.auctions]
            assert shown == [(1, 0, 11), (2, -1, 0)]
            await hall.cancel(table.table_id, table.banker, 2)
            while not (update := await anext(watch)).events:
                pass  # a heartbeat
            assert update.events[0].auction_cancelled.auction == 2
            await watch.aclose()
            (left,) = (await hall.auctions(table.table_id, token=table.cards[0])).auctions
            assert (left.auction, left.own_ceiling) == (1, 30)
        await table.wait(CLOSE_MS)
        await table.sound()


@pytest.mark.parametrize("how", ["table", "auction"])
async def test_secret_bids_end_with_what_they_were_for(how: str) -> None:
    """A table closed, or auctions cancelled, while sealed bids and ceilings are in: all money comes back."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell("one", kind=auction_pb2.AUCTION_KIND_SEALED)
        await table.sell("two", kind=auction_pb2.AUCTION_KIND_VICKREY, payee="seat-2")
        await table.sell("three", proxies=True)
        await table.bid(0, 30, auction=1)
        await table.bid(1, 20, auction=1)
        await table.bid(1, 40, auction=2)
        await table.do("SetProxyBid", table.cards[0], ceiling=50, auction=3)
        before = await table.version()
        if how == "table":
            closed = await table.table.do("CloseTable")
            assert {one.seat: one.total for one in closed.table.ranking} == {0: 100, 1: 100, 2: 100}
            assert await table.version() == before + 1
        else:
            for number in (1, 2, 3):
                await table.do("CancelAuction", table.banker, auction=number)
        state = await table.state()
        assert not state.auctions.running
        assert not state.deadlines
        assert state.held == [0, 0, 0]
        for seat, card in enumerate(table.cards):
            assert (await table.money(card))[f"seat-{seat}"] == (100, 0)
        await table.sound()


async def test_a_table_is_not_closed_over_the_heads_of_its_bidders() -> None:
    """A bank that cannot ask what its end takes closes no table with an auction; one without, it does."""
    async with serving_house() as house, serving(house.log, clock=house.clock) as alone:
        table = await house.table()
        assert table.table is not None
        await table.sell()
        await table.bid(1, 20)
        before = await table.version()
        request = terminal_pb2.CloseTableRequest(table_id=table.table_id, command_id="close")
        error = await refusal(alone.call("CloseTable", request, table.banker))
        assert (error.reason, error.code) == ("AUCTIONS_RUN", grpc.StatusCode.FAILED_PRECONDITION)
        assert await table.version() == before
        await table.wait(CLOSE_MS)
        await alone.call("CloseTable", request, table.banker)
        await table.sound()


async def test_what_is_past_its_hour_is_sold() -> None:
    """Cancelling it is too late, closing the table closes it first: the lot is sold, the ranking knows it."""
    async with serving_house() as house:
        table = await house.table()
        assert table.table is not None
        await table.sell("one", payee="seat-2")
        await table.sell("two", kind=auction_pb2.AUCTION_KIND_VICKREY, payee="seat-2")
        await table.sell("three", close_ms=CLOSE_MS + 1)
        await table.bid(1, 30, auction=1)
        await table.bid(0, 40, auction=2)
        await table.bid(0, 50, auction=3)
        house.clock.advance(CLOSE_MS)
        late = table.do("CancelAuction", table.banker, auction=1)
        assert (await refusal(late)).reason == "AUCTION_CLOSED"
        before = await table.version()
        closed = await table.table.do("CloseTable")
        assert await table.version() == before + 1
        assert {one.seat: one.total for one in closed.table.ranking} == {0: 99, 1: 70, 2: 131}
        assert {one: posted for one, (posted, _) in (await table.money()).items()} == {
            "bank": -300, "seat-0": 99, "seat-1": 70, "seat-2": 131,
        }  # fmt: skip
        kinds = [type(one).__name__ for one in house.service.events((await table.commits())[-1])]
        assert kinds == ["AuctionClosed", "BidsRevealed", "AuctionClosed", "AuctionCancelled"]
        await table.sound()


async def test_where_bids_go_by_turn_only_a_turn_is_over() -> None:
    """So the banker can still cancel."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell(by_turn=True)
        await table.bid(0, 30)
        house.clock.advance(CLOSE_MS)
        await table.do("CancelAuction", table.banker, auction=1)
        await table.sound()


async def test_who_has_paid_for_one_thing_is_passed_for_another() -> None:
    """Case C025 at a table: in the commit of the close, by what is left; who was paid can bid with it."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell("one", payee="seat-2", bidders=[0, 1])
        await table.sell("two", minimum=110)
        await table.sell("three", minimum=50)
        await table.bid(1, 60, auction=1)
        await table.do("PassAuction", table.cards[0], auction=1)
        (three,) = (await table.running()).auctions
        assert (three.auction, list(three.passed)) == (3, [1])
        await table.bid(2, 160, auction=3)


async def test_a_close_that_the_ledger_cannot_write_is_none() -> None:
    """What losers get back would take the bank out of 64 bits: the auction ends without a sale."""
    async with serving_house() as house:
        table = await house.ledger(3, 100)
        await table.sell(kind=auction_pb2.AUCTION_KIND_PENNY, refund_losers=True)
        await table.bid(0, 20)
        await table.bid(1, 30)
        await table.post(("bank>seat-2", AMOUNT_MAX - 260))
        await table.do("PassAuction", table.cards[2])
        ending = table.do("PassAuction", table.cards[0])
        assert (await refusal(ending)).reason == "AMOUNT_OVERFLOW"
        await table.wait(CLOSE_MS)
        state = await table.state()
        assert (state.auctions.running, state.deadlines) == ({}, {})
        kinds = [type(one).__name__ for one in house.service.events((await table.commits())[-1])]
        assert kinds == ["AuctionCancelled"]
        await table.sound()


async def _outcome(call: Any) -> str:
    """Return how a call was refused, or nothing."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return remote_error(error).reason
    return ""
