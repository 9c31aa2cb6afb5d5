"""Rules by the minute, games that end by time, and time that runs out (rows 12, 36, 84, 85)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules.chance import RandomChance
from magnate.rules.decide import pass_time
from magnate.rules.decision import Decision
from magnate.rules.evolve import evolve
from magnate.rules.expiry import close_offer, default_command, time_out
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.state import State
from magnate.rules.steps.clock import MINUTE_MS, bank_payout, rent_tax_percent, salary_pays
from magnate.rules.vocabulary import (
    END_REASON_TIME,
    PHASE_OVER,
    ChooseOption,
    EndTurn,
    OfferTrade,
    PayDebt,
    Resign,
    Roll,
    Terms,
    TimeRuleEntered,
)
from tests.support.classic import A, B, begin, position, said
from tests.support.playing import Position, Table

if TYPE_CHECKING:
    from magnate.rules.options import Written


def online(**house: Written) -> Position:
    """Return a position of the online game in the making."""
    options = {name.replace("__", "."): value for name, value in house.items()}
    rules = with_house_rules(load_ruleset("online"), options)
    assert isinstance(rules, RuleSet)
    return Position(load_board("online"), rules)


@pytest.mark.parametrize(
    ("elapsed_ms", "base", "rule"),
    [
        (45 * MINUTE_MS - 1, "ordinal", 0),
        (45 * MINUTE_MS, "ordinal", 1),
        (45 * MINUTE_MS, "elapsed", 0),
        (46 * MINUTE_MS, "elapsed", 1),
        (60 * MINUTE_MS, "ordinal", 2),
        (75 * MINUTE_MS, "ordinal", 3),
        (90 * MINUTE_MS, "ordinal", 4),
        (105 * MINUTE_MS, "ordinal", 5),
        (500 * MINUTE_MS, "ordinal", 5),
    ],
)
def test_a_command_first_brings_what_the_minutes_have_brought(elapsed_ms: int, base: str, rule: int) -> None:
    """C43: the 46th minute begins at 45:00; several rules may be entered at once, each is said."""
    made = online(time_rules__minute_base=base)
    table = made.table(RandomChance(3))
    table.elapsed_ms = elapsed_ms
    assert table.act(A, Roll()) is None
    entered = [event.rule for event in table.decision.events if isinstance(event, TimeRuleEntered)]
    assert entered == list(range(1, rule + 1))
    assert table.state.extras.time_rule == rule


def test_what_the_minutes_change() -> None:
    """C30: tax rates of 50, 75, 90, 99; salary while no rule holds."""
    state = State(load_board("online"), load_ruleset("online"), 2)
    assert (salary_pays(state), rent_tax_percent(state), bank_payout(state, 1001)) == (True, 0, 1001)
    found = []
    for rule in range(1, 6):
        evolve(state, TimeRuleEntered(rule))
        found.append((salary_pays(state), rent_tax_percent(state), bank_payout(state, 1001)))
    assert found == [
        (False, 0, 1001), (False, 50, 500), (False, 75, 250), (False, 90, 100), (False, 99, 10),
    ]  # fmt: skip


def test_a_refusal_takes_the_minutes_back() -> None:
    """Nothing is said or changed by a command that is refused; the next one says it."""
    table = online().table(RandomChance(3))
    table.elapsed_ms = 60 * MINUTE_MS
    refused = table.act(A, EndTurn())
    assert refused is not None
    assert table.state.extras.time_rule == 0
    assert table.act(A, Roll()) is None
    assert said(table)[:2] == ["TimeRuleEntered", "TimeRuleEntered"]


def test_folding_needs_no_clock() -> None:
    """The twin of the table folds events alone, and is the same all along a game of two hours."""
    made = online()
    table = Table(made.board, made.rules, 2, RandomChance(11))
    table.start()
    for _ in range(400):
        if table.state.phase == PHASE_OVER:
            break
        table.elapsed_ms += 20_000
        seat = table.state.debts[0].debtor if table.state.debts else table.state.turn_seat
        if table.auction is not None:
            table.close()
            continue
        command = default_command(table.state, seat)
        assert command is not None or table.state.debts
        if table.state.debts:
            command = PayDebt() if table.may(seat, "pay_debt") else Resign()
        assert command is not None
        assert table.act(seat, command) is None
    assert table.state.extras.time_rule == 5
    table.verify()


@pytest.mark.parametrize("end", ["agreed_time", "last_player_or_time"])
def test_time_ends_a_game_at_once_by_an_option(end: str) -> None:
    """Nothing is done after it; the clock itself ends the game."""
    made = position(end=end, end__minutes=10, end__time_finish="at_once")
    table = begin(made, (1, 2))
    table.elapsed_ms = 10 * MINUTE_MS
    assert table.refused(A, Roll()) == "DEADLINE_PASSED"
    decision = Decision()
    assert pass_time(table.state, RandomChance(1), decision, table.elapsed_ms) is None
    assert [type(event).__name__ for event in decision.events] == ["TimeUp", "GameEnded", "PhaseEntered"]
    assert table.state.end_reason == END_REASON_TIME
    over = pass_time(table.state, RandomChance(1), Decision(), table.elapsed_ms)
    assert over is not None
    assert over.name == "GAME_OVER"


def test_who_runs_out_of_time_is_not_asked_about_when_he_has_left() -> None:
    """A clock of somebody who is out does nothing."""
    table = begin(position(timers__roll_seconds=20), (1, 2))
    assert table.act(A, Resign()) is None
    refused = time_out(table.state, A, RandomChance(1), Decision())
    assert refused is not None
    assert refused.name == "SEAT_OUT"


def test_an_offer_closes_once() -> None:
    """A clock of an offer that is gone does nothing."""
    table = begin(position())
    assert table.act(A, OfferTrade(B, Terms(1, [], [], 0, [], [], 0))) is None
    assert close_offer(table.state, 1, RandomChance(1), Decision()) is None
    refused = close_offer(table.state, 1, RandomChance(1), Decision())
    assert refused is not None
    assert refused.name == "UNKNOWN_OFFER"


def test_a_card_that_asks_is_answered_with_its_first_option() -> None:
    """The simplest thing where nothing can be skipped."""
    made = position(board="classic-uk", timers__expiry="default_action")
    made.at[A] = 30
    asking = next(
        card.id for card in made.board.decks[1].cards if any(effect.options for effect in card.effects)
    )
    table = begin(made, (1, 2), chest=(asking,))
    assert table.act(A, Roll()) is None
    command = default_command(table.state, A)
    assert isinstance(command, ChooseOption)
    assert command.option == 0
    assert default_command(table.state, B) is None
