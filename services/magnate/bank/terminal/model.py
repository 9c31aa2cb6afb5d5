"""What every model of unit can do; each model is one object, because its state is in the unit."""

from magnate.bank.terminal.display import ERROR, Frame
from magnate.bank.terminal.step import ERROR as ERROR_SOUND
from magnate.bank.terminal.step import ERROR_MS, Action, GameView, Step, Table
from magnate.bank.terminal.unit import REFUSED, Unit


class Machine:
    """A model of unit."""

    def new_unit(self) -> Unit:
        """Return a unit as it comes out of the box."""
        raise NotImplementedError

    def operate(self, unit: Unit, action: Action, table: Table, now_ms: int) -> Step:
        """Return what an action leads to; `unit` stays as it is."""
        raise NotImplementedError

    def settle(self, unit: Unit, now_ms: int) -> Unit:
        """Return the unit as it is at a time: what was to be shown for a while is gone when it is over."""
        if unit.until_ms == 0 or now_ms < unit.until_ms:
            return unit
        settled = unit.copy()
        settled.word = ""
        settled.refusal = ""
        settled.until_ms = 0
        return settled

    def carried_out(self, step: Step, entries: list[tuple[str, str, int]], game: GameView) -> Step:
        """Return the step once the rules have accepted its move, with what that paid: from, to, amount."""
        del entries, game
        return step

    def frame(self, unit: Unit, table: Table, now_ms: int) -> Frame:
        """Return what the display shows."""
        raise NotImplementedError

    def refused(self, unit: Unit, refusal: str, now_ms: int) -> Step:
        """Return the step instead of one whose payments the ledger refused.

        `unit` is that of the refused step: its operation has ended without a booking, and what was entered is
        gone, so that the display shows the unchanged balance with the error.
        """
        other = unit.copy()
        other.end(REFUSED)
        other.outcome = REFUSED
        return refuse(other, refusal, "", now_ms)


def refuse(unit: Unit, refusal: str, detail: str, now_ms: int) -> Step:
    """Show an error for a while; whatever else the unit shows stays, below it."""
    unit.word = ERROR
    unit.refusal = refusal
    unit.until_ms = now_ms + ERROR_MS
    return Step(unit, [], [ERROR_SOUND], refusal, detail)
