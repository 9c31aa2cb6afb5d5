"""What the game service counts. Declared once; labels never hold an id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import Counter, Gauge
from prometheus_client.core import CounterMetricFamily

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prometheus_client import CollectorRegistry

    from magnate.kit.transact_types import TransactStats

OUTCOMES: Final = ("done", "replayed", "refused", "failed")


class GameMetrics:
    """The metrics of one process of the game service."""

    def __init__(self, registry: CollectorRegistry) -> None:
        commands = Counter(
            "magnate_game_commands_total",
            "Commands of seats, by what became of them.",
            ["outcome"],
            registry=registry,
        )
        self.done, self.replayed, self.refused, self.failed = (commands.labels(one) for one in OUTCOMES)
        self.refusals = Counter(
            "magnate_game_refusals_total", "Refused commands, by rejection.", ["rejection"], registry=registry
        )
        self.damaged = Counter(
            "magnate_game_damaged_total", "Times a game's log did not verify.", registry=registry
        )
        self.tables = Gauge("magnate_game_tables", "Tables known, by status.", ["status"], registry=registry)
        self.watchers = Gauge("magnate_game_watchers", "Streams that watch a game.", registry=registry)
        self.heads_written = Gauge(
            "magnate_game_heads_written", "Heads of games written since the start.", registry=registry
        )


class PresenceMetrics:
    """What a process of the game service counts of who is there."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.connected = Gauge(
            "magnate_game_connected_seats", "Seats with an open stream at this process.", registry=registry
        )
        self.superseded = Counter(
            "magnate_game_superseded_streams_total",
            "Streams ended because their seat opened a newer one.",
            registry=registry,
        )
        noted = Counter(
            "magnate_game_presence_total",
            "Seats that this process wrote to be there, or away.",
            ["presence"],
            registry=registry,
        )
        self._connected, self._away = noted.labels("connected"), noted.labels("away")

    def noted(self, *, connected: bool) -> None:
        """Count a seat that was written to be there, or away."""
        (self._connected if connected else self._away).inc()


class TransactCollector:
    """Shows the counts of the transactor."""

    def __init__(self, stats: Callable[[], TransactStats]) -> None:
        self._stats = stats

    def collect(self) -> Iterable[CounterMetricFamily]:
        """Return one counter, labelled with what was counted."""
        family = CounterMetricFamily(
            "magnate_game_transactions",
            "What transactions met with: loads, conflicts, looks at the log, replays, resends, snapshots.",
            labels=["event"],
        )
        stats = self._stats()
        for name in ("cold_loads", "conflicts", "newest_checks", "replays", "resends", "snapshots"):
            family.add_metric([name], getattr(stats, name))
        yield family
