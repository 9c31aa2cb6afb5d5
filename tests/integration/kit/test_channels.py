"""Channels: what is sent again, what is not, and who is asked first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from prometheus_client import CollectorRegistry

from magnate.kit.errors import KitError, UnavailableError
from magnate.kit.ids import rendezvous
from magnate.kit.rpc.channels import Peers, connect
from magnate.kit.rpc.server import RpcServer
from magnate.kit.settings import Settings
from tests.integration.kit.echo import KEYS, Client, Echo, register

if TYPE_CHECKING:
    from collections.abc import Callable


class Flaky(Echo):
    """Fails a few times before it answers."""

    def __init__(self, failures: int, error: Callable[[], Exception]) -> None:
        self.failures = failures
        self.error = error
        self.calls = 0

    async def Unary(self, request: StringValue, _context: Any) -> StringValue:  # noqa: N802
        """Fail, or answer."""
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error()
        return request


async def attempts(flaky: Flaky) -> tuple[int, grpc.StatusCode]:
    """Make one call over a channel that retries; return how often it was served and what came of it."""
    server = RpcServer([lambda server: register(flaky, server)], Settings(keys=KEYS), CollectorRegistry())
    await server.start()
    code = grpc.StatusCode.OK
    async with connect(server.address, own_connection=True) as channel:
        try:
            await Client(channel).unary(StringValue(value="x"), timeout=10)
        except grpc.aio.AioRpcError as error:
            code = error.code()
    await server.kill()
    return flaky.calls, code


@pytest.mark.asyncio
async def test_unavailable_is_sent_again_a_bounded_number_of_times() -> None:
    """Four attempts; a peer that is back by then answers."""
    assert await attempts(Flaky(3, UnavailableError)) == (4, grpc.StatusCode.OK)
    assert await attempts(Flaky(100, UnavailableError)) == (4, grpc.StatusCode.UNAVAILABLE)


@pytest.mark.asyncio
@pytest.mark.parametrize("category", ["exhausted", "conflict", "data_loss", "timeout", "internal"])
async def test_nothing_else_is_sent_again(category: str) -> None:
    """A refusal is an answer, and load is not cured by more of it."""

    def error() -> Exception:
        failure = KitError("no")
        failure.category = category
        return failure

    calls, code = await attempts(Flaky(100, error))
    assert calls == 1
    assert code is not grpc.StatusCode.OK


@pytest.mark.asyncio
async def test_peers_agree_on_the_preferred_process_and_only_its_games_move() -> None:
    """Without one of three processes two thirds of the games stay where they are."""
    three = Peers(["h:1", "h:2", "h:3"], rendezvous)
    two = Peers(["h:3", "h:1"], rendezvous)
    keys = [f"1-0-{n:024x}" for n in range(300)]
    assert {three.preferred(key) for key in keys} == {"h:1", "h:2", "h:3"}
    for key in keys:
        order = three.order(key)
        assert order[0] == three.preferred(key)
        assert sorted(order) == ["h:1", "h:2", "h:3"]
        order.remove("h:2")
        assert two.preferred(key) == order[0]
    assert three.channel("h:1") is three.channel("h:1")
    await three.close()
    with pytest.raises(ValueError, match="at least one address"):
        Peers([], rendezvous)
