"""The words of scenario files, and what they are called in the rules and in the API."""

from __future__ import annotations

from typing import Final, get_args

from magnate.game.domain import standing, table
from magnate.rules import rejections
from magnate.rules.decision import POT_CHARITY, POT_JACKPOT, POT_PARKING
from magnate.rules.vocabulary import (
    BUILDING_HOTEL,
    BUILDING_HOUSE,
    END_REASON_NAMES,
    PHASE_NAMES,
    QUESTION_NAMES,
    AuctionEvent,
    Event,
)

BARE: Final = frozenset(
    {
        "roll", "buy", "end_turn", "use_jail_card", "pay_fine", "resign",
        "bankrupt", "take_back", "skip", "pass_go",
    }
)  # fmt: skip
"""Steps without a value."""

VALUED: Final = frozenset(
    {
        "build", "mortgage", "redeem", "sell", "bid", "offer", "counter", "accept", "reject", "withdraw",
        "pay_in_kind", "claim_rent", "choose", "stake", "play", "loan", "want", "place", "return",
        "place_token", "drawn_card", "proxy",
    }
)  # fmt: skip
"""Steps with a value."""

EITHER: Final = frozenset({"decline", "pass", "pay", "repay"})
"""Steps that stand alone or with a value."""

STEPS: Final = BARE | VALUED | EITHER

UNPLAYED_STEPS: Final = {"take_back": "taking a decision back: what is decided stands"}
"""Steps that no rule set has, and what for."""

DO: Final = ("start", "pause", "resume")
"""What is done by nobody in particular: by the first seat, if the API asks for one."""

DO_BY: Final = ("pause", "resume", "disconnect", "connect", "extra_time")
"""What a seat does that is no move."""

TIME_WORDS: Final = ("clock", "stands", "reserve", "allowance", "misses", "stand_in", "away")
"""What a seat has of its clocks, and whether it is there."""

KINDS: Final = {
    "roll": "roll",
    "buy": "buy_lot",
    "decline": "decline_lot",
    "bid": "place_bid",
    "pass": "pass_auction",
    "proxy": "set_proxy_bid",
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
    "claim_rent": "claim_rent",
    "loan": "take_loan",
    "repay": "repay_loan",
    "stake": "stake",
    "play": "play_card",
    "want": "want_building",
    "place": "place_building",
    "skip": "skip",
    "return": "return_lots",
    "place_token": "place_token",
    "pass_go": "pass_go",
    "drawn_card": "drawn_card",
}
"""Steps that are played, and the field of `magnate.rules.v1.Command` that carries them."""

PHASES: Final = (
    "roll", "jail", "buy", "auction", "debt", "act", "card", "choice", "over", "shortage", "place",
)  # fmt: skip
PHASE_NUMBERS: Final = {name.lower(): number for number, name in enumerate(PHASE_NAMES) if number}
END_REASONS: Final = tuple(name.lower() for name in END_REASON_NAMES[1:])
QUESTIONS: Final = {name.lower(): number for number, name in enumerate(QUESTION_NAMES) if number}
BUILDINGS: Final = {"house": BUILDING_HOUSE, "hotel": BUILDING_HOTEL}
POTS: Final = {"charity_fund": "pot-charity", "jackpot": "pot-jackpot", "parking": "pot-parking"}
POT_ACCOUNTS: Final = {"parking": POT_PARKING, "jackpot": POT_JACKPOT, "charity_fund": POT_CHARITY}
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
        *get_args(standing.StandingEvent),
    )
)
EVENTS: Final = RULES_EVENTS | AUCTION_EVENTS | TABLE_EVENTS

REJECTIONS: Final = frozenset(rejections.REJECTIONS)

GIVEN_WORDS: Final = (
    "turn", "doubles", "phase", "asks", "elapsed", "round", "lots", "bank", "pots", "debts", "loans",
    "passes", "auction", "offers", "clocks",
)  # fmt: skip
EXPECT_WORDS: Final = (
    "lots", "bank", "turn", "phase", "asks", "doubles", "round", "legal", "not_legal", "auction", "debts",
    "loans", "claims", "passes", "pots", "time_rule", "time_up", "view", "offers", "ranking", "end_reason",
    "scores",
)  # fmt: skip
STEP_WORDS: Final = ("do", "wait", "rejected", "events", "pays", "redeem")
WATCHES: Final = "watcher"
"""Who looks on without a seat."""
RESERVED: Final = frozenset({*GIVEN_WORDS, *EXPECT_WORDS, *STEP_WORDS, "bank", WATCHES, *POTS})
"""What no player may be called, because it means something else where players are named."""


def snake_to_event(name: str) -> str:
    """Return the event's name by the field that carries it: `token_moved` is TokenMoved."""
    return "".join(part.capitalize() for part in name.split("_"))
