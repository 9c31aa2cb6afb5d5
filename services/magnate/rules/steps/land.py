"""Acting on the square where a token stopped (rows 16 to 18), however it came there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board import CARD, GO_TO_JAIL, JAIL, TAX
from magnate.rules.decision import BANK
from magnate.rules.folds import nothing
from magnate.rules.steps.card import draw_card
from magnate.rules.steps.jail import arrest
from magnate.rules.steps.rent import charge_rent
from magnate.rules.vocabulary import JAIL_CAUSE_SQUARE, TRANSFER_REASON_TAX, LotOffered, TaxCharged

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.effects import Effect
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def land(draft: Draft, seat: int) -> None:
    """Do what the square asks; a card that moves on leads to the next square, until one is the last."""
    moved: Effect | None = None
    while True:
        moved = _visit(draft, seat, moved)
        if moved is None:
            return


def land_by_card(draft: Draft, seat: int, moved: Effect) -> None:
    """Do what the square asks to which the effect of a card led."""
    last: Effect | None = moved
    while last is not None:
        last = _visit(draft, seat, last)


def _visit(draft: Draft, seat: int, by: Effect | None) -> Effect | None:
    """One square; the effect of a card that moved the token on, if there was one."""
    state = draft.state
    board = state.board
    square = state.at[seat]
    if board.group[square] >= 0:
        owner = state.owner[square]
        if owner < 0:
            draft.emit(LotOffered(seat, square, board.price[square]))
        elif owner != seat:
            charge_rent(draft, seat, square, by)
        return None
    kind = board.kind[square]
    if kind == CARD:
        return draw_card(draft, seat, board.deck[square])
    if kind == TAX:
        amount = board.tax[square]
        draft.emit(TaxCharged(seat, square, amount))
        draft.charge(seat, BANK, amount, TRANSFER_REASON_TAX, -1)
    elif kind == GO_TO_JAIL or (kind == JAIL and state.rules.jail_landing_detains):
        arrest(draft, seat, JAIL_CAUSE_SQUARE)
    return None


def _lot_offered(state: State, event: LotOffered) -> None:
    state.offered_lot = event.lot


FOLDS: Final[Folds] = {LotOffered: _lot_offered, TaxCharged: nothing}
