"""What runs at a table besides its unit: auctions and timers, by what other services wrote into its log.

The bank decides about none of it. It knows of them because a table that is paused stops their deadlines, in
the same commit, and one that is closed ends its auctions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from magnate.auction.v1 import auction_pb2
from magnate.kit.log.commit import DEADLINES, Section
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Mapping

AUCTION_VERSION: Final = 1
DEADLINES_VERSION: Final = 1
AUCTION: Final = "auction"
CLOSE: Final = "close"
OF_AUCTIONS: Final = "auction:"
"""How the ids begin of holds, transfers and captures that auctions ask for."""


class UnknownChangeError(Exception):
    """The section holds a change of a deadline that this build does not know."""


class Pending(NamedTuple):
    """A deadline of an owner: `due_ms` is 0 while it is stopped.

    `held`: for itself; `through`: pauses do not stop it; `shifted`: it was missed once.
    """

    owner: str
    kind: str
    due_ms: int
    left_ms: int = 0
    held: bool = False
    through: bool = False
    shifted: bool = False


def fold_deadlines(known: Mapping[str, Pending], body: bytes) -> dict[str, Pending]:
    """Return the deadlines after a section of them; KeyError when it changes one that is not pending."""
    pending = dict(known)
    for change in timer_pb2.DeadlinesSection.FromString(body).changes:
        kind = change.WhichOneof("change")
        if kind == "set":
            one = change.set
            pending[one.deadline_id] = Pending(
                one.owner, one.kind, one.due_ms, through=one.runs_through_pause
            )
        elif kind == "cleared":
            pending.pop(change.cleared.deadline_id, None)
        elif kind == "fired":
            pending.pop(change.fired.deadline_id, None)
        elif kind == "paused":
            stopped = change.paused
            pending[stopped.deadline_id] = pending[stopped.deadline_id]._replace(
                due_ms=0, left_ms=stopped.left_ms, held=stopped.held
            )
        elif kind == "resumed":
            due_ms = change.resumed.due_ms
            key = change.resumed.deadline_id
            pending[key] = pending[key]._replace(due_ms=due_ms, left_ms=0, held=False)
        elif kind == "shifted":
            key = change.shifted.deadline_id
            pending[key] = pending[key]._replace(due_ms=change.shifted.due_ms, shifted=True)
        else:
            raise UnknownChangeError("a change of a deadline")
    return pending


def fold_auctions(known: Mapping[int, str], body: bytes) -> dict[int, str]:
    """Return what is sold in the running auctions, by their numbers, after a section of them."""
    running = dict(known)
    for event in auction_pb2.AuctionSection.FromString(body).events:
        kind = event.WhichOneof("kind")
        if kind == "auction_opened":
            running[event.auction_opened.auction] = event.auction_opened.label
        elif kind == "auction_closed":
            running.pop(event.auction_closed.auction, None)
        elif kind == "auction_cancelled":
            running.pop(event.auction_cancelled.auction, None)
    return running


def stopping(pending: Mapping[str, Pending]) -> dict[str, Pending]:
    """Return what a pause stops."""
    return {key: one for key, one in pending.items() if one.due_ms and not one.through}


def hammer_due(pending: Mapping[str, Pending], at_ms: int) -> str:
    """Return the deadline of an auction whose time was up, though its hammer has not fallen; or empty."""
    for deadline_id, one in pending.items():
        if one.owner == AUCTION and one.kind == CLOSE and 0 < one.due_ms <= at_ms:
            return deadline_id
    return ""


def pausing(left_ms: Mapping[str, int]) -> list[Section]:
    """Return the section that stops these deadlines, of which so much is left, if there are any."""
    section = timer_pb2.DeadlinesSection()
    for deadline_id, left in left_ms.items():
        paused = section.changes.add().paused
        paused.deadline_id, paused.left_ms = deadline_id, left
    return _stored(section)


def resuming(pending: Mapping[str, Pending], now_ms: int) -> list[Section]:
    """Return the section that lets what a pause stopped run on, if anything was."""
    section = timer_pb2.DeadlinesSection()
    for deadline_id, one in pending.items():
        if not one.due_ms and not one.held:
            resumed = section.changes.add().resumed
            resumed.deadline_id, resumed.due_ms = deadline_id, now_ms + one.left_ms
    return _stored(section)


def _stored(section: timer_pb2.DeadlinesSection) -> list[Section]:
    if not section.changes:
        return []
    return [Section(DEADLINES, DEADLINES_VERSION, section.SerializeToString())]
