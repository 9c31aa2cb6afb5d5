"""What only some rule sets have is in the public view of a game, so that a client needs no rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.cli.scenario.driver import sandbox_of
from magnate.cli.scenario.read import read_text
from magnate.game.v1 import game_pb2
from magnate.game.view import game_view
from magnate.rules.v1 import vocabulary_pb2
from tests.support.tables import LocalTable

if TYPE_CHECKING:
    from magnate.rules.vocabulary import Command

pytestmark = pytest.mark.asyncio


async def view_of(text: str, *acts: tuple[int, Command]) -> game_pb2.GameView:
    """Return the view of a table that begins as a scenario says, after some commands."""
    (scenario,) = read_text("view.yaml", f"scenario: v\nplayers: [A, B]\n{text}\ndo: [{{A: roll, pays: []}}]")
    table = LocalTable()
    options = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in scenario.table.options.items()
    }
    await table.begin(
        seats=2,
        ruleset=scenario.table.ruleset,
        board=scenario.table.board.id,
        options=options,
        sandbox=sandbox_of(scenario),
    )
    for seat, command in acts:
        await table.act(seat, command)
    view = game_view(await table.loaded())
    await table.close()
    return view


async def test_loans_lost_turns_and_terms_of_mortgages() -> None:
    """As the online version has them."""
    view = await view_of(
        """
ruleset: online
given:
  round: 4
  A: {loan: 2000, skip_turns: 1}
  B: {reverse: true}
  lots: {1: {owner: A, mortgaged: true, mortgaged_rounds: 3}, 6: {owner: B}}
"""
    )
    assert list(view.loans) == [vocabulary_pb2.OpenLoan(debtor=0, creditor=-1, amount=2000, due_round=19)]
    first, second = view.seats
    assert (first.borrowed, first.skip_turns, first.reversed) == (2000, 1, False)
    assert (second.borrowed, second.skip_turns, second.reversed) == (0, 0, True)
    lots = {lot.lot: lot for lot in view.lots}
    assert (lots[1].redemption, lots[6].redemption) == (360, 0)
    assert lots[1].last_round > view.round > 0
    assert lots[6].last_round == 0


async def test_levels_and_what_a_location_asks() -> None:
    """As Ultimate Banking has them."""
    view = await view_of(
        """
ruleset: ultimate-banking
given:
  asks: location
  A: {at: 7}
  lots: {1: {owner: B, level: 3}, 3: {owner: B}}
"""
    )
    lots = {lot.lot: lot.rent_level for lot in view.lots}
    assert (lots[1], lots[3], lots[5]) == (3, 1, 0)
    asked = view.situation.question
    assert asked.question == vocabulary_pb2.QUESTION_LOCATION
    assert (asked.square, asked.amount) == (7, 100)
    assert not asked.HasField("card")
    assert list(view.situation.waiting_seats) == [0]


async def test_a_card_that_asks_is_named() -> None:
    """So that a client can show its text and what it offers."""
    view = await view_of("ruleset: ultimate-banking\ngiven: {asks: ev06}")
    asked = view.situation.question
    assert asked.question == vocabulary_pb2.QUESTION_CARD
    assert (asked.card.deck, asked.card.card, asked.square) == (0, 5, -1)


async def test_pots_and_free_visits() -> None:
    """By house rules of the classic game."""
    view = await view_of(
        """
ruleset: {base: classic, options: {parking.pot: true, trade.immunity: true}}
given:
  pots: {parking: 70}
  lots: {31: {owner: B}}
  passes: [{seat: A, lot: 31, visits: 2}]
"""
    )
    assert (view.pots.parking, view.pots.jackpot, view.pots.charity_fund) == (70, 0, 0)
    assert list(view.passes) == [vocabulary_pb2.LotPass(lot=31, owner=1, seat=0, visits=2)]


async def test_a_classic_game_shows_nothing_of_it() -> None:
    """Everything is at its default."""
    view = await view_of("given: {lots: {31: {owner: B}}}")
    assert view.pots == game_pb2.PotsView()
    assert not any((view.loans, view.passes, view.claims, view.time_rule, view.time_up, view.bankruptcies))
    assert not view.situation.HasField("question")
    assert not any(lot.rent_level or lot.last_round or lot.frozen for lot in view.lots)
