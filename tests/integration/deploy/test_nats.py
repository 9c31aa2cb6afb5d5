"""The NATS configurations: accepted by the server, and really running, alone and as a cluster of three."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import urllib.request
from typing import TYPE_CHECKING, Any

import nats
import nats.errors
import nats.js.errors
import pytest
from nats.js.api import StreamConfig

from magnate.cli.stack import nats_config as nats_config_of_up
from tests.support.deployment import SECRETS, Running, answers, nats_config
from tests.support.nats import free_ports, server_binary
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.nats

CONFIGS = sorted((ROOT / "deploy" / "nats").glob("*.conf"))
COMPLETE = {
    **{name: SECRETS[name] for name in ("NATS_PASSWORD", "NATS_ROUTE_PASSWORD")},
    "NATS_STORE_DIR": "store",
    "NATS_SERVER_NAME": "nats-1",
    **{f"NATS_ROUTE_{number}": f"nats://route:r@nats-{number}:6222" for number in (1, 2, 3)},
}


def checked(config: Path, environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Let the server check a configuration without starting."""
    return subprocess.run(
        [server_binary(), "-t", "--config", str(config)],
        env={"PATH": os.defpath, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def variables(config: Path) -> list[str]:
    """Return the variables that a configuration uses."""
    text = re.sub(r"#.*", "", config.read_text(encoding="utf-8"))
    return re.findall(r"\$(\w+)", text)


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.name)
def test_the_server_accepts_the_configuration(config: Path, tmp_path: Path) -> None:
    """`nats-server -t` with every variable set."""
    done = checked(config, COMPLETE, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "is valid" in done.stderr


@pytest.mark.parametrize(
    ("config", "missing"),
    [(config, name) for config in CONFIGS for name in sorted(set(variables(config)))],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_a_missing_variable_is_refused(config: Path, missing: str, tmp_path: Path) -> None:
    """A server without a password or with a store in a temporary folder must not start."""
    environment = {name: value for name, value in COMPLETE.items() if name != missing}
    done = checked(config, environment, tmp_path)
    assert done.returncode != 0
    assert missing in done.stderr


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.name)
def test_what_is_acknowledged_is_on_disk(config: Path) -> None:
    """The one line without which a power failure takes acknowledged moves."""
    text = config.read_text(encoding="utf-8")
    assert re.search(r"^  sync_interval: always$", text, re.MULTILINE)


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.name)
def test_the_configurations_agree_with_the_supervisor(config: Path, tmp_path: Path) -> None:
    """`magnate up` and the deployment accept messages of the same size."""
    size = re.search(r"max_payload: \S+", nats_config_of_up(1, 2, tmp_path))
    assert size
    assert size[0] in config.read_text(encoding="utf-8")


def varz(port: int, page: str = "varz") -> Any:
    """Return a page of a server's monitoring port."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}", timeout=2) as answer:
        return json.load(answer)


class Server:
    """A server that runs one of our configurations on loopback and free ports."""

    def __init__(self, config: str, folder: Path, environment: dict[str, str], cluster_port: int = 0) -> None:
        self.port, self.monitor = free_ports(2)
        ports = {4222: self.port, 8222: self.monitor}
        if cluster_port:
            ports[6222] = cluster_port
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / config
        path.write_text(nats_config(ROOT / "deploy" / "nats" / config, ports))
        environment = {"PATH": os.defpath, **COMPLETE, **environment, "NATS_STORE_DIR": str(folder / "store")}
        argv = [server_binary(), "--config", str(path)]
        self.running = Running(folder.name, argv, environment, folder)

    def wait(self, others: int = 0) -> None:
        """Wait until the server is healthy and knows so many others."""
        url = f"http://127.0.0.1:{self.monitor}/healthz?js-enabled-only=true"
        self.running.wait_until(lambda: answers(url))
        self.running.wait_until(lambda: len(self.others()) == others)

    def others(self) -> set[str]:
        """Return the names of the servers that this one has a route to."""
        return {route["remote_name"] for route in varz(self.monitor, "routez").get("routes") or ()}

    def url(self, password: str = SECRETS["NATS_PASSWORD"]) -> str:
        """Return the address for clients with user and password."""
        return f"nats://magnate:{password}@127.0.0.1:{self.port}"


def test_one_server_runs_with_a_password(tmp_path: Path) -> None:
    """Healthy, syncing every append, on loopback here; who has no password is turned away."""
    server = Server("single.conf", tmp_path / "single", {})
    try:
        server.wait()
        assert varz(server.monitor)["jetstream"]["config"]["sync_always"] is True
        assert varz(server.monitor)["jetstream"]["config"]["store_dir"].startswith(str(tmp_path))
        asyncio.run(stored(server.url(), 1))
        with pytest.raises(nats.errors.Error, match="Authorization Violation"):
            asyncio.run(stored(server.url("wrong"), 1))
        assert server.running.stop() == 0
    finally:
        server.running.stop()


async def stored(url: str, replicas: int) -> None:
    """Store a message in a stream with so many copies, and read it again."""
    quiet: Any = _quiet
    client = await nats.connect(
        url, allow_reconnect=False, max_reconnect_attempts=1, connect_timeout=2, error_cb=quiet
    )
    try:
        stream = client.jetstream()
        await stream.add_stream(StreamConfig(name="TEST", subjects=["test.>"], num_replicas=replicas))
        acknowledged = await stream.publish("test.one", b"kept")
        assert (await stream.get_msg("TEST", acknowledged.seq)).data == b"kept"
    finally:
        await client.close()


async def _quiet(error: Exception) -> None:
    """Say nothing: that a connection is refused is what the test is about."""


def route_urls(ports: list[int], password: str) -> dict[str, str]:
    """Return the variables that tell a server where all three are."""
    return {
        f"NATS_ROUTE_{number}": f"nats://route:{password}@127.0.0.1:{port}"
        for number, port in enumerate(ports, 1)
    }


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[list[Server]]:
    """Run three servers of the cluster's configuration."""
    routes = free_ports(3)
    shared = route_urls(routes, SECRETS["NATS_ROUTE_PASSWORD"])
    servers = [
        Server("cluster.conf", tmp_path / f"nats-{n}", {**shared, "NATS_SERVER_NAME": f"nats-{n}"}, port)
        for n, port in enumerate(routes, 1)
    ]
    stranger = {
        **route_urls(routes, "wrong1"),
        "NATS_SERVER_NAME": "stranger",
        "NATS_ROUTE_PASSWORD": "wrong1",
    }
    servers.append(Server("cluster.conf", tmp_path / "stranger", stranger, free_ports(1)[0]))
    yield servers
    for server in servers:
        server.running.stop()


@pytest.mark.cluster
@pytest.mark.slow
def test_three_servers_are_one_cluster(cluster: list[Server]) -> None:
    """They find each other, keep three copies, go on without one; who lacks their password stays outside."""
    *members, stranger = cluster
    for server in members:
        server.wait(others=2)
        assert varz(server.monitor)["jetstream"]["config"]["sync_always"] is True
        assert "stranger" not in server.others()
    assert not stranger.others()
    asyncio.run(eventually_stored(members[0].url(), 3))
    members[1].running.stop()
    asyncio.run(eventually_stored(members[0].url(), 3))


async def eventually_stored(url: str, replicas: int) -> None:
    """Store as soon as the cluster has elected a leader."""
    for attempt in range(40):
        try:
            await stored(url, replicas)
        except (nats.errors.Error, nats.js.errors.Error):
            assert attempt < 39, "the cluster never stored anything"
            await asyncio.sleep(0.5)
        else:
            return
