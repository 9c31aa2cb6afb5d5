"""Units in a running game: the game as a unit sees it, and what the units with card slots do there.

The card in the payer's slot shows what its holder has to pay first, and one key pays it: the step has a
`Move`, a command of the seat, which the rules judge. Nothing else moves money.
"""

from typing import Final

from magnate.bank.terminal import display, step
from magnate.bank.terminal.cards import CardMachine, card_refusal
from magnate.bank.terminal.display import Frame
from magnate.bank.terminal.edition import ONE_SLOT, TWO_SLOT
from magnate.bank.terminal.model import refuse
from magnate.bank.terminal.step import Action, GameView, Hold, Move, Press, Step, Table
from magnate.bank.terminal.unit import DONE, Unit
from magnate.rules import rejections as names

SETTLE_KEYS: Final = {
    TWO_SLOT: frozenset([step.MILLION, step.THOUSAND]),
    ONE_SLOT: frozenset([step.MINUS]),
}
"""The keys that pay what the card owes, by model: those that book a payment to the bank elsewhere."""


def operate(machine: CardMachine, unit: Unit, action: Action, table: Table, now_ms: int) -> Step:
    """Return what an action at a unit with slots leads to: cards, C and the volume as ever.

    Refusals of other keys, in order: UNKNOWN_KEY TABLE_PAUSED, then those of `settle` or GAME_MOVES_MONEY.
    """
    if isinstance(action, Press):
        key, held = action.key, False
    elif isinstance(action, Hold):
        key, held = action.key, True
    else:
        return machine.operate(unit, action, table, now_ms)
    as_ever = key == step.POINT or (key == step.CLEAR and not held)
    if as_ever or key not in machine.keys or table.paused or not unit.awake:
        return machine.operate(unit, action, table, now_ms)
    unit = unit.copy()
    unit.word = ""
    unit.refusal = ""
    unit.until_ms = 0
    if key in SETTLE_KEYS[unit.model]:
        return settle(unit, key, table, now_ms)
    return refuse(unit, names.GAME_MOVES_MONEY, "in a game the unit pays what is owed, and no more", now_ms)


def settle(unit: Unit, key: str, table: Table, now_ms: int) -> Step:
    """Pay what the holder of the card in the payer's slot has to pay first.

    Refusals, in order: NO_CARD CARD_RETIRED CARD_LOCKED ALREADY_BOOKED NOT_IN_DEBT, then those of the rules.
    """
    seat = payer(unit)
    if seat < 0:
        return refuse(unit, names.NO_CARD, "the card of who pays is not in", now_ms)
    bad = card_refusal(table, seat)
    if bad is not None:
        return refuse(unit, bad.name, bad.detail, now_ms)
    if unit.booked_by == key:
        detail = "it is paid; C or pulling the card makes ready for another payment"
        return refuse(unit, names.ALREADY_BOOKED, detail, now_ms)
    if game_of(table).owes[seat] == 0:
        return refuse(unit, names.NOT_IN_DEBT, f"seat {seat} owes nothing", now_ms)
    unit.begin()
    unit.end(DONE)
    unit.booked_by = key
    unit.shown = seat
    paid = Step(unit, [], [step.BOOKED])
    paid.move = Move(seat, "pay_debt", {"by_card": 1})
    return paid


def frame(machine: CardMachine, unit: Unit, table: Table, now_ms: int) -> Frame:
    """Return what the display shows: what the payer's card owes, else what it shows everywhere."""
    shown = machine.frame(unit, table, now_ms)
    seat = payer(unit)
    if shown.word == display.VOLUME or unit.booked_by or seat < 0:
        return shown
    owed = game_of(table).owes[seat]
    if owed:
        shown.seat = seat
        shown.sign = "-"
        shown.more = False
        shown.show(owed, table.edition)
        if shown.word == display.BALANCE:
            shown.word = display.OWES
    return shown


def payer(unit: Unit) -> int:
    """Return whose card is in the payer's slot: the right or only one; -1 if none is."""
    return unit.slots[-1]


def game_of(table: Table) -> GameView:
    """Return the game of a table that has one."""
    assert table.game is not None, "the unit is in a game"
    return table.game
