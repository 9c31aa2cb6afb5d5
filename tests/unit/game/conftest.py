"""What takes seconds between processes takes a fraction of one."""

from __future__ import annotations

import pytest

from magnate.game import presence
from tests.support.presence_room import QUICK


@pytest.fixture
def quick_presence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what takes seconds between processes take a fraction of one."""
    for name, seconds in QUICK.items():
        monkeypatch.setattr(presence, name, seconds)
