"""Clocks and presence as API messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.clock_views import clock_views, seat_times
from magnate.game.domain import attendance
from magnate.game.domain.standing import WISH_NONE
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from magnate.game.clock_views import ClockView, SeatTime
    from magnate.game.state import GameState

AUCTION_OWNER: Final = "auction"
PRESENCE: Final = {
    attendance.UNKNOWN: game_pb2.PRESENCE_UNKNOWN,
    attendance.CONNECTED: game_pb2.PRESENCE_CONNECTED,
    attendance.AWAY: game_pb2.PRESENCE_AWAY,
}


def put_standing(state: GameState, now_ms: int, message: game_pb2.Standing) -> None:
    """Store every clock, and who is there, as they are at this moment."""
    message.server_time.FromMilliseconds(now_ms)
    for clock in clock_views(state, now_ms):
        put_clock(clock, message.clocks.add())
    for seat in seat_times(state, now_ms):
        put_seat(state, seat, message.seats.add())
    message.agreed_seats.extend(
        seat for seat, one in sorted(state.table.standings.items()) if one.wish != WISH_NONE
    )


def put_clock(clock: ClockView, message: game_pb2.ClockView) -> None:
    """Store one clock."""
    message.deadline_id = clock.deadline_id
    message.kind = clock.kind
    message.seat = clock.seat
    message.offer = clock.offer
    message.stands = clock.stands
    message.remaining_ms = clock.left_ms
    if not clock.stands:
        message.due_time.FromMilliseconds(clock.due_ms)
    message.budget_ms = clock.budget_ms
    message.extra_ms = clock.extra_ms
    if clock.owner == AUCTION_OWNER:
        message.auction = auction_of(clock.deadline_id)


def auction_of(deadline_id: str) -> int:
    """Return the auction that a deadline of the auction service is for, by its id: `a<auction>-…`."""
    number = deadline_id.removeprefix("a").partition("-")[0]
    return int(number) if number.isdecimal() else 0


def put_seat(state: GameState, seat: SeatTime, message: game_pb2.SeatStanding) -> None:
    """Store how one seat stands."""
    message.seat = seat.seat
    presence = attendance.presence_of(state.table.standing(seat.seat))
    message.presence = PRESENCE[presence]
    if seat.since_ms and presence != attendance.UNKNOWN:
        message.since_time.FromMilliseconds(seat.since_ms)
    message.reserve_ms = seat.reserve_ms
    message.allowance_ms = seat.allowance_ms
    message.misses = seat.misses
    message.stand_in = seat.stand_in
