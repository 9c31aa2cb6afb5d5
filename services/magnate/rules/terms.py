"""Whether the terms of an offer can be carried out: rows 64 to 70 and 76, contradictions C14, C15.

`refuse_terms` is asked when an offer is made, and again, for what may have changed, when it is accepted.
Every function gives the name of the first refusal, or empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import rejections
from magnate.rules.balance import refuse_balance
from magnate.rules.bonds import has_bonds, refuse_bonds
from magnate.rules.choices import TRANSFER_TEN_NOW_TEN_LATER, WHEN_NEVER
from magnate.rules.moments import bids_are_sealed, refuse_moment
from magnate.rules.offers import (
    CASH_MAX,
    ITEMS_MAX,
    OFFERS_OPEN_MAX,
    debt_in_kind,
    older_than_debt,
    open_offers_of,
    refuse_lot_traded,
)
from magnate.rules.steps.debt import interest
from magnate.rules.steps.mortgage import redemption_by_receiver
from magnate.rules.vocabulary import TRANSFER_REASON_RENT

if TYPE_CHECKING:
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Card, OfferMade, Terms


def refuse_terms(state: State, giver: int, taker: int, terms: Terms) -> str:
    """Why `giver` cannot offer these terms to `taker`, or empty.

    In this order: OFFER_TOO_LARGE, INVALID_AMOUNT, EMPTY_OFFER, then for the lots given and the lots taken
    UNKNOWN_LOT, DUPLICATE_LOT, NOT_OWNER, GROUP_BUILT, MORTGAGED; for the cards DUPLICATE_CARD, NO_JAIL_CARD;
    for paying in kind TRADE_NOT_ALLOWED, NOT_A_CREDITOR, INVALID_AMOUNT (more than is owed); what
    `bonds.refuse_bonds` lists for free visits and loans; OFFER_UNBALANCED.
    """
    if (
        len(terms.give_lots) > ITEMS_MAX
        or len(terms.take_lots) > ITEMS_MAX
        or len(terms.give_cards) > ITEMS_MAX
        or len(terms.take_cards) > ITEMS_MAX
        or len(terms.give_immunity) > ITEMS_MAX
        or len(terms.take_immunity) > ITEMS_MAX
    ):
        return rejections.OFFER_TOO_LARGE
    if not (
        0 <= terms.give_cash <= CASH_MAX
        and 0 <= terms.take_cash <= CASH_MAX
        and 0 <= terms.settles_debt <= CASH_MAX
        and 0 <= terms.give_loan <= CASH_MAX
        and 0 <= terms.take_loan <= CASH_MAX
    ):
        return rejections.INVALID_AMOUNT
    bonds = has_bonds(terms)
    if (
        terms.give_cash == terms.take_cash == 0
        and not bonds
        and not (terms.give_lots or terms.take_lots or terms.give_cards or terms.take_cards)
    ):
        return rejections.EMPTY_OFFER
    return (
        refuse_lots(state, giver, terms.give_lots)
        or refuse_lots(state, taker, terms.take_lots)
        or refuse_cards(state, giver, terms.give_cards)
        or refuse_cards(state, taker, terms.take_cards)
        or refuse_settling(state, giver, taker, terms)
        or (refuse_bonds(state, giver, taker, terms) if bonds else "")
        or refuse_balance(state, giver, taker, terms)
    )


def refuse_lots(state: State, owner: int, lots: list[int]) -> str:
    """Why these lots of one side cannot change hands, or empty."""
    seen = 0
    for lot in lots:
        if not 0 <= lot < state.board.size or state.board.group[lot] < 0:
            return rejections.UNKNOWN_LOT
        if seen >> lot & 1:
            return rejections.DUPLICATE_LOT
        seen |= 1 << lot
        name = refuse_lot_traded(state, owner, lot)
        if name:
            return name
    return ""


def refuse_cards(state: State, holder: int, cards: list[Card]) -> str:
    """Why these cards of one side cannot change hands, or empty."""
    seen: list[int] = []
    for card in cards:
        if not (0 <= card.deck < len(state.board.decks) and 0 <= card.card < 64):
            return rejections.NO_JAIL_CARD
        code = card.deck * 64 + card.card
        if code in seen:
            return rejections.DUPLICATE_CARD
        seen.append(code)
        if code not in state.cards[holder]:
            return rejections.NO_JAIL_CARD
    return ""


def refuse_settling(state: State, giver: int, taker: int, terms: Terms) -> str:
    """Why the deal cannot settle a rent debt between the two (row 37), or empty."""
    if terms.settles_debt == 0:
        return ""
    if not state.rules.debt_pay_in_kind:
        return rejections.TRADE_NOT_ALLOWED
    debt = debt_in_kind(state, giver, taker, TRANSFER_REASON_RENT)
    if debt is None:
        return rejections.NOT_A_CREDITOR
    return rejections.INVALID_AMOUNT if terms.settles_debt > debt.amount else ""


def refuse_cost(state: State, seat: int, gives: int, gets: int, interest_due: int, settles: int) -> str:
    """Why the seat cannot bear its side in money, or empty: MUST_PAY_FIRST, INSUFFICIENT_FUNDS.

    The cash legs are paid first, each from what is there before; the interest after them. A debtor may not
    end with less cash than before, unless the deal settles his debt with the other.
    """
    available = state.available(seat)
    if gives + interest_due > gets and not settles and state.debts and state.in_debt(seat):
        return rejections.MUST_PAY_FIRST
    if gives > available or interest_due > available - gives + gets:
        return rejections.INSUFFICIENT_FUNDS
    return ""


def settled_by(state: State, seat: int, other: int, terms: Terms) -> int:
    """How much of the seat's own debt to the other the terms settle."""
    if terms.settles_debt == 0:
        return 0
    debt = debt_in_kind(state, seat, other, TRANSFER_REASON_RENT)
    if debt is None or debt.debtor != seat:
        return 0
    return min(terms.settles_debt, debt.amount)


def interest_of(state: State, lots: list[int], redeemed: int) -> int:
    """The interest that falls due at once on these lots, without those `redeemed` (bits) in the same step."""
    if state.rules.mortgage_transfer != TRANSFER_TEN_NOW_TEN_LATER:
        return 0
    total = 0
    for lot in lots:
        if state.mortgaged[lot] and not redeemed >> lot & 1:
            total += interest(state, lot)
    return total


def refuse_trading(state: State, seat: int) -> str:
    """Why this seat may not deal at this moment, or empty."""
    when = state.rules.trade_when
    if when == WHEN_NEVER:
        return rejections.TRADE_NOT_ALLOWED
    return rejections.WRONG_PHASE if bids_are_sealed(state) else refuse_moment(state, seat, when)


def refuse_answering(state: State, seat: int, number: int) -> str:
    """Why this seat may not strike the deal of an offer, or counter it, at this moment, or empty.

    The moment of either of the two will do: what one offers in his turn the other may answer in it (row 66).
    """
    name = refuse_trading(state, seat)
    if name and name != rejections.TRADE_NOT_ALLOWED:
        if number not in state.offers:
            return ""  # whatever the moment: there is no such offer, or no more
        made = state.offers[number]
        if made.to_seat == seat and not refuse_trading(state, made.from_seat):
            return ""
    return name


def refuse_partner(state: State, seat: int, to_seat: int) -> str:
    """Why an offer cannot be addressed to this seat, or empty."""
    if not 0 <= to_seat < state.seats:
        return rejections.UNKNOWN_SEAT
    if to_seat == seat:
        return rejections.SELF_TRADE
    return rejections.SEAT_OUT if state.out[to_seat] else ""


def refuse_offer(state: State, seat: int, to_seat: int, terms: Terms) -> str:
    """Why the seat cannot offer these terms, or empty."""
    if open_offers_of(state, seat) >= OFFERS_OPEN_MAX:
        return rejections.OFFER_LIMIT_REACHED
    name = refuse_terms(state, seat, to_seat, terms)
    return name or _refuse_giver(state, seat, to_seat, terms)


def refuse_named(state: State, seat: int, number: int, *, mine: bool) -> str:
    """Why this is not an open offer made by (`mine`) or to the seat, or empty."""
    if number not in state.offers:
        return rejections.OFFER_STALE if number in state.stale_offers else rejections.UNKNOWN_OFFER
    made = state.offers[number]
    party = made.from_seat if mine else made.to_seat
    return "" if party == seat else rejections.NOT_OFFER_PARTY


def refuse_accepting(state: State, made: OfferMade, redeem_lots: list[int]) -> str:
    """Why an open offer cannot be accepted now by the seat it is addressed to, or empty."""
    seat, giver, terms = made.to_seat, made.from_seat, made.terms
    if (
        older_than_debt(state, made)
        or refuse_terms(state, giver, seat, terms)
        or _refuse_giver(state, giver, seat, terms)
    ):
        return rejections.OFFER_STALE
    redeemed = cost = 0
    for lot in redeem_lots:
        name = _refuse_redeeming(state, terms, lot, redeemed)
        if name:
            return name
        redeemed |= 1 << lot
        cost += redemption_by_receiver(state, lot)
    if redeemed and state.debts and state.in_debt(seat):
        return rejections.MUST_PAY_FIRST
    cost += interest_of(state, terms.give_lots, redeemed)
    settled = settled_by(state, seat, giver, terms)
    gives, gets = terms.take_cash + terms.take_loan, terms.give_cash + terms.give_loan
    return refuse_cost(state, seat, gives, gets, cost, settled)


def _refuse_giver(state: State, giver: int, taker: int, terms: Terms) -> str:
    due = interest_of(state, terms.take_lots, 0)
    settled = settled_by(state, giver, taker, terms)
    gives, gets = terms.give_cash + terms.give_loan, terms.take_cash + terms.take_loan
    return refuse_cost(state, giver, gives, gets, due, settled)


def _refuse_redeeming(state: State, terms: Terms, lot: int, redeemed: int) -> str:
    if not 0 <= lot < state.board.size or state.board.group[lot] < 0:
        return rejections.UNKNOWN_LOT
    if redeemed >> lot & 1:
        return rejections.DUPLICATE_LOT
    if lot not in terms.give_lots:
        return rejections.INVALID_TARGET
    return "" if state.mortgaged[lot] else rejections.NOT_MORTGAGED
