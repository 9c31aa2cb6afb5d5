"""The unit with two slots (row 87): the left card is paid, the right one pays, both at once are a transfer.

After digits a denomination key arms the amount: the display shows the whole sum and its sign. The same key
again books it, the other one changes the denomination. Where an edition counts in units, M is the only one.
"""

from magnate.bank.terminal import display, edition, step
from magnate.bank.terminal.cards import CardMachine
from magnate.bank.terminal.display import Frame
from magnate.bank.terminal.entry import amount_of
from magnate.bank.terminal.model import refuse
from magnate.bank.terminal.step import LEFT, RIGHT, Step, Table
from magnate.bank.terminal.unit import Unit
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection


class TwoSlot(CardMachine):
    """The unit with two slots. Its own keys are M and K."""

    def __init__(self) -> None:
        super().__init__(edition.TWO_SLOT, 2, step.CARD_KEYS)

    def looked_at(self, unit: Unit) -> int:
        """Return the payer, or else the card on the left."""
        return unit.slots[RIGHT] if unit.slots[RIGHT] >= 0 else unit.slots[LEFT]

    def entry_frame(self, unit: Unit, seat: int, table: Table) -> Frame:
        """Show what was typed, or the whole sum once it is armed, with what it does to the seat."""
        sign = "" if seat < 0 else "-" if unit.slots[RIGHT] >= 0 else "+"
        if not unit.denomination:
            return Frame(display.ENTRY, unit.entry, seat, sign)
        frame = Frame(display.ARMED, seat=seat, sign=sign)
        amount = amount_of(unit.entry, factor_of(table, unit.denomination), table.edition.scale)
        if not isinstance(amount, Rejection):
            frame.show(amount, table.edition)
        return frame

    def busy(self, unit: Unit) -> str:
        """Say that an armed amount waits for its key."""
        if unit.denomination:
            return f"{unit.entry}{unit.denomination} is armed; {unit.denomination} books it, C clears it"
        return ""

    def press_own(self, unit: Unit, key: str, table: Table, now_ms: int) -> Step:
        """Arm the amount, change its denomination, or book it.

        Refusals, in order: DENOMINATION_UNKNOWN ALREADY_BOOKED NO_AMOUNT AMOUNT_ZERO AMOUNT_NOT_WHOLE
        NO_CARD, then those of `book`.
        """
        factor = factor_of(table, key)
        if factor == 0:
            return refuse(unit, names.DENOMINATION_UNKNOWN, f"this table's money has no {key}", now_ms)
        if not unit.entry:
            return self.nothing_entered(unit, key, now_ms)
        amount = amount_of(unit.entry, factor, table.edition.scale)
        if isinstance(amount, Rejection):
            return refuse(unit, amount.name, amount.detail, now_ms)
        left, right = unit.slots[LEFT], unit.slots[RIGHT]
        if left < 0 and right < 0:
            return refuse(unit, names.NO_CARD, "no card is in", now_ms)
        if unit.denomination != key:
            unit.denomination = key
            return Step(unit, [], [step.KEY])
        reason = step.TRANSFER_REASON
        if left < 0:
            reason = step.DEBIT_REASON
        elif right < 0:
            reason = step.CREDIT_REASON
        return self.book(unit, key, right, left, amount, reason, table, now_ms)

    def inserted(self, unit: Unit) -> None:
        """Disarm: with another card the same key would book something else."""
        unit.denomination = ""


def factor_of(table: Table, key: str) -> int:
    """Return by how much a denomination key multiplies; where money is counted in units, M enters them."""
    if table.edition.scale == edition.UNITS and key == step.MILLION:
        return 1
    return table.edition.factor(key)
