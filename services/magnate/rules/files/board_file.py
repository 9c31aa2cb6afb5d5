"""A board file becomes a Board; whatever does not fit is a DataError that names file, line, key and reason.

Some things stand twice in a file (index, group size, house cost, mortgage, deck size, board size): they are
checked against each other, so that a lost line or a slip of the finger is found where it was made.

A variant of another board has `base` and says only what is different: any key as a whole, but single squares
and single decks.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from magnate.rules import board as kinds
from magnate.rules.board import CARD, RAILROAD, SQUARES_MAX, STREET, TAX, UTILITY, Board
from magnate.rules.board_parts import NO_LIMIT, BoardHead, Deck, Group, Square
from magnate.rules.files.board_checks import Parts, check_parts
from magnate.rules.files.card_file import read_decks
from magnate.rules.files.extras_file import (
    EXTRAS,
    MONEY_MAX,
    check_confidence,
    check_notes,
    read_extras,
)
from magnate.rules.files.reading import Faults, Reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.rules.board_extras import BoardExtras

KINDS: Final[dict[str, int]] = {
    "go": kinds.GO,
    "street": STREET,
    "railroad": RAILROAD,
    "utility": UTILITY,
    "tax": TAX,
    "card": CARD,
    "jail": kinds.JAIL,
    "free_parking": kinds.FREE_PARKING,
    "go_to_jail": kinds.GO_TO_JAIL,
    "location": kinds.LOCATION,
    "jackpot": kinds.JACKPOT,
    "black_business": kinds.BLACK_BUSINESS,
    "white_business": kinds.WHITE_BUSINESS,
    "charity_fund": kinds.CHARITY_FUND,
}

STREET_RENTS_MIN: Final = 4
STREET_RENTS_MAX: Final = 7
RENT_LEVELS: Final = 5

_LOT_KEYS: Final = {"group", "price"}
KEYS: Final[dict[int, tuple[set[str], set[str]]]] = {
    STREET: (_LOT_KEYS, {"rents", "house_cost", "rent_levels", "mortgage"}),
    RAILROAD: (_LOT_KEYS | {"rents"}, {"mortgage"}),
    UTILITY: (_LOT_KEYS | {"dice_multipliers"}, {"mortgage"}),
    TAX: ({"amount"}, {"alternative"}),
    CARD: ({"deck"}, set()),
}
"""Beside index, type and name: the keys a square of this kind has, and those it may have."""

TOP: Final = {
    "id", "title", "ruleset", "currency", "board_size", "players", "start_money", "go", "jail", "supply",
    "groups", "squares", "decks",
}  # fmt: skip
NOTES: Final = {"confidence", "start_notes"}
"""Keys of a file that its reader checks and that are no part of the board."""


class Source(NamedTuple):
    """The parts of a board, wherever they stand: in its own file or in that of its base."""

    top: dict[str, Reader]
    squares: list[Reader]
    decks: dict[str, Reader]


def read_board(root: Reader, find_base: Callable[[Reader], Reader] | None = None) -> Board:
    """The board of one file; `find_base` opens the file of the board that `base` names."""
    source = _source(root, find_base)
    top = source.top
    faults = Faults()
    size = faults.read(lambda: top["board_size"].whole(1, SQUARES_MAX)) or 0
    head = faults.read(partial(_read_head, top))
    extras = faults.read(partial(read_extras, top))
    groups = faults.read(partial(_read_groups, top["groups"]))
    if "confidence" in top:
        faults.read(partial(check_confidence, root))
    faults.done()
    assert head is not None
    assert extras is not None
    assert groups is not None
    decks = faults.read(partial(read_decks, source.decks, size)) or [Deck(name, []) for name in source.decks]
    context = _Context(groups, decks, extras)
    squares: list[Square] = []
    for index, node in enumerate(source.squares):
        square = faults.read(partial(_read_square, node, index, context))
        if square is not None:
            squares.append(square)
    faults.done()
    if len(squares) != size:
        raise top["squares"].error(f"has {len(squares)} squares, board_size says {size}")
    if "start_notes" in top:
        faults.read(lambda: check_notes(top["start_notes"], head.start_money))
    head.extras = extras
    check_parts(faults, Parts(top, source.squares, squares, groups.groups, groups.sizes, decks, extras))
    faults.done()
    return Board(head, groups.groups, squares, decks)


class _Groups(NamedTuple):
    names: dict[str, int]
    groups: list[Group]
    sizes: list[int]


class _Context(NamedTuple):
    """What a square is read against."""

    groups: _Groups
    decks: list[Deck]
    extras: BoardExtras


def _source(root: Reader, find_base: Callable[[Reader], Reader] | None) -> Source:
    found = root.entries()
    if "base" not in found:
        top = root.fields(TOP, EXTRAS | NOTES)
        return Source(top, top["squares"].items(), top["decks"].entries())
    own = root.fields({"id", "title", "base"}, (TOP | EXTRAS | NOTES) - {"board_size", "groups"})
    if find_base is None:
        raise own["base"].error("cannot be followed here")
    base = find_base(own["base"])
    if "base" in base.entries():
        raise own["base"].error("is a variant itself; name the board that it is a variant of")
    whole = base.fields(TOP, EXTRAS | NOTES)
    whole.pop("confidence", None)
    squares, decks = whole["squares"].items(), whole["decks"].entries()
    if "squares" in own:
        for node in own["squares"].items():
            entries = node.entries()
            if "index" not in entries:
                raise node.error("is missing", "index")
            squares[entries["index"].whole(0, len(squares) - 1)] = node
    if "decks" in own:
        for name, node in own["decks"].entries().items():
            if name not in decks:
                raise node.error(f"takes the place of no deck; there are {', '.join(decks)}")
            decks[name] = node
    return Source({**whole, **own}, squares, decks)


def _read_head(top: dict[str, Reader]) -> BoardHead:
    currency = top["currency"].fields({"unit", "scale", "display", "rounding"})
    players = top["players"].fields({"min", "max"})
    supply = top["supply"].fields({"houses", "hotels"})
    fewest = players["min"].whole(2, 8)
    return BoardHead(
        board_id=top["id"].text(),
        title=top["title"].text(),
        ruleset=top["ruleset"].text(),
        currency_unit=currency["unit"].text(),
        currency_scale=currency["scale"].whole(1, 10**9),
        currency_display=currency["display"].text(),
        currency_rounding=currency["rounding"].whole(1, 10**6),
        players_min=fewest,
        players_max=players["max"].whole(fewest, 8),
        start_money=top["start_money"].whole(1, MONEY_MAX),
        go_salary=top["go"].fields({"salary"}, {"landing_bonus"})["salary"].whole(0, MONEY_MAX),
        jail_fine=top["jail"].fields({"fine"})["fine"].whole(1, MONEY_MAX),
        supply_houses=_read_supply(supply["houses"]),
        supply_hotels=_read_supply(supply["hotels"]),
    )


def _read_supply(node: Reader) -> int:
    return NO_LIMIT if node.is_null() else node.whole(0, 1000)


def _read_groups(root: Reader) -> _Groups:
    found = _Groups({}, [], [])
    for name, node in root.entries().items():
        fields = node.fields({"size"}, {"house_cost", "title"})
        cost = fields["house_cost"].whole(1, MONEY_MAX) if "house_cost" in fields else 0
        title = fields["title"].text() if "title" in fields else ""
        found.names[name] = len(found.groups)
        found.groups.append(Group(name, cost, title))
        found.sizes.append(fields["size"].whole(1, SQUARES_MAX))
    return found


def _read_square(root: Reader, index: int, context: _Context) -> Square:
    found = root.entries()
    if "type" not in found:
        raise root.error("is missing", "type")
    kind = found["type"].word(KINDS)
    required, optional = KEYS.get(kind, (set(), set()))
    fields = root.fields({"index", "type", "name"} | required, optional)
    if fields["index"].whole(0, SQUARES_MAX) != index:
        raise fields["index"].error(f"must be {index}: squares are listed in order without gaps")
    square = Square(kind, fields["name"].text())
    if kind == TAX:
        square.tax = fields["amount"].whole(1, MONEY_MAX)
        if "alternative" in fields:
            alternative = fields["alternative"].fields({"type", "percent"})
            alternative["type"].word({"percent_of_net_worth": 1})
            square.tax_percent = alternative["percent"].whole(1, 100)
    elif kind == CARD:
        square.deck = fields["deck"].word({deck.name: i for i, deck in enumerate(context.decks)})
    elif kind in {STREET, RAILROAD, UTILITY}:
        square.group = fields["group"].word(context.groups.names)
        _read_lot(root, square, fields, context)
    return square


def _read_lot(root: Reader, square: Square, fields: dict[str, Reader], context: _Context) -> None:
    square.price = fields["price"].whole(2, MONEY_MAX)
    if "mortgage" in fields:
        square.mortgage = fields["mortgage"].whole(1, MONEY_MAX)
        if square.mortgage * 2 != square.price:
            raise fields["mortgage"].error(f"must be half the price, which is {square.price}")
    if square.kind == STREET:
        _read_street(root, square, fields, context)
        return
    rents = fields["dice_multipliers" if square.kind == UTILITY else "rents"]
    size = context.groups.sizes[square.group]
    square.rents = _read_rents(rents, size, size)


def _read_street(root: Reader, square: Square, fields: dict[str, Reader], context: _Context) -> None:
    """Rents by buildings with a cost, or rent levels without; a board has one or the other."""
    group = context.groups.groups[square.group]
    if "rent_levels" in fields:
        for key in ("rents", "house_cost"):
            if key in fields:
                raise fields[key].error("stands beside rent_levels")
        square.rents = _read_rents(fields["rent_levels"], RENT_LEVELS, RENT_LEVELS)
        context.extras.rent_levels = RENT_LEVELS
        return
    for key in ("rents", "house_cost"):
        if key not in fields:
            raise root.error("is missing", key)
    square.rents = _read_rents(fields["rents"], STREET_RENTS_MIN, STREET_RENTS_MAX)
    cost = fields["house_cost"].whole(1, MONEY_MAX)
    if cost != group.house_cost:
        raise fields["house_cost"].error(f"must be {group.house_cost} as in its group {group.name}")


def _read_rents(root: Reader, fewest: int, most: int) -> list[int]:
    rents = [node.whole(1, MONEY_MAX) for node in root.items()]
    if not fewest <= len(rents) <= most:
        wanted = str(most) if fewest == most else f"{fewest} to {most}"
        raise root.error(f"must have {wanted} entries, has {len(rents)}")
    for lower, higher in pairwise(rents):
        if higher <= lower:
            raise root.error(f"must rise: {higher} follows {lower}")
    return rents
