"""Game time (rows 12, 36, 85): the board's time rules by the minute, and the agreed time.

What the minutes change is said by events, before the first command that comes after the minute is judged: so
the state knows which rule holds, and everybody else asks the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import (
    END_AGREED_TIME,
    FINISH_AT_ONCE,
    MINUTE_ORDINAL,
    UNTAXED_NEAREST,
    UNTAXED_UP,
)
from magnate.rules.rejections import DEADLINE_PASSED, Rejection
from magnate.rules.vocabulary import TimeRuleEntered, TimeUp

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


MINUTE_MS: Final = 60_000
_NEVER: Final = 1 << 60


def tick(draft: Draft) -> None:
    """Say which time rules hold by now, and that the agreed time is over, where that is new."""
    state = draft.state
    extras = state.extras
    if state.rules.time_rules_enabled:
        rules = state.board.time_rules
        while extras.time_rule < len(rules) and draft.elapsed_ms >= begins_ms(state, extras.time_rule):
            draft.emit(TimeRuleEntered(extras.time_rule + 1))
    if time_is_over(state, draft.elapsed_ms) and not extras.time_up:
        draft.emit(TimeUp())


def has_news(draft: Draft) -> bool:
    """Whether a time rule begins that is not said yet, or the agreed time is over; asked after `quiet_ms`."""
    draft.quiet_ms = _news_ms(draft.state)
    return draft.elapsed_ms >= draft.quiet_ms


def _news_ms(state: State) -> int:
    """When the next time rule begins, or the agreed time is over."""
    news = _NEVER
    following = state.extras.time_rule
    if state.rules.time_rules_enabled and following < len(state.board.time_rules):
        news = begins_ms(state, following)
    if state.rules.end >= END_AGREED_TIME:
        news = min(news, state.rules.end_minutes * MINUTE_MS)
    return news


def begins_ms(state: State, rule: int) -> int:
    """When a time rule begins: from minute 46 is from 45:00 (the 46th minute), or from 46:00 (C43)."""
    minute = state.board.time_rules[rule].minute
    if state.rules.time_rules_minute_base == MINUTE_ORDINAL:
        minute -= 1
    return minute * MINUTE_MS


def time_is_over(state: State, elapsed_ms: int) -> bool:
    """Whether the game has an agreed time, and that is over (row 85)."""
    return state.rules.end >= END_AGREED_TIME and elapsed_ms >= state.rules.end_minutes * MINUTE_MS


def refuse_late(state: State, elapsed_ms: int) -> Rejection | None:
    """DEADLINE_PASSED where the agreed time ends the game at once: nothing is done after it."""
    if state.rules.end_time_finish == FINISH_AT_ONCE and time_is_over(state, elapsed_ms):
        return Rejection(DEADLINE_PASSED, "the agreed time is over")
    return None


def salary_pays(state: State) -> bool:
    """Whether GO still pays, its salary and its bonus (row 12)."""
    rule = state.extras.time_rule
    return rule == 0 or state.board.time_rules[rule - 1].start_bonus == 1


def rent_tax_percent(state: State) -> int:
    """The share of every rent that goes to the bank now (row 36, C30)."""
    rule = state.extras.time_rule
    return 0 if rule == 0 else state.board.time_rules[rule - 1].rent_tax_percent


def without_tax(state: State, amount: int) -> int:
    """What is left of an amount after the tax, rounded once; what is halfway is nearest to the higher."""
    left = amount * (100 - rent_tax_percent(state))
    how = state.rules.time_rules_rounding
    if how == UNTAXED_UP:
        return -(-left // 100)
    return (left + 50) // 100 if how == UNTAXED_NEAREST else left // 100


def bank_payout(state: State, amount: int) -> int:
    """What a card that pays by chance really pays (row 36)."""
    return amount if state.extras.time_rule == 0 else without_tax(state, amount)


def _time_rule_entered(state: State, event: TimeRuleEntered) -> None:
    state.extras.time_rule = event.rule


def _time_up(state: State, _event: TimeUp) -> None:
    state.extras.time_up = 1
    state.extras.touched = 1


FOLDS: Final[Folds] = {TimeRuleEntered: _time_rule_entered, TimeUp: _time_up}
