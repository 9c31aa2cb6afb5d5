"""Who guesses join codes through the gateway is told apart by address, whatever he says of himself."""

from __future__ import annotations

import asyncio
import json
from http.client import HTTPConnection

import pytest

from tests.integration.gateway.backend import reason_of, running
from tests.support.bank_tables import serving

pytestmark = pytest.mark.asyncio
JOIN = "/magnate.bank.v1.TerminalService/JoinTable"


def join(port: int, source: str, code: str, **headers: str) -> tuple[int, str]:
    """Join from an address of this machine; return the HTTP status and the reason of a refusal."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
    try:
        named = {"content-type": "application/json", **headers}
        connection.request("POST", JOIN, json.dumps({"joinCode": code}), named)
        answer = connection.getresponse()
        body = json.loads(answer.read())
        return answer.status, reason_of(body) if answer.status != 200 else ""
    finally:
        connection.close()


async def test_one_address_is_slowed_down_and_the_others_are_not() -> None:
    """After twenty wrong codes it has to wait, also under another name; its neighbour joins at once."""
    async with serving() as bank, running({"bank_addresses": (f"127.0.0.1:{bank.port}",)}) as gateway:
        table = await bank.open()
        code = table.opened.table.join_code
        for number in range(20):
            name = {"x-forwarded-for": f"10.0.0.{number}"}
            answer = await asyncio.to_thread(join, gateway.port, "127.0.0.2", "ZZZZ-ZZZZ", **name)
            assert answer == (404, "UNKNOWN_TABLE")
        slowed = await asyncio.to_thread(join, gateway.port, "127.0.0.2", code)
        assert slowed == (429, "TOO_MANY_TRIES")
        assert await asyncio.to_thread(join, gateway.port, "127.0.0.3", code) == (200, "")
