"""Who is there: what streams lead to in the log."""

from __future__ import annotations

import asyncio

import pytest

from magnate.game.domain.attendance import AWAY, CONNECTED, UNKNOWN, presence_of
from magnate.game.streams import PLAY, WATCH
from magnate.kit.rpc.call import ANONYMOUS
from magnate.rules.vocabulary import Resign
from tests.support.presence_room import GRACE, Room, Stream, begun, opened
from tests.support.tables import done

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("quick_presence")]


async def test_a_stream_makes_a_seat_be_there_and_its_end_away() -> None:
    """Two commits in all; a stream without a seat's token makes none."""
    async with begun() as room:
        one = await room.process("a1")
        before = (await room.table.loaded()).version
        await room.until(UNKNOWN, UNKNOWN)
        async with opened(one, ANONYMOUS), opened(one, room.seat(0)):
            await room.until(CONNECTED, UNKNOWN)
            assert (await room.standing(0)).connection == "a1.1"
            await room.counts(1, "magnate_game_connected_seats")
        await room.until(AWAY, UNKNOWN)
        await room.counts(0, "magnate_game_connected_seats")
        for presence in ("connected", "away"):
            await room.counts(1, "magnate_game_presence_total", presence=presence)
        commits = (await room.table.commits())[before:]
        assert [commit.actor for commit in commits] == ["presence", "presence"]


async def test_a_stream_that_comes_back_in_time_is_never_missed() -> None:
    """Case C053: the stream drops and another opens; nothing more is written, at this process."""
    async with begun() as room:
        one = await room.process("a1")
        async with opened(one, room.seat(1)):
            await room.until(UNKNOWN, CONNECTED)
        async with opened(one, room.seat(1)):
            await asyncio.sleep(2 * GRACE)  # what must not happen would have
            assert presence_of(await room.standing(1)) == CONNECTED
            assert await room.notes() == 1


async def test_the_newest_named_stream_of_a_seat_wins() -> None:
    """Of its kind, at whichever process; those without a name, of the other kind or seat stay open."""
    async with begun() as room:
        one, other = await room.process("a1"), await room.process("b2")
        async with (
            opened(one, room.seat(0), WATCH, "phone") as old,
            opened(one, room.seat(0), PLAY, "phone") as playing,
            opened(one, room.seat(0)) as nameless,
            opened(one, room.seat(1), WATCH, "phone") as neighbour,
            opened(one, room.seat(0), WATCH, "tablet") as newer,
        ):
            await asyncio.wait([old.task])
            assert old.superseded_by == "tablet"
            room.table.clock.advance(10)
            async with opened(other, room.seat(0), WATCH, "laptop") as newest:
                await asyncio.wait([newer.task])
                assert newer.superseded_by == "laptop"
                assert not any(one.task.done() for one in (playing, nameless, neighbour, newest))
            await room.until(CONNECTED, CONNECTED)


async def test_streams_opened_before_the_game_are_noted_when_it_begins() -> None:
    """Before that nothing is written; several seats share a commit; over and done with, nothing either."""
    async with Room() as room:
        done(await room.table.open(seats=2))
        for seat in range(2):
            done(await room.table.join(f"player {seat}"))
        one, other = await room.process("a1"), await room.process("b2")
        async with opened(one, room.seat(0)), opened(one, room.seat(1)):
            await asyncio.sleep(GRACE)
            assert len(await room.table.commits()) == 3
            done(await room.table.start())
            other.begun(room.table.game_id)
            await room.until(CONNECTED, CONNECTED)
            assert await room.notes() == 1
            await room.table.act(0, Resign())
            over = len(await room.table.commits())
        await asyncio.sleep(2 * GRACE)
        assert len(await room.table.commits()) == over


async def test_a_stand_in_leaves_for_who_comes_back_and_not_for_who_only_moves() -> None:
    """A stream that is opened anew while the seat is there says nothing of who sits before it."""
    options = {"timers.roll_seconds": "20", "timers.expiry": "default_action", "timers.misses_max": "1"}
    async with begun(options) as room:
        seat = (await room.table.rules()).turn_seat
        one, other = await room.process("a1"), await room.process("b2")
        async with opened(one, room.seat(seat)):
            await room.held_by(seat, "a1")
            await room.table.services.advance(room.table.game_id, 20_000)
            assert (await room.standing(seat)).stand_in
            await room.settled()
            async with opened(other, room.seat(seat)):
                await room.held_by(seat, "b2")
                assert (await room.standing(seat)).stand_in

        async def is_away() -> bool:
            return presence_of(await room.standing(seat)) == AWAY

        await room.wait_for(is_away)
        assert (await room.standing(seat)).stand_in
        async with opened(one, room.seat(seat)):
            await room.held_by(seat, "a1")
            assert not (await room.standing(seat)).stand_in


async def test_a_process_that_has_stopped_writes_and_says_no_more() -> None:
    """Streams that end while it goes, and words of others, leave no task behind."""
    async with begun() as room:
        one, other = await room.process("a1"), await room.process("b2")
        stream = Stream(one, room.seat(0))
        await room.until(CONNECTED, UNKNOWN)
        async with opened(other, room.seat(1)):
            await room.until(CONNECTED, CONNECTED)
            noted = await room.notes()
            await one.stop()
            said = len(room.words)
            await stream.close()
            await other.stop()
        begun_tasks = asyncio.all_tasks()
        await asyncio.sleep(2 * GRACE)  # what must not happen would have
        assert asyncio.all_tasks() <= begun_tasks
        assert await room.notes() == noted
        assert len(room.words) == said + 1, "the farewell of the other alone"
