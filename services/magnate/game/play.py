"""The Play stream: many commands in flight, those of one game in turn, results as they are ready."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, TypeAlias

from magnate.game.acting import play_result
from magnate.game.v1 import game_pb2
from magnate.kit.rpc.lanes import Lanes

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from magnate.game.acting import Acting
    from magnate.kit.clock import Clock
    from magnate.kit.rpc.call import Principal

Received: TypeAlias = "tuple[game_pb2.ActRequest, int]"
"""A command and when it came."""


async def play(
    acting: Acting,
    caller: Principal,
    clock: Clock,
    messages: AsyncIterator[game_pb2.PlayRequest],
    named: Callable[[str], None] = lambda _name: None,
) -> AsyncGenerator[game_pb2.PlayResponse, None]:
    """Carry out the commands of a stream and yield what became of them; `named` learns who the client is."""

    def received(message: game_pb2.PlayRequest) -> list[Received]:
        if message.connection:
            named(message.connection)
        now_ms = clock.now_ms()
        return [(request, now_ms) for request in message.acts]

    async def carry_out(one: Received) -> game_pb2.PlayResult:
        return await play_result(acting, one[0], caller, one[1])

    lanes: Lanes[game_pb2.PlayRequest, Received, game_pb2.PlayResult]
    lanes = Lanes(received, lambda one: one[0].game_id, carry_out)
    async with aclosing(lanes.answers(messages)) as answers:
        async for results in answers:
            yield game_pb2.PlayResponse(results=results)
