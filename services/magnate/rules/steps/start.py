"""The start of a game (rows 3, 5 to 7): who begins, start money, pots, deeds that are dealt, turn 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import START_RANDOM, START_TWO_DICE
from magnate.rules.decision import BANK, POT_PARKING
from magnate.rules.deeds import set_owner
from magnate.rules.steps import levels
from magnate.rules.vocabulary import (
    DICE_PURPOSE_ORDER,
    PHASE_ROLL,
    TRANSFER_REASON_POT,
    TRANSFER_REASON_PURCHASE,
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
    """Start the game: the seats in their order, money, pots, deeds, and the first turn."""
    state = draft.state
    assert state.phase == 0
    order = _order(draft)
    draft.emit(GameStarted(order, order[0]))
    for seat in state.order:
        draft.pay(BANK, seat, state.board.start_money, TRANSFER_REASON_START_MONEY)
    for pot, amount in enumerate(pots_at_start(state)):
        draft.pay(BANK, POT_PARKING - pot, amount, TRANSFER_REASON_POT)
    if state.rules.deal_deeds:
        _deal(draft)
    draft.emit(TurnStarted(order[0], 1, 1))
    draft.emit(PhaseEntered(PHASE_ROLL))


def pots_at_start(state: State) -> list[int]:
    """What the bank puts into the pots for parking, the jackpot and the charity fund."""
    board = state.board
    parking = board.pot_parking
    if state.rules.parking_pot:
        parking += state.rules.parking_seed
    return [parking, board.pot_jackpot, board.pot_charity]


def _order(draft: Draft) -> list[int]:
    """The seats in turn order: clockwise from the one that begins, or each place by lot.

    Who is the youngest is not known here: the rule set's first seat stands for it.
    """
    state = draft.state
    rules = state.rules
    if rules.start_order == START_TWO_DICE:
        order = [_highest_throw(draft)]
    elif rules.start_order == START_RANDOM:
        order = []
    else:
        order = [rules.start_first_seat % state.seats]
    if rules.start_order_by_lot:
        return _drawn_order(draft, order, state.seats)
    if not order:
        order = _drawn_order(draft, order, 1)
    return [(order[0] + step) % state.seats for step in range(state.seats)]


def _drawn_order(draft: Draft, order: list[int], places: int) -> list[int]:
    """Draw who comes next, one draw a place, until so many places are filled or one seat is left."""
    state = draft.state
    left = [seat for seat in range(state.seats) if seat not in order]
    draw = state.draws
    while len(order) < places:
        seat = left[0]
        if len(left) > 1:
            draw += 1
            seat = draft.chance.seat(draw, left)
        left.remove(seat)
        order.append(seat)
    draft.emit(OrderDrawn(order + left, draw))
    return order


def _deal(draft: Draft) -> None:
    """Deal deeds round the table, one at a time, each paid at once (row 7).

    Nobody is dealt what he cannot pay, and no round begins that there are not deeds enough for.
    """
    state = draft.state
    board = state.board
    paid = state.rules.deal_deeds_paid
    for _ in range(state.rules.deal_deeds):
        if sum(1 for lot in board.lots if state.owner[lot] < 0) < state.seats:
            return
        for seat in state.order:
            lots = dealable(state, seat)
            if not lots:
                continue
            draw = state.draws + 1
            lot = draft.chance.deal(draw, lots)
            price = board.price[lot] if paid else 0
            draft.emit(DeedDealt(seat, lot, price, draw))
            draft.pay(seat, BANK, price, TRANSFER_REASON_PURCHASE)
            levels.after_acquiring(draft, [lot])


def dealable(state: State, seat: int) -> list[int]:
    """The lots of which the seat may be dealt one: those of the bank, and not dearer than it can pay."""
    board = state.board
    most = state.available(seat) if state.rules.deal_deeds_paid else max(board.price)
    return [lot for lot in board.lots if state.owner[lot] < 0 and board.price[lot] <= most]


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
