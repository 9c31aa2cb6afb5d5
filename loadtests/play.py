"""The load itself: closed loop, open loop, or whole games of bots that think."""

from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING, Final

from loadtests.options import SENSIBLE, Options
from magnate.cli.check import check_game
from magnate.cli.load import Tables, closed_loop, until
from magnate.client.bots.random_legal import RandomLegalBot
from magnate.client.bots.sensible import SensibleBot
from magnate.client.player import Player
from magnate.client.session import Session

if TYPE_CHECKING:
    from loadtests.measure import Measured
    from magnate.game.v1 import game_pb2
    from magnate.rules.v1 import vocabulary_pb2

COARSE_SECONDS: Final = 0.002


class Played:
    """What became of the games: how many there were, commands refused, and what does not verify."""

    def __init__(self, games: int, refused: int, faults: list[str]) -> None:
        self.games = games
        self.refused = refused
        self.faults = faults


async def play_quick(options: Options, address: str, bank: str, measured: Measured) -> Played:
    """Play tables of quick players for so long, then verify every game."""
    async with Tables(address, options.games, seats=options.seats) as tables:
        await closed_loop(tables, options.how, until(options.warm_up), lambda _: None)
        started = time.perf_counter()
        if options.rate:
            await _open_loop(tables, options, measured)
        else:
            await closed_loop(tables, options.how, until(options.seconds), measured.record)
        measured.seconds = time.perf_counter() - started
        played = [*tables.tables, *tables.ended]
        refused = sum(table.refusals for table in played)
        return Played(len(played), refused, await tables.verify(bank))


async def _open_loop(tables: Tables, options: Options, measured: Measured) -> None:
    """Send at a fixed rate whatever the answers do; a command waits for a free table, and that counts."""
    clock = time.perf_counter
    planned: asyncio.Queue[float] = asyncio.Queue()

    async def worker(place: int) -> None:
        sender = tables.sender(place, options.how)
        while True:
            moment = await planned.get()
            while not await tables.step(place, sender):
                pass
            measured.record(clock() - moment)
            planned.task_done()

    workers = [asyncio.create_task(worker(place)) for place in range(options.games)]
    started = clock()
    for number in range(int(options.rate * options.seconds)):
        moment = started + number / options.rate
        wait = moment - clock()
        if wait > 0:
            await asyncio.sleep(max(wait, COARSE_SECONDS))
        measured.late(clock() - moment)
        planned.put_nowait(moment)
    finished = asyncio.create_task(planned.join())
    await asyncio.wait({finished, *workers}, return_when=asyncio.FIRST_COMPLETED)
    for task in (finished, *workers):
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(finished, *workers, return_exceptions=True)


class TimedSession(Session):
    """A connection that notes how long each accepted command takes."""

    def __init__(self, address: str, measured: Measured) -> None:
        super().__init__(address)
        self._measured = measured

    async def act(
        self,
        game_id: str,
        token: str,
        command: vocabulary_pb2.Command,
        seen_version: int = 0,
        *,
        expected_version: int = 0,
    ) -> game_pb2.ActResponse:
        """Send one command and note the time it takes."""
        started = time.perf_counter()
        answer = await super().act(game_id, token, command, seen_version, expected_version=expected_version)
        self._measured.record(time.perf_counter() - started)
        return answer


async def play_bots(options: Options, address: str, bank: str, measured: Measured) -> Played:
    """Play whole games of bots at once, each bot on a connection of its own; then verify every game."""
    started = time.perf_counter()
    results = await asyncio.gather(
        *(_bot_game(options, number, address, bank, measured) for number in range(options.games))
    )
    measured.seconds = time.perf_counter() - started
    faults = [fault for _, found in results for fault in found]
    return Played(options.games, sum(refused for refused, _ in results), faults)


async def _bot_game(
    options: Options, number: int, address: str, bank: str, measured: Measured
) -> tuple[int, list[str]]:
    sessions = [TimedSession(address, measured) for _ in range(options.seats)]
    try:
        await sessions[0].reach()
        game_id = await sessions[0].create_game(seat_count=options.seats, title="load")
        players = []
        for seat, session in enumerate(sessions):
            joined = await session.join(game_id, f"Bot {seat}")
            chance = random.Random(options.seed + number * options.seats + seat)
            bot = SensibleBot(chance) if options.bots == SENSIBLE else RandomLegalBot(chance)
            players.append((Player(session, game_id, joined.seat, joined.token, bot), joined.token))
        await sessions[0].start(game_id, players[0][1])
        await asyncio.gather(*(player.play() for player, _ in players))
        checked = await check_game(sessions[0], game_id, bank)
        refused = sum(sum(player.refused.values()) for player, _ in players)
        return refused, [f"{game_id}: {fault}" for fault in checked.faults]
    finally:
        for session in sessions:
            await session.__aexit__()
