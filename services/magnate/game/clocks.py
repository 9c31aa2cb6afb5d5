"""The clocks of a game (rows 84, 85, 89; C38, C43): which a position has, and whom they wait for.

    roll       timers.roll_seconds     whoever must act: throw, buy or not, choose, place, end the turn
    pay        timers.pay_seconds      whoever owes something, each debtor for himself; if it is not said
                                       how long, as long as to throw
    deal       timers.deal_seconds     whoever was made an offer, each offer for itself
    stand_in   timers.stand_in_seconds instead of roll and pay, where a stand-in plays for the seat
    away       timers.away_seconds     what is left of the time that the game waits for a seat that is away
    time       end.minutes             the agreed time of the game
    rule       time_rules.enabled      the next of the board's rules by the minute
    shortage   build.shortage_seconds  saying that one wants one of the last buildings (row 60)

A clock belongs to a decision: it is set when the decision begins, cleared when it ends, and stands still
while the game waits for others. Mortgaging, building and the like decide nothing, so they leave it running.
The id of its deadline says in which version it was set, so a late one finds nothing to act on (case C054).
What a commit does to them is in `clockwork`, what people are shown in `clock_views`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.game.domain.standing import UNTOUCHED
from magnate.game.ports import OWNER
from magnate.rules import rejections as names
from magnate.rules.choices import END_AGREED_TIME, SHORTAGE_AUCTION, STYLE_BY_TURN
from magnate.rules.rejections import Rejection
from magnate.rules.steps.clock import MINUTE_MS, begins_ms
from magnate.rules.steps.running import running_auctions
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_AUCTION,
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
    WantBuilding,
    WithdrawOffer,
)

if TYPE_CHECKING:
    from magnate.game.domain.table import TableState
    from magnate.game.state import Deadline, GameState
    from magnate.rules.ruleset import RuleSet
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Command

ROLL: Final = "roll"
PAY: Final = "pay"
DEAL: Final = "deal"
STAND_IN: Final = "stand_in"
AWAY: Final = "away"
TIME: Final = "time"
RULE: Final = "rule"
SHORTAGE: Final = "shortage"
KINDS: Final = (ROLL, PAY, DEAL, STAND_IN, AWAY, TIME, RULE, SHORTAGE)

WITH_RESERVE: Final = (ROLL, PAY)
"""The clocks of decisions that a game cannot go on without: they run on into the reserve of their seat.

An offer that is not answered merely lapses, and anybody may make one: so it costs nobody his reserve.
"""

SECOND_MS: Final = 1000
_OWN_PHASES: Final = (PHASE_ROLL, PHASE_JAIL, PHASE_BUY, PHASE_ACT, PHASE_CHOICE)


class Clock:
    """A clock that a position has: `decision` tells whether a later position still waits for the same.

    `length_ms` is its time when it is set, without the reserve, or `due_ms` the moment it ends at; `stands`
    while others are waited for. `open_things` may only grow as long as the decision is the same (debts of a
    debtor).
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


def clocks_of(state: GameState) -> Clocks:
    """Return the clocks of a game in play, also of a paused one."""
    rules = state.rules
    found: Clocks = {}
    if rules is None or rules.phase in (0, PHASE_OVER):
        return found
    options = rules.rules
    if options.end >= END_AGREED_TIME and not rules.extras.time_up:
        due_ms = state.table.started_at_ms + options.end_minutes * MINUTE_MS
        found[f"{TIME}-0"] = Clock(None, 0, due_ms=due_ms)
    if rules.extras.shortage_asked:
        decision = (rules.extras.shortage_building, rules.extras.first_wanted)
        found[f"{SHORTAGE}-0"] = Clock(decision, options.build_shortage_seconds * SECOND_MS)
    sandbox = state.table.sandbox
    if sandbox is not None and not sandbox.clocks:
        return found
    rule = rules.extras.time_rule
    if options.time_rules_enabled and rule < len(rules.board.time_rules):
        due_ms = state.table.started_at_ms + begins_ms(rules, rule)
        found[f"{RULE}-{rule + 1}"] = Clock(None, 0, due_ms=due_ms)
    if options.timers_roll_seconds:
        _roll_clocks(rules, found)
    pay_seconds = options.timers_pay_seconds or options.timers_roll_seconds
    if pay_seconds:
        _pay_clocks(rules, found, pay_seconds * SECOND_MS)
    if options.timers_deal_seconds:
        for number in rules.offers:
            found[f"{DEAL}-{number}"] = Clock(number, options.timers_deal_seconds * SECOND_MS)
    if state.table.standings:
        _who_is_there(state, found)
    return found


def _roll_clocks(rules: State, found: Clocks) -> None:
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
    if rules.rules.timers_offer_stops_clock and not stands:
        stands = any(offer.from_seat == seat for offer in rules.offers.values())
    found[f"{ROLL}-{seat}"] = Clock(decision, length_ms, stands=stands)


def _pay_clocks(rules: State, found: Clocks, length_ms: int) -> None:
    for debt in rules.debts:
        name = f"{PAY}-{debt.debtor}"
        if name in found:
            found[name].open_things += 1
            continue
        payment = (debt.creditor, debt.reason, debt.lot)
        found[name] = Clock(payment, length_ms, open_things=1)


def _who_is_there(state: GameState, found: Clocks) -> None:
    """A stand-in is quick, and a seat that is away is waited for as long as its allowance lasts."""
    table, rules = state.table, state.rules
    assert rules is not None
    length_ms = rules.rules.timers_stand_in_seconds * SECOND_MS
    for seat, standing in table.standings.items():
        mine = {kind: found[f"{kind}-{seat}"] for kind in WITH_RESERVE if f"{kind}-{seat}" in found}
        if standing.stand_in:
            for kind, clock in mine.items():
                del found[f"{kind}-{seat}"]
                if not clock.stands:
                    clock.decision = (kind, clock.decision)
                    clock.length_ms = length_ms
                    found[f"{STAND_IN}-{seat}"] = clock
            asked = _auctions_asked(state, rules, seat)
            if asked and f"{STAND_IN}-{seat}" not in found:
                found[f"{STAND_IN}-{seat}"] = Clock(asked, length_ms)
        elif standing.away_since_ms and not all(clock.stands for clock in mine.values()):
            left_ms = allowance_of(table, seat)
            if left_ms:
                for clock in mine.values():
                    clock.stands = True
                found[f"{AWAY}-{seat}"] = Clock(None, left_ms)


def _auctions_asked(state: GameState, rules: State, seat: int) -> list[int]:
    """The auctions in which a stand-in has to pass, though its seat has no clock for it.

    An auction that another service has just opened is not known yet: it may pass there. Where bids go by
    turn, the turn's own clock passes.
    """
    if rules.out[seat] or rules.phase != PHASE_AUCTION or rules.rules.auction_style == STYLE_BY_TURN:
        return []
    known = state.auctions
    return [one for one in running_auctions(rules) if one not in known or known[one].may_act(seat)]


def reserve_of(table: TableState, seat: int) -> int:
    """Return what a seat's reserve was when its running clock was set."""
    reserve_ms = table.standing(seat).reserve_ms
    if reserve_ms != UNTOUCHED or table.ruleset is None:
        return max(0, reserve_ms)
    return table.ruleset.timers_reserve_seconds * SECOND_MS


def allowance_of(table: TableState, seat: int) -> int:
    """Return for how long the game still waits for a seat that is away."""
    left_ms = table.standing(seat).allowance_ms
    if left_ms != UNTOUCHED or table.ruleset is None:
        return max(0, left_ms)
    return table.ruleset.timers_away_seconds * SECOND_MS


def may_have(ruleset: RuleSet) -> bool:
    """Say whether games of this rule set have any of these clocks."""
    return (
        ruleset.timers_roll_seconds + ruleset.timers_pay_seconds + ruleset.timers_deal_seconds > 0
        or ruleset.in_time
        or ruleset.build_shortage == SHORTAGE_AUCTION
    )


def is_clock(deadline: Deadline) -> bool:
    """Say whether a deadline is one of these."""
    return deadline.owner == OWNER and deadline.kind in KINDS


def goes_on(before: Clock | None, after: Clock | None) -> bool:
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
    """Return the seat, the offer or the rule that a deadline is for."""
    return int(name_of(deadline_id).rpartition("-")[2])


def refuse_late(state: GameState, seat: int, action: Command, received_at_ms: int) -> Rejection | None:
    """DEADLINE_PASSED for what was sent after its time, though the clock has not been acted on yet."""
    for deadline_id, deadline in state.deadlines.items():
        if _is_due(deadline, received_at_ms) and _concerns(deadline_id, deadline.kind, seat, action):
            return Rejection(names.DEADLINE_PASSED, f"the time for this ran out ({deadline.kind})")
    return None


def _is_due(deadline: Deadline, now_ms: int) -> bool:
    return deadline.owner == OWNER and 0 < deadline.due_ms <= now_ms


def _concerns(deadline_id: str, kind: str, seat: int, action: Command) -> bool:
    if kind in WITH_RESERVE:
        return number_of(deadline_id) == seat and not isinstance(action, Resign | WithdrawOffer)
    if kind == DEAL and isinstance(action, AcceptOffer | CounterOffer | RejectOffer):
        return number_of(deadline_id) == action.offer
    return kind == SHORTAGE and isinstance(action, WantBuilding)
