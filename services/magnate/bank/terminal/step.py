"""What goes into a unit and what comes out: actions, the table as the unit sees it, and the step."""

from typing import Final

from magnate.bank.domain.instructions import Transfer
from magnate.bank.terminal.edition import Edition
from magnate.bank.terminal.unit import Unit

# Keys. Digits are their own names.
DIGITS: Final = "0123456789"
POINT: Final = "."
MILLION: Final = "M"
THOUSAND: Final = "K"
CLEAR: Final = "C"
ARROW: Final = "ARROW"
PLUS: Final = "PLUS"
MINUS: Final = "MINUS"
THREE: Final = "THREE"
TICK: Final = "TICK"
CROSS: Final = "CROSS"
CARD_KEYS: Final = frozenset([*DIGITS, POINT, MILLION, THOUSAND, CLEAR, ARROW])
"""The keys of every unit that has slots."""

# Slots.
LEFT: Final = 0
"""The left slot, or the only one."""
RIGHT: Final = 1

# Sounds.
KEY: Final = "key"
CARD: Final = "card"
BOOKED: Final = "booked"
ERROR: Final = "error"
RESET: Final = "reset"
VOLUME: Final = "volume"
FANFARE: Final = "fanfare"

# What the game asks to be tapped.
CARD_ASKED: Final = "card"
DEED_ASKED: Final = "deed"
EVENT_ASKED: Final = "event"

# Reasons of the ledger's entries.
CREDIT_REASON: Final = "terminal_credit"
DEBIT_REASON: Final = "terminal_debit"
TRANSFER_REASON: Final = "terminal_transfer"
GO_REASON: Final = "go"
RESET_REASON: Final = "reset"

# How a card stands.
ACTIVE: Final = 0
LOCKED: Final = 1
RETIRED: Final = 2

ERROR_MS: Final = 3_000
"""How long a refusal is shown, unless something is pressed before."""
VOLUME_MS: Final = 1_500
"""How long the volume is shown."""
QUERY_MS: Final = 10_000
"""How long the touch unit shows what was tapped, unless X leaves it (C26)."""


class Action:
    """Anything that somebody does to a unit."""

    __slots__ = ()


class Press(Action):
    """A key is pressed."""

    __slots__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key = key


class Hold(Action):
    """A key is held until the unit answers."""

    __slots__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key = key


class Insert(Action):
    """The card of a seat is put into a slot."""

    __slots__ = ("seat", "slot")

    def __init__(self, slot: int, seat: int) -> None:
        self.slot = slot
        self.seat = seat


class Remove(Action):
    """The card in a slot is pulled out."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot


class GameView:
    """A running game as a unit sees it: debts, squares, what is asked. Read only.

    by seat     `owes` what it has to pay first, 0 for nothing; `jailed`
    by square   `price` 0 where nobody can own it; `owner`; `level` of its rent; `rents` by level
    turn        `phase` PHASE_... of the rules, `turn_seat`; in phase BUY `offered`, the lot
    question    `asks` what is to be tapped: CARD_ASKED, DEED_ASKED, EVENT_ASKED, or nothing; `asks_amount` is
                what the answer costs; `may_skip`
    auction     `auction_lot`, `auction_leader`, `auction_price`, `auction_next` bid, `auction_due_ms`
    events      `deck` they are of, `events` their numbers by id
    end         `over`, `ranking` of seats with their `scores`

    `cap_level`: rents are charged at this level now, if not 0. Amounts are ledger units; -1 is nobody.
    """

    __slots__ = (
        "asks", "asks_amount", "auction_due_ms", "auction_leader", "auction_lot", "auction_next",
        "auction_price", "cap_level", "deck", "events", "go_salary", "jail_fine", "jailed",
        "level", "may_skip", "offered", "over", "owes", "owner", "phase", "price", "ranking", "rents",
        "scores", "turn_seat",
    )  # fmt: skip

    def __init__(self, seats: int) -> None:
        self.owes: list[int] = [0] * seats
        self.jailed: list[bool] = [False] * seats
        self.price: list[int] = []
        self.owner: list[int] = []
        self.level: list[int] = []
        self.rents: list[list[int]] = []
        self.cap_level = 0
        self.phase = 0
        self.turn_seat = -1
        self.offered = -1
        self.asks = ""
        self.asks_amount = 0
        self.may_skip = False
        self.auction_lot = -1
        self.auction_leader = -1
        self.auction_price = 0
        self.auction_next = 0
        self.auction_due_ms = 0
        self.go_salary = 0
        self.jail_fine = 0
        self.deck = 0
        self.events: dict[str, int] = {}
        self.over = False
        self.ranking: list[int] = []
        self.scores: list[int] = []


class Move:
    """A command of a seat that a step proposes to the game: kind and numbers as in the rules' proto."""

    __slots__ = ("kind", "lots", "numbers", "seat")

    def __init__(self, seat: int, kind: str, numbers: dict[str, int], lots: list[int] | None = None) -> None:
        self.seat = seat
        self.kind = kind
        self.numbers = numbers
        self.lots: list[int] = [] if lots is None else lots


class TapCard(Action):
    """The card of a seat is tapped."""

    __slots__ = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat


class TapDeed(Action):
    """The deed of a square is tapped; with X held, only to look (`query`)."""

    __slots__ = ("query", "square")

    def __init__(self, square: int, query: bool) -> None:
        self.square = square
        self.query = query


class TapEvent(Action):
    """An event card is tapped; `card` is its id on the board."""

    __slots__ = ("card",)

    def __init__(self, card: str) -> None:
        self.card = card


class Table:
    """The table as a unit sees it: available money and standing of each card, by seat. Read only.

    `game` is the running game that the unit is in, if it is in one.
    """

    __slots__ = ("balances", "cards", "edition", "game", "paused")

    def __init__(
        self,
        edition: Edition,
        balances: list[int],
        cards: list[int],
        paused: bool = False,
        game: GameView | None = None,
    ) -> None:
        self.edition = edition
        self.balances = balances
        self.cards = cards
        self.paused = paused
        self.game = game


class Step:
    """What an action led to. A refusal has a unit too (it shows the error), but never a payment.

    In a game there is a `move` instead of payments; the unit is as it is when the rules have accepted it.
    `closes`: the table ends with this step.
    """

    __slots__ = ("closes", "detail", "move", "payments", "refusal", "sounds", "unit")

    def __init__(
        self, unit: Unit, payments: list[Transfer], sounds: list[str], refusal: str = "", detail: str = ""
    ) -> None:
        self.unit = unit
        self.payments = payments
        self.sounds = sounds
        self.refusal = refusal
        self.detail = detail
        self.move: Move | None = None
        self.closes = False
