"""`magnate demo`: bots play whole games over gRPC; each is then rebuilt from its log and verified."""

from __future__ import annotations

import asyncio
import random
import secrets
import tempfile
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import grpc

from magnate.cli.check import check_game
from magnate.cli.output import FAILED, OK, UNREACHABLE, USAGE, result, say
from magnate.cli.processes import StartError
from magnate.cli.rules.find import house_rules_of, library_of
from magnate.cli.screen import Scores, screen
from magnate.cli.stack import Stack, StackOptions
from magnate.client.bots.sensible import SensibleBot
from magnate.client.player import Player
from magnate.client.session import RefusedError, Session

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.cli.check import Checked
    from magnate.cli.screen import Screen
    from magnate.game.v1 import game_pb2

FOR_PEOPLE: Final = {"debt.payment": "by_card", "table.tokens": "by_hand"}
"""House rules that bots cannot play by: they have neither cards at a terminal nor hands at a board."""
NAMES: Final = ("Ada", "Boris", "Chiara", "Dmitri", "Emeka", "Farah", "Gus", "Hana")
ENTROPY_BYTES: Final = 16

_UNREACHABLE: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


@dataclass
class DemoOptions:
    """What to play: with how many bots, by which rules, how often, and where."""

    players: int = 4
    ruleset: str = "classic"
    board: str = ""
    seed: int = 1
    games: int = 1
    addr: str = ""
    house: list[str] = field(default_factory=list)
    rules: Path | None = None


async def run_demo(options: DemoOptions, *, json_mode: bool) -> int:
    """Play and verify the games; the exit code is 1 if one of them does not verify."""
    house = house_rules_of(options.house)
    for name, value in FOR_PEOPLE.items():
        if house.get(name) == value:
            say(f"magnate: --option {name}={value}: bots have no cards and no hands", json_mode=True)
            return USAGE
    if options.rules is not None:
        library_of(options.rules)  # says what is wrong before anything is started
    try:
        async with server(options.addr, options.rules, json_mode=json_mode) as (address, bank):
            passed = True
            for number in range(options.games):
                values, faults = await _one_game(options, house, number, address, bank, json_mode=json_mode)
                for fault in faults:
                    say(f"magnate: {values['game_id']}: {fault}", json_mode=True)
                result(values, json_mode=json_mode)
                passed = passed and not faults
            return OK if passed else FAILED
    except StartError as error:
        say(f"magnate: {error}", json_mode=True)
        return UNREACHABLE
    except RefusedError as error:
        say(f"magnate: {error}", json_mode=True)
        return UNREACHABLE if error.code in _UNREACHABLE else USAGE


@asynccontextmanager
async def server(
    address: str, rules: Path | None = None, *, json_mode: bool
) -> AsyncIterator[tuple[str, str]]:
    """Yield addresses of game and bank: the given game service, or own ones for as long as this lasts."""
    if address:
        yield address, ""
        return
    with tempfile.TemporaryDirectory(prefix="magnate-demo-") as folder:
        stack = Stack(StackOptions(data=Path(folder), free_ports=True, rules=rules))
        say("starting nats-server and four services", json_mode=json_mode)
        try:
            await stack.start()
            yield stack.addresses("game")[0], stack.addresses("bank")[0]
        finally:
            await stack.stop()


async def _one_game(
    options: DemoOptions, house: dict[str, str], number: int, address: str, bank: str, *, json_mode: bool
) -> tuple[dict[str, object], list[str]]:
    """Play one game to its end and examine it; returns what to print and what is wrong."""
    started = time.perf_counter()
    scores = Scores()
    async with AsyncExitStack() as open_now:
        sessions = [await open_now.enter_async_context(Session(address)) for _ in range(options.players)]
        await sessions[0].reach()
        game_id = await sessions[0].create_game(
            ruleset=options.ruleset,
            board=options.board,
            seat_count=options.players,
            title="demo",
            options=house,
        )
        say(f"game {game_id}", json_mode=json_mode)
        title = f"{options.ruleset}, {options.players} bots"
        with screen(title, json_mode=json_mode) as shown:
            await _play(sessions, game_id, options.seed + 1000 * number, scores, shown)
        say("the game is over; rebuilding it from its log", json_mode=json_mode)
        checked = await check_game(sessions[0], game_id, bank)
        faults = list(checked.faults)
        if not checked.view.ranking:
            faults.append("the game has no winner")
        if checked.fairness_ok is None:
            faults.append("chance could not be recomputed")
        return _values(checked, time.perf_counter() - started), faults


async def _play(sessions: list[Session], game_id: str, seed: int, scores: Scores, shown: Screen) -> None:
    """Seat a bot on each connection, start, and play until the game is over."""
    seats = []
    for name, session in zip(NAMES, sessions, strict=False):
        seats.append(await session.join(game_id, name, secrets.token_bytes(ENTROPY_BYTES)))
    await sessions[0].start(game_id, seats[0].token)

    def show(update: game_pb2.WatchGameResponse) -> None:
        if update.HasField("commit"):
            scores.take(update.commit)
            shown.show(scores)

    bots = [SensibleBot(random.Random(seed + seat.seat)) for seat in seats]  # noqa: S311 - moods, not secrets
    players = [
        Player(session, game_id, seat.seat, seat.token, bot)
        for session, seat, bot in zip(sessions, seats, bots, strict=True)
    ]
    tasks = [
        asyncio.create_task(player.play(show if place == 0 else None)) for place, player in enumerate(players)
    ]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _values(checked: Checked, seconds: float) -> dict[str, object]:
    view = checked.view
    return {
        "game_id": checked.game_id,
        "ruleset": view.ruleset.id,
        "board": view.board.id,
        "players": len(view.seats),
        "turns": view.situation.turn,
        "commits": checked.commits,
        "events": checked.events,
        "winner": view.seats[view.ranking[0]].name if view.ranking else "",
        "replay_identical": checked.replay_identical,
        "chain_ok": checked.chain_ok,
        "ledger_sum": checked.ledger_sum,
        "fairness_ok": bool(checked.fairness_ok),
        "seconds": round(seconds, 2),
    }
