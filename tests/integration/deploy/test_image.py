"""deploy/Dockerfile and what goes into the image. No container engine is needed for any of it."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from tests.support.deployment import (
    PROCESSES,
    compose,
    dockerfile,
    image_command,
    image_environment,
    image_files,
    last_stage,
)
from tests.support.nats import free_ports
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

BIN = Path(sys.executable).parent
HEALTH = ROOT / "deploy" / "health.py"


def test_the_dockerfile_is_clean() -> None:
    """Hadolint finds nothing."""
    done = subprocess.run(
        [str(BIN / "hadolint"), "deploy/Dockerfile"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_base_image_is_pinned_and_names_no_host() -> None:
    """A tag with the patch release; where images come from is the machine's business."""
    argument = next(rest for word, rest in dockerfile() if word == "ARG")
    assert re.fullmatch(r"PYTHON=python:3\.11\.\d+-slim-bookworm", argument)
    bases = [rest.split()[0] for word, rest in dockerfile() if word == "FROM"]
    assert bases == ["${PYTHON}"] * 2


def test_only_locked_packages_are_installed() -> None:
    """Every pip install is from hash-pinned files, or of the wheel that was just built."""
    installs = re.findall(r"pip install ([^&]*)", " ".join(rest for _, rest in dockerfile()))
    assert len(installs) == 3
    for one in installs:
        assert "--require-hashes" in one or one.startswith("--no-deps dist/magnate-")


def test_the_image_runs_as_nobody_special() -> None:
    """A user by number, so that an orchestrator can see that it is not root."""
    users = [rest for word, rest in last_stage() if word == "USER"]
    assert users == ["10001:10001"]
    copied = [rest for word, rest in last_stage() if word == "COPY"]
    assert not any("--chown" in one for one in copied), "the process must not be able to change its own code"


def test_the_image_listens_where_it_says() -> None:
    """EXPOSE names the ports of the variables."""
    exposed = next(rest for word, rest in last_stage() if word == "EXPOSE").split()
    environment = image_environment()
    assert exposed == [environment["MAGNATE_PORT"], environment["MAGNATE_METRICS_PORT"]]


def ignored(path: str) -> bool:
    """Say whether .dockerignore keeps a path out of what is sent to the builder; the last match decides."""
    result = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.strip().removeprefix("!")
        if not pattern or pattern.startswith("#"):
            continue
        parts = Path(path).parts
        prefixes = ["/".join(parts[: number + 1]) for number in range(len(parts))]
        if pattern.startswith("**/"):
            matches = any(fnmatch(part, pattern[3:]) for part in parts)
        else:
            matches = any(
                fnmatch(prefix, pattern) and prefix.count("/") == pattern.count("/") for prefix in prefixes
            )
        if matches:
            result = not line.startswith("!")
    return result


def test_all_that_is_copied_is_there_and_sent_to_the_builder() -> None:
    """A COPY of what .dockerignore keeps out fails only on the machine that builds."""
    copies = [rest.split() for word, rest in dockerfile() if word == "COPY" and not rest.startswith("--from")]
    sources = [source for copy in copies for source in copy[:-1]]
    assert sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert not ignored(source), source
    assert not ignored("services/magnate/rules/data/boards/classic-us.yaml")


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        ".git/config",
        "data/keys",
        "tests/conftest.py",
        "build/compiled/current.json",
        "deploy/nats/single.conf",
        "services/magnate/__pycache__/x.pyc",
    ],
)
def test_secrets_and_leftovers_stay_out(path: str) -> None:
    """Keys, history and old builds never reach the builder."""
    assert ignored(path)


@pytest.mark.slow
def test_the_wheel_holds_the_whole_package(tmp_path: Path) -> None:
    """Boards and rule sets, the page, type marker, generated code and the command are in the wheel."""
    subprocess.run(
        [str(BIN / "hatchling"), "build", "--target", "wheel", "--directory", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("magnate-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        entry = archive.read(next(one for one in names if one.endswith("entry_points.txt"))).decode()
    package = ROOT / "services"
    needed = {
        path.relative_to(package).as_posix()
        for path in (package / "magnate").rglob("*")
        if path.suffix in {".py", ".yaml", ".typed"}
    }
    page = package / "magnate" / "gateway" / "page"
    needed |= {path.relative_to(package).as_posix() for path in page.rglob("*") if path.is_file()}
    assert not needed - names
    assert "magnate = magnate.cli.__main__:main" in entry
    assert image_command("ENTRYPOINT") == ["magnate"]
    assert not [name for name in names if name.endswith((".pyc", ".so"))]


@pytest.fixture
def health_port() -> Iterator[tuple[int, list[int]]]:
    """Serve /healthz with the status that the test puts into the list."""
    statuses: list[int] = [200]

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(statuses[0] if self.path == "/healthz" else 404)
            self.end_headers()
            self.wfile.write(b'{"healthy": false, "reasons": ["draining"]}')

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Page)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server.server_port, statuses
    server.shutdown()
    thread.join()
    server.server_close()


def health(port: str) -> tuple[int, str]:
    """Run the image's health check; return its exit code and what it printed."""
    assert HEALTH in image_files().values()
    done = subprocess.run(
        [sys.executable, str(HEALTH)],
        env={"MAGNATE_METRICS_PORT": port},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_the_health_check_believes_healthz(health_port: tuple[int, list[int]]) -> None:
    """200 is healthy; 503 is not, and the reasons are shown."""
    port, statuses = health_port
    assert health(str(port))[0] == 0
    statuses[0] = 503
    code, said = health(str(port))
    assert code == 1
    assert "draining" in said


def test_the_health_check_survives_silence() -> None:
    """Nobody there: unhealthy in one line, no traceback."""
    port = str(free_ports(1)[0])
    code, said = health(port)
    assert code == 1
    assert said.startswith(f"no answer on port {port}")


def test_the_compose_file_builds_this_dockerfile() -> None:
    """All services run the image that is built here."""
    services = compose()["services"]
    builds = {name: one["build"] for name, one in services.items() if "build" in one}
    assert set(builds) == set(PROCESSES)
    assert all((ROOT / one["context"] / one["dockerfile"]).exists() for one in builds.values())
