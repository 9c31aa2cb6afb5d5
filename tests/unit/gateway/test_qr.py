"""QR codes that the page asks for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import segno
from starlette.applications import Starlette

from magnate.gateway.qr import BORDER, QR_ROUTE, TEXT_BYTES_MAX

if TYPE_CHECKING:
    from starlette.types import Message

APP = Starlette(routes=[QR_ROUTE])


async def post(body: bytes, method: str = "POST") -> tuple[int, str, bytes]:
    """Send a request to the route; return status, content type and body."""
    scope = {"type": "http", "method": method, "path": "/qr.svg", "headers": [], "query_string": b""}
    sent: list[Message] = []
    parts = [body[:10], body[10:]]

    async def receive() -> Message:
        part = parts.pop(0) if parts else b""
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message: Message) -> None:
        sent.append(message)

    await APP(scope, receive, send)
    headers = dict(sent[0]["headers"])
    return sent[0]["status"], headers.get(b"content-type", b"").decode(), sent[1]["body"]


def dark(svg: str) -> set[tuple[int, int]]:
    """Return the dark modules of a drawn code, read from the strokes of its path."""
    (path,) = re.findall(r' d="([^"]+)"', svg)
    x, y, found = 0.0, 0.0, set()
    for move, length in re.findall(r"([MmhH])([-\d. ]+)", path):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", length)]
        if move == "M":
            x, y = numbers
        elif move == "m":
            x, y = x + numbers[0], y + numbers[1]
        else:
            found |= {(int(x) + place, int(y)) for place in range(int(numbers[0]))}
            x += numbers[0]
    return found


@pytest.mark.asyncio
async def test_a_posted_text_is_drawn_module_by_module() -> None:
    """The path has every dark module of the code of that text, inside the quiet border, and no style."""
    text = "http://192.168.1.20:7480/#card=1-1-bcf934192229bfb2cf4bd7b6/XG11CFVP/VZJTHFG8JS90NZ06X3ZVQZBCQD"
    status, kind, body = await post(text.encode())
    assert (status, kind) == (200, "image/svg+xml")
    svg = body.decode()
    code = segno.make_qr(text, error="m")
    wanted = {
        (column + BORDER, row + BORDER)
        for row, modules in enumerate(code.matrix)
        for column, module in enumerate(modules)
        if module
    }
    assert dark(svg) == wanted
    side = code.symbol_size(border=BORDER)[0]
    assert f'viewBox="0 0 {side} {side}"' in svg
    assert "style" not in svg


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 400, "text: empty"),
        (b"caf\xe9", 400, "text: not UTF-8 at byte 3"),
        (b"x" * (TEXT_BYTES_MAX + 1), 413, f"text: more than {TEXT_BYTES_MAX} bytes"),
    ],
)
async def test_what_cannot_be_drawn_is_named(body: bytes, status: int, said: str) -> None:
    """Nothing, no text, too much of it."""
    assert await post(body) == (status, "text/plain; charset=utf-8", said.encode())


@pytest.mark.asyncio
async def test_the_longest_text_is_drawn() -> None:
    """What is allowed can be drawn."""
    assert (await post(b"x" * TEXT_BYTES_MAX))[0] == 200


@pytest.mark.asyncio
async def test_a_text_never_stands_in_an_address() -> None:
    """There is no GET: a secret in a query would lie in logs and histories."""
    assert (await post(b"", "GET"))[0] == 405
