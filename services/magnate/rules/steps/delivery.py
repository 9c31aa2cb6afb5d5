"""Lots that were sold for more than the winner had on hold.

A bid may go beyond the money at hand where the rule set says so (`auction.bid_limit`), and binds: what was
not on hold is paid if it is there by then, and is else a debt to the bank like any other. The deed passes
when it is paid; who leaves the game without having paid it never had the lot, and it is sold again among
the others, as if it were of his estate. What his hold has paid is not given back (own reading; the sources
only say that a bid must be payable).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.deeds import set_owner
from magnate.rules.steps import levels
from magnate.rules.steps.debt import charge_interest
from magnate.rules.steps.running import end_auction, set_unsold, without
from magnate.rules.vocabulary import (
    TRANSFER_REASON_AUCTION,
    AuctionOutcome,
    EstateQueued,
    LotDelivered,
    LotForsaken,
    LotReserved,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def pays_rest(draft: Draft, outcome: AuctionOutcome, owed: int) -> bool:
    """Whether what was not on hold is paid now: the hold itself is no part of what is available."""
    state = draft.state
    unseen = max(0, (outcome.held or 0) - state.held[outcome.winner])  # a hold of this very commit
    return draft.pays_at_once(outcome.winner, owed + unseen)


def take_over(draft: Draft, seat: int, lot: int) -> None:
    """What follows from the deed having passed."""
    if draft.state.mortgaged[lot]:
        charge_interest(draft, seat, lot)
    levels.after_acquiring(draft, [lot])


def deliver(draft: Draft) -> bool:
    """Pass a deed that has been paid by now, or queue a lot that never was; says whether there was one."""
    state = draft.state
    extras = state.extras
    for place, lot in enumerate(extras.reserved_lots):
        seat = extras.reserved_for[place]
        if state.out[seat]:
            draft.emit(LotForsaken(lot, seat))
            draft.emit(EstateQueued([lot]))
            return True
        if not _owes_for(state, seat, lot):
            draft.emit(LotDelivered(lot, seat))
            take_over(draft, seat, lot)
            return True
    return False


def _owes_for(state: State, seat: int, lot: int) -> bool:
    for debt in state.debts:
        if debt.debtor == seat and debt.lot == lot and debt.reason == TRANSFER_REASON_AUCTION:
            return True
    return False


def _lot_reserved(state: State, event: LotReserved) -> None:
    end_auction(state, event.auction)
    set_unsold(state, event.lot, unsold=False)
    extras = state.extras
    extras.touched = 1
    extras.reserved_lots = [*extras.reserved_lots, event.lot]
    extras.reserved_for = [*extras.reserved_for, event.winner]


def _lot_delivered(state: State, event: LotDelivered) -> None:
    _reserved_no_more(state, event.lot)
    set_owner(state, event.lot, event.seat)


def _lot_forsaken(state: State, event: LotForsaken) -> None:
    _reserved_no_more(state, event.lot)


def _reserved_no_more(state: State, lot: int) -> None:
    extras = state.extras
    place = extras.reserved_lots.index(lot)
    extras.reserved_lots = without(extras.reserved_lots, place)
    extras.reserved_for = without(extras.reserved_for, place)


FOLDS: Final[Folds] = {
    LotReserved: _lot_reserved,
    LotDelivered: _lot_delivered,
    LotForsaken: _lot_forsaken,
}
