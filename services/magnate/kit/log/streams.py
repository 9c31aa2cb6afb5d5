"""The streams: how they must be configured, and the refusal of one under which facts could be lost."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, final

from magnate.kit.limits import (
    COMMIT_BYTES_MAX,
    DUPLICATE_WINDOW_SECONDS,
    RETRY_PAUSE_SECONDS_MAX,
    RETRY_SECONDS_MAX,
)
from magnate.kit.log.errors import LogUnavailableError, StreamConfigError
from magnate.kit.log.subjects import LIVE_PREFIX, LOG_PREFIX, log_stream

if TYPE_CHECKING:
    from collections.abc import Mapping

    from magnate.kit.log.connection import Connection

NANOSECONDS: Final = 1_000_000_000
HEADER_BYTES_MAX: Final = 1024
ERROR_NAME_IN_USE: Final = 10058
ERROR_NOT_FOUND: Final = 10059

# What an existing stream of commits must be; anything else could drop or rewrite facts.
_LOG_MUST: Final[dict[str, Any]] = {
    "retention": "limits",
    "storage": "file",
    "discard": "new",
    "max_age": 0,
    "max_msgs": -1,
    "max_msgs_per_subject": -1,
    "allow_direct": True,
    "deny_delete": True,
    "deny_purge": True,
}
_LAST_MUST: Final[dict[str, Any]] = {
    "retention": "limits",
    "storage": "file",
    "discard": "old",
    "max_age": 0,
    "max_msgs": -1,
    "max_bytes": -1,
    "max_msgs_per_subject": 1,
    "allow_direct": True,
}


def log_config(epoch: int, shard: int, replicas: int) -> dict[str, Any]:
    """Return the configuration of a stream of commits."""
    return _LOG_MUST | {
        "name": log_stream(epoch, shard),
        "subjects": [f"{LOG_PREFIX}.{epoch}.{shard}.>"],
        "num_replicas": replicas,
        "max_bytes": -1,
        "max_msg_size": COMMIT_BYTES_MAX + HEADER_BYTES_MAX,
        "duplicate_window": DUPLICATE_WINDOW_SECONDS * NANOSECONDS,
        "republish": {
            "src": f"{LOG_PREFIX}.{epoch}.{shard}.>",
            "dest": f"{LIVE_PREFIX}.{epoch}.{shard}.>",
        },
    }


def last_value_config(name: str, subjects: str, replicas: int) -> dict[str, Any]:
    """Return the configuration of a stream that keeps the last message of each subject."""
    return _LAST_MUST | {
        "name": name,
        "subjects": [subjects],
        "num_replicas": replicas,
        # Nothing here is sent with a message id; the smallest window costs the least memory.
        "duplicate_window": NANOSECONDS,
    }


async def ensure_stream(connection: Connection, config: Mapping[str, Any]) -> None:
    """Create the stream, or check the one that is there; StreamConfigError if facts could be lost in it."""
    if not await create_stream(connection, config):
        check_config(config, (await _info(connection, config["name"]))["config"])


async def create_stream(connection: Connection, config: Mapping[str, Any]) -> bool:
    """Create the stream; False if there is one of this name with another configuration."""
    name = config["name"]
    deadline = time.monotonic() + RETRY_SECONDS_MAX
    while True:
        try:
            answer = await connection.api(f"STREAM.CREATE.{name}", config)
            error = answer.get("error")
            if error is None:
                return True
            if error.get("err_code") == ERROR_NAME_IN_USE:
                return False
            # A cluster that has just started has no place for a stream yet.
            reason = f"stream {name} cannot be created: {error.get('description')}"
            if error.get("code") != 503 and "peers" not in str(error.get("description")):
                raise StreamConfigError(reason)
        except LogUnavailableError as unavailable:
            reason = str(unavailable)
        if time.monotonic() > deadline:
            raise LogUnavailableError(reason)
        await asyncio.sleep(RETRY_PAUSE_SECONDS_MAX)


def check_config(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Compare what matters; StreamConfigError names the stream and every option at fault."""
    must = _LOG_MUST if wanted["discard"] == "new" else _LAST_MUST
    options = {key: wanted[key] for key in must} | {"subjects": wanted["subjects"]}
    if "republish" in wanted:
        options["republish"] = wanted["republish"]
    faults = [
        f"{key} is {found.get(key)!r}, must be {value!r}"
        for key, value in options.items()
        if (found.get(key) or _absent(value)) != value
    ]
    if faults:
        raise StreamConfigError(f"stream {wanted['name']}: {'; '.join(faults)}")


async def last_sequence(connection: Connection, name: str) -> int:
    """Return the last sequence of a stream as its leader knows it; 0 if the stream does not exist."""
    state = (await _info(connection, name)).get("state")
    return 0 if state is None else int(state["last_seq"])


async def leader_time_ms(connection: Connection, name: str) -> int:
    """Return what the clock of a stream's leader says, milliseconds since the epoch; 0 if nothing."""
    said = (await _info(connection, name)).get("ts")
    return 0 if said is None else round(datetime.fromisoformat(str(said)).timestamp() * 1000)


@final
class Inventory:
    """What a stream holds by its leader's own account, which counts what it cannot read any more, too."""

    __slots__ = ("last_sequence", "subjects")

    def __init__(self, last_sequence: int, subjects: dict[str, int]) -> None:
        self.last_sequence = last_sequence
        self.subjects = subjects


async def inventory(connection: Connection, name: str, subjects: str) -> Inventory:
    """Return what a stream holds, with the number of messages of each subject that matches."""
    found: dict[str, int] = {}
    while True:
        answer = await _info(connection, name, {"subjects_filter": subjects, "offset": len(found)})
        state = answer.get("state") or {}
        page = state.get("subjects") or {}
        found.update(page)
        if not page or len(found) >= answer.get("total", 0):
            return Inventory(int(state.get("last_seq", 0)), found)


async def stream_names(connection: Connection, subject: str) -> list[str]:
    """Return the names of the streams that take this subject."""
    answer = await connection.api("STREAM.NAMES", {"subject": subject})
    return sorted(answer.get("streams") or [])


async def _info(
    connection: Connection, name: str, options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    answer = await connection.api(f"STREAM.INFO.{name}", options)
    error = answer.get("error")
    if error is not None and error.get("err_code") != ERROR_NOT_FOUND:
        raise LogUnavailableError(f"stream {name}: {error.get('description')}")
    return answer


def _absent(value: object) -> object:
    # The server leaves out what is zero or false.
    return type(value)() if isinstance(value, (bool, int)) else None
