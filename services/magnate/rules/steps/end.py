"""The end of a game (rows 85, 86), by whichever of seven reasons, with ranking and score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import (
    END_FIRST_BANKRUPTCY,
    END_SECOND_BANKRUPTCY,
    FINISH_AT_ONCE,
    SCORE_MONEY_AND_PROPERTY,
)
from magnate.rules.deeds import lowest
from magnate.rules.steps.place import give_back
from magnate.rules.steps.running import end_all, running_auctions
from magnate.rules.steps.shortage import clear_shortage
from magnate.rules.steps.turn import ends_round
from magnate.rules.vocabulary import (
    END_REASON_FIRST_BANKRUPTCY,
    END_REASON_LAST_PLAYER,
    END_REASON_ROUND_CAP,
    END_REASON_SECOND_BANKRUPTCY,
    END_REASON_TIME,
    END_REASON_TURN_CAP,
    PHASE_OVER,
    CancelAuction,
    GameEnded,
    PhaseEntered,
    TurnEnded,
    TurnStarted,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def finish(draft: Draft, reason: int) -> None:
    """End the game: the seats still in it by their score, then the others, last out first."""
    state = draft.state
    for number in running_auctions(state):
        draft.ask(CancelAuction(number, [seat for seat in range(state.seats) if state.out[seat]]))
    if state.extras.placing_seat:
        give_back(draft)
    scores = [score(state, seat) for seat in range(state.seats)]
    ranking = _by_score(state, scores) + state.eliminated[::-1]
    draft.emit(GameEnded(reason, ranking, [scores[seat] for seat in ranking]))
    draft.emit(PhaseEntered(PHASE_OVER))


def _by_score(state: State, scores: list[int]) -> list[int]:
    """The seats still in the game, the highest score first; ties stay in turn order."""
    ranked: list[int] = []
    for seat in state.order:
        if not state.out[seat]:
            place = len(ranked)
            while place > 0 and scores[ranked[place - 1]] < scores[seat]:
                place -= 1
            ranked.insert(place, seat)
    return ranked


def reason_to_end(state: State) -> int:
    """Why the game is over at once, END_REASON_…: who left, or the time; 0 if it goes on (row 85)."""
    rules = state.rules
    if rules.end == END_FIRST_BANKRUPTCY and state.extras.bankruptcies:
        return END_REASON_FIRST_BANKRUPTCY
    if rules.end == END_SECOND_BANKRUPTCY and state.extras.bankruptcies > 1:
        return END_REASON_SECOND_BANKRUPTCY
    if state.alive < 2:
        return END_REASON_LAST_PLAYER
    if state.extras.time_up and rules.end_time_finish == FINISH_AT_ONCE:
        return END_REASON_TIME
    return 0


def reason_after_turn(state: State, *, round_ends: bool = False) -> int:
    """Why the game is over when the present turn ends: a cap, or the time with its round; 0 if it goes on.

    `round_ends`: the round ends with it whoever could come yet.
    """
    rules = state.rules
    if state.turn >= rules.end_turns_max:
        return END_REASON_TURN_CAP
    if (state.extras.time_up or rules.end_rounds_max) and (round_ends or ends_round(state)):
        if state.extras.time_up:
            return END_REASON_TIME
        if state.round >= rules.end_rounds_max:
            return END_REASON_ROUND_CAP
    return 0


def take_turn(draft: Draft, seat: int) -> bool:
    """Where tokens are moved by hand, who acts has the turn: another seat's ends. False: so did the game.

    A round ends when a seat takes its turn that comes before the last one in order.
    """
    state = draft.state
    before = state.turn_seat
    if seat == before:
        return True
    draft.emit(TurnEnded(before))
    new_round = state.order.index(seat) < state.order.index(before)
    reason = reason_after_turn(state, round_ends=new_round)
    if reason:
        finish(draft, reason)
        return False
    draft.emit(TurnStarted(seat, state.turn + 1, state.round + 1 if new_round else state.round))
    return True


def score(state: State, seat: int) -> int:
    """What a seat counts (row 86): its money, and what it owns by `score.method`.

    full_count, purchase_prices   lots at board price, mortgaged ones at half, buildings at cost: a hotel
                                  counts the houses it took (both rows say so in their own words)
    money_and_property            lots at board price, mortgaged ones at half; buildings and rent levels are
                                  no property

    Own reading: what it has lent counts as money, what it has borrowed is taken off.
    """
    board = state.board
    total = state.cash[seat]
    buildings = state.rules.score_method != SCORE_MONEY_AND_PROPERTY
    lots = state.owned[seat]
    while lots:
        lot = lowest(lots)
        lots &= lots - 1
        price = board.price[lot]
        total += price // 2 if state.mortgaged[lot] else price
        if buildings:
            total += state.level[lot] * board.house_cost[board.group[lot]]
    for loan in state.extras.loans:
        if loan.debtor == seat:
            total -= loan.amount
        elif loan.creditor == seat:
            total += loan.amount
    return total


def _game_ended(state: State, event: GameEnded) -> None:
    state.end_reason = event.reason
    state.ranking = list(event.ranking)
    state.scores = list(event.scores)
    state.debts = []
    state.extras.claims = []
    state.estate = []
    state.offers = {}
    end_all(state)
    state.extras.reserved_lots = []
    state.extras.reserved_for = []
    clear_shortage(state)
    state.offered_lot = -1
    state.pending_move = 0
    state.choice_deck = -1
    state.choice_card = -1
    state.extras.question = 0
    state.extras.question_square = -1
    state.extras.question_amount = 0


FOLDS: Final[Folds] = {GameEnded: _game_ended}
