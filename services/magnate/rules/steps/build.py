"""Building and selling buildings: rows 51 to 63, contradictions C6, C7, C9, C39.

One command names target levels for any number of lots and is carried out whole or not at all. Evenness and
the bank's stock are judged on the result, so hotels may come down in one command even when the bank could
not have given the houses in between.

Refusals of `build`, in this order: MUST_PAY_FIRST; NOT_YOUR_TURN, WRONG_PHASE (build.when); EMPTY_COMMAND;
for each target in the order given UNKNOWN_LOT, DUPLICATE_LOT, NOT_BUILDABLE, NOT_OWNER, GROUP_INCOMPLETE,
GROUP_MORTGAGED, MAX_BUILDINGS, INVALID_TARGET (no higher than now); UNEVEN_BUILDING (row 54, or a hotel
before all houses stand on every lot, row 56); NO_HOUSES_LEFT; NO_HOTELS_LEFT; INSUFFICIENT_FUNDS.

Refusals of `sell`: NOT_YOUR_TURN, WRONG_PHASE (unless in debt); EMPTY_COMMAND; for each target UNKNOWN_LOT,
DUPLICATE_LOT, NOT_BUILDABLE, NOT_OWNER, NO_BUILDINGS, INVALID_TARGET (no lower than now, or below 0);
UNEVEN_BUILDING; NO_HOUSES_LEFT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.choices import WHEN_OWN_TURN, WHEN_OWN_TURN_BEFORE_ROLL
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_level
from magnate.rules.moments import refuse_moment
from magnate.rules.offers import void_lots
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import (
    TRANSFER_REASON_BUILDING,
    TRANSFER_REASON_BUILDING_SALE,
    BuildingsBuilt,
    BuildingsSold,
    LotLevel,
)

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Build, SellBuildings


class Works:
    """What a list of targets comes to: levels afterwards, groups touched (as bits), pieces and money."""

    __slots__ = ("groups", "hotels", "houses", "levels", "lots", "money", "refused")

    def __init__(self, state: State) -> None:
        self.levels = state.level.copy()
        self.groups = 0
        self.lots = 0
        self.houses = 0  # taken from the bank, net; less than 0 when they go back
        self.hotels = 0
        self.money = 0  # the price of what goes up, or of what comes down
        self.refused = ""

    def set(self, state: State, lot: int, level: int) -> None:
        """Count one lot's change to `level`."""
        hotel = state.hotel_level
        before = self.levels[lot]
        group = state.board.group[lot]
        self.houses += (level if level < hotel else 0) - (before if before < hotel else 0)
        self.hotels += (1 if level == hotel else 0) - (1 if before == hotel else 0)
        self.money += abs(level - before) * state.board.house_cost[group]
        self.levels[lot] = level
        self.groups |= 1 << group
        self.lots |= 1 << lot


def build(draft: Draft, seat: int, command: Build) -> Rejection | None:
    """Build up to the target levels and pay for every level; a hotel gives its houses back to the bank."""
    state = draft.state
    name = refuse_building(state, seat)
    if name:
        return Rejection(name)
    works = plan(state, seat, command.targets, up=True)
    if works.refused:
        return Rejection(works.refused)
    if works.money > state.available(seat):
        return Rejection(rejections.INSUFFICIENT_FUNDS, f"building costs {works.money}")
    draft.emit(BuildingsBuilt(seat, command.targets, works.money))
    draft.pay(seat, BANK, works.money, TRANSFER_REASON_BUILDING)
    if state.offers:
        void_lots(draft, lots_of_groups(state.board, works.groups))
    return None


def sell(draft: Draft, seat: int, command: SellBuildings) -> Rejection | None:
    """Sell down to the target levels; the bank pays `build.sell_percent` of every level."""
    state = draft.state
    name = refuse_selling(state, seat)
    if name:
        return Rejection(name)
    works = plan(state, seat, command.targets, up=False)
    if works.refused:
        return Rejection(works.refused)
    proceeds = resale(state, works.money)
    draft.emit(BuildingsSold(seat, command.targets, proceeds))
    draft.pay(BANK, seat, proceeds, TRANSFER_REASON_BUILDING_SALE)
    return None


def refuse_building(state: State, seat: int) -> str:
    """Why this seat may build nothing at all at this moment, or empty."""
    if state.debts and state.in_debt(seat):
        return rejections.MUST_PAY_FIRST
    return refuse_moment(state, seat, state.rules.build_when)


def refuse_selling(state: State, seat: int) -> str:
    """Why this seat may sell no building at this moment, or empty; who owes may always sell."""
    when = state.rules.build_when
    if when == WHEN_OWN_TURN_BEFORE_ROLL:
        when = WHEN_OWN_TURN
    if state.debts and state.in_debt(seat):
        return ""
    return refuse_moment(state, seat, when)


def resale(state: State, price: int) -> int:
    """What the bank pays for buildings that cost `price` (C6, C7: a hotel counts as its full stack)."""
    return price * state.rules.build_sell_percent // 100


def plan(state: State, seat: int, targets: list[LotLevel], *, up: bool) -> Works:
    """Count what the targets come to; `refused` names the first thing in the way, money aside."""
    works = Works(state)
    if not targets:
        works.refused = rejections.EMPTY_COMMAND
        return works
    board = state.board
    for target in targets:
        lot = target.lot
        if not 0 <= lot < board.size or board.group[lot] < 0:
            works.refused = rejections.UNKNOWN_LOT
        elif works.lots >> lot & 1:
            works.refused = rejections.DUPLICATE_LOT
        elif board.house_cost[board.group[lot]] == 0:
            works.refused = rejections.NOT_BUILDABLE
        elif state.owner[lot] != seat:
            works.refused = rejections.NOT_OWNER
        elif up:
            works.refused = _refuse_up(state, seat, lot, target.level)
        else:
            works.refused = _refuse_down(state, lot, target.level)
        if works.refused:
            return works
        works.set(state, lot, target.level)
    works.refused = _refuse_result(state, works)
    return works


def _refuse_up(state: State, seat: int, lot: int, level: int) -> str:
    group = state.board.group[lot]
    if not state.full[seat] >> group & 1:
        return rejections.GROUP_INCOMPLETE
    if state.group_mortgaged[group] > 0:
        return rejections.GROUP_MORTGAGED
    if level > state.hotel_level:
        return rejections.MAX_BUILDINGS
    return rejections.INVALID_TARGET if level <= state.level[lot] else ""


def _refuse_down(state: State, lot: int, level: int) -> str:
    if state.level[lot] == 0:
        return rejections.NO_BUILDINGS
    return rejections.INVALID_TARGET if level < 0 or level >= state.level[lot] else ""


def _refuse_result(state: State, works: Works) -> str:
    if state.rules.build_even:
        board = state.board
        for group in range(len(board.members)):
            if works.groups >> group & 1 and not is_even(board, works.levels, group):
                return rejections.UNEVEN_BUILDING
    elif works.hotels > 0 and hotel_too_early(state, works.levels, works.groups):
        return rejections.UNEVEN_BUILDING
    if works.houses > state.houses_left:
        return rejections.NO_HOUSES_LEFT
    if works.hotels > state.hotels_left:
        return rejections.NO_HOTELS_LEFT
    return ""


def is_even(board: Board, levels: list[int], group: int) -> bool:
    """Whether the lots of the group differ by one building at most (row 54)."""
    members = board.members[group]
    low = high = levels[members[0]]
    for lot in members:
        level = levels[lot]
        low = min(low, level)
        high = max(high, level)
    return high - low <= 1


def hotel_too_early(state: State, levels: list[int], groups: int) -> bool:
    """Whether a new hotel would stand in a group where another lot has not all its houses (row 56, C39)."""
    for lot in state.board.streets:
        group = state.board.group[lot]
        if groups >> group & 1 and levels[lot] == state.hotel_level > state.level[lot]:
            for other in state.board.members[group]:
                if levels[other] + 1 < state.hotel_level:
                    return True
    return False


def lots_of_groups(board: Board, groups: int) -> int:
    """The lots of these groups (a bit each) as bits."""
    lots = 0
    for group in range(len(board.members)):
        if groups >> group & 1:
            lots |= board.group_mask[group]
    return lots


def fold_built(state: State, event: BuildingsBuilt) -> None:
    """The lots have their new levels."""
    for change in event.levels:
        set_level(state, change.lot, change.level)


def fold_sold(state: State, event: BuildingsSold) -> None:
    """The lots have their new levels."""
    for change in event.levels:
        set_level(state, change.lot, change.level)


FOLDS: Final[Folds] = {BuildingsBuilt: fold_built, BuildingsSold: fold_sold}
