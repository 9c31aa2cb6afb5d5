"""The client of tables: every call once, over lost answers; what is refused is not asked for again."""

from __future__ import annotations

import asyncio
import time

import pytest

from magnate.bank.v1 import terminal_pb2
from magnate.client.session import RefusedError
from magnate.client.terminal import KEYS, TerminalClient
from magnate.kit.limits import WINDOW_COMMANDS
from magnate.kit.log.memory import MemoryLog
from tests.support.bank_tables import KEY, serving

pytestmark = pytest.mark.asyncio


async def test_every_call_of_the_client() -> None:
    """A whole table by the client alone."""
    async with serving() as bank, TerminalClient(f"127.0.0.1:{bank.port}") as client:
        opened = await client.open_table(["Ann", "Bob"], edition="e-banking", shared_unit=True)
        table_id, banker = opened.table.table_id, opened.banker_token
        ann, bob = opened.cards
        guest = (await client.join(opened.table.join_code)).guest_token
        token = (await client.claim(table_id, ann.card_id, secret=ann.secret)).card_token
        assert (await client.insert(table_id, token, ann.card_id)).unit.left_card_id == ann.card_id
        paid = await client.press(table_id, guest, "ARROW")
        assert paid.operation.kind == "go"
        inserted = await client.insert(table_id, guest, bob.card_id, right=True, secret=bob.secret)
        assert inserted.unit.right_card_id == bob.card_id
        assert (await client.remove(table_id, guest, right=True)).unit.right_card_id == ""
        assert (await client.undo(table_id, banker, paid.version, "oops")).operation.note == "oops"
        assert (await client.hold(table_id, guest, "C")).sounds == [terminal_pb2.SOUND_RESET]
        added = await client.add_card(table_id, banker, "Cyd")
        await client.set_pin(table_id, token, ann.card_id, "4711")
        await client.set_pin(table_id, token, ann.card_id, "", "4711")
        retired = await client.retire_card(table_id, banker, added.card.card_id)
        assert retired.cards[2].retired
        with pytest.raises(RefusedError) as unlocked:
            await client.unlock_card(table_id, banker, ann.card_id)
        assert unlocked.value.reason == "CARD_NOT_LOCKED"
        assert (await client.pause(table_id, banker)).status == terminal_pb2.TABLE_STATUS_PAUSED
        assert (await client.resume(table_id, banker)).status == terminal_pb2.TABLE_STATUS_OPEN
        kinds = [one.kind async for one in client.operations(table_id, guest)]
        assert kinds == ["retire", "open", "undo", "go", "open"]
        assert len((await client.close_table(table_id, banker)).ranking) == 2
        assert (await client.table(table_id, guest)).status == terminal_pb2.TABLE_STATUS_CLOSED


async def test_the_history_over_many_pages() -> None:
    """All of it, newest first."""
    async with serving() as bank, TerminalClient(f"127.0.0.1:{bank.port}") as client:
        table = await bank.open()
        await table.insert(0, "left")
        for _ in range(120):
            await table.press("C", "GO")
        versions = [one.version async for one in client.operations(table.table_id, table.banker)]
        assert len(versions) == 121
        assert versions == sorted(set(versions), reverse=True)


async def test_a_press_is_sent_until_it_is_answered_and_acts_once() -> None:
    """The bank is away when the key is pressed; it comes back, and the press is there once."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        await table.insert(0, "left")
        port = bank.port
    async with TerminalClient(f"127.0.0.1:{port}") as client:
        pressing = asyncio.create_task(client.press(table.table_id, table.banker, "ARROW"))
        log.faults.extend(["lost_ack"])
        async with serving(log, port=port) as bank:
            paid = await asyncio.wait_for(pressing, 20)
            assert (paid.operation.kind, paid.version) == ("go", 3)
            assert (await client.table(table.table_id, table.banker)).version == 3


async def test_the_banker_comes_back_after_hundreds_of_presses() -> None:
    """What was seen last is too old to judge by; the id is new, so the command is sent with the newest."""
    async with serving() as bank, TerminalClient(f"127.0.0.1:{bank.port}") as client:
        table = await bank.open()
        await client.table(table.table_id, table.banker)
        await table.insert(0, "left")
        for _ in range(WINDOW_COMMANDS + 1):
            await table.press("C")
        added = await client.add_card(table.table_id, table.banker, "Eve")
        assert [card.name for card in added.table.cards] == ["Ann", "Bob", "Eve"]
        assert added.table.version == (await client.table(table.table_id, table.banker)).version


async def test_who_guesses_is_told_at_once() -> None:
    """A client that asked again for a minute would only make it worse."""
    async with serving() as bank, TerminalClient(f"127.0.0.1:{bank.port}") as client:
        started = time.monotonic()
        reasons = []
        for _ in range(22):
            with pytest.raises(RefusedError) as wrong:
                await client.join("ZZZZ-ZZZZ")
            reasons.append(wrong.value.reason)
        assert reasons[:20] == ["UNKNOWN_TABLE"] * 20
        assert "TOO_MANY_TRIES" in reasons[20:]
        assert time.monotonic() - started < 10


async def test_a_watch_that_is_refused_says_so() -> None:
    """It does not try again for ever."""
    async with serving() as bank, TerminalClient(f"127.0.0.1:{bank.port}") as client:
        table = await bank.open()
        with pytest.raises(RefusedError) as refused:
            await anext(client.watch(table.table_id, ""))
        assert refused.value.reason == "TOKEN_MISSING"


async def test_keys_have_the_names_that_people_use() -> None:
    """Every key of the proto can be pressed."""
    known = {value.number for value in terminal_pb2.Key.DESCRIPTOR.values if value.number}
    assert set(KEYS.values()) == known
    assert set(KEY.values()) <= known
