"""What a seat has, and who may see it (row 88, `table.balances_public`).

Payments are made in the open: every event and every entry may be seen by all, and who adds them up knows what
is left. What a seat has in all is shown to its own player only, until the game is over. The bank keeps to the
same by itself: see `start.ledger_of`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game.domain.table import OVER
from magnate.kit.errors import RefusedError
from magnate.rules.rejections import BALANCE_HIDDEN, Rejection

if TYPE_CHECKING:
    from magnate.game.state import GameState
    from magnate.kit.rpc.call import Principal


def hidden_seats(state: GameState, game_id: str, caller: Principal) -> list[int]:
    """Return the seats whose balances are not for this caller, by the newest state of the game."""
    ruleset = state.table.ruleset
    if ruleset is None or ruleset.table_balances_public or state.table.status == OVER:
        return []
    own = caller.seat if caller.kind == "seat" and caller.game_id == game_id else -1
    return [seat for seat in range(len(state.table.names)) if seat != own]


def refuse_hidden(state: GameState, game_id: str, seat: int, caller: Principal) -> None:
    """Raise RefusedError (BALANCE_HIDDEN) if an answer about this seat would tell what it has."""
    if seat in hidden_seats(state, game_id, caller):
        detail = f"what seat {seat} can pay is for its own player to know; show the seat's token"
        raise RefusedError(Rejection(BALANCE_HIDDEN, detail), {"game_id": game_id})
