"""What a card of a board file does becomes an Effect; each word of the vocabulary has its own keys."""

from typing import Final, NamedTuple

from magnate.rules import board as squares
from magnate.rules import effects
from magnate.rules.decision import BANK, POT_CHARITY, POT_JACKPOT, POT_PARKING
from magnate.rules.effects import Effect
from magnate.rules.files.reading import Reader

AMOUNT_MAX: Final = 10**9
LEVELS_MAX: Final = 9
TURNS_MAX: Final = 9
USES_MAX: Final = 9

WHOLE: Final = "whole number"
TRUTH: Final = "truth"
WORD: Final = "word"
SQUARE: Final = "square"
DECK: Final = "deck"


class Key(NamedTuple):
    """A key of an effect: the attribute it sets, what is written there, and within which bounds."""

    attribute: str
    kind: str = WHOLE
    low: int = 1
    high: int = AMOUNT_MAX
    words: dict[str, int] | None = None


class Word(NamedTuple):
    """A word of the vocabulary: the effect it stands for, and its keys."""

    kind: int
    required: dict[str, Key]
    optional: dict[str, Key]


class Place(NamedTuple):
    """What an effect may name: the squares of the board by number, its decks by name."""

    size: int
    decks: dict[str, int]


POTS: Final[dict[str, int]] = {
    "bank": BANK,
    "parking": POT_PARKING,
    "jackpot": POT_JACKPOT,
    "charity_fund": POT_CHARITY,
}

SCOPES: Final[dict[str, int]] = {
    "own": effects.SCOPE_OWN,
    "any_owned": effects.SCOPE_ANY_OWNED,
    "color_set": effects.SCOPE_COLOR_SET,
    "board_side": effects.SCOPE_BOARD_SIDE,
}

NEAREST: Final[dict[str, int]] = {
    "railroad": squares.RAILROAD,
    "utility": squares.UTILITY,
    "street": squares.STREET,
    "go": squares.GO,
    "tax": squares.TAX,
    "card": squares.CARD,
    "jail": squares.JAIL,
    "free_parking": squares.FREE_PARKING,
    "location": squares.LOCATION,
    "jackpot": squares.JACKPOT,
    "black_business": squares.BLACK_BUSINESS,
    "white_business": squares.WHITE_BUSINESS,
    "charity_fund": squares.CHARITY_FUND,
}
"""What move_nearest may look for: any square but go_to_jail, for which there is an effect."""

_AMOUNT: Final = Key("amount")
_SALARY: Final = Key("salary", TRUTH)
_DIRECTION: Final = Key("forward", WORD, words={"back": False, "forward": True})
_DRAWN: Final = {"min": Key("minimum"), "max": Key("maximum"), "step": Key("step")}
_LEVEL: Final = Key("level", high=LEVELS_MAX)
_SCOPE: Final = Key("scope", WORD, words=SCOPES)
_DELTA: Final = Key("delta", low=-LEVELS_MAX, high=LEVELS_MAX)
_USES: Final = Key("uses", high=USES_MAX)

EFFECTS: Final[dict[str, Word]] = {
    "gain": Word(effects.EFFECT_GAIN, {"amount": _AMOUNT}, {}),
    "pay": Word(effects.EFFECT_PAY, {"amount": _AMOUNT}, {"to": Key("pot", WORD, words=POTS)}),
    "pay_each": Word(effects.EFFECT_PAY_EACH, {"amount": _AMOUNT}, {}),
    "collect_each": Word(effects.EFFECT_COLLECT_EACH, {"amount": _AMOUNT}, {}),
    "pay_player": Word(effects.EFFECT_PAY_PLAYER, {"amount": _AMOUNT}, {}),
    "both_gain": Word(effects.EFFECT_BOTH_GAIN, {"amount": _AMOUNT}, {}),
    "pay_per_property": Word(effects.EFFECT_PAY_PER_PROPERTY, {"amount": _AMOUNT}, {}),
    "gain_random": Word(effects.EFFECT_GAIN_RANDOM, _DRAWN, {}),
    "pay_random": Word(effects.EFFECT_PAY_RANDOM, _DRAWN, {}),
    "move_to": Word(
        effects.EFFECT_MOVE_TO,
        {"square": Key("square", SQUARE), "salary": _SALARY},
        {"direction": _DIRECTION},
    ),
    "move_by": Word(
        effects.EFFECT_MOVE_BY,
        {"steps": Key("steps", low=1 - squares.SQUARES_MAX, high=squares.SQUARES_MAX - 1)},
        {"salary": _SALARY},
    ),
    "move_nearest": Word(
        effects.EFFECT_MOVE_NEAREST,
        {"kind": Key("lot_kind", WORD, words=NEAREST), "salary": _SALARY},
        {
            "rent_multiplier": Key("rent_multiplier", high=100),
            "dice_multiplier": Key("dice_multiplier"),
            "reroll": Key("reroll", TRUTH),
            "deck": Key("deck", DECK),
        },
    ),
    "all_move_to": Word(
        effects.EFFECT_ALL_MOVE_TO,
        {
            "square": Key("square", SQUARE),
            "except_jailed": Key("except_jailed", TRUTH),
            "salary": _SALARY,
        },
        {},
    ),
    "goto_any_property": Word(effects.EFFECT_GOTO_ANY_PROPERTY, {"fee": Key("amount", low=0)}, {}),
    "teleport_random": Word(effects.EFFECT_TELEPORT_RANDOM, {}, {}),
    "go_to_jail": Word(effects.EFFECT_GO_TO_JAIL, {}, {}),
    "send_to_jail": Word(effects.EFFECT_SEND_TO_JAIL, {}, {}),
    "jail_free": Word(effects.EFFECT_JAIL_FREE, {}, {}),
    "repairs": Word(
        effects.EFFECT_REPAIRS, {"per_house": Key("per_house"), "per_hotel": Key("per_hotel")}, {}
    ),
    "set_level": Word(effects.EFFECT_SET_LEVEL, {"scope": _SCOPE, "level": _LEVEL}, {}),
    "change_level": Word(effects.EFFECT_CHANGE_LEVEL, {"scope": _SCOPE, "delta": _DELTA}, {}),
    "change_level_and_neighbours": Word(
        effects.EFFECT_CHANGE_LEVEL_AND_NEIGHBOURS,
        {"own_delta": _DELTA, "neighbour_delta": _DELTA._replace(attribute="neighbour_delta")},
        {},
    ),
    "rent_cap": Word(
        effects.EFFECT_RENT_CAP, {"level": _LEVEL, "payments": Key("payments", high=TURNS_MAX)}, {}
    ),
    "swap_property": Word(effects.EFFECT_SWAP_PROPERTY, {}, {}),
    "skip_turn": Word(effects.EFFECT_SKIP_TURN, {"turns": Key("turns", high=TURNS_MAX)}, {}),
    "reverse_next_move": Word(effects.EFFECT_REVERSE_NEXT_MOVE, {}, {}),
    "rent_exemption": Word(effects.EFFECT_RENT_EXEMPTION, {"uses": _USES}, {}),
    "build_discount": Word(
        effects.EFFECT_BUILD_DISCOUNT, {"percent": Key("percent", high=100), "uses": _USES}, {}
    ),
    "draw": Word(effects.EFFECT_DRAW, {"deck": Key("deck", DECK)}, {}),
    "choose_one": Word(effects.EFFECT_CHOOSE_ONE, {}, {}),
}

OPTION_WORDS: Final = ("gain", "pay", "pay_each", "collect_each", "pay_per_property", "draw")
"""What a player may choose between: effects that ask for nothing further themselves."""

MULTIPLIED: Final[dict[int, tuple[set[str], set[str]]]] = {
    squares.RAILROAD: ({"rent_multiplier"}, set()),
    squares.UTILITY: ({"dice_multiplier", "reroll"}, set()),
    squares.STREET: (set(), {"rent_multiplier"}),
    squares.CARD: (set(), {"deck"}),
}
"""Further keys of move_nearest that the kind of square asks for, and those it allows."""


def read_effect(root: Reader, place: Place, *, inside: bool = False) -> Effect:
    """The effect of a card; `inside` a choice only some words are allowed."""
    found = root.entries()
    if "type" not in found:
        raise root.error("is missing", "type")
    kind = found["type"].word({word: entry.kind for word, entry in EFFECTS.items()})
    name = found["type"].text()
    if inside and name not in OPTION_WORDS:
        raise found["type"].error(f"cannot be chosen; a choice is between {', '.join(OPTION_WORDS)}")
    if kind == effects.EFFECT_CHOOSE_ONE:
        return _read_choice(root, place)
    word = EFFECTS[name]
    required, optional = set(word.required), set(word.optional)
    if kind == effects.EFFECT_MOVE_NEAREST and "kind" in found:
        needed, allowed = MULTIPLIED.get(found["kind"].word(NEAREST), (set(), set()))
        required, optional = required | needed, allowed
    fields = root.fields({"type"} | required, optional)
    effect = Effect(kind)
    for key, node in fields.items():
        entry = word.required.get(key) or word.optional.get(key)
        if entry is not None:
            setattr(effect, entry.attribute, _read_key(node, entry, place))
    _check(effect, fields, place)
    return effect


def _read_key(node: Reader, key: Key, place: Place) -> int:
    if key.kind == TRUTH:
        return node.truth()
    if key.kind == WORD:
        return node.word(key.words or {})
    if key.kind == DECK:
        return node.word(place.decks)
    if key.kind == SQUARE:
        square = node.whole(0, squares.SQUARES_MAX - 1)
        if square >= place.size:
            raise node.error(f"{square} is not on the board, which has {place.size} squares")
        return square
    return node.whole(key.low, key.high)


def _read_choice(root: Reader, place: Place) -> Effect:
    options = root.fields({"type", "options"})["options"]
    chosen = [read_effect(node, place, inside=True) for node in options.items()]
    if len(chosen) < 2:
        raise options.error("must name at least two effects")
    return Effect(effects.EFFECT_CHOOSE_ONE, options=chosen)


def _check(effect: Effect, fields: dict[str, Reader], place: Place) -> None:
    """What one key alone does not show."""
    kind = effect.kind
    if kind == effects.EFFECT_MOVE_BY:
        if effect.steps == 0:
            raise fields["steps"].error("must not be 0")
        if abs(effect.steps) >= place.size:
            raise fields["steps"].error(f"must be from {1 - place.size} to {place.size - 1}")
    if effect.salary and (effect.steps < 0 or not effect.forward):
        raise fields["salary"].error("GO never pays for a way backwards")
    if kind in {effects.EFFECT_GAIN_RANDOM, effects.EFFECT_PAY_RANDOM}:
        if effect.maximum <= effect.minimum:
            raise fields["max"].error(f"must be above min, which is {effect.minimum}")
        if (effect.maximum - effect.minimum) % effect.step:
            raise fields["step"].error("must lead from min to max without a rest")
    for key in ("delta", "own_delta", "neighbour_delta"):
        if key in fields and fields[key].whole(-LEVELS_MAX, LEVELS_MAX) == 0:
            raise fields[key].error("must not be 0")
