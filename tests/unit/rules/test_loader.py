"""Board and rule set files: what comes out of good ones, and what is said about each kind of slip."""

# ruff: noqa: E501 - one square a line as in the files, and one slip a line

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules.files.reading import FILE_BYTES_MAX, DataError
from magnate.rules.loader import (
    BOARDS,
    RULESETS,
    board_ids,
    find_board,
    find_ruleset,
    load_board,
    load_board_file,
    load_ruleset,
    load_ruleset_file,
    ruleset_ids,
)
from magnate.rules.options_table import BY_NAME
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.rules.board import Board

BOARD = """\
id: small
title: "A small board"
ruleset: classic
currency: {unit: "$", scale: 1, display: "$", rounding: 1}
board_size: 8
players: {min: 2, max: 4}
start_money: 500
go: {salary: 20}
jail: {fine: 5}
supply: {houses: 8, hotels: null}
groups:
  brown: {size: 2, house_cost: 10}
  railroad: {size: 1}
squares:
  - {index: 0, type: go, name: "GO"}
  - {index: 1, type: street, name: "Low Lane", group: brown, price: 20, rents: [1, 2, 3, 4, 5, 6], house_cost: 10, mortgage: 10}
  - {index: 2, type: tax, name: "Tax", amount: 5}
  - {index: 3, type: street, name: "High Road", group: brown, price: 20, rents: [1, 2, 3, 4, 5, 6], house_cost: 10, mortgage: 10}
  - {index: 4, type: jail, name: "Jail"}
  - {index: 5, type: railroad, name: "Line", group: railroad, price: 40, rents: [5], mortgage: 20}
  - {index: 6, type: card, name: "Luck", deck: luck}
  - {index: 7, type: go_to_jail, name: "Go to jail"}
decks:
  luck:
    size: 4
    cards:
      - {id: l1, text: "Gift", effect: {type: gain, amount: 5}}
      - {id: l2, text: "To the lane", effect: {type: move_to, square: 1, salary: true}}
      - {id: l3, text: "To the line", effect: {type: move_nearest, kind: railroad, rent_multiplier: 2, salary: true}}
      - {id: l4, text: "Choose", effect: {type: choose_one, options: [{type: pay, amount: 1}, {type: draw, deck: luck}]}}
"""

RULES = """\
id: strict
version: 3
title: "Strict"
base: none
board: classic-us
options:
  build.even: true
  auction.close_seconds: 15
"""


def board_of(tmp_path: Path, text: str, name: str = "small") -> Board:
    """The board of a file with this text."""
    path = tmp_path / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return load_board_file(path)


def rules_of(tmp_path: Path, text: str, name: str = "strict") -> RuleSet:
    """The rule set of a file with this text."""
    path = tmp_path / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return load_ruleset_file(path)


def changed(text: str, old: str, new: str) -> str:
    """The text with one thing changed, which must be there once."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_a_small_board_is_read(tmp_path: Path) -> None:
    """A board is data: another size, other groups, a supply without end."""
    board = board_of(tmp_path, BOARD)
    assert (board.size, board.lots, board.supply_hotels) == (8, [1, 3, 5], -1)
    assert [card.id for card in board.decks[0].cards] == ["l1", "l2", "l3", "l4"]


def test_all_files_of_the_package_are_read() -> None:
    """Every id that is listed loads, carries its own name, and names a rule set and a board that exist."""
    for board_id in board_ids():
        board = load_board(board_id)
        assert board.id == board_id
        assert board.ruleset in ruleset_ids()
    for ruleset_id in ruleset_ids():
        rules = load_ruleset(ruleset_id)
        assert rules.id == ruleset_id
        assert rules.board in board_ids()


# What is changed in the board above, then key, reason, and the line counted from the top.
SLIPS = [
    ("title:", "titel:", 2, "titel", "unknown key"),
    ('title: "A small board"\n', "", 1, "title", "is missing"),
    ("title: ", "id: ", 2, "id", "stands twice"),
    ("id: small", "id: Small!", 1, "id", "small letters"),
    ("id: small", "id: large", 1, "id", "the name of the file"),
    ("ruleset: classic", "ruleset: nowhere", 3, "ruleset", "no rule set"),
    ("scale: 1", "scale: 1.0", 4, "currency.scale", "whole number"),
    ("scale: 1", "scale: 0", 4, "currency.scale", "must be from 1"),
    ("scale: 1", "scale: 0x1", 4, "currency.scale", "plain digits"),
    ("scale: 1", 'scale: "1"', 4, "currency.scale", "whole number"),
    ("board_size: 8", "board_size: 9", 15, "squares", "board_size says 9"),
    ("board_size: 8", "board_size: 65", 5, "board_size", "from 1 to 64"),
    ("max: 4", "max: 1", 6, "players.max", "from 2 to 8"),
    ("start_money: 500", "start_money: 1_500", 7, "start_money", "plain digits"),
    ("start_money: 500", "start_money: 5e2", 7, "start_money", "whole number"),
    ("go: {salary: 20}", "go: 20", 8, "go", "must be a mapping"),
    ("houses: 8", "houses: eight", 10, "supply.houses", "whole number"),
    ("brown: {size: 2,", "brown: {size: 3,", 12, "groups.brown", "2 squares belong to it"),
    ("brown: {size: 2, house_cost: 10}", "brown: {size: 2}", 16, "squares[1].house_cost", "must be 0"),
    ("railroad: {size: 1}", "railroad: {size: 1, house_cost: 5}", 13, "groups.railroad", "only then"),
    ("railroad: {size: 1}", "railroad: {size: 2}", 20, "squares[5].rents", "must have 2 entries"),
    ("{index: 0, type: go,", "{index: 0, type: free_parking,", 15, "squares", "begin with the go square"),
    ("index: 2", "index: 3", 17, "squares[2].index", "must be 2"),
    ("type: tax", "type: levy", 17, "squares[2].type", "'levy' is unknown"),
    ("amount: 5}\n  - {index: 3", "amount: 5, price: 5}\n  - {index: 3", 17, "squares[2].price", "unknown key"),
    ('{index: 7, type: go_to_jail, name: "Go to jail"}', '{index: 7, type: go, name: "Go"}', 15, "squares", "one go"),
    ('{index: 7, type: go_to_jail, name: "Go to jail"}', '{index: 7, type: jail, name: "J"}', 15, "squares", "has 2"),
    ('"Low Lane", group: brown', '"Low Lane", group: green', 16, "squares[1].group", "'green' is unknown"),
    ('"Low Lane", group: brown', '"Low Lane", group: railroad', 16, "squares[1].house_cost", "must be 0"),
    ('name: "Tax"', 'name: ""', 17, "squares[2].name", "must not be empty"),
    ('name: "Tax"', 'name: "T\\u0007x"', 17, "squares[2].name", "cannot be printed"),
    ('name: "Tax"', f'name: "{"x" * 101}"', 17, "squares[2].name", "100 are allowed"),
    ("price: 40", "price: 50", 20, "squares[5].mortgage", "half the price"),
    ("rents: [5]", "rents: [0]", 20, "squares[5].rents[0]", "must be from 1"),
    ("deck: luck}\n  - {index: 7", "deck: fate}\n  - {index: 7", 21, "squares[6].deck", "'fate' is unknown"),
    ("size: 4", "size: 5", 27, "decks.luck.cards", "has 4 cards"),
    ("id: l2", "id: l1", 28, "decks.luck.cards[1].id", "another card"),
    ("type: gain", "type: win", 27, "decks.luck.cards[0].effect.type", "'win' is unknown"),
    ("{type: gain, amount: 5}", "{type: gain}", 27, "decks.luck.cards[0].effect.amount", "is missing"),
    ("{type: gain, amount: 5}", "{amount: 5}", 27, "decks.luck.cards[0].effect.type", "is missing"),
    ("{type: gain, amount: 5}", "{type: move_by, steps: 0}", 27, "decks.luck.cards[0].effect.steps", "not be 0"),
    ("{type: gain, amount: 5}", "{type: move_by, steps: 8}", 27, "decks.luck.cards[0].effect.steps", "-7 to 7"),
    (
        "{type: gain, amount: 5}",
        "{type: move_by, steps: -3, salary: true}",
        27,
        "decks.luck.cards[0].effect.salary",
        "backwards",
    ),
    ("square: 1", "square: 8", 28, "decks.luck.cards[1].effect.square", "not on the board"),
    ("square: 1", "square: 7", 24, "decks.luck", "go_to_jail says so"),
    ("square: 1", "square: 1, direction: back", 28, "decks.luck.cards[1].effect.salary", "backwards"),
    ("square: 1, salary: true", "square: 1, salary: yes", 28, "decks.luck.cards[1].effect.salary", "true or false"),
    ("kind: railroad, rent_multiplier: 2", "rent_multiplier: 2", 29, "decks.luck.cards[2].effect.kind", "missing"),
    ("kind: railroad, rent_mul", "kind: utility, rent_mul", 29, "decks.luck.cards[2].effect.rent_multiplier", "unknown"),
    (
        "kind: railroad, rent_multiplier: 2",
        "kind: utility, dice_multiplier: 9, reroll: true",
        24,
        "decks.luck",
        "not on the board",
    ),
    ("deck: luck}]", "deck: fate}]", 30, "decks.luck.cards[3].effect.options[1].deck", "'fate' is unknown"),
    ("{type: pay, amount: 1}", "{type: go_to_jail}", 30, "decks.luck.cards[3].effect.options[0].type", "be chosen"),
    ("{type: pay, amount: 1}, ", "", 30, "decks.luck.cards[3].effect.options", "at least two"),
    ("decks:\n", "decks:\n  other: {size: 1, cards: [{id: o, text: O, effect: {type: jail_free}}]}\n", 24, "decks.other", "never"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "key", "reason"), SLIPS)
def test_a_slip_is_named_with_its_place(
    tmp_path: Path, old: str, new: str, line: int, key: str, reason: str
) -> None:
    """The error says which file, which line, which key, and why; the old text is gone from the new one."""
    with pytest.raises(DataError) as caught:
        board_of(tmp_path, changed(BOARD, old, new))
    error = caught.value
    assert (error.file, error.line, error.key) == ("small.yaml", line, key)
    assert reason in error.reason
    assert str(error).startswith(f"small.yaml:{line}: {key}: ")


def test_rents_must_rise(tmp_path: Path) -> None:
    """A rent that is not above the one before it is a slip of the finger."""
    text = BOARD.replace("[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 3, 5, 6]")
    with pytest.raises(DataError, match="must rise: 3 follows 3"):
        board_of(tmp_path, text)


def test_a_lost_line_is_noticed(tmp_path: Path) -> None:
    """A square that is missing in the middle breaks the numbering where it was."""
    lines = BOARD.splitlines(keepends=True)
    with pytest.raises(DataError) as caught:
        board_of(tmp_path, "".join(lines[:16] + lines[17:]))
    assert (caught.value.line, caught.value.key) == (17, "squares[2].index")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "is empty"),
        (b"# nothing\n", "is empty"),
        (b"- 1\n", "must be a mapping"),
        (b"a: [1, 2\n", "expected ',' or"),
        (b"a: 1\n--- \nb: 2\n", "another document"),
        (b"a: \xff\n", "is not UTF-8"),
        (b"a: &x [*y]\n", "undefined alias"),
        (b"a: !!python/object:os.system {}\n", "unknown key"),
        (b"a: " + b"[" * 20_000, "nested too deeply"),
        (b"? [1]\n: 2\n", "must be a text"),
        (b"x" * (FILE_BYTES_MAX + 1), "are allowed"),
    ],
)
def test_what_is_no_board_at_all_is_refused(tmp_path: Path, raw: bytes, reason: str) -> None:
    """Empty, broken, hostile and oversized files give the same kind of error, and nothing is executed."""
    path = tmp_path / "small.yaml"
    path.write_bytes(raw)
    with pytest.raises(DataError, match=reason):
        load_board_file(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The path is in the error."""
    with pytest.raises(DataError, match=r"gone\.yaml: cannot be read"):
        load_board_file(tmp_path / "gone.yaml")


def test_a_rule_set_is_read(tmp_path: Path) -> None:
    """It has its own differences and the defaults for the rest."""
    rules = rules_of(tmp_path, RULES)
    assert (rules.id, rules.version, rules.title, rules.board) == ("strict", 3, "Strict", "classic-us")
    assert rules.auction_close_seconds == 15
    assert rules.auction_decliner_may_bid
    assert rules.house_rules == []


def test_a_rule_set_stands_on_its_base(tmp_path: Path) -> None:
    """Differences of the base come first, its own over them."""
    rules_of(tmp_path, RULES)
    text = RULES.replace("id: strict", "id: stricter").replace("base: none", "base: strict")
    rules = rules_of(tmp_path, text.replace("  auction.close_seconds: 15\n", ""), "stricter")
    assert (rules.id, rules.auction_close_seconds) == ("stricter", 15)


RULE_SLIPS = [
    ("version: 3", "version: three", 2, "version", "whole number"),
    ("base: none", "base: nowhere", 4, "base", "no rule set 'nowhere'"),
    ("base: none", "base: ../strict", 4, "base", "no rule set"),
    ("base: none", "base: strict", 4, "base", "strict -> strict"),
    ("board: classic-us", "board: nowhere", 5, "board", "no board"),
    ("build.even", "build.uneven", 7, "options.build.uneven", "known: build.even"),
    ("build.even", "whatever", 7, "options.whatever", "known: `magnate rules show classic` lists all"),
    ("build.even: true", "build.even: 1", 7, "options.build.even", "OPTION_INVALID"),
    ("build.even: true", "build.even: yes", 7, "options.build.even", "true or false"),
    ("build.even: true", "build.sell_percent: 0.5", 7, "options.build.sell_percent", "whole number"),
    ("build.even: true", "auction.enabled: false", 7, "options", "OPTION_CONFLICT"),
    ("build.even: true", "auction.close_seconds: 9", 8, "options.auction.close_seconds", "stands twice"),
    ("options:", "option:", 7, "option", "unknown key"),
]


@pytest.mark.parametrize(("old", "new", "line", "key", "reason"), RULE_SLIPS)
def test_a_slip_in_a_rule_set_is_named_with_its_place(
    tmp_path: Path, old: str, new: str, line: int, key: str, reason: str
) -> None:
    """As for boards: file, line, key, reason."""
    with pytest.raises(DataError) as caught:
        rules_of(tmp_path, changed(RULES, old, new))
    error = caught.value
    assert (error.file, error.line, error.key) == ("strict.yaml", line, key)
    assert reason in error.reason


def test_a_value_that_is_not_played_yet_is_no_rule_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused where it stands, rather than played as something else."""
    monkeypatch.setattr(BY_NAME["build.even"], "supported", [1])
    with pytest.raises(DataError, match=r"strict\.yaml:7: options\.build\.even: OPTION_NOT_SUPPORTED: false"):
        rules_of(tmp_path, changed(RULES, "build.even: true", "build.even: false"))


def test_bases_that_go_round_are_noticed(tmp_path: Path) -> None:
    """Two rule sets that stand on each other stand on nothing."""
    (tmp_path / "other.yaml").write_text(
        RULES.replace("id: strict", "id: other").replace("none", "strict"), encoding="utf-8"
    )
    with pytest.raises(DataError, match="strict -> other -> strict"):
        rules_of(tmp_path, RULES.replace("base: none", "base: other"))


def test_a_request_for_nothing_known_is_a_refusal() -> None:
    """An id from outside is looked up in the list, so no path can be smuggled in."""
    for unknown in ("", "nowhere", "../boards/classic-us", "x" * 10_000):
        board, rules = find_board(unknown), find_ruleset(unknown)
        assert isinstance(board, Rejection)
        assert board.name == "UNKNOWN_BOARD"
        assert isinstance(rules, Rejection)
        assert rules.name == "UNKNOWN_RULESET"
        assert len(board.detail) < 300
    with pytest.raises(DataError, match="no such board"):
        load_board("nowhere")
    with pytest.raises(DataError, match="no such rule set"):
        load_ruleset("nowhere")


def test_a_request_may_bring_house_rules() -> None:
    """Found with the house rules applied, or refused with the option named."""
    rules = find_ruleset("classic", {"jail.landing_detains": True})
    assert isinstance(rules, RuleSet)
    assert rules.jail_landing_detains
    assert find_ruleset("classic") is load_ruleset("classic")
    refused = find_ruleset("classic", {"auction.enabled": False})
    assert isinstance(refused, Rejection)
    assert refused.name == "OPTION_CONFLICT"


def test_data_files_carry_no_trademark() -> None:
    """The names of squares are data; the name of the game is somebody's."""
    for path in [*BOARDS.glob("*.yaml"), *RULESETS.glob("*.yaml")]:
        assert "monopoly" not in path.read_text(encoding="utf-8").lower()
