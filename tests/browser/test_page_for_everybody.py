"""The page for everybody: by keyboard, by screen reader, in three languages, on any screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from tests.browser.at_table import LANGUAGES, LEFT, AtTable, texts
from tests.browser.judging import no_rule_broken
from tests.browser.phones import MARKS

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.phones import Phones

pytestmark = [*MARKS]

TOUCH_PIXELS = 44
TABS_MAX = 40
TWO_SLOT = [*"7894561230", "POINT", "M", "K", "CLEAR", "ARROW"]
ONE_SLOT = [*TWO_SLOT, "PLUS", "MINUS", "THREE"]
SCREENS = {
    "phone": (390, 844),
    "small": (320, 568),
    "short": (375, 553),
    "side": (844, 390),
    "small-side": (667, 331),
    "tablet": (820, 1180),
    "desk": (1366, 768),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("edition", "keys"), [("e-banking", TWO_SLOT), ("roubles", ONE_SLOT)])
async def test_every_key_slot_and_card_has_a_name(
    phones: Phones, language: str, edition: str, keys: list[str]
) -> None:
    """The accessibility tree has each of them once, as a button with a name in the person's language."""
    said = texts(language)
    anna = AtTable(await phones("anna", locale=language))
    await anna.open(edition, ["Anna", "Boris"])
    await anna.go("unit")
    group = anna.page.get_by_role("group", name=said["unit.keys"], exact=True)
    await expect(group.get_by_role("button")).to_have_count(len(keys))
    for key in keys:
        await expect(group.get_by_role("button", name=said[f"key.KEY_{key}"], exact=True)).to_have_count(1)
    for card in ("Anna", "Boris"):
        await expect(anna.page.get_by_role("button", name=f"{card}, 1")).to_be_visible()
    slot = said["slot.SLOT_LEFT"] if edition == "e-banking" else said["slot.only"]
    await expect(anna.page.get_by_role("button", name=f"{slot}: {said['slot.empty']}")).to_be_visible()
    await expect(anna.page.get_by_role("navigation", name=said["nav.label"])).to_be_visible()


async def test_the_display_is_spoken(phones: Phones) -> None:
    """A live region says in words what the digits show, whose money it is, and what to do next."""
    anna = AtTable(await phones("anna"))
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.go("unit")
    spoken = anna.screen.get_by_role("status")
    await expect(spoken).to_have_attribute("aria-live", "polite")
    await anna.put(0, LEFT)
    await expect(spoken).to_contain_text("Anna, balance, 15 million")
    await anna.press("200K")
    await expect(spoken).to_contain_text("Anna, confirm, plus 200 thousand, Bank pays Anna.")
    await anna.press("5")
    await expect(spoken).to_contain_text("error")
    await expect(spoken).to_contain_text(texts("en")["because.KEY_OUT_OF_ORDER"])


async def test_an_evening_with_the_keyboard_alone(phones: Phones) -> None:
    """Open a table, put a card in, pay, clear, take it out, change the view: without a pointer."""
    anna = AtTable(await phones("anna", is_mobile=False, has_touch=False))
    page = anna.page
    await reach(page, ".players input")
    await page.keyboard.type("Anna")
    await reach(page, ".players li:nth-child(2) input")
    await page.keyboard.type("Boris")
    await reach(page, ".open-form .big")
    await page.keyboard.press("Enter")
    await anna.seen("join-code").wait_for()
    await reach(page, "[data-testid=tab-unit]")
    await page.keyboard.press("Enter")
    await anna.seen("card-0").wait_for()

    await page.keyboard.press("ArrowDown")
    await expect(anna.seen("card-0")).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await anna.sees("15M", "balance")
    for key in ("1", ".", "5", "m"):
        await page.keyboard.press(key)
    await anna.sees("+1.5M", "armed")
    await page.keyboard.press("m")
    await anna.sees("16.5M", "booked")
    await page.keyboard.press("ArrowLeft")
    await expect(anna.seen(LEFT).locator(".face")).to_have_count(0)

    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await expect(anna.seen("card-1")).to_be_focused()
    await page.keyboard.press("ArrowRight")
    await anna.sees("15M", "balance")
    await page.keyboard.press("3")
    await page.keyboard.press("c")
    await anna.sees("15M", "balance")
    await reach(page, "[data-testid=KEY_7]")
    await page.keyboard.press("Space")
    await anna.sees("-7", "entry")
    await page.keyboard.press("ArrowRight")
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("c")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowLeft")


async def test_the_arrow_key_by_enter_and_the_held_c(phones: Phones) -> None:
    """Enter is the arrow unless a control has the focus; C held begins a new game; keys can be off."""
    anna = AtTable(await phones("anna", is_mobile=False, has_touch=False))
    page = anna.page
    await anna.open("e-banking", ["Anna"])
    await anna.go("unit")
    await anna.put(0, LEFT)
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("Enter")
    await anna.sees("17M", "booked")
    await page.keyboard.down("c")
    await anna.sees("15M", "reset")
    await page.keyboard.up("c")

    await anna.seen("settings").click()
    await page.get_by_label(texts("en")["settings.shortcuts"]).uncheck()
    await page.keyboard.press("Escape")
    await page.keyboard.press("5")
    await anna.seen("KEY_6").click()
    await anna.sees("+6", "entry")


async def reach(page: Page, wanted: str) -> None:
    """Press Tab until the element has the focus, which must be seen on it."""
    for _ in range(TABS_MAX):
        if await page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            look = await page.evaluate(
                "(({ outlineStyle, outlineWidth }) => `${outlineStyle} ${outlineWidth}`)"
                "(getComputedStyle(document.activeElement))"
            )
            assert look == "solid 3px"
            return
        await page.keyboard.press("Tab")
    pytest.fail(f"{wanted} is not reached by Tab")


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_no_rule_of_accessibility_is_broken(phones: Phones, theme: Any) -> None:
    """Every view and dialog, in both themes: names, roles, contrast, as axe sees them."""
    anna = AtTable(await phones("anna", color_scheme=theme))
    await no_rule_broken(anna, "start")
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.claim(0)
    await no_rule_broken(anna, "cards")
    await anna.go("unit")
    await no_rule_broken(anna, "off")
    await anna.put(0, LEFT)
    await anna.press("200K")
    await anna.sees("+200K", "armed")
    await no_rule_broken(anna, "armed")
    await anna.press("K")
    await anna.sees("15.2M", "booked")
    await no_rule_broken(anna, "booked")
    await anna.press("K")
    await anna.sees("15.2M", "error")
    await no_rule_broken(anna, "error")
    await anna.go("banker")
    await no_rule_broken(anna, "banker")
    await anna.seen("tool-undo").click()
    await no_rule_broken(anna, "dialog")
    await anna.page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    await anna.go("board")
    await anna.page.locator("[data-kind=undo]").wait_for()
    await no_rule_broken(anna, "board")
    await anna.seen("settings").click()
    await no_rule_broken(anna, "settings")


@pytest.mark.parametrize("edition", ["e-banking", "roubles"])
async def test_the_unit_fits_any_screen(phones: Phones, edition: str) -> None:
    """Nothing scrolls, nothing lies on anything, and whatever is touched is large enough for a finger."""
    anna = AtTable(await phones("anna"))
    await anna.open(edition, ["Anna", "Boris", "Chloé", "Dmitri"])
    await anna.go("unit")
    await anna.put(3, LEFT)
    for screen, (width, height) in SCREENS.items():
        await anna.page.set_viewport_size({"width": width, "height": height})
        assert await anna.page.evaluate(MISFITS, TOUCH_PIXELS) == [], screen
        await anna.phone.picture(screen)


async def test_no_view_is_wider_than_the_screen(phones: Phones) -> None:
    """Views may be long, but nobody has to push them sideways."""
    wide = "[...document.querySelectorAll('html, main')].some((one) => one.scrollWidth > innerWidth)"
    anna = AtTable(await phones("anna", locale="ru-RU"))
    await anna.page.locator(".open-form").wait_for()
    for width, height in SCREENS.values():
        await anna.page.set_viewport_size({"width": width, "height": height})
        assert not await anna.page.evaluate(wide)
    await anna.open("roubles", ["Александр Константинопольский", "Мария-Антуанетта Вишневецкая"])
    for view in ("cards", "board", "banker", "unit"):
        await anna.go(view)
        for screen, (width, height) in SCREENS.items():
            await anna.page.set_viewport_size({"width": width, "height": height})
            assert not await anna.page.evaluate(wide), f"{view} {screen}"


async def test_the_language_of_the_browser_and_the_chosen_one(phones: Phones) -> None:
    """The page speaks as the browser wishes, then as the person chose, here and after a reload."""
    anna = AtTable(await phones("anna", locale="fr-CA"))
    html = anna.page.locator("html")
    await expect(html).to_have_attribute("lang", "fr")
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.go("unit")
    for language in ("ru", "en", "fr", "ru"):
        await anna.seen("settings").click()
        await anna.seen("language").select_option(language)
        await expect(html).to_have_attribute("lang", language)
        await anna.page.keyboard.press("Escape")
        await expect(anna.seen("tab-board")).to_have_text(texts(language)["nav.board"])
        await expect(anna.screen.locator(".hint")).to_have_text(texts(language)["hint.off"])
    await anna.page.reload()
    await expect(anna.seen("tab-board")).to_have_text(texts("ru")["nav.board"])


async def test_a_browser_with_another_language_gets_english(phones: Phones) -> None:
    """Who speaks none of the three is not left with keys of texts."""
    anna = AtTable(await phones("anna", locale="ja-JP"))
    await expect(anna.page.locator("html")).to_have_attribute("lang", "en")
    await expect(anna.page.locator("h1")).to_have_text(texts("en")["app.title"])


async def test_dark_and_light_by_choice(phones: Phones) -> None:
    """A chosen theme holds against the system's, also after a reload and before the first paint."""
    anna = AtTable(await phones("anna", color_scheme="dark"))
    paper = "getComputedStyle(document.querySelector('.panel')).backgroundColor"
    await anna.page.locator(".panel").first.wait_for()
    dark = await anna.page.evaluate(paper)
    await anna.seen("settings").click()
    await anna.seen("theme").select_option("light")
    light = await anna.page.evaluate(paper)
    assert light != dark
    await anna.page.reload()
    await anna.page.locator(".panel").first.wait_for()
    assert await anna.page.evaluate(paper) == light


MISFITS = """(least) => {
    const wrong = [];
    const box = (element) => element.getBoundingClientRect();
    const within = (one, all) =>
        one.left > all.left - 1 && one.top > all.top - 1 &&
        one.right < all.right + 1 && one.bottom < all.bottom + 1;
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (const one of [document.documentElement, document.querySelector("main")]) {
        if (one.scrollHeight > one.clientHeight) wrong.push(`${one.tagName} scrolls`);
        if (one.scrollWidth > one.clientWidth) wrong.push(`${one.tagName} scrolls sideways`);
    }
    for (const one of document.querySelectorAll(".key, .slot, .tray-card, .tab, .round")) {
        if (!one.offsetParent) continue;
        const name = one.dataset.testid ?? one.className;
        const { width, height } = box(one);
        if (Math.min(width, height) < least - 0.5) wrong.push(`${name} is ${width} by ${height}`);
        if (!within(box(one), screen)) wrong.push(`${name} is outside`);
    }
    const shell = box(document.querySelector(".shell"));
    for (const one of document.querySelectorAll(".key, .screen")) {
        if (!within(box(one), shell)) wrong.push(`${one.className} leaves the shell`);
    }
    const hand = box(document.querySelector(".tray"));
    if (hand.top < shell.bottom - 1 && hand.left < shell.right - 1) wrong.push("the cards lie on the unit");
    const { width, height } = box(document.querySelector(".segments"));
    if (width < 110 || height < 28) wrong.push(`digits are ${width} by ${height}`);
    return wrong;
}"""
