"""The report of a load test: where it ran, what was asked, what came out; as JSON and as text."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loadtests.measure import Measured
    from loadtests.options import Options
    from loadtests.play import Played

SHOWN_FAULTS_MAX = 10


def make_report(options: Options, measured: Measured, played: Played) -> dict[str, Any]:
    """Return the report as plain values."""
    asked = {name: str(value) if isinstance(value, Path) else value for name, value in vars(options).items()}
    return {
        "environment": environment(),
        "options": asked,
        "offered_per_second": options.rate or None,
        **measured.values(),
        "refused": played.refused,
        "games": played.games,
        "verified": not played.faults,
        "trustworthy": measured.trustworthy,
        "faults": played.faults,
    }


def environment() -> dict[str, Any]:
    """Return what the figures depend on: machine, interpreter, libraries, commit."""
    packages = ("grpcio", "protobuf", "nats-py", "uvloop")
    return {
        "cpus": len(os.sched_getaffinity(0)),
        "load_before": round(os.getloadavg()[0], 2),
        "machine": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
        "commit": _commit(),
    }


def write_report(report: dict[str, Any], folder: Path) -> None:
    """Store the report beside its text."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    (folder / "report.txt").write_text(text(report) + "\n")


def text(report: dict[str, Any]) -> str:
    """Return the report for people."""
    options = report["options"]
    loop = f"open loop, {options['rate']:g}/s offered" if options["rate"] else "closed loop"
    lines = [
        f"{options['games']} games at once, {options['bots']} players, {options['how']}, {loop}",
        f"commands     {report['commands']} ({report['commands_per_second']:.0f}/s)",
        f"refused      {report['refused']}",
        "latency      " + "  ".join(f"{name} {report[f'{name}_ms']:.2f} ms" for name in _LATENCIES),
        f"games        {report['games']}, {'all verified' if report['verified'] else 'NOT all verified'}",
    ]
    if options["rate"]:
        late = report["generator_late_p99_ms"]
        verdict = "" if report["trustworthy"] else "  TOO LATE: the figures say more about the generator"
        lines.append(f"generator    p99 {late:.2f} ms late{verdict}")
    lines += [f"fault        {fault}" for fault in report["faults"][:SHOWN_FAULTS_MAX]]
    return "\n".join(lines)


_LATENCIES = ("p50", "p90", "p99", "p99.9", "max")


def _commit() -> str:
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parent,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()
