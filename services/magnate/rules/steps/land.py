"""Acting on the square where a token stopped (rows 16 to 18), however it came there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board import CARD, FREE_PARKING, GO_TO_JAIL, JAIL, TAX
from magnate.rules.decision import POT_PARKING
from magnate.rules.folds import nothing
from magnate.rules.steps import levels, squares
from magnate.rules.steps.card import draw_card
from magnate.rules.steps.jail import arrest
from magnate.rules.steps.pots import bank_or_pot, take_pot
from magnate.rules.steps.rent import charge_rent
from magnate.rules.vocabulary import (
    JAIL_CAUSE_SQUARE,
    QUESTION_TAX,
    TRANSFER_REASON_TAX,
    LotOffered,
    QuestionAsked,
    TaxCharged,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.effects import Effect
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def land(draft: Draft, seat: int, by: Effect | None = None) -> None:
    """Do what the square asks; `by` is the effect of a card that led there, if one did.

    A card that moves on leads to the next square, until one is the last.
    """
    state = draft.state
    board = state.board
    square = state.at[seat]
    while board.kind[square] == CARD:
        by = draw_card(draft, seat, board.deck[square])
        if by is None:
            return
        square = state.at[seat]
    if board.group[square] < 0:
        _visit(draft, seat, square)
        return
    owner = state.owner[square]
    if owner < 0:
        if not state.extras.frozen >> square & 1:
            draft.emit(LotOffered(seat, square, board.price[square]))
    elif owner != seat:
        charge_rent(draft, seat, square, by)
    elif state.extras.rent_level[square]:
        levels.after_own_landing(draft, square)


def _visit(draft: Draft, seat: int, square: int) -> None:
    """A square that is no lot, and where no card is drawn."""
    state = draft.state
    board = state.board
    kind = board.kind[square]
    if kind == TAX:
        if state.rules.tax_percent_choice and board.tax_percent[square]:
            draft.emit(QuestionAsked(seat, QUESTION_TAX, square, board.tax[square]))
        else:
            pay_tax(draft, seat, square, share=False)
    elif kind == GO_TO_JAIL or (kind == JAIL and state.rules.jail_landing_detains):
        arrest(draft, seat, JAIL_CAUSE_SQUARE)
    elif kind == FREE_PARKING:
        if state.rules.parking_pot:
            take_pot(draft, seat, POT_PARKING)
    elif kind > GO_TO_JAIL:
        squares.visit(draft, seat, square)


def pay_tax(draft: Draft, seat: int, square: int, *, share: bool) -> None:
    """Pay the printed sum of a tax square, or the share of all one has that it offers (row 16)."""
    state = draft.state
    amount = state.board.tax[square]
    if share:
        unit = 100 * state.board.currency_rounding
        exact = worth(state, seat) * state.board.tax_percent[square]
        amount = -(-exact // unit) * state.board.currency_rounding
    draft.emit(TaxCharged(seat, square, amount))
    draft.charge(seat, bank_or_pot(state), amount, TRANSFER_REASON_TAX, -1)


def worth(state: State, seat: int) -> int:
    """All a seat has as the tax counts it: money, lots at their price, mortgaged or not, buildings."""
    board = state.board
    total = state.cash[seat]
    for lot in board.lots:
        if state.owner[lot] == seat:
            total += board.price[lot] + state.level[lot] * board.house_cost[board.group[lot]]
    return total


def _lot_offered(state: State, event: LotOffered) -> None:
    state.offered_lot = event.lot


FOLDS: Final[Folds] = {LotOffered: _lot_offered, TaxCharged: nothing}
