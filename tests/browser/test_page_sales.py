"""Auctions at a table, on the page: the banker opens, cards bid from their phones, all see the countdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.browser.at_game import SKEW, AtGame
from tests.browser.at_table import texts
from tests.browser.judging import no_rule_broken, nothing_beyond_the_edge
from tests.browser.phones import MARKS

if TYPE_CHECKING:
    from tests.browser.phones import Phones

pytestmark = [*MARKS]

CAKE = "A cake for the café"


class AtSale(AtGame):
    """A person at a table that sells something."""

    async def opens_sale(self, label: str, kind: str = "ASCENDING", **fields: str) -> None:
        """Fill in the form of an auction; fields by their labels."""
        await self.go("auctions")
        await self.seen("open-auction").click()
        dialog = self.page.get_by_role("dialog")
        await dialog.locator("[name=label]").fill(label)
        await dialog.locator("[name=kind]").select_option(kind)
        for name, value in fields.items():
            await dialog.get_by_label(texts("en")[f"sale.{name}"], exact=True).fill(value)
        await dialog.get_by_role("button", name=texts("en")["sale.button"], exact=True).click()

    async def sees_sold(self, text: str) -> None:
        """Wait for a result."""
        await expect(self.seen("sold")).to_contain_text(text, timeout=20_000)


async def at_table(phones: Phones, *, skew_ms: int = 0) -> tuple[AtSale, AtSale, AtSale]:
    """Return a banker, and two players with their cards on their phones."""
    banker = AtSale(await phones("banker"))
    code = await banker.open("classic", ["Anna", "Boris"])
    anna, boris = AtSale(await phones("anna")), AtSale(await phones("boris"))
    if skew_ms:
        await boris.phone.context.add_init_script(SKEW % skew_ms)
        await boris.page.reload()
    for seat, one in enumerate((anna, boris)):
        await one.join(code)
        await one.claim(seat)
    return banker, anna, boris


async def test_a_table_sells(phones: Phones) -> None:
    """Two cards bid, the bank gets the price, the table's history and balances have it."""
    banker, anna, boris = await at_table(phones)
    await banker.opens_sale(CAKE, minimum="20", seconds="10")
    await banker.panel.wait_for()
    for one in (anna, boris):
        await expect(one.seen("tab-auctions")).to_have_attribute("data-running", "1")
        await one.go("auctions")
        await expect(one.panel.locator("h3")).to_have_text(CAKE)
    await expect(banker.seen("bid")).to_be_hidden()  # the banker has no card here
    await anna.bid()
    await boris.sees_lead("Anna leads with $20")
    await boris.bid(75)
    await anna.sees_lead("Boris leads with $75")
    await expect(anna.seen("heard-urgent")).to_contain_text(f"You are outbid on {CAKE}: Boris, $75.")
    await boris.phone.picture("leading")
    for one in (banker, anna, boris):
        await one.sees_sold(f"{CAKE}: sold to Boris for $75.")
        await expect(one.panel).to_have_count(0)
    await expect(boris.seen("heard-urgent")).to_contain_text(f"You have won {CAKE} for $75.")
    await banker.go("board")
    await banker.sees_balance(1, "$1,425")
    await expect(banker.page.locator(".board-view .history")).to_contain_text("Boris pays the bank $75")
    await banker.sees_balance(0, "$1,500")


@pytest.mark.parametrize("skew_ms", [120_000])
async def test_a_phone_whose_clock_is_off(phones: Phones, skew_ms: int) -> None:
    """It counts down as the others do."""
    banker, _, boris = await at_table(phones, skew_ms=skew_ms)
    await banker.opens_sale(CAKE, seconds="60")
    await boris.go("auctions")
    await boris.panel.wait_for()
    await expect(boris.page.locator(".countdown .time")).not_to_be_empty()
    apart = await boris.time_left() - await banker.time_left()
    assert abs(apart) < 1.5
    assert await boris.time_left() > 45


async def test_sealed_bids_are_hidden_from_the_banker_too(phones: Phones) -> None:
    """Neither the amount nor what is on hold; the winner pays the second price (Vickrey)."""
    banker, anna, boris = await at_table(phones)
    await banker.opens_sale(CAKE, "VICKREY", minimum="10", seconds_sealed="8")
    for one in (anna, boris):
        await one.go("auctions")
        await one.panel.wait_for()
    await anna.bid(777)
    await expect(anna.seen("mine")).to_have_text("Your sealed bid of $777 is in. It is final.")
    for other in (banker, boris):
        await other.sees_lead("handed in: Anna")
        await other.go("board")
        await other.sees_balance(0, "$1,500")
        text = await other.page.locator("body").inner_text()
        assert "777" not in text
        assert "723" not in text
        await other.go("auctions")
    await anna.page.reload()
    await expect(anna.seen("mine")).to_have_text("Your sealed bid of $777 is in. It is final.")
    await boris.bid(300)
    await banker.sees_sold(f"{CAKE}: sold to Anna for $300.")
    await banker.go("board")
    await banker.sees_balance(0, "$1,200")


async def test_the_banker_calls_off(phones: Phones) -> None:
    """After a question; what was on hold is free again."""
    banker, anna, _ = await at_table(phones)
    await banker.opens_sale(CAKE, seconds="600")
    await anna.go("auctions")
    await anna.bid(400)
    await banker.sees_lead("Anna leads with $400")
    await expect(anna.seen("cancel")).to_be_hidden()
    await banker.seen("cancel").click()
    await banker.page.get_by_role("dialog").get_by_role("button", name="Call off", exact=True).click()
    await anna.sees_sold(f"{CAKE}: called off.")
    await anna.go("board")
    await anna.sees_balance(0, "$1,500")


async def test_two_at_once_and_what_is_wrong(phones: Phones) -> None:
    """Each with its own countdown and bids; what cannot be opened is said, and opens nothing."""
    banker, anna, _ = await at_table(phones)
    await banker.opens_sale("  ")
    await expect(banker.page.locator("#toasts")).to_contain_text(texts("en")["sale.no_label"])
    dialog = banker.page.get_by_role("dialog")
    await dialog.locator("[name=label]").fill("First")
    await dialog.get_by_role("button", name=texts("en")["sale.button"], exact=True).click()
    await banker.opens_sale("Second", "PENNY", fee="5")
    await anna.go("auctions")
    first, second = anna.seen("auction-1"), anna.seen("auction-2")
    await expect(second).to_contain_text("each bid costs $5")
    await first.locator("[data-testid=bid]").click()
    await expect(first.locator("[data-testid=lead]")).to_contain_text("Anna leads with $10")
    await expect(second.locator("[data-testid=lead]")).to_contain_text("nobody has bid yet")
    await expect(banker.seen("tab-auctions")).to_have_attribute("data-running", "2")
    await banker.opens_sale("Third", seconds="0")
    await expect(banker.page.locator("#toasts")).to_contain_text("close_ms")
    await expect(banker.panel).to_have_count(2)


async def test_the_keyboard_alone(phones: Phones) -> None:
    """The banker opens an auction, bids with a card and calls off, and touches nothing."""
    one = AtSale(await phones("banker", is_mobile=False, has_touch=False))
    await one.open("classic", ["Anna", "Boris"])
    await one.claim(0)
    keyboard = one.page.keyboard
    await one.seen("tab-auctions").focus()
    await keyboard.press("Enter")
    await one.seen("open-auction").focus()
    await keyboard.press("Enter")
    await expect(one.page.locator("dialog [name=label]")).to_be_focused()
    await keyboard.type(CAKE)
    await keyboard.press("Enter")
    await one.panel.wait_for()
    await one.page.locator(".skip").focus()
    await keyboard.press("Enter")
    await keyboard.press("Tab")
    await expect(one.page.locator(".stepper input")).to_be_focused()
    await keyboard.press("Control+A")
    await keyboard.type("55")
    await keyboard.press("Enter")
    await one.sees_lead("Anna leads with $55")
    await one.seen("cancel").focus()
    await keyboard.press("Enter")
    await one.page.get_by_role("dialog").get_by_role("button", name="Call off", exact=True).focus()
    await keyboard.press("Enter")
    await one.sees_sold(f"{CAKE}: called off.")


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_no_rule_of_accessibility_is_broken(phones: Phones, theme: Any) -> None:
    """The form and the panels, as axe sees them; nothing is wider than a small phone."""
    banker = AtSale(await phones("banker", color_scheme=theme))
    await banker.open("classic", ["Anna", "Boris"])
    await banker.claim(0)
    await banker.go("auctions")
    await no_rule_broken(banker, f"none-{theme}")
    await banker.seen("open-auction").click()
    await no_rule_broken(banker, f"form-{theme}")
    await banker.page.keyboard.press("Escape")
    await banker.opens_sale(CAKE, seconds="600")
    await banker.panel.wait_for()
    await no_rule_broken(banker, f"running-{theme}")
    for width, height in ((320, 568), (360, 740), (844, 390)):
        await banker.page.set_viewport_size({"width": width, "height": height})
        await nothing_beyond_the_edge(banker)
        await banker.phone.picture(f"{width}-{theme}")
