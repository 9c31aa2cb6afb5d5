"""Stored bytes of the table's events about clocks and presence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game.domain import standing
from magnate.game.vocabulary_codec import UnknownKindError

if TYPE_CHECKING:
    from magnate.game.domain.standing import StandingEvent
    from magnate.game.v1 import game_pb2


def encode_standing_event(event: StandingEvent, message: game_pb2.TableEvent) -> None:
    """Store such an event in an empty message."""
    if isinstance(event, standing.ReserveChanged):
        message.reserve_changed.seat = event.seat
        message.reserve_changed.reserve_ms = event.reserve_ms
        message.reserve_changed.earned_turn = event.earned_turn
    elif isinstance(event, standing.AllowanceChanged):
        message.allowance_changed.seat = event.seat
        message.allowance_changed.left_ms = event.left_ms
    elif isinstance(event, standing.ClockMissed):
        message.clock_missed.seat = event.seat
        message.clock_missed.misses = event.misses
    elif isinstance(event, standing.StandInSeated):
        message.stand_in_seated.seat = event.seat
    elif isinstance(event, standing.StandInLeft):
        message.stand_in_left.seat = event.seat
    elif isinstance(event, standing.SeatPresence):
        message.seat_presence.seat = event.seat
        message.seat_presence.connected = event.connected
        message.seat_presence.connection = event.connection
        message.seat_presence.since_ms = event.since_ms
    elif isinstance(event, standing.PauseProposed):
        message.pause_proposed.seat = event.seat
        message.pause_proposed.pause = event.pause
    else:
        message.extra_time_granted.by_seat = event.by_seat
        message.extra_time_granted.seat = event.seat
        message.extra_time_granted.deadline_id = event.deadline_id
        message.extra_time_granted.extra_ms = event.extra_ms


def decode_standing_event(message: game_pb2.TableEvent, kind: str | None) -> StandingEvent:
    """Read such an event; UnknownKindError when this build has no word for it."""
    if kind == "reserve_changed":
        reserve = message.reserve_changed
        return standing.ReserveChanged(reserve.seat, reserve.reserve_ms, reserve.earned_turn)
    if kind == "allowance_changed":
        return standing.AllowanceChanged(message.allowance_changed.seat, message.allowance_changed.left_ms)
    if kind == "clock_missed":
        return standing.ClockMissed(message.clock_missed.seat, message.clock_missed.misses)
    if kind == "stand_in_seated":
        return standing.StandInSeated(message.stand_in_seated.seat)
    if kind == "stand_in_left":
        return standing.StandInLeft(message.stand_in_left.seat)
    if kind == "seat_presence":
        seen = message.seat_presence
        return standing.SeatPresence(seen.seat, seen.connected, seen.connection, seen.since_ms)
    if kind == "pause_proposed":
        return standing.PauseProposed(message.pause_proposed.seat, message.pause_proposed.pause)
    if kind == "extra_time_granted":
        extra = message.extra_time_granted
        return standing.ExtraTimeGranted(extra.by_seat, extra.seat, extra.deadline_id, extra.extra_ms)
    raise UnknownKindError("TableEvent")
