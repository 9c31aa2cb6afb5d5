"""What the rules have to do with auctions (rows 19 to 23): putting a lot up, and what the hammer leads to.

Bidding itself is no business of the rules: they ask for it (`OpenAuction`) and are told the outcome.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import purse
from magnate.rules.decision import BANK, NOBODY
from magnate.rules.deeds import set_mortgaged, set_owner
from magnate.rules.rejections import NO_AUCTION, Rejection
from magnate.rules.steps import levels
from magnate.rules.steps.debt import charge_interest
from magnate.rules.vocabulary import AuctionOutcome, LotAuctioned, LotPutUp, LotUnsold, OpenAuction

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State

MINIMUM: Final = 1
INCREMENT: Final = 1
_MS: Final = 1000


def put_up(draft: Draft, lot: int, decliner: int) -> None:
    """Put the lot under the hammer; `decliner` is -1 for a lot of a bankrupt's estate."""
    state = draft.state
    rules = state.rules
    bidders = [
        seat
        for seat in state.order
        if not state.out[seat] and (seat != decliner or rules.auction_decliner_may_bid)
    ]
    draft.emit(LotPutUp(lot, state.auction_count + 1, decliner))
    close_ms = rules.auction_close_seconds * _MS
    draft.ask(OpenAuction(state.auction, lot, bidders, MINIMUM, INCREMENT, close_ms))


def settle_outcome(draft: Draft, outcome: AuctionOutcome) -> Rejection | None:
    """Give the lot to the winner, whose hold pays; a mortgaged lot's interest is due at once (row 82)."""
    state = draft.state
    if state.auction == 0 or outcome.auction != state.auction or outcome.lot != state.auction_lot:
        return Rejection(NO_AUCTION, f"auction {outcome.auction} is not the one that runs")
    lot = outcome.lot
    winner = outcome.winner
    if winner == NOBODY:
        draft.emit(LotUnsold(lot, outcome.auction))
        return None
    mortgaged = state.mortgaged[lot]
    draft.emit(LotAuctioned(lot, outcome.auction, winner, outcome.price))
    held = min(state.held[winner], outcome.price)
    purse.hold_captured(state, winner, BANK, held, 0)
    if held < outcome.price:  # the bid and the hammer fell in one commit: the hold was never seen here
        purse.moved(state, winner, BANK, outcome.price - held)
    if mortgaged:
        charge_interest(draft, winner, lot)
    levels.after_acquiring(draft, lot)
    return None


def _lot_put_up(state: State, event: LotPutUp) -> None:
    state.auction = event.auction
    state.auction_count = event.auction
    state.auction_lot = event.lot
    if event.lot in state.estate:
        state.estate.remove(event.lot)


def _lot_auctioned(state: State, event: LotAuctioned) -> None:
    set_owner(state, event.lot, event.winner)
    state.auction = 0
    state.auction_lot = -1


def _lot_unsold(state: State, event: LotUnsold) -> None:
    set_mortgaged(state, event.lot, 0)
    state.auction = 0
    state.auction_lot = -1


FOLDS: Final[Folds] = {LotPutUp: _lot_put_up, LotAuctioned: _lot_auctioned, LotUnsold: _lot_unsold}
