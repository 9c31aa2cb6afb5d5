"""Case C025 over several auctions at once: after each commit everybody who is waited for could still bid."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from magnate.auction.domain.penny import cost
from magnate.kit.ids import request_hash
from magnate.kit.log.commit import Command, parse_commit
from magnate.kit.log.memory import MemoryLog
from magnate.rules.bidding import MODE_OPEN, MODE_PENNY
from magnate.rules.vocabulary import BidderPassed, PassAuction, PlaceBid
from tests.property.test_rules_play import SLOW
from tests.support.auctioning import House
from tests.support.banking import KEYS

if TYPE_CHECKING:
    from magnate.auction.state import GameState
    from magnate.rules.bidding import Auction
    from magnate.rules.vocabulary import AuctionEvent

CASH = 60
STEPS_MAX = 80


def reach(state: GameState, auction: Auction, seat: int) -> int:
    """Return what a seat might yet bid: what it has, and what may come back to it from where it leads."""
    others = [one for one in state.auctions.running.values() if one is not auction]
    return state.available()[seat] + sum(one.held for one in others if one.leader == seat)


def stuck(state: GameState) -> list[tuple[int, int]]:
    """Return auction and seat of everybody who is still in and can never bid again."""
    return [
        (auction.auction, seat)
        for auction in state.auctions.running.values()
        for seat in auction.active
        if seat != auction.leader and reach(state, auction, seat) < price(auction)
    ]


def too_late(state: GameState, now_ms: int) -> list[tuple[int, int]]:
    """Return auction and seat of everybody whose turn to bid is over."""
    return [
        (number, auction.turn)
        for number, auction in state.auctions.running.items()
        if auction.by_turn and state.ends()[number].due_ms <= now_ms
    ]


def price(auction: Auction) -> int:
    """Return what the next bid takes."""
    return cost(auction, auction.least_bid) if auction.paid else auction.least_bid


async def play(rng: Random) -> int:
    """Bid, pass and wait at random in up to four auctions; return how many were passed elsewhere."""
    house = House(MemoryLog(), f"auto-pass-{rng.random()}")
    seats = rng.randint(2, 5)
    await house.seat(seats, CASH)
    for number in range(1, rng.randint(2, 4) + 1):
        terms = {"mode": rng.choice([MODE_OPEN, MODE_PENNY]), "by_turn": rng.random() < 0.2, "proxies": True}
        await house.put_up(range(seats), (await house.state()).available(), auction=number, **terms)
    elsewhere = 0
    for step in range(STEPS_MAX):
        before = await house.service.view(house.game_id)
        state = before.state
        if not state.auctions.running:
            break
        auction = rng.choice(list(state.auctions.running.values()))
        house.fake_clock.advance(rng.choice([0, 100, 1_000]))
        if rng.random() < 0.1:
            house.fake_clock.set(max(house.clock.now_ms(), state.ends()[auction.auction].due_ms))
            await house.service.expire(house.game_id, f"a{auction.auction}-{auction.end}", 0)
        else:
            await act(house, auction, rng, step)
        late = too_late(state, house.clock.now_ms())
        after = await house.state()
        assert not stuck(after), (after.auctions.running, after.available())
        for event in await written(house, before.version):
            if isinstance(event, BidderPassed) and event.auction != auction.auction:
                running = after.auctions.running.get(event.auction)
                elsewhere += 1
                assert event.forced
                if (event.auction, event.seat) in late:
                    continue  # the hammers that were due fell first
                assert running is None or reach(after, running, event.seat) < price(running), event
    return elsewhere


async def written(house: House, after: int) -> list[AuctionEvent]:
    """Return what the commits after a version did to auctions."""
    stored = (await house.log.load(house.game_id))[after:]
    commits = [parse_commit(KEYS, house.game_id, one.data, one.sequence) for one in stored]
    return [event for commit in commits for event in house.service.events(commit)]


async def act(house: House, auction: Auction, rng: Random, step: int) -> None:
    """Bid around the least bid, or pass, as anybody who may; it may be refused."""
    seat = auction.turn if auction.by_turn else rng.choice(auction.active)
    bid = PlaceBid(0, auction.least_bid + rng.choice([0, 1, 5, 20, 30]), auction.auction)
    action = bid if rng.random() < 0.9 else PassAuction(0, auction.auction)
    command = Command(
        f"step-{step}", request_hash(b""), actor=f"seat-{seat}", received_at_ms=house.clock.now_ms()
    )
    await house.service.act(house.game_id, seat, command, action)


@SLOW
@given(seed=st.integers(0, 2**32))
def test_nobody_is_waited_for_who_can_never_bid_again(seed: int) -> None:
    """Whatever takes the money, and in whichever auction; and nobody is passed who could still bid."""
    asyncio.run(play(Random(seed)))


def test_that_it_happens() -> None:
    """Among some of these evenings there are seats that are passed by what happens in another auction."""
    assert sum(asyncio.run(play(Random(seed))) for seed in range(12)) > 0
