"""`magnate bench`: rules and ledger alone, the services on this machine, the rebuild of a game."""

from __future__ import annotations

import gc
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from magnate.cli.bench_bids import bench_bids
from magnate.cli.bench_close import bench_close
from magnate.cli.bench_ledger import bench_ledger, bench_transfers
from magnate.cli.bench_page import bench_page
from magnate.cli.bench_timers import bench_clocks, bench_deadlines
from magnate.cli.output import FAILED, OK, UNREACHABLE, USAGE, fail, result, say
from magnate.cli.percentile import percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from magnate.cli.load import Tables
    from magnate.cli.stack import Stack

SEATS: Final = 4
RULES_GAMES_AT_ONCE: Final = 5
RULES_SEED: Final = 1
WARM_UP_SECONDS: Final = 1.0
LONE_SECONDS_MAX: Final = 3.0
YARDSTICK_SECONDS_MAX: Final = 2.0
REBUILD_EVENTS: Final = 3000
REBUILDS: Final = 15


def run_bench(name: str, seconds: float, *, json_mode: bool) -> int:
    """Run one bench; exit code 1 if a game does not verify afterwards."""
    if name == "rules":
        result(bench_rules(seconds), json_mode=json_mode)
        return OK
    if name == "host":
        return _with_stack(lambda stack: bench_host(stack, seconds, json_mode=json_mode))
    if name == "rebuild":
        return _with_stack(lambda stack: bench_rebuild(stack, json_mode=json_mode))
    if name == "ledger":
        result(bench_ledger(seconds), json_mode=json_mode)
        return OK
    if name == "transfers":
        return _with_stack(lambda stack: bench_transfers(stack, seconds, json_mode=json_mode))
    if name == "bids":
        return _with_stack(lambda stack: bench_bids(stack, seconds, json_mode=json_mode))
    if name == "deadlines":
        return _with_stack(lambda stack: bench_deadlines(stack, json_mode=json_mode))
    if name == "close":
        return _with_stack(lambda stack: bench_close(stack, json_mode=json_mode))
    if name == "clocks":
        return _with_stack(lambda stack: bench_clocks(stack, json_mode=json_mode))
    if name == "page":
        return _with_stack(lambda stack: bench_page(stack, seconds, json_mode=json_mode), gateway=True)
    known = "rules, host, rebuild, ledger, transfers, bids, deadlines, close, clocks, page"
    return fail(f"there is no bench {name!r}; one of {known}", USAGE)


def bench_rules(seconds: float) -> dict[str, object]:
    """Play random games in memory on one core; then decide the same commands again without bots."""
    from magnate.compiled import is_compiled
    from magnate.rules import decide
    from magnate.rules.loader import load_board, load_ruleset
    from magnate.rules.replaying import decide_games, play_games
    from magnate.rules.simulate import Game

    board, rules = load_board("classic-us"), load_ruleset("classic")
    play_games(board, rules, SEATS, RULES_SEED, 1)
    turns = commands = events = 0
    seed = RULES_SEED
    clock = time.perf_counter
    started = clock()
    while clock() - started < seconds:
        more = play_games(board, rules, SEATS, seed, RULES_GAMES_AT_ONCE)
        turns, commands, events = turns + more[0], commands + more[1], events + more[2]
        seed += RULES_GAMES_AT_ONCE
    spent = clock() - started

    games = [
        Game(board, rules, SEATS, RULES_SEED + number, record=True) for number in range(RULES_GAMES_AT_ONCE)
    ]
    for game in games:
        game.play()
    alone_turns = alone_commands = 0
    started = clock()
    while clock() - started < seconds / 2:
        more_alone = decide_games(games, RULES_SEED)
        alone_turns, alone_commands = alone_turns + more_alone[0], alone_commands + more_alone[1]
    alone = clock() - started
    return {
        "turns_per_second": round(turns / spent),
        "events_per_second": round(events / spent),
        "commands_per_second": round(commands / spent),
        "compiled": is_compiled(decide),
        "decide_turns_per_second": round(alone_turns / alone),
        "decide_commands_per_second": round(alone_commands / alone),
        **bench_rulesets(seconds),
    }


def bench_rulesets(seconds: float) -> dict[str, object]:
    """Play all rule sets by turns, each for as long as the others, so that what slows one slows all.

    `slowest_ratio` is the turns a second of the slowest rule set, by those of classic in the same time.
    """
    from magnate.rules.loader import load_board, load_ruleset, ruleset_ids
    from magnate.rules.replaying import play_games

    rules = {name: load_ruleset(name) for name in ruleset_ids()}
    boards = {name: load_board(one.board) for name, one in rules.items()}
    spent = dict.fromkeys(rules, 0.0)
    turns = dict.fromkeys(rules, 0)
    seeds = dict.fromkeys(rules, RULES_SEED)
    clock = time.perf_counter
    end = clock() + seconds
    while clock() < end or not all(turns.values()):
        name = min(spent, key=lambda one: spent[one])
        started = clock()
        turns[name] += play_games(boards[name], rules[name], SEATS, seeds[name], 1)[0]
        spent[name] += clock() - started
        seeds[name] += 1
    rates = {name: turns[name] / spent[name] for name in rules}
    slowest = min(rates, key=lambda one: rates[one])
    return {
        "slowest_ruleset": slowest,
        "slowest_ratio": round(rates[slowest] / rates["classic"], 3),
        "rulesets": {name: round(rate) for name, rate in rates.items()},
    }


async def bench_host(stack: Stack, seconds: float, *, json_mode: bool) -> int:
    """Play 64 games at once, over streams and with single calls, then one game alone; verify all of them."""
    from magnate.cli import yardstick
    from magnate.cli.load import GAMES, STREAM, UNARY, Tables, closed_loop, until

    say("bare gRPC on this machine, to compare with", json_mode=json_mode)
    bare = await yardstick.measure(GAMES, min(seconds, YARDSTICK_SECONDS_MAX))
    bank = stack.addresses("bank")[0]
    async with Tables(stack.addresses("game")[0], GAMES, seats=SEATS) as tables:
        rates = {}
        for how in (STREAM, UNARY):
            say(f"{GAMES} games at once, {how}", json_mode=json_mode)
            rates[how] = await _rate(tables, how, seconds)
        say("one game alone", json_mode=json_mode)
        lone: list[float] = []
        gc.disable()
        await closed_loop(tables, STREAM, until(min(seconds, LONE_SECONDS_MAX)), lone.append, games=1)
        gc.enable()
        say("verifying every game", json_mode=json_mode)
        faults = await tables.verify(bank)
        played = len(tables.tables) + len(tables.ended)
    for fault in faults:
        say(f"magnate: {fault}", json_mode=True)
    stream, unary = rates[STREAM], rates[UNARY]
    values = {
        "streams_per_second": round(stream[0]),
        "unary_per_second": round(unary[0]),
        "lone_p50_ms": round(percentile(lone, 50) * 1000, 3),
        "verified": not faults,
        "games": played,
        "streams_p50_ms": round(percentile(stream[1], 50) * 1000, 2),
        "streams_p99_ms": round(percentile(stream[1], 99) * 1000, 2),
        "unary_p50_ms": round(percentile(unary[1], 50) * 1000, 2),
        "unary_p99_ms": round(percentile(unary[1], 99) * 1000, 2),
        "lone_p99_ms": round(percentile(lone, 99) * 1000, 3),
        "yardstick_streams_per_second": round(bare.streams_per_second),
        "yardstick_unary_per_second": round(bare.unary_per_second),
        "yardstick_lone_p50_ms": round(bare.lone_p50_ms, 3),
    }
    result(values, json_mode=json_mode)
    return FAILED if faults else OK


async def _rate(tables: Tables, how: str, seconds: float) -> tuple[float, list[float]]:
    """Return accepted commands a second and what each took, after a warm-up that does not count."""
    from magnate.cli.load import closed_loop, until

    await closed_loop(tables, how, until(WARM_UP_SECONDS), lambda _: None)
    took: list[float] = []
    started = time.perf_counter()
    accepted = await closed_loop(tables, how, until(seconds), took.append)
    return accepted / (time.perf_counter() - started), took


async def bench_rebuild(stack: Stack, *, json_mode: bool) -> int:
    """Write a long game among 63 others, then load it as a service that has never seen it."""
    from magnate.cli.load import GAMES, STREAM, Tables, closed_loop

    async with Tables(stack.addresses("game")[0], GAMES, seats=SEATS) as tables:
        say(f"writing a game of {REBUILD_EVENTS} events among {GAMES - 1} others", json_mode=json_mode)
        chosen = tables.tables[0]

        def going() -> bool:
            return chosen.events < REBUILD_EVENTS and not chosen.over

        await closed_loop(tables, STREAM, going, lambda _: None)
        cold, warm, version = await _load_times(stack, chosen.game_id)
        values = {
            "events": chosen.events,
            "cold_ms": round(statistics.median(cold) * 1000, 2),
            "snapshot_ms": round(statistics.median(warm) * 1000, 2),
            "commits": chosen.version,
            "snapshot_version": version,
            "cold_min_ms": round(min(cold) * 1000, 2),
            "snapshot_min_ms": round(min(warm) * 1000, 2),
        }
    result(values, json_mode=json_mode)
    return OK


async def _load_times(stack: Stack, game_id: str) -> tuple[list[float], list[float], int]:
    """Load a game again and again: from its first commit, and from the newest snapshot a service left."""
    from magnate.game.fold import GameFold
    from magnate.game.snapshot import GameSnapshots
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.fold import Loader
    from magnate.kit.log.jetstream import JetStreamLog

    keys = KeyRing.parse((stack.data / "keys").read_text().strip())
    log = JetStreamLog([stack.nats_url], tenant="main", epoch=1, shards=4, replicas=1)
    await log.connect()
    try:
        cold, warm, version = [], [], 0
        for _ in range(REBUILDS):
            started = time.perf_counter()
            await Loader(log, keys, GameFold()).load(game_id)
            cold.append(time.perf_counter() - started)
        for _ in range(REBUILDS):
            started = time.perf_counter()
            _, version = await Loader(log, keys, GameFold(), GameSnapshots()).load_counted(game_id)
            warm.append(time.perf_counter() - started)
        return cold, warm, version
    finally:
        await log.close()


def _with_stack(bench: Callable[[Stack], Coroutine[None, None, int]], *, gateway: bool = False) -> int:
    """Run a bench against services of its own."""
    import uvloop

    from magnate.cli.processes import StartError
    from magnate.cli.stack import Stack, StackOptions
    from magnate.client.quick import UnexpectedRefusalError
    from magnate.client.session import RefusedError

    async def run() -> int:
        with TemporaryDirectory(prefix="magnate-bench-") as folder:
            stack = Stack(StackOptions(data=Path(folder), free_ports=True, gateway=gateway))
            try:
                await stack.start()
                return await bench(stack)
            except (StartError, RefusedError, ConnectionError) as error:
                say(f"magnate: {error}", json_mode=True)
                return UNREACHABLE
            except UnexpectedRefusalError as error:
                say(f"magnate: {error}", json_mode=True)
                return FAILED
            finally:
                await stack.stop()

    return uvloop.run(run())
