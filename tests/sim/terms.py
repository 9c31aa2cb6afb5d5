"""Terms of auctions at tables: any that go together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction.v1 import auction_pb2

if TYPE_CHECKING:
    from random import Random

KINDS: Final = (
    auction_pb2.AUCTION_KIND_ASCENDING,
    auction_pb2.AUCTION_KIND_PENNY,
    auction_pb2.AUCTION_KIND_SEALED,
    auction_pb2.AUCTION_KIND_VICKREY,
    auction_pb2.AUCTION_KIND_DUTCH,
)


def terms(chance: Random) -> auction_pb2.AuctionTerms:
    """Return terms that nobody refuses."""
    kind = chance.choice(KINDS)
    drawn = auction_pb2.AuctionTerms(kind=kind, minimum=chance.choice((1, 10, 50)))
    if kind == auction_pb2.AUCTION_KIND_DUTCH:
        drawn.dutch_start, drawn.dutch_step, drawn.dutch_tick_ms = 400, chance.choice((10, 50)), 1000
        return drawn
    drawn.close_ms = chance.choice((1000, 4000, 9000))
    if kind in (auction_pb2.AUCTION_KIND_SEALED, auction_pb2.AUCTION_KIND_VICKREY):
        drawn.ties_in_order = chance.random() < 0.5
        return drawn
    drawn.increment = chance.choice((1, 5))
    drawn.fixed_step = chance.random() < 0.2
    if kind == auction_pb2.AUCTION_KIND_PENNY:
        drawn.fee = chance.choice((0, 3))
        drawn.refund_losers = chance.random() < 0.3
        drawn.refund_on_cancel = chance.random() < 0.3
    elif chance.random() < 0.2:
        drawn.by_turn = True
        return drawn
    drawn.proxies = chance.random() < 0.5
    if chance.random() < 0.3:
        drawn.extend_ms, drawn.extensions_max = 500, chance.choice((0, 3))
    if chance.random() < 0.2:
        drawn.cap_ms = drawn.close_ms + 2000
    if kind == auction_pb2.AUCTION_KIND_ASCENDING and not drawn.extend_ms and chance.random() < 0.3:
        drawn.calls_ms = 400
    return drawn
