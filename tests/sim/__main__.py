"""Run seeds of the simulator: `python -m tests.sim --seeds 500`; `--seed 123` repeats exactly one."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.sim.plan import COMMANDS_MAX, FAULTS, draw
from tests.sim.run import run_seed
from tests.sim.shrink import Small, shrink


def main(arguments: list[str] | None = None) -> int:
    """Run seeds; return 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--seeds", type=int, default=500, help="how many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--commands", type=int, default=COMMANDS_MAX, help="at most so many commands a seed")
    parser.add_argument("--without", default="", help=f"faults to leave out, of: {' '.join(FAULTS)}")
    parser.add_argument("--met", action="store_true", help="print what happened, and how often")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first broken promise")
    asked = parser.parse_args(arguments)
    without = frozenset(asked.without.replace(",", " ").split())
    unknown = without - FAULTS.keys()
    if unknown:
        parser.error(f"no kind of fault is called {', '.join(sorted(unknown))}")
    seeds = range(asked.first, asked.first + asked.seeds) if asked.seed is None else (asked.seed,)
    started = time.process_time()
    met: Counter[str] = Counter()
    done = broken = 0
    for seed in seeds:
        result = run_seed(draw(seed, asked.commands, without))
        met.update(result.met)
        done += 1
        if asked.seed is not None:
            say(result.plan.words)
            say(f"{result.sent} commands in {result.seconds:.0f} s, digest {result.digest}")
        if result.broken:
            broken += 1
            small = Small(result, asked.commands, without)
            if asked.seed is None:
                small = shrink(result, asked.commands, without)
            say(told(small))
            if not asked.keep_going:
                break
    if asked.met:
        say("\n".join(f"{count:8} {what}" for what, count in sorted(met.items())))
    spent = time.process_time() - started
    commits = met["commit"]
    say(f"{done} seeds, {broken} broken, {commits} commits")
    say(f"{spent:.1f} s of CPU, {1000 * spent / done:.0f} ms a seed")
    return 1 if broken else 0


def told(small: Small) -> str:
    """Return what a person needs to know of a broken promise."""
    result = small.result
    return "\n".join(
        (
            *result.last,
            f"seed {result.plan.seed}: {result.plan.words}",
            f"  broken promise: {result.promise}",
            f"  {result.detail}",
            f"  again: {small.command}",
        )
    )


def say(text: str) -> None:
    """Print a text."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
