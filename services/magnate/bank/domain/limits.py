"""Every bound of the ledger, named."""

from typing import Final

AMOUNT_MAX: Final = 2**63 - 1
"""The largest amount and the largest balance, above zero and below it."""

ACCOUNTS_MAX: Final = 256
"""Accounts a ledger may have, closed ones included."""

HOLDS_MAX: Final = 1024
"""Holds that may be open at once in one ledger."""

ACCOUNT_NAME_LENGTH_MAX: Final = 32
"""Characters of an account's name."""

EXPIRY_MS_MAX: Final = 253_402_300_799_999
"""The last moment at which a hold may lapse: the end of the year 9999, beyond which no time is written."""

HOLD_ID_LENGTH_MAX: Final = 64
"""Characters of a hold's id."""

TRANSFERS_MAX: Final = 65_536
"""Transfers with an id of their own that a ledger remembers: for its whole life, so that none acts twice."""

TRANSFER_ID_LENGTH_MAX: Final = 64
"""Characters of a transfer's id."""

NOTE_LENGTH_MAX: Final = 200
"""Characters of what may be said about a reversal."""

UNIT_LENGTH_MAX: Final = 100
"""Characters of a currency's name, as many as a board file may give it."""

SCALE_MAX: Final = 10**9
"""Units of the currency that one whole number of a ledger may stand for."""

REASON_LENGTH_MAX: Final = 64
"""Characters of an entry's reason."""

INSTRUCTIONS_MAX: Final = 1024
"""Instructions of one commit."""

STATEMENT_PAGE_DEFAULT: Final = 100
"""Lines of a statement's page when the caller does not say."""

STATEMENT_PAGE_MAX: Final = 1000
"""Lines of a statement's page at most."""
