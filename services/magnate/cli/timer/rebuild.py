"""What `magnate timer rebuild` does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from magnate.cli.audit.app import AuditOptions, find_access
from magnate.cli.output import FAILED, OK, UNREACHABLE, fail, result
from magnate.kit.alarm.jetstream import JetStreamAlarms
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.observe.logging import configure
from magnate.timer.rebuild import Rebuilt, rebuild

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.cli.audit.reading import Access


def run_rebuild(data: Path | None, nats: str, replicas: int, *, json_mode: bool) -> int:
    """Rebuild, and say what was found; exit code 1 if commits could not be read."""
    access = find_access(AuditOptions(data=data, nats=nats))
    configure("warning")
    try:
        done = asyncio.run(_rebuild(access, replicas))
    except LogUnavailableError as error:
        fail(str(error), UNREACHABLE)
    values = {
        "games": done.games,
        "deadlines": done.deadlines,
        "alarms_set": done.set,
        "alarms_kept": done.kept,
        "damaged": done.damaged,
    }
    result(values, json_mode=json_mode)
    return FAILED if done.damaged else OK


async def _rebuild(access: Access, replicas: int) -> Rebuilt:
    log = JetStreamLog(access.servers, tenant=access.tenant, replicas=replicas)
    await log.connect()
    try:
        alarms = JetStreamAlarms(log.connection, tenant=access.tenant, replicas=replicas)
        await alarms.ensure()
        return await rebuild(log, alarms, access.ring)
    finally:
        await log.close()
