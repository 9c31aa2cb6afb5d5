"""The open stream between services, over real gRPC: batching, failures, reconnects, drain."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from typing import Any

import grpc
import pytest

from magnate.kit.rpc.channels import connect
from magnate.kit.rpc.exchange import PeerUnavailableError
from magnate.kit.rpc.status import RemoteError
from tests.integration.kit.doubler import Doubler, SumClientCodec, exchange_on, pair, start
from tests.support.logged import logged
from tests.support.waiting import until


@pytest.mark.asyncio
async def test_each_call_gets_its_own_answer() -> None:
    """A thousand calls at once, finishing in a scattered order, are answered each with its own double."""
    doubler = Doubler()
    async with pair(doubler) as (exchange, _):
        asks = [1000 + (n * 7919) % 5000 for n in range(1000)]
        answers = await asyncio.gather(*(exchange.call(ask, 10) for ask in asks))
        assert answers == [2 * ask for ask in asks]
        assert not exchange._waiting


@pytest.mark.asyncio
async def test_calls_that_wait_at_the_same_moment_share_a_message() -> None:
    """Two hundred calls made in one turn of the loop travel in one message, and their replies in few."""
    codec, doubler = SumClientCodec(), Doubler()
    async with pair(doubler, codec) as (exchange, _):
        await exchange.call(1, 5)
        codec.sizes.clear()
        doubler.codec.sizes.clear()
        await asyncio.gather(*(exchange.call(n, 5) for n in range(100, 300)))
        assert codec.sizes == [200]
        assert len(doubler.codec.sizes) <= 4


@pytest.mark.asyncio
async def test_a_quick_reply_does_not_wait_for_a_slow_one() -> None:
    """Replies come as they are ready, though their calls came in one message."""
    async with pair(Doubler()) as (exchange, _):
        slow = asyncio.create_task(exchange.call(100_000, 10))
        assert await exchange.call(2, 5) == 4
        assert not slow.done()
        slow.cancel()


@pytest.mark.asyncio
async def test_a_failure_fails_its_own_call_alone() -> None:
    """A refusal and a bug come back typed, with their reason; the others are answered."""
    async with pair(Doubler()) as (exchange, _):
        good, refused, bug = await asyncio.gather(
            exchange.call(2, 5), exchange.call(13, 5), exchange.call(99, 5), return_exceptions=True
        )
        assert good == 4
        assert isinstance(refused, RemoteError)
        assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")
        assert isinstance(bug, RemoteError)
        assert bug.code is grpc.StatusCode.INTERNAL
        assert "inside" not in str(bug)


@pytest.mark.asyncio
async def test_calls_on_one_stream_do_not_mix_up_their_log_fields() -> None:
    """The line of a call that failed names that call, though others have bound their fields meanwhile."""
    async with pair(Doubler()) as (exchange, _):
        with logged() as out:
            await asyncio.gather(*(exchange.call(n, 5) for n in (98, 99, 100)), return_exceptions=True)
    (line,) = (json.loads(one) for one in out.getvalue().splitlines() if "call failed" in one)
    assert line["number"] == 99
    assert "KeyError" in line["exception"]


@pytest.mark.asyncio
async def test_a_call_that_cannot_be_packed_fails_and_the_stream_lives() -> None:
    """What the codec refuses is its caller's fault alone."""
    async with pair(Doubler()) as (exchange, _):
        wrong: Any = "not a number"
        with pytest.raises(TypeError):
            await exchange.call(wrong, 5)
        assert await exchange.call(3, 5) == 6


@pytest.mark.asyncio
async def test_no_more_calls_run_at_once_than_the_bound() -> None:
    """The answering side stops reading instead of drowning."""
    doubler = Doubler(running_max=8)
    async with pair(doubler) as (exchange, _):
        await asyncio.gather(*(exchange.call(2000 + n, 10) for n in range(200)))
        assert doubler.running_most == 8


@pytest.mark.asyncio
async def test_too_many_waiting_calls_are_refused_at_once() -> None:
    """The queue of the asking side is bounded, and the refusal says that nothing was sent."""
    async with pair(Doubler(), calls_waiting_max=2) as (exchange, _):
        slow = [asyncio.create_task(exchange.call(100_000, 10)) for _ in range(2)]
        await asyncio.sleep(0.01)
        with pytest.raises(PeerUnavailableError, match="2 calls wait already") as caught:
            await exchange.call(1, 5)
        assert not caught.value.outcome_unknown
        for task in slow:
            task.cancel()


@pytest.mark.asyncio
async def test_a_call_without_an_answer_times_out_with_unknown_outcome() -> None:
    """It was sent, so the peer may have acted; a late reply bothers nobody."""
    async with pair(Doubler()) as (exchange, _):
        assert await exchange.call(1, 5) == 2
        with pytest.raises(PeerUnavailableError, match=r"no answer within 0\.05 s") as caught:
            await exchange.call(90_000, 0.05)
        assert caught.value.outcome_unknown
        await asyncio.sleep(0.1)
        assert await exchange.call(5, 5) == 10


@pytest.mark.asyncio
async def test_a_peer_that_is_not_there_leaves_the_outcome_known() -> None:
    """Nothing is sent before the peer has shown itself, so a time-out then means that nothing happened."""
    channel = connect("127.0.0.1:1", retries=False)
    exchange = exchange_on(channel)
    with pytest.raises(PeerUnavailableError, match="UNAVAILABLE") as caught:
        await exchange.call(1, 0.3)
    assert not caught.value.outcome_unknown
    assert caught.value.metadata == {"outcome": "not_sent"}
    await exchange.close()
    await channel.close()


@pytest.mark.asyncio
async def test_a_broken_stream_fails_sent_calls_at_once_and_is_opened_again() -> None:
    """After the peer is back on the same port calls are answered, without a new exchange."""
    doubler = Doubler()
    first = await start(doubler)
    port = first.port
    channel = connect(first.address, retries=False)
    exchange = exchange_on(channel)
    assert await exchange.call(1, 5) == 2
    lost = asyncio.create_task(exchange.call(900_000, 60))
    await until(lambda: doubler.running == 1)
    begin = time.perf_counter()
    await first.kill()
    with pytest.raises(PeerUnavailableError) as caught:
        await lost
    assert caught.value.outcome_unknown
    assert time.perf_counter() - begin < 5, "the call waited for its time-out"
    waits_for_peer = asyncio.create_task(exchange.call(21, 15))
    await asyncio.sleep(0.2)
    second = await start(Doubler(), port)
    assert await waits_for_peer == 42, "a call made while the peer was away is sent when it is back"
    assert await exchange.call(2, 15) == 4
    await exchange.close()
    await channel.close()
    await second.kill()


@pytest.mark.asyncio
async def test_drain_answers_what_was_read_and_ends_the_stream_in_order() -> None:
    """A peer that stops finishes the calls it has begun: nobody is left with an unknown outcome."""
    doubler = Doubler()
    async with pair(doubler) as (exchange, server):
        await exchange.call(1, 5)
        running = [asyncio.create_task(exchange.call(300_00 + n, 10)) for n in range(20)]
        await until(lambda: doubler.running == 20)
        await server.drain()
        assert await asyncio.gather(*running) == [2 * (300_00 + n) for n in range(20)]


@pytest.mark.asyncio
async def test_a_peer_that_vanishes_does_not_cut_a_call_short() -> None:
    """A commit under way is finished even if the one who asked for it has died."""
    doubler = Doubler()
    async with pair(doubler) as (exchange, _):
        asyncio.get_running_loop()
        task = asyncio.create_task(exchange.call(99_000, 10))
        await until(lambda: doubler.running == 1)
        await exchange.close()
        await asyncio.gather(task, return_exceptions=True)
        await until(lambda: doubler.finished == 1)


@pytest.mark.asyncio
async def test_close_fails_what_waits() -> None:
    """Nobody waits for ever on an exchange that is closed."""
    doubler = Doubler()
    async with pair(doubler) as (exchange, _):
        task = asyncio.create_task(exchange.call(900_000, 60))
        await until(lambda: doubler.running == 1)
        await exchange.close()
        with pytest.raises(PeerUnavailableError):
            await task
        with pytest.raises(PeerUnavailableError, match="closed"):
            await exchange.call(1, 5)


@pytest.mark.asyncio
async def test_killed_peer_process_is_noticed_and_its_successor_used() -> None:
    """`kill -9` of the peer's process: sent calls fail with unknown outcome, then its successor answers."""
    port, child = await _spawn(0)
    channel = connect(f"127.0.0.1:{port}", retries=False)
    exchange = exchange_on(channel)
    try:
        assert await exchange.call(4, 15) == 8
        lost = asyncio.create_task(exchange.call(900_000, 60))
        assert await exchange.call(4, 15) == 8  # so what was asked before has been sent
        os.kill(child.pid, signal.SIGKILL)
        await child.wait()
        with pytest.raises(PeerUnavailableError) as caught:
            await lost
        assert caught.value.outcome_unknown
        _, child = await _spawn(port)
        assert await exchange.call(5, 15) == 10
    finally:
        await exchange.close()
        await channel.close()
        child.kill()
        await child.wait()


async def _spawn(port: int) -> tuple[int, asyncio.subprocess.Process]:
    """Start a process that serves doubles; return its port and itself."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.kit.doubler",
        str(port),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": "services:."},
    )
    assert child.stdout is not None
    line = await asyncio.wait_for(child.stdout.readline(), 20)
    return int(line), child
