"""What the dashboard "Magnate overview" shows, from what players feel down to the processes."""

from __future__ import annotations

from typing import Final

from deploy.grafana.panels import Dashboard, Panel, Query, Row
from deploy.grafana.queries import gauge, quantile, rate, split
from deploy.grafana.services import AUCTION, BANK, TABLES, TIMER

# Codes that are no answer: docs/metrics.md says which need somebody and which clients ride out.
FAULTS: Final = "Internal|Unknown|DataLoss|Unavailable|DeadlineExceeded|ResourceExhausted"


HANDLED: Final = 'grpc_server_handled_total{job=~"$service"}'


BAD: Final = f'grpc_server_handled_total{{job=~"$service",grpc_code=~"{FAULTS}"}}'


DONE: Final = 'magnate_game_commands_total{outcome="done"}'


CPU: Final = 'process_cpu_seconds_total{job=~"$service"}'


SETTING_UP: Final = (
    'grpc_server_handled_total{job="game",grpc_method=~"CreateGame|JoinGame|StartGame",grpc_code="OK"}'
)


GREEN, ORANGE, RED = "green", "orange", "red"


SUMMARY: Final = Row(
    "What players notice",
    (
        Panel(
            "Games running",
            "Games with a pending deadline, as the timer knows them: every game that goes on has one.",
            "short",
            (Query("sum(magnate_timer_games)", "running"),),
            width=4,
            stat=True,
        ),
        Panel(
            "Commands",
            "Commands of seats that were carried out, per second.",
            "ops",
            (Query(f"sum({rate(DONE)})", "done"),),
            width=4,
            stat=True,
        ),
        Panel(
            "Calls that failed",
            "Share of calls that ended without an answer. A refusal is an answer.",
            "percentunit",
            (Query(f"(sum({rate(BAD)}) or vector(0)) / sum({rate(HANDLED)})", "failed"),),
            width=4,
            stat=True,
            steps=((None, GREEN), (0.001, ORANGE), (0.01, RED)),
        ),
        Panel(
            "Healthy processes",
            "Processes whose /healthz says that they serve.",
            "short",
            (Query('sum(magnate_healthy{job=~"$service"})', "healthy"),),
            width=4,
            stat=True,
            steps=((None, RED), (1, GREEN)),
        ),
        Panel(
            "Damaged games met",
            "Times that a log did not verify, in any service. Above zero: runbook, data loss.",
            "short",
            (
                Query(
                    " + ".join(
                        f"sum(magnate_{one}_damaged_total)" for one in ("game", "bank", "auction", "timer")
                    ),
                    "damaged",
                ),
            ),
            width=4,
            stat=True,
            steps=((None, GREEN), (1, RED)),
        ),
        Panel(
            "Watchers",
            "Streams that watch a game at this moment.",
            "short",
            (Query("sum(magnate_game_watchers)", "watchers"),),
            width=4,
            stat=True,
        ),
    ),
)


GAMES: Final = Row(
    "Games",
    (
        Panel(
            "Tables opened and games begun",
            "Calls that open a table, take a seat and begin a game, when they succeeded.",
            "ops",
            (split(SETTING_UP, "grpc_method"),),
            width=6,
        ),
        Panel(
            "Commands by outcome",
            "What became of the commands of seats: done, replayed (the same id again), refused, failed.",
            "ops",
            (split("magnate_game_commands_total", "outcome"),),
            width=6,
            stacked=True,
        ),
        Panel(
            "Refusals by reason",
            "Commands that the rules refused, by the name of the rejection.",
            "ops",
            (split("magnate_game_refusals_total", "rejection"),),
            width=6,
            stacked=True,
        ),
        Panel(
            "Transactions",
            "What transactions met with: cold loads, lost races, appends sent again, snapshots.",
            "ops",
            (split("magnate_game_transactions_total", "event"),),
            width=6,
        ),
    ),
)


CALLS: Final = Row(
    "Calls by service: rate, errors, duration",
    (
        Panel(
            "Calls",
            "Calls ended, per second. A stream counts once, when it ends.",
            "reqps",
            (split(HANDLED, "job"),),
        ),
        Panel(
            "Calls that failed, by code",
            "Calls that ended without an answer. Internal, Unknown and DataLoss need somebody.",
            "reqps",
            (split(BAD, "job", "grpc_code"),),
            stacked=True,
        ),
        Panel(
            "Duration of unary calls",
            "Median and 99th percentile of calls that are no streams.",
            "s",
            tuple(
                Query(
                    quantile(
                        value,
                        "grpc_server_handling_seconds",
                        'job=~"$service",grpc_type="unary"',
                        "job",
                    ),
                    f"{{{{job}}}} {name}",
                )
                for value, name in ((0.5, "p50"), (0.99, "p99"))
            ),
        ),
        Panel(
            "Slowest methods",
            "The five unary methods with the highest 99th percentile.",
            "s",
            (
                Query(
                    "topk(5, "
                    + quantile(
                        0.99,
                        "grpc_server_handling_seconds",
                        'job=~"$service",grpc_type="unary"',
                        "grpc_method",
                    )
                    + ")",
                    "{{grpc_method}}",
                ),
            ),
            width=12,
        ),
        Panel(
            "In progress",
            "Calls and streams that run at this moment.",
            "short",
            (gauge("sum", 'grpc_server_in_progress{job=~"$service"}', "job", "grpc_type"),),
            width=12,
        ),
    ),
)


PROCESSES: Final = Row(
    "Processes",
    (
        Panel(
            "Event-loop lag",
            "How much later than asked the loop wakes a sleeper, 99th percentile. Over 50 ms: overload.",
            "s",
            (
                Query(
                    quantile(0.99, "magnate_event_loop_lag_seconds", 'job=~"$service"', "job, instance"),
                    "{{job}} {{instance}}",
                ),
            ),
            width=6,
        ),
        Panel(
            "CPU",
            "Share of one core that each process uses.",
            "percentunit",
            (split(CPU, "job", "instance"),),
            width=6,
        ),
        Panel(
            "Memory",
            "Resident memory of each process.",
            "bytes",
            (gauge("sum", 'process_resident_memory_bytes{job=~"$service"}', "job", "instance"),),
            width=6,
        ),
        Panel(
            "Open files",
            "File descriptors in use as a share of those allowed.",
            "percentunit",
            (
                Query(
                    'max by (job, instance) (process_open_fds{job=~"$service"}'
                    ' / process_max_fds{job=~"$service"})',
                    "{{job}} {{instance}}",
                ),
            ),
            width=6,
            maximum=1,
        ),
        Panel(
            "Clock skew",
            "How far the clock of each process is ahead of those of the log's servers.",
            "s",
            (
                Query(
                    'max by (job, instance) (magnate_clock_skew_seconds{job=~"$service"})',
                    "{{job}} {{instance}}",
                ),
            ),
            width=8,
        ),
        Panel(
            "Uptime",
            "Time since each process started; a fall is a restart.",
            "s",
            (
                Query(
                    'time() - max by (job, instance) (process_start_time_seconds{job=~"$service"})',
                    "{{job}} {{instance}}",
                ),
            ),
            width=8,
        ),
        Panel(
            "Releases",
            "Processes by the release they run.",
            "short",
            (gauge("count", 'magnate_build_info{job=~"$service"}', "job", "version"),),
            width=8,
        ),
    ),
)


OVERVIEW: Final = Dashboard(
    uid="magnate-overview",
    title="Magnate overview",
    description="Games, calls, money, auctions, deadlines and processes on one page.",
    rows=(SUMMARY, GAMES, CALLS, BANK, TABLES, AUCTION, TIMER, PROCESSES),
)
