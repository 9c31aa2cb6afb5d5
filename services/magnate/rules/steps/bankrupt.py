"""Leaving the game (rows 78 to 83): bankruptcy, resignation, and what becomes of the estate.

To a player: buildings are sold to the bank at half, and money, lots and kept cards go to him; a mortgaged lot
costs him its interest at once. To the bank: buildings and money fall to it, cards go under their decks, lots
are auctioned one after another, or are free where the rule set says so.

Own reading for several creditors: the money is shared in proportion to what each is owed, odd units one each
in turn order from the bankrupt (the bank last); everything else goes to the one that is owed most (a player
before the bank, then in turn order).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import TO_BANK_AUCTION, TRANSFER_FORBIDDEN
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_mortgaged, set_owner
from magnate.rules.folds import nothing
from magnate.rules.offers import void_seat
from magnate.rules.rejections import CAN_STILL_PAY, NOT_IN_DEBT, Rejection
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps.build import resale
from magnate.rules.steps.card import others_in_order
from magnate.rules.steps.claim import end_claims
from magnate.rules.steps.debt import building_cost, charge_interest, liquidation
from magnate.rules.vocabulary import (
    TRANSFER_REASON_BANKRUPTCY,
    TRANSFER_REASON_BUILDING_SALE,
    BankruptcyCounted,
    BankruptcyDeclared,
    BuildingsSold,
    CardReturned,
    CardTransferred,
    DebtsAssigned,
    DeclareBankruptcy,
    DropBidder,
    EstateQueued,
    LotLevel,
    LotsFrozen,
    LotTransferred,
    Resign,
    SeatEliminated,
    SeatResigned,
    TimeExpired,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def declare_bankruptcy(draft: Draft, seat: int, _command: DeclareBankruptcy) -> Rejection | None:
    """Give up: NOT_IN_DEBT, CAN_STILL_PAY while selling and mortgaging everything would do."""
    state = draft.state
    if not state.in_debt(seat):
        return Rejection(NOT_IN_DEBT)
    owed = state.owed(seat)
    raised = liquidation(state, seat)
    if raised >= owed:
        return Rejection(CAN_STILL_PAY, f"{owed} is owed, {raised} can be raised")
    creditor = _receiver(state, seat)
    draft.emit(BankruptcyDeclared(seat, creditor))
    _stop_bidding(draft, seat)
    _leave(draft, seat, creditor)
    return None


def resign(draft: Draft, seat: int, _command: Resign) -> Rejection | None:
    """Leave for good; never refused. What is owed to a player makes him the heir, else the bank is."""
    creditor = _receiver(draft.state, seat)
    draft.emit(SeatResigned(seat))
    _stop_bidding(draft, seat)
    _leave(draft, seat, creditor)
    return None


def _stop_bidding(draft: Draft, seat: int) -> None:
    """Take the seat out of the running auction.

    A leader has money on hold: the auction's answer to `DropBidder` releases it, and that record stands before
    the transfers of this step.
    """
    state = draft.state
    if state.auction and state.alive > 2:  # with one seat left the game ends and cancels the auction
        draft.ask(DropBidder(state.auction, seat))


def _receiver(state: State, seat: int) -> int:
    """Who gets the lots: whoever is owed most."""
    best = BANK
    most = 0
    for creditor in [*others_in_order(state, seat), BANK]:
        owed = _owed_to(state, seat, creditor)
        if owed > most:
            best = creditor
            most = owed
    return best


def _owed_to(state: State, seat: int, creditor: int) -> int:
    total = 0
    for debt in state.debts:
        if debt.debtor == seat and debt.creditor == creditor:
            total += debt.amount
    return total


def _leave(draft: Draft, seat: int, creditor: int) -> None:
    state = draft.state
    if state.offers:
        void_seat(draft, seat)
    _sell_buildings(draft, seat)
    _share_money(draft, seat)
    lots = [lot for lot in state.board.lots if state.owner[lot] == seat]
    for code in list(state.cards[seat]):
        deck = code // CARDS_PER_DECK_MAX
        card = code % CARDS_PER_DECK_MAX
        if creditor == BANK:
            draft.emit(CardReturned(seat, deck, card))
        else:
            draft.emit(CardTransferred(deck, card, seat, creditor))
    if any(debt.creditor == seat for debt in state.debts):
        draft.emit(DebtsAssigned(seat, creditor))
    auctioned = state.rules.bankrupt_to_bank == TO_BANK_AUCTION and state.alive > 2
    queued = len(lots) > 0 and creditor == BANK and auctioned
    with_mortgages = state.rules.mortgage_transfer != TRANSFER_FORBIDDEN
    if queued and with_mortgages:
        draft.emit(EstateQueued(lots))
    for lot in lots:
        draft.emit(LotTransferred(lot, seat, creditor))
    if queued and not with_mortgages:  # the bank has freed them: what is mortgaged must not change hands (C15)
        draft.emit(EstateQueued(lots))
    draft.emit(SeatEliminated(seat))
    if creditor != BANK:
        for lot in lots:
            if state.mortgaged[lot]:
                charge_interest(draft, creditor, lot)


def _sell_buildings(draft: Draft, seat: int) -> None:
    """Back to the bank: at half for the money of a player's claim, for nothing if only the bank has one."""
    state = draft.state
    if state.built[seat] == 0:
        return
    lots = [lot for lot in state.board.streets if state.owner[lot] == seat and state.level[lot]]
    proceeds = 0
    if any(debt.debtor == seat and debt.creditor != BANK for debt in state.debts):
        proceeds = resale(state, building_cost(state, seat))
    draft.emit(BuildingsSold(seat, [LotLevel(lot, 0) for lot in lots], proceeds))
    draft.pay(BANK, seat, proceeds, TRANSFER_REASON_BUILDING_SALE)


def _share_money(draft: Draft, seat: int) -> None:
    state = draft.state
    money = state.cash[seat]
    if money == 0:
        return
    owed = state.owed(seat)
    if owed == 0:
        draft.pay(seat, BANK, money, TRANSFER_REASON_BANKRUPTCY)
        return
    creditors: list[int] = []
    shares: list[int] = []
    rest = money
    for creditor in [*others_in_order(state, seat), BANK]:
        claim = _owed_to(state, seat, creditor)
        if claim > 0:
            creditors.append(creditor)
            shares.append(money * claim // owed)
            rest -= money * claim // owed
    for place, creditor in enumerate(creditors):
        odd = 1 if place < rest else 0
        draft.pay(seat, creditor, shares[place] + odd, TRANSFER_REASON_BANKRUPTCY)


def _seat_eliminated(state: State, event: SeatEliminated) -> None:
    seat = event.seat
    state.out[seat] = 1
    state.alive -= 1
    state.eliminated.append(seat)
    end_claims(state, seat)
    state.jailed[seat] = 0
    state.jail_tries[seat] = 0
    state.debts = [debt for debt in state.debts if debt.debtor != seat]
    if seat == state.turn_seat:
        state.turn_over = 1
        state.to_roll = 0
        state.offered_lot = -1
        state.pending_move = 0
        state.choice_deck = -1
        state.choice_card = -1
        state.extras.question = 0
        state.extras.question_square = -1
        state.extras.question_amount = 0


def _lot_transferred(state: State, event: LotTransferred) -> None:
    """To another seat as it is; the bank keeps the mortgage only while the lot waits for its auction."""
    set_owner(state, event.lot, event.to_seat)
    if event.to_seat == BANK and event.lot not in state.estate:
        set_mortgaged(state, event.lot, 0)


def _estate_queued(state: State, event: EstateQueued) -> None:
    state.estate.extend(event.lots)


def _card_transferred(state: State, event: CardTransferred) -> None:
    code = event.deck * CARDS_PER_DECK_MAX + event.card
    state.cards[event.from_seat].remove(code)
    state.cards[event.to_seat].append(code)


def _bankruptcy_counted(state: State, event: BankruptcyCounted) -> None:
    state.extras.bankruptcies = event.bankruptcies


def _lots_frozen(state: State, event: LotsFrozen) -> None:
    for lot in event.lots:
        state.extras.frozen |= 1 << lot


FOLDS: Final[Folds] = {
    BankruptcyCounted: _bankruptcy_counted,
    LotsFrozen: _lots_frozen,
    TimeExpired: nothing,
    BankruptcyDeclared: nothing,
    SeatResigned: nothing,
    SeatEliminated: _seat_eliminated,
    EstateQueued: _estate_queued,
    LotTransferred: _lot_transferred,
    CardTransferred: _card_transferred,
}
