"""Run seeds of the simulator: `python -m tests.sim --seeds 500`; `--seed 123` repeats exactly one."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final

from tests.sim.plan import COMMANDS_MAX, FAULTS
from tests.sim.races import Coverage
from tests.sim.run import run_number
from tests.sim.shrink import Small, shrink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tests.sim.run import Result

SEEDS_TOGETHER: Final = 20
"""Seeds that a process gets at once."""
PROGRESS_SECONDS: Final = 30.0
"""How often a long run says how far it is."""


def main(arguments: list[str] | None = None) -> int:
    """Run seeds; return 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--seeds", type=from_one, default=500, help="how many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--commands", type=int, default=COMMANDS_MAX, help="at most so many commands a seed")
    parser.add_argument("--without", default="", help=f"faults to leave out, of: {' '.join(FAULTS)}")
    parser.add_argument("--jobs", type=from_one, default=1, help="processes that share the seeds")
    parser.add_argument("--met", action="store_true", help="print what happened, and how often")
    parser.add_argument("--coverage", action="store_true", help="print which races were run, and how often")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first broken promise")
    asked = parser.parse_args(arguments)
    without = frozenset(asked.without.replace(",", " ").split())
    unknown = without - FAULTS.keys()
    if unknown:
        parser.error(f"no kind of fault is called {', '.join(sorted(unknown))}")
    seeds = range(asked.first, asked.first + asked.seeds) if asked.seed is None else (asked.seed,)
    started = said = time.monotonic()
    met: Counter[str] = Counter()
    coverage = Coverage()
    done = broken = 0
    for result in results(seeds, partial(run_number, commands=asked.commands, without=without), asked.jobs):
        met.update(result.met)
        coverage.add(result.met)
        done += 1
        if time.monotonic() - said > PROGRESS_SECONDS:
            said = time.monotonic()
            hint(f"{done} of {len(seeds)} seeds, {broken} broken, {said - started:.0f} s")
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
    if asked.coverage:
        say(coverage.table())
    spent = time.monotonic() - started
    commits = met["commit"]
    say(f"{done} seeds, {broken} broken, {commits} commits")
    say(f"{spent:.1f} s, {1000 * spent / done:.0f} ms a seed")
    return 1 if broken else 0


def from_one(text: str) -> int:
    """Read a number of things of which there must be one."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def results(seeds: Iterable[int], run: Callable[[int], Result], jobs: int) -> Iterator[Result]:
    """Yield what comes of each seed, in order; from so many processes."""
    if jobs == 1:
        yield from map(run, seeds)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            yield from pool.map(run, seeds, chunksize=SEEDS_TOGETHER)
        finally:
            pool.shutdown(cancel_futures=True)


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


def hint(text: str) -> None:
    """Print how far it is, where it is in nobody's way who reads the results."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def say(text: str) -> None:
    """Print a text."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
