"""Commits by the kinds of their events, and the order in which what happened is told."""

from __future__ import annotations

from typing import Final

HAPPENINGS: Final[dict[str, tuple[list[str], list[str], list[str], list[str]]]] = {
    "a buyer declines": (
        [],
        ["lot_declined", "lot_put_up", "phase_entered"],
        ["auction_opened"],
        ["lot_declined", "lot_put_up", "auction_opened", "phase_entered"],
    ),
    "nobody can bid": (
        [],
        ["lot_declined", "lot_put_up", "lot_unsold"],
        ["auction_opened", "bidder_passed", "auction_closed"],
        ["lot_declined", "lot_put_up", "auction_opened", "bidder_passed", "auction_closed", "lot_unsold"],
    ),
    "a clock runs out": (
        ["clock_missed", "stand_in_seated"],
        ["time_expired", "lot_declined", "lot_put_up"],
        ["auction_opened"],
        ["time_expired", "clock_missed", "stand_in_seated", "lot_declined", "lot_put_up", "auction_opened"],
    ),
    "a seat comes back": (["stand_in_left"], ["dice_thrown"], [], ["stand_in_left", "dice_thrown"]),
    "the hammer falls": (
        [],
        ["lot_auctioned", "phase_entered"],
        ["bids_revealed", "auction_closed"],
        ["bids_revealed", "auction_closed", "lot_auctioned", "phase_entered"],
    ),
    "the next lots come": (
        [],
        ["lot_unsold", "lot_put_up", "lot_put_up"],
        ["auction_closed", "auction_opened", "auction_opened"],
        ["auction_closed", "lot_unsold", "lot_put_up", "auction_opened", "lot_put_up", "auction_opened"],
    ),
    "a bidder leaves": (
        [],
        ["seat_resigned", "lot_transferred", "seat_eliminated"],
        ["bidder_dropped", "lead_restored"],
        ["seat_resigned", "lot_transferred", "seat_eliminated", "bidder_dropped", "lead_restored"],
    ),
    "the last rival leaves": (
        [],
        ["seat_resigned", "seat_eliminated", "lot_auctioned"],
        ["bidder_dropped", "auction_closed"],
        ["seat_resigned", "seat_eliminated", "bidder_dropped", "auction_closed", "lot_auctioned"],
    ),
    "the game ends in mid-auction": (
        ["seed_revealed"],
        ["seat_resigned", "seat_eliminated", "game_ended"],
        ["bids_refunded", "auction_cancelled"],
        [
            *("seat_resigned", "seat_eliminated", "bids_refunded", "auction_cancelled"),
            *("game_ended", "seed_revealed"),
        ],
    ),
    "a bid": ([], [], ["bid_placed"], ["bid_placed"]),
}
"""By a name: events of the table, of the rules, of auctions, and all of them as they are told."""
