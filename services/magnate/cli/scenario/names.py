"""The words of scenario files, and what they are called in the rules and in the API."""

from __future__ import annotations

from typing import Final

from magnate.game.domain import table
from magnate.rules import rejections
from magnate.rules.vocabulary import END_REASON_NAMES, PHASE_NAMES, AuctionEvent, Event

BARE: Final = frozenset(
    {
        "roll", "buy", "decline", "pay", "end_turn", "use_jail_card", "pay_fine", "pass", "resign",
        "bankrupt", "take_back", "repay",
    }
)  # fmt: skip
"""Steps without a value."""

VALUED: Final = frozenset(
    {
        "build", "mortgage", "redeem", "sell", "bid", "offer", "counter", "accept", "reject", "withdraw",
        "pay_in_kind", "claim_rent", "choose", "stake", "play", "loan", "want", "place",
    }
)  # fmt: skip
"""Steps with a value."""

STEPS: Final = BARE | VALUED

UNPLAYED_STEPS: Final = {
    "take_back": "taking a decision back",
    "repay": "loans from the bank",
    "loan": "loans from the bank",
    "claim_rent": "rent that has to be claimed",
    "stake": "the jackpot",
    "play": "cards that are kept for later",
    "want": "the auction of the last buildings",
    "place": "the auction of the last buildings",
}
"""Steps of rule sets that are not built, and what for."""

DO: Final = ("start", "pause", "resume", "disconnect", "connect")

KINDS: Final = {
    "roll": "roll",
    "buy": "buy_lot",
    "decline": "decline_lot",
    "bid": "place_bid",
    "pass": "pass_auction",
    "build": "build",
    "sell": "sell_buildings",
    "mortgage": "mortgage_lots",
    "redeem": "redeem_lots",
    "offer": "offer_trade",
    "pay_in_kind": "offer_trade",
    "counter": "counter_offer",
    "accept": "accept_offer",
    "reject": "reject_offer",
    "withdraw": "withdraw_offer",
    "pay_fine": "pay_fine",
    "use_jail_card": "use_jail_card",
    "choose": "choose_option",
    "pay": "pay_debt",
    "bankrupt": "declare_bankruptcy",
    "resign": "resign",
    "end_turn": "end_turn",
}
"""Steps that are played, and the field of `magnate.rules.v1.Command` that carries them."""

PHASES: Final = ("roll", "jail", "buy", "auction", "debt", "act", "card", "choice", "over")
PHASE_NUMBERS: Final = {name.lower(): number for number, name in enumerate(PHASE_NAMES) if number}
END_REASONS: Final = tuple(name.lower() for name in END_REASON_NAMES[1:])
POTS: Final = {"charity_fund": "pot-charity", "jackpot": "pot-jackpot", "parking": "pot-parking"}
POT_WORDS: Final = {account: word for word, account in POTS.items()}

RULES_EVENTS: Final = frozenset(one.__name__ for one in Event.__subclasses__())
AUCTION_EVENTS: Final = frozenset(one.__name__ for one in AuctionEvent.__subclasses__())
TABLE_EVENTS: Final = frozenset(
    one.__name__
    for one in (
        table.TableOpened,
        table.SeatTaken,
        table.TableStarted,
        table.TablePaused,
        table.TableResumed,
        table.SeedRevealed,
    )
)
EVENTS: Final = RULES_EVENTS | AUCTION_EVENTS | TABLE_EVENTS

REJECTIONS: Final = frozenset(rejections.REJECTIONS)

GIVEN_WORDS: Final = (
    "turn", "doubles", "phase", "elapsed", "round", "lots", "bank", "pots", "debts", "auction", "offers",
    "clocks",
)  # fmt: skip
EXPECT_WORDS: Final = (
    "lots", "bank", "turn", "phase", "doubles", "round", "legal", "not_legal", "auction", "debts", "pots",
    "view", "offers", "ranking", "end_reason", "scores",
)  # fmt: skip
STEP_WORDS: Final = ("do", "wait", "rejected", "events", "pays", "redeem")
RESERVED: Final = frozenset({*GIVEN_WORDS, *EXPECT_WORDS, *STEP_WORDS, "bank", *POTS})
"""What no player may be called, because it means something else where players are named."""


def snake_to_event(name: str) -> str:
    """Return the event's name by the field that carries it: `token_moved` is TokenMoved."""
    return "".join(part.capitalize() for part in name.split("_"))
