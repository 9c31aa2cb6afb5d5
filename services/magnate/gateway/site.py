"""The whole site: calls, and the page's files under `/`; CORS around both."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from magnate.gateway.qr import QR_ROUTE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGE: Final = Path(__file__).parent / "page"
HEADERS: Final = {
    # Everything the page needs comes from here, and nothing in it is written inline.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; font-src 'self'; media-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    # Asked for each time and answered with 304: a new release is seen at once.
    "cache-control": "no-cache",
}
# What browsers must be let send and see; the names are those of Connect and gRPC-Web.
ALLOWED: Final = (
    "authorization", "connect-accept-encoding", "connect-content-encoding", "connect-protocol-version",
    "connect-timeout-ms", "content-encoding", "content-type", "grpc-accept-encoding", "grpc-encoding",
    "grpc-timeout", "x-grpc-web", "x-user-agent",
)  # fmt: skip
EXPOSED: Final = (
    "connect-content-encoding", "grpc-encoding", "grpc-message", "grpc-status", "grpc-status-details-bin",
)  # fmt: skip
_METHOD: Final = re.compile(r"/[A-Za-z]\w*(\.\w+)+/\w*")


def site(calls: ASGIApp, origins: Sequence[str], page: Path = PAGE) -> ASGIApp:
    """Return the application that a server serves."""
    files = _with_headers(Starlette(routes=[QR_ROUTE, Mount("/", StaticFiles(directory=page, html=True))]))

    async def choose(scope: Scope, receive: Receive, send: Send) -> None:
        is_call = _METHOD.fullmatch(scope["path"]) is not None
        await (calls if is_call else files)(scope, receive, send)

    # Outermost, so that errors have the headers as well: without them a browser says "Failed to fetch".
    return CORSMiddleware(
        choose,
        allow_origins=origins,
        allow_methods=("GET", "POST"),
        allow_headers=ALLOWED,
        expose_headers=EXPOSED,
        max_age=7200,
    )


def _with_headers(app: ASGIApp) -> ASGIApp:
    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await app(scope, receive, send_with_headers)

    return wrapped
