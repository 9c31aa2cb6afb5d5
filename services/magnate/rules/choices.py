"""The values of the options that are a choice, as ints: what the rules compare with.

Each is the place of its word in the option's `values` in `options_table`; a test holds the two together.
Words are what files and logs store, so these numbers may change and nothing breaks.
"""

from typing import Final

START_TWO_DICE: Final = 0
START_SEAT: Final = 1
START_YOUNGEST: Final = 2
START_RANDOM: Final = 3

AUCTION_OPEN: Final = 0
AUCTION_PENNY: Final = 1
AUCTION_SEALED: Final = 2
AUCTION_VICKREY: Final = 3
AUCTION_DUTCH: Final = 4

OPENING_ANY: Final = 0
OPENING_DECLINER_SETS_MINIMUM: Final = 1
OPENING_LIST_PRICE: Final = 2
OPENING_ZERO_STEP: Final = 3

UTILITY_ROLL_ARRIVAL: Final = 0
UTILITY_ROLL_NEW: Final = 1

CLAIM_AUTOMATIC: Final = 0
CLAIM_BEFORE_NEXT_ROLL: Final = 1

PAYMENT_AUTOMATIC: Final = 0
PAYMENT_ASKED: Final = 1

ATTEMPTS_PER_TURN: Final = 0
ATTEMPTS_SAME_TURN: Final = 1

WHEN_ANY_TIME: Final = 0
WHEN_OWN_TURN_OR_BETWEEN_TURNS: Final = 1
WHEN_OWN_TURN: Final = 2
WHEN_OWN_TURN_BEFORE_ROLL: Final = 3
WHEN_OWN_TURN_OR_IN_DEBT: Final = 4
WHEN_AT_PURCHASE: Final = 5
WHEN_NEVER: Final = 6
"""One list for building, mortgaging, redeeming and trading, so that one check serves them all."""

PER_TURN_UNLIMITED: Final = 0
PER_TURN_ONE_PER_GROUP: Final = 1
PER_TURN_ONE: Final = 2

SCOPE_GROUP: Final = 0
SCOPE_LOT: Final = 1

HOTEL_SALE_FULL_STACK: Final = 0
HOTEL_SALE_HOUSES_ONLY: Final = 1
HOTEL_SALE_HOTEL_ONLY: Final = 2

SHORTAGE_FIRST_COME: Final = 0
SHORTAGE_AUCTION: Final = 1

REDEEM_MORTGAGE_PLUS_10: Final = 0
REDEEM_PRICE_PLUS_10: Final = 1
REDEEM_HALF_PLUS_10_OF_PRICE: Final = 2
REDEEM_FACTOR: Final = 3

TRANSFER_TEN_NOW_TEN_LATER: Final = 0
TRANSFER_TAKEN_OVER: Final = 1
TRANSFER_FORBIDDEN: Final = 2

ESTATE_TO_CREDITOR: Final = 0
ESTATE_BANK_PAYS_CREDITOR: Final = 1
ESTATE_FREE: Final = 2

BUILDINGS_SOLD_HALF: Final = 0
BUILDINGS_TRANSFERRED: Final = 1
BUILDINGS_TO_BANK: Final = 2
BUILDINGS_RESET: Final = 3

TO_BANK_AUCTION: Final = 0
TO_BANK_FREE: Final = 1

END_LAST_PLAYER: Final = 0
END_SECOND_BANKRUPTCY: Final = 1
END_FIRST_BANKRUPTCY: Final = 2
END_AGREED_TIME: Final = 3
END_LAST_PLAYER_OR_TIME: Final = 4

SCORE_FULL_COUNT: Final = 0
SCORE_PURCHASE_PRICES: Final = 1
SCORE_MONEY_AND_PROPERTY: Final = 2
