"""`magnate watch` as it is started in a terminal window and in a pipe, on processes that are killed."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest
import pytest_asyncio

from magnate.cli.stack import Stack, StackOptions
from magnate.client.session import Session
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2
from tests.support.dice import to_a_lot
from tests.support.killing import kill_and_wait
from tests.support.shell import ALTERNATE_SCREEN_OFF, Shell

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.timeout(240),
    pytest.mark.asyncio(loop_scope="module"),
]

COMMAND: Final = vocabulary_pb2.Command
"""Ada begins, and her first throw leads to Oriental Avenue."""
UNKNOWN: Final = "1-0-000000000000000000000001"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """Run everything; processes that die are started again."""
    options = StackOptions(data=tmp_path_factory.mktemp("stack"), free_ports=True, sandbox=True)
    started = Stack(options)
    await started.start()
    try:
        yield started
    finally:
        await started.stop()


class Evening:
    """A game of Ada and Boris, in which a lot is under the hammer."""

    def __init__(self, session: Session, game_id: str, tokens: list[str]) -> None:
        self.session = session
        self.game_id = game_id
        self.tokens = tokens

    async def act(self, seat: int, command: vocabulary_pb2.Command) -> game_pb2.ActResponse:
        """Send a command of a seat."""
        return await self.session.act(self.game_id, self.tokens[seat], command)

    async def bid(self, seat: int, amount: int) -> None:
        """Bid for the lot."""
        await self.act(seat, COMMAND(place_bid=vocabulary_pb2.PlaceBid(lot=6, amount=amount)))


async def evening(session: Session, seconds: int = 300, name: str = "Boris", **options: str) -> Evening:
    """Begin a game and put a lot under the hammer."""
    settings = {
        "auction.close_seconds": str(seconds),
        **{k.replace("__", "."): v for k, v in options.items()},
    }
    sandbox = game_pb2.Sandbox(dice=to_a_lot(), clocks=True)
    game_id = await session.create_game(seat_count=2, title="Friday", options=settings, sandbox=sandbox)
    tokens = [(await session.join(game_id, one)).token for one in ("Ada", name)]
    await session.start(game_id, tokens[0])
    one = Evening(session, game_id, tokens)
    await one.act(0, COMMAND(roll=vocabulary_pb2.Roll()))
    await one.act(0, COMMAND(decline_lot=vocabulary_pb2.DeclineLot()))
    return one


def watch(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start the command with a pipe for its output."""
    return subprocess.Popen(
        [sys.executable, "-m", "magnate.cli", "watch", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LANG": "C.UTF-8", **environment},
    )


async def test_a_window_follows_an_auction(stack: Stack) -> None:
    """Countdown, leader, log; a game process that dies is said and lived through; SIGTERM ends in order."""
    address = stack.addresses("game")[0]
    async with Session(address) as session:
        one = await evening(session)
        shell = Shell("watch", one.game_id, "--addr", address)
        try:
            await shell.shows("Friday", "Oriental Avenue", "nobody has bid yet", "Online", "4:5")
            await one.bid(1, 120)
            await shell.shows("Boris leads with $120", "Boris bids $120 for")
            shell.raw = b""
            await kill_and_wait(stack, "game-0")
            await shell.shows("No network")
            await one.bid(0, 150)
            await shell.shows("Online", "Ada leads with $150")
            os.kill(shell.process.pid, signal.SIGTERM)
            assert await shell.end() == 128 + signal.SIGTERM, shell.text
            assert ALTERNATE_SCREEN_OFF in shell.text
        finally:
            shell.close()


async def test_a_window_is_left_by_a_key_and_by_ctrl_c(stack: Stack) -> None:
    """Both end in order; with a seat's token its own money is shown."""
    address = stack.addresses("game")[0]
    async with Session(address) as session:
        one = await evening(session)
        for key in ("q", "\x03"):
            shell = Shell("watch", one.game_id, "--addr", address, "--token", one.tokens[0], "--lang", "fr")
            try:
                await shell.shows("Aux enchères", "caché", "500", "En ligne")
                shell.type(key)
                assert await shell.end() == 0, shell.text
                assert ALTERNATE_SCREEN_OFF in shell.text
            finally:
                shell.close()


async def test_a_terminal_without_the_letters(stack: Stack) -> None:
    """The window says so instead of drawing rubbish; lines have escapes for what there is no letter for."""
    address = stack.addresses("game")[0]
    async with Session(address) as session:
        one = await evening(session, name="Борис")
        await one.act(1, COMMAND(resign=vocabulary_pb2.Resign()))
        shell = Shell("watch", one.game_id, "--addr", address, PYTHONIOENCODING="ascii")
        try:
            assert await shell.end() == 2
        finally:
            shell.close()
        assert "--plain" in shell.text
        process = watch(one.game_id, "--addr", address, "--plain", PYTHONIOENCODING="latin-1")
        out, said = await asyncio.to_thread(process.communicate, timeout=60)
        assert (process.returncode, said) == (0, "")
        assert r"\u0411\u043e\u0440\u0438\u0441 leaves the game" in out


async def test_a_game_ends_with_its_ranking(stack: Stack) -> None:
    """In the window, and below it once it is left."""
    address = stack.addresses("game")[0]
    async with Session(address) as session:
        one = await evening(session)
        shell = Shell("watch", one.game_id, "--addr", address)
        try:
            await shell.shows("Oriental Avenue", "Online")
            await one.act(1, COMMAND(resign=vocabulary_pb2.Resign()))
            await shell.shows("The game is over", "Enter leaves")
            shell.type("\r")
            assert await shell.end() == 0, shell.text
        finally:
            shell.close()
        after = shell.text[shell.text.rindex(ALTERNATE_SCREEN_OFF) :]
        assert re.search(r"The game is over\s+1\. Ada.*\s+2\. Boris", after), after


async def test_a_pipe_gets_a_line_a_commit_and_loses_none(stack: Stack) -> None:
    """Plain text, each version once and in order, over the death of the process it came from, to the end."""
    address = stack.addresses("game")[0]
    async with Session(address) as session:
        one = await evening(session)
        process = watch(one.game_id, "--addr", address, "--plain")
        try:
            assert process.stdout is not None
            lines = [await asyncio.to_thread(process.stdout.readline) for _ in range(6)]
            assert "Ada throws 2 and 4" in "".join(lines)
            await one.bid(1, 10)
            await kill_and_wait(stack, "game-0")
            for seat, amount in ((0, 20), (1, 30), (0, 40)):
                await one.bid(seat, amount)
            await one.act(1, COMMAND(resign=vocabulary_pb2.Resign()))
            out, said = await asyncio.to_thread(process.communicate, timeout=60)
        finally:
            process.kill()
        assert process.returncode == 0, said
        version = (await session.game(one.game_id)).version
        told = ("".join(lines) + out).splitlines()
        assert [int(line[:6]) for line in told[:version]] == list(range(1, version + 1))
        assert "\x1b" not in "".join(told)
        assert [line.split("bids ")[1].split(" for")[0] for line in told if " bids " in line] == [
            "$10", "$20", "$30", "$40",
        ]  # fmt: skip
        assert told[version:][0] == "The game is over"
        since = watch(one.game_id, "--addr", address, "--plain", "--since", "4")
        again, _ = await asyncio.to_thread(since.communicate, timeout=60)
        assert again.splitlines() == told[4:]
        objects = watch(one.game_id, "--addr", address, "--json")
        printed, _ = await asyncio.to_thread(objects.communicate, timeout=60)
        *commits, last = [json.loads(line) for line in printed.splitlines()]
        assert [commit["version"] for commit in commits] == list(range(1, version + 1))
        assert (last["version"], [one["name"] for one in last["ranking"]]) == (version, ["Ada", "Boris"])


async def test_a_pipe_is_ended_by_a_signal(stack: Stack) -> None:
    """With the exit code that says so."""
    address = stack.addresses("game")[0]
    async with Session(address) as session:
        one = await evening(session)
        process = watch(one.game_id, "--addr", address, "--plain")
        assert process.stdout is not None
        await asyncio.to_thread(process.stdout.readline)
        process.send_signal(signal.SIGTERM)
        _, said = await asyncio.to_thread(process.communicate, timeout=30)
        assert (process.returncode, said) == (128 + signal.SIGTERM, "")


async def test_what_cannot_be_watched(stack: Stack) -> None:
    """Each says in one line what is wrong, with the exit code of the other commands."""
    address = stack.addresses("game")[0]
    async with Session(address) as session:
        one, other = await evening(session), await evening(session)
    game, to = one.game_id, ("--addr", address)
    cases: tuple[tuple[tuple[str, ...], int, str], ...] = (
        ((UNKNOWN, *to, "--plain"), 2, "UNKNOWN_GAME"),
        (("no-id", *to, "--plain"), 2, "no-id"),
        ((game, "--addr", "127.0.0.1:1", "--plain"), 3, "127.0.0.1:1"),
        ((game, "--addr", stack.addresses("bank")[0], "--plain"), 2, "another service"),
        ((game, *to, "--plain", "--token", "rubbish"), 2, "TOKEN"),
        ((game, *to, "--plain", "--token", other.tokens[0]), 2, f"for a seat of {other.game_id}"),
        ((game, *to, "--plain", "--lang", "de"), 2, "--lang de"),
        ((game, *to), 2, "--plain"),
        ((game, *to, "--since", "3"), 2, "--since"),
    )
    for arguments, code, named in cases:
        process = watch(*arguments)
        out, said = await asyncio.to_thread(process.communicate, timeout=60)
        assert (process.returncode, out) == (code, ""), (arguments, said)
        assert named in said, (arguments, said)
        assert said.count("\n") == 1, said
