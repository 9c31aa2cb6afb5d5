"""A ledger of its own with three seats, what they have, and how a call is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.client.ledger import transfer
from magnate.client.session import RefusedError
from tests.support.ledgers import SEATS, Served

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from magnate.bank.v1 import ledger_pb2


async def opened(served: Served, *, private: bool = False) -> ledger_pb2.OpenLedgerResponse:
    """Return a ledger of three seats, the first two with 100 each."""
    ledger = await served.session.open([*SEATS, "pot-parking"], unit="$", scale=1000, private=private)
    answer = await served.session.post(
        ledger.ledger_id,
        ledger.banker_token,
        [transfer("bank", "seat-0", 100, "start"), transfer("bank", "seat-1", 100, "start")],
    )
    assert [one.rejection for one in answer.results] == ["", ""]
    return ledger


async def posted(served: Served, ledger_id: str) -> list[int]:
    """Return what the seats have."""
    balances = await served.session.balances(ledger_id)
    assert sum(one.posted for one in balances.values()) == 0
    return [balances[seat].posted for seat in SEATS]


async def refusal(call: Awaitable[object]) -> tuple[str, str]:
    """Return status and reason of a call that is refused."""
    with pytest.raises(RefusedError) as caught:
        await call
    return caught.value.code.name, caught.value.reason
