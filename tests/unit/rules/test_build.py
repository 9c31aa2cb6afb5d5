"""Building and selling buildings, row by row (51 to 63)."""

from __future__ import annotations

import pytest

from magnate.rules.chance import RandomChance
from magnate.rules.decision import BANK, Transfer
from magnate.rules.loader import find_ruleset, load_board, load_ruleset
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.vocabulary import (
    PHASE_DEBT,
    TRANSFER_REASON_BUILDING,
    TRANSFER_REASON_BUILDING_SALE,
    TRANSFER_REASON_TAX,
    Build,
    BuildingsBuilt,
    LotLevel,
    OpenDebt,
    SellBuildings,
)
from tests.support.playing import Position, Table

BOARD = load_board("classic-us")
RULES = load_ruleset("classic")
BROWN = (1, 3)
ORANGE = (16, 18, 19)
DARK_BLUE = (37, 39)


def at() -> Position:
    """Begin a position on the classic board."""
    return Position(BOARD, RULES)


def play(position: Position) -> Table:
    """Begin the game there."""
    return position.table(RandomChance(1))


def up(*pairs: tuple[int, int]) -> Build:
    """Return a command that builds to levels."""
    return Build([LotLevel(lot, level) for lot, level in pairs])


def down(*pairs: tuple[int, int]) -> SellBuildings:
    """Return a command that sells to levels."""
    return SellBuildings([LotLevel(lot, level) for lot, level in pairs])


def test_one_command_builds_a_whole_group_and_pays_for_every_level() -> None:
    """Three orange houses cost 300, the event has the new levels (rows 51, 53)."""
    table = play(at().own(0, *ORANGE))
    assert table.act(0, up((16, 1), (18, 1), (19, 1))) is None
    assert isinstance(table.decision.events[0], BuildingsBuilt)
    assert table.decision.transfers == [Transfer(0, BANK, 300, TRANSFER_REASON_BUILDING)]
    assert [table.state.level[lot] for lot in ORANGE] == [1, 1, 1]
    assert table.state.houses_left == 29


def test_a_hotel_costs_as_much_as_it_says_and_is_worth_half_of_its_stack() -> None:
    """House cost 50: built for 4 x 50 + 50, sold whole for 125, turned into four houses for 25 (row 62)."""
    table = play(at().own(0, *BROWN))
    assert table.act(0, up((1, 5), (3, 5))) is None
    assert table.state.cash[0] == 1500 - 2 * 250
    assert (table.state.houses_left, table.state.hotels_left) == (32, 10)
    assert table.act(0, down((1, 4))) is None
    assert table.decision.transfers == [Transfer(BANK, 0, 25, TRANSFER_REASON_BUILDING_SALE)]
    assert table.state.houses_left == 28
    assert table.act(0, down((1, 0), (3, 0))) is None
    assert table.state.cash[0] == 1500 - 500 + 25 + 100 + 125


def test_a_hotel_beside_houses_lets_the_others_follow() -> None:
    """Hotel, four, four: the other two become hotels one by one, and give four houses back each time."""
    table = play(at().own(0, 6, level=5).own(0, 8, 9, level=4))
    before = table.state.houses_left
    for lot in (8, 9):
        assert table.act(0, up((lot, 5))) is None
        before += 4
        assert table.state.houses_left == before


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (up(), "EMPTY_COMMAND"),
        (up((0, 1)), "UNKNOWN_LOT"),
        (up((40, 1)), "UNKNOWN_LOT"),
        (up((-1, 1)), "UNKNOWN_LOT"),
        (up((37, 1), (37, 2)), "DUPLICATE_LOT"),
        (up((5, 1)), "NOT_BUILDABLE"),  # two railroads are not a street, whatever their rent
        (up((12, 1)), "NOT_BUILDABLE"),
        (up((31, 1)), "NOT_OWNER"),
        (up((11, 1)), "GROUP_INCOMPLETE"),
        (up((6, 1)), "GROUP_MORTGAGED"),
        (up((37, 6)), "MAX_BUILDINGS"),
        (up((37, 0)), "INVALID_TARGET"),
        (up((37, -7)), "INVALID_TARGET"),
        (up((37, 2)), "UNEVEN_BUILDING"),
        (up((37, 5), (39, 5)), "INSUFFICIENT_FUNDS"),
    ],
)
def test_building_is_refused(command: Build, name: str) -> None:
    """One precondition, one name."""
    position = at().own(0, *DARK_BLUE).own(0, 5, 15, 12, 28, 11, 13).own(1, 31, 32, 34)
    position.own(0, 6, 8).own(0, 9, mortgaged=1)
    table = play(position)
    assert table.refused(0, command) == name


def test_the_stock_is_judged_on_the_whole_command() -> None:
    """Two houses left: three are refused together, two are built (row 59)."""
    position = at().own(0, *ORANGE, level=1)
    position.houses = 2
    table = play(position)
    assert table.refused(0, up((16, 2), (18, 2), (19, 2))) == "NO_HOUSES_LEFT"
    assert table.act(0, up((16, 2), (18, 2))) is None
    assert table.state.houses_left == 0


def test_no_hotel_left_leaves_the_houses_standing() -> None:
    """The bank has no hotel: four houses stay four houses."""
    position = at().own(0, *BROWN, level=4)
    position.hotels = 0
    table = play(position)
    assert table.refused(0, up((1, 5))) == "NO_HOTELS_LEFT"
    assert [table.state.level[lot] for lot in BROWN] == [4, 4]


def test_a_hotel_on_one_lot_needs_four_houses_on_all() -> None:
    """Nobody jumps from three houses to a hotel while the neighbour stays (row 56)."""
    position = at().own(0, *DARK_BLUE, level=3)
    position.houses = 0
    assert play(position).refused(0, up((39, 5))) == "UNEVEN_BUILDING"


def test_a_hotel_cannot_be_broken_into_houses_the_bank_has_not() -> None:
    """With no house left a hotel cannot become four houses, but the whole group can be sold (row 59)."""
    position = at().own(0, *ORANGE, level=5)
    position.houses = 1
    table = play(position)
    assert table.refused(0, down((16, 4))) == "NO_HOUSES_LEFT"
    assert table.act(0, down((16, 1), (18, 0), (19, 0))) is None  # one hotel becomes the one house there is
    assert table.state.houses_left == 0


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (down(), "EMPTY_COMMAND"),
        (down((2, 0)), "UNKNOWN_LOT"),
        (down((16, 1), (16, 0)), "DUPLICATE_LOT"),
        (down((5, 0)), "NOT_BUILDABLE"),
        (down((31, 0)), "NOT_OWNER"),
        (down((1, 0)), "NO_BUILDINGS"),
        (down((16, 2)), "INVALID_TARGET"),
        (down((16, 3)), "INVALID_TARGET"),
        (down((16, -1)), "INVALID_TARGET"),
        (down((16, 0)), "UNEVEN_BUILDING"),
    ],
)
def test_selling_is_refused(command: SellBuildings, name: str) -> None:
    """One precondition, one name."""
    table = play(at().own(0, *ORANGE, level=2).own(0, *BROWN, 5).own(1, 31))
    assert table.refused(0, command) == name


def test_anybody_builds_at_any_time_but_who_owes_may_only_sell() -> None:
    """Others build during a debt; the debtor sells, which pays it at once (rows 52, 61)."""
    position = at().own(0, *ORANGE, level=1).own(1, *DARK_BLUE)
    position.cash[0] = 20
    position.phase = PHASE_DEBT
    position.debts = [OpenDebt(0, BANK, 75, TRANSFER_REASON_TAX, -1)]
    table = play(position)
    assert table.refused(0, up((16, 2))) == "MUST_PAY_FIRST"
    assert table.act(1, up((37, 1))) is None
    assert table.act(0, down((16, 0), (18, 0))) is None
    assert table.state.cash[0] == 20 + 100 - 75
    assert table.state.debts == []


@pytest.mark.parametrize(
    ("when", "name"), [("own_turn", "NOT_YOUR_TURN"), ("own_turn_before_roll", "NOT_YOUR_TURN")]
)
def test_the_moment_is_an_option(when: str, name: str) -> None:
    """Where building is for one's own turn, others are refused (C9)."""
    rules = find_ruleset("classic", {"build.when": when})
    assert isinstance(rules, RuleSet)
    table = Position(BOARD, rules).own(1, *BROWN).own(0, *DARK_BLUE).table(RandomChance(1))
    assert table.refused(1, up((1, 1))) == name
    assert table.refused(0, up((37, 1))) == ""


def test_the_share_paid_back_is_an_option() -> None:
    """Sold at full price a house brings what it cost (C6)."""
    rules = find_ruleset("classic", {"build.sell_percent": 100})
    assert isinstance(rules, RuleSet)
    table = Position(BOARD, rules).own(0, *BROWN, level=1).table(RandomChance(1))
    assert table.act(0, down((1, 0))) is None
    assert table.state.cash[0] == 1550


def test_a_hotel_needs_all_houses_on_every_lot_where_building_is_not_even() -> None:
    """Row 56, C39: lots may differ by more than one, but a hotel waits for four houses on each of them."""
    rules = with_house_rules(RULES, {"build.even": False})
    assert isinstance(rules, RuleSet)
    table = play(Position(BOARD, rules).own(0, *ORANGE))
    assert table.act(0, up((16, 4), (18, 4))) is None
    assert table.refused(0, up((16, 5))) == "UNEVEN_BUILDING"
    listed = table.may(0, "build")
    assert listed is not None
    assert [one.lot for one in listed.lots if one.level_alone == 5] == [19]
    assert table.act(0, up((19, 4), (16, 5))) is None
    assert [table.state.level[lot] for lot in ORANGE] == [5, 4, 4]
