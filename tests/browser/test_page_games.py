"""A game on the page: two phones bid for a lot, the countdown is the server's, nobody sees what is sealed."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from magnate.client.session import Session
from magnate.rules.v1 import vocabulary_pb2
from tests.browser.at_game import LOT_NAME, AtGame, at_auction
from tests.browser.at_table import texts
from tests.browser.judging import no_rule_broken, nothing_beyond_the_edge
from tests.browser.phones import MARKS
from tests.support.happenings import HAPPENINGS

if TYPE_CHECKING:
    from playwright.async_api import Route

    from tests.browser.at_game import Game
    from tests.browser.phones import Phones

pytestmark = [*MARKS]

APART_SECONDS = 5.0
"""Between two looks on a busy machine; the clocks are two minutes apart."""


async def test_two_phones_bid(phones: Phones, game_service: str) -> None:
    """Each sees the other's bid at once and hears what concerns it; the log says who won."""
    game = await at_auction(game_service, "Ada", "Boris", seconds=12, declined=False)
    ada, boris = await game.opens(phones, "ada", 0), await game.opens(phones, "boris", 1)
    await game.declines()
    await expect(ada.panel.locator("h3")).to_have_text(LOT_NAME)
    await ada.bid(60)
    await boris.sees_lead("Ada leads with $60")
    await expect(ada.seen("mine")).to_have_text("You lead")
    await expect(ada.seen("bid")).to_be_hidden()
    await expect(boris.seen("bid")).to_have_text("Bid $61")
    await boris.page.get_by_role("button", name="More by $5").click()
    await boris.bid()
    await ada.sees_lead("Boris leads with $66")
    await expect(ada.seen("heard-urgent")).to_contain_text("You are outbid on Oriental Avenue: Boris, $66.")
    await expect(boris.seen("heard")).to_contain_text("You lead for Oriental Avenue with $66.")
    await expect(ada.seen("bid")).to_have_text("Bid $67")
    await ada.phone.picture("outbid")
    await expect(boris.panel).to_have_count(0, timeout=20_000)
    await ada.sees_log("Boris wins Oriental Avenue for $66")
    await expect(ada.seen("heard")).to_contain_text("Oriental Avenue: sold to Boris for $66.")
    await expect(boris.page.locator(".cell[data-square='6'][data-owned]")).to_be_visible()


async def test_who_passes_is_out(phones: Phones, game_service: str) -> None:
    """After a question, for it cannot be taken back; everybody sees it."""
    game = await at_auction(game_service, "Ada", "Boris", "Cy")
    ada, boris = await game.opens(phones, "ada", 0), await game.opens(phones, "boris", 1)
    await ada.seen("pass").click()
    await ada.page.get_by_role("dialog").get_by_role("button", name="Pass").click()
    await expect(ada.seen("mine")).to_have_text("You have passed")
    await expect(ada.seen("bid")).to_be_hidden()
    await expect(boris.panel).to_contain_text("passed: Ada")


@pytest.mark.parametrize("skew_ms", [120_000, -120_000])
async def test_the_countdown_is_the_servers(phones: Phones, game_service: str, skew_ms: int) -> None:
    """A phone whose own clock is two minutes off shows what every other phone shows."""
    game = await at_auction(game_service, "Ada", "Boris", seconds=90)
    ada = await game.opens(phones, "ada", 0, skew_ms=skew_ms)
    assert abs(await ada.page.evaluate("Date.now()") / 1000 - time.time() - skew_ms / 1000) < 5
    await expect(ada.page.locator(".countdown .time")).not_to_be_empty()
    assert abs(await ada.time_left() - await left(game)) < APART_SECONDS
    await game.bid(1, 30)
    await ada.sees_lead("Boris leads with $30")
    assert abs(await ada.time_left() - await left(game)) < APART_SECONDS
    assert await ada.time_left() > 85


async def left(game: Game) -> float:
    """Return the seconds until the hammer falls, by the machine that the server runs on."""
    auction = (await game.view()).situation.auctions[0]
    return auction.close_time.ToMilliseconds() / 1000 - time.time()


async def test_a_late_bid_moves_the_end_and_calls_are_heard(phones: Phones, game_service: str) -> None:
    """Going once, going twice; a bid takes the calls back and moves the end by what the rules say."""
    options = {"auction.extend_seconds": "8", "auction.calls_seconds": "3"}
    game = await at_auction(game_service, "Ada", "Boris", seconds=8, options=options, declined=False)
    ada, boris = await game.opens(phones, "ada", 0), await game.opens(phones, "boris", 1)
    await game.declines()
    await game.bid(1, 20)
    await ada.sees_lead("Boris leads with $20")
    await expect(ada.page.locator(".called")).to_have_text("going once", timeout=20_000)
    await expect(boris.seen("heard")).to_contain_text("Oriental Avenue: going once.")
    await expect(ada.page.locator(".called")).to_have_text("going twice")
    before = await ada.time_left()
    await ada.phone.picture("going-twice")
    await ada.bid()
    await boris.sees_lead("Ada leads with $21")
    await expect(boris.page.locator(".called")).to_be_empty()
    assert await boris.time_left() > before + 3
    await expect(boris.panel).to_contain_text("moved")


async def test_a_sealed_bid_is_nobody_elses(phones: Phones, game_service: str) -> None:
    """Others see that it was handed in, not what it is; when all have, the bids are opened for everybody."""
    game = await at_auction(
        game_service, "Ada", "Boris", seconds=15, options={"auction.mode": "sealed"}, declined=False
    )
    ada, boris = await game.opens(phones, "ada", 0), await game.opens(phones, "boris", 1)
    looker = await game.opens(phones, "looker")
    await game.declines()
    await ada.bid(777)
    await expect(ada.seen("mine")).to_have_text("Your sealed bid of $777 is in. It is final.")
    await expect(ada.seen("bid")).to_be_hidden()
    for other in (boris, looker):
        await other.sees_lead("handed in: Ada")
        await expect(other.panel).to_contain_text("bidding: Boris")
        assert "777" not in await other.page.locator("body").inner_text()
        assert "723" not in await other.page.locator("body").inner_text()
    await boris.bid(640)
    await looker.sees_log("the bids were Ada $777, Boris $640")
    await looker.sees_log("Ada wins Oriental Avenue for $777")


async def test_ones_own_sealed_bid_is_known_after_a_reload(phones: Phones, game_service: str) -> None:
    """The server tells it to the seat again, and to nobody else."""
    game = await at_auction(game_service, "Ada", "Boris", options={"auction.mode": "vickrey"})
    ada = await game.opens(phones, "ada", 0)
    await ada.bid(777)
    await expect(ada.seen("mine")).to_have_text("Your sealed bid of $777 is in. It is final.")
    await ada.page.reload()
    await expect(ada.seen("mine")).to_have_text("Your sealed bid of $777 is in. It is final.")
    boris = await game.opens(phones, "boris", 1)
    await boris.sees_lead("handed in: Ada")
    assert "777" not in await boris.page.locator("body").inner_text()


async def test_a_falling_price_is_taken(phones: Phones, game_service: str) -> None:
    """The price falls by itself on both phones; the first to take it has it."""
    options = {"auction.mode": "dutch", "auction.dutch_tick_seconds": "1"}
    game = await at_auction(game_service, "Ada", "Boris", options=options)
    ada, boris = await game.opens(phones, "ada", 0), await game.opens(phones, "boris", 1)
    first = await ada.seen("bid").inner_text()
    assert first.startswith("Take it for $")
    await expect(ada.seen("bid")).not_to_have_text(first)
    await expect(boris.page.locator(".stepper")).to_be_hidden()
    await boris.phone.picture("falling")
    await boris.bid()
    await ada.sees_log("Boris wins Oriental Avenue for $")


async def test_a_ceiling_bids_for_one(phones: Phones, game_service: str) -> None:
    """Up to what was set, which nobody else sees."""
    game = await at_auction(game_service, "Ada", "Boris", options={"auction.proxy": "true"})
    ada, boris = await game.opens(phones, "ada", 0), await game.opens(phones, "boris", 1)
    await ada.page.locator(".proxy summary").click()
    await ada.page.locator(".proxy input").fill("345")
    await ada.seen("proxy-set").click()
    await boris.sees_lead("Ada leads with $1")
    await boris.bid(50)
    await boris.sees_lead("Ada leads with $51")
    assert "345" not in await boris.page.locator("body").inner_text()
    await ada.page.reload()
    await expect(ada.seen("proxied")).to_have_text("Bids are made for you up to $345.")
    await expect(ada.seen("bid")).to_be_hidden()
    await ada.page.locator(".proxy summary").click()
    await ada.page.locator(".proxy input").fill("400")  # who leads may raise it
    await ada.seen("proxy-set").click()
    await expect(ada.seen("proxied")).to_have_text("Bids are made for you up to $400.")
    await ada.seen("proxy-off").click()
    await expect(ada.seen("proxied")).to_be_hidden()
    await boris.bid(300)
    await ada.sees_lead("Boris leads with $300")


async def test_causes_are_told_before_effects(phones: Phones, game_service: str) -> None:
    """Somebody does not buy a lot, and then it goes under the hammer; so everywhere."""
    game = await at_auction(game_service, "Ada", "Boris")
    ada = await game.opens(phones, "ada", 0)
    told = ada.seen("log").locator("li", has_text="does not buy").locator("p")
    await expect(told).to_have_text(
        ["Ada does not buy Oriental Avenue", "Oriental Avenue goes under the hammer"]
    )
    for name, (*parts, expected) in HAPPENINGS.items():
        events = [[{camel(kind): {"seat": 1}} for kind in kinds] for kinds in parts]
        commit = dict(zip(("tableEvents", "events", "auctionEvents"), events, strict=True))
        order = await ada.page.evaluate(
            """async (commit) => {
                const { happened } = await import("/js/game/teller.js");
                return happened(commit).map((event) => Object.keys(event)[0]);
            }""",
            commit,
        )
        assert order == [camel(kind) for kind in expected], name


def camel(name: str) -> str:
    """Return the name of a field as JSON has it."""
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)


async def test_a_refusal_is_said(phones: Phones, game_service: str) -> None:
    """More than there is; what is no amount; nothing changes."""
    game = await at_auction(game_service, "Ada", "Boris")
    ada = await game.opens(phones, "ada", 0)
    await ada.bid(1501)
    await expect(ada.page.locator("#toasts")).to_contain_text(texts("en")["because.BID_EXCEEDS_FUNDS"])
    await ada.page.locator(".stepper input").fill("many")
    await ada.seen("bid").click()
    await expect(ada.page.locator("#toasts")).to_contain_text(texts("en")["auction.bad_amount"])
    await ada.sees_lead("nobody has bid yet")
    assert (await game.view()).situation.auctions[0].leader == -1


async def test_a_bid_through_a_bad_network_acts_once(phones: Phones, game_service: str) -> None:
    """The answer is lost; the same command is sent again, and there is one bid."""
    game = await at_auction(game_service, "Ada", "Boris")
    ada = await game.opens(phones, "ada", 0)
    sent: list[str] = []

    async def lose(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) == 1:
            await route.fetch()
            await route.abort()
        else:
            await route.continue_()

    await ada.page.route("**/magnate.game.v1.GameService/Act", lose)
    await ada.bid(40)
    await expect(ada.seen("mine")).to_have_text("You lead")
    async with asyncio.timeout(10):
        while len(sent) < 2:  # noqa: ASYNC110 - it is sent again by the page, which tells nobody
            await asyncio.sleep(0.02)
    assert len(set(sent)) == 1
    async with ada.page.expect_request("**/GetGame"):
        await game.bid(1, 41)
    await ada.sees_lead("Boris leads with $41")
    log = await ada.seen("log").inner_text()
    assert log.count("Ada bids $40") == 1
    ada.forgive_network()


async def test_a_cut_is_lived_through(phones: Phones, game_service: str) -> None:
    """What happened meanwhile is there when the network is back, once and in order."""
    game = await at_auction(game_service, "Ada", "Boris")
    ada = await game.opens(phones, "ada", 0)
    await ada.phone.network(on=False)
    await ada.link("lost")
    for seat, amount in ((1, 10), (0, 20), (1, 30)):
        await game.bid(seat, amount)
    await ada.phone.network(on=True)
    await ada.sees_lead("Boris leads with $30")
    ada.forgive_network()
    await ada.seen("log").get_by_text("bids $30").first.wait_for()  # the lead is told before what led to it
    log = await ada.seen("log").inner_text()
    places = [log.index(f"bids ${amount}") for amount in (30, 20, 10)]
    assert places == sorted(places)
    assert log.count("Boris bids $30") == 1


async def test_nobody_bids_in_a_pause(phones: Phones, game_service: str) -> None:
    """The falling price stands where it was; when the game goes on it may be taken."""
    options = {"auction.mode": "dutch", "auction.dutch_tick_seconds": "60"}
    game = await at_auction(game_service, "Ada", "Boris", options=options)
    ada = await game.opens(phones, "ada", 0)
    asked = (await ada.seen("bid").inner_text()).removeprefix("Take it for ")
    await ada.sees_lead(f"now {asked}")
    async with Session(game_service) as session:
        await session.pause(game.game_id, game.tokens[1])
        await expect(ada.page.locator(".countdown .time")).to_have_text("paused")
        await ada.sees_lead(f"now {asked}")
        await expect(ada.seen("bid")).to_be_hidden()
        await session.resume(game.game_id, game.tokens[1])
    await expect(ada.seen("bid")).to_have_text(f"Take it for {asked}")


async def test_the_keyboard_alone(phones: Phones, game_service: str) -> None:
    """Skip to the controls, type an amount, Enter bids."""
    game = await at_auction(game_service, "Ada", "Boris")
    phone = await phones("ada", game.link(0), is_mobile=False, has_touch=False)
    ada = AtGame(phone)
    await ada.panel.wait_for()
    await ada.page.keyboard.press("Tab")
    await expect(ada.page.locator(".skip")).to_be_focused()
    await ada.page.keyboard.press("Enter")
    await ada.page.keyboard.press("Tab")
    await expect(ada.page.locator(".stepper input")).to_be_focused()
    await ada.page.keyboard.press("Control+A")
    await ada.page.keyboard.type("88")
    await ada.page.keyboard.press("Enter")
    await ada.sees_lead("Ada leads with $88")


async def test_a_game_ends_with_its_ranking(phones: Phones, game_service: str) -> None:
    """An auction that runs is called off and said so; then who is first."""
    game = await at_auction(game_service, "Ada", "Boris")
    looker = await game.opens(phones, "looker")
    await game.act(1, vocabulary_pb2.Command(resign=vocabulary_pb2.Resign()))
    await expect(looker.seen("ranking").locator("li").first).to_contain_text("Ada")
    await expect(looker.seen("now")).to_have_text("The game is over")
    await expect(looker.seen("heard")).to_contain_text("Oriental Avenue: called off.")
    await expect(looker.panel).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_no_rule_of_accessibility_is_broken(phones: Phones, game_service: str, theme: str) -> None:
    """The game with an auction to bid at, its list of squares, the dialogs, as axe sees them."""
    game = await at_auction(game_service, "Ada", "Boris", seconds=300, options={"auction.proxy": "true"})
    phone = await phones("ada", game.link(0), color_scheme=theme, reduced_motion="reduce")
    ada = AtGame(phone)
    await ada.panel.wait_for()
    await game.bid(1, 30)
    await ada.sees_lead("Boris leads with $30")
    await expect(ada.seen("bid")).to_be_enabled()  # it waits a moment when its amount was raised
    await no_rule_broken(ada, f"auction-{theme}")
    await ada.page.locator(".proxy summary").click()
    await ada.page.locator(".square-list summary").click()
    await no_rule_broken(ada, f"open-{theme}")
    await ada.seen("seat").click()
    await no_rule_broken(ada, f"seat-{theme}")


@pytest.mark.parametrize("language", ["en", "ru", "fr"])
async def test_it_fits_small_phones(phones: Phones, game_service: str, language: str) -> None:
    """Nothing is wider than 320 or 360 pixels, in any language; nor on a desk."""
    game = await at_auction(game_service, "Ada", "Konstantin-Alexandre the Magnificent", seconds=300)
    locale = {"en": "en-GB", "ru": "ru-RU", "fr": "fr-FR"}[language]
    ada = AtGame(await phones("ada", game.link(0), locale=locale))
    await ada.panel.wait_for()
    for width, height in ((320, 568), (360, 740), (844, 390), (1366, 768)):
        await ada.page.set_viewport_size({"width": width, "height": height})
        await nothing_beyond_the_edge(ada)
        await ada.phone.picture(f"{width}-{language}")
