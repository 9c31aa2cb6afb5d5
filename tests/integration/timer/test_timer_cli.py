"""`magnate timer …` as people have it: a process each, over a real timer."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.support.cast import Cast

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.nats, pytest.mark.slow]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def place() -> AsyncIterator[tuple[Cast, str, str]]:
    """Run a bank and a timer; a bank table and its banker's token."""
    async with Cast({}) as cast:
        await cast.start("bank-0", "timer-0")
        opened = await (await cast.bank()).open_table(["Ann"])
        yield cast, opened.table.table_id, opened.banker_token


def environment() -> dict[str, str]:
    """Return an environment in which the command of this tree is found."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


async def test_the_command_line(place: tuple[Cast, str, str]) -> None:
    """Set, list, move, pause, resume, watch until it fires; a refusal is one line and exit code 2."""
    cast, table, token = place

    async def start(*arguments: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *("magnate", "timer", *arguments, "--addr", cast.addresses("timer")[0]),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(),
        )

    async def magnate(*arguments: str, code: int = 0) -> str:
        process = await start(*arguments)
        out, err = await process.communicate()
        assert process.returncode == code, (arguments, out, err)
        return (out + err).decode()

    made = json.loads(
        await magnate(
            "set", table, "--token", token, "--after", "60", "--name", "cli", "--label", "Hm", "--json"
        )
    )
    every = ("set", table, "--token", token, "--after", "60", "--name", "row", "--every")
    assert "1 of 12 every 900 s" in await magnate(*every, "900", "--times", "12")
    assert "every_ms" in await magnate(*every, "1", code=2)
    await magnate("cancel", table, "t-row", "--token", token)
    assert made["deadline_id"] == "t-cli"
    assert "t-cli" in await magnate("list", table)
    assert "stands" in await magnate("pause", table, "t-cli", "--token", token)
    assert "t-cli" in await magnate("resume", table, "t-cli", "--token", token)
    watching = await start("watch", table, "--fired", "1")
    assert watching.stdout is not None
    while b"t-cli" not in (line := await asyncio.wait_for(watching.stdout.readline(), 20)):
        assert line, "it ended before it said what is pending"
    await magnate("move", table, "t-cli", "--token", token, "--after", "1")
    told, _ = await asyncio.wait_for(watching.communicate(), 20)
    assert (watching.returncode, b"FIRED" in told) == (0, True)
    assert "UNKNOWN_TIMER" in await magnate("cancel", table, "t-cli", "--token", token, code=2)


async def test_what_is_rebuilt_is_told_and_nothing_else(place: tuple[Cast, str, str]) -> None:
    """`magnate timer rebuild --json` beside a running timer: its output is one JSON value."""
    cast, table, token = place
    await (await cast.timers()).schedule(table, token, name="kept", after_ms=900_000)
    told = cast.spec("timer-0").environment
    process = await asyncio.create_subprocess_exec(
        *("magnate", "timer", "rebuild", "--json", "--nats", told["MAGNATE_NATS_URL"]),
        stdout=asyncio.subprocess.PIPE,
        env={**environment(), "MAGNATE_KEYS": told["MAGNATE_KEYS"]},
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    found = json.loads(out)
    assert (found["games"], found["deadlines"], found["damaged"]) == (1, 1, 0)
