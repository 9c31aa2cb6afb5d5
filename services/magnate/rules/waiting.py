"""Whom the game waits for: said in one place, for the view, the simulation and the invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.choices import TOKENS_BY_HAND
from magnate.rules.gates import BETWEEN
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_DEBT, PHASE_OVER, PHASE_PLACE, PHASE_SHORTAGE

if TYPE_CHECKING:
    from magnate.rules.bidding import Auction
    from magnate.rules.state import State


def _bidders(auctions: dict[int, Auction] | None) -> list[int]:
    seats: list[int] = []
    for auction in ({} if auctions is None else auctions).values():
        seats += [seat for seat in auction.active if auction.may_act(seat) and seat not in seats]
    return seats


def waiting_seats(state: State, auctions: dict[int, Auction] | None = None) -> list[int]:
    """The seats of which one must act, or time run out, before the game goes on; each once.

    While a lot is under the hammer that is whoever may still bid; without the `auctions` nobody is known.
    """
    phase = state.phase
    if phase in (0, PHASE_OVER):
        return []
    if phase == PHASE_AUCTION:
        return _bidders(auctions)
    if phase == PHASE_DEBT:
        seats: list[int] = []
        for debt in state.debts:
            if debt.debtor not in seats:
                seats.append(debt.debtor)
        return seats
    if phase == PHASE_SHORTAGE:
        return list(state.extras.shortage_asked)
    if phase == PHASE_PLACE:
        return [state.extras.placing_seat - 1]
    if state.rules.table_tokens == TOKENS_BY_HAND and phase in BETWEEN:
        return [seat for seat in range(state.seats) if not state.out[seat]]  # whoever moves next
    return [state.turn_seat]
