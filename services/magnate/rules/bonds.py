"""What a deal may promise for later: free visits and loans, where the rule set has them (rows 64, 69).

A side may grant free visits of a lot that is its own when the deal is done: one it keeps, or one it gets by
the deal. What a side lends it pays at once, and the other owes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import rejections
from magnate.rules.offers import LOANS_OPEN_MAX, VISITS_MAX, loans_owed

if TYPE_CHECKING:
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Immunity, Terms


def has_bonds(terms: Terms) -> bool:
    """Whether the terms promise anything for later."""
    return (
        terms.give_loan != 0
        or terms.take_loan != 0
        or len(terms.give_immunity) > 0
        or len(terms.take_immunity) > 0
    )


def refuse_bonds(state: State, giver: int, taker: int, terms: Terms) -> str:
    """Why these promises cannot be made, or empty.

    In this order: TRADE_NOT_ALLOWED (the rule set has no free visits, no loans); for the visits the giver and
    then the taker grants UNKNOWN_LOT, DUPLICATE_LOT, NOT_OWNER, INVALID_AMOUNT; LOAN_LIMIT_REACHED.
    """
    immunity = len(terms.give_immunity) > 0 or len(terms.take_immunity) > 0
    if immunity and not state.rules.trade_immunity:
        return rejections.TRADE_NOT_ALLOWED
    if (terms.give_loan or terms.take_loan) and not state.rules.trade_loans:
        return rejections.TRADE_NOT_ALLOWED
    name = _refuse_visits(state, giver, terms.give_immunity, terms.give_lots, terms.take_lots)
    name = name or _refuse_visits(state, taker, terms.take_immunity, terms.take_lots, terms.give_lots)
    if name:
        return name
    if terms.give_loan and loans_owed(state, taker) >= LOANS_OPEN_MAX:
        return rejections.LOAN_LIMIT_REACHED
    if terms.take_loan and loans_owed(state, giver) >= LOANS_OPEN_MAX:
        return rejections.LOAN_LIMIT_REACHED
    return ""


def _refuse_visits(
    state: State, granter: int, visits: list[Immunity], gives: list[int], gets: list[int]
) -> str:
    """Why one side, which gives and gets these lots by the same deal, cannot grant the visits, or empty."""
    seen = 0
    for one in visits:
        lot = one.lot
        if not 0 <= lot < state.board.size or state.board.group[lot] < 0:
            return rejections.UNKNOWN_LOT
        if seen >> lot & 1:
            return rejections.DUPLICATE_LOT
        seen |= 1 << lot
        if lot not in gets and (state.owner[lot] != granter or lot in gives):
            return rejections.NOT_OWNER
        if not 1 <= one.visits <= VISITS_MAX:
            return rejections.INVALID_AMOUNT
    return ""
