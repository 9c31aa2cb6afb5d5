"""What redeeming a mortgage costs under every word of the option (row 73, C5), by the worked numbers."""

from __future__ import annotations

import pytest

from magnate.rules.loader import find_ruleset, load_board
from magnate.rules.ruleset import RuleSet
from magnate.rules.state import State
from magnate.rules.steps.mortgage import redemption


@pytest.mark.parametrize(
    ("how", "lot", "cost"),
    [
        ("mortgage_plus_10", 1, 33),  # mortgaged for 30
        ("price_plus_10", 1, 66),  # its price is 60
        ("half_plus_10_of_price", 6, 60),  # its price is 100
        ("factor", 39, 240),  # mortgaged for 200, times 1.2
        ("factor", 12, 90),  # mortgaged for 75, rounded once
        ("mortgage_plus_10", 12, 83),  # 7.5 of interest is rounded up
    ],
)
def test_redemption_costs_what_the_rule_set_says(how: str, lot: int, cost: int) -> None:
    """The interest is rounded up, not the sum."""
    rules = find_ruleset("classic", {"mortgage.redeem": how})
    assert isinstance(rules, RuleSet)
    assert redemption(State(load_board("classic-us"), rules, 2), lot) == cost
