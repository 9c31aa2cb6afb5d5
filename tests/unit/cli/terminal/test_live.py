"""What is known of a table: never older than it was, each operation once, what may be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from magnate.bank.v1.terminal_pb2 import (
    SLOT_LEFT,
    SLOT_RIGHT,
    SLOT_UNSPECIFIED,
    Card,
    Frame,
    OperateResponse,
    Operation,
    OperationEntry,
    Table,
    Unit,
)
from magnate.cli.terminal.live import LiveTable
from magnate.client.terminal import TerminalClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.asyncio


def table(version: int, text: str) -> Table:
    """Return a table whose display shows this."""
    cards = [Card(card_id="a", seat=0, name="Ann", balance=version), Card(card_id="b", seat=1, name="Bob")]
    return Table(
        table_id="t", version=version, cards=cards, unit=Unit(frame=Frame(text=text), left_card_id="a")
    )


@pytest_asyncio.fixture
async def live() -> AsyncIterator[LiveTable]:
    """Return a table at version 5."""
    async with TerminalClient("127.0.0.1:1") as client:
        yield LiveTable(client, table(5, "5"), "t1.none", "banker")


async def test_an_answer_comes_before_the_watch(live: LiveTable) -> None:
    """The unit of the answer is shown at once, and what the watch says of older versions does not undo it."""
    live._answered(OperateResponse(version=8, unit=Unit(frame=Frame(text="8"))))
    assert (live.table.version, live.table.unit.frame.text) == (5, "8")
    live.show(table(6, "6"))
    assert (live.table.version, live.table.cards[0].balance, live.table.unit.frame.text) == (6, 6, "8")
    live.show(table(8, "eight"))
    assert live.table.unit.frame.text == "eight"
    live._answered(OperateResponse(version=7, unit=Unit(frame=Frame(text="7"))))
    live.show(table(7, "7"))
    assert (live.table.version, live.table.unit.frame.text) == (8, "eight")


async def test_operations_are_noted_once(live: LiveTable) -> None:
    """A reversal marks what it takes back; the newest that stands may be taken back, never the opening."""
    entries = [OperationEntry(debit="bank", credit="seat-0", amount=1)]
    assert live.last_standing() is None
    live._note(Operation(version=1, kind="open", entries=entries))
    assert live.last_standing() is None
    for version in (2, 3, 3):
        live._note(Operation(version=version, kind="go", entries=entries))
    assert [one.version for one in live.operations] == [1, 2, 3]
    live._note(Operation(version=4, kind="undo", entries=entries, reverses=3))
    assert [one.reversed_by for one in live.operations] == [0, 0, 4, 0]
    last = live.last_standing()
    assert last is not None
    assert last.version == 2


async def test_where_cards_are(live: LiveTable) -> None:
    """In a slot, or in none."""
    left = live.card_in(SLOT_LEFT)
    assert left is not None
    assert (left.name, live.card_in(SLOT_RIGHT), live.card("")) == ("Ann", None, None)
    assert (live.slot_of("a"), live.slot_of("b")) == (SLOT_LEFT, SLOT_UNSPECIFIED)


async def test_each_press_has_an_id_of_its_own(live: LiveTable) -> None:
    """And a card that was taken to this window is shown with its own token."""
    card = live.table.cards[1]
    live.wallet["b"] = "t1.card"
    live.press("5")
    live.press("5")
    live.insert(card, SLOT_RIGHT, "1234")
    live.remove(SLOT_LEFT)
    requests = [pending.request for pending in live.waiting]
    assert len({one.command_id for one in requests}) == 4
    assert {one.table_id for one in requests} == {"t"}
    assert [pending.token for pending in live.waiting] == ["t1.none", "t1.none", "t1.card", "t1.none"]
    assert requests[2].insert.pin == "1234"
    assert {one.seen_version for one in requests} == {5}
    live._answered(OperateResponse(version=8, unit=Unit()))
    live.press("6")
    assert live.waiting[-1].request.seen_version == 8
    live.discard()
    assert not live.waiting
