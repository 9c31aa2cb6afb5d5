"""Prices that follow from board and rule set alone, worked out once for both: what redeeming a lot costs.

Row 73, contradiction C5. Interest is rounded to the unit in which the board counts it, as the rule set says.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from magnate.rules.choices import (
    REDEEM_FACTOR,
    REDEEM_HALF_PLUS_10_OF_PRICE,
    REDEEM_PRICE_PLUS_10,
    ROUNDING_DOWN,
    ROUNDING_UP,
)

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet


_REMEMBERED_MAX: Final = 64
"""Tables of the same rules share them; house rules make their own, so not all can be kept."""


def interest_on(board: Board, rules: RuleSet, amount: int) -> int:
    """The interest on an amount, rounded by `mortgage.rounding`; what is halfway is nearest to the higher."""
    unit = 100 * board.currency_rounding
    exact = amount * rules.mortgage_interest_percent
    if rules.mortgage_rounding == ROUNDING_DOWN:
        whole = exact // unit
    elif rules.mortgage_rounding == ROUNDING_UP:
        whole = -(-exact // unit)
    else:
        whole = (2 * exact + unit) // (2 * unit)
    return whole * board.currency_rounding


@lru_cache(_REMEMBERED_MAX)
def redemption_costs(board: Board, rules: RuleSet) -> list[int]:
    """By square: what redeeming the lot costs in all; 0 where nobody owns. Many games share the list."""
    costs: list[int] = [0] * board.size
    for lot in board.lots:
        costs[lot] = _redemption(board, rules, lot)
    return costs


def _redemption(board: Board, rules: RuleSet, lot: int) -> int:
    value = board.mortgage_value[lot]
    how = rules.mortgage_redeem
    if how == REDEEM_PRICE_PLUS_10:
        return board.price[lot] + interest_on(board, rules, board.price[lot])
    if how == REDEEM_HALF_PLUS_10_OF_PRICE:
        return value + interest_on(board, rules, board.price[lot])
    if how == REDEEM_FACTOR:
        return value + interest_on(board, rules, 2 * value)  # rounded once: 75 costs 90
    return value + interest_on(board, rules, value)
