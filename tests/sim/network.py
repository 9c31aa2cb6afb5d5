"""A network between processes: real gRPC stubs and real servicers, bytes in between, no socket.

Each call has a wire (`wire.py`) from a channel (`channel.py`) to a server (`serving.py`). A unary call may
also be carried out twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.sim.channel import SimChannel
from tests.sim.process import PROCESS
from tests.sim.wire import Wire

if TYPE_CHECKING:
    from tests.sim.process import Process
    from tests.sim.world import World

KEEPALIVE_SECONDS: Final = 25.0
"""After so long without a sign of life gRPC gives a connection up."""


class Network:
    """Delays, partitions, and the wires that are open."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.loop = world.loop
        self.context = world.context
        self.chance = world.chance("net")
        self.servers: dict[str, Process] = {}
        self.wires: dict[Wire, None] = {}
        self._parted: set[frozenset[str]] = set()
        self._held: list[tuple[Wire, bool]] = []

    def delay(self) -> float:
        """Return how long a message is under way."""
        chance = self.chance
        usual = 0.0002 + chance.random() * 0.002
        if self.world.on("delays") and chance.random() < 0.04:
            return usual + chance.random() ** 4 * 3.0
        return usual

    def connect(self, address: str, **_options: Any) -> Any:
        """Return a channel of the process that asks; stands in for `kit.rpc.channels.connect`."""
        return SimChannel(self, PROCESS.get(None), address)

    def parted(self, one: Process | None, other: Process | None) -> bool:
        """Say whether nothing passes between two processes now."""
        return bool(self._parted) and frozenset((str(one), str(other))) in self._parted

    def parted_from(self, process: Process, name: str) -> bool:
        """Say whether a process cannot reach something that is no process."""
        return bool(self._parted) and frozenset((process.name, name)) in self._parted

    def part(self, one: str, other: str) -> None:
        """Let nothing pass between two processes."""
        self._parted.add(frozenset((one, other)))

    def heal(self) -> None:
        """End all partitions: what TCP still has to send arrives."""
        self._parted.clear()
        held, self._held = self._held, []
        for wire, back in held:
            self.loop.call_later(self.delay(), wire.arrive, back, context=self.context)

    def hold(self, wire: Wire, back: bool) -> None:
        """Keep what cannot pass; if that lasts, the connection is given up."""
        self._held.append((wire, back))
        self.loop.call_later(KEEPALIVE_SECONDS, self._give_up, wire, context=self.context)

    def _give_up(self, wire: Wire) -> None:
        if any(held[0] is wire for held in self._held):
            self._held = [held for held in self._held if held[0] is not wire]
            wire.snap("keepalive watchdog timeout")

    def open(self, client: Process | None, address: str) -> Wire | None:
        """Return a new wire, None if nobody listens there."""
        server = self.servers.get(address)
        if server is None or not server.alive:
            return None
        wire = Wire(self, client, server)
        self.wires[wire] = None
        return wire

    def gone(self, process: Process, *, silently: bool) -> None:
        """Break the wires of a process that was killed; silently, if its machine went with it."""
        for wire in list(self.wires):
            if process in (wire.client, wire.server):
                after = KEEPALIVE_SECONDS if silently else self.delay()
                self.loop.call_later(after, wire.snap, "connection reset", context=self.context)

    def snap_one(self) -> None:
        """Break one connection between two processes, whichever."""
        between = [wire for wire in self.wires if wire.client is not None]
        if between:
            self.chance.choice(between).snap("connection reset")
