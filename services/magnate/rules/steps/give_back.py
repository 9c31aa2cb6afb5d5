"""Lots given back to the bank for a debt (rows 37, 78): each counts its price, its rent level is reset.

Refusals of `return_lots`, in this order: TRADE_NOT_ALLOWED (debt.return_lots), NOT_IN_DEBT, EMPTY_COMMAND;
for each lot in the order given UNKNOWN_LOT, NOT_OWNER, MORTGAGED, GROUP_BUILT (as for a deal, row 65),
DUPLICATE_LOT. More may be given back than is owed: the bank pays what the lots count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.choices import SCOPE_GROUP
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_mortgaged, set_owner, unencumbered
from magnate.rules.offers import void_lots
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import TRANSFER_REASON_RETURN, LotReturned, ReturnLots

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def return_lots(draft: Draft, seat: int, command: ReturnLots) -> Rejection | None:
    """Give lots back for what one owes."""
    state = draft.state
    name = refuse_returning(state, seat)
    if not name and not command.lots:
        name = rejections.EMPTY_COMMAND
    if name:
        return Rejection(name)
    seen = 0
    for lot in command.lots:
        name = refuse_return(state, seat, lot)
        if not name and seen >> lot & 1:
            name = rejections.DUPLICATE_LOT
        if name:
            return Rejection(name, f"square {lot}")
        seen |= 1 << lot
    hand_back(draft, seat, command.lots)
    if state.offers:
        void_lots(draft, seen)
    return None


def hand_back(draft: Draft, seat: int, lots: list[int]) -> None:
    """Give back lots that may be given back: the bank pays what they count."""
    total = 0
    for lot in lots:
        price = draft.state.board.price[lot]
        total += price
        draft.emit(LotReturned(seat, lot, price))
    draft.pay(BANK, seat, total, TRANSFER_REASON_RETURN)


def refuse_returning(state: State, seat: int) -> str:
    """Why the seat may give nothing back at this moment, or empty."""
    if not state.rules.debt_return_lots:
        return rejections.TRADE_NOT_ALLOWED
    return "" if state.debts and state.in_debt(seat) else rejections.NOT_IN_DEBT


def refuse_return(state: State, seat: int, lot: int) -> str:
    """Why the seat cannot give this lot back, or empty."""
    if not 0 <= lot < state.board.size or state.board.group[lot] < 0:
        return rejections.UNKNOWN_LOT
    if state.owner[lot] != seat:
        return rejections.NOT_OWNER
    if state.mortgaged[lot]:
        return rejections.MORTGAGED
    group = state.board.group[lot]
    built = state.group_buildings[group] if state.rules.trade_clear == SCOPE_GROUP else state.level[lot]
    return rejections.GROUP_BUILT if built else ""


def returnable(state: State, seat: int) -> int:
    """The lots the seat may give back, as bits: those that `refuse_return` does not refuse."""
    return unencumbered(state, state.owned[seat])


def _lot_returned(state: State, event: LotReturned) -> None:
    set_mortgaged(state, event.lot, 0)
    set_owner(state, event.lot, -1)


FOLDS: Final[Folds] = {LotReturned: _lot_returned}
