"""Calls through the gateway: three protocols, one outcome; what is passed on and what is not."""

from __future__ import annotations

import asyncio
import gzip
import json

import pytest
import structlog

from magnate.game.v1 import game_pb2
from magnate.kit.ids import rendezvous
from magnate.kit.tokens import mint_seat
from tests.integration.gateway.backend import BIG, GAME, KEYS, frame, grpc_web_status, reason_of, running

ASKED = game_pb2.GetGameRequest(game_id="ok").SerializeToString()
pytestmark = pytest.mark.asyncio


async def test_json_answers_with_whole_numbers_as_text() -> None:
    """A 64-bit number survives JavaScript, which would round it."""
    async with running() as gateway:
        answer = await gateway.get_game("ok")
    assert answer.status == 200
    assert answer.json["game"]["version"] == str(BIG)
    assert answer.headers["cache-control"] == "no-store"


async def test_binary_answers_the_same() -> None:
    """Connect with protobuf."""
    async with running() as gateway:
        answer = await gateway.send(f"{GAME}/GetGame", ASKED, "application/proto")
    assert game_pb2.GetGameResponse.FromString(answer.body).game.version == BIG


async def test_a_read_can_be_fetched_by_its_address() -> None:
    """What changes nothing may be asked by GET."""
    async with running() as gateway:
        path = f"{GAME}/GetGame?encoding=json&message=%7B%22gameId%22%3A%22ok%22%7D"
        answer = await gateway.send(path, kind="", method="GET")
    assert answer.json["game"]["gameId"] == "ok"


async def test_compressed_requests_and_answers() -> None:
    """Gzip both ways, as browsers ask for it."""
    async with running() as gateway:
        body = gzip.compress(b'{"gameId": "ok"}')
        answer = await gateway.send(f"{GAME}/GetGame", body, content_encoding="gzip", accept_encoding="gzip")
    assert json.loads(gzip.decompress(answer.body))["game"]["gameId"] == "ok"


async def test_grpc_web_answers_the_same() -> None:
    """A message frame, then the trailers as a frame."""
    async with running() as gateway:
        answer = await gateway.send(f"{GAME}/GetGame", frame(ASKED), "application/grpc-web+proto")
    (flags, message), _ = answer.frames()
    assert flags == 0
    assert game_pb2.GetGameResponse.FromString(message).game.version == BIG
    assert grpc_web_status(answer.frames()) == (0, "", "")


async def test_a_stream_as_json() -> None:
    """Each message in an envelope, an empty end after the last."""
    async with running() as gateway:
        answer = await gateway.send(
            f"{GAME}/WatchGame", frame(b'{"gameId": "ok"}'), "application/connect+json"
        )
    *messages, (last_flags, last) = answer.frames()
    assert [json.loads(message)["commit"]["version"] for _, message in messages] == ["1", "2"]
    assert (last_flags, json.loads(last)) == (2, {})


async def test_a_stream_over_grpc_web() -> None:
    """The same with protobuf frames and trailers."""
    async with running() as gateway:
        body = frame(game_pb2.WatchGameRequest(game_id="ok").SerializeToString())
        answer = await gateway.send(f"{GAME}/WatchGame", body, "application/grpc-web+proto")
    *messages, _ = answer.frames()
    assert [game_pb2.WatchGameResponse.FromString(one).commit.version for _, one in messages] == [1, 2]
    assert grpc_web_status(answer.frames())[0] == 0


async def test_a_stream_that_is_refused_half_way_says_why() -> None:
    """What came before stays; the end carries the service's own code, reason and metadata."""
    async with running() as gateway:
        answer = await gateway.send(
            f"{GAME}/WatchGame", frame(b'{"gameId": "refuse"}'), "application/connect+json"
        )
    *messages, (flags, last) = answer.frames()
    error = json.loads(last)["error"]
    assert len(messages) == 2
    assert flags == 2
    assert (error["code"], reason_of(error)) == ("failed_precondition", "NOT_YOUR_TURN")
    assert error["details"][0]["debug"]["metadata"] == {"seat": "1"}


async def test_the_token_is_passed_on() -> None:
    """The service sees who asks; a token that does not hold is refused by the service itself."""
    async with running() as gateway:
        token = mint_seat(KEYS, "ok", 3)
        known = await gateway.get_game("ok", authorization=f"Bearer {token}")
        nobody = await gateway.get_game("ok")
        forged = await gateway.get_game("ok", authorization=f"Bearer {token[:-4]}AAAA")
    assert known.json["game"]["title"].endswith("seat:ok:3")
    assert nobody.json["game"]["title"].endswith("anonymous")
    assert forged.refusal[:2] == (401, "unauthenticated")


async def test_the_client_s_deadline_is_kept() -> None:
    """The client gets its answer in time, and the service learns that nobody waits any more."""
    async with running() as gateway:
        answer = await gateway.get_game("slow", connect_timeout_ms="150")
        async with asyncio.timeout(10):
            await gateway.game.left.wait()
    assert answer.refusal == (504, "deadline_exceeded", "DEADLINE_EXCEEDED")


async def test_a_call_without_a_deadline_gets_ours() -> None:
    """No call of a browser hangs for ever."""
    async with running({"default_deadline_seconds": 0.15}) as gateway:
        answer = await gateway.get_game("slow")
    assert answer.refusal[:2] == (504, "deadline_exceeded")


async def test_who_closes_the_page_ends_its_stream() -> None:
    """The service is told at once that nobody watches."""
    async with running() as gateway:
        _, writer = await gateway.watch("slow")
        assert not gateway.game.left.is_set()
        writer.close()
        async with asyncio.timeout(10):
            await gateway.game.left.wait()


async def test_a_game_s_calls_go_to_its_process() -> None:
    """Of several processes the gateway asks the one that the services themselves prefer."""
    async with running(games=2) as gateway:
        answers = [await gateway.get_game(f"game-{number}") for number in range(12)]
        told = {
            answer.json["game"]["gameId"]: answer.json["game"]["title"].split(":")[0] for answer in answers
        }
    assert set(told.values()) == {"game 0", "game 1"}
    assert len({rendezvous(game_id, ("a", "b")) for game_id in told}) == 2


async def test_a_service_that_is_away() -> None:
    """UNAVAILABLE: the page may ask again."""
    async with running() as gateway:
        answer = await gateway.send("/magnate.timer.v1.TimerService/ListDeadlines", "{}")
    assert answer.refusal[:2] == (503, "unavailable")


async def test_draining_finishes_calls_and_ends_streams() -> None:
    """A stream is told to open another one; a call that runs is answered; nobody new is let in."""
    async with running() as gateway:
        reader, writer = await gateway.watch("slow")
        gateway.game.entered.clear()
        call = asyncio.create_task(gateway.get_game("slow"))
        async with asyncio.timeout(10):
            await gateway.game.entered.wait()
        draining = asyncio.create_task(gateway.drain())
        async with asyncio.timeout(10):
            rest = await reader.read()
        assert b"SERVER_DRAINING" in rest
        gateway.game.go_on.set()
        assert (await call).status == 200
        await draining
        with pytest.raises(ConnectionRefusedError):
            await gateway.get_game("ok")
        writer.close()


async def test_every_call_is_counted_and_has_one_line() -> None:
    """The metrics and the log line of gRPC, whatever the protocol and the outcome."""
    with structlog.testing.capture_logs() as lines:
        async with running() as gateway:
            await gateway.get_game("ok", authorization=f"Bearer {mint_seat(KEYS, 'ok', 3)}")
            await gateway.get_game("refuse")
            await gateway.send(f"{GAME}/GetGame", "{", "application/json")
            await gateway.send(f"{GAME}/Nothing", "{}")
            value = gateway.registry.get_sample_value
            labels = {"grpc_type": "unary", "grpc_service": GAME[1:], "grpc_method": "GetGame"}
            handled = {
                code: value("grpc_server_handled_total", {**labels, "grpc_code": code})
                for code in ("OK", "FailedPrecondition", "InvalidArgument")
            }
            assert handled == {"OK": 1, "FailedPrecondition": 1, "InvalidArgument": 1}
            assert value("grpc_server_started_total", labels) == 3
            assert value("grpc_server_in_progress", labels) == 0
    said = [
        (line["method"], line["code"], line["reason"], line["principal"])
        for line in lines
        if line["event"] == "request" and line["principal"] != "seat:ok:3" and "grpc" not in line["service"]
    ]
    assert ("GetGame", "OK", "", "bearer") in said
    assert ("GetGame", "INVALID_ARGUMENT", "MALFORMED_MESSAGE", "anonymous") in said
    assert ("unknown", "UNIMPLEMENTED", "UNKNOWN_METHOD", "anonymous") in said
