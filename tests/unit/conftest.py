"""Games that these tests play draw from a fixed seed, so that what they find they find again."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest

from magnate.game import service


@pytest.fixture(autouse=True)
def fixed_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every table of a test have seeds that are the same in each run."""
    monkeypatch.setattr(service, "secrets", SimpleNamespace(token_bytes=Random(7).randbytes))
