"""Tables over gRPC: opened, joined, claimed, worked, taken back, closed. Each refusal by its own name."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from magnate.bank.v1 import terminal_pb2
from magnate.kit.keys import KeyRing
from magnate.kit.limits import WINDOW_COMMANDS
from magnate.kit.log.memory import MemoryLog
from tests.integration.bank.evening import pay
from tests.support.bank_tables import Table, serving
from tests.support.banking import KEYS
from tests.support.game_api import new_id, refused

pytestmark = pytest.mark.asyncio


SOUND_BOOKED, SOUND_ERROR = terminal_pb2.SOUND_BOOKED, terminal_pb2.SOUND_ERROR


async def test_an_evening_at_the_table() -> None:
    """Cards are read, GO is paid, one pays another; every amount on the display is the account's."""
    async with serving() as bank:
        table = await bank.open()
        assert [card.balance for card in table.opened.table.cards] == [15_000, 15_000]
        assert [len(secret) for secret in table.secrets] == [26, 26]
        assert table.opened.table.unit.frame.state == "off"
        shown = await table.insert(0, "left")
        assert (shown.unit.frame.text, shown.unit.frame.suffix, shown.unit.frame.seat) == ("15", "M", 0)
        gone = await table.press("GO")
        assert (gone.operation.kind, gone.unit.frame.text) == ("go", "17")
        assert list(gone.sounds) == [SOUND_BOOKED]
        await table.insert(1, "right")
        armed = await table.press("1", ".", "5", "M")
        assert (armed.unit.frame.state, armed.unit.frame.text, armed.unit.frame.sign) == ("armed", "1.5", "-")
        booked = await table.press("M")
        assert booked.operation.kind == "transfer"
        (entry,) = booked.operation.entries
        assert (entry.debit, entry.credit, entry.amount) == ("seat-1", "seat-0", 1_500)
        assert entry.entry_id == f"{booked.version}.0"
        assert await table.balances() == [18_500, 13_500]
        assert [one.kind for one in await table.operations()] == ["transfer", "go", "open"]
        assert bank.metric("magnate_bank_operations_total", kind="transfer", model="two-slot") == 1


async def test_an_overdraft_is_the_units_to_refuse() -> None:
    """The call is answered, the unit beeps and shows why, nothing is posted (row 87)."""
    async with serving() as bank:
        table = await bank.open()
        answer = await pay(table, "16")
        assert (answer.refusal, list(answer.sounds)) == ("INSUFFICIENT_FUNDS", [SOUND_ERROR])
        assert answer.unit.frame.state == "error"
        assert "15000" in answer.detail
        assert not answer.HasField("operation")
        assert await table.balances() == [15_000, 15_000]
        name = "magnate_bank_unit_refusals_total"
        assert bank.metric(name, refusal="INSUFFICIENT_FUNDS", model="two-slot") == 1


async def test_opening_again_answers_the_same() -> None:
    """Also after another key signs: the very same secrets; other content is refused."""
    log, command_id = MemoryLog(), new_id() + new_id()
    async with serving(log) as bank:
        first = (await bank.open(command_id=command_id)).opened
        again = (await bank.open(command_id=command_id)).opened
        assert again == first
        wrong = await refused(bank.open(players=["Ann", "Eve"], command_id=command_id))
        assert (wrong.code, wrong.reason) == (grpc.StatusCode.ALREADY_EXISTS, "COMMAND_ID_REUSED")
    rotated = KeyRing("k2", {"k2": b"2" * 32, "k1": b"k" * 32})
    async with serving(log, keys=rotated) as bank:
        later = (await bank.open(command_id=command_id)).opened
        assert (later.cards, later.table.join_code) == (first.cards, first.table.join_code)
        table = Table(bank, first)
        assert await table.claim(0)
        assert await table.guest()


async def test_a_press_that_comes_again_acts_once() -> None:
    """Case C049: the same command id is answered as first, also when the table has gone on since."""
    async with serving() as bank:
        table = await bank.open()
        await table.insert(0, "left")
        command_id = new_id()
        key = terminal_pb2.Press(key=terminal_pb2.KEY_ARROW)
        first = await table.operate(command_id=command_id, press=key)
        await table.press("C")
        await table.press("GO")
        again = await table.operate(command_id=command_id, press=key)
        assert again.replayed
        again.replayed = False
        assert again == first
        assert await table.balances() == [19_000, 15_000]
        other = terminal_pb2.Press(key=terminal_pb2.KEY_1)
        wrong = await refused(table.operate(command_id=command_id, press=other))
        assert wrong.reason == "COMMAND_ID_REUSED"
        # A key that bounces comes with another id: then the unit itself refuses.
        await table.press("C")
        await table.press("GO")
        bounced = await table.press("GO")
        assert (bounced.refusal, await table.balances()) == ("ALREADY_BOOKED", [21_000, 15_000])


async def test_a_refusal_that_comes_again_is_the_same_refusal() -> None:
    """Name and detail are stored, so the display and the answer never differ."""
    async with serving() as bank:
        table = await bank.open()
        await table.insert(0, "left")
        command_id = new_id()
        key = terminal_pb2.Press(key=terminal_pb2.KEY_M)
        first = await table.operate(command_id=command_id, press=key)
        assert (first.refusal, bool(first.detail)) == ("NO_AMOUNT", True)
        again = await table.operate(command_id=command_id, press=key)
        assert (again.refusal, again.detail, again.version) == (first.refusal, first.detail, first.version)


async def test_a_card_asked_for_again_very_late_is_not_issued_twice() -> None:
    """A command says what its sender had seen: when its id may be forgotten it is refused, whatever it is."""
    async with serving() as bank:
        table = await bank.open()
        seen = (await table.now()).version
        ask = {"command_id": new_id(), "name": "Eve", "seen_version": seen}
        first = await table.do("AddCard", **ask)
        assert (await table.do("AddCard", **ask)).card == first.card
        for _ in range(WINDOW_COMMANDS):
            await table.press("C")
        late = await refused(table.do("AddCard", **ask))
        assert (late.code, late.reason) == (grpc.StatusCode.ABORTED, "COMMAND_TOO_OLD")
        assert len((await table.now()).cards) == 3


async def test_hundreds_of_presses_without_a_seen_version() -> None:
    """Whoever says nothing of what he saw means now, however long the table has been in use."""
    async with serving() as bank:
        table = await bank.open()
        for _ in range(150):
            await table.press("1", "C")
        assert (await table.now()).version == 301
        ahead = terminal_pb2.Press(key=terminal_pb2.KEY_1)
        wrong = await refused(table.operate(seen_version=10_000, press=ahead))
        assert wrong.reason == "SEEN_VERSION_AHEAD"


async def test_pause_and_resume() -> None:
    """A paused unit refuses keys; what is asked twice is refused by name."""
    async with serving() as bank:
        table = await bank.open()
        assert (await refused(table.do("ResumeTable"))).reason == "TABLE_NOT_PAUSED"
        paused = await table.do("PauseTable")
        assert paused.table.status == terminal_pb2.TABLE_STATUS_PAUSED
        assert (await refused(table.do("PauseTable"))).reason == "TABLE_PAUSED"
        answer = await table.press("1")
        assert (answer.refusal, answer.unit.frame.refusal) == ("TABLE_PAUSED", "TABLE_PAUSED")
        await table.do("ResumeTable")
        assert (await table.press("1")).refusal == ""


async def test_close_ranks_and_ends() -> None:
    """Equal sums share a place, retired cards have none; then nothing is done any more, but all may look."""
    async with serving() as bank:
        table = await bank.open(["Ann", "Bob", "Cyd", "Dan"])
        await table.do("RetireCard", card_id=table.cards[3])
        await pay(table, "5")
        await table.insert(2, "left")
        await table.press("5", "M", "M")
        closed = (await table.do("CloseTable")).table
        places = [(rank.place, rank.seat, rank.total) for rank in closed.ranking]
        assert places == [(1, 0, 20_000), (1, 2, 20_000), (3, 1, 10_000)]
        assert (closed.status, closed.unit.frame.state) == (terminal_pb2.TABLE_STATUS_CLOSED, "closed")
        for method, fields in (
            ("Operate", {"press": terminal_pb2.Press(key=terminal_pb2.KEY_1)}),
            ("AddCard", {"name": "Eve"}),
            ("RetireCard", {"card_id": table.cards[0]}),
            ("UnlockCard", {"card_id": table.cards[0]}),
            ("UndoOperation", {"version": 1}),
            ("PauseTable", {}),
            ("ResumeTable", {}),
            ("CloseTable", {}),
            ("ClaimCard", {"card_id": table.cards[0]}),
        ):
            wrong = await refused(table.do(method, **fields))
            assert (method, wrong.code, wrong.reason) == (
                method,
                grpc.StatusCode.FAILED_PRECONDITION,
                "TABLE_CLOSED",
            )
        assert await table.guest()
        assert (await table.operations())[0].kind == "credit"


async def test_two_devices_press_at_once() -> None:
    """Two banks serve the table; each press is one commit, and together they book what the keys say."""
    log = MemoryLog()
    async with serving(log) as one, serving(log, clock=one.clock) as two:
        table = await one.open()
        there = Table(two, table.opened)
        await table.insert(0, "left")
        before = (await table.now()).version
        answers = await asyncio.gather(*[(table if number % 2 else there).press("1") for number in range(8)])
        assert sorted(answer.version for answer in answers) == list(range(before + 1, before + 9))
        taken = [answer for answer in answers if not answer.refusal]
        assert len(taken) == 5
        assert {answer.refusal for answer in answers} == {"", "ENTRY_TOO_LONG"}
        assert (await there.now()).unit.frame.text == "11111"
        arrows = await asyncio.gather(*[(table if n % 2 else there).press("C", "GO") for n in range(10)])
        paid = sum(answer.HasField("operation") for answer in arrows)
        assert (await table.balances())[0] == 15_000 + 2_000 * paid
        assert len(await there.operations()) == 1 + paid


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"players": []}, "players"),
        ({"players": ["x"] * 9}, "players"),
        ({"players": ["Ann", "Ann"]}, "players[1]"),
        ({"players": [""]}, "players[0]"),
        ({"players": ["n" * 33]}, "players[0]"),
        ({"players": ["a\nb"]}, "players[0]"),
        ({"players": [" Ann"]}, "players[0]"),
        ({"command_id": "short"}, "command_id"),
        ({"command_id": "with blanks in between"}, "command_id"),
        ({"edition": "e-banking", "go_amount": 1}, "go_amount"),
        ({"edition": "e-banking", "opening_amount": 5}, "opening_amount"),
        ({"edition": "e-banking", "currency": terminal_pb2.Currency(unit="M")}, "currency"),
        ({"edition": "", "opening_amount": -1}, "opening_amount"),
        ({"edition": "", "opening_amount": 10**15}, "opening_amount"),
        ({"edition": "", "opening_amount": 5, "go_amount": -2}, "go_amount"),
        ({"edition": "", "opening_amount": 5, "currency": terminal_pb2.Currency(scale=7)}, "currency.scale"),
        (
            {"edition": "", "opening_amount": 5, "currency": terminal_pb2.Currency(unit="ninechars")},
            "currency.unit",
        ),
        ({"model": 77}, "model"),
    ],
)
async def test_an_opening_that_is_malformed(fields: dict[str, Any], field: str) -> None:
    """The field is named, and there is no table."""
    async with serving() as bank:
        wrong = await refused(bank.open(**fields))
        assert (wrong.code, [path for path, _ in wrong.violations]) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            [field],
        )
        assert bank.tables.service.transactor.stats.cold_loads == 0


async def test_editions() -> None:
    """Each brings its amounts and its unit; one that nobody knows is refused with those that are known."""
    async with serving() as bank:
        roubles = (await bank.open(edition="roubles")).opened.table
        assert (roubles.model, roubles.currency.scale) == (terminal_pb2.UNIT_MODEL_ONE_SLOT, 1000)
        classic = (await bank.open(edition="classic", model=terminal_pb2.UNIT_MODEL_NONE)).opened.table
        assert (classic.opening_amount, classic.go_amount, classic.HasField("unit")) == (1500, 200, False)
        own = (await bank.open(edition="", opening_amount=7, currency={"unit": "Taler"})).opened.table
        assert (own.edition, own.currency.unit, own.currency.scale, own.opening_amount) == ("", "Taler", 1, 7)
        unknown = await refused(bank.open(edition="banana"))
        assert (unknown.code, unknown.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_EDITION")
        assert "e-banking" in unknown.message


async def test_a_table_without_a_unit() -> None:
    """There is nothing to press; money moves by the ledger's own calls."""
    async with serving() as bank:
        table = await bank.open(edition="classic", model=terminal_pb2.UNIT_MODEL_NONE)
        wrong = await refused(table.press("1"))
        assert (wrong.code, wrong.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_UNIT")


async def test_the_history_page_by_page() -> None:
    """Newest first, without gap or repetition; a token that is none is refused."""
    async with serving() as bank:
        table = await bank.open()
        await table.insert(0, "left")
        for _ in range(6):
            await table.press("C", "GO")
        seen: list[int] = []
        token = ""
        while True:
            request = terminal_pb2.ListOperationsRequest(
                table_id=table.table_id, page_size=3, page_token=token
            )
            page = await bank.call("ListOperations", request, table.banker)
            assert len(page.operations) <= 3
            seen += [one.version for one in page.operations]
            token = page.next_page_token
            if not token:
                break
        assert seen == [one.version for one in await table.operations()]
        assert len(seen) == 7
        for fields, field in (({"page_size": 201}, "page_size"), ({"page_token": "abc"}, "page_token")):
            request = terminal_pb2.ListOperationsRequest(table_id=table.table_id, **fields)
            wrong = await refused(bank.call("ListOperations", request, table.banker))
            assert [path for path, _ in wrong.violations] == [field]


async def test_a_damaged_table_stops_and_the_others_go_on() -> None:
    """A record that does not verify is DATA_LOSS for its table alone."""
    log = MemoryLog()
    async with serving(log) as bank:
        good, bad = await bank.open(), await bank.open()
        await bad.press("1")
    stored = (await log.load(bad.table_id))[1]
    stored.data = stored.data[:-1] + bytes([stored.data[-1] ^ 1])
    async with serving(log) as bank:
        lost = await refused(Table(bank, bad.opened).press("1"))
        assert (lost.code, lost.reason) == (grpc.StatusCode.DATA_LOSS, "DATA_LOSS")
        assert (await Table(bank, good.opened).press("1")).version == 2
        assert bank.metric("magnate_bank_damaged_total") == 1


async def test_money_in_the_log_is_what_the_cards_show() -> None:
    """Every commit's entries sum to zero, and their sum is what the table shows; nothing secret is stored."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        token = await table.claim(0)
        await table.do("SetPin", token, card_id=table.cards[0], new_pin="4711")
        await table.insert(0, "left", token)
        await table.press("GO")
        await table.hold("C")
    stored = b"".join(one.data for one in await log.load(table.table_id))
    for secret in (*table.secrets, "4711", token, table.banker):
        assert secret.encode() not in stored
    assert KEYS.sign(b"4711") not in stored
