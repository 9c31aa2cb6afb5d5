"""The public API: translation between messages and the use cases, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game.acting import acted
from magnate.game.clock_views import clock_views
from magnate.game.clocks import SECOND_MS
from magnate.game.domain import attendance
from magnate.game.domain.table import PAUSED, RUNNING
from magnate.game.play import play
from magnate.game.requests import content_of, read_command, read_game_id, read_join, read_new_table
from magnate.game.setup_codec import encode_board, encode_ruleset, option_infos
from magnate.game.sight import hidden_seats, own_seat, refuse_hidden, seen
from magnate.game.standing_view import put_clock
from magnate.game.streams import PLAY, WATCH, read_connection, while_newest
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.game.view import game_view, put_legal_action, put_reasons, put_situation
from magnate.kit.errors import InvalidArgumentError, RefusedError, UnauthenticatedError
from magnate.kit.rpc.call import ANONYMOUS, principal
from magnate.kit.tokens import mint_seat
from magnate.kit.transact_types import Refused
from magnate.rules import rejections as names
from magnate.rules.legal import legal_actions
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.game.acting import Acting
    from magnate.game.attendance import Attendance
    from magnate.game.lists import Lists
    from magnate.game.presence import Presence
    from magnate.game.service import GameService, Result
    from magnate.game.state import GameState
    from magnate.game.watch import Watch
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import Command
    from magnate.kit.log.fold import Loaded
    from magnate.kit.rpc.interceptors import Context
    from magnate.kit.transact_types import Done


def done_or_raise(result: Result, game_id: str) -> Done[GameState]:
    """Return what was done, or raise the refusal."""
    if isinstance(result, Refused):
        version = 0 if result.loaded is None else result.loaded.version
        raise RefusedError(result.rejection, {"game_id": game_id, "version": str(version)})
    return result


def missing_of(done: Done[GameState], *, pause: bool) -> list[int]:
    """Return the seats that have yet to agree to what was just proposed; none if it is done."""
    table, rules = done.loaded.state.table, done.loaded.state.rules
    if rules is None or table.status != (RUNNING if pause else PAUSED):
        return []
    return attendance.missing_seats(table, rules.out, pause=pause)


def _last_response(newer: str) -> game_pb2.PlayResponse:
    return game_pb2.PlayResponse(superseded=game_pb2.Superseded(connection=newer))


def _last_update(newer: str) -> game_pb2.WatchGameResponse:
    return game_pb2.WatchGameResponse(superseded=game_pb2.Superseded(connection=newer))


class GameServicer(game_pb2_grpc.GameServiceServicer):
    """Answers clients."""

    def __init__(
        self,
        service: GameService,
        attendance: Attendance,
        presence: Presence,
        acting: Acting,
        watch: Watch,
        lists: Lists,
        keys: KeyRing,
        clock: Clock,
    ) -> None:
        self._service = service
        self._attendance = attendance
        self._presence = presence
        self._acting = acting
        self._watch = watch
        self._lists = lists
        self._keys = keys
        self._clock = clock

    async def CreateGame(  # noqa: N802 - gRPC's names
        self, request: game_pb2.CreateGameRequest, _context: Context
    ) -> game_pb2.CreateGameResponse:
        """Open a table."""
        actor = principal().name
        command = read_command(
            request.command_id, content_of(request), actor=actor, received_at_ms=self._clock.now_ms()
        )
        game_id = self._service.game_id(actor, request.command_id)
        result = await self._service.create(game_id, command, read_new_table(request))
        done = done_or_raise(result, game_id)
        return game_pb2.CreateGameResponse(
            game_id=game_id, version=done.commit.version, replayed=done.replayed
        )

    async def JoinGame(  # noqa: N802
        self, request: game_pb2.JoinGameRequest, _context: Context
    ) -> game_pb2.JoinGameResponse:
        """Take a seat."""
        game_id = read_game_id(request.game_id)
        command = read_join(request, actor=principal().name, received_at_ms=self._clock.now_ms())
        result = await self._service.join(game_id, command, request.name, request.entropy)
        done = done_or_raise(result, game_id)
        seat = done.loaded.state.table.names.index(request.name)
        return game_pb2.JoinGameResponse(
            seat=seat,
            token=mint_seat(self._keys, game_id, seat),
            version=done.commit.version,
            replayed=done.replayed,
        )

    async def StartGame(  # noqa: N802
        self, request: game_pb2.StartGameRequest, _context: Context
    ) -> game_pb2.StartGameResponse:
        """Begin."""
        game_id = read_game_id(request.game_id)
        command = self._seat_command(game_id, request.command_id, b"start")
        done = done_or_raise(await self._service.start(game_id, command), game_id)
        self._presence.begun(game_id)
        response = game_pb2.StartGameResponse(version=done.commit.version, replayed=done.replayed)
        put_situation(done.loaded.state, response.situation)
        return response

    async def PauseGame(  # noqa: N802
        self, request: game_pb2.PauseGameRequest, _context: Context
    ) -> game_pb2.PauseGameResponse:
        """Stop the clocks."""
        game_id = read_game_id(request.game_id)
        seat, command = self._break_command(game_id, request.command_id, b"pause", request.seen_version)
        done = done_or_raise(await self._attendance.pause(game_id, command, seat), game_id)
        missing = missing_of(done, pause=True)
        return game_pb2.PauseGameResponse(
            version=done.commit.version, done=not missing, missing_seats=missing
        )

    async def ResumeGame(  # noqa: N802
        self, request: game_pb2.ResumeGameRequest, _context: Context
    ) -> game_pb2.ResumeGameResponse:
        """Let the clocks run on."""
        game_id = read_game_id(request.game_id)
        seat, command = self._break_command(game_id, request.command_id, b"resume", request.seen_version)
        done = done_or_raise(await self._attendance.resume(game_id, command, seat), game_id)
        missing = missing_of(done, pause=False)
        return game_pb2.ResumeGameResponse(
            version=done.commit.version, done=not missing, missing_seats=missing
        )

    async def GrantTime(  # noqa: N802
        self, request: game_pb2.GrantTimeRequest, _context: Context
    ) -> game_pb2.GrantTimeResponse:
        """Give another seat's decision more time."""
        game_id = read_game_id(request.game_id)
        content = f"grant|{request.seat}|{request.seconds}".encode()
        command = self._seat_command(game_id, request.command_id, content, request.seen_version)
        by_seat = principal().seat_of(game_id)
        extra_ms = request.seconds * SECOND_MS
        granted = await self._attendance.grant(game_id, command, by_seat, request.seat, extra_ms)
        done = done_or_raise(granted, game_id)
        response = game_pb2.GrantTimeResponse(version=done.commit.version, replayed=done.replayed)
        now_ms = max(self._clock.now_ms(), done.loaded.time_ms)
        response.server_time.FromMilliseconds(now_ms)
        for clock in clock_views(done.loaded.state, now_ms):
            if clock.seat == request.seat and clock.extra_ms:
                put_clock(clock, response.clock)
        return response

    async def ListGames(  # noqa: N802
        self, request: game_pb2.ListGamesRequest, _context: Context
    ) -> game_pb2.ListGamesResponse:
        """List tables."""
        return await self._lists.page(request.page_size, request.page_token, request.status)

    async def GetGame(  # noqa: N802
        self, request: game_pb2.GetGameRequest, _context: Context
    ) -> game_pb2.GetGameResponse:
        """Show a game, now or at a version."""
        game_id = read_game_id(request.game_id)
        newest = loaded = await self._load(game_id, request.at_version, request.seen_version)
        if 0 < request.at_version < newest.version:
            loader = self._service.transactor.loader
            loaded = await loader.load_at(game_id, request.at_version, newest.sequence)
        hidden = hidden_seats(newest.state, game_id, principal())
        now_ms = self._clock.now_ms()
        own = own_seat(game_id, principal())
        view = game_view(loaded, hidden, now_ms if loaded is newest else 0, own)
        response = game_pb2.GetGameResponse(game=view)
        response.server_time.FromMilliseconds(now_ms)
        return response

    async def GetLegalActions(  # noqa: N802
        self, request: game_pb2.GetLegalActionsRequest, _context: Context
    ) -> game_pb2.GetLegalActionsResponse:
        """Say what a seat may do."""
        game_id = read_game_id(request.game_id)
        loaded = await self._load(game_id, 0, request.seen_version)
        state = loaded.state
        if not 0 <= request.seat < len(state.table.names):
            unknown = Rejection(names.UNKNOWN_SEAT, f"there is no seat {request.seat} at this table")
            raise RefusedError(unknown, {"game_id": game_id})
        refuse_hidden(state, game_id, request.seat, principal())
        own = own_seat(game_id, principal())
        state = seen(state, own, self._clock.now_ms())
        response = game_pb2.GetLegalActionsResponse(version=loaded.version)
        if state.rules is not None and state.table.status == RUNNING:
            for action in legal_actions(state.rules, request.seat, state.auctions):
                put_legal_action(action, response.actions.add())
            if request.with_reasons:
                put_reasons(state.rules, request.seat, state.auctions, response)
        put_situation(state, response.situation, own)
        return response

    async def Act(  # noqa: N802
        self, request: game_pb2.ActRequest, _context: Context
    ) -> game_pb2.ActResponse:
        """Carry out one command."""
        outcome = await self._acting.act(request, principal(), self._clock.now_ms())
        return acted(outcome, request)

    async def Play(  # noqa: N802
        self, request_iterator: AsyncIterator[game_pb2.PlayRequest], _context: Context
    ) -> AsyncIterator[game_pb2.PlayResponse]:
        """Carry out the commands of a stream; those of one game in the order in which they came."""
        caller = principal()
        async with self._presence.held(caller, PLAY) as held:

            def named(connection: str) -> None:
                if held is None:
                    raise UnauthenticatedError("a stream that names its client needs a seat's token")
                if not held.name:
                    self._presence.named(held, read_connection(connection))

            responses = play(self._acting, caller, self._clock, request_iterator, named)
            async for response in while_newest(held, responses, _last_response):
                yield response

    async def WatchGame(  # noqa: N802
        self, request: game_pb2.WatchGameRequest, _context: Context
    ) -> AsyncIterator[game_pb2.WatchGameResponse]:
        """Send every commit after a version, then each new one."""
        game_id = read_game_id(request.game_id)
        loaded = await self._load(game_id)
        if request.after_version > loaded.version:
            raise InvalidArgumentError("after_version", f"the newest version is {loaded.version}")
        caller = principal()
        if read_connection(request.connection):
            caller.seat_of(game_id)
        own = caller if caller.game_id == game_id else ANONYMOUS
        async with self._presence.held(own, WATCH) as held:
            if held is not None and request.connection:
                self._presence.named(held, request.connection)
            updates = self._watch.follow(loaded, request.after_version, own_seat(game_id, caller))
            async for update in while_newest(held, updates, _last_update):
                yield update

    async def ExportGame(  # noqa: N802
        self, request: game_pb2.ExportGameRequest, _context: Context
    ) -> AsyncIterator[game_pb2.ExportGameResponse]:
        """Send the stored records."""
        game_id = read_game_id(request.game_id)
        await self._load(game_id)
        async for record in self._watch.export(game_id, request.after_version):
            yield record

    async def ListRuleSets(  # noqa: N802
        self, _request: game_pb2.ListRuleSetsRequest, _context: Context
    ) -> game_pb2.ListRuleSetsResponse:
        """List the rule sets."""
        library = self._service.library
        found = [encode_ruleset(library.load_ruleset(one)) for one in library.ruleset_ids()]
        return game_pb2.ListRuleSetsResponse(rulesets=found, options=option_infos())

    async def ListBoards(  # noqa: N802
        self, _request: game_pb2.ListBoardsRequest, _context: Context
    ) -> game_pb2.ListBoardsResponse:
        """List the boards."""
        library = self._service.library
        boards = [encode_board(library.load_board(one)) for one in library.board_ids()]
        return game_pb2.ListBoardsResponse(boards=boards)

    def _seat_command(self, game_id: str, command_id: str, content: bytes, seen_version: int = 0) -> Command:
        seat = principal().seat_of(game_id)
        return read_command(
            command_id,
            content,
            actor=f"seat-{seat}",
            received_at_ms=self._clock.now_ms(),
            seen_version=seen_version,
        )

    def _break_command(
        self, game_id: str, command_id: str, content: bytes, seen_version: int
    ) -> tuple[int, Command]:
        """Return who pauses, or lets go on, and with what: a seat, or an operator."""
        caller = principal()
        if caller.kind != "operator":
            return caller.seat_of(game_id), self._seat_command(game_id, command_id, content, seen_version)
        return attendance.SOMEBODY, read_command(
            command_id,
            content,
            actor=caller.name,
            received_at_ms=self._clock.now_ms(),
            seen_version=seen_version,
        )

    async def _load(self, game_id: str, at_version: int = 0, seen_version: int = 0) -> Loaded[GameState]:
        """Return the newest state there is, or one not older than these."""
        transactor = self._service.transactor
        at_least = max(seen_version, at_version)
        loaded = await transactor.view(game_id, newest=not seen_version, at_least=at_least)
        if loaded.version == 0:
            raise RefusedError(Rejection(names.UNKNOWN_GAME, f"there is no game {game_id}"))
        if at_least > loaded.version:
            field = "at_version" if at_version > loaded.version else "seen_version"
            raise InvalidArgumentError(field, f"the newest version is {loaded.version}")
        return loaded
