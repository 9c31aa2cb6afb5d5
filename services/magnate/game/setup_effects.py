"""The effects of cards to and from their protobuf messages (see `setup_codec`)."""

from __future__ import annotations

from typing import Final

from magnate.game.vocabulary_codec import UnknownKindError
from magnate.rules import board as squares
from magnate.rules import effects
from magnate.rules.board_parts import NONE
from magnate.rules.decision import BANK, POT_CHARITY, POT_JACKPOT, POT_PARKING
from magnate.rules.effects import Effect
from magnate.rules.v1 import setup_pb2 as pb

_KINDS: Final = range(effects.EFFECT_GAIN, effects.EFFECT_BUILD_DISCOUNT + 1)
_LOT_KINDS: Final = range(squares.CHARITY_FUND + 1)
_SCOPES: Final = range(effects.SCOPE_BOARD_SIDE + 1)
_POTS: Final = (BANK, POT_PARKING, POT_JACKPOT, POT_CHARITY)


def put_effect(effect: Effect, message: pb.Effect) -> None:
    """Fill the message."""
    message.kind = pb.EffectKind.ValueType(effect.kind)
    message.amount = effect.amount
    if effect.square != NONE:
        message.square = effect.square
    message.backward = not effect.forward
    message.steps = effect.steps
    message.salary = effect.salary
    message.lot_kind = pb.SquareKind.ValueType(effect.lot_kind)
    if effect.rent_multiplier != 1:
        message.rent_multiplier = effect.rent_multiplier
    message.dice_multiplier = effect.dice_multiplier
    message.reroll = effect.reroll
    message.per_house = effect.per_house
    message.per_hotel = effect.per_hotel
    if effect.deck != NONE:
        message.deck = effect.deck
    for option in effect.options:
        put_effect(option, message.options.add())
    if effect.pot != BANK:
        message.pot = effect.pot
    message.minimum = effect.minimum
    message.maximum = effect.maximum
    message.step = effect.step
    message.except_jailed = effect.except_jailed
    message.scope = pb.EffectScope.ValueType(effect.scope)
    message.level = effect.level
    message.delta = effect.delta
    message.neighbour_delta = effect.neighbour_delta
    message.payments = effect.payments
    message.turns = effect.turns
    message.percent = effect.percent
    message.uses = effect.uses


def get_effect(message: pb.Effect) -> Effect:
    """The effect of a message; UnknownKindError."""
    pot = message.pot if message.HasField("pot") else BANK
    if message.kind not in _KINDS or message.lot_kind not in _LOT_KINDS:
        raise UnknownKindError(f"effect kind {message.kind} of lot kind {message.lot_kind}")
    if message.scope not in _SCOPES or pot not in _POTS:
        raise UnknownKindError(f"effect scope {message.scope}, pot {pot}")
    return Effect(
        message.kind,
        amount=message.amount,
        square=message.square if message.HasField("square") else NONE,
        forward=not message.backward,
        steps=message.steps,
        salary=message.salary,
        lot_kind=message.lot_kind,
        rent_multiplier=message.rent_multiplier if message.HasField("rent_multiplier") else 1,
        dice_multiplier=message.dice_multiplier,
        reroll=message.reroll,
        per_house=message.per_house,
        per_hotel=message.per_hotel,
        deck=message.deck if message.HasField("deck") else NONE,
        options=[get_effect(option) for option in message.options],
        pot=pot,
        minimum=message.minimum,
        maximum=message.maximum,
        step=message.step,
        except_jailed=message.except_jailed,
        scope=message.scope,
        level=message.level,
        delta=message.delta,
        neighbour_delta=message.neighbour_delta,
        payments=message.payments,
        turns=message.turns,
        percent=message.percent,
        uses=message.uses,
    )
