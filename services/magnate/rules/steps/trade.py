"""Deals between seats: rows 37, 64 to 70 and 76. Offers are made, countered, accepted, rejected, withdrawn.

Refusals of `offer`, in this order: TRADE_NOT_ALLOWED, NOT_YOUR_TURN, WRONG_PHASE (trade.when); UNKNOWN_SEAT,
SELF_TRADE, SEAT_OUT; of `counter`: TRADE_NOT_ALLOWED; UNKNOWN_OFFER, OFFER_STALE; NOT_YOUR_TURN, WRONG_PHASE;
NOT_OFFER_PARTY; of both then OFFER_LIMIT_REACHED; what `terms.refuse_terms` lists; MUST_PAY_FIRST;
INSUFFICIENT_FUNDS.

Refusals of `accept`: TRADE_NOT_ALLOWED; UNKNOWN_OFFER, OFFER_STALE; NOT_YOUR_TURN, WRONG_PHASE;
NOT_OFFER_PARTY; OFFER_STALE (older than a debt that is still open, or its maker cannot pay his side, or what
it settles is paid); for `redeem_lots` UNKNOWN_LOT, DUPLICATE_LOT, INVALID_TARGET (not received),
NOT_MORTGAGED, MUST_PAY_FIRST; then MUST_PAY_FIRST, INSUFFICIENT_FUNDS for the money of his own side.

`accept` and `counter` are right at the moment of either of the two (rows 66, 89).

`reject` and `withdraw`: UNKNOWN_OFFER, OFFER_STALE, NOT_OFFER_PARTY.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.bonds import has_bonds
from magnate.rules.choices import TRANSFER_TEN_NOW_TEN_LATER
from magnate.rules.decision import BANK
from magnate.rules.offers import STALE_REMEMBERED_MAX, debt_in_kind, lots_named, void_card, void_lots
from magnate.rules.rejections import Rejection
from magnate.rules.steps import levels
from magnate.rules.steps.debt import interest
from magnate.rules.steps.immunity import grant
from magnate.rules.steps.loan import lend
from magnate.rules.steps.mortgage import redemption
from magnate.rules.terms import (
    refuse_accepting,
    refuse_answering,
    refuse_named,
    refuse_offer,
    refuse_partner,
    refuse_trading,
)
from magnate.rules.vocabulary import (
    OFFER_END_COUNTERED,
    OFFER_END_REJECTED,
    OFFER_END_STALE,
    OFFER_END_WITHDRAWN,
    TRANSFER_REASON_MORTGAGE_INTEREST,
    TRANSFER_REASON_REDEMPTION,
    TRANSFER_REASON_RENT,
    TRANSFER_REASON_TRADE,
    CardTransferred,
    DebtPaid,
    LotsRedeemed,
    LotTransferred,
    MortgageInterestCharged,
    OfferAccepted,
    OfferClosed,
    OfferMade,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State
    from magnate.rules.vocabulary import (
        AcceptOffer,
        Card,
        CounterOffer,
        OfferTrade,
        RejectOffer,
        Terms,
        WithdrawOffer,
    )


def offer(draft: Draft, seat: int, command: OfferTrade) -> Rejection | None:
    """Offer a deal; it stays open until it is answered, withdrawn or stale."""
    state = draft.state
    name = refuse_trading(state, seat) or refuse_partner(state, seat, command.to_seat)
    name = name or refuse_offer(state, seat, command.to_seat, command.terms)
    if name:
        return Rejection(name)
    draft.emit(OfferMade(state.offer_count + 1, seat, command.to_seat, command.terms, 0))
    return None


def counter(draft: Draft, seat: int, command: CounterOffer) -> Rejection | None:
    """Answer an offer with terms of one's own; the answered one is closed."""
    state = draft.state
    name = refuse_answering(state, seat, command.offer)
    name = name or refuse_named(state, seat, command.offer, mine=False)
    if name:
        return Rejection(name)
    to_seat = state.offers[command.offer].from_seat
    name = refuse_offer(state, seat, to_seat, command.terms)
    if name:
        return Rejection(name)
    draft.emit(OfferClosed(command.offer, OFFER_END_COUNTERED))
    draft.emit(OfferMade(state.offer_count + 1, seat, to_seat, command.terms, command.offer))
    return None


def reject(draft: Draft, seat: int, command: RejectOffer) -> Rejection | None:
    """Say no to an offer."""
    name = refuse_named(draft.state, seat, command.offer, mine=False)
    if name:
        return Rejection(name)
    draft.emit(OfferClosed(command.offer, OFFER_END_REJECTED))
    return None


def withdraw(draft: Draft, seat: int, command: WithdrawOffer) -> Rejection | None:
    """Take back an offer."""
    name = refuse_named(draft.state, seat, command.offer, mine=True)
    if name:
        return Rejection(name)
    draft.emit(OfferClosed(command.offer, OFFER_END_WITHDRAWN))
    return None


def accept(draft: Draft, seat: int, command: AcceptOffer) -> Rejection | None:
    """Strike the deal: cash, lots, cards, loans, visits, interest or redemption, then the settled debt."""
    state = draft.state
    name = (
        refuse_answering(state, seat, command.offer)
        or refuse_named(state, seat, command.offer, mine=False)
        or refuse_accepting(state, state.offers[command.offer], command.redeem_lots)
    )
    if name:
        return Rejection(name)
    made = state.offers[command.offer]
    terms = made.terms
    giver = made.from_seat
    draft.emit(OfferAccepted(made.offer))
    draft.pay(giver, seat, terms.give_cash, TRANSFER_REASON_TRADE)
    draft.pay(seat, giver, terms.take_cash, TRANSFER_REASON_TRADE)
    _hand_over(draft, giver, seat, terms.give_lots, terms.give_cards)
    _hand_over(draft, seat, giver, terms.take_lots, terms.take_cards)
    levels.after_acquiring(draft, terms.give_lots + terms.take_lots)
    if has_bonds(terms):
        _promise(draft, giver, seat, terms)
    _redeem(draft, seat, command.redeem_lots)
    _charge_interest(draft, seat, terms.give_lots)
    _charge_interest(draft, giver, terms.take_lots)
    _settle(draft, giver, seat, terms)
    if state.offers:
        void_lots(draft, lots_named(made))
        for card in terms.give_cards + terms.take_cards:
            void_card(draft, card.deck, card.card)
    return None


def _hand_over(draft: Draft, giver: int, taker: int, lots: list[int], cards: list[Card]) -> None:
    for lot in lots:
        draft.emit(LotTransferred(lot, giver, taker))
    for card in cards:
        draft.emit(CardTransferred(card.deck, card.card, giver, taker))


def _promise(draft: Draft, giver: int, taker: int, terms: Terms) -> None:
    """Pay out what is lent, and grant free visits, which a lot that changed hands has from its new owner."""
    state = draft.state
    rounds = state.rules.trade_loan_rounds
    due_round = state.round + rounds if rounds else 0
    lend(draft, giver, taker, terms.give_loan, due_round)
    lend(draft, taker, giver, terms.take_loan, due_round)
    grant(draft, giver, taker, terms.give_immunity)
    grant(draft, taker, giver, terms.take_immunity)


def _redeem(draft: Draft, seat: int, lots: list[int]) -> None:
    if not lots:
        return
    amount = 0
    for lot in lots:
        amount += redemption(draft.state, lot)
    draft.emit(LotsRedeemed(seat, lots, amount))
    draft.pay(seat, BANK, amount, TRANSFER_REASON_REDEMPTION)


def _charge_interest(draft: Draft, seat: int, lots: list[int]) -> None:
    """The new owner of a mortgaged lot pays the interest now, and again when he redeems it (row 76)."""
    state = draft.state
    if state.rules.mortgage_transfer != TRANSFER_TEN_NOW_TEN_LATER:
        return
    for lot in lots:
        if state.mortgaged[lot]:
            amount = interest(state, lot)
            draft.emit(MortgageInterestCharged(seat, lot, amount))
            draft.pay(seat, BANK, amount, TRANSFER_REASON_MORTGAGE_INTEREST)


def _settle(draft: Draft, giver: int, taker: int, terms: Terms) -> None:
    if terms.settles_debt == 0:
        return
    debt = debt_in_kind(draft.state, giver, taker, TRANSFER_REASON_RENT)
    assert debt is not None
    amount = min(terms.settles_debt, debt.amount)
    draft.emit(DebtPaid(debt.debtor, debt.creditor, amount, debt.reason))


def fold_offer_made(state: State, event: OfferMade) -> None:
    """The offer is open."""
    state.offers[event.offer] = event
    state.offer_count = event.offer


def fold_offer_accepted(state: State, event: OfferAccepted) -> None:
    """The offer is open no more."""
    del state.offers[event.offer]


def fold_offer_closed(state: State, event: OfferClosed) -> None:
    """The offer is open no more; that it went stale is remembered for a while."""
    del state.offers[event.offer]
    if event.end == OFFER_END_STALE:
        state.stale_offers.append(event.offer)
        if len(state.stale_offers) > STALE_REMEMBERED_MAX:
            state.stale_offers.pop(0)


FOLDS: Final[Folds] = {
    OfferMade: fold_offer_made,
    OfferAccepted: fold_offer_accepted,
    OfferClosed: fold_offer_closed,
}
