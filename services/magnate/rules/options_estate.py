"""Options of what seats own and of the end: building, mortgages, deals, bankruptcy (see `options_table`)."""

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


BUILDING: Final[list[Option]] = [
    choice(
        "build.when",
        _moments("own_turn_or_between_turns", "own_turn", "own_turn_before_roll", "at_purchase"),
        [],
        "52 C9",
        "When to build.",
    ),
    choice(
        "build.per_turn",
        ["unlimited", "one_per_group", "one"],
        [],
        "53 C10",
        "How many buildings a seat may put up in its turn.",
    ),
    flag("build.even", True, [], "54 C40", "Lots of a group differ by one building at most."),
    number("build.houses_before_hotel", 4, 1, 5, [], "55", "Houses on a lot before it can have a hotel."),
    choice("build.hotel_needs", ["group", "lot"], [], "56 C39", "Where all those houses must stand."),
    number("build.sell_percent", 50, 0, 100, [], "61 C6", "What the bank pays back for a building."),
    choice(
        "build.hotel_sale",
        ["full_stack", "houses_only", "hotel_only"],
        [],
        "62 63 C7",
        "What a sold hotel counts as: itself with its houses, the houses, itself.",
    ),
    flag("build.hotels_sold_together", False, [], "62", "The hotels of a group are sold all at once."),
    choice(
        "build.shortage",
        ["first_come", "auction"],
        [],
        "60",
        "Who gets the last buildings of the bank; the printed classic rule is the auction.",
    ),
    choice(
        "build.shortage_start",
        ["deed_price", "any"],
        [],
        "60",
        "The least first bid for one of the last buildings: what it costs by the deed, or anything.",
    ),
    number(
        "build.shortage_seconds",
        15,
        1,
        600,
        [],
        "60",
        "Time to say that one wants one of the last buildings.",
    ),
    flag("build.unlimited", False, [], "59", "The bank never runs out of buildings."),
    flag(
        "build.hotel_without_houses",
        False,
        [],
        "59",
        "A hotel may be built in one command although the bank lacks houses.",
    ),
]

MORTGAGE: Final[list[Option]] = [
    choice(
        "mortgage.when",
        _moments("own_turn_or_in_debt", "own_turn", "never"),
        [],
        "74",
        "When to mortgage a lot.",
    ),
    choice(
        "mortgage.redeem_when",
        _moments("own_turn", "own_turn_before_roll"),
        [],
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
    number("mortgage.interest_percent", 10, 0, 100, [], "73 76", "The 10 in the words of mortgage.redeem."),
    choice(
        "mortgage.transfer",
        ["ten_now_ten_later", "taken_over", "forbidden"],
        [],
        "76 C15",
        "Interest when a mortgaged lot changes hands.",
    ),
    choice(
        "mortgage.rounding",
        ["up", "down", "nearest"],
        [],
        "73",
        "How interest is rounded to the board's unit.",
    ),
    number(
        "mortgage.rounds_max", 0, 0, 100, [], "75", "Rounds after which a lot not redeemed is lost; 0: never."
    ),
]

TRADE: Final[list[Option]] = [
    choice(
        "trade.when",
        _moments("own_turn", "own_turn_before_roll", "never"),
        [],
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
        [],
        "70 C31",
        "How much of the larger side of a deal the smaller may lack; 0 is no limit.",
    ),
    flag("trade.immunity", False, [], "64", "Free visits of a lot may be part of a deal."),
    flag("trade.loans", False, [], "69", "Players may lend each other money in a deal."),
    number(
        "trade.loan_rounds",
        0,
        0,
        100,
        [],
        "69",
        "Rounds after which a player's loan falls due; 0: at any time.",
    ),
    flag("loan.enabled", False, [], "69", "The bank lends what the board says."),
    number("loan.rounds", 15, 1, 100, [], "69", "Rounds after which the bank's loan falls due."),
    number("loan.first_round", 1, 1, 100, [], "69", "The first round in which the bank lends."),
    number("loan.pause_rounds", 0, 0, 100, [], "69", "Rounds from paying back to the next loan."),
]

END: Final[list[Option]] = [
    choice(
        "bankrupt.to_player",
        ["estate_to_creditor", "bank_pays_creditor", "free"],
        [],
        "80 C16",
        "Who gets what a seat leaves that is bankrupt to a player.",
    ),
    choice(
        "bankrupt.buildings",
        ["sold_half", "transferred", "to_bank", "reset"],
        [],
        "81 C17",
        "What becomes of the buildings of a bankrupt.",
    ),
    choice(
        "bankrupt.buildings_final",
        ["same", "transferred"],
        [],
        "79 80 81 C46",
        "The bankruptcy that ends the game: as the others, or all with its buildings to the creditor.",
    ),
    choice(
        "bankrupt.creditor_paid",
        ["in_full", "what_is_missing"],
        [],
        "80 C16",
        "Where the bank pays the creditor: the whole debt, or what the debtor's money leaves open.",
    ),
    flag("bankrupt.early", False, [], "78", "A debtor may give up although he could still pay."),
    flag(
        "debt.return_lots",
        False,
        [],
        "37 78",
        "A debtor gives lots back to the bank, which counts their price.",
    ),
    choice(
        "resign.estate",
        ["as_bankrupt", "auction", "free", "split", "freeze"],
        [],
        "79",
        "What becomes of the estate of a seat that leaves without debts; split: among the others.",
    ),
    choice(
        "bankrupt.to_bank", ["auction", "free"], [], "79 C18", "What becomes of lots that fall to the bank."
    ),
    choice(
        "end",
        ["last_player", "second_bankruptcy", "first_bankruptcy", "agreed_time", "last_player_or_time"],
        [],
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
    number("end.minutes", 90, 1, 10_000, [], "85", "The agreed time of a game that ends by time."),
    choice(
        "end.time_finish",
        ["round", "at_once"],
        [],
        "85",
        "When the time is over: after the round, or at once.",
    ),
    number("end.rounds_max", 0, 0, 100_000, [], "85", "The game ends after so many rounds; 0 is no limit."),
    choice(
        "score.method",
        ["full_count", "purchase_prices", "money_and_property"],
        [],
        "86 C41",
        "How a game is counted that ends with several players.",
    ),
]
