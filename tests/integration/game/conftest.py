"""Two game servers for all tests of this folder, each real processes on a real nats-server.

`pair` has two workers of each service and allows sandboxes; `plain` is what a server is by default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_asyncio

from tests.support.game_api import Running, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import pytest


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def pair(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """Run a server with two workers of each service, where sandboxes are allowed."""
    async with running(tmp_path_factory.mktemp("pair"), workers=2, sandbox=True) as server:
        yield server


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def plain(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """Run a server as it is by default."""
    async with running(tmp_path_factory.mktemp("plain"), workers=1, sandbox=False) as server:
        yield server
