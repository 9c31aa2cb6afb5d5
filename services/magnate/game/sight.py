"""What a seat has, and who may see it (row 88, `table.balances_public`); what only bidders may know.

Payments are made in the open: every event and every entry may be seen by all, and who adds them up knows what
is left. What a seat has in all is shown to its own player only, until the game is over. The bank keeps to the
same by itself: see `start.ledger_of`.

Sealed bids, the holds behind them and ceilings are for their own seats only, whatever the rule set. All
that is shown of a game is made from `seen`; what was hidden at a version stays hidden when one asks later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.domain.table import OVER
from magnate.kit.errors import RefusedError
from magnate.rules import purse
from magnate.rules.bidding import MODE_DUTCH, dutch_price
from magnate.rules.rejections import BALANCE_HIDDEN, Rejection

if TYPE_CHECKING:
    from magnate.game.state import GameState
    from magnate.kit.rpc.call import Principal
    from magnate.rules.bidding import Auction


ANYBODY: Final = -1
"""Who has no seat in this game."""


def own_seat(game_id: str, caller: Principal) -> int:
    """Return the caller's seat in this game, or `ANYBODY`."""
    return caller.seat if caller.kind == "seat" and caller.game_id == game_id else ANYBODY


def seen(state: GameState, own: int = ANYBODY, at_ms: int = 0) -> GameState:
    """Return the game as this seat may see it: without what others have bid in secret.

    With a time, what a Dutch auction asks then is in it.
    """
    hidden = [state.holds[hold_id] for hold_id in state.concealed if state.holds[hold_id][0] != own]
    auctions = {number: _shown(state, one, own, at_ms) for number, one in state.auctions.items()}
    if not hidden and all(auctions[number] is auction for number, auction in state.auctions.items()):
        return state
    twin = state.draft()
    twin.auctions = auctions
    for seat, amount in hidden:
        assert twin.rules is not None, "holds are placed in games that have begun"
        purse.hold_released(twin.rules, seat, amount)
    return twin


def _shown(state: GameState, auction: Auction, own: int, at_ms: int) -> Auction:
    twin = auction.seen(own)
    if at_ms and auction.opened.mode == MODE_DUTCH:
        closing = state.deadlines[f"a{auction.auction}-{auction.end}"]
        left_ms = closing.due_ms - at_ms if closing.due_ms else closing.left_ms
        twin = twin.copy()
        twin.asking = dutch_price(auction.opened, auction.close_ms - left_ms)
    return twin


def hidden_seats(state: GameState, game_id: str, caller: Principal) -> list[int]:
    """Return the seats whose balances are not for this caller, by the newest state of the game."""
    ruleset = state.table.ruleset
    if ruleset is None or ruleset.table_balances_public or state.table.status == OVER:
        return []
    own = own_seat(game_id, caller)
    return [seat for seat in range(len(state.table.names)) if seat != own]


def refuse_hidden(state: GameState, game_id: str, seat: int, caller: Principal) -> None:
    """Raise RefusedError (BALANCE_HIDDEN) if an answer about this seat would tell what it has."""
    if seat in hidden_seats(state, game_id, caller):
        detail = f"what seat {seat} can pay is for its own player to know; show the seat's token"
        raise RefusedError(Rejection(BALANCE_HIDDEN, detail), {"game_id": game_id})
