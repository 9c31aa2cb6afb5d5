"""What is wrong with a request is said in words, each fault in its own; nothing reaches a service."""

from __future__ import annotations

import gzip
import json

import pytest

from magnate.game.v1 import game_pb2
from tests.integration.gateway.backend import GAME, frame, grpc_web_status, reason_of, running

pytestmark = pytest.mark.asyncio
GET = f"{GAME}/GetGame"


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("", "Expecting value"),
        ('{"gameId": ', "line 1 column 12"),
        ('{"gamId": "x"}', 'no field named "gamId"'),
        ('{"atVersion": "-1"}', "atVersion"),
        ('{"atVersion": 1.5}', "atVersion"),
        ('{"atVersion": "99999999999999999999"}', "atVersion"),
        ('{"gameId": 7}', "gameId"),
        ('{"gameId": "\\ud800"}', "gameId"),
        ('["gameId"]', "GetGameRequest"),
        ('{"gameId": "a", "gameId": "b"}', "gameId"),
        (b'{"gameId": "\xff"}', "utf-8"),
        ("[" * 100_000, "recursion"),
    ],
)
async def test_json_that_is_no_message(body: bytes | str, named: str) -> None:
    """The answer names the place; the service is not asked."""
    async with running() as gateway:
        answer = await gateway.send(GET, body)
    assert answer.refusal == (400, "invalid_argument", "MALFORMED_MESSAGE")
    assert named in answer.json["message"]
    assert "magnate.game.v1.GetGameRequest" in answer.json["message"]


async def test_bytes_that_are_no_message() -> None:
    """Binary rubbish is named by the message it should have been."""
    async with running() as gateway:
        answer = await gateway.send(GET, b"\xff\xff\xff", "application/proto")
    assert answer.refusal == (400, "invalid_argument", "MALFORMED_MESSAGE")
    assert answer.json["message"] == "these bytes are no magnate.game.v1.GetGameRequest"


@pytest.mark.parametrize(
    ("game_id", "status", "code", "reason"),
    [
        ("refuse", 400, "failed_precondition", "NOT_YOUR_TURN"),
        ("field", 400, "invalid_argument", "INVALID_ARGUMENT"),
        ("bug", 500, "internal", "INTERNAL"),
    ],
)
async def test_what_the_service_refuses(game_id: str, status: int, code: str, reason: str) -> None:
    """Code, reason, message and details arrive as a gRPC client would see them; a bug tells nothing."""
    async with running() as gateway:
        answer = await gateway.get_game(game_id)
    assert answer.refusal == (status, code, reason)
    assert "inside" not in answer.body.decode()
    if game_id == "field":
        (violation,) = answer.json["details"][1]["debug"]["fieldViolations"]
        assert violation == {"field": "game_id", "description": "is odd"}


async def test_a_refusal_over_grpc_web() -> None:
    """Status, message and details are in the trailers."""
    async with running() as gateway:
        body = frame(game_pb2.GetGameRequest(game_id="refuse").SerializeToString())
        answer = await gateway.send(GET, body, "application/grpc-web+proto")
    assert grpc_web_status(answer.frames()) == (9, "seat 1 is to move", "NOT_YOUR_TURN")


@pytest.mark.parametrize(
    "path", [f"{GAME}/Nothing", "/magnate.game.v1.GamePeerService/Exchange", "/no.Such/Method"]
)
async def test_an_unknown_method(path: str) -> None:
    """It is named, and so are the services; what our services say to each other is none of them."""
    async with running() as gateway:
        answer = await gateway.send(path, "{}")
        web = await gateway.send(path, frame(b""), "application/grpc-web+proto")
    assert answer.refusal == (501, "unimplemented", "UNKNOWN_METHOD")
    assert f"no method {path}" in answer.json["message"]
    assert "magnate.game.v1.GameService" in answer.json["message"]
    assert grpc_web_status(web.frames())[::2] == (12, "UNKNOWN_METHOD")


@pytest.mark.parametrize("kind", ["application/connect+json", "application/json"])
async def test_a_stream_from_the_client(kind: str) -> None:
    """Play streams both ways, which HTTP/1.1 does not carry: it says what to use instead."""
    async with running() as gateway:
        answer = await gateway.send(f"{GAME}/Play", frame(b"{}"), kind)
    error = json.loads(answer.frames()[-1][1])["error"] if "connect" in kind else answer.json
    assert (error["code"], reason_of(error)) == ("unimplemented", "STREAM_NOT_SUPPORTED")
    assert "Play streams from the client" in error["message"]


async def test_a_message_that_is_too_large() -> None:
    """The limit is named; a small body that unpacks to a large one is caught as well."""
    async with running({"message_bytes_max": 2048}) as gateway:
        plain = await gateway.send(GET, b" " * 4096)
        packed = await gateway.send(GET, gzip.compress(b" " * 10_000_000), content_encoding="gzip")
        framed = await gateway.send(f"{GAME}/WatchGame", frame(b" " * 4096), "application/connect+json")
        fits = await gateway.send(GET, b'{"gameId": "ok"}' + b" " * 1900)
    assert plain.refusal == packed.refusal == (429, "resource_exhausted", "MESSAGE_TOO_LARGE")
    assert "2048" in plain.json["message"]
    assert reason_of(json.loads(framed.frames()[-1][1])["error"]) == "MESSAGE_TOO_LARGE"
    assert fits.status == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "", "application/xml", "application/grpc", "application/grpc+proto"]
)
async def test_a_content_type_of_none_of_the_protocols(kind: str) -> None:
    """415 with the list; native gRPC, which needs HTTP/2, is among what is not served here."""
    async with running() as gateway:
        answer = await gateway.send(GET, "{}", kind)
    assert answer.status == 415
    assert "application/json" in answer.json["message"]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_a_changing_call_needs_post(method: str) -> None:
    """A link must not open a table."""
    async with running() as gateway:
        answer = await gateway.send(f"{GAME}/CreateGame", "{}", method=method)
    assert answer.status == 405
    assert answer.headers["allow"] == "POST"
    assert answer.json["message"] == "this method takes POST only"


@pytest.mark.parametrize(
    ("headers", "status", "named"),
    [
        ({"connect_timeout_ms": "soon"}, 400, "soon"),
        ({"connect_timeout_ms": "-5"}, 400, "-5"),
        ({"connect_protocol_version": "7"}, 400, "'7'"),
        ({"content_encoding": "rot13"}, 501, "rot13"),
        ({"authorization": "Bearer \xfcnicode"}, 401, "no token has"),
        ({"authorization": "Basic YWJj"}, 401, "Bearer"),
    ],
)
async def test_a_header_that_cannot_be(headers: dict[str, str], status: int, named: str) -> None:
    """The answer shows the value that was not understood."""
    async with running() as gateway:
        answer = await gateway.get_game("ok", **headers)
    assert answer.status == status
    assert named in answer.json["message"]


async def test_an_envelope_that_lies_about_its_length() -> None:
    """A frame that promises more than there is ends as an error, not as a wait."""
    async with running() as gateway:
        answer = await gateway.send(
            f"{GAME}/WatchGame", b"\x00\x00\x00\x00\x64{}", "application/connect+json"
        )
    error = json.loads(answer.frames()[-1][1])["error"]
    assert error["code"] == "invalid_argument"
    assert "promised 100 bytes" in error["message"]


async def test_other_origins() -> None:
    """A browser may ask for a page of a named origin, and reads the refusals; no other is let in."""
    wanted = {
        "access_control_request_method": "POST",
        "access_control_request_headers": "authorization,content-type,connect-protocol-version",
    }
    async with running({"origins": ("https://bank.example",)}) as gateway:
        allowed = await gateway.send(GET, kind="", method="OPTIONS", origin="https://bank.example", **wanted)
        other = await gateway.send(GET, kind="", method="OPTIONS", origin="https://evil.example", **wanted)
        refused = await gateway.get_game("refuse", origin="https://bank.example")
        nowhere = await gateway.send(f"{GAME}/Nothing", "{}", origin="https://bank.example")
        hidden = await gateway.get_game("ok", origin="https://evil.example")
    assert allowed.status == 200
    assert other.status == 400
    assert "access-control-allow-origin" not in other.headers
    assert "access-control-allow-origin" not in hidden.headers
    for answer in (allowed, refused, nowhere):
        assert answer.headers["access-control-allow-origin"] == "https://bank.example"
    assert "grpc-status-details-bin" in refused.headers["access-control-expose-headers"]
