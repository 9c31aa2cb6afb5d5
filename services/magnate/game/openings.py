"""Which secret parts of a game's commits may be shown: those of which everything has been told since.

A sealed bid is told by `BidsRevealed`, be it in the running or withdrawn; the hold behind it goes with
it. What is never told stays secret for ever: bids of an auction that was cancelled, ceilings, what
somebody would have paid in a Dutch auction. The seed has its own event, in which it is shown in clear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import bank_pb2
from magnate.kit.log.commit import AUCTION, LEDGER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from magnate.kit.log.commit import ParsedCommit, Section


class Told:
    """What has been told of sealed bids: the bids themselves, as bytes, and the ids of their holds."""

    def __init__(self, commits: Iterable[ParsedCommit]) -> None:
        self._bids: set[bytes] = set()
        self._holds: set[str] = set()
        for commit in commits:
            section = commit.section(AUCTION)
            if section is None:
                continue
            for event in auction_pb2.AuctionSection.FromString(section.body).events:
                if event.HasField("bids_revealed"):
                    for bid in (*event.bids_revealed.bids, *event.bids_revealed.withdrawn):
                        self._bids.add(bid.SerializeToString(deterministic=True))
                        self._holds.add(bid.hold_id)
        self._holds.discard("")

    def opened(self, commit: ParsedCommit) -> bytes:
        """Return the secret part of a commit if all of it has been told, else nothing."""
        sections = commit.secret_sections()
        return commit.secret if sections and all(map(self._is_told, sections)) else b""

    def _is_told(self, section: Section) -> bool:
        if section.kind == AUCTION:
            return all(
                event.HasField("sealed_bid")
                and event.sealed_bid.SerializeToString(deterministic=True) in self._bids
                for event in auction_pb2.AuctionSection.FromString(section.body).events
            )
        if section.kind == LEDGER:
            records = bank_pb2.LedgerSection.FromString(section.body).records
            return all(
                (one.hold_placed.hold_id or one.hold_released.hold_id) in self._holds for one in records
            )
        return False
