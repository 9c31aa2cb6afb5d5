"""`docs/metrics.md` lists exactly the metrics that the processes export.

After a change of metrics: `python -m tests.unit.kit.observe.test_metrics_doc` writes the tables anew.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from prometheus_client import CollectorRegistry

from magnate.auction.metrics import AuctionMetrics
from magnate.bank.metrics import BankMetrics
from magnate.bank.tables.metrics import TableMetrics
from magnate.game.metrics import GameMetrics, PresenceMetrics, TransactCollector
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.skew import SkewWatch
from magnate.kit.observe.metrics import ProcessMetrics, new_registry
from magnate.kit.rpc.interceptors.metrics import Metrics
from magnate.kit.transact_types import TransactStats
from magnate.timer.metrics import TimerMetrics

if TYPE_CHECKING:
    from collections.abc import Callable

DOCUMENT = Path(__file__).parents[4] / "docs" / "metrics.md"
NEVER_A_LABEL = re.compile(r"(^|_)(id|game|seat|player|account|token|command_id|deadline)$")


def _common(registry: CollectorRegistry) -> None:
    ProcessMetrics(registry)
    Metrics(registry)
    SkewWatch(JetStreamLog([]), registry, 1.0)


def _game(registry: CollectorRegistry) -> None:
    GameMetrics(registry)
    PresenceMetrics(registry)
    registry.register(TransactCollector(TransactStats))


def _bank(registry: CollectorRegistry) -> None:
    BankMetrics(registry)
    TableMetrics(registry)


SECTIONS: dict[str, Callable[[CollectorRegistry], object]] = {
    "common": _common,
    "game": _game,
    "bank": _bank,
    "auction": AuctionMetrics,
    "timer": TimerMetrics,
}


class Row:
    """One metric: its name as exported, type, labels, and what it tells."""

    def __init__(self, name: str, kind: str, labels: tuple[str, ...], text: str) -> None:
        self.name = f"{name}_total" if kind == "counter" else name
        self.kind = kind
        self.labels = labels
        self.text = text

    def __str__(self) -> str:
        labels = ", ".join(f"`{label}`" for label in self.labels)
        return f"| `{self.name}` | {self.kind} | {labels} | {self.text} |"


def rows_of(section: str) -> list[Row]:
    """Return what a section's metrics declare, by name."""
    registry = CollectorRegistry(auto_describe=True)
    SECTIONS[section](registry)
    rows = []
    for collector in list(registry._collector_to_names):
        declared: Any = collector
        for family in declared.collect():
            labels = getattr(declared, "_labelnames", None)
            if labels is None:  # a collector of its own
                labels = {key: 1 for sample in family.samples for key in sample.labels}
            rows.append(Row(family.name, family.type, tuple(labels), family.documentation))
    return sorted(rows, key=lambda row: row.name)


def table_of(section: str) -> str:
    """Return a section's table as it stands in the document."""
    lines = ["| metric | type | labels | what it tells |", "| --- | --- | --- | --- |"]
    return "\n".join([*lines, *map(str, rows_of(section))])


def _marked(section: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- metrics: {section} -->\n)(.*?)(\n<!-- end -->)", re.DOTALL)


@pytest.mark.parametrize("section", SECTIONS)
def test_the_document_lists_what_is_exported(section: str) -> None:
    """Name, type, labels and meaning of each metric; nothing more and nothing less."""
    found = _marked(section).search(DOCUMENT.read_text())
    assert found, f"docs/metrics.md has no part for {section}"
    assert found[2] == table_of(section), "run: python -m tests.unit.kit.observe.test_metrics_doc"


@pytest.mark.parametrize("section", SECTIONS)
def test_names_and_labels_keep_the_rules(section: str) -> None:
    """Ours start with magnate_, have base units, tell in a sentence, and no label holds an id."""
    for row in rows_of(section):
        assert row.name.startswith(("magnate_", "grpc_server_")), row.name
        assert not re.search(r"_(ms|millis|milliseconds|us|kb|mb|minutes|percent)(_|$)", row.name), row.name
        assert row.kind != "histogram" or row.name.endswith(("_seconds", "_bytes")), row.name
        assert row.text.endswith("."), row.name
        for label in row.labels:
            assert not NEVER_A_LABEL.search(label), (row.name, label)


def test_no_name_is_declared_by_two() -> None:
    """A dashboard must be able to tell services apart by name alone."""
    names = [row.name for section in SECTIONS for row in rows_of(section)]
    assert len(names) == len(set(names))


def test_the_document_names_what_the_libraries_export() -> None:
    """The metrics of process and garbage collection stand in the document too."""
    text = DOCUMENT.read_text()
    for family in new_registry().collect():
        name = f"{family.name}_total" if family.type == "counter" else family.name
        assert f"`{name}`" in text, name


def write() -> None:
    """Put the tables into the document."""
    text = DOCUMENT.read_text()
    for section in SECTIONS:
        begin, _, end = _marked(section).split(text, 1)[1:4]
        head, tail = text.split(begin)[0], text.split(begin)[1].split(end, 1)[1]
        text = head + begin + table_of(section) + end + tail
    DOCUMENT.write_text(text)


if __name__ == "__main__":
    write()
