"""The building levels that `legal_actions` lists are exactly those that some command reaches."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from magnate.rules.chance import RandomChance
from magnate.rules.decide import decide
from magnate.rules.kinds import names_of
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.legal_refusal import refusal
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.vocabulary import Build, LotLevel, SellBuildings
from tests.support.playing import Position, Table

if TYPE_CHECKING:
    from magnate.rules.options import Written

BOARD = load_board("classic-us")
RULES = load_ruleset("classic")
OPTIONS: dict[str, list[Written]] = {
    "build.even": [True, False],
    "build.houses_before_hotel": [1, 2, 3, 4],
    "build.hotel_needs": ["group", "lot"],
    "build.per_turn": ["unlimited", "one_per_group", "one"],
    "build.hotel_sale": ["full_stack", "houses_only", "hotel_only"],
    "build.hotels_sold_together": [False, True],
    "build.hotel_without_houses": [False, True],
    "build.unlimited": [False, True],
}
GROUPS = [(1, 3), (6, 8, 9), (31, 32, 34)]


@settings(max_examples=60, deadline=None)
@given(
    lots=st.sampled_from(GROUPS),
    base=st.integers(0, 4),
    raised=st.integers(0, 7),
    houses=st.integers(0, 13),
    hotels=st.integers(0, 3),
    cash=st.integers(0, 1800),
)
def test_listed_levels_are_exactly_the_reachable_ones(
    lots: tuple[int, ...], base: int, raised: int, houses: int, hotels: int, cash: int
) -> None:
    """For any levels, stock and money: together, alone, up and down, compared with trying every target."""
    position = Position(BOARD, RULES)
    for place, lot in enumerate(lots):
        position.own(0, lot, level=base + (raised >> place & 1))
    position.cash[0] = cash
    position.houses = houses
    position.hotels = hotels
    compare(position.table(RandomChance(1)), lots)


def compare(table: Table, lots: tuple[int, ...]) -> None:
    """What is listed, the kinds and the reasons against trying everything."""
    state = table.state
    for kind, up in (("build", True), ("sell_buildings", False)):
        together, alone = tried(table, lots, up=up)
        action = table.may(0, kind)
        listed: dict[int, set[int]] = {}
        listed_alone: dict[int, int] = {}
        for one in action.lots if action else []:
            listed.setdefault(one.lot, set()).update(range(one.level_min, one.level_max + 1))
            listed_alone[one.lot] = one.level_alone
        assert listed == together
        assert listed_alone == {lot: alone.get(lot, -1) for lot in together}
        assert bool(together) == (kind in names_of(legal_kinds(state, 0)))
        assert bool(together) == (refusal(state, 0, kind) == "")


def tried(table: Table, lots: tuple[int, ...], *, up: bool) -> tuple[dict[int, set[int]], dict[int, int]]:
    """Try every combination of targets: the levels each lot can have, and the furthest alone."""
    state = table.state
    together: dict[int, set[int]] = {}
    alone: dict[int, int] = {}
    for levels in product(range(state.hotel_level + 1), repeat=len(lots)):
        targets = [
            LotLevel(lot, level) for lot, level in zip(lots, levels, strict=True) if level != state.level[lot]
        ]
        command = Build(targets) if up else SellBuildings(targets)
        if isinstance(decide(state, 0, command, table.chance), Rejection):
            continue
        for target in targets:
            together.setdefault(target.lot, set()).add(target.level)
        if len(targets) == 1:
            lot, level = targets[0].lot, targets[0].level
            best = alone.get(lot, level)
            alone[lot] = max(best, level) if up else min(best, level)
    return together, alone


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_listed_levels_are_exact_with_any_options_of_building(data: st.DataObject) -> None:
    """The same whatever the options say, with a discount, and when something was built in this turn."""
    house = {name: data.draw(st.sampled_from(values), name) for name, values in OPTIONS.items()}
    rules = with_house_rules(RULES, house)
    if not isinstance(rules, RuleSet):  # the options contradict each other
        return
    lots = data.draw(st.sampled_from(GROUPS), "lots")
    hotel = rules.build_houses_before_hotel + 1
    position = Position(BOARD, rules)
    base = data.draw(st.integers(0, hotel - 1), "base")
    for lot in lots:
        high = base + 1 if rules.build_even else hotel
        position.own(0, lot, level=data.draw(st.integers(base, high), f"level of {lot}"))
    position.cash[0] = data.draw(st.integers(0, 1800), "cash")
    if rules.build_unlimited:
        position.houses = position.hotels = 1 << 29
    else:
        position.houses = data.draw(st.integers(0, 13), "houses")
        position.hotels = data.draw(st.integers(0, 3), "hotels")
    table = position.table(RandomChance(1))
    table.state.extras.discount[0] = data.draw(st.sampled_from((0, 50, 100)), "discount")
    if rules.build_per_turn:
        table.state.extras.built_any = data.draw(st.integers(0, 1), "built")
        table.state.extras.built_groups = table.state.extras.built_any << BOARD.group[lots[0]]
    compare(table, lots)
