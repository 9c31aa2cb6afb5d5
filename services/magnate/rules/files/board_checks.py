"""What the parts of a board must be to each other; each check names the place that has to change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from magnate.rules import board as kinds
from magnate.rules import effects
from magnate.rules.board_extras import NO_SQUARE
from magnate.rules.decision import POT_CHARITY, POT_JACKPOT

if TYPE_CHECKING:
    from magnate.rules.board_extras import BoardExtras
    from magnate.rules.board_parts import Deck, Group, Square
    from magnate.rules.effects import Effect
    from magnate.rules.files.reading import Faults, Reader

_LEVEL_EFFECTS: Final = {
    effects.EFFECT_SET_LEVEL,
    effects.EFFECT_CHANGE_LEVEL,
    effects.EFFECT_CHANGE_LEVEL_AND_NEIGHBOURS,
    effects.EFFECT_RENT_CAP,
}
_PLACES: Final = {effects.EFFECT_MOVE_TO, effects.EFFECT_ALL_MOVE_TO}


class Parts(NamedTuple):
    """A board that is not known to fit together yet; `nodes` are where its squares stand."""

    top: dict[str, Reader]
    nodes: list[Reader]
    squares: list[Square]
    groups: list[Group]
    sizes: list[int]
    decks: list[Deck]
    extras: BoardExtras

    def kinds(self) -> list[int]:
        """What the squares are."""
        return [square.kind for square in self.squares]

    def lots(self) -> list[int]:
        """The squares that somebody can own."""
        return [index for index, square in enumerate(self.squares) if square.group >= 0]


def check_parts(faults: Faults, parts: Parts) -> None:
    """Everything that no part shows alone."""
    top = parts.top
    faults.read(partial(_check_corners, top["squares"], parts))
    for index, node in enumerate(top["groups"].entries().values()):
        faults.read(partial(_check_group, node, parts, index))
    faults.read(partial(_check_lots, top["squares"], parts))
    faults.read(partial(_check_decks, top["decks"], parts))
    faults.read(partial(_check_sides, parts))
    faults.read(partial(_check_specials, parts))


def _check_corners(root: Reader, parts: Parts) -> None:
    found = parts.kinds()
    if found[0] != kinds.GO:
        raise root.error("must begin with the go square")
    if found.count(kinds.GO) != 1:
        raise root.error("must have one go square only")
    if found.count(kinds.JAIL) != 1:
        raise root.error(f"must have one jail square, has {found.count(kinds.JAIL)}")


def _check_group(node: Reader, parts: Parts, index: int) -> None:
    found = [square.kind for square in parts.squares if square.group == index]
    if len(found) != parts.sizes[index]:
        raise node.error(f"size is {parts.sizes[index]}, but {len(found)} squares belong to it")
    if len(set(found)) != 1:
        raise node.error("mixes streets, railroads and utilities")
    cost = parts.groups[index].house_cost
    if parts.extras.rent_levels and cost:
        raise node.error("must have no house_cost where streets have rent_levels")
    if not parts.extras.rent_levels and (cost > 0) != (found[0] == kinds.STREET):
        raise node.error("must have a house_cost if it is of streets, and only then")


def _check_lots(root: Reader, parts: Parts) -> None:
    """All streets have rent levels or none has; all lots have a mortgage or none has."""
    lots = parts.lots()
    if not lots:
        raise root.error("must have lots")
    mortgaged = [parts.squares[lot].mortgage > 0 for lot in lots]
    if any(mortgaged) and not all(mortgaged):
        raise parts.nodes[lots[mortgaged.index(False)]].error("is missing; other lots have one", "mortgage")
    streets = [lot for lot in lots if parts.squares[lot].kind == kinds.STREET]
    levelled = ["rent_levels" in parts.nodes[lot].entries() for lot in streets]
    if any(levelled) and not all(levelled):
        node = parts.nodes[streets[levelled.index(False)]]
        raise node.error("is missing; other streets have them", "rent_levels")


def _check_decks(root: Reader, parts: Parts) -> None:
    drawn = {square.deck for square in parts.squares if square.kind == kinds.CARD}
    for deck in parts.decks:
        for card in deck.cards:
            for effect in flattened(card.effects):
                if effect.kind == effects.EFFECT_DRAW:
                    drawn.add(effect.deck)
                reason = _misplaced(effect, parts)
                if reason:
                    raise root.error(f"{card.id} {reason}", deck.name)
    for index, deck in enumerate(parts.decks):
        if index not in drawn:
            raise root.error("is never drawn from", deck.name)


def _misplaced(effect: Effect, parts: Parts) -> str:
    """What the board lacks for this effect, or an empty text."""
    kind, extras = effect.kind, parts.extras
    if kind == effects.EFFECT_MOVE_NEAREST and not any(
        square.kind == effect.lot_kind and effect.deck in (NO_SQUARE, square.deck) for square in parts.squares
    ):
        return "moves to a kind of square that is not on the board"
    if kind in _PLACES and parts.squares[effect.square].kind == kinds.GO_TO_JAIL:
        return "moves to go_to_jail; the effect go_to_jail says so"
    if kind in _LEVEL_EFFECTS and extras.rent_levels == 0:
        return "is about rent levels, which this board has not"
    if effect.level > extras.rent_levels:
        return f"names a rent level above {extras.rent_levels}"
    if effect.scope == effects.SCOPE_BOARD_SIDE and not extras.sides:
        return "is about a side of the board; sides says which there are"
    if kind == effects.EFFECT_PAY and effect.pot == POT_JACKPOT and extras.jackpot_machine is None:
        return "pays into the jackpot, which no machine pays out here"
    if kind == effects.EFFECT_PAY and effect.pot == POT_CHARITY and not _pays_charity(parts.kinds()):
        return "pays into the charity fund, which no square pays out here"
    return ""


def _pays_charity(found: list[int]) -> bool:
    return kinds.CHARITY_FUND in found or kinds.WHITE_BUSINESS in found


def _check_sides(parts: Parts) -> None:
    if "sides" in parts.top and sorted(lot for side in parts.extras.sides for lot in side) != parts.lots():
        raise parts.top["sides"].error("must name every lot once and nothing else")


def _check_specials(parts: Parts) -> None:
    """A square that needs figures has them, and figures have a square that uses them."""
    top, found = parts.top, parts.kinds()
    for kind, key in ((kinds.LOCATION, "location"), (kinds.BLACK_BUSINESS, "black_business")):
        if (kind in found) != (key in top):
            raise _at(top, key).error(f"{key} must be there if a square of this type is, and only then")
    jackpots = [key for key in ("jackpot_machine", "jackpot_numbers") if key in top]
    if len(jackpots) != (1 if kinds.JACKPOT in found else 0):
        raise _at(top, *jackpots).error(
            "a square of type jackpot and one of jackpot_machine, jackpot_numbers belong together"
        )
    target = parts.extras.black_business_to
    if target != NO_SQUARE and (target >= len(found) or found[target] != kinds.CHARITY_FUND):
        raise top["black_business"].error("must be the number of a charity_fund square", "moves_to")


def _at(top: dict[str, Reader], *keys: str) -> Reader:
    """The first of the keys that is there, or the squares, which ask for it."""
    return next((top[key] for key in keys if key in top), top["squares"])


def flattened(effects_of_card: list[Effect]) -> list[Effect]:
    """The effects and the options inside them."""
    return [one for effect in effects_of_card for one in [effect, *effect.options]]
