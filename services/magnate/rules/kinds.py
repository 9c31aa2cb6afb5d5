"""The kinds of commands as bits, so that "what may this seat try" is one int."""

from __future__ import annotations

from typing import Final

ROLL: Final = 1 << 0
BUY_LOT: Final = 1 << 1
DECLINE_LOT: Final = 1 << 2
PLACE_BID: Final = 1 << 3
PASS_AUCTION: Final = 1 << 4
BUILD: Final = 1 << 5
SELL_BUILDINGS: Final = 1 << 6
MORTGAGE_LOTS: Final = 1 << 7
REDEEM_LOTS: Final = 1 << 8
OFFER_TRADE: Final = 1 << 9
COUNTER_OFFER: Final = 1 << 10
ACCEPT_OFFER: Final = 1 << 11
REJECT_OFFER: Final = 1 << 12
WITHDRAW_OFFER: Final = 1 << 13
PAY_FINE: Final = 1 << 14
USE_JAIL_CARD: Final = 1 << 15
CHOOSE_OPTION: Final = 1 << 16
PAY_DEBT: Final = 1 << 17
DECLARE_BANKRUPTCY: Final = 1 << 18
RESIGN: Final = 1 << 19
END_TURN: Final = 1 << 20
CLAIM_RENT: Final = 1 << 21
TAKE_LOAN: Final = 1 << 22
REPAY_LOAN: Final = 1 << 23
STAKE: Final = 1 << 24
PLAY_CARD: Final = 1 << 25
WANT_BUILDING: Final = 1 << 26
PLACE_BUILDING: Final = 1 << 27
SKIP: Final = 1 << 28
RETURN_LOTS: Final = 1 << 29
PLACE_TOKEN: Final = 1 << 30
PASS_GO: Final = 1 << 31
DRAWN_CARD: Final = 1 << 32
SET_PROXY_BID: Final = 1 << 33

KIND_NAMES: Final[list[str]] = [
    "roll", "buy_lot", "decline_lot", "place_bid", "pass_auction", "build", "sell_buildings", "mortgage_lots",
    "redeem_lots", "offer_trade", "counter_offer", "accept_offer", "reject_offer", "withdraw_offer",
    "pay_fine", "use_jail_card", "choose_option", "pay_debt", "declare_bankruptcy", "resign", "end_turn",
    "claim_rent", "take_loan", "repay_loan", "stake", "play_card", "want_building", "place_building", "skip",
    "return_lots", "place_token", "pass_go", "drawn_card",
    "set_proxy_bid",
]  # fmt: skip
"""By the place of the bit: the names of the fields of `Command`, in the order of the vocabulary."""


def names_of(kinds: int) -> list[str]:
    """The names of the kinds in a set."""
    return [name for place, name in enumerate(KIND_NAMES) if kinds >> place & 1]
