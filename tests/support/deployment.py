"""Reads docker-compose.yml and deploy/Dockerfile, and runs what they describe as processes on loopback.

No container engine is needed: every command and every variable is taken from the files, only host names and
ports are replaced by `127.0.0.1` and free ones.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from magnate.client.bots.random_legal import RandomLegalBot
from magnate.client.player import Player
from magnate.client.session import Session
from tests.support.nats import free_ports, server_binary
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SERVICES = ("bank", "game", "auction", "timer")
PROCESSES = (*SERVICES, "gateway")
HEALTHY_SECONDS = 60.0
# Who fills in .env writes these.
SECRETS = {
    "MAGNATE_KEYS": "k1:" + "5a" * 32,
    "NATS_PASSWORD": "pass12345word",
    "NATS_ROUTE_PASSWORD": "route12345word",
    "GRAFANA_PASSWORD": "another",
}


class MissingVariableError(Exception):
    """A variable that the compose file insists on is not set."""


def interpolate(text: str, variables: Mapping[str, str]) -> str:
    """Replace `${NAME}`, `${NAME:-default}` and `${NAME:?why}` as docker compose does."""

    def value(found: re.Match[str]) -> str:
        name, operator, rest = found.group(1), found.group(2), found.group(3)
        if variables.get(name):
            return variables[name]
        if operator == ":?":
            raise MissingVariableError(f"{name}: {rest}")
        return rest or ""

    return re.sub(r"\$\{(\w+)(?:(:[-?])([^}]*))?\}", value, text)


def _interpolated(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return interpolate(value, variables)
    if isinstance(value, list):
        return [_interpolated(one, variables) for one in value]
    if isinstance(value, dict):
        return {key: _interpolated(one, variables) for key, one in value.items()}
    return value


def compose(variables: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return docker-compose.yml with variables filled in; by default the secrets alone are set."""
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    found: dict[str, Any] = _interpolated(yaml.safe_load(text), SECRETS if variables is None else variables)
    return found


@cache
def dockerfile() -> list[tuple[str, str]]:
    """Return the instructions of deploy/Dockerfile as (word, rest), continuation lines joined."""
    text = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", lines)
    return [(line.split(None, 1)[0], line.split(None, 1)[1].strip()) for line in joined.splitlines() if line]


def last_stage() -> list[tuple[str, str]]:
    """Return the instructions of the stage that becomes the image."""
    words = [word for word, _ in dockerfile()]
    return dockerfile()[len(words) - words[::-1].index("FROM") :]


def image_environment() -> dict[str, str]:
    """Return the variables that the image sets."""
    pairs = [pair for word, rest in last_stage() if word == "ENV" for pair in rest.split()]
    return dict(pair.split("=", 1) for pair in pairs)


def image_command(word: str) -> list[str]:
    """Return what the image runs: its ENTRYPOINT, or the command of its HEALTHCHECK."""
    rest = next(rest for found, rest in last_stage() if found == word)
    command: list[str] = json.loads(rest[rest.index("[") :])
    return command


def image_files() -> dict[str, Path]:
    """Return the files of this repository that the last stage copies, by their place in the image."""
    copies = [rest.split() for word, rest in last_stage() if word == "COPY" and not rest.startswith("--from")]
    return {target: ROOT / source for source, target in copies}


class Ports:
    """A free loopback port for every port that a service of the compose file listens on."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], int] = {}

    def of(self, service: str, port: int) -> int:
        """Return the port that stands for `service:port`."""
        if (service, port) not in self._known:
            self._known[service, port] = free_ports(1)[0]
        return self._known[service, port]

    def rewrite(self, text: str, services: Mapping[str, Any]) -> str:
        """Replace every `service:port` in a text."""
        names = "|".join(services)
        return re.sub(
            rf"(?<![\w-])({names}):(\d+)\b",
            lambda found: f"127.0.0.1:{self.of(found[1], int(found[2]))}",
            text,
        )


def nats_config(path: Path, ports: Mapping[int, int]) -> str:
    """Return a NATS configuration of ours for loopback and other ports; nothing else is changed."""
    text = path.read_text(encoding="utf-8").replace("0.0.0.0", "127.0.0.1")
    for usual, other in ports.items():
        text = re.sub(rf"^(\s*(?:http_)?port: ){usual}$", rf"\g<1>{other}", text, flags=re.MULTILINE)
    return text


def answers(url: str) -> bool:
    """Say whether a URL answers 200."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return int(answer.status) == 200
    except OSError:
        return False


class Running:
    """One process that stands for a container."""

    def __init__(self, name: str, argv: list[str], environment: dict[str, str], folder: Path) -> None:
        self.name = name
        self.environment = environment
        self.log = folder / f"{name}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                argv, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def wait_until(self, healthy: Any) -> None:
        """Wait until `healthy()` is true; fail with the process's last words otherwise."""
        deadline = time.monotonic() + HEALTHY_SECONDS
        while not healthy():
            words = self.log.read_text(errors="replace")[-2000:]
            assert self.process.poll() is None, f"{self.name} ended: {words}"
            assert time.monotonic() < deadline, f"{self.name} is not healthy in time: {words}"
            time.sleep(0.1)

    def stop(self, how: int = signal.SIGTERM, seconds: float = 30) -> int:
        """Send a signal to this pid and return the exit code; killed if it takes longer than allowed."""
        if self.process.poll() is None:
            os.kill(self.process.pid, how)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
            raise


class Deployment:
    """The compose file's default profile, as processes."""

    def __init__(self, folder: Path, store: Path | None = None) -> None:
        self.folder = folder
        self.store = store or folder / "store"
        self.services: dict[str, Any] = compose()["services"]
        self.ports = Ports()
        self.running: dict[str, Running] = {}

    def start(self) -> None:
        """Start nats, then all services at once, as their `depends_on` allows; wait until all are healthy."""
        self._start_nats()
        for name in PROCESSES:
            self._start_service(name)
        for name in PROCESSES:
            self.running[name].wait_until(lambda name=name: self.health(name) == 0)

    def stop(self) -> dict[str, int]:
        """Stop the services, then nats; return the exit codes."""
        codes: dict[str, int] = {}
        for name in [*reversed(PROCESSES), "nats"]:
            if name in self.running:
                grace = float(self.services[name]["stop_grace_period"].removesuffix("s"))
                codes[name] = self.running[name].stop(seconds=grace)
        return codes

    def environment(self, name: str) -> dict[str, str]:
        """Return a container's variables: the image's, then the compose file's, rewritten for loopback."""
        own = {key: str(value) for key, value in self.services[name]["environment"].items()}
        found = {**image_environment(), **own} if name in PROCESSES else own
        found = {key: self.ports.rewrite(value, self.services) for key, value in found.items()}
        for key, value in found.items():
            if value == "0.0.0.0":
                found[key] = "127.0.0.1"
            elif key in {"MAGNATE_PORT", "MAGNATE_METRICS_PORT"}:
                found[key] = str(self.ports.of(name, int(value)))
        # What lies elsewhere in the image: the interpreter, and what was compiled there.
        found.pop("MAGNATE_COMPILED", None)
        found["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), "/usr/bin", "/bin"))
        return found

    def health(self, name: str) -> int:
        """Run the image's health check for a service; return its exit code."""
        command = [str(image_files().get(word, word)) for word in image_command("HEALTHCHECK")]
        done = subprocess.run(
            command, env=self.running[name].environment, capture_output=True, timeout=10, check=False
        )
        return done.returncode

    def address(self, name: str) -> str:
        """Return where a service's port is."""
        return f"127.0.0.1:{self.running[name].environment['MAGNATE_PORT']}"

    def metrics(self, name: str) -> str:
        """Return what a service exports at /metrics."""
        port = self.running[name].environment["MAGNATE_METRICS_PORT"]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text: str = answer.read().decode()
            return text

    def _start_service(self, name: str) -> None:
        argv = [*image_command("ENTRYPOINT"), *self.services[name]["command"]]
        environment = self.environment(name)
        argv[0] = str(Path(sys.executable).parent / argv[0])
        self.running[name] = Running(name, argv, environment, self.folder)

    def _start_nats(self) -> None:
        nats = self.services["nats"]
        mounts = dict(volume.split(":")[1::-1] for volume in nats["volumes"] if volume.startswith("./"))
        argv = list(nats["command"])
        target = argv[argv.index("--config") + 1]
        ports = {4222: self.ports.of("nats", 4222), 8222: self.ports.of("nats", 8222)}
        config = self.folder / "nats.conf"
        config.write_text(nats_config(ROOT / mounts[target], ports))
        argv[argv.index("--config") + 1] = str(config)
        environment = {**self.environment("nats"), "NATS_STORE_DIR": str(self.store)}
        self.running["nats"] = Running("nats", [server_binary(), *argv], environment, self.folder)
        check = nats["healthcheck"]["test"][-1].replace(":8222", f":{ports[8222]}")
        self.running["nats"].wait_until(lambda: answers(check))


@contextmanager
def deployed(folder: Path, store: Path | None = None) -> Iterator[Deployment]:
    """Run the whole deployment for the length of a `with`, on a new store or the given one."""
    deployment = Deployment(folder, store)
    try:
        deployment.start()
        yield deployment
    finally:
        for one in deployment.running.values():
            one.stop(signal.SIGKILL)


async def play_a_while(address: str, seconds: float) -> str:
    """Let three bots play on a game service for some seconds; return the game's id. It need not end."""
    async with Session(address) as session:
        game_id = await session.create_game(seat_count=3)
        seats = [await session.join(game_id, f"bot {number}", b"entropy") for number in range(3)]
        await session.start(game_id, seats[0].token)
        players = [
            Player(session, game_id, one.seat, one.token, RandomLegalBot(random.Random(one.seat)))
            for one in seats
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*(player.play() for player in players))
        assert sum(player.commands for player in players) > 20
        return game_id
