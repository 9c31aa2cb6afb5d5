"""TerminalService: translation between messages and the use cases, and who may call what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.games.requests import read_attaching
from magnate.bank.tables.access import (
    BANKER,
    CARD,
    GUEST,
    caller_in_game,
    caller_or_nobody,
    refused,
    require_banker,
    require_claim,
    require_owner,
)
from magnate.bank.tables.credentials import card_secret, join_code
from magnate.bank.tables.desk import address_of
from magnate.bank.tables.history import portions
from magnate.bank.tables.limits import (
    HISTORY_PAGE_DEFAULT,
    HISTORY_PAGE_MAX,
    OPEN_COMMAND_ID_CHARS_MIN,
)
from magnate.bank.tables.paging import read_page_token, write_page_token
from magnate.bank.tables.requests import (
    digest_id,
    read_command,
    read_command_id,
    read_name,
    read_note,
    read_opening,
    read_pin,
    read_table_id,
)
from magnate.bank.tables.state import MISSING
from magnate.bank.tables.view import put_operation
from magnate.bank.v1 import terminal_pb2, terminal_pb2_grpc
from magnate.kit.errors import InvalidArgumentError, RefusedError
from magnate.kit.observe.logging import bind
from magnate.kit.rpc.call import principal
from magnate.kit.tokens import mint_table
from magnate.kit.transact_types import command_id_reused
from magnate.rules import rejections as names

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from google.protobuf.message import Message

    from magnate.bank.tables.desk import Desk
    from magnate.bank.tables.history import Histories
    from magnate.bank.tables.joining import Joining
    from magnate.bank.tables.operating import Operating
    from magnate.bank.tables.service import Opening
    from magnate.bank.tables.state import Card, TableState
    from magnate.bank.tables.watch import Watch
    from magnate.kit.log.commit import Command
    from magnate.kit.log.fold import Loaded
    from magnate.kit.rpc.interceptors import Context


class TerminalServicer(terminal_pb2_grpc.TerminalServiceServicer):
    """Answers clients."""

    def __init__(
        self, desk: Desk, operating: Operating, watch: Watch, joining: Joining, histories: Histories
    ) -> None:
        self._desk = desk
        self._service = desk.service
        self._keys = desk.keys
        self._operating = operating
        self._watch = watch
        self._joining = joining
        self._histories = histories

    async def OpenTable(  # noqa: N802 - gRPC's names
        self, request: terminal_pb2.OpenTableRequest, _context: Context
    ) -> terminal_pb2.OpenTableResponse:
        """Open a table, and hand out its secrets."""
        asked = read_opening(request)
        who = principal().name
        if asked.opened.in_game:
            loaded = await self._open_hosted(request, asked, f"{who}|{request.command_id}")
        else:
            table_id = self._service.table_id(who, request.command_id)
            command = self._opening(request, table_id)
            loaded = self._desk.done(await self._service.open(table_id, command, asked), table_id).loaded
        table, table_id = loaded.state.table, loaded.game_id
        await self._joining.remember(join_code(self._keys, table.key_id, table_id), table_id)
        response = terminal_pb2.OpenTableResponse(
            table=await self._desk.view(loaded), banker_token=mint_table(self._keys, table_id, BANKER)
        )
        for card in table.cards[: len(asked.players)]:
            response.cards.add(card_id=card.card_id, secret=self._secret(table_id, card))
        return response

    async def _open_hosted(
        self, request: terminal_pb2.OpenTableRequest, asked: Opening, opening_id: str
    ) -> Loaded[TableState]:
        """Open the game that a touch unit hosts, and give it its unit; every part of it once."""
        in_games = self._desk.units_in_games
        table_id = await in_games.hosting.create(opening_id, len(asked.players))
        loaded = await self._service.transactor.view(table_id)
        if loaded.version and loaded.state.table.status != MISSING:
            if not in_games.same(loaded.state.table, asked):
                raise RefusedError(command_id_reused(loaded.version))
            return loaded
        await in_games.hosting.begin(table_id, opening_id, asked.players)
        command = self._opening(request, table_id)
        return self._desk.done(await in_games.attach(table_id, command, asked), table_id).loaded

    def _opening(self, request: terminal_pb2.OpenTableRequest, table_id: str) -> Command:
        bind(game_id=table_id)
        return read_command(
            digest_id("open", table_id, request.command_id),
            request,
            actor=BANKER,
            received_at_ms=self._desk.clock.now_ms(),
        )

    async def AttachUnit(  # noqa: N802
        self, request: terminal_pb2.AttachUnitRequest, _context: Context
    ) -> terminal_pb2.AttachUnitResponse:
        """Attach a unit to a game."""
        game_id = read_table_id(request.game_id, "game_id")
        bind(game_id=game_id)
        seat = principal().seat_of(game_id)
        in_games = self._desk.units_in_games
        game = await in_games.games.game(game_id)
        asked = read_attaching(request, game)
        command = read_command(
            read_command_id(request.command_id),
            request,
            actor=f"seat-{seat}",
            received_at_ms=self._desk.clock.now_ms(),
            seen_version=game.version,
        )
        done = self._desk.done(await in_games.attach(game_id, command, asked), game_id)
        table = done.loaded.state.table
        await self._joining.remember(join_code(self._keys, table.key_id, game_id), game_id)
        return terminal_pb2.AttachUnitResponse(table=await self._desk.view(done.loaded, seat))

    async def JoinTable(  # noqa: N802
        self, request: terminal_pb2.JoinTableRequest, context: Context
    ) -> terminal_pb2.JoinTableResponse:
        """Find a table by its code."""
        address = address_of(context)
        self._desk.tries.check(address)
        table_id = await self._joining.find(request.join_code)
        if not table_id:
            self._desk.wrong(address, "code")
            raise refused(names.UNKNOWN_TABLE, "no table has this join code")
        loaded = await self._desk.table(table_id, newest=True)
        return terminal_pb2.JoinTableResponse(
            guest_token=mint_table(self._keys, table_id, GUEST), table=await self._desk.view(loaded)
        )

    async def ClaimCard(  # noqa: N802
        self, request: terminal_pb2.ClaimCardRequest, context: Context
    ) -> terminal_pb2.ClaimCardResponse:
        """Give a card to this device."""
        table_id = read_table_id(request.table_id)
        who = principal()
        caller = caller_or_nobody(who, table_id)
        pin = read_pin("pin", request.pin)
        loaded, card = await self._card(table_id, request.card_id)
        caller = caller_in_game(who, table_id, loaded.state.table) or caller
        may_repeat = len(request.command_id) >= OPEN_COMMAND_ID_CHARS_MIN
        require_claim(caller, loaded.state.table, card, shown=bool(request.secret), may_repeat=may_repeat)
        if request.secret:
            self._desk.check_secret(context, loaded, card, request.secret)
        if pin:
            self._desk.tries.check(address_of(context))
        command = self._desk.command(
            request,
            loaded,
            f"card:{card.card_id}",
            secrets=(request.secret, pin),
            stored_id=digest_id("claim", table_id, request.command_id),
        )
        # Whether nobody has the card yet is judged from the newest state; this view may be an older one.
        proven = bool(request.secret) or caller.role == BANKER or caller.owns(card)
        result = await self._service.claim_card(
            table_id, command, card.card_id, None if caller.owns(card) else pin, proven=proven
        )
        done = self._desk.done(result, table_id, context)
        if done.replayed and not proven and not may_repeat:
            raise refused(names.NOT_YOUR_CARD, f"somebody has the card of {card.name}; show its secret")
        return terminal_pb2.ClaimCardResponse(
            card_token=mint_table(self._keys, table_id, CARD, card.seat), secret=self._secret(table_id, card)
        )

    async def GetTable(  # noqa: N802
        self, request: terminal_pb2.GetTableRequest, _context: Context
    ) -> terminal_pb2.GetTableResponse:
        """Show a table as it is."""
        loaded, caller = await self._desk.entered(request.table_id, newest=True)
        return terminal_pb2.GetTableResponse(table=await self._desk.view(loaded, caller.seat))

    async def WatchTable(  # noqa: N802
        self, request: terminal_pb2.WatchTableRequest, _context: Context
    ) -> AsyncIterator[terminal_pb2.WatchTableResponse]:
        """Show a table, and again with every change."""
        loaded, caller = await self._desk.entered(request.table_id, newest=True)
        if request.after_version > loaded.version:
            raise InvalidArgumentError("after_version", f"the newest version is {loaded.version}")
        async for update in self._watch.follow(loaded, request.after_version, caller.seat):
            yield update

    async def Operate(  # noqa: N802
        self, request: terminal_pb2.OperateRequest, context: Context
    ) -> terminal_pb2.OperateResponse:
        """Do one action at the unit."""
        return await self._operating.operate(request, context)

    async def AddCard(  # noqa: N802
        self, request: terminal_pb2.AddCardRequest, _context: Context
    ) -> terminal_pb2.AddCardResponse:
        """Issue a card."""
        loaded, command = await self._banker(request.table_id, request)
        name = read_name("name", request.name)
        done = self._desk.done(
            await self._service.add_card(request.table_id, command, name), request.table_id
        )
        state = await self._desk.state_after(done)
        card = state.table.cards[-1]
        response = terminal_pb2.AddCardResponse(table=await self._desk.view(done.loaded))
        response.card.card_id, response.card.secret = card.card_id, self._secret(loaded.game_id, card)
        return response

    async def RetireCard(  # noqa: N802
        self, request: terminal_pb2.RetireCardRequest, _context: Context
    ) -> terminal_pb2.RetireCardResponse:
        """Take a card out of use."""
        _, command = await self._banker(request.table_id, request)
        result = await self._service.retire_card(request.table_id, command, request.card_id)
        done = self._desk.done(result, request.table_id)
        return terminal_pb2.RetireCardResponse(table=await self._desk.view(done.loaded))

    async def SetPin(  # noqa: N802
        self, request: terminal_pb2.SetPinRequest, context: Context
    ) -> terminal_pb2.SetPinResponse:
        """Set a card's PIN."""
        loaded, caller = await self._desk.entered(request.table_id)
        card = loaded.state.table.card(request.card_id)
        require_owner(caller, card)
        old_pin, new_pin = read_pin("old_pin", request.old_pin), read_pin("new_pin", request.new_pin)
        self._desk.tries.check(address_of(context))
        command = self._desk.command(
            request, loaded, caller.actor(loaded.state.table), secrets=(old_pin, new_pin)
        )
        result = await self._service.set_pin(request.table_id, command, request.card_id, old_pin, new_pin)
        self._desk.done(result, request.table_id, context)
        return terminal_pb2.SetPinResponse()

    async def UnlockCard(  # noqa: N802
        self, request: terminal_pb2.UnlockCardRequest, _context: Context
    ) -> terminal_pb2.UnlockCardResponse:
        """Unlock a card."""
        _, command = await self._banker(request.table_id, request)
        result = await self._service.unlock_card(request.table_id, command, request.card_id)
        done = self._desk.done(result, request.table_id)
        return terminal_pb2.UnlockCardResponse(table=await self._desk.view(done.loaded))

    async def UndoOperation(  # noqa: N802
        self, request: terminal_pb2.UndoOperationRequest, _context: Context
    ) -> terminal_pb2.UndoOperationResponse:
        """Take the last operation back."""
        _, command = await self._banker(request.table_id, request)
        note = read_note(request.note)
        result = await self._service.undo(request.table_id, command, request.version, note)
        done = self._desk.done(result, request.table_id)
        response = terminal_pb2.UndoOperationResponse(table=await self._desk.view(done.loaded))
        put_operation(self._desk.operation(done), response.operation)
        return response

    async def PauseTable(  # noqa: N802
        self, request: terminal_pb2.PauseTableRequest, _context: Context
    ) -> terminal_pb2.PauseTableResponse:
        """Stop the unit."""
        loaded, command = await self._banker(request.table_id, request)
        if loaded.state.table.in_game:
            await self._desk.units_in_games.hosting.pause(loaded.game_id, command, paused=True)
        done = self._desk.done(await self._service.pause(request.table_id, command), request.table_id)
        return terminal_pb2.PauseTableResponse(table=await self._desk.view(done.loaded))

    async def ResumeTable(  # noqa: N802
        self, request: terminal_pb2.ResumeTableRequest, _context: Context
    ) -> terminal_pb2.ResumeTableResponse:
        """Let the unit work again."""
        loaded, command = await self._banker(request.table_id, request)
        if loaded.state.table.in_game:
            await self._desk.units_in_games.hosting.pause(loaded.game_id, command, paused=False)
        done = self._desk.done(await self._service.resume(request.table_id, command), request.table_id)
        return terminal_pb2.ResumeTableResponse(table=await self._desk.view(done.loaded))

    async def CloseTable(  # noqa: N802
        self, request: terminal_pb2.CloseTableRequest, _context: Context
    ) -> terminal_pb2.CloseTableResponse:
        """End the table."""
        loaded, command = await self._banker(request.table_id, request)
        game = (await self._desk.seen(loaded, -1)).game
        result = await self._service.close(request.table_id, command, game)
        done = self._desk.done(result, request.table_id)
        return terminal_pb2.CloseTableResponse(table=await self._desk.view(done.loaded))

    async def ListOperations(  # noqa: N802
        self, request: terminal_pb2.ListOperationsRequest, _context: Context
    ) -> terminal_pb2.ListOperationsResponse:
        """Show what happened, newest first."""
        if not 0 <= request.page_size <= HISTORY_PAGE_MAX:
            detail = f"is {request.page_size}, not from 0 to {HISTORY_PAGE_MAX}"
            raise InvalidArgumentError("page_size", detail)
        before = read_page_token(request.page_token)
        loaded, _ = await self._desk.entered(request.table_id, newest=True)
        found = await self._histories.until(request.table_id, loaded.version, loaded.sequence)
        found = [one for one in reversed(found) if before == 0 or one.version < before]
        page = next(portions(found, request.page_size or HISTORY_PAGE_DEFAULT), [])
        response = terminal_pb2.ListOperationsResponse()
        for operation in page:
            put_operation(operation, response.operations.add())
        if len(found) > len(page):
            response.next_page_token = write_page_token(page[-1].version)
        return response

    async def _banker(self, table_id: str, request: Message) -> tuple[Loaded[TableState], Command]:
        """Return the table and the command of a request that only its banker may send."""
        loaded, caller = await self._desk.entered(table_id)
        require_banker(caller)
        return loaded, self._desk.command(request, loaded, caller.actor(loaded.state.table))

    async def _card(self, table_id: str, card_id: str) -> tuple[Loaded[TableState], Card]:
        """Return a table and one of its cards; RefusedError (UNKNOWN_CARD) if it has none of this id."""
        loaded = await self._desk.table(table_id)
        card = loaded.state.table.card(card_id)
        if card is None:  # it may have been issued by another process
            loaded = await self._desk.table(table_id, newest=True)
            card = loaded.state.table.card(card_id)
        if card is None:
            raise refused(names.UNKNOWN_CARD, f"this table has no card {card_id!r}")
        return loaded, card

    def _secret(self, table_id: str, card: Card) -> str:
        return card_secret(self._keys, card.key_id, table_id, card.card_id)
