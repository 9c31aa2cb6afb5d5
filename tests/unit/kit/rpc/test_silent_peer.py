"""A peer that accepts the connection and then says nothing: trouble of every day, no fault of ours."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from magnate.kit.rpc import exchange as module
from magnate.kit.rpc.exchange import Exchange, PeerUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class NoCodec:
    """Nothing is ever sent."""

    def request(self, calls: Sequence[tuple[int, str]]) -> bytes:
        """Never asked."""
        raise NotImplementedError

    def replies(self, message: bytes) -> Iterable[tuple[int, str]]:
        """Never asked."""
        raise NotImplementedError


class Silent:
    """A stream whose peer does not show that it is there."""

    async def wait_for_connection(self) -> None:
        """Wait for ever."""
        await asyncio.get_running_loop().create_future()

    def cancel(self) -> None:
        """Give it up."""


@pytest.mark.asyncio
async def test_a_peer_that_says_nothing_is_named_and_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller learns what the trouble is; the log has no traceback of it each second."""
    monkeypatch.setattr(module, "STREAM_CONNECT_SECONDS_MAX", 0.02)
    silent: Any = Silent
    exchange: Exchange[str, str, bytes, bytes] = Exchange("bank at nowhere", silent, NoCodec())
    with structlog.testing.capture_logs() as lines:
        with pytest.raises(PeerUnavailableError, match=r"no sign of life within 0\.02 s") as caught:
            await exchange.call("ask", 0.2)
        await exchange.close()
    assert not caught.value.outcome_unknown
    assert [line for line in lines if line["log_level"] == "error"] == []
