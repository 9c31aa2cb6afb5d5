"""A window of `magnate terminal` without a window: its keyboard, its mouse, and what stands on its screen."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Final

from textual.events import Key
from textual.widgets._toast import Toast

from magnate.cli.terminal.app import TerminalApp
from magnate.cli.terminal.live import LIVE, LiveTable
from magnate.cli.terminal.texts import Texts
from magnate.client.terminal import TerminalClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from textual.pilot import Pilot

    from magnate.bank.v1.terminal_pb2 import Table

WAIT_SECONDS: Final = 20.0
UNIT_COLUMNS: Final = 46
CHARACTERS: Final = {"enter": "\r", "space": " ", "tab": "\t"}


class Window:
    """A table that somebody looks at."""

    def __init__(self, app: TerminalApp, pilot: Pilot[None], live: LiveTable, t: Texts) -> None:
        self.app = app
        self.pilot = pilot
        self.live = live
        self.t = t

    def lines(self) -> list[str]:
        """Return what stands on the screen, line by line."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    def text(self) -> str:
        """Return what stands on the screen; below it both halves and messages as flowing text."""
        lines = [line.replace("\u00a0", " ") for line in self.lines()]
        halves = (
            " ".join(re.sub("[─-╿▀-▟]", " ", line[start:end]) for line in lines)
            for start, end in ((0, UNIT_COLUMNS), (UNIT_COLUMNS, None))
        )
        messages = (toast._notification.message for toast in self.app.screen.query(Toast))
        return "\n".join([*lines, *(" ".join(half.split()) for half in halves), *messages])

    async def until(self, holds: Callable[[], bool], what: str = "") -> None:
        """Wait until something is so."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while not holds():  # noqa: ASYNC110 - it is about a screen, which tells nobody
                    await asyncio.sleep(0.005)  # lets the window and the server in the same loop go on
        except TimeoutError:
            raise AssertionError(f"never came: {what or holds}\n{self.text()}") from None

    async def shows(self, *texts: str) -> None:
        """Wait until all of these stand on the screen."""
        await self.until(lambda: all(one in self.text() for one in texts), repr(texts))

    async def unit_shows(self, text: str, suffix: str = "", state: str = "") -> None:
        """Wait until the display shows an amount, and everything that was pressed is answered."""

        def holds() -> bool:
            frame = self.live.table.unit.frame
            shown = (frame.text, frame.suffix) == (text, suffix) and state in {"", frame.state}
            return shown and not self.live.waiting

        await self.until(holds, f"{text}{suffix} {state}")

    async def press(self, *keys: str) -> None:
        """Press keys of the keyboard, a moment after one another."""
        for key in keys:
            character = key if len(key) == 1 else CHARACTERS.get(key)
            self.app.post_message(Key(key, character))
            await self.idle()

    async def idle(self) -> None:
        """Wait until the window, and then its screen, have dealt with everything they were sent."""
        dealt = asyncio.Event()
        self.app.call_later(dealt.set)
        await self.until(dealt.is_set, "that the window goes on")
        screen, drawn = self.app.screen, asyncio.Event()
        screen.call_later(drawn.set)
        await self.until(lambda: drawn.is_set() or self.app.screen is not screen, "that the screen goes on")

    async def done(self, *keys: str) -> None:
        """Press keys and wait until the server has answered all."""
        for key in keys:
            await self.press(key)
            await self.until(lambda: not self.live.waiting, f"an answer to {key}")

    async def click(self, place: str, x: int = 1, y: int = 0) -> None:
        """Click into a widget and wait until the server has answered."""
        assert await self.pilot.click(place, offset=(x, y))
        await self.until(lambda: not self.live.waiting, f"an answer to {place}")


@contextlib.asynccontextmanager
async def window(
    address: str,
    table: Table,
    token: str,
    role: str = "banker",
    *,
    language: str = "en",
    size: tuple[int, int] = (80, 24),
    bell: bool = False,
    connected: bool = True,
) -> AsyncIterator[Window]:
    """Show a table, and wait until it is followed."""
    async with TerminalClient(address) as client:
        live = LiveTable(client, table, token, role)
        texts = Texts(language)
        app = TerminalApp(live, texts, bell=bell)
        async with app.run_test(size=size, notifications=True) as pilot:
            one = Window(app, pilot, live, texts)
            if connected:
                await one.until(lambda: live.link == LIVE, "the bank's first word")
                await one.idle()
            yield one
