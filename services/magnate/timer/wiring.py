"""The only place where the timer service is put together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from magnate.kit.alarm.jetstream import JetStreamAlarms
from magnate.kit.clock import SystemClock
from magnate.kit.ids import rendezvous
from magnate.kit.log.fold import Loader
from magnate.kit.log.opening import open_log
from magnate.kit.rpc.channels import Peers
from magnate.kit.transact import Transactor
from magnate.timer.announcer import Announcer
from magnate.timer.codec import TimerFold
from magnate.timer.domain.agenda import Agenda
from magnate.timer.follower import Follower
from magnate.timer.keeper import AlarmKeeper
from magnate.timer.metrics import TimerMetrics
from magnate.timer.owners import AllOwners
from magnate.timer.peers import OwnerClients
from magnate.timer.service import TimerService
from magnate.timer.servicer import TimerServicer
from magnate.timer.snapshot import TimerSnapshots
from magnate.timer.sweeper import Sweeper
from magnate.timer.v1 import timer_pb2_grpc
from magnate.timer.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prometheus_client import CollectorRegistry

    from magnate.kit.alarm.port import Alarms
    from magnate.kit.lifecycle import Lifecycle
    from magnate.kit.log.port import Log
    from magnate.kit.rpc.server import Registration
    from magnate.timer.domain.timers import Table
    from magnate.timer.ports import Owners
    from magnate.timer.settings import TimerSettings

GAMES_KEPT_MAX: Final = 1024
"""Tables whose timers were used last."""


async def wire(
    settings: TimerSettings, life: Lifecycle, registry: CollectorRegistry
) -> Sequence[Registration]:
    """Connect to the log and the alarms, then compose."""
    log = await open_log(settings, life, registry)
    alarms = JetStreamAlarms(log.connection, tenant=settings.tenant, replicas=settings.replicas)
    await alarms.ensure()
    keys = settings.key_ring
    owners = OwnerClients(
        {owner: Peers(settings.peers(owner), rendezvous) for owner in ("game", "auction")}, keys
    )
    await life.start("owners", None, owners.close)
    return await compose(settings, life, registry, log, alarms, owners)


async def compose(
    settings: TimerSettings,
    life: Lifecycle,
    registry: CollectorRegistry,
    log: Log,
    alarms: Alarms,
    owners: Owners,
) -> Sequence[Registration]:
    """Put the service together over a log, an alarm clock and the owners of deadlines."""
    keys = settings.key_ring
    metrics = TimerMetrics(registry)
    agenda = Agenda()
    metrics.games.set_function(lambda: len(agenda.games))
    metrics.pending.set_function(agenda.pending)
    metrics.auctions.set_function(lambda: agenda.pending_of("auction", "close"))
    clock = SystemClock()
    transactor: Transactor[Table] = Transactor(
        log, keys, TimerFold(), codec=TimerSnapshots(), clock=clock, games_cached_max=GAMES_KEPT_MAX
    )
    transactor.on_damage = metrics.damaged.inc
    await life.start("transactor", None, transactor.close)
    service = TimerService(transactor, metrics, clock)
    everybody = AllOwners(service, owners)
    announcer = Announcer(agenda, everybody, metrics, rank=ranking(settings.worker, settings.workers))

    def changed(game_id: str) -> None:
        announcer.stir()
        keeper.changed(game_id)

    follower = Follower(log, keys, agenda, metrics, changed)
    keeper = AlarmKeeper(agenda, alarms, announcer, follower, metrics)
    sweeper = Sweeper(
        Loader(log, keys, TimerFold(), TimerSnapshots()),
        keys,
        agenda,
        announcer,
        metrics,
        settings.sweep_seconds,
    )
    await life.start("agenda", follower.restore, follower.remember)
    await life.start("announcer", None, announcer.close)
    life.background("follower", follower.run())
    life.background("checkpoints", follower.keep())
    life.background("announcer", announcer.run(follower.caught_up))
    life.background("alarms set", keeper.run())
    life.background("alarms rung", keeper.ring())
    life.background("sweeper", sweeper.run())
    servicer = TimerServicer(service, Watch(log, keys, clock))
    return (partial(timer_pb2_grpc.add_TimerServiceServicer_to_server, servicer),)


def ranking(worker: int, workers: int) -> Callable[[str], int]:
    """Return how many processes of the service come before this one for a game."""
    names = [str(one) for one in range(workers)]

    def rank(game_id: str) -> int:
        if workers == 1:
            return 0
        rest = list(names)
        for place in range(workers):
            best = rendezvous(game_id, rest)
            if best == str(worker):
                return place
            rest.remove(best)
        return 0

    return rank
