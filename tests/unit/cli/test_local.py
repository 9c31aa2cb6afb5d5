"""The four services in one process are one server: one effect for one command, whatever comes at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from magnate.cli.local import LocalServices
from magnate.cli.scenario.driver import sandbox_of
from magnate.cli.scenario.read import read_text
from magnate.game.acting import Acted, NotActed
from magnate.game.requests import read_command, read_new_table
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import encode_command
from magnate.kit.rpc.call import Principal
from magnate.kit.transact_types import Done
from magnate.rules.v1 import vocabulary_pb2
from magnate.rules.vocabulary import Command, DeclineLot, PassAuction, PlaceBid, RedeemLots, Roll

if TYPE_CHECKING:
    from magnate.game.acting import Outcome
    from magnate.game.service import Result
    from magnate.kit.log import commit as log_commit

POSITION = """
scenario: a position
players: [A, B]
given: {A: {at: 13, cash: 100}, lots: {1: {owner: A, mortgaged: true}, 12: {owner: A, mortgaged: true}}}
dice: [[3, 4], [1, 1]]
do:
  - A: roll
    pays: []
"""


class Table:
    """A sandbox table on local services."""

    def __init__(self) -> None:
        self.services = LocalServices()
        self.game_id = self.services.game.service.game_id("test", "table")

    async def open(self, text: str) -> None:
        """Open it in a position and begin."""
        (scenario,) = read_text("position", text)
        service = self.services.game.service
        asked = game_pb2.CreateGameRequest(seat_count=2, sandbox=sandbox_of(scenario))
        self._done(await service.create(self.game_id, self._command("open"), read_new_table(asked)))
        for name in scenario.table.players:
            self._done(await service.join(self.game_id, self._command(f"join-{name}"), name, b""))
        self._done(await service.start(self.game_id, self._command("start")))

    async def act(self, seat: int, command_id: str, command: Command) -> Outcome:
        """Send a command."""
        message = vocabulary_pb2.Command()
        encode_command(command, message)
        request = game_pb2.ActRequest(game_id=self.game_id, command_id=command_id, command=message)
        caller = Principal("seat", game_id=self.game_id, seat=seat)
        return await self.services.game.acting.act(request, caller, self.services.clock.now_ms())

    async def version(self) -> int:
        """Return the newest version."""
        return (await self.services.game.transactor.view(self.game_id)).version

    def _command(self, command_id: str) -> log_commit.Command:
        return read_command(command_id, b"", actor="test", received_at_ms=self.services.clock.now_ms())

    @staticmethod
    def _done(result: Result) -> None:
        assert isinstance(result, Done), result.rejection


@pytest.mark.asyncio
async def test_the_same_command_twice_has_one_effect() -> None:
    """C051: a double click with one id throws once, and both answers are the same."""
    table = Table()
    await table.open(POSITION)
    before = await table.version()
    one, two = await asyncio.gather(table.act(0, "same", Roll()), table.act(0, "same", Roll()))
    assert isinstance(one, Acted)
    assert isinstance(two, Acted)
    assert sorted((one.replayed, two.replayed)) == [False, True]
    assert one.commit.version == two.commit.version == await table.version() == before + 1


@pytest.mark.asyncio
async def test_two_devices_cannot_spend_the_same_money() -> None:
    """C048: of two payments that are each covered and not both, exactly one is made."""
    table = Table()
    await table.open(POSITION)
    before = await table.version()
    outcomes = await asyncio.gather(
        table.act(0, "one", RedeemLots([12])), table.act(0, "two", RedeemLots([1]))
    )
    refused = [one for one in outcomes if isinstance(one, NotActed)]
    assert [one.rejection.name for one in refused] == ["INSUFFICIENT_FUNDS"]
    assert await table.version() == before + 1


@pytest.mark.asyncio
@pytest.mark.parametrize("fault", ["lost_ack", "lost", "unavailable", "in_flight"])
async def test_whatever_the_log_answers_there_is_one_effect(fault: str) -> None:
    """A bid whose append is lost, or whose answer is, leads once and holds its money once."""
    table = Table()
    await table.open(POSITION.replace("A: {at: 13, cash: 100}", "A: {at: 13, cash: 100}, phase: buy"))
    await table.act(0, "decline", DeclineLot())
    before = await table.version()
    table.services.log.faults.append(fault)  # type: ignore[arg-type]
    bid = await table.act(1, "bid", PlaceBid(13, 30))
    assert isinstance(bid, Acted)
    assert await table.version() == before + 1
    passed = await table.act(0, "pass", PassAuction(13))
    assert isinstance(passed, Acted)
    rules = passed.loaded.state.rules
    assert rules is not None
    assert (rules.cash, rules.held, rules.owner[13]) == ([100, 1470], [0, 0], 1)


@pytest.mark.asyncio
async def test_bids_at_the_same_moment_are_judged_one_after_the_other() -> None:
    """Two bids of the same amount cannot both lead."""
    table = Table()
    await table.open(POSITION.replace("A: {at: 13, cash: 100}", "A: {at: 13, cash: 100}, phase: buy"))
    await table.act(0, "decline", DeclineLot())
    outcomes = await asyncio.gather(
        table.act(0, "one", PlaceBid(13, 50)), table.act(1, "two", PlaceBid(13, 50))
    )
    refused = [one for one in outcomes if isinstance(one, NotActed)]
    assert [one.rejection.name for one in refused] == ["BID_TOO_LOW"]


@pytest.mark.asyncio
async def test_a_bid_and_another_command_at_the_same_moment_both_count() -> None:
    """Auction and game write the same log; whoever loses the race decides again."""
    table = Table()
    await table.open(POSITION.replace("A: {at: 13, cash: 100}", "A: {at: 13, cash: 100}, phase: buy"))
    await table.act(0, "decline", DeclineLot())
    before = await table.version()
    outcomes = await asyncio.gather(
        table.act(0, "redeem", RedeemLots([12])), table.act(1, "bid", PlaceBid(13, 50))
    )
    assert all(isinstance(one, Acted) for one in outcomes)
    assert await table.version() == before + 2


@pytest.mark.asyncio
async def test_deadlines_fire_in_order_when_time_passes() -> None:
    """The hammer falls ten seconds after the last bid, and not before."""
    table = Table()
    await table.open(POSITION.replace("A: {at: 13, cash: 100}", "A: {at: 13, cash: 100}, phase: buy"))
    await table.act(0, "decline", DeclineLot())
    before = await table.version()
    await table.services.advance(table.game_id, 9_999)
    assert await table.version() == before
    await table.services.advance(table.game_id, 1)
    assert await table.version() == before + 1
    assert [one.kind for one in await table.services.pending(table.game_id)] == ["abandon"]
