"""What the bank counts of tables. Declared once; labels never hold an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import Counter, Gauge

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


class TableMetrics:
    """The metrics of tables in one bank process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.operations = Counter(
            "magnate_bank_operations_total",
            "Operations that moved money at a table, by kind and model of the unit.",
            ["kind", "model"],
            registry=registry,
        )
        self.unit_refusals = Counter(
            "magnate_bank_unit_refusals_total",
            "What units refused with an error on the display, by name.",
            ["refusal", "model"],
            registry=registry,
        )
        self.refusals = Counter(
            "magnate_bank_table_refusals_total",
            "Refused calls at tables, by name.",
            ["refusal"],
            registry=registry,
        )
        self.wrong_tries = Counter(
            "magnate_bank_wrong_tries_total",
            "Join codes, secrets and PINs that were wrong.",
            ["kind"],
            registry=registry,
        )
        self.tables = Gauge(
            "magnate_bank_tables", "Tables that the bank keeps, by status.", ["status"], registry=registry
        )
        self.watchers = Gauge("magnate_bank_table_watchers", "Streams that watch a table.", registry=registry)
