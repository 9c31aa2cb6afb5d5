"""An auction whose end was missed in a downtime gets the time back in which nobody could bid."""

from __future__ import annotations

import asyncio

import pytest

from magnate.kit.expiry import Expired, NotYet
from magnate.kit.log.commit import DEADLINES, read_commit
from magnate.kit.log.memory import MemoryLog
from magnate.kit.transact_types import Done
from tests.support.auctioning import CLOSE_MS, House

pytestmark = pytest.mark.asyncio
DOWN_MS = 3_600_000


async def house() -> House:
    """Return a game with one auction, in which a bid was made four seconds after its opening."""
    made = House(MemoryLog(), "missed")
    await made.seat(3, 100)
    await made.put_up(range(3), [100] * 3)
    return made


async def test_a_close_that_was_missed_is_put_off_once() -> None:
    """By what was left at the newest commit; bids count again, and move the end as ever."""
    one = await house()
    due_ms = (await one.state()).deadlines["a1-1"].due_ms
    one.fake_clock.set(due_ms + DOWN_MS)
    assert isinstance(await one.service.expire(one.game_id, "a1-1", 0), NotYet)
    state = await one.state()
    shifted = state.deadlines["a1-1"]
    assert (shifted.due_ms, shifted.shifted) == (due_ms + DOWN_MS + CLOSE_MS, True)
    newest = await one.service.view(one.game_id)
    commit = (await one.log.load(one.game_id))[-1]
    assert commit.sequence == newest.sequence
    one.fake_clock.advance(CLOSE_MS - 1)
    assert isinstance(await one.bid(0, 30), Done)
    assert list((await one.state()).deadlines) == ["a1-2"]
    one.fake_clock.advance(CLOSE_MS)
    assert isinstance(await one.service.expire(one.game_id, "a1-2", 0), Expired)


async def test_a_second_downtime_puts_off_nothing() -> None:
    """So no auction goes on for ever, however late everything always is."""
    one = await house()
    due_ms = (await one.state()).deadlines["a1-1"].due_ms
    one.fake_clock.set(due_ms + DOWN_MS)
    assert isinstance(await one.service.expire(one.game_id, "a1-1", 0), NotYet)
    one.fake_clock.advance(DOWN_MS)
    assert isinstance(await one.service.expire(one.game_id, "a1-1", 0), Expired)
    assert not (await one.state()).auctions.running


@pytest.mark.parametrize(("late_ms", "shifts"), [(5_000, False), (5_001, True)])
async def test_a_moment_late_is_no_downtime(late_ms: int, *, shifts: bool) -> None:
    """A slow timer or an election of a leader is made up for by closing."""
    one = await house()
    one.fake_clock.set((await one.state()).deadlines["a1-1"].due_ms + late_ms)
    assert isinstance(await one.service.expire(one.game_id, "a1-1", 0), NotYet if shifts else Expired)


async def test_a_close_is_not_lost_to_a_downtime_however_short() -> None:
    """Who starts after the due time gives the time again in which nobody could bid."""
    one = await house()
    due_ms = (await one.state()).deadlines["a1-1"].due_ms
    one.fake_clock.set(due_ms + 1_000)
    back = one.other()
    assert isinstance(await back.service.expire(one.game_id, "a1-1", 0), NotYet)
    assert (await back.state()).deadlines["a1-1"].due_ms == due_ms + 1_000 + CLOSE_MS


async def test_two_processes_put_it_off_once_by_what_the_log_says() -> None:
    """Both find it late, each by a clock of its own; one commit."""
    one = await house()
    other = one.other()
    due_ms = (await one.state()).deadlines["a1-1"].due_ms
    one.fake_clock.set(due_ms + DOWN_MS)
    before = len(await one.log.load(one.game_id))
    replies = await asyncio.gather(
        *(house.service.expire(one.game_id, "a1-1", 0) for house in (one, other) for _ in range(3))
    )
    assert all(isinstance(reply, NotYet) for reply in replies)
    stored = await one.log.load(one.game_id)
    assert len(stored) == before + 1
    assert (await one.state()).deadlines["a1-1"].due_ms == due_ms + DOWN_MS + CLOSE_MS


async def test_a_shift_says_so_in_the_log_and_nothing_else() -> None:
    """A commit of deadlines alone: no money, no event of the auction."""
    one = await house()
    one.fake_clock.set((await one.state()).deadlines["a1-1"].due_ms + DOWN_MS)
    await one.service.expire(one.game_id, "a1-1", 0)
    newest = await one.service.transactor.view(one.game_id)
    read = await one.log.read(one.game_id, newest.sequence)
    assert read is not None
    commit = read_commit(one.game_id, read.data)
    assert [section.kind for section in commit.sections] == [DEADLINES]
    assert commit.command_id == "expire:a1-1:shift"


async def test_all_that_was_missed_is_put_off_alike() -> None:
    """One after the other, though each writes to the log: two auctions, and what one of them calls."""
    one = await house()
    await one.put_up(range(3), [100] * 3, auction=2, calls_ms=2_000)
    before = (await one.state()).deadlines
    assert set(before) == {"a1-1", "a2-1", "a2-1-1"}
    one.fake_clock.set(before["a1-1"].due_ms + DOWN_MS)
    for deadline_id in ("a2-1-1", "a1-1", "a2-1"):
        assert isinstance(await one.service.expire(one.game_id, deadline_id, 0), NotYet)
    after = (await one.state()).deadlines
    assert len({after[name].due_ms - before[name].due_ms for name in before}) == 1
    assert all(deadline.shifted for deadline in after.values())
