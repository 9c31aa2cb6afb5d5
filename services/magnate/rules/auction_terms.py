"""Which terms go with which kinds of auction: one table for rule sets and for sales at bank tables.

A term that the kind knows nothing of is refused in both places, because whoever chose it expects something.
"""

from typing import Final

from magnate.rules.bidding import MODE_DUTCH, MODE_OPEN, MODE_PENNY, MODE_SEALED, MODE_VICKREY

MODES: Final = [MODE_OPEN, MODE_PENNY, MODE_SEALED, MODE_VICKREY, MODE_DUTCH]
_OPENLY: Final = [MODE_OPEN, MODE_PENNY]
_SEALED: Final = [MODE_SEALED, MODE_VICKREY]
_HELD: Final = [MODE_OPEN, MODE_SEALED, MODE_VICKREY, MODE_DUTCH]


class Term:
    """Something about auctions that only some of them have.

    Attributes:
        option: how a rule set calls it; empty: none does.
        name: how the terms of a sale at a table (`AuctionTerms`) call it; empty: they have none such.
        modes: the kinds of auction in which it means something.
        by_turn: whether it does where bids go by turn, too.
    """

    __slots__ = ("by_turn", "modes", "name", "option")

    def __init__(self, option: str, name: str, modes: list[int], by_turn: bool = True) -> None:
        self.option = option
        self.name = name
        self.modes = modes
        self.by_turn = by_turn


TERMS: Final[list[Term]] = [
    Term("auction.style", "by_turn", _OPENLY),
    Term("", "increment", _OPENLY),
    Term("", "fixed_step", _OPENLY),
    Term("auction.extend_seconds", "extend_ms", [MODE_OPEN], by_turn=False),
    Term("auction.rollback_seconds", "extend_ms", [MODE_PENNY], by_turn=False),
    Term("auction.extensions_max", "extensions_max", _OPENLY, by_turn=False),
    Term("auction.cap_seconds", "cap_ms", _OPENLY, by_turn=False),
    Term("auction.calls_seconds", "calls_ms", MODES, by_turn=False),
    Term("auction.proxy", "proxies", _OPENLY, by_turn=False),
    Term("auction.leaver", "", _OPENLY),
    Term("auction.bid_limit", "", _HELD),
    Term("auction.penny_fee", "fee", [MODE_PENNY]),
    Term("auction.penny_refund", "refund_losers", [MODE_PENNY]),
    Term("auction.refund_on_cancel", "refund_on_cancel", [MODE_PENNY]),
    Term("auction.ties", "ties_in_order", _SEALED),
    Term("auction.dutch_start_percent", "dutch_start", [MODE_DUTCH]),
    Term("auction.dutch_step_percent", "dutch_step", [MODE_DUTCH]),
    Term("auction.dutch_tick_seconds", "dutch_tick_ms", [MODE_DUTCH]),
]
