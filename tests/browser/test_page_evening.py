"""A family's evening on the page: two phones at one table, and everything a banker does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.async_api import expect

from tests.browser.at_table import LEFT, RIGHT, AtTable, texts
from tests.browser.phones import MARKS

if TYPE_CHECKING:
    from tests.browser.phones import Phones

pytestmark = [*MARKS]


async def seated(
    phones: Phones, edition: str = "e-banking", *, shared: bool = True
) -> tuple[AtTable, AtTable]:
    """Return a banker with the first card and a Russian guest with the second, both before the unit."""
    anna = AtTable(await phones("anna"))
    boris = AtTable(await phones("boris", locale="ru-RU", color_scheme="dark"))
    code = await anna.open(edition, ["Anna", "Boris"], shared=shared)
    await anna.claim(0)
    await boris.join(code)
    await boris.claim(1)
    await anna.go("unit")
    await boris.go("unit")
    return anna, boris


async def test_a_whole_evening_on_two_phones(phones: Phones) -> None:
    """Join, claim, credit, debit, transfer, GO, an overdraft, an undo, the ranking: both see the same."""
    anna, boris = await seated(phones)
    await payments(anna, boris)
    await an_overdraft(boris)
    await an_undo(anna, boris)
    await the_end(anna, boris)


async def payments(anna: AtTable, boris: AtTable) -> None:
    """The bank pays Anna, Boris pays the bank, Boris pays Anna, Anna passes GO."""
    await anna.put(0, LEFT)
    await anna.press("200K")
    for one in (anna, boris):
        await one.sees("+200K", "armed")
    await anna.phone.picture("armed")
    await anna.press("K")
    for one in (anna, boris):
        await one.sees("15.2M", "booked")
    await anna.pull(LEFT)

    await boris.put(1, RIGHT)
    await boris.press("1.5MM")
    for one in (anna, boris):
        await one.sees("13.5M", "booked")

    await anna.put(0, LEFT)
    await boris.press("500K")
    await anna.sees("-500K", "armed")
    await boris.phone.picture("transfer")
    await boris.press("K")
    for one in (anna, boris):
        await one.sees("13M", "booked")
    await boris.pull(RIGHT)

    await anna.press(">")
    await boris.sees("17.7M", "booked")
    await anna.pull(LEFT)


async def an_overdraft(boris: AtTable) -> None:
    """More than there is: the unit says so, and the balance stays."""
    await boris.put(1, RIGHT)
    await boris.press("99MM")
    await boris.sees("13M", "error")
    await expect(boris.screen.locator(".hint")).to_have_text(texts("ru")["because.INSUFFICIENT_FUNDS"])
    await boris.phone.picture("overdraft")
    await boris.pull(RIGHT)


async def an_undo(anna: AtTable, boris: AtTable) -> None:
    """The banker takes the last operation back, and everybody sees it."""
    await anna.go("banker")
    await expect(anna.seen("last-operation")).to_have_text("Anna passes GO: $2M")
    await anna.seen("tool-undo").click()
    await anna.page.get_by_role("dialog").get_by_role("textbox").fill("not past it yet")
    await anna.page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    for one in (anna, boris):
        await one.go("board")
        await expect(one.page.locator("[data-kind=undo]")).to_contain_text("not past it yet")
        await expect(one.page.locator("[data-kind=go] .mark")).to_be_visible()
    await anna.sees_balance(0, "$15.7M")
    await boris.sees_balance(0, "15,7M\u00a0$")
    await boris.sees_balance(1, "13M\u00a0$")
    await anna.phone.picture("undone")


async def the_end(anna: AtTable, boris: AtTable) -> None:
    """The banker closes the table; both see the ranking."""
    await anna.go("banker")
    await anna.seen("tool-close").click()
    await anna.page.get_by_role("dialog").get_by_role("button", name="Close and rank").click()
    for one in (anna, boris):
        places = one.seen("ranking").locator("li")
        await expect(places).to_have_count(2)
        await expect(places.first).to_contain_text("Anna")
        await one.link("closed")


async def test_the_one_slot_unit_pays_from_card_to_card(phones: Phones) -> None:
    """Amount, three persons, the payer out, the receiver in, plus; a card tapped takes the other's place."""
    anna = AtTable(await phones("anna", locale="fr-FR"))
    await anna.open("roubles", ["Anna", "Boris"])
    await anna.go("unit")
    await anna.put(0, LEFT)
    await anna.press("250KT")
    await anna.sees("-250K", "remembered")
    await anna.phone.picture("remembered")
    await anna.seen("card-1").click()
    await anna.sees("+250K", "remembered")
    await anna.press("+")
    await anna.sees("1.75M", "booked")
    await anna.go("board")
    await anna.sees_balance(0, "1,25M\u00a0руб.")


async def test_own_amounts_in_units(phones: Phones) -> None:
    """A table with amounts of one's own: the key M enters what was typed, everybody sees whole units."""
    anna = AtTable(await phones("anna"))
    await anna.page.locator('input[name=edition][value=""]').check()
    await anna.page.locator("input[name=opening]").fill("2 500")
    await anna.page.locator("input[name=currency]").fill("€")
    await anna.open("", ["Anna"])
    await anna.go("unit")
    await anna.put(0, RIGHT)
    await anna.sees("2500", "balance")
    await anna.press("120M")
    await anna.sees("-120", "armed")
    await anna.press("M")
    await anna.sees("2380", "booked")
    await anna.go("board")
    await anna.sees_balance(0, "€2,380")


async def test_amounts_that_are_none_are_named(phones: Phones) -> None:
    """Amounts no bank can count, no names, the same name twice: said in the form, and nothing is opened."""
    anna = AtTable(await phones("anna"))
    said = anna.page.locator("#toasts")
    button = anna.page.locator(".open-form .big")
    await button.click()
    await expect(said).to_contain_text(texts("en")["open.no_players"])
    await anna.page.locator(".players input").nth(0).fill("Anna")
    await anna.page.locator(".players input").nth(1).fill("anna")
    await button.click()
    await expect(said).to_contain_text(texts("en")["open.same_names"])
    await anna.page.locator(".players input").nth(1).fill("Boris")
    await anna.page.locator('input[name=edition][value=""]').check()
    await anna.page.locator("input[name=go]").fill("a lot")
    await button.click()
    await expect(said).to_contain_text("Passing GO pays: this is no amount")
    await expect(anna.seen("join-code")).to_have_count(0)


async def test_what_the_banker_does(phones: Phones) -> None:
    """Pause and go on, one more card, a card retired, a new game: each is seen on the other phone."""
    anna, boris = await seated(phones)
    await anna.go("banker")
    await anna.seen("tool-pause").click()
    await boris.link("paused")
    await expect(boris.screen).to_have_attribute("data-state", "paused")
    await anna.seen("tool-resume").click()
    await boris.link("live")

    await anna.seen("tool-add").click()
    await anna.page.get_by_role("dialog").get_by_role("textbox").fill("Chloé")
    await anna.page.get_by_role("dialog").get_by_role("button", name="Add").click()
    await boris.go("board")
    await boris.sees_balance(2, "15M\u00a0$")

    await anna.go("unit")
    await anna.put(2, LEFT)
    await anna.press(">")
    await boris.sees_balance(2, "17M\u00a0$")
    await anna.pull(LEFT)
    await anna.go("banker")
    await anna.seen("tool-reset").click()
    await anna.page.get_by_role("dialog").get_by_role("button", name="New game").click()
    await boris.sees_balance(2, "15M\u00a0$")

    await anna.seen("banker-card-2").locator("[data-act=retire]").click()
    await anna.page.get_by_role("dialog").get_by_role("button", name="Retire").click()
    await expect(boris.seen("balance-2")).to_have_count(0)


async def test_a_card_goes_to_another_phone_by_its_link_and_its_pin(phones: Phones) -> None:
    """The link has the secret behind `#`, where it does not stay; a card with a PIN asks for it."""
    anna = AtTable(await phones("anna"))
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.claim(1)
    row = anna.seen("holder-1")
    await row.locator("[data-act=pin]").click()
    await anna.page.get_by_role("dialog").get_by_label("New PIN").fill("2468")
    await anna.page.get_by_role("dialog").get_by_role("button", name="OK").click()
    await expect(row.locator(".status")).to_contain_text("with PIN")
    await row.locator("[data-act=qr]").click()
    dialog = anna.page.get_by_role("dialog")
    await dialog.locator(".qr path").wait_for(state="attached")
    link = await dialog.locator(".link-text").input_value()
    await anna.phone.picture("code")

    boris = AtTable(await phones("boris", link.partition(anna.page.url.partition("#")[0].rstrip("/"))[2]))
    asked = boris.page.get_by_role("dialog")
    await asked.get_by_label("PIN").fill("1111")
    assert "#" not in boris.page.url
    await asked.get_by_role("button", name="OK").click()
    await expect(boris.page.locator("#toasts")).to_contain_text(texts("en")["because.WRONG_PIN"])
    await asked.get_by_label("PIN").fill("2468")
    await asked.get_by_role("button", name="OK").click()
    await boris.put(1, LEFT)
    await boris.sees("15M", "balance")


async def test_a_guest_watches_a_unit_that_is_not_shared(phones: Phones) -> None:
    """Only the banker presses; a guest's key is refused in words, and the unit stays as it is."""
    anna, boris = await seated(phones, shared=False)
    await anna.put(0, LEFT)
    await boris.sees("15M", "balance")
    await expect(boris.seen("KEY_5")).to_have_attribute("aria-disabled", "true")
    await boris.seen("KEY_5").dispatch_event("click")
    await expect(boris.page.locator("#toasts")).to_contain_text(texts("ru")["because.NOT_THE_BANKER"])
    await anna.press("7")
    await boris.sees("+7", "entry")


async def test_names_are_never_markup(phones: Phones) -> None:
    """A name with tags in it is shown as it was typed."""
    name = "<img src=x onerror=alert(1)>"
    anna = AtTable(await phones("anna"))
    await anna.open("classic", [name, "Boris"])
    await expect(anna.seen("holder-0").locator(".name")).to_have_text(name)
    await anna.go("board")
    await expect(anna.seen("balance-0")).to_contain_text(name)
    assert await anna.page.locator("img").count() == 0


async def test_a_card_is_carried_into_a_slot(phones: Phones) -> None:
    """Dragging a card onto a slot puts it in; letting it go elsewhere does nothing."""
    anna = AtTable(await phones("anna", is_mobile=False, has_touch=False))
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.go("unit")
    await anna.seen("card-1").drag_to(anna.screen)
    await anna.seen("card-1").drag_to(anna.seen(RIGHT))
    await anna.sees("15M", "balance")
    await expect(anna.seen(RIGHT).locator(".name")).to_have_text("Boris")
    assert not await anna.is_in(LEFT)


async def test_holding_c_begins_a_new_game(phones: Phones) -> None:
    """C pressed clears; C held until the unit beeps gives everybody the opening amount."""
    anna = AtTable(await phones("anna", is_mobile=False, has_touch=False))
    await anna.open("e-banking", ["Anna", "Boris"])
    await anna.go("unit")
    await anna.put(0, LEFT)
    await anna.seen("KEY_ARROW").click()
    await anna.sees("17M", "booked")
    await anna.seen("KEY_CLEAR").click()
    await anna.sees("17M", "balance")
    await anna.seen("KEY_CLEAR").hover()
    await anna.page.mouse.down()
    await anna.sees("15M", "reset")
    await anna.page.mouse.up()
    await anna.sees("15M", "reset")


async def test_the_unit_sounds_as_loud_as_it_is_set(phones: Phones) -> None:
    """Every phone sounds what the unit sounded; at volume 0, or with sounds off, none does."""
    anna, boris = await seated(phones)
    count = "globalThis.tones ?? 0"
    for one in (anna, boris):
        await one.page.evaluate(
            """() => {
                const make = AudioContext.prototype.createOscillator;
                AudioContext.prototype.createOscillator = function () {
                    globalThis.tones = (globalThis.tones ?? 0) + 1;
                    return make.call(this);
                };
            }"""
        )
    await boris.press("5")
    await boris.press("7")
    await boris.sees("7", "entry")
    await boris.page.wait_for_function("globalThis.tones > 0")
    await boris.press("C..")
    await boris.sees("0", "volume")
    loud = await boris.page.evaluate(count)
    await boris.press("8")
    await boris.sees("8", "entry")
    assert await boris.page.evaluate(count) == loud


async def test_a_table_without_a_unit_has_accounts_alone(phones: Phones) -> None:
    """Who wants only the ledger sees cards, balances and history, and no view of a unit."""
    anna = AtTable(await phones("anna"))
    await anna.open("classic", ["Anna", "Boris"], model="UNIT_MODEL_NONE")
    await expect(anna.seen("tab-unit")).to_be_hidden()
    await anna.go("board")
    await anna.sees_balance(1, "$1,500")
    await anna.page.reload()
    await anna.sees_balance(1, "$1,500")
