"""What the game service asks of the bank and of the auction service, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.state import GameState
    from magnate.kit.log.commit import Command, Section
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact_types import CommitOutcome, KitRejection
    from magnate.rules.rejections import Rejection
    from magnate.rules.vocabulary import Ask, AuctionEvent, AuctionOutcome, PassAuction, PlaceBid


class Pay:
    """Bank instruction: move money between two accounts."""

    __slots__ = ("amount", "credit", "debit", "reason")

    def __init__(self, debit: str, credit: str, amount: int, reason: str) -> None:
        self.debit = debit
        self.credit = credit
        self.amount = amount
        self.reason = reason


class Release:
    """Bank instruction: give back a hold."""

    __slots__ = ("hold_id",)

    def __init__(self, hold_id: str) -> None:
        self.hold_id = hold_id


class Capture:
    """Bank instruction: a hold becomes a payment, the hammer price of an auction that ends in this commit."""

    __slots__ = ("amount", "credit", "hold_id", "reason")

    def __init__(self, hold_id: str, credit: str, amount: int, reason: str) -> None:
        self.hold_id = hold_id
        self.credit = credit
        self.amount = amount
        self.reason = reason


class Place:
    """Bank instruction: reserve money (only sandbox positions place holds here; bids are the auction's)."""

    __slots__ = ("account", "amount", "hold_id")

    def __init__(self, hold_id: str, account: str, amount: int) -> None:
        self.hold_id = hold_id
        self.account = account
        self.amount = amount


class Open:
    """Bank instruction: open an account."""

    __slots__ = ("account",)

    def __init__(self, account: str) -> None:
        self.account = account


Instruction: TypeAlias = Pay | Release | Capture | Place | Open


class DeadlineChange:
    """One thing that happens to a deadline: `what` is set, cleared, paused or resumed.

    `due_ms` is for set and resumed, `left_ms` for paused, `owner` and `kind` for set.
    """

    __slots__ = ("deadline_id", "due_ms", "kind", "left_ms", "owner", "what")

    def __init__(
        self,
        what: str,
        deadline_id: str,
        *,
        owner: str = "",
        kind: str = "",
        due_ms: int = 0,
        left_ms: int = 0,
    ) -> None:
        self.what = what
        self.deadline_id = deadline_id
        self.owner = owner
        self.kind = kind
        self.due_ms = due_ms
        self.left_ms = left_ms


class AuctionProposal:
    """What the auction service adds to a commit."""

    __slots__ = ("deadlines", "events", "outcomes", "releases", "section")

    def __init__(
        self,
        section: Section | None,
        events: list[AuctionEvent],
        deadlines: list[DeadlineChange],
        outcomes: list[AuctionOutcome],
        releases: list[str],
    ) -> None:
        self.section = section
        self.events = events
        self.deadlines = deadlines
        self.outcomes = outcomes
        self.releases = releases


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


class AuctionPeer(Protocol):
    """The auction service."""

    async def propose(
        self, game_id: str, head_version: int, time_ms: int, steps: Sequence[tuple[Ask, list[int]]]
    ) -> AuctionProposal | Behind:
        """Return what auctions make of the rules' asks, each with the money available to every seat."""
        ...

    async def act(
        self, game_id: str, seat: int, command: Command, action: PlaceBid | PassAuction
    ) -> ActedBid | Rejection | KitRejection:
        """Carry out a bid or a pass."""
        ...


class BankPeer(Protocol):
    """The bank service."""

    async def commit(
        self,
        loaded: Loaded[GameState],
        command: Command,
        now_ms: int,
        sections: Sequence[Section],
        secret_sections: Sequence[Section],
        instructions: Sequence[Instruction],
    ) -> CommitOutcome[Rejection]:
        """Check funds and holds, add the ledger section, append."""
        ...
