"""Scenario files are read strictly: slips are named, what is not played is said, nothing is skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.cli.scenario.model import (
    Choose,
    Deal,
    Do,
    Lend,
    Lots,
    Plain,
    Play,
    Script,
    Square,
    StakeOn,
    Want,
)
from magnate.cli.scenario.node import ScenarioError
from magnate.cli.scenario.read import read_text
from magnate.rules.vocabulary import Immunity, LotPass, OpenLoan

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Action

GOOD = """
scenario: one
players: [A, B]
given: {A: {at: 0}}
dice: [[1, 2]]
do:
  - A: roll
expect: {A: {at: 3}}
"""


def fault(text: str) -> ScenarioError:
    """Return what is wrong with a text."""
    with pytest.raises(ScenarioError) as caught:
        read_text("file.yaml", text)
    return caught.value


def changed(old: str, new: str) -> str:
    """Return the good scenario with one thing changed."""
    assert old in GOOD
    return GOOD.replace(old, new)


def test_what_a_seat_does_that_is_no_move_and_what_it_has_of_its_clocks() -> None:
    """Who, for whom, and for how long; a seat that is not waited for has no clock."""
    steps = "do: {pause: B}\n  - do: resume\n  - do: {extra_time: {from: B, to: A, time: 9s}}"
    text = changed("A: roll", steps).replace("A: {at: 3}", "A: {clock: null, reserve: 500ms, away: true}")
    (scenario,) = read_text("file.yaml", text)
    assert [step.action for step in scenario.steps] == [
        Do("pause", 1),
        Do("resume", 0),
        Do("extra_time", 1, 0, 9_000),
    ]
    assert [(one.seat, one.word, one.expected) for one in scenario.times] == [
        (0, "clock", None),
        (0, "reserve", 500),
        (0, "away", True),
    ]


def test_a_good_scenario_is_read() -> None:
    """The example of this module is a scenario."""
    (scenario,) = read_text("file.yaml", GOOD)
    assert scenario.name == "one"
    assert scenario.script.dice == [(1, 2)]
    assert [step.text for step in scenario.steps] == ["step 1 (A: roll)"]


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("dice:", "dices:", "dices", "unknown key"),
        ("A: {at: 0}", "A: {place: 0}", "given.A.place", "unknown key"),
        ("A: {at: 0}", "A: {at: 40}", "given.A.at", "from 0 to 39"),
        ("A: {at: 0}", "Z: {at: 0}", "given.Z", "unknown key"),
        ("A: {at: 0}", "lots: {2: {owner: A}}", "given.lots.2", "no lot"),
        ("A: {at: 0}", "lots: {1: {owner: Z}}", "given.lots.1.owner", "'Z' is unknown"),
        ("A: {at: 0}", "phase: rolling", "given.phase", "'rolling' is unknown"),
        ("A: {at: 0}", "bank: {houses: 31}", "given.bank.houses", "the lots leave 32"),
        ("A: {at: 0}", "lots: {1: {owner: A, buildings: 1}}", "given", "impossible"),
        ("A: {at: 0}", "phase: debt", "given", "impossible"),
        ("A: {at: 0}", "phase: choice", "given", "one thing is asked"),
        ("A: {at: 0}", "asks: stake", "given", "does not ask that"),
        ("A: {at: 0}", "lots: {1: {owner: A, level: 2}}", "given", "levels of an owned lot end at 0"),
        ("A: {at: 0}", "pots: {parkin: 1}", "given.pots.parkin", "unknown key"),
        ("[[1, 2]]", "[[1, 2]]\nchance: {amount: [x]}", "chance.amount[0]", "whole number"),
        ("[[1, 2]]", "[[1, 2]]\ndeal: [40]", "deal[0]", "from 0 to 39"),
        ("A: roll", "A: {want: castle}", "do[0].A.want", "'castle' is unknown"),
        ("A: roll", "A: {choose: nothing}", "do[0].A.choose", "'nothing' is unknown"),
        ("A: {at: 0}", "phase: auction", "given.phase", "come together only"),
        ("[[1, 2]]", "[[1, 7]]", "dice[0][1]", "from 1 to 6"),
        ("[[1, 2]]", "[[1, 2, 3]]", "dice[0]", "3 dice"),
        ("A: roll", "A: rol", "do[0].A", "'rol' is unknown"),
        ("A: roll", "C: roll", "do[0].C", "neither a seat"),
        ("A: roll", "A: {build: 40}", "do[0].A.build", "from 0 to 39"),
        ("A: roll", "A: {roll: 1}", "do[0].A.roll", "takes no value"),
        ("A: roll", "A: build", "do[0].A", "needs a value"),
        ("A: roll", "A: {buid: 1}", "do[0].A.buid", "is no step"),
        ("A: roll", "A: {accept: t1, redem: [1]}", "do[0].A.redem", "unknown key"),
        ("A: roll", "A: roll\n    rejected: NOT_MY_TURN", "do[0].rejected", "'NOT_MY_TURN' is unknown"),
        ("A: roll", "A: roll\n    events: [Rolled]", "do[0].events[0]", "'Rolled' is unknown"),
        ("A: roll", "A: roll\n    pays: [{from: A, to: Z, amount: 1}]", "do[0].pays[0].to", "'Z' is unknown"),
        ("A: roll", "A: roll\n    rejected: NOT_OWNER\n    pays: []", "do[0].rejected", "neither events"),
        ("A: roll", "A: roll\n    B: roll", "do[0]", "must name one seat"),
        ("A: roll", "wait: 90", "do[0].wait", "90s"),
        ("A: roll", "do: stop", "do[0].do", "'stop' is unknown"),
        ("A: roll", "do: connect", "do[0].do", "must name a seat: {connect: A}"),
        ("A: roll", "do: {connect: Z}", "do[0].do.connect", "'Z' is unknown"),
        ("A: roll", "do: {connect: A, disconnect: B}", "do[0].do", "must name one thing"),
        ("A: roll", "do: {extra_time: {to: B, time: 9s}}", "do[0].do.extra_time.from", "missing"),
        ("A: roll", "do: {extra_time: {from: A, to: B, time: 9}}", "do[0].do.extra_time.time", "90s"),
        ("A: {at: 3}", "A: {clock: soon}", "expect.A.clock", "90s"),
        ("A: {at: 3}", "A: {misses: many}", "expect.A.misses", "whole number"),
        ("A: {at: 3}", "A: {stand_in: 1}", "expect.A.stand_in", "true"),
        ("A: {at: 3}", "A: {on: 3}", "expect.A.on", "unknown key"),
        ("A: {at: 3}", "end: yes", "expect.end", "unknown key"),
        ("A: {at: 3}", "legal: {A: [fly]}", "expect.legal.A[0]", "'fly' is unknown"),
        ("A: {at: 3}", "A: {cards_held: [x1]}", "expect.A.cards_held[0]", "'x1' is unknown"),
        ("[A, B]", "[A]", "players", "2 to 8"),
        ("[A, B]", "[A, B, C, D, E, F, G, H, I]", "players", "2 to 8"),
        ("[A, B]", "[A, turn]", "players[1]", "something else"),
        ("[A, B]", "[A, A]", "players[1]", "twice"),
        ("scenario: one", "scenario: one\nruleset: chess", "ruleset", "'chess' is unknown"),
        ("scenario: one", "scenario: one\nboard: moon", "board", "'moon' is unknown"),
        (
            "scenario: one",
            "scenario: one\nruleset: {base: classic, options: {jail.colour: red}}",
            "ruleset",
            "OPTION_UNKNOWN",
        ),
        ("scenario: one", "scenario: one\nrows: [90]", "rows[0]", "from 1 to 89"),
        ("scenario: one", "scenario: one\ncards: {luck: [ch01]}", "cards.luck", "no such deck"),
        ("scenario: one", "scenario: one\ncards: {chance: [cc01]}", "cards.chance[0]", "'cc01' is unknown"),
    ],
)
def test_a_slip_is_named(old: str, new: str, key: str, says: str) -> None:
    """The complaint names the file, the scenario, the key, and what is wrong."""
    error = fault(changed(old, new))
    assert (error.file, error.scenario, error.key) == ("file.yaml", "one", key)
    assert says in error.reason
    assert "file.yaml" in str(error)
    assert "'one'" in str(error)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A: roll", "A: take_back"),
        ("A: {at: 0}", "auction: {kind: sealed, lot: 1}"),
        ("A: {at: 0}", "phase: over"),
        ("A: {at: 0}", "phase: card"),
    ],
)
def test_what_is_not_played_is_said(old: str, new: str) -> None:
    """Steps and positions that are not built are known words with a clear answer."""
    assert "this build does not play" in fault(changed(old, new)).reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A: {at: 0}", "pots: {parking: 0, jackpot: 0}"),
        ("A: {at: 0}", "clocks: off"),
        ("A: {at: 0}", "elapsed: 0s"),
        ("A: {at: 0}", "A: {skip_turns: 0, reverse: false, loan: 0, out: false, cards_held: []}"),
        ("A: {at: 0}", "lots: {1: {owner: A, level: 1, mortgaged_rounds: 0}}"),
        ("A: {at: 0}", "bank: {houses: 32, hotels: 12}"),
        ("dice: [[1, 2]]", "deal: []"),
    ],
)
def test_what_says_nothing_is_accepted(old: str, new: str) -> None:
    """A word of another rule set is no fault where it says that nothing is different."""
    assert read_text("file.yaml", changed(old, new))


def test_a_scenario_without_expectation_is_an_error() -> None:
    """What checks nothing proves nothing."""
    assert "expects nothing" in fault(changed("expect: {A: {at: 3}}", "")).reason


@pytest.mark.parametrize("check", ["events: []", "pays: []", "rejected: NOT_OWNER"])
def test_a_checked_step_is_an_expectation(check: str) -> None:
    """`pays`, `events` or `rejected` of a step is enough."""
    text = changed("expect: {A: {at: 3}}", "").replace("A: roll", f"A: roll\n    {check}")
    assert read_text("file.yaml", text)


def test_a_name_is_unique_in_its_file() -> None:
    """Two scenarios of one name could not be told apart."""
    assert "another one" in fault(f"{GOOD}---{GOOD}").reason


def test_one_text_for_several_rule_sets_is_a_scenario_for_each() -> None:
    """Each has a name of its own, its rule set, and the board that is named."""
    text = changed("scenario: one", "scenario: one\nrulesets: [classic, short]\nboard: classic-uk")
    scenarios = read_text("file.yaml", text)
    assert [one.name for one in scenarios] == ["one [classic]", "one [short]"]
    assert [one.table.ruleset for one in scenarios] == ["classic", "short"]
    assert {one.table.board.id for one in scenarios} == {"classic-uk"}
    assert not any(one.table.rules.house_rules for one in scenarios)


def test_options_beside_several_rule_sets_change_all_of_them() -> None:
    """A house rule is proved wherever it is played."""
    both = "rulesets: [classic, short]\noptions: {end.turns_max: 7}"
    for scenario in read_text("file.yaml", changed("scenario: one", f"scenario: one\n{both}")):
        assert scenario.table.options == {"end.turns_max": 7}
        assert scenario.table.rules.end_turns_max == 7


@pytest.mark.parametrize(
    ("lines", "key", "says"),
    [
        ("rulesets: [classic, chess]", "rulesets[1]", "'chess' is unknown"),
        ("rulesets: [classic, classic]", "rulesets[1]", "stands twice"),
        ("rulesets: [classic]", "rulesets", "fewer than two"),
        ("rulesets: [classic, short]\nruleset: classic", "ruleset", "says all of them"),
        ("options: {end.turns_max: 7}", "options", "beside `rulesets`"),
        ("rulesets: [classic, short]\noptions: {end.turns_max: 0}", "options", "OPTION_INVALID"),
    ],
)
def test_a_slip_in_the_rule_sets_is_named(lines: str, key: str, says: str) -> None:
    """Whatever is wrong, the complaint names the key."""
    error = fault(changed("scenario: one", f"scenario: one\n{lines}"))
    assert error.key == key
    assert says in error.reason


def test_what_is_wrong_in_one_of_several_rule_sets_names_it() -> None:
    """A fault that only one of them has says which."""
    text = changed("A: {at: 3}", "A: {on: 3}").replace(
        "scenario: one", "scenario: one\nrulesets: [classic, short]"
    )
    assert fault(text).scenario == "one [classic]"


def test_an_empty_file_is_an_error() -> None:
    """A file that tests nothing is a slip."""
    assert "no scenario" in fault("# nothing\n").reason


def test_broken_yaml_is_an_error() -> None:
    """The line is named."""
    assert "not YAML" in fault("scenario: [").reason


def test_start_and_given_exclude_each_other() -> None:
    """A game is either started or given."""
    assert "begins the game by itself" in fault(changed("- A: roll", "- do: start")).reason


def test_start_must_be_the_first_step() -> None:
    """Nothing can be done before the start."""
    text = changed("given: {A: {at: 0}}\n", "").replace("- A: roll", "- A: roll\n  - do: start")
    assert "must be the first step" in fault(text).reason


def test_the_phase_follows_from_what_is_given() -> None:
    """A seat in jail, a debt or an auction says what the game waits for."""
    for given, phase in (
        ("A: {jailed: true}", 2),
        ("A: {cash: 0}, debts: [{from: A, to: B, amount: 5}]", 5),
        ("auction: {lot: 24}", 4),
    ):
        (scenario,) = read_text("file.yaml", changed("A: {at: 0}", given))
        assert scenario.given is not None
        assert scenario.given.position.phase == phase


@pytest.mark.parametrize(
    ("step", "sent"),
    [
        ("{claim_rent: 31}", Square("claim_rent", 31)),
        ("{place: 37}", Square("place", 37)),
        ("{stake: 50}", StakeOn(50, [])),
        ("{stake: {amount: 50, faces: [1, 2]}}", StakeOn(50, [1, 2])),
        ("{play: ch09}", Play(0, 8)),
        ("{loan: 2000}", Lend("loan", 2000)),
        ("repay", Lend("repay")),
        ("{repay: B}", Lend("repay", 0, 1)),
        ("{repay: bank}", Lend("repay", 0, -1)),
        ("{want: hotel}", Want(2)),
        ("{return: [37, 39]}", Lots("return", [37, 39])),
        ("{choose: 24}", Choose(24)),
        ("{choose: B}", Choose(1)),
        ("{choose: percent}", Choose(-1, "percent")),
        ("skip", Plain("skip")),
    ],
)
def test_the_steps_of_other_rule_sets_are_read(step: str, sent: Action) -> None:
    """Each word of the format becomes the step it stands for."""
    (scenario,) = read_text("file.yaml", changed("A: roll", f"A: {step}"))
    assert scenario.steps[0].action == sent


def test_a_deal_may_have_immunity_and_a_loan() -> None:
    """Free visits by square, and money that is lent."""
    step = "{offer: {id: t1, to: B, give: {immunity: {31: 3}}, take: {loan: 500}}}"
    (scenario,) = read_text("file.yaml", changed("A: roll", f"A: {step}"))
    action = scenario.steps[0].action
    assert isinstance(action, Deal)
    assert (action.terms.give_immunity, action.terms.take_loan) == ([Immunity(31, 3)], 500)


def test_chance_is_written_in_the_order_of_use() -> None:
    """Single dice, deeds, amounts, squares, and who is drawn by lot."""
    script = "dice: [[1, 2], [4]]\ndeal: [1, 3]\nchance: {amount: [750], square: [24], seat: [B]}"
    (scenario,) = read_text("file.yaml", changed("dice: [[1, 2]]", script))
    assert scenario.script == Script([(1, 2), (4, 0)], [], [1, 3], [750], [24], [1])


POSITIONS = {
    "elapsed: 90m": ("elapsed_ms", 5_400_000),
    "pots: {charity_fund: 50, parking: 100}": ("pots", [100, 0, 50]),
    "A: {skip_turns: 1}": ("skip_turns", [1, 0]),
    "B: {reverse: true}": ("reverse", [0, 1]),
}


@pytest.mark.parametrize("given", POSITIONS)
def test_a_position_says_what_other_rule_sets_have(given: str) -> None:
    """Time, pots, lost turns and reversed moves are part of a position."""
    (scenario,) = read_text("file.yaml", changed("A: {at: 0}", given))
    assert scenario.given is not None
    name, value = POSITIONS[given]
    assert getattr(scenario.given.position, name) == value


def test_loans_and_passes_stand_in_a_position_where_the_rule_set_has_them() -> None:
    """What players lent each other is listed; a rule set without loans has none in a position."""
    options = "ruleset: {base: classic, options: {trade.loans: true, trade.immunity: true}}"
    given = """
  loans: [{from: A, to: B, amount: 5, due_round: 9}]
  lots: {31: {owner: B}}
  passes: [{seat: A, lot: 31, visits: 2}]"""
    text = changed("given: {A: {at: 0}}", f"{options}\ngiven:{given}")
    (scenario,) = read_text("file.yaml", text)
    assert scenario.given is not None
    position = scenario.given.position
    assert position.loans == [OpenLoan(0, 1, 5, 9)]
    assert position.passes == [LotPass(31, 1, 0, 2)]
    assert "nobody lends" in fault(changed("A: {at: 0}", "A: {loan: 100}")).reason
