"""`python -m tests.sim --seeds 500`, or `--seed 123` to repeat exactly one."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.sim.plan import COMMANDS_MAX, FAULTS, draw
from tests.sim.run import run_seed


def main(arguments: list[str] | None = None) -> int:
    """Run seeds; return 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--seeds", type=int, default=500, help="how many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--commands", type=int, default=COMMANDS_MAX, help="at most so many commands a seed")
    parser.add_argument("--without", default="", help=f"kinds of faults to leave out, of {' '.join(FAULTS)}")
    parser.add_argument("--met", action="store_true", help="print what happened, and how often")
    asked = parser.parse_args(arguments)
    without = frozenset(asked.without.replace(",", " ").split())
    seeds = range(asked.first, asked.first + asked.seeds) if asked.seed is None else (asked.seed,)
    started = time.process_time()
    broken = commits = 0
    met: Counter[str] = Counter()
    for seed in seeds:
        result = run_seed(draw(seed, asked.commands, without))
        commits += result.commits
        met.update(result.met)
        if asked.seed is not None:
            print(f"seed {seed}: {result.plan.words}")
            print(f"  {result.commits} commits, {result.sent} sent, {result.accepted} accepted, {result.seconds:.0f} s, {result.steps} steps")
            print(f"  digest {result.digest}")
        if result.broken:
            broken += 1
            if asked.seed is not None or asked.seeds < 0:
                print("\n".join(result.last))
            print(f"seed {seed}: {result.plan.words}\n  broken: {result.promise}\n  {result.detail}")
            print(f"  again: python -m tests.sim --seed {seed}")
    if asked.met:
        print("\n".join(f"{count:8} {what}" for what, count in sorted(met.items())))
    spent = time.process_time() - started
    print(f"{len(seeds)} seeds, {broken} broken, {commits} commits, {spent:.1f} s of CPU, {1000 * spent / len(seeds):.0f} ms a seed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
