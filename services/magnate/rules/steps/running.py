"""Which auctions run, as the rules remember it: by number, and what is sold; in the order of their opening.

Mostly there is one, so it stands in the state itself; others beside it (an estate that is sold at once) stand
in `extras`. For folds and checks; nothing is decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.decision import NOBODY

if TYPE_CHECKING:
    from magnate.rules.state import State
    from magnate.rules.vocabulary import AuctionOutcome


def begin_auction(state: State, number: int, lot: int) -> None:
    """One more auction runs; lot -1 is a building of the bank."""
    state.auction_count = number
    if state.auction == 0:
        state.auction = number
        state.auction_lot = lot
    else:
        extras = state.extras
        extras.more_auctions = [*extras.more_auctions, number]
        extras.more_lots = [*extras.more_lots, lot]


def end_auction(state: State, number: int) -> None:
    """That auction does not run any more."""
    extras = state.extras
    if number != state.auction:
        place = extras.more_auctions.index(number)
        extras.more_auctions = without(extras.more_auctions, place)
        extras.more_lots = without(extras.more_lots, place)
    elif extras.more_auctions:
        state.auction = extras.more_auctions[0]
        state.auction_lot = extras.more_lots[0]
        extras.more_auctions = extras.more_auctions[1:]
        extras.more_lots = extras.more_lots[1:]
    else:
        state.auction = 0
        state.auction_lot = NOBODY


def without(values: list[int], place: int) -> list[int]:
    """The list without what stands at this place."""
    return values[:place] + values[place + 1 :]


def end_all(state: State) -> None:
    """No auction runs any more."""
    state.auction = 0
    state.auction_lot = NOBODY
    if state.extras.more_auctions:
        state.extras.more_auctions = []
        state.extras.more_lots = []


def running_auctions(state: State) -> list[int]:
    """The numbers of all that run."""
    return [state.auction, *state.extras.more_auctions] if state.auction else []


def is_running(state: State, outcome: AuctionOutcome) -> bool:
    """Whether that auction, of that lot, runs."""
    if outcome.auction == state.auction:
        return state.auction != 0 and outcome.lot == state.auction_lot
    extras = state.extras
    for place, number in enumerate(extras.more_auctions):
        if number == outcome.auction:
            return extras.more_lots[place] == outcome.lot
    return False


def was_unsold(state: State, lot: int) -> bool:
    """Whether nobody wanted that lot when it was put up before."""
    return state.extras.unsold_lot == lot + 1 or lot in state.extras.more_unsold


def set_unsold(state: State, lot: int, *, unsold: bool) -> None:
    """Remember, or forget, that nobody wanted that lot and it is put up once more."""
    extras = state.extras
    if unsold and extras.unsold_lot:
        extras.more_unsold = [*extras.more_unsold, lot]
    elif unsold:
        extras.unsold_lot = lot + 1
    elif extras.unsold_lot == lot + 1:
        extras.unsold_lot = 0
    elif lot in extras.more_unsold:
        extras.more_unsold = without(extras.more_unsold, extras.more_unsold.index(lot))
