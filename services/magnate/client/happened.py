"""What happened in a commit, in the order in which it is told: causes before effects.

A commit has its events by the service that they are of: the table's, the rules', the auctions'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

Happened: TypeAlias = game_pb2.TableEvent | vocabulary_pb2.Event | vocabulary_pb2.AuctionEvent

PUT_UP: Final = frozenset({"lot_put_up", "building_put_up"})
"""What the rules say when they ask for an auction."""
BY_RULES: Final = frozenset({"bidder_dropped", "auction_cancelled"})
"""What becomes of auctions because of something in the game."""
OUTCOMES: Final = PUT_UP | {"lot_auctioned", "lot_reserved", "lot_unsold", "building_auctioned", "game_ended"}
"""What follows in the game when that has become of them."""


def happened(commit: game_pb2.PublicCommit) -> list[Happened]:
    """Return the events of a commit, causes before effects.

    Who did not act in time has missed a clock; the end of a game reveals its seed; a lot goes under the
    hammer when the rules have put it up, and what the rules make of an auction comes after its close.
    """
    rules = list(commit.events)
    missed = rules[:1] if rules and rules[0].WhichOneof("kind") == "time_expired" else []
    before = [one for one in commit.table_events if one.WhichOneof("kind") != "seed_revealed"]
    after = [one for one in commit.table_events if one.WhichOneof("kind") == "seed_revealed"]
    return [*missed, *before, *_merged(rules[len(missed) :], commit.auction_events), *after]


def _merged(
    rules: Sequence[vocabulary_pb2.Event], auctions: Sequence[vocabulary_pb2.AuctionEvent]
) -> list[vocabulary_pb2.Event | vocabulary_pb2.AuctionEvent]:
    """Return events of rules and auctions as they follow from each other."""
    earlier, *opened = _openings(auctions)
    kinds = [event.WhichOneof("kind") for event in rules]
    place = 0
    if any(event.WhichOneof("kind") in BY_RULES for event in earlier):
        place = next((place for place, kind in enumerate(kinds) if kind in OUTCOMES), len(rules))
    told: list[vocabulary_pb2.Event | vocabulary_pb2.AuctionEvent] = [*rules[:place], *earlier]
    for event, kind in zip(rules[place:], kinds[place:], strict=True):
        told.append(event)
        if kind in PUT_UP and opened:
            told += opened.pop(0)
    return [*told, *(event for one in opened for event in one)]


def _openings(
    auctions: Sequence[vocabulary_pb2.AuctionEvent],
) -> list[list[vocabulary_pb2.AuctionEvent]]:
    """Return what happened at auctions before any was opened, and then from each opening on."""
    parts: list[list[vocabulary_pb2.AuctionEvent]] = [[]]
    for event in auctions:
        if event.WhichOneof("kind") == "auction_opened":
            parts.append([])
        parts[-1].append(event)
    return parts
