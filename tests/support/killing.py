"""Kills processes of a stack the hard way."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from magnate.cli.stack import Stack


async def kill_and_wait(stack: Stack, name: str) -> None:
    """Kill a process by its pid, and wait until its supervisor has started another."""
    managed = stack.processes[name]
    assert managed.pid is not None
    started = asyncio.create_task(managed.next_start())
    await asyncio.sleep(0)
    os.kill(managed.pid, signal.SIGKILL)
    await started
