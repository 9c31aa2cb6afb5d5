"""Options of auctions (see `options_table`)."""

from typing import Final

from magnate.rules.options import Option, choice, flag, number

AUCTION: Final[list[Option]] = [
    flag("auction.enabled", True, [], "19 C27", "A declined lot is auctioned at once; else it stays free."),
    choice(
        "auction.mode",
        ["open", "penny", "sealed", "vickrey", "dutch"],
        [],
        "19 24 C37",
        "How bids are made: openly rising, or one of the other kinds.",
    ),
    flag("auction.decliner_may_bid", True, [], "20 C1", "Who declined the lot may bid for it."),
    choice(
        "auction.opening",
        ["any", "decliner_sets_minimum", "list_price", "zero_step"],
        [],
        "21 C2",
        "The first bid: any amount, one the decliner sets, the printed price, or one step of the board.",
    ),
    number("auction.close_seconds", 10, 1, 600, [], "22", "An auction closes so long after the last bid."),
    number(
        "auction.rollback_seconds", 10, 1, 600, [], "24 C37", "Penny auction: what a late bid gives back."
    ),
    choice(
        "auction.style",
        ["open_outcry", "by_turn"],
        [],
        "19 23",
        "Everybody bids at any time until the clock ends it, or one after the other with passing.",
    ),
    choice(
        "auction.bid_limit",
        ["cash", "liquidation", "none"],
        [],
        "23",
        "What one may bid at most: one's money, what one could raise, or anything; the rest becomes a debt.",
    ),
    choice(
        "auction.unsold",
        ["stays_free", "put_up_again"],
        [],
        "22",
        "A lot nobody bids for stays with the bank, or is put up once more.",
    ),
    number(
        "auction.extend_seconds",
        0,
        0,
        600,
        [],
        "22 24",
        "Only a bid in the last seconds moves the end; 0: all do.",
    ),
    number(
        "auction.extensions_max", 0, 0, 1000, [], "22 24", "How often bids may move the end; 0 is no limit."
    ),
    number(
        "auction.cap_seconds",
        0,
        0,
        3600,
        [],
        "22 24",
        "No bid moves the end beyond this time; 0: all may.",
    ),
    number(
        "auction.calls_seconds",
        0,
        0,
        60,
        [],
        "22",
        "Going once, going twice, gone: how far apart; 0: none.",
    ),
    choice(
        "auction.leaver",
        ["void", "previous"],
        [],
        "79 80",
        "When the leader leaves the game, bidding starts again, or the best earlier bid of another leads.",
    ),
    choice(
        "auction.estate",
        ["one_by_one", "at_once"],
        [],
        "79",
        "The lots of an estate come under the hammer one by one, or all at once.",
    ),
    flag("auction.proxy", False, [], "23", "One may have bids made for oneself, up to a secret ceiling."),
    number(
        "auction.penny_fee",
        0,
        0,
        1_000_000,
        [],
        "24 C37",
        "Penny auction: the cost of a bid; 0: the bid itself.",
    ),
    choice(
        "auction.penny_refund",
        ["none", "losers"],
        [],
        "24 C37",
        "Penny auction: what was paid for bids is gone, or at the close the losers get theirs back.",
    ),
    flag(
        "auction.refund_on_cancel",
        False,
        [],
        "24 C37",
        "Penny auction: if the game ends in the middle of it everybody gets back what he paid for bids.",
    ),
    choice(
        "auction.ties",
        ["earliest", "turn_order"],
        [],
        "19 23",
        "Of equal sealed bids the earlier one wins, or the one of the seat that comes first in turn.",
    ),
    number(
        "auction.dutch_start_percent",
        200,
        100,
        1000,
        [],
        "21",
        "Dutch auction: first price, of the lot's.",
    ),
    number(
        "auction.dutch_step_percent",
        5,
        1,
        100,
        [],
        "21",
        "Dutch auction: each fall, of the lot's price.",
    ),
    number("auction.dutch_tick_seconds", 2, 1, 60, [], "21", "Dutch auction: how often the price falls."),
]
