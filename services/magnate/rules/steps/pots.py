"""Pots (rows 16, 17, 41): what goes into them, and who takes what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board import BLACK_BUSINESS, CHARITY_FUND, WHITE_BUSINESS
from magnate.rules.decision import BANK, POT_CHARITY, POT_JACKPOT, POT_PARKING
from magnate.rules.folds import nothing
from magnate.rules.vocabulary import TRANSFER_REASON_POT, PotTaken, SquareCharged

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.ruleset import RuleSet
    from magnate.rules.state import State


def bank_or_pot(state: State) -> int:
    """Where taxes, fines and payments by card go: to the bank, or into the pot that parking pays out."""
    return POT_PARKING if state.rules.parking_pot else BANK


def in_play(board: Board, rules: RuleSet) -> list[int]:
    """The pots of a table, as accounts: those that something is put into or taken from."""
    found: list[int] = []
    if rules.parking_pot or board.pot_parking:
        found.append(POT_PARKING)
    if board.jackpot_machine is not None or board.pot_jackpot or _paid_by_card(board, POT_JACKPOT):
        found.append(POT_JACKPOT)
    charity = BLACK_BUSINESS in board.kind or WHITE_BUSINESS in board.kind or CHARITY_FUND in board.kind
    if charity or board.pot_charity or _paid_by_card(board, POT_CHARITY):
        found.append(POT_CHARITY)
    return found


def _paid_by_card(board: Board, pot: int) -> bool:
    for deck in board.decks:
        for card in deck.cards:
            for effect in card.effects:
                if effect.pot == pot or any(option.pot == pot for option in effect.options):
                    return True
    return False


def take_pot(draft: Draft, seat: int, pot: int) -> None:
    """Give the seat all that the pot (an account, -2 or less) holds; an empty pot gives nothing."""
    amount = draft.state.extras.pots[-2 - pot]
    if amount > 0:
        draft.emit(PotTaken(seat, pot, amount))
        draft.pay(pot, seat, amount, TRANSFER_REASON_POT)


FOLDS: Final[Folds] = {PotTaken: nothing, SquareCharged: nothing}
