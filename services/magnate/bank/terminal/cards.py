"""What the units with card slots have in common: typing, cards, GO, C, volume, and how they book."""

from magnate.bank.domain.accounts import BANK, seat_account
from magnate.bank.domain.instructions import Transfer
from magnate.bank.domain.limits import AMOUNT_MAX
from magnate.bank.terminal import display, step
from magnate.bank.terminal.display import Frame
from magnate.bank.terminal.entry import typed
from magnate.bank.terminal.model import Machine, refuse
from magnate.bank.terminal.step import Action, Hold, Insert, Press, Remove, Step, Table
from magnate.bank.terminal.unit import CANCELLED, DONE, STARTED_ANEW, VOLUME_MAX, Unit
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection


class CardMachine(Machine):
    """A unit with keys and slots (row 87). Methods with a line below are the model's own."""

    def __init__(self, model: str, slots: int, keys: frozenset[str]) -> None:
        self.model = model
        self.slots = slots
        self.keys = keys

    def new_unit(self) -> Unit:
        """Return a unit as it comes out of the box: asleep, without cards."""
        return Unit(self.model, self.slots)

    def operate(self, unit: Unit, action: Action, table: Table, now_ms: int) -> Step:
        """Return what an action leads to; it takes an error or the volume off the display."""
        unit = unit.copy()
        unit.word = ""
        unit.refusal = ""
        unit.until_ms = 0
        if isinstance(action, Press):
            return self.press(unit, action.key, False, table, now_ms)
        if isinstance(action, Hold):
            return self.press(unit, action.key, True, table, now_ms)
        if isinstance(action, Insert):
            return self.insert(unit, action.slot, action.seat, table, now_ms)
        if isinstance(action, Remove):
            return self.remove(unit, action.slot, now_ms)
        return refuse(unit, names.UNKNOWN_KEY, "this unit has slots, nothing can be tapped", now_ms)

    def frame(self, unit: Unit, table: Table, now_ms: int) -> Frame:
        """Return what the display shows; an error is told beside what stays on it."""
        unit = self.settle(unit, now_ms)
        if unit.word == display.VOLUME:
            frame = Frame(display.VOLUME, str(unit.volume))
        else:
            frame = self.still(unit, table)
            if unit.word == display.ERROR:
                frame.word = display.ERROR
                frame.refusal = unit.refusal
            elif table.paused:
                frame.word = display.PAUSED
        frame.volume = unit.volume
        frame.operation = unit.operation
        frame.outcome = unit.outcome
        return frame

    def still(self, unit: Unit, table: Table) -> Frame:
        """Return what the display shows when no error and no volume is on it."""
        if not unit.awake:
            return Frame(display.OFF)
        if unit.booked_by == step.CLEAR:
            frame = Frame(display.RESET)
            frame.show(table.edition.opening_amount, table.edition)
            return frame
        if unit.booked_by:
            frame = Frame(display.BOOKED, seat=unit.shown)
            frame.show(table.balances[unit.shown], table.edition)
            return frame
        seat = self.looked_at(unit)
        if unit.entry:
            return self.entry_frame(unit, seat, table)
        if seat >= 0:
            frame = Frame(display.BALANCE, seat=seat)
            frame.show(table.balances[seat], table.edition)
            return frame
        return Frame(display.IDLE)

    # ------------------------------------------------------------------------------------ each model's own

    def looked_at(self, unit: Unit) -> int:
        """Return the seat whose balance is shown when nothing is entered, -1 without a card."""
        raise NotImplementedError

    def entry_frame(self, unit: Unit, seat: int, table: Table) -> Frame:
        """Return what is shown while there is an entry."""
        raise NotImplementedError

    def press_own(self, unit: Unit, key: str, table: Table, now_ms: int) -> Step:
        """Do what a key does that only this model has, or that means something else on it."""
        raise NotImplementedError

    def busy(self, unit: Unit) -> str:
        """Return why neither digits nor the arrow may be pressed now, empty if they may."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------ keys

    def press(self, unit: Unit, key: str, held: bool, table: Table, now_ms: int) -> Step:
        """Do what a key does. Only C does something else when it is held.

        Refusals, in order: UNKNOWN_KEY TABLE_PAUSED (not for C), then those of the key. On a unit that is off
        a key does nothing but to start it.
        """
        if key not in self.keys:
            return refuse(unit, names.UNKNOWN_KEY, f"this unit has no key {key!r}", now_ms)
        if table.paused and (held or key != step.CLEAR):
            return refuse(unit, names.TABLE_PAUSED, "the table is paused", now_ms)
        if not unit.awake:
            unit.awake = True
            return Step(unit, [], [step.KEY])
        if key == step.CLEAR:
            return self.reset(unit, table) if held else self.clear(unit)
        if key == step.ARROW:
            return self.go(unit, table, now_ms)
        if key == step.POINT and not unit.entry:
            unit.volume = (unit.volume + 1) % (VOLUME_MAX + 1)
            unit.word = display.VOLUME
            unit.until_ms = now_ms + step.VOLUME_MS
            return Step(unit, [], [step.VOLUME])
        if key in step.DIGITS or key == step.POINT:
            return self.type(unit, key, now_ms)
        return self.press_own(unit, key, table, now_ms)

    def type(self, unit: Unit, key: str, now_ms: int) -> Step:
        """Take one more digit or point. Refusals, in order: KEY_OUT_OF_ORDER POINT_TWICE ENTRY_TOO_LONG."""
        why = self.busy(unit)
        if why:
            return refuse(unit, names.KEY_OUT_OF_ORDER, why, now_ms)
        entry = typed(unit.entry, key)
        if isinstance(entry, Rejection):
            return refuse(unit, entry.name, entry.detail, now_ms)
        unit.begin()
        unit.entry = entry
        return Step(unit, [], [step.KEY])

    def clear(self, unit: Unit) -> Step:
        """Forget what was entered, remembered or shown; cards stay where they are. Never refused."""
        unit.end(CANCELLED)
        return Step(unit, [], [step.KEY])

    def reset(self, unit: Unit, table: Table) -> Step:
        """Begin a new game: every card that is not retired has the opening amount again.

        Cards may be in or out: the box texts differ.
        """
        unit.end(CANCELLED)
        unit.begin()
        opening = table.edition.opening_amount
        payments: list[Transfer] = []
        for seat, balance in enumerate(table.balances):
            if table.cards[seat] == step.RETIRED:
                continue
            if balance < opening:
                payments.append(Transfer(BANK, seat_account(seat), opening - balance, step.RESET_REASON))
            elif balance > opening:
                payments.append(Transfer(seat_account(seat), BANK, balance - opening, step.RESET_REASON))
        unit.end(STARTED_ANEW)
        unit.booked_by = step.CLEAR
        return Step(unit, payments, [step.RESET])

    def go(self, unit: Unit, table: Table, now_ms: int) -> Step:
        """Pay the card in the left or only slot for GO; not again before C or the card's removal.

        Refusals, in order: KEY_OUT_OF_ORDER ALREADY_BOOKED NO_CARD AMOUNT_ZERO, then those of `book`.
        """
        why = self.busy(unit) or (unit.entry and f"{unit.entry} is entered; C clears it")
        if why:
            return refuse(unit, names.KEY_OUT_OF_ORDER, why, now_ms)
        if unit.booked_by == step.ARROW:
            detail = "GO is paid; C or pulling the card makes ready for another one"
            return refuse(unit, names.ALREADY_BOOKED, detail, now_ms)
        seat = unit.slots[step.LEFT]
        if seat < 0:
            return refuse(unit, names.NO_CARD, "GO is paid to the card in the left or only slot", now_ms)
        if table.edition.go_amount == 0:
            return refuse(unit, names.AMOUNT_ZERO, "this table pays nothing for GO", now_ms)
        return self.book(unit, step.ARROW, -1, seat, table.edition.go_amount, step.GO_REASON, table, now_ms)

    # ------------------------------------------------------------------------------------------------ cards

    def insert(self, unit: Unit, slot: int, seat: int, table: Table, now_ms: int) -> Step:
        """Take a card; it also starts the unit. What was typed stays, but has to be confirmed anew.

        Refusals, in order: UNKNOWN_SLOT TABLE_PAUSED SLOT_TAKEN CARD_UNKNOWN SAME_CARD CARD_RETIRED
        CARD_LOCKED.
        """
        if not 0 <= slot < len(unit.slots):
            return refuse(unit, names.UNKNOWN_SLOT, f"this unit has no slot {slot}", now_ms)
        if table.paused:
            return refuse(unit, names.TABLE_PAUSED, "the table is paused", now_ms)
        unit.awake = True
        if unit.slots[slot] >= 0:
            return refuse(unit, names.SLOT_TAKEN, f"the card of seat {unit.slots[slot]} is there", now_ms)
        if not 0 <= seat < len(table.cards):
            return refuse(unit, names.CARD_UNKNOWN, f"seat {seat} is not of this table", now_ms)
        if seat in unit.slots:
            return refuse(unit, names.SAME_CARD, f"the card of seat {seat} is in the other slot", now_ms)
        bad = card_refusal(table, seat)
        if bad is not None:
            return refuse(unit, bad.name, bad.detail, now_ms)
        unit.begin()
        unit.slots[slot] = seat
        self.inserted(unit)
        return Step(unit, [], [step.CARD])

    def inserted(self, unit: Unit) -> None:
        """Change what a new card makes doubtful."""

    def remove(self, unit: Unit, slot: int, now_ms: int) -> Step:
        """Let a card go; that ends what was under way. Refusals, in order: UNKNOWN_SLOT SLOT_EMPTY."""
        if not 0 <= slot < len(unit.slots):
            return refuse(unit, names.UNKNOWN_SLOT, f"this unit has no slot {slot}", now_ms)
        if unit.slots[slot] < 0:
            return refuse(unit, names.SLOT_EMPTY, f"no card is in slot {slot}", now_ms)
        unit.slots[slot] = -1
        self.removed(unit)
        return Step(unit, [], [step.CARD])

    def removed(self, unit: Unit) -> None:
        """Change what the card that is gone leaves behind."""
        unit.end(CANCELLED)

    # --------------------------------------------------------------------------------------------- bookings

    def book(
        self,
        unit: Unit,
        key: str,
        payer: int,
        payee: int,
        amount: int,
        reason: str,
        table: Table,
        now_ms: int,
    ) -> Step:
        """Move money between seats, -1 for the bank, and show the new balance of the one who is looked at.

        Refusals: those of `payment_refusal`; they end the operation.
        """
        bad = payment_refusal(table, payer, payee, amount)
        if bad is not None:
            refused = self.refused(unit, bad.name, now_ms)
            refused.detail = bad.detail
            return refused
        unit.begin()
        unit.end(DONE)
        unit.booked_by = key
        unit.shown = payee if payer < 0 else payer
        return Step(unit, [Transfer(account(payer), account(payee), amount, reason)], [step.BOOKED])

    def nothing_entered(self, unit: Unit, key: str, now_ms: int) -> Step:
        """Refuse a booking key without an amount: ALREADY_BOOKED when it bounced, else NO_AMOUNT."""
        if unit.booked_by == key:
            return refuse(unit, names.ALREADY_BOOKED, "what was entered has been booked", now_ms)
        return refuse(unit, names.NO_AMOUNT, "no amount is entered", now_ms)


def account(seat: int) -> str:
    """Return the account of a seat, or that of the bank for -1."""
    return seat_account(seat) if seat >= 0 else BANK


def card_refusal(table: Table, seat: int) -> Rejection | None:
    """Refuse a card that may not be used any more. Refusals, in order: CARD_RETIRED CARD_LOCKED."""
    if table.cards[seat] == step.RETIRED:
        return Rejection(names.CARD_RETIRED, f"the card of seat {seat} is retired")
    if table.cards[seat] == step.LOCKED:
        return Rejection(names.CARD_LOCKED, f"the card of seat {seat} is locked")
    return None


def payment_refusal(table: Table, payer: int, payee: int, amount: int) -> Rejection | None:
    """Refuse a payment that the ledger would refuse; the payer is looked at first.

    Refusals, in order: SAME_CARD CARD_RETIRED CARD_LOCKED INSUFFICIENT_FUNDS AMOUNT_OVERFLOW.
    """
    if payer == payee:
        return Rejection(names.SAME_CARD, f"the card of seat {payer} cannot pay itself")
    for seat in (payer, payee):
        bad = card_refusal(table, seat) if seat >= 0 else None
        if bad is not None:
            return bad
    if payer >= 0 and table.balances[payer] < amount:
        detail = f"seat {payer} has {table.balances[payer]}, needs {amount}"
        return Rejection(names.INSUFFICIENT_FUNDS, detail)
    if payee >= 0 and table.balances[payee] > AMOUNT_MAX - amount:
        return Rejection(names.AMOUNT_OVERFLOW, f"the balance of seat {payee} would exceed {AMOUNT_MAX}")
    return None
