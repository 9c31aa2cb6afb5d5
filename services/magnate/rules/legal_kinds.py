"""`legal_kinds`: which kinds of commands a seat may try, as one int of bits. Cheap: counters, no scans.

A bit is set exactly if some command of that kind would be accepted; `legal_actions` says which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.balance import can_balance, can_offer
from magnate.rules.choices import PAYMENT_BY_CARD, SCOPE_GROUP, TOKENS_BY_HAND, WHEN_ANY_TIME, WHEN_NEVER
from magnate.rules.deeds import bare, lowest
from magnate.rules.gates import BETWEEN
from magnate.rules.kinds import (
    ACCEPT_OFFER,
    BUILD,
    BUY_LOT,
    CLAIM_RENT,
    COUNTER_OFFER,
    DECLARE_BANKRUPTCY,
    DECLINE_LOT,
    DRAWN_CARD,
    END_TURN,
    MORTGAGE_LOTS,
    OFFER_TRADE,
    PASS_AUCTION,
    PASS_GO,
    PAY_DEBT,
    PAY_FINE,
    PLACE_BID,
    PLACE_TOKEN,
    REDEEM_LOTS,
    REJECT_OFFER,
    REPAY_LOAN,
    RESIGN,
    ROLL,
    SELL_BUILDINGS,
    SET_PROXY_BID,
    TAKE_LOAN,
    USE_JAIL_CARD,
    WITHDRAW_OFFER,
)
from magnate.rules.legal_levels import can_build
from magnate.rules.legal_questions import kinds_of_choice, kinds_of_things
from magnate.rules.legal_shortage import kinds_of_shortage
from magnate.rules.moments import bids_are_sealed
from magnate.rules.offers import OFFERS_OPEN_MAX, open_offers_of
from magnate.rules.steps.auction import bid_most
from magnate.rules.steps.bankrupt import may_give_up
from magnate.rules.steps.build import refuse_building, refuse_selling
from magnate.rules.steps.claim import claims_of
from magnate.rules.steps.debt import can_pay
from magnate.rules.steps.hand import asked_to_draw, may_pass_go
from magnate.rules.steps.kept import opens_jail
from magnate.rules.steps.loan import can_repay, refuse_borrowing
from magnate.rules.steps.mortgage import (
    redemption,
    refuse_mortgaging,
    refuse_redeeming,
    refuse_redemption,
)
from magnate.rules.terms import refuse_accepting, refuse_answering, refuse_trading
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_JAIL,
    PHASE_OVER,
    PHASE_ROLL,
)

if TYPE_CHECKING:
    from magnate.rules.bidding import Auction
    from magnate.rules.state import State


def legal_kinds(state: State, seat: int, auctions: dict[int, Auction] | None = None) -> int:
    """The kinds of commands of which at least one would be accepted from this seat now.

    `auctions` are those that run, by number; without them no bit for bidding is set.
    """
    found = kinds_without_deals(state, seat, auctions)
    if found == 0:
        return 0
    when = state.rules.trade_when
    if when == WHEN_ANY_TIME and not state.offers and state.rules.trade_max_imbalance_percent == 0:
        return found if bids_are_sealed(state) else found | OFFER_TRADE  # asking for money is always possible
    return found if when == WHEN_NEVER else found | _of_trade(state, seat)


def kinds_without_deals(state: State, seat: int, auctions: dict[int, Auction] | None = None) -> int:
    """The same but for offers and answers to them; nothing if the seat is not in a game that goes on."""
    phase = state.phase
    if phase in (0, PHASE_OVER) or not 0 <= seat < state.seats or state.out[seat]:
        return 0
    found = RESIGN | kinds_to_go_on(state, seat)
    if auctions:
        found |= _of_bidding(state, seat, auctions)
    if state.owned[seat]:
        found |= _of_lots(state, seat)
    if state.debts:
        found |= kinds_of_things(state, seat)
        if state.in_debt(seat):
            found |= _of_debt(state, seat)
    if state.rules.loan_enabled and not refuse_borrowing(state, seat):
        found |= TAKE_LOAN
    if state.extras.loans and can_repay(state, seat):
        found |= REPAY_LOAN
    return found


def kinds_to_go_on(state: State, seat: int) -> int:
    """Of these what takes the game on, or is asked about: not what owning lots and owing money allow."""
    found = 0
    if state.rules.table_tokens == TOKENS_BY_HAND:
        found = _by_hand(state, seat)
    elif seat == state.turn_seat:
        phase = state.phase
        if phase == PHASE_ROLL:
            found = ROLL
        elif phase == PHASE_ACT:
            found = END_TURN
        else:
            found = _on_turn(state, seat, phase)
    if state.board.has_played_cards and state.cards[seat]:
        found |= kinds_of_things(state, seat)
    return found | _of_extras(state, seat) if state.extras.touched else found


def _of_extras(state: State, seat: int) -> int:
    """What a shortage of buildings or an open claim allows."""
    found = 0
    if state.extras.shortage_building or state.extras.placing_seat:
        found |= kinds_of_shortage(state, seat)
    if state.extras.claims and claims_of(state, seat):
        found |= CLAIM_RENT
    return found


def _on_turn(state: State, seat: int, phase: int) -> int:
    """What only the seat on turn may do where something is asked of it."""
    if phase == PHASE_BUY:
        if state.board.price[state.offered_lot] <= state.available(seat):
            return BUY_LOT | DECLINE_LOT
        return DECLINE_LOT
    if phase == PHASE_JAIL:
        return ROLL | _out_of_jail(state, seat)
    return kinds_of_choice(state, seat) if phase == PHASE_CHOICE else 0


def _by_hand(state: State, seat: int) -> int:
    """What may be done and told where tokens are moved by hand: between turns by any seat."""
    found = PASS_GO if may_pass_go(state, seat) else 0
    if state.phase in BETWEEN:
        found |= PLACE_TOKEN
        if seat == state.turn_seat:
            found |= END_TURN
        if state.jailed[seat]:
            return found | _out_of_jail(state, seat)
        return found | DRAWN_CARD if any(state.unseen) or any(state.seen) else found
    if asked_to_draw(state, seat):
        found |= DRAWN_CARD
    return found | _on_turn(state, seat, state.phase) if seat == state.turn_seat else found


def _out_of_jail(state: State, seat: int) -> int:
    found = PAY_FINE if state.board.jail_fine <= state.available(seat) else 0
    return found | USE_JAIL_CARD if state.cards[seat] and opens_jail(state, seat) else found


def _of_bidding(state: State, seat: int, auctions: dict[int, Auction]) -> int:
    found = 0
    for auction in auctions.values():
        if auction.may_act(seat):
            found |= PASS_AUCTION
            if auction.least_bid <= bid_most(state, seat, auction, auctions):
                found |= PLACE_BID
        if auction.may_set_ceiling(seat):
            found |= SET_PROXY_BID
    return found


def _of_lots(state: State, seat: int) -> int:
    """What owning lots allows: build, sell, mortgage, redeem."""
    found = 0
    rules = state.rules
    owned = state.owned[seat]
    if state.built[seat] and not refuse_selling(state, seat):
        found |= SELL_BUILDINGS
    if (
        state.full[seat]
        and not refuse_building(state, seat)
        and can_build(state, seat, state.available(seat))
    ):
        found |= BUILD
    free = owned & ~state.mortgaged_mask
    if free and (rules.mortgage_when == WHEN_ANY_TIME or not refuse_mortgaging(state, seat)):
        if rules.mortgage_clear == SCOPE_GROUP:
            free &= ~state.built_mask
        else:
            free = bare(state, free)
        if free:
            found |= MORTGAGE_LOTS
    mortgaged = owned & state.mortgaged_mask
    if mortgaged and _can_redeem(state, seat, mortgaged):
        free_to = rules.mortgage_redeem_when == WHEN_ANY_TIME and not state.debts  # the usual case, quickly
        if free_to or not refuse_redeeming(state, seat):
            found |= REDEEM_LOTS
    return found


def _can_redeem(state: State, seat: int, mortgaged: int) -> bool:
    money = state.available(seat)
    if state.extras.redeem_offer:
        return _can_redeem_some(state, seat, money)
    costs = state.redeem_cost
    while mortgaged:
        if costs[lowest(mortgaged)] <= money:
            return True
        mortgaged &= mortgaged - 1
    return False


def _can_redeem_some(state: State, seat: int, money: int) -> bool:
    for lot in state.board.lots:
        if (
            state.owner[lot] == seat
            and redemption(state, lot) <= money
            and not refuse_redemption(state, seat, lot)
        ):
            return True
    return False


def _of_trade(state: State, seat: int) -> int:
    """Offering, and what open offers allow."""
    allowed = not refuse_trading(state, seat)
    may_offer = allowed and can_offer(state, seat)
    if not state.offers:
        return OFFER_TRADE if may_offer else 0
    found = 0
    room = open_offers_of(state, seat) < OFFERS_OPEN_MAX
    if may_offer and room:
        found |= OFFER_TRADE
    for offer in state.offers.values():
        if offer.from_seat == seat:
            found |= WITHDRAW_OFFER
        elif offer.to_seat == seat:
            found |= REJECT_OFFER
            if allowed or not refuse_answering(state, seat, offer.offer):
                if room and can_balance(state, seat, [offer.from_seat]):
                    found |= COUNTER_OFFER
                if not found & ACCEPT_OFFER and not refuse_accepting(state, offer, []):
                    found |= ACCEPT_OFFER
    return found


def _of_debt(state: State, seat: int) -> int:
    """What only a debtor may do; where a payment waits for his card, only the bank's terminal pays it."""
    found = 0
    if state.rules.debt_payment != PAYMENT_BY_CARD and can_pay(state, seat):
        found |= PAY_DEBT
    if may_give_up(state, seat):
        found |= DECLARE_BANKRUPTCY
    return found
