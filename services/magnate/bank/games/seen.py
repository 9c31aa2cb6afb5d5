"""What a unit is shown of a game, from the game service's public view of it."""

from __future__ import annotations

from typing import Final

from magnate.bank.terminal.step import CARD_ASKED, DEED_ASKED, EVENT_ASKED, GameView
from magnate.game.v1 import game_pb2
from magnate.rules.steps.debt import due_amount, first_due
from magnate.rules.v1 import setup_pb2, vocabulary_pb2
from magnate.rules.vocabulary import OpenDebt

_BY_QUESTION: Final = {
    vocabulary_pb2.QUESTION_LOCATION: DEED_ASKED,
    vocabulary_pb2.QUESTION_SWAP: DEED_ASKED,
    vocabulary_pb2.QUESTION_DRAW: EVENT_ASKED,
}
_BY_EFFECT: Final = {
    setup_pb2.EFFECT_KIND_PAY_PLAYER: CARD_ASKED,
    setup_pb2.EFFECT_KIND_BOTH_GAIN: CARD_ASKED,
    setup_pb2.EFFECT_KIND_SEND_TO_JAIL: CARD_ASKED,
    setup_pb2.EFFECT_KIND_GOTO_ANY_PROPERTY: DEED_ASKED,
    setup_pb2.EFFECT_KIND_SWAP_PROPERTY: DEED_ASKED,
    setup_pb2.EFFECT_KIND_SET_LEVEL: DEED_ASKED,
    setup_pb2.EFFECT_KIND_CHANGE_LEVEL: DEED_ASKED,
    setup_pb2.EFFECT_KIND_CHANGE_LEVEL_AND_NEIGHBOURS: DEED_ASKED,
}
_SKIPPED: Final = (
    vocabulary_pb2.QUESTION_LOCATION,
    vocabulary_pb2.QUESTION_STAKE,
    vocabulary_pb2.QUESTION_RENT,
)


def seen_game(message: game_pb2.GameView) -> GameView:
    """Return the game as units see it."""
    view = GameView(len(message.seats))
    debts = [OpenDebt(one.debtor, one.creditor, one.amount, one.reason, one.lot) for one in message.debts]
    view.owes = [due_amount(first_due(debts, seat)) for seat in range(len(message.seats))]
    view.jailed = [seat.jailed for seat in message.seats]
    view.phase = message.situation.phase
    view.turn_seat = message.situation.turn_seat
    view.cap_level = message.cap_level if message.capped_rents else 0
    view.over = message.status == game_pb2.GAME_STATUS_OVER
    view.ranking, view.scores = list(message.ranking), list(message.scores)
    _see_board(message, view)
    if view.phase == vocabulary_pb2.PHASE_BUY:
        view.offered = message.seats[view.turn_seat].at
    elif view.phase == vocabulary_pb2.PHASE_CHOICE:
        _see_question(message, view)
    if message.situation.HasField("auction"):
        auction = message.situation.auction
        view.auction_lot, view.auction_leader = auction.lot, auction.leader
        view.auction_price, view.auction_next = auction.price, auction.next_minimum
        view.auction_due_ms = auction.close_time.ToMilliseconds()
    return view


def _see_board(message: game_pb2.GameView, view: GameView) -> None:
    """See the board's figures, and the lots as they are."""
    board = message.board
    view.go_salary, view.jail_fine = board.go_salary, board.jail_fine
    view.price = [square.price for square in board.squares]
    view.rents = [list(square.rents) for square in board.squares]
    view.owner = [-1] * len(board.squares)
    view.level = [0] * len(board.squares)
    for lot in message.lots:
        view.owner[lot.lot] = lot.owner
        view.level[lot.lot] = lot.rent_level
    if board.decks:
        view.events = {card.id: number for number, card in enumerate(board.decks[view.deck].cards)}


def _see_question(message: game_pb2.GameView, view: GameView) -> None:
    """See what is asked, and what has to be tapped for an answer."""
    asked = message.situation.question
    view.may_skip = asked.question in _SKIPPED
    view.asks = _BY_QUESTION.get(asked.question, "")
    view.asks_amount = asked.amount
    if asked.question == vocabulary_pb2.QUESTION_CARD:
        effects = message.board.decks[asked.card.deck].cards[asked.card.card].effects
        found = [_BY_EFFECT[effect.kind] for effect in effects if effect.kind in _BY_EFFECT]
        view.asks = found[0] if found else ""
