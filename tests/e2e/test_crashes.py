"""Every process is killed several times while a bot game runs; nothing acknowledged is lost or doubled."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest

from magnate.cli.check import check_game
from magnate.cli.stack import SERVICES, Stack, StackOptions
from magnate.client.bots.random_legal import RandomLegalBot
from magnate.client.player import Player
from magnate.client.session import Session
from magnate.game.v1 import game_pb2
from magnate.log.v1 import log_pb2
from tests.support.killing import kill_and_wait

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.rules.v1 import vocabulary_pb2

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(420)]

TURNS_MAX = 150
KILLS_EACH = 2


class RecordingSession(Session):
    """Remembers every command that was acknowledged and the version it made."""

    acknowledged: dict[str, int]

    async def act(
        self,
        game_id: str,
        token: str,
        command: vocabulary_pb2.Command,
        seen_version: int = 0,
        *,
        expected_version: int = 0,
    ) -> game_pb2.ActResponse:
        """Act, and remember the answer."""
        answer = await super().act(game_id, token, command, seen_version, expected_version=expected_version)
        assert answer.command_id not in self.acknowledged
        self.acknowledged[answer.command_id] = answer.version
        return answer


async def _grown(session: Session, game_id: str, version: int) -> int:
    """Wait until the game has gone on by some versions, or is over."""
    while True:
        view = await session.game(game_id)
        if view.version >= version + 20 or view.status == game_pb2.GAME_STATUS_OVER:
            return view.version
        await asyncio.sleep(0.05)


async def _play_through_kills(data: Path) -> None:
    stack = Stack(StackOptions(data=data, free_ports=True))
    await stack.start()
    try:
        address = stack.addresses("game")[0]
        async with RecordingSession(address) as session:
            session.acknowledged = {}
            options = {"end.turns_max": str(TURNS_MAX)}
            game_id = await session.create_game(seat_count=4, options=options)
            seats = [await session.join(game_id, f"bot {n}", bytes([n])) for n in range(4)]
            await session.start(game_id, seats[0].token)
            players = [
                Player(session, game_id, one.seat, one.token, RandomLegalBot(random.Random(one.seat)))
                for one in seats
            ]
            playing = [asyncio.create_task(player.play()) for player in players]
            version = 0
            for _ in range(KILLS_EACH):
                for name in (*(f"{service}-0" for service in SERVICES), "nats"):
                    version = await _grown(session, game_id, version)
                    await kill_and_wait(stack, name)
            await asyncio.gather(*playing)
            await _check(session, game_id)
            checked = await check_game(session, game_id, stack.addresses("bank")[0])
            assert checked.ok, checked.faults
            assert checked.fairness_ok
        restarts = {name: managed.restarts for name, managed in stack.processes.items()}
        assert min(restarts.values()) >= KILLS_EACH, restarts
    finally:
        await stack.stop()


async def _check(session: RecordingSession, game_id: str) -> None:
    """The game is over, versions have no gap, every acknowledged command is in the log exactly once."""
    view = await session.game(game_id)
    assert view.status == game_pb2.GAME_STATUS_OVER
    assert len(view.ranking) == 4
    logged: dict[str, int] = {}
    for number, record in enumerate(await session.export(game_id), start=1):
        public = log_pb2.PublicPart.FromString(record.public)
        assert public.version == number
        assert public.command.command_id not in logged, "a command had two effects"
        logged[public.command.command_id] = public.version
    assert len(session.acknowledged) > 100
    lost = {key: version for key, version in session.acknowledged.items() if logged.get(key) != version}
    assert not lost, f"acknowledged and not in the log: {lost}"


def test_a_game_survives_kill_9_of_every_process(tmp_path: Path) -> None:
    """Services and nats-server are killed in turn, twice each; the game ends and verifies."""
    asyncio.run(_play_through_kills(tmp_path))
