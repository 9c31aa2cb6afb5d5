"""A scenario as values: all is resolved to seats, squares, accounts and numbers; names stay for messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.cli.scenario.names import POT_ACCOUNTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.cli.scenario.mirror import Mirror, Pay
    from magnate.cli.scenario.node import Node
    from magnate.rules.board import Board
    from magnate.rules.options import Written
    from magnate.rules.ruleset import RuleSet
    from magnate.rules.vocabulary import Card, OfferMade, PositionGiven, Terms

WATCHER: Final = -1
"""Who looks at a game without a seat in it."""


@dataclass(slots=True)
class Table:
    """What is played on, and by whom."""

    ruleset: str
    options: dict[str, Written]
    rules: RuleSet
    board: Board
    players: list[str]

    def seat(self, node: Node) -> int:
        """Return the seat a node names."""
        return self.players.index(node.one_of(self.players))

    def square(self, node: Node) -> int:
        """Return a square of the board."""
        return node.whole(0, self.board.size - 1)

    def squares(self, node: Node) -> list[int]:
        """Return a square or a list of squares."""
        return [self.square(one) for one in node.one_or_many()]

    def name(self, seat: int) -> str:
        """Return what a seat, the bank or a pot is called."""
        if seat >= 0:
            return self.players[seat]
        return next((word for word, account in POT_ACCOUNTS.items() if account == seat), "bank")


@dataclass(slots=True)
class GivenAuction:
    """The auction a position begins with."""

    lot: int
    leader: int
    price: int
    passed: list[int]


@dataclass(slots=True)
class Given:
    """A position: what the server is given, and what the runner does by commands before the first step."""

    position: PositionGiven
    cash: list[int]
    offers: list[OfferMade]
    offer_ids: list[str]
    auction: GivenAuction | None
    clocks: bool = False


@dataclass(slots=True)
class Plain:
    """A step that is one word."""

    word: str


@dataclass(slots=True)
class Lots:
    """Build on, mortgage, redeem or give back these lots in one command."""

    word: str
    lots: list[int]


@dataclass(slots=True)
class Sell:
    """Sell buildings down to these levels."""

    levels: dict[int, int]


@dataclass(slots=True)
class Bid:
    """Bid in the auction of a lot; -1 is the one that runs."""

    lot: int
    amount: int


@dataclass(slots=True)
class Proxy:
    """Have bids made up to a ceiling in the auction of a lot; -1 is the one that runs."""

    lot: int
    ceiling: int


@dataclass(slots=True)
class Decline:
    """Decline the offered lot and set the least first bid."""

    minimum: int


@dataclass(slots=True)
class Deal:
    """Offer, counter, or offer to pay in kind; `settles`: how much of a debt is settled, -1 all of it."""

    word: str
    offer_id: str
    to: int
    terms: Terms
    settles: int = 0


@dataclass(slots=True)
class Answer:
    """Accept, reject or withdraw an offer."""

    word: str
    offer_id: str
    redeem: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Choose:
    """Answer what is asked: an option's number, a seat or a square; or the word of what the option does."""

    option: int
    word: str = ""


@dataclass(slots=True)
class Square:
    """Claim the rent of a lot, place a building on it, or place one's token on a square."""

    word: str
    lot: int


@dataclass(slots=True)
class StakeOn:
    """Stake an amount, where the jackpot is a die on some of its faces."""

    amount: int
    faces: list[int]


@dataclass(slots=True)
class Play:
    """Play a kept card; or tell of one that was drawn by hand."""

    deck: int
    card: int
    by_hand: bool = False


@dataclass(slots=True)
class Lend:
    """Borrow from the bank, or pay back; `creditor` None is whoever the oldest loan is owed to."""

    word: str
    amount: int = 0
    creditor: int | None = None


@dataclass(slots=True)
class Want:
    """Want one of the last buildings."""

    building: int


@dataclass(slots=True)
class Do:
    """Something that is no move: start, pause, resume, connect, disconnect, extra_time.

    `seat` is whose wish it is, or who comes and goes; `to` and `time_ms` are for extra time.
    """

    word: str
    seat: int = 0
    to: int = 0
    time_ms: int = 0


@dataclass(slots=True)
class Wait:
    """Let time pass; None is up to the next deadline."""

    by_ms: int | None


Action: TypeAlias = (
    Plain
    | Lots
    | Sell
    | Bid
    | Proxy
    | Deal
    | Decline
    | Answer
    | Choose
    | Square
    | StakeOn
    | Play
    | Lend
    | Want
    | Do
    | Wait
)


@dataclass(slots=True)
class Step:
    """One step and what must come of it; None is not checked."""

    number: int
    text: str
    seat: int
    action: Action
    rejected: str | None
    events: list[str] | None
    pays: list[Pay] | None

    @property
    def expects(self) -> bool:
        """Whether anything is checked."""
        return self.rejected is not None or self.events is not None or self.pays is not None


@dataclass(slots=True)
class Expectation:
    """Something that must hold at the end, read from what the log adds up to."""

    key: str
    expected: object
    read: Callable[[Mirror], object]


@dataclass(slots=True)
class LegalExpectation:
    """Kinds of steps that must be legal for a seat at the end, or must not be."""

    key: str
    seat: int
    words: list[str]
    legal: bool


@dataclass(slots=True)
class ViewExpectation:
    """What is shown to a seat at the end, or to WATCHER: whose balances, or what is on hold for whose bids.

    `shown` has the seats, with what is on hold, where this is about bids.
    """

    key: str
    viewer: int
    shown: dict[int, int]
    bids: bool


@dataclass(slots=True)
class TimeExpectation:
    """What a seat must have of its clocks at the end; `word` is one of `names.TIME_WORDS`."""

    key: str
    seat: int
    word: str
    expected: object


@dataclass(slots=True)
class Script:
    """What chance will bring, in the order of use; a throw of a single die has 0 as its second."""

    dice: list[tuple[int, int]]
    cards: list[Card]
    deals: list[int]
    amounts: list[int]
    squares: list[int]
    seats: list[int]


@dataclass(slots=True)
class Scenario:
    """One scenario, ready to run."""

    file: str
    line: int
    name: str
    rows: list[int]
    table: Table
    given: Given | None
    script: Script
    steps: list[Step]
    expect: list[Expectation]
    legal: list[LegalExpectation]
    views: list[ViewExpectation]
    times: list[TimeExpectation]
