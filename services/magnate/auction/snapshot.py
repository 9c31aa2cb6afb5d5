"""What the auction service had folded of a game, as stored bytes. A cache: it may be dropped at any time."""

from __future__ import annotations

import hashlib
from typing import Final, final

from magnate.auction.state import Deadline, GameState
from magnate.auction.tables.state import Lapsing, Table
from magnate.auction.v1 import auction_pb2
from magnate.auction.vocabulary_codec import (
    get_auction_opened,
    get_sealed_bid,
    put_auction_opened,
    put_sealed_bid,
)
from magnate.rules.bidding import Auction

FORMAT: Final = "magnate.auction.v1.AuctionSnapshot/8"
"""Change the number when the same bytes mean something else."""


@final
class AuctionSnapshots:
    """Stores and reads `GameState`."""

    kind: Final = "auction"
    schema_hash: Final = hashlib.sha256(FORMAT.encode()).digest()

    def encode(self, state: GameState) -> bytes:
        """Return the state's bytes."""
        message = auction_pb2.AuctionSnapshot()
        message.posted.extend(state.posted)
        message.held.extend(state.held)
        message.over = state.over
        message.opened = state.auctions.opened
        message.ended.update(state.auctions.ended)
        message.closed_ms.update(state.closed_ms)
        for deadline_id, deadline in state.deadlines.items():
            one = message.deadlines.add()
            one.deadline_id = deadline_id
            one.owner = deadline.owner
            one.due_ms = deadline.due_ms
            one.paused = deadline.paused
            one.left_ms = deadline.left_ms
            one.kind = deadline.kind
            one.shifted = deadline.shifted
        for running in state.auctions.running.values():
            _put_running(running, message.auctions.add())
        if state.table is not None:
            _put_table(state.table, message.table)
        return message.SerializeToString(deterministic=True)

    def decode(self, data: bytes) -> GameState:
        """Return the state; any exception drops the snapshot."""
        message = auction_pb2.AuctionSnapshot.FromString(data)
        state = GameState()
        state.posted = list(message.posted)
        state.held = list(message.held)
        state.over = message.over
        state.auctions.opened = message.opened
        state.auctions.ended = dict(message.ended)
        state.closed_ms = dict(message.closed_ms)
        for one in message.deadlines:
            state.deadlines[one.deadline_id] = Deadline(
                one.owner,
                one.due_ms,
                paused=one.paused,
                left_ms=one.left_ms,
                kind=one.kind,
                shifted=one.shifted,
            )
        for running in message.auctions:
            state.auctions.running[running.opened.auction] = _get_running(running)
        if message.HasField("table"):
            state.table = _get_table(message.table)
        return state


def _put_table(table: Table, message: auction_pb2.SnapshotTable) -> None:
    message.SetInParent()
    message.has_cards, message.shared_unit = table.has_cards, table.shared_unit
    message.paused, message.closed = table.paused, table.closed
    message.seats.extend(sorted(table.seats))
    message.closed_seats.extend(sorted(table.closed_seats))
    message.locked.extend(sorted(table.locked))
    message.retired.extend(sorted(table.retired))
    message.opened = table.opened
    message.sellers.update(table.sellers)
    message.cards.update(table.cards)
    for hold_id, one in table.lapsing.items():
        message.lapsing.add(
            hold_id=hold_id, seat=one.seat, amount=one.amount, expires_at_ms=one.expires_at_ms
        )


def _get_table(message: auction_pb2.SnapshotTable) -> Table:
    table = Table()
    table.has_cards, table.shared_unit = message.has_cards, message.shared_unit
    table.paused, table.closed = message.paused, message.closed
    table.seats, table.closed_seats = frozenset(message.seats), frozenset(message.closed_seats)
    table.locked, table.retired = frozenset(message.locked), frozenset(message.retired)
    table.opened = message.opened
    table.sellers, table.cards = dict(message.sellers), dict(message.cards)
    table.lapsing = {one.hold_id: Lapsing(one.seat, one.amount, one.expires_at_ms) for one in message.lapsing}
    return table


def _put_running(running: Auction, message: auction_pb2.SnapshotAuction) -> None:
    put_auction_opened(running.opened, message.opened)
    message.bidders.extend(running.bidders)
    message.active.extend(running.active)
    message.leader = running.leader
    message.price = running.price
    message.hold_id = running.hold_id
    message.held = running.held
    message.turn = running.turn
    message.declined.extend(running.declined)
    message.extensions = running.extensions
    message.clock = running.clock
    message.end = running.end
    message.calls = running.calls
    message.total_ms = running.total_ms
    for seat, amount in running.bids:
        message.bids.add(seat=seat, amount=amount)
    for seat, amount in running.spent.items():
        message.spent.add(seat=seat, amount=amount)
    for seat, amount in running.ceilings.items():
        message.ceilings.add(seat=seat, amount=amount)
    message.sealed_seats.extend(running.sealed_seats)
    for bid in running.sealed.values():
        put_sealed_bid(bid, message.sealed.add())
    for bid in running.withdrawn:
        put_sealed_bid(bid, message.withdrawn.add())


def _get_running(message: auction_pb2.SnapshotAuction) -> Auction:
    running = Auction(get_auction_opened(message.opened))
    running.bidders = list(message.bidders)
    running.active = list(message.active)
    running.leader = message.leader
    running.price = message.price
    running.hold_id = message.hold_id
    running.held = message.held
    running.turn = message.turn
    running.declined = list(message.declined)
    running.extensions = message.extensions
    running.clock = message.clock
    running.end = message.end
    running.calls = message.calls
    running.total_ms = message.total_ms
    running.bids = [(one.seat, one.amount) for one in message.bids]
    running.spent = {one.seat: one.amount for one in message.spent}
    running.ceilings = {one.seat: one.amount for one in message.ceilings}
    running.sealed_seats = list(message.sealed_seats)
    running.sealed = {one.seat: get_sealed_bid(one) for one in message.sealed}
    running.withdrawn = [get_sealed_bid(one) for one in message.withdrawn]
    return running
