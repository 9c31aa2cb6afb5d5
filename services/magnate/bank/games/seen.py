"""What a unit is shown of a game, from the game service's public view of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.terminal.step import GameView
from magnate.rules.steps.debt import due_amount, first_due
from magnate.rules.vocabulary import OpenDebt

if TYPE_CHECKING:
    from magnate.game.v1 import game_pb2


def seen_game(message: game_pb2.GameView) -> GameView:
    """Return the game as units see it."""
    view = GameView(len(message.seats))
    debts = [OpenDebt(one.debtor, one.creditor, one.amount, one.reason, one.lot) for one in message.debts]
    view.owes = [due_amount(first_due(debts, seat)) for seat in range(len(message.seats))]
    return view
