"""What comes into the middle of an auction, with real processes: who leaves, a pause, a kill, an election.

Each ends the same way: the auction ended once, nothing is on hold, the money is all there, the log verifies.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import ledger_pb2
from magnate.cli.audit.table import auction_events_of, examine
from magnate.client.bidding import bid_request
from magnate.client.ledger import LedgerSession, transfer
from magnate.client.session import bearer, may_retry, new_command_id, refused
from magnate.game.v1 import game_pb2
from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import parse_commit
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.rpc.status import RemoteError
from magnate.rules.vocabulary import AuctionClosed, AuctionOpened, BidPlaced
from tests.support.auction_house import House, Sale, running_house
from tests.support.bidding_live import at, bid, due_ms
from tests.support.nats import cluster_running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.asyncio]


AGAIN_SECONDS = 40.0


async def test_an_auction_process_that_dies_loses_and_doubles_no_bid(tmp_path: Path) -> None:
    """Both are killed again and again while bids run; who gets no answer sends the same bid again.

    So some die between the append and the answer: the bid is in the log, and answered from it.
    """
    async with running_house(tmp_path) as house:
        sale = await house.put_up(seats=4, close_seconds=8)
        async with bidding(house, sale) as answered:
            for number in range(6):
                await grown(answered, len(answered) + 5)
                await house.kill_and_wait(f"auction-{number % 2}")
            await grown(answered, len(answered) + 5)
        (closed,) = await house.settled(sale)
        placed = await house.events(sale, "bid_placed")
        assert closed.price == placed[-1].amount
        logged: dict[str, int] = {}
        for commit in await house.commits(sale):
            assert commit.command.command_id not in logged, "a command had two effects"
            logged[commit.command.command_id] = commit.version
        assert all(logged.get(command) == version for command, version in answered)
        restarts = {name: one.restarts for name, one in house.stack.processes.items() if "auction" in name}
        assert restarts == {"auction-0": 3, "auction-1": 3}


@asynccontextmanager
async def bidding(house: House, sale: Sale) -> AsyncIterator[list[tuple[str, int]]]:
    """Let every seat bid for as long as this lasts; yields command and version of each answered bid."""
    answered: list[tuple[str, int]] = []
    stop = asyncio.Event()
    bidding = [
        asyncio.create_task(_bids_until(house, sale, seat, stop, answered)) for seat in range(sale.seats)
    ]
    try:
        yield answered
    finally:
        stop.set()
        await asyncio.gather(*bidding)


async def grown(answered: list[tuple[str, int]], count: int) -> None:
    """Wait until so many bids are answered."""
    async with asyncio.timeout(AGAIN_SECONDS):
        while len(answered) < count:  # noqa: ASYNC110 - the list has no event
            await asyncio.sleep(0.02)


async def test_a_bidder_who_leaves_in_mid_auction_takes_his_bid_with_him(tmp_path: Path) -> None:
    """The leader resigns while others bid: his money is released in that commit; one end, not his."""
    async with running_house(tmp_path) as house:
        elsewhere = await house.put_up(seats=2, close_seconds=60)
        for _ in range(3):
            sale = await house.put_up(seats=4, close_seconds=2)
            assert not isinstance(await bid(house, sale, 3, 40), RemoteError)
            resigning = asyncio.create_task(house.act(sale, 3, resign={}))
            others = [asyncio.create_task(bid(house, sale, seat, 41 + seat, hall=seat)) for seat in (1, 2)]
            await asyncio.gather(resigning, *others)
            version = (await house.games.game(sale.game_id)).version
            gone = await bid(house, sale, 3, 900)
            assert isinstance(gone, RemoteError)
            assert gone.reason in {"SEAT_OUT", "NO_AUCTION"}
            foreign = Sale(sale.game_id, [elsewhere.tokens[0]])
            stranger = await bid(house, foreign, 0, 900)
            assert isinstance(stranger, RemoteError)
            assert stranger.reason == "TOKEN_FOR_OTHER_GAME"
            assert (await house.games.game(sale.game_id)).version <= version + 1  # but for the close
            (closed, *_) = await house.settled(sale)
            assert closed.winner != 3
            assert len(await house.events(sale, "bidder_dropped")) == 1


async def test_a_leader_who_resigns_after_the_hour_has_bought_it(tmp_path: Path) -> None:
    """No timer is there to let the hammer fall: the game has it fall first, so his lot is of his estate."""
    async with running_house(tmp_path, timers=1) as house:
        await house.stack.processes["timer-0"].stop()
        sale = await house.put_up(close_seconds=2, options={"resign.estate": "auction"})
        assert not isinstance(await bid(house, sale, 1, 40), RemoteError)
        await at(await due_ms(house, sale) + 20)
        await house.act(sale, 1, resign={})
        (closed,) = await house.events(sale, "auction_closed")
        assert (closed.winner, closed.price) == (1, 40)
        opened = await house.events(sale, "auction_opened")
        assert [(one.lot, list(one.bidders)) for one in opened] == [
            (closed.lot, [0, 1, 2]),
            (closed.lot, [0, 2]),
        ]
        assert not await house.events(sale, "bidder_dropped")


async def test_a_game_that_is_paused_in_mid_auction_pauses_the_hammer(tmp_path: Path) -> None:
    """Bids are refused, the end does not come, and what was left of the time is there again afterwards."""
    async with running_house(tmp_path) as house:
        sale = await house.put_up(close_seconds=2)
        assert not isinstance(await bid(house, sale, 1, 20), RemoteError)
        racing = [asyncio.create_task(bid(house, sale, seat, 20 + seat * 5, hall=seat)) for seat in (0, 2)]
        await _pause(house, sale, paused=True)
        await asyncio.gather(*racing)
        shown = await house.halls[1].auctions(sale.game_id)
        assert shown.auction.paused
        assert not shown.auction.HasField("close_time")
        refusal = await bid(house, sale, 1, 900)
        assert isinstance(refusal, RemoteError)
        assert refusal.reason == "GAME_PAUSED"
        await asyncio.sleep(2.5)  # longer than what was left: nothing may happen
        assert not await house.events(sale, "auction_closed")
        await _pause(house, sale, paused=False)
        (closed,) = await house.settled(sale)
        assert closed.price == shown.auction.price


async def test_a_game_that_ends_in_mid_auction_gives_the_money_back(tmp_path: Path) -> None:
    """All but one leave while an auction runs: it is cancelled or over, and nothing stays on hold."""
    async with running_house(tmp_path) as house:
        sale = await house.put_up(seats=3, close_seconds=5)
        assert not isinstance(await bid(house, sale, 2, 70), RemoteError)
        await asyncio.gather(house.act(sale, 1, resign={}), house.act(sale, 2, resign={}))
        await house.settled(sale)
        view = await house.games.game(sale.game_id)
        assert view.status == game_pb2.GAME_STATUS_OVER
        late = await bid(house, sale, 0, 100)
        assert isinstance(late, RemoteError)
        assert late.reason in {"NO_AUCTION", "GAME_OVER"}


async def test_a_table_sells_while_bank_and_auctions_are_killed(tmp_path: Path) -> None:
    """Twenty bidders at a ledger; every process that has a part in a bid dies once; the real timer closes it.

    Then a second lot is put up, and the table's log is examined as a whole.
    """
    async with running_house(tmp_path) as house:
        async with LedgerSession(house.stack.addresses("bank")[0]) as bank:
            seats = [f"seat-{seat}" for seat in range(20)]
            opened = await bank.open(seats)
            start = [transfer("bank", seat, 1_000_000, "start") for seat in seats]
            await bank.post(opened.ledger_id, opened.banker_token, start)
        sale = Sale(opened.ledger_id, [one.token for one in opened.account_tokens])
        terms = auction_pb2.AuctionTerms(close_ms=8_000)
        for number, label in enumerate(("a bicycle", "a car"), start=1):
            sold = await house.halls[0].sell(sale.game_id, opened.banker_token, label, terms)
            assert sold.auction == number
            async with bidding(house, sale) as answered:
                for name in ("bank-0", "auction-0", "auction-1", "bank-1", "timer-0"):
                    await grown(answered, len(answered) + 5)
                    await house.kill_and_wait(name)
                await grown(answered, len(answered) + 5)
            async with asyncio.timeout(60):
                async for update in house.halls[1].watch(sale.game_id, token=sale.tokens[0]):
                    if not update.auctions:
                        break
        await _sound(house, sale.game_id, ["a bicycle", "a car"])


async def _sound(house: House, table_id: str, labels: list[str]) -> None:
    """Each lot was sold once to who led, paid to the bank; nothing on hold; the audit finds no fault."""
    keys = KeyRing.parse((house.stack.data / "keys").read_text().strip())
    log = JetStreamLog([house.stack.nats_url])
    await log.connect()
    try:
        stored = await log.load(table_id)
    finally:
        await log.close()
    finding = examine(keys, table_id, stored, None, 0)
    assert not finding.faults, finding.faults
    commits = [parse_commit(keys, table_id, one.data, one.sequence) for one in stored]
    assert len({commit.command_id for commit in commits}) == len(commits), "a command had two effects"
    events = [event for commit in commits for event in auction_events_of(commit)]
    assert [one.label for one in events if isinstance(one, AuctionOpened)] == labels
    closes = [one for one in events if isinstance(one, AuctionClosed)]
    assert [one.auction for one in closes] == [1, 2]
    for close in closes:
        bids = [one for one in events if isinstance(one, BidPlaced) and one.auction == close.auction]
        assert (close.winner, close.price) == (bids[-1].seat, bids[-1].amount)
    holds = await house.ledger.ListHolds(ledger_pb2.ListHoldsRequest(ledger_id=table_id))
    assert not holds.holds


@pytest.mark.cluster
async def test_a_new_leader_of_the_log_in_the_last_second_changes_no_result(tmp_path: Path) -> None:
    """Each stream's leader among three servers is killed within the last second: one close all the same."""
    with cluster_running() as cluster:
        urls = ",".join(cluster.urls)
        async with running_house(tmp_path, nats_url=urls, replicas=3) as house:
            sale = await house.put_up(close_seconds=4)
            placed = await bid(house, sale, 1, 50)
            assert not isinstance(placed, RemoteError), placed
            await at(await due_ms(house, sale) - 700)
            leader = cluster.named(await _leader_of(cluster.urls, sale.game_id))
            leader.kill()
            last = await _until_answered(house, sale, 2, 60)
            (closed,) = await house.settled(sale)
            won = (2, 60) if isinstance(last, auction_pb2.PlaceBidResponse) else (1, 50)
            assert (closed.winner, closed.price) == won
            leader.start()
            await leader.ready()


async def _until_answered(house: House, sale: Sale, seat: int, amount: int) -> Any:
    """Send one bid until somebody answers it; the same id each time."""
    request = bid_request(sale.game_id, amount)
    give_up = time.monotonic() + AGAIN_SECONDS
    hall = 0
    while True:
        stub = house.halls[hall % len(house.halls)].stub
        hall += 1
        try:
            return await stub.PlaceBid(request, metadata=bearer(sale.tokens[seat]), timeout=20)
        except grpc.aio.AioRpcError as error:
            if not may_retry(error) or time.monotonic() > give_up:
                return refused(error)
        await asyncio.sleep(0.05)


async def _bids_until(
    house: House, sale: Sale, seat: int, stop: asyncio.Event, answered: list[tuple[str, int]]
) -> None:
    """Bid the least that leads, again and again; note what was acknowledged."""
    while not stop.is_set():
        now = await house.halls[seat % 2].auctions(sale.game_id, token=sale.tokens[seat])
        if not now.HasField("auction"):
            return
        if now.auction.leader == seat:
            await asyncio.sleep(0.01)
            continue
        request = bid_request(sale.game_id, now.auction.least_bid, seen_version=now.version)
        stub = house.halls[seat % 2].stub
        answer = await _sent_until_answered(stub, request, sale.tokens[seat])
        if answer is not None:
            answered.append((request.command_id, answer.version))


async def _sent_until_answered(stub: Any, request: Any, token: str) -> Any:
    give_up = time.monotonic() + AGAIN_SECONDS
    while True:
        try:
            return await stub.PlaceBid(request, metadata=bearer(token), timeout=20)
        except grpc.aio.AioRpcError as error:
            if not may_retry(error) or time.monotonic() > give_up:
                return None
        await asyncio.sleep(0.05)


async def _pause(house: House, sale: Sale, *, paused: bool) -> None:
    """Pause or resume the game."""
    stub, metadata, new = house.games.stub, bearer(sale.tokens[0]), new_command_id()
    if paused:
        await stub.PauseGame(
            game_pb2.PauseGameRequest(game_id=sale.game_id, command_id=new), metadata=metadata, timeout=20
        )
    else:
        await stub.ResumeGame(
            game_pb2.ResumeGameRequest(game_id=sale.game_id, command_id=new), metadata=metadata, timeout=20
        )


async def _leader_of(urls: list[str], game_id: str) -> str:
    """Return the name of the server that leads the game's stream."""
    import nats

    from magnate.kit.log.subjects import game_stream

    connection = await nats.connect(urls)
    try:
        info = await connection.jetstream().stream_info(game_stream(game_id))
        assert info.cluster is not None
        assert info.cluster.leader is not None
        return str(info.cluster.leader)
    finally:
        await connection.close()
