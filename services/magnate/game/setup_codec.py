"""Boards and rule sets to and from their protobuf messages: for the first commit of a game, and for the API.

Decoding trusts nothing: a kind, an option or a word that this build does not know means that the log is
newer than the build (UnknownKindError); content that does not have the hash it carries is damaged
(SetupDamagedError). Folding either way would play another game than the one that was recorded.
"""

from __future__ import annotations

from typing import Final

from magnate.game.setup_effects import get_effect, put_effect
from magnate.game.setup_extras import get_extras, put_extras
from magnate.game.vocabulary_codec import UnknownKindError
from magnate.rules import board as squares
from magnate.rules.board import Board
from magnate.rules.board_parts import NO_LIMIT, NONE, BoardHead, Card, Deck, Group, Square
from magnate.rules.options import BOOL, ENUM, INT, Option, Written, parse
from magnate.rules.options_table import BY_NAME, OPTIONS
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import RuleSet
from magnate.rules.v1 import setup_pb2 as pb

_SQUARE_KINDS: Final = range(squares.GO, squares.CHARITY_FUND + 1)


class SetupDamagedError(Exception):
    """A stored board or rule set does not fit together, or not with the hash stored beside it."""


def encode_board(board: Board) -> pb.Board:
    """The board as a message."""
    message = pb.Board()
    _put_head(board.head, message)
    for group in board.groups:
        put = message.groups.add()
        put.name = group.name
        put.house_cost = group.house_cost
        put.title = group.title
    for square in board.squares:
        _put_square(square, message.squares.add())
    for deck in board.decks:
        stored = message.decks.add()
        stored.name = deck.name
        for card in deck.cards:
            _put_card(card, stored.cards.add())
    message.content_hash = board.content_hash
    return message


def decode_board(message: pb.Board) -> Board:
    """The board of a message; UnknownKindError, SetupDamagedError."""
    groups = [Group(group.name, group.house_cost, group.title) for group in message.groups]
    parts = [_get_square(square) for square in message.squares]
    decks = [Deck(deck.name, [_get_card(card) for card in deck.cards]) for deck in message.decks]
    kinds = [part.kind for part in parts]
    used = {part.group for part in parts if part.group != NONE}
    if (
        not 0 < len(parts) <= squares.SQUARES_MAX
        or squares.JAIL not in kinds
        or used != set(range(len(groups)))
        or any(not 0 <= lot < len(parts) for side in message.sides for lot in side.lots)
    ):
        raise SetupDamagedError(f"board {message.id!r}: squares and groups do not fit together")
    board = Board(_get_head(message), groups, parts, decks)
    _check_hash("board", message.id, message.content_hash, board.content_hash)
    return board


def encode_ruleset(rules: RuleSet) -> pb.RuleSet:
    """The rule set as a message, every option named with its value."""
    message = pb.RuleSet()
    message.id = rules.id
    message.version = rules.version
    message.title = rules.title
    message.board_id = rules.board
    message.house_rules.extend(rules.house_rules)
    for option, value in zip(OPTIONS, rules.values, strict=True):
        _put_value(option, value, message.options.add())
    message.content_hash = rules.content_hash
    return message


def decode_ruleset(message: pb.RuleSet) -> RuleSet:
    """The rule set of a message, with the default of every option it does not name.

    UnknownKindError also for a value this build does not play; SetupDamagedError.
    """
    found: dict[str, int] = {}
    for entry in message.options:
        option = BY_NAME.get(entry.name)
        if option is None:
            raise UnknownKindError(f"rule set {message.id!r}: option {entry.name!r}")
        value = parse(option, _get_written(entry))
        if isinstance(value, Rejection):
            raise UnknownKindError(f"rule set {message.id!r}: {value.detail}")
        if not option.supports(value):
            raise UnknownKindError(
                f"rule set {message.id!r}: {option.name} {option.text(value)} is not played"
            )
        found[option.name] = value
    values = [found.get(option.name, option.default) for option in OPTIONS]
    house = list(message.house_rules)
    rules = RuleSet(message.id, message.version, message.title, message.board_id, house, values)
    _check_hash("rule set", message.id, message.content_hash, rules.content_hash)
    return rules


def option_infos() -> list[pb.OptionInfo]:
    """Every option with what it may be, for those who offer house rules."""
    return [_option_info(option) for option in OPTIONS]


def _option_info(option: Option) -> pb.OptionInfo:
    message = pb.OptionInfo()
    message.name = option.name
    message.help = option.help
    message.rows = option.rows
    _put_value(option, option.default, message.default_value)
    if option.kind == INT:
        message.minimum = option.minimum
        message.maximum = option.maximum
    else:
        for value in range(option.minimum, option.maximum + 1):
            if option.kind == BOOL or option.values[value]:
                _put_value(option, value, message.values.add())
    for value in option.supported:
        _put_value(option, value, message.supported.add())
    return message


def _put_value(option: Option, value: int, message: pb.OptionValue) -> None:
    message.name = option.name
    if option.kind == BOOL:
        message.truth = value == 1
    elif option.kind == ENUM:
        message.word = option.values[value]
    else:
        message.number = value


def _get_written(message: pb.OptionValue) -> Written | None:
    kind = message.WhichOneof("value")
    if kind == "truth":
        return message.truth
    if kind == "number":
        return message.number
    return message.word if kind == "word" else None


def _put_head(head: BoardHead, message: pb.Board) -> None:
    message.id = head.board_id
    message.title = head.title
    message.ruleset_id = head.ruleset
    message.currency.unit = head.currency_unit
    message.currency.scale = head.currency_scale
    message.currency.display = head.currency_display
    message.currency.rounding = head.currency_rounding
    message.players_min = head.players_min
    message.players_max = head.players_max
    message.start_money = head.start_money
    message.go_salary = head.go_salary
    message.jail_fine = head.jail_fine
    if head.supply_houses != NO_LIMIT:
        message.supply_houses = head.supply_houses
    if head.supply_hotels != NO_LIMIT:
        message.supply_hotels = head.supply_hotels
    put_extras(head.extras, message)


def _get_head(message: pb.Board) -> BoardHead:
    return BoardHead(
        board_id=message.id,
        title=message.title,
        ruleset=message.ruleset_id,
        currency_unit=message.currency.unit,
        currency_scale=message.currency.scale,
        currency_display=message.currency.display,
        currency_rounding=message.currency.rounding,
        players_min=message.players_min,
        players_max=message.players_max,
        start_money=message.start_money,
        go_salary=message.go_salary,
        jail_fine=message.jail_fine,
        supply_houses=message.supply_houses if message.HasField("supply_houses") else NO_LIMIT,
        supply_hotels=message.supply_hotels if message.HasField("supply_hotels") else NO_LIMIT,
        extras=get_extras(message),
    )


def _put_square(square: Square, message: pb.Square) -> None:
    message.kind = pb.SquareKind.ValueType(square.kind)
    message.name = square.name
    if square.group != NONE:
        message.group = square.group
    message.price = square.price
    message.rents.extend(square.rents)
    message.mortgage = square.mortgage
    message.tax = square.tax
    if square.deck != NONE:
        message.deck = square.deck
    message.tax_percent = square.tax_percent


def _get_square(message: pb.Square) -> Square:
    if message.kind not in _SQUARE_KINDS:
        raise UnknownKindError(f"square kind {message.kind}")
    group = message.group if message.HasField("group") else NONE
    deck = message.deck if message.HasField("deck") else NONE
    rents = list(message.rents)
    return Square(
        message.kind,
        message.name,
        group,
        message.price,
        rents,
        message.mortgage,
        message.tax,
        deck,
        message.tax_percent,
    )


def _put_card(card: Card, message: pb.BoardCard) -> None:
    message.id = card.id
    message.text = card.text
    for effect in card.effects:
        put_effect(effect, message.effects.add())


def _get_card(message: pb.BoardCard) -> Card:
    return Card(message.id, message.text, [get_effect(effect) for effect in message.effects])


def _check_hash(what: str, setup_id: str, stored: str, computed: str) -> None:
    if stored != computed:
        raise SetupDamagedError(
            f"{what} {setup_id!r} has the hash {computed}, but {stored!r} is stored with it"
        )
