"""What viewers get: every commit in order and without a gap, any earlier version, a chain that verifies."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import TYPE_CHECKING, Any

import pytest

from magnate.cli.records import read_records, replay
from magnate.client.bots.random_legal import RandomLegalBot
from magnate.client.player import Player
from magnate.client.session import Session
from magnate.game.v1 import game_pb2
from magnate.kit.log.errors import DataLossError
from magnate.rules import plain
from magnate.rules.v1 import vocabulary_pb2
from tests.support.dice import to_a_lot
from tests.support.game_api import CALL_SECONDS, Table, act_request, fill, new_id, refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.game_api import Api, Running

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
    pytest.mark.asyncio(loop_scope="session"),
]

CASH_OFFER = {"to_seat": 1, "terms": {"give_cash": 1}}


@contextlib.asynccontextmanager
async def watching(
    api: Api, table: Table, after_version: int = 0
) -> AsyncIterator[AsyncIterator[game_pb2.WatchGameResponse]]:
    """Watch a table for the length of an `async with`."""
    request = game_pb2.WatchGameRequest(game_id=table.game_id, after_version=after_version)
    stream = api.stub.WatchGame(request, timeout=3 * CALL_SECONDS)
    try:
        yield aiter(stream)
    finally:
        stream.cancel()


async def commits_until(
    updates: AsyncIterator[game_pb2.WatchGameResponse], version: int
) -> list[game_pb2.PublicCommit]:
    """Return the commits up to a version."""
    found: list[game_pb2.PublicCommit] = []
    async for update in updates:
        if update.HasField("commit"):
            found.append(update.commit)
            if update.commit.version >= version:
                break
    return found


async def played(server: Running, turns: int) -> Table:
    """Let two bots, one at each worker, play a short game to its end."""
    table = await server.api.full_table(2, {"end.turns_max": str(turns)})
    await server.api.start(table)
    await play_on(server, table)
    return table


async def play_on(server: Running, table: Table) -> None:
    """Let the bots play."""
    async with contextlib.AsyncExitStack() as opened:
        players = []
        for seat, worker in enumerate(server.workers):
            session = await opened.enter_async_context(Session(worker.address))
            bot = RandomLegalBot(random.Random(seat))
            players.append(Player(session, table.game_id, seat, table.tokens[seat], bot).play())
        await asyncio.gather(*players)


async def test_watchers_miss_nothing_while_a_game_goes_on(pair: Running) -> None:
    """From the start, from the middle and over reconnects, at both workers: all see the same commits once."""
    table = await pair.api.full_table(2, {"end.turns_max": "25"})
    stop = asyncio.Event()

    async def watch(worker: Api, restart_every: int) -> list[game_pb2.PublicCommit]:
        found: list[game_pb2.PublicCommit] = []
        while not (found and over(found[-1])):
            seen = found[-1].version if found else 0
            async with watching(worker, table, seen) as updates:
                async for update in updates:
                    if update.HasField("commit"):
                        found.append(update.commit)
                        if over(found[-1]) or len(found) % restart_every == 0:
                            break
        return found

    async def look_back() -> None:
        while not stop.is_set():
            await pair.workers[1].view(table, at_version=1)
            await asyncio.sleep(0.05)

    looking = asyncio.create_task(look_back())
    watchers = [asyncio.create_task(watch(worker, every)) for worker in pair.workers for every in (10_000, 7)]
    await pair.api.start(table)
    await play_on(pair, table)
    found = await asyncio.gather(*watchers)
    stop.set()
    await looking
    for commits in found:
        assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
        assert commits == found[0]
    records = await pair.api.export(table)
    assert len(records) == len(found[0])
    assert [commit.command_id for commit in found[0]] == [
        commit.command_id for commit in read_records(table.game_id, records)
    ]


def over(commit: game_pb2.PublicCommit) -> bool:
    """Say whether the game ends with this commit."""
    return any(event.HasField("seed_revealed") for event in commit.table_events)


async def test_any_version_is_shown_as_it_was(pair: Running) -> None:
    """GetGame at a version equals the fold of the export up to there, in every number it shows."""
    table = await played(pair, 12)
    commits = read_records(table.game_id, await pair.api.export(table))
    last = len(commits)
    for version in sorted({1, 2, 3, 4, 5, last // 3, last // 2, last - 1, last}):
        view = await pair.workers[version % 2].view(table, at_version=version)
        state = replay(table.game_id, commits[:version])
        assert view.version == version
        assert view.version_time.ToMilliseconds() == commits[version - 1].time_ms
        assert [seat.name for seat in view.seats] == state.table.names
        if state.rules is None:
            assert view.state_hash == ""
            continue
        assert view.state_hash == plain.digest(state.rules)
        assert [seat.cash for seat in view.seats] == state.rules.cash
        assert [seat.held for seat in view.seats] == state.rules.held
        assert {lot.lot: lot.owner for lot in view.lots} == {
            lot: state.rules.owner[lot] for lot in state.rules.board.lots
        }
    newest = await pair.api.view(table)
    assert newest == await pair.workers[1].view(table, at_version=last)
    assert newest.status == game_pb2.GAME_STATUS_OVER
    assert newest.end_reason in {
        vocabulary_pb2.END_REASON_TURN_CAP,
        vocabulary_pb2.END_REASON_LAST_PLAYER,
    }


async def test_an_export_verifies_and_resumes(pair: Running) -> None:
    """Hash by hash; from any version on; and a changed byte is noticed at its version."""
    table = await played(pair, 5)
    records = await pair.api.export(table)
    assert await pair.workers[1].export(table) == records
    assert await pair.api.export(table, after_version=3) == records[3:]
    assert await pair.api.export(table, after_version=10_000) == []
    spoilt = [game_pb2.ExportGameResponse.FromString(one.SerializeToString()) for one in records]
    spoilt[4].public = spoilt[4].public[:-1] + bytes([spoilt[4].public[-1] ^ 1])
    with pytest.raises(DataLossError):
        read_records(table.game_id, spoilt)
    with pytest.raises(DataLossError):
        read_records(table.game_id, records[:3] + records[4:])


async def test_the_seed_is_shown_when_the_game_is_over_and_not_before(pair: Running) -> None:
    """Neither the view nor any exported byte has it while the game runs."""
    table = await pair.api.begun(2, {"end.turns_max": "3"})
    before = await pair.api.view(table)
    early = await pair.api.export(table)
    assert before.seed == b""
    assert len(before.seed_hash) == 32
    await play_on(pair, table)
    after = await pair.api.view(table)
    assert len(after.seed) == 32
    assert after.seed_hash == before.seed_hash
    assert not any(after.seed in record.SerializeToString() for record in early)


async def test_the_newest_commit_says_what_the_game_waits_for(pair: Running) -> None:
    """A viewer needs no other call to know whose move it is."""
    table = await pair.api.begun(sandbox=game_pb2.Sandbox(dice=to_a_lot()))
    async with watching(pair.workers[1], table) as updates:
        now, *older = [await anext(updates) for _ in range(5)]
        assert (now.now.version, now.now.status) == (4, game_pb2.GAME_STATUS_RUNNING)
        assert now.now.situation == older[3].situation
        assert not any(update.HasField("situation") for update in older[:3])
        assert older[3].situation.waiting_seats == [0]
        moved = await pair.api.act(table, 0, roll={})
        update = await anext(updates)
        assert update.commit.version == moved.version
        assert list(update.commit.events) == list(moved.events)
        assert update.commit.actor == "seat-0"
        assert update.situation == moved.situation
        assert update.situation.phase == vocabulary_pb2.PHASE_BUY


async def test_a_quiet_game_sends_a_heartbeat(pair: Running) -> None:
    """At least every five seconds, with the version that the viewer should have."""
    table = await pair.api.begun()
    async with asyncio.timeout(30), watching(pair.api, table, after_version=4) as updates:
        assert (await anext(updates)).HasField("now")
        update = await anext(updates)
    assert update.WhichOneof("update") == "heartbeat"
    assert update.heartbeat.head_version == 4


async def test_a_pause_stops_the_hammer_and_a_resume_lets_it_fall(pair: Running) -> None:
    """While paused nothing closes and nothing can be done; afterwards the timer closes the auction."""
    table = await pair.api.at_auction({"auction.close_seconds": "2"})
    await pair.api.act(table, 1, place_bid={"lot": 6, "amount": 10})
    pause = game_pb2.PauseGameRequest(command_id=new_id(), game_id=table.game_id)
    paused = await pair.api.call("PauseGame", pause, table.tokens[0])
    again = await pair.workers[1].call("PauseGame", pause, table.tokens[0])
    assert again.version == paused.version
    await asyncio.sleep(2.5)  # longer than what was left: what must not happen would have
    view = await pair.workers[1].view(table)
    assert view.version == paused.version
    assert view.status == game_pb2.GAME_STATUS_PAUSED
    assert view.situation.waiting_seats == []
    assert view.situation.auction.leader == 1
    assert not view.situation.auction.HasField("close_time")
    for worker in pair.workers:
        assert (await refused(worker.act(table, 0, pass_auction={"lot": 6}))).reason == "GAME_PAUSED"
        assert (await refused(worker.act(table, 0, roll={}))).reason == "GAME_PAUSED"
        legal = game_pb2.GetLegalActionsRequest(game_id=table.game_id, seat=0)
        assert (await worker.call("GetLegalActions", legal, table.tokens[0])).actions == []
    another = game_pb2.PauseGameRequest(command_id=new_id(), game_id=table.game_id)
    assert (await refused(pair.api.call("PauseGame", another, table.tokens[1]))).reason == "GAME_PAUSED"
    resume = game_pb2.ResumeGameRequest(command_id=new_id(), game_id=table.game_id)
    resumed = await pair.workers[1].call("ResumeGame", resume, table.tokens[1])
    assert (await pair.api.call("ResumeGame", resume, table.tokens[1])).version == resumed.version
    async with asyncio.timeout(10), watching(pair.api, table, resumed.version) as updates:
        [closing] = await commits_until(updates, resumed.version + 1)
    assert closing.actor == "timer"
    assert closing.auction_events[0].auction_closed.winner == 1
    assert [lot.owner for lot in (await pair.api.view(table)).lots if lot.lot == 6] == [1]


async def test_what_is_legal_is_accepted_and_the_rest_is_not(pair: Running) -> None:
    """The kinds that are offered to a seat, tried one by one on tables in the same position."""
    commands: dict[str, Any] = {"roll": {}, "offer_trade": CASH_OFFER, "resign": {}, "end_turn": {}}
    for kind, fields in commands.items():
        table = await pair.api.begun(sandbox=game_pb2.Sandbox(dice=to_a_lot()))
        request = game_pb2.GetLegalActionsRequest(game_id=table.game_id, seat=0)
        legal = await pair.workers[1].call("GetLegalActions", request, table.tokens[0])
        act = act_request(table, token=table.tokens[0], seen_version=legal.version)
        fill(act.command, kind, fields)
        [result] = await pair.workers[1].play(game_pb2.PlayRequest(acts=[act]))
        offered = kind in {action.kind for action in legal.actions}
        assert result.HasField("accepted") == offered, (kind, result)
        assert legal.situation.turn_seat == 0
