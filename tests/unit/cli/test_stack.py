"""The supervisor's parts that need no process: configuration, keys, ports, the ready file."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

import pytest

from magnate.cli.ports import free_port
from magnate.cli.processes import Managed, ProcessSpec, StartError
from magnate.cli.stack import Stack, StackOptions, _key_ring, _take_folder, nats_config
from magnate.kit.keys import KeyRing

if TYPE_CHECKING:
    from pathlib import Path


def test_the_log_is_synced_before_it_is_acknowledged(tmp_path: Path) -> None:
    """Money needs every append on disk."""
    config = nats_config(4222, 8222, tmp_path)
    assert "sync_interval: always" in config
    assert '"127.0.0.1:4222"' in config


def test_keys_are_made_once_and_kept_from_others(tmp_path: Path) -> None:
    """A data folder keeps its keys; nobody else may read them."""
    first = _key_ring(tmp_path)
    assert _key_ring(tmp_path) == first
    assert (tmp_path / "keys").stat().st_mode & 0o077 == 0
    assert KeyRing.parse(first).current_id == "k1"


@pytest.mark.asyncio
async def test_fixed_ports_that_are_taken_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says which, and what to do."""
    monkeypatch.setattr("magnate.cli.stack.port_is_free", lambda _port: False)
    stack = Stack(StackOptions(data=tmp_path))
    with pytest.raises(StartError, match=r"port 7499 is taken.*--free-ports"):
        await stack.start()
    await stack.stop()


@pytest.mark.asyncio
async def test_a_process_that_ends_at_once_is_told_with_its_last_words(tmp_path: Path) -> None:
    """Whoever reads the error need not look for the log first."""
    script = "print('no settings here'); raise SystemExit(5)"
    spec = ProcessSpec(
        "broken", (sys.executable, "-c", script), "http://127.0.0.1:1/healthz", tmp_path / "log"
    )
    with pytest.raises(StartError, match=r"broken ended with 5.*no settings here"):
        await Managed(spec).start()


@pytest.mark.asyncio
async def test_last_words_are_readable(tmp_path: Path) -> None:
    """A process that logs JSON is quoted with its reason, not with its traceback."""
    line = (
        '{"event": "cannot start", "level": "error", "exception": "Traceback\\n  File x\\nOSError: no NATS"}'
    )
    script = f"print({line!r}); raise SystemExit(1)"
    spec = ProcessSpec("bad", (sys.executable, "-c", script), "http://127.0.0.1:1/healthz", tmp_path / "log")
    with pytest.raises(StartError, match=r"last words: cannot start: OSError: no NATS$"):
        await Managed(spec).start()


@pytest.mark.asyncio
async def test_a_data_folder_has_one_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two servers on one store would destroy it: the second is refused until the first has ended."""
    monkeypatch.setattr("magnate.cli.stack.FOLDER_WAIT_SECONDS", 0.0)
    first = await _take_folder(tmp_path)
    second = Stack(StackOptions(data=tmp_path, free_ports=True))
    with pytest.raises(StartError, match="in use by another"):
        await second.start()
    assert not second.processes
    os.close(first)
    os.close(await _take_folder(tmp_path))


@pytest.mark.asyncio
async def test_a_data_folder_is_taken_until_the_child_has_ended(tmp_path: Path) -> None:
    """A supervisor that was killed has let go of the folder only when its nats-server has, too."""
    folder = await _take_folder(tmp_path)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "import time; time.sleep(60)", pass_fds=(folder,)
    )
    os.close(folder)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            os.close(await _take_folder(tmp_path))
    child.kill()
    await child.wait()
    os.close(await _take_folder(tmp_path))


@pytest.mark.asyncio
async def test_a_process_that_dies_is_started_again(tmp_path: Path) -> None:
    """Once it was healthy, it is kept running."""
    script = (
        "import http.server, sys\n"
        "class H(http.server.BaseHTTPRequestHandler):\n"
        "    def do_GET(self):\n"
        "        self.send_response(200); self.end_headers()\n"
        "http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), H).serve_forever()\n"
    )
    port = free_port()
    spec = ProcessSpec(
        "web", (sys.executable, "-c", script, str(port)), f"http://127.0.0.1:{port}/", tmp_path / "log"
    )
    managed = Managed(spec)
    await managed.start()
    first = managed.pid
    assert first is not None
    assert managed._process is not None
    managed._process.kill()
    async with asyncio.timeout(20):
        while managed.restarts == 0 or managed.pid in (None, first):  # noqa: ASYNC110 - it waits for another process
            await asyncio.sleep(0.02)
    await managed.stop()
    assert managed.pid is None
