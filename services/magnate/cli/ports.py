"""Free loopback ports: none that an outgoing connection can take, none given to two processes.

A port that the kernel chooses (port 0) may be taken again before a server listens on it, or while the server
restarts: each outgoing connection takes one of the same range. So ports are chosen below that range, and each
is locked for the life of the process that chose it: a byte of one file.
"""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

FIRST_PORT: Final = 10_000
LAST_PORT: Final = 32_767
OUTGOING_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")


class NoPortError(Exception):
    """Every port that may be chosen is taken."""


def free_port() -> int:
    """Return a loopback port that nobody uses and that no other process of this user is given meanwhile.

    Raises:
        NoPortError: every port below the range of outgoing connections is taken.
    """
    lock, mine = _locks(), _chosen()
    ports = range(FIRST_PORT, _last_port() + 1)
    start = random.randrange(len(ports))  # noqa: S311 - not a secret
    for port in chain(ports[start:], ports[:start]):
        if port in mine or not _lock(lock, port):
            continue
        if port_is_free(port):
            mine.add(port)
            return port
        fcntl.lockf(lock, fcntl.LOCK_UN, 1, port)
    raise NoPortError(f"no free port between {ports[0]} and {ports[-1]}")


def port_is_free(port: int) -> bool:
    """Say whether a loopback port can be listened on."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


@cache
def _locks() -> int:
    """Open the file whose bytes are the locks; it stays empty, and open: closing it would let go of all."""
    path = Path(tempfile.gettempdir()) / f"magnate-ports-{os.getuid()}"
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


@cache
def _chosen() -> set[int]:
    """Return what this process has chosen: its own locks do not stop itself."""
    return set()


@cache
def _last_port() -> int:
    """Return the highest port that no outgoing connection takes."""
    try:
        first_outgoing = int(OUTGOING_RANGE.read_text().split()[0])
    except (OSError, ValueError, IndexError):  # not Linux: there, outgoing ports begin at 49152
        return LAST_PORT
    return min(LAST_PORT, first_outgoing - 1) if first_outgoing > FIRST_PORT else LAST_PORT


def _lock(lock: int, port: int) -> bool:
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    return True
