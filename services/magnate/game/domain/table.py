"""A table: seats, start, pause, end. Pure: time, seed and ids come in as data.

The same four words as everywhere: `TableState`, its empty value, `decide_*`, `evolve`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from magnate.game.domain import standing
from magnate.game.domain.sandbox import Beginning, Sandbox
from magnate.game.domain.standing import AS_AT_START, ProposalLapsed, Standing, StandingEvent
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet

MISSING: Final = 0
OPEN: Final = 1
RUNNING: Final = 2
PAUSED: Final = 3
OVER: Final = 4

SEATS_MIN: Final = 2
NAME_LENGTH_MAX: Final = 40
TITLE_LENGTH_MAX: Final = 80
ENTROPY_BYTES_MAX: Final = 32


class TableOpened:
    """A table was opened with the resolved rule set and board."""

    __slots__ = ("board", "ruleset", "sandbox", "seat_count", "seed_hash", "start", "title")

    def __init__(
        self,
        ruleset: RuleSet,
        board: Board,
        seat_count: int,
        title: str,
        seed_hash: bytes,
        sandbox: Sandbox | None,
        start: Beginning | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.board = board
        self.seat_count = seat_count
        self.title = title
        self.seed_hash = seed_hash
        self.sandbox = sandbox
        self.start = start


class SeatTaken:
    """A player took a seat; `entropy` goes into every throw."""

    __slots__ = ("entropy", "name", "seat")

    def __init__(self, seat: int, name: str, entropy: bytes) -> None:
        self.seat = seat
        self.name = name
        self.entropy = entropy


class TableStarted:
    """The game began; nobody can join any more. Its clock counts from `started_at_ms`.

    0 in logs of before there was a clock; folding takes the time of the commit then.
    """

    __slots__ = ("started_at_ms",)

    def __init__(self, started_at_ms: int) -> None:
        self.started_at_ms = started_at_ms


class TablePaused:
    """All clocks stopped at this time (milliseconds since the epoch)."""

    __slots__ = ("paused_at_ms",)

    def __init__(self, paused_at_ms: int) -> None:
        self.paused_at_ms = paused_at_ms


class TableResumed:
    """The clocks run again, from this time on (0 as with TableStarted)."""

    __slots__ = ("resumed_at_ms",)

    def __init__(self, resumed_at_ms: int) -> None:
        self.resumed_at_ms = resumed_at_ms


class SeedRevealed:
    """The game is over: the seed of all its chance."""

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        self.seed = seed


TableEvent = (
    TableOpened
    | SeatTaken
    | TableStarted
    | TablePaused
    | TableResumed
    | ProposalLapsed
    | SeedRevealed
    | StandingEvent
)


class TableState:
    """What the table's events add up to. `status` is one of MISSING, OPEN, RUNNING, PAUSED, OVER.

    `started_at_ms` is when the game would have started had it never been paused.
    """

    __slots__ = (
        "board",
        "entropies",
        "names",
        "paused_at_ms",
        "revealed_seed",
        "ruleset",
        "sandbox",
        "seat_count",
        "seed",
        "seed_hash",
        "standings",
        "start",
        "started_at_ms",
        "status",
        "title",
    )

    def __init__(self) -> None:
        self.status = MISSING
        self.title = ""
        self.seat_count = 0
        self.ruleset: RuleSet | None = None
        self.board: Board | None = None
        self.names: list[str] = []
        self.entropies: list[bytes] = []
        self.seed_hash = b""
        self.seed = b""
        self.revealed_seed = b""
        self.sandbox: Sandbox | None = None
        self.start: Beginning | None = None
        self.paused_at_ms = 0
        self.started_at_ms = 0
        self.standings: dict[int, Standing] = {}

    def standing(self, seat: int) -> Standing:
        """Return how a seat stands with the clocks."""
        return self.standings.get(seat, AS_AT_START)

    def beginning(self) -> Beginning | None:
        """Return the position that the game begins from, None for the start."""
        sandbox = self.sandbox
        if self.start is None and sandbox is not None and sandbox.position is not None:
            return Beginning(sandbox.position, sandbox.cash, sandbox.offers)
        return self.start

    def elapsed_ms(self, now_ms: int) -> int:
        """Return for how long the game has been played, pauses not counted."""
        if self.started_at_ms == 0:
            return 0
        return max(0, (self.paused_at_ms or now_ms) - self.started_at_ms)

    def copy(self) -> TableState:
        """Return an independent copy; rule set, board and sandbox never change and are shared."""
        other = TableState()
        for name in TableState.__slots__:
            setattr(other, name, getattr(self, name))
        other.names = list(self.names)
        other.entropies = list(self.entropies)
        other.standings = dict(self.standings)
        return other


def evolve(state: TableState, event: TableEvent) -> None:
    """Fold one event into the state, in place."""
    if isinstance(event, TableOpened):
        state.status = OPEN
        state.ruleset = event.ruleset
        state.board = event.board
        state.seat_count = event.seat_count
        state.title = event.title
        state.seed_hash = event.seed_hash
        state.sandbox = event.sandbox
        state.start = event.start
    elif isinstance(event, SeatTaken):
        state.names.append(event.name)
        state.entropies.append(event.entropy)
    elif isinstance(event, TableStarted):
        state.status = RUNNING
        state.started_at_ms = event.started_at_ms
    elif isinstance(event, TableResumed):
        state.status = RUNNING
        state.started_at_ms += event.resumed_at_ms - state.paused_at_ms
        state.paused_at_ms = 0
        standing.forget_wishes(state.standings)
    elif isinstance(event, TablePaused):
        state.status = PAUSED
        state.paused_at_ms = event.paused_at_ms
        standing.forget_wishes(state.standings)
    elif isinstance(event, ProposalLapsed):
        standing.forget_wishes(state.standings)
    elif isinstance(event, SeedRevealed):
        state.status = OVER
        state.revealed_seed = event.seed
    else:
        standing.evolve(state.standings, event)


def mixed_entropy(entropies: Sequence[bytes]) -> bytes:
    """What the players added to chance, in seat order, each with its length; part of every draw."""
    return b"".join(len(entropy).to_bytes(2, "big") + entropy for entropy in entropies)


def decide_open(
    ruleset: RuleSet,
    board: Board,
    seat_count: int,
    title: str,
    seed: bytes,
    sandbox: Sandbox | None,
    start: Beginning | None = None,
) -> TableOpened | Rejection:
    """Open a table.

    Refusals in order: INVALID_SEAT_COUNT, INVALID_NAME (the title), OPTION_CONFLICT (a position is given and
    the rule set does not allow that).
    """
    most = min(ruleset.players_max, board.players_max)
    least = max(SEATS_MIN, board.players_min)
    count = seat_count or most
    if not least <= count <= most:
        return Rejection(names.INVALID_SEAT_COUNT, f"{count} seats; {least} to {most} can play this")
    if len(title) > TITLE_LENGTH_MAX or not title.isprintable():
        return Rejection(names.INVALID_NAME, f"a title has at most {TITLE_LENGTH_MAX} printable characters")
    if start is not None and not ruleset.start_position_allowed:
        return Rejection(names.OPTION_CONFLICT, "start.position_allowed: false, and a position is given")
    return TableOpened(ruleset, board, count, title, hashlib.sha256(seed).digest(), sandbox, start)


def decide_join(state: TableState, name: str, entropy: bytes) -> SeatTaken | Rejection:
    """Take the next free seat.

    Refusals in order: ALREADY_STARTED, GAME_FULL, INVALID_NAME, NAME_TAKEN, INVALID_ENTROPY.
    """
    if state.status != OPEN:
        return Rejection(names.ALREADY_STARTED, "nobody can join any more")
    if len(state.names) >= state.seat_count:
        return Rejection(names.GAME_FULL, f"all {state.seat_count} seats are taken")
    if not 0 < len(name) <= NAME_LENGTH_MAX or not name.isprintable() or name != name.strip():
        return Rejection(names.INVALID_NAME, f"a name has 1 to {NAME_LENGTH_MAX} printable characters")
    if name in state.names:
        return Rejection(names.NAME_TAKEN, f"a player named {name} sits here already")
    if len(entropy) > ENTROPY_BYTES_MAX:
        return Rejection(names.INVALID_ENTROPY, f"entropy has at most {ENTROPY_BYTES_MAX} bytes")
    return SeatTaken(len(state.names), name, entropy)


def decide_start(state: TableState, now_ms: int) -> TableStarted | Rejection:
    """Begin. Refusals in order: ALREADY_STARTED, TOO_FEW_PLAYERS."""
    if state.status != OPEN:
        return Rejection(names.ALREADY_STARTED, "the game has begun")
    if len(state.names) < SEATS_MIN:
        return Rejection(names.TOO_FEW_PLAYERS, f"{len(state.names)} seated, {SEATS_MIN} needed")
    played_ms = 0
    beginning = state.beginning()
    if beginning is not None:
        played_ms = beginning.position.elapsed_ms
    return TableStarted(now_ms - played_ms)


def refuse_unless_running(state: TableState) -> Rejection | None:
    """Say why nothing can be played now: NOT_STARTED, GAME_PAUSED, GAME_OVER."""
    if state.status == RUNNING:
        return None
    if state.status == PAUSED:
        return Rejection(names.GAME_PAUSED, "the clocks stand still; resume first")
    if state.status == OVER:
        return Rejection(names.GAME_OVER, "the game is over")
    return Rejection(names.NOT_STARTED, "the game has not begun")
