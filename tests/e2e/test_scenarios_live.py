"""Scenario files on running services: what holds in one process holds through the public API as well."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from magnate.cli.scenario import run_scenarios
from magnate.cli.stack import Stack, StackOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(240)]

CLASSIC = Path(__file__).parents[1] / "scenario" / "classic"
# Without the files that wait for the hammer to fall: here that takes its time.
FILES = ["rent", "cards", "jail", "building", "trade", "mortgage", "cases_property", "cases_trade"]
FILES += ["auction_binding", "auction_penny", "auction_proxies", "auctions_at_once"]

AUCTION = """
scenario: the hammer falls by itself
players: [A, B]
given: {A: {at: 3}, phase: buy}
do:
  - A: decline
  - B: {bid: 5}
  - wait: deadline
    events: [AuctionClosed, LotAuctioned]
    pays: [{from: B, to: bank, amount: 5}]
expect: {lots: {3: {owner: B}}, phase: act}
---
scenario: the table of the position begins in the middle of an auction
players: [A, B, C]
given: {A: {at: 24}, auction: {lot: 24, leader: B, price: 150, passed: [C]}}
do:
  - C: {bid: 200}
    rejected: ALREADY_PASSED
  - do: pause
    events: [TablePaused]
  - A: pass
    rejected: GAME_PAUSED
  - do: resume
    events: [TableResumed]
  - A: pass
    pays: [{from: B, to: bank, amount: 150}]
---
scenario: a throw that is not made in its time is made by the clock
ruleset:
  base: classic
  options: {timers.roll_seconds: 5, timers.deal_seconds: 1, timers.expiry: default_action}
players: [A, B]
given: {clocks: on, A: {at: 16}}
dice: [[1, 3]]
do:
  - A: {offer: {id: t1, to: B, give: {cash: 5}}}
  - wait: 1100ms
    events: [OfferClosed]
  - wait: deadline
    events: [TimeExpired, DiceThrown, TokenMoved]
expect: {A: {at: 20}, offers: [], phase: act}
---
scenario: the agreed time ends the round that runs
ruleset: {base: timed, options: {end.minutes: 1}}
players: [A, B]
given: {elapsed: 58s, turn: B, B: {at: 16}}
dice: [[1, 3]]
do:
  - wait: deadline
    events: [TimeUp]
  - B: roll
  - B: end_turn
    events: [GameEnded]
expect: {phase: over, end_reason: time}
---
scenario: a game from its start to its end
players: [A, B]
dice: [[1, 2], [3, 4], [1, 2]]
do:
  - do: start
    events: [TableStarted, GameStarted]
  - B: roll
  - A: resign
    events: [SeatResigned, GameEnded]
expect: {phase: over, ranking: [B, A], end_reason: last_player}
"""


CLOCKS = """
scenario: who goes away is waited for, and others may give more time
ruleset:
  base: classic
  options:
    timers.roll_seconds: 60
    timers.reserve_seconds: 30
    timers.away_seconds: 60
    timers.extra_seconds_max: 20
    timers.expiry: default_action
players: [A, B]
given: {clocks: on, A: {at: 16}}
dice: [[1, 3]]
do:
  - do: {connect: A}
    events: [SeatPresence]
  - do: {disconnect: A}
    events: [SeatPresence]
  - do: {connect: A}
    events: [SeatPresence, AllowanceChanged]
  - do: {extra_time: {from: B, to: A, time: 20s}}
    events: [ExtraTimeGranted]
  - do: {extra_time: {from: B, to: A, time: 1s}}
    rejected: EXTRA_TIME_LIMIT_REACHED
  - A: roll
expect:
  A: {away: false, stand_in: false, misses: 0, stands: false, reserve: 30s, allowance: 60s, clock: 90s}
---
scenario: a stand-in plays for who does not, and leaves when he does
ruleset:
  base: classic
  options:
    timers.roll_seconds: 2
    timers.misses_max: 1
    timers.stand_in_seconds: 5
    timers.expiry: default_action
players: [A, B]
given: {clocks: on, A: {at: 0}}
dice: [[1, 2]]
do:
  - wait: deadline
    events: [ClockMissed, StandInSeated, TimeExpired, DiceThrown]
  - A: buy
    events: [StandInLeft, LotBought]
expect: {A: {stand_in: false, misses: 0}, lots: {3: {owner: A}}}
---
scenario: a break that all agree to
ruleset:
  base: classic
  options: {timers.roll_seconds: 60, timers.expiry: default_action, table.pause: agreement}
players: [A, B]
given: {clocks: on}
do:
  - do: {pause: B}
    events: [PauseProposed]
  - do: {pause: A}
    events: [TablePaused]
expect: {A: {clock: 60s, stands: true}}
"""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Run everything on free ports, sandbox tables allowed; return where the game service answers."""
    loop = asyncio.new_event_loop()
    stack = Stack(StackOptions(data=tmp_path / "data", free_ports=True, sandbox=True))
    try:
        loop.run_until_complete(stack.start())
        yield stack.addresses("game")[0]
    finally:
        loop.run_until_complete(stack.stop())
        loop.close()


def test_scenarios_come_out_on_a_server(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every step is a call, every check reads what any client may read, and time passes for real."""
    own = tmp_path / "auction.yaml"
    own.write_text(AUCTION)
    clocks = tmp_path / "clocks.yaml"
    clocks.write_text(CLOCKS)
    files = [own, clocks, *(CLASSIC / f"{name}.yaml" for name in FILES)]
    # One rule set: what a scenario needs of a server is the same in all of them.
    code = run_scenarios(files, address, rulesets=["classic", "timed"], json_mode=False)
    assert code == 0, capsys.readouterr().out


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    """Exit code 3: no scenario has failed, there was just nobody to ask."""
    own = tmp_path / "auction.yaml"
    own.write_text(AUCTION)
    assert run_scenarios([own], "127.0.0.1:1", json_mode=False) == 3
