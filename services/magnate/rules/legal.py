"""`legal_actions`: everything a seat may try now, with parameters as ranges and sets of items.

What is listed is accepted, what is not listed is refused. One entry a kind, except that a deal which
settles a debt has an entry of its own (see `offer_trade`).

roll, buy_lot, pay_fine, use_jail_card, pay_debt, declare_bankruptcy, resign, end_turn
    no parameters.
decline_lot
    where the decliner sets the least first bid: `amount_min` to `amount_max`; else nothing.
place_bid, pass_auction, set_proxy_bid
    an entry for each `auction` (its number) in which it can be done, with the one lot in `lots`. A bid, or a
    ceiling, is from `amount_min` to `amount_max` (a ceiling may also be 0 where one is set), a bid by whole
    steps of `amount_step` where that is not 0. By a fee of a penny auction there is but one amount.
build, sell_buildings
    `lots`: the levels (`level_min` to `level_max`) that a lot can have after one command that moves the other
    lots of its group along as evenness asks; a lot stands in the list again where its levels have a gap.
    `level_alone` is the furthest level the lot reaches without the others, -1 if none: such a target can be
    sent as it is, and lots that have one come first. `amount` is the price, or the proceeds, of one level;
    `amount_max` the money there is for building. Several groups fit into one command if money and stock do.
mortgage_lots, redeem_lots
    `lots` with their `amount` each; any subset, for redeeming as long as `amount_max` suffices.
offer_trade
    to one of `seats`: cash given `amount_min` to `amount_max`, cash asked up to `offers.CASH_MAX`; the `lots`
    that may change hands (one's own to give, the addressee's to take; `amount` is the interest that the
    receiver of a mortgaged lot pays at once), `cards` likewise. An entry before it with `amount_min` 1 says
    that a deal with its one seat may settle (`settles_debt`) from `amount_min` to `amount_max` of what one
    owes the other, and that a debtor may add cash to such a deal. In other deals a debtor
    may give cash only where he asks for as much; that is not listed. Where `imbalance_percent_max` is not 0
    the smaller side may lack so many percent of the larger: a side is worth its cash, the `worth` of its
    lots, `card_worth` a card, and the debt it lets go. `free_lots` are those of which their owner (the new
    one, if they change hands by the same deal) may grant the other 1 to `visits_max` free visits.
    `borrowers` are the seats that the other side of the deal may lend money to, as if it were cash.
counter_offer
    `offers` that may be answered with terms as in `offer_trade` towards the seat that made the offer.
accept_offer
    `offers`; `lots` received with them that may be redeemed in the same command for `amount` each, as long as
    `amount_max` suffices for these and for what the offer costs.
reject_offer, withdraw_offer
    `offers`.
take_loan
    `amount_min` to `amount_max`. repay_loan: the oldest loan of one of `answers`, a seat or -1 the bank.
claim_rent
    `lots` whose rent may be claimed, `amount` each.
choose_option
    the `question` (QUESTION_…) may be answered with one of `answers`: numbers of options (0 to `options` - 1
    where a card offers some), seats or squares, as the question says; `amount_min` is what is to be paid.
stake
    the stake, `amount_min`, and where there are any up to `faces_max` different faces.
play_card
    `cards`. skip: the `question` that is left alone; `amount_min` is what it is about, a rent is paid then.
return_lots
    `lots` with the `amount` each counts; any subset.
place_token
    `answers`, the squares the token may stand on. pass_go: no parameters; `amount_min` is what GO pays.
drawn_card
    `cards`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import kinds
from magnate.rules.kinds import KIND_NAMES
from magnate.rules.legal_bids import BIDDING_KINDS, bidding_actions
from magnate.rules.legal_hand import HAND_KINDS, fill_by_hand
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.legal_levels import Reach, level_price, level_resale, reach_down, reach_up
from magnate.rules.legal_questions import QUESTION_KINDS, fill
from magnate.rules.legal_shortage import SHORTAGE_KINDS, fill_shortage
from magnate.rules.legal_trade import (
    acceptable,
    counterable,
    debts_in_kind,
    offers_from,
    offers_to,
    partners,
    redeemable,
    tradable,
)
from magnate.rules.legal_values import LegalAction, LegalLot
from magnate.rules.steps.auction import MINIMUM
from magnate.rules.steps.buy import minimum_most
from magnate.rules.steps.claim import claims_of
from magnate.rules.steps.loan import repayable
from magnate.rules.steps.mortgage import redemption, refuse_mortgage, refuse_redemption

if TYPE_CHECKING:
    from magnate.rules.bidding import Auction
    from magnate.rules.state import State


def legal_actions(state: State, seat: int, auctions: dict[int, Auction] | None = None) -> list[LegalAction]:
    """Everything this seat may try now; `auctions` are those that run, by number."""
    actions: list[LegalAction] = []
    found = legal_kinds(state, seat, auctions)
    for place, name in enumerate(KIND_NAMES):
        kind = found & 1 << place
        if not kind:
            continue
        action = LegalAction(name)
        if kind & BIDDING_KINDS:
            actions.extend(bidding_actions(state, seat, kind, auctions))
            continue
        if kind in (kinds.BUILD, kinds.SELL_BUILDINGS):
            _levels(state, seat, kind, action)
        elif kind in (kinds.MORTGAGE_LOTS, kinds.REDEEM_LOTS):
            _mortgages(state, seat, kind, action)
        elif kind in (kinds.OFFER_TRADE, kinds.COUNTER_OFFER):
            _offer(state, seat, kind, action)
            if kind == kinds.OFFER_TRADE:
                actions.extend(debts_in_kind(state, seat, kind_name=name))
            if not action.seats:  # nothing but letting a debt go would be fair
                continue
        elif kind == kinds.ACCEPT_OFFER:
            action.offers = acceptable(state, seat)
            action.lots = redeemable(state, seat, action.offers)
            action.amount_max = state.available(seat)
        elif kind == kinds.REJECT_OFFER:
            action.offers = offers_to(state, seat)
        elif kind == kinds.WITHDRAW_OFFER:
            action.offers = offers_from(state, seat)
        elif kind & QUESTION_KINDS:
            fill(state, seat, kind, action)
        elif kind & HAND_KINDS:
            fill_by_hand(state, seat, kind, action)
        elif kind & SHORTAGE_KINDS:
            fill_shortage(state, seat, kind, action)
        elif kind == kinds.CLAIM_RENT:
            action.lots = [LegalLot(one.lot, 0, 0, one.amount) for one in claims_of(state, seat)]
        elif kind == kinds.TAKE_LOAN:
            action.amount_min = 1
            action.amount_max = state.board.loan_amount
        elif kind == kinds.REPAY_LOAN:
            action.answers = repayable(state, seat)
        elif kind == kinds.DECLINE_LOT:
            action.amount_max = minimum_most(state)
            action.amount_min = min(MINIMUM, action.amount_max)
        elif kind == kinds.BUY_LOT:
            action.lots = [LegalLot(state.offered_lot, 0, 0, state.board.price[state.offered_lot])]
        actions.append(action)
    return actions


def _levels(state: State, seat: int, kind: int, action: LegalAction) -> None:
    """Fill in what building or selling can reach, group by group."""
    up = kind == kinds.BUILD
    money = state.available(seat)
    if up:
        action.amount_max = money
    first: list[LegalLot] = []
    rest: list[LegalLot] = []
    for group, members in enumerate(state.board.members):
        if up:
            if not state.full[seat] >> group & 1 or state.group_mortgaged[group] > 0:
                continue
            reach = reach_up(state, seat, group, money)
        elif state.group_buildings[group] > 0 and state.owned[seat] & state.board.group_mask[group]:
            reach = reach_down(state, seat, group)
        else:
            continue
        amount = level_price(state, group) if up else level_resale(state, group)
        for place, lot in enumerate(members):
            lots = _runs(reach, place, lot, amount, up=up)
            if lots and lots[0].level_alone >= 0:
                first.extend(lots)
            else:
                rest.extend(lots)
    action.lots = first + rest


def _runs(reach: Reach, place: int, lot: int, amount: int, *, up: bool) -> list[LegalLot]:
    """The levels of one lot as ranges without gaps."""
    alone = -1
    rest = reach.alone[place]
    if rest:
        alone = rest.bit_length() - 1 if up else (rest & -rest).bit_length() - 1
    runs: list[LegalLot] = []
    level = 0
    levels = reach.together[place]
    while levels >> level:
        if levels >> level & 1:
            low = level
            while levels >> level + 1 & 1:
                level += 1
            runs.append(LegalLot(lot, low, level, amount, alone))
        level += 1
    return runs


def _mortgages(state: State, seat: int, kind: int, action: LegalAction) -> None:
    money = state.available(seat)
    if kind == kinds.REDEEM_LOTS:
        action.amount_max = money
    for lot in state.board.lots:
        if state.owner[lot] != seat:
            continue
        if kind == kinds.MORTGAGE_LOTS:
            if not refuse_mortgage(state, lot):
                action.lots.append(LegalLot(lot, 0, 0, state.board.mortgage_value[lot]))
        elif redemption(state, lot) <= money and not refuse_redemption(state, seat, lot):
            action.lots.append(LegalLot(lot, 0, 0, redemption(state, lot)))


def _offer(state: State, seat: int, kind: int, action: LegalAction) -> None:
    if not (state.debts and state.in_debt(seat)):
        action.amount_max = state.available(seat)
    if kind == kinds.COUNTER_OFFER:
        action.offers = counterable(state, seat)
        makers = [state.offers[offer].from_seat for offer in action.offers]
        action.seats = [other for other in range(state.seats) if other in makers]
    else:
        action.seats = partners(state, seat)
    tradable(state, [seat, *action.seats], action)
