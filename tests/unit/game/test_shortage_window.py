"""The window of the last buildings and its deadline, at the service: two processes, a cold start, a pause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.cli.local import LocalServices
from magnate.cli.scenario.drive_local import LocalDriver
from magnate.cli.scenario.read import read_text
from magnate.game.snapshot import GameSnapshots
from magnate.game.view import game_view
from magnate.game.vocabulary_codec import encode_command
from magnate.kit.transact_types import Done, Refused
from magnate.rules import plain
from magnate.rules.rejections import UNKNOWN_DEADLINE
from magnate.rules.v1 import vocabulary_pb2
from magnate.rules.vocabulary import (
    BUILDING_HOUSE,
    PHASE_ROLL,
    PHASE_SHORTAGE,
    Build,
    LotLevel,
    PassAuction,
    PlaceBid,
    Skip,
    WantBuilding,
)

if TYPE_CHECKING:
    from magnate.game.state import GameState
    from magnate.kit.log.fold import Loaded
    from magnate.rules.vocabulary import Command

pytestmark = pytest.mark.asyncio

A, B, C = 0, 1, 2
POSITION = """
scenario: one house is left
ruleset: {base: classic, options: {build.shortage: auction}}
players: [A, B, C]
given:
  turn: C
  lots:
    37: {owner: A}
    39: {owner: A}
    31: {owner: B}
    32: {owner: B}
    34: {owner: B}
    1: {owner: C, buildings: 4}
    3: {owner: C, buildings: 3}
    6: {owner: C, buildings: 4}
    8: {owner: C, buildings: 4}
    9: {owner: C, buildings: 4}
    11: {owner: C, buildings: 4}
    13: {owner: C, buildings: 4}
    14: {owner: C, buildings: 4}
do:
  - C: roll
expect: {turn: C}
"""
SECONDS_15 = 15_000


class House:
    """A table at which A has asked for the last house, and a second process of every service."""

    def __init__(self) -> None:
        self.driver = LocalDriver()
        self.services = self.driver.services
        self.other = LocalServices(self.services)
        self.game_id = self.driver.game_id
        self.clock = self.services.clock

    async def open(self) -> None:
        """Begin, and let A ask."""
        scenario = read_text("position.yaml", POSITION)[0]
        await self.driver.open(scenario)
        assert await self.driver.start() is None
        await self.act(A, Build([LotLevel(37, 1)]))

    async def act(self, seat: int, command: Command, refused: str = "") -> None:
        """Carry out a command, which must be accepted, or refused by this name."""
        message = vocabulary_pb2.Command()
        encode_command(command, message)
        refusal = await self.driver.act(seat, message)
        assert ("" if refusal is None else refusal.reason) == refused

    async def loaded(self) -> Loaded[GameState]:
        """Return the game as the other process reads it."""
        return await self.other.game.transactor.view(self.game_id)

    async def deadline(self) -> str:
        """Return the id of the window's deadline."""
        deadlines = (await self.loaded()).state.deadlines
        return next(name for name, one in deadlines.items() if one.kind == "shortage")


async def opened() -> House:
    """Return a table with an open window."""
    made = House()
    await made.open()
    return made


async def test_the_view_shows_the_window() -> None:
    """Who is asked, for what, who asked first, when it closes; the game waits for those who are asked."""
    house = await opened()
    view = game_view(await house.loaded())
    assert view.situation.phase == PHASE_SHORTAGE
    assert list(view.situation.waiting_seats) == [B, C]
    shortage = view.situation.shortage
    assert (shortage.building, list(shortage.asked_seats), shortage.first_seat) == (BUILDING_HOUSE, [B, C], A)
    assert [one.kind for one in view.deadlines if one.kind == "shortage"] == ["shortage"]


async def test_another_process_closes_the_window_once() -> None:
    """A process that never saw the table finds the deadline in the log; the second time it is gone."""
    house = await opened()
    deadline_id = await house.deadline()
    house.clock.advance(SECONDS_15)
    closed = await house.other.game.service.expire(house.game_id, deadline_id)
    assert isinstance(closed, Done)
    loaded = await house.loaded()
    assert loaded.state.rules is not None
    assert (loaded.state.rules.phase, loaded.state.rules.level[37]) == (PHASE_ROLL, 1)
    again = await house.services.game.service.expire(house.game_id, deadline_id)
    assert isinstance(again, Done)
    assert again.replayed
    never = await house.other.game.service.expire(house.game_id, f"{deadline_id}0")
    assert isinstance(never, Refused)
    assert never.rejection.name == UNKNOWN_DEADLINE


async def test_the_deadline_ends_with_the_last_answer() -> None:
    """Nothing is left to fire when all have answered; the auction has a deadline of its own."""
    house = await opened()
    await house.act(B, WantBuilding(BUILDING_HOUSE))
    await house.deadline()
    await house.act(C, Skip())
    kinds = {one.kind for one in (await house.loaded()).state.deadlines.values()}
    assert "shortage" not in kinds
    assert "close" in kinds


async def test_who_wants_one_after_the_window_has_closed_is_too_late() -> None:
    """Though the timer has not been there yet; up to then it counts."""
    house = await opened()
    house.clock.advance(SECONDS_15 - 1)
    await house.act(B, WantBuilding(BUILDING_HOUSE))
    house.clock.advance(1)
    await house.act(C, WantBuilding(BUILDING_HOUSE), "DEADLINE_PASSED")


async def test_the_view_shows_a_building_under_the_hammer() -> None:
    """No lot, but which building; bids name no lot."""
    house = await opened()
    await house.act(B, WantBuilding(BUILDING_HOUSE))
    await house.act(C, Skip())
    auction = game_view(await house.loaded()).situation.auction
    assert (auction.lot, auction.building, auction.turn_seat) == (-1, BUILDING_HOUSE, -1)
    assert (auction.next_minimum, list(auction.bidders)) == (200, [A, B])
    await house.act(B, PlaceBid(-1, 200))
    await house.act(A, PassAuction(0))
    assert list(game_view(await house.loaded()).situation.waiting_seats) == [B]


async def test_a_snapshot_keeps_the_window() -> None:
    """Stored and read back, the game waits for the same answers."""
    house = await opened()
    codec = GameSnapshots()
    state = (await house.loaded()).state
    twin = codec.decode(codec.encode(state))
    assert state.rules is not None
    assert twin.rules is not None
    assert plain.digest(twin.rules) == plain.digest(state.rules)
    assert twin.rules.extras.shortage_targets == state.rules.extras.shortage_targets != []
