"""Plays games for `magnate simulate`, here or on all cores; a game is known by its seed and number."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.cli.simulate.mixed import changes, mixed, plays_scarce, scarce
from magnate.rules.fit import misfit, refuse_misfit
from magnate.rules.loader import OURS, Library
from magnate.rules.referee import IllegalStateError, Referee
from magnate.rules.rejections import Rejection
from magnate.rules.simulate import Game
from magnate.rules.tally import Tally, added
from magnate.rules.vocabulary import END_REASON_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from magnate.cli.simulate.thinking import Thinkers
    from magnate.rules.board import Board
    from magnate.rules.options import Written
    from magnate.rules.ruleset import RuleSet

RANDOM: Final = "random"
PLAIN: Final = "plain"
SENSIBLE: Final = "sensible"
BOTS: Final = (RANDOM, PLAIN, SENSIBLE)

THOROUGH_ONE_IN: Final = 100
"""So many games are also folded event by event on a second state; game 0 is one of them."""

CHUNKS_PER_WORKER: Final = 24
CHUNK_MAX: Final = 250
COMMANDS_PER_TURN_MAX: Final = 60
COMMANDS_MORE: Final = 20_000
_SEEDS_APART: Final = 1_000_003

Numbers: TypeAlias = "dict[str, list[int]]"


class SetupError(Exception):
    """There is no such rule set or board, or an option is wrong, or so many cannot play."""


class EndlessError(Exception):
    """The turn cap should have ended the game long ago."""


@dataclass(frozen=True)
class Setup:
    """What is played; sent to other processes, which load the rules themselves."""

    ruleset: str
    board: str = ""
    players: int = 0
    bots: str = RANDOM
    seed: int = 1
    house: tuple[tuple[str, Written], ...] = ()
    folder: str = ""
    mixed: bool = False

    def library(self) -> Library:
        """Return where rule sets and boards come from."""
        return Library(Path(self.folder)) if self.folder else OURS

    def load(self) -> tuple[Board, RuleSet]:
        """Return the board and the rules.

        Raises:
            SetupError: something is not known, or does not go together.
        """
        library = self.library()
        rules = library.find_ruleset(self.ruleset, dict(self.house))
        if isinstance(rules, Rejection):
            raise SetupError(f"{rules.name}: {rules.detail}")
        board = library.find_board(self.board or rules.board)
        if isinstance(board, Rejection):
            raise SetupError(f"{board.name}: {board.detail}")
        reason = misfit(board, rules, self.players)
        if reason:
            raise SetupError(reason)
        most = min(board.players_max, rules.players_max)
        if self.players and not board.players_min <= self.players <= most:
            raise SetupError(
                f"{rules.id} on {board.id} is played by {board.players_min} to {most}, not {self.players}"
            )
        refused = refuse_misfit(board, rules, self.players)
        if refused is not None:
            raise SetupError(f"{refused.name}: {refused.detail}")
        return board, rules


@dataclass(frozen=True)
class Failure:
    """A game that came to a state that must not be, was refused something legal, or did not end."""

    number: int
    text: str


@dataclass
class Played:
    """What came of the games that ended, and those that failed."""

    numbers: Numbers = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    count: int = 0

    def add(self, more: Played) -> None:
        """Count others in."""
        self.numbers = added(self.numbers, more.numbers)
        self.failures += more.failures
        self.count += more.count


def play_games(setup: Setup, first: int, games: int, *, trace: bool = False) -> Played:
    """Play games number `first` and following, in this process."""
    board, base = setup.load()
    few = scarce(board, setup.library()) if setup.mixed else board
    tally = Tally(board.size, board.players_max, len(END_REASON_NAMES))
    played = Played(count=games)
    for number in range(first, first + games):
        seats = seats_of(setup, board, base, number)
        seed = f"{setup.seed} {number}"
        chosen = few if setup.mixed and plays_scarce(seed) else board
        rules = mixed(base, chosen, seats, seed) if setup.mixed else base
        game = Game(chosen, rules, seats, setup.seed * _SEEDS_APART + number)
        game.bold = setup.bots == RANDOM
        game.referee = Referee(game.state, tally, number % THOROUGH_ONE_IN == 0)
        thinkers = _thinkers(game, seed) if setup.bots == SENSIBLE else None
        most = rules.end_turns_max * COMMANDS_PER_TURN_MAX + COMMANDS_MORE
        try:
            _play(game, thinkers, most, trace=trace)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is what is looked for
            words = [_said(game, error), *changes(base, rules)]
            words += [] if chosen is board else ["(few buildings)"]
            played.failures.append(Failure(number, " ".join(words)))
            tally.lost()
        else:
            tally.over(game.state)
    played.numbers = tally.numbers()
    return played


def seats_of(setup: Setup, board: Board, rules: RuleSet, number: int) -> int:
    """Return how many play game `number`: as many as was said, or one number after the other."""
    most = min(board.players_max, rules.players_max)
    return setup.players or board.players_min + number % (most - board.players_min + 1)


def _thinkers(game: Game, seed: str) -> Thinkers:
    from magnate.cli.simulate.thinking import Thinkers  # which need the API's messages

    return Thinkers(game, seed)


def _play(game: Game, thinkers: Thinkers | None, commands_max: int, *, trace: bool) -> None:
    """Play from the start to the end; with `trace`, say what was done and what came of it."""
    game.record = trace
    shown = 0
    game.start()
    while True:
        for event in game.log[shown:]:
            print(f"    {event!r}", file=sys.stderr)
        shown = len(game.log)
        if game.over:
            return
        if game.commands > commands_max:
            raise EndlessError(f"is not over after {game.commands} commands")
        try:
            step(thinkers or game)
        finally:
            if trace:
                print(f"{game.commands}: {_move(game)}", file=sys.stderr)


def step(players: Game | Thinkers) -> None:
    """Play one command; a place for tests to make things go wrong."""
    players.step()


def _said(game: Game, error: Exception) -> str:
    """Say what went wrong, after which command, and for a bug where."""
    if isinstance(error, IllegalStateError | EndlessError):
        what = str(error)
    else:
        frames = traceback.extract_tb(error.__traceback__)
        place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
        what = f"{type(error).__name__}: {error}{place}"
    return f"{what} [{game.state.seats} players, turn {game.state.turn}, after {_move(game)}]"


def _move(game: Game) -> str:
    last = game.last
    if last.command is not None:
        return f"seat {last.seat}: {last.command!r}"
    return "nothing but time" if last.outcome is None else repr(last.outcome)


class Pool:
    """Plays chunks of games on so many processes; with one, right here."""

    def __init__(self, workers: int, executor: ProcessPoolExecutor | None) -> None:
        self._workers = workers
        self._executor = executor

    def chunks(self, first: int, games: int) -> list[tuple[int, int]]:
        """Return the games in parts: the number of the first, and how many."""
        size = max(1, min(CHUNK_MAX, games // (self._workers * CHUNKS_PER_WORKER)))
        return [(start, min(size, first + games - start)) for start in range(first, first + games, size)]

    def play(self, setup: Setup, first: int, games: int, *, trace: bool = False) -> Iterator[Played]:
        """Play the games, yielding parts as they are done, in no order."""
        if self._executor is None:
            for start, count in self.chunks(first, games):
                yield play_games(setup, start, count, trace=trace)
            return
        waiting = [
            self._executor.submit(play_games, setup, start, count)
            for start, count in self.chunks(first, games)
        ]
        for one in as_completed(waiting):
            yield one.result()


@contextmanager
def pool(workers: int) -> Iterator[Pool]:
    """Return what plays on so many processes."""
    if workers == 1:
        yield Pool(1, None)
        return
    with executing(workers) as executor:
        yield Pool(workers, executor)


@contextmanager
def executing(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Start the processes, and end them, whatever happens."""
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_watch_parent)
    try:
        yield executor
    except BaseException:  # interrupted, or a process has died: nobody waits for what the others are at
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _watch_parent() -> None:
    """Leave Ctrl-C to the parent, and end when it has ended, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
