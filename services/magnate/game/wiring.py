"""The game service's composition root: the only place where its parts meet the log and each other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from magnate.game.acting import Acting
from magnate.game.attendance import Attendance
from magnate.game.compose import Composer
from magnate.game.fold import GameFold
from magnate.game.forward import Workers
from magnate.game.lists import Lists
from magnate.game.lobby import LobbyFold
from magnate.game.metrics import GameMetrics, PresenceMetrics, TransactCollector
from magnate.game.peer_servicer import GamePeerServicer
from magnate.game.peers import AuctionClient
from magnate.game.presence import Presence
from magnate.game.service import GameService
from magnate.game.servicer import GameServicer
from magnate.game.snapshot import GameSnapshots
from magnate.game.v1 import game_pb2_grpc
from magnate.game.watch import Watch
from magnate.kit.bulletin import MemoryBulletin, NatsBulletin
from magnate.kit.clock import SystemClock
from magnate.kit.ids import rendezvous
from magnate.kit.log.guard import raise_guard
from magnate.kit.log.keeper import HeadKeeper
from magnate.kit.log.opening import open_log
from magnate.kit.rpc.channels import Peers, connect
from magnate.kit.transact import Transactor
from magnate.peers.bank import BankClient

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import grpc
    from prometheus_client import CollectorRegistry

    from magnate.game.ports import AuctionPeer
    from magnate.game.settings import GameSettings
    from magnate.game.state import GameState
    from magnate.kit.bulletin import Bulletin
    from magnate.kit.clock import Clock
    from magnate.kit.lifecycle import Lifecycle
    from magnate.kit.log.port import Log
    from magnate.kit.rpc.server import Registration
    from magnate.peers.bank import BankPeer


class Parts:
    """The service without its network: what tests and the scenario runner drive directly."""

    def __init__(
        self, settings: GameSettings, log: Log, bank: BankPeer, auction: AuctionPeer, clock: Clock
    ) -> None:
        keys = settings.key_ring
        self.clock = clock
        self.keys = keys
        self.transactor: Transactor[GameState] = Transactor(
            log, keys, GameFold(), codec=GameSnapshots(), clock=clock
        )
        composer = Composer(auction, bank)
        self.attendance = Attendance(self.transactor, composer, clock)
        self.service = GameService(
            self.transactor,
            composer,
            clock,
            tenant=settings.tenant,
            epoch=settings.epoch,
            shards=settings.shards,
            sandbox=settings.sandbox,
            library=settings.rules,
        )
        self.acting = Acting(self.service, auction, keys)
        self.watch = Watch(self.transactor, keys, clock)


async def wire(
    settings: GameSettings, life: Lifecycle, registry: CollectorRegistry
) -> Sequence[Registration]:
    """Connect to the log and to the peers, and return the servicers."""
    log = await open_log(settings, life, registry)
    await raise_guard(log, settings.key_ring, followers=("heads",))
    bulletin = NatsBulletin(log.connection, f"presence.{settings.tenant}")
    return await compose(settings, life, registry, log, bulletin=bulletin)


async def compose(
    settings: GameSettings,
    life: Lifecycle,
    registry: CollectorRegistry,
    log: Log,
    connect: Callable[..., grpc.aio.Channel] = connect,
    bulletin: Bulletin | None = None,
) -> Sequence[Registration]:
    """Put the service together over a log, and whatever connects it with others.

    Without a bulletin it is the only process of the game service.
    """
    keys = settings.key_ring
    bank = BankClient(Peers(settings.peers("bank"), rendezvous, connect=connect), keys, settings.service)
    auction = AuctionClient(Peers(settings.peers("auction"), rendezvous, connect=connect), keys)
    parts = Parts(settings, log, bank, auction, SystemClock())
    metrics = GameMetrics(registry)
    registry.register(TransactCollector(lambda: parts.transactor.stats))
    workers = Workers(
        Peers(settings.game_addresses or (f"{settings.host}:{settings.port}",), rendezvous, connect=connect),
        settings.worker,
        keys,
    )
    parts.acting.forward_to(workers if settings.workers > 1 else None)
    parts.acting.count_in(metrics)
    parts.transactor.on_damage = metrics.damaged.inc
    parts.watch.count_in(metrics.watchers)
    await life.start("transactor", None, parts.transactor.close)
    await life.start("bank client", None, bank.close)
    await life.start("auction client", None, auction.close)
    await life.start("workers", None, workers.close)
    presence = await start_presence(parts, log, bulletin or MemoryBulletin(), life, registry)
    lists = Lists(log, keys)
    if settings.worker == 0:
        keeper = HeadKeeper(log, keys, LobbyFold())
        metrics.heads_written.set_function(lambda: keeper.written)
        life.background("heads", keeper.run())
        life.background("tables", lists.count_for_ever(metrics))
    servicer = GameServicer(
        parts.service, parts.attendance, presence, parts.acting, parts.watch, lists, keys, parts.clock
    )
    return [
        partial(game_pb2_grpc.add_GameServiceServicer_to_server, servicer),
        partial(
            game_pb2_grpc.add_GamePeerServiceServicer_to_server,
            GamePeerServicer(parts.service, parts.acting),
        ),
    ]


async def start_presence(
    parts: Parts, log: Log, bulletin: Bulletin, life: Lifecycle, registry: CollectorRegistry
) -> Presence:
    """Let this process note who is there."""
    metrics = PresenceMetrics(registry)
    presence = Presence(parts.attendance, log, parts.keys, bulletin, parts.clock, metrics=metrics)
    await life.start("presence", presence.start, presence.stop)
    life.background("presence", presence.run())
    return presence
