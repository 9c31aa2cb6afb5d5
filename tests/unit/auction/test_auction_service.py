"""The auction service with the real bank on the in-memory log: one commit for each bid, pass and close."""

from __future__ import annotations

import asyncio

import pytest

from magnate.auction.codec import auction_events
from magnate.auction.ports import Behind, Step
from magnate.auction.service import Answer, UnknownGameError
from magnate.auction.snapshot import AuctionSnapshots
from magnate.auction.watch import Watcher
from magnate.kit.expiry import Expired, Gone, NotYet
from magnate.kit.ids import request_hash
from magnate.kit.log.commit import AUCTION, DEADLINES, LEDGER, RULES, Command, ParsedCommit, parse_commit
from magnate.kit.log.memory import MemoryLog
from magnate.kit.transact_types import Done
from magnate.peers.bank import Release
from magnate.rules.bidding import LIMIT_LIQUIDATION
from magnate.rules.vocabulary import (
    AuctionClosed,
    AuctionOpened,
    AuctionOutcome,
    BidderPassed,
    BidPlaced,
    CancelAuction,
    DropBidder,
    OpenAuction,
    PlaceBid,
)
from tests.support.auctioning import CLOSE_MS, LOT, House
from tests.support.banking import KEYS

pytestmark = pytest.mark.asyncio


async def house(seats: int = 3, cash: int = 100) -> House:
    """Return a game with one auction running."""
    made = House(MemoryLog(), "one")
    await made.seat(seats, cash)
    await made.put_up(range(seats), [cash] * seats)
    return made


def done(answer: Answer) -> ParsedCommit:
    """Return the commit that the answer must be."""
    assert isinstance(answer, Done), answer
    return answer.commit


def refused(answer: Answer) -> str:
    """Return the refusal that the answer must be."""
    assert not isinstance(answer, Done), answer
    return answer.rejection.name


async def commits(one: House) -> list[ParsedCommit]:
    """Return the whole log of the game."""
    stored = await one.log.load(one.game_id)
    return [parse_commit(KEYS, one.game_id, message.data, message.sequence) for message in stored]


async def test_a_bid_is_one_commit_with_its_hold() -> None:
    """The event, the moved deadline and the hold are in one commit, written by the bank."""
    one = await house()
    commit = done(await one.bid(0, 30))
    assert [section.kind for section in commit.sections] == [AUCTION, DEADLINES, LEDGER]
    state = await one.state()
    assert state.available() == [70, 100, 100]
    assert list(state.deadlines) == ["a1-2"]
    assert one.bank.calls == 1


async def test_a_pass_moves_no_money() -> None:
    """A pass that closes nothing is appended without the bank."""
    one = await house()
    commit = done(await one.skip(1))
    assert [section.kind for section in commit.sections] == [AUCTION]
    assert one.bank.calls == 0


async def test_an_outbid_swaps_the_holds_in_one_commit() -> None:
    """The outbid seat has its money back at once."""
    one = await house()
    await one.bid(0, 30)
    done(await one.bid(1, 40))
    assert (await one.state()).available() == [100, 60, 100]


async def test_the_close_is_one_commit_with_price_and_what_follows() -> None:
    """Bids, the game's section, the captured hold and the cleared deadline land together."""
    one = await house()
    await one.bid(0, 30)
    await one.skip(1)
    commit = done(await one.skip(2))
    assert [section.kind for section in commit.sections] == [RULES, AUCTION, DEADLINES, LEDGER]
    assert auction_events(commit)[-1] == AuctionClosed(1, LOT, 0, 30)
    assert one.game.asked == [(commit.version - 1, [AuctionOutcome(1, LOT, 0, 30, "a1-0-2")], [])]
    state = await one.state()
    assert state.posted == [70, 100, 100]
    assert state.held == [0, 0, 0]
    assert state.deadlines == {}
    assert state.auctions.running == {}


async def test_a_last_bid_releases_holds_captures_and_sells_at_once() -> None:
    """Outbidding everybody for good: release, hold and capture in one commit, and the game hears of it."""
    one = await house(2, 100)
    await one.bid(0, 60)
    commit = done(await one.bid(1, 100))
    assert [type(event) for event in auction_events(commit)] == [BidPlaced, BidderPassed, AuctionClosed]
    assert one.game.asked[0][2] == ["a1-0-2"]
    state = await one.state()
    assert (state.posted, state.held) == ([100, 0], [0, 0])


async def test_the_next_auction_opens_in_the_commit_that_closes_one() -> None:
    """An estate: the game asks for the next lot, which is under the hammer in the same commit."""
    one = await house(2)
    one.game.next_steps = [[Step(OpenAuction(2, 31, [0, 1], 1, 1, CLOSE_MS), [70, 100])]]
    await one.bid(0, 30)
    commit = done(await one.skip(1))
    kinds = [type(event) for event in auction_events(commit)]
    assert kinds == [BidderPassed, AuctionClosed, AuctionOpened]
    assert list((await one.state()).deadlines) == ["a2-1"]


async def test_auctions_that_end_at_once_are_asked_about_again() -> None:
    """Lots that nobody can bid for end in the commit that opens them; the question grows meanwhile."""
    one = await house(2)
    broke = [0, 0]
    one.game.next_steps = [
        [Step(OpenAuction(2, 31, [0, 1], 1, 1, CLOSE_MS), broke)],
        [Step(OpenAuction(3, 32, [0, 1], 1, 1, CLOSE_MS), broke)],
        [Step(OpenAuction(4, 33, [0, 1], 1, 1, CLOSE_MS), [100, 100])],
    ]
    await one.skip(0)
    commit = done(await one.skip(1))
    assert [len(outcomes) for _, outcomes, _ in one.game.asked] == [1, 2, 3]
    closed = [event for event in auction_events(commit) if isinstance(event, AuctionClosed)]
    assert [event.lot for event in closed] == [LOT, 31, 32]
    assert [running.lot for running in (await one.state()).auctions.running.values()] == [33]
    assert list((await one.state()).deadlines) == ["a4-1"]


async def test_a_game_that_is_ahead_makes_us_look_again() -> None:
    """Told that the log is further, the service reads it and decides anew, and nobody is refused for it."""
    one = await house(2)
    await one.skip(0)
    one.game.behind = 1
    done(await one.skip(1))
    assert len(one.game.asked) == 2


async def test_a_command_has_one_effect() -> None:
    """Sent again, a bid gets the same commit; with other content its id is refused."""
    one = await house()
    first = done(await one.bid(0, 30, "bid-1"))
    again = await one.bid(0, 30, "bid-1")
    assert isinstance(again, Done)
    assert again.replayed
    assert again.commit.hash == first.hash
    assert refused(await one.bid(0, 31, "bid-1")) == "COMMAND_ID_REUSED"


async def test_refusals_write_nothing() -> None:
    """A refused bid leaves the log as it was."""
    one = await house()
    await one.bid(0, 30)
    before = len(await commits(one))
    assert refused(await one.bid(1, 30)) == "BID_TOO_LOW"
    assert refused(await one.bid(1, 101)) == "BID_EXCEEDS_FUNDS"
    assert refused(await one.bid(0, 40)) == "ALREADY_LEADING"
    assert len(await commits(one)) == before


async def test_an_unknown_game() -> None:
    """There is nothing to bid for in a game that does not exist."""
    one = House(MemoryLog(), "none")
    with pytest.raises(UnknownGameError):
        await one.bid(0, 5)
    assert isinstance(await one.service.expire(one.game_id, "a1-1", 0), Gone)


async def test_the_timer_closes_an_auction() -> None:
    """Expire: not yet, then done, and gone for good; a second delivery has no effect."""
    one = await house()
    await one.bid(2, 9)
    version = one.caller.head.version
    early = await one.service.expire(one.game_id, "a1-2", version)
    assert isinstance(early, NotYet)
    assert early.remaining_ms == CLOSE_MS
    assert isinstance(await one.service.expire(one.game_id, "a1-1", version), Gone)
    one.fake_clock.advance(CLOSE_MS)
    closed = await one.service.expire(one.game_id, "a1-2", version)
    assert isinstance(closed, Expired)
    assert isinstance(await one.service.expire(one.game_id, "a1-2", closed.version), Gone)
    assert len([c for c in await commits(one) if c.command_id == "expire:a1-2"]) == 1
    assert (await one.state()).posted == [100, 100, 91]


async def test_two_processes_closing_at_once_have_one_effect() -> None:
    """Both are told at the same moment; one commit comes of it and both say that it is done or gone."""
    one = await house()
    two = one.other()
    await one.bid(2, 9)
    one.fake_clock.advance(CLOSE_MS)
    answers = await asyncio.gather(
        *(each.service.expire(one.game_id, "a1-2", 2) for each in (one, two, one, two))
    )
    assert {type(answer) for answer in answers} <= {Expired, Gone}
    assert len([c for c in await commits(one) if c.command_id == "expire:a1-2"]) == 1
    assert (await one.state()).posted == [100, 100, 91]


async def test_bid_against_close() -> None:
    """Whichever lands first wins, and the money is right either way (bid received in time)."""
    for round_number in range(8):
        one = House(MemoryLog(), f"race-{round_number}")
        two = one.other()
        await one.seat(3, 100)
        await one.put_up(range(3), [100] * 3)
        await one.bid(2, 9)
        one.fake_clock.advance(CLOSE_MS)
        in_time = one.fake_clock.now_ms() - 1
        command = Command("late", request_hash(b""), actor="seat-0", received_at_ms=in_time)
        order = [
            one.service.act(one.game_id, 0, command, PlaceBid(LOT, 50)),
            two.service.expire(one.game_id, "a1-2", 3),
        ]
        bid, close = await asyncio.gather(*(order if round_number % 2 else order[::-1]))
        if round_number % 2 == 0:
            bid, close = close, bid
        state = await one.state()
        if isinstance(bid, Done):
            assert isinstance(close, Gone)
            assert (state.posted, state.held) == ([100, 100, 100], [50, 0, 0])
        else:
            assert isinstance(close, Expired)
            assert (state.posted, state.held) == ([100, 100, 91], [0, 0, 0])


async def test_bids_from_two_processes_at_once() -> None:
    """A hundred racing bids: every accepted one is higher, and one hold is left."""
    one = await house(3, 10_000)
    two = one.other()
    bids = [(one, two)[n % 2].bid(n % 3, 10 + n) for n in range(100)]
    answers = await asyncio.gather(*bids)
    accepted = [answer for answer in answers if isinstance(answer, Done)]
    assert accepted
    amounts = [
        event.amount
        for commit in await commits(one)
        for event in auction_events(commit)
        if isinstance(event, BidPlaced)
    ]
    assert amounts == sorted(set(amounts))
    assert len(amounts) == len(accepted)
    assert sum((await one.state()).held) == amounts[-1]


async def test_propose_answers_from_the_callers_version() -> None:
    """A caller whose head is old is told so; a newer head makes the service read on."""
    one = await house()
    head = one.caller.head.version
    await one.bid(0, 30)
    await one.caller.catch_up()
    ask = [Step(DropBidder(1, 0), [70, 100, 100])]
    behind = await one.service.propose(one.game_id, head, one.clock.now_ms(), ask)
    assert isinstance(behind, Behind)
    assert behind.version == head + 1
    fresh = one.other()
    whole = await fresh.service.propose(one.game_id, head + 1, one.clock.now_ms(), ask)
    assert not isinstance(whole, Behind)
    assert [one.hold_id for one in whole.instructions() if isinstance(one, Release)] == ["a1-0-2"]


async def test_propose_does_not_wait_for_a_command() -> None:
    """While a bid waits for the game, the game's own question about the same game is answered."""
    one = await house(2)
    await one.bid(0, 10)
    gate = asyncio.Event()
    inner = one.game.propose

    async def waiting(*args: object) -> object:
        await gate.wait()
        return await inner(*args)  # type: ignore[arg-type]

    one.game.propose = waiting  # type: ignore[method-assign,assignment]
    closing = asyncio.create_task(one.skip(1))
    await asyncio.sleep(0)
    await one.caller.catch_up()
    ask = [Step(CancelAuction(1), [90, 100])]
    async with asyncio.timeout(2):
        await one.service.propose(one.game_id, one.caller.head.version, one.clock.now_ms(), ask)
    gate.set()
    done(await closing)


async def test_a_snapshot_is_the_same_state() -> None:
    """Stored and read back, the state digests, bids and closes as the folded one does."""
    codec = AuctionSnapshots()
    one = await house()
    await one.bid(0, 30)
    await one.skip(1)
    state = await one.state()
    twin = codec.decode(codec.encode(state))
    assert twin.auctions.running == state.auctions.running
    assert codec.encode(twin) == codec.encode(state)
    assert (twin.posted, twin.held) == (state.posted, state.held)
    await one.skip(2)
    closed = await one.state()
    read = codec.decode(codec.encode(closed)).auctions
    assert (read.running, read.opened, read.ended) == ({}, 1, {LOT: 1})


async def test_watching() -> None:
    """The state of now comes first, then what each commit does."""
    one = await house()
    seen = Watcher(one.service).watch(one.game_id, 0)
    first = await anext(seen)
    assert first.events == []
    assert first.loaded.state.auctions.running
    done(await one.bid(0, 30))
    second = await anext(seen)
    assert [type(event) for event in second.events] == [BidPlaced]
    assert second.loaded.version == first.loaded.version + 1
    await seen.aclose()


async def test_watching_from_a_version() -> None:
    """What came after the version is told first."""
    one = await house()
    done(await one.bid(0, 30))
    done(await one.bid(1, 31))
    seen = Watcher(one.service).watch(one.game_id, 2)
    start, first, second = [await anext(seen) for _ in range(3)]
    assert start.loaded.version == 2
    assert [
        event.amount for one in (first, second) for event in one.events if isinstance(event, BidPlaced)
    ] == [
        30,
        31,
    ]
    await seen.aclose()


async def test_a_turn_that_runs_out_passes_nobody_who_could_raise_the_money() -> None:
    """Where one may bid what one could raise, that counts also when the clock passes a turn on."""
    one = House(MemoryLog(), "turns")
    await one.seat(3, 100)
    one.game.limits = [500, 500, 500]
    await one.put_up(range(3), [100] * 3, by_turn=True, bid_limit=LIMIT_LIQUIDATION)
    done(await one.bid(0, 150))
    one.fake_clock.advance(CLOSE_MS)
    assert isinstance(await one.service.expire(one.game_id, "a1-2", 3), Expired)
    auction = (await one.state()).auctions.running[1]
    assert (auction.active, auction.turn) == ([0, 2], 2)
    done(await one.bid(2, 160))
