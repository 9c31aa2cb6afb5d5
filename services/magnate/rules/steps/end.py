"""The end of a game (rows 85, 86): the last one left, the cap on turns, or abandonment; ranking and score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.vocabulary import PHASE_OVER, CancelAuction, GameEnded, PhaseEntered

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def finish(draft: Draft, reason: int) -> None:
    """End the game: the seats still in it by their score, then the others, last out first."""
    state = draft.state
    if state.auction:
        draft.ask(CancelAuction(state.auction))
    order = [seat for seat in state.order if not state.out[seat]]
    scored = sorted(order, key=lambda seat: -score(state, seat))  # stable: ties stay in turn order
    ranking = scored + state.eliminated[::-1]
    draft.emit(GameEnded(reason, ranking, [score(state, seat) for seat in ranking]))
    draft.emit(PhaseEntered(PHASE_OVER))


def score(state: State, seat: int) -> int:
    """Money, lots at board price (mortgaged at half), buildings at cost: a hotel counts its houses too."""
    board = state.board
    total = state.cash[seat]
    for lot in board.lots:
        if state.owner[lot] == seat:
            price = board.price[lot]
            total += price // 2 if state.mortgaged[lot] else price
            total += state.level[lot] * board.house_cost[board.group[lot]]
    return total


def _game_ended(state: State, event: GameEnded) -> None:
    state.end_reason = event.reason
    state.ranking = list(event.ranking)
    state.scores = list(event.scores)
    state.debts = []
    state.extras.claims = []
    state.estate = []
    state.offers = {}
    state.auction = 0
    state.auction_lot = -1
    state.offered_lot = -1
    state.pending_move = 0
    state.choice_deck = -1
    state.choice_card = -1


FOLDS: Final[Folds] = {GameEnded: _game_ended}
