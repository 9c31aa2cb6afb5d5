"""Who comes to a game on the page: spectators, seats, a second device, a token that opens nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.at_game import AtGame, at_auction
from tests.browser.at_table import texts
from tests.browser.phones import MARKS

if TYPE_CHECKING:
    from tests.browser.phones import Phones

pytestmark = [*MARKS]


async def test_a_spectator_sees_and_cannot_bid(phones: Phones, game_service: str) -> None:
    """No buttons, no money where the rules keep it private; a token makes a player of him."""
    game = await at_auction(game_service, "Ada", "Boris")
    looker = await game.opens(phones, "looker")
    await expect(looker.seen("bid")).to_be_hidden()
    await expect(looker.seen("seat-0").locator(".bar-sum")).to_have_text("hidden")
    await looker.seen("seat").click()
    dialog = looker.page.get_by_role("dialog")
    await dialog.locator("select").select_option("1")
    await dialog.locator("input").fill(game.tokens[1])
    await dialog.get_by_role("button", name="Take").click()
    await expect(looker.seen("bid")).to_be_visible()
    await expect(looker.seen("seat-1").locator(".bar-sum")).to_have_text("$1,500")
    await expect(looker.seen("seat-0").locator(".bar-sum")).to_have_text("hidden")
    assert game.tokens[1] not in looker.page.url


async def test_who_is_there_is_seen(phones: Phones, game_service: str) -> None:
    """A phone with a seat's token is there, and away when it is gone; a newer one takes its place."""
    game = await at_auction(game_service, "Ada", "Boris")
    ada, boris = await game.opens(phones, "ada", 0), await game.opens(phones, "boris", 1)
    await expect(ada.seen("seat-1").locator(".seat-more")).to_contain_text("here")
    newer = await game.opens(phones, "boris-again", 1)
    await boris.link("refused")
    await expect(boris.page.locator("#toasts")).to_contain_text(texts("en")["because.SUPERSEDED"])
    await expect(boris.seen("bid")).to_be_hidden()
    await expect(newer.seen("bid")).to_be_visible()
    await newer.page.goto("about:blank")
    await expect(ada.seen("seat-1").locator(".seat-more")).to_contain_text("away", timeout=20_000)


@pytest.mark.parametrize("of", ["another game", "nobody"])
async def test_a_token_that_opens_no_seat(phones: Phones, game_service: str, of: str) -> None:
    """It is said, and not kept: the phone looks on, and takes a seat with a good one."""
    game, other = await at_auction(game_service, "Ada", "Boris"), await at_auction(game_service, "Cy", "Dora")
    token, reason = {
        "another game": (other.tokens[0], "TOKEN_FOR_OTHER_GAME"),
        "nobody": ("rubbish", "TOKEN_MALFORMED"),
    }[of]
    ada = AtGame(await phones("ada", f"/#seat={game.game_id}/0/{token}"))
    await expect(ada.page.locator("#toasts")).to_contain_text(texts("en")[f"because.{reason}"])
    await ada.link("live")
    await expect(ada.page.locator(".countdown .time")).not_to_be_empty()
    await expect(ada.seen("bid")).to_be_hidden()
    await ada.seen("seat").click()
    dialog = ada.page.get_by_role("dialog")
    await dialog.locator("input").fill(game.tokens[0])
    await dialog.locator("input").press("Enter")
    await expect(ada.seen("bid")).to_be_visible()


async def test_a_start_from_the_first_screen(phones: Phones, game_service: str) -> None:
    """A game's id leads to it; what is no id is said; it is in the list next time."""
    game = await at_auction(game_service, "Ada", "Boris")
    ada = AtGame(await phones("ada"))
    await ada.page.locator(".watch-form input").fill("no id!")
    await ada.page.locator(".watch-form button").click()
    await expect(ada.page.locator("#toasts")).to_contain_text(texts("en")["watch.bad_id"])
    await ada.page.locator(".watch-form input").fill(game.game_id)
    await ada.page.locator(".watch-form button").click()
    await ada.panel.wait_for()
    await ada.page.get_by_role("button", name="All tables").click()
    await ada.page.locator(".recent").get_by_role("button", name="Friday").first.click()
    await ada.panel.wait_for()


async def test_an_unknown_game_is_said(phones: Phones) -> None:
    """In words, and the page stays."""
    ada = AtGame(await phones("ada", "/#/game/1-0-000000000000000000000001"))
    await ada.link("refused")
    await expect(ada.page.locator("main")).to_contain_text(texts("en")["because.UNKNOWN_GAME"])


async def test_a_reserve_that_is_used_is_one_clock(phones: Phones, game_service: str) -> None:
    """When the budget is gone the reserve counts down, and is not said a second time."""
    options = {"auction.close_seconds": "2", "timers.roll_seconds": "3", "timers.reserve_seconds": "50"}
    game = await at_auction(game_service, "Ada", "Boris", options=options)
    looker = AtGame(await phones("looker", game.link()))
    clock, more = (looker.seen("seat-0").locator(f".seat-{part}") for part in ("clock", "more"))
    await expect(clock).to_have_text(re.compile(r"^[0-3]\.\d to act$"), timeout=20_000)
    await expect(more).to_contain_text("reserve 0:50")
    await expect(clock).to_have_text(re.compile(r"^reserve 0:4\d to act$"), timeout=20_000)
    await expect(more).not_to_contain_text("reserve")
