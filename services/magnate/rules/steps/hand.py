"""Tokens moved by hand (`table.tokens: by_hand`): the players throw, move and draw, and tell what came of it.

Whoever tells something has the turn; the one before ends by it (`end.take_turn`). What a square or a card
leads to then is what it leads to anywhere. Own readings: a seat in jail whose token is placed has thrown a
double; GO pays when that is told, not when a token is placed; a card may be told that no square has asked
for, as the unit need not hear of the square; and any card of a deck may come, as a real one is shuffled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.choices import TOKENS_BY_HAND
from magnate.rules.gates import BETWEEN, nothing_pending
from magnate.rules.rejections import INVALID_TARGET, NOTHING_DUE, TOKENS_BY_ENGINE, WRONG_PHASE, Rejection
from magnate.rules.steps.card import drawn
from magnate.rules.steps.end import take_turn
from magnate.rules.steps.land import land
from magnate.rules.steps.move import at_go, earn
from magnate.rules.steps.questions import tellable
from magnate.rules.vocabulary import (
    JAIL_EXIT_DOUBLE,
    MOVE_CAUSE_HAND,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_DEBT,
    QUESTION_DRAW,
    ChoiceMade,
    DrawnCard,
    JailLeft,
    PassGo,
    PlaceToken,
    TokenMoved,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.state import State


def place_token(draft: Draft, seat: int, command: PlaceToken) -> Rejection | None:
    """Act on the square: TOKENS_BY_ENGINE, MUST_PAY_FIRST, NOT_YOUR_TURN, WRONG_PHASE, INVALID_TARGET."""
    state = draft.state
    refused = _by_engine(state) or nothing_pending(state, seat)
    if refused is not None:
        return refused
    if command.square not in places(state, seat):
        return Rejection(INVALID_TARGET, f"no throw leads from square {state.at[seat]} to {command.square}")
    if not take_turn(draft, seat):
        return None
    if state.jailed[seat]:
        draft.emit(JailLeft(seat, JAIL_EXIT_DOUBLE))
    draft.emit(TokenMoved(seat, state.at[seat], command.square, MOVE_CAUSE_HAND))
    land(draft, seat)
    return None


def pass_go(draft: Draft, seat: int, _command: PassGo) -> Rejection | None:
    """Pay for GO: TOKENS_BY_ENGINE, MUST_PAY_FIRST, NOT_YOUR_TURN, WRONG_PHASE, NOTHING_DUE.

    The seat on turn may say it late: what its square asks came first.
    """
    state = draft.state
    refused = _by_engine(state)
    if refused is None and not _on_its_square(state, seat):
        refused = nothing_pending(state, seat)
    if refused is not None:
        return refused
    salary, bonus = at_go(state, state.at[seat])
    if salary + bonus == 0:
        return Rejection(NOTHING_DUE, "GO pays nothing")
    if take_turn(draft, seat):
        earn(draft, seat, state.at[seat])
    return None


def drawn_card(draft: Draft, seat: int, command: DrawnCard) -> Rejection | None:
    """Obey a card: TOKENS_BY_ENGINE, MUST_PAY_FIRST, NOT_YOUR_TURN, WRONG_PHASE, INVALID_TARGET."""
    state = draft.state
    asked = asked_to_draw(state, seat)
    refused = _by_engine(state)
    if refused is None and not asked:
        refused = nothing_pending(state, seat) or _in_jail(state, seat)
    if refused is not None:
        return refused
    if command.deck not in decks_told(state, seat) or command.card not in tellable(state, command.deck):
        return Rejection(INVALID_TARGET, f"card {command.card} of deck {command.deck} cannot have been drawn")
    if asked:
        draft.emit(ChoiceMade(seat, command.card))
    elif not take_turn(draft, seat):
        return None
    obey_told(draft, seat, command.deck, command.card)
    return None


def obey_told(draft: Draft, seat: int, deck: int, card: int) -> None:
    """Do what a card says that was drawn by hand."""
    moved = drawn(draft, seat, deck, card, 0)
    if moved is not None:
        land(draft, seat, moved)


def places(state: State, seat: int) -> list[int]:
    """Where a token can have come to: anywhere but where it stands."""
    return [square for square in range(state.board.size) if square != state.at[seat]]


def may_pass_go(state: State, seat: int) -> bool:
    """Whether GO would pay the seat now."""
    if state.phase not in BETWEEN and not _on_its_square(state, seat):
        return False
    salary, bonus = at_go(state, state.at[seat])
    return salary + bonus > 0


def asked_to_draw(state: State, seat: int) -> bool:
    """Whether the square of the seat on turn waits for the card that was drawn."""
    asked = state.phase == PHASE_CHOICE and state.extras.question == QUESTION_DRAW
    return asked and seat == state.turn_seat


def decks_told(state: State, seat: int) -> list[int]:
    """The decks of which the seat may tell a card: that of its square, else any."""
    if asked_to_draw(state, seat):
        return [state.board.deck[state.extras.question_square]]
    return list(range(len(state.board.decks)))


def _in_jail(state: State, seat: int) -> Rejection | None:
    if not state.jailed[seat]:
        return None
    return Rejection(WRONG_PHASE, "nobody draws in jail: the token is placed first")


def _on_its_square(state: State, seat: int) -> bool:
    return seat == state.turn_seat and state.phase in (PHASE_BUY, PHASE_CHOICE, PHASE_DEBT)


def _by_engine(state: State) -> Rejection | None:
    if state.rules.table_tokens == TOKENS_BY_HAND:
        return None
    return Rejection(TOKENS_BY_ENGINE)
