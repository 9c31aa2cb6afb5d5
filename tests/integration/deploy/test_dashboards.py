"""The dashboards: well formed, and every expression asks for what the running services really export."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from deploy.grafana.build import OUT, texts
from tests.support.deployment import PROCESSES, Running, answers, deployed, play_a_while
from tests.support.nats import free_ports
from tests.support.promql import uses
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployment import Deployment

FILES = sorted(OUT.glob("*.json"))
PROVISIONING = ROOT / "deploy" / "grafana" / "provisioning"
# What Prometheus itself puts on every series.
TARGET_LABELS = {"job", "instance"}
PLAY_SECONDS = 6.0


def dashboard(path: Path) -> dict[str, Any]:
    """Read a dashboard."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def panels(path: Path) -> list[dict[str, Any]]:
    """Return a dashboard's panels, rows left out."""
    return [panel for panel in dashboard(path)["panels"] if panel["type"] != "row"]


def expressions(path: Path) -> list[tuple[str, str]]:
    """Return (panel's title, expression) of a dashboard, as Grafana would send it for `All` services."""
    found = [(panel["title"], target["expr"]) for panel in panels(path) for target in panel["targets"]]
    return [(title, one.replace("$__rate_interval", "1m").replace("$service", ".+")) for title, one in found]


EXPRESSIONS = [pytest.param(*one, id=f"{path.stem}: {one[0]}") for path in FILES for one in expressions(path)]


def test_the_dashboards_are_current() -> None:
    """`make dash` would change nothing."""
    assert {path.name: path.read_text(encoding="utf-8") for path in FILES} == texts()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_dashboard_is_found_by_a_name_that_stays(path: Path) -> None:
    """Links point to the uid; the data source is a choice of the reader's; nobody edits a copy."""
    found = dashboard(path)
    assert found["uid"] == f"magnate-{path.stem}"
    assert found["title"]
    assert found["description"]
    assert found["editable"] is False
    kinds = {one["name"]: one["type"] for one in found["templating"]["list"]}
    assert kinds["datasource"] == "datasource"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_data_source_is_the_variable(path: Path) -> None:
    """A fixed data source would not exist elsewhere."""
    text = path.read_text(encoding="utf-8")
    sources = re.findall(r'"datasource": \{\s*"type": "(\w+)",\s*"uid": "([^"]+)"', text)
    assert set(sources) == {("prometheus", "${datasource}")}
    assert len(sources) == text.count('"datasource": {')


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_panel_explains_itself(path: Path) -> None:
    """Title, description, unit, and at least one query."""
    titles = [panel["title"] for panel in panels(path)]
    for panel in panels(path):
        assert panel["title"]
        assert panel["description"].endswith(".")
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert panel["targets"]
        assert [one["refId"] for one in panel["targets"]] == list("ABCDEF")[: len(panel["targets"])]
    assert len(titles) == len(set(zip(titles, [row_of(path, panel) for panel in panels(path)], strict=True)))


def row_of(path: Path, panel: dict[str, Any]) -> str:
    """Return the title of the row that a panel is under."""
    above = [
        one
        for one in dashboard(path)["panels"]
        if one["type"] == "row" and one["gridPos"]["y"] < panel["gridPos"]["y"]
    ]
    title: str = above[-1]["title"]
    return title


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_panel_lies_on_another(path: Path) -> None:
    """Ids are unique, and every cell of the grid belongs to one panel."""
    found = dashboard(path)["panels"]
    assert len({panel["id"] for panel in found}) == len(found)
    taken: set[tuple[int, int]] = set()
    for panel in found:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_rate_fits_scrape_and_zoom(path: Path) -> None:
    """A fixed interval is empty at one zoom and blunt at another."""
    for panel in panels(path):
        for target in panel["targets"]:
            ranges = re.findall(r"\[([^\]]+)\]", target["expr"])
            assert set(ranges) <= {"$__rate_interval"}, panel["title"]
            counters = re.findall(r"\w+_(?:total|bucket)\b(?!.*\[)", target["expr"])
            assert not counters or "damaged" in target["expr"], panel["title"]


@pytest.mark.parametrize(("title", "expression"), EXPRESSIONS)
def test_every_expression_is_promql(title: str, expression: str) -> None:
    """Each parses, names its metrics, and has no variable left that the test does not know."""
    assert uses(expression).labels, title
    assert "$" not in expression


def test_grafana_finds_data_source_and_dashboards() -> None:
    """The provisioned paths and names are those that docker-compose.yml mounts."""
    sources = yaml.safe_load((PROVISIONING / "datasources" / "prometheus.yml").read_text(encoding="utf-8"))
    providers = yaml.safe_load((PROVISIONING / "dashboards" / "magnate.yml").read_text(encoding="utf-8"))
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    mounts = dict(volume.split(":")[1::-1] for volume in compose["grafana"]["volumes"])
    folder = providers["providers"][0]["options"]["path"]
    assert (ROOT / mounts[folder]).resolve() == OUT
    assert (ROOT / mounts["/etc/grafana/provisioning"]).resolve() == PROVISIONING
    address = urllib.parse.urlsplit(sources["datasources"][0]["url"])
    assert address.hostname in compose
    assert f"--web.listen-address=0.0.0.0:{address.port}" in compose[address.hostname]["command"]
    home = Path(compose["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"])
    assert str(home.parent) == folder
    assert (OUT / home.name).exists()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Run the deployment, with a Prometheus if there is one, and let bots play on it for a while."""
    with deployed(tmp_path_factory.mktemp("deployment")) as deployment:
        binary = shutil.which("prometheus")
        if binary is not None:
            start_prometheus(deployment, binary)
        asyncio.run(play_a_while(deployment.address("game"), PLAY_SECONDS))
        yield deployment


def start_prometheus(deployment: Deployment, binary: str) -> None:
    """Start a Prometheus with the deployment's own configuration, on other ports and scraping faster."""
    config = (ROOT / "deploy" / "prometheus" / "prometheus.yml").read_text(encoding="utf-8")
    own = free_ports(1)[0]
    config = deployment.ports.rewrite(config, deployment.services).replace(":9090", f":{own}")
    config = config.replace("scrape_interval: 5s", "scrape_interval: 1s").replace(
        "timeout: 4s", "timeout: 1s"
    )
    path = deployment.folder / "prometheus.yml"
    path.write_text(config)
    argv = [binary, f"--config.file={path}", f"--storage.tsdb.path={deployment.folder / 'prometheus'}"]
    argv.append(f"--web.listen-address=127.0.0.1:{own}")
    running = Running("prometheus", argv, {"PORT": str(own)}, deployment.folder)
    deployment.running["prometheus"] = running
    running.wait_until(lambda: answers(f"http://127.0.0.1:{own}/-/ready"))
    running.wait_until(lambda: len(ask(deployment, "up == 1")) == len(PROCESSES) + 1)


def exported(deployment: Deployment) -> dict[str, dict[str, set[str]]]:
    """Return by job the series names that each service exports, with the labels seen on them."""
    found: dict[str, dict[str, set[str]]] = {}
    for job in PROCESSES:
        names = found[job] = {}
        for family in text_string_to_metric_families(deployment.metrics(job)):
            suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}
            for suffix in suffixes.get(family.type, [""]):
                names.setdefault(f"{family.name}{suffix}", set())
            for sample in family.samples:
                names.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.mark.nats
@pytest.mark.slow
@pytest.mark.xdist_group("deployment")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_metric_of_a_dashboard_is_exported(path: Path, played: Deployment) -> None:
    """After a game: each name is exported by a service, with the labels that the expression asks for."""
    jobs = exported(played)
    missing = []
    for title, expression in expressions(path):
        for metric, labels in uses(expression).labels.items():
            holders = [names[metric] for names in jobs.values() if metric in names]
            if not holders:
                missing.append(f"{title}: nothing exports {metric}")
            seen = set().union(*holders) if holders else set()
            # A metric without samples, such as refusals before the first one, shows no labels.
            if seen and not labels - TARGET_LABELS <= seen:
                missing.append(f"{title}: {metric} has no label {labels - TARGET_LABELS - seen}")
    assert not missing, "\n".join(missing)


def ask(deployment: Deployment, expression: str) -> list[Any]:
    """Ask the running Prometheus; return the series of the answer."""
    port = deployment.running["prometheus"].environment["PORT"]
    query = urllib.parse.urlencode({"query": expression})
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query?{query}", timeout=10) as answer:
        found = json.load(answer)
    assert found["status"] == "success", found
    series: list[Any] = found["data"]["result"]
    return series


@pytest.mark.nats
@pytest.mark.slow
@pytest.mark.xdist_group("deployment")
@pytest.mark.skipif(shutil.which("prometheus") is None, reason="no prometheus on PATH")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_real_prometheus_has_data_for_every_panel(path: Path, played: Deployment) -> None:
    """Each expression is executed; after a game only panels about trouble and refusals may be empty."""
    time.sleep(2)  # the last moves are scraped
    empty = {title for title, expression in expressions(path) if not ask(played, expression)}
    assert empty <= {
        "Calls that failed, by code",
        "Refusals by reason",
        "Deadlines fired",
        "Alarms and answers",
        "Proposals and expiries",
    }
