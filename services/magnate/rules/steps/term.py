"""Mortgages with a term (row 75): a lot that is not redeemed in so many rounds is lost.

A lot mortgaged in round r with `mortgage.rounds_max` n is its owner's to redeem until the end of round r + n;
then it falls to the bank, free and unmortgaged. The term stays with the lot, whoever gets it: a deal buys no
time. Redeeming ends it, and so does the bank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.deeds import lowest, set_mortgaged, set_owner
from magnate.rules.offers import void_lots
from magnate.rules.vocabulary import LotForfeited, MortgageTermSet

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def set_terms(draft: Draft, lots: list[int], rounds: int = 0) -> None:
    """The lots have been mortgaged for so many rounds: say until when they can be redeemed."""
    state = draft.state
    last_round = state.round + state.rules.mortgage_rounds_max - rounds
    for lot in lots:
        draft.emit(MortgageTermSet(lot, last_round))


def forfeit(draft: Draft) -> None:
    """The round ends: lots whose term is over are lost."""
    state = draft.state
    lost = 0
    ended = state.round
    terms = state.extras.last_round
    mortgaged = state.mortgaged_mask
    while mortgaged:
        lot = lowest(mortgaged)
        mortgaged &= mortgaged - 1
        if 0 < terms[lot] <= ended and state.owner[lot] >= 0:
            draft.emit(LotForfeited(state.owner[lot], lot))
            lost |= 1 << lot
    if lost and state.offers:
        void_lots(draft, lost)


def _mortgage_term_set(state: State, event: MortgageTermSet) -> None:
    state.extras.last_round[event.lot] = event.last_round


def _lot_forfeited(state: State, event: LotForfeited) -> None:
    set_mortgaged(state, event.lot, 0)
    set_owner(state, event.lot, -1)


FOLDS: Final[Folds] = {MortgageTermSet: _mortgage_term_set, LotForfeited: _lot_forfeited}
