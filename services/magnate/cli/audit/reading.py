"""Reading the log itself: which tables there are, what is stored of each; many are examined at once."""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import as_completed
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from magnate.cli.audit.table import Finding, examine
from magnate.cli.simulate.play import executing
from magnate.kit.keys import KeyRing
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.guard import raise_guard
from magnate.kit.log.heads import decode_head
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.subjects import game_stream
from magnate.kit.observe import logging as kit_logging

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from magnate.kit.log.port import Log, Stored

CONNECT_SECONDS: Final = 5.0
BATCH_TABLES_MAX: Final = 64
BATCH_COMMITS_MAX: Final = 4000
ALONE_COMMITS_MAX: Final = 8000
"""So many commits are examined sooner than other processes are started."""


@dataclass(frozen=True)
class Access:
    """Where the log is and which keys verify it."""

    servers: tuple[str, ...]
    tenant: str
    keys: str = field(repr=False)

    @property
    def ring(self) -> KeyRing:
        """Return the keys."""
        return KeyRing.parse(self.keys)

    @asynccontextmanager
    async def log(self) -> AsyncIterator[JetStreamLog]:
        """Connect to the log, only to read.

        Raises:
            LogUnavailableError: no server answers.
        """
        log = JetStreamLog(self.servers, tenant=self.tenant)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await log.connect()
        except TimeoutError as error:
            await log.close()
            where = ", ".join(server.rpartition("@")[2] for server in self.servers)  # no password
            raise LogUnavailableError(f"NATS does not answer at {where}") from error
        try:
            yield log
        finally:
            await log.close()


@dataclass
class Contents:
    """What there is to be read: commits by table, the end of each stream, and what is wrong with streams.

    `others`: messages of each stream that are another tenant's. Without `streams` no stream is judged.
    """

    tables: dict[str, int] = field(default_factory=dict)
    streams: dict[str, int] = field(default_factory=dict)
    others: dict[str, int] = field(default_factory=dict)
    faults: list[tuple[str, str]] = field(default_factory=list)

    def count(self, findings: Sequence[Finding]) -> None:
        """Compare what was read with where each stream ended: nothing is ever deleted, so nothing may lack.

        A server passes over a message that it cannot read, without a word.
        """
        read = dict.fromkeys(self.streams, 0)
        for finding in findings:
            if game_stream(finding.table_id) in read:
                read[game_stream(finding.table_id)] += finding.records
        for name, last_sequence in self.streams.items():
            missing = last_sequence - self.others[name] - read[name]
            if missing:
                self.faults.append((name, f"{missing} of {last_sequence} messages are missing"))


async def list_all(access: Access) -> Contents:
    """Return every table that the log or the list of tables knows, and what is wrong with whole streams."""
    found = Contents()
    async with access.log() as log:
        for name, stream in sorted((await log.inventory()).items()):
            found.streams[name] = stream.last_sequence
            found.others[name] = 0
            for subject, commits in stream.subjects.items():
                *_, tenant, table_id = subject.split(".")
                if tenant == access.tenant:
                    found.tables[table_id] = commits
                else:
                    found.others[name] += commits
        for table_id, _ in await log.heads():
            found.tables.setdefault(table_id, 0)
        await raise_guard(log, access.ring, followers=("heads",))
        found.faults += sorted(log.guard.stopped.items())
    return found


async def list_named(access: Access, names: Sequence[str]) -> tuple[Contents, list[str]]:
    """Return the named tables, and those of them that neither the log nor the list knows."""
    found, unknown = Contents(), []
    async with access.log() as log:
        for name in dict.fromkeys(names):
            if await log.last(name) is None and await log.head_get(name) is None:
                unknown.append(name)
            found.tables[name] = 0
    return found, unknown


async def examine_stored(log: Log, keys: KeyRing, table_id: str, streams: dict[str, int]) -> Finding:
    """Read all that is stored of a table, the list's line first, and examine it."""
    listed = await log.head_get(table_id)
    head = None if listed is None else decode_head(keys, table_id, listed.data)
    stored: list[Stored] = []
    if not streams or game_stream(table_id) in streams:  # else the whole stream is lost
        stored = await log.load(table_id, 0, 0 if head is None else head.sequence)
    finding = examine(keys, table_id, stored, head, int(time.time() * 1000))
    end = streams.get(game_stream(table_id), 0)
    finding.records = sum(one.sequence <= end for one in stored)
    return finding


async def _examine_batch(access: Access, tables: Sequence[str], streams: dict[str, int]) -> list[Finding]:
    async with access.log() as log:
        return [await examine_stored(log, access.ring, table_id, streams) for table_id in tables]


def examine_batch(access: Access, tables: Sequence[str], streams: dict[str, int]) -> list[Finding]:
    """Examine some tables; what each process is given."""
    kit_logging.configure("error", cache=False)  # to stderr: what cannot be read is told by the report
    return asyncio.run(_examine_batch(access, tables, streams))


def batches(tables: dict[str, int]) -> list[list[str]]:
    """Return the tables in parts of about the same work, each part of one stream."""
    streams: dict[str, list[str]] = {}
    for table_id in tables:
        streams.setdefault(game_stream(table_id), []).append(table_id)
    parts: list[list[str]] = []
    for name in sorted(streams):
        part: list[str] = []
        commits = 0
        for table_id in sorted(streams[name]):
            if part and (len(part) >= BATCH_TABLES_MAX or commits >= BATCH_COMMITS_MAX):
                parts.append(part)
                part, commits = [], 0
            part.append(table_id)
            commits += tables[table_id]
        parts.append(part)
    return parts


def examine_all(
    access: Access, contents: Contents, workers: int, done: Callable[[int], None]
) -> list[Finding]:
    """Examine all tables on so many processes (0: as many as help); `done` is told how many more are."""
    tables, streams = contents.tables, contents.streams
    parts = batches(tables)
    if workers == 0:
        workers = len(os.sched_getaffinity(0)) if sum(tables.values()) > ALONE_COMMITS_MAX else 1
    workers = min(workers, len(parts))
    findings: list[Finding] = []
    if workers <= 1:
        for part in parts:
            findings += _counted(examine_batch(access, part, streams), done)
    else:
        with executing(workers) as executor:
            waiting = [executor.submit(examine_batch, access, part, streams) for part in parts]
            for one in as_completed(waiting):
                findings += _counted(one.result(), done)
    contents.count(findings)
    return sorted(findings, key=lambda one: one.table_id)


def _counted(findings: list[Finding], done: Callable[[int], None]) -> list[Finding]:
    done(len(findings))
    return findings
