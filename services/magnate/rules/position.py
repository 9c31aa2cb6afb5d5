"""Sandbox positions: a game that begins in the middle, checked so that it could have come about.

What is checked, in this order: lengths of the lists, seats, squares and owners, buildings and the bank's
stock, mortgages, kept cards, debts, phase, and what only some rule sets have (`position_extras`). Money is a
list beside the event: it moves by the ledger. A debt that its debtor could pay is allowed: it waits for the
first command, so that paying can be tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import END_SECOND_BANKRUPTCY, SCOPE_GROUP
from magnate.rules.decision import BANK, NOBODY, POT_CHARITY, POT_JACKPOT, POT_PARKING
from magnate.rules.deeds import set_level, set_mortgaged, set_owner
from magnate.rules.flow import proceed
from magnate.rules.position_extras import KEPT_CARDS, extras_fault, fold_extras, set_terms
from magnate.rules.rejections import INVALID_POSITION, Rejection
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps.auction import put_up
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_AUCTION,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_DEBT,
    PHASE_JAIL,
    PHASE_ROLL,
    TRANSFER_REASON_NAMES,
    TRANSFER_REASON_POSITION,
    BankruptcyCounted,
    PositionGiven,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State

MONEY_MAX: Final = 1 << 53
ROUND_MAX: Final = 100_000

_ACCOUNTS: Final = (BANK, POT_PARKING, POT_JACKPOT, POT_CHARITY)


def begin_at(draft: Draft, position: PositionGiven, cash: list[int]) -> Rejection | None:
    """Begin in a position: INVALID_POSITION with what is wrong, else it stands as given."""
    state = draft.state
    assert state.phase == 0
    wrong = fault(state, position, cash)
    if wrong:
        return Rejection(INVALID_POSITION, wrong)
    draft.emit(position)
    if state.rules.end == END_SECOND_BANKRUPTCY and any(position.out):  # who is out has been bankrupt
        draft.emit(BankruptcyCounted(sum(position.out)))
    for seat in range(state.seats):
        draft.pay(BANK, seat, cash[seat], TRANSFER_REASON_POSITION)
    for pot, amount in enumerate(position.pots):
        draft.pay(BANK, POT_PARKING - pot, amount, TRANSFER_REASON_POSITION)
    set_terms(draft, position)
    if position.phase == PHASE_AUCTION:
        put_up(draft, position.offered_lot, position.turn_seat)
    elif position.phase == PHASE_CHOICE:
        proceed(draft)  # a card may ask what nobody can answer: it has no effect then (row 40)
    return None


def fault(state: State, position: PositionGiven, cash: list[int]) -> str:
    """What is wrong with the position, or an empty text."""
    return (
        _seats_fault(state, position, cash)
        or _lots_fault(state, position)
        or _stock_fault(state, position)
        or _cards_fault(state, position)
        or _debts_fault(state, position)
        or _phase_fault(state, position)
        or extras_fault(state, position)
    )


def _seats_fault(state: State, position: PositionGiven, cash: list[int]) -> str:
    seats = state.seats
    for name, values in (
        ("at", position.at),
        ("jailed", position.jailed),
        ("jail_tries", position.jail_tries),
        ("out", position.out),
        ("cash", cash),
    ):
        if len(values) != seats:
            return f"{name}: {len(values)} values for {seats} seats"
    for seat in range(seats):
        if not 0 <= position.at[seat] < state.board.size:
            return f"at: seat {seat} is on square {position.at[seat]}, the board has {state.board.size}"
        if position.jailed[seat] not in (0, 1) or position.out[seat] not in (0, 1):
            return f"jailed, out: seat {seat} has neither 0 nor 1"
        if position.jailed[seat] and position.at[seat] != state.board.jail_square:
            return f"jailed: seat {seat} is not on square {state.board.jail_square}"
        if not 0 <= position.jail_tries[seat] < state.rules.jail_attempts_max:
            return f"jail_tries: seat {seat} has made {position.jail_tries[seat]}"
        if position.jail_tries[seat] and not position.jailed[seat]:
            return f"jail_tries: seat {seat} is not in jail"
        if not 0 <= cash[seat] <= MONEY_MAX:
            return f"cash: seat {seat} has {cash[seat]}"
        if position.out[seat] and cash[seat]:
            return f"out: seat {seat} is out and has money"
    if sum(position.out) > seats - 2:
        return "out: at least two seats must be in the game"
    if not 0 <= position.turn_seat < seats or position.out[position.turn_seat]:
        return f"turn_seat: {position.turn_seat} is no seat in the game"
    return ""


def _lots_fault(state: State, position: PositionGiven) -> str:
    board = state.board
    for name, values in (
        ("owner", position.owner),
        ("level", position.level),
        ("mortgaged", position.mortgaged),
    ):
        if len(values) != board.size:
            return f"{name}: {len(values)} values for {board.size} squares"
    for square in range(board.size):
        owner = position.owner[square]
        level = position.level[square]
        if owner != NOBODY and (not 0 <= owner < state.seats or position.out[owner]):
            return f"owner: square {square} belongs to {owner}, no seat in the game"
        if owner != NOBODY and board.group[square] < 0:
            return f"owner: square {square} cannot be owned"
        if not 0 <= level <= state.hotel_level:
            return f"level: square {square} has {level}, the most is {state.hotel_level}"
        if position.mortgaged[square] not in (0, 1):
            return f"mortgaged: square {square} has neither 0 nor 1"
        if owner == NOBODY and (level or position.mortgaged[square]):
            return f"level, mortgaged: square {square} belongs to the bank"
        if level and square not in board.streets:
            return f"level: nothing can be built on square {square}"
        if level:
            wrong = _group_fault(state, position, square)
            if wrong:
                return wrong
    return _evenness_fault(state, position)


def _group_fault(state: State, position: PositionGiven, square: int) -> str:
    """What is wrong with the group of a built lot, as far as the options ask for the whole group."""
    members = state.board.members[state.board.group[square]]
    clear = members if state.rules.mortgage_clear == SCOPE_GROUP else [square]
    if any(position.mortgaged[lot] for lot in clear):
        return f"mortgaged: a lot in the group of square {square} is, although that is built"
    if state.rules.trade_clear == SCOPE_GROUP:
        for lot in members:
            if position.owner[lot] != position.owner[square]:
                return f"level: the owner of square {square} has not the whole group"
    return ""


def _evenness_fault(state: State, position: PositionGiven) -> str:
    if not state.rules.build_even:
        return ""
    for group, lots in enumerate(state.board.members):
        levels = [position.level[lot] for lot in lots]
        if max(levels) - min(levels) > 1:
            return f"level: group {state.board.group_names[group]} is built unevenly"
    return ""


def _stock_fault(state: State, position: PositionGiven) -> str:
    """What the lots leave over must be what the bank is said to have."""
    hotels = sum(1 for level in position.level if level == state.hotel_level)
    houses = sum(level for level in position.level if level < state.hotel_level)
    if position.houses < 0 or position.houses + houses != state.houses_left:
        return f"houses: {houses} stand and {position.houses} are left of {state.houses_left}"
    if position.hotels < 0 or position.hotels + hotels != state.hotels_left:
        return f"hotels: {hotels} stand and {position.hotels} are left of {state.hotels_left}"
    return ""


def _cards_fault(state: State, position: PositionGiven) -> str:
    taken: list[int] = []
    for held in position.cards:
        if not 0 <= held.seat < state.seats or position.out[held.seat]:
            return f"cards: {held.seat} is no seat in the game"
        if not 0 <= held.deck < len(state.board.decks):
            return f"cards: there is no deck {held.deck}"
        cards = state.board.decks[held.deck].cards
        if not 0 <= held.card < len(cards):
            return f"cards: deck {held.deck} has no card {held.card}"
        if not any(effect.kind in KEPT_CARDS for effect in cards[held.card].effects):
            return f"cards: {cards[held.card].id} is no card to keep"
        code = held.deck * CARDS_PER_DECK_MAX + held.card
        if code in taken:
            return f"cards: {cards[held.card].id} is held twice"
        taken.append(code)
    return ""


def _debts_fault(state: State, position: PositionGiven) -> str:
    for debt in position.debts:
        if not 0 <= debt.debtor < state.seats or position.out[debt.debtor]:
            return f"debts: {debt.debtor} is no seat in the game"
        if debt.creditor not in _ACCOUNTS and (
            not 0 <= debt.creditor < state.seats or position.out[debt.creditor]
        ):
            return f"debts: {debt.creditor} is no seat in the game"
        if debt.creditor == debt.debtor:
            return f"debts: seat {debt.debtor} owes itself"
        if not 0 < debt.amount <= MONEY_MAX:
            return f"debts: {debt.amount} is no amount"
        if not 0 < debt.reason < len(TRANSFER_REASON_NAMES):
            return f"debts: {debt.reason} is no reason to owe money"
        if not NOBODY <= debt.lot < state.board.size:
            return f"debts: there is no lot {debt.lot}"
    return ""


def _phase_fault(state: State, position: PositionGiven) -> str:
    phase = position.phase
    jailed = position.jailed[position.turn_seat]
    lot = position.offered_lot
    if (phase == PHASE_DEBT) != bool(position.debts):
        return "phase: debts and phase debt come together only"
    if phase == PHASE_AUCTION and not state.rules.auction_enabled:
        return "phase: there are no auctions by this rule set"
    if phase in (PHASE_BUY, PHASE_AUCTION):
        if not 0 <= lot < state.board.size or state.board.group[lot] < 0:
            return f"offered_lot: {lot} is no lot"
        if position.owner[lot] != NOBODY:
            return f"offered_lot: {lot} has an owner"
        if phase == PHASE_BUY and position.at[position.turn_seat] != lot:
            return f"offered_lot: the seat on turn is not on {lot}"
    elif lot != NOBODY:
        return "offered_lot: nothing is offered in this phase"
    elif phase == PHASE_ROLL and jailed:
        return "phase: the seat on turn is in jail and cannot be in phase roll"
    elif phase == PHASE_JAIL and not jailed:
        return "phase: the seat on turn is not in jail"
    elif phase not in (PHASE_ROLL, PHASE_JAIL, PHASE_DEBT, PHASE_ACT, PHASE_CHOICE):
        return f"phase: a game cannot begin in phase {phase}"
    if not 0 <= position.doubles < 3 or not 0 < position.round <= ROUND_MAX:
        return "doubles, round: out of range"
    return ""


def _position_given(state: State, event: PositionGiven) -> None:
    state.turn_seat = event.turn_seat
    state.phase = event.phase
    state.round = event.round
    state.doubles = event.doubles
    state.turn = (event.round - 1) * state.seats + 1
    state.at = list(event.at)
    state.jailed = list(event.jailed)
    state.jail_tries = list(event.jail_tries)
    state.out = list(event.out)
    state.alive = state.seats - sum(event.out)
    state.eliminated = [seat for seat in range(state.seats) if event.out[seat]]
    for square in range(state.board.size):
        if event.owner[square] != NOBODY:
            set_owner(state, square, event.owner[square])
        if event.level[square]:
            set_level(state, square, event.level[square])
        if event.mortgaged[square]:
            set_mortgaged(state, square, 1)
    state.houses_left = event.houses
    state.hotels_left = event.hotels
    for held in event.cards:
        state.unseen[held.deck].remove(held.card)
        state.cards[held.seat].append(held.deck * CARDS_PER_DECK_MAX + held.card)
    state.debts = list(event.debts)
    before_throw = event.phase in (PHASE_ROLL, PHASE_JAIL)
    state.to_roll = 1 if before_throw or (event.doubles > 0 and event.phase != PHASE_ACT) else 0
    state.offered_lot = event.offered_lot if event.phase == PHASE_BUY else NOBODY
    fold_extras(state, event)


FOLDS: Final[Folds] = {PositionGiven: _position_given}
