"""Several windows at one table: guests and their cards, PINs, the banker's tools, a bank that goes away."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from textual.widgets import OptionList

from magnate.cli.terminal.live import LIVE, LOST, WAITING_MAX
from magnate.kit.limits import WINDOW_COMMANDS
from magnate.kit.log.memory import MemoryLog
from tests.support.bank_tables import Bank, Table, serving
from tests.support.terminal_window import Window, window

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.asyncio


@contextlib.asynccontextmanager
async def guest(bank: Bank, table: Table, language: str = "en") -> AsyncIterator[Window]:
    """Open a window of somebody who joined by the code."""
    opened, token = table.opened.table, await table.guest()
    async with window(f"127.0.0.1:{bank.port}", opened, token, "guest", language=language) as one:
        yield one


@contextlib.asynccontextmanager
async def banker(bank: Bank, table: Table) -> AsyncIterator[Window]:
    """Open a window of the banker."""
    async with window(f"127.0.0.1:{bank.port}", table.opened.table, table.banker) as one:
        yield one


async def choose(one: Window, tool: str, *, sure: bool = False) -> None:
    """Choose one of the banker's tools, and say yes to what is asked then."""
    await one.press("b")
    await one.shows(one.t("term.menu"), one.t(f"banker.{tool}"))
    tools = one.app.screen.query_one(OptionList)
    wanted = tools.get_option_index(tool)
    while tools.highlighted != wanted:
        await one.press("down")
    await one.press("enter")
    if sure:
        await one.shows(one.t(f"banker.{tool}_title"))
        await one.press("left", "enter")


async def test_what_one_window_does_all_see() -> None:
    """A shared unit: keys pressed here are on the display there, in another language."""
    async with serving() as bank:
        table = await bank.open(["Ada", "Bob"], shared_unit=True)
        async with banker(bank, table) as one, guest(bank, table, "ru") as two:
            await two.shows(two.t("role.guest"), two.t("link.live"))
            await one.done("f1", "enter")
            await two.shows(two.t("history.go", to="Ada", amount="2M $"), "17M $")
            await two.done("c", "enter")
            await one.shows("$19M")
            assert await table.balances() == [19_000, 15_000]


async def test_a_guest_takes_a_card_first() -> None:
    """What nobody has he may take, once he was asked; what somebody has he may not."""
    async with serving() as bank:
        table = await bank.open(["Ada", "Bob"], shared_unit=True)
        async with guest(bank, table) as one, guest(bank, table) as two:
            await one.press("f1")
            await one.shows("Take the card of Ada?")
            await one.press("escape")
            await one.until(lambda: "Take the card" not in one.text())
            assert (await table.now()).version == 1
            await one.press("f1")
            await one.shows("Take the card of Ada?")
            await one.press("left", "enter")
            await one.unit_shows("15", "M", "balance")
            await one.done("f1", "f1")  # out and in again without a question
            assert (await table.now()).unit.left_card_id == table.cards[0]
            await two.until(lambda: two.live.table.cards[0].claimed)
            await two.done("c", "up", "up")
            await two.done("f1")
            await two.unit_shows(
                "", "", "idle"
            )  # the key pulled it out, which a shared unit lets everybody do
            await two.press("f1")
            await two.shows(two.t("because.NOT_YOUR_CARD"))
            assert (await table.now()).unit.left_card_id == ""


async def test_only_the_banker_presses() -> None:
    """Where the unit is not shared, a guest's key is refused in words and his card goes in all the same."""
    async with serving() as bank:
        table = await bank.open(["Ada", "Bob"])
        async with guest(bank, table) as one:
            await one.done("5")
            await one.shows(one.t("because.NOT_THE_BANKER"))
            await one.press("f2")
            await one.shows("Take the card of Bob?")
            await one.press("left", "enter")
            await one.unit_shows("15", "M", "balance")
            await one.done("f2")
            assert (await table.now()).unit.left_card_id == ""
            await one.press("b")
            await one.shows("The banker's tools")
            await one.press("enter")
            await one.shows(one.t("because.NOT_THE_BANKER"))


async def test_a_card_with_a_pin() -> None:
    """It is asked for, hidden; a wrong one is refused; the right one opens."""
    async with serving() as bank:
        table = await bank.open(["Ada", "Bob"])
        card = await table.claim(0)
        await table.do("SetPin", token=card, card_id=table.cards[0], new_pin="1234")
        async with banker(bank, table) as one:
            await one.shows("⚿ $15M")
            await one.press("f1")
            await one.shows(one.t("pin.title", name="Ada"))
            await one.press(*"4321")
            await one.shows("••••")
            await one.press("enter")
            await one.shows(one.t("because.WRONG_PIN"))
            await one.press("f1")
            await one.shows(one.t("pin.title", name="Ada"))
            await one.press(*"1234", "enter")
            await one.unit_shows("15", "M", "balance")


async def test_the_bankers_tools() -> None:
    """Take back, pause, go on, add, retire, close: each is done once, and everybody sees it."""
    async with serving() as bank:
        table = await bank.open(["Ada", "Bob"])
        async with banker(bank, table) as one, guest(bank, table) as two:
            await one.done("f1", "enter", "f1")
            await choose(one, "undo", sure=True)
            await one.shows(one.t("banker.undo_done"))
            await two.shows(f"↶ {two.t('history.undone')}", "↶ Taken back: Ada passes GO: $2M")
            assert await table.balances() == [15_000, 15_000]
            await choose(one, "pause")
            await two.shows("● Paused", two.t("hint.paused"))
            await one.done("5")
            await one.shows("paused")
            await choose(one, "resume")
            await two.shows("● Online")
            await choose(one, "add")
            await one.shows(one.t("banker.add_title"))
            await one.press(*"Cy", "enter")
            await two.shows("▲ Cy", "Cy gets a card with $15M")
            await one.done("f3", "enter", "f3")
            await choose(one, "retire")
            await one.press("down", "enter")
            await one.shows(one.t("banker.retire_title", name="Bob"))
            await one.press("left", "enter")
            await two.shows("retired", "Card retired: Bob pays the bank $15M")
            await choose(one, "close", sure=True)
            for each in (one, two):
                await each.shows("Final ranking", "1.  ▲ Cy", "2.  ● Ada")
                await each.press("escape")
                await each.shows("● Closed", "This table is closed.")
            await two.press("r")
            await two.shows("Final ranking")


async def test_nothing_to_take_back() -> None:
    """Then the tool cannot be chosen, and neither can what a table without locked cards has no use for."""
    async with serving() as bank:
        table = await bank.open(["Ada"])
        async with banker(bank, table) as one:
            await one.press("b")
            await one.shows("Table code: ", table.opened.table.join_code)
            options = one.app.screen.query_one(OptionList).options
            assert {option.id for option in options if option.disabled} == {"undo", "unlock"}
            await one.press("escape", "?")
            await one.shows(one.t("help.title"), "⇧C or a long click")
            await one.press("q")
            await one.until(lambda: one.t("help.title") not in one.text())


async def test_presses_wait_for_a_bank_that_is_away() -> None:
    """What is pressed meanwhile is shown, sent in order when the bank is back, and acts once."""
    log = MemoryLog()
    async with contextlib.AsyncExitStack() as first:
        bank = await first.enter_async_context(serving(log))
        table, port = await bank.open(["Ada", "Bob"]), bank.port
        async with banker(bank, table) as one:
            await one.done("f1", "1", "2")
            await first.aclose()
            await one.until(lambda: one.live.link == LOST, "that the bank is away")
            await one.press("5", "k", "k")
            await one.shows("3 wait: 5 K K", "○ No network")
            async with serving(log, port=port, clock=bank.clock) as again:
                await one.until(lambda: not one.live.waiting and one.live.link == LIVE)
                await one.shows("Bank pays Ada $125K", "● Online")
                assert await Table(again, table.opened).balances() == [15_125, 15_000]


async def test_a_press_that_waited_too_long_is_refused() -> None:
    """Its answer was lost, and the table has forgotten its id since: it must not pay a second time."""
    log = MemoryLog()
    async with contextlib.AsyncExitStack() as first:
        bank = await first.enter_async_context(serving(log))
        table, port = await bank.open(["Ada", "Bob"]), bank.port
        async with banker(bank, table) as one:
            await one.done("f1")
            await first.aclose()
            await one.until(lambda: one.live.link == LOST, "that the bank is away")
            await one.press("enter")
            (pending,) = one.live.waiting
            async with serving(log, clock=bank.clock) as elsewhere:
                other = Table(elsewhere, table.opened)
                await elsewhere.call("Operate", pending.request, table.banker)
                for _ in range(WINDOW_COMMANDS):
                    await other.press("C")
            async with serving(log, port=port, clock=bank.clock) as again:
                await one.until(lambda: not one.live.waiting and one.live.link == LIVE)
                assert await Table(again, table.opened).balances() == [17_000, 15_000]


async def test_presses_that_wait_can_be_thrown_away() -> None:
    """No more than so many wait; leaving asks first."""
    async with contextlib.AsyncExitStack() as first:
        bank = await first.enter_async_context(serving())
        table = await bank.open(["Ada"])
        async with banker(bank, table) as one:
            await first.aclose()
            await one.until(lambda: one.live.link == LOST)
            await one.press(*["1"] * WAITING_MAX)
            await one.press("2")
            await one.shows(one.t("because.QUEUE_FULL"), f"{WAITING_MAX} wait: 1 1 1")
            assert [pending.name for pending in one.live.waiting] == ["1"] * WAITING_MAX
            await one.press("q")
            await one.shows("Leave now?", "What waits for the network is not sent then.")
            await one.press("escape", "delete")
            await one.until(lambda: not one.live.waiting)
            await one.press("q")
            await one.until(lambda: one.app._exit, "the end")


async def test_a_token_that_is_none() -> None:
    """The window says so and stays as it is."""
    async with serving() as bank:
        table, other = await bank.open(["Ada"]), await bank.open(["Bob"])
        address = f"127.0.0.1:{bank.port}"
        async with window(address, table.opened.table, other.banker, "", connected=False) as one:
            await one.shows(one.t("because.TOKEN_FOR_OTHER_TABLE"), "○ Refused")
