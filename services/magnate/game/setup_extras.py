"""What only some boards have, to and from its protobuf messages (see `setup_codec`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.board_extras import (
    NO_SQUARE,
    BoardExtras,
    JackpotMachine,
    JackpotNumbers,
    MachineWin,
    TimeRule,
)

if TYPE_CHECKING:
    from magnate.rules.v1 import setup_pb2 as pb


def put_extras(extras: BoardExtras, message: pb.Board) -> None:
    """Fill the message; what the board has not stays absent."""
    message.go_landing_bonus = extras.go_landing_bonus
    message.location_fee = extras.location_fee
    message.auction_step = extras.auction_step if extras.auction_step > 1 else 0
    message.rent_levels = extras.rent_levels
    for side in extras.sides:
        message.sides.add().lots.extend(side)
    if extras.black_business_to != NO_SQUARE:
        message.black_business_to = extras.black_business_to
    message.black_business_fine = extras.black_business_fine
    if extras.pot_parking or extras.pot_jackpot or extras.pot_charity:
        message.start_pots.parking = extras.pot_parking
        message.start_pots.jackpot = extras.pot_jackpot
        message.start_pots.charity_fund = extras.pot_charity
    message.loan_amount = extras.loan_amount
    for rule in extras.time_rules:
        put = message.time_rules.add()
        put.minute = rule.minute
        put.start_bonus_ended = rule.start_bonus == 0
        put.rent_tax_percent = rule.rent_tax_percent
    if extras.jackpot_machine is not None:
        _put_machine(extras.jackpot_machine, message.jackpot_machine)
    if extras.jackpot_numbers is not None:
        message.jackpot_numbers.bet = extras.jackpot_numbers.bet
        message.jackpot_numbers.faces = extras.jackpot_numbers.faces
        message.jackpot_numbers.payouts.extend(extras.jackpot_numbers.payouts)


def get_extras(message: pb.Board) -> BoardExtras:
    """What the message has of it."""
    numbers = message.jackpot_numbers
    return BoardExtras(
        go_landing_bonus=message.go_landing_bonus,
        location_fee=message.location_fee,
        auction_step=message.auction_step or 1,
        rent_levels=message.rent_levels,
        sides=[list(side.lots) for side in message.sides],
        black_business_to=message.black_business_to if message.HasField("black_business_to") else NO_SQUARE,
        black_business_fine=message.black_business_fine,
        pot_parking=message.start_pots.parking,
        pot_jackpot=message.start_pots.jackpot,
        pot_charity=message.start_pots.charity_fund,
        loan_amount=message.loan_amount,
        time_rules=[
            TimeRule(rule.minute, int(not rule.start_bonus_ended), rule.rent_tax_percent)
            for rule in message.time_rules
        ],
        jackpot_machine=_get_machine(message.jackpot_machine)
        if message.HasField("jackpot_machine")
        else None,
        jackpot_numbers=JackpotNumbers(numbers.bet, numbers.faces, list(numbers.payouts))
        if message.HasField("jackpot_numbers")
        else None,
    )


def _put_machine(machine: JackpotMachine, message: pb.JackpotMachine) -> None:
    message.bet = machine.bet
    message.symbols.extend(machine.symbols)
    for reel in machine.reels:
        message.reels.add().symbols.extend(reel)
    for win in machine.wins:
        put = message.wins.add()
        put.combination.extend(win.combination)
        put.amount = win.amount
        put.whole_desk = win.whole_desk == 1
        put.at_least = win.at_least
        put.refill = win.refill


def _get_machine(message: pb.JackpotMachine) -> JackpotMachine:
    wins = [
        MachineWin(list(win.combination), win.amount, int(win.whole_desk), win.at_least, win.refill)
        for win in message.wins
    ]
    reels = [list(reel.symbols) for reel in message.reels]
    return JackpotMachine(message.bet, list(message.symbols), reels, wins)
