"""Bids that come again: what is secret of them is in no digest, so it is compared with what was stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.auction.codec import auction_events, secret_events
from magnate.rules.vocabulary import BidPlaced, PlaceBid, ProxySet, SealedBid, SetProxyBid

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit


def is_same(commit: ParsedCommit, seat: int, action: object) -> bool:
    """Say whether a seat's command that made this commit was for the same amount; others have none."""
    if isinstance(action, PlaceBid):
        return action.amount == _stored_bid(commit, seat)
    if isinstance(action, SetProxyBid):
        ceilings = [
            one.ceiling for one in secret_events(commit) if isinstance(one, ProxySet) and one.seat == seat
        ]
        return ceilings == [action.ceiling]
    return True


def _stored_bid(commit: ParsedCommit, seat: int) -> int:
    """Return what a seat bid in a commit: in secret, else for everybody to see; 0: nothing."""
    for secret in secret_events(commit):
        if isinstance(secret, SealedBid) and secret.seat == seat:
            return secret.amount
    for event in auction_events(commit):
        if isinstance(event, BidPlaced) and event.seat == seat and not event.by_proxy:
            return event.amount
    return 0
