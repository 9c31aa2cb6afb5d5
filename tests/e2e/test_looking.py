"""`replay`, `verify`, `log` and `legal` on games of a running server, as people and scripts use them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from magnate.cli.stack import Stack, StackOptions
from magnate.client.bots.random_legal import RandomLegalBot
from magnate.client.player import Player
from magnate.client.session import Session
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]

TURNS = 12


async def magnate(*arguments: str) -> tuple[int, str]:
    """Run the command to its end; return exit code and standard output."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "magnate.cli", *arguments),
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode is not None
    return process.returncode, out.decode()


async def objects(*arguments: str) -> list[dict[str, Any]]:
    """Run the command with `--json`; return what it prints."""
    code, out = await magnate(*arguments, "--json")
    assert code == 0, (arguments, code, out)
    return [json.loads(line) for line in out.splitlines()]


async def play(address: str) -> tuple[str, str, list[str]]:
    """Play a short game of two bots to its end, and begin another; return ids, and the second's tokens."""
    async with Session(address) as session:
        over = await session.create_game(seat_count=2, options={"end.turns_max": str(TURNS)})
        seats = [await session.join(over, name, b"") for name in ("Ada", "Boris")]
        await session.start(over, seats[0].token)
        bots = [Player(session, over, one.seat, one.token, RandomLegalBot(Random(one.seat))) for one in seats]
        await asyncio.gather(*(bot.play() for bot in bots))
        begun = await session.create_game(seat_count=2)
        tokens = [(await session.join(begun, name, b"")).token for name in ("Ada", "Boris")]
        await session.start(begun, tokens[0])
        return over, begun, tokens


async def look(stack: Stack) -> None:
    """Look at both games in every way."""
    address, bank = stack.addresses("game")[0], stack.addresses("bank")[0]
    over, begun, tokens = await play(address)
    to = ("--addr", address)

    (whole,) = await objects("replay", over, *to)
    assert (whole["identical"], whole["phase"], len(whole["ranking"])) == (True, "over", 2)
    (early,) = await objects("replay", over, "--at", "4", *to)
    assert (early["identical"], early["version"], early["phase"]) == (True, 4, "roll")
    code, _ = await magnate("replay", over, "--at", str(whole["version"] + 1), *to)
    assert code == 2

    (verified,) = await objects("verify", over, "--bank", bank, *to)
    assert (verified["status"], verified["faults"], verified["fairness_ok"]) == ("over", [], True)
    assert verified["commits"] == verified["version"] == whole["version"]
    (unknown,) = await objects("verify", begun, *to)
    assert (unknown["status"], unknown["fairness_ok"]) == ("running", None)

    commits = await objects("log", over, *to)
    assert [int(commit["version"]) for commit in commits] == list(range(1, whole["version"] + 1))
    assert await objects("log", over, "--follow", *to) == commits
    code, told = await magnate("log", over, *to)
    assert (code, "Ada" in told, "Boris" in told) == (0, True, True)

    told_seats = [
        (await objects("legal", begun, str(seat), "--token", tokens[seat], *to))[0] for seat in (0, 1)
    ]
    rolls = ["roll" in {action["kind"] for action in one["actions"]} for one in told_seats]
    assert sorted(rolls) == [False, True]
    waiting = told_seats[rolls.index(False)]
    assert waiting["refused"]["roll"] == "NOT_YOUR_TURN"
    assert waiting["refused"]["build"] == "GROUP_INCOMPLETE"
    kinds = {action["kind"] for action in waiting["actions"]} | set(waiting["refused"])
    assert kinds == set(vocabulary_pb2.Command.DESCRIPTOR.fields_by_name)
    assert (await objects("legal", over, "0", *to))[0]["actions"] == []
    for seat, token in (("2", tokens[0]), ("0", tokens[1]), ("0", "")):
        code, _ = await magnate("legal", begun, seat, "--token", token, *to)
        assert code == 2


def test_games_can_be_looked_at(tmp_path: Path) -> None:
    """What is rebuilt is what was played, at any version; each command tells it to people and to programs."""

    async def run() -> None:
        stack = Stack(StackOptions(data=tmp_path, free_ports=True))
        await stack.start()
        try:
            await look(stack)
        finally:
            await stack.stop()

    asyncio.run(run())
