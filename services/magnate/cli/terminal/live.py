"""One table as it is now: watched over reconnects; an outbox sends each press until it is answered."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

from magnate.bank.v1 import terminal_pb2
from magnate.cli.terminal.keys import LABELS
from magnate.client.session import RETRY_WAIT_SECONDS, RefusedError, is_passing, new_command_id
from magnate.client.terminal import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from magnate.bank.v1.terminal_pb2 import Card, OperateRequest, OperateResponse, Operation, Table
    from magnate.client.terminal import TerminalClient

WAITING_MAX: Final = 64
"""Presses that may wait for the server; who presses more has walked away from the keyboard."""

CONNECTING: Final = "connecting"
LIVE: Final = "live"
LOST: Final = "lost"


class Watcher(Protocol):
    """Who looks at a table."""

    def changed(self) -> None:
        """Draw the table, the link and the queue anew."""
        ...

    def sounded(self, sounds: Iterable[terminal_pb2.Sound.ValueType]) -> None:
        """Make heard what the unit sounded."""
        ...

    def refused(self, reason: str, message: str) -> None:
        """Say that the server refused a press."""
        ...


class Pending:
    """An action that waits for its answer. Its id never changes, so sending it again does nothing twice."""

    def __init__(self, request: OperateRequest, token: str, name: str) -> None:
        self.request = request
        self.token = token
        self.name = name


class LiveTable:
    """A table that is being looked at. `wallet` has the tokens of cards that were taken to this window."""

    def __init__(self, client: TerminalClient, table: Table, token: str, role: str) -> None:
        self.client = client
        self.table = table
        self.token = token
        self.role = role
        self.wallet: dict[str, str] = {}
        self.operations: list[Operation] = []
        self.link = CONNECTING
        self.waiting: deque[Pending] = deque()
        self._unit_version = 0
        self._known: set[int] = set()
        self._watcher: Watcher | None = None
        self._arrived = asyncio.Event()
        self._sending: asyncio.Task[OperateResponse] | None = None

    def watched_by(self, watcher: Watcher) -> None:
        """Tell somebody of every change from now on."""
        self._watcher = watcher

    # What is known.

    def card(self, card_id: str) -> Card | None:
        """Return the card of an id."""
        return next((card for card in self.table.cards if card_id and card.card_id == card_id), None)

    def card_in(self, slot: terminal_pb2.Slot.ValueType) -> Card | None:
        """Return the card in a slot."""
        unit = self.table.unit
        return self.card(unit.right_card_id if slot == terminal_pb2.SLOT_RIGHT else unit.left_card_id)

    def slot_of(self, card_id: str) -> terminal_pb2.Slot.ValueType:
        """Return the slot a card is in; SLOT_UNSPECIFIED if in none."""
        unit = self.table.unit
        if card_id == unit.left_card_id:
            return terminal_pb2.SLOT_LEFT
        return terminal_pb2.SLOT_RIGHT if card_id == unit.right_card_id else terminal_pb2.SLOT_UNSPECIFIED

    def last_standing(self) -> Operation | None:
        """Return the newest operation that may be taken back."""
        return next(
            (
                one
                for one in reversed(self.operations)
                if one.entries and not one.reverses and not one.reversed_by and one.kind != "open"
            ),
            None,
        )

    # What is done.

    def press(self, key: str) -> None:
        """Press a key of `client.terminal.KEYS`."""
        press = terminal_pb2.Press(key=KEYS[key])
        self._add(terminal_pb2.OperateRequest(press=press), self.token, LABELS.get(key, key))

    def hold(self, key: str) -> None:
        """Hold a key of `client.terminal.KEYS`."""
        hold = terminal_pb2.HoldKey(key=KEYS[key])
        self._add(terminal_pb2.OperateRequest(hold=hold), self.token, f"{key}…")

    def insert(self, card: Card, slot: terminal_pb2.Slot.ValueType, pin: str = "") -> None:
        """Put a card into a slot."""
        insert = terminal_pb2.InsertCard(slot=slot, card_id=card.card_id, pin=pin)
        token = self.wallet.get(card.card_id, self.token)
        self._add(terminal_pb2.OperateRequest(insert=insert), token, f"▾{card.name}")

    def remove(self, slot: terminal_pb2.Slot.ValueType) -> None:
        """Pull the card out of a slot."""
        card = self.card_in(slot)
        token = self.wallet.get(card.card_id, self.token) if card else self.token
        remove = terminal_pb2.RemoveCard(slot=slot)
        self._add(terminal_pb2.OperateRequest(remove=remove), token, f"▴{card.name if card else ''}")

    def tap_card(self, card: Card, pin: str = "") -> None:
        """Tap a card."""
        tap = terminal_pb2.TapCard(card_id=card.card_id, pin=pin)
        token = self.wallet.get(card.card_id, self.token)
        self._add(terminal_pb2.OperateRequest(tap_card=tap), token, card.name)

    def tap_deed(self, square: int, *, query: bool) -> None:
        """Tap a deed, or only look at it."""
        tap = terminal_pb2.TapDeed(square=square, query=query)
        self._add(terminal_pb2.OperateRequest(tap_deed=tap), self.token, f"#{square}")

    def tap_event(self, card: str) -> None:
        """Tap an event card."""
        tap = terminal_pb2.TapEvent(card=card)
        self._add(terminal_pb2.OperateRequest(tap_event=tap), self.token, card)

    def discard(self) -> None:
        """Throw away what waits. What was under way may have arrived all the same."""
        self.waiting.clear()
        if self._sending is not None:
            self._sending.cancel()
        self._changed()

    async def claim(self, card: Card, pin: str = "") -> None:
        """Take a card to this window; raises RefusedError."""
        answer = await self.client.claim(self.table.table_id, card.card_id, pin=pin, token=self.token)
        self.wallet[card.card_id] = answer.card_token

    def _add(self, request: OperateRequest, token: str, name: str) -> None:
        if len(self.waiting) >= WAITING_MAX:
            if self._watcher is not None:
                self._watcher.refused("QUEUE_FULL", "")
            return
        request.table_id, request.command_id = self.table.table_id, new_command_id()
        # A press that waits until so much has happened that its id may be forgotten is refused, not pressed.
        request.seen_version = max(self.table.version, self._unit_version)
        self.waiting.append(Pending(request, token, name))
        self._arrived.set()
        self._changed()

    # What goes on beside.

    async def follow(self) -> None:
        """Keep the table as it is at the server, until cancelled; raises RefusedError if it may not look."""
        first = True
        async for update in self.client.watch(self.table.table_id, self.token, lost=self._lost):
            for operation in update.operations:
                self._note(operation)
            if update.HasField("table"):
                self.show(update.table)
            if self._watcher is not None and not first:
                self._watcher.sounded(update.sounds)
            first = False  # what sounded while nobody listened is past
            news = self.link != LIVE or update.HasField("table") or update.operations
            self.link = LIVE
            if news:
                self._changed()

    async def send(self) -> None:
        """Send what waits, one after another and in order, until cancelled."""
        while True:
            self._arrived.clear()
            while self.waiting:
                await self._send(self.waiting[0])
            await self._arrived.wait()

    def show(self, table: Table) -> None:
        """Take a table that is not older than what is known."""
        if table.version < self.table.version:
            return
        if table.version < self._unit_version:  # an answer has told of a newer unit already
            table.unit.CopyFrom(self.table.unit)
        self.table = table

    async def _send(self, pending: Pending) -> None:
        self._sending = asyncio.create_task(self.client.operate(pending.request, pending.token))
        try:
            await asyncio.wait({self._sending})
        except asyncio.CancelledError:
            self._sending.cancel()
            raise
        if self._sending.cancelled():
            return
        error = self._sending.exception()
        if isinstance(error, RefusedError) and is_passing(error):
            await asyncio.sleep(RETRY_WAIT_SECONDS)
            return
        if self.waiting and self.waiting[0] is pending:
            self.waiting.popleft()
        if isinstance(error, RefusedError):
            if self._watcher is not None:
                self._watcher.refused(error.reason, error.message)
        else:
            self._answered(self._sending.result())
        self._changed()

    def _answered(self, answer: OperateResponse) -> None:
        """Show the unit at once; the rest of the table comes with the watch."""
        if answer.version > max(self.table.version, self._unit_version):
            self._unit_version = answer.version
            table = terminal_pb2.Table()
            table.CopyFrom(self.table)
            table.unit.CopyFrom(answer.unit)
            self.table = table

    def _note(self, operation: Operation) -> None:
        if operation.version in self._known:
            return
        self._known.add(operation.version)
        self.operations.append(operation)
        if operation.reverses:
            for one in self.operations:
                if one.version == operation.reverses:
                    one.reversed_by = operation.version

    def _lost(self) -> None:
        self.link = LOST
        self._changed()

    def _changed(self) -> None:
        if self._watcher is not None:
            self._watcher.changed()
