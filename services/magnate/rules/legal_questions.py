"""What may be answered, staked, played and given back, for `legal_actions` (rows 35 to 41, 78)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.deeds import listed
from magnate.rules.kinds import CHOOSE_OPTION, PLAY_CARD, RETURN_LOTS, SKIP, STAKE
from magnate.rules.legal_values import LegalLot
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps.give_back import refuse_return, refuse_returning, returnable
from magnate.rules.steps.jackpot import faces_max, refuse_staking
from magnate.rules.steps.kept import playable, refuse_playing
from magnate.rules.steps.questions import answers, may_skip, options_asked, question
from magnate.rules.vocabulary import PHASE_CHOICE, Card

if TYPE_CHECKING:
    from magnate.rules.legal_values import LegalAction
    from magnate.rules.state import State

QUESTION_KINDS: Final = CHOOSE_OPTION | STAKE | SKIP | PLAY_CARD | RETURN_LOTS
"""The kinds whose parameters `fill` knows."""


def kinds_of_choice(state: State, seat: int) -> int:
    """What the seat on turn may answer in phase CHOICE."""
    found = 0
    if may_skip(state):
        found |= SKIP
    if answers(state):
        found |= CHOOSE_OPTION
    if not refuse_staking(state, seat) and state.extras.question_amount <= state.available(seat):
        found |= STAKE
    return found


def kinds_of_things(state: State, seat: int) -> int:
    """What a kept card, or a lot in debt, allows whoever has it."""
    found = 0
    if state.cards[seat] and state.board.has_played_cards and playable(state, seat):
        found |= PLAY_CARD
    if not refuse_returning(state, seat) and returnable(state, seat):
        found |= RETURN_LOTS
    return found


def fill(state: State, seat: int, kind: int, action: LegalAction) -> None:
    """Fill in what a command of one of these kinds may say."""
    if kind == RETURN_LOTS:
        lots = listed(returnable(state, seat))
        action.lots = [LegalLot(lot, 0, 0, state.board.price[lot]) for lot in lots]
        return
    if kind == PLAY_CARD:
        action.cards = [
            Card(code // CARDS_PER_DECK_MAX, code % CARDS_PER_DECK_MAX) for code in playable(state, seat)
        ]
    if state.phase != PHASE_CHOICE or seat != state.turn_seat:
        return
    action.question = question(state)
    amount = state.extras.question_amount
    if kind == CHOOSE_OPTION:
        action.answers = listed(answers(state))
        action.options = len(options_asked(state))
        action.amount_min = action.amount_max = amount
    elif kind == STAKE:
        action.faces_max = faces_max(state.board)
        action.amount_min = action.amount_max = amount
    elif kind == SKIP:
        action.amount_min = action.amount_max = amount


def refuse_thing(state: State, seat: int, kind: int) -> str:
    """Why the seat can stake, play or give back nothing now."""
    if kind == STAKE:
        return refuse_staking(state, seat) or rejections.INSUFFICIENT_FUNDS
    if kind == PLAY_CARD:
        hand = state.cards[seat]
        return refuse_playing(state, seat, hand[0]) if hand else rejections.NO_JAIL_CARD
    name = refuse_returning(state, seat)
    if name:
        return name
    for lot in state.board.lots:
        if state.owner[lot] == seat:
            return refuse_return(state, seat, lot)
    return rejections.NOT_OWNER
