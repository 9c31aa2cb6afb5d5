"""On what terms a lot is sold by sealed bids, or at a price that falls (`auction.mode`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.bidding import MODE_DUTCH, MODE_SEALED, MODE_VICKREY
from magnate.rules.choices import AUCTION_DUTCH, AUCTION_SEALED, AUCTION_VICKREY

if TYPE_CHECKING:
    from magnate.rules.state import State
    from magnate.rules.vocabulary import OpenAuction

MODES: Final = {AUCTION_SEALED: MODE_SEALED, AUCTION_VICKREY: MODE_VICKREY, AUCTION_DUTCH: MODE_DUTCH}
"""The kinds of auction whose terms are here, by the option."""
_MS: Final = 1000
_PERCENT: Final = 100


def set_terms(state: State, ask: OpenAuction) -> None:
    """Say how bids are made where they are sealed, or where the price falls: no bid moves the end there."""
    rules = state.rules
    ask.mode = MODES[rules.auction_mode]
    if ask.mode == MODE_DUTCH:
        _let_fall(state, ask)
    else:
        ask.ties = rules.auction_ties


def _let_fall(state: State, ask: OpenAuction) -> None:
    """The price falls to the minimum, and stays there as long as another auction is open after a bid."""
    rules = state.rules
    worth = state.board.price[ask.lot] if ask.lot >= 0 else ask.minimum
    ask.dutch_start = max(ask.minimum, worth * rules.auction_dutch_start_percent // _PERCENT)
    ask.dutch_step = max(1, worth * rules.auction_dutch_step_percent // _PERCENT)
    ask.dutch_tick_ms = rules.auction_dutch_tick_seconds * _MS
    steps = -(-(ask.dutch_start - ask.minimum) // ask.dutch_step)
    ask.close_ms += steps * ask.dutch_tick_ms
