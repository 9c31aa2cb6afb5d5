"""The start of a game (rows 3, 5, 6): throw for the first turn, hand out the start money, begin turn 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import START_TWO_DICE
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_owner
from magnate.rules.vocabulary import (
    DICE_PURPOSE_ORDER,
    PHASE_ROLL,
    TRANSFER_REASON_START_MONEY,
    DeedDealt,
    DiceThrown,
    GameStarted,
    OrderDrawn,
    PhaseEntered,
    TurnStarted,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def begin(draft: Draft) -> None:
    """Start the game: seats go round clockwise from the one that throws highest."""
    state = draft.state
    assert state.phase == 0
    first = _highest_throw(draft) if state.rules.start_order == START_TWO_DICE else 0
    draft.emit(GameStarted([(first + step) % state.seats for step in range(state.seats)], first))
    for seat in state.order:
        draft.pay(BANK, seat, state.board.start_money, TRANSFER_REASON_START_MONEY)
    draft.emit(TurnStarted(first, 1, 1))
    draft.emit(PhaseEntered(PHASE_ROLL))


def _highest_throw(draft: Draft) -> int:
    """Everybody throws; those who tie for the highest total throw again."""
    contenders = list(range(draft.state.seats))
    while len(contenders) > 1:
        best = 0
        leaders: list[int] = []
        for seat in contenders:
            draw = draft.state.draws + 1
            first, second = draft.chance.throw(draw)
            draft.emit(DiceThrown(seat, first, second, DICE_PURPOSE_ORDER, draw))
            if first + second > best:
                best = first + second
                leaders = [seat]
            elif first + second == best:
                leaders.append(seat)
        contenders = leaders
    return contenders[0]


def _game_started(state: State, event: GameStarted) -> None:
    state.order = list(event.order)


def _deed_dealt(state: State, event: DeedDealt) -> None:
    state.draws = event.draw
    set_owner(state, event.lot, event.seat)


def _order_drawn(state: State, event: OrderDrawn) -> None:
    state.draws = event.draw
    state.order = list(event.order)


FOLDS: Final[Folds] = {GameStarted: _game_started, DeedDealt: _deed_dealt, OrderDrawn: _order_drawn}
