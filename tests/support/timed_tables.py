"""Tables with clocks: what they show, what was said, and who comes and goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game import clocks
from magnate.game.clock_views import ClockView, SeatTime, clock_views, seat_times
from magnate.game.domain.attendance import ANYBODY, Sighting
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import RULES, TABLE
from tests.support.tables import LocalTable, done

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit

BUDGETS = {"timers.roll_seconds": "90", "timers.deal_seconds": "30", "timers.pay_seconds": "90"}
RESERVE = {**BUDGETS, "timers.reserve_seconds": "60", "timers.expiry": "default_action"}
QUICK = {
    **RESERVE,
    "timers.reserve_gain_seconds": "10",
    "timers.reserve_max_seconds": "75",
    "timers.quick_percent": "20",
}
AWAY = {**RESERVE, "timers.away_seconds": "45"}
MISSES = {**RESERVE, "timers.reserve_seconds": "0", "timers.misses_max": "2", "timers.stand_in_seconds": "3"}
DICE = [6, 5, *[1, 2] * 40]


async def begun(options: dict[str, str], seats: int = 2, dice: list[int] | None = None) -> LocalTable:
    """Return a table with clocks at which seat 0 is to throw [1, 2], which leads to a lot that is free."""
    table = LocalTable()
    script = game_pb2.Sandbox(dice=dice or DICE, clocks=True)
    await table.begin(seats=seats, options=options, sandbox=script)
    return table


async def shown(table: LocalTable) -> dict[str, ClockView]:
    """Return the clocks that are set, by name."""
    state = (await table.loaded()).state
    return {clocks.name_of(view.deadline_id): view for view in clock_views(state, table.clock.now_ms())}


async def left(table: LocalTable) -> dict[str, int]:
    """Return what is left of every clock in seconds; of one that stands it is negative."""
    views = await shown(table)
    return {name: (-one.left_ms if one.stands else one.left_ms) // 1000 for name, one in views.items()}


async def seat_time(table: LocalTable, seat: int) -> SeatTime:
    """Return how a seat stands with its clocks now."""
    return seat_times((await table.loaded()).state, table.clock.now_ms())[seat]


async def said(table: LocalTable) -> list[str]:
    """Return the words of the newest commit, those of the table and those of the rules."""
    return words_of((await table.commits())[-1])


def words_of(commit: ParsedCommit) -> list[str]:
    """Return the events of the table and of the rules in a commit."""
    found: list[str] = []
    for section in commit.sections:
        if section.kind == TABLE:
            events = game_pb2.TableSection.FromString(section.body).events
            found += [str(event.WhichOneof("kind")) for event in events]
        elif section.kind == RULES:
            rules = game_pb2.RulesSection.FromString(section.body).events
            found += [str(event.WhichOneof("kind")) for event in rules]
    return found


async def wait(table: LocalTable, seconds: float) -> None:
    """Let time pass; what falls due is dealt with."""
    await table.services.advance(table.game_id, int(seconds * 1000))


async def go(table: LocalTable, seat: int, connected: bool) -> None:
    """Let a seat come, or go away."""
    at = Sighting(seat, "boot.1", ANYBODY) if connected else Sighting(seat, "", "boot")
    result = await table.game.attendance.note(table.game_id, "boot", [at])
    assert result is not None
    done(result)


def values_of(one: SeatTime) -> list[object]:
    """Return what a value with slots holds."""
    return [getattr(one, name) for name in SeatTime.__slots__]
