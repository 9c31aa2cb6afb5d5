"""Use cases of the game service: one effect per command, every refusal, and what time does."""

from __future__ import annotations

import asyncio

import pytest

from magnate.auction.watch import Watcher
from magnate.game.acting import Acted, NotActed
from magnate.game.domain import table as domain
from magnate.game.requests import read_new_table
from magnate.game.v1 import game_pb2
from magnate.kit.errors import ForbiddenError, InvalidArgumentError, UnauthenticatedError
from magnate.kit.expiry import NotYet
from magnate.kit.rpc.call import ANONYMOUS, Principal
from magnate.kit.transact_types import Done, Refused
from magnate.rules.options_table import BY_NAME
from magnate.rules.vocabulary import (
    PHASE_AUCTION,
    DeclineLot,
    PassAuction,
    PlaceBid,
    Resign,
    Roll,
)
from tests.support.dice import to_a_lot
from tests.support.tables import LocalTable, done, refusal

pytestmark = pytest.mark.asyncio

DAY_MS = 24 * 60 * 60 * 1000
UNKNOWN = "1-0-" + "f" * 24


async def begun(**options: str) -> LocalTable:
    """Return a table for two at which a game has begun."""
    table = LocalTable()
    await table.begin(seats=2, options=options)
    return table


async def at_auction() -> LocalTable:
    """Return a table at which a lot is under the hammer, with everything scripted."""
    table = LocalTable()
    await table.begin(seats=2, sandbox=game_pb2.Sandbox(dice=to_a_lot()))
    assert isinstance(await table.act(0, Roll()), Acted)
    assert isinstance(await table.act(0, DeclineLot()), Acted)
    assert (await table.rules()).phase == PHASE_AUCTION
    return table


async def close_ms(table: LocalTable) -> tuple[int, int]:
    """Return when the auction closes and what is left of a pause."""
    [deadline] = [one for one in (await table.loaded()).state.deadlines.values() if one.owner == "auction"]
    return deadline.due_ms, deadline.left_ms


async def test_opening_a_table_again_finds_the_same_one() -> None:
    """The same command is replayed; the same id for another table is refused."""
    table = LocalTable()
    first = done(await table.open())
    twin = table.command("tests", "open-1", b"one")
    again = table.command("tests", "open-1", b"one")
    other = table.command("tests", "open-1", b"two")
    assert first.commit.version == 1
    asked = read_new_table(game_pb2.CreateGameRequest())
    second_id = table.game.service.game_id("tests", "open-1")
    opened = done(await table.game.service.create(second_id, twin, asked))
    replayed = done(await table.game.service.create(second_id, again, asked))
    assert (opened.replayed, replayed.replayed) == (False, True)
    assert opened.commit.hash == replayed.commit.hash
    assert refusal(await table.game.service.create(second_id, other, asked)) == "COMMAND_ID_REUSED"
    await table.close()


@pytest.mark.parametrize(
    ("ruleset", "board", "options", "name", "said"),
    [
        ("chess", "", {}, "UNKNOWN_RULESET", "chess"),
        ("", "atlantis", {}, "UNKNOWN_BOARD", "atlantis"),
        ("", "", {"no.such": "1"}, "OPTION_UNKNOWN", "no.such"),
        ("", "", {"jail.attempts_max": "0"}, "OPTION_INVALID", "jail.attempts_max"),
        ("", "", {"jail.attempts_max": "three"}, "OPTION_INVALID", "jail.attempts_max"),
        ("", "", {"auction.enabled": "1"}, "OPTION_INVALID", "auction.enabled"),
        ("", "", {"auction.enabled": "false"}, "OPTION_CONFLICT", "bankrupt.to_bank"),
        ("", "ultimate-banking", {}, "OPTION_CONFLICT", "build.when"),
        ("", "", {"end.turns_max": "٣"}, "OPTION_INVALID", "end.turns_max"),
    ],
)
async def test_a_table_that_cannot_be_is_refused_by_name(
    ruleset: str, board: str, options: dict[str, str], name: str, said: str
) -> None:
    """Rule set, board or option: the refusal says which, and nothing is stored."""
    table = LocalTable()
    asked = game_pb2.CreateGameRequest(
        ruleset=ruleset,
        board=board,
        options=[game_pb2.OptionSetting(name=key, value=value) for key, value in options.items()],
    )
    result = await table.game.service.create(table.game_id, table.command("tests"), read_new_table(asked))
    assert refusal(result) == name
    assert not isinstance(result, Done)
    assert said in result.rejection.detail
    assert await table.commits() == []
    await table.close()


async def test_what_is_not_played_yet_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that a rule set may have, but this build does not play: the refusal names the option."""
    monkeypatch.setattr(BY_NAME["auction.mode"], "supported", [0])
    table = LocalTable()
    asked = game_pb2.CreateGameRequest(
        options=[game_pb2.OptionSetting(name="auction.mode", value="dutch")],
    )
    result = await table.game.service.create(table.game_id, table.command("tests"), read_new_table(asked))
    assert refusal(result) == "OPTION_NOT_SUPPORTED"
    assert isinstance(result, Refused)
    assert "auction.mode" in result.rejection.detail
    await table.close()


async def test_joining_again_finds_the_same_seat_and_stores_nothing_to_do_it_with() -> None:
    """The stored id is not the one that was sent: who reads the log cannot ask for the seat's token."""
    table = LocalTable()
    done(await table.open(seats=2))
    first = done(await table.join("A", command_id="secret-of-A", entropy=b"x"))
    again = done(await table.join("A", command_id="secret-of-A", entropy=b"x"))
    assert (first.replayed, again.replayed) == (False, True)
    stored = (await table.commits())[-1]
    assert "secret-of-A" not in stored.command_id
    assert refusal(await table.join("A", command_id=stored.command_id, entropy=b"x")) == "NAME_TAKEN"
    assert refusal(await table.join("A", command_id="secret-of-A", entropy=b"y")) == "COMMAND_ID_REUSED"
    assert refusal(await table.join("B", command_id="secret-of-A", entropy=b"x")) == "COMMAND_ID_REUSED"
    done(await table.join("B"))
    assert refusal(await table.join("C")) == "GAME_FULL"
    done(await table.start())
    assert done(await table.join("A", command_id="secret-of-A", entropy=b"x")).replayed
    assert refusal(await table.join("C")) == "ALREADY_STARTED"
    await table.close()


async def test_a_game_that_does_not_exist_can_do_nothing() -> None:
    """Every use case says UNKNOWN_GAME and stores nothing."""
    table = LocalTable()
    service, command = table.game.service, table.command("seat-0")
    assert refusal(await service.join(UNKNOWN, command, "A", b"")) == "UNKNOWN_GAME"
    assert refusal(await service.start(UNKNOWN, command)) == "UNKNOWN_GAME"
    assert refusal(await service.act(UNKNOWN, 0, command, Roll())) == "UNKNOWN_GAME"
    assert refusal(await table.game.attendance.pause(UNKNOWN, command)) == "UNKNOWN_GAME"
    assert refusal(await table.game.attendance.resume(UNKNOWN, command)) == "UNKNOWN_GAME"
    assert refusal(await service.expire(UNKNOWN, "abandon-1")) == "UNKNOWN_GAME"
    assert await table.services.log.load(UNKNOWN) == []
    await table.close()


async def test_a_game_starts_once_with_two_at_least() -> None:
    """Before it starts nothing can be played, and afterwards it cannot start again."""
    table = LocalTable()
    done(await table.open(seats=3))
    done(await table.join("A"))
    assert refusal(await table.start()) == "TOO_FEW_PLAYERS"
    assert await table.refused(0, Roll()) == "NOT_STARTED"
    done(await table.join("B"))
    started = done(await table.start())
    rules = await table.rules()
    assert rules.seats == 2
    assert rules.cash == [1500, 1500]
    assert started.commit.version == 4
    assert refusal(await table.start()) == "ALREADY_STARTED"
    await table.close()


async def test_only_a_seat_of_the_game_acts() -> None:
    """No token, or one of another game: refused before anything is looked at."""
    table = await begun()
    request = game_pb2.ActRequest(game_id=table.game_id, command_id="x")
    request.command.roll.SetInParent()
    acting, now = table.game.acting, table.clock.now_ms()
    with pytest.raises(UnauthenticatedError):
        await acting.act(request, ANONYMOUS, now)
    with pytest.raises(UnauthenticatedError):
        await acting.act(request, Principal("peer", service="auction"), now)
    with pytest.raises(ForbiddenError):
        await acting.act(request, Principal("seat", game_id=UNKNOWN, seat=0), now)
    request.token = "v1.broken.token"
    with pytest.raises(UnauthenticatedError):
        await acting.act(request, Principal("seat", game_id=table.game_id, seat=0), now)
    await table.close()


async def test_a_request_without_a_command_names_the_field() -> None:
    """No kind of command, and ids that can be none."""
    table = await begun()
    caller = Principal("seat", game_id=table.game_id, seat=0)
    for request, field in (
        (game_pb2.ActRequest(game_id=table.game_id, command_id="x"), "command"),
        (game_pb2.ActRequest(game_id="nonsense", command_id="x"), "game_id"),
        (game_pb2.ActRequest(game_id=table.game_id, command_id="a b"), "command_id"),
        (game_pb2.ActRequest(game_id=table.game_id), "command_id"),
    ):
        if field == "command_id":
            request.command.roll.SetInParent()
        with pytest.raises(InvalidArgumentError) as caught:
            await table.game.acting.act(request, caller, table.clock.now_ms())
        assert caught.value.violations[0][0] == field
    await table.close()


async def test_a_command_has_one_effect() -> None:
    """Sent again it is answered from its commit; its id for something else is refused."""
    table = await at_auction()
    before = (await table.loaded()).version
    first = await table.act(1, PlaceBid(6, 10), command_id="bid")
    again = await table.act(1, PlaceBid(6, 10), command_id="bid")
    assert isinstance(first, Acted)
    assert isinstance(again, Acted)
    assert (first.replayed, again.replayed) == (False, True)
    assert first.commit.version == again.commit.version == before + 1
    other = await table.act(1, PlaceBid(6, 20), command_id="bid")
    stolen = await table.act(0, PlaceBid(6, 10), command_id="bid")
    assert isinstance(other, NotActed)
    assert isinstance(stolen, NotActed)
    assert other.rejection.name == stolen.rejection.name == "COMMAND_ID_REUSED"
    assert (await table.rules()).held == [0, 10]
    await table.close()


async def test_what_a_command_has_seen_is_judged() -> None:
    """Ahead of the log, or so far behind that nobody remembers: refused, for rules and bids alike."""
    table = await begun()
    await table.talk(300)
    newest = (await table.loaded()).version
    for command in (Roll(), PlaceBid(1, 1)):
        ahead = await table.act(0, command, seen_version=newest + 1)
        old = await table.act(0, command, seen_version=1)
        never = await table.act(0, command, seen_version=0)
        assert isinstance(ahead, NotActed)
        assert isinstance(old, NotActed)
        assert isinstance(never, NotActed)
        assert ahead.rejection.name == "SEEN_VERSION_AHEAD"
        assert old.rejection.name == never.rejection.name == "COMMAND_TOO_OLD"
    await table.close()


async def test_a_pause_stops_the_hammer() -> None:
    """Nothing can be bid or closed while it lasts; then the clock runs on with what was left."""
    table = await at_auction()
    assert isinstance(await table.act(1, PlaceBid(6, 10)), Acted)
    due_ms, _ = await close_ms(table)
    await table.services.advance(table.game_id, 4000)
    paused = done(await table.game.attendance.pause(table.game_id, table.command("seat-0")))
    assert await close_ms(table) == (0, due_ms - table.clock.now_ms())
    assert paused.loaded.state.table.status == domain.PAUSED
    await table.services.advance(table.game_id, 60_000)
    assert (await table.rules()).phase == PHASE_AUCTION
    for seat, command in ((0, PlaceBid(6, 20)), (0, PassAuction(6)), (0, Roll())):
        assert await table.refused(seat, command) == "GAME_PAUSED"
    assert refusal(await table.game.attendance.pause(table.game_id, table.command("seat-0"))) == "GAME_PAUSED"
    done(await table.game.attendance.resume(table.game_id, table.command("seat-1")))
    assert refusal(await table.game.attendance.resume(table.game_id, table.command("seat-1"))) == "NOT_PAUSED"
    assert await close_ms(table) == (table.clock.now_ms() + 6000, 0)
    await table.services.advance(table.game_id, 5999)
    assert (await table.rules()).phase == PHASE_AUCTION
    await table.services.advance(table.game_id, 1)
    rules = await table.rules()
    assert rules.owner[6] == 1
    assert rules.cash == [1500, 1490]
    await table.close()


async def test_a_bid_that_came_in_time_is_judged_by_when_it_came() -> None:
    """A deadline is compared with the time a command was received, and whoever is first in the log wins."""
    table = await at_auction()
    due_ms, _ = await close_ms(table)
    table.clock.set(due_ms + 1)
    assert await table.refused(1, PlaceBid(6, 10)) == "AUCTION_CLOSED"
    await table.close()


async def test_deadlines_that_are_not_due_or_not_there_change_nothing() -> None:
    """Not yet says how long; what is unknown, cleared or somebody else's is gone."""
    table = await at_auction()
    service = table.game.service
    [abandon] = [key for key, one in (await table.loaded()).state.deadlines.items() if one.kind == "abandon"]
    [close] = [key for key, one in (await table.loaded()).state.deadlines.items() if one.kind != "abandon"]
    early = await service.expire(table.game_id, abandon)
    assert isinstance(early, NotYet)
    assert early.remaining_ms == 30 * DAY_MS
    for deadline_id in (close, "abandon-9"):
        gone = await service.expire(table.game_id, deadline_id)
        assert isinstance(gone, Refused)
        assert gone.rejection.name == "UNKNOWN_DEADLINE"
    await table.close()


async def test_a_table_that_nobody_uses_is_closed_and_counted() -> None:
    """Also one that is paused with a lot under the hammer: the leader's money is free again."""
    table = await at_auction()
    assert isinstance(await table.act(1, PlaceBid(6, 10)), Acted)
    done(await table.game.attendance.pause(table.game_id, table.command("seat-0")))
    await table.services.advance(table.game_id, 29 * DAY_MS)
    assert (await table.loaded()).state.table.status == domain.PAUSED
    await table.services.advance(table.game_id, 2 * DAY_MS)
    state = (await table.loaded()).state
    assert state.table.status == domain.OVER
    assert state.rules is not None
    assert state.rules.held == [0, 0]
    assert sorted(state.rules.ranking) == [0, 1]
    assert state.auction is None
    assert not state.deadlines
    assert not state.holds
    assert state.table.revealed_seed == state.table.seed
    assert await table.refused(0, Roll()) == "GAME_OVER"
    await table.close()


async def test_a_table_that_never_started_is_closed_too() -> None:
    """There is nothing to count, but it does not stay open for ever."""
    table = LocalTable()
    done(await table.open())
    done(await table.join("A"))
    await table.services.advance(table.game_id, 31 * DAY_MS)
    state = (await table.loaded()).state
    assert state.table.status == domain.OVER
    assert state.rules is None
    assert not state.deadlines
    assert refusal(await table.join("B")) == "ALREADY_STARTED"
    assert refusal(await table.start()) == "ALREADY_STARTED"
    await table.close()


async def test_a_table_that_is_used_is_not_abandoned() -> None:
    """The days count from the last command, even after more commands than a game remembers."""
    table = await begun(**{"table.abandon_days": "1"})
    await table.talk(300)
    await table.services.advance(table.game_id, DAY_MS - 1)
    await table.talk(310)
    await table.services.advance(table.game_id, DAY_MS - 1)
    state = (await table.loaded()).state
    assert state.table.status == domain.RUNNING
    assert [deadline.kind for deadline in state.deadlines.values()] == ["abandon"]
    await table.services.advance(table.game_id, 1)
    state = (await table.loaded()).state
    assert state.table.status == domain.OVER
    assert not state.deadlines
    await table.close()


async def test_the_game_may_be_paused_however_long_it_is() -> None:
    """A seat that says what it has seen pauses and resumes a game of more commands than are remembered."""
    table = await begun()
    await table.talk(300)
    for act in (table.game.attendance.pause, table.game.attendance.resume):
        command = table.command("seat-0")
        command.seen_version = (await table.loaded()).version
        done(await act(table.game_id, command))
    assert (await table.loaded()).state.table.status == domain.RUNNING
    await table.close()


async def test_no_command_can_keep_a_deadline_from_being_dealt_with() -> None:
    """An id that an expiry will have is refused, whoever sends it and with whatever."""
    table = await at_auction()
    with pytest.raises(InvalidArgumentError, match="command_id"):
        await table.act(1, PlaceBid(0, 10), command_id="expire:a1-2")
    with pytest.raises(InvalidArgumentError, match="command_id"):
        table.command("tests", "expire:abandon-1")
    assert isinstance(await table.act(1, PlaceBid(0, 10)), Acted)
    await table.services.advance(table.game_id, 60_000)
    assert (await table.rules()).phase != PHASE_AUCTION


async def test_watching_the_auctions_of_a_game_that_is_over_ends() -> None:
    """There is nothing to wait for."""
    table = await begun()
    assert isinstance(await table.act(0, Resign()), Acted)
    assert (await table.loaded()).state.table.status == domain.OVER
    async with asyncio.timeout(30):
        seen = [one async for one in Watcher(table.services.auction).watch(table.game_id, 0)]
    assert [one.loaded.state.over for one in seen] == [True]
