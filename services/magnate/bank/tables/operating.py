"""Operate: one action at the unit. Who may do it, what the machine calls it, what is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.tables.access import CARD, require_keys, require_proof
from magnate.bank.tables.codec import SOUNDS
from magnate.bank.tables.desk import address_of
from magnate.bank.tables.events import UnitChanged
from magnate.bank.tables.fold import read_events
from magnate.bank.tables.history import operation_of
from magnate.bank.tables.requests import read_key, read_pin, read_slot
from magnate.bank.tables.state import MODELS
from magnate.bank.tables.view import put_operation, put_unit
from magnate.bank.terminal.step import Hold, Insert, Press, Remove, TapCard, TapDeed, TapEvent
from magnate.bank.v1 import terminal_pb2
from magnate.kit.errors import InvalidArgumentError

if TYPE_CHECKING:
    from magnate.bank.tables.access import Caller
    from magnate.bank.tables.desk import Desk
    from magnate.bank.tables.state import Table, TableState
    from magnate.bank.tables.view import Seen
    from magnate.bank.terminal.step import Action
    from magnate.kit.log.fold import Loaded
    from magnate.kit.rpc.interceptors import Context
    from magnate.kit.transact_types import Done

SQUARES_MAX = 1 << 20
"""More squares than any board has."""
UNKNOWN_SEAT = -1
"""The seat of a card that this table does not have; the unit refuses it."""


class Operating:
    """Works units for callers."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def operate(
        self, request: terminal_pb2.OperateRequest, context: Context
    ) -> terminal_pb2.OperateResponse:
        """Do one action, and answer with what the unit did."""
        loaded, caller = await self._desk.entered(request.table_id)
        kind = request.WhichOneof("action")
        card_id, secrets, pin, owner = "", ("", ""), None, -1
        if kind in {"insert", "tap_card"}:
            used = request.insert if kind == "insert" else request.tap_card
            card_id = used.card_id
            if loaded.state.table.card(card_id) is None:  # it may have been issued by another process
                loaded = await self._desk.table(request.table_id, newest=True)
            seat, pin = self._used(kind, used, loaded, caller, context)
            if kind == "insert":
                action: Action = Insert(read_slot("insert.slot", request.insert.slot), seat)
            else:
                action = TapCard(seat)
            secrets = (used.secret, used.pin)
        else:
            action, owner = read_action(request, loaded.state.table, caller)
        command = self._desk.command(request, loaded, caller.actor(loaded.state.table), secrets=secrets)
        service = self._desk.service if not loaded.state.table.in_game else self._desk.units_in_games
        result = await service.operate(
            request.table_id, command, action, owner=owner, card_id=card_id, pin=pin
        )
        done = self._desk.done(result, request.table_id, context)
        state = await self._desk.state_after(done)
        return self._answer(done, state, await self._desk.seen_after(done, caller.seat))

    def _used(
        self,
        kind: str,
        used: terminal_pb2.InsertCard | terminal_pb2.TapCard,
        loaded: Loaded[TableState],
        caller: Caller,
        context: Context,
    ) -> tuple[int, str | None]:
        """Return whose card is put in or tapped, and the PIN that has to be looked at; None for none."""
        pin = read_pin(f"{kind}.pin", used.pin)
        table = loaded.state.table
        card = table.card(used.card_id)
        if card is None:
            require_keys(caller, table)
            return UNKNOWN_SEAT, None
        require_proof(caller, table, card, shown=bool(used.secret))
        if used.secret:
            self._desk.check_secret(context, loaded, card, used.secret)
        if caller.owns(card):
            return card.seat, None
        if pin:
            self._desk.tries.check(address_of(context))
        return card.seat, pin

    def _answer(self, done: Done[TableState], state: TableState, seen: Seen) -> terminal_pb2.OperateResponse:
        response = terminal_pb2.OperateResponse(version=done.commit.version, replayed=done.replayed)
        put_unit(state, done.commit.time_ms, response.unit, seen)
        changed = next((one for one in read_events(done.commit) if isinstance(one, UnitChanged)), None)
        if changed is not None:
            response.sounds.extend(SOUNDS[word] for word in changed.sounds)
            response.refusal, response.detail = changed.refusal, changed.detail
            if changed.refusal and not done.replayed:
                model = MODELS.get(state.table.model, "none")
                self._desk.metrics.unit_refusals.labels(changed.refusal, model).inc()
        operation = operation_of(done.commit)
        if operation is not None:
            put_operation(operation, response.operation)
        return response


def read_action(request: terminal_pb2.OperateRequest, table: Table, caller: Caller) -> tuple[Action, int]:
    """Return the action as the machine calls it, and the seat whose own card alone it may move, else -1.

    Whose card is in the slot is judged from the newest state; this one may be older.
    """
    kind = request.WhichOneof("action")
    if kind == "remove":
        slot = read_slot("remove.slot", request.remove.slot)
        if caller.role == CARD and not table.shared_unit:
            return Remove(slot), caller.seat
        require_keys(caller, table)
        return Remove(slot), -1
    if kind is None:
        raise InvalidArgumentError("action", "one action must be set, one this server knows")
    require_keys(caller, table)
    if kind == "press":
        return Press(read_key("press.key", request.press.key)), -1
    if kind == "hold":
        return Hold(read_key("hold.key", request.hold.key)), -1
    if kind == "tap_deed":
        return TapDeed(min(request.tap_deed.square, SQUARES_MAX), request.tap_deed.query), -1
    return TapEvent(request.tap_event.card), -1
