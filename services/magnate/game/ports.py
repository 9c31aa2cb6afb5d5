"""What the game service asks of the auction service, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from magnate.peers.bank import Release

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from magnate.kit.log.commit import Command, Section
    from magnate.kit.transact_types import KitRejection
    from magnate.peers.bank import Instruction
    from magnate.rules.rejections import Rejection
    from magnate.rules.vocabulary import Ask, AuctionEvent, AuctionOutcome, PassAuction, PlaceBid, SetProxyBid


OWNER: Final = "game"
"""Whose deadlines are acted on by this service."""
AUCTION: Final = "auction"
CLOSE: Final = "close"
"""Whose deadline it is, and of what kind, at which the hammer falls."""
TIMER: Final = "timer"
"""Whose are the timers of clients; they stand still with the game and end with it."""


class DeadlineChange:
    """One thing that happens to a deadline: `what` is set, cleared, paused, resumed, shifted.

    `due_ms` is for set, resumed and shifted, `left_ms` and `held` for paused, `owner` and `kind` for set.
    """

    __slots__ = ("deadline_id", "due_ms", "held", "kind", "left_ms", "owner", "what")

    def __init__(
        self,
        what: str,
        deadline_id: str,
        *,
        owner: str = "",
        kind: str = "",
        due_ms: int = 0,
        left_ms: int = 0,
        held: bool = False,
    ) -> None:
        self.what = what
        self.deadline_id = deadline_id
        self.owner = owner
        self.kind = kind
        self.due_ms = due_ms
        self.left_ms = left_ms
        self.held = held


class AskStep:
    """Something the rules ask of auctions, and what each seat can spend, and could raise, at that moment.

    `limits` is empty where nobody may bid more than his money.
    """

    __slots__ = ("ask", "available", "limits")

    def __init__(self, ask: Ask, available: list[int], limits: list[int]) -> None:
        self.ask = ask
        self.available = available
        self.limits = limits


class AuctionProposal:
    """What the auction service adds to a commit; `instructions` are about holds, in the order to be done."""

    __slots__ = ("deadlines", "events", "instructions", "outcomes", "section")

    def __init__(
        self,
        section: Section | None,
        events: list[AuctionEvent],
        deadlines: list[DeadlineChange],
        outcomes: list[AuctionOutcome],
        instructions: Sequence[Instruction],
    ) -> None:
        self.section = section
        self.events = events
        self.deadlines = deadlines
        self.outcomes = outcomes
        self.instructions = list(instructions)

    @property
    def releases(self) -> list[str]:
        """The holds that end without payment."""
        return [one.hold_id for one in self.instructions if isinstance(one, Release)]


class Behind:
    """The peer knows a newer version than the one asked about."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


class ActedBid:
    """A bid or pass that the auction service committed."""

    __slots__ = ("data", "replayed", "sequence")

    def __init__(self, data: bytes, sequence: int, *, replayed: bool) -> None:
        self.data = data
        self.sequence = sequence
        self.replayed = replayed


class RefusedBid:
    """A bid or pass that the auction service refused, and the version it was judged at; 0: at none.

    `about`: what else it said, such as by which clock and close.
    """

    __slots__ = ("about", "rejection", "version")

    def __init__(
        self, rejection: Rejection | KitRejection, version: int, about: Mapping[str, str] | None = None
    ) -> None:
        self.rejection = rejection
        self.version = version
        self.about: Mapping[str, str] = about or {}


class AuctionPeer(Protocol):
    """The auction service."""

    async def propose(
        self, game_id: str, head_version: int, time_ms: int, steps: Sequence[AskStep]
    ) -> AuctionProposal | Behind:
        """Return what auctions make of the rules' asks, each with the money of every seat."""
        ...

    async def act(
        self, game_id: str, seat: int, command: Command, action: PlaceBid | PassAuction | SetProxyBid
    ) -> ActedBid | RefusedBid:
        """Carry out a bid or a pass."""
        ...

    async def expire(self, game_id: str, deadline_id: str, seen_version: int) -> None:
        """Let the hammer fall, if it is time: what this deadline leads to is in the log then."""
        ...
