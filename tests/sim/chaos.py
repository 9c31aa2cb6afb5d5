"""Does to the processes, the network and the clocks what a seed has in store for them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from tests.sim.store import RESTART_SECONDS, SERVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sim.world import World


STEPS_MAX: Final = 2.5
"""So many seconds a wall clock is off at most where a process has to serve all the same."""


class Chaos:
    """One trouble after the other."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.chance = world.chance("chaos")
        self._kinds: list[tuple[str, Callable[[], None]]] = [
            ("crashes", self._crash),
            ("crashes", self._crash),
            ("drains", self._drain),
            ("stalls", self._stall),
            ("partitions", self._part),
            ("elections", self._elect),
            ("breaks", world.net.snap_one),
            ("breaks", world.net.snap_one),
            ("steps", self._step),
            ("jumps", self._jump),
            ("jumps", self._jump),
        ]

    async def run(self) -> None:
        """Make trouble until the faults stop."""
        world = self.world
        kinds = [do for fault, do in self._kinds if fault in world.plan.faults]
        pause = self.chance.choice((0.3, 2.0, 8.0))
        for _ in range(5 + world.plan.commands // 4):
            if not kinds or not world.faulty:
                return
            await asyncio.sleep(self.chance.expovariate(1 / pause))
            if world.faulty:
                self.chance.choice(kinds)()

    def stop(self) -> None:
        """No more trouble: what was broken is mended."""
        world = self.world
        world.faulty = False
        world.net.heal()
        world.store.election_until = 0.0
        for process in world.processes.values():
            self._go_on(process.name)
            if "jumps" in world.plan.faults:
                world.wall(process.name).set_right()

    def _any(self) -> str:
        return self.chance.choice(list(self.world.processes))

    def _crash(self, name: str = "") -> None:
        name = name or self._any()
        if self.world.processes[name].alive:
            silently = self.chance.random() < 0.2
            self.world.crash(name, RESTART_SECONDS + self.chance.random() ** 3 * 20, silently=silently)

    def _drain(self) -> None:
        self.world.drain(self._any())

    def _stall(self) -> None:
        process = self.world.processes[self._any()]
        if process.alive and not process.stalled:
            process.stalled = True
            self.world.tell("stalled", process.name)
            after = self.chance.random() ** 2 * 15
            self.world.loop.call_later(after, self._wake, process.name, process, context=self.world.context)

    def _wake(self, name: str, process: object) -> None:
        if self.world.processes[name] is process:
            self._go_on(name)

    def _go_on(self, name: str) -> None:
        process = self.world.processes[name]
        if process.stalled:
            process.stalled = False
            parked, process.parked = process.parked, []
            self.world.loop.unpark(list(parked))

    def _part(self) -> None:
        one = self._any()
        other = SERVER if self.chance.random() < 0.4 else self._any()
        if one != other:
            self.world.tell("parted", f"{one} and {other}")
            self.world.net.part(one, other)
            after = self.chance.random() ** 2 * 30
            self.world.loop.call_later(after, self.world.net.heal, context=self.world.context)

    def _elect(self) -> None:
        world = self.world
        seconds = 0.5 + self.chance.random() ** 2 * 9
        chance = world.chance("elections")
        closings_ms = [due_ms for due_ms in world.races.closings_ms() if due_ms > world.now_ms()]
        wait = 0.0
        if closings_ms and chance.random() < 0.8:  # in the last second of an auction
            wait = max(0.0, (chance.choice(closings_ms) - world.now_ms()) / 1000 - chance.random())
        world.loop.call_later(wait, self._leaderless, seconds, context=world.context)

    def _leaderless(self, seconds: float) -> None:
        if self.world.faulty:
            self.world.store.elect(seconds)

    def _step(self) -> None:
        wall = self.world.wall(self._any())
        wall.offset_seconds += self.chance.uniform(-1, 1) ** 3 * 5.0
        wall.offset_seconds = max(-STEPS_MAX, min(STEPS_MAX, wall.offset_seconds))

    def _jump(self) -> None:
        name = self._any()
        wall = self.world.wall(name)
        if self.chance.random() < 0.7:
            wall.offset_seconds += self.chance.choice((-1, 1)) * 3600 ** self.chance.random()
        else:
            wall.run_by(self.chance.uniform(-0.2, 0.2), self.world.loop.time())
        self.world.tell("wall clock", f"{name} is wrong")
        if self.chance.random() < 0.5:
            self._crash(name)  # whoever starts takes the word of his machine
        after = 5 + self.chance.random() * 60
        self.world.loop.call_later(after, wall.set_right, context=self.world.context)
