"""QR codes for the page: what is posted comes back as a drawing.

By POST, because what a card's code says is secret, and addresses end up in logs and histories.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

import segno
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request

TEXT_BYTES_MAX: Final = 512
"""A link with an id and a secret has less than 200; more makes a code that phones read badly."""
BORDER: Final = 4
"""Modules of quiet around a code, as its standard asks."""


async def qr(request: Request) -> Response:
    """Answer a posted text with its QR code as SVG; 400 without a text, 413 if it is too long."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > TEXT_BYTES_MAX:
            return PlainTextResponse(f"text: more than {TEXT_BYTES_MAX} bytes", status_code=413)
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        return PlainTextResponse(f"text: not UTF-8 at byte {error.start}", status_code=400)
    if not text:
        return PlainTextResponse("text: empty", status_code=400)
    drawn = BytesIO()
    segno.make_qr(text, error="m").save(drawn, kind="svg", border=BORDER, xmldecl=False, omitsize=True)
    return Response(drawn.getvalue(), media_type="image/svg+xml")


QR_ROUTE: Final = Route("/qr.svg", qr, methods=["POST"])
