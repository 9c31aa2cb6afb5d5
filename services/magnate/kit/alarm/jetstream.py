"""Alarms as NATS message schedules: durable, a quarter of a second exact, late but not lost after downtime.

    alarm.set.<epoch>.<shard>.<tenant>.<game_id>   becomes at its time   alarm.fired.<the same>

The body says which version of the log the alarm was taken from; setting one is a compare-and-set on that.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import structlog

from magnate.kit.alarm.port import Alarm, Handler
from magnate.kit.ids import check_tenant
from magnate.kit.limits import (
    ALARM_ACK_WAIT_SECONDS,
    ALARM_PLACES_MAX,
    ALARM_RETRY_SECONDS,
    ALARM_SET_ATTEMPTS_MAX,
    ALARM_TTL_HOURS,
    ALARMS_IN_FLIGHT_MAX,
)
from magnate.kit.log.connection import Connection, NoAnswerError, NotSentError
from magnate.kit.log.errors import LogUnavailableError, StreamConfigError
from magnate.kit.log.reading import read_last
from magnate.kit.log.streams import NANOSECONDS, create_stream
from magnate.kit.log.subjects import game_subject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STREAM: Final = "ALARM"
_WRONG_LAST_SEQUENCE: Final = 10071
_IN_FLIGHT: Final = 10164


def alarm_config(replicas: int) -> dict[str, Any]:
    """Return the configuration of the stream of alarms; fires nobody fetches go away by their own age."""
    return {
        "name": STREAM,
        "subjects": ["alarm.set.>", "alarm.fired.>"],
        "storage": "file",
        "retention": "limits",
        "discard": "old",
        "num_replicas": replicas,
        "allow_direct": True,
        "allow_msg_schedules": True,
        "allow_msg_ttl": True,
        "duplicate_window": NANOSECONDS,
    }


class JetStreamAlarms:
    """The alarms of one tenant. Several timers may run: each fire goes to one of them."""

    def __init__(
        self,
        servers: Sequence[str] | Connection,
        *,
        tenant: str = "main",
        replicas: int = 1,
        retry_seconds: float = ALARM_RETRY_SECONDS,
        ack_wait_seconds: float = ALARM_ACK_WAIT_SECONDS,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.connection = servers if isinstance(servers, Connection) else Connection(servers, options)
        self.tenant = check_tenant(tenant)
        self._replicas = replicas
        self._retry_seconds = retry_seconds
        self._ack_wait_seconds = ack_wait_seconds
        self._places: OrderedDict[str, tuple[int, int]] = OrderedDict()  # sequence and version of each
        self._logger = structlog.get_logger("magnate.alarm")

    async def connect(self) -> None:
        """Connect to the server; LogUnavailableError if there is none in time."""
        await self.connection.connect()

    async def ensure(self) -> None:
        """Create the stream and the consumer of fires."""
        await create_stream(self.connection, alarm_config(self._replicas))
        config = {
            "durable_name": self._durable,
            "filter_subject": f"alarm.fired.*.*.{self.tenant}.*",
            "deliver_subject": self._deliver_subject,
            "deliver_group": "timer",
            "deliver_policy": "all",
            "ack_policy": "explicit",
            "ack_wait": int(self._ack_wait_seconds * NANOSECONDS),
            "max_ack_pending": ALARMS_IN_FLIGHT_MAX,
            "max_deliver": -1,
        }
        body = {"stream_name": STREAM, "config": config}
        answer = await self.connection.api(f"CONSUMER.DURABLE.CREATE.{STREAM}.{self._durable}", body)
        if answer.get("error") is not None:
            raise StreamConfigError(f"consumer {self._durable}: {answer['error'].get('description')}")

    async def set(self, alarm: Alarm) -> bool:
        """Set the game's one alarm, unless the standing one was taken from a newer version of the log."""
        subject = game_subject("alarm.set", self.tenant, alarm.game_id)
        expected, version = self._places.get(alarm.game_id, (0, 0))
        if version > alarm.version:  # it may have fired since, so only the stream knows
            expected = -1
        for _ in range(ALARM_SET_ATTEMPTS_MAX):
            sequence, error = (
                (0, _WRONG_LAST_SEQUENCE) if expected < 0 else await self._put(subject, alarm, expected)
            )
            if sequence:
                self._remember(alarm.game_id, sequence, alarm.version)
                return True
            if error == _WRONG_LAST_SEQUENCE:
                standing = await read_last(self.connection, STREAM, subject)
                expected = 0 if standing is None else standing.sequence
                version = 0 if standing is None else _decode(standing.data).version
                if version > alarm.version:
                    self._remember(alarm.game_id, expected, version)
                    return False
            else:
                await asyncio.sleep(0.01)
        raise LogUnavailableError(f"alarm of game {alarm.game_id}: lost against other timers")

    async def run(self, handler: Handler) -> None:
        """Hand fired alarms to the handler, for ever; acknowledged when it returns."""
        tasks: set[asyncio.Task[None]] = set()

        def fired(subject: bytes, reply: bytes, data: bytes, headers: bytes | None) -> None:
            del subject, headers
            if reply:
                task = asyncio.ensure_future(self._carry_out(handler, reply.decode(), data))
                tasks.add(task)
                task.add_done_callback(tasks.discard)

        subscription = await self.connection.listen(self._deliver_subject, fired, "timer")
        try:
            await asyncio.Event().wait()
        finally:
            await self.connection.unlisten(subscription)
            for task in tasks:
                task.cancel()

    async def close(self) -> None:
        """Close the connection."""
        await self.connection.close()

    @property
    def _durable(self) -> str:
        return f"timer-{self.tenant}"

    @property
    def _deliver_subject(self) -> str:
        return f"deliver.alarm.{self.tenant}"

    async def _carry_out(self, handler: Handler, reply: str, data: bytes) -> None:
        answer = b"+ACK"
        try:
            alarm = _decode(data)
        except (ValueError, KeyError, TypeError) as error:
            self._logger.error("alarm_odd", error=repr(error), data=data[:80])  # noqa: TRY400 - not ours
        else:
            try:
                await handler(alarm)
            except asyncio.CancelledError:
                raise  # not acknowledged: another timer gets it
            except Exception as error:  # noqa: BLE001 - whatever it was, the alarm must come again
                self._logger.warning("alarm_failed", game_id=alarm.game_id, error=repr(error))
                delay = int(self._retry_seconds * NANOSECONDS)
                answer = b'-NAK {"delay": %d}' % delay
        try:
            await self.connection.publish(reply, answer)
        except NotSentError:
            return  # it comes again

    async def _put(self, subject: str, alarm: Alarm, expected: int) -> tuple[int, int]:
        """Try once; return the sequence, or 0 and the error's number."""
        at = datetime.fromtimestamp(alarm.due_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
        target = game_subject("alarm.fired", self.tenant, alarm.game_id)
        headers = (
            f"NATS/1.0\r\n"
            f"Nats-Expected-Last-Subject-Sequence: {expected}\r\n"
            f"Nats-Schedule: @at {at}.{alarm.due_ms % 1000:03d}Z\r\n"
            f"Nats-Schedule-Target: {target}\r\n"
            f"Nats-Schedule-TTL: {ALARM_TTL_HOURS}h\r\n"
            f"Magnate-Log-Version: {alarm.version}\r\n\r\n"
        ).encode()
        body = {"game_id": alarm.game_id, "due_ms": alarm.due_ms, "version": alarm.version}
        try:
            reply = await self.connection.ask(subject, json.dumps(body).encode(), headers)
        except (NotSentError, NoAnswerError) as error:
            raise LogUnavailableError(f"alarm of game {alarm.game_id}: no answer") from error
        if reply.no_responders:
            raise LogUnavailableError(f"alarm of game {alarm.game_id}: no stream, or none with a leader")
        answer = json.loads(reply.data)
        error_found = answer.get("error")
        if error_found is None:
            return int(answer["seq"]), 0
        code = int(error_found.get("err_code", 0))
        if code not in (_WRONG_LAST_SEQUENCE, _IN_FLIGHT):
            raise LogUnavailableError(f"alarm of game {alarm.game_id}: {error_found.get('description')}")
        return 0, code

    def _remember(self, game_id: str, sequence: int, version: int) -> None:
        self._places[game_id] = (sequence, version)
        self._places.move_to_end(game_id)
        if len(self._places) > ALARM_PLACES_MAX:
            self._places.popitem(last=False)


def _decode(data: bytes) -> Alarm:
    body = json.loads(data)
    return Alarm(str(body["game_id"]), int(body["due_ms"]), int(body["version"]))
