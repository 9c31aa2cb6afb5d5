"""The only place where the auction service is put together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from magnate.auction.fold import AuctionFold
from magnate.auction.metrics import AuctionMetrics
from magnate.auction.peers import GameClient
from magnate.auction.propose import AuctionPeerServicer
from magnate.auction.service import AuctionService
from magnate.auction.servicer import AuctionServicer
from magnate.auction.snapshot import AuctionSnapshots
from magnate.auction.v1 import auction_pb2_grpc
from magnate.auction.watch import Watcher
from magnate.kit.ids import rendezvous
from magnate.kit.log.opening import open_log
from magnate.kit.rpc.channels import Peers, connect
from magnate.kit.transact import Transactor
from magnate.peers.bank import BankClient

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import grpc
    from prometheus_client import CollectorRegistry

    from magnate.auction.settings import AuctionSettings
    from magnate.auction.state import GameState
    from magnate.kit.lifecycle import Lifecycle
    from magnate.kit.log.port import Log
    from magnate.kit.rpc.server import Registration


async def wire(
    settings: AuctionSettings, life: Lifecycle, registry: CollectorRegistry
) -> Sequence[Registration]:
    """Connect to the log, then compose."""
    log = await open_log(settings, life, registry)
    return await compose(settings, life, registry, log)


async def compose(
    settings: AuctionSettings,
    life: Lifecycle,
    registry: CollectorRegistry,
    log: Log,
    connect: Callable[..., grpc.aio.Channel] = connect,
) -> Sequence[Registration]:
    """Put the service together over a log, and whatever connects it with others."""
    keys = settings.key_ring
    metrics = AuctionMetrics(registry)
    transactor: Transactor[GameState] = Transactor(log, keys, AuctionFold(), codec=AuctionSnapshots())
    transactor.on_damage = metrics.damaged.inc
    game = GameClient(Peers(settings.peers("game"), rendezvous, connect=connect), keys)
    bank = BankClient(Peers(settings.peers("bank"), rendezvous, connect=connect), keys, settings.service)
    await life.start("transactor", None, transactor.close)
    await life.start("game client", None, game.close)
    await life.start("bank client", None, bank.close)
    service = AuctionService(transactor, game, bank, metrics)
    return (
        partial(
            auction_pb2_grpc.add_AuctionServiceServicer_to_server, AuctionServicer(service, Watcher(service))
        ),
        partial(
            auction_pb2_grpc.add_AuctionPeerServiceServicer_to_server, AuctionPeerServicer(service, metrics)
        ),
    )
