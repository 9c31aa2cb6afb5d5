"""`magnate bench rules`: how fast one core plays whole classic games in memory, with nothing else around.

Four random bots on the classic board, no log, no network. Times are CPU seconds of this process, so that
other work on the machine does not count.
"""

from __future__ import annotations

import time

from magnate import compiled
from magnate.cli.output import OK, result
from magnate.rules import simulate
from magnate.rules.loader import load_board, load_ruleset

SEATS = 4
RECORDED_GAMES = 12
FIRST_SEED = 1


def measure(seconds: float) -> dict[str, float | int | bool]:
    """Measure for about `seconds` a part: games with bots, decide and evolve alone, folding alone."""
    board, rules = load_board("classic-us"), load_ruleset("classic")
    simulate.play_games(board, rules, SEATS, FIRST_SEED, 2)  # warm up
    found: dict[str, float | int | bool] = {"compiled": compiled.is_compiled(simulate), "seats": SEATS}

    games = turns = commands = events = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        more = simulate.play_games(board, rules, SEATS, FIRST_SEED + games, 1)
        games, turns, commands, events = games + 1, turns + more[0], commands + more[1], events + more[2]
    found |= {
        "games": games,
        "turns_per_second": round(turns / spent),
        "commands_per_second": round(commands / spent),
        "events_per_second": round(events / spent),
        "turns_per_game": round(turns / games),
        "events_per_turn": round(events / turns, 2),
    }

    recorded = [_recorded(FIRST_SEED + number) for number in range(RECORDED_GAMES)]
    turns = commands = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        again = simulate.decide_games(recorded, FIRST_SEED)
        turns, commands = turns + again[0], commands + again[1]
    found["decide_turns_per_second"] = round(turns / spent)
    found["decide_commands_per_second"] = round(commands / spent)

    events = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        for game in recorded:
            simulate.fold_log(game)
            events += len(game.log)
    found["fold_events_per_second"] = round(events / spent)
    return found


def _recorded(seed: int) -> simulate.Game:
    game = simulate.Game(load_board("classic-us"), load_ruleset("classic"), SEATS, seed, record=True)
    game.play()
    return game


def run_bench_rules(seconds: float, *, json_mode: bool) -> int:
    """Measure and print; the exit code."""
    result(measure(seconds), json_mode=json_mode)
    return OK
