"""What the rules have to do with auctions (rows 19 to 24): putting a lot up, and what the hammer leads to.

Bidding itself is no business of the rules: they ask for it (`OpenAuction`), say on what terms, and are told
the outcome. Where a bid
may go beyond the money at hand, `delivery` has what follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import purse
from magnate.rules.bidding import (
    BID_MAX,
    LIMIT_CASH,
    LIMIT_LIQUIDATION,
    LIMIT_NONE,
    MODE_OPEN,
    MODE_PENNY,
    TIES_TURN_ORDER,
    promised_elsewhere,
)
from magnate.rules.choices import (
    AUCTION_PENNY,
    BID_LIMIT_LIQUIDATION,
    BID_LIMIT_NONE,
    LOTS_AT_ONCE,
    OPENING_LIST_PRICE,
    OPENING_ZERO_STEP,
    STYLE_BY_TURN,
    UNSOLD_PUT_UP_AGAIN,
)
from magnate.rules.decision import BANK, NOBODY
from magnate.rules.deeds import set_mortgaged, set_owner
from magnate.rules.rejections import NO_AUCTION, Rejection
from magnate.rules.steps import sealed
from magnate.rules.steps.debt import liquidation
from magnate.rules.steps.delivery import pays_rest, take_over
from magnate.rules.steps.running import begin_auction, end_auction, is_running, set_unsold, was_unsold
from magnate.rules.vocabulary import (
    TRANSFER_REASON_AUCTION,
    AuctionOutcome,
    LotAuctioned,
    LotPutUp,
    LotReserved,
    LotUnsold,
    OpenAuction,
)

if TYPE_CHECKING:
    from magnate.rules.bidding import Auction
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State

MINIMUM: Final = 1
INCREMENT: Final = 1
_MS: Final = 1000
_LIMITS: Final = {BID_LIMIT_LIQUIDATION: LIMIT_LIQUIDATION, BID_LIMIT_NONE: LIMIT_NONE}


def put_up(draft: Draft, lot: int, decliner: int, minimum: int = MINIMUM) -> None:
    """Put the lot under the hammer; `decliner` is -1 for a lot of a bankrupt's estate.

    `minimum` is what the decliner set, where he may (row 21, C2).
    """
    state = draft.state
    board = state.board
    rules = state.rules
    barred = decliner if decliner != NOBODY and not rules.auction_decliner_may_bid else NOBODY
    bidders = [seat for seat in state.order if not state.out[seat] and seat != barred]
    draft.emit(LotPutUp(lot, state.auction_count + 1, decliner))
    ask = OpenAuction(state.auction_count, lot, bidders, minimum, INCREMENT, 0)
    if rules.auction_opening == OPENING_LIST_PRICE:
        ask.minimum = board.price[lot]
        ask.increment = board.auction_step
        ask.fixed_step = True
    elif rules.auction_opening == OPENING_ZERO_STEP:
        ask.minimum = ask.increment = board.auction_step
        ask.fixed_step = True
    if barred != NOBODY:
        ask.barred = barred
    ask.bid_limit = _LIMITS.get(rules.auction_bid_limit, LIMIT_CASH)
    put_under_hammer(draft, ask)


def put_up_estate(draft: Draft) -> None:
    """Put up what waits of a bankrupt's estate: the next lot, or all of them at once (`auction.estate`)."""
    state = draft.state
    put_up(draft, state.estate[0], NOBODY)
    while state.estate and state.rules.auction_estate == LOTS_AT_ONCE:
        put_up(draft, state.estate[0], NOBODY)


def put_under_hammer(draft: Draft, ask: OpenAuction) -> None:
    """Ask for the auction, on the terms that all auctions of the rule set have in common."""
    state = draft.state
    rules = state.rules
    ask.close_ms = rules.auction_close_seconds * _MS
    ask.extensions_max = rules.auction_extensions_max
    ask.cap_ms = rules.auction_cap_seconds * _MS
    ask.calls_ms = rules.auction_calls_seconds * _MS
    ask.leaver = rules.auction_leaver
    ask.proxies = rules.auction_proxy
    if rules.auction_mode == AUCTION_PENNY:
        ask.mode = MODE_PENNY
        ask.bid_limit = LIMIT_CASH  # what is paid at once must be there
        ask.extend_ms = rules.auction_rollback_seconds * _MS
        ask.fee = rules.auction_penny_fee
        ask.refund = rules.auction_penny_refund
        ask.refund_on_cancel = rules.auction_refund_on_cancel
    elif rules.auction_mode in sealed.MODES:
        sealed.set_terms(state, ask)
    else:
        ask.mode = MODE_OPEN
        ask.extend_ms = rules.auction_extend_seconds * _MS
    ask.by_turn = rules.auction_style == STYLE_BY_TURN
    if ask.by_turn or ask.ties == TIES_TURN_ORDER:
        ask.bidders = _from_turn(state, ask.bidders)
    draft.ask(ask)


def _from_turn(state: State, bidders: list[int]) -> list[int]:
    """The bidders in turn order, the seat on turn (who declined, if anybody did) or the next one first."""
    place = state.order.index(state.turn_seat)
    order = state.order[place:] + state.order[:place]
    return [seat for seat in order if seat in bidders]


def bid_most(state: State, seat: int, auction: Auction, running: dict[int, Auction]) -> int:
    """The most that the seat may bid (row 23); 0 where it cannot pay the fee of a bid.

    `running` are all auctions: what it has promised in others it cannot raise twice (case C020).
    """
    if auction.fee:
        return auction.least_bid if state.available(seat) >= auction.fee else 0
    limit = auction.opened.bid_limit
    if limit == LIMIT_NONE:
        return BID_MAX
    if limit == LIMIT_LIQUIDATION:
        return max(0, raisable(state, seat) - promised_elsewhere(running, auction, seat))
    return state.available(seat)


def raisable(state: State, seat: int) -> int:
    """What the seat could raise to pay a bid: all its money, buildings and lots, less what it owes."""
    return liquidation(state, seat) - state.owed(seat)


def bid_limits(state: State) -> list[int]:
    """By seat, what it could raise to pay a bid; empty where nobody may bid more than his money."""
    if state.rules.auction_bid_limit != BID_LIMIT_LIQUIDATION:
        return []
    return [0 if state.out[seat] else raisable(state, seat) for seat in range(state.seats)]


def settle_outcome(draft: Draft, outcome: AuctionOutcome) -> Rejection | None:
    """Give the lot to the winner, whose hold pays; a mortgaged lot's interest is due at once (row 82)."""
    state = draft.state
    if not is_running(state, outcome):
        return Rejection(NO_AUCTION, f"auction {outcome.auction} of lot {outcome.lot} does not run")
    lot = outcome.lot
    winner = outcome.winner
    if winner == NOBODY:
        again = state.rules.auction_unsold == UNSOLD_PUT_UP_AGAIN and not was_unsold(state, lot)
        draft.emit(LotUnsold(lot, outcome.auction, again))
        if again:
            put_up(draft, lot, NOBODY if outcome.barred is None else outcome.barred)
        return None
    owed = 0 if outcome.paid or outcome.held is None else outcome.price - outcome.held
    if owed and not pays_rest(draft, outcome, owed):
        draft.emit(LotReserved(lot, outcome.auction, winner, outcome.price, owed))
        take_price(draft, outcome)
        return None
    draft.emit(LotAuctioned(lot, outcome.auction, winner, outcome.price))
    take_price(draft, outcome)
    take_over(draft, winner, lot)
    return None


def take_price(draft: Draft, outcome: AuctionOutcome) -> None:
    """What is on hold was paid by the auction's own record; the rest is due now, and else a debt."""
    if outcome.paid:
        return
    state = draft.state
    winner = outcome.winner
    held = outcome.price if outcome.held is None else outcome.held
    seen = min(state.held[winner], held)
    purse.hold_captured(state, winner, BANK, seen, min(state.held[winner] - seen, outcome.released))
    if seen < held:  # the bid and the hammer fell in one commit: the hold was never seen here
        purse.moved(state, winner, BANK, held - seen)
    if held < outcome.price:
        draft.charge(winner, BANK, outcome.price - held, TRANSFER_REASON_AUCTION, outcome.lot)


def _lot_put_up(state: State, event: LotPutUp) -> None:
    begin_auction(state, event.auction, event.lot)
    if event.lot in state.estate:
        state.estate.remove(event.lot)


def _lot_auctioned(state: State, event: LotAuctioned) -> None:
    set_owner(state, event.lot, event.winner)
    end_auction(state, event.auction)
    set_unsold(state, event.lot, unsold=False)


def _lot_unsold(state: State, event: LotUnsold) -> None:
    end_auction(state, event.auction)
    set_unsold(state, event.lot, unsold=event.again)
    if not event.again:
        set_mortgaged(state, event.lot, 0)


FOLDS: Final[Folds] = {
    LotPutUp: _lot_put_up,
    LotAuctioned: _lot_auctioned,
    LotUnsold: _lot_unsold,
}
