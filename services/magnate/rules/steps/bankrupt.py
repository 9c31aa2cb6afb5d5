"""Leaving the game (rows 78 to 84): bankruptcy, resignation, time run out; `estate` hands over what is left.

To a player: buildings are sold to the bank at half, and money, lots and kept cards go to him; a mortgaged lot
costs him its interest at once. By options the bank takes all and pays the creditor, or the lots are free. To
the bank: buildings and money fall to it, cards go under their decks, lots are auctioned one after another, or
are free. The bankruptcy that ends the game may hand everything over as it stands, without an auction (C46).

Own reading for several creditors: the lots and cards go to the one that is owed most (a player before the
bank, then in turn order). Resigning with a debt is as bankruptcy; without one `resign.estate` says what
follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import (
    BUILDINGS_TO_BANK,
    BUILDINGS_TRANSFERRED,
    END_FIRST_BANKRUPTCY,
    END_SECOND_BANKRUPTCY,
    ESTATE_BANK_PAYS_CREDITOR,
    ESTATE_FREE,
    FINAL_TRANSFERRED,
    PAID_IN_FULL,
    RESIGN_AS_BANKRUPT,
    RESIGN_AUCTION,
    RESIGN_FREEZE,
    RESIGN_SPLIT,
    TO_BANK_AUCTION,
)
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_mortgaged, set_owner
from magnate.rules.folds import nothing
from magnate.rules.offers import void_seat
from magnate.rules.rejections import CAN_STILL_PAY, NOT_IN_DEBT, Rejection
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps.card import others_in_order
from magnate.rules.steps.claim import end_claims
from magnate.rules.steps.debt import liquidation
from magnate.rules.steps.end import reason_to_end
from magnate.rules.steps.estate import (
    MONEY_MADE_GOOD,
    MONEY_SHARED,
    MONEY_TO_BANK,
    Will,
    call_in_loans,
    execute,
    owed_to,
    split,
)
from magnate.rules.steps.place import give_back
from magnate.rules.steps.running import running_auctions
from magnate.rules.steps.shortage import leave_shortage
from magnate.rules.vocabulary import (
    BankruptcyCounted,
    BankruptcyDeclared,
    CardTransferred,
    DeclareBankruptcy,
    DropBidder,
    EstateQueued,
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
    if not may_give_up(state, seat):
        detail = f"{state.owed(seat)} is owed, {liquidation(state, seat)} can be raised"
        return Rejection(CAN_STILL_PAY, detail)
    go_bankrupt(draft, seat)
    return None


def may_give_up(state: State, seat: int) -> bool:
    """Whether a debtor may give up: he cannot pay, or need not try (row 78)."""
    if state.rules.bankrupt_early:
        return True
    owed = state.owed(seat)
    return state.available(seat) < owed and liquidation(state, seat, owed) < owed  # the first is cheap


def go_bankrupt(draft: Draft, seat: int) -> None:
    """The seat is bankrupt, by its own word or because its time is over; what it owes says to whom."""
    state = draft.state
    call_in_loans(draft, seat)
    creditor = _receiver(state, seat)
    draft.emit(BankruptcyDeclared(seat, creditor))
    _prepare(draft, seat)
    execute(draft, seat, _will(state, creditor, final=_count(draft)))


def resign(draft: Draft, seat: int, _command: Resign) -> Rejection | None:
    """Leave for good; never refused. Who owes something leaves as a bankrupt."""
    state = draft.state
    call_in_loans(draft, seat)
    creditor = _receiver(state, seat)
    draft.emit(SeatResigned(seat))
    _prepare(draft, seat)
    how = state.rules.resign_estate
    if state.in_debt(seat):
        execute(draft, seat, _will(state, creditor, final=_count(draft)))
    elif how == RESIGN_SPLIT:
        split(draft, seat)
    else:
        will = _will(state, BANK, final=False)
        if how != RESIGN_AS_BANKRUPT:
            will.buildings = BUILDINGS_TO_BANK
            will.auction = how == RESIGN_AUCTION and state.alive > 2
            will.frozen = how == RESIGN_FREEZE
        execute(draft, seat, will)
    return None


def _prepare(draft: Draft, seat: int) -> None:
    """Take the seat out of open offers and the running auctions.

    A leader has money on hold: the auction's answer to `DropBidder` releases it, and that record stands
    before the transfers of this step.
    """
    state = draft.state
    if state.auction and state.alive > 2:  # with one seat left the game ends and cancels the auctions
        for number in running_auctions(state):
            draft.ask(DropBidder(number, seat))
    if state.extras.placing_seat == seat + 1:
        give_back(draft)
    if state.offers:
        void_seat(draft, seat)


def _receiver(state: State, seat: int) -> int:
    """Who gets the lots: whoever is owed most."""
    best = BANK
    most = 0
    for creditor in [*others_in_order(state, seat), BANK]:
        owed = owed_to(state, seat, creditor)
        if owed > most:
            best = creditor
            most = owed
    return best


def _count(draft: Draft) -> bool:
    """Count the bankruptcy where that ends the game; whether it does."""
    state = draft.state
    if state.rules.end not in (END_FIRST_BANKRUPTCY, END_SECOND_BANKRUPTCY):
        return False
    draft.emit(BankruptcyCounted(state.extras.bankruptcies + 1))
    return reason_to_end(state) != 0


def _will(state: State, creditor: int, *, final: bool) -> Will:
    """What the rule set says of a bankrupt's estate; `final`: his bankruptcy ends the game."""
    rules = state.rules
    will = Will(creditor, rules.bankrupt_buildings)
    if final and rules.bankrupt_buildings_final == FINAL_TRANSFERRED:
        will.buildings = BUILDINGS_TRANSFERRED
        will.interest = False
        return will
    if rules.bankrupt_to_player == ESTATE_BANK_PAYS_CREDITOR:
        full = rules.bankrupt_creditor_paid == PAID_IN_FULL
        will.money = MONEY_TO_BANK if full else MONEY_MADE_GOOD
        will.heir = BANK
    elif rules.bankrupt_to_player == ESTATE_FREE:
        will.money = MONEY_SHARED
        will.heir = BANK
    free = creditor != BANK and rules.bankrupt_to_player == ESTATE_FREE
    will.auction = rules.bankrupt_to_bank == TO_BANK_AUCTION and not free and not final and state.alive > 2
    return will


def _seat_eliminated(state: State, event: SeatEliminated) -> None:
    seat = event.seat
    state.out[seat] = 1
    state.alive -= 1
    state.eliminated.append(seat)
    end_claims(state, seat)
    leave_shortage(state, seat)
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
    state.extras.touched = 1


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
