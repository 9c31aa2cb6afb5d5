"""Commands against timers, timers against each other, and what is sent twice."""

from __future__ import annotations

import asyncio

import pytest

from magnate.cli.local import LocalServices
from magnate.kit.expiry import NotYet
from magnate.kit.transact_types import Done
from magnate.rules.vocabulary import BuyLot, Roll
from tests.support.tables import done, refusal
from tests.support.timed_tables import (
    MISSES,
    QUICK,
    RESERVE,
    begun,
    left,
    said,
    seat_time,
    shown,
    words_of,
)

pytestmark = pytest.mark.asyncio


async def test_a_command_is_charged_up_to_when_it_came() -> None:
    """Not to when it was carried out; and before the deadline it counts, whoever is late with it."""
    table = await begun(RESERVE)
    received_at_ms = table.clock.now_ms() + 89_000
    table.clock.advance(200_000)
    command = table.command("seat-0")
    command.received_at_ms = received_at_ms
    done(await table.game.service.act(table.game_id, 0, command, Roll()))
    assert (await seat_time(table, 0)).reserve_ms == 60_000


async def test_what_is_sent_again_earns_nothing() -> None:
    """It is answered from the log; the clock of the next decision is as it was."""
    table = await begun(QUICK)
    await table.act(0, Roll(), command_id="once")
    version = (await table.loaded()).version
    before = await left(table)
    await table.act(0, Roll(), command_id="once")
    assert (await table.loaded()).version == version
    assert await left(table) == before
    assert (await seat_time(table, 0)).reserve_ms == 70_000


async def test_two_instances_that_expire_the_same_clock_do_one_thing() -> None:
    """C054: at once or one after the other, one effect, whichever wins; and the next clock is one."""
    table = await begun(RESERVE)
    other = LocalServices(table.services)
    (deadline_id,) = [one.deadline_id for one in (await shown(table)).values()]
    table.clock.advance(150_000)
    version = (await table.loaded()).version
    results = await asyncio.gather(
        table.game.service.expire(table.game_id, deadline_id),
        other.game.service.expire(table.game_id, deadline_id),
    )
    assert len([one for one in results if isinstance(one, Done)]) >= 1
    assert all(isinstance(one, Done) or refusal(one) == "UNKNOWN_DEADLINE" for one in results)
    assert (await table.game.transactor.view(table.game_id, newest=True)).version == version + 1
    assert await left(table) == {"roll-0": 90}
    late = await other.game.service.expire(table.game_id, deadline_id)
    assert isinstance(late, Done) or refusal(late) == "UNKNOWN_DEADLINE"
    assert (await table.game.transactor.view(table.game_id, newest=True)).version == version + 1


async def test_a_command_in_time_wins_over_a_timer_that_lands_later() -> None:
    """The deadline that it cleared is gone."""
    table = await begun(RESERVE)
    other = LocalServices(table.services)
    (deadline_id,) = [one.deadline_id for one in (await shown(table)).values()]
    command = table.command("seat-0")
    table.clock.advance(150_000)
    done(await table.game.service.act(table.game_id, 0, command, Roll()))
    late = await other.game.service.expire(table.game_id, deadline_id)
    assert not isinstance(late, NotYet)
    assert refusal(late) == "UNKNOWN_DEADLINE"
    assert "time_expired" not in await said(table)


async def test_a_timer_that_lands_first_has_happened_although_the_command_came_in_time() -> None:
    """The command is judged by the position that there is now: the dice lie."""
    table = await begun(RESERVE)
    other = LocalServices(table.services)
    (deadline_id,) = [one.deadline_id for one in (await shown(table)).values()]
    command = table.command("seat-0")
    table.clock.advance(150_000)
    await other.game.service.expire(table.game_id, deadline_id)
    result = await table.game.service.act(table.game_id, 0, command, Roll())
    assert refusal(result) == "WRONG_PHASE"
    thrown = [one for one in await table.commits() if "dice_thrown" in words_of(one)]
    assert len(thrown) == 2  # for the order, and by the clock


async def test_command_and_timer_at_once_are_one_decision() -> None:
    """Whichever wins, the dice are thrown once."""
    for number in range(8):
        table = await begun(RESERVE)
        other = LocalServices(table.services)
        (deadline_id,) = [one.deadline_id for one in (await shown(table)).values()]
        command = table.command("seat-0")
        table.clock.advance(150_000)
        jobs = [
            table.game.service.act(table.game_id, 0, command, Roll()),
            other.game.service.expire(table.game_id, deadline_id),
        ]
        await asyncio.gather(*(jobs if number % 2 else jobs[::-1]))
        thrown = [one for one in await table.commits() if "dice_thrown" in words_of(one)]
        assert len(thrown) == 2


async def test_a_stand_in_and_the_seat_at_once_are_one_decision() -> None:
    """Whichever wins buys the lot, once; the seat plays itself again if its own command was it."""
    seen = set()
    for turns in range(0, 24, 2):
        table = await begun({**MISSES, "timers.misses_max": "1"})
        await table.services.advance(table.game_id, 90_000)
        other = LocalServices(table.services)
        (deadline_id,) = [one.deadline_id for one in (await shown(table)).values()]
        command = table.command("seat-0")
        table.clock.advance(3_000)
        expiry = asyncio.create_task(other.game.service.expire(table.game_id, deadline_id))
        for _ in range(turns):  # of the loop
            await asyncio.sleep(0)
        await asyncio.gather(expiry, table.game.service.act(table.game_id, 0, command, BuyLot()))
        commits = await table.commits()
        (bought,) = [one for one in commits if "lot_bought" in words_of(one)]
        by_seat = bought.actor == "seat-0"
        assert (await seat_time(table, 0)).stand_in is not by_seat
        assert set(await left(table)) == {"roll-0" if by_seat else "stand_in-0"}
        seen.add(by_seat)
    assert seen == {True, False}
