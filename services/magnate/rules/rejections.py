"""Every refusal there is: a stable name, a category, one line that explains it.

A refusal is an expected answer, never an error: it is returned, not raised. The names are public API. Add a
name when none fits; never widen or rename one. The category decides the gRPC status, in one table of the
RPC layer.
"""

from typing import Final

# Categories: what the caller can do about it.
INVALID: Final = "invalid"
"""The request is wrong in itself; sending it again cannot help."""
UNSUPPORTED: Final = "unsupported"
"""Right, but this build cannot do it."""
UNAUTHENTICATED: Final = "unauthenticated"
"""Who asks did not show who it is."""
FORBIDDEN: Final = "forbidden"
"""Who asks may never do this."""
NOT_FOUND: Final = "not_found"
"""What the request names does not exist."""
EXISTS: Final = "exists"
"""What the request would make is there already, made by another request."""
PRECONDITION: Final = "precondition"
"""Not allowed now: the game is not where this is possible."""
CONFLICT: Final = "conflict"
"""The game moved on meanwhile; look again and decide anew."""
EXHAUSTED: Final = "exhausted"
"""A limit is reached."""


class Rejection:
    """A refusal as a value: `name` is one of the names below, `detail` a sentence about this very case."""

    __slots__ = ("category", "detail", "name")

    def __init__(self, name: str, detail: str = "") -> None:
        self.name = name
        self.detail = detail
        self.category: str = REJECTIONS[name][0]

    def __repr__(self) -> str:
        return f"Rejection({self.name}: {self.detail})" if self.detail else f"Rejection({self.name})"


def explain(name: str) -> str:
    """The one line that explains a name."""
    return REJECTIONS[name][1]


# Whose turn it is, and whether the game runs
NOT_YOUR_TURN: Final = "NOT_YOUR_TURN"
WRONG_PHASE: Final = "WRONG_PHASE"
GAME_OVER: Final = "GAME_OVER"
GAME_PAUSED: Final = "GAME_PAUSED"
NOT_PAUSED: Final = "NOT_PAUSED"
NOT_STARTED: Final = "NOT_STARTED"
ALREADY_STARTED: Final = "ALREADY_STARTED"
UNKNOWN_SEAT: Final = "UNKNOWN_SEAT"
SEAT_OUT: Final = "SEAT_OUT"
MUST_ROLL: Final = "MUST_ROLL"

# Lots and money
UNKNOWN_LOT: Final = "UNKNOWN_LOT"
NOT_OWNER: Final = "NOT_OWNER"
INSUFFICIENT_FUNDS: Final = "INSUFFICIENT_FUNDS"
INVALID_AMOUNT: Final = "INVALID_AMOUNT"
INVALID_TARGET: Final = "INVALID_TARGET"
INVALID_POSITION: Final = "INVALID_POSITION"
DUPLICATE_LOT: Final = "DUPLICATE_LOT"
DUPLICATE_CARD: Final = "DUPLICATE_CARD"
EMPTY_COMMAND: Final = "EMPTY_COMMAND"

# Building and mortgage
GROUP_INCOMPLETE: Final = "GROUP_INCOMPLETE"
GROUP_MORTGAGED: Final = "GROUP_MORTGAGED"
GROUP_BUILT: Final = "GROUP_BUILT"
UNEVEN_BUILDING: Final = "UNEVEN_BUILDING"
HOTELS_SOLD_APART: Final = "HOTELS_SOLD_APART"
MAX_BUILDINGS: Final = "MAX_BUILDINGS"
NO_HOUSES_LEFT: Final = "NO_HOUSES_LEFT"
NO_HOTELS_LEFT: Final = "NO_HOTELS_LEFT"
BUILD_LIMIT_REACHED: Final = "BUILD_LIMIT_REACHED"
NOT_BUILDABLE: Final = "NOT_BUILDABLE"
NO_BUILDINGS: Final = "NO_BUILDINGS"
ALREADY_MORTGAGED: Final = "ALREADY_MORTGAGED"
NOT_MORTGAGED: Final = "NOT_MORTGAGED"
MORTGAGED: Final = "MORTGAGED"
MORTGAGE_NOT_ALLOWED: Final = "MORTGAGE_NOT_ALLOWED"

# Auction
NO_AUCTION: Final = "NO_AUCTION"
AUCTION_CLOSED: Final = "AUCTION_CLOSED"
BID_TOO_LOW: Final = "BID_TOO_LOW"
BID_EXCEEDS_FUNDS: Final = "BID_EXCEEDS_FUNDS"
NOT_A_BIDDER: Final = "NOT_A_BIDDER"
ALREADY_LEADING: Final = "ALREADY_LEADING"
ALREADY_PASSED: Final = "ALREADY_PASSED"
DECLINER_MAY_NOT_BID: Final = "DECLINER_MAY_NOT_BID"

# Trade
TRADE_NOT_ALLOWED: Final = "TRADE_NOT_ALLOWED"
UNKNOWN_OFFER: Final = "UNKNOWN_OFFER"
OFFER_STALE: Final = "OFFER_STALE"
OFFER_UNBALANCED: Final = "OFFER_UNBALANCED"
OFFER_TOO_LARGE: Final = "OFFER_TOO_LARGE"
OFFER_LIMIT_REACHED: Final = "OFFER_LIMIT_REACHED"
EMPTY_OFFER: Final = "EMPTY_OFFER"
SELF_TRADE: Final = "SELF_TRADE"
NOT_OFFER_PARTY: Final = "NOT_OFFER_PARTY"

# Debt and bankruptcy
NOT_A_CREDITOR: Final = "NOT_A_CREDITOR"
NOT_IN_DEBT: Final = "NOT_IN_DEBT"
MUST_PAY_FIRST: Final = "MUST_PAY_FIRST"
CARD_REQUIRED: Final = "CARD_REQUIRED"
CAN_STILL_PAY: Final = "CAN_STILL_PAY"
RENT_LAPSED: Final = "RENT_LAPSED"
NOTHING_DUE: Final = "NOTHING_DUE"
ONE_LOAN_AT_A_TIME: Final = "ONE_LOAN_AT_A_TIME"
LOANS_NOT_ALLOWED: Final = "LOANS_NOT_ALLOWED"
LOAN_NOT_YET: Final = "LOAN_NOT_YET"
LOAN_LIMIT_REACHED: Final = "LOAN_LIMIT_REACHED"

# Jail, cards, choices
NOT_JAILED: Final = "NOT_JAILED"
NO_JAIL_CARD: Final = "NO_JAIL_CARD"
NO_CHOICE_PENDING: Final = "NO_CHOICE_PENDING"

# Commands and time
COMMAND_ID_REUSED: Final = "COMMAND_ID_REUSED"
COMMAND_TOO_OLD: Final = "COMMAND_TOO_OLD"
DEADLINE_PASSED: Final = "DEADLINE_PASSED"
NOT_YET: Final = "NOT_YET"
UNKNOWN_DEADLINE: Final = "UNKNOWN_DEADLINE"

# Boards, rule sets, options
UNKNOWN_BOARD: Final = "UNKNOWN_BOARD"
UNKNOWN_RULESET: Final = "UNKNOWN_RULESET"
OPTION_UNKNOWN: Final = "OPTION_UNKNOWN"
OPTION_INVALID: Final = "OPTION_INVALID"
OPTION_CONFLICT: Final = "OPTION_CONFLICT"
OPTION_NOT_SUPPORTED: Final = "OPTION_NOT_SUPPORTED"

# Tables and seats
UNKNOWN_GAME: Final = "UNKNOWN_GAME"
NAME_TAKEN: Final = "NAME_TAKEN"
GAME_FULL: Final = "GAME_FULL"
TOO_FEW_PLAYERS: Final = "TOO_FEW_PLAYERS"
INVALID_SEAT_COUNT: Final = "INVALID_SEAT_COUNT"
INVALID_NAME: Final = "INVALID_NAME"
INVALID_ENTROPY: Final = "INVALID_ENTROPY"
SANDBOX_DISABLED: Final = "SANDBOX_DISABLED"
SANDBOX_EXHAUSTED: Final = "SANDBOX_EXHAUSTED"
BALANCE_HIDDEN: Final = "BALANCE_HIDDEN"

# Ledger (the bank adds INSUFFICIENT_FUNDS and INVALID_AMOUNT from above)
INVALID_ACCOUNT: Final = "INVALID_ACCOUNT"
INVALID_HOLD_ID: Final = "INVALID_HOLD_ID"
INVALID_REASON: Final = "INVALID_REASON"
INVALID_EXPIRY: Final = "INVALID_EXPIRY"
UNKNOWN_HOLD: Final = "UNKNOWN_HOLD"
HOLD_EXISTS: Final = "HOLD_EXISTS"
SAME_ACCOUNT: Final = "SAME_ACCOUNT"
UNKNOWN_ACCOUNT: Final = "UNKNOWN_ACCOUNT"
ACCOUNT_EXISTS: Final = "ACCOUNT_EXISTS"
ACCOUNT_CLOSED: Final = "ACCOUNT_CLOSED"
ACCOUNT_NOT_EMPTY: Final = "ACCOUNT_NOT_EMPTY"
TOO_MANY_ACCOUNTS: Final = "TOO_MANY_ACCOUNTS"
TOO_MANY_HOLDS: Final = "TOO_MANY_HOLDS"
HOLD_EXCEEDED: Final = "HOLD_EXCEEDED"
AMOUNT_OVERFLOW: Final = "AMOUNT_OVERFLOW"

# Units with keys and cards (they add INSUFFICIENT_FUNDS and AMOUNT_OVERFLOW from above)
UNKNOWN_KEY: Final = "UNKNOWN_KEY"
UNKNOWN_SLOT: Final = "UNKNOWN_SLOT"
TABLE_PAUSED: Final = "TABLE_PAUSED"
KEY_OUT_OF_ORDER: Final = "KEY_OUT_OF_ORDER"
POINT_TWICE: Final = "POINT_TWICE"
ENTRY_TOO_LONG: Final = "ENTRY_TOO_LONG"
NO_AMOUNT: Final = "NO_AMOUNT"
AMOUNT_ZERO: Final = "AMOUNT_ZERO"
AMOUNT_NOT_WHOLE: Final = "AMOUNT_NOT_WHOLE"
DENOMINATION_UNKNOWN: Final = "DENOMINATION_UNKNOWN"
DENOMINATION_MISSING: Final = "DENOMINATION_MISSING"
ALREADY_BOOKED: Final = "ALREADY_BOOKED"
NO_CARD: Final = "NO_CARD"
SLOT_TAKEN: Final = "SLOT_TAKEN"
SLOT_EMPTY: Final = "SLOT_EMPTY"
SAME_CARD: Final = "SAME_CARD"
CARD_UNKNOWN: Final = "CARD_UNKNOWN"
CARD_LOCKED: Final = "CARD_LOCKED"
CARD_RETIRED: Final = "CARD_RETIRED"

REJECTIONS: Final[dict[str, tuple[str, str]]] = {
    # Whose turn it is, and whether the game runs
    NOT_YOUR_TURN: (PRECONDITION, "Another seat is to act."),
    WRONG_PHASE: (PRECONDITION, "This cannot be done in the current phase of the turn."),
    GAME_OVER: (PRECONDITION, "The game has ended."),
    GAME_PAUSED: (PRECONDITION, "The game is paused; it can be resumed."),
    NOT_PAUSED: (PRECONDITION, "The clocks are running."),
    NOT_STARTED: (PRECONDITION, "The game has not started yet."),
    ALREADY_STARTED: (PRECONDITION, "The game has started already."),
    UNKNOWN_SEAT: (NOT_FOUND, "There is no such seat at this table."),
    SEAT_OUT: (PRECONDITION, "This seat has left the game."),
    MUST_ROLL: (PRECONDITION, "The turn cannot end before the dice are thrown."),
    # Lots and money
    UNKNOWN_LOT: (NOT_FOUND, "The square is not on the board, or nobody can own it."),
    NOT_OWNER: (PRECONDITION, "The lot belongs to somebody else."),
    INSUFFICIENT_FUNDS: (PRECONDITION, "The seat's available money does not cover the amount."),
    INVALID_AMOUNT: (INVALID, "The amount is not a positive whole number within bounds."),
    INVALID_TARGET: (INVALID, "The named seat, lot or card does not fit the command."),
    INVALID_POSITION: (INVALID, "The position of a sandbox table could not have come about."),
    DUPLICATE_LOT: (INVALID, "The same lot is named twice."),
    DUPLICATE_CARD: (INVALID, "The same card is named twice."),
    EMPTY_COMMAND: (INVALID, "The command names nothing to do."),
    # Building and mortgage
    GROUP_INCOMPLETE: (PRECONDITION, "Building needs every lot of the group."),
    GROUP_MORTGAGED: (PRECONDITION, "A lot of the group is mortgaged."),
    GROUP_BUILT: (PRECONDITION, "The buildings of the group have to be sold first."),
    UNEVEN_BUILDING: (PRECONDITION, "The lots of a group have to be built and sold evenly."),
    HOTELS_SOLD_APART: (PRECONDITION, "The hotels of a group are sold all at once."),
    MAX_BUILDINGS: (PRECONDITION, "The lot already has all the buildings it can have."),
    NO_HOUSES_LEFT: (PRECONDITION, "The bank has not enough houses."),
    NO_HOTELS_LEFT: (PRECONDITION, "The bank has not enough hotels."),
    BUILD_LIMIT_REACHED: (PRECONDITION, "The rule set allows no more building in this turn."),
    NOT_BUILDABLE: (INVALID, "Nothing can be built on this kind of lot."),
    NO_BUILDINGS: (PRECONDITION, "The lot has no building to sell, or fewer than were named."),
    ALREADY_MORTGAGED: (PRECONDITION, "The lot is mortgaged already."),
    NOT_MORTGAGED: (PRECONDITION, "The lot is not mortgaged."),
    MORTGAGED: (PRECONDITION, "A mortgaged lot cannot be used for this."),
    MORTGAGE_NOT_ALLOWED: (PRECONDITION, "The rule set has no mortgages."),
    # Auction
    NO_AUCTION: (PRECONDITION, "No auction is running."),
    AUCTION_CLOSED: (PRECONDITION, "The auction has closed."),
    BID_TOO_LOW: (PRECONDITION, "The bid is not above the highest one, or below the opening price."),
    BID_EXCEEDS_FUNDS: (PRECONDITION, "The seat could not pay its bid."),
    NOT_A_BIDDER: (PRECONDITION, "This seat takes no part in the auction."),
    ALREADY_LEADING: (PRECONDITION, "The seat already holds the highest bid."),
    ALREADY_PASSED: (PRECONDITION, "The seat has passed in this auction."),
    DECLINER_MAY_NOT_BID: (PRECONDITION, "By these rules, who declined the lot may not bid for it."),
    # Trade
    TRADE_NOT_ALLOWED: (PRECONDITION, "By these rules, this cannot be traded, or not now."),
    UNKNOWN_OFFER: (NOT_FOUND, "There is no such open offer."),
    OFFER_STALE: (PRECONDITION, "The game has changed so that the offer no longer holds."),
    OFFER_UNBALANCED: (PRECONDITION, "The sides of the offer differ by more than the rule set allows."),
    OFFER_TOO_LARGE: (INVALID, "The offer names more things than an offer may."),
    OFFER_LIMIT_REACHED: (EXHAUSTED, "The seat has as many open offers as it may have."),
    EMPTY_OFFER: (INVALID, "The offer moves nothing."),
    SELF_TRADE: (INVALID, "A seat cannot trade with itself."),
    NOT_OFFER_PARTY: (PRECONDITION, "The offer is addressed to another seat, or was made by another one."),
    # Debt and bankruptcy
    NOT_A_CREDITOR: (PRECONDITION, "The seat is not owed anything here."),
    NOT_IN_DEBT: (PRECONDITION, "The seat owes nothing."),
    MUST_PAY_FIRST: (PRECONDITION, "The seat has to settle its debt first."),
    CARD_REQUIRED: (PRECONDITION, "The payment waits for the seat's card on the bank's terminal."),
    CAN_STILL_PAY: (PRECONDITION, "The seat can still raise what it owes."),
    RENT_LAPSED: (PRECONDITION, "The rent was not claimed in time."),
    NOTHING_DUE: (PRECONDITION, "Nothing is due to be paid."),
    ONE_LOAN_AT_A_TIME: (PRECONDITION, "The running loan has to be repaid first."),
    LOANS_NOT_ALLOWED: (PRECONDITION, "By these rules the bank lends nothing."),
    LOAN_NOT_YET: (PRECONDITION, "The bank lends from a later round on."),
    LOAN_LIMIT_REACHED: (EXHAUSTED, "The seat owes as many loans as it may."),
    # Jail, cards, choices
    NOT_JAILED: (PRECONDITION, "The seat is not in jail."),
    NO_JAIL_CARD: (PRECONDITION, "The seat holds no such card."),
    NO_CHOICE_PENDING: (PRECONDITION, "Nothing is waiting for a choice."),
    # Commands and time
    COMMAND_ID_REUSED: (EXISTS, "The command id was used for another command."),
    COMMAND_TOO_OLD: (
        CONFLICT,
        "The command was made too many versions ago to be judged; refresh and send a new one.",
    ),
    DEADLINE_PASSED: (PRECONDITION, "The time for this has run out."),
    NOT_YET: (PRECONDITION, "The deadline is not due yet."),
    UNKNOWN_DEADLINE: (NOT_FOUND, "There is no such deadline; it was cleared or has been dealt with."),
    # Boards, rule sets, options
    UNKNOWN_BOARD: (NOT_FOUND, "There is no board of this id."),
    UNKNOWN_RULESET: (NOT_FOUND, "There is no rule set of this id."),
    OPTION_UNKNOWN: (INVALID, "There is no option of this name."),
    OPTION_INVALID: (INVALID, "The value is not one the option can have."),
    OPTION_CONFLICT: (INVALID, "Two options contradict each other."),
    OPTION_NOT_SUPPORTED: (UNSUPPORTED, "The option can have this value, but this build does not play it."),
    # Tables and seats
    UNKNOWN_GAME: (NOT_FOUND, "There is no such game."),
    NAME_TAKEN: (EXISTS, "Another seat at this table has this name."),
    GAME_FULL: (PRECONDITION, "The table has no free seat."),
    TOO_FEW_PLAYERS: (PRECONDITION, "The game needs more players to start."),
    INVALID_SEAT_COUNT: (INVALID, "The rule set and board do not take so many players."),
    INVALID_NAME: (INVALID, "The name or title is empty, too long or not printable."),
    INVALID_ENTROPY: (INVALID, "The bytes for chance are too many."),
    SANDBOX_DISABLED: (PRECONDITION, "This server does not allow sandbox tables."),
    SANDBOX_EXHAUSTED: (PRECONDITION, "The scripted dice or cards of the sandbox table are used up."),
    BALANCE_HIDDEN: (FORBIDDEN, "What a seat has is shown to its own player only, until the game is over."),
    # Ledger
    INVALID_ACCOUNT: (INVALID, "The name is not one that an account can have."),
    INVALID_HOLD_ID: (INVALID, "The hold's id is empty, too long or not printable."),
    INVALID_REASON: (INVALID, "The reason is empty, too long or not a plain code."),
    INVALID_EXPIRY: (INVALID, "The hold would have lapsed already."),
    UNKNOWN_HOLD: (NOT_FOUND, "No hold with this id is open."),
    HOLD_EXISTS: (EXISTS, "A hold with this id is open already."),
    SAME_ACCOUNT: (INVALID, "Payer and payee are the same account."),
    UNKNOWN_ACCOUNT: (NOT_FOUND, "The ledger has no such account."),
    ACCOUNT_EXISTS: (EXISTS, "An account of this name was opened before."),
    ACCOUNT_CLOSED: (PRECONDITION, "The account is closed."),
    ACCOUNT_NOT_EMPTY: (PRECONDITION, "The account still has money or holds."),
    TOO_MANY_ACCOUNTS: (EXHAUSTED, "The ledger has as many accounts as it may have."),
    TOO_MANY_HOLDS: (EXHAUSTED, "As many holds are open as may be."),
    HOLD_EXCEEDED: (PRECONDITION, "More was to be captured than is held."),
    AMOUNT_OVERFLOW: (PRECONDITION, "A balance would leave the range of 64 bits."),
    # Units with keys and cards
    UNKNOWN_KEY: (INVALID, "The unit of this table has no such key."),
    UNKNOWN_SLOT: (INVALID, "The unit of this table has no such slot."),
    TABLE_PAUSED: (PRECONDITION, "The table is paused; cards can be taken out, nothing else works."),
    KEY_OUT_OF_ORDER: (PRECONDITION, "The key means nothing at this point; C starts over."),
    POINT_TWICE: (INVALID, "An amount has one decimal point."),
    ENTRY_TOO_LONG: (INVALID, "The display has room for five digits."),
    NO_AMOUNT: (PRECONDITION, "No amount is entered."),
    AMOUNT_ZERO: (INVALID, "The amount is zero."),
    AMOUNT_NOT_WHOLE: (
        INVALID,
        "The amount is not a whole number of the smallest unit of this table's money.",
    ),
    DENOMINATION_UNKNOWN: (INVALID, "This table counts in units of its money, not in thousands or millions."),
    DENOMINATION_MISSING: (PRECONDITION, "It is not said whether the amount is in thousands or in millions."),
    ALREADY_BOOKED: (
        PRECONDITION,
        "What was entered has been booked; the next booking needs a new operation.",
    ),
    NO_CARD: (PRECONDITION, "The card that the key is about is not in the unit."),
    SLOT_TAKEN: (PRECONDITION, "Another card is in the slot."),
    SLOT_EMPTY: (PRECONDITION, "No card is in the slot."),
    SAME_CARD: (INVALID, "A card cannot pay itself."),
    CARD_UNKNOWN: (NOT_FOUND, "The card is not one of this table."),
    CARD_LOCKED: (PRECONDITION, "The card is locked."),
    CARD_RETIRED: (PRECONDITION, "The card is out of use."),
}
