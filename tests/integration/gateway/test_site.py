"""The page's files: where they are, what a browser may do with them, and that there is nothing else."""

from __future__ import annotations

import pytest

from magnate.gateway.site import PAGE
from tests.integration.gateway.backend import running

pytestmark = pytest.mark.asyncio


async def test_the_page_is_at_the_root() -> None:
    """`/` is index.html, under a policy that lets only its own files run."""
    async with running() as gateway:
        answer = await gateway.send("/", method="GET", kind="")
    assert answer.status == 200
    assert answer.body == (PAGE / "index.html").read_bytes()
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_file_is_sent_once() -> None:
    """Asked for again with its tag, a file that has not changed is not sent again."""
    async with running() as gateway:
        first = await gateway.send("/index.html", method="GET", kind="")
        again = await gateway.send("/index.html", method="GET", kind="", if_none_match=first.headers["etag"])
    assert first.headers["cache-control"] == "no-cache"
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/nothing.js",
        "/../settings.py",
        "/%2e%2e/settings.py",
        "/..%2fsettings.py",
        "//etc/passwd",
        "/js/../../x",
    ],
)
async def test_nothing_but_the_page_is_served(path: str) -> None:
    """No path leads out of the folder."""
    async with running() as gateway:
        answer = await gateway.send(path, method="GET", kind="")
    assert answer.status == 404
    assert "content-security-policy" in answer.headers


async def test_a_page_is_only_read() -> None:
    """What is no call and no reading is refused."""
    async with running() as gateway:
        answer = await gateway.send("/", "{}")
    assert answer.status == 405


async def test_a_posted_text_is_drawn() -> None:
    """The drawing is an SVG that may not be kept; the same text gives the same one."""
    async with running() as gateway:
        drawn, again, other = [await gateway.send("/qr.svg", text, "text/plain") for text in ("a", "a", "b")]
    assert drawn.status == 200
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.body.startswith(b"<svg")
    assert drawn.body == again.body != other.body


@pytest.mark.parametrize(
    ("text", "status", "named"),
    [(b"", 400, b"empty"), (b"\xff", 400, b"UTF-8"), (b"x" * 513, 413, b"512 bytes")],
)
async def test_what_cannot_be_drawn(text: bytes, status: int, named: bytes) -> None:
    """Nothing, what is no text, and what no phone could read are each named."""
    async with running() as gateway:
        answer = await gateway.send("/qr.svg", text, "text/plain")
    assert answer.status == status
    assert named in answer.body
