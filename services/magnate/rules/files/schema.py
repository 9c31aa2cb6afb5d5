"""JSON Schemas of rule set and board files, for editors: made from the option table and the reader's tables.

A schema says what each key may be. What the parts of a file must be to each other (sizes, sums, names that
lead to something) only the reader judges; `magnate rules check` runs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from magnate.rules.board import CARD, RAILROAD, SQUARES_MAX, STREET, TAX, UTILITY
from magnate.rules.effects import EFFECT_CHOOSE_ONE, EFFECT_MOVE_NEAREST
from magnate.rules.files import board_file, effect_file, extras_file
from magnate.rules.options import BOOL, ENUM, Option
from magnate.rules.options_table import OPTIONS
from magnate.rules.state import CARDS_PER_DECK_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from magnate.rules.files.effect_file import Key, Word

Schema: TypeAlias = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
MONEY_MAX: Final = extras_file.MONEY_MAX
ID: Final[Schema] = {"type": "string", "pattern": "^[a-z][a-z0-9-]{0,39}$"}
TEXT: Final[Schema] = {"type": "string", "maxLength": 100, "pattern": r"\S"}
TRUTH: Final[Schema] = {"type": "boolean"}


def ruleset_schema() -> Schema:
    """Of a rule set file."""
    return {
        "$schema": DIALECT,
        "title": "A rule set: a base, and what is played differently",
        **_mapping(
            {
                "id": _said(ID, "The name of the file."),
                "version": _said(_whole(1, 10**6), "Raised whenever the file changes."),
                "title": TEXT,
                "base": _said(ID, "The id of another rule set, or none."),
                "board": _said(ID, "The board that is played on when none is named."),
                "options": _mapping({}, {option.name: _option(option) for option in OPTIONS}),
            }
        ),
    }


def board_schema() -> Schema:
    """Of a board file: a whole board, or what a variant of another one (`base`) has different."""
    known = _top_keys()
    return {
        "$schema": DIALECT,
        "title": "A board: squares, prices, cards and amounts",
        "$defs": {
            "square": _by_type(board_file.KINDS, _square_of),
            "effect": _by_type(effect_file.EFFECTS, lambda word: _effect_of(word, effect_file.EFFECTS[word])),
            "option": _by_type(
                effect_file.OPTION_WORDS, lambda word: _effect_of(word, effect_file.EFFECTS[word])
            ),
        },
        "type": "object",
        "properties": known,
        "additionalProperties": False,
        "if": {"required": ["base"]},
        "then": {
            "required": ["base", "id", "title"],
            "properties": {"board_size": False, "groups": False},
        },
        "else": {"required": sorted(board_file.TOP)},
    }


def _top_keys() -> dict[str, Schema]:
    return {
        "id": _said(ID, "The name of the file."),
        "title": TEXT,
        "base": _said(ID, "The board of which this is a variant: only what is different is said."),
        "ruleset": _said(ID, "What is played on it when nothing is said."),
        "currency": _mapping(
            {"unit": TEXT, "scale": _whole(1, 10**9), "display": TEXT, "rounding": _whole(1, 10**6)}
        ),
        "board_size": _whole(1, SQUARES_MAX),
        "players": _mapping({"min": _whole(2, 8), "max": _whole(2, 8)}),
        "start_money": _money(),
        "go": _mapping({"salary": _money(0)}, {"landing_bonus": _money()}),
        "jail": _mapping({"fine": _money()}),
        "supply": _mapping({"houses": _supply(), "hotels": _supply()}),
        "groups": _named(_mapping({"size": _whole(1, SQUARES_MAX)}, {"house_cost": _money(), "title": TEXT})),
        "squares": {"type": "array", "items": {"$ref": "#/$defs/square"}, "maxItems": SQUARES_MAX},
        "decks": _named(
            _mapping({"size": _whole(1, CARDS_PER_DECK_MAX), "cards": {"type": "array", "items": _card()}})
        ),
        "confidence": _named({"enum": list(extras_file.CONFIDENCE)}),
        "start_notes": _list(
            {"type": "array", "prefixItems": [_money(), _whole(1, 1000)], "items": False, "minItems": 2}
        ),
        **_extras(),
    }


def _extras() -> dict[str, Schema]:
    square = _square_number()
    return {
        "location": _mapping({"fee": _money()}),
        "auction": _mapping({"step": _money()}),
        "loan": _mapping({"amount": _money()}),
        "pots": _mapping({}, {"parking": _money(0), "jackpot": _money(0), "charity_fund": _money(0)}),
        "black_business": _mapping({"moves_to": square, "fine": _money()}),
        "sides": _list(_list(square)),
        "time_rules": _list(
            _mapping(
                {"minute": _whole(1, extras_file.MINUTES_MAX)},
                {"start_bonus": TRUTH, "rent_tax_percent": _whole(0, 100)},
            )
            | {"minProperties": 2}
        ),
        "jackpot_numbers": _mapping(
            {"bet": _money(), "faces": _whole(2, extras_file.DIE_FACES), "payouts": _list(_money())}
        ),
        "jackpot_machine": _mapping(
            {
                "bet": _money(),
                "symbols": _list(TEXT),
                "reels": _list(_list(TEXT, extras_file.DIE_FACES, extras_file.DIE_FACES))
                | {"minItems": 1, "maxItems": extras_file.COLUMNS_MAX},
                "wins": _list(_mapping({"combination": _list(TEXT), "prize": _prize()}))
                | {"minItems": 1, "maxItems": extras_file.WINS_MAX},
            }
        ),
    }


def _prize() -> Schema:
    desk = _mapping({"desk": {"const": "all"}, "at_least": _money(0), "refill": _money(0)})
    return {"if": {"type": "object"}, "then": desk, "else": _money()}


def _card() -> Schema:
    return _mapping({"id": TEXT, "text": TEXT, "effect": {"$ref": "#/$defs/effect"}})


def _square_of(word: str) -> Schema:
    """The keys of one type of square, beside `type`."""
    kind = board_file.KINDS[word]
    required, optional = board_file.KEYS.get(kind, (set(), set()))
    values: dict[str, Schema] = {
        "group": TEXT,
        "price": _money(2),
        "mortgage": _said(_money(), "Half the price."),
        "rents": _rents(board_file.STREET_RENTS_MIN, board_file.STREET_RENTS_MAX)
        if kind == STREET
        else _rents(1, SQUARES_MAX),
        "rent_levels": _rents(board_file.RENT_LEVELS, board_file.RENT_LEVELS),
        "house_cost": _said(_money(), "That of its group."),
        "dice_multipliers": _rents(1, SQUARES_MAX),
        "amount": _money(),
        "alternative": _mapping({"type": {"const": "percent_of_net_worth"}, "percent": _whole(1, 100)}),
        "deck": TEXT,
    }
    assert kind in (STREET, RAILROAD, UTILITY, TAX, CARD) or not required | optional
    schema = _mapping(
        {"index": _square_number(), "type": {"const": word}, "name": TEXT}
        | {key: values[key] for key in required},
        {key: values[key] for key in optional},
    )
    if kind == STREET:
        schema["if"] = {"required": ["rent_levels"]}
        schema["then"] = {"properties": {"rents": False, "house_cost": False}}
        schema["else"] = {"required": ["rents", "house_cost"]}
    return schema


def _effect_of(name: str, word: Word) -> Schema:
    """The keys of one word of the effect vocabulary."""
    tag: dict[str, Schema] = {"type": {"const": name}}
    if word.kind == EFFECT_CHOOSE_ONE:
        return _mapping(tag | {"options": _list({"$ref": "#/$defs/option"}, 2)})
    required = {key: _key(entry) for key, entry in word.required.items()}
    optional = {key: _key(entry) for key, entry in word.optional.items()}
    if word.kind != EFFECT_MOVE_NEAREST:
        return _mapping(tag | required, optional)
    schema = _mapping(tag | required, optional)
    schema["allOf"] = []
    for kind, number in effect_file.NEAREST.items():
        needed, allowed = effect_file.MULTIPLIED.get(number, (set(), set()))
        unfit = {key: False for key in word.optional if key not in needed | allowed}
        then = {"required": sorted(needed), "properties": unfit}
        schema["allOf"].append({"if": {"properties": {"kind": {"const": kind}}}, "then": then})
    return schema


def _key(key: Key) -> Schema:
    if key.kind == effect_file.TRUTH:
        return TRUTH
    if key.kind == effect_file.WORD:
        return {"enum": list(key.words or {})}
    if key.kind == effect_file.DECK:
        return TEXT
    if key.kind == effect_file.SQUARE:
        return _square_number()
    return _whole(key.low, key.high)


def _option(option: Option) -> Schema:
    said = f"{option.help} (Rows {option.rows})"
    if option.supported:
        values: Schema = {"enum": [option.written(value) for value in option.supported]}
    elif option.kind == BOOL:
        values = TRUTH
    elif option.kind == ENUM:
        values = {"enum": [word for word in option.values if word]}
    else:
        values = _whole(option.minimum, option.maximum)
    return {**values, "default": option.written(option.default), "description": said}


def _by_type(words: Iterable[str], schema_of: Callable[[str], Schema]) -> Schema:
    """A mapping whose `type` says which other keys it has."""
    names = list(words)
    return {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"enum": names}},
        "allOf": [
            {"if": {"properties": {"type": {"const": name}}, "required": ["type"]}, "then": schema_of(name)}
            for name in names
        ],
    }


def _mapping(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    return {
        "type": "object",
        "required": sorted(required),
        "properties": required | (optional or {}),
        "additionalProperties": False,
    }


def _named(schema: Schema) -> Schema:
    return {"type": "object", "additionalProperties": schema}


def _list(schema: Schema, fewest: int = 0, most: int = 0) -> Schema:
    bounds = ({"minItems": fewest} if fewest else {}) | ({"maxItems": most} if most else {})
    return {"type": "array", "items": schema, **bounds}


def _rents(fewest: int, most: int) -> Schema:
    return _list(_money(), fewest, most)


def _whole(low: int, high: int) -> Schema:
    return {"type": "integer", "minimum": low, "maximum": high}


def _money(low: int = 1) -> Schema:
    return _whole(low, MONEY_MAX)


def _square_number() -> Schema:
    return _whole(0, SQUARES_MAX - 1)


def _supply() -> Schema:
    return {**_whole(0, 1000), "type": ["integer", "null"], "description": "null: the bank never runs out."}


def _said(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}
