"""The timer service over a log in memory: commands of clients, firing, two processes, faults of the log."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from prometheus_client import CollectorRegistry

from magnate.kit.clock import FakeClock
from magnate.kit.expiry import Expired, Gone, NotYet
from magnate.kit.ids import request_hash
from magnate.kit.log.commit import Command, parse_commit
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.memory import MemoryLog
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done
from magnate.timer.codec import TimerFold, changes
from magnate.timer.domain.agenda import Due
from magnate.timer.domain.schedule import DeadlineFired, DeadlineShifted, Terms
from magnate.timer.domain.timers import FIRE, SHIFT, SKIP, When, Wish
from magnate.timer.metrics import TimerMetrics
from magnate.timer.service import TimerService
from magnate.timer.snapshot import TimerSnapshots
from magnate.timer.v1 import timer_pb2
from magnate.timer.watch import Watch
from tests.support.banking import KEYS
from tests.support.timing import Game

if TYPE_CHECKING:
    from magnate.timer.domain.timers import Table

pytestmark = pytest.mark.asyncio
SECOND = 1000


class House:
    """One table, and as many processes of the timer service as a test wants, each with a clock of its own."""

    def __init__(self) -> None:
        self.log = MemoryLog(beat_seconds=0.05)
        self.clock = FakeClock(Game(self.log, "any").time_ms + 1_900_000_000_000)
        self.game = Game(self.log, "table")
        self.game_id = self.game.game_id
        self.registry = CollectorRegistry()
        self.service = self.process(self.clock, self.registry)
        self.sent = 0

    def process(self, clock: FakeClock, registry: CollectorRegistry | None = None) -> TimerService:
        """Return another process of the service."""
        transactor: Transactor[Table] = Transactor(
            self.log, KEYS, TimerFold(), clock=clock, retry_seconds_max=0.5
        )
        return TimerService(transactor, TimerMetrics(registry or CollectorRegistry()), clock)

    async def open(self) -> None:
        """Let the table exist; its time is that of the clock of this machine, before the fake one."""
        await self.game.commit()

    def command(self, command_id: str = "", content: bytes = b"") -> Command:
        """Return a command."""
        self.sent += 1
        command_id = command_id or f"c{self.sent}"
        return Command(
            command_id,
            request_hash(content or command_id.encode()),
            actor="seat-0",
            received_at_ms=self.clock.now_ms(),
        )

    async def set(self, name: str, after_ms: int, misfire: str = FIRE) -> None:
        """Set a timer."""
        wish = Wish(
            f"t-{name}", When(after_ms=after_ms), Terms(name, b"", misfire, "seat-0", runs_through=False)
        )
        result = await self.service.schedule(self.game_id, "seat-0", self.command(), wish)
        assert isinstance(result, Done), result.rejection

    async def due(self, name: str) -> Due:
        """Return a timer as the agenda has it."""
        loaded = await self.service.deadlines(self.game_id)
        return Due(self.game_id, loaded.version, loaded.state.deadlines[f"t-{name}"])

    async def effects(self) -> Counter[str]:
        """Return how often each timer fired, by the log."""
        found: Counter[str] = Counter()
        for stored in await self.log.load(self.game_id):
            commit = parse_commit(KEYS, self.game_id, stored.data, stored.sequence)
            found.update(one.deadline_id for one in changes(commit) if isinstance(one, DeadlineFired))
        return found

    def value(self, fate: str) -> float:
        """Return the metric of a fate."""
        return self.registry.get_sample_value("magnate_timer_timers_total", {"fate": fate}) or 0.0


async def house(*timers: tuple[str, int]) -> House:
    """Return a table with these timers."""
    made = House()
    await made.open()
    for name, after_ms in timers:
        await made.set(name, after_ms)
    return made


async def test_the_same_command_sets_one_timer() -> None:
    """Also at another process, and after the timer fired; another request under its id is refused."""
    one = await house()
    wish = Wish("t-a", When(after_ms=SECOND), Terms("a", b"", FIRE, "seat-0", runs_through=False))
    first = await one.service.schedule(one.game_id, "seat-0", one.command("x", b"1"), wish)
    assert isinstance(first, Done)
    one.clock.advance(SECOND)
    assert isinstance(await one.service.expire(await one.due("a")), Expired)
    again = await one.process(one.clock).schedule(one.game_id, "seat-0", one.command("x", b"1"), wish)
    assert isinstance(again, Done)
    assert again.replayed
    assert again.commit.version == first.commit.version
    assert (await one.service.after(again)).timer("t-a") is not None
    other = await one.service.schedule(one.game_id, "seat-0", one.command("x", b"2"), wish)
    assert not isinstance(other, Done)
    assert other.rejection.name == "COMMAND_ID_REUSED"


async def test_what_is_refused_appends_nothing() -> None:
    """Whatever it was."""
    one = await house(("a", SECOND))
    before = len(await one.log.load(one.game_id))
    late = Wish("t-b", When(after_ms=-1), Terms("", b"", FIRE, "seat-0", runs_through=False))
    for result in (
        await one.service.schedule(one.game_id, "seat-0", one.command(), late),
        await one.service.cancel(one.game_id, "seat-1", one.command(), "t-a"),
        await one.service.pause(one.game_id, "seat-0", one.command(), "t-z"),
        await one.service.resume(one.game_id, "seat-0", one.command(), "t-a"),
        await one.service.reschedule(one.game_id, "seat-0", one.command(), "t-a", When(due_ms=5)),
        await one.service.schedule(Game(one.log, "none").game_id, "seat-0", one.command(), late),
    ):
        assert not isinstance(result, Done)
    assert len(await one.log.load(one.game_id)) == before


async def test_all_that_are_due_fire_in_one_commit() -> None:
    """The other announcements find them gone."""
    one = await house(*((f"n{number}", SECOND) for number in range(20)), ("later", 2 * SECOND))
    dues = [await one.due(f"n{number}") for number in range(20)]
    before = len(await one.log.load(one.game_id))
    one.clock.advance(SECOND)
    replies = await asyncio.gather(*(one.service.expire(due) for due in dues))
    assert sum(isinstance(reply, Expired) for reply in replies) == 1
    assert sum(isinstance(reply, Gone) for reply in replies) == 19
    assert len(await one.log.load(one.game_id)) == before + 1
    assert await one.effects() == Counter({f"t-n{number}": 1 for number in range(20)})
    assert one.value("fired") == 20


async def test_early_announcements_write_nothing() -> None:
    """The timer is told how long it has to wait, by the owner's clock."""
    one = await house(("a", SECOND))
    due = await one.due("a")
    one.clock.advance(SECOND - 1)
    reply = await one.service.expire(due)
    assert isinstance(reply, NotYet)
    assert reply.remaining_ms == 1
    assert await one.effects() == Counter()


@pytest.mark.parametrize("seed", range(20))
async def test_any_number_of_processes_with_any_clocks_and_faults_have_one_effect(seed: int) -> None:
    """Clocks five seconds apart, acknowledgements lost, announcements doubled: every timer fires once."""
    rng = random.Random(seed)
    one = await house(*((f"n{number}", SECOND * rng.randint(1, 3)) for number in range(12)))
    dues = [await one.due(f"n{number}") for number in range(12)]
    clocks = [FakeClock(one.clock.now_ms() + off) for off in (-5000, 0, 5000)]
    processes = [one.process(clock) for clock in clocks]
    pending = list(dues)
    for _ in range(400):
        if not pending:
            break
        for clock in clocks:
            clock.advance(250)
        one.log.faults.extend(rng.choices(["lost_ack", "lost", "unavailable", "in_flight"], k=2))
        asked = [(rng.choice(processes), due) for due in pending * 2]
        replies = await asyncio.gather(
            *(process.expire(due) for process, due in asked), return_exceptions=True
        )
        for (_, due), reply in zip(asked, replies, strict=True):
            assert isinstance(reply, Expired | Gone | NotYet | LogUnavailableError), reply
            if isinstance(reply, Expired | Gone) and due in pending:
                pending.remove(due)
    one.log.faults.clear()
    assert await one.effects() == Counter({due.deadline.deadline_id: 1 for due in dues})
    for stored in await one.log.load(one.game_id):
        commit = parse_commit(KEYS, one.game_id, stored.data, stored.sequence)
        for change in changes(commit):
            if isinstance(change, DeadlineFired):
                due_ms = next(d.deadline.due_ms for d in dues if d.deadline.deadline_id == change.deadline_id)
                assert commit.time_ms >= due_ms, "earlier than its time, by the log's own"


async def test_after_a_downtime_by_two_processes() -> None:
    """Skipped, fired and shifted by the one that is first; the other finds it done."""
    one = await house()
    await one.set("k", 4 * SECOND, SKIP)
    await one.set("s", 4 * SECOND, SHIFT)
    await one.set("f", 4 * SECOND)
    dues = {name: await one.due(name) for name in "ksf"}
    left_ms = 4 * SECOND
    one.clock.advance(3600 * SECOND)
    other = one.process(FakeClock(one.clock.now_ms() + 800))
    replies = await asyncio.gather(one.service.expire(dues["s"]), other.expire(dues["s"]))
    assert all(isinstance(reply, NotYet) for reply in replies)
    assert await one.effects() == Counter({"t-f": 1})
    loaded = await one.service.deadlines(one.game_id)
    shifted = loaded.state.timer("t-s")
    assert shifted is not None
    assert shifted.due_ms == loaded.time_ms + left_ms
    assert loaded.state.timer("t-k") is None
    # The second downtime shifts nothing.
    one.clock.advance(3600 * SECOND)
    assert isinstance(await one.service.expire(await one.due("s")), Expired)
    assert await one.effects() == Counter({"t-f": 1, "t-s": 1})
    kinds = [
        type(change)
        for stored in await one.log.load(one.game_id)
        for change in changes(parse_commit(KEYS, one.game_id, stored.data, stored.sequence))
    ]
    assert kinds.count(DeadlineShifted) == 1


async def test_what_is_written_first_after_a_downtime_takes_nothing_from_a_missed_timer() -> None:
    """Somebody sets another timer before this one is announced."""
    one = await house()
    await one.set("s", 4 * SECOND, SHIFT)
    due = await one.due("s")
    one.clock.advance(3600 * SECOND)
    await one.set("later", 60 * SECOND)
    assert isinstance(await one.service.expire(due), NotYet)
    shifted = (await one.service.deadlines(one.game_id)).state.timer("t-s")
    assert shifted is not None
    assert shifted.due_ms == one.clock.now_ms() + 4 * SECOND


async def test_watching() -> None:
    """First all that is pending, then sets, moves and firings with what they are about; beats between."""
    one = await house(("a", SECOND))
    await one.game.catch_up()
    watch = Watch(one.log, KEYS, one.clock)
    stream = watch.follow(await one.service.deadlines(one.game_id))
    first = await anext(stream)
    assert [deadline.deadline_id for deadline in first.deadlines] == ["t-a"]
    assert first.complete
    assert first.deadlines[0].remaining_ms == SECOND
    beat = await anext(stream)
    assert (beat.version, beat.complete, len(beat.changes)) == (first.version, False, 0)
    await one.set("b", 2 * SECOND)
    message = beat
    while not message.changes:
        message = await anext(stream)
    assert [change.kind for change in message.changes] == [timer_pb2.TIMER_CHANGE_KIND_SET]
    assert [deadline.deadline_id for deadline in message.deadlines] == ["t-a", "t-b"]
    one.clock.advance(SECOND)
    await one.service.expire(await one.due("a"))
    message = beat
    while not message.changes:
        message = await anext(stream)
    fired = message.changes[0]
    assert (fired.kind, fired.deadline.label) == (timer_pb2.TIMER_CHANGE_KIND_FIRED, "a")
    await stream.aclose()
    again = watch.follow(await one.service.deadlines(one.game_id), first.version)
    missed = await anext(again)
    assert [deadline.deadline_id for deadline in missed.deadlines] == ["t-b"]
    assert [(change.deadline_id, change.kind) for change in missed.changes] == [
        ("t-b", timer_pb2.TIMER_CHANGE_KIND_SET),
        ("t-a", timer_pb2.TIMER_CHANGE_KIND_FIRED),
    ]
    assert missed.changes[1].deadline.label == "a"
    await again.aclose()
    newest = watch.follow(await one.service.deadlines(one.game_id), missed.version)
    assert not (await anext(newest)).changes
    await newest.aclose()


async def test_a_snapshot_keeps_all_of_it() -> None:
    """What is pending in its order, every id there ever was, who is out, how the table stands."""
    one = await house(("a", SECOND), ("b", 2 * SECOND), ("c", 3 * SECOND), ("gone", 9 * SECOND))
    await one.set("s", 4 * SECOND, SHIFT)
    await one.service.cancel(one.game_id, "seat-0", one.command(), "t-gone")
    await one.service.pause(one.game_id, "seat-0", one.command(), "t-c")
    due = await one.due("s")
    one.clock.advance(3600 * SECOND)
    await one.service.expire(due)
    state = (await one.service.deadlines(one.game_id)).state.copy()
    state.cards, state.gone, state.paused = {"x": 3}, {3}, True
    kept = TimerSnapshots().decode(TimerSnapshots().encode(state))
    assert list(kept.deadlines.values()) == list(state.deadlines.values())
    assert {"t-gone", "t-a", "t-s"} < kept.used
    for name in ("what", "paused", "over", "used", "cards", "gone"):
        assert getattr(kept, name) == getattr(state, name), name
