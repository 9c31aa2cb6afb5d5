"""Waiting for what tells nobody: how long that takes is the machine's affair."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_SECONDS: Final = 30.0
"""After so long it does not come any more, on however busy a machine."""
LOOK_SECONDS: Final = 0.005


async def until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait for something to become true; TimeoutError if it never does."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(LOOK_SECONDS)
