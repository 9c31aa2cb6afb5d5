"""What happened is told in the order in which it follows from each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from magnate.client.happened import happened
from magnate.game.v1 import game_pb2
from tests.support.happenings import HAPPENINGS

if TYPE_CHECKING:
    from collections.abc import Iterable


def put(kinds: Iterable[str], events: Any) -> None:
    """Add an empty event of each kind."""
    for kind in kinds:
        getattr(events.add(), kind).SetInParent()


@pytest.mark.parametrize("name", HAPPENINGS)
def test_causes_are_told_before_effects(name: str) -> None:
    """Each event once, where it belongs."""
    table, rules, auctions, told = HAPPENINGS[name]
    commit = game_pb2.PublicCommit()
    put(table, commit.table_events)
    put(rules, commit.events)
    put(auctions, commit.auction_events)
    assert [event.WhichOneof("kind") for event in happened(commit)] == told
