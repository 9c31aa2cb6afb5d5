"""Board files with what only some boards have: what comes out of good ones, and what is said about each slip."""

# ruff: noqa: E501 - one square a line as in the files, and one slip a line

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from magnate.rules import effects
from magnate.rules.board_parts import NO_LIMIT
from magnate.rules.decision import POT_CHARITY, POT_JACKPOT
from magnate.rules.files.board_file import read_board
from magnate.rules.files.effect_file import EFFECTS
from magnate.rules.files.reading import DataError, read_text
from magnate.rules.loader import load_board_file

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.rules.board import Board

BOARD = """\
id: odd
title: "A board with everything"
ruleset: classic
confidence: {"*": found, go.landing_bonus: recalled, "groups.*.house_cost": own design, "squares.3.amount": stated}
currency: {unit: "$", scale: 1, display: "$", rounding: 1}
board_size: 12
players: {min: 2, max: 4}
start_money: 500
start_notes: [[100, 4], [50, 2]]
go: {salary: 20, landing_bonus: 10}
jail: {fine: 5}
supply: {houses: 8, hotels: null}
location: {fee: 15}
auction: {step: 3}
pots: {parking: 1, jackpot: 2, charity_fund: 3}
black_business: {moves_to: 8, fine: 6}
loan: {amount: 70}
sides: [[1], [2, 5]]
time_rules:
  - {minute: 10, rent_tax_percent: 50}
  - {minute: 20, start_bonus: false}
jackpot_machine:
  bet: 5
  symbols: [bar, bell]
  reels: [[bar, bell, bar, bell, bar, bell], [bell, bar, bell, bar, bell, bar]]
  wins:
    - {combination: [bar, bar], prize: {desk: all, at_least: 9, refill: 2}}
    - {combination: [bell, any], prize: 8}
groups:
  brown: {size: 2, house_cost: 10, title: "Brown ones"}
  railroad: {size: 1}
squares:
  - {index: 0, type: go, name: "GO"}
  - {index: 1, type: street, name: "Low Lane", group: brown, price: 20, rents: [1, 2, 3, 4], house_cost: 10, mortgage: 10}
  - {index: 2, type: street, name: "High Road", group: brown, price: 20, rents: [1, 2, 3, 4, 5, 6, 7], house_cost: 10, mortgage: 10}
  - {index: 3, type: tax, name: "Tax", amount: 5, alternative: {type: percent_of_net_worth, percent: 10}}
  - {index: 4, type: jail, name: "Jail"}
  - {index: 5, type: railroad, name: "Line", group: railroad, price: 40, rents: [5], mortgage: 20}
  - {index: 6, type: card, name: "Luck", deck: luck}
  - {index: 7, type: location, name: "Anywhere"}
  - {index: 8, type: charity_fund, name: "Fund"}
  - {index: 9, type: black_business, name: "Black"}
  - {index: 10, type: jackpot, name: "Jackpot"}
  - {index: 11, type: go_to_jail, name: "Go to jail"}
decks:
  luck:
    size: 1
    cards:
      - {id: l1, text: "Luck", effect: {type: gain, amount: 5}}
"""

LEVELS = """\
id: odd
title: "A board with rent levels"
ruleset: classic
currency: {unit: "$", scale: 1, display: "$", rounding: 1}
board_size: 5
players: {min: 2, max: 4}
start_money: 500
go: {salary: 20}
jail: {fine: 5}
supply: {houses: 2, hotels: 0}
groups:
  brown: {size: 2}
squares:
  - {index: 0, type: go, name: "GO"}
  - {index: 1, type: street, name: "Low Lane", group: brown, price: 20, rent_levels: [1, 2, 3, 4, 5]}
  - {index: 2, type: street, name: "High Road", group: brown, price: 20, rent_levels: [1, 2, 3, 4, 6]}
  - {index: 3, type: jail, name: "Jail"}
  - {index: 4, type: card, name: "Luck", deck: luck}
decks:
  luck:
    size: 1
    cards:
      - {id: l1, text: "Luck", effect: {type: set_level, scope: own, level: 5}}
"""

VARIANT = """\
id: other
title: "Another one"
base: odd
start_money: 600
start_notes: [[100, 6]]
squares:
  - {index: 3, type: tax, name: "Higher tax", amount: 9}
decks:
  luck:
    size: 1
    cards:
      - {id: m1, text: "More luck", effect: {type: gain, amount: 9}}
"""


def board_of(tmp_path: Path, text: str, name: str = "odd") -> Board:
    """The board of a file with this text."""
    path = tmp_path / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return load_board_file(path)


def changed(text: str, old: str, new: str) -> str:
    """The text with one thing changed, which must be there once."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_everything_a_board_may_have_is_read(tmp_path: Path) -> None:
    """Every figure arrives where the rules look for it."""
    board = board_of(tmp_path, BOARD)
    assert (board.go_landing_bonus, board.location_fee, board.auction_step) == (10, 15, 3)
    assert (board.pot_parking, board.pot_jackpot, board.pot_charity) == (1, 2, 3)
    assert (board.black_business_to, board.black_business_fine, board.loan_amount) == (8, 6, 70)
    assert (board.sides, board.side[5], board.side[3]) == ([[1], [2, 5]], 1, -1)
    rules = [(rule.minute, rule.start_bonus, rule.rent_tax_percent) for rule in board.time_rules]
    assert rules == [(10, 1, 50), (20, 0, 50)]
    assert board.tax_percent[3] == 10
    assert board.groups[0].title == "Brown ones"
    assert (board.supply_houses, board.supply_hotels) == (8, NO_LIMIT)
    machine = board.jackpot_machine
    assert machine is not None
    assert machine.reels == [[0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0]]
    assert [(win.combination, win.amount, win.whole_desk) for win in machine.wins] == [
        ([0, 0], 0, 1),
        ([1, -1], 8, 0),
    ]


def test_a_board_without_any_of_it_has_the_defaults(tmp_path: Path) -> None:
    """No bonus, no fee, bids that rise by one, no pots, no jackpot."""
    board = board_of(tmp_path, LEVELS)
    assert (board.go_landing_bonus, board.location_fee, board.auction_step, board.loan_amount) == (0, 0, 1, 0)
    assert (board.pot_parking, board.pot_jackpot, board.pot_charity) == (0, 0, 0)
    assert (board.black_business_to, board.sides, board.time_rules) == (-1, [], [])
    assert board.jackpot_machine is None
    assert board.jackpot_numbers is None


def test_rent_levels_take_the_place_of_buildings(tmp_path: Path) -> None:
    """No house cost and no mortgage; the rents are the levels."""
    board = board_of(tmp_path, LEVELS)
    assert (board.rent_levels, board.rents[2]) == (5, [1, 2, 3, 4, 6])
    assert not any(board.mortgage_value)
    assert board.house_cost == [0]


def test_a_jackpot_of_numbers_is_read(tmp_path: Path) -> None:
    """The other kind of jackpot."""
    start, end = BOARD.index("jackpot_machine:"), BOARD.index("groups:")
    text = BOARD[:start] + "jackpot_numbers: {bet: 5, faces: 4, payouts: [20, 10]}\n" + BOARD[end:]
    numbers = board_of(tmp_path, text).jackpot_numbers
    assert numbers is not None
    assert (numbers.bet, numbers.faces, numbers.payouts) == (5, 4, [20, 10])


def test_a_variant_says_only_what_differs(tmp_path: Path) -> None:
    """A key as a whole, single squares and single decks; the rest is its base's."""
    base = board_of(tmp_path, BOARD)
    board = board_of(tmp_path, VARIANT, "other")
    assert (board.id, board.title, board.start_money) == ("other", "Another one", 600)
    assert (board.names[3], board.tax[3], board.tax_percent[3]) == ("Higher tax", 9, 0)
    assert [card.id for card in board.decks[0].cards] == ["m1"]
    assert (board.price, board.rents, board.loan_amount) == (base.price, base.rents, base.loan_amount)
    assert board.content_hash != base.content_hash


# What the card does, the board it stands on, and one attribute that shows that it was read.
CARDS = [
    ("{type: pay, amount: 5, to: charity_fund}", BOARD, "pot", POT_CHARITY),
    ("{type: pay, amount: 5, to: jackpot}", BOARD, "pot", POT_JACKPOT),
    ("{type: pay, amount: 5, to: bank}", BOARD, "pot", -1),
    ("{type: pay_player, amount: 5}", BOARD, "amount", 5),
    ("{type: both_gain, amount: 5}", BOARD, "amount", 5),
    ("{type: pay_per_property, amount: 5}", BOARD, "amount", 5),
    ("{type: gain_random, min: 10, max: 30, step: 5}", BOARD, "maximum", 30),
    ("{type: pay_random, min: 10, max: 30, step: 5}", BOARD, "step", 5),
    ("{type: all_move_to, square: 8, except_jailed: true, salary: false}", BOARD, "except_jailed", True),
    ("{type: goto_any_property, fee: 0}", BOARD, "amount", 0),
    ("{type: teleport_random}", BOARD, "salary", False),
    ("{type: send_to_jail}", BOARD, "kind", effects.EFFECT_SEND_TO_JAIL),
    ("{type: swap_property}", BOARD, "kind", effects.EFFECT_SWAP_PROPERTY),
    ("{type: skip_turn, turns: 2}", BOARD, "turns", 2),
    ("{type: reverse_next_move}", BOARD, "kind", effects.EFFECT_REVERSE_NEXT_MOVE),
    ("{type: rent_exemption, uses: 1}", BOARD, "uses", 1),
    ("{type: build_discount, percent: 50, uses: 1}", BOARD, "percent", 50),
    ("{type: move_nearest, kind: black_business, salary: false}", BOARD, "lot_kind", 12),
    ("{type: move_nearest, kind: card, deck: luck, salary: false}", BOARD, "deck", 0),
    ("{type: move_nearest, kind: card, salary: false}", BOARD, "deck", -1),
    ("{type: set_level, scope: any_owned, level: 1}", LEVELS, "scope", effects.SCOPE_ANY_OWNED),
    ("{type: change_level, scope: color_set, delta: -1}", LEVELS, "delta", -1),
    ("{type: change_level_and_neighbours, own_delta: 1, neighbour_delta: -1}", LEVELS, "neighbour_delta", -1),
    ("{type: rent_cap, level: 1, payments: 2}", LEVELS, "payments", 2),
]  # fmt: skip


@pytest.mark.parametrize(("card", "board", "attribute", "value"), CARDS)
def test_every_word_of_the_vocabulary_is_read(
    tmp_path: Path, card: str, board: str, attribute: str, value: int
) -> None:
    """The effect has the kind of its word and its figures."""
    text = board[: board.index("effect:")] + f"effect: {card}}}\n"
    (effect,) = board_of(tmp_path, text).decks[0].cards[0].effects
    word = card.removeprefix("{type: ").rstrip("}").partition(",")[0]
    assert effect.kind == EFFECTS[word].kind
    assert getattr(effect, attribute) == value


def test_all_kinds_of_effects_have_a_word() -> None:
    """Nothing of the vocabulary is only in the code or only in the files."""
    kinds = {value for name, value in vars(effects).items() if name.startswith("EFFECT_")}
    assert {word.kind for word in EFFECTS.values()} == kinds


# What is changed in the first board above, then key, reason, and the line counted from the top.
SLIPS = [
    ("go.landing_bonus: recalled", "go.landing_bonos: recalled", 4, "confidence.go.landing_bonos", "leads to nothing"),
    ("go.landing_bonus: recalled", "go.landing_bonus: guessed", 4, "confidence.go.landing_bonus", "'guessed' is unknown"),
    ("[50, 2]]", "[50, 1]]", 9, "start_notes", "come to 450"),
    ("[50, 2]]", "[50]]", 9, "start_notes[1]", "a value and a count"),
    ("landing_bonus: 10", "landing_bonus: 0", 10, "go.landing_bonus", "must be from 1"),
    ("location: {fee: 15}\n", "", 32, "squares", "location must be there"),
    ("location: {fee: 15}", "location: {fees: 15}", 13, "location.fees", "unknown key"),
    ("auction: {step: 3}", "auction: {step: 0}", 14, "auction.step", "must be from 1"),
    ("pots: {parking: 1", "pots: {park: 1", 15, "pots.park", "unknown key"),
    ("moves_to: 8", "moves_to: 7", 16, "black_business.moves_to", "charity_fund square"),
    ("black_business: {moves_to: 8, fine: 6}\n", "", 32, "squares", "black_business must be there"),
    ("sides: [[1], [2, 5]]", "sides: [[1], [2]]", 18, "sides", "every lot once"),
    ("sides: [[1], [2, 5]]", "sides: [[1, 2], [2, 5]]", 18, "sides", "every lot once"),
    ("{minute: 20, start_bonus: false}", "{minute: 10, start_bonus: false}", 21, "time_rules[1].minute", "must be from 11"),
    ("{minute: 20, start_bonus: false}", "{minute: 20}", 21, "time_rules[1]", "what changes"),
    ("start_bonus: false", "start_bonus: 0", 21, "time_rules[1].start_bonus", "true or false"),
    ("symbols: [bar, bell]", "symbols: [bar, bar]", 24, "jackpot_machine.symbols", "all be different"),
    ("[bar, bell, bar, bell, bar, bell]", "[bar, bell, bar, bell, bar]", 25, "jackpot_machine.reels", "lists of 6 symbols"),
    ("[bar, bell, bar, bell, bar, bell]", "[bar, bell, bar, bell, bar, plum]", 25, "jackpot_machine.reels[0][5]", "'plum' is unknown"),
    ("combination: [bell, any]", "combination: [bell]", 28, "jackpot_machine.wins[1].combination", "2 entries"),
    ("prize: 8", "prize: 0", 28, "jackpot_machine.wins[1].prize", "must be from 1"),
    ("desk: all", "desk: half", 27, "jackpot_machine.wins[0].prize.desk", "'half' is unknown"),
    ("jackpot_machine:", "jackpot_numbers: {bet: 1, faces: 6, payouts: [2]}\njackpot_machine:", 24, "jackpot_machine", "belong together"),
    ('{index: 10, type: jackpot, name: "Jackpot"}', '{index: 10, type: free_parking, name: "P"}', 23, "jackpot_machine", "belong together"),
    ("rents: [1, 2, 3, 4], house", "rents: [1, 2, 3], house", 34, "squares[1].rents", "4 to 7 entries"),
    ("rents: [1, 2, 3, 4], house_cost: 10, mortgage: 10", "rents: [1, 2, 3, 4], house_cost: 10", 34, "squares[1].mortgage", "other lots have one"),
    ("rents: [1, 2, 3, 4], house_cost: 10, ", "house_cost: 10, ", 34, "squares[1].rents", "is missing"),
    ("rents: [1, 2, 3, 4], ", "rents: [1, 2, 3, 4], rent_levels: [1, 2, 3, 4, 5], ", 34, "squares[1].rents", "stands beside"),
    ("rents: [1, 2, 3, 4], house_cost: 10,", "rent_levels: [1, 2, 3, 4, 5],", 30, "groups.brown", "no house_cost"),
    ("percent: 10}", "percent: 0}", 36, "squares[3].alternative.percent", "must be from 1"),
    ("type: percent_of_net_worth", "type: half", 36, "squares[3].alternative.type", "'half' is unknown"),
    ('name: "Anywhere"', 'name: "Anywhere", fee: 3', 40, "squares[7].fee", "unknown key"),
    ("{type: gain, amount: 5}", "{type: pay, amount: 5, to: us}", 49, "decks.luck.cards[0].effect.to", "'us' is unknown"),
    ("{type: gain, amount: 5}", "{type: gain_random, min: 5, max: 5, step: 1}", 49, "decks.luck.cards[0].effect.max", "above min"),
    ("{type: gain, amount: 5}", "{type: gain_random, min: 5, max: 8, step: 2}", 49, "decks.luck.cards[0].effect.step", "without a rest"),
    ("{type: gain, amount: 5}", "{type: set_level, scope: own, level: 1}", 46, "decks.luck", "which this board has not"),
    ("{type: gain, amount: 5}", "{type: set_level, scope: mine, level: 1}", 49, "decks.luck.cards[0].effect.scope", "'mine' is unknown"),
    ("{type: gain, amount: 5}", "{type: change_level, scope: own, delta: 0}", 49, "decks.luck.cards[0].effect.delta", "not be 0"),
    ("{type: gain, amount: 5}", "{type: move_nearest, kind: go_to_jail, salary: false}", 49, "decks.luck.cards[0].effect.kind", "is unknown"),
    ("{type: gain, amount: 5}", "{type: move_nearest, kind: utility, dice_multiplier: 2, reroll: true, salary: true}", 46, "decks.luck", "not on the board"),
    ("{type: gain, amount: 5}", "{type: move_nearest, kind: jackpot, deck: luck, salary: true}", 49, "decks.luck.cards[0].effect.deck", "unknown key"),
    ("{type: gain, amount: 5}", "{type: all_move_to, square: 11, except_jailed: true, salary: false}", 46, "decks.luck", "go_to_jail says so"),
    ("{type: gain, amount: 5}", "{type: skip_turn, turns: 0}", 49, "decks.luck.cards[0].effect.turns", "must be from 1"),
    ("size: 1\n    cards", "size: 65\n    cards", 47, "decks.luck.size", "from 1 to 64"),
    ("board_size: 12", "board_size: 12\nbase: odd", 6, "board_size", "unknown key"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "key", "reason"), SLIPS)
def test_a_slip_is_named_with_its_place(
    tmp_path: Path, old: str, new: str, line: int, key: str, reason: str
) -> None:
    """The error says which file, which line, which key, and why."""
    with pytest.raises(DataError) as caught:
        board_of(tmp_path, changed(BOARD, old, new))
    error = caught.value
    assert reason in error.reason
    assert (error.file, error.line, error.key) == ("odd.yaml", line, key)


LEVEL_SLIPS = [
    ("level: 5}", "level: 6}", 20, "decks.luck", "above 5"),
    ("scope: own, level: 5", "scope: board_side, level: 5", 20, "decks.luck", "sides says which"),
    ("[1, 2, 3, 4, 6]", "[1, 2, 3, 4]", 16, "squares[2].rent_levels", "must have 5 entries"),
    ("brown: {size: 2}", "brown: {size: 2, house_cost: 5}", 12, "groups.brown", "no house_cost"),
    ("{type: set_level, scope: own, level: 5}", "{type: pay, amount: 1, to: charity_fund}", 20, "decks.luck", "no square pays out"),
    ("{type: set_level, scope: own, level: 5}", "{type: pay, amount: 1, to: jackpot}", 20, "decks.luck", "no machine pays out"),
    ('{index: 3, type: jail, name: "Jail"}', '{index: 3, type: free_parking, name: "Park"}', 14, "squares", "has 0"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "key", "reason"), LEVEL_SLIPS)
def test_a_slip_on_a_board_with_levels_is_named(
    tmp_path: Path, old: str, new: str, line: int, key: str, reason: str
) -> None:
    """As above."""
    with pytest.raises(DataError) as caught:
        board_of(tmp_path, changed(LEVELS, old, new))
    error = caught.value
    assert reason in error.reason
    assert (error.line, error.key) == (line, key)


VARIANT_SLIPS = [
    ("base: odd", "base: nowhere", 3, "base", "no other board 'nowhere'"),
    ("base: odd", "base: other", 3, "base", "no other board 'other'"),
    ("base: odd", "base: ../odd", 3, "base", "no other board"),
    ("index: 3", "index: 12", 7, "squares[0].index", "must be from 0 to 11"),
    ("{index: 3, ", "{", 7, "squares[0].index", "is missing"),
    ("  luck:", "  fate:", 10, "decks.fate", "takes the place of no deck"),
    ("start_money: 600", "board_size: 12", 4, "board_size", "unknown key"),
    ("amount: 9}\ndecks", "amount: 0}\ndecks", 7, "squares[0].amount", "must be from 1"),
    ("[[100, 6]]", "[[100, 5]]", 5, "start_notes", "come to 500"),
]


@pytest.mark.parametrize(("old", "new", "line", "key", "reason"), VARIANT_SLIPS)
def test_a_slip_in_a_variant_is_named_in_its_own_file(
    tmp_path: Path, old: str, new: str, line: int, key: str, reason: str
) -> None:
    """Also where it only shows together with the base."""
    board_of(tmp_path, BOARD)
    with pytest.raises(DataError) as caught:
        board_of(tmp_path, changed(VARIANT, old, new), "other")
    error = caught.value
    assert reason in error.reason
    assert (error.file, error.line, error.key) == ("other.yaml", line, key)


def test_a_variant_of_a_variant_is_refused(tmp_path: Path) -> None:
    """One step, so that a reader of the file finds the rest in one place."""
    board_of(tmp_path, BOARD)
    board_of(tmp_path, VARIANT, "other")
    with pytest.raises(DataError, match="is a variant itself"):
        board_of(
            tmp_path, VARIANT.replace("id: other", "id: third").replace("base: odd", "base: other"), "third"
        )


def test_all_faults_of_a_file_are_named_at_once(tmp_path: Path) -> None:
    """Two squares and a figure are wrong: whoever mends the file sees all of it."""
    text = changed(BOARD, "type: location", "type: place")
    text = changed(text, "type: charity_fund", "type: fund")
    with pytest.raises(DataError) as caught:
        board_of(tmp_path, text)
    assert [error.key for error in caught.value.every()] == ["squares[7].type", "squares[8].type"]


MANGLED: list[Any] = [None, True, 0, -1, 65, 10**20, 1.5, "", "any", [], {}, [[]], {"a": 1}]


def mangled(node: Any, chance: random.Random) -> None:
    """Change one thing somewhere below a mapping or a list, in place."""
    while True:
        place = chance.choice(list(node) if isinstance(node, dict) else list(range(len(node))))
        below = node[place]
        if isinstance(below, dict | list) and below and chance.random() < 0.8:
            node = below
        elif chance.random() < 0.3:
            del node[place]
            return
        else:
            node[place] = chance.choice(MANGLED)
            return


@pytest.mark.parametrize("seed", range(60))
def test_a_mangled_file_is_a_board_or_a_named_fault(seed: int) -> None:
    """Whatever stands where, the reader neither crashes nor takes long; it says what is wrong, or it is not."""
    chance = random.Random(seed)
    content = yaml.safe_load(chance.choice([BOARD, LEVELS]))
    mangled(content, chance)
    with contextlib.suppress(DataError):
        read_board(read_text("odd.yaml", yaml.safe_dump(content, sort_keys=False)))
