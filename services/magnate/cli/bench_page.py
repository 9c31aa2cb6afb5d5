"""`magnate bench page`: a key pressed on one phone until it shows on another, two pages in a real browser."""

from __future__ import annotations

import asyncio
import shutil
import time
from typing import TYPE_CHECKING, Final

from magnate.cli.output import FAILED, OK, UNREACHABLE, result, say
from magnate.cli.percentile import percentile

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from magnate.cli.stack import Stack

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
WARM_UP_PRESSES: Final = 8
PRESSES_MIN: Final = 20
ECHO_SECONDS_MAX: Final = 10.0
KEYS: Final = "59373C"
"""Four and more digits, then C: the display is different after each."""
_FLAGS: Final = ("--disable-gpu", "--disable-background-networking", "--no-first-run")
# Both pages have the clock of one machine, so a moment of the one can be taken from a moment of the other.
_LISTEN: Final = """() => {
    const now = () => performance.timeOrigin + performance.now();
    document.addEventListener("keydown", () => { window.pressedAt = now(); }, { capture: true });
    const screen = document.querySelector(".screen");
    window.shows = (text) => new Promise((resolve) => {
        const look = () => {
            if (screen.dataset.text !== text) return false;
            requestAnimationFrame(() => resolve(now()));
            return true;
        };
        if (look()) return;
        const watch = new MutationObserver(() => { if (look()) watch.disconnect(); });
        watch.observe(screen, { attributes: true });
    });
}"""


async def bench_page(stack: Stack, seconds: float, *, json_mode: bool) -> int:
    """Press keys on one phone, one after another, and measure until the other has drawn what they did."""
    browser_path = next(filter(None, (shutil.which(name) for name in BROWSERS)), None)
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        browser_path = None
    if browser_path is None:
        say(
            "magnate: bench page needs chromium and the development requirements (make browser)",
            json_mode=True,
        )
        return UNREACHABLE
    say("a table, two phones", json_mode=json_mode)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path, args=[*_FLAGS])
        one, other = await _phones(browser, stack.addresses("gateway")[0])
        await _press(one, other, WARM_UP_PRESSES, 0.0)
        say("pressing", json_mode=json_mode)
        try:
            took = await _press(one, other, PRESSES_MIN, seconds)
        except TimeoutError:
            say(f"magnate: a press did not show within {ECHO_SECONDS_MAX:g} s", json_mode=True)
            return FAILED
        finally:
            await browser.close()
    values = {
        "echo_p50_ms": round(percentile(took, 50), 2),
        "echo_p90_ms": round(percentile(took, 90), 2),
        "echo_p99_ms": round(percentile(took, 99), 2),
        "presses": len(took),
    }
    result(values, json_mode=json_mode)
    return OK


async def _phones(browser: Browser, url: str) -> tuple[Page, Page]:
    """Open a table on one phone, join it on another; return both before the unit, with a card in."""
    pages = [await (await browser.new_context(base_url=url, locale="en-GB")).new_page() for _ in range(2)]
    one, other = pages
    for page in pages:
        await page.goto("/")
    names = one.locator(".players input")
    await names.nth(0).fill("Ada")
    await names.nth(1).fill("Boris")
    await one.locator(".open-form .big").click()
    code = await one.locator("[data-testid=join-code]").inner_text()
    await other.locator("input[name=code]").fill(code)
    await other.locator(".code-line button").click()
    await other.locator("[data-testid=holder-0]").wait_for()
    for page in pages:
        await page.locator("[data-testid=tab-unit]").click()
    await one.locator("[data-testid=card-0]").click()
    await one.locator("[data-testid=SLOT_LEFT]").click()
    for page in pages:
        await page.locator(".screen[data-text='15M']").wait_for()
        await page.evaluate(_LISTEN)
    return one, other


async def _press(one: Page, other: Page, presses: int, seconds: float) -> list[float]:
    """Press at least so many keys for at least so long; return the milliseconds of each."""
    took: list[float] = []
    entry = ""
    end = time.monotonic() + seconds
    while len(took) < presses or time.monotonic() < end or entry:
        key = KEYS[len(took) % len(KEYS)]
        entry = "" if key == "C" else entry + key
        shown = asyncio.create_task(
            other.evaluate("(text) => window.shows(text)", f"+{entry}" if entry else "15M")
        )
        await one.keyboard.press(key)
        at = await asyncio.wait_for(shown, ECHO_SECONDS_MAX)
        took.append(at - await one.evaluate("window.pressedAt"))
    return took
