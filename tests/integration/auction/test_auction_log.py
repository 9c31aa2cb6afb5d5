"""Auctions on a real log whose acknowledgements get lost after the bytes were stored: still one effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from magnate.kit.expiry import Expired, Gone
from magnate.kit.log.commit import parse_commit
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.port import Appended, AppendResult, OutcomeUnknown
from magnate.kit.transact_types import Done
from tests.support.auctioning import CLOSE_MS, House
from tests.support.banking import KEYS
from tests.support.nats import running_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.asyncio, pytest.mark.nats]


class ForgetfulLog:
    """A log that stores, and then says that it does not know, as often as it is told to."""

    def __init__(self, log: JetStreamLog) -> None:
        self._log = log
        self.forget = 0
        self.forgotten = 0

    def __getattr__(self, name: str) -> Any:
        """Pass everything else on."""
        return getattr(self._log, name)

    async def append(
        self, game_id: str, data: bytes, expected_sequence: int, message_id: str = ""
    ) -> AppendResult:
        """Store; perhaps without an answer."""
        result = await self._log.append(game_id, data, expected_sequence, message_id)
        if self.forget and isinstance(result, Appended):
            self.forget -= 1
            self.forgotten += 1
            return OutcomeUnknown("the acknowledgement was lost")
        return result


@pytest_asyncio.fixture
async def log() -> AsyncIterator[ForgetfulLog]:
    """Connect to a nats-server on a fresh store."""
    async with running_server() as server:
        connected = JetStreamLog([server.url])
        await connected.connect()
        await connected.ensure()
        yield ForgetfulLog(connected)
        await connected.close()


async def ids(house: House) -> list[str]:
    """Return the command ids in a game's log."""
    stored = await house.log.load(house.game_id)
    return [parse_commit(KEYS, house.game_id, one.data, one.sequence).command_id for one in stored]


async def test_a_lost_acknowledgement_of_a_bid_a_pass_and_a_close(log: ForgetfulLog) -> None:
    """Each is stored once and answered with what was stored."""
    house = House(log, "lost")
    await house.seat(3, 100)
    await house.put_up(range(3), [100] * 3)
    log.forget = 1
    bid = await house.bid(0, 30, "the-bid")
    assert isinstance(bid, Done)
    log.forget = 1
    passed = await house.skip(1, "the-pass")
    assert isinstance(passed, Done)
    assert passed.commit.version == bid.commit.version + 1
    house.fake_clock.advance(CLOSE_MS)
    log.forget = 1
    closed = await house.service.expire(house.game_id, "a1-2", bid.commit.version)
    assert isinstance(closed, Expired)
    assert isinstance(await house.service.expire(house.game_id, "a1-2", bid.commit.version), Gone)
    assert log.forgotten == 3
    found = await ids(house)
    assert found[2:] == ["the-bid", "the-pass", "expire:a1-2"]
    state = await house.state()
    assert (state.posted, state.held) == ([70, 100, 100], [0, 0, 0])


async def test_a_process_that_died_between_append_and_answer(log: ForgetfulLog) -> None:
    """The same command sent to another process is answered from the log and marked as replayed."""
    house = House(log, "died")
    await house.seat(2, 100)
    await house.put_up(range(2), [100] * 2)
    first = await house.bid(0, 30, "the-bid")
    assert isinstance(first, Done)
    again = await house.other().bid(0, 30, "the-bid")
    assert isinstance(again, Done)
    assert again.replayed
    assert again.commit.hash == first.commit.hash
