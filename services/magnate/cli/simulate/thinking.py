"""Lets the sensible bots of the client play a simulated game: each sees what the API would show it, no more.

They think a hundred times as long as those that choose at random, so games are counted in hundreds.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from magnate.client.bots.sensible import SensibleBot
from magnate.game.domain import table
from magnate.game.state import GameState
from magnate.game.v1 import game_pb2
from magnate.game.view import put_legal_action, put_rules, put_situation, put_table
from magnate.game.vocabulary_codec import decode_command
from magnate.rules.legal import legal_actions
from magnate.rules.simulate import COMMAND_MS
from magnate.rules.vocabulary import PassAuction, PlaceBid
from magnate.rules.waiting import waiting_seats

if TYPE_CHECKING:
    from magnate.rules.simulate import Game
    from magnate.rules.vocabulary import Command

GAME_ID = "simulated"


class Thinkers:
    """A bot on every seat of a game."""

    def __init__(self, game: Game, seed: str) -> None:
        self._game = game
        self._shown = GameState(GAME_ID)
        opened = self._shown.table
        opened.status = table.RUNNING
        opened.ruleset = game.state.rules
        opened.board = game.state.board
        opened.seat_count = game.state.seats
        opened.names = [f"seat {seat}" for seat in range(game.state.seats)]
        self._shown.rules = game.state
        self._fixed = game_pb2.GameView(game_id=GAME_ID)
        put_table(self._shown, self._fixed)
        self._bots = [SensibleBot(Random(f"{seed} {seat}")) for seat in range(game.state.seats)]  # noqa: S311

    def step(self) -> None:
        """Let whoever has an answer give one; where nobody has, a bot that chooses at random goes on."""
        game = self._game
        game.draft.elapsed_ms += COMMAND_MS
        if game.time_is_up():
            return
        self._shown.auctions = game.house.running
        view = game_pb2.GameView()
        view.CopyFrom(self._fixed)
        put_situation(self._shown, view.situation)
        put_rules(game.state, view, ())
        view.elapsed_ms = game.draft.elapsed_ms
        for seat in self._asked():
            command = self._choice(seat, view)
            if command is not None:
                self._carry_out(seat, command)
                return
        game.step()

    def _asked(self) -> list[int]:
        """Who may have something to say, each once: to an offer, to a claim, and whom the game waits for."""
        game = self._game
        state = game.state
        seats = [offer.to_seat for offer in state.offers.values()]
        seats += [claim.owner for claim in state.extras.claims]
        return list(dict.fromkeys([*seats, *waiting_seats(state, game.house.running)]))

    def _choice(self, seat: int, view: game_pb2.GameView) -> Command | None:
        answer = game_pb2.GetLegalActionsResponse()
        for action in legal_actions(self._game.state, seat, self._game.house.running):
            put_legal_action(action, answer.actions.add())
        command = self._bots[seat].choose(seat, view, answer.actions)
        return None if command is None else decode_command(command)

    def _carry_out(self, seat: int, command: Command) -> None:
        if isinstance(command, PlaceBid | PassAuction):
            auction = self._game.house.running[command.auction]
            self._game.bid(auction, seat, command.amount if isinstance(command, PlaceBid) else 0)
        else:
            self._game.do(seat, command)
