"""Own rule sets and boards: `magnate up --rules DIR` plays them, and refuses a folder with anything wrong."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from magnate.client.bots.random_legal import RandomLegalBot
from magnate.client.player import Player
from magnate.client.session import RefusedError, Session
from magnate.game.v1 import game_pb2
from tests.support.own_files import BOARD, RULES, own_folder

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(240)]

READY_SECONDS = 60.0
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def magnate(*arguments: str) -> subprocess.Popen[str]:
    """Start the command as a user would."""
    return subprocess.Popen(
        [sys.executable, "-m", "magnate.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


def started(tmp_path: Path, *more: str) -> tuple[subprocess.Popen[str], str]:
    """Start everything on free ports; return the process and the address of the game service."""
    ready = tmp_path / "ready.json"
    process = magnate(
        *("up", "--free-ports", "--data", str(tmp_path / "data"), "--ready-file", str(ready)), *more
    )
    give_up = time.monotonic() + READY_SECONDS
    while not ready.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < give_up
        time.sleep(0.05)
    return process, json.loads(ready.read_text())["game"][0]


def stopped(process: subprocess.Popen[str]) -> None:
    """End it and wait for that."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)


def ran(*arguments: str) -> str:
    """Run a command to its end, which must be a good one."""
    process = magnate(*arguments)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, (arguments, errors)
    return out


async def play(address: str) -> str:
    """See the own ones listed, play a game by them to its end, and return its id."""
    async with Session(address) as session:
        rulesets = await session.stub.ListRuleSets(game_pb2.ListRuleSetsRequest())
        boards = await session.stub.ListBoards(game_pb2.ListBoardsRequest())
        assert {"classic", "village-rules"} <= {one.id for one in rulesets.rulesets}
        assert {"classic-us", "village"} <= {one.id for one in boards.boards}
        game = await session.create_game(
            ruleset="village-rules", seat_count=2, options={"end.turns_max": "20"}
        )
        seats = [await session.join(game, name, b"") for name in ("Ada", "Boris")]
        await session.start(game, seats[0].token)
        bots = [Player(session, game, one.seat, one.token, RandomLegalBot(Random(one.seat))) for one in seats]
        await asyncio.gather(*(bot.play() for bot in bots))
        view = await session.game(game)
        assert (view.ruleset.id, view.board.id, len(view.board.squares)) == ("village-rules", "village", 8)
        assert view.ranking
        return game


async def refused(address: str) -> str:
    """Try to open another such table; the reason why not."""
    async with Session(address) as session:
        with pytest.raises(RefusedError) as caught:
            await session.create_game(ruleset="village-rules", seat_count=2)
        return caught.value.reason


def test_own_rules_are_played_and_their_games_outlive_them(tmp_path: Path) -> None:
    """A table by own rules on an own board; without the folder its game is still read, no more are opened."""
    folder = own_folder(tmp_path)
    process, address = started(tmp_path, "--rules", str(folder))
    try:
        game = asyncio.run(play(address))
        found = json.loads(ran("rules", "diff", "--game", game, "--addr", address, "--json"))
        assert found["first"] == "classic"
        assert {one["option"]: (one["first"], one["second"]) for one in found["differences"]} == {
            "board": ("classic-us", "village"),
            "jail.attempts_max": (3, 2),
            "end.turns_max": (2000, 20),
        }
        text = ran(
            "rules", "diff", "village-rules", "--game", game, "--addr", address, "--rules", str(folder)
        )
        assert "end.turns_max" in text
        assert "jail.attempts_max" not in text
    finally:
        stopped(process)
    process, address = started(tmp_path)
    try:
        assert json.loads(ran("verify", game, "--addr", address, "--json"))["replay_identical"]
        assert asyncio.run(refused(address)) == "UNKNOWN_RULESET"
    finally:
        stopped(process)


async def seated(session: Session, players: int = 2) -> tuple[str, list[Player]]:
    """Open and start a table by the own rules; return its id and a bot for each seat."""
    game = await session.create_game(
        ruleset="village-rules", seat_count=players, options={"end.turns_max": "20"}
    )
    seats = [await session.join(game, f"P{seat}", b"") for seat in range(players)]
    await session.start(game, seats[0].token)
    return game, [
        Player(session, game, one.seat, one.token, RandomLegalBot(Random(one.seat))) for one in seats
    ]


async def before_the_change(address: str) -> tuple[str, str, list[str]]:
    """Play one game to its end and another in part; return their ids and the tokens of the latter's seats."""
    async with Session(address) as session:
        finished, bots = await seated(session)
        await asyncio.gather(*(bot.play() for bot in bots))
        running = await session.create_game(ruleset="village-rules", seat_count=2)
        tokens = [(await session.join(running, name, b"")).token for name in ("Ada", "Boris")]
        await session.start(running, tokens[0])
        for _ in range(12):
            await act_once(session, running, tokens)
        return finished, running, tokens


async def act_once(session: Session, game: str, tokens: list[str]) -> None:
    """Let whoever is waited for do the first thing that is legal, but never leave."""
    view = await session.game(game)
    for seat in view.situation.waiting_seats:
        actions = (await session.legal(game, seat, token=tokens[seat])).actions
        command = RandomLegalBot(Random(view.version)).choose(seat, view, actions)
        if command is not None:
            await session.act(game, tokens[seat], command)
            return


async def after_the_change(address: str, running: str, tokens: list[str]) -> None:
    """The running game keeps the board and rules of its first commit and goes on; a new table has the new."""
    async with Session(address) as session:
        view = await session.game(running)
        assert (view.board.squares[1].price, view.ruleset.version) == (20, 1)
        assert option(view, "jail.attempts_max") == 2
        for _ in range(12):
            await act_once(session, running, tokens)
        assert (await session.game(running)).version > view.version
        new, _ = await seated(session)
        fresh = await session.game(new)
        assert (fresh.board.squares[1].price, fresh.ruleset.version) == (30, 2)
        assert option(fresh, "jail.attempts_max") == 5


def option(view: game_pb2.GameView, name: str) -> int:
    """Return the value of a number among the options of a table."""
    return next(one.number for one in view.ruleset.options if one.name == name)


def states(address: str, game: str) -> list[str]:
    """Return the hash of the state at versions all over the game, as its replay gives them."""
    newest = json.loads(ran("replay", game, "--addr", address, "--json"))["version"]
    versions = sorted({1, 2, newest // 3, newest // 2, newest - 1, newest})
    return [
        json.loads(ran("replay", game, "--at", str(at), "--addr", address, "--json"))["state_hash"]
        for at in versions
    ]


def test_a_changed_rule_and_price_leave_games_as_they_are(tmp_path: Path) -> None:
    """A running game, a finished game and their replays do not notice that rules and board changed since."""
    folder = own_folder(tmp_path)
    process, address = started(tmp_path, "--rules", str(folder))
    try:
        finished, running, tokens = asyncio.run(before_the_change(address))
        recorded = [states(address, game) for game in (finished, running)]
    finally:
        stopped(process)
    board, rules = folder / "boards/village.yaml", folder / "rulesets/village-rules.yaml"
    board.write_text(BOARD.replace("price: 20, ", "price: 30, ").replace("mortgage: 10}", "mortgage: 15}"))
    rules.write_text(RULES.replace("version: 1", "version: 2").replace("attempts_max: 2", "attempts_max: 5"))
    process, address = started(tmp_path, "--rules", str(folder))
    try:
        assert [states(address, game) for game in (finished, running)] == recorded
        asyncio.run(after_the_change(address, running, tokens))
        for game in (finished, running):
            assert json.loads(ran("verify", game, "--addr", address, "--json"))["replay_identical"]
    finally:
        stopped(process)


def test_a_wrong_folder_stops_the_start(tmp_path: Path) -> None:
    """Exit code 2 and every fault, before anything runs; a service that is started by hand judges alike."""
    folder = own_folder(tmp_path)
    (folder / "boards/village.yaml").write_text(BOARD.replace("start_money: 500", "start_money: none"))
    (folder / "rulesets/short.yaml").write_text("id: short\n")
    data = tmp_path / "data"
    for arguments in (
        ("up", "--free-ports", "--data", str(data), "--rules", str(folder)),
        ("serve", "game", "--rules", str(folder)),
        ("demo", "--rules", str(folder)),
        ("up", "--free-ports", "--data", str(data), "--rules", str(tmp_path / "nowhere")),
        ("serve", "bank", "--rules", str(folder)),
    ):
        process = magnate(*arguments)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 2, (arguments, errors)
        if "bank" in arguments:
            assert "--rules is for the game service" in errors
        elif arguments[-1] == str(folder):
            assert "village.yaml:7: start_money: must be a whole number, is none" in errors
            assert "short.yaml:1: title: is missing" in errors
            assert "short.yaml:1: id: short is the id of one of ours" in errors
        else:
            assert "nowhere: is no folder" in errors
    assert not (data / "logs").exists()
