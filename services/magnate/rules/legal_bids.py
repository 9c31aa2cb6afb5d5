"""Legal actions in auctions: what a seat may bid, and in which of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import kinds
from magnate.rules.bidding import BID_MAX
from magnate.rules.kinds import names_of
from magnate.rules.legal_values import LegalAction, LegalLot
from magnate.rules.steps.auction import bid_most

if TYPE_CHECKING:
    from magnate.rules.bidding import Auction
    from magnate.rules.state import State

BIDDING_KINDS: Final = kinds.PLACE_BID | kinds.PASS_AUCTION | kinds.SET_PROXY_BID


def bidding_actions(
    state: State, seat: int, kind: int, auctions: dict[int, Auction] | None
) -> list[LegalAction]:
    """One entry for each auction in which the seat may do this."""
    actions: list[LegalAction] = []
    running = auctions or {}
    for auction in running.values():
        action = LegalAction(names_of(kind)[0])
        action.auction = auction.auction
        action.lots = [LegalLot(auction.lot, 0, 0, 0)]
        if kind == kinds.SET_PROXY_BID:
            if not auction.may_set_ceiling(seat):
                continue
            action.amount_min = auction.least_ceiling(seat)
            action.amount_max = BID_MAX
        elif not auction.may_act(seat):
            continue
        elif kind == kinds.PLACE_BID:
            most = bid_most(state, seat, auction, running)
            if most < auction.least_bid:
                continue
            action.amount_min = auction.least_bid
            action.amount_max = most - (most - auction.least_bid) % auction.step
            action.amount_step = auction.step if auction.step > 1 else 0
        actions.append(action)
    return actions
