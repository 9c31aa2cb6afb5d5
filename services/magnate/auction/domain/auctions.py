"""The same four words for all auctions of a game: `State`, `INITIAL`, `decide`, `evolve`.

The one place that knows which kinds of auction there are; each kind has a file of its own.
"""

from typing import Final

from magnate.auction.domain.ascending import Ascending
from magnate.auction.domain.decision import DeadlineDue, Decision, End, Facts, is_due
from magnate.auction.domain.draft import Draft, auction_of, deadline_id, refuse_acting
from magnate.auction.domain.dutch import Dutch
from magnate.auction.domain.kind import Kind
from magnate.auction.domain.penny import Penny
from magnate.auction.domain.sealed import Sealed
from magnate.auction.domain.vickrey import Vickrey
from magnate.rules.bidding import (
    MODE_DUTCH,
    MODE_OPEN,
    MODE_PENNY,
    MODE_SEALED,
    MODE_VICKREY,
    Auction,
)
from magnate.rules.bidding_fold import copied, fold_into
from magnate.rules.rejections import (
    AUCTION_CLOSED,
    NO_AUCTION,
    NOT_YET,
    UNKNOWN_DEADLINE,
    WHICH_LOT,
    Rejection,
)
from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionClosed,
    AuctionEvent,
    AuctionOpened,
    AutoPass,
    CancelAuction,
    DropBidder,
    OpenAuction,
    PassAuction,
    PassBidder,
    PlaceBid,
    SetProxyBid,
)

KINDS: Final[dict[int, Kind]] = {
    MODE_OPEN: Ascending(),
    MODE_PENNY: Penny(),
    MODE_SEALED: Sealed(),
    MODE_VICKREY: Vickrey(),
    MODE_DUTCH: Dutch(),
}
"""By mode."""


class State:
    """The running auctions of a game, by number, in the order in which they were opened.

    `opened` is the highest number there was: what had one and does not run has ended. `ended` has of each
    lot (-1: buildings) the last auction that has ended, so that who comes too late is told so.
    """

    __slots__ = ("ended", "opened", "running")

    def __init__(
        self,
        running: dict[int, Auction] | None = None,
        opened: int = 0,
        ended: dict[int, int] | None = None,
    ) -> None:
        self.running: dict[int, Auction] = {} if running is None else running
        self.opened = opened
        self.ended: dict[int, int] = {} if ended is None else ended

    def copy(self) -> "State":
        """A state of its own with the same content."""
        return State(copied(self.running), self.opened, self.ended.copy())


INITIAL: Final = State()
"""Before the first auction. Start from a copy."""


def decide(state: State, seat: int, command: object, facts: Facts) -> Decision | Rejection:
    """Decide on a bid or pass of a seat, an ask of the rules, or a deadline; leaves the state as it is."""
    running = state.running
    if isinstance(command, PlaceBid | PassAuction | SetProxyBid):
        found = find(state, command.lot, command.auction)
        return found if isinstance(found, Rejection) else _act(running, found, seat, command, facts)
    if isinstance(command, DeadlineDue):
        return _due(running, command.deadline_id, facts)
    if isinstance(command, OpenAuction):
        if command.auction in running:
            raise ValueError(
                f"auction {command.auction} asked for while {running[command.auction]!r} is running"
            )
        draft = Draft(running, None, facts)
        KINDS[command.mode].open(draft, command)
        return draft.finish()
    if isinstance(command, PassBidder):
        return _pass_for(running, command, facts)
    if isinstance(command, DropBidder | CancelAuction | AutoPass):
        auction = running.get(command.auction)
        draft = Draft(running, auction, facts)
        if draft.auction is not None:
            kind = KINDS[draft.auction.opened.mode]
            if isinstance(command, AutoPass):
                if not draft.end.paused:
                    kind.auto_pass(draft)
            elif isinstance(command, CancelAuction):
                kind.cancel(draft, draft.auction, command.gone)
            elif command.seat in draft.auction.bidders:
                kind.drop(draft, draft.auction, command.seat)
        return draft.finish()
    raise TypeError(f"not a command of an auction: {command!r}")


def _pass_for(running: dict[int, Auction], ask: PassBidder, facts: Facts) -> Decision:
    """Pass for a seat whose player is gone, where it could pass itself; else nothing."""
    draft = Draft(running, running.get(ask.auction), facts)
    auction = draft.auction
    if auction is not None:
        kind = KINDS[auction.opened.mode]
        if refuse_acting(draft, ask.seat, leader_may=kind.leader_may_act()) is None:
            kind.pass_(draft, auction, ask.seat, PassAuction(auction.lot, auction.auction))
    return draft.finish()


def find(state: State, lot: int, number: int) -> Auction | Rejection:
    """The auction that a bid or a pass is about: named by its number or its lot, or the only one there is.

    NO_AUCTION, AUCTION_CLOSED where the one that is named, or the last one of the lot, has ended, and
    WHICH_LOT where several would do.
    """
    found: Auction | None = None
    for auction in state.running.values():
        if number not in (0, auction.auction) or lot not in (0, auction.lot):
            continue
        if found is not None:
            return Rejection(
                WHICH_LOT, f"{len(state.running)} auctions are running: name the lot, or the auction"
            )
        found = auction
    if found is not None:
        return found
    ended = number or state.ended.get(lot, 0)
    if 0 < ended <= state.opened and ended not in state.running:
        return Rejection(AUCTION_CLOSED, f"auction {ended} has ended")
    if lot:
        return Rejection(NO_AUCTION, "this lot is not under the hammer")
    return Rejection(NO_AUCTION, f"there is no auction {number}" if number else "")


def _act(
    running: dict[int, Auction],
    auction: Auction,
    seat: int,
    command: PlaceBid | PassAuction | SetProxyBid,
    facts: Facts,
) -> Decision | Rejection:
    draft = Draft(running, auction, facts)
    assert draft.auction is not None
    kind = KINDS[auction.opened.mode]
    leader_may = kind.leader_may_act() or isinstance(command, SetProxyBid)
    refused = refuse_acting(draft, seat, leader_may=leader_may)
    if refused is None:
        if isinstance(command, PlaceBid):
            refused = kind.bid(draft, draft.auction, seat, command)
        elif isinstance(command, PassAuction):
            refused = kind.pass_(draft, draft.auction, seat, command)
        else:
            refused = kind.set_proxy(draft, draft.auction, seat, command)
    return draft.finish() if refused is None else refused


def _due(running: dict[int, Auction], due_id: str, facts: Facts) -> Decision | Rejection:
    """Act on a deadline if it is the one that counts, and due."""
    auction = running.get(auction_of(due_id))
    draft = Draft(running, auction, facts)
    end = draft.end
    if draft.auction is None or end.paused or due_id not in (deadline_id(draft.auction), end.call_id):
        return Rejection(UNKNOWN_DEADLINE, f"deadline {due_id} is not pending")
    due_ms = end.call_due_ms if due_id == end.call_id else end.due_ms
    if facts.time_ms < due_ms:
        return Rejection(NOT_YET, f"due in {due_ms - facts.time_ms} ms")
    if due_id == end.call_id:
        draft.call(int(due_id.rpartition("-")[2]))
    else:
        KINDS[draft.auction.opened.mode].due(draft, draft.auction)
    return draft.finish()


def hammer_before(state: State, ends: dict[int, End], number: int, at_ms: int, *, late: bool) -> str:
    """The deadline of the hammer that falls before what is done at a time about an auction (0: none).

    That is the earliest of those that are due by then; empty if there is none, or it is the auction's own.
    With `late`, whatever else is due: what comes after its own end is judged by that.
    """
    due = {one: end.due_ms for one, end in ends.items() if is_due(end, at_ms)}
    first = min(due, key=lambda one: (due[one], one), default=number)
    return "" if first == number or (late and number in due) else deadline_id(state.running[first])


def evolve(state: State, event: AuctionEvent) -> None:
    """Fold one event into the state, in place."""
    if isinstance(event, AuctionOpened):
        state.opened = max(state.opened, event.auction)
    elif isinstance(event, AuctionClosed | AuctionCancelled):
        state.ended[state.running[event.auction].lot] = event.auction
    fold_into(state.running, event)
