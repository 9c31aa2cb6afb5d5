"""Which options contradict each other: every rule set is checked, however it was put together."""

from typing import Final

from magnate.rules import choices
from magnate.rules.auction_terms import MODES, TERMS
from magnate.rules.options_table import BY_NAME

_NO: Final = 0
_YES: Final = 1


class Conflict:
    """`first` with one of `first_values` cannot be played with `second` with one of `second_values`.

    No values named: any but the default.
    """

    __slots__ = ("first", "first_values", "reason", "second", "second_values")

    def __init__(
        self, first: str, first_values: list[int], second: str, second_values: list[int], reason: str
    ) -> None:
        assert first in BY_NAME
        assert second in BY_NAME
        self.first = first
        self.first_values = first_values
        self.second = second
        self.second_values = second_values
        self.reason = reason

    def hits(self, first: int, second: int) -> bool:
        """Whether these values of the two options contradict each other."""
        return _is_one_of(first, self.first_values, self.first) and _is_one_of(
            second, self.second_values, self.second
        )


def _is_one_of(value: int, values: list[int], option: str) -> bool:
    return value in values if values else value != BY_NAME[option].default


class Bound:
    """`times` the value of `small`, and `more`, must fit into that of `large`; 0 of either fits."""

    __slots__ = ("large", "more", "reason", "small", "times")

    def __init__(self, small: str, times: int, more: int, large: str, reason: str) -> None:
        assert small in BY_NAME
        assert large in BY_NAME
        self.small = small
        self.times = times
        self.more = more
        self.large = large
        self.reason = reason

    def least(self, small: int) -> int:
        """The least value of `large` into which this value of `small` fits."""
        return self.times * small + self.more

    def hits(self, small: int, large: int) -> bool:
        """Whether it does not fit."""
        return small > 0 and 0 < large < self.least(small)


BOUNDS: Final[list[Bound]] = [
    Bound(
        "auction.calls_seconds", 2, 1, "auction.close_seconds",
        "going once and going twice are called before the hammer falls",
    ),
    Bound(
        "auction.calls_seconds", 2, 1, "auction.extend_seconds",
        "going once and going twice are called after a late bid, too",
    ),
    Bound(
        "auction.close_seconds", 1, 0, "auction.cap_seconds",
        "no auction would be open for as long as it is without a bid",
    ),
]  # fmt: skip
"""Which values of two options contradict each other by how large they are."""


def _misplaced() -> list[Conflict]:
    """Terms of auctions that say nothing about those that the rule set holds."""
    found: list[Conflict] = []
    for term in TERMS:
        others = [mode for mode in MODES if mode not in term.modes]
        if term.option and others:
            found.append(Conflict(term.option, [], "auction.mode", others, "it belongs to other auctions"))
        if term.option and not term.by_turn:
            reason = "by turn it says nothing: each bidder has a time of his own"
            found.append(Conflict(term.option, [], "auction.style", [choices.STYLE_BY_TURN], reason))
    return found


CONFLICTS: Final[list[Conflict]] = [
    Conflict(
        "auction.enabled", [_NO],
        "bankrupt.to_bank", [choices.TO_BANK_AUCTION],
        "an estate cannot be auctioned where there are no auctions",
    ),
    Conflict(
        "auction.enabled", [_NO],
        "build.shortage", [choices.SHORTAGE_AUCTION],
        "the last buildings cannot be auctioned where there are no auctions",
    ),
    Conflict(
        "auction.enabled", [_NO],
        "resign.estate", [choices.RESIGN_AUCTION],
        "an estate cannot be auctioned where there are no auctions",
    ),
    Conflict(
        "go.landing_pays", [_NO],
        "go.landing_doubles", [_YES],
        "what is not paid for stopping on GO cannot be doubled",
    ),
    Conflict(
        "mortgage.transfer", [choices.TRANSFER_FORBIDDEN],
        "trade.mortgaged_allowed", [_YES],
        "a mortgaged lot cannot be traded if it must not change hands",
    ),
    Conflict(
        "mortgage.transfer", [choices.TRANSFER_FORBIDDEN],
        "bankrupt.to_player", [choices.ESTATE_TO_CREDITOR],
        "an estate with mortgaged lots could not pass to the creditor",
    ),
    Conflict(
        "build.even", [_YES],
        "build.hotel_needs", [choices.SCOPE_LOT],
        "a lone lot cannot have a hotel where building is even",
    ),
    Conflict(
        "bankrupt.buildings", [choices.BUILDINGS_TRANSFERRED],
        "bankrupt.to_player", [choices.ESTATE_BANK_PAYS_CREDITOR, choices.ESTATE_FREE],
        "buildings pass to the creditor only with the estate",
    ),
    Conflict(
        "table.tokens", [choices.TOKENS_BY_HAND],
        "build.when", [
            choices.WHEN_ANY_TIME, choices.WHEN_OWN_TURN_OR_BETWEEN_TURNS, choices.WHEN_OWN_TURN,
            choices.WHEN_OWN_TURN_BEFORE_ROLL,
        ],
        "tokens are moved by hand only where rent levels come with the purchase",
    ),
    Conflict(
        "table.tokens", [choices.TOKENS_BY_HAND],
        "rent.claim", [choices.CLAIM_BEFORE_NEXT_ROLL],
        "a claim ends with the next throw, of which the game is not told",
    ),
    Conflict(
        "table.tokens", [choices.TOKENS_BY_HAND],
        "loan.enabled", [_YES],
        "a loan falls due with a round, and nobody must keep to the order of the seats",
    ),
    Conflict(
        "table.tokens", [choices.TOKENS_BY_HAND],
        "trade.loans", [_YES],
        "a loan falls due with a round, and nobody must keep to the order of the seats",
    ),
    Conflict(
        "timers.reserve_seconds", [],
        "timers.roll_seconds", [_NO],
        "a reserve is used when the time to throw is over, and there is no limit to that",
    ),
    Conflict(
        "timers.reserve_gain_seconds", [],
        "timers.roll_seconds", [_NO],
        "nothing is quick where there is no limit",
    ),
    Conflict(
        "timers.away_seconds", [],
        "timers.roll_seconds", [_NO],
        "the game waits for everybody anyway where there is no limit",
    ),
    Conflict(
        "timers.misses_max", [],
        "timers.roll_seconds", [_NO],
        "nobody misses a clock that does not run",
    ),
    Conflict(
        "timers.misses_max", [],
        "timers.expiry", [choices.EXPIRY_BANKRUPT],
        "who is out of the game at the first miss cannot miss more",
    ),
    Conflict(
        "timers.extra_seconds_max", [],
        "timers.roll_seconds", [_NO],
        "there is no clock to add to",
    ),
    Conflict(
        "table.tokens", [choices.TOKENS_BY_HAND],
        "timers.roll_seconds", [],
        "whose move it is, is not told to the game",
    ),
    Conflict(
        "timers.offer_stops_clock", [_YES],
        "timers.deal_seconds", [_NO],
        "the turn's clock would stand for as long as an offer is not answered",
    ),
    *_misplaced(),
]  # fmt: skip
