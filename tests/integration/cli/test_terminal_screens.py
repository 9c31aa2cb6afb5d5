"""How the window looks, model by model: at 80 by 24 to the letter, readable in colour and without.

After a wanted change: MAGNATE_WRITE_SCREENS=1 pytest this file, and look at what `git diff` shows.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
import pytest_asyncio

from magnate.bank.v1 import terminal_pb2
from magnate.bank.v1.terminal_pb2 import Card, Currency, Frame, Unit
from tests.support.bank_tables import serving
from tests.support.colours import unreadable
from tests.support.terminal_window import Window, window

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

pytestmark = pytest.mark.asyncio

SCREENS: Final = Path(__file__).parent / "screens"
TWO, ONE = terminal_pb2.UNIT_MODEL_TWO_SLOT, terminal_pb2.UNIT_MODEL_ONE_SLOT
NOWHERE: Final = "127.0.0.1:1"
TOUCH_TABLE: Final = terminal_pb2.Table(
    table_id="1-0-000000000000000000000001",
    version=7,
    edition="ultimate-banking",
    currency=Currency(unit="M", scale=1),
    model=terminal_pb2.UNIT_MODEL_TOUCH,
    status=terminal_pb2.TABLE_STATUS_OPEN,
    join_code="ABCD-EFGH",
    in_game=True,
    cards=[
        Card(card_id="c0", seat=0, name="Ada", balance=1_500),
        Card(card_id="c1", seat=1, name="Bob", balance=1_280, owes=220),
    ],
    unit=Unit(
        frame=Frame(text="140", state="offer", seat=0, square=12, owner=-1, expects=["card", "deed"]),
        volume=2,
    ),
)
"""A table with a touch unit, as a game would have it."""


@pytest.fixture(autouse=True)
def _greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest_asyncio.fixture
async def touch() -> AsyncIterator[Window]:
    """Show a touch unit whose bank is away."""
    async with window(NOWHERE, TOUCH_TABLE, "t1.none", connected=False) as one:
        await one.shows("No network")
        yield one


def check(name: str, one: Window) -> None:
    """Compare the screen with the one that is kept; the code of a table is another one each time."""
    code = one.live.table.join_code
    shown = "\n".join(one.lines()).replace(code, "ABCD-EFGH") + "\n"
    kept = SCREENS / f"{name}.txt"
    if os.environ.get("MAGNATE_WRITE_SCREENS"):
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(shown, encoding="utf-8")
    assert shown == kept.read_text(encoding="utf-8"), shown
    assert len(one.lines()) == 24
    assert max(len(line) for line in one.lines()) <= 80


@pytest.mark.parametrize("language", ["en", "ru", "fr"])
async def test_two_slots(language: str) -> None:
    """A transfer that is about to be booked, and an operation that was taken back."""
    async with serving() as bank:
        table = await bank.open(["Ada", "Bob", "Cy"], model=TWO)
        address = f"127.0.0.1:{bank.port}"
        async with window(address, table.opened.table, table.banker, language=language) as one:
            await one.done("f1", "enter", "c")
            await table.do("UndoOperation", version=3)
            await one.until(lambda: len(one.live.operations) == 3)
            await one.done("f2", "1", "2", ".", "3", "4", "5", "m")
            await one.unit_shows("12.345", "M", "armed")
            await one.shows("↶")
            check(f"two-slot-{language}", one)


async def test_one_slot() -> None:
    """An amount that waits for the second card."""
    async with serving() as bank:
        table = await bank.open(
            ["Ада", "Борис", "Анна-Виктория Константинопольская"[:32]], model=ONE, edition="roubles"
        )
        address = f"127.0.0.1:{bank.port}"
        async with window(address, table.opened.table, table.banker, language="ru") as one:
            await one.done("c", "2", "0", "0", "л", "f1", "t", "f1", "f3")
            await one.unit_shows("200", "K", "remembered")
            check("one-slot", one)


async def test_no_unit() -> None:
    """Cards and history alone."""
    async with serving() as bank:
        table = await bank.open(["Ada", "Bob"], model=terminal_pb2.UNIT_MODEL_NONE, edition="classic")
        async with window(f"127.0.0.1:{bank.port}", table.opened.table, table.banker) as one:
            await one.shows("This table has no unit.")
            await one.press("f1", "enter", "left", "5")
            assert not one.live.waiting
            check("none", one)


async def test_touch(touch: Window) -> None:
    """The reader, deeds, event cards; what is tapped is sent as what it is."""
    check("touch", touch)
    await touch.press("f1", "y", "m", "x", "5")
    assert await touch.pilot.click("#deed-7")
    assert await touch.pilot.click("#look")
    assert await touch.pilot.click("#deed-22")
    assert await touch.pilot.click("#deed-22")
    assert await touch.pilot.click("#event-2")
    await touch.press("d")
    await touch.shows("Number of the deed, 1 to 22")
    await touch.press("1", "6", "enter")
    await touch.press("e")
    await touch.shows("Number of the event card, 1 to 23")
    await touch.press("2", "4", "enter")
    await touch.shows("24: there is no such number.")
    await touch.press("down", "down", "space")
    await touch.until(lambda: len(touch.live.waiting) == 10)
    sent = [pending.request for pending in touch.live.waiting]
    assert [one.WhichOneof("action") for one in sent] == [
        *("tap_card", "press", "press", "press"),
        *("tap_deed", "tap_deed", "tap_deed", "tap_event", "tap_deed", "tap_card"),
    ]
    taps = [(one.tap_deed.square, one.tap_deed.query) for one in sent if one.HasField("tap_deed")]
    assert taps == [(12, False), (35, True), (35, False), (24, False)]
    assert (sent[7].tap_event.card, sent[9].tap_card.card_id) == ("ev02", "c1")
    assert len({one.command_id for one in sent}) == len(sent)


async def test_a_small_window() -> None:
    """It says how large it has to be."""
    async with window(NOWHERE, TOUCH_TABLE, "t1.none", connected=False, size=(70, 20)) as one:
        await one.shows("This window is too small: 80 × 24 is needed.")
        await one.pilot.resize_terminal(100, 30)
        await one.shows("F1–F8 cards")


@pytest.mark.slow
@pytest.mark.parametrize("no_color", [False, True])
async def test_everything_can_be_read(monkeypatch: pytest.MonkeyPatch, *, no_color: bool) -> None:
    """Letters stand out from what the window paints behind them, so the terminal's colours do not matter."""
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    async with serving() as bank:
        names = [f"Player {number}" for number in range(1, 9)]
        for model, edition in ((TWO, "e-banking"), (ONE, "roubles")):
            table = await bank.open(names, model=model, edition=edition)
            async with window(f"127.0.0.1:{bank.port}", table.opened.table, table.banker) as one:
                assert one.app.no_color == no_color
                assert not unreadable(one.app)
                for number in range(1, 9):
                    await one.done(f"f{number}")
                    assert not unreadable(one.app)
                    await one.done(f"f{number}")
                await one.done("m")
                await one.shows("error")
                await one.idle()
                assert not unreadable(one.app)
                await one.press("b")
                await one.shows(one.t("term.menu"))
                usable = [one.t(f"banker.{tool}") for tool in ("pause", "reset", "add", "retire", "close")]
                hard = unreadable(one.app)
                assert not [line for line in hard if any(f"'{word}'" in line for word in usable)]
                await one.press("down", "enter")
                asked = [one.t("banker.reset_title"), one.t("banker.reset"), one.t("dialog.no")]
                await one.shows(*asked)
                hard = unreadable(one.app)
                assert not [line for line in hard if any(f"'{word}'" in line for word in asked)]


async def test_a_touch_unit_can_be_read(touch: Window) -> None:
    """Deeds in eight colours too."""
    assert not unreadable(touch.app)
