"""Nothing is claimed that is not proved: the page, the lists of exceptions and the scenarios agree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from magnate.cli.scenario.names import RULES_EVENTS
from magnate.rules.loader import load_ruleset, ruleset_ids
from magnate.rules.options_table import BY_NAME, OPTIONS
from tests.scenario import coverage
from tests.scenario.coverage import ENDS, GAPS, PAGE, ROWS, RULESETS, gaps, gaps_text, measured, read_lists
from tests.scenario.coverage_page import page, points
from tests.scenario.mutation import differs, proof_of
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Scenario

pytestmark = [
    pytest.mark.xdist_group("coverage"),  # what one has measured the next need not
    pytest.mark.timeout(300),  # every scenario is played with every option changed
]

# Differences that nothing can show in the rule set itself, each for its reason.
HIDDEN = {
    ("computer", "debt.pay_in_kind"): "a debtor may not deal there, whatever he offers",
    ("computer", "build.even"): "houses on one lot need it with hotels there",
    ("computer", "mortgage.transfer"): "mortgaged lots are not dealt",
    ("computer", "trade.mortgaged_allowed"): "contradicts mortgage.transfer",
    ("computer", "bankrupt.to_player"): "contradicts mortgage.transfer",
    ("e-banking", "players.max"): "more seats are refused before there is a table",
    ("ultimate-banking", "players.max"): "more seats are refused before there is a table",
    ("online", "players.max"): "more seats are refused before there is a table",
    ("millionaire", "players.max"): "more seats are refused before there is a table",
    ("computer", "timers.pay_seconds"): "without it a debtor has as long as to throw, and that is as long",
    ("online", "timers.pay_seconds"): "without it a debtor has as long as to throw, and that is as long",
    ("ultimate-banking", "debt.pay_in_kind"): "there are no deals at all",
    ("ultimate-banking", "build.when"): "the board fits nothing else",
    ("ultimate-banking", "mortgage.when"): "the board fits nothing else",
    ("ultimate-banking", "build.shortage"): "nobody builds",
    ("online", "build.shortage"): "there are always enough",
    ("ultimate-banking", "bankrupt.buildings"): "levels are reset with the owner",
    ("ultimate-banking", "bankrupt.to_bank"): "the first bankruptcy ends the game",
    ("ultimate-banking", "score.method"): "there are no buildings to count or not to count",
    ("millionaire", "build.houses_before_hotel"): "the board fits nothing else",
    ("millionaire", "mortgage.transfer"): "mortgaged lots are not dealt",
    ("millionaire", "trade.mortgaged_allowed"): "contradicts mortgage.transfer",
    ("millionaire", "bankrupt.to_player"): "contradicts mortgage.transfer",
    ("millionaire", "score.method"): "both count the same, in words of their own",
}

REGENERATE = "run `python -m tests.scenario.coverage` and commit what changed"


@pytest.mark.slow
def test_the_page_shows_what_the_scenarios_prove() -> None:
    """Whoever adds a scenario, a rule set or an option writes the page anew."""
    assert PAGE.read_text(encoding="utf-8") == page(), REGENERATE


@pytest.mark.slow
def test_every_cell_value_and_rejection_is_proved_or_named_as_missing() -> None:
    """A row of a rule set, a value of an option, a rejection: nothing is left out silently."""
    found = gaps_text(gaps())
    assert GAPS.read_text(encoding="utf-8") == found, "run `python -m tests.scenario.coverage --gaps`"


def test_every_event_is_expected_by_some_scenario() -> None:
    """What the rules can say is said somewhere on purpose; a position is given without a step."""
    expected = {
        name for scenario in coverage.scenarios() for step in scenario.steps for name in step.events or []
    }
    assert RULES_EVENTS - expected == {"PositionGiven"}


@pytest.mark.slow
def test_what_a_rule_set_plays_differently_shows_in_it() -> None:
    """For each option that is not as in classic a scenario of the rule set would fail if it were."""
    base = load_ruleset("classic").values
    hidden = set()
    for ruleset in ruleset_ids():
        for option, value, classic in zip(OPTIONS, load_ruleset(ruleset).values, base, strict=True):
            own = [
                scenario
                for scenario in measured().options[option.name, option.text(value)]
                if scenario.table.ruleset == ruleset
                and set(scenario.table.rules.house_rules) <= ENDS - {option.name}
            ]
            if value != classic and not any(differs(scenario, option, classic) for scenario in own):
                hidden.add((ruleset, option.name))
    assert hidden == set(HIDDEN)


def test_every_rule_set_is_in_the_table() -> None:
    """A rule set that is added gets a column."""
    assert set(ruleset_ids()) <= set(RULESETS)
    assert list(points()) == list(ROWS)


@pytest.mark.parametrize("name", ["not_applicable", "elsewhere"])
def test_what_is_excused_has_no_proof(name: str) -> None:
    """An excuse that is no longer needed goes away."""
    lists, found = read_lists(name), measured()
    assert not [cell for cell in lists.cells if found.cells[cell]]
    assert not [name for name, value in lists.options if proof_of(BY_NAME[name], value)]
    assert not [one for one in lists.rejections if found.rejections[one] or one in coverage.names_tested()]


def test_nothing_is_excused_twice() -> None:
    """A cell has either a reason or a test."""
    reasons, elsewhere = read_lists("not_applicable"), read_lists("elsewhere")
    assert not set(reasons.cells) & set(elsewhere.cells)
    assert not set(reasons.options) & set(elsewhere.options)


def test_tests_that_prove_something_elsewhere_are_there() -> None:
    """The list names files and functions that exist."""
    lists = read_lists("elsewhere")
    for test in {*lists.cells.values(), *lists.options.values()}:
        file, _, function = test.partition("::")
        assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8"), test


def test_a_scenario_does_not_prove_a_row_whose_option_it_changes() -> None:
    """What is played by a house rule is not what the rule set says."""

    def proved(row: int, option: str) -> list[Scenario]:
        return [
            scenario
            for scenario in measured().cells["classic", row]
            if option in scenario.table.rules.house_rules
        ]

    assert not proved(34, "rent.owner_in_jail")
    assert measured().options["rent.owner_in_jail", "false"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_rule_set_has_a_page_that_agrees_with_the_list(ruleset: str) -> None:
    """A row stands there once at most, in order, and has a star where there is nothing to prove."""
    text = (ROOT / "docs" / "rules" / f"{ruleset}.md").read_text(encoding="utf-8")
    found = [(int(row), star) for row, star in re.findall(r"^\| (\d+)(\*?) \|", text, re.MULTILINE)]
    rows = [row for row, _ in found]
    assert rows == sorted(set(rows))
    reasons = read_lists("not_applicable").cells
    nothing = {row for one, row in reasons if one == ruleset}
    assert {row for row, star in found if not star} & nothing == set()
    if ruleset != "classic":
        assert {row for row, star in found if star} <= nothing
        assert nothing - {row for one, row in reasons if one == "classic"} <= set(rows)
