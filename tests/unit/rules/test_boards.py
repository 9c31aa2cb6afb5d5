"""The boards of the other rule sets, against what is printed, and the cards in their decks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
import yaml

from magnate.rules import board as squares
from magnate.rules import effects
from magnate.rules.board_extras import ANY_SYMBOL
from magnate.rules.board_parts import NO_LIMIT
from magnate.rules.decision import BANK, POT_CHARITY
from magnate.rules.loader import BOARDS, load_board, load_ruleset
from magnate.rules.prices import redemption_costs

if TYPE_CHECKING:
    from magnate.rules.effects import Effect

EBANKING = ["ebanking-uk", "ebanking-us"]
CLASSIC = ["classic-ru", "classic-uk", "classic-us"]


def cards(board_id: str, deck: str) -> dict[str, Effect]:
    """What each card of a deck does, by its id."""
    board = load_board(board_id)
    return {card.id: card.effects[0] for card in board.decks[board.deck_names.index(deck)].cards}


def kinds(board_id: str) -> dict[int, int]:
    """How many squares there are of each kind."""
    return dict(Counter(load_board(board_id).kind))


@pytest.mark.parametrize("board_id", CLASSIC)
def test_sixteen_notes_make_the_start_money(board_id: str) -> None:
    """2 x 500, 4 x 100, 50, 20, 2 x 10, 5 and 5 x 1 are 1,500 (row 3)."""
    notes = yaml.safe_load((BOARDS / f"{board_id}.yaml").read_text(encoding="utf-8"))["start_notes"]
    assert sum(count for _, count in notes) == 16
    assert sum(value * count for value, count in notes) == load_board(board_id).start_money


def test_before_2008_a_tenth_could_be_paid_and_luxury_cost_less() -> None:
    """The variant differs from the board in two squares and both decks, and in nothing else."""
    board, now = load_board("classic-us-pre-2008"), load_board("classic-us")
    assert (board.tax[4], board.tax_percent[4], now.tax_percent[4]) == (200, 10, 0)
    assert (board.tax[38], now.tax[38]) == (75, 100)
    assert (board.names, board.price, board.rents) == (now.names, now.price, now.rents)
    chance, chest = cards(board.id, "chance"), cards(board.id, "community_chest")
    assert (len(chance), len(chest)) == (16, 16)
    assert (chest["ccold07"].kind, chest["ccold07"].amount) == (effects.EFFECT_COLLECT_EACH, 50)
    assert (chest["ccold04"].amount, chest["ccold12"].amount) == (45, 150)


def test_the_community_chest_of_2021_is_another_deck() -> None:
    """Sixteen new cards; chance stayed."""
    new, now = "classic-us-2021", "classic-us"
    assert cards(new, "chance").keys() == cards(now, "chance").keys()
    assert not cards(new, "community_chest").keys() & cards(now, "community_chest").keys()
    assert len(cards(new, "community_chest")) == 16
    assert load_board(new).tax == load_board(now).tax


@pytest.mark.parametrize("board_id", EBANKING)
def test_electronic_banking_is_the_classic_board_times_ten(board_id: str) -> None:
    """In thousands: prices, rents, house costs, start money, salary and fine (rows 3, 12, 29, 31, 33, 44)."""
    board, classic = load_board(board_id), load_board("classic-us")
    assert board.currency_scale == 1000
    assert board.kind == classic.kind
    assert board.price == [10 * price for price in classic.price]
    assert board.rents == [[10 * rent for rent in rents] for rents in classic.rents]
    assert board.house_cost == [10 * cost for cost in classic.house_cost]
    assert (board.start_money, board.go_salary, board.jail_fine) == (15_000, 2_000, 500)
    assert [len(deck.cards) for deck in board.decks] == [16, 16]
    assert (board.players_min, board.players_max) == (2, 6)


def test_electronic_banking_taxes_as_printed() -> None:
    """Income tax 2M, on the American board alternatively a tenth; then credit card interest, or super tax."""
    us, uk = load_board("ebanking-us"), load_board("ebanking-uk")
    assert [us.tax[4], us.tax[38], uk.tax[4], uk.tax[38]] == [2_000, 750, 2_000, 1_000]
    assert [us.tax_percent[4], uk.tax_percent[4]] == [10, 0]


@pytest.mark.parametrize(("mortgage", "redeem"), [(1_750, 1_930), (750, 830), (300, 330)])
@pytest.mark.parametrize("board_id", EBANKING)
def test_printed_redemption_values(board_id: str, mortgage: int, redeem: int) -> None:
    """The interest is rounded up to ten thousand (row 73)."""
    board = load_board(board_id)
    costs = redemption_costs(board, load_ruleset("e-banking"))
    lots = [lot for lot in board.lots if board.mortgage_value[lot] == mortgage]
    assert lots
    assert {costs[lot] for lot in lots} == {redeem}


def test_a_card_of_the_london_electronic_board_lets_one_choose_whom_to_pay() -> None:
    """The suit: 500 to a player of one's choice."""
    suit = cards("ebanking-uk", "chance")["ukebch01"]
    assert (suit.kind, suit.amount) == (effects.EFFECT_PAY_PLAYER, 500)


def test_banking_without_borders_has_levels_and_no_buildings() -> None:
    """36 squares: 4 corners, 6 events, 4 locations and 22 lots with five rent levels (rows 2, 35, 51, 71)."""
    board = load_board("ultimate-banking")
    assert kinds("ultimate-banking") == {
        squares.GO: 1, squares.JAIL: 1, squares.FREE_PARKING: 1, squares.GO_TO_JAIL: 1,
        squares.CARD: 6, squares.LOCATION: 4, squares.STREET: 22,
    }  # fmt: skip
    assert [board.kind[corner] for corner in (0, 9, 18, 27)] == [
        squares.GO, squares.JAIL, squares.FREE_PARKING, squares.GO_TO_JAIL,
    ]  # fmt: skip
    assert board.rent_levels == 5
    assert {len(board.rents[lot]) for lot in board.lots} == {5}
    assert not any(board.mortgage_value)
    assert not any(board.house_cost)
    assert (board.start_money, board.go_salary, board.jail_fine) == (1_500, 200, 100)
    assert (board.location_fee, board.auction_step) == (100, 20)
    assert (board.supply_houses, board.supply_hotels) == (22, 0)


def test_number_sixteen_at_level_two_pays_280() -> None:
    """The example of the printed guide: the sixteenth deed, price 260, first 200, then 280 (row 35)."""
    board = load_board("ultimate-banking")
    lot = board.lots[16 - 1]
    assert (board.names[lot], board.price[lot], board.rents[lot][:2]) == ("Coventry Street", 260, [200, 280])


def test_the_four_sides_hold_all_lots() -> None:
    """Every lot is on the side between its two corners."""
    board = load_board("ultimate-banking")
    assert [board.side[lot] for lot in board.lots] == [lot // 9 for lot in board.lots]
    assert [len(side) for side in board.sides] == [5, 6, 6, 5]
    assert board.side[0] == -1


def test_twenty_three_events() -> None:
    """So many of each effect (row 41)."""
    counts = Counter(effect.kind for effect in cards("ultimate-banking", "event").values())
    assert counts == {
        effects.EFFECT_PAY_PER_PROPERTY: 1,
        effects.EFFECT_ALL_MOVE_TO: 1,
        effects.EFFECT_SET_LEVEL: 4,
        effects.EFFECT_BOTH_GAIN: 2,
        effects.EFFECT_CHANGE_LEVEL: 6,
        effects.EFFECT_CHANGE_LEVEL_AND_NEIGHBOURS: 2,
        effects.EFFECT_GOTO_ANY_PROPERTY: 3,
        effects.EFFECT_RENT_CAP: 1,
        effects.EFFECT_SWAP_PROPERTY: 2,
        effects.EFFECT_SEND_TO_JAIL: 1,
    }
    assert counts.total() == 23


def test_events_name_their_figures() -> None:
    """Scopes, levels and deltas of some of them."""
    event = cards("ultimate-banking", "event")
    assert (event["ev03"].scope, event["ev03"].level) == (effects.SCOPE_ANY_OWNED, 1)
    assert (event["ev08"].scope, event["ev08"].level) == (effects.SCOPE_OWN, 5)
    assert (event["ev12"].scope, event["ev12"].delta) == (effects.SCOPE_COLOR_SET, -1)
    assert (event["ev14"].scope, event["ev14"].delta) == (effects.SCOPE_BOARD_SIDE, -1)
    assert (event["ev15"].delta, event["ev15"].neighbour_delta) == (1, -1)
    assert (event["ev02"].square, event["ev02"].except_jailed, event["ev02"].salary) == (18, True, False)
    assert (event["ev20"].level, event["ev20"].payments) == (1, 2)


def test_the_online_board_has_ten_industries_of_two_to_four_firms() -> None:
    """Numbers of the classic board times ten, other house costs, an unlimited supply (rows 2, 29, 31, 33)."""
    board, classic = load_board("online"), load_board("classic-us")
    assert [len(members) for members in board.members] == [2, 3, 3, 3, 3, 3, 3, 2, 4, 2]
    assert sorted(board.price) == sorted(10 * price for price in classic.price)
    streets = [board.rents[lot] for lot in board.streets]
    assert streets == [[10 * rent for rent in classic.rents[lot]] for lot in classic.streets]
    assert board.house_cost == [500, 500, 750, 1000, 1250, 1500, 1750, 2000, 0, 0]
    assert (board.supply_houses, board.supply_hotels) == (NO_LIMIT, NO_LIMIT)
    assert board.rents[12] == [100, 250]
    assert (board.go_salary, board.go_landing_bonus, board.loan_amount) == (2_000, 1_000, 2_000)
    assert (board.players_max, board.start_money, board.auction_step) == (5, 15_000, 100)


def test_the_online_rules_by_time() -> None:
    """No bonus from minute 46; a rent tax of 50, 75, 90, 99 percent (rows 12, 36, C30, C43)."""
    rules = load_board("online").time_rules
    assert [(rule.minute, rule.start_bonus, rule.rent_tax_percent) for rule in rules] == [
        (46, 0, 0),
        (61, 0, 50),
        (76, 0, 75),
        (91, 0, 90),
        (106, 0, 99),
    ]


def test_the_online_jackpot_is_a_choice_of_numbers() -> None:
    """A bet of 1,000 on one, two or three faces pays 6,000, 3,000 or 2,000."""
    board = load_board("online")
    numbers = board.jackpot_numbers
    assert numbers is not None
    assert (numbers.bet, numbers.faces, numbers.payouts) == (1_000, 6, [6_000, 3_000, 2_000])
    assert board.jackpot_machine is None
    assert board.kind[20] == squares.JACKPOT


def test_seventeen_chance_outcomes_online() -> None:
    """The composition of the pool (row 38)."""
    counts = Counter(effect.kind for effect in cards("online", "chance").values())
    assert counts == {
        effects.EFFECT_GAIN_RANDOM: 4,
        effects.EFFECT_COLLECT_EACH: 1,
        effects.EFFECT_PAY_RANDOM: 4,
        effects.EFFECT_REPAIRS: 1,
        effects.EFFECT_PAY: 1,
        effects.EFFECT_TELEPORT_RANDOM: 2,
        effects.EFFECT_GO_TO_JAIL: 1,
        effects.EFFECT_SKIP_TURN: 2,
        effects.EFFECT_REVERSE_NEXT_MOVE: 1,
    }
    drawn = cards("online", "chance")["on03"]
    assert (drawn.minimum, drawn.maximum, drawn.step) == (500, 1500, 50)


def test_millionaire_has_eight_industries_of_three_lots() -> None:
    """24 lots, 24 branches, 12 enterprises, 2,000 fants and 200 in the desk (rows 2, 3, 12, 44, 55)."""
    board = load_board("millionaire-classic")
    assert [len(members) for members in board.members] == [3] * 8
    assert board.group_names[0] == "food"
    assert board.groups[0].title == "Пищевая промышленность"
    assert {len(board.rents[lot]) for lot in board.lots} == {5}
    assert (board.supply_houses, board.supply_hotels) == (24, 12)
    assert (board.start_money, board.go_salary, board.jail_fine) == (2_000, 200, 50)
    assert (board.pot_jackpot, board.pot_charity, board.pot_parking) == (200, 0, 0)
    assert (board.players_min, board.players_max) == (2, 6)


def test_millionaire_squares_do_what_they_say() -> None:
    """Black business sends to the charity fund for 50; a lot of 100 is redeemed for 60 (row 73)."""
    board = load_board("millionaire-classic")
    found = kinds("millionaire-classic")
    assert found[squares.BLACK_BUSINESS] == 2
    assert found[squares.WHITE_BUSINESS] == found[squares.CHARITY_FUND] == found[squares.JACKPOT] == 1
    assert (board.kind[board.black_business_to], board.black_business_fine) == (squares.CHARITY_FUND, 50)
    costs = redemption_costs(board, load_ruleset("millionaire"))
    assert (board.price[1], board.mortgage_value[1], costs[1]) == (100, 50, 60)


def test_millionaire_decks_are_twenty_and_twenty() -> None:
    """MOVE cards never pay GO; CHANCE feeds the charity fund and has cards to keep (rows 8, 14, 38, 40)."""
    move, chance = cards("millionaire-classic", "move"), cards("millionaire-classic", "chance")
    assert (len(move), len(chance)) == (20, 20)
    assert not any(effect.salary for effect in [*move.values(), *chance.values()])
    nearest = move["mv20"]
    board = load_board("millionaire-classic")
    assert (nearest.lot_kind, nearest.deck) == (squares.CARD, board.deck_names.index("chance"))
    assert move["mv17"].lot_kind == squares.BLACK_BUSINESS
    assert [chance[card].pot for card in ("mc09", "mc10", "mc11")] == [BANK, POT_CHARITY, POT_CHARITY]
    assert chance["mc19"].uses == 1
    assert (chance["mc20"].percent, chance["mc20"].uses) == (50, 1)


def test_the_millionaire_machine_returns_about_two_thirds() -> None:
    """Three columns of six symbols; by the first line that fits, about 64% of the stake come back."""
    machine = load_board("millionaire-classic").jackpot_machine
    assert machine is not None
    assert (machine.bet, len(machine.reels), {len(reel) for reel in machine.reels}) == (50, 3, {6})
    total = 0
    for faces in range(6**3):
        shown = [machine.reels[column][faces // 6**column % 6] for column in range(3)]
        for win in machine.wins:
            if all(want in (ANY_SYMBOL, symbol) for want, symbol in zip(win.combination, shown, strict=True)):
                total += win.at_least if win.whole_desk else win.amount
                break
    assert 0.6 < total / 6**3 / machine.bet < 0.68
    assert (machine.wins[0].whole_desk, machine.wins[0].at_least, machine.wins[0].refill) == (1, 1000, 200)
    assert machine.wins[-1].combination[2] == ANY_SYMBOL


@pytest.mark.parametrize("board_id", ["ebanking-us", "online", "millionaire-classic", "ultimate-banking"])
def test_a_board_says_how_sure_its_figures_are(board_id: str) -> None:
    """Recalled and own figures stay marked in the file."""
    said = yaml.safe_load((BOARDS / f"{board_id}.yaml").read_text(encoding="utf-8"))["confidence"]
    assert set(said.values()) <= {"stated", "found", "recalled", "own design"}
    assert "*" in said
