"""Who is there, by several processes: what they tell each other, and the seats of a dead one."""

from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING

import pytest

from magnate.game.domain.attendance import AWAY, CONNECTED, UNKNOWN, boot_of, presence_of
from magnate.game.streams import PLAY, WATCH
from magnate.kit.bulletin import MemoryBulletin
from tests.support.presence_room import GRACE, QUICK, Sleeper, Stream, begun, opened

if TYPE_CHECKING:
    from magnate.game.presence import Presence

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("quick_presence")]


async def test_a_stream_elsewhere_keeps_a_seat_there() -> None:
    """The end of an old connection makes nobody away who has a newer one; nor the end of the newer one."""
    async with begun() as room:
        one, other = await room.process("a1"), await room.process("b2")
        first = Stream(one, room.seat(0))
        await room.until(CONNECTED, UNKNOWN)
        await room.settled()
        async with opened(other, room.seat(0), PLAY):
            await room.held_by(0, "b2")
            third = Stream(one, room.seat(0))
            await third.opened.wait()
            await first.close()
            await asyncio.sleep(2 * GRACE)
            assert presence_of(await room.standing(0)) == CONNECTED
            await third.close()
            await asyncio.sleep(2 * GRACE)
            assert presence_of(await room.standing(0)) == CONNECTED
        await room.until(AWAY, UNKNOWN)
        since_ms = (await room.standing(0)).since_ms
        assert since_ms


async def test_the_seat_of_a_dead_process_becomes_away_or_is_taken_over() -> None:
    """Silence is death: a seat whose only stream was there is away, one with another stays."""
    async with begun() as room:
        await room.heads()
        dead_bulletin = MemoryBulletin()  # nobody hears it any more when it is dead
        dead = await room.process("d0", dead_bulletin)
        async with opened(dead, room.seat(0)), opened(dead, room.seat(1)):
            await room.until(CONNECTED, CONNECTED)
            heir = await room.process("h1")
            async with opened(heir, room.seat(1)):
                room.run(heir)
                await room.until(AWAY, CONNECTED)
                assert boot_of((await room.standing(1)).connection) == "h1"


async def test_a_process_that_is_taken_for_dead_says_that_it_lives() -> None:
    """Nobody has heard it; asked, it answers, and nothing is written."""
    async with begun() as room:
        one = await room.process("a1")
        async with opened(one, room.seat(0)):
            await room.until(CONNECTED, UNKNOWN)
            other = await room.process("b2")
            await room.heads()
            room.run(other)
            await asyncio.sleep(2.5)
            assert await room.notes() == 1


async def test_a_process_that_was_only_slow_takes_its_seats_back() -> None:
    """It stood still, was taken for dead, and its streams are still open."""
    async with begun() as room:
        sleeper = Sleeper(room.bulletin)
        one = await room.process("a1", sleeper)
        async with opened(one, room.seat(0)):
            await room.until(CONNECTED, UNKNOWN)
            other = await room.process("b2")
            await room.heads()
            other_runs = room.run(other)  # and hears nothing of the first
            await room.until(AWAY, UNKNOWN)
            sleeper.wake()
            await room.held_by(0, "a1")
            other_runs.cancel()


async def test_streams_opened_in_a_loop_here_and_there_do_not_fill_the_log() -> None:
    """Whoever keeps one open for a moment takes the seat over; the end of short ones makes nobody away."""
    async with begun() as room:
        one, other = await room.process("a1"), await room.process("b2")
        settled = 0  # on a busy machine a short one may be open for as long as a seat takes to be taken over

        async def loop(process: Presence) -> None:
            nonlocal settled
            for _ in range(25):
                opened_at = time.monotonic()
                async with opened(process, room.seat(0)):
                    await asyncio.sleep(0.012)
                settled += time.monotonic() - opened_at > QUICK["SETTLED_SECONDS"] / 3

        await asyncio.gather(loop(one), loop(other), loop(one), loop(other))
        assert 1 <= await room.notes() <= 3 + settled
        async with opened(other, room.seat(0)):
            await room.held_by(0, "b2")
            noted = await room.notes()
            await asyncio.sleep(2 * GRACE)
            assert presence_of(await room.standing(0)) == CONNECTED
            assert await room.notes() == noted
        await room.until(AWAY, UNKNOWN)


async def test_of_two_streams_opened_at_once_one_stays() -> None:
    """At two processes whose clocks say the same: the words about both cross, and one of them ends."""
    async with begun() as room:
        one, other = await room.process("a1"), await room.process("b2")
        streams = [Stream(each, room.seat(0), WATCH, "phone") for each in (one, other)]
        for stream in streams:
            await stream.opened.wait()
        await asyncio.wait([stream.task for stream in streams], return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(GRACE)
        assert [stream.superseded_by for stream in streams] == ["phone", ""]
        await streams[1].close()


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_comes_and_goes_the_log_ends_up_right(seed: int) -> None:
    """Three processes, streams at random for two seats: in the end a seat is there if it has one."""
    rng = random.Random(seed)
    async with begun() as room:
        processes = [await room.process(boot) for boot in ("a1", "b2", "c3")]
        for one in processes:
            room.run(one)
        streams: list[tuple[int, Stream]] = []
        for _ in range(60):
            if streams and rng.random() < 0.5:
                await streams.pop(rng.randrange(len(streams)))[1].close()
            else:
                seat = rng.randrange(2)
                stream = Stream(rng.choice(processes), room.seat(seat), rng.choice([WATCH, PLAY]))
                await stream.opened.wait()
                streams.append((seat, stream))
            await asyncio.sleep(rng.choice([0, 0, 0.01, 0.04, GRACE]))
        holding = {seat for seat, _ in streams}
        await room.until(*(CONNECTED if seat in holding else AWAY for seat in range(2)))
        await asyncio.sleep(3 * GRACE)  # and stays so
        await room.until(*(CONNECTED if seat in holding else AWAY for seat in range(2)))
        for _, stream in streams:
            await stream.close()
        await room.until(AWAY, AWAY)
