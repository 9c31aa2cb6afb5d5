"""Who is there, who agrees to a break, and who may have more time. Pure.

A connection is written `<boot>.<number>`: the process that holds it, by an id it draws when it starts, and
which of its streams it is. The log knows the newest one of a seat. So the end of one makes nobody away who
has a newer one elsewhere, and the connections of a process that has died can be told from all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.domain.standing import (
    WISH_PAUSE,
    WISH_RESUME,
    PauseProposed,
    SeatPresence,
)
from magnate.game.domain.table import (
    OVER,
    PAUSED,
    RUNNING,
    TablePaused,
    TableResumed,
    TableState,
    refuse_unless_running,
)
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.domain.standing import Standing

AGREE: Final = "agree"
"""The kind of the deadline at which a proposal lapses."""
AGREE_MS: Final = 60_000
SOMEBODY: Final = -1
"""Who calls is no seat that needs the others' agreement: an operator."""

ANYBODY: Final = "*"

UNKNOWN: Final = "unknown"
CONNECTED: Final = "connected"
AWAY: Final = "away"


class Sighting:
    """What a process knows of a seat: it holds this connection; or, empty, none any more.

    `instead_of` is the process whose connection is gone: without a connection the sighting is about that one
    alone, with one it takes over from it, and from none at all. ANYBODY: from whichever, as the newest.
    """

    __slots__ = ("connection", "instead_of", "seat")

    def __init__(self, seat: int, connection: str, instead_of: str = "") -> None:
        self.seat = seat
        self.connection = connection
        self.instead_of = instead_of


def boot_of(connection: str) -> str:
    """Return the process that holds, or held, a connection."""
    return connection.partition(".")[0]


def presence_of(standing: Standing) -> str:
    """Return CONNECTED, AWAY, or UNKNOWN: it never had a stream, or acts without one."""
    if standing.away_since_ms:
        return AWAY
    return CONNECTED if standing.connection else UNKNOWN


def decide_presence(
    state: TableState, out: Sequence[int], sightings: Sequence[Sighting], now_ms: int
) -> list[SeatPresence]:
    """Return what the log does not say yet; nothing where nobody plays, or of seats that are out."""
    found: list[SeatPresence] = []
    if state.status not in (RUNNING, PAUSED):
        return found
    for one in sightings:
        if not 0 <= one.seat < len(out) or out[one.seat] or one.seat in {event.seat for event in found}:
            continue
        standing = state.standing(one.seat)
        known = boot_of(standing.connection)
        if not one.connection:
            if known and known == one.instead_of:
                found.append(SeatPresence(one.seat, False, "", now_ms))
        elif known in ("", one.instead_of) or one.instead_of == ANYBODY:
            if known == boot_of(one.connection):
                continue
            since_ms = standing.since_ms if known else now_ms
            found.append(SeatPresence(one.seat, True, one.connection, since_ms))
    return found


def seats_asked(state: TableState, out: Sequence[int]) -> list[int]:
    """Return the seats whose agreement a break needs: all that play, are not away and play themselves."""
    return [
        seat
        for seat, gone in enumerate(out)
        if not gone and not state.standing(seat).away_since_ms and not state.standing(seat).stand_in
    ]


def missing_seats(state: TableState, out: Sequence[int], *, pause: bool) -> list[int]:
    """Return the seats that have yet to agree."""
    wish = WISH_PAUSE if pause else WISH_RESUME
    return [seat for seat in seats_asked(state, out) if state.standing(seat).wish != wish]


def decide_break(
    state: TableState, out: Sequence[int], seat: int, now_ms: int, *, pause: bool, agreement: bool
) -> TablePaused | TableResumed | PauseProposed | Rejection:
    """Pause, or go on, or propose it.

    Refusals in order: of a pause NOT_STARTED, GAME_PAUSED, GAME_OVER; of going on GAME_OVER, NOT_PAUSED;
    SEAT_OUT; where all have to agree ALREADY_AGREED.
    """
    decided = decide_pause(state, now_ms) if pause else decide_resume(state, now_ms)
    if isinstance(decided, Rejection) or seat == SOMEBODY:
        return decided
    if out[seat]:
        return Rejection(names.SEAT_OUT, f"seat {seat} has left the game")
    if agreement:
        missing = missing_seats(state, out, pause=pause)
        wish = WISH_PAUSE if pause else WISH_RESUME
        if state.standing(seat).wish == wish and missing:
            return Rejection(names.ALREADY_AGREED, f"seat {seat} has; still to agree: {_listed(missing)}")
        if [one for one in missing if one != seat]:
            return PauseProposed(seat, pause)
    return decided


def decide_pause(state: TableState, now_ms: int) -> TablePaused | Rejection:
    """Stop the clocks. Refusals: NOT_STARTED, GAME_PAUSED, GAME_OVER."""
    return refuse_unless_running(state) or TablePaused(now_ms)


def decide_resume(state: TableState, now_ms: int) -> TableResumed | Rejection:
    """Let the clocks run again. Refusals: GAME_OVER, NOT_PAUSED."""
    if state.status == OVER:
        return Rejection(names.GAME_OVER, "the game is over")
    if state.status != PAUSED:
        return Rejection(names.NOT_PAUSED, "the clocks run")
    return TableResumed(now_ms)


def decide_grant(
    state: TableState,
    out: Sequence[int],
    by_seat: int,
    seat: int,
    extra_ms: int,
    most_ms: int,
    deadline_id: str,
) -> Rejection | None:
    """Say why the clock of another seat gets no more time; `deadline_id` is that of its decision, or empty.

    Refusals in order: NOT_STARTED, GAME_PAUSED, GAME_OVER, SEAT_OUT (who grants), UNKNOWN_SEAT, OWN_CLOCK,
    EXTRA_TIME_NOT_ALLOWED, INVALID_AMOUNT, SEAT_OUT, NO_CLOCK_RUNNING, EXTRA_TIME_LIMIT_REACHED.
    """
    refused = refuse_unless_running(state)
    if refused is not None:
        return refused
    if out[by_seat]:
        return Rejection(names.SEAT_OUT, f"seat {by_seat} has left the game")
    if not 0 <= seat < len(out):
        return Rejection(names.UNKNOWN_SEAT, f"there is no seat {seat} at this table")
    if seat == by_seat:
        return Rejection(names.OWN_CLOCK, f"seat {seat} cannot give itself more time; others can")
    if most_ms == 0:
        return Rejection(names.EXTRA_TIME_NOT_ALLOWED, "timers.extra_seconds_max is 0")
    if extra_ms <= 0:
        return Rejection(names.INVALID_AMOUNT, f"extra time is a second or more, not {extra_ms // 1000}")
    if out[seat]:
        return Rejection(names.SEAT_OUT, f"seat {seat} has left the game")
    if not deadline_id:
        return Rejection(names.NO_CLOCK_RUNNING, f"no clock of seat {seat} is running")
    granted_ms = state.standing(seat).extra.get(deadline_id, 0)
    if granted_ms + extra_ms > most_ms:
        left = (most_ms - granted_ms) // 1000
        return Rejection(names.EXTRA_TIME_LIMIT_REACHED, f"{left} of {most_ms // 1000} s are left to grant")
    return None


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))
