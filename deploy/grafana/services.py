"""The rows of the dashboard that are about one service each."""

from __future__ import annotations

from typing import Final

from deploy.grafana.panels import Panel, Query, Row
from deploy.grafana.queries import gauge, quantiles, rate, split

BANK: Final = Row(
    "Bank",
    (
        Panel(
            "Commits by outcome",
            "Commits asked of the bank: committed, replayed, refused, conflict (the game moved on), failed.",
            "ops",
            (split("magnate_bank_commits_total", "outcome"),),
            stacked=True,
        ),
        Panel(
            "Refusals by reason",
            "Commits that the ledger refused, by the name of the rejection.",
            "ops",
            (split("magnate_bank_refusals_total", "rejection"),),
            stacked=True,
        ),
        Panel(
            "Commit duration",
            "From a commit's arrival to its answer, with the write to disk and the wait for earlier ones.",
            "s",
            quantiles("magnate_bank_commit_seconds"),
        ),
        Panel(
            "Ledger records",
            "Transfers and steps of holds written, per second.",
            "ops",
            (Query(f"sum({rate('magnate_bank_records_total')})", "records"),),
        ),
        Panel(
            "Log reads",
            "Commits that had to read the log first, because the cached ledger was not the caller's.",
            "ops",
            (Query(f"sum({rate('magnate_bank_log_reads_total')})", "reads"),),
        ),
        Panel(
            "Ledgers in memory",
            "Games whose ledger is cached.",
            "short",
            (gauge("sum", "magnate_bank_games_cached", "instance"),),
        ),
    ),
)


TABLES: Final = Row(
    "Bank tables and ledgers of clients",
    (
        Panel(
            "Tables by status",
            "Tables that the bank keeps for people at a real board.",
            "short",
            (gauge("max", "magnate_bank_tables", "status"),),
        ),
        Panel(
            "Operations",
            "Operations at units that moved money, by kind and model.",
            "ops",
            (split("magnate_bank_operations_total", "kind", "model"),),
            stacked=True,
        ),
        Panel(
            "What units refuse",
            "Errors on displays, by the name of the refusal.",
            "ops",
            (split("magnate_bank_unit_refusals_total", "refusal"),),
            stacked=True,
        ),
        Panel(
            "Refused calls and wrong tries",
            "Refused calls at tables, by name; wrong join codes, secrets and PINs, by kind.",
            "ops",
            (
                split("magnate_bank_table_refusals_total", "refusal"),
                split("magnate_bank_wrong_tries_total", "kind"),
            ),
        ),
        Panel(
            "Posted batches",
            "Batches that clients posted to ledgers of their own, by what became of them.",
            "ops",
            (split("magnate_bank_posts_total", "outcome"),),
            stacked=True,
        ),
        Panel(
            "Duration of a batch",
            "From a batch's arrival to its answer, with the write to disk.",
            "s",
            quantiles("magnate_bank_post_seconds"),
        ),
    ),
)


AUCTION: Final = Row(
    "Auction",
    (
        Panel(
            "Auctions running",
            "Auctions in games and at tables that have not closed, as the timer knows them.",
            "short",
            (Query("max(magnate_timer_auctions)", "running"),),
            width=4,
        ),
        Panel(
            "Bids",
            "Bids, passes, ceilings, auctions opened and cancelled at tables, by what became of them.",
            "ops",
            (split("magnate_auction_commands_total", "command", "outcome"),),
            width=5,
            stacked=True,
        ),
        Panel(
            "Refusals by reason",
            "Refused bids, passes and openings, by the name of the rejection.",
            "ops",
            (split("magnate_auction_refusals_total", "rejection"),),
            width=5,
            stacked=True,
        ),
        Panel(
            "Close lateness",
            "From an auction's deadline to the commit that closed it.",
            "s",
            quantiles("magnate_auction_close_lateness_seconds"),
            width=5,
        ),
        Panel(
            "Proposals and expiries",
            "Questions of game and bank about auctions, and deadlines announced by the timer, by answer.",
            "ops",
            (
                Query(
                    f"sum by (outcome) ({rate('magnate_auction_proposals_total')})", "proposal {{outcome}}"
                ),
                Query(f"sum by (outcome) ({rate('magnate_auction_expiries_total')})", "expiry {{outcome}}"),
            ),
            width=5,
        ),
    ),
)


TIMER: Final = Row(
    "Timer",
    (
        Panel(
            "Lateness",
            "From a deadline to the moment its owner was told; the 99th percentile by owner and kind, too.",
            "s",
            (
                *quantiles("magnate_timer_lateness_seconds"),
                Query(
                    "histogram_quantile(0.99, sum by (le, owner, kind) "
                    f"({rate('magnate_timer_lateness_seconds_bucket')}))",
                    "p99 {{owner}} {{kind}}",
                ),
            ),
            width=8,
        ),
        Panel(
            "Missed, shifted, timers of clients",
            "Overdue at a start, given the lost time, and what became of clients' timers.",
            "ops",
            (
                Query(f"sum({rate('magnate_timer_missed_total')})", "missed at a start"),
                Query(f"max({rate('magnate_timer_shifted_total')})", "shifted"),
                Query(f"sum by (fate) ({rate('magnate_timer_timers_total')})", "timer {{fate}}"),
            ),
            width=8,
        ),
        Panel(
            "Deadlines fired",
            "Deadlines announced, by what made the timer do it, and those that only the sweep found.",
            "ops",
            (
                split("magnate_timer_fired_total", "source"),
                Query(f"sum({rate('magnate_timer_swept_total')})", "found by the sweep"),
            ),
            width=8,
        ),
        Panel(
            "Alarms and answers",
            "Alarms in NATS, and what the owners of deadlines answered.",
            "ops",
            (
                Query(f"sum by (event) ({rate('magnate_timer_alarms_total')})", "alarm {{event}}"),
                Query(f"sum by (answer) ({rate('magnate_timer_answers_total')})", "answer {{answer}}"),
            ),
            width=12,
        ),
        Panel(
            "Pending",
            "Deadlines that wait, and the games they belong to.",
            "short",
            (
                Query("sum(magnate_timer_deadlines)", "deadlines"),
                Query("sum(magnate_timer_games)", "games"),
                Query("min(magnate_timer_caught_up)", "log read to its end"),
            ),
            width=12,
        ),
    ),
)
