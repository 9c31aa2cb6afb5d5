"""Reads requests that put a unit into a game."""

from __future__ import annotations

from typing import Final

from magnate.bank.tables.events import TableOpened
from magnate.bank.tables.service import Opening
from magnate.bank.tables.state import MODELS
from magnate.bank.terminal.edition import TOUCH
from magnate.bank.terminal.machine import MACHINES
from magnate.bank.v1 import terminal_pb2
from magnate.game.v1 import game_pb2
from magnate.kit.errors import InvalidArgumentError, RefusedError
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection

TOKENS: Final = "table.tokens"
BY_HAND: Final = "by_hand"
IN_PLAY: Final = (game_pb2.GAME_STATUS_RUNNING, game_pb2.GAME_STATUS_PAUSED)


def read_attaching(request: terminal_pb2.AttachUnitRequest, game: game_pb2.GameView) -> Opening:
    """Return what a caller asks for who attaches a unit to this game.

    Raises:
        InvalidArgumentError: no such model, or not for this game. RefusedError: NOT_STARTED, GAME_OVER.
    """
    model = request.model or terminal_pb2.UNIT_MODEL_TWO_SLOT
    if MODELS.get(model) not in MACHINES:
        known = ", ".join(sorted(MACHINES))
        raise InvalidArgumentError("model", f"{model} is no unit for a game; there are {known}")
    tokens = next((one.word for one in game.ruleset.options if one.name == TOKENS), "")
    if MODELS[model] == TOUCH and tokens != BY_HAND:
        raise InvalidArgumentError("model", f"the touch unit is for games with {TOKENS}: {BY_HAND}")
    if game.status not in IN_PLAY:
        over = game.status == game_pb2.GAME_STATUS_OVER
        name = names.GAME_OVER if over else names.NOT_STARTED
        raise RefusedError(Rejection(name, "a unit is attached to a game that is being played"))
    currency = game.board.currency
    opened = TableOpened(
        "",
        currency.unit,
        currency.scale,
        game.board.start_money,
        game.board.go_salary,
        model,
        shared_unit=request.shared_unit,
        in_game=True,
    )
    return Opening(opened, [seat.name for seat in game.seats])
