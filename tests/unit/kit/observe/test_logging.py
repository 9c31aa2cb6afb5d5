"""Logs: one JSON object a line, with what was bound, without any secret."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from magnate.kit import tokens
from magnate.kit.keys import KeyRing
from magnate.kit.observe.logging import REDACTED, begin, bind
from tests.support.logged import logged

if TYPE_CHECKING:
    from collections.abc import Iterator

RING_TEXT = "k1:" + "5e" * 32


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    """Log into a text, and put the standard library's handlers back afterwards."""
    with logged(service="test") as stream:
        yield stream


def lines(out: io.StringIO) -> list[dict[str, Any]]:
    """Return what was logged."""
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_is_one_json_object_with_the_fields_of_its_process(out: io.StringIO) -> None:
    """Level, time and service stand on each line."""
    structlog.get_logger().info("hello", number=3, text="Ünïcode\nnewline")
    (line,) = lines(out)
    assert line["event"] == "hello"
    assert (line["level"], line["service"], line["number"]) == ("info", "test", 3)
    assert line["timestamp"].endswith("Z")
    assert line["text"] == "Ünïcode\nnewline"


def test_what_is_below_the_level_is_not_even_rendered(out: io.StringIO) -> None:
    """A debug line costs nothing at info: its values are never turned into text."""

    class Costly:
        def __str__(self) -> str:
            raise AssertionError("rendered")

        __repr__ = __str__

    structlog.get_logger().debug("hidden", value=Costly())
    assert out.getvalue() == ""


def test_bound_fields_stand_on_every_further_line_of_their_task_alone(out: io.StringIO) -> None:
    """Two requests at once never mix up their fields."""

    async def request(game: str) -> None:
        begin()
        bind(game_id=game)
        await asyncio.sleep(0.001)
        structlog.get_logger().info("line", asked=game)

    async def both() -> None:
        await asyncio.gather(request("a"), request("b"))
        structlog.get_logger().info("outside")

    asyncio.run(both())
    for line in lines(out):
        assert line.get("game_id") == line.get("asked")


@pytest.mark.parametrize(
    "name", ["token", "authorization", "secret", "seed", "salt", "mac", "keys", "password", "pin"]
)
def test_what_is_secret_by_name_is_redacted(out: io.StringIO, name: str) -> None:
    """Whatever the value is, also inside other values."""
    structlog.get_logger().info("x", **{name: "hush"}, inner={name: "hush"}, listed=[{name: 77}])
    (line,) = lines(out)
    assert line[name] == REDACTED
    assert line["inner"][name] == REDACTED
    assert line["listed"][0][name] == REDACTED
    assert "hush" not in out.getvalue()


def test_tokens_and_keys_are_found_inside_any_text(out: io.StringIO) -> None:
    """In a message, in a header, in an exception, in a log of the standard library: never a usable secret."""
    ring = KeyRing.parse(RING_TEXT)
    seat, peer = tokens.mint_seat(ring, "1-0-abc", 1), tokens.mint_peer(ring, "bank")
    log = structlog.get_logger()
    event = f"got {seat} from a client"
    log.info(event, header=f"Bearer {seat}", pairs=[("x", peer)])
    try:
        raise ValueError(f"cannot read {RING_TEXT}")  # noqa: TRY301
    except ValueError as error:
        log.exception("failed", error=error)
    logging.getLogger("nats").warning("connected with %s", peer)
    text = out.getvalue()
    assert len(text.splitlines()) == 3
    for secret in (seat, peer, RING_TEXT, seat.split(".")[2], peer.split(".")[2], "5e" * 32):
        assert secret not in text


def test_bytes_are_never_written_out(out: io.StringIO) -> None:
    """They may be a seed, a commit's secret part, anything."""
    structlog.get_logger().info("x", body=b"hidden bytes")
    assert "hidden" not in out.getvalue()
    assert lines(out)[0]["body"] == "12 bytes"


def test_the_standard_library_logs_in_the_same_form(out: io.StringIO) -> None:
    """grpc, nats and asyncio write JSON lines too, with their name."""
    logging.getLogger("nats.client").error("no servers: %d tries", 3)
    (line,) = lines(out)
    assert (line["event"], line["level"], line["logger"]) == ("no servers: 3 tries", "error", "nats.client")
    assert line["service"] == "test"


def test_an_exception_has_its_traceback_in_the_line(out: io.StringIO) -> None:
    """One line still, so that nothing gets torn apart."""
    try:
        raise KeyError("why")  # noqa: TRY301
    except KeyError:
        structlog.get_logger().exception("failed")
    (line,) = lines(out)
    assert "KeyError: 'why'" in line["exception"]


def test_at_a_terminal_lines_are_for_people() -> None:
    """`auto` is JSON unless somebody watches."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    with logged("auto", Terminal()) as watched:
        structlog.get_logger().info("hello", token="hush")
    assert "hello" in watched.getvalue()
    assert "hush" not in watched.getvalue()
    with pytest.raises(json.JSONDecodeError):
        json.loads(watched.getvalue())
