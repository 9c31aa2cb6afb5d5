"""All options of a rule set, in the order people read them. The defaults are the classic boxed rules.

`rows` name the rows of the rules table (docs/rules/classic.md) and the contradiction (C…) between printed
rules that the option settles. Stored rule sets name options and words, so the order here is free; a default
never changes once released, because it is what an older log means when it does not mention the option.
"""

from typing import Final

from magnate.rules.options import Option, choice, flag, number

_MOMENTS: Final = [
    "any_time",
    "own_turn_or_between_turns",
    "own_turn",
    "own_turn_before_roll",
    "own_turn_or_in_debt",
    "at_purchase",
    "never",
]


def _moments(first: str, second: str, *others: str) -> list[str]:
    """The moments an option can have, each at the place all options give it (`choices.WHEN_…`)."""
    chosen = ["any_time", first, second, *others]
    return [word if word in chosen else "" for word in _MOMENTS]


_SETUP: Final = [
    number("players.max", 8, 2, 8, [], "1 C22", "Most seats at a table; the board may allow fewer."),
    choice(
        "start.order",
        ["two_dice", "seat", "youngest", "random"],
        ["two_dice", "seat"],
        "5 C20",
        "Who begins: the highest throw of two dice (ties again), or the first seat.",
    ),
    number("deal_deeds", 0, 0, 4, [0], "7", "Deeds dealt to each seat at the start, paid at once."),
    flag("table.balances_public", True, [True], "88", "Whether everybody may look at every balance."),
    number("table.abandon_days", 30, 1, 365, [], "85", "A game without a command for so long is ended."),
    number("timers.roll_seconds", 0, 0, 3600, [0], "89 C38", "Time to throw the dice; 0 is no limit."),
    number("timers.pay_seconds", 0, 0, 3600, [0], "89 C38", "Time to pay what is asked; 0 is no limit."),
    number("timers.deal_seconds", 0, 0, 3600, [0], "89 C38", "Time to answer an offer; 0 is no limit."),
]

_MOVEMENT: Final = [
    flag("go.landing_pays", True, [], "12 C21 C32", "GO pays when it is reached, not only when passed."),
    flag("go.backward_pays", False, [False], "14", "GO pays when it is passed backwards."),
    flag("jail.landing_detains", False, [], "49 C12", "Landing on the jail square by a move arrests."),
    choice(
        "jail.attempts",
        ["per_turn", "same_turn"],
        ["per_turn"],
        "46 C11",
        "Tries for a double: one in each of the next turns, or all in the next one.",
    ),
    number("jail.attempts_max", 3, 1, 10, [], "46 48", "Tries for a double before the fine must be paid."),
]

_AUCTION: Final = [
    flag("auction.enabled", True, [], "19 C27", "A declined lot is auctioned at once; else it stays free."),
    choice(
        "auction.mode",
        ["open", "penny", "sealed", "vickrey", "dutch"],
        ["open"],
        "24 C37",
        "How bids are made: openly rising, or one of the other kinds.",
    ),
    flag("auction.decliner_may_bid", True, [], "20 C1", "Who declined the lot may bid for it."),
    choice(
        "auction.opening",
        ["any", "decliner_sets_minimum", "list_price", "zero_step"],
        ["any"],
        "21 C2",
        "The first bid: any amount, or what the rule set asks.",
    ),
    number("auction.close_seconds", 10, 1, 600, [], "22", "An auction closes so long after the last bid."),
    number(
        "auction.rollback_seconds", 10, 1, 600, [10], "24 C37", "Penny auction: what a late bid gives back."
    ),
]

_RENT: Final = [
    choice(
        "rent.claim",
        ["automatic", "owner_before_next_player_rolls"],
        ["automatic"],
        "25",
        "Rent is charged by landing, or the owner has to ask for it in time.",
    ),
    choice(
        "rent.utility_roll", ["arrival", "new"], [], "31 32 C3", "The throw that a utility's rent counts."
    ),
    flag(
        "rent.double_needs_unbuilt_group",
        False,
        [],
        "26 28 C4",
        "A bare lot of a full group earns double only while no lot of the group is built.",
    ),
    flag(
        "rent.double_needs_unmortgaged_group",
        True,
        [],
        "27",
        "A bare lot of a full group earns double only while no lot of the group is mortgaged.",
    ),
    flag("rent.owner_in_jail", True, [], "34", "An owner in jail collects rent."),
    choice(
        "debt.payment",
        ["automatic", "asked"],
        ["automatic"],
        "25",
        "What a seat can pay is paid at once, or when the seat says so.",
    ),
    flag(
        "debt.pay_in_kind", True, [], "37", "A debt to a player may be paid in lots if the creditor agrees."
    ),
]

_BUILDING: Final = [
    choice(
        "build.when",
        _moments("own_turn_or_between_turns", "own_turn", "own_turn_before_roll", "at_purchase"),
        ["any_time", "own_turn_or_between_turns", "own_turn", "own_turn_before_roll"],
        "52 C9",
        "When to build.",
    ),
    choice(
        "build.per_turn",
        ["unlimited", "one_per_group", "one"],
        ["unlimited"],
        "53 C10",
        "How many buildings a seat may put up in its turn.",
    ),
    flag("build.even", True, [], "54 C40", "Lots of a group differ by one building at most."),
    number("build.houses_before_hotel", 4, 3, 4, [4], "55", "Houses on a lot before it can have a hotel."),
    choice("build.hotel_needs", ["group", "lot"], ["group"], "56 C39", "Where all those houses must stand."),
    number("build.sell_percent", 50, 0, 100, [], "61 C6", "What the bank pays back for a building."),
    choice(
        "build.hotel_sale",
        ["full_stack", "houses_only", "hotel_only"],
        ["full_stack"],
        "62 63 C7",
        "What a sold hotel counts as: itself with its houses, the houses, itself.",
    ),
    flag("build.hotels_sold_together", False, [False], "62", "The hotels of a group are sold all at once."),
    choice(
        "build.shortage",
        ["first_come", "auction"],
        ["first_come"],
        "60",
        "Who gets the last buildings of the bank; the printed classic rule is the auction.",
    ),
]

_MORTGAGE: Final = [
    choice(
        "mortgage.when",
        _moments("own_turn_or_in_debt", "own_turn"),
        ["any_time", "own_turn", "own_turn_or_in_debt"],
        "74",
        "When to mortgage a lot.",
    ),
    choice(
        "mortgage.redeem_when",
        _moments("own_turn", "own_turn_before_roll"),
        ["any_time", "own_turn", "own_turn_before_roll"],
        "74",
        "When to redeem.",
    ),
    choice("mortgage.clear", ["group", "lot"], [], "71 C8", "Where no building may stand on a mortgage."),
    choice(
        "mortgage.redeem",
        ["mortgage_plus_10", "price_plus_10", "half_plus_10_of_price", "factor"],
        [],
        "73 C5",
        "What redeeming costs: the mortgage or the price with its tenth; factor is 1.2 of the mortgage.",
    ),
    number("mortgage.interest_percent", 10, 0, 100, [10], "73 76", "The 10 in the words of mortgage.redeem."),
    choice(
        "mortgage.transfer",
        ["ten_now_ten_later", "taken_over", "forbidden"],
        ["ten_now_ten_later"],
        "76 C15",
        "Interest when a mortgaged lot changes hands.",
    ),
]

_TRADE: Final = [
    choice(
        "trade.when",
        _moments("own_turn", "own_turn_before_roll", "never"),
        ["any_time", "own_turn", "own_turn_before_roll", "never"],
        "66",
        "When to deal.",
    ),
    flag("trade.mortgaged_allowed", True, [], "68 C14", "A mortgaged lot may be part of a deal."),
    choice("trade.clear", ["group", "lot"], [], "65", "Where no building may stand to trade a lot."),
    number(
        "trade.max_imbalance_percent",
        0,
        0,
        100,
        [0],
        "70 C31",
        "How much of the larger side of a deal the smaller may lack; 0 is no limit.",
    ),
]

_END: Final = [
    choice(
        "bankrupt.to_player",
        ["estate_to_creditor", "bank_pays_creditor", "free"],
        ["estate_to_creditor"],
        "80 C16",
        "Who gets what a seat leaves that is bankrupt to a player.",
    ),
    choice(
        "bankrupt.buildings",
        ["sold_half", "transferred", "to_bank", "reset"],
        ["sold_half"],
        "81 C17",
        "What becomes of the buildings of a bankrupt.",
    ),
    choice(
        "bankrupt.to_bank", ["auction", "free"], [], "79 C18", "What becomes of lots that fall to the bank."
    ),
    choice(
        "end",
        ["last_player", "second_bankruptcy", "first_bankruptcy", "agreed_time", "last_player_or_time"],
        ["last_player"],
        "85 C46",
        "When the game is over.",
    ),
    number(
        "end.turns_max",
        2000,
        1,
        100_000,
        [],
        "85",
        "After so many turns of all seats together the game ends and is counted, so that every game ends.",
    ),
    choice(
        "score.method",
        ["full_count", "purchase_prices", "money_and_property"],
        ["full_count"],
        "86 C41",
        "How a game is counted that ends with several players.",
    ),
]

OPTIONS: Final[list[Option]] = [
    *_SETUP,
    *_MOVEMENT,
    *_AUCTION,
    *_RENT,
    *_BUILDING,
    *_MORTGAGE,
    *_TRADE,
    *_END,
]

BY_NAME: Final[dict[str, Option]] = {option.name: option for option in OPTIONS}
