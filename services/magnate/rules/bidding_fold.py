"""Folding what happened in auctions. Nothing is checked: what was decided is folded, not judged."""

from __future__ import annotations

from magnate.rules.bidding import LEAVER_PREVIOUS, NOBODY, REFUND_NONE, Auction
from magnate.rules.vocabulary import (
    AuctionCalled,
    AuctionCancelled,
    AuctionClosed,
    AuctionEvent,
    AuctionExtended,
    AuctionOpened,
    BidderDropped,
    BidderPassed,
    BidPlaced,
    BidSealed,
    BidsRefunded,
    BidsRevealed,
    LeadRestored,
    OpenAuction,
    OpeningDeclined,
    ProxySet,
    SealedBid,
)


def opened(ask: OpenAuction) -> AuctionOpened:
    """How an auction that the rules ask for begins."""
    return AuctionOpened(
        ask.auction, ask.lot, ask.bidders.copy(), ask.minimum, ask.increment, ask.close_ms, ask.building,
        ask.barred, ask.mode, ask.by_turn, ask.bid_limit, ask.extend_ms, ask.extensions_max, ask.fixed_step,
        ask.fee, ask.refund, ask.cap_ms, ask.leaver, ask.ties, ask.calls_ms, ask.dutch_start, ask.dutch_step,
        ask.dutch_tick_ms, ask.proxies, ask.refund_on_cancel, ask.label, ask.payee,
    )  # fmt: skip


def passing(auction: Auction, seat: int, *, forced: bool) -> AuctionEvent:
    """What it means that a seat does not bid: by turn, who lets the opening go by is still in (case C023)."""
    if _lets_opening_go(auction, seat):
        return OpeningDeclined(auction.auction, seat)
    return BidderPassed(auction.auction, seat, forced)


def _lets_opening_go(auction: Auction, seat: int) -> bool:
    return auction.turn == seat and auction.leader == NOBODY  # where bids are free, nobody has the turn


def fold_into(running: dict[int, Auction], event: AuctionEvent) -> None:
    """Fold an event into the running auctions of a game, in place."""
    number: int = getattr(event, "auction")  # noqa: B009 - every event has it, but no common field says so
    after = fold(running.get(number), event)
    if after is None:
        del running[number]
    else:
        running[number] = after


def copied(running: dict[int, Auction]) -> dict[int, Auction]:
    """The same auctions, to be folded into independently."""
    return {number: auction.copy() for number, auction in running.items()}


def fold(auction: Auction | None, event: AuctionEvent) -> Auction | None:
    """The auction after an event; changes the given one in place, None when it has ended."""
    if isinstance(event, AuctionOpened):
        return Auction(event)
    if auction is None:
        raise ValueError(f"that auction is not running before {event!r}")
    if isinstance(event, BidPlaced):
        held = event.amount if event.held is None else event.held
        lead(auction, event.seat, event.amount, held, event.hold_id, event.keeps_end)
    elif isinstance(event, BidderPassed):
        _pass(auction, event.seat)
    elif isinstance(event, BidderDropped):
        _drop(auction, event.seat)
    elif isinstance(event, OpeningDeclined):
        auction.declined.append(event.seat)
        _next_turn(auction)
    elif isinstance(event, AuctionExtended):
        auction.extensions = event.extensions
        auction.total_ms = event.total_ms
        _move_end(auction)
    elif isinstance(event, AuctionClosed | AuctionCancelled):
        return None
    else:
        _fold_rare(auction, event)
    return auction


def _fold_rare(auction: Auction, event: AuctionEvent) -> None:
    """Fold what happens only in some kinds of auction."""
    if isinstance(event, AuctionCalled):
        auction.calls = event.count
    elif isinstance(event, LeadRestored):
        held = event.amount if event.held is None else event.held
        _restore(auction, event.seat, event.amount, held, event.hold_id)
    elif isinstance(event, BidsRefunded):
        auction.spent.pop(event.seat, None)
    elif isinstance(event, ProxySet):
        auction.ceilings.pop(event.seat, None)  # who sets another one queues behind those who had the same
        if event.ceiling:
            auction.ceilings[event.seat] = event.ceiling
    elif isinstance(event, BidSealed):
        if event.seat not in auction.sealed_seats:
            auction.sealed_seats.append(event.seat)
        auction.clock += 1
    elif isinstance(event, SealedBid):
        auction.sealed.pop(event.seat, None)
        auction.sealed[event.seat] = event
    elif not isinstance(event, BidsRevealed):
        raise TypeError(f"not an event of an auction: {event!r}")


def lead(
    auction: Auction, seat: int, amount: int, held: int, hold_id: str = "", keeps_end: bool = False
) -> None:
    """The seat's bid leads, with so much of it on hold. For folding; a simulation keeps no events of it."""
    opening = auction.opened
    auction.leader = seat
    auction.price = amount
    auction.hold_id = hold_id
    auction.held = held
    if auction.declined:
        auction.declined = []
    if opening.leaver == LEAVER_PREVIOUS:
        auction.bids = [one for one in auction.bids if one[0] != seat]
        auction.bids.append((seat, amount))
    if auction.paid and (opening.refund != REFUND_NONE or opening.refund_on_cancel or opening.proxies):
        auction.spent[seat] = auction.spent.get(seat, 0) + (opening.fee or amount)
    auction.clock += 1
    if not keeps_end:
        _move_end(auction)
    if opening.by_turn:
        auction.turn = auction.after(seat)


def let_go(auction: Auction, seat: int) -> None:
    """The seat does not bid, as `passing` says. For a simulation, which keeps no events of it."""
    if _lets_opening_go(auction, seat):
        auction.declined.append(seat)
        _next_turn(auction)
    else:
        _pass(auction, seat)


def _move_end(auction: Auction) -> None:
    """The end is so long from now, whatever it was: another deadline, and what was called is void."""
    auction.end = auction.clock
    auction.calls = 0


def _pass(auction: Auction, seat: int) -> None:
    if auction.turn == seat:
        _next_turn(auction)
    auction.active.remove(seat)
    if auction.declined and seat in auction.declined:
        auction.declined.remove(seat)
    if auction.ceilings:
        auction.ceilings.pop(seat, None)


def _next_turn(auction: Auction) -> None:
    """The turn passes on from the seat that has it, and with it begins a new time to think."""
    auction.turn = auction.after(auction.turn)
    auction.clock += 1
    _move_end(auction)


def _drop(auction: Auction, seat: int) -> None:
    """Take out a seat that left the game. When it led, bidding starts again and passes are forgotten."""
    led = seat == auction.leader
    if led:
        auction.active = list(auction.bidders)
        auction.leader = NOBODY
        auction.price = 0
        auction.hold_id = ""
        auction.held = 0
        auction.declined = []
        auction.turn = auction.after(seat) if auction.by_turn else NOBODY
        auction.clock += 1
        _move_end(auction)
        if auction.total_ms:
            auction.total_ms = auction.opened.close_ms
    elif auction.turn == seat:
        _next_turn(auction)
    auction.bidders.remove(seat)
    if seat in auction.active:
        auction.active.remove(seat)
    if seat in auction.declined:
        auction.declined.remove(seat)
    auction.bids = [one for one in auction.bids if one[0] != seat]
    auction.spent.pop(seat, None)
    auction.ceilings.pop(seat, None)
    sealed = auction.sealed.pop(seat, None)
    if sealed is not None:
        auction.withdrawn.append(sealed)
    if seat in auction.sealed_seats:
        auction.sealed_seats.remove(seat)


def _restore(auction: Auction, seat: int, amount: int, held: int, hold_id: str) -> None:
    """An earlier bid leads again; those above it, which could not be held any more, are forgotten."""
    auction.leader = seat
    auction.price = amount
    auction.hold_id = hold_id
    auction.held = held
    auction.clock += 1
    _move_end(auction)
    if auction.by_turn:
        auction.turn = auction.after(seat)
    while auction.bids and auction.bids[-1] != (seat, amount):
        auction.bids.pop()
