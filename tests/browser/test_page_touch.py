"""The touch unit as it is drawn: what a Frame says is shown, what is tapped becomes the API's actions.

The view is put on the page with a table of this test's own; games on it are tested where they are hosted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from tests.browser.at_table import LANGUAGES, AtTable, texts
from tests.browser.phones import MARKS

if TYPE_CHECKING:
    from tests.browser.phones import Phones

pytestmark = [*MARKS]

ANYTHING = ["card", "deed", "event", "m"]
SCREENS = [(390, 844), (375, 667), (375, 553), (844, 390), (667, 331)]


def frame(state: str, expects: list[str], **values: Any) -> dict[str, Any]:
    """Return a Frame as JSON has it; nobody's and nowhere unless said."""
    return {"state": state, "expects": expects, "seat": -1, "owner": -1, "square": -1, **values}


FRAMES = [
    (frame("idle", ANYTHING), "idle.touch"),
    (frame("query", ["card", "cross"], text="280", seat=1, owner=1, square=24, level=2), "query.owned_card"),
    (frame("query", ["cross"], text="260", square=24), "query.free"),
    (frame("offer", ["tick", "cross", "m"], text="260", sign="-", seat=0, square=24), "offer.buy"),
    (frame("offer", ["tick", "cross"], text="260", sign="+", seat=0, owner=0, square=24), "offer.return"),
    (frame("offer", ["tick", "cross"], text="100", sign="-", seat=0), "offer.jail"),
    (frame("choose", ["card", "cross"], text="200", sign="+"), "choose.go"),
    (frame("choose", ["deed", "cross"], text="100", sign="-", seat=0), "choose.location"),
    (frame("choose", ["deed"], seat=0), "choose.deed"),
    (frame("choose", ["card"], seat=0), "choose.card"),
    (frame("event", ["event"], seat=0), "event.which"),
    (frame("event", ["card", "cross"]), "event.whose"),
    (frame("auction", ["card"], text="140", seat=1, square=24), "auction"),
    (frame("owes", ["card", "deed", "m"], text="280", sign="-", seat=0), "owes.touch"),
    (frame("booked", ANYTHING, text="280", sign="-", seat=0, owner=1), "booked.paid"),
    (frame("booked", ANYTHING, text="280", sign="-", seat=0), "booked.paid_bank"),
    (frame("booked", ANYTHING, text="200", sign="+", seat=0), "booked.got"),
    (frame("ranking", ["m"], text="2480", seat=0), "ranking"),
]
MOUNT = """async () => {
    const { readTable } = await import("/js/api.js");
    const { UnitView } = await import("/js/unit/unit.js");
    const names = ["Anna", "Boris", "Chloé"];
    const cards = names.map((name, seat) => ({ cardId: `C${seat}`, seat, name, balance: "1500" }));
    const table = readTable({ tableId: "t", model: "UNIT_MODEL_TOUCH", cards, unit: {} });
    window.done = [];
    window.live = {
        table, link: "live", mayPress: true, usableCards: table.cards, outbox: { waiting: [] },
        seat: (seat) => table.cards.find((card) => card.seat === seat),
        card: (cardId) => table.cards.find((card) => card.cardId === cardId),
        holds: () => true, secretFor: () => "", operate: (action) => window.done.push(action),
    };
    window.view = new UnitView(window.live, () => {});
    const main = document.createElement("main");
    const heading = document.createElement("h1");
    heading.className = "only-heard";
    heading.textContent = "Bank";
    main.className = "main";
    main.append(heading, window.view.element);
    const app = document.getElementById("app");
    app.className = "app at-table";
    app.replaceChildren(main);
}"""
SHOW = """async (frame) => {
    const { readUnit } = await import("/js/api.js");
    window.live.table.unit = readUnit({ frame, volume: 2 });
    window.view.update();
}"""


async def mounted(phones: Phones, **context: Any) -> AtTable:
    """Return a phone that shows a touch unit and notes what is done to it."""
    anna = AtTable(await phones("anna", **context))
    await anna.page.locator(".open-form").wait_for()
    await anna.page.evaluate(MOUNT)
    return anna


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_frame_says_what_to_do(phones: Phones, language: str) -> None:
    """Each thing that the unit may wait for has its own words, with names filled in."""
    anna = await mounted(phones, locale=language)
    names = {"{name}": "Anna", "{owner}": "Boris", "{level}": "2"}
    for shown, key in FRAMES:
        await anna.page.evaluate(SHOW, shown)
        words = texts(language)[f"hint.{key}"]
        if shown["seat"] == 1:
            words = words.replace("{name}", "Boris")
        words = words.replace("{square}", texts(language)["touch.number"].replace("{number}", "16"))
        for name, filled in names.items():
            words = words.replace(name, filled)
        await expect(anna.screen.locator(".hint")).to_have_text(words)
        await anna.sees(f"{shown.get('sign', '')}{shown.get('text', '')}", shown["state"])


async def test_what_is_asked_for_comes_to_the_front(phones: Phones) -> None:
    """When only one kind can be tapped it shows; when several can, the person's choice stays."""
    anna = await mounted(phones)
    deeds, cards = anna.page.locator(".deeds"), anna.page.locator(".tray")
    await anna.page.evaluate(SHOW, frame("choose", ["deed", "cross"], seat=0))
    await expect(deeds).to_be_visible()
    await expect(cards).to_be_hidden()
    await anna.page.evaluate(SHOW, frame("idle", ANYTHING))
    await expect(deeds).to_be_visible()
    await anna.page.evaluate(SHOW, frame("query", ["card", "cross"], square=24))
    await expect(cards).to_be_visible()
    await expect(anna.page.locator("[data-square='24']")).to_have_attribute("aria-current", "true")


async def test_taps_become_actions(phones: Phones) -> None:
    """A card, a deed, a deed that is only looked at, a square, an event, a key."""
    anna = await mounted(phones)
    await anna.seen("card-1").tap()
    await anna.seen("kind-deed").tap()
    deed = anna.page.get_by_role("button", name="Deed 16, yellow")
    await deed.tap()
    await anna.page.get_by_role("button", name="Only look").tap()
    await deed.tap()
    await deed.tap()
    await anna.seen("kind-square").tap()
    await anna.page.get_by_role("button", name="Location, square 7").tap()
    await anna.seen("kind-event").tap()
    await anna.page.locator(".event").nth(7).tap()
    await anna.seen("KEY_TICK").tap()
    assert await anna.page.evaluate("window.done") == [
        {"tapCard": {"cardId": "C1"}},
        {"tapDeed": {"square": 24}},
        {"tapDeed": {"square": 24, "query": True}},
        {"tapDeed": {"square": 24}},
        {"tapDeed": {"square": 7}},
        {"tapEvent": {"card": "ev08"}},
        {"press": {"key": "KEY_TICK"}},
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_touch_unit_fits_and_breaks_no_rule(phones: Phones, theme: Any) -> None:
    """On each screen all that is tapped is large enough and inside; axe finds nothing."""
    anna = await mounted(phones, color_scheme=theme)
    await anna.page.evaluate(SHOW, FRAMES[1][0])
    for kind in ("card", "deed", "square", "event"):
        await anna.seen(f"kind-{kind}").tap()
        found = await Axe().run(anna.page, options={"resultTypes": ["violations"]})
        assert [one["id"] for one in found.response["violations"]] == [], kind
        for width, height in SCREENS:
            await anna.page.set_viewport_size({"width": width, "height": height})
            assert await anna.page.evaluate(SMALL) == [], f"{kind} {width}x{height}"
        await anna.page.set_viewport_size({"width": 390, "height": 844})
        await anna.phone.picture(kind)


SMALL = """() => [...document.querySelectorAll(".key, .deed, .look, .square, .kind, .tray-card, .event")]
    .filter((one) => one.offsetParent)
    .map((one) => [one.textContent, one.getBoundingClientRect(), one.classList.contains("event")])
    .filter(([, box, scrolls]) => Math.min(box.width, box.height) < 43.5 || box.right > innerWidth ||
        (!scrolls && box.bottom > innerHeight))
    .map(([text, box]) => `${text} ${box.width}x${box.height} ${box.right},${box.bottom}`)"""
