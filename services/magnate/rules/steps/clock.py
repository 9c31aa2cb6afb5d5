"""Game time (rows 12, 36, 85): the board's time rules by the minute, and the agreed time.

What the minutes change is said by events, before the first command that comes after the minute is judged: so
the state knows which rule holds, and everybody else asks the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.vocabulary import TimeRuleEntered, TimeUp

if TYPE_CHECKING:
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def salary_pays(state: State) -> bool:
    """Whether GO still pays, its salary and its bonus (row 12)."""
    rule = state.extras.time_rule
    return rule == 0 or state.board.time_rules[rule - 1].start_bonus == 1


def rent_tax_percent(state: State) -> int:
    """The share of every rent that goes to the bank now (row 36, C30)."""
    rule = state.extras.time_rule
    return 0 if rule == 0 else state.board.time_rules[rule - 1].rent_tax_percent


def without_tax(state: State, amount: int) -> int:
    """What is left of an amount after the tax, rounded down once: the odd unit is the bank's."""
    return amount * (100 - rent_tax_percent(state)) // 100


def bank_payout(state: State, amount: int) -> int:
    """What a card that pays by chance really pays (row 36)."""
    return amount if state.extras.time_rule == 0 else without_tax(state, amount)


def _time_rule_entered(state: State, event: TimeRuleEntered) -> None:
    state.extras.time_rule = event.rule


def _time_up(state: State, _event: TimeUp) -> None:
    state.extras.time_up = 1


FOLDS: Final[Folds] = {TimeRuleEntered: _time_rule_entered, TimeUp: _time_up}
