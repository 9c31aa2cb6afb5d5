"""The unit of the bank at a game on the page: a seat attaches it, and a card pays what the rules ask."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from playwright.async_api import expect

from magnate.client.session import Session
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2
from tests.browser.at_game import SQUARES, AtGame, Game
from tests.browser.at_table import texts
from tests.browser.judging import no_rule_broken, nothing_beyond_the_edge
from tests.browser.phones import MARKS

if TYPE_CHECKING:
    from tests.browser.phones import Phones

pytestmark = [*MARKS]

OWED = 60


async def in_debt(address: str) -> Game:
    """Begin a game in which Ada owes Boris a rent, and every payment waits for the card."""
    debt = vocabulary_pb2.OpenDebt(
        debtor=0, creditor=1, amount=OWED, lot=-1, reason=vocabulary_pb2.TRANSFER_REASON_RENT
    )
    position = vocabulary_pb2.PositionGiven(
        turn_seat=0,
        phase=vocabulary_pb2.PHASE_DEBT,
        round=1,
        at=[0, 0],
        jailed=[0, 0],
        jail_tries=[0, 0],
        out=[0, 0],
        owner=[-1] * SQUARES,
        level=[0] * SQUARES,
        mortgaged=[0] * SQUARES,
        houses=32,
        hotels=12,
        offered_lot=-1,
        debts=[debt],
    )
    start = game_pb2.StartPosition(position=position, cash=[1500, 1500])
    options = {"start.position_allowed": "true", "debt.payment": "by_card"}
    async with Session(address) as session:
        game_id = await session.create_game(seat_count=2, title="Friday", options=options, start=start)
        tokens = [(await session.join(game_id, name)).token for name in ("Ada", "Boris")]
        await session.start(game_id, tokens[0])
    return Game(address, game_id, tokens)


async def at_unit(phones: Phones, game: Game, name: str, seat: int) -> AtGame:
    """Open a seat of the game on a phone, and press the button that leads to the unit."""
    one = AtGame(await phones(name, game.link(seat)))
    await one.link("live")
    await one.seen("game-unit").click()
    return one


async def test_a_card_pays_at_the_unit_of_a_game(phones: Phones, game_service: str) -> None:
    """One attaches it, both come with their cards; what is owed shows, a key pays it; back to the game."""
    game = await in_debt(game_service)
    boris = await at_unit(phones, game, "boris", 1)
    dialog = boris.page.get_by_role("dialog")
    await dialog.locator("select").select_option("UNIT_MODEL_ONE_SLOT")
    await no_rule_broken(boris, "attach")
    await boris.page.set_viewport_size({"width": 320, "height": 568})
    await nothing_beyond_the_edge(boris)
    await boris.phone.picture("attach")
    await dialog.get_by_role("button", name=texts("en")["game.unit_yes"]).click()
    await boris.seen("card-1").wait_for()
    ada = await at_unit(phones, game, "ada", 0)
    await ada.seen("card-0").click()
    await ada.sees(f"-{OWED}", "owes")
    await ada.phone.picture("owes")
    await ada.press("-")
    await ada.sees(str(1500 - OWED), "booked")
    await boris.sees("", "booked")  # what she has left is not for him
    assert not (await game.view()).debts
    await ada.seen("to-game").click()
    await expect(ada.seen("now")).to_contain_text("Turn 1")
    await expect(ada.seen("seat-0").locator(".bar-sum")).to_have_text("$1,440")


async def presence_becomes(game: Game, seat: int, presence: game_pb2.Presence.ValueType) -> None:
    """Watch as a stranger until a seat is there, or away."""
    async with asyncio.timeout(30), Session(game.address) as session:
        async for update in session.watch(game.game_id):
            if update.standing.seats and update.standing.seats[seat].presence == presence:
                return


async def test_who_has_only_the_unit_open_is_there(phones: Phones, game_service: str) -> None:
    """The page of the unit is opened for itself: the seat comes, and is away when it is closed."""
    game = await in_debt(game_service)
    ada = await at_unit(phones, game, "ada", 0)
    await ada.page.get_by_role("dialog").get_by_role("button", name=texts("en")["game.unit_yes"]).click()
    await ada.seen("card-0").wait_for()
    unit = ada.page.url
    await ada.page.goto("about:blank")
    await presence_becomes(game, 0, game_pb2.PRESENCE_AWAY)
    await ada.page.goto(unit)
    await presence_becomes(game, 0, game_pb2.PRESENCE_CONNECTED)
    newer = AtGame(await phones("laptop", game.link(0)))
    await newer.link("live")
    await ada.page.goto("about:blank")
    await newer.link("live")


async def test_who_only_looks_on_gets_to_no_unit(phones: Phones, game_service: str) -> None:
    """The button is for seats; and who does not say yes has attached nothing."""
    game = await in_debt(game_service)
    looker = AtGame(await phones("looker", game.link()))
    await looker.link("live")
    await expect(looker.seen("seat-0")).to_be_visible()
    await expect(looker.seen("game-unit")).to_be_hidden()
    ada = await at_unit(phones, game, "ada", 0)
    await (
        ada.page.get_by_role("dialog")
        .get_by_role("button", name=texts("en")["dialog.no"], exact=True)
        .click()
    )
    refused = await ada.phone.rpc(
        "magnate.bank.v1.TerminalService/GetTable", {"tableId": game.game_id}, game.tokens[0]
    )
    assert refused["refused"] == "UNKNOWN_TABLE"
