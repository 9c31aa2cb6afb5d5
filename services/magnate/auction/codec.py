"""The stored bytes of what auctions decide: sections of kind AUCTION and DEADLINES, both of version 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction.domain.decision import DeadlineCleared, DeadlineSet
from magnate.auction.state import OWNER
from magnate.auction.v1 import auction_pb2
from magnate.auction.vocabulary_codec import decode_auction_event, encode_auction_event
from magnate.kit.log.commit import AUCTION, DEADLINES, Section
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from magnate.kit.log.commit import ParsedCommit
    from magnate.rules.vocabulary import AuctionEvent

SECTION_VERSION: Final = 1
"""The version of the auction sections this build writes."""
DEADLINES_VERSION: Final = 1
"""The version of the sections of deadlines this build writes."""


def auction_section(events: Sequence[AuctionEvent]) -> Section:
    """Return the section that stores these events."""
    section = auction_pb2.AuctionSection()
    for event in events:
        encode_auction_event(event, section.events.add())
    return Section(AUCTION, SECTION_VERSION, section.SerializeToString())


def auction_events(commit: ParsedCommit) -> list[AuctionEvent]:
    """Return what a commit did to auctions, as everybody may know."""
    section = commit.section(AUCTION)
    return [] if section is None else _events(section)


def secret_events(commit: ParsedCommit) -> list[AuctionEvent]:
    """Return what a commit did to auctions in secret."""
    return [event for one in commit.secret_sections() if one.kind == AUCTION for event in _events(one)]


def _events(section: Section) -> list[AuctionEvent]:
    stored = auction_pb2.AuctionSection.FromString(section.body)
    return [decode_auction_event(event) for event in stored.events]


def put_deadline(change: DeadlineSet | DeadlineCleared, message: timer_pb2.DeadlineChange) -> None:
    """Store a change of a deadline in an empty message."""
    if isinstance(change, DeadlineSet):
        target = message.set
        target.deadline_id = change.deadline_id
        target.owner = OWNER
        target.kind = change.kind
        target.due_ms = change.due_ms
    else:
        message.cleared.deadline_id = change.deadline_id


def deadlines_section(
    own: Iterable[DeadlineSet | DeadlineCleared], others: Iterable[timer_pb2.DeadlineChange]
) -> Section:
    """Return the section that stores our changes and then those of others."""
    section = timer_pb2.DeadlinesSection()
    for change in own:
        put_deadline(change, section.changes.add())
    section.changes.extend(others)
    return Section(DEADLINES, DEADLINES_VERSION, section.SerializeToString())
