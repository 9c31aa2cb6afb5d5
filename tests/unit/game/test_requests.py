"""Requests become values, or an error that names the field; lists are paged over what the heads say."""

from __future__ import annotations

import asyncio

import pytest

from magnate.game.lists import Lists
from magnate.game.lobby import LobbyFold
from magnate.game.requests import (
    COMMAND_BYTES_MAX,
    check_act,
    content_of,
    content_of_action,
    read_command,
    read_game_id,
    read_join,
    read_new_table,
)
from magnate.game.v1 import game_pb2
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.log.heads import Head, encode_head
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.port import Appended, Stored
from tests.support.banking import KEYS
from tests.support.tables import LocalTable, done


def field_of(caught: pytest.ExceptionInfo[InvalidArgumentError]) -> str:
    """Return the field that is at fault."""
    return caught.value.violations[0][0]


@pytest.mark.parametrize(
    "game_id", ["", "1-0", "1-0-" + "g" * 24, "01-0-" + "0" * 24, "x" * 5000, "1-0-\x00"]
)
def test_an_id_that_can_be_none_is_refused(game_id: str) -> None:
    """The error names `game_id` and is short whatever came in."""
    with pytest.raises(InvalidArgumentError) as caught:
        read_game_id(game_id)
    assert field_of(caught) == "game_id"
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("command_id", ["", " ", "a b", "a\n", "ä", "x" * 129, "a/b"])
def test_a_command_id_that_can_be_none_is_refused(command_id: str) -> None:
    """The error names `command_id`."""
    with pytest.raises(InvalidArgumentError) as caught:
        read_command(command_id, b"", actor="x", received_at_ms=1)
    assert field_of(caught) == "command_id"


def test_a_command_that_is_too_large_is_refused_before_it_is_passed_on() -> None:
    """Else one client could break the stream between two workers, and with it the commands of all others."""
    request = game_pb2.ActRequest(command_id="c")
    request.command.mortgage_lots.lots.extend(range(64))
    check_act(request)
    assert content_of_action(request.command) == request.command.SerializeToString(deterministic=True)
    request.command.mortgage_lots.lots.extend([1000] * COMMAND_BYTES_MAX)
    for check in (lambda: check_act(request), lambda: content_of_action(request.command)):
        with pytest.raises(InvalidArgumentError) as caught:
            check()
        assert field_of(caught) == "command"


def test_the_content_of_a_command_is_all_but_its_id() -> None:
    """Another actor or another field is another command; another attempt is not."""

    def digest(actor: str, **fields: str) -> bytes:
        request = game_pb2.CreateGameRequest(**fields)  # type: ignore[arg-type]  # texts only
        return read_command("id", content_of(request), actor=actor, received_at_ms=1).request_hash

    first = digest("a", command_id="1", title="t")
    assert digest("a", command_id="2", title="t") == first
    assert digest("b", command_id="1", title="t") != first
    assert digest("a", command_id="1", title="u") != first


def test_a_join_is_stored_under_an_id_that_only_its_sender_can_make() -> None:
    """One game and one id give one stored id, which is not that id and differs from game to game."""

    def stored(game_id: str, command_id: str) -> str:
        request = game_pb2.JoinGameRequest(command_id=command_id, game_id=game_id, name="A")
        return read_join(request, actor="anonymous", received_at_ms=1).command_id

    first = stored("1-0-a", "sesame")
    assert first == stored("1-0-a", "sesame")
    assert "sesame" not in first
    assert first not in {stored("1-0-b", "sesame"), stored("1-0-a", "sesame2"), stored("1-0-a", first)}
    with pytest.raises(InvalidArgumentError):
        stored("1-0-a", "not an id")


def test_options_are_read_as_a_rule_set_file_would() -> None:
    """True, false, whole numbers, and words; nothing else is made into a number."""
    values = {
        "a": "true",
        "b": "false",
        "c": "12",
        "d": "-3",
        "e": "any",
        "f": "1_0",
        "g": " 1",
        "h": "1" * 400,
    }
    request = game_pb2.CreateGameRequest(
        options=[game_pb2.OptionSetting(name=name, value=value) for name, value in values.items()]
    )
    assert read_new_table(request).options == {**values, "a": True, "b": False, "c": 12, "d": -3}


def test_an_option_is_set_once() -> None:
    """The second setting is named by its place."""
    one = game_pb2.OptionSetting(name="a", value="1")
    with pytest.raises(InvalidArgumentError) as caught:
        read_new_table(game_pb2.CreateGameRequest(options=[one, one]))
    assert field_of(caught) == "options[1]"


def test_a_sandbox_that_cannot_be_read_is_named() -> None:
    """Dice that are none."""
    with pytest.raises(InvalidArgumentError) as caught:
        read_new_table(game_pb2.CreateGameRequest(sandbox=game_pb2.Sandbox(dice=[1, 9])))
    assert field_of(caught) == "sandbox"


async def head_of(table: LocalTable) -> bytes:
    """Return a table's head, folded commit by commit as its keeper does."""
    head: Head | None = None
    for commit in await table.commits():
        facts = LobbyFold().facts(head, commit)
        head = Head(
            table.game_id,
            commit.version,
            commit.sequence,
            commit.hash,
            time_ms=commit.time_ms,
            status=facts.status,
            lobby=facts.lobby,
            earliest_deadline_ms=facts.earliest_deadline_ms,
        )
    assert head is not None
    return encode_head(KEYS, head)


async def tables_in(log: MemoryLog) -> list[str]:
    """Store the heads of five tables, two of which have begun; return their ids, the newest first."""
    found = []
    for number in range(5):
        table = LocalTable(f"table-{number}")
        table.clock.advance(number * 1000)
        done(await table.open(seats=2))
        if number % 2:
            done(await table.join("A"))
            done(await table.join("B"))
            done(await table.start())
        assert isinstance(await log.head_put(table.game_id, await head_of(table), 0), Appended)
        found.append(table.game_id)
        await table.close()
    return found[::-1]


@pytest.mark.asyncio
async def test_lists_asked_for_at_once_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand clients in a lobby cost one reading of the heads."""
    log = MemoryLog()
    read = 0

    async def heads() -> list[tuple[str, Stored]]:
        nonlocal read
        read += 1
        await asyncio.sleep(0)
        return []

    monkeypatch.setattr(log, "heads", heads)
    lists = Lists(log, KEYS)
    await asyncio.gather(*(lists.page(0, "", 0) for _ in range(10)))
    assert read == 1


@pytest.mark.asyncio
async def test_lists_are_paged_without_a_gap() -> None:
    """Newest first, page by page, of all tables or of one status."""
    log = MemoryLog()
    ids = await tables_in(log)
    lists = Lists(log, KEYS)
    seen, token, pages = list[str](), "", 0
    while pages == 0 or token:
        page = await lists.page(2, token, 0)
        seen += [one.game_id for one in page.games]
        token, pages = page.next_page_token, pages + 1
    assert seen == ids
    assert pages == 3
    running = await lists.page(0, "", game_pb2.GAME_STATUS_RUNNING)
    assert [one.game_id for one in running.games] == [ids[1], ids[3]]
    assert list(running.games[0].players) == ["A", "B"]
    assert (await lists.page(0, "", game_pb2.GAME_STATUS_OVER)).games == []


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("size", "token", "status", "field"),
    [
        (-1, "", 0, "page_size"),
        (101, "", 0, "page_size"),
        (0, "?", 0, "page_token"),
        (0, "AAAA", 0, "page_token"),
        (0, "ä", 0, "page_token"),
        (0, "", 99, "status"),
        (0, "", -1, "status"),
    ],
)
async def test_a_page_that_cannot_be_is_refused(size: int, token: str, status: int, field: str) -> None:
    """The size, a token that is none of ours, a status that no table has."""
    with pytest.raises(InvalidArgumentError) as caught:
        await Lists(MemoryLog(), KEYS).page(size, token, status)
    assert field_of(caught) == field
