"""How a seat stands with the clocks: its reserve and allowance, and whether it is there. Pure.

What a rule set gives everybody at the start is not stored: a seat that nothing has happened to yet has no
entry, and `clocks` reads the rule set for it.
"""

from __future__ import annotations

from typing import Final

UNTOUCHED: Final = -1
"""Nothing of it was used or earned yet: it is what the rule set gives at the start."""

WISH_NONE: Final = 0
WISH_PAUSE: Final = 1
WISH_RESUME: Final = 2


class ReserveChanged:
    """A seat's reserve is so much now. `earned_turn` is the turn in which it was earned, 0: it was used."""

    __slots__ = ("earned_turn", "reserve_ms", "seat")

    def __init__(self, seat: int, reserve_ms: int, earned_turn: int = 0) -> None:
        self.seat = seat
        self.reserve_ms = reserve_ms
        self.earned_turn = earned_turn


class AllowanceChanged:
    """So much is left of the time that the game waits for a seat that is away."""

    __slots__ = ("left_ms", "seat")

    def __init__(self, seat: int, left_ms: int) -> None:
        self.seat = seat
        self.left_ms = left_ms


class ClockMissed:
    """The seat has let its clock run out so many times in a row; 0: it has acted itself again."""

    __slots__ = ("misses", "seat")

    def __init__(self, seat: int, misses: int) -> None:
        self.seat = seat
        self.misses = misses


class StandInSeated:
    """A stand-in plays for the seat from now on."""

    __slots__ = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat


class StandInLeft:
    """The seat plays itself again."""

    __slots__ = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat


class SeatPresence:
    """A seat is there, by this connection, or away, since this moment."""

    __slots__ = ("connected", "connection", "seat", "since_ms")

    def __init__(self, seat: int, connected: bool, connection: str, since_ms: int) -> None:
        self.seat = seat
        self.connected = connected
        self.connection = connection
        self.since_ms = since_ms


class PauseProposed:
    """A seat wishes the game to be paused, or a paused one to go on."""

    __slots__ = ("pause", "seat")

    def __init__(self, seat: int, pause: bool) -> None:
        self.seat = seat
        self.pause = pause


class ProposalLapsed:
    """Not all agreed in time to pause, or to go on."""

    __slots__ = ()


class ExtraTimeGranted:
    """The clock of a seat got longer."""

    __slots__ = ("by_seat", "deadline_id", "extra_ms", "seat")

    def __init__(self, by_seat: int, seat: int, deadline_id: str, extra_ms: int) -> None:
        self.by_seat = by_seat
        self.seat = seat
        self.deadline_id = deadline_id
        self.extra_ms = extra_ms


StandingEvent = (
    ReserveChanged
    | AllowanceChanged
    | ClockMissed
    | StandInSeated
    | StandInLeft
    | SeatPresence
    | PauseProposed
    | ExtraTimeGranted
)


class Standing:
    """What the events of one seat add up to; replaced, never changed.

    `away_since_ms` is 0 while the seat is there, or was never seen. `extra` is what its clocks were given on
    top of their budgets, by deadline: the newest of each kind, for one may stand while another runs.
    """

    __slots__ = (
        "allowance_ms", "away_since_ms", "connection", "earned_turn", "extra", "misses", "reserve_ms",
        "since_ms", "stand_in", "wish",
    )  # fmt: skip

    def __init__(self) -> None:
        self.reserve_ms = UNTOUCHED
        self.earned_turn = 0
        self.allowance_ms = UNTOUCHED
        self.misses = 0
        self.stand_in = False
        self.connection = ""
        self.since_ms = 0
        self.away_since_ms = 0
        self.wish = WISH_NONE
        self.extra: dict[str, int] = {}

    def copy(self) -> Standing:
        """Return an independent copy."""
        other = Standing()
        for name in Standing.__slots__:
            setattr(other, name, getattr(self, name))
        return other


AS_AT_START: Final = Standing()
"""How a seat stands that nothing has happened to."""


def evolve(standings: dict[int, Standing], event: StandingEvent) -> None:
    """Fold one event into the standings by seat: the entry is replaced."""
    one = standings.get(event.seat, AS_AT_START).copy()
    if isinstance(event, ReserveChanged):
        one.reserve_ms = event.reserve_ms
        one.earned_turn = event.earned_turn or one.earned_turn
    elif isinstance(event, AllowanceChanged):
        one.allowance_ms = event.left_ms
    elif isinstance(event, ClockMissed):
        one.misses = event.misses
    elif isinstance(event, StandInSeated):
        one.stand_in = True
    elif isinstance(event, StandInLeft):
        one.stand_in = False
        one.misses = 0
    elif isinstance(event, SeatPresence):
        one.connection = event.connection if event.connected else ""
        one.since_ms = event.since_ms
        one.away_since_ms = 0 if event.connected else event.since_ms
    elif isinstance(event, PauseProposed):
        one.wish = WISH_PAUSE if event.pause else WISH_RESUME
    else:
        kind = event.deadline_id.partition("-")[0]
        others = {key: ms for key, ms in one.extra.items() if key.partition("-")[0] != kind}
        before_ms = one.extra.get(event.deadline_id, 0)
        one.extra = {**others, event.deadline_id: before_ms + event.extra_ms}
    standings[event.seat] = one


def forget_wishes(standings: dict[int, Standing]) -> None:
    """The game was paused, or goes on: what was wished for is done."""
    for seat, one in list(standings.items()):
        if one.wish != WISH_NONE:
            standings[seat] = one.copy()
            standings[seat].wish = WISH_NONE
