"""What the auction service counts. Declared once; labels never hold an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import Counter, Histogram

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

LATENESS_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 600.0)


class AuctionMetrics:
    """The metrics of one auction process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.commands = Counter(
            "magnate_auction_commands_total",
            "Bids, passes and ceilings, and auctions opened and cancelled at tables, by what became of them.",
            ["command", "outcome"],
            registry=registry,
        )
        self.refusals = Counter(
            "magnate_auction_refusals_total",
            "Refused commands, by rejection.",
            ["rejection"],
            registry=registry,
        )
        self.expiries = Counter(
            "magnate_auction_expiries_total",
            "Deadlines that the timer announced, by what became of them.",
            ["outcome"],
            registry=registry,
        )
        self.proposals = Counter(
            "magnate_auction_proposals_total",
            "Questions of game and bank about auctions, by answer.",
            ["outcome"],
            registry=registry,
        )
        self.damaged = Counter(
            "magnate_auction_damaged_total", "Times a game's log did not verify.", registry=registry
        )
        self.close_lateness = Histogram(
            "magnate_auction_close_lateness_seconds",
            "From an auction's deadline to the commit that closed it.",
            buckets=LATENESS_BUCKETS,
            registry=registry,
        )

    def accepted(self, command: str, *, replayed: bool) -> None:
        """Count a command that is in the log."""
        self.commands.labels(command, "replayed" if replayed else "committed").inc()

    def refused(self, command: str, rejection: str) -> None:
        """Count a command that was refused."""
        self.commands.labels(command, "refused").inc()
        self.refusals.labels(rejection).inc()

    def expired(self, outcome: str) -> None:
        """Count an announced deadline."""
        self.expiries.labels(outcome).inc()

    def proposed(self, outcome: str) -> None:
        """Count a question of another service."""
        self.proposals.labels(outcome).inc()

    def late(self, by_ms: int) -> None:
        """Note how long after its deadline an auction was closed."""
        self.close_lateness.observe(max(0, by_ms) / 1000)
