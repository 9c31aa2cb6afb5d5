"""Which rule sets can be played on which boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules import board as squares
from magnate.rules.board import Board
from magnate.rules.board_parts import BoardHead, Group, Square
from magnate.rules.files.reading import DataError
from magnate.rules.fit import misfit, refuse_misfit
from magnate.rules.loader import (
    board_ids,
    check_file,
    find_ruleset,
    load_board,
    load_ruleset,
    open_library,
    ruleset_ids,
)
from magnate.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from pathlib import Path

CLASSIC = ["classic-ru", "classic-uk", "classic-us", "classic-us-2021", "classic-us-pre-2008"]
STREETS = [*CLASSIC, "ebanking-uk", "ebanking-us", "online"]

# Where each rule set can be played; all its boards are tried.
FITS = {
    "classic": STREETS,
    "computer": STREETS,
    "e-banking": STREETS,
    "short": [*STREETS, "millionaire-classic"],
    "timed": STREETS,
    "ultimate-banking": ["ultimate-banking"],
    "online": ["online"],
    "millionaire": [*STREETS, "millionaire-classic"],
}


def house(ruleset: str, **options: bool | int | str) -> RuleSet:
    """A rule set with house rules, whose dots are written as two underscores."""
    rules = find_ruleset(ruleset, {name.replace("__", "."): value for name, value in options.items()})
    assert isinstance(rules, RuleSet), rules
    return rules


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_a_rule_set_fits_its_boards_and_no_others(ruleset: str) -> None:
    """Every pair is known: what may be opened, and what is refused."""
    rules = load_ruleset(ruleset)
    fits = [board for board in board_ids() if not misfit(load_board(board), rules)]
    assert fits == sorted(FITS[ruleset])


def test_every_board_fits_the_rule_set_it_names_and_back() -> None:
    """The default of either side can be played."""
    for board in map(load_board, board_ids()):
        assert misfit(board, load_ruleset(board.ruleset)) == ""
    for rules in map(load_ruleset, ruleset_ids()):
        assert misfit(load_board(rules.board), rules) == ""


@pytest.mark.parametrize(
    ("board", "rules", "option"),
    [
        ("classic-us", house("classic", build__when="at_purchase"), "build.when: at_purchase"),
        ("classic-us", house("classic", rent__level_rises_own=True), "rent.level_rises_own: true"),
        ("ultimate-banking", house("ultimate-banking", build__when="own_turn"), "build.when: own_turn"),
        ("ultimate-banking", house("ultimate-banking", mortgage__when="own_turn"), "mortgage.when: own_turn"),
        ("millionaire-classic", house("classic"), "build.houses_before_hotel: 4"),
        ("classic-us", house("classic", build__houses_before_hotel=5), "build.houses_before_hotel: 5"),
        ("classic-us", house("classic", tax__percent_choice=True), "tax.percent_choice: true"),
        ("online", house("online", parking__pot=True), "parking.pot: true"),
        ("classic-us", house("classic", time_rules__enabled=True), "time_rules.enabled: true"),
        ("classic-us", house("classic", loan__enabled=True), "loan.enabled: true"),
        ("classic-us", house("classic", deal_deeds=4), "deal_deeds: 4"),
    ],
)
def test_what_does_not_fit_is_named_with_its_board(board: str, rules: RuleSet, option: str) -> None:
    """The option, its value and the board are in the refusal, and why."""
    refused = refuse_misfit(load_board(board), rules)
    assert refused is not None
    assert refused.name == "OPTION_CONFLICT"
    assert refused.detail.startswith(f"{option} does not fit the board {board}: ")


def test_an_option_fits_where_the_board_has_what_it_is_about() -> None:
    """The same options on boards that have a share of the tax, free parking, few seats."""
    assert misfit(load_board("classic-us-pre-2008"), house("classic", tax__percent_choice=True)) == ""
    assert misfit(load_board("classic-us"), house("classic", parking__pot=True)) == ""
    assert misfit(load_board("classic-us"), house("classic", deal_deeds=4), seats=7) == ""
    assert misfit(load_board("millionaire-classic"), house("classic", build__houses_before_hotel=3)) == ""


def test_a_table_must_be_large_enough_for_its_board() -> None:
    """A board for four or more cannot be played by rules for two."""
    head = BoardHead("four", "Four", "classic", "$", 1, "$", 1, 4, 6, 100, 10, 5, 4, 1)
    street = Square(squares.STREET, "Lane", group=0, price=20, rents=[1, 2, 3, 4, 5, 6], mortgage=10)
    parts = [Square(squares.GO, "GO"), street, Square(squares.JAIL, "Jail")]
    board = Board(head, [Group("brown", 5)], parts, [])
    assert misfit(board, house("classic")) == ""
    assert misfit(board, house("classic", players__max=3)).startswith("players.max: 3 does not fit")


MISFIT_RULES = """\
id: levels
version: 1
title: "Levels on the classic board"
base: classic
board: classic-us
options: {build.when: at_purchase}
"""

MISFIT_BOARD = """\
id: taxed
title: "For rules with branches"
base: classic-us
ruleset: ultimate-banking
"""


@pytest.mark.parametrize(
    ("folder", "text", "line", "key"),
    [("rulesets", MISFIT_RULES, 5, "board"), ("boards", MISFIT_BOARD, 4, "ruleset")],
)
def test_own_files_must_fit_what_they_name(
    tmp_path: Path, folder: str, text: str, line: int, key: str
) -> None:
    """A rule set and its board, a board and its rule set: named with file, line and key."""
    name = text.partition("\n")[0].removeprefix("id: ")
    path = tmp_path / folder / f"{name}.yaml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    for reading in (lambda: check_file(path), lambda: open_library(tmp_path)):
        with pytest.raises(DataError, match=r"does not fit the board classic-us|rent levels") as caught:
            reading()
        assert (caught.value.file, caught.value.line, caught.value.key) == (str(path), line, key)
