"""What a card does, as a value with int fields: one kind constant for each word of the vocabulary."""

from typing import Final

from magnate.rules.decision import BANK
from magnate.rules.digest import Canonical, sparse

# What happens. The numbers are stored (setup.proto has the same ones): add, never renumber.
EFFECT_GAIN: Final = 1
"""The bank pays `amount`."""
EFFECT_PAY: Final = 2
"""Pay `amount` to the bank, or into the pot `pot`."""
EFFECT_PAY_EACH: Final = 3
"""Pay `amount` to every other player still in the game."""
EFFECT_COLLECT_EACH: Final = 4
"""Every other player still in the game pays you `amount`."""
EFFECT_MOVE_TO: Final = 5
"""Go to `square`, forwards or backwards; GO pays only with `salary`, and only forwards."""
EFFECT_MOVE_BY: Final = 6
"""Go `steps` squares; negative is backwards, which GO never pays for."""
EFFECT_MOVE_NEAREST: Final = 7
"""Go forwards to the next square of `lot_kind`, of deck number `deck` if that is not -1; rent times
`rent_multiplier` or dice times `dice_multiplier`."""
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
EFFECT_PAY_PLAYER: Final = 13
"""Pay `amount` to a player you choose."""
EFFECT_BOTH_GAIN: Final = 14
"""The bank pays `amount` to you and as much to a player you choose."""
EFFECT_PAY_PER_PROPERTY: Final = 15
"""Pay `amount` to the bank for every lot you own."""
EFFECT_GAIN_RANDOM: Final = 16
"""The bank pays an amount drawn from `minimum`, one `step` more, … up to `maximum`, each as likely."""
EFFECT_PAY_RANDOM: Final = 17
"""Pay an amount drawn in the same way to the bank."""
EFFECT_ALL_MOVE_TO: Final = 18
"""Every player goes to `square`, without those in jail if `except_jailed`; GO pays only with `salary`."""
EFFECT_GOTO_ANY_PROPERTY: Final = 19
"""Choose any lot, pay `amount` to the bank and go there."""
EFFECT_TELEPORT_RANDOM: Final = 20
"""Go to a square drawn by chance, each as likely; GO never pays."""
EFFECT_SEND_TO_JAIL: Final = 21
"""A player you choose goes to jail."""
EFFECT_SET_LEVEL: Final = 22
"""The rent level of what `scope` says becomes `level`."""
EFFECT_CHANGE_LEVEL: Final = 23
"""The rent levels of what `scope` says change by `delta`, within what there is."""
EFFECT_CHANGE_LEVEL_AND_NEIGHBOURS: Final = 24
"""A lot of yours changes by `delta`, the lots before and after it along the track by `neighbour_delta`."""
EFFECT_RENT_CAP: Final = 25
"""The next `payments` rents of streets are charged as at rent level `level`."""
EFFECT_SWAP_PROPERTY: Final = 26
"""A lot of yours for a lot of another player; you choose both."""
EFFECT_SKIP_TURN: Final = 27
"""Your next `turns` turns are skipped."""
EFFECT_REVERSE_NEXT_MOVE: Final = 28
"""Your next throw moves you backwards."""
EFFECT_RENT_EXEMPTION: Final = 29
"""Keep the card; it spares you `uses` rents."""
EFFECT_BUILD_DISCOUNT: Final = 30
"""Keep the card; `uses` buildings cost you `percent` less."""

# Which lots a change of rent levels is about. Stored like the kinds: add, never renumber.
SCOPE_OWN: Final = 1
"""One lot of yours, which you choose."""
SCOPE_ANY_OWNED: Final = 2
"""One lot that anybody owns, which you choose."""
SCOPE_COLOR_SET: Final = 3
"""All owned lots of the group of a lot of yours, which you choose."""
SCOPE_BOARD_SIDE: Final = 4
"""All owned lots on the side of the board of a lot of yours, which you choose."""


class Effect:
    """One effect; fields that its kind does not use keep their defaults. Read only."""

    __slots__ = (
        "amount", "deck", "delta", "dice_multiplier", "except_jailed", "forward", "kind", "level", "lot_kind",
        "maximum", "minimum", "neighbour_delta", "options", "payments", "per_hotel", "per_house", "percent",
        "pot", "rent_multiplier", "reroll", "salary", "scope", "square", "step", "steps", "turns", "uses",
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
        pot: int = BANK,
        minimum: int = 0,
        maximum: int = 0,
        step: int = 0,
        except_jailed: bool = False,
        scope: int = 0,
        level: int = 0,
        delta: int = 0,
        neighbour_delta: int = 0,
        payments: int = 0,
        turns: int = 0,
        percent: int = 0,
        uses: int = 0,
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
        self.pot = pot
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.except_jailed = except_jailed
        self.scope = scope
        self.level = level
        self.delta = delta
        self.neighbour_delta = neighbour_delta
        self.payments = payments
        self.turns = turns
        self.percent = percent
        self.uses = uses

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
                ("pot", self.pot, BANK),
                ("minimum", self.minimum, 0),
                ("maximum", self.maximum, 0),
                ("step", self.step, 0),
                ("except_jailed", int(self.except_jailed), 0),
                ("scope", self.scope, 0),
                ("level", self.level, 0),
                ("delta", self.delta, 0),
                ("neighbour_delta", self.neighbour_delta, 0),
                ("payments", self.payments, 0),
                ("turns", self.turns, 0),
                ("percent", self.percent, 0),
                ("uses", self.uses, 0),
            ]
        )
