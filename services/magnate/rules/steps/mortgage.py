"""Mortgaging and redeeming lots: rows 71 to 75 and 77, contradictions C5, C8.

Refusals of `mortgage`, in this order: MORTGAGE_NOT_ALLOWED; NOT_YOUR_TURN, WRONG_PHASE (mortgage.when, unless
in debt); EMPTY_COMMAND; for each lot in the order given UNKNOWN_LOT, DUPLICATE_LOT, NOT_OWNER,
ALREADY_MORTGAGED, GROUP_BUILT (mortgage.clear).

Refusals of `redeem`: MUST_PAY_FIRST; NOT_YOUR_TURN, WRONG_PHASE (mortgage.redeem_when, unless the seat has
just inherited a lot, row 82); EMPTY_COMMAND; for each lot UNKNOWN_LOT, DUPLICATE_LOT, NOT_OWNER,
NOT_MORTGAGED, and NOT_YOUR_TURN, WRONG_PHASE for others beside inherited ones; INSUFFICIENT_FUNDS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.choices import SCOPE_GROUP, WHEN_NEVER
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_mortgaged
from magnate.rules.moments import refuse_moment
from magnate.rules.offers import void_lots
from magnate.rules.rejections import Rejection
from magnate.rules.steps.term import set_terms
from magnate.rules.vocabulary import (
    TRANSFER_REASON_MORTGAGE,
    TRANSFER_REASON_REDEMPTION,
    LotsMortgaged,
    LotsRedeemed,
    RedemptionOffered,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State
    from magnate.rules.vocabulary import MortgageLots, RedeemLots


def mortgage(draft: Draft, seat: int, command: MortgageLots) -> Rejection | None:
    """Borrow the printed sum on each lot."""
    state = draft.state
    name = refuse_mortgaging(state, seat)
    if name:
        return Rejection(name)
    if not command.lots:
        return Rejection(rejections.EMPTY_COMMAND)
    amount = seen = 0
    for lot in command.lots:
        name = refuse_lot(state, seat, lot, seen) or refuse_mortgage(state, lot)
        if name:
            return Rejection(name, f"square {lot}")
        seen |= 1 << lot
        amount += state.board.mortgage_value[lot]
    draft.emit(LotsMortgaged(seat, command.lots, amount))
    draft.pay(BANK, seat, amount, TRANSFER_REASON_MORTGAGE)
    if state.rules.mortgage_rounds_max:
        set_terms(draft, command.lots)
    if state.offers:
        void_lots(draft, seen)
    return None


def redeem(draft: Draft, seat: int, command: RedeemLots) -> Rejection | None:
    """Pay the mortgages back with interest."""
    state = draft.state
    name = refuse_redeeming(state, seat)
    if name:
        return Rejection(name)
    if not command.lots:
        return Rejection(rejections.EMPTY_COMMAND)
    amount = seen = 0
    for lot in command.lots:
        name = refuse_lot(state, seat, lot, seen)
        name = name or refuse_redemption(state, seat, lot)
        if name:
            return Rejection(name, f"square {lot}")
        seen |= 1 << lot
        amount += redemption(state, lot)
    if amount > state.available(seat):
        return Rejection(rejections.INSUFFICIENT_FUNDS, f"redeeming costs {amount}")
    draft.emit(LotsRedeemed(seat, command.lots, amount))
    draft.pay(seat, BANK, amount, TRANSFER_REASON_REDEMPTION)
    if state.offers:
        void_lots(draft, seen)
    return None


def refuse_mortgaging(state: State, seat: int) -> str:
    """Why this seat may mortgage nothing at this moment, or empty; who owes may always mortgage (row 74)."""
    when = state.rules.mortgage_when
    if when == WHEN_NEVER:
        return rejections.MORTGAGE_NOT_ALLOWED
    return "" if state.debts and state.in_debt(seat) else refuse_moment(state, seat, when)


def refuse_redeeming(state: State, seat: int) -> str:
    """Why this seat may redeem nothing at this moment, or empty."""
    if state.debts and state.in_debt(seat):
        return rejections.MUST_PAY_FIRST
    for lot in state.extras.redeem_offer:
        if state.owner[lot] == seat:
            return ""
    return refuse_moment(state, seat, state.rules.mortgage_redeem_when)


def refuse_redemption(state: State, seat: int, lot: int) -> str:
    """Why the seat, which may redeem something, may not redeem this lot of its own, or empty.

    What is offered to an heir may be redeemed at once, whoever is on turn.
    """
    if not state.mortgaged[lot]:
        return rejections.NOT_MORTGAGED
    offered = state.extras.redeem_offer
    if not offered or lot in offered:
        return ""
    return refuse_moment(state, seat, state.rules.mortgage_redeem_when)


def refuse_lot(state: State, seat: int, lot: int, seen: int) -> str:
    """Why the lot is not one of the seat's that was not `seen` (bits) before, or empty."""
    if not 0 <= lot < state.board.size or state.board.group[lot] < 0:
        return rejections.UNKNOWN_LOT
    if seen >> lot & 1:
        return rejections.DUPLICATE_LOT
    return "" if state.owner[lot] == seat else rejections.NOT_OWNER


def refuse_mortgage(state: State, lot: int) -> str:
    """Why an owned lot cannot be mortgaged, or empty (row 71, C8)."""
    if state.mortgaged[lot]:
        return rejections.ALREADY_MORTGAGED
    if state.rules.mortgage_clear == SCOPE_GROUP:
        built = state.group_buildings[state.board.group[lot]] > 0
    else:
        built = state.level[lot] > 0
    return rejections.GROUP_BUILT if built else ""


def redemption(state: State, lot: int) -> int:
    """What redeeming the lot costs its owner now (rows 73, 82; C5)."""
    extras = state.extras
    if extras.redeem_offer and lot in extras.redeem_offer:
        return extras.redeem_price[extras.redeem_offer.index(lot)]
    return state.redeem_cost[lot]


def redemption_by_receiver(state: State, lot: int) -> int:
    """What redeeming the lot costs whoever gets it by a deal in the same command (row 76)."""
    return state.redeem_cost[lot]


def fold_mortgaged(state: State, event: LotsMortgaged) -> None:
    """The lots are mortgaged."""
    for lot in event.lots:
        set_mortgaged(state, lot, 1)


def fold_redeemed(state: State, event: LotsRedeemed) -> None:
    """The lots are free again."""
    for lot in event.lots:
        set_mortgaged(state, lot, 0)


def fold_redemption_offered(state: State, event: RedemptionOffered) -> None:
    """The lot can be redeemed for this much until the next throw."""
    state.extras.redeem_offer.append(event.lot)
    state.extras.redeem_price.append(event.amount)


FOLDS: Final[Folds] = {
    RedemptionOffered: fold_redemption_offered,
    LotsMortgaged: fold_mortgaged,
    LotsRedeemed: fold_redeemed,
}
