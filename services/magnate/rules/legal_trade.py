"""What may be offered and answered, for `legal_actions` (rows 37, 64 to 70, 76)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.balance import can_balance, card_worth, lot_worth
from magnate.rules.legal_values import LegalAction, LegalLot
from magnate.rules.offers import LOANS_OPEN_MAX, VISITS_MAX, debt_in_kind, loans_owed, refuse_lot_traded
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps.mortgage import redemption_by_receiver
from magnate.rules.terms import interest_of, refuse_accepting, refuse_answering
from magnate.rules.vocabulary import TRANSFER_REASON_RENT, Card

if TYPE_CHECKING:
    from magnate.rules.state import State


def traders(state: State, seat: int) -> list[int]:
    """Whom the seat may deal with."""
    return [other for other in range(state.seats) if other != seat and not state.out[other]]


def partners(state: State, seat: int) -> list[int]:
    """To whom of them it has something fair to offer, as far as no debt is settled by it."""
    return [other for other in traders(state, seat) if can_balance(state, seat, [other])]


def tradable(state: State, seats: list[int], action: LegalAction) -> None:
    """Fill in the lots and kept cards of these seats that may change hands, and what may be promised."""
    limit = state.rules.trade_max_imbalance_percent
    for lot in state.board.lots:
        owner = state.owner[lot]
        if owner in seats and not refuse_lot_traded(state, owner, lot):
            worth = lot_worth(state, lot) if limit else 0
            action.lots.append(LegalLot(lot, 0, 0, interest_of(state, [lot], 0), -1, worth))
    if limit:
        action.imbalance_percent_max = limit
        action.card_worth = card_worth(state)
    if state.rules.trade_immunity:
        action.free_lots = [lot for lot in state.board.lots if state.owner[lot] in seats]
        action.visits_max = VISITS_MAX
    if state.rules.trade_loans:
        action.borrowers = [seat for seat in seats if loans_owed(state, seat) < LOANS_OPEN_MAX]
    for seat in seats:
        for code in state.cards[seat]:
            action.cards.append(Card(code // CARDS_PER_DECK_MAX, code % CARDS_PER_DECK_MAX))


def debts_in_kind(state: State, seat: int, kind_name: str) -> list[LegalAction]:
    """An entry for each seat with which a deal may settle rent that one owes the other."""
    entries: list[LegalAction] = []
    if not state.debts or not state.rules.debt_pay_in_kind:
        return entries
    for other in traders(state, seat):
        debt = debt_in_kind(state, seat, other, TRANSFER_REASON_RENT)
        if debt is not None and (debt.creditor == seat or can_balance(state, seat, [other])):
            entry = LegalAction(kind_name)
            entry.amount_min = 1
            entry.amount_max = debt.amount
            entry.seats = [other]
            tradable(state, [seat, other], entry)
            entries.append(entry)
    return entries


def offers_to(state: State, seat: int) -> list[int]:
    """The open offers to the seat."""
    return [offer.offer for offer in state.offers.values() if offer.to_seat == seat]


def answerable(state: State, seat: int) -> list[int]:
    """Those of them that the seat may accept at this moment, as far as the moment goes."""
    return [offer for offer in offers_to(state, seat) if not refuse_answering(state, seat, offer)]


def counterable(state: State, seat: int) -> list[int]:
    """Those of them that the seat may counter at this moment."""
    return [
        offer
        for offer in answerable(state, seat)
        if can_balance(state, seat, [state.offers[offer].from_seat])
    ]


def acceptable(state: State, seat: int) -> list[int]:
    """Those of them that the seat may accept."""
    return [
        offer for offer in answerable(state, seat) if not refuse_accepting(state, state.offers[offer], [])
    ]


def offers_from(state: State, seat: int) -> list[int]:
    """The open offers the seat made."""
    return [offer.offer for offer in state.offers.values() if offer.from_seat == seat]


def redeemable(state: State, seat: int, offers: list[int]) -> list[LegalLot]:
    """Mortgaged lots that come with these offers and may be redeemed in the same command."""
    lots: list[LegalLot] = []
    if state.debts and state.in_debt(seat):
        return lots
    listed = 0
    for number in offers:
        for lot in state.offers[number].terms.give_lots:
            if (
                state.mortgaged[lot]
                and not listed >> lot & 1
                and not refuse_accepting(state, state.offers[number], [lot])
            ):
                listed |= 1 << lot
                lots.append(LegalLot(lot, 0, 0, redemption_by_receiver(state, lot)))
    return lots
