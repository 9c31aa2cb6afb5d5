"""The categories of refusals, and each name with its category and the line that explains it.

Whoever refuses takes the constants of `rejections`, which also has everything of here.
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

REJECTIONS: Final[dict[str, tuple[str, str]]] = {
    # Whose turn it is, and whether the game runs
    "NOT_YOUR_TURN": (PRECONDITION, "Another seat is to act."),
    "WRONG_PHASE": (PRECONDITION, "This cannot be done in the current phase of the turn."),
    "GAME_OVER": (PRECONDITION, "The game has ended."),
    "GAME_PAUSED": (PRECONDITION, "The game is paused; it can be resumed."),
    "NOT_PAUSED": (PRECONDITION, "The clocks are running."),
    "NOT_STARTED": (PRECONDITION, "The game has not started yet."),
    "ALREADY_STARTED": (PRECONDITION, "The game has started already."),
    "UNKNOWN_SEAT": (NOT_FOUND, "There is no such seat at this table."),
    "SEAT_OUT": (PRECONDITION, "This seat has left the game."),
    "MUST_ROLL": (PRECONDITION, "The turn cannot end before the dice are thrown."),
    "DICE_BY_HAND": (
        PRECONDITION,
        "The dice of this table are real: throw them, and tell where the token stands.",
    ),
    "TOKENS_BY_ENGINE": (PRECONDITION, "At this table the game itself throws, moves and draws."),
    # Lots and money
    "UNKNOWN_LOT": (NOT_FOUND, "The square is not on the board, or nobody can own it."),
    "NOT_OWNER": (PRECONDITION, "The lot belongs to somebody else."),
    "INSUFFICIENT_FUNDS": (PRECONDITION, "The seat's available money does not cover the amount."),
    "INVALID_AMOUNT": (INVALID, "The amount is not a positive whole number within bounds."),
    "INVALID_TARGET": (INVALID, "The named seat, lot or card does not fit the command."),
    "INVALID_POSITION": (INVALID, "The position of a sandbox table could not have come about."),
    "DUPLICATE_LOT": (INVALID, "The same lot is named twice."),
    "DUPLICATE_CARD": (INVALID, "The same card is named twice."),
    "EMPTY_COMMAND": (INVALID, "The command names nothing to do."),
    # Building and mortgage
    "GROUP_INCOMPLETE": (PRECONDITION, "Building needs every lot of the group."),
    "GROUP_MORTGAGED": (PRECONDITION, "A lot of the group is mortgaged."),
    "GROUP_BUILT": (PRECONDITION, "The buildings of the group have to be sold first."),
    "UNEVEN_BUILDING": (PRECONDITION, "The lots of a group have to be built and sold evenly."),
    "HOTELS_SOLD_APART": (PRECONDITION, "The hotels of a group are sold all at once."),
    "MAX_BUILDINGS": (PRECONDITION, "The lot already has all the buildings it can have."),
    "NO_HOUSES_LEFT": (PRECONDITION, "The bank has not enough houses."),
    "NO_HOTELS_LEFT": (PRECONDITION, "The bank has not enough hotels."),
    "BUILD_LIMIT_REACHED": (PRECONDITION, "The rule set allows no more building in this turn."),
    "NOT_BUILDABLE": (INVALID, "Nothing can be built on this kind of lot."),
    "NO_BUILDINGS": (PRECONDITION, "The lot has no building to sell, or fewer than were named."),
    "ALREADY_MORTGAGED": (PRECONDITION, "The lot is mortgaged already."),
    "NOT_MORTGAGED": (PRECONDITION, "The lot is not mortgaged."),
    "MORTGAGED": (PRECONDITION, "A mortgaged lot cannot be used for this."),
    "MORTGAGE_NOT_ALLOWED": (PRECONDITION, "The rule set has no mortgages."),
    # Auction
    "NO_AUCTION": (PRECONDITION, "No auction is running."),
    "WHICH_LOT": (INVALID, "Several auctions are running, and the command does not say which one it means."),
    "PROXY_NOT_ALLOWED": (PRECONDITION, "Nobody bids for others in this auction."),
    "NO_PROXY_BID": (PRECONDITION, "The seat has set no ceiling in this auction."),
    "AUCTION_CLOSED": (PRECONDITION, "The auction has closed."),
    "BID_TOO_LOW": (PRECONDITION, "The bid is not above the highest one, or below the opening price."),
    "ALREADY_BID": (PRECONDITION, "The seat has handed in its sealed bid, which is final."),
    "BID_EXCEEDS_FUNDS": (PRECONDITION, "The seat could not pay its bid."),
    "NOT_A_BIDDER": (PRECONDITION, "This seat takes no part in the auction."),
    "ALREADY_LEADING": (PRECONDITION, "The seat already holds the highest bid."),
    "ALREADY_PASSED": (PRECONDITION, "The seat has passed in this auction."),
    "DECLINER_MAY_NOT_BID": (PRECONDITION, "By these rules, who declined the lot may not bid for it."),
    # Trade
    "TRADE_NOT_ALLOWED": (PRECONDITION, "By these rules, this cannot be traded, or not now."),
    "UNKNOWN_OFFER": (NOT_FOUND, "There is no such open offer."),
    "OFFER_STALE": (PRECONDITION, "The game has changed so that the offer no longer holds."),
    "OFFER_UNBALANCED": (PRECONDITION, "The sides of the offer differ by more than the rule set allows."),
    "OFFER_TOO_LARGE": (INVALID, "The offer names more things than an offer may."),
    "OFFER_LIMIT_REACHED": (PRECONDITION, "The seat has as many open offers as it may have."),
    "EMPTY_OFFER": (INVALID, "The offer moves nothing."),
    "SELF_TRADE": (INVALID, "A seat cannot trade with itself."),
    "NOT_OFFER_PARTY": (PRECONDITION, "The offer is addressed to another seat, or was made by another one."),
    # Debt and bankruptcy
    "NOT_A_CREDITOR": (PRECONDITION, "The seat is not owed anything here."),
    "NOT_IN_DEBT": (PRECONDITION, "The seat owes nothing."),
    "MUST_PAY_FIRST": (PRECONDITION, "The seat has to settle its debt first."),
    "CARD_REQUIRED": (PRECONDITION, "The payment waits for the seat's card on the bank's terminal."),
    "CAN_STILL_PAY": (PRECONDITION, "The seat can still raise what it owes."),
    "RENT_LAPSED": (PRECONDITION, "The rent was not claimed in time."),
    "NOTHING_DUE": (PRECONDITION, "Nothing is due, or nothing is asked of this seat."),
    "ONE_LOAN_AT_A_TIME": (PRECONDITION, "The running loan has to be repaid first."),
    "LOANS_NOT_ALLOWED": (PRECONDITION, "By these rules the bank lends nothing."),
    "LOAN_NOT_YET": (PRECONDITION, "The bank lends from a later round on."),
    "LOAN_LIMIT_REACHED": (PRECONDITION, "The seat owes as many loans as it may."),
    # Jail, cards, choices
    "NOT_JAILED": (PRECONDITION, "The seat is not in jail."),
    "NO_JAIL_CARD": (PRECONDITION, "The seat holds no such card."),
    "NO_CHOICE_PENDING": (PRECONDITION, "Nothing is waiting for a choice."),
    # Commands and time
    "COMMAND_ID_REUSED": (EXISTS, "The command id was used for another command."),
    "COMMAND_TOO_OLD": (
        CONFLICT,
        "The command was made too many versions ago to be judged; refresh and send a new one.",
    ),
    "DEADLINE_PASSED": (PRECONDITION, "The time for this has run out."),
    "NOT_YET": (PRECONDITION, "The deadline is not due yet."),
    "UNKNOWN_DEADLINE": (NOT_FOUND, "There is no such deadline; it was cleared or has been dealt with."),
    # Boards, rule sets, options
    "UNKNOWN_BOARD": (NOT_FOUND, "There is no board of this id."),
    "UNKNOWN_RULESET": (NOT_FOUND, "There is no rule set of this id."),
    "OPTION_UNKNOWN": (INVALID, "There is no option of this name."),
    "OPTION_INVALID": (INVALID, "The value is not one the option can have."),
    "OPTION_CONFLICT": (INVALID, "Two options contradict each other."),
    "OPTION_NOT_SUPPORTED": (UNSUPPORTED, "The option can have this value, but this build does not play it."),
    # Tables and seats
    "UNKNOWN_GAME": (NOT_FOUND, "There is no such game."),
    "NAME_TAKEN": (EXISTS, "Another seat at this table has this name."),
    "GAME_FULL": (PRECONDITION, "The table has no free seat."),
    "TOO_FEW_PLAYERS": (PRECONDITION, "The game needs more players to start."),
    "INVALID_SEAT_COUNT": (INVALID, "The rule set and board do not take so many players."),
    "INVALID_NAME": (INVALID, "The name or title is empty, too long or not printable."),
    "INVALID_ENTROPY": (INVALID, "The bytes for chance are too many."),
    "SANDBOX_DISABLED": (PRECONDITION, "This server does not allow sandbox tables."),
    "SANDBOX_EXHAUSTED": (PRECONDITION, "The scripted dice or cards of the sandbox table are used up."),
    "BALANCE_HIDDEN": (FORBIDDEN, "What a seat has is shown to its own player only, until the game is over."),
    "ALREADY_AGREED": (PRECONDITION, "The seat has agreed already; others have yet to."),
    "OWN_CLOCK": (INVALID, "A seat cannot give its own clock more time."),
    "EXTRA_TIME_NOT_ALLOWED": (PRECONDITION, "By these rules nobody may give a clock more time."),
    "EXTRA_TIME_LIMIT_REACHED": (PRECONDITION, "The decision has, or would get, more time than it may."),
    "NO_CLOCK_RUNNING": (PRECONDITION, "No clock of the seat is running."),
    # Ledger
    "INVALID_ACCOUNT": (INVALID, "The name is not one that an account can have."),
    "INVALID_HOLD_ID": (INVALID, "The hold's id is empty, too long or not printable."),
    "INVALID_REASON": (INVALID, "The reason is empty, too long or not a plain code."),
    "INVALID_EXPIRY": (INVALID, "The hold would have lapsed already."),
    "UNKNOWN_HOLD": (NOT_FOUND, "No hold with this id is open."),
    "HOLD_CONCEALED": (PRECONDITION, "The hold is of a sealed bid, which is not revealed yet."),
    "HOLD_EXISTS": (EXISTS, "A hold with this id is open already."),
    "SAME_ACCOUNT": (INVALID, "Payer and payee are the same account."),
    "UNKNOWN_ACCOUNT": (NOT_FOUND, "The ledger has no such account."),
    "ACCOUNT_EXISTS": (EXISTS, "An account of this name was opened before."),
    "ACCOUNT_CLOSED": (PRECONDITION, "The account is closed."),
    "ACCOUNT_NOT_EMPTY": (PRECONDITION, "The account still has money or holds."),
    "TOO_MANY_ACCOUNTS": (PRECONDITION, "The ledger has as many accounts as it may have."),
    "TOO_MANY_HOLDS": (PRECONDITION, "As many holds are open as may be."),
    "HOLD_EXCEEDED": (PRECONDITION, "More was to be captured than is held."),
    "AMOUNT_OVERFLOW": (PRECONDITION, "A balance would leave the range of 64 bits."),
    "INVALID_CURRENCY": (
        INVALID,
        "The currency's name is too long or not printable, or its scale is wrong.",
    ),
    "INVALID_TRANSFER_ID": (INVALID, "The transfer's id is missing, too long or not plain."),
    "INVALID_NOTE": (INVALID, "The note is too long or not printable."),
    "LEDGER_EXISTS": (EXISTS, "The ledger was opened before."),
    "TRANSFER_ID_REUSED": (EXISTS, "The transfer's id was used for another one."),
    "UNKNOWN_TRANSFER": (NOT_FOUND, "The ledger knows no transfer of this id."),
    "NOT_REVERSIBLE": (PRECONDITION, "A reversal or a hold cannot be reversed."),
    "ALREADY_REVERSED": (PRECONDITION, "The transfer was taken back before."),
    "TOO_MANY_TRANSFERS": (PRECONDITION, "The ledger remembers as many transfers as it may."),
    "NOTHING_TO_MOVE": (PRECONDITION, "Nothing is available of what was to be moved in part."),
    "LINKED_CHAIN_OPEN": (
        INVALID,
        "The last instruction is linked to a next one, which is not there.",
    ),
    "LINKED_REFUSED": (PRECONDITION, "Another instruction of the same chain was refused."),
    "UNKNOWN_LEDGER": (NOT_FOUND, "There is no game and no table of this id."),
    "GAME_MOVES_MONEY": (PRECONDITION, "This is the ledger of a game: its rules move the money."),
    # Units with keys and cards
    "UNKNOWN_KEY": (INVALID, "The unit of this table has no such key."),
    "UNKNOWN_SLOT": (INVALID, "The unit of this table has no such slot."),
    "TABLE_PAUSED": (PRECONDITION, "The table is paused; cards can be taken out, nothing else works."),
    "KEY_OUT_OF_ORDER": (PRECONDITION, "The key means nothing at this point; C starts over."),
    "POINT_TWICE": (INVALID, "An amount has one decimal point."),
    "ENTRY_TOO_LONG": (INVALID, "The display has room for five digits."),
    "NO_AMOUNT": (PRECONDITION, "No amount is entered."),
    "AMOUNT_ZERO": (INVALID, "The amount is zero."),
    "AMOUNT_NOT_WHOLE": (
        INVALID,
        "The amount is not a whole number of the smallest unit of this table's money.",
    ),
    "DENOMINATION_UNKNOWN": (
        INVALID,
        "This table's money has no such denomination.",
    ),
    "DENOMINATION_MISSING": (
        PRECONDITION,
        "It is not said whether these are thousands or millions.",
    ),
    "ALREADY_BOOKED": (
        PRECONDITION,
        "What was entered has been booked; the next booking needs a new operation.",
    ),
    "NO_CARD": (PRECONDITION, "The card that the key is about is not in the unit."),
    "SLOT_TAKEN": (PRECONDITION, "Another card is in the slot."),
    "SLOT_EMPTY": (PRECONDITION, "No card is in the slot."),
    "SAME_CARD": (INVALID, "A card cannot pay itself."),
    "CARD_UNKNOWN": (NOT_FOUND, "The card is not one of this table."),
    "CARD_LOCKED": (PRECONDITION, "The card is locked."),
    "CARD_RETIRED": (PRECONDITION, "The card is out of use."),
    # Tables of the bank, and auctions there
    "UNKNOWN_TABLE": (NOT_FOUND, "There is no such table."),
    "UNKNOWN_CARD": (NOT_FOUND, "The table has no such card."),
    "UNKNOWN_EDITION": (NOT_FOUND, "There is no edition of this name."),
    "NOT_THE_BANKER": (FORBIDDEN, "Only the banker may do this."),
    "NOT_YOUR_CARD": (FORBIDDEN, "The card is somebody else's."),
    "NOT_A_CARD": (FORBIDDEN, "Who has no card cannot bid."),
    "NOT_THE_SELLER": (FORBIDDEN, "Only the banker, and who opened the auction, may cancel it."),
    "WRONG_SECRET": (FORBIDDEN, "This is not the secret of the card."),
    "PIN_REQUIRED": (FORBIDDEN, "The card has a PIN."),
    "WRONG_PIN": (FORBIDDEN, "This is not the PIN of the card."),
    "TOO_MANY_CARDS": (PRECONDITION, "As many cards were issued as a table may have."),
    "TABLE_NOT_PAUSED": (PRECONDITION, "The table is not paused."),
    "CARD_NOT_LOCKED": (PRECONDITION, "The card is not locked."),
    "ACCOUNT_OF_CARD": (PRECONDITION, "The account of a card is opened and closed with the card."),
    "NO_UNIT": (PRECONDITION, "The table has no unit."),
    "NOTHING_TO_UNDO": (PRECONDITION, "No operation is left that can be taken back."),
    "NOT_THE_LAST": (PRECONDITION, "Another operation came after the one that was to be taken back."),
    "ALREADY_ATTACHED": (EXISTS, "The game has a unit already."),
    "AUCTIONS_RUN": (PRECONDITION, "Auctions run at this table."),
    "UNKNOWN_BIDDER": (NOT_FOUND, "Nobody at this table has this seat."),
    "NOT_ENOUGH_BIDDERS": (PRECONDITION, "Nobody is there to bid."),
    "TOO_MANY_AUCTIONS": (PRECONDITION, "As many auctions run, or were opened, as a table may have."),
    # Timers of clients
    "SCHEDULE_IN_PAST": (PRECONDITION, "The timer would be due now or in the past."),
    "SCHEDULE_TOO_FAR": (PRECONDITION, "The timer would be due more than a year from now."),
    "UNKNOWN_TIMER": (NOT_FOUND, "No such timer is pending."),
    "NOT_YOUR_TIMER": (FORBIDDEN, "Somebody else has set this timer."),
    "TIMER_EXISTS": (EXISTS, "The table has or had a timer of this name."),
    "TOO_MANY_TIMERS": (PRECONDITION, "As many timers are pending as a table may have."),
    "TIMER_PAUSED": (PRECONDITION, "The timer stands still."),
    "TIMER_RUNNING": (PRECONDITION, "The timer does not stand still."),
    "NOT_A_PLAYER": (FORBIDDEN, "Only who plays here may do this."),
    "TABLE_CLOSED": (PRECONDITION, "The table is closed."),
}
