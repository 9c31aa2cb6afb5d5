"""The command as it runs in a terminal window: what it writes, what is typed, how it ends."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from typing import Final

WAIT_SECONDS: Final = 60.0
ALTERNATE_SCREEN_OFF: Final = "\x1b[?1049l"


class Shell:
    """A terminal window of 80 by 24 in which `magnate …` runs."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        inherited = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "LC_ALL"}}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "magnate.cli", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={
                **inherited,
                "PYTHONPATH": os.pathsep.join(sys.path),
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                "LANG": "C.UTF-8",
                **environment,
            },
        )
        os.close(slave)
        self.raw = b""

    @property
    def text(self) -> str:
        """Everything that was written so far."""
        return self.raw.decode(errors="replace")

    def read(self, seconds: float) -> bool:
        """Take what is written in this time; False once the window is closed."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return True
        try:
            part = os.read(self.master, 65536)
        except OSError:  # the other end is gone
            return False
        self.raw += part
        return bool(part)

    async def shows(self, *texts: str) -> None:
        """Wait until all of these were written."""
        give_up = time.monotonic() + WAIT_SECONDS
        while not all(text in self.text for text in texts):
            assert time.monotonic() < give_up, f"{texts}\n{self.text[-4000:]}"
            assert await asyncio.to_thread(self.read, 0.5) or self.process.poll() is None, self.text[-4000:]

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.master, keys.encode())

    async def end(self) -> int:
        """Read to the end, and return the exit code."""
        give_up = time.monotonic() + WAIT_SECONDS
        while await asyncio.to_thread(self.read, 0.5) and self.process.poll() is None:
            assert time.monotonic() < give_up, self.text[-4000:]
        while select.select([self.master], [], [], 0)[0] and self.read(0):
            pass
        return await asyncio.to_thread(self.process.wait, 30)

    def close(self) -> None:
        """End it if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        os.close(self.master)
