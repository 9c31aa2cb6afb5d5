"""The building levels that `legal_actions` lists are exactly those that some command reaches."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from magnate.rules.chance import RandomChance
from magnate.rules.decide import decide
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import Build, LotLevel, SellBuildings
from tests.support.playing import Position, Table

BOARD = load_board("classic-us")
RULES = load_ruleset("classic")
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
    table = position.table(RandomChance(1))
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


def tried(table: Table, lots: tuple[int, ...], *, up: bool) -> tuple[dict[int, set[int]], dict[int, int]]:
    """Try every combination of targets: the levels each lot can have, and the furthest alone."""
    state = table.state
    together: dict[int, set[int]] = {}
    alone: dict[int, int] = {}
    for levels in product(range(6), repeat=len(lots)):
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
