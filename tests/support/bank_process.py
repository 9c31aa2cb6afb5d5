"""A bank as a process of its own on a real log, to be killed the hard way."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.nats import free_ports

if TYPE_CHECKING:
    from pathlib import Path


class BankProcess:
    """`python -m magnate.bank` on ports of its own; started again on the same ports after a kill."""

    def __init__(self, nats_url: str, folder: Path, keys: str) -> None:
        self.port, metrics_port = free_ports(2)
        self.starts = 0
        self._log = folder / "bank.log"
        self._process: subprocess.Popen[bytes] | None = None
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
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "magnate.bank"], env=self._environment, stdout=log, stderr=log
            )

    async def kill(self) -> None:
        """End the process by its pid, without a word, and wait until it is gone."""
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text()[-2000:]
        os.kill(self._process.pid, signal.SIGKILL)
        await asyncio.to_thread(self._process.wait, 10)

    def stop(self) -> None:
        """End the process if it runs."""
        if self._process is not None and self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait(10)
