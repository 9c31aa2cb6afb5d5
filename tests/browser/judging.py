"""What holds of every view: no rule of accessibility is broken, nothing lies beyond the screen's edge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from axe_playwright_python.async_playwright import Axe

if TYPE_CHECKING:
    from tests.browser.at_table import AtTable

AXE: Final = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
BEYOND: Final = """() => {
    const seen = (element) => element.checkVisibility() && !element.closest(".only-heard");
    return [...document.querySelectorAll("main *, header *")]
        .filter((element) => seen(element) && element.getBoundingClientRect().right > innerWidth + 0.5)
        .map((element) => element.outerHTML.slice(0, 120));
}"""


async def no_rule_broken(one: AtTable, moment: str) -> None:
    """Let axe judge the page as it is, once it is there; motion is over first."""
    await one.page.locator("h1").first.wait_for(state="attached")
    await one.page.evaluate(
        "Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))"
    )
    found = await Axe().run(one.page, options=AXE)
    broken = [
        f"{each['id']}: {each['help']} {[node['html'][:120] for node in each['nodes'][:3]]}"
        for each in found.response["violations"]
    ]
    await one.phone.picture(moment)
    assert not broken, f"{moment}: {json.dumps(broken, indent=1)}"


async def nothing_beyond_the_edge(one: AtTable) -> None:
    """See that the page is no wider than its screen."""
    assert await one.page.evaluate(BEYOND) == []
    assert await one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
