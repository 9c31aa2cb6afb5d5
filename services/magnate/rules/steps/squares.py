"""Squares that only some boards have (row 41): location, jackpot, black and white business, charity fund.

Who is sent to the charity fund by black business pays there and takes nothing (C33); no way that a square
leads pays salary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.board import BLACK_BUSINESS, CHARITY_FUND, JACKPOT, LOCATION, WHITE_BUSINESS
from magnate.rules.board_extras import NO_SQUARE
from magnate.rules.decision import BANK, POT_CHARITY
from magnate.rules.steps.jackpot import bet_of
from magnate.rules.steps.pots import take_pot
from magnate.rules.vocabulary import (
    MOVE_CAUSE_SQUARE,
    QUESTION_LOCATION,
    QUESTION_STAKE,
    TRANSFER_REASON_LOCATION,
    TRANSFER_REASON_POT,
    QuestionAsked,
    SquareCharged,
    TokenMoved,
)

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.draft import Draft


def visit(draft: Draft, seat: int, square: int) -> None:
    """Do what the square asks; what the seat could not pay is not offered."""
    state = draft.state
    board = state.board
    kind = board.kind[square]
    if kind in (WHITE_BUSINESS, CHARITY_FUND):
        take_pot(draft, seat, POT_CHARITY)
    elif kind == BLACK_BUSINESS:
        _black_business(draft, seat, square)
    elif kind in (LOCATION, JACKPOT):
        amount = asked_amount(board, square)
        if amount <= state.available(seat) and (kind == LOCATION or amount > 0):
            question = QUESTION_LOCATION if kind == LOCATION else QUESTION_STAKE
            draft.emit(QuestionAsked(seat, question, square, amount))


def asked_amount(board: Board, square: int) -> int:
    """What a yes costs to the question of this square: the fee, the stake, the printed tax."""
    kind = board.kind[square]
    if kind == LOCATION:
        return board.location_fee
    return bet_of(board) if kind == JACKPOT else board.tax[square]


def go_anywhere(draft: Draft, seat: int, lot: int) -> None:
    """Pay the fee of a location and go to a lot; the caller lands the token."""
    state = draft.state
    fee = state.board.location_fee
    if fee > 0:
        draft.emit(SquareCharged(seat, state.at[seat], BANK, fee))
        draft.pay(seat, BANK, fee, TRANSFER_REASON_LOCATION)
    draft.emit(TokenMoved(seat, state.at[seat], lot, MOVE_CAUSE_SQUARE))


def _black_business(draft: Draft, seat: int, square: int) -> None:
    board = draft.state.board
    if board.black_business_to != NO_SQUARE:
        draft.emit(TokenMoved(seat, square, board.black_business_to, MOVE_CAUSE_SQUARE))
    fine = board.black_business_fine
    if fine > 0:
        draft.emit(SquareCharged(seat, square, POT_CHARITY, fine))
        draft.charge(seat, POT_CHARITY, fine, TRANSFER_REASON_POT, -1)
