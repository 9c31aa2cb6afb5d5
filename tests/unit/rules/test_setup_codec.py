"""Boards and rule sets through protobuf and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.game.setup_codec import (
    SetupDamagedError,
    decode_board,
    decode_ruleset,
    encode_board,
    encode_ruleset,
    option_infos,
)
from magnate.game.vocabulary_codec import UnknownKindError
from magnate.rules import board as squares
from magnate.rules import effects
from magnate.rules.board import Board
from magnate.rules.board_parts import NO_LIMIT, BoardHead, Group, Square
from magnate.rules.loader import board_ids, find_ruleset, load_board, load_ruleset
from magnate.rules.options_table import OPTIONS
from magnate.rules.ruleset import RuleSet
from magnate.rules.v1 import setup_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("board_id", board_ids())
def test_a_board_comes_back_as_it_was(board_id: str) -> None:
    """Stored and read, it is the same in every word and has the same hash."""
    board = load_board(board_id)
    stored = encode_board(board).SerializeToString(deterministic=True)
    back = decode_board(pb.Board.FromString(stored))
    assert back.canonical() == board.canonical()
    assert back.content_hash == board.content_hash
    assert (back.members, back.rents, back.deck, back.lots_mask) == (
        board.members,
        board.rents,
        board.deck,
        board.lots_mask,
    )
    assert encode_board(back).SerializeToString(deterministic=True) == stored


def test_a_supply_without_end_comes_back() -> None:
    """No limit is not the same as none."""
    head = BoardHead("tiny", "Tiny", "classic", "$", 1, "$", 1, 2, 4, 100, 0, 5, NO_LIMIT, 0)
    street = Square(squares.STREET, "Lane", group=0, price=20, rents=[1, 2, 3, 4, 5, 6], mortgage=10)
    board = Board(
        head, [Group("brown", 5)], [Square(squares.GO, "GO"), street, Square(squares.JAIL, "Jail")], []
    )
    back = decode_board(encode_board(board))
    assert (back.supply_houses, back.supply_hotels) == (NO_LIMIT, 0)


@pytest.mark.parametrize("house", [{}, {"jail.landing_detains": True, "auction.close_seconds": 30}])
def test_a_rule_set_comes_back_as_it_was(house: dict[str, bool | int | str]) -> None:
    """Every option, the house rules by name, and the hash."""
    rules = find_ruleset("classic", house)
    assert isinstance(rules, RuleSet)
    back = decode_ruleset(pb.RuleSet.FromString(encode_ruleset(rules).SerializeToString()))
    assert back.values == rules.values
    assert back.house_rules == rules.house_rules
    assert (back.id, back.version, back.title, back.board) == (
        rules.id,
        rules.version,
        rules.title,
        rules.board,
    )
    assert back.content_hash == rules.content_hash


def test_an_option_an_old_log_does_not_mention_has_its_default() -> None:
    """A new option changes neither the rules nor the hash of a game begun before it was there."""
    rules = load_ruleset("classic")
    message = encode_ruleset(rules)
    said = {
        option.name for option, value in zip(OPTIONS, rules.values, strict=True) if value != option.default
    }
    assert said == {"build.shortage", "table.balances_public"}
    known = [one for one in message.options if one.name in said]
    del message.options[:]
    message.options.extend(known)
    assert decode_ruleset(message).content_hash == rules.content_hash


def test_kinds_have_the_same_numbers_in_code_and_store() -> None:
    """The constants of the rules are the numbers of the enums, by name."""
    for name, number in pb.SquareKind.items():
        if number:
            assert getattr(squares, name.removeprefix("SQUARE_KIND_")) == number
    for word, kind in pb.EffectKind.items():
        if kind:
            assert getattr(effects, "EFFECT_" + word.removeprefix("EFFECT_KIND_")) == kind
    for word, scope in pb.EffectScope.items():
        if scope:
            assert getattr(effects, word.removeprefix("EFFECT_")) == scope


def spoil_square(message: pb.Board) -> None:
    """A kind of square that only a later build knows."""
    message.squares[1].kind = pb.SquareKind.ValueType(99)


def spoil_effect(message: pb.Board) -> None:
    """A kind of effect that only a later build knows."""
    message.decks[0].cards[0].effects[0].kind = pb.EffectKind.ValueType(99)


def spoil_scope(message: pb.Board) -> None:
    """A scope of rent levels that only a later build knows."""
    message.decks[0].cards[0].effects[0].scope = pb.EffectScope.ValueType(99)


def spoil_pot(message: pb.Board) -> None:
    """A pot that only a later build knows."""
    message.decks[0].cards[0].effects[0].pot = -9


@pytest.mark.parametrize("spoil", [spoil_square, spoil_effect, spoil_scope, spoil_pot])
def test_a_board_of_a_later_build_is_not_guessed_at(spoil: Callable[[pb.Board], None]) -> None:
    """What this build does not know, it does not fold."""
    message = encode_board(load_board("classic-us"))
    spoil(message)
    with pytest.raises(UnknownKindError):
        decode_board(message)


def spoil_price(message: pb.Board) -> None:
    """One changed figure."""
    message.squares[39].price += 1


def spoil_groups(message: pb.Board) -> None:
    """A group nobody belongs to."""
    message.groups.add().name = "empty"


def spoil_jail(message: pb.Board) -> None:
    """No jail."""
    message.squares[10].kind = pb.SQUARE_KIND_FREE_PARKING


def spoil_everything(message: pb.Board) -> None:
    """No squares."""
    message.ClearField("squares")


def spoil_side(message: pb.Board) -> None:
    """A side with a square that is not on the board."""
    message.sides.add().lots.append(99)


@pytest.mark.parametrize("spoil", [spoil_price, spoil_groups, spoil_jail, spoil_everything, spoil_side])
def test_a_damaged_board_is_noticed(spoil: Callable[[pb.Board], None]) -> None:
    """It no longer has the hash it was stored with, or does not fit together at all."""
    message = encode_board(load_board("classic-us"))
    spoil(message)
    with pytest.raises(SetupDamagedError, match="classic-us"):
        decode_board(message)


@pytest.mark.parametrize(("name", "word"), [("build.undreamt", "x"), ("jail.attempts", "undreamt")])
def test_a_rule_set_of_a_later_build_is_not_guessed_at(name: str, word: str) -> None:
    """An unknown option, an unknown word: the log is newer than the build."""
    message = encode_ruleset(load_ruleset("classic"))
    entry = message.options.add()
    entry.name = name
    entry.word = word
    with pytest.raises(UnknownKindError, match=name):
        decode_ruleset(message)


def test_an_option_without_a_value_is_not_guessed_at() -> None:
    """A value of a form that is not known here is no value."""
    message = encode_ruleset(load_ruleset("classic"))
    message.options.add().name = "build.even"
    with pytest.raises(UnknownKindError, match=r"build\.even"):
        decode_ruleset(message)


def test_a_damaged_rule_set_is_noticed() -> None:
    """One changed option and the hash no longer fits."""
    message = encode_ruleset(load_ruleset("classic"))
    next(entry for entry in message.options if entry.name == "build.even").truth = False
    with pytest.raises(SetupDamagedError, match="classic"):
        decode_ruleset(message)


def test_every_option_is_described_for_clients() -> None:
    """Name, help, default and what it may be, in the order of the table."""
    infos = option_infos()
    assert [info.name for info in infos] == [option.name for option in OPTIONS]
    by_name = {info.name: info for info in infos}
    seconds = by_name["auction.close_seconds"]
    assert (seconds.minimum, seconds.maximum, seconds.default_value.number) == (1, 600, 10)
    assert [value.word for value in by_name["jail.attempts"].values] == ["per_turn", "same_turn"]
    assert not by_name["auction.mode"].supported  # all of its values are
    assert [value.truth for value in by_name["build.even"].values] == [False, True]
    assert all(info.help and info.rows for info in infos)
