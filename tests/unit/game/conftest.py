"""Games that these tests play draw from a fixed seed, so that what they find they find again."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from magnate.game import presence, service
from tests.support.presence_room import QUICK


@pytest.fixture(autouse=True)
def fixed_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every table of a test have seeds that are the same in each run."""
    monkeypatch.setattr(service, "secrets", SimpleNamespace(token_bytes=Random(7).randbytes))


@pytest.fixture
def quick_presence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what takes seconds between processes take a fraction of one."""
    for name, seconds in QUICK.items():
        monkeypatch.setattr(presence, name, seconds)
