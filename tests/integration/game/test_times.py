"""Clocks and breaks over gRPC: what watchers see of them, who may stop them, double clicks, wrong clocks."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import grpc
import pytest

from magnate.cli.records import read_records
from magnate.client.seen import ServerClock
from magnate.client.session import Session
from magnate.game.v1 import game_pb2
from magnate.kit.operators import mint_operator
from tests.support.game_api import CALL_SECONDS, OPERATOR, act_request, fill, new_id, refused

if TYPE_CHECKING:
    from tests.support.game_api import Api, Running, Table

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
    pytest.mark.asyncio(loop_scope="session"),
]

TIMED = {"timers.roll_seconds": "90", "timers.extra_seconds_max": "60", "timers.reserve_seconds": "30"}
BEGINS = [6, 5, 1, 2]
"""Seat 0 throws higher and is on turn."""


def sandbox(*dice: int) -> game_pb2.Sandbox:
    """Return a sandbox whose clocks run."""
    return game_pb2.Sandbox(dice=[*BEGINS, *dice, *([1, 2] * 10)], clocks=True)


async def first_of(api: Api, table: Table, after_version: int = 0) -> game_pb2.WatchGameResponse:
    """Return the first message of a watch."""
    request = game_pb2.WatchGameRequest(game_id=table.game_id, after_version=after_version)
    stream = api.stub.WatchGame(request, timeout=CALL_SECONDS)
    try:
        return await anext(aiter(stream))
    finally:
        stream.cancel()


async def pause(api: Api, table: Table, token: str, command_id: str = "") -> game_pb2.PauseGameResponse:
    """Pause, or propose it."""
    request = game_pb2.PauseGameRequest(command_id=command_id or new_id(), game_id=table.game_id)
    answer = await api.call("PauseGame", request, token)
    assert isinstance(answer, game_pb2.PauseGameResponse)
    return answer


async def resume(api: Api, table: Table, token: str) -> game_pb2.ResumeGameResponse:
    """Go on, or propose it."""
    request = game_pb2.ResumeGameRequest(command_id=new_id(), game_id=table.game_id)
    answer = await api.call("ResumeGame", request, token)
    assert isinstance(answer, game_pb2.ResumeGameResponse)
    return answer


async def grant(api: Api, table: Table, by_seat: int, seat: int, seconds: int) -> game_pb2.GrantTimeResponse:
    """Grant time."""
    request = game_pb2.GrantTimeRequest(
        command_id=new_id(), game_id=table.game_id, seat=seat, seconds=seconds
    )
    answer = await api.call("GrantTime", request, table.tokens[by_seat])
    assert isinstance(answer, game_pb2.GrantTimeResponse)
    return answer


async def test_a_watch_begins_with_every_clock_and_who_is_there(pair: Running) -> None:
    """From whichever version it asks for; afterwards each commit that changes a clock says all of them."""
    table = await pair.api.begun(2, TIMED, sandbox=sandbox())
    for after_version in (0, 2, 4):
        now = await first_of(pair.workers[1], table, after_version)
        assert (now.now.version, now.now.status) == (4, game_pb2.GAME_STATUS_RUNNING)
        assert list(now.now.situation.waiting_seats) == [0]
        [clock] = now.standing.clocks
        assert (clock.kind, clock.seat, clock.stands) == ("roll", 0, False)
        told_ms = now.standing.server_time.ToMilliseconds()
        assert clock.due_time.ToMilliseconds() - told_ms == clock.remaining_ms
        assert 100_000 < clock.remaining_ms <= 120_000
        assert clock.remaining_ms - clock.budget_ms == 30_000
        assert [seat.reserve_ms for seat in now.standing.seats] == [30_000, 30_000]
        assert {seat.presence for seat in now.standing.seats} == {game_pb2.PRESENCE_UNKNOWN}
    request = game_pb2.WatchGameRequest(game_id=table.game_id, after_version=2)
    updates = aiter(pair.api.stub.WatchGame(request, timeout=CALL_SECONDS))
    assert [(await anext(updates)).WhichOneof("update") for _ in range(3)] == ["now", "commit", "commit"]
    await pair.api.act(table, 0, roll={})
    moved = await anext(updates)
    assert moved.commit.version == 5
    [clock] = moved.standing.clocks
    assert (clock.seat, clock.deadline_id) == (0, "roll-0-5")
    await pause(pair.workers[1], table, table.tokens[1])
    stopped = await anext(updates)
    assert stopped.standing.clocks[0].stands
    assert not stopped.standing.clocks[0].HasField("due_time")


async def test_an_auction_is_in_the_first_message_with_what_is_left(pair: Running) -> None:
    """Its deadline is one of the clocks, and nobody's own."""
    table = await pair.api.at_auction({"auction.close_seconds": "30"})
    now = await first_of(pair.workers[1], table)
    close_ms = now.now.situation.auction.close_time.ToMilliseconds()
    clocks = [clock for clock in now.standing.clocks if clock.due_time.ToMilliseconds() == close_ms]
    assert [(clock.seat, clock.auction) for clock in clocks] == [(-1, 1)]
    assert 20_000 < clocks[0].remaining_ms <= 30_000
    view = await pair.api.view(table)
    assert [clock.deadline_id for clock in view.clocks if clock.seat == -1] == [clocks[0].deadline_id]


async def test_a_client_whose_clock_is_wrong_shows_what_is_left(
    pair: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case C056: two minutes ahead, a day behind; what it shows comes from the server's words alone."""
    table = await pair.api.begun(2, {"timers.roll_seconds": "30"}, sandbox=sandbox())
    real = time.time
    for ahead in (120.0, -86_400.0):
        now = await first_of(pair.api, table)
        with monkeypatch.context() as patched:
            patched.setattr(time, "time", lambda ahead=ahead: real() + ahead)
            patched.setattr(time, "time_ns", lambda ahead=ahead: int((real() + ahead) * 1e9))
            clock = ServerClock()
            clock.heard(now.standing.server_time)
            shown_ms = clock.left_ms(now.standing.clocks[0].due_time)
        assert abs(shown_ms - now.standing.clocks[0].remaining_ms) < 100
        assert 15_000 < shown_ms <= 30_000
    view = await pair.api.call("GetGame", game_pb2.GetGameRequest(game_id=table.game_id))
    [shown] = view.game.clocks
    assert shown.due_time.ToMilliseconds() - view.server_time.ToMilliseconds() == shown.remaining_ms


@pytest.mark.parametrize("doubles", [False, True])
async def test_a_double_click_acts_once(pair: Running, doubles: bool) -> None:
    """Case C051: the same id is answered from the log; another is refused by the rules, or as stale."""
    throw = (2, 2, 1, 3) if doubles else (1, 3)  # to the tax square: nothing to decide
    table = await pair.api.begun(2, sandbox=sandbox(*throw))
    clicks = [pair.workers[at % 2].act(table, 0, command_id="click", roll={}) for at in range(2)]
    answers = await asyncio.gather(*clicks)
    assert [answer.version for answer in answers] == [5, 5]
    assert sorted(answer.replayed for answer in answers) == [False, True]
    assert len([event for event in answers[0].events if event.HasField("dice_thrown")]) == 1
    other = act_request(table, roll={})
    other.expected_version = 4  # where the button was
    for worker in pair.workers:
        error = await refused(worker.call("Act", other, table.tokens[0]))
        assert error.reason == ("STALE_VERSION" if doubles else "WRONG_PHASE")
        assert error.code is (grpc.StatusCode.ABORTED if doubles else grpc.StatusCode.FAILED_PRECONDITION)
    assert (await pair.api.view(table)).version == 5
    if doubles:
        other.expected_version = 5
        answer = await pair.api.call("Act", other, table.tokens[0])
        assert (answer.version, answer.replayed) == (6, False)
        again = await pair.workers[1].call("Act", other, table.tokens[0])
        assert (again.version, again.replayed) == (6, True)


async def test_a_bid_may_be_for_one_version_too(pair: Running) -> None:
    """Also over a stream, and at either worker: the auction service looks at it as well."""
    table = await pair.api.at_auction()
    version = (await pair.api.view(table)).version
    for worker in pair.workers:
        bid = act_request(table, token=table.tokens[1])
        fill(bid.command, "place_bid", {"lot": 6, "amount": 50})
        bid.expected_version = version - 1
        [result] = await worker.play(game_pb2.PlayRequest(acts=[bid]))
        assert result.refused.reason == "STALE_VERSION"
        bid.expected_version = version + 1
        assert (await refused(worker.call("Act", bid, ""))).reason == "STALE_VERSION"
    bid.expected_version = version
    answer = await pair.api.call("Act", bid, "")
    assert answer.version == version + 1


async def test_all_have_to_agree_to_a_break(pair: Running) -> None:
    """A proposal is answered with who is missing, watchers see it, and the last one's call pauses."""
    one, other = pair.workers
    table = await one.begun(3, {"table.pause": "agreement"})
    proposed = await pause(one, table, table.tokens[0], "p")
    assert (proposed.done, list(proposed.missing_seats)) == (False, [1, 2])
    assert list((await first_of(other, table)).standing.agreed_seats) == [0]
    again = await pause(other, table, table.tokens[0], "p")
    assert again.version == proposed.version
    request = game_pb2.PauseGameRequest(command_id=new_id(), game_id=table.game_id)
    assert (await refused(other.call("PauseGame", request, table.tokens[0]))).reason == "ALREADY_AGREED"
    assert list((await pause(other, table, table.tokens[2])).missing_seats) == [1]
    assert (await pause(one, table, table.tokens[1])).done
    assert (await other.view(table)).status == game_pb2.GAME_STATUS_PAUSED
    assert list((await resume(other, table, table.tokens[1])).missing_seats) == [0, 2]
    await resume(one, table, table.tokens[0])
    assert (await resume(other, table, table.tokens[2])).done
    assert (await one.view(table)).status == game_pb2.GAME_STATUS_RUNNING


async def test_an_operator_pauses_any_game_and_does_nothing_else(pair: Running) -> None:
    """The log says who; nobody has to agree; other tokens and other calls are refused."""
    one, other = pair.workers
    table = await one.begun(2, {"table.pause": "agreement"})
    assert (await pause(one, table, OPERATOR)).done
    assert (await refused(pause(other, table, OPERATOR))).reason == "GAME_PAUSED"
    assert (await resume(other, table, OPERATOR)).done
    commits = read_records(table.game_id, await one.export(table))
    assert [commit.actor for commit in commits[4:]] == ["operator:anna", "operator:anna"]
    stranger, _ = mint_operator("anna")
    for token, reason in ((stranger, "TOKEN_INVALID"), ("o1.anna", "TOKEN_MALFORMED")):
        error = await refused(pause(one, table, token))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason)
    for method, request in (
        ("Act", act_request(table, resign={})),
        ("GrantTime", game_pb2.GrantTimeRequest(command_id=new_id(), game_id=table.game_id, seconds=1)),
        ("StartGame", game_pb2.StartGameRequest(command_id=new_id(), game_id=table.game_id)),
    ):
        assert (await refused(one.call(method, request, OPERATOR))).reason == "TOKEN_MISSING"
    nowhere = game_pb2.PauseGameRequest(command_id=new_id(), game_id="1-0-" + "f" * 24)
    assert (await refused(one.call("PauseGame", nowhere, OPERATOR))).reason == "UNKNOWN_GAME"
    assert len(await one.export(table)) == 6


async def test_others_grant_time(pair: Running) -> None:
    """The answer and every watcher see the longer clock; what cannot be granted is refused by name."""
    one, other = pair.workers
    table = await one.begun(2, TIMED, sandbox=sandbox())
    granted = await grant(other, table, 1, 0, 30)
    assert (granted.clock.seat, granted.clock.extra_ms) == (0, 30_000)
    async with Session(other.address) as session:
        granted = await session.grant_time(table.game_id, table.tokens[1], 0, 15)
    assert (granted.clock.seat, granted.clock.extra_ms) == (0, 45_000)
    assert 150_000 < granted.clock.remaining_ms <= 165_000
    [clock] = (await first_of(one, table)).standing.clocks
    assert (clock.due_time, clock.extra_ms) == (granted.clock.due_time, 45_000)
    for by_seat, seat, seconds, code, reason in (
        (0, 0, 10, "INVALID_ARGUMENT", "OWN_CLOCK"),
        (1, 0, 0, "INVALID_ARGUMENT", "INVALID_AMOUNT"),
        (1, 0, -5, "INVALID_ARGUMENT", "INVALID_AMOUNT"),
        (1, 0, 16, "FAILED_PRECONDITION", "EXTRA_TIME_LIMIT_REACHED"),
        (1, 0, 2**31 - 1, "FAILED_PRECONDITION", "EXTRA_TIME_LIMIT_REACHED"),
        (1, 7, 10, "NOT_FOUND", "UNKNOWN_SEAT"),
        (0, 1, 10, "FAILED_PRECONDITION", "NO_CLOCK_RUNNING"),
    ):
        error = await refused(grant(one, table, by_seat, seat, seconds))
        assert (error.code.name, error.reason) == (code, reason)
    assert (await one.view(table)).version == granted.version
    strict = await one.begun(2, {"timers.roll_seconds": "90"}, sandbox=sandbox())
    assert (await refused(grant(one, strict, 1, 0, 10))).reason == "EXTRA_TIME_NOT_ALLOWED"
