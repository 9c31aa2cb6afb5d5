"""A bank as a process of its own on a real log, to be killed the hard way."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
from typing import TYPE_CHECKING

from magnate.bank.__main__ import main
from tests.support.nats import free_ports

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.context import ForkServerProcess
    from pathlib import Path

# To start Python and read the modules takes most of a bank's start. So one process has done it once, before
# anything runs in it, and each start is a copy of that one.
_STARTER = multiprocessing.get_context("forkserver")
_STARTER.set_forkserver_preload([__name__])


class BankProcess:
    """What `python -m magnate.bank` runs, on ports of its own; started again on these after a kill."""

    def __init__(self, nats_url: str, folder: Path, keys: str) -> None:
        self.port, metrics_port = free_ports(2)
        self.starts = 0
        self._log = folder / "bank.log"
        self._process: ForkServerProcess | None = None
        self._environment = {
            **os.environ,
            "MAGNATE_NATS_URL": nats_url,
            "MAGNATE_KEYS": keys,
            "MAGNATE_PORT": str(self.port),
            "MAGNATE_METRICS_PORT": str(metrics_port),
        }

    @property
    def address(self) -> str:
        """Return where it serves."""
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the process; who calls it has to try until it is there."""
        self.starts += 1
        self._process = _STARTER.Process(target=_run, args=(self._environment, self._log), daemon=True)
        self._process.start()

    async def kill(self) -> None:
        """End the process by its pid, without a word, and wait until it is gone."""
        assert self._process is not None
        assert self._process.is_alive(), self._log.read_text()[-2000:]
        await asyncio.to_thread(self.stop)

    def stop(self) -> None:
        """End the process if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.join(10)
            assert self._process.exitcode is not None


def _run(environment: Mapping[str, str], log: Path) -> None:
    """Be the bank: its environment, its output, its exit code."""
    os.environ.clear()
    os.environ.update(environment)
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.exit(main())
