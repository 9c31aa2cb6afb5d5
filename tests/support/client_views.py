"""Hand-made public views of a game on the classic board, for tests of clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game.setup_codec import encode_board, encode_ruleset
from magnate.game.v1 import game_pb2
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable

BROWN = (1, 3)
LIGHT_BLUE = (6, 8, 9)
DARK_BLUE = (37, 39)


def view_of(
    *,
    cash: Iterable[int] = (1500, 1500),
    owner: dict[int, int] | None = None,
    level: dict[int, int] | None = None,
    mortgaged: Iterable[int] = (),
    waiting: Iterable[int] = (0,),
    turn: int = 1,
    phase: vocabulary_pb2.Phase.ValueType = vocabulary_pb2.PHASE_ACT,
    ruleset: str = "classic",
) -> game_pb2.GameView:
    """Return a running game; lots that are not named are the bank's and bare."""
    rules = load_ruleset(ruleset)
    board = load_board(rules.board)
    view = game_pb2.GameView(
        game_id="1-0-000000000000000000000001",
        version=10,
        status=game_pb2.GAME_STATUS_RUNNING,
        board=encode_board(board),
        ruleset=encode_ruleset(rules),
    )
    for seat, money in enumerate(cash):
        view.seats.add(seat=seat, name=f"Bot {seat}", cash=money)
    for lot in board.lots:
        view.lots.add(
            lot=lot,
            owner=(owner or {}).get(lot, -1),
            level=(level or {}).get(lot, 0),
            mortgaged=lot in set(mortgaged),
            rent_level=1 if board.rent_levels and lot in (owner or {}) else 0,
        )
    view.situation.phase = phase
    view.situation.turn = turn
    view.situation.waiting_seats.extend(waiting)
    return view


def owned(seat: int, lots: Iterable[int]) -> dict[int, int]:
    """Return who owns these lots, for `view_of`."""
    return dict.fromkeys(lots, seat)


def action(kind: str, **fields: object) -> game_pb2.LegalAction:
    """Return a legal action."""
    return game_pb2.LegalAction(kind=kind, **fields)  # type: ignore[arg-type]


def bidding(number: int, least: int, most: int, auction: int = 1) -> list[game_pb2.LegalAction]:
    """Return the actions of a bidder: to bid for this lot, or to pass."""
    lots = [game_pb2.LegalLot(lot=number)]
    bid = action("place_bid", amount_min=least, amount_max=most, lots=lots, auction=auction)
    return [bid, action("pass_auction", lots=lots, auction=auction)]


def lot(number: int, amount: int = 0, *, low: int = 0, high: int = 0, alone: int = -1) -> game_pb2.LegalLot:
    """Return a lot that an action may name."""
    return game_pb2.LegalLot(lot=number, amount=amount, level_min=low, level_max=high, level_alone=alone)
