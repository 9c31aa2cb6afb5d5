"""Who may call what: every method of the game service against every kind of caller."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.protobuf import descriptor_pool

from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.keys import KeyRing
from magnate.kit.rpc.status import code_of_number, remote_error
from magnate.kit.tokens import mint_peer, mint_seat
from tests.support.game_api import CALL_SECONDS, SERVICE, Table, act_request, bearer, new_id, refused

if TYPE_CHECKING:
    from tests.support.game_api import Running

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
    pytest.mark.asyncio(loop_scope="session"),
]

ROLES = ("nobody", "seat", "foreign seat", "peer", "forged", "broken")
OPEN = (
    "CreateGame", "JoinGame", "ListGames", "GetGame", "WatchGame", "ExportGame", "ListRuleSets", "ListBoards",
)  # fmt: skip
OWN = ("GetLegalActions",)
"""For a seat to ask about itself, where balances are private as by the classic rules."""
SEATED = ("StartGame", "PauseGame", "ResumeGame", "GrantTime", "Act", "Play")
REFUSALS = {
    "nobody": ("UNAUTHENTICATED", "TOKEN_MISSING"),
    "foreign seat": ("PERMISSION_DENIED", "TOKEN_FOR_OTHER_GAME"),
    "peer": ("UNAUTHENTICATED", "TOKEN_MISSING"),
    "forged": ("UNAUTHENTICATED", "TOKEN_INVALID"),
    "broken": ("UNAUTHENTICATED", "TOKEN_MALFORMED"),
}


@dataclass
class Scene:
    """A table in the state that a method needs, and what each role shows."""

    table: Table
    tokens: dict[str, str]
    turn: int = 0


async def scene(server: Running, method: str) -> Scene:
    """Prepare a table so that its own seat's call would be accepted."""
    api = server.api
    table = await (api.full_table(3) if method in {"JoinGame", "StartGame"} else api.begun(2))
    if method == "JoinGame":
        table = Table((await api.create()).game_id, table.tokens)
    if method == "ResumeGame":
        request = game_pb2.PauseGameRequest(command_id=new_id(), game_id=table.game_id)
        await api.call("PauseGame", request, table.tokens[0])
    turn = 0
    if method == "GrantTime":  # by whoever is not on turn
        table = await api.begun(2, {"timers.roll_seconds": "90", "timers.extra_seconds_max": "60"})
        turn = (await api.view(table)).situation.turn_seat
        table.tokens[0] = table.tokens[1 - turn]
    other = await api.full_table(2)
    stranger = KeyRing("k1", {"k1": b"s" * 32})
    tokens = {
        "nobody": "",
        "seat": table.tokens[0],
        "foreign seat": other.tokens[0],
        "peer": mint_peer(server.keys, "auction"),
        "forged": mint_seat(stranger, table.game_id, 0),
        "broken": "v1.not-a-token",
    }
    return Scene(table, tokens, turn)


def request_of(method: str, table: Table, turn: int) -> Any:
    """Return a request that is right in itself."""
    game_id, command_id = table.game_id, new_id()
    requests: dict[str, Any] = {
        "CreateGame": game_pb2.CreateGameRequest(command_id=command_id),
        "JoinGame": game_pb2.JoinGameRequest(command_id=command_id, game_id=game_id, name="new"),
        "StartGame": game_pb2.StartGameRequest(command_id=command_id, game_id=game_id),
        "PauseGame": game_pb2.PauseGameRequest(command_id=command_id, game_id=game_id),
        "ResumeGame": game_pb2.ResumeGameRequest(command_id=command_id, game_id=game_id),
        "GrantTime": game_pb2.GrantTimeRequest(command_id=command_id, game_id=game_id, seat=turn, seconds=30),
        "ListGames": game_pb2.ListGamesRequest(),
        "GetGame": game_pb2.GetGameRequest(game_id=game_id),
        "GetLegalActions": game_pb2.GetLegalActionsRequest(game_id=game_id),
        "Act": act_request(table, resign={}),
        "Play": game_pb2.PlayRequest(acts=[act_request(table, resign={})]),
        "WatchGame": game_pb2.WatchGameRequest(game_id=game_id),
        "ExportGame": game_pb2.ExportGameRequest(game_id=game_id),
        "ListRuleSets": game_pb2.ListRuleSetsRequest(),
        "ListBoards": game_pb2.ListBoardsRequest(),
    }
    return requests[method]


async def call(server: Running, method: str, request: Any, token: str) -> Any:
    """Make a call of any kind and return its first answer."""
    if method == "Play":
        [result] = await server.api.play(request, token=token)
        return result
    if method in {"WatchGame", "ExportGame"}:
        stream = getattr(server.api.stub, method)(request, metadata=bearer(token), timeout=CALL_SECONDS)
        try:
            return await anext(aiter(stream))
        finally:
            stream.cancel()
    return await server.api.call(method, request, token)


async def outcome(server: Running, method: str, role: str) -> tuple[str, str]:
    """Return the code and the reason with which a role's call ends."""
    prepared = await scene(server, method)
    try:
        request = request_of(method, prepared.table, prepared.turn)
        answer = await call(server, method, request, prepared.tokens[role])
    except grpc.aio.AioRpcError as error:
        failed = remote_error(error)
        return failed.code.name, failed.reason
    if isinstance(answer, game_pb2.PlayResult) and answer.HasField("refused"):
        return code_of_number(answer.refused.code).name, answer.refused.reason
    return "OK", ""


async def test_every_method_is_in_the_table_below() -> None:
    """A new method has to say who may call it."""
    service = descriptor_pool.Default().FindServiceByName(SERVICE)
    assert {method.name for method in service.methods} == {*OPEN, *OWN, *SEATED}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("method", OPEN)
async def test_what_is_open_is_open_to_all_but_bad_tokens(plain: Running, method: str, role: str) -> None:
    """Reading, opening and joining need no token; one that does not hold is refused even there."""
    expected = REFUSALS[role] if role in {"forged", "broken"} else ("OK", "")
    assert await outcome(plain, method, role) == expected


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("method", OWN)
async def test_what_tells_of_money_is_for_its_own_seat(plain: Running, method: str, role: str) -> None:
    """Whoever holds another seat's token, or a service's, sees as little as somebody with none."""
    hidden = ("PERMISSION_DENIED", "BALANCE_HIDDEN")
    expected = {"seat": ("OK", ""), "forged": REFUSALS["forged"], "broken": REFUSALS["broken"]}
    assert await outcome(plain, method, role) == expected.get(role, hidden)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("method", SEATED)
async def test_what_changes_a_game_is_for_its_seats_alone(plain: Running, method: str, role: str) -> None:
    """No token, another game's, another service's, a forged or a broken one: refused, each by name."""
    assert await outcome(plain, method, role) == REFUSALS.get(role, ("OK", ""))


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("nobody", ("UNAUTHENTICATED", "TOKEN_MISSING")),
        ("seat", ("PERMISSION_DENIED", "PEERS_ONLY")),
        ("forged", ("UNAUTHENTICATED", "TOKEN_INVALID")),
        ("broken", ("UNAUTHENTICATED", "TOKEN_MALFORMED")),
    ],
)
async def test_no_player_speaks_for_a_service(plain: Running, role: str, expected: tuple[str, str]) -> None:
    """The stream between services is closed to everybody else: there a command names its seat itself."""
    prepared = await scene(plain, "Act")
    peer = game_pb2_grpc.GamePeerServiceStub(plain.api.channel)
    stream = peer.Exchange(metadata=bearer(prepared.tokens[role]), timeout=CALL_SECONDS)
    error = await refused(stream.read())
    assert (error.code.name, error.reason) == expected


async def test_a_seat_cannot_act_for_another(plain: Running) -> None:
    """The token says which seat acts, whatever the request says; the other seat's turn is not its own."""
    table = await plain.api.begun(2)
    turn = (await plain.api.view(table)).situation.turn_seat
    error = await refused(plain.api.act(table, 1 - turn, roll={}))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")
    assert error.metadata["game_id"] == table.game_id


@pytest.mark.parametrize("token", ["x" * 600, "Ж", "v1..", "v1.AAAA.AAAA", "p1.AAAA.AAAA"])
async def test_tokens_that_can_be_none_are_refused(plain: Running, token: str) -> None:
    """Too long, not ASCII, empty parts: refused as malformed, never as a fault of the server."""
    table = await plain.api.begun(2)
    results = await plain.api.play(game_pb2.PlayRequest(acts=[act_request(table, token=token, roll={})]))
    assert results[0].refused.reason in {"TOKEN_MALFORMED", "TOKEN_INVALID"}
    assert results[0].refused.code == grpc.StatusCode.UNAUTHENTICATED.value[0]
