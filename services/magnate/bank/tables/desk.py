"""What every call at a table needs: the table, the command, and what is answered when it was carried out."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import unquote

from magnate.bank.tables.access import Caller, caller_at, caller_in_game, refused
from magnate.bank.tables.credentials import secret_holds, veiled
from magnate.bank.tables.events import PinFailed
from magnate.bank.tables.fold import read_events
from magnate.bank.tables.history import operation_of
from magnate.bank.tables.requests import read_command, read_command_id, read_table_id
from magnate.bank.tables.state import MISSING, MODELS
from magnate.bank.tables.view import Seen, put_table
from magnate.bank.v1 import terminal_pb2
from magnate.kit.errors import ForbiddenError, RefusedError, UnsupportedError
from magnate.kit.observe.logging import bind
from magnate.kit.rpc.call import principal
from magnate.kit.transact_types import Refused
from magnate.rules import rejections as names

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from magnate.bank.games.units import UnitsInGames
    from magnate.bank.tables.history import Operation
    from magnate.bank.tables.metrics import TableMetrics
    from magnate.bank.tables.service import Result, TableService
    from magnate.bank.tables.state import Card, TableState
    from magnate.bank.tables.tries import Tries
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import Command
    from magnate.kit.log.fold import Loaded
    from magnate.kit.rpc.interceptors import Context
    from magnate.kit.transact_types import Done


class Desk:
    """Where callers and the use cases meet."""

    def __init__(
        self,
        service: TableService,
        keys: KeyRing,
        clock: Clock,
        tries: Tries,
        metrics: TableMetrics,
        in_games: UnitsInGames | None = None,
    ) -> None:
        self.service = service
        self.in_games = in_games
        self.keys = keys
        self.clock = clock
        self.tries = tries
        self.metrics = metrics

    async def table(self, table_id: str, *, newest: bool = False) -> Loaded[TableState]:
        """Return a table, at least as new as this process knows it.

        Raises:
            InvalidArgumentError: malformed id. RefusedError: UNKNOWN_TABLE.
        """
        bind(game_id=read_table_id(table_id))
        loaded = await self.service.transactor.view(table_id, newest=newest)
        if loaded.state.table.status == MISSING and not newest:  # another process may have opened it just now
            loaded = await self.service.transactor.view(table_id)
        if loaded.state.table.status == MISSING:
            raise refused(names.UNKNOWN_TABLE, f"there is no table {table_id}")
        return loaded

    async def entered(self, table_id: str, *, newest: bool = False) -> tuple[Loaded[TableState], Caller]:
        """Return a table and the one who asks, who must show a token of it."""
        who = principal()
        if who.kind == "seat" and who.game_id == read_table_id(table_id):
            loaded = await self.table(table_id, newest=newest)
            player = caller_in_game(who, table_id, loaded.state.table)
            if player is not None:
                return loaded, player
        caller = caller_at(who, read_table_id(table_id))
        return await self.table(table_id, newest=newest), caller

    async def seen(self, loaded: Loaded[TableState], viewer: int) -> Seen:
        """Return for whom a table is written, with the game that it is in, not older than the table.

        Raises:
            UnsupportedError: this bank knows no game service. RemoteError, UnavailableError: of that service.
        """
        if not loaded.state.table.in_game:
            return Seen(viewer)
        return Seen(viewer, await self.units_in_games.games.view(loaded.game_id, loaded.version))

    async def seen_after(self, done: Done[TableState], viewer: int) -> Seen:
        """Return the same for the table as a command left it, also if that was long ago."""
        if not done.replayed or not done.loaded.state.table.in_game:
            return await self.seen(done.loaded, viewer)
        games = self.units_in_games.games
        return Seen(viewer, await games.view_at(done.commit.game_id, done.commit.version))

    @property
    def units_in_games(self) -> UnitsInGames:
        """Return what works the units in games; UnsupportedError if this bank knows no game service."""
        if self.in_games is None:
            raise UnsupportedError("this bank knows no game service (MAGNATE_GAME_ADDRESSES)")
        return self.in_games

    def command(
        self,
        request: Message,
        loaded: Loaded[TableState],
        actor: str,
        *,
        secrets: tuple[str, ...] = (),
        stored_id: str = "",
    ) -> Command:
        """Return the command of a request; `stored_id` is what the log keeps in the place of its id.

        Who says nothing of a version seen is taken to have seen the newest one here.
        """
        command_id = read_command_id(getattr(request, "command_id"))  # noqa: B009 - every command has one
        bind(command_id=stored_id or command_id)  # by that of a claim its token is given again
        table = loaded.state.table
        veil = veiled(self.keys, table.key_id, loaded.game_id, *secrets) if any(secrets) else b""
        return read_command(
            stored_id or command_id,
            request,
            actor=actor,
            received_at_ms=self.clock.now_ms(),
            seen_version=getattr(request, "seen_version", 0) or loaded.version,
            veil=veil,
        )

    def check_secret(self, context: Context, loaded: Loaded[TableState], card: Card, secret: str) -> None:
        """Refuse a wrong secret, and everybody who was wrong too often."""
        address = address_of(context)
        self.tries.check(address)
        if not secret_holds(self.keys, card.key_id, loaded.game_id, secret, card.secret_digest):
            self.wrong(address, "secret")
            raise refused(names.WRONG_SECRET, "this is not the secret of that card")

    def wrong(self, address: str, kind: str) -> None:
        """Count a wrong code, secret or PIN."""
        self.tries.wrong(address)
        self.metrics.wrong_tries.labels(kind).inc()

    def done(self, result: Result, table_id: str, context: Context | None = None) -> Done[TableState]:
        """Return what was done, or raise the refusal; a wrong PIN is stored and refused all the same."""
        if isinstance(result, Refused):
            version = 0 if result.loaded is None else result.loaded.version
            self.metrics.refusals.labels(result.rejection.name).inc()
            raise RefusedError(result.rejection, {"table_id": table_id, "version": str(version)})
        failed = next((one for one in read_events(result.commit) if isinstance(one, PinFailed)), None)
        if failed is not None:
            if context is not None and not result.replayed:
                self.wrong(address_of(context), "pin")
            what = "the card is locked now" if failed.locked else "try again"
            raise ForbiddenError(
                f"this is not the PIN of that card; {what}",
                reason=names.WRONG_PIN,
                metadata={"failures": str(failed.failures), "locked": str(failed.locked).lower()},
            )
        if not result.replayed:
            self._count(result)
        return result

    async def state_after(self, done: Done[TableState]) -> TableState:
        """Return the table as the command left it, also if that was long ago."""
        if done.loaded.version == done.commit.version:
            return done.loaded.state
        loader = self.service.transactor.loader
        commit = done.commit
        return (await loader.load_at(commit.game_id, commit.version, commit.sequence)).state

    def operation(self, done: Done[TableState]) -> Operation:
        """Return the operation that a command was."""
        operation = operation_of(done.commit)
        assert operation is not None, "what takes money back moves money"
        return operation

    async def view(self, loaded: Loaded[TableState], viewer: int = -1) -> terminal_pb2.Table:
        """Return a table as a message for the holder of a seat's card, or for others (-1)."""
        message = terminal_pb2.Table()
        seen = await self.seen(loaded, viewer)
        put_table(loaded.state, loaded.game_id, loaded.version, self.keys, self.clock.now_ms(), message, seen)
        return message

    def _count(self, done: Done[TableState]) -> None:
        operation = operation_of(done.commit)
        if operation is not None:
            model = MODELS.get(done.loaded.state.table.model, "none")
            self.metrics.operations.labels(operation.kind, model).inc()


def address_of(context: Context) -> str:
    """Return where a caller is, without its port: as the connection has it, or as the gateway says.

    A gateway is on this machine or in its network. Who comes from outside could say anything of himself, each
    time something else, and would never be slowed down.
    """
    peer: str = context.peer()
    address = peer.rpartition(":")[0]
    if not is_inside(address):
        return address
    for key, value in context.invocation_metadata() or ():
        if key == "x-forwarded-for" and isinstance(value, str):
            return value.rpartition(",")[2].strip()
    return address


def is_inside(address: str) -> bool:
    """Say whether an address as gRPC writes it (`ipv4:10.0.0.7`, `ipv6:[::1]`) is of a private network."""
    family, _, host = unquote(address).partition(":")
    try:
        return family == "unix" or ip_address(host.strip("[]")).is_private
    except ValueError:
        return False
