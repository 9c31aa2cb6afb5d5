"""All options of a rule set, in the order people read them. The defaults are the classic boxed rules.

`rows` name the rows of the rules table (docs/rules/classic.md) and the contradiction (C…) between printed
rules that the option settles. Stored rule sets name options and words, so the order here is free; a default
never changes once released, because it is what an older log means when it does not mention the option.
"""

from typing import Final

from magnate.rules.options import Option
from magnate.rules.options_auction import AUCTION
from magnate.rules.options_estate import BUILDING, END, MORTGAGE, TRADE
from magnate.rules.options_play import MOVEMENT, RENT, SETUP

OPTIONS: Final[list[Option]] = [
    *SETUP,
    *MOVEMENT,
    *AUCTION,
    *RENT,
    *BUILDING,
    *MORTGAGE,
    *TRADE,
    *END,
]

BY_NAME: Final[dict[str, Option]] = {option.name: option for option in OPTIONS}
