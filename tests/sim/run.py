"""Runs one seed from the opening of its table to the last check."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.kit.log.heads import decode_head
from magnate.kit.rpc import exchange
from tests.sim.alarmists import Alarmist
from tests.sim.cards import CardTable
from tests.sim.chaos import Chaos
from tests.sim.exports import Exports
from tests.sim.lookers import Looker
from tests.sim.loop import DeadlockError, SimLoop
from tests.sim.operators import Operator
from tests.sim.plan import CARDS, COMMANDS_MAX, LEDGER, draw
from tests.sim.players import Clients, Player, Unanswered
from tests.sim.process import PROCESS
from tests.sim.promises import Promises
from tests.sim.rivals import newest_lives
from tests.sim.sale import Sale
from tests.sim.units import UnitInGame
from tests.sim.virtual import silence, virtual
from tests.sim.watchers import NOBODY, Watcher
from tests.sim.world import INSTANCES, KEYS, SERVICES, World

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Coroutine

    from tests.sim.plan import Plan
    from tests.sim.players import Metadata

SALES: Final = {LEDGER: Sale, CARDS: CardTable}
PLAY_SECONDS_MAX: Final = 300.0
SETTLE_SECONDS_MAX: Final = 90.0
LAST_COMMANDS: Final = 6
AWAY_SECONDS_MAX: Final = 60.0
LISTED_SECONDS_MAX: Final = 30.0


@dataclass(frozen=True)
class Result:
    """What came of a seed."""

    plan: Plan
    promise: str
    detail: str
    digest: str
    last: tuple[str, ...]
    commits: int
    sent: int
    accepted: int
    seconds: float
    steps: int
    met: Counter[str]

    @property
    def broken(self) -> bool:
        """Whether a promise was broken."""
        return bool(self.promise)


class Run:
    """One seed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        disorder = (
            Random(f"disorder {plan.seed}").choice((0.05, 0.3, 1.0)) if "disorder" in plan.faults else 0.0
        )
        self.loop = SimLoop(Random(f"order {plan.seed}"), disorder)
        self.world = World(plan, self.loop)
        self.promises = Promises(self.world)
        self.clients: Clients | None = None
        self.unit: UnitInGame | None = None

    def run(self) -> Result:
        """Run it all."""
        loop, world = self.loop, self.world
        loop.set_exception_handler(self._stray)
        # Most commands of card tables cannot say what version they have seen, so they need the whole window.
        small = "small" in self.plan.faults and self.plan.where != CARDS
        with virtual(loop, Random(f"secrets {self.plan.seed}"), self._said, small=small):
            main = loop.create_task(self._guarded(self._main()))
            main.add_done_callback(lambda _: loop.stop())
            try:
                loop.run_forever()
            except DeadlockError:
                world.fail("something goes on until all is done", "nothing is ready and nothing is scheduled")
        clients, truth = self.clients, self.promises.truth
        promise, detail = world.failure or ("", "")
        return Result(
            self.plan,
            promise,
            detail,
            world.digest,
            tuple(world.last),
            0 if truth is None else truth.version,
            0 if clients is None else clients.sent,
            0 if clients is None else clients.accepted,
            loop.time(),
            loop.steps,
            world.met,
        )

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - whatever it is, the seed shows it
            import traceback

            self.world.fail("the simulator itself does not fail", "".join(traceback.format_exception(error)))

    async def _main(self) -> None:
        world = self.world
        world.tell("plan", self.plan.words)
        for service in SERVICES:
            for worker in range(INSTANCES):
                world.boot(service, worker)
        clients = self.clients = Clients(world, self.promises)
        sale = SALES[self.plan.where](clients) if self.plan.where in SALES else None
        try:
            await (clients.open() if sale is None else sale.open())
        except (grpc.aio.AioRpcError, Unanswered) as error:
            world.fail("a table can be opened, whatever happens", f"{type(error).__name__} {error}")
            return
        if sale is None and self.plan.unit:
            self.unit = UnitInGame(clients)
            await self.unit.open()
        chaos = Chaos(world)
        troubles = asyncio.ensure_future(self._guarded(chaos.run()))
        players = [Player(clients, seat) for seat in range(self.plan.seats)]
        await self._play(clients, players, sale)
        for player in players:
            if player.stream is not None:
                player.stream.close()
                player.stream = None
        chaos.stop()
        troubles.cancel()
        await self._settle(clients)
        if sale is None:
            await self._go_on(clients, players)
            if clients.truth.started and self.world.chance("rivals").random() < 0.5:
                await newest_lives(clients)
        else:
            await self._sell_on(clients, sale)
        await self._agree(clients, sale)

    async def _play(self, clients: Clients, players: list[Player], sale: Sale | None) -> None:
        world, loop = self.world, self.loop
        end = loop.time() + PLAY_SECONDS_MAX

        def until() -> bool:
            truth = clients.truth
            over = (truth.rules is not None and not truth.started) or truth.closed
            return over or clients.sent >= self.plan.commands or loop.time() > end

        if sale is None:
            working = [self._guarded(player.play(until)) for player in players]
            beside = self._beside(clients, until)
        else:
            working, beside = [self._guarded(one) for one in sale.actors(until)], []
        tasks = [asyncio.ensure_future(self._guarded(one)) for one in beside]
        await asyncio.gather(*working)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if loop.time() > end:
            world.tell("out of time")
        world.tell("played", f"{clients.sent} commands, version {clients.truth.version}")

    def _beside(self, clients: Clients, until: Callable[[], bool]) -> list[Coroutine[Any, Any, None]]:
        """Return what others do beside the players."""
        beside: list[Coroutine[Any, Any, None]] = [Operator(clients).watch(until)]
        if self.unit is not None:
            beside += self.unit.actors(until)
        chance = self.world.chance("beside")
        if chance.random() < 0.5:
            beside.append(Alarmist(clients).play(until))
        if chance.random() < 0.4:
            beside.append(Looker(clients).look(until))
        if chance.random() < 0.6:
            seats = [chance.randrange(-1, self.plan.seats) for _ in range(chance.randint(1, 4))]
            beside += [Watcher(clients, seat, number).watch(until) for number, seat in enumerate(seats)]
        return beside

    async def _settle(self, clients: Clients) -> None:
        """The faults are over: everybody comes back, and what is overdue expires."""
        end = self.loop.time() + SETTLE_SECONDS_MAX
        await asyncio.sleep(10.0)
        while self.loop.time() < end:
            if not clients.busy and not self.promises.overdue() and self._all_there():
                return
            await asyncio.sleep(1.0)
        for overdue in self.promises.overdue():
            self.world.fail("no deadline stays pending when the faults are over", overdue)
        if not self._all_there():
            away = [name for name, process in self.world.processes.items() if not process.handlers]
            self.world.fail("every process comes back when the faults are over", str(away))

    def _all_there(self) -> bool:
        return all(process.alive and process.handlers for process in self.world.processes.values())

    async def _go_on(self, clients: Clients, players: list[Player]) -> None:
        """The game can go on: commands are answered at once."""
        if clients.truth.started and not clients.truth.running:
            await Operator(clients).everybody("resume")
        accepted = 0
        for _ in range(LAST_COMMANDS * 10):
            if not clients.truth.started or accepted >= LAST_COMMANDS:
                return
            for player in players:
                before = clients.accepted
                try:
                    await player.step()
                except grpc.aio.AioRpcError:
                    continue
                except Unanswered as unanswered:
                    self.world.fail("every command is answered when the faults are over", str(unanswered))
                accepted += clients.accepted > before
            await asyncio.sleep(1.0)
        if accepted == 0:
            self.world.fail(
                "the game can go on", f"phase {clients.truth.rules and clients.truth.rules.phase}"
            )

    async def _sell_on(self, clients: Clients, sale: Sale) -> None:
        """Everybody can pay, and what was put up is sold by now."""
        try:
            await sale.go_on()
        except (grpc.aio.AioRpcError, Unanswered) as error:
            self.world.fail("the game can go on", f"{type(error).__name__} {error}")
        for _ in range(int(SETTLE_SECONDS_MAX)):
            if not clients.truth.auctions():
                return
            await asyncio.sleep(1.0)
        for auction in clients.truth.auctions():
            self.world.fail("no deadline stays pending when the faults are over", repr(auction))

    async def _agree(self, clients: Clients, sale: Sale | None) -> None:
        """Every instance, started anew or not, comes to the same state."""
        version = -1
        while version != clients.truth.version:  # a deadline may pass meanwhile
            version = clients.truth.version
            await self._look(clients)
        self.promises.compare(all_newest=True)
        if clients.truth.is_game:
            await Watcher(clients, NOBODY, 99).up_to(clients.truth.version)
            await self._nobody_there(clients)
        await self._exported(clients, () if sale is None else sale.banker)
        await self._listed(clients)
        self.world.tell("agreed", f"{self.promises.checked} states compared")

    async def _look(self, clients: Clients) -> None:
        chance, caches = self.world.chance("last"), self.world.store.caches
        if chance.random() < 0.5:  # from the log alone
            for kind, game_id in tuple(caches):
                if game_id == clients.game_id:
                    del caches[kind, game_id]
        for process in self.world.processes.values():
            transactor = process.parts.get("transactor")
            if transactor is None or not clients.truth.is_of(process.service):
                continue
            if chance.random() < 0.5 and not transactor.busy(clients.game_id):
                transactor.forget(clients.game_id)
            await transactor.view(clients.game_id)

    async def _exported(self, clients: Clients, who: Metadata) -> None:
        """What is exported is what is in the log."""
        try:
            await Exports(clients, who).compare()
        except grpc.aio.AioRpcError as error:
            self.world.fail(
                "every call is answered when the faults are over", f"an export: {error.details()}"
            )

    async def _listed(self, clients: Clients) -> None:
        """The head of the game comes to tell of its newest commit."""
        truth, head = clients.truth, None
        end = self.loop.time() + LISTED_SECONDS_MAX
        while self.loop.time() < end:  # looked at often: a game whose clocks run on has a commit a second
            stored = self.world.store.heads.get(truth.game_id)
            head = None if stored is None else decode_head(KEYS, truth.game_id, stored.data)
            if head is not None and head.hash == truth.commits[-1].hash:
                running = [one.due_ms for one in truth.schedule.deadlines.values() if one.due_ms]
                if head.earliest_deadline_ms != min(running, default=0) and truth.is_game:
                    detail = f"{head.earliest_deadline_ms} of {sorted(running)}"
                    self.world.fail("a head tells the earliest deadline", detail)
                return
            await asyncio.sleep(0.07)
        version = 0 if head is None else head.version
        self.world.fail("a head tells the newest commit", f"version {version}, not {truth.version}")

    async def _nobody_there(self, clients: Clients) -> None:
        """All streams are closed for long: the log says of nobody that he is there."""
        truth = clients.truth
        end = self.loop.time() + AWAY_SECONDS_MAX
        there: list[int] = []
        while truth.started and truth.rules is not None:
            standings = truth.game.table.standings
            there = [seat for seat, one in standings.items() if one.connection and not truth.rules.out[seat]]
            if not there or self.loop.time() > end:
                break
            await asyncio.sleep(1.0)
        if there and truth.started:
            self.world.fail("who has no stream is away", f"seats {there}")

    def _said(self, event: str, fields: dict[str, Any]) -> None:
        """A service logged an error."""
        process = PROCESS.get(None)
        self.world.tell("logged", f"{process}: {event} {fields!r}")
        error = fields.get("exc_info")
        if isinstance(error, BaseException):
            import traceback

            text = "".join(traceback.format_exception(error))
            self.world.fail("no service meets an error it did not expect", f"{process}: {event}: {text}")

    def _stray(self, _loop: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if context.get("message", "").startswith("Exception in callback"):
            self.world.fail("no callback fails", repr(context))
        elif isinstance(error, BaseException):
            self.world.tell("stray", f"{context.get('message')}: {type(error).__name__}")


def run_seed(plan: Plan) -> Result:
    """Run one seed."""
    with silence():
        run = Run(plan)
        result = run.run()
        run.loop.end()
        exchange._TASKS.clear()
        del run
    return result


def run_number(seed: int, commands: int = COMMANDS_MAX, without: frozenset[str] = frozenset()) -> Result:
    """Run the seed of this number as it is drawn, with at most so many commands and without some faults."""
    return run_seed(draw(seed, commands, without))
