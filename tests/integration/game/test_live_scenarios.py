"""Scenarios on a running server, by the public API: also those that are longer than what a game remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from magnate.cli.scenario.drive_live import LiveDriver
from magnate.cli.scenario.read import read_scenarios
from magnate.cli.scenario.run import run_scenario
from magnate.kit.limits import WINDOW_COMMANDS
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.cli.scenario.model import Scenario
    from tests.support.game_api import Running

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
]

SCENARIO: Final = """
scenario: a deal, more time, a break
rows: [9]
ruleset:
  base: classic
  options: {timers.roll_seconds: 90, timers.extra_seconds_max: 60, timers.expiry: default_action}
players: [A, B]
given: {clocks: on, A: {at: 0}}
dice: [[1, 3]]
do:
  - A: {offer: {id: t1, to: B, give: {cash: 50}}}
  - B: {reject: t1}
  - do: {extra_time: {from: B, to: A, time: 30s}}
  - do: pause
  - A: roll
    rejected: GAME_PAUSED
  - do: resume
  - A: roll
    events: [DiceThrown, TokenMoved]
expect: {turn: A, phase: act, A: {at: 4}}
"""


def _scenario(folder: Path) -> Scenario:
    file = folder / "live.yaml"
    file.write_text(SCENARIO, encoding="utf-8")
    (found,) = read_scenarios(file)
    return found


async def test_a_scenario_comes_out_on_a_server_as_it_does_here(pair: Running, tmp_path: Path) -> None:
    """Every step by the API, what may be refused included."""
    assert await run_scenario(_scenario(tmp_path), lambda: LiveDriver(pair.api.address)) == []


async def test_a_scenario_may_be_longer_than_what_a_game_remembers(pair: Running, tmp_path: Path) -> None:
    """Each step says what the driver has seen, or it would be too old to be judged from the 257th on."""
    driver = LiveDriver(pair.api.address)
    try:
        await driver.open(_scenario(tmp_path))
        assert await driver.start() is None
        terms = vocabulary_pb2.Terms(give_cash=1)
        offer = vocabulary_pb2.Command(offer_trade=vocabulary_pb2.OfferTrade(to_seat=1, terms=terms))
        for number in range(1, WINDOW_COMMANDS // 2 + 1):
            withdraw = vocabulary_pb2.WithdrawOffer(offer=number)
            for command in (offer, vocabulary_pb2.Command(withdraw_offer=withdraw)):
                assert await driver.act(0, command) is None
        assert (await driver.live()).version > WINDOW_COMMANDS
        assert await driver.grant(1, 0, 30_000) is None
        assert await driver.pause(0) is None
        assert await driver.resume(1) is None
    finally:
        await driver.close()
