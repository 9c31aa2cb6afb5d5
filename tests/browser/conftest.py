"""A running stack as `magnate up` starts it, a real browser, and phones. One of each for all tests here."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from tests.browser.phones import FLAGS, Phones, executable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from playwright.async_api import Browser

READY_SECONDS = 60.0


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave the test out where there is no browser; tests/conftest.py says so at the end."""
    if item.get_closest_marker("browser") and executable() is None:
        pytest.skip("no chromium")


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[str]:
    """Serve an empty page of somebody else's; return its origin, which the gateway is told to let in."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Page)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def ready_file(tmp_path_factory: pytest.TempPathFactory, elsewhere: str) -> Iterator[Path]:
    """Run everything with `magnate up` on free ports; return its ready file, which tells addresses, pids."""
    folder = tmp_path_factory.mktemp("stack")
    path = folder / "ready.json"
    command = [sys.executable, "-m", "magnate.cli", "up", "--free-ports", "--data", str(folder / "data")]
    with (folder / "up.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--ready-file", str(path)],
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "MAGNATE_GATEWAY_ORIGINS": elsewhere},
        )
    try:
        give_up = time.monotonic() + READY_SECONDS
        while not path.exists():
            assert process.poll() is None, (folder / "up.log").read_text()
            assert time.monotonic() < give_up, (folder / "up.log").read_text()
            time.sleep(0.05)
        yield path
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


@pytest.fixture(scope="session")
def url(ready_file: Path) -> str:
    """Return where the page is."""
    found: str = json.loads(ready_file.read_text())["gateway"][0]
    return found


@pytest.fixture(scope="session")
def game_service(ready_file: Path) -> str:
    """Return where games are made and played without a browser."""
    found: str = json.loads(ready_file.read_text())["game"][0]
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Start the machine's own browser."""
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=executable(), args=[*FLAGS])
        yield started
        await started.close()


@pytest_asyncio.fixture(loop_scope="session")
async def phones(browser: Browser, url: str, request: pytest.FixtureRequest) -> AsyncIterator[Phones]:
    """Return what makes phones; at the end of the test each leaves a picture and must not have complained."""
    made = Phones(browser, url, request.node.name)
    yield made
    await made.close()
    complaints = {phone.name: phone.complaints for phone in made.made if phone.complaints}
    assert not complaints, complaints
