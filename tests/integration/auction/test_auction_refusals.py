"""Bad input to auctions, over gRPC at tables and in games: each by its own name, and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.auction.v1 import auction_pb2
from magnate.kit.tokens import mint_seat, mint_table
from magnate.rules.bidding import BID_MAX
from tests.support.auction_tables import CLOSE_MS, House, SaleTable, refusal, serving_house
from tests.support.banking import KEYS

if TYPE_CHECKING:
    from magnate.kit.rpc.status import RemoteError

pytestmark = pytest.mark.asyncio

INVALID, PRECONDITION = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION
FORBIDDEN, NOT_FOUND = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
TERMS = auction_pb2.AuctionTerms(close_ms=CLOSE_MS)


async def refused_unwritten(table: SaleTable, call: Any) -> RemoteError:
    """Return how a call is refused; the log has not grown by it."""
    before = await table.version()
    error = await refusal(call)
    assert await table.version() == before, f"{error.reason} wrote something"
    return error


class Cases:
    """A table with a running auction (1: Bob leads with 20 of 100, Cid has passed), and a closed one (2)."""

    def __init__(self, house: House, table: SaleTable, other: SaleTable) -> None:
        self.house = house
        self.table = table
        self.other = other

    @classmethod
    async def begin(cls, house: House) -> Cases:
        """Open the table, and one more, whose cards are strangers here."""
        table = await house.table(("Ann", "Bob", "Cid", "Dan"))
        other = await house.table()
        await table.sell("one", minimum=5, increment=5, fixed_step=True, bidders=(0, 1, 2))
        await table.bid(1, 20)
        await table.do("PassAuction", table.cards[2])
        await table.sell("two", bidders=(0, 3))
        await table.do("PassAuction", table.cards[0], auction=2)
        await table.do("PassAuction", table.cards[3], auction=2)
        return cls(house, table, other)


BIDS: list[tuple[str, grpc.StatusCode, int, dict[str, Any]]] = [
    ("INVALID_AMOUNT", INVALID, 0, {"amount": -1}),
    ("INVALID_AMOUNT", INVALID, 0, {"amount": 0}),
    ("INVALID_AMOUNT", INVALID, 0, {"amount": BID_MAX + 1}),
    ("INVALID_AMOUNT", INVALID, 0, {"amount": 26}),  # between two steps
    ("BID_TOO_LOW", PRECONDITION, 0, {"amount": 20}),
    ("BID_TOO_LOW", PRECONDITION, 0, {"amount": 24}),
    ("BID_EXCEEDS_FUNDS", PRECONDITION, 0, {"amount": 105}),
    ("ALREADY_LEADING", PRECONDITION, 1, {"amount": 25}),
    ("ALREADY_PASSED", PRECONDITION, 2, {"amount": 25}),
    ("NOT_A_BIDDER", PRECONDITION, 3, {"amount": 25}),
    ("AUCTION_CLOSED", PRECONDITION, 0, {"amount": 25, "auction": 2}),
    ("NO_AUCTION", PRECONDITION, 0, {"amount": 25, "auction": 99}),
    ("NO_AUCTION", PRECONDITION, 0, {"amount": 25, "auction": -1}),
    ("NO_AUCTION", PRECONDITION, 0, {"amount": 25, "lot": 7}),
    ("AUCTION_CLOSED", PRECONDITION, 0, {"amount": 25, "lot": 1, "auction": 2}),
    ("NO_AUCTION", PRECONDITION, 0, {"amount": 25, "lot": 2, "auction": 1}),
    ("INVALID_ARGUMENT", INVALID, 0, {"amount": 25, "command_id": ""}),
    ("INVALID_ARGUMENT", INVALID, 0, {"amount": 25, "command_id": "x" * 129}),
    ("INVALID_ARGUMENT", INVALID, 0, {"amount": 25, "game_id": "no table"}),
    ("SEEN_VERSION_AHEAD", grpc.StatusCode.OUT_OF_RANGE, 0, {"amount": 25, "seen_version": 10**6}),
]


async def test_bids_that_cannot_be() -> None:
    """Negative, zero, too large, too low, between steps, by who may not: all named, none written."""
    async with serving_house() as house:
        cases = await Cases.begin(house)
        table = cases.table
        for reason, code, seat, fields in BIDS:
            error = await refused_unwritten(table, table.do("PlaceBid", table.cards[seat], **fields))
            assert (error.reason, error.code) == (reason, code), fields
        money = await table.money()
        assert money["seat-1"] == (100, 20)
        assert all(held == 0 for account, (_, held) in money.items() if account != "seat-1")


async def test_bids_of_who_is_nobody_here() -> None:
    """No token, the banker's, a guest's, a card of another table, a seat of a game, a forged one."""
    async with serving_house() as house:
        cases = await Cases.begin(house)
        table = cases.table
        assert table.table is not None
        seat_of_game = mint_seat(KEYS, table.table_id, 0)
        nobody: list[tuple[str, str, grpc.StatusCode]] = [
            ("", "TOKEN_MISSING", UNAUTHENTICATED),
            (table.banker, "NOT_A_CARD", FORBIDDEN),
            (await table.table.guest(), "NOT_A_CARD", FORBIDDEN),
            (cases.other.cards[0], "TOKEN_FOR_OTHER_TABLE", FORBIDDEN),
            (mint_seat(KEYS, "1-1-000000000000000000000000", 0), "TOKEN_FOR_OTHER_GAME", FORBIDDEN),
            (seat_of_game, "TOKEN_MISSING", UNAUTHENTICATED),
            (table.cards[0][:-4] + "AAAA", "TOKEN_INVALID", UNAUTHENTICATED),
            (mint_table(KEYS, table.table_id, "card", 9), "NOT_A_BIDDER", PRECONDITION),
        ]
        for token, reason, code in nobody:
            for method, fields in (
                ("PlaceBid", {"amount": 25}),
                ("PassAuction", {}),
                ("SetProxyBid", {"ceiling": 50}),
            ):
                error = await refused_unwritten(table, table.do(method, token, **fields))
                assert (error.reason, error.code) == (reason, code), (method, token)
        unknown = "1-1-00000000000000000000abcd"
        ghost = mint_table(KEYS, unknown, "card", 0)
        error = await refusal(table.do("PlaceBid", ghost, game_id=unknown, amount=1))
        assert (error.reason, error.code) == ("UNKNOWN_GAME", NOT_FOUND)


async def test_passes_and_ceilings_that_cannot_be() -> None:
    """Twice, by the leader, where no proxies are taken, below the least bid, of nothing."""
    async with serving_house() as house:
        cases = await Cases.begin(house)
        table = cases.table
        for seat, reason in ((1, "ALREADY_LEADING"), (2, "ALREADY_PASSED"), (3, "NOT_A_BIDDER")):
            error = await refused_unwritten(table, table.do("PassAuction", table.cards[seat], auction=1))
            assert error.reason == reason
        error = await refused_unwritten(table, table.do("SetProxyBid", table.cards[0], ceiling=60))
        assert error.reason == "PROXY_NOT_ALLOWED"
        await table.sell("three", proxies=True, minimum=10, bidders=(0, 3))
        for ceiling, reason in (
            (9, "BID_TOO_LOW"),
            (-1, "INVALID_AMOUNT"),
            (BID_MAX + 1, "INVALID_AMOUNT"),
            (0, "NO_PROXY_BID"),
        ):
            asked = table.do("SetProxyBid", table.cards[0], ceiling=ceiling, auction=3)
            error = await refused_unwritten(table, asked)
            assert error.reason == reason, ceiling


async def test_a_late_bid_is_told_by_which_close_and_by_which_clock() -> None:
    """A millisecond before the end counts; at the end and after it does not (cases C026, C056)."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell(extend_ms=1_000)
        end_ms = house.clock.now_ms() + CLOSE_MS
        house.clock.set(end_ms)
        for after in (0, 1, 60_000):
            house.clock.set(end_ms + after)
            error = await refused_unwritten(table, table.bid(1, 5))
            assert (error.reason, error.code) == ("AUCTION_CLOSED", PRECONDITION)
            assert error.metadata["close_time_ms"] == str(end_ms)
            assert error.metadata["server_time_ms"] == str(end_ms + after)
            assert error.metadata["auction"] == "1"
        house.clock.set(end_ms - 1)
        assert (await table.bid(1, 5)).auction.leader == 1


async def test_who_comes_after_the_hammer_is_told_when_it_fell() -> None:
    """By the number of the auction or by the lot; at once, and after others have been sold (case C026)."""
    async with serving_house() as house:
        table = await house.table()
        await table.sell()
        end_ms = house.clock.now_ms() + CLOSE_MS
        await table.wait(CLOSE_MS + 2)
        assert not (await table.running()).auctions
        fell_ms = (await table.commits())[-1].time_ms
        assert end_ms <= fell_ms <= end_ms + 2
        await table.sell("another")
        for named in ({"auction": 1}, {"lot": 1}):
            error = await refused_unwritten(table, table.bid(1, 5, **named))
            assert (error.reason, error.metadata["auction"]) == ("AUCTION_CLOSED", "1")
            assert error.metadata["close_time_ms"] == str(fell_ms)
        error = await refused_unwritten(table, table.bid(1, 5, auction=9))
        assert (error.reason, error.message) == ("NO_AUCTION", "there is no auction 9")
        assert "close_time_ms" not in error.metadata


async def test_auctions_that_cannot_be_opened() -> None:
    """Who may not, for whom not, with whom not, on which terms not: the field or the name says so."""
    async with serving_house() as house:
        cases = await Cases.begin(house)
        table, other = cases.table, cases.other
        assert table.table is not None
        opened: list[tuple[str, str, dict[str, Any]]] = [
            ("", "TOKEN_MISSING", {}),
            (await table.table.guest(), "NOT_THE_BANKER", {}),
            (table.cards[0], "NOT_THE_BANKER", {}),
            (other.banker, "TOKEN_FOR_OTHER_TABLE", {}),
            (mint_seat(KEYS, table.table_id, 0), "TOKEN_MISSING", {}),
            (table.banker, "UNKNOWN_ACCOUNT", {"payee": "seat-8"}),
            (table.banker, "UNKNOWN_BIDDER", {"bidders": (0, 8)}),
            (table.banker, "INVALID_ARGUMENT", {"label": ""}),
            (table.banker, "INVALID_ARGUMENT", {"bidders": (1, 1)}),
            (table.banker, "INVALID_ARGUMENT", {"terms": auction_pb2.AuctionTerms()}),
            (table.banker, "INVALID_ARGUMENT", {"command_id": " "}),
        ]
        for token, reason, fields in opened:
            asked = {"label": "a bicycle", "terms": TERMS, **fields}
            error = await refused_unwritten(table, table.do("OpenAuction", token, **asked))
            assert error.reason == reason, fields
        contradiction = auction_pb2.AuctionTerms(close_ms=CLOSE_MS, by_turn=True, extend_ms=500, proxies=True)
        asked = {"label": "a bicycle", "terms": contradiction}
        error = await refused_unwritten(table, table.do("OpenAuction", table.banker, **asked))
        assert [name for name, _ in error.violations] == ["terms.extend_ms", "terms.proxies"]


async def test_what_a_table_forbids_as_a_whole() -> None:
    """Cards retired and locked, the table paused, closed, or full of auctions."""
    async with serving_house() as house:
        table = await house.table(("Ann", "Bob", "Cid", "Dan"))
        assert table.table is not None
        await table.table.do("RetireCard", card_id=table.table.cards[3])
        for fields, reason in (
            ({"payee": "seat-3"}, "ACCOUNT_CLOSED"),
            ({"bidders": (0, 3)}, "CARD_RETIRED"),
        ):
            assert (await refused_unwritten(table, table.sell(**fields))).reason == reason
        await table.sell(bidders=(0, 1))
        await table.table.do("SetPin", table.cards[1], card_id=table.table.cards[1], new_pin="1234")
        for _ in range(5):
            await refusal(table.table.claim(1, pin="9999"))
        assert (await refused_unwritten(table, table.bid(1, 5))).reason == "CARD_LOCKED"
        for number in range(2, 17):
            assert (await table.sell(f"lot {number}", bidders=(0, 2))).auction == number
        error = await refused_unwritten(table, table.sell())
        assert (error.reason, error.code) == ("TOO_MANY_AUCTIONS", PRECONDITION)
        await table.table.do("PauseTable")
        assert (await refused_unwritten(table, table.bid(0, 5, auction=1))).reason == "TABLE_PAUSED"
        await table.table.do("ResumeTable")
        await table.table.do("CloseTable")
        for call in (
            table.bid(0, 5, auction=1),
            table.sell(),
            table.do("CancelAuction", table.banker, auction=1),
        ):
            assert (await refused_unwritten(table, call)).reason == "TABLE_CLOSED"


async def test_ids_of_auctions_are_not_for_clients() -> None:
    """Who posts to the ledger cannot take the ids that auctions will need, so he cannot be in their way."""
    async with serving_house() as house:
        ledger = await house.ledger()
        from magnate.bank.v1 import ledger_pb2
        from magnate.client.ledger import transfer
        from tests.support.game_api import bearer

        asks = [transfer("seat-0", "bank", 1, "test", transfer_id="auction:a1-1-2")]
        request = ledger_pb2.PostRequest(ledger_id=ledger.table_id, command_id="x", instructions=asks)
        error = await refused_unwritten(
            ledger, house.bank.ledger.Post(request, metadata=bearer(ledger.cards[0]), timeout=20)
        )
        assert (error.reason, error.violations[0][0]) == ("INVALID_ARGUMENT", "instructions[0]")
