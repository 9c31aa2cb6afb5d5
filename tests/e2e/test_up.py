"""`magnate up` from the outside: ready file, health, what happens on bad input and on SIGTERM."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from grpc_health.v1 import health_pb2

from tests.support.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]

READY_SECONDS = 60.0
GUIDE = (ROOT / "docs/client-guide.md").read_text(encoding="utf-8")


def magnate(*arguments: str) -> subprocess.Popen[str]:
    """Start the command as a user would."""
    return subprocess.Popen(
        [sys.executable, "-m", "magnate.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


class Running:
    """A running `magnate up` and what its ready file says."""

    def __init__(self, process: subprocess.Popen[str], ready_file: Path, data: Path) -> None:
        self.process = process
        self.ready_file = ready_file
        self.data = data
        self.ready: dict[str, Any] = {}

    def wait_ready(self) -> None:
        """Wait for the ready file."""
        give_up = time.monotonic() + READY_SECONDS
        while not self.ready_file.exists():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < give_up
            time.sleep(0.05)
        self.ready = json.loads(self.ready_file.read_text())


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    """Run everything on free ports, and end it."""
    ready_file = tmp_path / "ready.json"
    arguments = ("up", "--free-ports", "--data", str(tmp_path / "data"), "--ready-file", str(ready_file))
    one = Running(magnate(*arguments), ready_file, tmp_path / "data")
    try:
        one.wait_ready()
        yield one
    finally:
        if one.process.poll() is None:
            one.process.send_signal(signal.SIGTERM)
        one.process.wait(60)


def test_the_programs_of_the_guide_print_what_the_guide_says(running: Running) -> None:
    """The ledger and the auction of docs/client-guide.md, run as they stand but for the address."""
    section = GUIDE.split("## 12.")[1]
    programs = re.findall(r"```py\n(.*?)```", section, re.DOTALL)
    printed = re.findall(r"It prints\n\n```\n(.*?)```", section, re.DOTALL)
    assert len(programs) == len(printed) == 2
    [gateway] = running.ready["gateway"]
    program = "".join(programs).replace("http://127.0.0.1:7480", gateway)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "".join(printed), done.stderr


def test_up_says_where_everything_is_and_drains_on_sigterm(running: Running) -> None:
    """All services answer health and metrics; SIGTERM ends every process it started and removes the file."""
    for service in ("game", "bank", "auction", "timer"):
        (address,) = running.ready[service]
        with grpc.insecure_channel(address) as channel:
            check = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
                response_deserializer=health_pb2.HealthCheckResponse.FromString,
            )
            answer = check(health_pb2.HealthCheckRequest(), timeout=5)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    for url in running.ready["metrics"].values():
        with urllib.request.urlopen(url, timeout=5) as page:
            assert b"magnate_healthy 1.0" in page.read()
    (gateway,) = running.ready["gateway"]
    with urllib.request.urlopen(gateway, timeout=5) as page:
        assert b"<html" in page.read()
    pids = running.ready["pids"]
    assert set(pids) == {"nats", "game-0", "bank-0", "auction-0", "timer-0", "gateway-0"}
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(60) == 0
    assert not running.ready_file.exists()
    alive = [name for name, pid in pids.items() if Path(f"/proc/{pid}").exists()]
    assert not alive, f"left running: {alive}"


def test_the_ready_file_tells_the_new_process(running: Running) -> None:
    """A process that was killed is started again, and the file names the one that runs now."""
    first = running.ready["pids"]["timer-0"]
    os.kill(first, signal.SIGKILL)
    give_up = time.monotonic() + READY_SECONDS
    while json.loads(running.ready_file.read_text())["pids"]["timer-0"] in (first, None):
        assert time.monotonic() < give_up
        time.sleep(0.05)
    assert json.loads(running.ready_file.read_text())["timer"] == running.ready["timer"]


def test_keys_are_made_once_and_for_the_owner_only(running: Running) -> None:
    """The key ring of the data folder is readable by its owner alone."""
    keys = running.data / "keys"
    assert keys.stat().st_mode & 0o077 == 0
    assert keys.read_text().startswith("k1:")


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    """With fixed ports, a port in use ends the start with exit code 3 and its number."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            holder.bind(("127.0.0.1", 7499))
            holder.listen()
        except OSError:
            pytest.skip("port 7499 is in use by something else")
        process = magnate("up", "--data", str(tmp_path / "data"))
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "port 7499 is taken" in errors


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("up", "--workers", "0"), "--workers"),
        (("up", "--no-such-option"), "--no-such-option"),
        (("serve", "bankk"), "bankk"),
        (("nothing",), "nothing"),
    ],
)
def test_bad_arguments_are_named(arguments: tuple[str, ...], named: str) -> None:
    """A wrong command line ends with exit code 2 and names what is wrong."""
    process = magnate(*arguments)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert named in errors


def test_a_service_names_every_missing_setting(tmp_path: Path) -> None:
    """Started by hand without its settings, a service ends with exit code 2 and names all of them."""
    process = subprocess.run(
        [sys.executable, "-m", "magnate.game"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), "MAGNATE_PORT": "notaport"},
        check=False,
    )
    assert process.returncode == 2
    for variable in ("MAGNATE_PORT", "MAGNATE_KEYS", "MAGNATE_BANK_ADDRESSES", "MAGNATE_AUCTION_ADDRESSES"):
        assert variable in process.stderr


def test_children_end_with_a_killed_supervisor(running: Running) -> None:
    """Even `kill -9` of the supervisor leaves nothing running that holds ports or data."""
    pids = running.ready["pids"]
    running.process.kill()
    running.process.wait(30)
    give_up = time.monotonic() + 30
    while alive := [name for name, pid in pids.items() if _runs(pid)]:
        assert time.monotonic() < give_up, f"left running: {alive}"
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    """Say whether a process runs; one that ended and was not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
