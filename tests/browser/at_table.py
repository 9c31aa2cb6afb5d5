"""Somebody at a table of the bank's page: what a person does there, and what the person sees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from playwright.async_api import expect

from magnate.gateway.site import PAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Locator, Page

    from tests.browser.phones import Phone

LEFT: Final = "SLOT_LEFT"
RIGHT: Final = "SLOT_RIGHT"
LANGUAGES: Final = ("en", "ru", "fr")
_KEYS: Final = {".": "KEY_POINT", "C": "KEY_CLEAR", ">": "KEY_ARROW", "+": "KEY_PLUS", "-": "KEY_MINUS"}
_NETWORK: Final = ("net::ERR", "status of 503")


def texts(language: str) -> dict[str, str]:
    """Return the page's texts in a language."""
    found: dict[str, str] = json.loads((PAGE / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    return found


class AtTable:
    """A person with a phone."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.page: Page = phone.page
        self.screen = self.page.locator(".screen")

    async def open(
        self, edition: str, players: Sequence[str], *, model: str = "", shared: bool = True
    ) -> str:
        """Open a table with the form; return its join code."""
        await self.page.locator(f'input[name=edition][value="{edition}"]').check()
        names = self.page.locator(".players input")
        for place, name in enumerate(players):
            if await names.count() <= place:
                await self.page.locator(".players + button").click()
            await names.nth(place).fill(name)
        if model:
            await self.page.locator("select[name=model]").select_option(model)
        await self.page.locator("input[name=shared]").set_checked(shared)
        await self.page.locator(".open-form .big").click()
        return await self.seen("join-code").inner_text()

    async def join(self, code: str) -> None:
        """Type a join code."""
        await self.page.locator("input[name=code]").fill(code)
        await self.page.locator(".code-line button").click()
        await self.seen("holder-0").wait_for()

    async def claim(self, seat: int) -> None:
        """Tap one's name."""
        await self.seen(f"holder-{seat}").locator("[data-act=take]").click()
        await expect(self.seen(f"holder-{seat}")).to_have_class("mine")

    async def go(self, view: str) -> None:
        """Change to a view."""
        await self.seen(f"tab-{view}").click()

    async def put(self, seat: int, slot: str) -> None:
        """Put a card into a slot; see it there on one's own phone."""
        await self.seen(f"card-{seat}").click()
        if await self.seen(RIGHT).count():  # with one slot, a card that is tapped goes in
            await self.seen(slot).click()
        await self.seen(slot).locator(".face").wait_for()

    async def is_in(self, slot: str) -> bool:
        """Say whether a card is in a slot."""
        return await self.seen(slot).locator(".face").count() > 0

    async def pull(self, slot: str) -> None:
        """Pull the card out of a slot; see it gone."""
        await self.seen(slot).click()
        await expect(self.seen(slot).locator(".face")).to_have_count(0)

    async def press(self, keys: str) -> None:
        """Press keys: digits, `.`, `M`, `K`, `C`, `>` the arrow, `+`, `-`, `T` three persons."""
        for key in keys:
            name = _KEYS.get(key) or ("KEY_THREE" if key == "T" else f"KEY_{key}")
            await self.seen(name).tap()

    async def sees(self, text: str, state: str) -> None:
        """Wait for what the display shows, such as `+200K`, and what it means."""
        await expect(self.screen).to_have_attribute("data-text", text)
        await expect(self.screen).to_have_attribute("data-state", state)

    async def sees_balance(self, seat: int, text: str) -> None:
        """Wait for a balance in the view of the table."""
        await expect(self.seen(f"balance-{seat}").locator(".bar-sum")).to_have_text(text)

    def seen(self, name: str) -> Locator:
        """Return the element that tests know by this name."""
        return self.page.locator(f"[data-testid={name}]")

    async def link(self, state: str) -> None:
        """Wait for a state of the connection."""
        await expect(self.seen("link")).to_have_attribute("data-state", state)

    def forgive_network(self) -> None:
        """Take away what the browser complains about when a test cuts the network."""
        kept = [one for one in self.phone.complaints if not any(word in one for word in _NETWORK)]
        self.phone.complaints[:] = kept
