"""The door to the units: what is done to one goes to the machine of its model.

    unit = new_unit("two-slot")
    step = operate(unit, Press("5"), table, now_ms)    # step.unit is the unit's new state
    frame(step.unit, table, now_ms)                    # what its display shows

A step proposes payments, or in a game a move. When the ledger or the rules refuse them,
`refused(step.unit, name, now_ms)` replaces the step.
"""

from typing import Final

from magnate.bank.terminal import in_game
from magnate.bank.terminal.cards import CardMachine
from magnate.bank.terminal.display import Frame
from magnate.bank.terminal.edition import ONE_SLOT, TOUCH, TWO_SLOT
from magnate.bank.terminal.model import Machine
from magnate.bank.terminal.one_slot import OneSlot
from magnate.bank.terminal.step import Action, GameView, Step, Table
from magnate.bank.terminal.touch import Touch
from magnate.bank.terminal.two_slot import TwoSlot
from magnate.bank.terminal.unit import Unit

MACHINES: Final[dict[str, Machine]] = {
    TWO_SLOT: TwoSlot(),
    ONE_SLOT: OneSlot(),
    TOUCH: Touch(),
}
"""Every model; a new one is a line here."""


def new_unit(model: str) -> Unit:
    """Return a unit of a model as it comes out of the box; KeyError if there is no such model."""
    return MACHINES[model].new_unit()


def operate(unit: Unit, action: Action, table: Table, now_ms: int) -> Step:
    """Return what an action leads to: the new unit, the payments it proposes, sounds, or a refusal."""
    model = MACHINES[unit.model]
    if table.game is not None and isinstance(model, CardMachine):
        return in_game.operate(model, unit, action, table, now_ms)
    return model.operate(unit, action, table, now_ms)


def settle(unit: Unit, now_ms: int) -> Unit:
    """Return the unit as it is at a time; its display changes next at `until_ms`, or not by itself if 0."""
    return MACHINES[unit.model].settle(unit, now_ms)


def frame(unit: Unit, table: Table, now_ms: int) -> Frame:
    """Return what the display shows at a time. `table` has the balances of after the last booking."""
    model = MACHINES[unit.model]
    if table.game is not None and isinstance(model, CardMachine):
        return in_game.frame(model, unit, table, now_ms)
    return model.frame(unit, table, now_ms)


def refused(unit: Unit, refusal: str, now_ms: int) -> Step:
    """Return the step instead of one whose payments the ledger refused; `unit` is that step's."""
    return MACHINES[unit.model].refused(unit, refusal, now_ms)


def carried_out(step: Step, entries: list[tuple[str, str, int]], game: GameView) -> Step:
    """Return the step once the rules have accepted its move, with what that paid: from, to, amount."""
    return MACHINES[step.unit.model].carried_out(step, entries, game)
