"""The command: where the log is, which tables, what is printed and written, and the exit code."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from magnate.cli.audit import reading, report
from magnate.cli.audit.server import compare
from magnate.cli.output import FAILED, OK, UNREACHABLE, USAGE, fail, result, say
from magnate.client.session import RefusedError
from magnate.kit.ids import InvalidIdError, check_tenant, parse_game_id
from magnate.kit.keys import KeyRing
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.observe import logging as kit_logging
from magnate.kit.release import release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from magnate.cli.audit.reading import Access, Contents
    from magnate.cli.audit.table import Finding

PLAIN_EVERY_SECONDS: Final = 2.0
_LISTEN: Final = re.compile(r'^listen: "([^"]+)"$', re.MULTILINE)


@dataclass
class AuditOptions:
    """What to audit, where it is, and what to do with the report."""

    tables: list[str] = field(default_factory=list)
    whole: bool = False
    data: Path | None = None
    nats: str = ""
    bank: str = ""
    game: str = ""
    report: Path | None = None
    verify_report: Path | None = None
    workers: int = 0


def run_audit(options: AuditOptions, *, json_mode: bool) -> int:
    """Audit, print the report, write it where asked; the exit code is 0 only if all is well."""
    if options.verify_report is None and bool(options.tables) == options.whole:
        fail("name the tables to audit, or say --all", USAGE)
    access = find_access(options)
    kit_logging.configure("error", cache=False)
    if options.verify_report is not None:
        return _verify(access.ring, options.verify_report, json_mode=json_mode)
    if options.report is not None and not os.access(options.report.absolute().parent, os.W_OK | os.X_OK):
        fail(f"--report {options.report}: no folder that can be written to", USAGE)
    try:
        contents = _contents(access, options)
        findings = _examine(access, contents, options)
        if options.game or options.bank:
            asyncio.run(compare(findings, options.game, options.bank))
    except LogUnavailableError as error:
        fail(str(error), UNREACHABLE)
    except RefusedError as error:
        fail(
            f"no answer from {' or '.join(filter(None, (options.game, options.bank)))}: {error}", UNREACHABLE
        )
    document = report.signed(
        access.ring,
        report.report_of(
            findings,
            contents,
            software=release(),
            tenant=access.tenant,
            time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            whole=options.whole,
        ),
    )
    text = report.page(document)
    if options.report is not None:
        options.report.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        options.report.with_name(options.report.name + ".txt").write_text(text, encoding="utf-8")
    if json_mode:
        result(document, json_mode=True)
    else:
        say(text.rstrip("\n"))
    return OK if document["report"]["ok"] else FAILED


def _contents(access: Access, options: AuditOptions) -> Contents:
    if options.whole:
        return asyncio.run(reading.list_all(access))
    for name in options.tables:
        try:
            parse_game_id(name)
        except InvalidIdError as error:
            fail(str(error), USAGE)
    contents, unknown = asyncio.run(reading.list_named(access, options.tables))
    if unknown:
        fail(f"there is no table {', '.join(unknown)}", USAGE)
    return contents


def _examine(access: Access, contents: Contents, options: AuditOptions) -> list[Finding]:
    with _progress(len(contents.tables)) as done:
        return reading.examine_all(access, contents, options.workers, done)


def find_access(options: AuditOptions) -> Access:
    """Find the log and its keys: as told, from the environment, or in the folder of `magnate up`."""
    environment = os.environ
    keys, nats = "", options.nats
    if options.data is None:
        keys = environment.get("MAGNATE_KEYS", "")
        nats = nats or environment.get("MAGNATE_NATS_URL", "")
    folder = options.data or Path("data")
    try:
        keys = keys or (folder / "keys").read_text(encoding="utf-8").strip()
        if not nats and options.verify_report is None:
            found = _LISTEN.search((folder / "nats.conf").read_text(encoding="utf-8"))
            nats = f"nats://{found[1]}" if found else ""
        KeyRing.parse(keys)
        tenant = check_tenant(environment.get("MAGNATE_TENANT", "main"))
    except FileNotFoundError as error:
        fail(f"{error.filename} is not there: give --data, or MAGNATE_KEYS and MAGNATE_NATS_URL", USAGE)
    except (OSError, ValueError) as error:
        fail(str(error), USAGE)
    return reading.Access(tuple(nats.split(",")), tenant, keys)


def _verify(keys: KeyRing, path: Path, *, json_mode: bool) -> int:
    """Say whether a report is what was signed."""
    try:
        found = report.verified(keys, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{path}: {error}", USAGE)
    except report.NotAReportError as error:
        if json_mode:
            result({"file": str(path), "verified": False, "fault": str(error)}, json_mode=True)
        fail(f"{path} {error}", FAILED)
    values: dict[str, Any] = {"file": str(path), "verified": True, "ok": found["ok"], "time": found["time"]}
    result(values | found["totals"], json_mode=json_mode)
    return OK


@contextmanager
def _progress(tables: int) -> Iterator[Callable[[int], None]]:
    """Show how far it is: a bar at a terminal, a line every few seconds elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if console.is_terminal:
        columns = (TextColumn("tables"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console) as bar:
            task = bar.add_task("tables", total=tables)
            yield lambda more: bar.advance(task, more)
        return
    finished, told_at = 0, time.monotonic()

    def count(more: int) -> None:
        nonlocal finished, told_at
        finished += more
        if finished == tables or time.monotonic() - told_at >= PLAIN_EVERY_SECONDS:
            told_at = time.monotonic()
            say(f"{finished} of {tables} tables audited", json_mode=True)

    yield count
