"""The lot one stands on (rows 18, 19): buy it at the board price, or decline it and it is auctioned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import OPENING_DECLINER_SETS_MINIMUM
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_owner
from magnate.rules.gates import on_turn
from magnate.rules.rejections import INSUFFICIENT_FUNDS, INVALID_AMOUNT, Rejection
from magnate.rules.steps import levels
from magnate.rules.steps.auction import MINIMUM, put_up
from magnate.rules.vocabulary import (
    PHASE_BUY,
    TRANSFER_REASON_PURCHASE,
    BuyLot,
    DeclineLot,
    LotBought,
    LotDeclined,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def buy_lot(draft: Draft, seat: int, _command: BuyLot) -> Rejection | None:
    """Buy: NOT_YOUR_TURN, MUST_PAY_FIRST, WRONG_PHASE, INSUFFICIENT_FUNDS."""
    state = draft.state
    if seat != state.turn_seat or state.phase != PHASE_BUY:
        return on_turn(state, seat, PHASE_BUY)
    lot = state.offered_lot
    price = state.board.price[lot]
    if state.available(seat) < price:
        return Rejection(INSUFFICIENT_FUNDS, f"{price} is needed, {state.available(seat)} is there")
    draft.emit(LotBought(seat, lot, price))
    draft.pay(seat, BANK, price, TRANSFER_REASON_PURCHASE)
    levels.after_acquiring(draft, [lot])
    return None


def decline_lot(draft: Draft, seat: int, command: DeclineLot) -> Rejection | None:
    """Decline: NOT_YOUR_TURN, MUST_PAY_FIRST, WRONG_PHASE, INVALID_AMOUNT.

    Where the decliner sets the least first bid (row 21, C2) he may name one up to the list price (own
    reading: more would keep the others from bidding at all); elsewhere he names none.
    """
    state = draft.state
    if seat != state.turn_seat or state.phase != PHASE_BUY:
        return on_turn(state, seat, PHASE_BUY)
    lot = state.offered_lot
    minimum = MINIMUM
    if command.minimum is not None:
        minimum = command.minimum
        most = minimum_most(state)
        if not MINIMUM <= minimum <= most:
            may = f"is from {MINIMUM} to {most}, not {minimum}" if most else "is not the decliner's to set"
            return Rejection(INVALID_AMOUNT, f"the least first bid {may}")
    draft.emit(LotDeclined(seat, lot))
    if state.rules.auction_enabled:
        put_up(draft, lot, seat, minimum)
    return None


def minimum_most(state: State) -> int:
    """The highest least bid that who declines the offered lot may set; 0 where he sets none."""
    rules = state.rules
    if rules.auction_enabled and rules.auction_opening == OPENING_DECLINER_SETS_MINIMUM:
        return state.board.price[state.offered_lot]
    return 0


def _lot_bought(state: State, event: LotBought) -> None:
    set_owner(state, event.lot, event.seat)
    state.offered_lot = -1


def _lot_declined(state: State, _event: LotDeclined) -> None:
    state.offered_lot = -1


FOLDS: Final[Folds] = {LotBought: _lot_bought, LotDeclined: _lot_declined}
