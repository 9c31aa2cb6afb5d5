"""Breaks by anybody, by agreement and by an operator; time that others grant."""

from __future__ import annotations

import pytest

from magnate.game.acting import Acted
from magnate.game.clock_views import clock_views
from magnate.game.domain import attendance as domain
from magnate.game.domain import table as tables
from magnate.game.domain.attendance import ANYBODY, Sighting
from magnate.game.domain.standing import WISH_NONE
from magnate.game.v1 import game_pb2
from magnate.kit.expiry import NotYet
from magnate.rules.vocabulary import Resign, Roll
from tests.support.tables import LocalTable, done, refusal

pytestmark = pytest.mark.asyncio

AGREE = {"table.pause": "agreement"}
TIMED = {"timers.roll_seconds": "90", "timers.extra_seconds_max": "60"}
DAY_MS = 24 * 60 * 60 * 1000


async def begun(options: dict[str, str], seats: int = 3) -> LocalTable:
    """Return a table at which a game has begun; seat 0 is on turn."""
    table = LocalTable()
    dice = [6, 5, 1, 2, 2, 1, 1, 1][: 2 * seats]
    sandbox = game_pb2.Sandbox(dice=[*dice, *([1, 2] * 20)], clocks=True)
    await table.begin(seats=seats, options=options, sandbox=sandbox)
    return table


async def pause(table: LocalTable, seat: int = domain.SOMEBODY) -> tuple[str, list[int]]:
    """Pause, or propose it: the refusal's name or empty, and who has yet to agree."""
    command = table.command(f"seat-{seat}")
    result = await table.game.attendance.pause(table.game_id, command, seat)
    return _told(result, await missing(table, pause=True))


async def resume(table: LocalTable, seat: int = domain.SOMEBODY) -> tuple[str, list[int]]:
    """Go on, or propose it."""
    command = table.command(f"seat-{seat}")
    result = await table.game.attendance.resume(table.game_id, command, seat)
    return _told(result, await missing(table, pause=False))


def _told(result: object, missing: list[int]) -> tuple[str, list[int]]:
    rejection = getattr(result, "rejection", None)
    return ("" if rejection is None else rejection.name), missing


async def missing(table: LocalTable, *, pause: bool) -> list[int]:
    """Return who has yet to agree; nobody, when it is done."""
    state = (await table.loaded()).state
    assert state.rules is not None
    if state.table.status != (tables.RUNNING if pause else tables.PAUSED):
        return []
    return domain.missing_seats(state.table, state.rules.out, pause=pause)


async def status(table: LocalTable) -> int:
    """Return where the table stands in its life."""
    return (await table.loaded()).state.table.status


async def agreed(table: LocalTable) -> list[int]:
    """Return who wishes for something."""
    standings = (await table.loaded()).state.table.standings
    return sorted(seat for seat, one in standings.items() if one.wish != WISH_NONE)


async def grant(table: LocalTable, by_seat: int, seat: int, extra_ms: int) -> str:
    """Grant time; the name of the refusal, or empty."""
    command = table.command(f"seat-{by_seat}")
    result = await table.game.attendance.grant(table.game_id, command, by_seat, seat, extra_ms)
    return _told(result, [])[0]


async def test_a_break_needs_everybody_who_plays() -> None:
    """The last to agree pauses; going on needs the same; each change of mind is none."""
    table = await begun(AGREE)
    assert await pause(table, 0) == ("", [1, 2])
    assert await pause(table, 0) == ("ALREADY_AGREED", [1, 2])
    assert await pause(table, 2) == ("", [1])
    assert await status(table) == tables.RUNNING
    assert await pause(table, 1) == ("", [])
    assert await status(table) == tables.PAUSED
    assert await agreed(table) == []
    assert await pause(table, 1) == ("GAME_PAUSED", [])
    assert await resume(table, 1) == ("", [0, 2])
    assert await agreed(table) == [1]
    assert await resume(table, 0) == ("", [2])
    assert await resume(table, 2) == ("", [])
    assert await status(table) == tables.RUNNING
    assert await resume(table, 2) == ("NOT_PAUSED", [])
    await table.close()


async def test_a_proposal_lapses() -> None:
    """After a minute; then it is begun anew. One to go on is carried out: nobody can hold up the others."""
    table = await begun(AGREE)
    assert await pause(table, 0) == ("", [1, 2])
    await table.services.advance(table.game_id, domain.AGREE_MS - 1)
    assert await pause(table, 1) == ("", [2])
    await table.services.advance(table.game_id, 1)
    assert await agreed(table) == []
    assert await pause(table, 2) == ("", [0, 1])
    for seat in (0, 1):
        await pause(table, seat)
    assert await status(table) == tables.PAUSED
    assert await resume(table, 0) == ("", [1, 2])
    await table.services.advance(table.game_id, domain.AGREE_MS - 1)
    assert await status(table) == tables.PAUSED
    await table.services.advance(table.game_id, 1)
    assert await agreed(table) == []
    assert await status(table) == tables.RUNNING
    pending = {one.kind for one in (await table.loaded()).state.deadlines.values()}
    assert domain.AGREE not in pending
    await table.close()


async def test_going_on_without_the_rest_lets_every_clock_run_with_what_was_left() -> None:
    """As if all had agreed, at the moment when the minute is over; the break is no game time."""
    table = await begun({**AGREE, **TIMED})
    table.clock.advance(10_000)
    for seat in range(3):
        await pause(table, seat)
    paused_ms = (await table.loaded()).state.table.elapsed_ms(table.clock.now_ms())
    table.clock.advance(DAY_MS // 2)
    assert await resume(table, 2) == ("", [0, 1])
    await table.services.advance(table.game_id, domain.AGREE_MS)
    loaded = await table.loaded()
    assert loaded.state.table.elapsed_ms(table.clock.now_ms()) == paused_ms == 10_000
    [clock] = clock_views(loaded.state, table.clock.now_ms())
    assert (clock.stands, clock.left_ms) == (False, 80_000)
    assert isinstance(await table.act(0, Roll()), Acted)
    await table.close()


async def test_who_has_left_the_game_stops_it_no_more() -> None:
    """Where anybody may pause, too: else a loser could hold up the others for as long as he likes."""
    table = await begun({}, 4)
    assert isinstance(await table.act(3, Resign()), Acted)
    version = (await table.loaded()).version
    assert (await pause(table, 3))[0] == "SEAT_OUT"
    assert (await table.loaded()).version == version
    assert (await pause(table, 1))[0] == ""
    assert (await resume(table, 3))[0] == "SEAT_OUT"
    assert await status(table) == tables.PAUSED
    assert (await resume(table, 2))[0] == ""
    await table.close()


async def test_who_is_out_or_away_is_not_asked() -> None:
    """And who is out may not ask either; whoever was waited for and went away holds nothing up."""
    table = await begun(AGREE, 4)
    assert isinstance(await table.act(3, Resign()), Acted)
    assert await pause(table, 3) == ("SEAT_OUT", [0, 1, 2])
    assert await pause(table, 0) == ("", [1, 2])
    note = table.game.attendance.note
    assert await note(table.game_id, "a", [Sighting(2, "a.1", ANYBODY)]) is not None
    assert await note(table.game_id, "a", [Sighting(2, "", "a")]) is not None
    assert await pause(table, 1) == ("", [])
    assert await status(table) == tables.PAUSED
    await table.close()


async def test_an_operator_and_rules_without_agreement_ask_nobody() -> None:
    """A proposal of seats is done with when somebody simply pauses."""
    table = await begun(AGREE)
    assert await pause(table, 0) == ("", [1, 2])
    assert await pause(table) == ("", [])
    assert (await status(table), await agreed(table)) == (tables.PAUSED, [])
    assert await resume(table) == ("", [])
    assert await status(table) == tables.RUNNING
    await table.close()
    free = await begun({})
    assert await pause(free, 2) == ("", [])
    assert await resume(free, 1) == ("", [])
    await free.close()


async def test_a_paused_game_is_abandoned_all_the_same() -> None:
    """However it was paused: when nobody has sent a command for so many days, it ends."""
    table = await begun(AGREE | {"table.abandon_days": "1"})
    await pause(table)
    await table.services.advance(table.game_id, DAY_MS - 10_000)
    assert await status(table) == tables.PAUSED
    await table.services.advance(table.game_id, DAY_MS + 10_000)
    assert await status(table) == tables.OVER
    assert await pause(table) == ("GAME_OVER", [])
    assert await resume(table) == ("GAME_OVER", [])
    await table.close()


async def test_a_break_before_the_game_or_of_none_is_refused() -> None:
    """Each by its name, and nothing is written."""
    table = LocalTable()
    done(await table.open(options=AGREE))
    done(await table.join("A"))
    assert (
        refusal(await table.game.attendance.pause(table.game_id, table.command("seat-0"), 0)) == "NOT_STARTED"
    )
    assert (
        refusal(await table.game.attendance.resume(table.game_id, table.command("seat-0"), 0)) == "NOT_PAUSED"
    )
    command = table.command("seat-0")
    assert refusal(await table.game.attendance.grant(table.game_id, command, 0, 1, 1)) == "NOT_STARTED"
    nowhere = "1-0-" + "f" * 24
    assert refusal(await table.game.attendance.grant(nowhere, command, 0, 1, 1)) == "UNKNOWN_GAME"
    assert len(await table.commits()) == 2
    await table.close()


async def test_others_grant_time_up_to_the_most() -> None:
    """It comes on top, for one decision; the next begins at nothing."""
    table = await begun(TIMED)
    table.clock.advance(10_000)
    [clock] = clock_views((await table.loaded()).state, table.clock.now_ms())
    assert (clock.seat, clock.left_ms) == (0, 80_000)
    assert await grant(table, 1, 0, 20_000) == ""
    assert await grant(table, 2, 0, 40_000) == ""
    assert await grant(table, 2, 0, 1000) == "EXTRA_TIME_LIMIT_REACHED"
    [clock] = clock_views((await table.loaded()).state, table.clock.now_ms())
    assert (clock.left_ms, clock.extra_ms, clock.budget_ms) == (140_000, 60_000, 140_000)
    expired = await table.game.service.expire(table.game_id, clock.deadline_id)
    assert isinstance(expired, NotYet)
    assert expired.remaining_ms == 140_000
    await table.services.advance(table.game_id, 139_999)
    assert (await table.rules()).to_roll
    assert isinstance(await table.act(0, Roll()), Acted)
    [clock] = clock_views((await table.loaded()).state, table.clock.now_ms())
    assert (clock.left_ms, clock.extra_ms) == (90_000, 0)
    assert await grant(table, 1, 0, 60_000) == ""
    await table.close()


async def test_each_grant_that_cannot_be_has_a_name() -> None:
    """And changes nothing."""
    table = await begun(TIMED, 4)
    assert isinstance(await table.act(3, Resign()), Acted)
    before = len(await table.commits())
    for by_seat, seat, extra_ms, name in (
        (3, 0, 1000, "SEAT_OUT"),
        (1, 4, 1000, "UNKNOWN_SEAT"),
        (1, -1, 1000, "UNKNOWN_SEAT"),
        (0, 0, 1000, "OWN_CLOCK"),
        (1, 0, 0, "INVALID_AMOUNT"),
        (1, 0, -1000, "INVALID_AMOUNT"),
        (1, 3, 1000, "SEAT_OUT"),
        (0, 1, 1000, "NO_CLOCK_RUNNING"),
        (1, 0, 61_000, "EXTRA_TIME_LIMIT_REACHED"),
    ):
        assert await grant(table, by_seat, seat, extra_ms) == name
    assert len(await table.commits()) == before
    await pause(table)
    assert await grant(table, 1, 0, 1000) == "GAME_PAUSED"
    await resume(table)
    table.clock.advance(90_000)
    before = len(await table.commits())
    assert await grant(table, 1, 0, 1000) == "DEADLINE_PASSED", "what is over is not revived"
    assert len(await table.commits()) == before
    await table.close()
    strict = await begun({"timers.roll_seconds": "90"})
    assert await grant(strict, 1, 0, 1000) == "EXTRA_TIME_NOT_ALLOWED"
    await strict.close()
