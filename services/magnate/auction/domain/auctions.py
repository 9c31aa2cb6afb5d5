"""The same four words for all auctions of a game: `State`, `INITIAL`, `decide`, `evolve`.

The one place that knows which kinds of auction there are; each kind has a file of its own.
"""

from typing import Final

from magnate.auction.domain import ascending
from magnate.auction.domain.decision import CloseAuction, Decision, Facts
from magnate.rules.bidding import Auction
from magnate.rules.bidding_fold import fold
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import (
    AuctionEvent,
    CancelAuction,
    DropBidder,
    OpenAuction,
    PassAuction,
    PlaceBid,
)


class State:
    """The auction that is running, if any."""

    __slots__ = ("running",)

    def __init__(self, running: Auction | None = None) -> None:
        self.running = running

    def copy(self) -> "State":
        """A state of its own with the same content."""
        return State(None if self.running is None else self.running.copy())


INITIAL: Final = State()
"""Before the first auction. Start from a copy."""


def decide(state: State, seat: int, command: object, facts: Facts) -> Decision | Rejection:
    """Decide on a bid or pass of a seat, an ask of the rules, or a close; leaves the state as it is."""
    running = state.running
    if isinstance(command, PlaceBid):
        return ascending.place_bid(running, seat, command, facts)
    if isinstance(command, PassAuction):
        return ascending.pass_auction(running, seat, command, facts)
    if isinstance(command, CloseAuction):
        return ascending.close_auction(running, command, facts)
    if isinstance(command, OpenAuction):
        return ascending.open_auction(running, command, facts)
    if isinstance(command, DropBidder):
        return ascending.drop_bidder(running, command, facts)
    if isinstance(command, CancelAuction):
        return ascending.cancel_auction(running, command, facts)
    raise TypeError(f"not a command of an auction: {command!r}")


def evolve(state: State, event: AuctionEvent) -> None:
    """Fold one event into the state, in place."""
    state.running = fold(state.running, event)
