"""What `legal_actions`, `legal_kinds` and `refusal` say about positions that are easy to see through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules import vocabulary
from magnate.rules.chance import RandomChance
from magnate.rules.decision import BANK
from magnate.rules.kinds import KIND_NAMES, names_of
from magnate.rules.legal import legal_actions
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.legal_refusal import refusal
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_BUY,
    PHASE_DEBT,
    PHASE_JAIL,
    TRANSFER_REASON_RENT,
    DeclineLot,
    OfferTrade,
    OpenDebt,
    Terms,
)
from tests.support.playing import Position, Table

if TYPE_CHECKING:
    from magnate.rules.legal_values import LegalAction

BOARD = load_board("classic-us")
RULES = load_ruleset("classic")


def play(position: Position) -> Table:
    """Begin the game there."""
    return position.table(RandomChance(1))


def kinds(table: Table, seat: int) -> list[str]:
    """Return the names of the kinds a seat may try."""
    return names_of(legal_kinds(table.state, seat, table.auctions))


def find(table: Table, seat: int, kind: str) -> LegalAction:
    """Return the action of this kind, which must be there."""
    action = table.may(seat, kind)
    assert action is not None, kind
    return action


def test_kinds_are_the_commands_in_their_order() -> None:
    """The bits follow the vocabulary, so that a new command cannot be forgotten."""
    snake = [
        "".join("_" + letter.lower() if letter.isupper() else letter for letter in kind.__name__)[1:]
        for kind in vocabulary.COMMAND_KINDS
    ]
    assert snake == KIND_NAMES


def test_before_the_throw() -> None:
    """The seat on turn throws; everybody may deal or leave."""
    table = play(Position(BOARD, RULES))
    assert kinds(table, 0) == ["roll", "offer_trade", "resign"]
    assert kinds(table, 1) == ["offer_trade", "resign"]
    assert refusal(table.state, 1, "roll") == "NOT_YOUR_TURN"
    assert refusal(table.state, 0, "end_turn") == "MUST_ROLL"
    assert refusal(table.state, 0, "roll") == ""


def test_after_the_throw() -> None:
    """Nothing is pending: the turn may end."""
    position = Position(BOARD, RULES)
    position.phase = PHASE_ACT
    assert kinds(play(position), 0) == ["offer_trade", "resign", "end_turn"]


def test_a_lot_too_dear_can_only_be_declined() -> None:
    """Buying is listed with its price, and only if that is there."""
    position = Position(BOARD, RULES)
    position.phase, position.at[0], position.offered_lot = PHASE_BUY, 39, 39
    table = play(position)
    assert find(table, 0, "buy_lot").lots[0].amount == 400
    position.cash[0] = 399
    table = play(position)
    assert "buy_lot" not in kinds(table, 0)
    assert "decline_lot" in kinds(table, 0)
    assert refusal(table.state, 0, "buy_lot") == "INSUFFICIENT_FUNDS"


def test_jail_has_three_doors() -> None:
    """A throw, the fine, a card if there is one."""
    position = Position(BOARD, RULES)
    position.phase, position.at[0], position.jailed[0] = PHASE_JAIL, BOARD.jail_square, 1
    table = play(position)
    assert kinds(table, 0) == ["roll", "offer_trade", "pay_fine", "resign"]
    assert refusal(table.state, 0, "use_jail_card") == "NO_JAIL_CARD"


def test_an_auction_lists_the_range_of_the_next_bid() -> None:
    """From the least bid to what the seat has; the leader waits."""
    position = Position(BOARD, RULES)
    position.phase, position.at[0], position.offered_lot = PHASE_BUY, 39, 39
    position.cash[1] = 150
    table = play(position)
    assert table.act(0, DeclineLot()) is None
    bid = find(table, 1, "place_bid")
    assert (bid.amount_min, bid.amount_max, bid.lots[0].lot) == (1, 150, 39)
    assert table.act(2, vocabulary.PlaceBid(39, 149)) is None
    assert (find(table, 1, "place_bid").amount_min, find(table, 1, "place_bid").amount_max) == (150, 150)
    assert "place_bid" not in kinds(table, 2)
    assert refusal(table.state, 2, "place_bid", table.auctions) == "ALREADY_LEADING"
    assert refusal(table.state, 2, "place_bid") == "NO_AUCTION"


def test_a_debtor_raises_money_or_gives_up() -> None:
    """Bankruptcy is listed exactly when selling and mortgaging everything would not do."""
    position = Position(BOARD, RULES).own(0, 1, 3, level=1)
    position.phase, position.cash[0] = PHASE_DEBT, 10
    position.debts = [OpenDebt(0, 1, 100, TRANSFER_REASON_RENT, -1)]
    table = play(position)
    assert kinds(table, 0) == ["sell_buildings", "offer_trade", "resign"]
    assert refusal(table.state, 0, "declare_bankruptcy") == "CAN_STILL_PAY"
    assert refusal(table.state, 0, "roll") == "MUST_PAY_FIRST"
    assert refusal(table.state, 0, "build") == "MUST_PAY_FIRST"
    assert refusal(table.state, 0, "mortgage_lots") == "GROUP_BUILT"
    offers = [action for action in table.legal(0) if action.kind == "offer_trade"]
    assert [(one.amount_min, one.amount_max, one.seats) for one in offers] == [(1, 100, [1]), (0, 0, [1, 2])]
    position.debts = [OpenDebt(0, BANK, 121, TRANSFER_REASON_RENT, -1)]
    assert "declare_bankruptcy" in kinds(play(position), 0)


def test_levels_are_listed_with_and_without_the_neighbours() -> None:
    """Two bare lots and money for three houses: one alone, two with the neighbour."""
    position = Position(BOARD, RULES).own(0, 1, 3)
    position.cash[0] = 150
    build = find(play(position), 0, "build")
    shown = [(one.lot, one.level_min, one.level_max, one.level_alone, one.amount) for one in build.lots]
    assert shown == [(1, 1, 2, 1, 50), (3, 1, 2, 1, 50)]


def test_a_gap_in_the_levels_is_a_gap_in_the_list() -> None:
    """Hotels without houses in the bank: all down to the ground, or not at all."""
    position = Position(BOARD, RULES).own(0, 16, 18, 19, level=5)
    position.houses = 4
    sell = find(play(position), 0, "sell_buildings")
    shown = [(one.level_min, one.level_max, one.level_alone) for one in sell.lots if one.lot == 16]
    assert shown == [(0, 2, 4), (4, 4, 4)]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({}, "GROUP_INCOMPLETE"),
        ({"own": (1, 3), "mortgaged": 1}, "GROUP_MORTGAGED"),
        ({"own": (1, 3), "level": 5}, "MAX_BUILDINGS"),
        ({"own": (1, 3), "cash": 49}, "INSUFFICIENT_FUNDS"),
        ({"own": (1, 3), "houses": 0}, "NO_HOUSES_LEFT"),
        ({"own": (1, 3), "level": 4, "hotels": 0}, "NO_HOTELS_LEFT"),
    ],
)
def test_why_nothing_can_be_built(change: dict[str, int | tuple[int, ...]], name: str) -> None:
    """The obstacle is named."""
    position = Position(BOARD, RULES)
    lots, level, mortgaged = change.get("own", ()), change.get("level", 0), change.get("mortgaged", 0)
    assert isinstance(lots, tuple)
    assert isinstance(level, int)
    assert isinstance(mortgaged, int)
    position.own(0, *lots, level=level, mortgaged=mortgaged)
    cash, houses, hotels = change.get("cash"), change.get("houses"), change.get("hotels")
    position.cash[0] = cash if isinstance(cash, int) else 240
    position.houses = houses if isinstance(houses, int) else None
    position.hotels = hotels if isinstance(hotels, int) else None
    assert refusal(play(position).state, 0, "build") == name


def test_offers_are_listed_where_they_can_be_answered() -> None:
    """The addressee accepts, counters, rejects; the maker withdraws; redeeming has its price."""
    table = play(Position(BOARD, RULES).own(0, 1, mortgaged=1))
    assert table.act(0, OfferTrade(1, Terms(0, [1], [], 40, [], [], 0))) is None
    assert kinds(table, 0) == ["roll", "redeem_lots", "offer_trade", "withdraw_offer", "resign"]
    assert kinds(table, 1) == ["offer_trade", "counter_offer", "accept_offer", "reject_offer", "resign"]
    accept = find(table, 1, "accept_offer")
    assert accept.offers == [1]
    assert [(one.lot, one.amount) for one in accept.lots] == [(1, 33)]
    assert refusal(table.state, 2, "accept_offer") == "UNKNOWN_OFFER"


def test_an_unknown_kind_is_an_error() -> None:
    """A caller that misspells a kind hears of it."""
    with pytest.raises(KeyError):
        refusal(play(Position(BOARD, RULES)).state, 0, "rol")


def test_a_game_that_is_over_allows_nothing() -> None:
    """No list, and GAME_OVER as the reason."""
    table = play(Position(BOARD, RULES, 2))
    assert table.act(0, vocabulary.Resign()) is None
    assert legal_actions(table.state, 1) == []
    assert refusal(table.state, 1, "roll") == "GAME_OVER"
