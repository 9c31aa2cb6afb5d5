"""The alarm clock of the log's server: durable, and late, twice or lost as the seed has it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from magnate.kit.limits import ALARM_ACK_WAIT_SECONDS, ALARM_RETRY_SECONDS
from magnate.kit.log.errors import LogUnavailableError
from tests.sim.process import EPOCH_MS

if TYPE_CHECKING:
    from magnate.kit.alarm.port import Alarm, Handler
    from tests.sim.process import Process
    from tests.sim.world import World


class AlarmServer:
    """What is set, and who takes what rings."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.loop = world.loop
        self.chance = world.chance("alarms")
        self.standing: dict[str, Alarm] = {}
        self.timers: list[tuple[Process, Handler]] = []
        self.rung = 0

    def set(self, alarm: Alarm) -> bool:
        """Set the game's one alarm, unless the standing one is of a newer version."""
        standing = self.standing.get(alarm.game_id)
        if standing is not None and standing.version > alarm.version:
            return False
        self.standing[alarm.game_id] = alarm
        late = self.chance.random() * 0.25
        if self.world.happens("alarms", 0.1):
            late += self.chance.random() * 20
        wait = max(0.0, (alarm.due_ms - EPOCH_MS) / 1000 - self.loop.time()) + late
        self._later(wait, self._ring, alarm)
        return True

    def _ring(self, alarm: Alarm) -> None:
        if self.standing.get(alarm.game_id) is alarm:
            if not self.world.happens("alarms", 0.1):  # else lost
                self._deliver(alarm)
            if self.world.happens("alarms", 0.1):  # twice
                self._deliver(alarm)

    def _deliver(self, alarm: Alarm) -> None:
        """Give it to one of the timers; again if nobody acknowledges."""
        ready = [one for one in self.timers if one[0].alive]
        acknowledged: asyncio.Future[None] = self.loop.create_future()
        self._later(ALARM_ACK_WAIT_SECONDS, self._again, alarm, acknowledged)
        if ready:
            process, handler = self.chance.choice(ready)
            self.rung += 1
            process.parts.setdefault("alarms", []).append(
                self.loop.create_task(
                    self._hand(handler, alarm, acknowledged), context=process.context.copy()
                )
            )

    async def _hand(self, handler: Handler, alarm: Alarm, acknowledged: asyncio.Future[None]) -> None:
        try:
            await handler(alarm)
        except Exception:  # noqa: BLE001 - as the real ones do, whatever went wrong
            self._later(ALARM_RETRY_SECONDS, self._deliver, alarm)
        if not acknowledged.done():
            acknowledged.set_result(None)

    def _again(self, alarm: Alarm, acknowledged: asyncio.Future[None]) -> None:
        if not acknowledged.done():
            self._deliver(alarm)

    def _later(self, seconds: float, do: Any, *args: Any) -> None:
        self.loop.call_later(seconds, do, *args, context=self.world.context)


class SimAlarms:
    """The alarms as one timer process reaches them: the port of `kit.alarm.port`."""

    def __init__(self, server: AlarmServer, process: Process) -> None:
        self._server = server
        self._process = process

    async def set(self, alarm: Alarm) -> bool:
        """Set the game's one alarm; LogUnavailableError if nobody answers."""
        store = self._server.world.store
        await asyncio.sleep(2 * store.delay())
        if store.leaderless or self._server.world.net.parted_from(self._process, "log"):
            await asyncio.sleep(5)
            raise LogUnavailableError("no answer")
        return self._server.set(alarm)

    async def run(self, handler: Handler) -> None:
        """Take fired alarms, for ever."""
        self._server.timers.append((self._process, handler))
        await asyncio.get_running_loop().create_future()

    async def ensure(self) -> None:
        """There is nothing to create."""

    async def close(self) -> None:
        """There is nothing to let go of."""
