"""A game that everybody has left goes on by its clocks alone, in every rule set and kind of auction."""

from __future__ import annotations

import pytest

from magnate.game.domain.table import OVER
from magnate.kit.log.commit import DEADLINES
from magnate.rules.loader import ruleset_ids
from magnate.rules.vocabulary import END_REASON_TURN_CAP
from tests.support.tables import LocalTable

pytestmark = pytest.mark.asyncio

CLOCKS = {
    "timers.roll_seconds": "20",
    "timers.pay_seconds": "20",
    "timers.deal_seconds": "20",
    "timers.expiry": "default_action",
    "end.turns_max": "24",
}
ROUNDS = 200


async def end_of(ruleset: str, **options: str) -> LocalTable:
    """Return the table of a game that nobody plays, when it is over."""
    table = LocalTable(ruleset)
    await table.begin(ruleset=ruleset, board="", seats=3, options={**CLOCKS, **options})
    for _ in range(ROUNDS):
        if (await table.loaded()).state.table.status == OVER:
            return table
        await table.services.advance(table.game_id, 60_000)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("ruleset", ruleset_ids())
async def test_what_is_missed_is_done_until_the_game_is_over(ruleset: str) -> None:
    """By the simplest action, and then by stand-ins."""
    for options in ({}, {"timers.misses_max": "2"}):
        table = await end_of(ruleset, **options)
        state = (await table.loaded()).state
        assert state.rules is not None
        assert state.rules.end_reason == END_REASON_TURN_CAP
        assert all(one.stand_in for one in state.table.standings.values())


@pytest.mark.parametrize("mode", ["open", "penny", "sealed", "vickrey", "dutch"])
async def test_stand_ins_hold_no_auction_up_and_do_nothing_twice(mode: str) -> None:
    """Each passes once; no commit says nothing but that a clock ran out."""
    table = await end_of(
        "classic", **{"timers.misses_max": "1", "auction.mode": mode, "end.turns_max": "150"}
    )
    commits = await table.commits()
    assert (await table.rules()).auction_count > 0
    empty = [one.version for one in commits if {section.kind for section in one.sections} == {DEADLINES}]
    assert not empty
