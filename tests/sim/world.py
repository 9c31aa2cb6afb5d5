"""The world of one seed: its loop, network and log, and the processes of the four services in it."""

from __future__ import annotations

import asyncio
import contextvars
import hashlib
from collections import Counter, deque
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

from prometheus_client import CollectorRegistry

from magnate.auction import wiring as auction_wiring
from magnate.auction.settings import AuctionSettings
from magnate.bank import wiring as bank_wiring
from magnate.bank.settings import BankSettings
from magnate.game import wiring as game_wiring
from magnate.game.settings import GameSettings
from magnate.kit.clock import AnchoredClock, SystemClock
from magnate.kit.errors import KitError
from magnate.kit.ids import rendezvous
from magnate.kit.keys import KeyRing
from magnate.kit.limits import STREAM_DRAIN_SECONDS
from magnate.kit.log.guard import raise_guard
from magnate.kit.log.skew import watch_clock
from magnate.kit.rpc.channels import Peers
from magnate.kit.rpc.interceptors import wrap
from magnate.kit.rpc.interceptors.auth import Auth
from magnate.kit.rpc.interceptors.deadlines import Deadlines
from magnate.kit.rpc.interceptors.errors import Errors
from magnate.kit.rpc.interceptors.scope import Scope
from magnate.kit.rpc.server import _method, _Recorder
from magnate.timer import wiring as timer_wiring
from magnate.timer.settings import TimerSettings
from tests.sim.alarms import AlarmServer, SimAlarms
from tests.sim.bulletin import SimBulletin, Words
from tests.sim.life import SimLife
from tests.sim.log import SimLog
from tests.sim.network import Network
from tests.sim.process import EPOCH_MS, Process, Wall
from tests.sim.races import Races, SeenOwners
from tests.sim.store import RESTART_SECONDS, Store
from tests.sim.virtual import SMALL_SNAPSHOTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.kit.rpc.server import Registration
    from tests.sim.loop import SimLoop
    from tests.sim.plan import Plan

KEYS: Final = KeyRing("sim", {"sim": bytes(range(32))})
SERVICES: Final = ("game", "bank", "auction", "timer")
INSTANCES: Final = 2
ADDRESSES: Final = {
    service: tuple(f"{service}-{worker}:1" for worker in range(INSTANCES)) for service in SERVICES
}
SHOWN: Final = 60
SKEW_SECONDS: Final = 3.0
"""So far off the log's servers the clock of a process may be; the services' own default."""


class World:
    """Everything one seed consists of."""

    def __init__(self, plan: Plan, loop: SimLoop) -> None:
        self.plan = plan
        self.loop = loop
        self.context = contextvars.Context()
        self.failure: tuple[str, str] | None = None
        self.last: deque[str] = deque(maxlen=SHOWN)
        self.met: Counter[str] = Counter()  # what happened, and how often
        self.faulty = True
        self.processes: dict[str, Process] = {}
        self._digest = hashlib.sha256()
        self._chances: dict[str, Random] = {}
        self._faults = self.chance("faults")
        self.races = Races(self)
        self.net = Network(self)
        self.store = Store(self, 1)
        self.alarms = AlarmServer(self)
        self.words = Words(self)
        self._walls: dict[str, Wall] = {}

    def chance(self, name: str) -> Random:
        """Return the numbers of one concern, so that one more drawn here changes nothing there."""
        found = self._chances.get(name)
        if found is None:
            found = self._chances[name] = Random(f"{name} {self.plan.seed}")
        return found

    def on(self, fault: str) -> bool:
        """Say whether a kind of fault is there now."""
        return self.faulty and fault in self.plan.faults

    def happens(self, fault: str, probability: float) -> bool:
        """Draw whether a fault strikes now."""
        return self.on(fault) and self._faults.random() < probability

    def now_ms(self) -> int:
        """Return the true time."""
        return EPOCH_MS + int(self.loop.time() * 1000)

    def tell(self, what: str, detail: str = "") -> None:
        """Note what happened: it counts for the digest, and the last ones are shown of a failure."""
        line = f"{self.loop.time():10.4f} {what}: {detail}"
        self._digest.update(f"{self.loop.steps} {line}\n".encode())
        self.last.append(line)
        self.met[what] += 1

    def fail(self, promise: str, detail: str) -> None:
        """A promise is broken; the seed ends here. The first one counts."""
        if self.failure is None:
            self.tell("BROKEN", f"{promise}: {detail}")
            self.failure = (promise, detail)
            self.loop.stop()

    @property
    def digest(self) -> str:
        """Return the digest of everything told."""
        return self._digest.hexdigest()

    def wall(self, name: str) -> Wall:
        """Return the clock of a machine, which outlives the processes on it."""
        wall = self._walls.get(name)
        if wall is None:
            chance = self.chance("walls")
            offset = chance.uniform(-0.01, 0.01)
            if self.on("skew"):
                offset = chance.uniform(-1, 1) ** 3 * 3.0
            wall = self._walls[name] = Wall(offset, chance.uniform(-5e-5, 5e-5))
        return wall

    def boot(self, service: str, worker: int) -> None:
        """Start a process; it serves when it is ready."""
        name = f"{service}-{worker}"
        process = Process(name, service, worker, self.wall(name))
        self.processes[name] = process
        work = self._start(process)
        process.parts["boot"] = self.loop.create_task(work, context=process.context.copy())

    def kill(self, name: str, *, silently: bool = False) -> None:
        """Kill a process as `kill -9` does: not one more callback of it runs."""
        process = self.processes[name]
        if process.alive:
            self.races.killed(process)
            process.alive = False
            self.loop.left.append(process)
            self.tell("killed", f"{name}{' with its machine' if silently else ''}")
            self.net.gone(process, silently=silently)

    def crash(self, name: str, after: float, *, silently: bool = False) -> None:
        """Kill a process, and start it again after so many seconds."""
        process = self.processes[name]
        if process.alive:
            self.kill(name, silently=silently)
            self.loop.call_later(after, self.boot, process.service, process.worker, context=self.context)

    def drain(self, name: str) -> None:
        """Ask a process to stop: it takes no new calls, finishes what runs, says farewell."""
        process = self.processes[name]
        if process.alive and process.handlers and not process.parts["life"].ending.is_set():
            self.tell("drained", name)
            self.net.servers.pop(ADDRESSES[process.service][process.worker], None)
            process.parts["life"].ending.set()
            work = self._drain(process)
            process.parts["drain"] = self.loop.create_task(work, context=process.context.copy())

    async def _drain(self, process: Process) -> None:
        await asyncio.sleep(STREAM_DRAIN_SECONDS)
        process.parts["scope"].evict_streams()
        await asyncio.sleep(STREAM_DRAIN_SECONDS)
        await process.parts["life"].stop()
        self.died(process, "stopped in order")

    def died(self, process: Process, why: str) -> None:
        """A process ended by itself, as it does when a part of it cannot go on; it is started again."""
        self.tell("died", f"{process}: {why}")
        self.crash(process.name, RESTART_SECONDS)

    async def _start(self, process: Process) -> None:
        try:
            registrations, settings = await self._compose(process)
        except KitError as error:
            self.died(process, f"cannot start: {error}")
            return
        recorder: Any = _Recorder()
        for register in registrations:
            register(recorder)
            _note(process, register)
        if "small" in self.plan.faults and "transactor" in process.parts:
            process.parts["transactor"]._snapshot_every = SMALL_SNAPSHOTS
        scope = process.parts["scope"] = Scope(process.parts["life"].ending)
        layers: list[Any] = [
            scope,
            Errors(),
            Deadlines(settings.default_deadline_seconds, strict=False),
            Auth(settings.key_ring),
        ]
        for service, handlers in recorder.services.items():
            for name, handler in handlers.items():
                method = _method(service, name, handler)
                process.handlers[f"/{service}/{name}"] = wrap(method, handler, layers)
        self.net.servers[ADDRESSES[process.service][process.worker]] = process
        self.tell("serving", process.name)

    async def _compose(self, process: Process) -> tuple[Sequence[Registration], Any]:
        log = SimLog(self.store, process)
        life: Any = SimLife(self, process)
        process.parts.update(log=log, life=life)
        registry = CollectorRegistry()
        process.clock = AnchoredClock()
        await watch_clock(life, log, registry, SKEW_SECONDS, clock=process.clock, guard=process.guard)
        common: dict[str, Any] = {
            "keys": KEYS,
            "shards": 1,
            "workers": INSTANCES,
            "worker": process.worker,
            "game_addresses": ADDRESSES["game"],
            "auction_addresses": ADDRESSES["auction"],
            "bank_addresses": ADDRESSES["bank"],
        }
        connect = self.net.connect
        if process.service == "game":
            game = GameSettings(**common)
            await raise_guard(log, KEYS, followers=("heads",))
            bulletin = SimBulletin(self.words, process)
            return await game_wiring.compose(game, life, registry, log, connect, bulletin), game
        if process.service == "auction":
            auction = AuctionSettings(**common)
            return await auction_wiring.compose(auction, life, registry, log, connect), auction
        if process.service == "bank":
            bank = BankSettings(**common)
            await raise_guard(log, KEYS)
            _, _, registrations = bank_wiring.compose(bank, log, registry, SystemClock(), connect)
            return registrations, bank
        timer = TimerSettings(**common)
        owners = SeenOwners(
            {owner: Peers(ADDRESSES[owner], rendezvous, connect=connect) for owner in ("game", "auction")},
            KEYS,
        )
        owners.races, owners.timer = self.races, process
        alarms = SimAlarms(self.alarms, process)
        return await timer_wiring.compose(timer, life, registry, log, alarms, owners), timer


def _note(process: Process, register: Any) -> None:
    """Keep what the checks compare with the log."""
    servicer = register.args[0] if isinstance(register, partial) else None
    transactor = getattr(getattr(servicer, "_service", None), "transactor", None)
    if transactor is not None and process.service != "timer":
        process.parts["transactor"] = transactor
    bank = getattr(servicer, "_bank", None)
    if bank is not None:
        process.parts["books"] = bank._books
