"""Bids that are made for a seat, up to a ceiling that nobody else knows.

They are made in the commit of the bid they answer. The highest ceiling leads, at the least that beats the
next highest; of equal ones the one that was set first, if there is room for one more bid. A ceiling beyond
a seat's money counts as far as the money goes.
"""

from magnate.auction.domain.draft import Draft
from magnate.rules.bidding import BID_MAX, NOBODY, Auction
from magnate.rules.rejections import BID_TOO_LOW, INVALID_AMOUNT, NO_PROXY_BID, PROXY_NOT_ALLOWED, Rejection


class Challenge:
    """Who bids next by its ceiling, and how much; `seat` is nobody if no ceiling allows another bid."""

    __slots__ = ("amount", "seat")

    def __init__(self, seat: int, amount: int) -> None:
        self.seat = seat
        self.amount = amount


def refuse_ceiling(auction: Auction, seat: int, ceiling: int, least: int) -> Rejection | None:
    """Why a seat cannot set this ceiling (0: have no more bids made for it); it must come to `least`."""
    if not auction.opened.proxies:
        return Rejection(PROXY_NOT_ALLOWED, "nobody bids for others in this auction")
    if ceiling == 0:
        return None if seat in auction.ceilings else Rejection(NO_PROXY_BID, "no ceiling is set")
    if not 0 < ceiling <= BID_MAX:
        return Rejection(INVALID_AMOUNT, f"a ceiling is from 1 to {BID_MAX}, or 0, not {ceiling}")
    if ceiling < least:
        return Rejection(BID_TOO_LOW, f"a ceiling is at least {least} now")
    return None


def challenge(draft: Draft, auction: Auction) -> Challenge:
    """The next bid that a ceiling makes in an ascending auction.

    Mostly that is one that decides between the ceilings at once. If the highest one leads already, the next
    highest bids all it may, to be outbid by it.
    """
    best = second = NOBODY
    most = rival = 0
    for seat, ceiling in auction.ceilings.items():
        money = draft.limit(auction, seat)
        if seat == auction.leader:
            money += auction.held
        bound = min(ceiling, money)
        if bound > most:
            second, rival = best, most
            best, most = seat, bound
        elif bound > rival:
            second, rival = seat, bound
    if best == auction.leader:
        if rival == most and most - auction.increment >= auction.least_bid:
            rival = most - auction.increment  # the leader's was set first: it is to have the last word
        return Challenge(second, _stepped(auction, rival))
    return Challenge(best, min(_stepped(auction, most), _beating(auction, rival)))


def _stepped(auction: Auction, most: int) -> int:
    """The highest bid up to there."""
    return most - (most - auction.least_bid) % auction.step


def _beating(auction: Auction, rival: int) -> int:
    """The least bid that this rival cannot better."""
    least = auction.least_bid
    more = max(0, rival + auction.increment - least)
    return least + -(-more // auction.step) * auction.step
