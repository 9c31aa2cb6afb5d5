"""A Play stream: order within a game, results as they are ready, and no more read than is taken."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from magnate.game.play import play
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import encode_command
from magnate.kit.rpc.call import Principal
from magnate.kit.rpc.lanes import OPEN_MAX
from magnate.rules.vocabulary import OfferTrade, Terms, WithdrawOffer
from tests.support.tables import LocalTable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.rules.vocabulary import Command

pytestmark = pytest.mark.asyncio


def request(table: LocalTable, number: int, command: Command) -> game_pb2.ActRequest:
    """Return the request of a command that has seen everything."""
    made = game_pb2.ActRequest(game_id=table.game_id, command_id=f"c{number}", seen_version=4)
    encode_command(command, made.command)
    return made


def offers(table: LocalTable, count: int) -> list[game_pb2.ActRequest]:
    """Return offers, each withdrawn at once: only in this order is every one accepted."""
    found = []
    for number in range(1, count + 1):
        found.append(request(table, 2 * number, OfferTrade(1, Terms(1, [], [], 0, [], [], 0))))
        found.append(request(table, 2 * number + 1, WithdrawOffer(number)))
    return found


async def table_for_two() -> LocalTable:
    """Return a table at which a game has begun."""
    table = LocalTable()
    await table.begin(seats=2)
    return table


def stream_of(
    table: LocalTable, messages: AsyncIterator[game_pb2.PlayRequest]
) -> AsyncIterator[game_pb2.PlayResponse]:
    """Return the answers to a stream of seat 0."""
    seat = Principal("seat", game_id=table.game_id, seat=0)
    return play(table.game.acting, seat, table.clock, messages)


async def sent(*messages: game_pb2.PlayRequest) -> AsyncIterator[game_pb2.PlayRequest]:
    """Send messages and half-close."""
    for message in messages:
        yield message


async def test_commands_of_a_game_are_done_in_their_order() -> None:
    """Also when they come in one message, and when they come in many."""
    for size in (1, 9, 200):
        table = await table_for_two()
        acts = offers(table, 40)
        messages = [game_pb2.PlayRequest(acts=acts[at : at + size]) for at in range(0, len(acts), size)]
        results = [result async for answer in stream_of(table, sent(*messages)) for result in answer.results]
        assert [result.command_id for result in results] == [act.command_id for act in acts]
        assert [result.accepted.version for result in results] == list(range(5, 85))
        await table.close()


async def test_a_stream_without_commands_ends() -> None:
    """Nothing sent, nothing answered."""
    table = await table_for_two()
    assert [answer async for answer in stream_of(table, sent())] == []
    assert [answer async for answer in stream_of(table, sent(game_pb2.PlayRequest()))] == []
    await table.close()


async def test_who_takes_no_results_is_not_read_from() -> None:
    """A client that only writes is stopped at the bound, and goes on when it reads again."""
    table = await table_for_two()
    acts = offers(table, OPEN_MAX)
    read = 0

    async def writing() -> AsyncIterator[game_pb2.PlayRequest]:
        nonlocal read
        for act in acts:
            yield game_pb2.PlayRequest(acts=[act])
            read += 1

    results = stream_of(table, writing())
    first = await anext(results)
    for _ in range(2000):
        await asyncio.sleep(0)
    assert read <= OPEN_MAX + len(first.results)
    taken = len(first.results)
    async for answer in results:
        taken += len(answer.results)
    assert taken == read == len(acts)
    await table.close()


async def test_a_stream_that_breaks_answers_what_came_before() -> None:
    """What was read is carried out and answered; then the error of the transport comes through."""
    table = await table_for_two()

    async def breaking() -> AsyncIterator[game_pb2.PlayRequest]:
        yield game_pb2.PlayRequest(acts=offers(table, 1))
        raise ConnectionResetError

    found: list[game_pb2.PlayResult] = []

    async def take() -> None:
        async for answer in stream_of(table, breaking()):
            found.extend(answer.results)

    with pytest.raises(ConnectionResetError):
        await take()
    assert [result.accepted.version for result in found] == [5, 6]
    await table.close()


async def test_a_client_that_leaves_loses_nothing_it_sent() -> None:
    """Commands under way finish; the same ids, sent on another stream, are replayed."""
    table = await table_for_two()
    acts = offers(table, 3)
    results = stream_of(table, sent(game_pb2.PlayRequest(acts=acts)))
    await anext(results)
    await results.aclose()  # type: ignore[attr-defined]  # it is a generator
    again = [
        result
        async for answer in stream_of(table, sent(game_pb2.PlayRequest(acts=acts)))
        for result in answer.results
    ]
    assert [result.accepted.version for result in again] == list(range(5, 11))
    assert again[0].accepted.replayed
    await table.close()
