"""Reading a stream: batches by direct get, single messages from the leader."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any, Final

from magnate.kit.limits import LOAD_BATCH_MESSAGES, READ_TIMEOUT_SECONDS
from magnate.kit.log.connection import NoAnswerError, NotSentError
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.port import Stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.kit.log.connection import Connection

_SEQUENCE: Final = b"\r\nNats-Sequence: "
_SUBJECT: Final = b"\r\nNats-Subject: "
_PENDING: Final = b"\r\nNats-Num-Pending: "
_STATUS: Final = b"NATS/1.0 "
CRLF: Final = b"\r\n"
_NO_MESSAGE: Final = 10037


def header(block: bytes, name: bytes) -> bytes:
    """Return a header's value; `name` begins with the line break and ends with the space before the value."""
    start = block.find(name)
    if start < 0:
        return b""
    start += len(name)
    return block[start : block.index(b"\r\n", start)]


async def read_after(connection: Connection, stream: str, subject: str, after_sequence: int) -> list[Stored]:
    """Return all messages of a subject after a sequence, as some replica has them."""
    found: list[Stored] = []

    def take(data: bytes, block: bytes) -> None:
        start = block.index(_SEQUENCE) + 16
        found.append(Stored(int(block[start : block.index(b"\r\n", start)]), data))

    position = after_sequence
    while await _batch(connection, stream, subject, position, take):
        position = found[-1].sequence
    return found


async def read_all_after(
    connection: Connection, stream: str, subjects: str, after_sequence: int
) -> tuple[list[tuple[str, Stored]], bool]:
    """Return one batch of messages of all subjects that match, by subject, and whether there may be more."""
    found: list[tuple[str, Stored]] = []

    def take(data: bytes, block: bytes) -> None:
        sequence = int(header(block, _SEQUENCE))
        found.append((header(block, _SUBJECT).decode(), Stored(sequence, data)))

    more = await _batch(connection, stream, subjects, after_sequence, take)
    return found, more


async def read_last(connection: Connection, stream: str, subject: str) -> Stored | None:
    """Return the last message of a subject from the stream's leader."""
    found = await _from_leader(connection, stream, {"last_by_subj": subject})
    return None if found is None else found[1]


async def read_next(
    connection: Connection, stream: str, subject: str, after_sequence: int
) -> tuple[str, Stored] | None:
    """Return the first message after a sequence from the stream's leader, with its subject."""
    return await _from_leader(connection, stream, {"seq": after_sequence + 1, "next_by_subj": subject})


async def read_one(connection: Connection, stream: str, subject: str, sequence: int) -> Stored | None:
    """Return the message at this sequence, if it is of this subject."""
    payload = json.dumps({"seq": sequence}).encode()
    reply = await connection.read(f"$JS.API.DIRECT.GET.{stream}", payload)
    if not reply.headers.startswith(_STATUS):
        right = header(reply.headers, _SUBJECT) == subject.encode()
        return Stored(sequence, reply.data) if right else None
    found = await read_next(connection, stream, subject, sequence - 1)  # a replica may be behind
    return found[1] if found is not None and found[1].sequence == sequence else None


async def read_direct_last(connection: Connection, stream: str, subject: str) -> Stored | None:
    """Return the last message of a subject as some replica has it."""
    reply = await connection.read(f"$JS.API.DIRECT.GET.{stream}.{subject}", b"")
    if reply.headers.startswith(_STATUS):
        return None
    return Stored(int(header(reply.headers, _SEQUENCE)), reply.data)


async def _batch(
    connection: Connection, stream: str, subject: str, after: int, take: Callable[[bytes, bytes], None]
) -> bool:
    """Read one batch; say whether there is more behind it."""
    body: dict[str, Any] = {"batch": LOAD_BATCH_MESSAGES, "seq": after + 1, "next_by_subj": subject}
    status = b""

    def until(data: bytes, block: bytes) -> bool:
        nonlocal status
        if block.startswith(_STATUS):
            status = block
            return True
        take(data, block)
        return False

    try:
        await connection.collect(
            f"$JS.API.DIRECT.GET.{stream}", json.dumps(body).encode(), until, READ_TIMEOUT_SECONDS
        )
    except (NotSentError, NoAnswerError) as error:
        raise LogUnavailableError(f"no answer from stream {stream}") from error
    code = status[9:12]
    if code == b"204":
        return int(header(status, _PENDING) or 0) > 0
    if code == b"404":
        return False
    raise LogUnavailableError(f"stream {stream} answers {status[9:].partition(CRLF)[0].decode()!r}")


async def _from_leader(
    connection: Connection, stream: str, body: dict[str, Any]
) -> tuple[str, Stored] | None:
    answer = await connection.api(f"STREAM.MSG.GET.{stream}", body)
    error = answer.get("error")
    if error is not None:
        if error.get("err_code") == _NO_MESSAGE:
            return None
        raise LogUnavailableError(f"stream {stream}: {error.get('description')}")
    message = answer["message"]
    data = base64.b64decode(message.get("data") or "")
    return message["subject"], Stored(int(message["seq"]), data)
