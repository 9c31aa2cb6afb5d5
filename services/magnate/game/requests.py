"""Reads API requests into values, and says which field is wrong when one is."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from magnate.game.codec import decode_sandbox, decode_start
from magnate.game.service import NewTable
from magnate.game.vocabulary_codec import UnknownKindError, decode_command
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.ids import InvalidIdError, check_sent_command_id, derived_id, parse_game_id, request_hash
from magnate.kit.log.commit import Command
from magnate.peers.actions import hashed_content
from magnate.rules.options import of_text

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from magnate.game.v1 import game_pb2
    from magnate.rules.options import Written
    from magnate.rules.v1 import vocabulary_pb2
    from magnate.rules.vocabulary import Command as RulesCommand

JOIN_DIGEST_CHARS: Final = 32
COMMAND_BYTES_MAX: Final = 8192
"""Of a seat's command. Selling all there is takes a fifth of it, and as many commands as a message between
workers may carry fit into one."""


def read_game_id(game_id: str) -> str:
    """Return the id if it can be one of a game."""
    try:
        parse_game_id(game_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(error.field, str(error)) from None
    return game_id


def read_command(
    command_id: str,
    content: bytes,
    *,
    actor: str,
    received_at_ms: int,
    seen_version: int = 0,
    expected_version: int = 0,
) -> Command:
    """Return the command of a request; `content` is what must be the same when the id comes again."""
    _check_command_id(command_id)
    return Command(
        command_id,
        request_hash(actor.encode(), content),
        actor=actor,
        received_at_ms=received_at_ms,
        seen_version=seen_version,
        expected_version=expected_version,
    )


def read_join(request: game_pb2.JoinGameRequest, *, actor: str, received_at_ms: int) -> Command:
    """Return the command of taking a seat.

    Whoever sends it again gets the seat's token. The log is open to all, so the id that is stored is a
    digest, from which nobody can make the request again.
    """
    command = read_command(
        request.command_id, content_of(request), actor=actor, received_at_ms=received_at_ms
    )
    digest = hashlib.sha256(f"{request.game_id}|{request.command_id}".encode()).hexdigest()
    command.command_id = derived_id("join", digest[:JOIN_DIGEST_CHARS])
    return command


def content_of(request: Message) -> bytes:
    """Return the bytes of a request without its command id, which names the attempt and is no content."""
    copy = type(request)()
    copy.CopyFrom(request)
    copy.ClearField("command_id")
    return copy.SerializeToString(deterministic=True)


def check_act(request: game_pb2.ActRequest) -> None:
    """Refuse a command of a seat that is malformed, before it is passed on: so that the field is named."""
    _check_command_id(request.command_id)
    if request.command.WhichOneof("kind") is None:
        raise _no_command()
    _check_size(request.command.ByteSize())


def content_of_action(message: vocabulary_pb2.Command) -> bytes:
    """Return the bytes of a seat's command without what is secret; it is refused if they are too many."""
    content = hashed_content(message)
    _check_size(len(content))
    return content


def read_action(message: vocabulary_pb2.Command) -> RulesCommand:
    """Return a seat's command."""
    try:
        return decode_command(message)
    except UnknownKindError:
        raise _no_command() from None


def read_new_table(request: game_pb2.CreateGameRequest) -> NewTable:
    """Return what a caller asks for who opens a table."""
    options: dict[str, Written] = {}
    for number, setting in enumerate(request.options):
        if setting.name in options:
            raise InvalidArgumentError(f"options[{number}]", f"{setting.name} is set twice")
        options[setting.name] = of_text(setting.value)
    try:
        sandbox = decode_sandbox(request.sandbox) if request.HasField("sandbox") else None
    except ValueError as error:
        raise InvalidArgumentError("sandbox", str(error)) from None
    start = decode_start(request.start) if request.HasField("start") else None
    if start is not None and sandbox is not None and sandbox.position is not None:
        raise InvalidArgumentError("start", "stands beside sandbox.position; a game has one beginning")
    return NewTable(
        request.ruleset, request.board, options, request.seat_count, request.title, sandbox, start
    )


def _check_command_id(command_id: str) -> None:
    try:
        check_sent_command_id(command_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(error.field, str(error)) from None


def _check_size(size: int) -> None:
    if size > COMMAND_BYTES_MAX:
        raise InvalidArgumentError("command", f"has {size} bytes; at most {COMMAND_BYTES_MAX} are read")


def _no_command() -> InvalidArgumentError:
    return InvalidArgumentError("command", "one kind of command must be set, one this server knows")
