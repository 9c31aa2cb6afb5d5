"""Options of the course of a game: setting up, moving, rent and debts (see `options_table`)."""

from typing import Final

from magnate.rules.options import Option, choice, flag, number

SETUP: Final[list[Option]] = [
    number("players.max", 8, 2, 8, [], "1 C22", "Most seats at a table; the board may allow fewer."),
    choice(
        "start.order",
        ["two_dice", "seat", "youngest", "random"],
        [],
        "5 C20",
        "Who begins: the highest throw of two dice (ties again), the first seat, the youngest, or by lot.",
    ),
    number("start.first_seat", 0, 0, 7, [], "5", "The seat that begins where dice or lot do not decide."),
    flag("start.order_by_lot", False, [], "6", "The order of the seats is drawn by lot, not clockwise."),
    flag("start.position_allowed", False, [], "3", "The table may begin from a given position."),
    number("deal_deeds", 0, 0, 4, [], "7", "Deeds dealt to each seat at the start."),
    flag("deal_deeds_paid", True, [], "7", "Dealt deeds are paid at their printed price at once."),
    flag(
        "table.balances_public",
        True,
        [],
        "88",
        "Payments are seen by all. So is what each seat has; else, until the end, only by that seat itself.",
    ),
    choice(
        "table.tokens",
        ["by_engine", "by_hand"],
        [],
        "4 9 87",
        "The game throws, moves and draws; or the players do, with real dice, tokens and cards, and tell it.",
    ),
    number("table.abandon_days", 30, 1, 365, [], "85", "A game without a command for so long is ended."),
    number("timers.roll_seconds", 0, 0, 3600, [], "89 C38", "Time to throw the dice; 0 is no limit."),
    number("timers.pay_seconds", 0, 0, 3600, [], "89 C38", "Time to pay what is asked; 0: as to throw."),
    number("timers.deal_seconds", 0, 0, 3600, [], "89 C38", "Time to answer an offer; 0 is no limit."),
    choice(
        "timers.expiry",
        ["bankrupt", "default_action"],
        [],
        "84 C38",
        "What an action not done in its time leads to: out of the game, or the simplest action is done.",
    ),
    number(
        "timers.reserve_seconds", 0, 0, 3600, [], "89", "Each seat's reserve, used when a budget is gone."
    ),
    number("timers.reserve_gain_seconds", 0, 0, 600, [], "89", "What a quick decision adds to the reserve."),
    number(
        "timers.reserve_max_seconds", 0, 0, 7200, [], "89", "A reserve grows to so much; 0: to what it was."
    ),
    number("timers.quick_percent", 50, 1, 100, [], "89", "Quick is a decision in such a part of its budget."),
    number("timers.away_seconds", 0, 0, 86_400, [], "89", "So long in all the game waits for a seat away."),
    number(
        "timers.misses_max",
        0,
        0,
        100,
        [],
        "84 89",
        "So many clocks missed in a row cost the seat; 0: none do.",
    ),
    choice(
        "timers.misses_lead_to",
        ["stand_in", "resign"],
        [],
        "84 89",
        "Who missed so many clocks in a row has a stand-in until he is back, or has left the game.",
    ),
    number("timers.stand_in_seconds", 2, 1, 60, [], "84 89", "How long a stand-in thinks."),
    number(
        "timers.extra_seconds_max", 0, 0, 3600, [], "89", "What others may add to a running clock in all."
    ),
    flag("timers.offer_stops_clock", False, [], "89", "The turn's clock stands while one's offer is open."),
    choice(
        "table.pause",
        ["anybody", "agreement"],
        [],
        "89",
        "Any seat may pause the game and let it go on, or all that are there must agree.",
    ),
]

MOVEMENT: Final[list[Option]] = [
    flag("go.landing_pays", True, [], "12 C21 C32", "GO pays when it is reached, not only when passed."),
    flag("go.landing_doubles", False, [], "12", "Stopping on GO pays the salary twice."),
    flag("go.backward_pays", False, [], "14", "GO pays when it is passed backwards."),
    flag(
        "tax.percent_choice",
        False,
        [],
        "16",
        "Where a tax square offers a share of all one has, one may choose it.",
    ),
    flag(
        "parking.pot",
        False,
        [],
        "16 17",
        "Taxes, fines and card payments go into a pot that free parking pays out.",
    ),
    number(
        "parking.seed", 0, 0, 1_000_000, [], "17", "What the bank puts into the parking pot at the start."
    ),
    flag(
        "cards.reshuffled",
        False,
        [],
        "38",
        "A deck that is used up is shuffled again; else its cards come in the same order as before.",
    ),
    flag("jail.landing_detains", False, [], "49 C12", "Landing on the jail square by a move arrests."),
    choice(
        "jail.attempts",
        ["per_turn", "same_turn"],
        [],
        "46 C11",
        "Tries for a double: one in each of the next turns, or all in the next one.",
    ),
    number("jail.attempts_max", 3, 1, 10, [], "46 48", "Tries for a double before the fine must be paid."),
    flag("jail.double_rolls_again", False, [], "47", "A double that opens the jail gives another throw."),
    flag("jail.last_try_moves", True, [], "48", "After the last failed try the throw still moves."),
]

RENT: Final[list[Option]] = [
    choice(
        "rent.claim",
        ["automatic", "owner_before_next_player_rolls"],
        [],
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
    flag("rent.owner_in_jail", True, [], "34 50", "An owner in jail collects rent."),
    flag("rent.level_rises_paid", False, [], "35", "A rent paid raises the rent level of its lot by one."),
    flag(
        "rent.level_rises_own", False, [], "35", "An owner who lands on his lot raises its rent level by one."
    ),
    flag(
        "rent.level_rises_set",
        False,
        [],
        "26",
        "Completing a group raises the rent levels of its lots by one.",
    ),
    flag(
        "time_rules.enabled",
        False,
        [],
        "12 36",
        "The board's time rules hold: no salary, rent tax by the minute.",
    ),
    choice(
        "time_rules.minute_base",
        ["ordinal", "elapsed"],
        [],
        "36 C43",
        "From minute 46 means from 45:00 (the 46th minute), or from 46:00.",
    ),
    choice(
        "time_rules.rounding",
        ["down", "up", "nearest"],
        [],
        "36",
        "How what the rent tax leaves is rounded; the bank has the rest.",
    ),
    choice(
        "debt.payment",
        ["automatic", "asked", "by_card"],
        [],
        "25",
        "What a seat can pay is paid at once, when the seat says so, or by its card on the bank's terminal.",
    ),
    flag(
        "debt.pay_in_kind", True, [], "37", "A debt to a player may be paid in lots if the creditor agrees."
    ),
]
