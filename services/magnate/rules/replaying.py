"""Games of the simulation played and decided again: for measuring, and to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import purse
from magnate.rules.chance import RandomChance
from magnate.rules.decide import act, settle_on
from magnate.rules.decision import Decision
from magnate.rules.draft import Draft
from magnate.rules.evolve import evolve
from magnate.rules.simulate import Game
from magnate.rules.state import State
from magnate.rules.steps.start import begin
from magnate.rules.vocabulary import PHASE_OVER

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet


def apply(state: State, decision: Decision) -> None:
    """Follow a decision made on a copy."""
    for event in decision.events:
        evolve(state, event)
    for transfer in decision.transfers:
        purse.moved(state, transfer.payer, transfer.payee, transfer.amount)


def play_games(board: Board, rules: RuleSet, seats: int, seed: int, games: int) -> tuple[int, int, int]:
    """Play so many games; how many turns, commands (bids too) and events that took."""
    turns = 0
    commands = 0
    events = 0
    for number in range(games):
        game = Game(board, rules, seats, seed + number)
        game.play()
        turns += game.state.turn
        commands += game.commands
        events += game.events
    return turns, commands, events


def replay_moves(game: Game, seed: int) -> State:
    """Decide a recorded game again, without bots: what deciding and evolving cost alone."""
    state = State(game.state.board, game.state.rules, game.state.seats)
    draft = Draft(state, RandomChance(seed), Decision())
    begin(draft)
    for move in game.moves:
        draft.forget()
        if move.command is not None:
            act(draft, move.seat, move.command)
        elif move.outcome is not None:
            settle_on(draft, move.outcome)
    assert state.phase == PHASE_OVER
    return state


def decide_games(games: list[Game], seed: int) -> tuple[int, int]:
    """Decide recorded games again (game i with seed + i); how many turns and commands that took."""
    turns = 0
    commands = 0
    for number, game in enumerate(games):
        turns += replay_moves(game, seed + number).turn
        commands += len(game.moves)
    return turns, commands
