"""What else a deal has to keep to, or may promise: fair sides, free visits, loans; and the bank's loans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable

    from magnate.client.bots.worth import Worth
    from magnate.game.v1 import game_pb2

VISITS_PERCENT: Final = 25
"""A free visit is worth so much of the rent it spares: nobody knows whether it comes."""


def sides(action: game_pb2.LegalAction, terms: vocabulary_pb2.Terms) -> tuple[int, int]:
    """Return what is given and what is taken, as the rule set counts it."""
    worth = {one.lot: one.worth for one in action.lots}

    def side(cash: int, lots: Iterable[int], cards: int) -> int:
        return cash + sum(worth.get(lot, 0) for lot in lots) + cards * action.card_worth

    gives = side(terms.give_cash, terms.give_lots, len(terms.give_cards))
    return gives, side(terms.take_cash, terms.take_lots, len(terms.take_cards))


def is_fair(action: game_pb2.LegalAction, terms: vocabulary_pb2.Terms) -> bool:
    """Say whether the sides of a deal are as even as the rule set asks."""
    limit = action.imbalance_percent_max
    gives, takes = sides(action, terms)
    return limit == 0 or 100 * min(gives, takes) >= (100 - limit) * max(gives, takes)


def least_cash(action: game_pb2.LegalAction, gives: Iterable[int], takes: Iterable[int]) -> int:
    """Return the cash that has to be added to the lots given so that a deal for the lots taken is fair."""
    if action.imbalance_percent_max == 0:
        return 0
    lots = vocabulary_pb2.Terms(give_lots=gives, take_lots=takes)
    given, taken = sides(action, lots)
    return max(0, -(-taken * (100 - action.imbalance_percent_max) // 100) - given)


def visits_gain(worth: Worth, terms: vocabulary_pb2.Terms) -> int:
    """Return about what the free visits of an offer are worth to whoever it is made to."""
    gains = sum(one.visits * worth.rent(one.lot) for one in terms.give_immunity)
    losses = sum(one.visits * worth.rent(one.lot) for one in terms.take_immunity)
    return (gains - losses) * VISITS_PERCENT // 100


def borrow(action: game_pb2.LegalAction, wanted: int) -> vocabulary_pb2.Command:
    """Return the command that borrows about so much from the bank."""
    amount = min(action.amount_max, max(action.amount_min, wanted))
    return vocabulary_pb2.Command(take_loan=vocabulary_pb2.TakeLoan(amount=amount))


def repay(creditor: int) -> vocabulary_pb2.Command:
    """Return the command that pays the oldest loan of a creditor back."""
    return vocabulary_pb2.Command(repay_loan=vocabulary_pb2.RepayLoan(creditor=creditor))
