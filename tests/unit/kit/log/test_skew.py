"""A clock that is off those of the log's servers: what is measured, refused, and set right again."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CollectorRegistry

from magnate.kit.clock import AnchoredClock
from magnate.kit.lifecycle import Lifecycle
from magnate.kit.log import skew
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.skew import GUARD, ClockGuard, ClockSkewedError, SkewWatch, watch_clock
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done
from tests.support.counter import KEYS, CounterFold, add, command, game

pytestmark = pytest.mark.asyncio
NANOSECONDS = 1_000_000
START_MS = 1_700_000_000_000


class Place:
    """A machine and the log's servers, whose clocks are set by hand."""

    def __init__(self) -> None:
        self.steady_ms = 0
        self.wall_ms = START_MS
        self.leaders_ms = [START_MS] * 4
        self.asking_ms = 0
        self.away = False
        self.clock = ClockGuard()
        self.registry = CollectorRegistry()
        ours = AnchoredClock(lambda: self.wall_ms * NANOSECONDS, lambda: self.steady_ms * NANOSECONDS)
        self.watch = SkewWatch(self, self.registry, 3.0, ours, self.clock)
        self.ours = ours

    async def server_times_ms(self) -> list[int]:
        """Return what the servers say; asking takes a while."""
        if self.away:
            raise LogUnavailableError("away")
        self.pass_ms(self.asking_ms)
        return list(self.leaders_ms)

    def pass_ms(self, milliseconds: int) -> None:
        """Let time pass everywhere."""
        self.steady_ms += milliseconds
        self.wall_ms += milliseconds
        self.leaders_ms = [one + milliseconds for one in self.leaders_ms]

    def skew(self) -> float | None:
        """Return the metric."""
        return self.registry.get_sample_value("magnate_clock_skew_seconds")


async def test_a_right_clock_is_let_alone() -> None:
    """The way of the answer is taken off; nothing is refused."""
    place = Place()
    place.asking_ms = 40
    await place.watch.look()
    assert abs(place.skew() or 0) <= 0.02
    place.clock.require()
    assert place.watch.reason() == ""


@pytest.mark.parametrize(("off_ms", "where"), [(3_600_000, "ahead of"), (-4_000, "behind")])
async def test_a_clock_that_is_off_appends_nothing(off_ms: int, where: str) -> None:
    """Its process is not healthy and says why."""
    place = Place()
    place.leaders_ms = [one - off_ms for one in place.leaders_ms]
    await place.watch.look()
    assert place.skew() == off_ms / 1000
    assert where in place.watch.reason()
    with pytest.raises(ClockSkewedError) as refused:
        place.clock.require()
    assert (refused.value.reason, refused.value.category) == ("CLOCK_SKEWED", "unavailable")


async def test_one_mad_server_of_a_cluster_stops_nobody() -> None:
    """The median of the leaders counts."""
    place = Place()
    place.leaders_ms[0] += 3_600_000
    await place.watch.look()
    place.clock.require()


async def test_a_machine_that_started_with_a_wrong_clock_serves_once_that_is_set_right() -> None:
    """Slowly would take a day; while nothing is decided by it the clock takes the step at once."""
    place = Place()
    place.leaders_ms = [one + 3_600_000 for one in place.leaders_ms]
    await place.watch.look()
    assert place.watch.reason()
    place.wall_ms += 3_600_000
    await place.watch.look()
    assert place.watch.reason() == ""
    assert place.ours.now_ms() == START_MS + 3_600_000
    assert place.registry.get_sample_value("magnate_clock_set_total") == 1


async def test_a_wrong_step_of_a_running_machine_is_noticed_long_before_it_is_followed() -> None:
    """After five seconds a step of an hour has moved the clock by a quarter of a second."""
    place = Place()
    place.wall_ms += 3_600_000
    for _ in range(12):
        place.pass_ms(5_000)
        await place.watch.look()
        assert place.watch.reason() == ""
    for _ in range(3):
        place.pass_ms(5_000)
        await place.watch.look()
    assert "ahead of" in place.watch.reason()
    assert (place.skew() or 0) < 4


async def test_what_cannot_be_asked_changes_nothing() -> None:
    """Nor does an answer that took so long that it says nothing, nor a log without streams."""
    place = Place()
    place.leaders_ms = [one - 3_600_000 for one in place.leaders_ms]
    place.away = True
    await place.watch.look()
    place.away = False
    place.asking_ms = 2_000
    await place.watch.look()
    place.leaders_ms = []
    await place.watch.look()
    assert place.watch.reason() == ""


async def test_who_starts_serves_nothing_until_his_clock_was_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine may come back with any time, in the middle of an election."""
    monkeypatch.setattr(skew, "START_SECONDS", 0)
    place, life = Place(), Lifecycle("test")
    place.away = True
    await watch_clock(life, place, CollectorRegistry(), 3.0, place.ours, place.clock)
    with pytest.raises(ClockSkewedError, match="not compared"):
        place.clock.require()
    assert place.clock.why in life.unhealthy()
    place.away = False
    async with asyncio.timeout(30):
        while place.clock.why:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0)
    await life.stop()


async def test_a_transaction_is_refused_before_anybody_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that another service would append: the time in it is that of this process."""
    log = MemoryLog()
    monkeypatch.setattr(GUARD, "why", "an hour ahead")
    transactor = Transactor(log, KEYS, CounterFold())
    with pytest.raises(ClockSkewedError):
        await transactor.run(game(), command("c"), add(1))
    assert await log.load(game()) == []
    monkeypatch.undo()
    assert isinstance(await transactor.run(game(), command("c"), add(1)), Done)
