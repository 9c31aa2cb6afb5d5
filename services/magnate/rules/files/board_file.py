"""A board file becomes a Board; whatever does not fit is a DataError that names file, line, key and reason.

Some things stand twice in a file (index, group size, house cost, mortgage, deck size, board size): they are
checked against each other, so that a lost line or a slip of the finger is found where it was made.
"""

from typing import Final

from magnate.rules.board import (
    CARD,
    FREE_PARKING,
    GO,
    GO_TO_JAIL,
    JAIL,
    RAILROAD,
    SQUARES_MAX,
    STREET,
    TAX,
    UTILITY,
    Board,
)
from magnate.rules.board_parts import NO_LIMIT, BoardHead, Card, Deck, Group, Square
from magnate.rules.effects import EFFECT_MOVE_NEAREST, EFFECT_MOVE_TO, Effect
from magnate.rules.files.card_file import read_effect
from magnate.rules.files.reading import Reader

MONEY_MAX: Final = 10**12
"""Far below 2**62 even when every amount of a game is added up."""

KINDS: Final[dict[str, int]] = {
    "go": GO,
    "street": STREET,
    "railroad": RAILROAD,
    "utility": UTILITY,
    "tax": TAX,
    "card": CARD,
    "jail": JAIL,
    "free_parking": FREE_PARKING,
    "go_to_jail": GO_TO_JAIL,
}

_STREET_RENTS: Final = 6
_LOT_FIELDS: Final = {"group", "price", "mortgage"}
_FIELDS: Final[dict[int, set[str]]] = {
    STREET: _LOT_FIELDS | {"rents", "house_cost"},
    RAILROAD: _LOT_FIELDS | {"rents"},
    UTILITY: _LOT_FIELDS | {"dice_multipliers"},
    TAX: {"amount"},
    CARD: {"deck"},
}
_TOP: Final = {
    "id", "title", "ruleset", "currency", "board_size", "players", "start_money", "go", "jail", "supply",
    "groups", "squares", "decks",
}  # fmt: skip


def read_board(root: Reader) -> Board:
    """The board of one file."""
    top = root.fields(_TOP)
    size = top["board_size"].whole(1, SQUARES_MAX)
    names, groups, sizes = _read_groups(top["groups"])
    decks = _read_decks(top["decks"], size)
    deck_names = [deck.name for deck in decks]
    nodes = top["squares"].items()
    squares = [_read_square(node, i, names, groups, sizes, deck_names) for i, node in enumerate(nodes)]
    if len(squares) != size:
        raise top["squares"].error(f"has {len(squares)} squares, board_size says {size}")
    _check_corners(top["squares"], squares)
    _check_groups(top["groups"], squares, sizes)
    _check_decks(top["decks"], squares, decks)
    return Board(_read_head(top), groups, squares, decks)


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
        go_salary=top["go"].fields({"salary"})["salary"].whole(0, MONEY_MAX),
        jail_fine=top["jail"].fields({"fine"})["fine"].whole(1, MONEY_MAX),
        supply_houses=_read_supply(supply["houses"]),
        supply_hotels=_read_supply(supply["hotels"]),
    )


def _read_supply(node: Reader) -> int:
    return NO_LIMIT if node.is_null() else node.whole(0, 1000)


def _read_groups(root: Reader) -> tuple[list[str], list[Group], list[int]]:
    names: list[str] = []
    groups: list[Group] = []
    sizes: list[int] = []
    for name, node in root.entries().items():
        fields = node.fields({"size"}, {"house_cost"})
        names.append(name)
        sizes.append(fields["size"].whole(1, SQUARES_MAX))
        cost = fields["house_cost"].whole(1, MONEY_MAX) if "house_cost" in fields else 0
        groups.append(Group(name, cost))
    return names, groups, sizes


def _read_square(
    root: Reader, index: int, names: list[str], groups: list[Group], sizes: list[int], decks: list[str]
) -> Square:
    found = root.entries()
    if "type" not in found:
        raise root.error("is missing", "type")
    kind = found["type"].word(KINDS)
    fields = root.fields({"index", "type", "name"} | _FIELDS.get(kind, set()))
    if fields["index"].whole(0, SQUARES_MAX) != index:
        raise fields["index"].error(f"must be {index}: squares are listed in order without gaps")
    square = Square(kind, fields["name"].text())
    if kind == TAX:
        square.tax = fields["amount"].whole(1, MONEY_MAX)
    elif kind == CARD:
        square.deck = fields["deck"].word({name: i for i, name in enumerate(decks)})
    elif kind in {STREET, RAILROAD, UTILITY}:
        square.group = fields["group"].word({name: i for i, name in enumerate(names)})
        _read_lot(square, fields, groups[square.group], sizes[square.group])
    return square


def _read_lot(square: Square, fields: dict[str, Reader], group: Group, size: int) -> None:
    square.price = fields["price"].whole(2, MONEY_MAX)
    square.mortgage = fields["mortgage"].whole(1, MONEY_MAX)
    if square.mortgage * 2 != square.price:
        raise fields["mortgage"].error(f"must be half the price, which is {square.price}")
    rents = fields["dice_multipliers" if square.kind == UTILITY else "rents"]
    square.rents = [node.whole(1, MONEY_MAX) for node in rents.items()]
    expected = _STREET_RENTS if square.kind == STREET else size
    if len(square.rents) != expected:
        raise rents.error(f"must have {expected} entries, has {len(square.rents)}")
    for lower, higher in zip(square.rents, square.rents[1:], strict=False):
        if higher <= lower:
            raise rents.error(f"must rise: {higher} follows {lower}")
    if square.kind == STREET:
        cost = fields["house_cost"].whole(1, MONEY_MAX)
        if cost != group.house_cost:
            raise fields["house_cost"].error(f"must be {group.house_cost} as in its group {group.name}")


def _read_decks(root: Reader, size: int) -> list[Deck]:
    entries = root.entries()
    indices = {name: i for i, name in enumerate(entries)}
    seen: set[str] = set()
    decks: list[Deck] = []
    for name, node in entries.items():
        fields = node.fields({"size", "cards"})
        cards: list[Card] = []
        for card in fields["cards"].items():
            parts = card.fields({"id", "text", "effect"})
            card_id = parts["id"].text()
            if card_id in seen:
                raise parts["id"].error(f"{card_id} is the id of another card of this board")
            seen.add(card_id)
            cards.append(Card(card_id, parts["text"].text(), [read_effect(parts["effect"], size, indices)]))
        if len(cards) != fields["size"].whole(1, 1000):
            raise fields["cards"].error(f"has {len(cards)} cards, size says otherwise")
        decks.append(Deck(name, cards))
    return decks


def _check_corners(root: Reader, squares: list[Square]) -> None:
    kinds = [square.kind for square in squares]
    if kinds[0] != GO:
        raise root.error("must begin with the go square")
    if kinds.count(GO) != 1:
        raise root.error("must have one go square only")
    if kinds.count(JAIL) != 1:
        raise root.error(f"must have one jail square, has {kinds.count(JAIL)}")


def _check_groups(root: Reader, squares: list[Square], sizes: list[int]) -> None:
    for index, node in enumerate(root.entries().values()):
        kinds = [square.kind for square in squares if square.group == index]
        if len(kinds) != sizes[index]:
            raise node.error(f"size is {sizes[index]}, but {len(kinds)} squares belong to it")
        if len(set(kinds)) != 1:
            raise node.error("mixes streets, railroads and utilities")
        builds = "house_cost" in node.entries()
        if builds != (kinds[0] == STREET):
            raise node.error("must have a house_cost if it is of streets, and only then")


def _check_decks(root: Reader, squares: list[Square], decks: list[Deck]) -> None:
    kinds = {square.kind for square in squares}
    targets = {square.deck for square in squares if square.kind == CARD}
    for deck in decks:
        for card in deck.cards:
            for effect in flattened(card.effects):
                targets.add(effect.deck)
                if effect.kind == EFFECT_MOVE_NEAREST and effect.lot_kind not in kinds:
                    raise root.error(
                        f"{card.id} moves to a kind of square that is not on the board", deck.name
                    )
                if effect.kind == EFFECT_MOVE_TO and squares[effect.square].kind == GO_TO_JAIL:
                    raise root.error(
                        f"{card.id} moves to go_to_jail; the effect go_to_jail says so", deck.name
                    )
    for index, deck in enumerate(decks):
        if index not in targets:
            raise root.error("is never drawn from", deck.name)


def flattened(effects: list[Effect]) -> list[Effect]:
    """The effects and the options inside them."""
    return [one for effect in effects for one in [effect, *effect.options]]
