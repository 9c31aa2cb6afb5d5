"""The unit with one slot (row 87): amount and card in either order (C25), then the key of what is to be done.

`PLUS` pays the card, `MINUS` takes from it. `THREE` remembers the amount and who pays; after that card comes
the one that is paid, and `PLUS`.
"""

from magnate.bank.terminal import display, edition, step
from magnate.bank.terminal.cards import CardMachine, payment_refusal
from magnate.bank.terminal.display import Frame
from magnate.bank.terminal.entry import amount_of
from magnate.bank.terminal.model import refuse
from magnate.bank.terminal.step import LEFT, Step, Table
from magnate.bank.terminal.unit import Unit
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection


class OneSlot(CardMachine):
    """The unit with one slot. Its own keys are M, K, PLUS, MINUS and THREE."""

    def __init__(self) -> None:
        super().__init__(edition.ONE_SLOT, 1, step.CARD_KEYS | {step.PLUS, step.MINUS, step.THREE})

    def looked_at(self, unit: Unit) -> int:
        """Return the card that is in."""
        return unit.slots[LEFT]

    def still(self, unit: Unit, table: Table) -> Frame:
        """Show what is remembered, with whose money it will change next; else as every unit."""
        if not unit.remembered:
            return super().still(unit, table)
        card = unit.slots[LEFT]
        if unit.payer_left and card >= 0 and card != unit.payer:
            frame = Frame(display.REMEMBERED, seat=card, sign="+")
        else:
            frame = Frame(display.REMEMBERED, seat=unit.payer, sign="-")
        frame.show(unit.remembered, table.edition)
        return frame

    def entry_frame(self, unit: Unit, seat: int, table: Table) -> Frame:
        """Show what was typed, or the whole sum once its denomination is said."""
        frame = Frame(display.ENTRY, unit.entry, seat)
        if unit.denomination:
            amount = self.amount(unit, table)
            if not isinstance(amount, Rejection):
                frame.show(amount, table.edition)
        return frame

    def busy(self, unit: Unit) -> str:
        """Say that an amount is remembered or complete."""
        if unit.remembered:
            return "an amount is remembered for a transfer; C forgets it"
        if unit.denomination:
            return f"{unit.entry}{unit.denomination} is complete; C clears it"
        return ""

    def press_own(self, unit: Unit, key: str, table: Table, now_ms: int) -> Step:
        """Say the denomination, book, remember, or hand over what is remembered.

        Refusals, in order: KEY_OUT_OF_ORDER, then those of the key.
        """
        if unit.remembered:
            if key == step.PLUS:
                return self.hand_over(unit, table, now_ms)
            return refuse(unit, names.KEY_OUT_OF_ORDER, self.busy(unit), now_ms)
        if key in {step.MILLION, step.THOUSAND}:
            return self.denominate(unit, key, table, now_ms)
        if not unit.entry:
            return self.nothing_entered(unit, key, now_ms)
        amount = self.amount(unit, table)
        if isinstance(amount, Rejection):
            return refuse(unit, amount.name, amount.detail, now_ms)
        card = unit.slots[LEFT]
        if card < 0:
            return refuse(unit, names.NO_CARD, "no card is in", now_ms)
        if key == step.PLUS:
            return self.book(unit, key, -1, card, amount, step.CREDIT_REASON, table, now_ms)
        if key == step.MINUS:
            return self.book(unit, key, card, -1, amount, step.DEBIT_REASON, table, now_ms)
        return self.remember(unit, card, amount, table, now_ms)

    def denominate(self, unit: Unit, key: str, table: Table, now_ms: int) -> Step:
        """Say what the digits are, or say it otherwise.

        Refusals, in order: DENOMINATION_UNKNOWN NO_AMOUNT AMOUNT_ZERO AMOUNT_NOT_WHOLE.
        """
        factor = table.edition.factor(key)
        if factor == 0:
            return refuse(unit, names.DENOMINATION_UNKNOWN, f"this table's money has no {key}", now_ms)
        if not unit.entry:
            return self.nothing_entered(unit, key, now_ms)
        amount = amount_of(unit.entry, factor, table.edition.scale)
        if isinstance(amount, Rejection):
            return refuse(unit, amount.name, amount.detail, now_ms)
        unit.denomination = key
        return Step(unit, [], [step.KEY])

    def amount(self, unit: Unit, table: Table) -> int | Rejection:
        """Return what is entered. Refusals, in order: DENOMINATION_MISSING, then those of `amount_of`."""
        if table.edition.scale == edition.UNITS:
            return amount_of(unit.entry, 1, edition.UNITS)
        if not unit.denomination:
            return Rejection(names.DENOMINATION_MISSING, f"{unit.entry} is neither thousands nor millions")
        return amount_of(unit.entry, table.edition.factor(unit.denomination), table.edition.scale)

    def remember(self, unit: Unit, card: int, amount: int, table: Table, now_ms: int) -> Step:
        """Remember the amount and its payer. Refusals: those of the payer in `payment_refusal`."""
        bad = payment_refusal(table, card, -1, amount)
        if bad is not None:
            refused = self.refused(unit, bad.name, now_ms)
            refused.detail = bad.detail
            return refused
        unit.entry = ""
        unit.denomination = ""
        unit.remembered = amount
        unit.payer = card
        return Step(unit, [], [step.KEY])

    def hand_over(self, unit: Unit, table: Table, now_ms: int) -> Step:
        """Pay what is remembered to the card in the slot.

        Refusals, in order: NO_CARD SAME_CARD, then those of `book`.
        """
        card = unit.slots[LEFT]
        if card < 0:
            return refuse(unit, names.NO_CARD, "the card that is paid is not in", now_ms)
        if card == unit.payer:
            detail = f"the card of seat {card} pays; the one that is paid comes next"
            return refuse(unit, names.SAME_CARD, detail, now_ms)
        payer, amount = unit.payer, unit.remembered
        handed = self.book(unit, step.PLUS, payer, card, amount, step.TRANSFER_REASON, table, now_ms)
        if not handed.refusal:
            handed.unit.shown = card  # the payer's card is out, so its balance is not for the display
        return handed

    def removed(self, unit: Unit) -> None:
        """Wait for the second card when the payer's goes; any other removal ends what was under way."""
        if unit.remembered and not unit.payer_left:
            unit.payer_left = True
        else:
            super().removed(unit)
