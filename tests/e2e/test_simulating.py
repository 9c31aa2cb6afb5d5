"""`magnate simulate` as a process among others: interrupted, killed, or one of its workers gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

MANY = "1000000"
WAIT_SECONDS = 60.0


def started() -> tuple[subprocess.Popen[str], list[int]]:
    """Start a long simulation; return it and the ids of its two workers once both are there."""
    process = subprocess.Popen(
        [sys.executable, "-m", "magnate.cli", "simulate", "--games", MANY, "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    give_up = time.monotonic() + WAIT_SECONDS
    while len(found := workers(process.pid)) < 2:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < give_up
        time.sleep(0.05)
    time.sleep(1)  # so that they are at it
    return process, found


def workers(pid: int) -> list[int]:
    """Return the processes below another one that play games."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            above = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            words = (path / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if above == pid and b"spawn_main" in words:
            found.append(int(path.name))
    return found


def runs(pid: int) -> bool:
    """Say whether a process runs; one that ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_nothing_is_left_of_an_interrupted_simulation(number: int, code: int) -> None:
    """At once, in the middle of games; even `kill -9` leaves no process behind that plays on."""
    process, below = started()
    process.send_signal(number)
    process.communicate(timeout=20)
    assert process.returncode == code
    give_up = time.monotonic() + 20
    while alive := [pid for pid in below if runs(pid)]:
        assert time.monotonic() < give_up, alive
        time.sleep(0.05)


def test_a_worker_that_dies_ends_it() -> None:
    """Its games are lost, so there is no result; exit code 1 and no waiting for ever."""
    process, below = started()
    os.kill(below[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "a process of the simulation has died" in errors
    assert not any(runs(pid) for pid in below)
