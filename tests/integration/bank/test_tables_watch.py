"""Watching a table: all of it at first, all of it again with every change, operations once each."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from magnate.bank.v1 import terminal_pb2
from magnate.client.terminal import TerminalClient
from magnate.kit.log.memory import MemoryLog
from tests.support.bank_tables import Bank, Table, serving
from tests.support.game_api import bearer, refused

pytestmark = pytest.mark.asyncio


def watch(table: Table, token: str = "", after_version: int = 0, bank: Bank | None = None) -> Any:
    """Open a stream."""
    request = terminal_pb2.WatchTableRequest(table_id=table.table_id, after_version=after_version)
    return (bank or table.bank).stub.WatchTable(request, metadata=bearer(token or table.banker), timeout=30)


async def test_everything_at_first_then_every_change() -> None:
    """Each version once and in order, with the sounds of that press and the operation it was."""
    async with serving() as bank:
        table = await bank.open()
        await table.insert(0, "left")
        await table.press("GO")
        stream = watch(table, await table.guest())
        first = await stream.read()
        assert first.table == await table.now()
        assert [one.kind for one in first.operations] == ["open", "go"]
        assert (first.version, list(first.sounds)) == (3, [])
        await table.press("C", "GO")
        cleared, paid = await stream.read(), await stream.read()
        assert (cleared.version, list(cleared.sounds)) == (4, [terminal_pb2.SOUND_KEY])
        assert not cleared.operations
        assert (paid.version, [one.kind for one in paid.operations]) == (5, ["go"])
        assert list(paid.sounds) == [terminal_pb2.SOUND_BOOKED]
        assert paid.table == await table.now()
        stream.cancel()


async def test_only_the_operations_that_are_not_known() -> None:
    """Whoever comes again names the version up to which he knows them; one that is not reached is refused."""
    async with serving() as bank:
        table = await bank.open()
        await table.insert(0, "left")
        await table.press("GO", "C", "GO")
        known = (await table.operations())[1].version
        first = await watch(table, after_version=known).read()
        assert [one.version for one in first.operations] == [5]
        ahead = await refused(watch(table, after_version=6).read())
        assert [path for path, _ in ahead.violations] == ["after_version"]


async def test_a_long_history_comes_in_parts() -> None:
    """At most five hundred operations a message, none missing, none twice."""
    async with serving() as bank:
        table = await bank.open()
        await table.insert(0, "left")
        for _ in range(520):
            await table.press("GO")
            await table.press("C")
        stream = watch(table)
        one, two = await stream.read(), await stream.read()
        assert (len(one.operations), len(two.operations)) == (500, 21)
        assert one.table == two.table
        versions = [operation.version for operation in (*one.operations, *two.operations)]
        assert versions == sorted(set(versions))
        stream.cancel()


async def test_a_display_that_goes_back_by_itself() -> None:
    """An error is shown for a while; when its time is over every watcher gets the display without it."""
    async with serving() as bank:
        table = await bank.open()
        await table.press("1")  # wakes it
        stream = watch(table)
        await stream.read()
        refusal = await table.press("M")
        shown = await stream.read()
        assert shown.table.unit.frame.refusal == refusal.refusal == "NO_AMOUNT"
        due = shown.table.unit.frame.until
        bank.clock.set(due.seconds * 1000 + due.nanos // 1_000_000)
        gone = await asyncio.wait_for(stream.read(), 10)
        assert (gone.version, gone.table.unit.frame.state) == (shown.version, "idle")
        assert not gone.table.unit.frame.HasField("until")
        assert not gone.operations
        stream.cancel()


async def test_beats_say_that_nothing_is_new() -> None:
    """A message without the table, with the version."""
    async with serving(MemoryLog(beat_seconds=0.05)) as bank:
        table = await bank.open()
        stream = watch(table)
        first = await stream.read()
        beat = await stream.read()
        assert (beat.version, beat.HasField("table")) == (first.version, False)
        stream.cancel()


async def test_two_banks_show_the_same() -> None:
    """What is pressed at one process is seen at the other."""
    log = MemoryLog()
    async with serving(log) as one, serving(log, clock=one.clock) as two:
        table = await one.open()
        stream = watch(table, bank=two)
        await stream.read()
        for key in "125":
            pressed = await table.press(key)
            seen = await stream.read()
            assert (seen.version, seen.table.unit) == (pressed.version, pressed.unit)
        stream.cancel()


async def test_watchers_are_counted() -> None:
    """While they are there, and not after."""
    async with serving() as bank:
        table = await bank.open()
        streams = [watch(table) for _ in range(3)]
        for stream in streams:
            await stream.read()
        assert bank.metric("magnate_bank_table_watchers") == 3
        for stream in streams:
            stream.cancel()
        async with asyncio.timeout(30):
            while bank.metric("magnate_bank_table_watchers"):  # a call like any other lets the server go on
                await table.now()


async def test_a_log_that_is_damaged_ends_the_stream() -> None:
    """DATA_LOSS, and nothing that came after the damage."""
    log = MemoryLog()
    async with serving(log) as bank, serving(log, clock=bank.clock) as other:
        table = await bank.open()
        stream = watch(table, bank=other)
        await stream.read()
        await table.press("1")
        await stream.read()
        stored = (await log.load(table.table_id))[-1]
        result = await log.append(table.table_id, stored.data, stored.sequence)
        assert result
        lost = await refused(stream.read())
        assert (lost.code, lost.reason) == (grpc.StatusCode.DATA_LOSS, "DATA_LOSS")


async def test_the_client_watches_over_a_restart() -> None:
    """The bank goes away and comes back: each operation once, and the newest state at the end."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        await table.insert(0, "left")
        port = bank.port
        client = TerminalClient(f"127.0.0.1:{port}")
        seen: list[int] = []
        updates = client.watch(table.table_id, table.banker)
        first = await anext(updates)
        seen += [one.version for one in first.operations]
        await table.press("GO")
    async with serving(log, port=port) as bank:
        table = Table(bank, table.opened)
        await table.press("C")
        await table.press("GO")
        newest = (await table.now()).version
        async with asyncio.timeout(20):
            async for update in updates:
                seen += [one.version for one in update.operations]
                if update.version == newest and update.HasField("table"):
                    break
        assert update.table == await table.now()
        assert seen == [1, 3, 5]
        await updates.aclose()  # type: ignore[attr-defined]
        async with client:
            assert await client.table(table.table_id, table.banker) == update.table
