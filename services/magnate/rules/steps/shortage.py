"""The last buildings of the bank (row 60): who wants one says so, one goes under the hammer, it is placed.

Where the rule set auctions them (`build.shortage`), a building command that leaves fewer than the others
could place is not carried out but remembered, and a window opens in which each of them says whether he wants
one. It closes when all have answered, or by its deadline (`build.shortage_seconds`). Then, as soon as no debt
and no other auction stands in the way:

* as long as more are wanted than there are, by at least two seats that can still place one, one building is
  auctioned among these. The winner pays the hammer price and puts it on a lot of his, at no further cost; if
  it fits nowhere any more, it goes back and he has his money back. Who won it has what he said he wants; the
  seat that asked first wants all it asked for.
* when nobody competes any more, the seat that asked first builds what is left of its command at the deed's
  price, if that can still be done. Nobody bid: nobody builds.

Everything else goes on meanwhile: lots are mortgaged and traded, hotels are sold. Nobody builds until it is
over, and a house that is under the hammer or won is not there for a hotel that is sold. Who leaves the game
is taken out; a building he had won is given back before his estate is counted.

Own reading: each seat declares one building at a time, and buildings may be won at auction out of turn and
beyond the limit of a turn (rows 52, 53), because the rule asks all players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.buildings import places_for
from magnate.rules.contest import can_place, contested, least_bid, rivals, stock_of
from magnate.rules.decision import NOBODY
from magnate.rules.rejections import Rejection
from magnate.rules.steps.auction import INCREMENT, put_under_hammer, take_price
from magnate.rules.steps.build import carry_out, plan, price_of
from magnate.rules.steps.place import give_back
from magnate.rules.steps.running import begin_auction, end_auction, is_running
from magnate.rules.vocabulary import (
    BUILDING_HOTEL,
    AuctionOutcome,
    BuildingAuctioned,
    BuildingNotWanted,
    BuildingPutUp,
    BuildingWanted,
    LotLevel,
    OpenAuction,
    ShortageClosed,
    ShortageOpened,
    WantBuilding,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State
    from magnate.rules.steps.build import Works

_LEVELS: Final = 16
"""A target is remembered as lot * 16 + level."""


def want_building(draft: Draft, seat: int, command: WantBuilding) -> Rejection | None:
    """Say that one wants a building.

    NOTHING_DUE, MUST_PAY_FIRST, NOT_BUILDABLE (one could not place it any more), INSUFFICIENT_FUNDS (for the
    least bid), INVALID_TARGET (another kind is asked about).
    """
    state = draft.state
    name = refuse_wanting(state, seat)
    if name:
        return Rejection(name)
    building = state.extras.shortage_building
    if command.building != building:
        return Rejection(rejections.INVALID_TARGET, f"building {building} is asked about")
    draft.emit(BuildingWanted(seat, building))
    return None


def refuse_wanting(state: State, seat: int) -> str:
    """Why the seat cannot say that it wants one of the last buildings, or empty."""
    extras = state.extras
    if seat not in extras.shortage_asked:
        return rejections.NOTHING_DUE
    if state.debts and state.in_debt(seat):
        return rejections.MUST_PAY_FIRST
    building = extras.shortage_building
    if not places_for(state, seat, building):
        return rejections.NOT_BUILDABLE
    return rejections.INSUFFICIENT_FUNDS if state.available(seat) < window_least(state) else ""


def window_least(state: State) -> int:
    """The least bid, if all who may still want one took part."""
    extras = state.extras
    seats = extras.shortage_asked + extras.shortage_wanted
    if extras.first_wanted:
        seats = [*seats, extras.first_wanted - 1]
    able = [seat for seat in seats if can_place(state, seat, extras.shortage_building)]
    return least_bid(state, able, extras.shortage_building)


def want_none(draft: Draft, seat: int) -> None:
    """Say that one wants none; for a seat that is asked."""
    draft.emit(BuildingNotWanted(seat, draft.state.extras.shortage_building))


def time_is_up(draft: Draft) -> None:
    """The time to answer is over: who has not answered wants none."""
    for seat in list(draft.state.extras.shortage_asked):
        want_none(draft, seat)


def distribute(draft: Draft) -> bool:
    """The next step of a window that is open, or of a building that was won, if nobody is waited for.

    For `flow`, when no debt and no auction stands in the way. Says whether it did something.
    """
    state = draft.state
    extras = state.extras
    if extras.placing_seat:
        if places_for(state, extras.placing_seat - 1, extras.placing_building):
            return False
        give_back(draft)
        return True
    if extras.shortage_asked:
        return False
    building = extras.shortage_building
    first = extras.first_wanted - 1
    works = _left_of_first(state, first)
    taken = 0
    if works is not None and can_place(state, first, building):
        taken = max(0, works.hotels if building == BUILDING_HOTEL else works.houses)
    seats = [seat for seat in extras.shortage_wanted if can_place(state, seat, building)]
    least = least_bid(state, [*seats, first] if taken else seats, building)
    bidders = [seat for seat in seats if state.available(seat) >= least]
    wanted = len(bidders)
    if taken and state.available(first) >= least:
        bidders.append(first)
        wanted += taken
    if len(bidders) > 1 and wanted > stock_of(state, building) > 0:
        _put_up(draft, building, bidders, least)
    else:
        _close(draft, building, first)
    return True


def _left_of_first(state: State, first: int) -> Works | None:
    """What is left of the command of the seat that asked first, or None."""
    targets = _targets(state)
    if first < 0 or not targets:
        return None
    return plan(state, first, targets, up=True)


def _targets(state: State) -> list[LotLevel]:
    """The targets that are not reached yet."""
    return [
        LotLevel(code // _LEVELS, code % _LEVELS)
        for code in state.extras.shortage_targets
        if state.level[code // _LEVELS] < code % _LEVELS
    ]


def _put_up(draft: Draft, building: int, bidders: list[int], least: int) -> None:
    state = draft.state
    in_order = [seat for seat in state.order if seat in bidders]
    draft.emit(BuildingPutUp(building, state.auction_count + 1))
    put_under_hammer(draft, OpenAuction(state.auction_count, NOBODY, in_order, least, INCREMENT, 0, building))


def _close(draft: Draft, building: int, first: int) -> None:
    """Nobody competes any more: the seat that asked first builds at the deed's price what it still can."""
    state = draft.state
    works = _left_of_first(state, first)
    targets = _targets(state)
    draft.emit(ShortageClosed(building))
    if works is None or works.refused or state.in_debt(first):
        return
    if price_of(state, first, works) > state.available(first):
        return
    more = contested(state, first, works.houses, works.hotels, building)
    if more:
        draft.emit(ShortageOpened(more, rivals(state, first, more), first, targets))
    else:
        carry_out(draft, first, targets, works)


def settle_building(draft: Draft, outcome: AuctionOutcome) -> Rejection | None:
    """The hammer fell for a building: its winner places it; when nobody bid it stays in the bank."""
    state = draft.state
    building = state.extras.shortage_building
    if not is_running(state, outcome):
        return Rejection(rejections.NO_AUCTION, f"auction {outcome.auction} of a building does not run")
    draft.emit(BuildingAuctioned(building, outcome.auction, outcome.winner, outcome.price))
    if outcome.winner == NOBODY:
        draft.emit(ShortageClosed(building))
    else:
        take_price(draft, outcome)
    return None


def leave_shortage(state: State, seat: int) -> None:
    """A seat left the game: it is asked no more and wants nothing. For folds."""
    extras = state.extras
    if seat in extras.shortage_asked:
        extras.shortage_asked = [one for one in extras.shortage_asked if one != seat]
    if seat in extras.shortage_wanted:
        extras.shortage_wanted = [one for one in extras.shortage_wanted if one != seat]
    if extras.first_wanted == seat + 1:
        extras.first_wanted = 0
        extras.shortage_targets = []


def clear_shortage(state: State) -> None:
    """The window is closed. For folds."""
    extras = state.extras
    extras.shortage_building = 0
    extras.shortage_asked = []
    extras.shortage_wanted = []
    extras.shortage_targets = []
    extras.first_wanted = 0


def _shortage_opened(state: State, event: ShortageOpened) -> None:
    extras = state.extras
    extras.touched = 1
    extras.shortage_building = event.building
    extras.shortage_asked = list(event.seats)
    extras.shortage_wanted = []
    extras.shortage_targets = [target.lot * _LEVELS + target.level for target in event.targets]
    extras.first_wanted = event.first_seat + 1


def _building_wanted(state: State, event: BuildingWanted) -> None:
    state.extras.shortage_wanted.append(event.seat)
    state.extras.shortage_asked.remove(event.seat)


def _building_not_wanted(state: State, event: BuildingNotWanted) -> None:
    state.extras.shortage_asked.remove(event.seat)


def _shortage_closed(state: State, _event: ShortageClosed) -> None:
    clear_shortage(state)


def _building_put_up(state: State, event: BuildingPutUp) -> None:
    begin_auction(state, event.auction, NOBODY)


def _building_auctioned(state: State, event: BuildingAuctioned) -> None:
    end_auction(state, event.auction)
    extras = state.extras
    if event.winner >= 0:
        extras.touched = 1
        extras.placing_seat = event.winner + 1
        extras.placing_building = event.building
        extras.placing_price = event.price
        if event.winner in extras.shortage_wanted:
            extras.shortage_wanted.remove(event.winner)


FOLDS: Final[Folds] = {
    BuildingWanted: _building_wanted,
    BuildingNotWanted: _building_not_wanted,
    ShortageOpened: _shortage_opened,
    ShortageClosed: _shortage_closed,
    BuildingPutUp: _building_put_up,
    BuildingAuctioned: _building_auctioned,
}
