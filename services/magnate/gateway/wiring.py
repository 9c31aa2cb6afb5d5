"""The only place where the gateway is put together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from magnate.gateway.calls import Calls
from magnate.gateway.catalog import catalog
from magnate.gateway.forward import Forwarder
from magnate.gateway.server import HttpServer
from magnate.gateway.site import site
from magnate.kit.rpc.interceptors.scope import Scope

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from magnate.gateway.settings import GatewaySettings
    from magnate.kit.lifecycle import Lifecycle


async def wire(settings: GatewaySettings, life: Lifecycle, registry: CollectorRegistry) -> HttpServer:
    """Compose the gateway."""
    forwarder = Forwarder(settings)
    await life.start("channels", None, forwarder.close)
    draining = asyncio.Event()
    streams = Scope(draining)
    calls = Calls(catalog(), forwarder, streams, settings, registry)
    return HttpServer(site(calls, settings.origins), streams, draining, settings)
