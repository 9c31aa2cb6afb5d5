"""What the touch unit shows, from what it remembers and what the game waits for (row 87)."""

from typing import Final

from magnate.bank.terminal import display
from magnate.bank.terminal.display import Frame
from magnate.bank.terminal.in_game import game_of
from magnate.bank.terminal.step import DEED_ASKED, EVENT_ASKED, GameView, Table
from magnate.bank.terminal.touch_state import (
    CARD,
    CARD_NUMBER,
    DONE,
    EVENT,
    GO,
    LOOK,
    MODE,
    PLACE,
    RETURN,
    SQUARE,
)
from magnate.bank.terminal.unit import Unit
from magnate.rules.gates import BETWEEN
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_BUY, PHASE_CHOICE, PHASE_DEBT

# What may be tapped or pressed next.
TAP_CARD: Final = "card"
TAP_DEED: Final = "deed"
TAP_EVENT: Final = "event"
TICK: Final = "tick"
CROSS: Final = "cross"
KEY_M: Final = "m"


def touch_frame(unit: Unit, table: Table) -> Frame:
    """Return what the display shows; an error is told beside what stays on it."""
    frame = _still(unit, table)
    if unit.word == display.ERROR:
        frame.word = display.ERROR
        frame.refusal = unit.refusal
    elif table.paused:
        frame.word = display.PAUSED
        frame.expects = []
    frame.volume = unit.volume
    frame.operation = unit.operation
    frame.outcome = unit.outcome
    return frame


def between(game: GameView) -> bool:
    """Say whether the game waits for nobody's answer: anybody may go on."""
    return game.phase in BETWEEN


def rent_of(game: GameView, square: int) -> int:
    """Return what a visitor would pay now; 0 where nobody owns the square."""
    level = game.level[square]
    if not level:
        return 0
    rents = game.rents[square]
    return rents[min(game.cap_level or level, len(rents)) - 1]


def _still(unit: Unit, table: Table) -> Frame:
    if not unit.awake:
        return Frame(display.OFF)
    game = game_of(table)
    mode = unit.memory[MODE]
    if mode in (LOOK, PLACE, RETURN):
        return _deed_frame(unit, game, table)
    if game.over:
        return _ranking_frame(unit, game, table)
    if mode == CARD:
        return _card_frame(unit, game, table)
    if mode == GO:
        frame = _amount(Frame(display.CHOOSE, sign="+"), game.go_salary, table)
        frame.expects = [TAP_CARD, CROSS]
        return frame
    if mode == EVENT:
        frame = Frame(display.EVENT)
        frame.expects = [TAP_CARD, CROSS]
        return frame
    if mode == DONE and between(game):
        if unit.remembered:
            return _payment_frame(unit, table)
        if unit.memory[SQUARE] >= 0:
            return _deed_frame(unit, game, table)
    return _game_frame(game, table)


def _deed_frame(unit: Unit, game: GameView, table: Table) -> Frame:
    """Show a deed: rent, level, owner, or its price if nobody owns it; and what may be done with it."""
    square, mode = unit.memory[SQUARE], unit.memory[MODE]
    frame = Frame(display.QUERY)
    frame.square = square
    frame.level = game.level[square]
    frame.owner = frame.seat = game.owner[square]
    frame.expects = [CROSS]
    if mode == RETURN:
        frame.word, frame.sign = display.OFFER, "+"
        frame.expects = [TICK, CROSS]
        return _amount(frame, game.price[square], table)
    if mode == PLACE:
        frame.expects = [TAP_CARD, CROSS]
    if not game.price[square]:
        return frame
    return _amount(frame, rent_of(game, square) if frame.owner >= 0 else game.price[square], table)


def _card_frame(unit: Unit, game: GameView, table: Table) -> Frame:
    """Show a card: what it owes, what leaving jail costs, else what is on it."""
    seat = unit.shown
    frame = Frame(display.BALANCE, seat=seat)
    frame.expects = [CROSS]
    if game.owes[seat]:
        frame.word, frame.sign = display.OWES, "-"
        frame.expects = [TAP_DEED, TICK, CROSS]
        return _amount(frame, game.owes[seat], table)
    if game.jailed[seat] and between(game):
        frame.word, frame.sign = display.OFFER, "-"
        frame.expects = [TICK, CROSS]
        return _amount(frame, game.jail_fine, table)
    return _amount(frame, table.balances[seat], table)


def _payment_frame(unit: Unit, table: Table) -> Frame:
    """Show who paid how much, and to whom."""
    paid = unit.payer >= 0
    frame = Frame(display.BOOKED, seat=unit.payer if paid else unit.shown, sign="-" if paid else "+")
    frame.owner = unit.shown if paid else -1
    frame.expects = [TAP_CARD, TAP_DEED, TAP_EVENT, KEY_M]
    return _amount(frame, unit.remembered, table)


def _ranking_frame(unit: Unit, game: GameView, table: Table) -> Frame:
    """Show a page of the ranking, the winner first."""
    frame = Frame(display.RANKING)
    frame.expects = [KEY_M]
    if not game.ranking:
        return frame
    page = max(unit.memory[CARD_NUMBER], 0) % len(game.ranking)
    frame.seat = game.ranking[page]
    return _amount(frame, game.scores[page], table)


def _game_frame(game: GameView, table: Table) -> Frame:
    """Show what the game waits for."""
    if game.phase == PHASE_BUY:
        frame = Frame(display.OFFER, seat=game.turn_seat, sign="-")
        frame.square = game.offered
        frame.expects = [TICK, CROSS, KEY_M]
        return _amount(frame, game.price[game.offered], table)
    if game.phase == PHASE_AUCTION:
        frame = Frame(display.AUCTION, seat=game.auction_leader)
        frame.square = game.auction_lot
        frame.until_ms = game.auction_due_ms
        frame.expects = [TAP_CARD]
        return _amount(frame, game.auction_price, table)
    if game.phase == PHASE_DEBT:
        return _debt_frame(game, table)
    if game.phase == PHASE_CHOICE:
        frame = Frame(display.EVENT if game.asks == EVENT_ASKED else display.CHOOSE, seat=game.turn_seat)
        frame.expects = [game.asks] if game.asks else []
        if game.may_skip:
            frame.expects.append(CROSS)
        if game.asks == DEED_ASKED and game.asks_amount:
            frame.sign = "-"
            return _amount(frame, game.asks_amount, table)
        return frame
    frame = Frame(display.IDLE)
    frame.expects = [TAP_CARD, TAP_DEED, TAP_EVENT, KEY_M]
    return frame


def _debt_frame(game: GameView, table: Table) -> Frame:
    frame = Frame(display.OWES, sign="-")
    frame.expects = [TAP_CARD, TAP_DEED, KEY_M]
    for seat, owed in enumerate(game.owes):
        if owed:
            frame.seat = seat
            return _amount(frame, owed, table)
    return frame


def _amount(frame: Frame, amount: int, table: Table) -> Frame:
    frame.show(amount, table.edition)
    return frame
