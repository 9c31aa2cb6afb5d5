"""Makes a failing seed smaller: fewer commands, fewer kinds of faults, while the same promise is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.sim.plan import FAULTS, draw
from tests.sim.run import run_seed

if TYPE_CHECKING:
    from tests.sim.run import Result


class Small:
    """A failing seed, and what may be left out of it."""

    def __init__(self, result: Result, commands: int, without: frozenset[str]) -> None:
        self.result = result
        self.commands = commands
        self.without = without

    @property
    def command(self) -> str:
        """Return the one command that repeats it."""
        words = f"python -m tests.sim --seed {self.result.plan.seed} --commands {self.commands}"
        left_out = [name for name in FAULTS if name in self.without]
        return words + (f" --without {','.join(left_out)}" if left_out else "")


def shrink(result: Result, commands: int, without: frozenset[str]) -> Small:
    """Return the smallest failure found by leaving out one thing after the other."""
    small = Small(result, min(commands, result.plan.commands, max(1, result.sent)), without)
    for name in FAULTS:
        if name in small.result.plan.faults:
            small = _try(small, small.commands, small.without | {name})
    low, high = 0, small.commands
    while low + 1 < high:
        middle = (low + high) // 2
        tried = _try(small, middle, small.without)
        if tried is small:
            low = middle
        else:
            small, high = tried, middle
    return small


def _try(small: Small, commands: int, without: frozenset[str]) -> Small:
    result = run_seed(draw(small.result.plan.seed, commands, without))
    return Small(result, commands, without) if result.promise == small.result.promise else small
