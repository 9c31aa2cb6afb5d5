"""The log as every service opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.skew import watch_clock

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from magnate.kit.lifecycle import Lifecycle
    from magnate.kit.settings import Settings


async def open_log(settings: Settings, life: Lifecycle, registry: CollectorRegistry) -> JetStreamLog:
    """Connect, create what is missing, check what is there, and compare clocks from now on; for the start."""
    log = JetStreamLog(
        settings.nats_url.split(","),
        tenant=settings.tenant,
        epoch=settings.epoch,
        shards=settings.shards,
        replicas=settings.replicas,
    )
    await life.start("log", log.connect, log.close)
    await log.ensure()
    await watch_clock(life, log, registry, settings.clock_skew_seconds)
    return log
