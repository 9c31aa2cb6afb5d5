"""Building and selling buildings: rows 51 to 63, contradictions C6, C7, C9, C10, C39, C40.

One command names target levels for any number of lots and is carried out whole or not at all. Evenness and
the bank's stock are judged on the result (row 59), so hotels may come down in one command even when the bank
could not have given the houses in between. A lone hotel does not go up without its houses (case C019), unless
`build.hotel_without_houses` says otherwise.

Refusals of `build`, in this order: MUST_PAY_FIRST; NOT_BUILDABLE (nobody builds by a command), NOT_YOUR_TURN,
WRONG_PHASE (build.when, or the last buildings are being sold, row 60); EMPTY_COMMAND; for each target in the
order given UNKNOWN_LOT, DUPLICATE_LOT, NOT_BUILDABLE, NOT_OWNER, GROUP_INCOMPLETE, GROUP_MORTGAGED,
MAX_BUILDINGS, INVALID_TARGET (no higher than now); BUILD_LIMIT_REACHED (row 53); UNEVEN_BUILDING (row 54, or
a hotel before all houses stand, row 56); NO_HOUSES_LEFT; NO_HOTELS_LEFT; INSUFFICIENT_FUNDS.

Refusals of `sell`: NOT_YOUR_TURN, WRONG_PHASE (unless in debt); EMPTY_COMMAND; for each target UNKNOWN_LOT,
DUPLICATE_LOT, NOT_BUILDABLE, NOT_OWNER, NO_BUILDINGS, INVALID_TARGET (no lower than now, or below 0);
UNEVEN_BUILDING; HOTELS_SOLD_APART (row 62); NO_HOUSES_LEFT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.buildings import (
    discount,
    houses_free,
    is_even,
    levels_allowed,
    may_stand,
    resale,
    skips_houses,
    sold_apart,
    worth,
)
from magnate.rules.choices import (
    PER_TURN_ONE,
    PER_TURN_UNLIMITED,
    SHORTAGE_AUCTION,
    WHEN_AT_PURCHASE,
    WHEN_OWN_TURN,
    WHEN_OWN_TURN_BEFORE_ROLL,
)
from magnate.rules.contest import contested, rivals
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_level
from magnate.rules.moments import bids_are_sealed, refuse_moment
from magnate.rules.offers import void_lots
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import (
    TRANSFER_REASON_BUILDING,
    TRANSFER_REASON_BUILDING_SALE,
    BuildingsBuilt,
    BuildingsSold,
    DiscountSet,
    LotLevel,
    ShortageOpened,
)

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Build, SellBuildings


class Works:
    """What a list of targets comes to: levels afterwards, groups touched (as bits), pieces and money."""

    __slots__ = ("count", "dearest", "groups", "hotels", "houses", "levels", "lots", "money", "refused")

    def __init__(self, state: State) -> None:
        self.levels = state.level.copy()
        self.groups = 0
        self.lots = 0
        self.count = 0  # levels, up or down
        self.houses = 0  # taken from the bank, net; less than 0 when they go back
        self.hotels = 0
        self.money = 0  # the price of what goes up, or what counts of what comes down
        self.dearest = 0  # the price of the dearest level
        self.refused = ""

    def set(self, state: State, lot: int, level: int) -> None:
        """Count one lot's change to `level`."""
        hotel = state.hotel_level
        before = self.levels[lot]
        group = state.board.group[lot]
        price = state.board.house_cost[group]
        self.houses += (level if level < hotel else 0) - (before if before < hotel else 0)
        self.hotels += (1 if level == hotel else 0) - (1 if before == hotel else 0)
        self.money += (level - before) * price if level > before else worth(state, lot, level)
        self.count += abs(level - before)
        self.dearest = max(self.dearest, price)
        self.levels[lot] = level
        self.groups |= 1 << group
        self.lots |= 1 << lot


def build(draft: Draft, seat: int, command: Build) -> Rejection | None:
    """Build up to the target levels and pay for every level; a hotel gives its houses back to the bank.

    Where the last buildings are auctioned (row 60) a command that leaves fewer than others could place asks
    these first instead: see `steps.shortage`.
    """
    state = draft.state
    name = refuse_building(state, seat)
    if name:
        return Rejection(name)
    works = plan(state, seat, command.targets, up=True)
    if works.refused:
        return Rejection(works.refused)
    price = price_of(state, seat, works)
    if price > state.available(seat):
        return Rejection(rejections.INSUFFICIENT_FUNDS, f"building costs {price}")
    if state.rules.build_shortage == SHORTAGE_AUCTION:
        building = contested(state, seat, works.houses, works.hotels, 0)
        if building:
            draft.emit(ShortageOpened(building, rivals(state, seat, building), seat, command.targets))
            return None
    carry_out(draft, seat, command.targets, works)
    return None


def carry_out(draft: Draft, seat: int, targets: list[LotLevel], works: Works) -> None:
    """Build what was planned and can be paid."""
    state = draft.state
    price = price_of(state, seat, works)
    counted = state.rules.build_per_turn != PER_TURN_UNLIMITED
    draft.emit(BuildingsBuilt(seat, targets, price, counted))
    draft.pay(seat, BANK, price, TRANSFER_REASON_BUILDING)
    if state.extras.discount[seat]:
        draft.emit(DiscountSet(seat, 0))
    if state.offers:
        void_lots(draft, lots_of_groups(state.board, works.groups))


def price_of(state: State, seat: int, works: Works) -> int:
    """What the seat pays for what it builds: a card makes the dearest level cheaper (row 40)."""
    return works.money - discount(state, seat, works.dearest)


def sell(draft: Draft, seat: int, command: SellBuildings) -> Rejection | None:
    """Sell down to the target levels; the bank pays `build.sell_percent` of what counts."""
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
    if state.extras.shortage_building or state.extras.placing_seat:
        return rejections.WRONG_PHASE
    when = state.rules.build_when
    if when == WHEN_AT_PURCHASE:
        return rejections.NOT_BUILDABLE
    if state.rules.build_shortage == SHORTAGE_AUCTION and bids_are_sealed(state):
        return rejections.WRONG_PHASE  # who else could pay is looked at
    return refuse_moment(state, seat, when)


def refuse_selling(state: State, seat: int) -> str:
    """Why this seat may sell no building at this moment, or empty; who owes may always sell."""
    when = state.rules.build_when
    if when == WHEN_OWN_TURN_BEFORE_ROLL:
        when = WHEN_OWN_TURN
    if when == WHEN_AT_PURCHASE or (state.debts and state.in_debt(seat)):
        return ""
    return refuse_moment(state, seat, when)


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
    works.refused = _refuse_result(state, seat, works, up=up)
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


def _refuse_result(state: State, seat: int, works: Works, *, up: bool) -> str:
    board = state.board
    rules = state.rules
    if up and rules.build_per_turn != PER_TURN_UNLIMITED and _too_many(state, seat, works):
        return rejections.BUILD_LIMIT_REACHED
    short = False
    for group in range(len(board.members)):
        if not works.groups >> group & 1:
            continue
        if up:
            if not may_stand(state, works.levels, group):
                return rejections.UNEVEN_BUILDING
            short = short or skips_houses(state, works.levels, group)
        elif rules.build_even and not is_even(state, works.levels, group):
            return rejections.UNEVEN_BUILDING
        elif sold_apart(state, works.levels, group):
            return rejections.HOTELS_SOLD_APART
    if short or works.houses > (state.houses_left if up else houses_free(state)):
        return rejections.NO_HOUSES_LEFT
    if works.hotels > state.hotels_left:
        return rejections.NO_HOTELS_LEFT
    return ""


def _too_many(state: State, seat: int, works: Works) -> bool:
    """Whether the command builds more than its turn allows (row 53, C10)."""
    if state.rules.build_per_turn == PER_TURN_ONE:
        return works.count > levels_allowed(state, seat, 0)
    for group, members in enumerate(state.board.members):
        if works.groups >> group & 1:
            count = 0
            for lot in members:
                count += works.levels[lot] - state.level[lot]
            if count > levels_allowed(state, seat, group):
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
        if event.counted:
            state.extras.built_groups |= 1 << state.board.group[change.lot]
            state.extras.built_any |= 1 << event.seat


def fold_sold(state: State, event: BuildingsSold) -> None:
    """The lots have their new levels."""
    for change in event.levels:
        set_level(state, change.lot, change.level)


FOLDS: Final[Folds] = {BuildingsBuilt: fold_built, BuildingsSold: fold_sold}
