"""How unequal a deal may be (row 70, contradiction C31): `trade.max_imbalance_percent`.

The smaller side may lack so much of the larger one; at 50 the ratio is at most 2 to 1. A side is worth its
cash, its lots at the board price (mortgaged at half, as when a game is counted) and its kept cards at the
fine they can spare; whoever lets a debt go gives its amount. Own reading: what is lent is no part of the
balance, for it comes back, nor are free visits, which nobody can price.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import rejections
from magnate.rules.offers import LOANS_OPEN_MAX, debt_in_kind, loans_owed, refuse_lot_traded
from magnate.rules.vocabulary import TRANSFER_REASON_RENT

if TYPE_CHECKING:
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Terms


def lot_worth(state: State, lot: int) -> int:
    """What a lot counts in a deal."""
    price = state.board.price[lot]
    return price // 2 if state.mortgaged[lot] else price


def card_worth(state: State) -> int:
    """What a kept card counts in a deal."""
    return state.board.jail_fine


def refuse_balance(state: State, giver: int, taker: int, terms: Terms) -> str:
    """OFFER_UNBALANCED if the sides of the deal are too unequal for the rule set, or empty."""
    limit = state.rules.trade_max_imbalance_percent
    if limit == 0:
        return ""
    gives = _side(state, terms.give_cash, terms.give_lots, len(terms.give_cards))
    takes = _side(state, terms.take_cash, terms.take_lots, len(terms.take_cards))
    if terms.settles_debt:
        debt = debt_in_kind(state, giver, taker, TRANSFER_REASON_RENT)
        if debt is not None and debt.debtor == giver:
            takes += terms.settles_debt
        else:
            gives += terms.settles_debt
    fair = 100 * min(gives, takes) >= (100 - limit) * max(gives, takes)
    return "" if fair else rejections.OFFER_UNBALANCED


def can_balance(state: State, seat: int, others: list[int]) -> bool:
    """Whether the seat can offer one of the others anything fair, as far as no debt is settled by it.

    Without a limit it can always ask for money; with one it has to give something for it. What it cannot give
    is only then needed when it has no money, so nothing here has to be quick.
    """
    rules = state.rules
    if rules.trade_max_imbalance_percent in (0, 100) or state.available(seat) > 0 or state.cards[seat]:
        return True
    if rules.trade_loans and loans_owed(state, seat) < LOANS_OPEN_MAX:
        return True
    owners = [seat, *others]
    for lot in state.board.lots:
        owner = state.owner[lot]
        if owner in owners and (
            rules.trade_immunity or (owner == seat and not refuse_lot_traded(state, seat, lot))
        ):
            return True
    return False


def can_offer(state: State, seat: int) -> bool:
    """Whether the seat can offer anything fair to anybody; a creditor can always let a debt go."""
    if state.rules.trade_max_imbalance_percent == 0:
        return True
    others = [other for other in range(state.seats) if other != seat and not state.out[other]]
    if can_balance(state, seat, others):
        return True
    return state.rules.debt_pay_in_kind and any(
        debt.creditor == seat and debt.reason == TRANSFER_REASON_RENT for debt in state.debts
    )


def _side(state: State, cash: int, lots: list[int], cards: int) -> int:
    total = cash + cards * card_worth(state)
    for lot in lots:
        total += lot_worth(state, lot)
    return total
