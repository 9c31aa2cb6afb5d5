"""Whole sequences at the unit in the terminal window, at a real bank over gRPC, by keyboard and mouse."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from magnate.bank.v1 import terminal_pb2
from magnate.cli.terminal import widgets
from magnate.cli.terminal.widgets import CardRow
from tests.support.bank_tables import Bank, Table, serving
from tests.support.terminal_window import Window, window

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.asyncio

TWO, ONE = terminal_pb2.UNIT_MODEL_TWO_SLOT, terminal_pb2.UNIT_MODEL_ONE_SLOT


@contextlib.asynccontextmanager
async def at_table(
    model: terminal_pb2.UnitModel.ValueType = TWO, *, window_: dict[str, Any] | None = None, **fields: Any
) -> AsyncIterator[tuple[Bank, Table, Window]]:
    """Open a table for Ada, Bob and Cy, and a window of its banker."""
    async with serving() as bank:
        table = await bank.open(["Ada", "Bob", "Cy"], model=model, **fields)
        async with window(
            f"127.0.0.1:{bank.port}", table.opened.table, table.banker, **(window_ or {})
        ) as one:
            yield bank, table, one


async def test_an_evening_at_the_two_slots() -> None:
    """GO, a transfer that is seen before it is booked, a payment to the bank; the screen says all of it."""
    async with at_table() as (_, table, one):
        await one.shows(one.t("hint.off"), "$15M", one.t("history.open", amount="$15M"))
        await one.done("f1")
        await one.unit_shows("15", "M", "balance")
        await one.done("enter")
        await one.unit_shows("17", "M", "booked")
        await one.shows("Ada passes GO: $2M", "$17M", one.t("hint.booked"))
        await one.done("f2")
        await one.done("1", ".", "5", "m")
        await one.unit_shows("1.5", "M", "armed")
        await one.shows(one.t("hint.armed.transfer", payer="Bob", payee="Ada"), "╺━╸")
        assert await table.balances() == [17_000, 15_000, 15_000]
        await one.done("m")
        await one.shows("Bob pays Ada $1.5M", "$18.5M", "$13.5M")
        await one.done("f1", "5", "0", "0", "k", "k")
        await one.shows("Bob pays the bank $500K")
        assert await table.balances() == [18_500, 13_000, 15_000]
        await one.done("f2")
        assert (await table.now()).unit.right_card_id == ""


async def test_an_evening_at_the_one_slot() -> None:
    """Amount and card in either order, the bank pays and is paid, three persons, GO."""
    async with at_table(ONE, edition="roubles") as (_, table, one):
        await one.done("f1", "1", ".", "2", "m", "+")
        await one.shows("Bank pays Ada 1.2M руб.")
        await one.done("c", "2", "0", "0", "k", "-")
        await one.shows("Ada pays the bank 200K руб.")
        await one.done("f1", "3", "0", "0", "k", "f1", "t")
        await one.unit_shows("300", "K", "remembered")
        await one.done("f1", "f3", "+")
        await one.shows("Ada pays Cy 300K руб.")
        await one.done("c", "enter")
        await one.shows("Cy passes GO: 200K руб.")
        assert await table.balances() == [2_200, 1_500, 2_000]


async def test_the_mouse_does_all_of_it() -> None:
    """Ends of a card's line are its slots, slots give cards back; a chosen card goes where one clicks."""
    async with at_table() as (_, table, one):
        await one.click("#card-0", x=1)
        await one.unit_shows("15", "M", "balance")
        width = one.app.screen.query_one("#card-1", CardRow).size.width
        await one.click("#card-1", x=width - 2)
        for key in ("2", "0", "0", "k", "k"):
            await one.click(f"#key-{key}", x=2)
        await one.shows("Bob pays Ada $200K")
        await one.click("#slot-left", x=3, y=1)
        await one.click("#slot-right", x=3, y=1)
        now = (await table.now()).unit
        assert (now.left_card_id, now.right_card_id) == ("", "")
        await one.click("#card-2", x=10)
        assert one.app.screen.query_one("#card-2", CardRow).selected
        await one.click("#slot-right", x=3, y=1)
        assert (await table.now()).unit.right_card_id == table.cards[2]
        await one.click("#card-2", x=10)  # in a slot already: out again
        assert (await table.now()).unit.right_card_id == ""
        await one.click("#slot-left", x=3, y=1)
        await one.shows(one.t("advice.choose_card"))
        assert await table.balances() == [15_200, 14_800, 15_000]


async def test_c_is_pressed_or_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """A click clears, a long one begins a new game; the keyboard asks first, and Enter alone is no yes."""
    monkeypatch.setattr(widgets, "HOLD_SECONDS", 0.3)
    async with at_table() as (_, table, one):
        await one.done("f1", "enter", "c", "7")
        await one.unit_shows("7")
        await one.click("#key-c", x=2)
        await one.unit_shows("17", "M", "balance")
        assert await table.balances() == [17_000, 15_000, 15_000]
        await one.press("C")
        await one.shows(one.t("banker.reset_title"), one.t("banker.reset_text", amount="$15M"))
        await one.press("enter")
        await one.until(lambda: one.t("banker.reset_title") not in one.text())
        assert await table.balances() == [17_000, 15_000, 15_000]
        assert await one.pilot.mouse_down("#key-c", offset=(2, 0))
        await one.unit_shows("15", "M", "reset")
        assert await one.pilot.mouse_up("#key-c", offset=(2, 0))
        await one.shows(one.t("history.reset"))
        version = (await table.now()).version
        await one.done("enter")
        await one.press("C", "right", "right", "left")
        await one.press("enter")
        await one.until(lambda: one.live.table.unit.frame.state == "reset" and not one.live.waiting)
        assert await table.balances() == [15_000, 15_000, 15_000]
        assert (await table.now()).version == version + 2


@pytest.mark.parametrize(
    ("edition", "model", "keys", "refusal"),
    [
        ("e-banking", TWO, ("1", "m"), "NO_CARD"),
        ("e-banking", TWO, ("f1", "m"), "NO_AMOUNT"),
        ("e-banking", TWO, ("f1", "0", "k"), "AMOUNT_ZERO"),
        ("e-banking", TWO, ("f1", "0", ".", "0", "5", "k"), "AMOUNT_NOT_WHOLE"),
        ("e-banking", TWO, ("f1", "1", ".", "."), "POINT_TWICE"),
        ("e-banking", TWO, ("f1", "1", "2", "3", "4", "5", "6"), "ENTRY_TOO_LONG"),
        ("e-banking", TWO, ("f1", "1", "enter"), "KEY_OUT_OF_ORDER"),
        ("e-banking", TWO, ("f1", "enter", "enter"), "ALREADY_BOOKED"),
        ("e-banking", TWO, ("f1", "f1", "f14", "9", "9", "m", "m"), "INSUFFICIENT_FUNDS"),
        ("classic", TWO, ("f1", "1", "k"), "DENOMINATION_UNKNOWN"),
        ("roubles", ONE, ("1", "+"), "DENOMINATION_MISSING"),
        ("roubles", ONE, ("f1", "1", "k", "t", "f1", "f1", "+"), "SAME_CARD"),
        ("roubles", ONE, ("f1", "f2"), "SLOT_TAKEN"),
    ],
)
async def test_wrong_keys(
    edition: str, model: terminal_pb2.UnitModel.ValueType, keys: tuple[str, ...], refusal: str
) -> None:
    """Each is refused in words on the display, and nothing is paid by it."""
    async with at_table(model, edition=edition) as (_, table, one):
        await one.done("c")
        await one.done(*keys)
        await one.shows(one.t(f"because.{refusal}"), one.t("state.error"))
        assert one.live.table.unit.frame.refusal == refusal
        expected = 1 + ("enter" in keys and edition == "e-banking" and keys.count("enter") == 2)
        assert len(await table.operations()) == expected


async def test_keys_the_unit_does_not_have() -> None:
    """Nothing is sent for them."""
    async with at_table() as (_, table, one):
        await one.done("+", "-", "t", "y", "x", "g", "space", "f8", "tab")
        assert (await table.now()).version == 1
        await one.done("up", "left")  # the last card, chosen and put in
        assert (await table.now()).unit.left_card_id == table.cards[2]
        await one.done("left", "down", "right")
        assert (await table.now()).unit.right_card_id == table.cards[0]
        await one.done("f13")  # F1 with shift: the right slot gives it back
        assert (await table.now()).unit.right_card_id == ""


async def test_a_window_that_rings() -> None:
    """Only with --bell, only for what matters, and not when the unit is silent."""
    async with at_table(window_={"bell": True}) as (_, _, one):
        rung: list[str] = []
        one.app.bell = lambda: rung.append(one.live.table.unit.frame.state)  # type: ignore[method-assign]
        await one.done("f1", "1", "c")
        await one.done("enter")
        await one.until(lambda: len(rung) == 1, "a bell")
        await one.done("enter")
        await one.until(lambda: len(rung) == 2, "a bell for a refusal")
        await one.done("c")
        while one.live.table.unit.volume:
            await one.done(".")
        await one.done("c", "enter")
        await one.until(lambda: len(one.live.operations) == 3)
        await one.idle()
        assert len(rung) == 2
