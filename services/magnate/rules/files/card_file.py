"""What a card of a board file does becomes an Effect; each word of the vocabulary has its own fields."""

from typing import Final

from magnate.rules import effects
from magnate.rules.board import RAILROAD, UTILITY
from magnate.rules.effects import Effect
from magnate.rules.files.reading import Reader

_AMOUNT_MAX: Final = 10**9

EFFECTS: Final[dict[str, int]] = {
    "gain": effects.EFFECT_GAIN,
    "pay": effects.EFFECT_PAY,
    "pay_each": effects.EFFECT_PAY_EACH,
    "collect_each": effects.EFFECT_COLLECT_EACH,
    "move_to": effects.EFFECT_MOVE_TO,
    "move_by": effects.EFFECT_MOVE_BY,
    "move_nearest": effects.EFFECT_MOVE_NEAREST,
    "go_to_jail": effects.EFFECT_GO_TO_JAIL,
    "jail_free": effects.EFFECT_JAIL_FREE,
    "repairs": effects.EFFECT_REPAIRS,
    "choose_one": effects.EFFECT_CHOOSE_ONE,
    "draw": effects.EFFECT_DRAW,
}

_AMOUNTS: Final = {
    effects.EFFECT_GAIN,
    effects.EFFECT_PAY,
    effects.EFFECT_PAY_EACH,
    effects.EFFECT_COLLECT_EACH,
}
_OPTION_KINDS: Final = {effects.EFFECT_GAIN, effects.EFFECT_PAY, effects.EFFECT_DRAW}
"""What a player may choose between: effects that ask for nothing further themselves."""


def read_effect(root: Reader, size: int, decks: dict[str, int], *, inside: bool = False) -> Effect:
    """The effect of a card on a board of `size` squares; `inside` a choice only some words are allowed."""
    found = root.entries()
    if "type" not in found:
        raise root.error("is missing", "type")
    kind = found["type"].word(EFFECTS)
    if inside and kind not in _OPTION_KINDS:
        raise found["type"].error("cannot be chosen; a choice is between gain, pay and draw")
    if kind in _AMOUNTS:
        return Effect(kind, amount=root.fields({"type", "amount"})["amount"].whole(1, _AMOUNT_MAX))
    if kind == effects.EFFECT_MOVE_TO:
        return _read_move_to(root, size)
    if kind == effects.EFFECT_MOVE_BY:
        return _read_move_by(root, size)
    if kind == effects.EFFECT_MOVE_NEAREST:
        return _read_move_nearest(root)
    if kind == effects.EFFECT_REPAIRS:
        fields = root.fields({"type", "per_house", "per_hotel"})
        house = fields["per_house"].whole(1, _AMOUNT_MAX)
        return Effect(kind, per_house=house, per_hotel=fields["per_hotel"].whole(1, _AMOUNT_MAX))
    if kind == effects.EFFECT_CHOOSE_ONE:
        options = root.fields({"type", "options"})["options"]
        chosen = [read_effect(node, size, decks, inside=True) for node in options.items()]
        if len(chosen) < 2:
            raise options.error("must name at least two effects")
        return Effect(kind, options=chosen)
    if kind == effects.EFFECT_DRAW:
        return Effect(kind, deck=root.fields({"type", "deck"})["deck"].word(decks))
    root.fields({"type"})
    return Effect(kind)


def _read_move_to(root: Reader, size: int) -> Effect:
    fields = root.fields({"type", "square", "salary"}, {"direction"})
    forward = True
    if "direction" in fields:
        forward = fields["direction"].word({"back": 0, "forward": 1}) == 1
    salary = fields["salary"].truth()
    if salary and not forward:
        raise fields["salary"].error("GO never pays for a way backwards")
    square = fields["square"].whole(0, 63)
    if square >= size:
        raise fields["square"].error(f"{square} is not on the board, which has {size} squares")
    return Effect(effects.EFFECT_MOVE_TO, square=square, forward=forward, salary=salary)


def _read_move_by(root: Reader, size: int) -> Effect:
    fields = root.fields({"type", "steps"}, {"salary"})
    steps = fields["steps"].whole(1 - size, size - 1)
    salary = "salary" in fields and fields["salary"].truth()
    if steps == 0:
        raise fields["steps"].error("must not be 0")
    if salary and steps < 0:
        raise fields["salary"].error("GO never pays for a way backwards")
    return Effect(effects.EFFECT_MOVE_BY, steps=steps, salary=salary)


def _read_move_nearest(root: Reader) -> Effect:
    found = root.entries()
    if "kind" not in found:
        raise root.error("is missing", "kind")
    lot_kind = found["kind"].word({"railroad": RAILROAD, "utility": UTILITY})
    if lot_kind == RAILROAD:
        fields = root.fields({"type", "kind", "rent_multiplier", "salary"})
        times = fields["rent_multiplier"].whole(1, 100)
        salary = fields["salary"].truth()
        return Effect(effects.EFFECT_MOVE_NEAREST, lot_kind=lot_kind, rent_multiplier=times, salary=salary)
    fields = root.fields({"type", "kind", "dice_multiplier", "reroll", "salary"})
    return Effect(
        effects.EFFECT_MOVE_NEAREST,
        lot_kind=lot_kind,
        dice_multiplier=fields["dice_multiplier"].whole(1, _AMOUNT_MAX),
        reroll=fields["reroll"].truth(),
        salary=fields["salary"].truth(),
    )
