"""What a card does, as a value with int fields: one kind constant for each word of the vocabulary."""

from typing import Final

from magnate.rules.digest import Canonical, sparse

# What happens. The numbers are stored (setup.proto has the same ones): add, never renumber.
EFFECT_GAIN: Final = 1
"""The bank pays `amount`."""
EFFECT_PAY: Final = 2
"""Pay `amount` to the bank."""
EFFECT_PAY_EACH: Final = 3
"""Pay `amount` to every other player still in the game."""
EFFECT_COLLECT_EACH: Final = 4
"""Every other player still in the game pays you `amount`."""
EFFECT_MOVE_TO: Final = 5
"""Go to `square`, forwards or backwards; GO pays only with `salary`, and only forwards."""
EFFECT_MOVE_BY: Final = 6
"""Go `steps` squares; negative is backwards, which GO never pays for."""
EFFECT_MOVE_NEAREST: Final = 7
"""Go forwards to the next lot of `lot_kind`; rent times `rent_multiplier` or dice times `dice_multiplier`."""
EFFECT_GO_TO_JAIL: Final = 8
"""Go straight to jail."""
EFFECT_JAIL_FREE: Final = 9
"""Keep the card; it opens the jail once."""
EFFECT_REPAIRS: Final = 10
"""Pay `per_house` and `per_hotel` for every building you own."""
EFFECT_CHOOSE_ONE: Final = 11
"""The player chooses one of `options`."""
EFFECT_DRAW: Final = 12
"""Draw a card of deck number `deck`."""


class Effect:
    """One effect; fields that its kind does not use keep their defaults. Read only."""

    __slots__ = (
        "amount", "deck", "dice_multiplier", "forward", "kind", "lot_kind", "options", "per_hotel",
        "per_house", "rent_multiplier", "reroll", "salary", "square", "steps",
    )  # fmt: skip

    def __init__(
        self,
        kind: int,
        amount: int = 0,
        square: int = -1,
        forward: bool = True,
        steps: int = 0,
        salary: bool = False,
        lot_kind: int = 0,
        rent_multiplier: int = 1,
        dice_multiplier: int = 0,
        reroll: bool = False,
        per_house: int = 0,
        per_hotel: int = 0,
        deck: int = -1,
        options: "list[Effect] | None" = None,
    ) -> None:
        self.kind = kind
        self.amount = amount
        self.square = square
        self.forward = forward
        self.steps = steps
        self.salary = salary
        self.lot_kind = lot_kind
        self.rent_multiplier = rent_multiplier
        self.dice_multiplier = dice_multiplier
        self.reroll = reroll
        self.per_house = per_house
        self.per_hotel = per_hotel
        self.deck = deck
        self.options: list[Effect] = [] if options is None else options

    def canonical(self) -> list[Canonical]:
        """The effect by field names, without what it does not use."""
        options: list[Canonical] = [option.canonical() for option in self.options]
        return sparse(
            [
                ("kind", self.kind, 0),
                ("amount", self.amount, 0),
                ("square", self.square, -1),
                ("forward", int(self.forward), 1),
                ("steps", self.steps, 0),
                ("salary", int(self.salary), 0),
                ("lot_kind", self.lot_kind, 0),
                ("rent_multiplier", self.rent_multiplier, 1),
                ("dice_multiplier", self.dice_multiplier, 0),
                ("reroll", int(self.reroll), 0),
                ("per_house", self.per_house, 0),
                ("per_hotel", self.per_hotel, 0),
                ("deck", self.deck, -1),
                ("options", options, []),
            ]
        )
