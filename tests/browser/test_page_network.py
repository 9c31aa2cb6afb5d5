"""The page and a bad network: reloads, cuts, answers that are lost. Nothing is lost, nothing is doubled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.async_api import expect

from tests.browser.at_table import LEFT, RIGHT, AtTable
from tests.browser.phones import MARKS

if TYPE_CHECKING:
    from playwright.async_api import Route

    from tests.browser.phones import Phones

pytestmark = [*MARKS]

OPERATE = "**/magnate.bank.v1.TerminalService/Operate"


async def at_the_unit(phones: Phones) -> AtTable:
    """Return a banker before the unit of a table of two."""
    anna = AtTable(await phones("anna"))
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.go("unit")
    return anna


async def joined(phones: Phones, anna: AtTable) -> AtTable:
    """Return a guest before the same unit."""
    await anna.go("cards")
    code = await anna.seen("join-code").inner_text()
    await anna.go("unit")
    boris = AtTable(await phones("boris"))
    await boris.join(code)
    await boris.go("unit")
    return boris


async def test_a_reload_in_the_middle_of_an_amount(phones: Phones) -> None:
    """Card, amount and rights are still there; the next key goes on from them."""
    anna = await at_the_unit(phones)
    await anna.put(1, RIGHT)
    await anna.press("60M")
    await anna.sees("-60M", "armed")
    await anna.press("C")
    await anna.press("600K")
    await anna.sees("-600K", "armed")
    await anna.page.reload()
    await anna.sees("-600K", "armed")
    await anna.press("K")
    await anna.sees("14.4M", "booked")
    await anna.go("banker")
    await expect(anna.seen("last-operation")).to_have_text("Boris pays the bank $600K")


async def test_presses_made_without_a_network_arrive_once_and_in_order(phones: Phones) -> None:
    """They wait where one sees them, over a reload of the page too, and go out when the network is back."""
    anna = await at_the_unit(phones)
    boris = await joined(phones, anna)
    await anna.put(0, LEFT)
    await boris.sees("15M", "balance")
    await boris.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    await boris.phone.network(on=False)
    await boris.link("lost")
    place = await boris.seen("KEY_K").bounding_box()
    await boris.press("12.5")
    await expect(boris.page.locator(".queue kbd")).to_have_text("1 2 . 5")
    assert await boris.seen("KEY_K").bounding_box() == place, "keys moved under the finger"
    await boris.phone.picture("waiting")
    await boris.page.reload()
    await boris.link("lost")
    await boris.sees("15M", "balance")
    await expect(boris.page.locator(".queue kbd")).to_have_text("1 2 . 5")
    await anna.press("7")
    await anna.sees("+7", "entry")
    await anna.press("C")
    await anna.sees("15M", "balance")

    await boris.phone.network(on=True)
    for one in (anna, boris):
        await one.sees("+12.5", "entry")
    await expect(boris.page.locator(".queue")).to_be_hidden()
    await boris.link("live")
    boris.forgive_network()


async def test_what_waits_can_be_thrown_away(phones: Phones) -> None:
    """A press that is no longer wanted when the network is back is not sent."""
    anna = await at_the_unit(phones)
    await anna.press("0")  # the first key only wakes the unit
    await anna.sees("", "idle")
    await anna.phone.network(on=False)
    await anna.link("lost")
    await anna.press("99")
    await anna.page.get_by_role("button", name="Discard").click()
    await expect(anna.page.locator(".queue")).to_be_hidden()
    await anna.phone.network(on=True)
    await anna.link("live")
    await anna.press("4")
    await anna.sees("4", "entry")
    anna.forgive_network()


async def test_an_answer_that_is_lost_doubles_nothing(phones: Phones) -> None:
    """The bank books, the answer never comes: the same command is sent again, and its money moves once."""
    anna = await at_the_unit(phones)
    await anna.put(0, LEFT)
    sent: list[Any] = []

    async def lose_first(route: Route) -> None:
        sent.append(route.request.post_data_json)
        if len(sent) == 1:
            await route.fetch()
            await route.abort("connectionreset")
        else:
            await route.continue_()

    await anna.page.route(OPERATE, lose_first)
    await anna.press(">")
    await anna.sees("17M", "booked")
    await anna.pull(LEFT)
    assert sent[0] == sent[1]
    await anna.go("board")
    await expect(anna.page.locator("[data-kind=go]")).to_have_count(1)
    await anna.sees_balance(0, "$17M")
    anna.forgive_network()


async def test_a_service_that_is_away_is_asked_again(phones: Phones) -> None:
    """503 is no answer: the press waits and arrives when the service is back, unchanged."""
    anna = await at_the_unit(phones)
    await anna.put(0, LEFT)
    sent: list[Any] = []

    async def away(route: Route) -> None:
        sent.append(route.request.post_data_json)
        if len(sent) <= 2:
            await route.fulfill(status=503, body="")
        else:
            await route.continue_()

    await anna.page.route(OPERATE, away)
    await anna.press("8")
    await anna.sees("+8", "entry")
    assert len(sent) == 3
    assert sent[0] == sent[1] == sent[2]
    anna.forgive_network()


async def test_a_stream_that_is_cut_is_taken_up_again(phones: Phones) -> None:
    """The page watches again from the version it knows, so that no operation is missing or told twice."""
    anna = await at_the_unit(phones)
    boris = await joined(phones, anna)
    asked: list[Any] = []
    boris.page.on("request", lambda one: asked.append(one.post_data) if "WatchTable" in one.url else None)
    await anna.put(0, LEFT)
    await anna.press("1MM")
    await boris.sees("16M", "booked")
    await boris.phone.network(on=False)
    await boris.link("lost")
    await anna.press("C")
    await anna.press("2MM")
    await anna.sees("18M", "booked")
    await boris.phone.network(on=True)
    await boris.sees("18M", "booked")
    await boris.go("board")
    await expect(boris.page.locator("[data-kind=credit]")).to_have_count(2)
    await expect(boris.page.locator("[data-kind=open]")).to_have_count(1)
    assert '"afterVersion":"0"' not in asked[-1]
    boris.forgive_network()


async def test_two_pages_of_one_phone_send_a_press_once(phones: Phones) -> None:
    """What waits belongs to the phone: whichever page sends it first, it has one effect."""
    anna = await at_the_unit(phones)
    await anna.put(0, LEFT)
    other = await anna.phone.context.new_page()
    await other.goto(anna.page.url)
    await other.locator(".screen[data-text='15M']").wait_for()
    await anna.page.bring_to_front()
    await anna.phone.network(on=False)
    await anna.link("lost")
    await anna.press("35")
    await anna.phone.network(on=True)
    await anna.sees("+35", "entry")
    await other.locator(".screen[data-text='+35']").wait_for()
    await anna.press("K")
    await anna.sees("+35K", "armed")
    anna.forgive_network()


async def test_a_table_that_this_phone_may_not_see(phones: Phones) -> None:
    """A token that does not hold is said once, in words, and is not tried for ever."""
    anna = await at_the_unit(phones)
    await anna.page.evaluate(
        """() => {
            const name = Object.keys(localStorage).find((one) => one.startsWith("magnate.table."));
            const entry = JSON.parse(localStorage.getItem(name));
            localStorage.setItem(name, JSON.stringify({ ...entry, banker: "t1.spoilt" }));
        }"""
    )
    await anna.page.reload()
    await anna.link("refused")
    await expect(anna.page.locator("#toasts")).not_to_be_empty()
