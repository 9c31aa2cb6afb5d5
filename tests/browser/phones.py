"""Phones: browser contexts with the size, touch and language of a phone, on one real browser.

Each keeps what its page complained about, and leaves a picture of its last state in out/screenshots.
"""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.sources import ROOT

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page

MARKS = (
    pytest.mark.browser,
    pytest.mark.nats,
    pytest.mark.slow,
    # All share one stack and one browser: one process, one event loop.
    pytest.mark.xdist_group("browser"),
    pytest.mark.asyncio(loop_scope="session"),
)
"""What every module of tests here begins with: `pytestmark = [*MARKS]`."""
SCREENSHOTS = ROOT / "out" / "screenshots"
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name that is not this machine's own, as a phone at home sees it: no https, and no privileges of it.
    "--host-resolver-rules=MAP bank.test 127.0.0.1",
)
WAIT_MS = 15_000


def executable() -> str | None:
    """Return the path of the browser that the tests drive."""
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return next((path for path in found if path), None)


class Phone:
    """One phone with its page open."""

    def __init__(self, name: str, context: BrowserContext, page: Page, pictures: str) -> None:
        self.name = name
        self.context = context
        self.page = page
        self.complaints: list[str] = []
        self._pictures = pictures
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    async def picture(self, moment: str = "end") -> None:
        """Keep a picture of what the phone shows: out/screenshots/<test>/<phone>-<moment>.png."""
        await self.page.screenshot(path=SCREENSHOTS / self._pictures / f"{self.name}-{moment}.png")

    async def network(self, *, on: bool) -> None:
        """Cut the phone off, or let it back."""
        await self.context.set_offline(not on)

    async def rpc(self, method: str, request: dict[str, Any], token: str = "") -> Any:
        """Call a method through the page's own module; a refusal comes back as `{refused, code, message}`."""
        script = """async ([method, request, token]) => {
            const { unary } = await import("/js/connect.js");
            try { return await unary("/" + method, request, { token }); }
            catch (error) { return { refused: error.reason, code: error.code, message: error.message }; }
        }"""
        return await self.page.evaluate(script, [method, request, token])

    def _heard(self, message: ConsoleMessage) -> None:
        is_refusal = message.text.startswith(
            "Failed to load resource: the server responded with a status of 4"
        )
        if message.type in ("error", "warning") and not is_refusal:
            self.complaints.append(message.text)


class Phones:
    """Makes phones for one test: `ada = await phones("ada")`."""

    def __init__(self, browser: Browser, url: str, test: str) -> None:
        self._browser = browser
        self._url = url
        self._pictures = re.sub(r"[^\w.-]+", "-", test)
        self.made: list[Phone] = []

    async def __call__(self, name: str, path: str = "/", **context: Any) -> Phone:
        """Return a phone that has opened the page; keywords are those of playwright's `new_context`."""
        wanted: dict[str, Any] = {
            "viewport": {"width": 390, "height": 844},
            "device_scale_factor": 2,
            "is_mobile": True,
            "has_touch": True,
            "locale": "en-GB",
            "base_url": self._url,
            **context,
        }
        opened = await self._browser.new_context(**wanted)
        opened.set_default_timeout(WAIT_MS)
        phone = Phone(name, opened, await opened.new_page(), self._pictures)
        self.made.append(phone)
        await phone.page.goto(path)
        return phone

    async def close(self) -> None:
        """Keep the last picture of each, then close them."""
        for phone in self.made:
            await phone.picture()
            await phone.context.close()
