"""What the bank counts. Declared once; labels never hold an id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import Counter, Gauge, Histogram

from magnate.kit.observe.metrics import SECONDS_BUCKETS

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

OUTCOMES: Final = ("committed", "replayed", "refused", "conflict", "reused", "failed")
"""What may become of a commit."""
POST_OUTCOMES: Final = ("posted", "replayed", "refused", "failed")
"""What may become of a batch."""


class BankMetrics:
    """The metrics of one bank process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        commits = Counter(
            "magnate_bank_commits_total",
            "Commits asked for, by what became of them.",
            ["outcome"],
            registry=registry,
        )
        self.committed, self.replayed, self.refused, self.conflict, self.reused, self.failed = (
            commits.labels(outcome) for outcome in OUTCOMES
        )
        self.refusals = Counter(
            "magnate_bank_refusals_total", "Refused commits, by rejection.", ["rejection"], registry=registry
        )
        self.commit_seconds = Histogram(
            "magnate_bank_commit_seconds",
            "From a commit's arrival to its answer, waiting included.",
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.records = Counter("magnate_bank_records_total", "Ledger records written.", registry=registry)
        self.log_reads = Counter(
            "magnate_bank_log_reads_total",
            "Times a commit had to read the log because the cached ledger was not the caller's.",
            registry=registry,
        )
        posts = Counter(
            "magnate_bank_posts_total",
            "Batches that clients posted to stand-alone ledgers, by what became of them.",
            ["outcome"],
            registry=registry,
        )
        self.posted, self.posted_again, self.post_refused, self.post_failed = (
            posts.labels(outcome) for outcome in POST_OUTCOMES
        )
        self.post_results = Counter(
            "magnate_bank_post_results_total",
            "Instructions of such batches, by rejection; none for those that were done.",
            ["rejection"],
            registry=registry,
        )
        self.post_seconds = Histogram(
            "magnate_bank_post_seconds",
            "From a batch's arrival to its answer, waiting included.",
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self.damaged = Counter(
            "magnate_bank_damaged_total", "Times a game's log did not verify.", registry=registry
        )
        self.games = Gauge("magnate_bank_games_cached", "Ledgers kept in memory.", registry=registry)
