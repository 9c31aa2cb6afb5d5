"""Tables over gRPC: opened, joined and started once however often that is asked, refused by name, listed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.game.v1 import game_pb2
from magnate.rules.loader import board_ids, ruleset_ids
from tests.support.dice import to_a_lot
from tests.support.game_api import Table, new_id, refused

if TYPE_CHECKING:
    from tests.support.game_api import Running

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
    pytest.mark.asyncio(loop_scope="session"),
]


async def test_opening_joining_and_starting_have_one_effect(pair: Running) -> None:
    """The same command sent again, to the other worker too, finds the same table, seat, token and version."""
    first, second = pair.workers
    create, join, start = new_id(), new_id(), new_id()
    opened = await first.create(command_id=create, seat_count=2)
    again = await second.create(command_id=create, seat_count=2)
    assert (opened.replayed, again.replayed) == (False, True)
    assert (opened.game_id, opened.version) == (again.game_id, again.version)
    seat = await first.join(opened.game_id, "A", join, b"x")
    same = await second.join(opened.game_id, "A", join, b"x")
    assert (seat.replayed, same.replayed) == (False, True)
    assert (seat.seat, seat.token, seat.version) == (same.seat, same.token, same.version)
    await second.join(opened.game_id, "B")
    table = Table(opened.game_id, [seat.token])
    begun = await second.start(table, start)
    replay = await first.start(table, start)
    assert (begun.replayed, replay.replayed) == (False, True)
    assert begun.version == replay.version == 4
    assert begun.situation.turn == 1
    assert len(await first.export(table)) == 4


async def test_many_at_once_take_every_seat_once(pair: Running) -> None:
    """Twelve players ask two workers for eight seats at the same moment."""
    opened = await pair.api.create(seat_count=8)
    joins = [pair.workers[n % 2].join(opened.game_id, f"player {n}") for n in range(12)]
    answers = await asyncio.gather(*joins, return_exceptions=True)
    seated = [one for one in answers if isinstance(one, game_pb2.JoinGameResponse)]
    turned_away = [one for one in answers if isinstance(one, grpc.aio.AioRpcError)]
    assert sorted(one.seat for one in seated) == list(range(8))
    assert len({one.token for one in seated}) == 8
    assert len(turned_away) == 4
    assert all(one.code() is grpc.StatusCode.FAILED_PRECONDITION for one in turned_away)


async def test_an_id_for_something_else_is_refused(pair: Running) -> None:
    """ALREADY_EXISTS, COMMAND_ID_REUSED; the table is not changed."""
    create, join = new_id(), new_id()
    opened = await pair.api.create(command_id=create, seat_count=3)
    await pair.api.join(opened.game_id, "A", join)
    for call in (
        pair.api.create(command_id=create, seat_count=4),
        pair.workers[1].create(command_id=create, seat_count=3, title="t"),
        pair.api.join(opened.game_id, "B", join),
        pair.workers[1].join(opened.game_id, "A", join, b"other"),
    ):
        error = await refused(call)
        assert error.code is grpc.StatusCode.ALREADY_EXISTS
        assert error.reason == "COMMAND_ID_REUSED"
    assert len(await pair.api.export(Table(opened.game_id, []))) == 2


async def test_what_the_log_shows_does_not_give_a_token(pair: Running) -> None:
    """Everybody can watch; with the id that is stored for a join nobody gets its seat."""
    opened = await pair.api.create(seat_count=2)
    await pair.api.join(opened.game_id, "A", entropy=b"x")
    watching = pair.api.stub.WatchGame(game_pb2.WatchGameRequest(game_id=opened.game_id, after_version=1))
    updates = aiter(watching)
    assert (await anext(updates)).HasField("now")
    update = await anext(updates)
    watching.cancel()
    taken = update.commit.table_events[0].seat_taken
    error = await refused(pair.api.join(opened.game_id, taken.name, update.commit.command_id, taken.entropy))
    assert error.reason == "NAME_TAKEN"


@pytest.mark.parametrize(
    ("fields", "options", "code", "reason", "said"),
    [
        ({"ruleset": "chess"}, {}, "NOT_FOUND", "UNKNOWN_RULESET", "chess"),
        ({"board": "atlantis"}, {}, "NOT_FOUND", "UNKNOWN_BOARD", "atlantis"),
        ({"seat_count": 9}, {}, "INVALID_ARGUMENT", "INVALID_SEAT_COUNT", "9 seats"),
        ({"seat_count": -1}, {}, "INVALID_ARGUMENT", "INVALID_SEAT_COUNT", "-1 seats"),
        ({"title": "x" * 81}, {}, "INVALID_ARGUMENT", "INVALID_NAME", "80"),
        ({}, {"no.such": "1"}, "INVALID_ARGUMENT", "OPTION_UNKNOWN", "no.such"),
        ({}, {"end.turns_max": "0"}, "INVALID_ARGUMENT", "OPTION_INVALID", "end.turns_max"),
        ({}, {"end.turns_max": "many"}, "INVALID_ARGUMENT", "OPTION_INVALID", "end.turns_max"),
        ({}, {"auction.enabled": "false"}, "INVALID_ARGUMENT", "OPTION_CONFLICT", "auction.enabled"),
        ({"command_id": "a b"}, {}, "INVALID_ARGUMENT", "INVALID_ARGUMENT", "command_id"),
    ],
)
async def test_a_table_that_cannot_be_is_refused_by_name(
    plain: Running, fields: dict[str, Any], options: dict[str, str], code: str, reason: str, said: str
) -> None:
    """The reason is stable and the message names the board, option or field."""
    error = await refused(plain.api.create(options, **fields))
    assert error.code is grpc.StatusCode[code]
    assert error.reason == reason
    assert said in error.message


async def test_an_option_is_set_once(plain: Running) -> None:
    """The violation names the second setting."""
    one = game_pb2.OptionSetting(name="end.turns_max", value="5")
    request = game_pb2.CreateGameRequest(command_id=new_id(), options=[one, one])
    error = await refused(plain.api.call("CreateGame", request))
    assert error.violations == [("options[1]", "end.turns_max is set twice")]


@pytest.mark.parametrize(
    ("name", "entropy", "code", "reason"),
    [
        ("", b"", "INVALID_ARGUMENT", "INVALID_NAME"),
        ("x" * 41, b"", "INVALID_ARGUMENT", "INVALID_NAME"),
        ("a\tb", b"", "INVALID_ARGUMENT", "INVALID_NAME"),
        ("A", b"", "ALREADY_EXISTS", "NAME_TAKEN"),
        ("B", bytes(33), "INVALID_ARGUMENT", "INVALID_ENTROPY"),
        ("B", bytes(1 << 20), "INVALID_ARGUMENT", "INVALID_ENTROPY"),
    ],
)
async def test_a_seat_that_cannot_be_taken_is_refused_by_name(
    plain: Running, name: str, entropy: bytes, code: str, reason: str
) -> None:
    """Names and entropy have bounds; the game and its version come with the reason."""
    opened = await plain.api.create()
    await plain.api.join(opened.game_id, "A")
    error = await refused(plain.api.join(opened.game_id, name, entropy=entropy))
    assert error.code is grpc.StatusCode[code]
    assert error.reason == reason
    assert error.metadata == {"game_id": opened.game_id, "version": "2"}


async def test_a_full_or_running_table_takes_nobody(plain: Running) -> None:
    """GAME_FULL, then ALREADY_STARTED; and it starts only once."""
    table = await plain.api.full_table(2)
    assert (await refused(plain.api.join(table.game_id, "C"))).reason == "GAME_FULL"
    await plain.api.start(table)
    assert (await refused(plain.api.join(table.game_id, "C"))).reason == "ALREADY_STARTED"
    assert (await refused(plain.api.start(table))).reason == "ALREADY_STARTED"
    alone = await plain.api.create()
    token = (await plain.api.join(alone.game_id, "A")).token
    assert (await refused(plain.api.start(Table(alone.game_id, [token])))).reason == "TOO_FEW_PLAYERS"


async def test_sandboxes_are_off_unless_a_server_allows_them(plain: Running, pair: Running) -> None:
    """Refused by default; where it is allowed it is marked as one and plays by its script."""
    error = await refused(plain.api.create(sandbox=game_pb2.Sandbox(dice=[1, 2])))
    assert error.code is grpc.StatusCode.FAILED_PRECONDITION
    assert error.reason == "SANDBOX_DISABLED"
    table = await pair.api.begun(sandbox=game_pb2.Sandbox(dice=to_a_lot(more=0)))
    view = await pair.api.view(table)
    assert view.sandbox
    assert view.situation.turn_seat == 0
    moved = await pair.api.act(table, 0, roll={})
    [thrown] = [event.dice_thrown for event in moved.events if event.HasField("dice_thrown")]
    assert (thrown.first, thrown.second) == (2, 4)
    await pair.api.act(table, 0, buy_lot={})
    await pair.api.act(table, 0, end_turn={})
    assert (await refused(pair.api.act(table, 1, roll={}))).reason == "SANDBOX_EXHAUSTED"
    assert not (await pair.api.view(await pair.api.full_table())).sandbox


async def test_a_sandbox_that_cannot_be_is_refused(pair: Running) -> None:
    """Dice that are none, a script larger than a commit, a position that cannot have come about."""
    error = await refused(pair.api.create(sandbox=game_pb2.Sandbox(dice=[1, 9])))
    assert error.violations[0][0] == "sandbox"
    error = await refused(pair.api.create(sandbox=game_pb2.Sandbox(dice=[1, 2] * 200_000)))
    assert error.reason == "COMMIT_TOO_LARGE"
    sandbox = game_pb2.Sandbox(cash=[1])
    sandbox.position.SetInParent()
    table = await pair.api.full_table(sandbox=sandbox)
    error = await refused(pair.api.start(table))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.reason == "INVALID_POSITION"
    assert "2 seats" in error.message


async def test_tables_are_listed_by_status_and_page(plain: Running) -> None:
    """Every table is on exactly one page, soon after it changed, and newest first."""
    opened = [(await plain.api.create(title=f"list {n}", seat_count=2)).game_id for n in range(5)]
    begun = (await plain.api.begun(title="list running")).game_id
    await listed(plain, game_pb2.GAME_STATUS_UNSPECIFIED, {*opened, begun})
    await listed(plain, game_pb2.GAME_STATUS_RUNNING, {begun})
    found = await list_all(plain, game_pb2.GAME_STATUS_OPEN, page_size=2)
    assert [one for one in found if one in opened] == opened[::-1]
    assert len(found) == len(set(found))
    assert begun not in found
    request = game_pb2.ListGamesRequest(status=game_pb2.GAME_STATUS_RUNNING)
    answer = await plain.api.call("ListGames", request)
    [summary] = [one for one in answer.games if one.game_id == begun]
    assert (summary.title, summary.ruleset, summary.board) == ("list running", "classic", "classic-us")
    assert list(summary.players) == ["player 0", "player 1"]
    assert summary.version == 4


async def listed(server: Running, status: game_pb2.GameStatus.ValueType, wanted: set[str]) -> None:
    """Wait until the list has these tables: it is at most a second or two old."""
    async with asyncio.timeout(10):
        while True:
            if wanted <= set(await list_all(server, status)):
                return
            await asyncio.sleep(0.1)


async def list_all(server: Running, status: game_pb2.GameStatus.ValueType, page_size: int = 100) -> list[str]:
    """Return the ids on all pages."""
    found: list[str] = []
    token = ""
    while True:
        request = game_pb2.ListGamesRequest(page_size=page_size, page_token=token, status=status)
        answer = await server.api.call("ListGames", request)
        assert len(answer.games) <= page_size
        found += [one.game_id for one in answer.games]
        token = answer.next_page_token
        if not token:
            return found


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (game_pb2.ListGamesRequest(page_size=-1), "page_size"),
        (game_pb2.ListGamesRequest(page_size=101), "page_size"),
        (game_pb2.ListGamesRequest(page_token="nonsense"), "page_token"),
        (game_pb2.ListGamesRequest(status=game_pb2.GameStatus.ValueType(77)), "status"),
    ],
)
async def test_a_list_that_cannot_be_is_refused(
    plain: Running, request_: game_pb2.ListGamesRequest, field: str
) -> None:
    """The violation names the field."""
    error = await refused(plain.api.call("ListGames", request_))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.violations[0][0] == field


async def test_rule_sets_and_boards_are_offered(plain: Running) -> None:
    """What can be named when a table is opened, with every option; boards carry their content's hash."""
    rules = await plain.api.call("ListRuleSets", game_pb2.ListRuleSetsRequest())
    boards = await plain.api.call("ListBoards", game_pb2.ListBoardsRequest())
    assert [one.id for one in rules.rulesets] == ruleset_ids()
    assert [one.id for one in boards.boards] == board_ids()
    assert all(len(one.squares) in (36, 40) and one.content_hash for one in boards.boards)
    assert "end.turns_max" in {one.name for one in rules.options}
