"""Free ports: nobody else has them, nobody else can get them."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from magnate.cli import ports
from magnate.cli.ports import NoPortError, free_port, port_is_free

CHOOSE_TWO = "from magnate.cli.ports import free_port as f; print(f(), f(), flush=True); input()"


def test_a_port_in_use_is_seen() -> None:
    """Both ways of choosing ports avoid what is taken."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert not port_is_free(taken.getsockname()[1])
    assert port_is_free(free_port())


def test_no_outgoing_connection_can_take_it() -> None:
    """The kernel gives outgoing connections ports of its own range: a server can listen later, and again."""
    first_outgoing = int(ports.OUTGOING_RANGE.read_text().split()[0])
    if first_outgoing <= ports.FIRST_PORT:
        pytest.skip("outgoing connections take any port here")
    assert all(ports.FIRST_PORT <= free_port() < first_outgoing for _ in range(20))


def test_no_port_is_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in one process nor in two, also while nobody listens on it yet; a process that ends lets go."""
    with subprocess.Popen(
        [sys.executable, "-c", CHOOSE_TWO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        theirs = [int(port) for port in other.stdout.readline().split()]
        monkeypatch.setattr(ports, "FIRST_PORT", min(theirs))
        monkeypatch.setattr(ports, "_last_port", lambda: min(theirs))
        with pytest.raises(NoPortError, match=f"no free port between {min(theirs)} and {min(theirs)}"):
            free_port()
        other.stdin.close()
        other.wait(20)
        assert free_port() == min(theirs)
        with pytest.raises(NoPortError):
            free_port()
    assert len(set(theirs)) == 2


def test_where_the_range_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other systems have no such file: their outgoing ports begin at 49152."""
    monkeypatch.setattr(ports, "OUTGOING_RANGE", ports.OUTGOING_RANGE / "nowhere")
    assert ports._last_port.__wrapped__() == ports.LAST_PORT
