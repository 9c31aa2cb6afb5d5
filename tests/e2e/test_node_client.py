"""A client in another language, which has nothing but the .proto files, joins and plays whole games."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from magnate.cli.check import check_game
from magnate.cli.stack import Stack, StackOptions
from magnate.client.bots.random_legal import RandomLegalBot
from magnate.client.player import Player
from magnate.client.session import Session
from magnate.game.v1 import game_pb2
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

NODE_MISSING = shutil.which("node") is None or shutil.which("npm") is None
CLIENT = Path(__file__).parent / "node_client"
PROTOS = ROOT / "protos"
INSTALL_SECONDS = 120
GAME_SECONDS = 150
TURNS_MAX = 60

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.xdist_group("node"),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install what the lock file says, in a folder of its own; return the client's program."""
    if NODE_MISSING:
        pytest.skip("node and npm are not installed: the client in JavaScript cannot run")
    folder = tmp_path_factory.mktemp("node") / "client"
    shutil.copytree(CLIENT, folder, ignore=shutil.ignore_patterns("node_modules"))
    done = subprocess.run(
        ["npm", "ci", "--ignore-scripts", "--prefer-offline"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "client.mjs"


@contextlib.asynccontextmanager
async def running(data: Path) -> AsyncIterator[Stack]:
    """Run everything on free ports."""
    stack = Stack(StackOptions(data=data, free_ports=True))
    await stack.start()
    try:
        yield stack
    finally:
        await stack.stop()


async def run_node(client: Path, address: str, *arguments: str) -> dict[str, Any]:
    """Run the client to its end and return what it says last."""
    process = await asyncio.create_subprocess_exec(
        "node",
        str(client),
        "--address",
        address,
        "--protos",
        str(PROTOS),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, problems = await asyncio.wait_for(process.communicate(), GAME_SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, problems.decode()
    summary = json.loads(out.decode().splitlines()[-1])
    assert isinstance(summary, dict)
    return summary


async def seat_bots(session: Session, game_id: str, count: int) -> list[Awaitable[None]]:
    """Seat bots of ours, and return what plays them."""
    playing: list[Awaitable[None]] = []
    for number in range(count):
        joined = await session.join(game_id, f"bot {number}", bytes([number]))
        bot = RandomLegalBot(random.Random(number))
        playing.append(Player(session, game_id, joined.seat, joined.token, bot).play())
    return playing


async def kill_in_the_middle(stack: Stack, session: Session, game_id: str) -> None:
    """Kill the game service when the game is under way: clients meet an unknown outcome."""
    async for update in session.watch(game_id):
        if update.commit.version >= 60:
            break
    pid = stack.processes["game-0"].pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


async def check_over(session: Session, stack: Stack, summary: dict[str, Any], seats: int) -> None:
    """The game is over, the client saw all of it and its end, and the whole log verifies."""
    view = await session.game(summary["game_id"])
    assert view.status == game_pb2.GAME_STATUS_OVER
    assert summary["status"] == "GAME_STATUS_OVER"
    assert summary["state_hash"] == view.state_hash
    assert summary["ranking"] == list(view.ranking)
    assert sorted(view.ranking) == list(range(seats))
    assert summary["cash_total"] == str(sum(seat.cash for seat in view.seats))
    for seat in summary["seats"]:
        assert seat["commits"] == view.version
        assert seat["commands"] > 0
        assert seat["replays"] > 0
    checked = await check_game(session, summary["game_id"], stack.addresses("bank")[0])
    assert checked.faults == []
    assert checked.fairness_ok


def test_the_lock_file_names_no_address() -> None:
    """Where packages come from is the machine's business; what they are is said by their hashes."""
    lock = json.loads((CLIENT / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert packages
    assert all(one["integrity"].startswith("sha512-") for one in packages.values())
    assert ":" + "//" not in (CLIENT / "package-lock.json").read_text(encoding="utf-8")
    assert "omit-lockfile-registry-resolved=true" in (CLIENT / ".npmrc").read_text(encoding="utf-8")


def test_a_node_client_plays_with_bots_through_a_crash(client: Path, tmp_path: Path) -> None:
    """It joins three bots, starts the game and plays to the end, although the game service is killed."""

    async def play() -> None:
        async with running(tmp_path) as stack:
            address = stack.addresses("game")[0]
            async with Session(address) as session:
                options = {"end.turns_max": str(TURNS_MAX)}
                game_id = await session.create_game(board="classic-uk", seat_count=4, options=options)
                bots = await seat_bots(session, game_id, 3)
                node = run_node(client, address, "--game", game_id, "--name", "Ada", "--start")
                summary, *_ = await asyncio.gather(node, kill_in_the_middle(stack, session, game_id), *bots)
                assert summary["retries"] > 0
                await check_over(session, stack, summary, 4)

    asyncio.run(play())


def test_a_node_client_opens_a_table_and_plays_all_seats(client: Path, tmp_path: Path) -> None:
    """It needs nobody: it creates the game with a house rule and plays every seat."""

    async def play() -> None:
        async with running(tmp_path) as stack:
            address = stack.addresses("game")[0]
            summary = await run_node(client, address, "--seats", "3", "--turns", "30", "--seed", "7")
            assert summary["turns"] <= 31
            assert len(summary["seats"]) == 3
            async with Session(address) as session:
                await check_over(session, stack, summary, 3)

    asyncio.run(play())
