"""The runner notices what does not come out as a file says, and the exit code of the command tells."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from magnate.cli.scenario import run_local, run_scenarios
from magnate.cli.scenario.drive_local import LocalDriver
from magnate.cli.scenario.read import read_text
from magnate.cli.scenario.run import run_scenario

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.cli.scenario.driver import Live, Refusal
    from magnate.rules.v1 import vocabulary_pb2

LANDING = """
scenario: landing
players: [A, B]
given: {A: {at: 25}, lots: {31: {owner: B}}}
dice: [[2, 4]]
do:
  - A: roll
    events: [TokenMoved, RentCharged]
    pays: [{from: A, to: B, amount: 26}]
expect: {A: {cash: 1474, at: 31}, phase: act, turn: A, auction: null, debts: [], legal: {A: [end_turn]}}
"""


def failures(old: str, new: str) -> list[str]:
    """Return what fails after one thing is changed."""
    assert old in LANDING
    (scenario,) = read_text("file.yaml", LANDING.replace(old, new))
    return run_local(scenario)


def test_what_is_right_passes() -> None:
    """The example of this module comes out as it says."""
    (scenario,) = read_text("file.yaml", LANDING)
    assert run_local(scenario) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("amount: 26", "amount: 27", "pays [A -> B 26], must be [A -> B 27]"),
        ("pays: [{from: A, to: B, amount: 26}]", "pays: []", "pays [A -> B 26]"),
        ("[TokenMoved, RentCharged]", "[RentCharged, TokenMoved]", "lacks event TokenMoved"),
        ("[TokenMoved, RentCharged]", "[LotOffered]", "lacks event LotOffered"),
        ("cash: 1474", "cash: 1500", "expect.A.cash: is 1474, must be 1500"),
        ("at: 31}", "at: 30}", "expect.A.at"),
        ("phase: act", "phase: buy", "expect.phase: is act, must be buy"),
        ("turn: A,", "turn: B,", "expect.turn: is A, must be B"),
        ("auction: null", "auction: {lot: 31}", "expect.auction.lot"),
        ("debts: []", "debts: [{from: A, to: B, amount: 1}]", "expect.debts"),
        ("legal: {A: [end_turn]}", "legal: {A: [buy]}", "buy is not legal"),
        ("legal: {A: [end_turn]}", "not_legal: {A: [end_turn]}", "end_turn is legal"),
        ("legal: {A: [end_turn]}", "ranking: [A, B]", "expect.ranking"),
        ("legal: {A: [end_turn]}", "bank: {houses: 3}", "expect.bank.houses: is 32"),
    ],
)
def test_what_is_wrong_is_found(old: str, new: str, says: str) -> None:
    """Each kind of expectation can fail, and says what was found."""
    assert any(says in failure for failure in failures(old, new)), failures(old, new)


def test_an_unexpected_refusal_stops_the_scenario() -> None:
    """What follows would only hide the cause."""
    (only,) = failures("- A: roll", "- A: buy")
    assert "step 1 (A: buy): was refused with WRONG_PHASE" in only


def test_a_step_that_should_be_refused_and_is_not() -> None:
    """Acceptance is a failure too."""
    text = LANDING.replace(
        "    events: [TokenMoved, RentCharged]\n    pays: [{from: A, to: B, amount: 26}]",
        "    rejected: NOT_YOUR_TURN",
    )
    (scenario,) = read_text("file.yaml", text)
    (only,) = run_local(scenario)
    assert "was accepted, must be refused with NOT_YOUR_TURN" in only


def test_another_refusal_than_expected_is_a_failure() -> None:
    """The name is the promise, not the fact of refusing."""
    text = LANDING.replace("do:", "do:\n  - B: roll\n    rejected: WRONG_PHASE")
    (scenario,) = read_text("file.yaml", text)
    assert any("was refused with NOT_YOUR_TURN, must be WRONG_PHASE" in one for one in run_local(scenario))


def test_dice_that_run_out_are_a_refusal() -> None:
    """A script that is too short is named."""
    (only,) = failures("dice: [[2, 4]]", "dice: []")
    assert "SANDBOX_EXHAUSTED" in only


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 all came out, 1 one did not, 2 a file is malformed; JSON is one object a line."""
    good, bad, broken = tmp_path / "good.yaml", tmp_path / "bad.yaml", tmp_path / "broken.yaml"
    good.write_text(LANDING)
    bad.write_text(LANDING.replace("cash: 1474", "cash: 1"))
    broken.write_text(LANDING.replace("dice:", "dices:"))
    assert run_scenarios([good], "", json_mode=True) == 0
    assert json.loads(capsys.readouterr().out) == {
        "file": str(good),
        "scenario": "landing",
        "ruleset": "classic",
        "ok": True,
        "failures": [],
    }
    assert run_scenarios([good, bad], "", json_mode=True) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["ok"] for line in lines] == [True, False]
    assert "expect.A.cash" in lines[1]["failures"][0]
    assert run_scenarios([good, broken], "", json_mode=False) == 2
    complaint = capsys.readouterr().err
    assert str(broken) in complaint
    assert "'landing'" in complaint
    assert "dices" in complaint


def test_one_line_for_each_rule_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario of several rule sets runs on each; one can be chosen, and one that is not there is said."""
    both = tmp_path / "both.yaml"
    both.write_text(LANDING.replace("players:", "rulesets: [classic, short]\nplayers:"))
    assert run_scenarios([both], "", json_mode=True) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["scenario"], line["ruleset"]) for line in lines] == [
        ("landing [classic]", "classic"),
        ("landing [short]", "short"),
    ]
    assert run_scenarios([both], "", rulesets=["short"], json_mode=False) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 of 1 scenarios came out as they must"
    assert run_scenarios([both], "", rulesets=["timed"], json_mode=False) == 2
    assert "timed" in capsys.readouterr().err


def test_a_missing_file_is_malformed(tmp_path: Path) -> None:
    """A file that is not there is a usage error."""
    assert run_scenarios([tmp_path / "none.yaml"], "", json_mode=False) == 2


class ATick(LocalDriver):
    """A table at which a clock appends just when the log has been read and the live state has not."""

    ticks = False

    async def act(self, seat: int, command: vocabulary_pb2.Command) -> Refusal | None:
        """Have a deadline fire after this."""
        self.ticks = True
        return await super().act(seat, command)

    async def live(self) -> Live:
        """Let it fire first."""
        if self.ticks:
            self.ticks = False
            await self.wait(1_000)
        return await super().live()


OFFER = """
scenario: an offer that nobody answers
ruleset:
  base: classic
  options: {timers.roll_seconds: 90, timers.deal_seconds: 1, timers.expiry: default_action}
players: [A, B]
given: {clocks: on, A: {at: 16}}
do:
  - A: {offer: {id: t1, to: B, give: {cash: 5}}}
    events: [OfferMade, OfferClosed]
"""


def test_a_clock_that_appends_between_two_reads_is_no_failure() -> None:
    """Log and live state are compared at one version."""
    (scenario,) = read_text("file.yaml", OFFER)
    assert asyncio.run(run_scenario(scenario, ATick)) == []
