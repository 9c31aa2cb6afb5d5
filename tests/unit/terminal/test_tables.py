"""What units with card slots do, from tables: what the box says, every refusal, slips, editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from magnate.bank.terminal.edition import ONE_SLOT, TWO_SLOT
from magnate.rules.rejections import REJECTIONS
from tests.support.refusals import given_by
from tests.support.terminals import Case, play, read_cases

HERE = Path(__file__).parent
BOX = read_cases(HERE / "box_english.yaml", HERE / "box_russian.yaml")
OTHERS = read_cases(*(HERE / f"{name}.yaml" for name in ("refusals", "slips", "editions")))
CARD_MODULES = ("cards", "entry", "one_slot", "two_slot")


def name_of(case: Case) -> str:
    """Name a table by its file and what it shows."""
    return f"{case.file}: {case.name}"


@pytest.mark.parametrize("case", BOX, ids=name_of)
def test_a_unit_does_what_its_box_says(case: Case) -> None:
    """Row 87: each sentence of the box about the unit, key by key."""
    play(case)


@pytest.mark.parametrize("case", OTHERS, ids=name_of)
def test_a_unit_does_what_the_table_says(case: Case) -> None:
    """Refusals, slips and editions, key by key."""
    play(case)


def test_every_file_of_tables_is_read() -> None:
    """A table that nobody plays proves nothing."""
    assert {case.file for case in BOX + OTHERS} == {path.stem for path in HERE.glob("*.yaml")}


def test_every_refusal_of_the_units_has_a_table() -> None:
    """A refusal that a unit can give is seen on its display in some table."""
    given = given_by(*(f"bank/terminal/{module}.py" for module in CARD_MODULES))
    seen = {word for case in OTHERS for line in case.steps for word in line.split() if word in REJECTIONS}
    assert seen == given


@pytest.mark.parametrize("unit", [TWO_SLOT, ONE_SLOT])
def test_a_wrong_table_fails(unit: str) -> None:
    """The tables can fail: by the display, by the sound, by a payment more or less."""
    for line in (
        "C -> balance ; key",
        "C -> idle ; card",
        "C -> idle ; key ; bank>0 1 go",
        ("left" if unit == TWO_SLOT else "card") + "=0 arrow -> booked 17M @0 ; booked",
        "balances 1 2 3",
        "slots 5 5",
    ):
        with pytest.raises(AssertionError, match="wrong"):
            play(Case("none", "wrong", unit, [line]))
