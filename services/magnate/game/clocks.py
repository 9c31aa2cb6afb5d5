"""The clocks of a game (rows 84, 85, 89; C38, C43): which run, and what a commit does to their deadlines.

    roll       timers.roll_seconds     whoever must act: throw, buy or not, choose, place, end the turn
    pay        timers.pay_seconds      whoever owes something, each debtor for himself
    deal       timers.deal_seconds     whoever was made an offer, each offer for itself
    time       end.minutes             the agreed time of the game
    shortage   build.shortage_seconds  saying that one wants one of the last buildings (row 60)

A clock belongs to a decision: it is set when the decision begins, cleared when it ends, and stands still
while the game waits for others. Mortgaging, building and the like decide nothing, so they leave it running.
The id of its deadline says in which version it was set, so a late one finds nothing to act on (case C054).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.game.domain import table
from magnate.game.ports import OWNER, DeadlineChange
from magnate.rules import rejections as names
from magnate.rules.choices import END_AGREED_TIME, SHORTAGE_AUCTION
from magnate.rules.rejections import Rejection
from magnate.rules.steps.clock import MINUTE_MS
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_JAIL,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_ROLL,
    AcceptOffer,
    CounterOffer,
    RejectOffer,
    Resign,
    WithdrawOffer,
)

if TYPE_CHECKING:
    from magnate.game.state import Deadline, GameState
    from magnate.rules.ruleset import RuleSet
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Command

ROLL: Final = "roll"
PAY: Final = "pay"
DEAL: Final = "deal"
TIME: Final = "time"
SHORTAGE: Final = "shortage"
KINDS: Final = (ROLL, PAY, DEAL, TIME, SHORTAGE)

SECOND_MS: Final = 1000
_OWN_PHASES: Final = (PHASE_ROLL, PHASE_JAIL, PHASE_BUY, PHASE_ACT, PHASE_CHOICE)


class Clock:
    """A clock that a position has: `decision` tells whether a later position still waits for the same.

    `length_ms` is its time when it is set, or `due_ms` the moment it ends at; `stands` while others are
    waited for. `open_things` may only grow as long as the decision is the same (debts of a debtor).
    """

    __slots__ = ("decision", "due_ms", "length_ms", "open_things", "stands")

    def __init__(
        self,
        decision: object,
        length_ms: int,
        *,
        stands: bool = False,
        open_things: int = 0,
        due_ms: int = 0,
    ) -> None:
        self.decision = decision
        self.length_ms = length_ms
        self.stands = stands
        self.open_things = open_things
        self.due_ms = due_ms


Clocks: TypeAlias = "dict[str, Clock]"
"""By name: the kind, and the seat or the offer it is for."""


def clocks_of(state: GameState, started_at_ms: int = 0) -> Clocks:
    """Return the clocks of a game in play, also of a paused one; a game that starts says when that is."""
    rules = state.rules
    found: Clocks = {}
    if rules is None or rules.phase in (0, PHASE_OVER):
        return found
    options = rules.rules
    if options.end >= END_AGREED_TIME and not rules.extras.time_up:
        due_ms = (started_at_ms or state.table.started_at_ms) + options.end_minutes * MINUTE_MS
        found[f"{TIME}-0"] = Clock(None, 0, due_ms=due_ms)
    if rules.extras.shortage_asked:
        decision = (rules.extras.shortage_building, rules.extras.first_wanted)
        found[f"{SHORTAGE}-0"] = Clock(decision, options.build_shortage_seconds * SECOND_MS)
    sandbox = state.table.sandbox
    if sandbox is not None and not sandbox.clocks:
        return found
    if options.timers_roll_seconds:
        _roll_clock(rules, found)
    if options.timers_pay_seconds:
        for debt in rules.debts:
            name = f"{PAY}-{debt.debtor}"
            if name in found:
                found[name].open_things += 1
            else:
                payment = (debt.creditor, debt.reason, debt.lot)
                found[name] = Clock(payment, options.timers_pay_seconds * SECOND_MS, open_things=1)
    if options.timers_deal_seconds:
        for number in rules.offers:
            found[f"{DEAL}-{number}"] = Clock(number, options.timers_deal_seconds * SECOND_MS)
    return found


def _roll_clock(rules: State, found: Clocks) -> None:
    """The seat on turn, but while a building waits for its place whoever won it."""
    seat = rules.turn_seat
    length_ms = rules.rules.timers_roll_seconds * SECOND_MS
    extras = rules.extras
    if rules.phase == PHASE_PLACE:
        placing = extras.placing_seat - 1
        if placing != seat:
            found[f"{ROLL}-{placing}"] = Clock(("place", rules.auction_count), length_ms)
    if rules.turn_over and rules.phase not in _OWN_PHASES:
        return  # an estate is auctioned before the next turn
    places = rules.phase == PHASE_PLACE and extras.placing_seat == seat + 1
    decision = (
        rules.turn, rules.to_roll, rules.doubles, rules.draws, rules.jail_tries[seat], rules.offered_lot,
        rules.choice_deck, rules.choice_card, extras.question, extras.question_square,
        places,
    )  # fmt: skip
    stands = rules.phase not in _OWN_PHASES and not places
    found[f"{ROLL}-{seat}"] = Clock(decision, length_ms, stands=stands)


def may_have(ruleset: RuleSet) -> bool:
    """Say whether games of this rule set have any of these clocks."""
    return (
        ruleset.timers_roll_seconds + ruleset.timers_pay_seconds + ruleset.timers_deal_seconds > 0
        or ruleset.end >= END_AGREED_TIME
        or ruleset.build_shortage == SHORTAGE_AUCTION
    )


def changes(
    before: GameState, after: GameState, version: int, now_ms: int, started_at_ms: int = 0
) -> list[DeadlineChange]:
    """Return what the commit `version`, which leads from one position to the other, does to the deadlines.

    `after` may have dropped a deadline already (one that expired): then that clock is not running any more.
    """
    ruleset = after.table.ruleset
    found: list[DeadlineChange] = []
    if ruleset is None or not may_have(ruleset) or after.table.status not in (table.OPEN, table.RUNNING):
        return found
    old, new = clocks_of(before), clocks_of(after, started_at_ms)
    running = {
        name_of(deadline_id): deadline_id
        for deadline_id, deadline in after.deadlines.items()
        if deadline.owner == OWNER and deadline.kind in KINDS
    }
    for name, deadline_id in running.items():
        if not _goes_on(old.get(name), new.get(name)):
            found.append(DeadlineChange("cleared", deadline_id))
    for name, clock in new.items():
        if name in running and _goes_on(old.get(name), clock):
            deadline = after.deadlines[running[name]]
            if clock.stands and deadline.due_ms:
                left_ms = max(0, deadline.due_ms - now_ms)
                found.append(DeadlineChange("paused", running[name], left_ms=left_ms))
            elif not clock.stands and not deadline.due_ms:
                due_ms = now_ms + deadline.left_ms
                found.append(DeadlineChange("resumed", running[name], due_ms=due_ms))
        elif not clock.stands:
            due_ms = clock.due_ms or now_ms + clock.length_ms
            kind = name.partition("-")[0]
            found.append(DeadlineChange("set", f"{name}-{version}", owner=OWNER, kind=kind, due_ms=due_ms))
    return found


def _goes_on(before: Clock | None, after: Clock | None) -> bool:
    """Say whether a position still waits for the very decision that an earlier one waited for."""
    return (
        before is not None
        and after is not None
        and before.decision == after.decision
        and after.open_things >= before.open_things
    )


def name_of(deadline_id: str) -> str:
    """Return the name of the clock that a deadline belongs to."""
    return deadline_id.rpartition("-")[0]


def number_of(deadline_id: str) -> int:
    """Return the seat, or the offer, that a deadline is for."""
    return int(name_of(deadline_id).partition("-")[2])


def stands_still(state: GameState, deadline_id: str) -> bool:
    """Say whether a clock waits for others, so that it does not run on when the game is resumed."""
    clock = clocks_of(state).get(name_of(deadline_id))
    return clock is not None and clock.stands


def refuse_late(state: GameState, seat: int, action: Command, received_at_ms: int) -> Rejection | None:
    """DEADLINE_PASSED for what was sent after its time, though the clock has not been acted on yet."""
    for deadline_id, deadline in state.deadlines.items():
        if _is_due(deadline, received_at_ms) and _concerns(deadline_id, deadline.kind, seat, action):
            return Rejection(names.DEADLINE_PASSED, f"the time for this ran out ({deadline.kind})")
    return None


def _is_due(deadline: Deadline, now_ms: int) -> bool:
    return deadline.owner == OWNER and 0 < deadline.due_ms <= now_ms


def _concerns(deadline_id: str, kind: str, seat: int, action: Command) -> bool:
    if kind in (ROLL, PAY):
        return number_of(deadline_id) == seat and not isinstance(action, Resign | WithdrawOffer)
    if kind == DEAL and isinstance(action, AcceptOffer | CounterOffer | RejectOffer):
        return number_of(deadline_id) == action.offer
    return False
