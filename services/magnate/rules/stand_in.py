"""What a stand-in does for a seat whose player is gone (rows 84, 89): little, and always the same.

It uses a card that opens the jail, buys a lot if half its price is left over, pays what is owed as a debtor
out of time does (`expiry`), and else throws, declines, skips, takes the first answer, puts a building on the
first lot that will do, and ends the turn. In an auction it passes. It never deals, bids, builds or borrows,
so whoever comes back finds what he left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decide import act
from magnate.rules.draft import Draft
from magnate.rules.expiry import ONWARD, first_legal, pay_all
from magnate.rules.gates import in_game
from magnate.rules.steps.kept import opens_jail
from magnate.rules.steps.running import running_auctions
from magnate.rules.vocabulary import (
    PHASE_AUCTION,
    PHASE_BUY,
    PHASE_JAIL,
    BuyLot,
    Command,
    PassBidder,
    UseJailCard,
)
from magnate.rules.waiting import waiting_seats

if TYPE_CHECKING:
    from magnate.rules.chance import Chance
    from magnate.rules.decision import Decision
    from magnate.rules.rejections import Rejection
    from magnate.rules.state import State

LEFT_OVER: Final = 2
"""One part in so many of a price must be left after it is paid."""


def play(
    state: State, seat: int, chance: Chance, decision: Decision, elapsed_ms: int = 0
) -> Rejection | None:
    """Do for the seat what the game waits for, in place. NOT_STARTED, GAME_OVER, SEAT_OUT."""
    refused = in_game(state, seat)
    if refused is not None:
        return refused
    draft = Draft(state, chance, decision)
    draft.elapsed_ms = elapsed_ms
    if state.in_debt(seat):
        pay_all(draft, seat)
        return None
    if state.phase == PHASE_AUCTION:
        for number in running_auctions(state):
            draft.ask(PassBidder(number, seat))
        return None
    command = choose(state, seat)
    if command is not None:
        refused = act(draft, seat, command)
        assert refused is None, f"{command!r} was listed and refused: {refused!r}"
    return None


def choose(state: State, seat: int) -> Command | None:
    """The command of a stand-in that owes nothing; None if the game does not wait for it."""
    if seat not in waiting_seats(state):
        return None
    if state.phase == PHASE_BUY:
        price = state.board.price[state.offered_lot]
        if state.available(seat) >= price + price // LEFT_OVER:
            return BuyLot()
    elif state.phase == PHASE_JAIL and opens_jail(state, seat):
        return UseJailCard()
    return first_legal(state, seat, ONWARD)
