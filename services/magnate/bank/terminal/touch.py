"""The touch unit (row 87): cards, deeds and event cards are tapped; its keys are tick, M and X.

It hosts a game whose tokens are moved by hand. A tap or a key is kept until the card follows, or becomes a
command of a seat, which the rules judge; the display shows what the game waits for. Looking at a deed ends
by X or after ten seconds (C26).
"""

from typing import Final

from magnate.bank.domain.accounts import seat_account
from magnate.bank.terminal import step
from magnate.bank.terminal.cards import card_refusal
from magnate.bank.terminal.display import ERROR, Frame
from magnate.bank.terminal.edition import TOUCH
from magnate.bank.terminal.in_game import game_of
from magnate.bank.terminal.model import Machine
from magnate.bank.terminal.step import (
    CROSS,
    MILLION,
    QUERY_MS,
    TICK,
    Action,
    GameView,
    Hold,
    Move,
    Press,
    Step,
    Table,
    TapCard,
    TapDeed,
    TapEvent,
)
from magnate.bank.terminal.touch_frame import touch_frame
from magnate.bank.terminal.touch_state import (
    CARD,
    CARD_NUMBER,
    DONE,
    EVENT,
    GO,
    IDLE,
    LOOK,
    MODE,
    MODE_UNTIL,
    PLACE,
    RETURN,
    SQUARE,
    WORD_UNTIL,
    enter,
    leave,
    note_until,
    show_word,
)  # fmt: skip
from magnate.bank.terminal.unit import CANCELLED, REFUSED, STARTED_ANEW, Unit
from magnate.bank.terminal.unit import DONE as BOOKED
from magnate.rules import rejections as names
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_BUY, PHASE_CHOICE

KEYS: Final = frozenset([TICK, CROSS, MILLION])


class Touch(Machine):
    """The touch unit."""

    def new_unit(self) -> Unit:
        """Return a unit as it comes out of the box: asleep."""
        unit = Unit(TOUCH, 0)
        unit.memory = [IDLE, -1, -1, 0, 0]
        return unit

    def operate(self, unit: Unit, action: Action, table: Table, now_ms: int) -> Step:
        """Return what an action leads to; it takes an error off the display.

        Refusals, in order: UNKNOWN_SLOT (there are none), UNKNOWN_KEY TABLE_PAUSED, then those of the action
        and of the rules. On a unit that is off a key does nothing but to start it.
        """
        unit = self.settle(unit, now_ms).copy()
        show_word(unit, "", "", 0)
        if isinstance(action, Press | Hold):
            if action.key not in KEYS:
                return _refuse(unit, names.UNKNOWN_KEY, f"this unit has no key {action.key!r}", now_ms)
        elif not isinstance(action, TapCard | TapDeed | TapEvent):
            return _refuse(unit, names.UNKNOWN_SLOT, "this unit has no slots; cards are tapped", now_ms)
        if table.paused:
            return _refuse(unit, names.TABLE_PAUSED, "the table is paused", now_ms)
        if not unit.awake:
            unit.awake = True
            if isinstance(action, Press | Hold):
                return Step(unit, [], [step.KEY])
        if isinstance(action, TapCard):
            return self.tap_card(unit, action.seat, table, now_ms)
        if isinstance(action, TapDeed):
            return self.tap_deed(unit, action.square, action.query, table, now_ms)
        if isinstance(action, TapEvent):
            return self.tap_event(unit, action.card, table, now_ms)
        if isinstance(action, Hold) and action.key == CROSS:
            return self.wipe(unit)
        return self.press(unit, action.key, game_of(table), now_ms)

    def settle(self, unit: Unit, now_ms: int) -> Unit:
        """Return the unit as it is at a time: errors end, and taps that nothing has followed."""
        if unit.until_ms == 0 or now_ms < unit.until_ms:
            return unit
        settled = unit.copy()
        if 0 < settled.memory[WORD_UNTIL] <= now_ms:
            show_word(settled, "", "", 0)
        if 0 < settled.memory[MODE_UNTIL] <= now_ms:
            leave(settled, CANCELLED)
        note_until(settled)
        return settled

    def frame(self, unit: Unit, table: Table, now_ms: int) -> Frame:
        """Return what the display shows."""
        return touch_frame(self.settle(unit, now_ms), table)

    def refused(self, unit: Unit, refusal: str, now_ms: int) -> Step:
        """Return the step instead of one whose move the rules refused: what was tapped is forgotten."""
        other = unit.copy()
        leave(other, REFUSED)
        other.outcome = REFUSED
        return _refuse(other, refusal, "", now_ms)

    def carried_out(self, step_: Step, entries: list[tuple[str, str, int]], game: GameView) -> Step:
        """Show who paid how much to whom; if nobody did, the unit shows what the move has left on it."""
        unit = step_.unit
        sounds = step_.sounds
        if entries:
            debit, credit, amount = entries[0]
            unit.remembered = amount
            unit.payer = _seat_of(debit, len(game.owes))
            unit.shown = _seat_of(credit, len(game.owes))
            sounds = [step.BOOKED]
        if game.over:
            sounds = [*sounds, step.FANFARE]
        return Step(unit, [], sounds)

    # ------------------------------------------------------------------------------------------------- taps

    def tap_card(self, unit: Unit, seat: int, table: Table, now_ms: int) -> Step:
        """Do what waits for a card, bid, answer, pay what is owed, or show what is on it.

        Refusals, in order: CARD_UNKNOWN CARD_RETIRED CARD_LOCKED, then those of the rules.
        """
        if not 0 <= seat < len(table.cards):
            return _refuse(unit, names.CARD_UNKNOWN, f"seat {seat} is not of this table", now_ms)
        bad = card_refusal(table, seat)
        if bad is not None:
            return _refuse(unit, bad.name, bad.detail, now_ms)
        game = game_of(table)
        mode, square, card, _, _ = unit.memory
        if mode == PLACE:
            return _move(unit, Move(seat, "place_token", {"square": square}), square, now_ms)
        if mode == GO:
            return _move(unit, Move(seat, "pass_go", {}), -1, now_ms)
        if mode == EVENT:
            return _move(unit, Move(seat, "drawn_card", {"deck": game.deck, "card": card}), -1, now_ms)
        if game.phase == PHASE_AUCTION:
            bid = {"lot": game.auction_lot, "amount": game.auction_next}
            return _move(unit, Move(seat, "place_bid", bid), -1, now_ms)
        if game.asks == step.CARD_ASKED:
            return _move(unit, Move(game.turn_seat, "choose_option", {"option": seat}), -1, now_ms)
        owed = game.owes[seat]
        if owed and table.balances[seat] >= owed:
            return _move(unit, Move(seat, "pay_debt", {"by_card": 1}), -1, now_ms)
        unit.begin()
        enter(unit, CARD, -1, now_ms + QUERY_MS)
        unit.shown = seat
        return Step(unit, [], [step.CARD])

    def tap_deed(self, unit: Unit, square: int, query: bool, table: Table, now_ms: int) -> Step:
        """Look at a deed, answer with it, offer to give it back for a debt, or wait for who stands there.

        Refusals: UNKNOWN_LOT, or those of the rules. Every square can be tapped; those without a deed have a
        symbol on the unit.
        """
        game = game_of(table)
        if not 0 <= square < len(game.price):
            return _refuse(unit, names.UNKNOWN_LOT, f"the board has no square {square}", now_ms)
        if not query and game.asks == step.DEED_ASKED and unit.memory[MODE] in (IDLE, DONE):
            return _move(unit, Move(game.turn_seat, "choose_option", {"option": square}), square, now_ms)
        owner = game.owner[square]
        mode = LOOK if query else RETURN if owner >= 0 and game.owes[owner] else PLACE
        unit.begin()
        enter(unit, mode, square, now_ms + QUERY_MS)
        return Step(unit, [], [step.CARD])

    def tap_event(self, unit: Unit, card: str, table: Table, now_ms: int) -> Step:
        """Tell the card that the square asks for, or wait for the card of who drew it.

        Refusals, in order: INVALID_TARGET, then those of the rules.
        """
        game = game_of(table)
        number = game.events.get(card, -1)
        if number < 0:
            return _refuse(unit, names.INVALID_TARGET, f"there is no event card {card!r}", now_ms)
        if game.asks == step.EVENT_ASKED:
            drawn = {"deck": game.deck, "card": number}
            return _move(unit, Move(game.turn_seat, "drawn_card", drawn), -1, now_ms)
        unit.begin()
        enter(unit, EVENT, -1, now_ms + QUERY_MS)
        unit.memory[CARD_NUMBER] = number
        return Step(unit, [], [step.CARD])

    # ------------------------------------------------------------------------------------------------- keys

    def press(self, unit: Unit, key: str, game: GameView, now_ms: int) -> Step:
        """Do what a key does; M is GO, and turns the pages of the ranking."""
        if key == TICK:
            return self.tick(unit, game, now_ms)
        if key == CROSS:
            return self.cross(unit, game, now_ms)
        if game.over:
            unit.memory[CARD_NUMBER] = (max(unit.memory[CARD_NUMBER], 0) + 1) % max(len(game.ranking), 1)
            return Step(unit, [], [step.KEY])
        unit.begin()
        enter(unit, GO, -1, now_ms + QUERY_MS)
        return Step(unit, [], [step.KEY])

    def tick(self, unit: Unit, game: GameView, now_ms: int) -> Step:
        """Say yes: to the fine, to bankruptcy, to giving back a deed, to buying.

        Refusals: KEY_OUT_OF_ORDER, or those of the rules.
        """
        mode, square = unit.memory[MODE], unit.memory[SQUARE]
        if mode == CARD:
            seat = unit.shown
            if game.owes[seat]:
                return _move(unit, Move(seat, "declare_bankruptcy", {}), -1, now_ms)
            if game.jailed[seat]:
                return _move(unit, Move(seat, "pay_fine", {}), -1, now_ms)
        elif mode == RETURN:
            return _move(unit, Move(game.owner[square], "return_lots", {}, [square]), -1, now_ms)
        elif mode in (IDLE, DONE) and game.phase == PHASE_BUY:
            return _move(unit, Move(game.turn_seat, "buy_lot", {}), game.offered, now_ms)
        return _refuse(unit, names.KEY_OUT_OF_ORDER, "there is nothing to say yes to", now_ms)

    def cross(self, unit: Unit, game: GameView, now_ms: int) -> Step:
        """Leave what is shown, or say no: the lot is put up for auction, the location is left alone.

        Refusals: KEY_OUT_OF_ORDER, or those of the rules.
        """
        if unit.memory[MODE] not in (IDLE, DONE):
            leave(unit, CANCELLED)
            return Step(unit, [], [step.KEY])
        if game.phase == PHASE_BUY:
            return _move(unit, Move(game.turn_seat, "decline_lot", {}), -1, now_ms)
        if game.phase == PHASE_CHOICE and game.may_skip:
            return _move(unit, Move(game.turn_seat, "skip", {}), -1, now_ms)
        if unit.memory[MODE] == DONE:
            leave(unit, CANCELLED)
            return Step(unit, [], [step.KEY])
        return _refuse(unit, names.KEY_OUT_OF_ORDER, "there is nothing to leave", now_ms)

    def wipe(self, unit: Unit) -> Step:
        """Forget the game: the table ends. Never refused."""
        unit.begin()
        leave(unit, STARTED_ANEW)
        wiped = Step(unit, [], [step.RESET])
        wiped.closes = True
        return wiped


def _move(unit: Unit, move: Move, square: int, now_ms: int) -> Step:
    """Propose a move; when it is made the unit shows the square, unless the game waits for something."""
    unit.begin()
    leave(unit, BOOKED)
    enter(unit, DONE, square, now_ms + QUERY_MS)
    proposed = Step(unit, [], [step.CARD])
    proposed.move = move
    return proposed


def _refuse(unit: Unit, refusal: str, detail: str, now_ms: int) -> Step:
    """Show an error for a while; what was tapped stays."""
    show_word(unit, ERROR, refusal, now_ms + step.ERROR_MS)
    return Step(unit, [], [step.ERROR], refusal, detail)


def _seat_of(account: str, seats: int) -> int:
    """Return whose account it is, -1 for no seat's."""
    for seat in range(seats):
        if seat_account(seat) == account:
            return seat
    return -1
