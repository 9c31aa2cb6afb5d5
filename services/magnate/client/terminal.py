"""Tables of the bank for clients: open, join, claim a card, work the unit, watch over reconnects."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import grpc

from magnate.bank.v1 import terminal_pb2, terminal_pb2_grpc
from magnate.client.session import (
    RETRY_SECONDS_MAX,
    RETRY_WAIT_SECONDS,
    SILENCE_SECONDS_MAX,
    Connection,
    bearer,
    may_retry,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

KEYS: Final = {
    **{str(digit): terminal_pb2.Key.Value(f"KEY_{digit}") for digit in range(10)},
    ".": terminal_pb2.KEY_POINT,
    "M": terminal_pb2.KEY_M,
    "K": terminal_pb2.KEY_K,
    "C": terminal_pb2.KEY_CLEAR,
    "ARROW": terminal_pb2.KEY_ARROW,
    "PLUS": terminal_pb2.KEY_PLUS,
    "MINUS": terminal_pb2.KEY_MINUS,
    "THREE": terminal_pb2.KEY_THREE,
    "TICK": terminal_pb2.KEY_TICK,
    "CROSS": terminal_pb2.KEY_CROSS,
}
"""Keys by short names."""


class TerminalClient(Connection):
    """One connection to a bank. `async with TerminalClient(address) as bank: …`.

    Every command is sent again until it is answered, and has one effect (see `Connection.command`). All raise
    RefusedError.
    """

    def __init__(self, address: str, *, retry_seconds: float = RETRY_SECONDS_MAX) -> None:
        super().__init__(address, retry_seconds=retry_seconds)
        self.stub = terminal_pb2_grpc.TerminalServiceStub(self._channel)

    async def open_table(
        self,
        players: Sequence[str],
        *,
        edition: str = "",
        opening_amount: int = 0,
        go_amount: int = 0,
        currency: terminal_pb2.Currency | None = None,
        model: terminal_pb2.UnitModel.ValueType = terminal_pb2.UNIT_MODEL_UNSPECIFIED,
        shared_unit: bool = False,
    ) -> terminal_pb2.OpenTableResponse:
        """Open a table by an edition or with own amounts; the answer has the banker's token and secrets."""
        request = terminal_pb2.OpenTableRequest(
            edition=edition,
            opening_amount=opening_amount,
            go_amount=go_amount,
            currency=currency,
            model=model,
            players=players,
            shared_unit=shared_unit,
        )
        return await self.command(self.stub.OpenTable, request)

    async def attach_unit(
        self,
        game_id: str,
        seat_token: str,
        model: terminal_pb2.UnitModel.ValueType = terminal_pb2.UNIT_MODEL_UNSPECIFIED,
        *,
        shared_unit: bool = False,
    ) -> terminal_pb2.Table:
        """Give a running game its unit, with the token of one of its seats."""
        request = terminal_pb2.AttachUnitRequest(game_id=game_id, model=model, shared_unit=shared_unit)
        answer = await self.command(self.stub.AttachUnit, request, seat_token)
        return answer.table

    async def join(self, join_code: str) -> terminal_pb2.JoinTableResponse:
        """Find a table by its code; the answer has a guest's token."""
        request = terminal_pb2.JoinTableRequest(join_code=join_code)
        return await self.ask(self.stub.JoinTable, request)

    async def claim(
        self, table_id: str, card_id: str, *, secret: str = "", pin: str = "", token: str = ""
    ) -> terminal_pb2.ClaimCardResponse:
        """Take a card to this device, by its secret or by a token of the table."""
        request = terminal_pb2.ClaimCardRequest(table_id=table_id, card_id=card_id, secret=secret, pin=pin)
        return await self.command(self.stub.ClaimCard, request, token)

    async def table(self, table_id: str, token: str) -> terminal_pb2.Table:
        """Return a table as it is."""
        request = terminal_pb2.GetTableRequest(table_id=table_id)
        answer = await self.ask(self.stub.GetTable, request, token)
        return answer.table

    async def operate(self, request: terminal_pb2.OperateRequest, token: str) -> terminal_pb2.OperateResponse:
        """Do one action at the unit; it keeps the command id that it has."""
        return await self.command(self.stub.Operate, request, token)

    async def press(self, table_id: str, token: str, key: str) -> terminal_pb2.OperateResponse:
        """Press a key of `KEYS`."""
        press = terminal_pb2.Press(key=KEYS[key])
        return await self.operate(terminal_pb2.OperateRequest(table_id=table_id, press=press), token)

    async def hold(self, table_id: str, token: str, key: str) -> terminal_pb2.OperateResponse:
        """Hold a key of `KEYS` until the unit answers."""
        hold = terminal_pb2.HoldKey(key=KEYS[key])
        return await self.operate(terminal_pb2.OperateRequest(table_id=table_id, hold=hold), token)

    async def insert(
        self,
        table_id: str,
        token: str,
        card_id: str,
        *,
        right: bool = False,
        secret: str = "",
        pin: str = "",
    ) -> terminal_pb2.OperateResponse:
        """Put a card into the left (or only) slot, or into the right one."""
        slot = terminal_pb2.SLOT_RIGHT if right else terminal_pb2.SLOT_LEFT
        insert = terminal_pb2.InsertCard(slot=slot, card_id=card_id, secret=secret, pin=pin)
        return await self.operate(terminal_pb2.OperateRequest(table_id=table_id, insert=insert), token)

    async def remove(self, table_id: str, token: str, *, right: bool = False) -> terminal_pb2.OperateResponse:
        """Pull the card out of a slot."""
        slot = terminal_pb2.SLOT_RIGHT if right else terminal_pb2.SLOT_LEFT
        remove = terminal_pb2.RemoveCard(slot=slot)
        return await self.operate(terminal_pb2.OperateRequest(table_id=table_id, remove=remove), token)

    async def tap_card(
        self, table_id: str, token: str, card_id: str, *, secret: str = "", pin: str = ""
    ) -> terminal_pb2.OperateResponse:
        """Tap a card on the touch unit."""
        tap = terminal_pb2.TapCard(card_id=card_id, secret=secret, pin=pin)
        return await self.operate(terminal_pb2.OperateRequest(table_id=table_id, tap_card=tap), token)

    async def tap_deed(
        self, table_id: str, token: str, square: int, *, query: bool = False
    ) -> terminal_pb2.OperateResponse:
        """Tap the deed of a square on the touch unit; with `query`, X is held and it is only looked at."""
        tap = terminal_pb2.TapDeed(square=square, query=query)
        return await self.operate(terminal_pb2.OperateRequest(table_id=table_id, tap_deed=tap), token)

    async def tap_event(self, table_id: str, token: str, card: str) -> terminal_pb2.OperateResponse:
        """Tap an event card on the touch unit, by its id on the board."""
        tap = terminal_pb2.TapEvent(card=card)
        return await self.operate(terminal_pb2.OperateRequest(table_id=table_id, tap_event=tap), token)

    async def add_card(self, table_id: str, token: str, name: str) -> terminal_pb2.AddCardResponse:
        """Add a card for one more player."""
        request = terminal_pb2.AddCardRequest(table_id=table_id, name=name)
        return await self.command(self.stub.AddCard, request, token)

    async def retire_card(self, table_id: str, token: str, card_id: str) -> terminal_pb2.Table:
        """Retire a card for good."""
        request = terminal_pb2.RetireCardRequest(table_id=table_id, card_id=card_id)
        answer = await self.command(self.stub.RetireCard, request, token)
        return answer.table

    async def set_pin(self, table_id: str, token: str, card_id: str, new_pin: str, old_pin: str = "") -> None:
        """Set, change or (empty) remove a card's PIN; the card's own token."""
        request = terminal_pb2.SetPinRequest(
            table_id=table_id, card_id=card_id, old_pin=old_pin, new_pin=new_pin
        )
        await self.command(self.stub.SetPin, request, token)

    async def unlock_card(self, table_id: str, token: str, card_id: str) -> terminal_pb2.Table:
        """Unlock a card after too many wrong PINs."""
        request = terminal_pb2.UnlockCardRequest(table_id=table_id, card_id=card_id)
        answer = await self.command(self.stub.UnlockCard, request, token)
        return answer.table

    async def undo(
        self, table_id: str, token: str, version: int, note: str = ""
    ) -> terminal_pb2.UndoOperationResponse:
        """Take back the operation of this version, which has to be the last that stands."""
        request = terminal_pb2.UndoOperationRequest(table_id=table_id, version=version, note=note)
        return await self.command(self.stub.UndoOperation, request, token)

    async def pause(self, table_id: str, token: str) -> terminal_pb2.Table:
        """Stop the unit."""
        request = terminal_pb2.PauseTableRequest(table_id=table_id)
        answer = await self.command(self.stub.PauseTable, request, token)
        return answer.table

    async def resume(self, table_id: str, token: str) -> terminal_pb2.Table:
        """Let the unit work again."""
        request = terminal_pb2.ResumeTableRequest(table_id=table_id)
        answer = await self.command(self.stub.ResumeTable, request, token)
        return answer.table

    async def close_table(self, table_id: str, token: str) -> terminal_pb2.Table:
        """End the table; the answer has the ranking."""
        request = terminal_pb2.CloseTableRequest(table_id=table_id)
        answer = await self.command(self.stub.CloseTable, request, token)
        return answer.table

    async def operations(self, table_id: str, token: str) -> AsyncIterator[terminal_pb2.Operation]:
        """Yield what happened at the table, newest first."""
        page_token = ""
        while True:
            request = terminal_pb2.ListOperationsRequest(table_id=table_id, page_token=page_token)
            page = await self._page(request, token)
            for operation in page.operations:
                yield operation
            page_token = page.next_page_token
            if not page_token:
                return

    async def _page(
        self, request: terminal_pb2.ListOperationsRequest, token: str
    ) -> terminal_pb2.ListOperationsResponse:
        return await self.ask(self.stub.ListOperations, request, token)

    async def watch(
        self,
        table_id: str,
        token: str,
        after_version: int = 0,
        *,
        lost: Callable[[], None] = lambda: None,
    ) -> AsyncIterator[terminal_pb2.WatchTableResponse]:
        """Yield the table with every change, over reconnects; each operation once.

        Messages that only say that nothing is new are yielded too. Ends when the caller stops. `lost` is told
        whenever the stream has broken off.

        Raises:
            RefusedError: the bank does not let this caller watch.
        """
        seen = after_version
        while True:
            request = terminal_pb2.WatchTableRequest(table_id=table_id, after_version=seen)
            stream = self.stub.WatchTable(request, metadata=bearer(token))
            try:
                while True:
                    async with asyncio.timeout(SILENCE_SECONDS_MAX):
                        update = await stream.read()
                    if not isinstance(update, terminal_pb2.WatchTableResponse):
                        break  # the server ended the stream
                    for operation in update.operations:
                        seen = max(seen, operation.version)
                    self.note(table_id, update.version)
                    yield update
            except TimeoutError:
                pass
            except grpc.aio.AioRpcError as error:
                if not may_retry(error):
                    raise refused(error) from None
            finally:
                stream.cancel()
            lost()
            await asyncio.sleep(RETRY_WAIT_SECONDS)
