"""What cards do beyond the classic ones (rows 38 to 41): chance, players, lots, levels, and kept cards.

A card that asks for what cannot be done now has no effect and asks nothing (row 40). Own readings: when a
card moves everybody, only its reader acts on the square; a capped rent still counts as a rent paid; a fee
that cannot be paid makes going anywhere impossible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.decision import BANK
from magnate.rules.effects import (
    EFFECT_ALL_MOVE_TO,
    EFFECT_BOTH_GAIN,
    EFFECT_BUILD_DISCOUNT,
    EFFECT_CHANGE_LEVEL,
    EFFECT_CHANGE_LEVEL_AND_NEIGHBOURS,
    EFFECT_GAIN_RANDOM,
    EFFECT_GOTO_ANY_PROPERTY,
    EFFECT_PAY_PER_PROPERTY,
    EFFECT_PAY_PLAYER,
    EFFECT_PAY_RANDOM,
    EFFECT_RENT_CAP,
    EFFECT_RENT_EXEMPTION,
    EFFECT_REVERSE_NEXT_MOVE,
    EFFECT_SEND_TO_JAIL,
    EFFECT_SET_LEVEL,
    EFFECT_SKIP_TURN,
    EFFECT_SWAP_PROPERTY,
    EFFECT_TELEPORT_RANDOM,
    SCOPE_BOARD_SIDE,
    SCOPE_COLOR_SET,
    Effect,
)
from magnate.rules.offers import void_lots
from magnate.rules.steps import levels
from magnate.rules.steps.clock import bank_payout
from magnate.rules.steps.jail import arrest
from magnate.rules.steps.move import to_square
from magnate.rules.steps.pots import bank_or_pot
from magnate.rules.steps.questions import answers_to, asks
from magnate.rules.vocabulary import (
    JAIL_CAUSE_SENT,
    JAIL_EXIT_CARD,
    MOVE_CAUSE_CARD,
    MOVE_CAUSE_TELEPORT,
    QUESTION_CARD,
    QUESTION_SWAP,
    TRANSFER_REASON_CARD,
    AmountDrawn,
    CardCharged,
    CardKept,
    JailLeft,
    LotTransferred,
    MoveReversed,
    QuestionAsked,
    RentsCapped,
    SquareDrawn,
    TokenMoved,
    TurnsLost,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.state import State


def charge_for_card(draft: Draft, payer: int, payee: int, amount: int) -> None:
    """A card makes one pay another, the bank or a pot."""
    draft.emit(CardCharged(payer, payee, amount))
    draft.charge(payer, payee, amount, TRANSFER_REASON_CARD, -1)


def gain(draft: Draft, seat: int, amount: int) -> None:
    """The bank pays; nothing is said of nothing."""
    if amount > 0:
        draft.emit(CardCharged(BANK, seat, amount))
        draft.pay(BANK, seat, amount, TRANSFER_REASON_CARD)


def obey_more(draft: Draft, seat: int, deck: int, card: int, effect: Effect) -> Effect | None:
    """Do one of these effects, or ask; the effect is returned if it moved the seat's token."""
    state = draft.state
    kind = effect.kind
    if asks(effect):
        if answers_to(state, seat, effect):
            draft.emit(QuestionAsked(seat, QUESTION_CARD, -1, 0, deck, card))
    elif kind == EFFECT_PAY_PER_PROPERTY:
        amount = effect.amount * state.owned[seat].bit_count()
        if amount > 0:
            charge_for_card(draft, seat, bank_or_pot(state), amount)
    elif kind in (EFFECT_GAIN_RANDOM, EFFECT_PAY_RANDOM):
        _drawn_amount(draft, seat, effect)
    elif kind == EFFECT_ALL_MOVE_TO:
        return _all_move(draft, seat, effect)
    elif kind == EFFECT_TELEPORT_RANDOM:
        draw = state.draws + 1
        square = draft.chance.square(draw, state.board.size)
        draft.emit(SquareDrawn(seat, square, draw))
        draft.emit(TokenMoved(seat, state.at[seat], square, MOVE_CAUSE_TELEPORT))
        return effect
    elif kind == EFFECT_RENT_CAP:
        draft.emit(RentsCapped(effect.level, effect.payments))
    elif kind == EFFECT_SKIP_TURN:
        draft.emit(TurnsLost(seat, state.extras.skip[seat] + effect.turns))
    elif kind == EFFECT_REVERSE_NEXT_MOVE:
        draft.emit(MoveReversed(seat))
    elif kind in (EFFECT_RENT_EXEMPTION, EFFECT_BUILD_DISCOUNT):
        draft.emit(CardKept(seat, deck, card))
    else:
        raise AssertionError(f"no card does {kind}")
    return None


def answered(draft: Draft, seat: int, effect: Effect, answer: int) -> Effect | None:
    """Do what the card asked about, as the seat chose; the effect is returned if it moved the token."""
    state = draft.state
    kind = effect.kind
    if kind == EFFECT_PAY_PLAYER:
        charge_for_card(draft, seat, answer, effect.amount)
    elif kind == EFFECT_BOTH_GAIN:
        gain(draft, seat, effect.amount)
        gain(draft, answer, effect.amount)
    elif kind == EFFECT_SEND_TO_JAIL:
        arrest(draft, answer, JAIL_CAUSE_SENT)
    elif kind == EFFECT_GOTO_ANY_PROPERTY:
        if effect.amount > 0:
            draft.emit(CardCharged(seat, BANK, effect.amount))
            draft.pay(seat, BANK, effect.amount, TRANSFER_REASON_CARD)
        draft.emit(TokenMoved(seat, state.at[seat], answer, MOVE_CAUSE_CARD))
        return effect
    elif kind == EFFECT_SWAP_PROPERTY:
        draft.emit(QuestionAsked(seat, QUESTION_SWAP, answer, 0))
    elif kind == EFFECT_SET_LEVEL:
        for lot in _in_scope(state, effect.scope, answer):
            levels.put(draft, lot, effect.level)
    elif kind == EFFECT_CHANGE_LEVEL:
        for lot in _in_scope(state, effect.scope, answer):
            levels.change(draft, lot, effect.delta)
    elif kind == EFFECT_CHANGE_LEVEL_AND_NEIGHBOURS:
        levels.change(draft, answer, effect.delta)
        for lot in neighbours(state, answer):
            levels.change(draft, lot, effect.neighbour_delta)
    else:
        raise AssertionError(f"no card asks for {kind}")
    return None


def swap(draft: Draft, seat: int, given: int, taken: int) -> None:
    """Exchange a lot of the seat for another's; rent levels go with the lots."""
    state = draft.state
    other = state.owner[taken]
    draft.emit(LotTransferred(given, seat, other))
    draft.emit(LotTransferred(taken, other, seat))
    levels.after_acquiring(draft, [given, taken])
    if state.offers:
        void_lots(draft, 1 << given | 1 << taken)


def neighbours(state: State, lot: int) -> list[int]:
    """The lots before and after this one along the track; one only where both are the same."""
    lots = state.board.lots
    place = lots.index(lot)
    before = lots[place - 1]
    after = lots[(place + 1) % len(lots)]
    return [one for one in ([before] if before == after else [before, after]) if one != lot]


def _in_scope(state: State, scope: int, lot: int) -> list[int]:
    """The lots a change of levels is about, when this one was chosen."""
    if scope == SCOPE_COLOR_SET:
        return state.board.members[state.board.group[lot]]
    if scope == SCOPE_BOARD_SIDE:
        side = state.board.side[lot]
        return state.board.sides[side] if side >= 0 else [lot]
    return [lot]


def _drawn_amount(draft: Draft, seat: int, effect: Effect) -> None:
    state = draft.state
    draw = state.draws + 1
    amount = draft.chance.amount(draw, effect.minimum, effect.maximum, effect.step)
    draft.emit(AmountDrawn(seat, amount, draw))
    if effect.kind == EFFECT_GAIN_RANDOM:
        gain(draft, seat, bank_payout(state, amount))
    else:
        charge_for_card(draft, seat, bank_or_pot(state), amount)


def _all_move(draft: Draft, seat: int, effect: Effect) -> Effect | None:
    """In turn order from the card's reader; who is there already stays, and does not act there again."""
    state = draft.state
    order = state.order
    place = order.index(seat)
    moved: Effect | None = None
    for one in order[place:] + order[:place]:
        if state.out[one] or (state.jailed[one] and effect.except_jailed):
            continue
        if state.jailed[one]:
            draft.emit(JailLeft(one, JAIL_EXIT_CARD))
        if state.at[one] != effect.square:
            to_square(draft, one, effect.square, effect.salary)
            if one == seat:
                moved = effect
    return moved
