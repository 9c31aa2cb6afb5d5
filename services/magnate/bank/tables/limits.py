"""Every bound of tables, with the reason for its size."""

from __future__ import annotations

from typing import Final

PLAYERS_MAX: Final = 8  # cards that a table is opened with: the largest box has tokens for eight
CARDS_MAX: Final = 16  # cards ever issued at a table, retired ones included
NAME_CHARS_MAX: Final = 32
UNIT_NAME_CHARS_MAX: Final = 8
SCALE_MAX: Final = 1_000_000_000
NOTE_CHARS_MAX: Final = 64
PIN_DIGITS_MIN: Final = 4
PIN_DIGITS_MAX: Final = 8
PIN_TRIES_MAX: Final = 5
OPEN_COMMAND_ID_CHARS_MIN: Final = 22  # who knows it gets the banker's or the card's token
UNDO_DEPTH: Final = 100  # operations that can be taken back, one after another
HISTORY_PAGE_DEFAULT: Final = 50
HISTORY_PAGE_MAX: Final = 200
HISTORIES_CACHED_MAX: Final = 256  # tables whose operations one process keeps
WATCH_OPERATIONS_MAX: Final = 500  # in one message of a watch
MESSAGE_ENTRIES_MAX: Final = 20_000  # in one message of either: some 800 kB, where clients take 4 MB
WATCH_QUEUE_MAX: Final = 64  # commits read ahead for one watcher
TRIES_BURST: Final = 20  # wrong codes, secrets and PINs from one address before it has to wait
TRIES_PER_SECOND: Final = 0.5
TRIES_BURST_ALL: Final = 1000  # for everybody together: 40 bits of a code are not guessed so fast
TRIES_PER_SECOND_ALL: Final = 20.0
ADDRESSES_MAX: Final = 10_000  # whose tries are remembered
