"""Words between processes that nobody stores: heard late, not at all, and never by who is dead."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from magnate.kit.bulletin import Listener
    from tests.sim.process import Process
    from tests.sim.world import World


class Words:
    """Who listens."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._listeners: list[tuple[Process, Listener]] = []

    def add(self, process: Process, listener: Listener) -> None:
        """Let a process listen from now on."""
        self._listeners = [one for one in self._listeners if one[0].alive]
        self._listeners.append((process, listener))

    def say(self, data: bytes) -> None:
        """Tell everybody who can be reached."""
        for process, listener in self._listeners:
            cut = self.world.net.parted_from(process, "log")
            if process.alive and not cut and not self.world.happens("losses", 0.02):
                self.world.loop.call_later(
                    self.world.net.delay(), listener, data, context=process.context.copy()
                )


class SimBulletin:
    """The words as one process hears and says them: the port of `kit.bulletin`."""

    def __init__(self, words: Words, process: Process) -> None:
        self._words = words
        self._process = process

    async def post(self, data: bytes) -> bool:
        """Say a few bytes; False if the server cannot be reached."""
        if self._words.world.net.parted_from(self._process, "log"):
            return False
        self._words.say(data)
        return True

    async def listen(self, listener: Listener) -> None:
        """Listen from now on."""
        self._words.add(self._process, listener)
