"""What the auction service asks of the game service and of the bank; the adapters speak gRPC.

What the game wants in the commit beside its sections (bank instructions, changes of deadlines) is passed on
as it came: auctions have no opinion about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.auction.domain.decision import HoldPlaced, HoldReleased
    from magnate.auction.state import GameState
    from magnate.bank.v1 import bank_pb2
    from magnate.kit.log.commit import Command, Section
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact_types import CommitOutcome
    from magnate.rules.rejections import Rejection
    from magnate.rules.vocabulary import Ask, AuctionOutcome
    from magnate.timer.v1 import timer_pb2


@final
class Capture:
    """The winner pays the hammer price from the hold behind the winning bid."""

    __slots__ = ("amount", "hold_id")

    def __init__(self, hold_id: str, amount: int) -> None:
        self.hold_id = hold_id
        self.amount = amount


Order: TypeAlias = "HoldPlaced | HoldReleased | Capture | bank_pb2.Instruction"
"""What the bank is to do."""


@final
class Step:
    """Something the rules ask of auctions, and what each seat can spend at that moment."""

    __slots__ = ("ask", "available")

    def __init__(self, ask: Ask, available: list[int]) -> None:
        self.ask = ask
        self.available = available


@final
class Follow:
    """What the rules make of the end of auctions.

    Attributes:
        sections: the RULES and TABLE sections.
        instructions: what the bank has to do after the captures.
        deadlines: changes of the game's own deadlines.
        steps: what they ask in answer to the last outcome.
    """

    __slots__ = ("deadlines", "instructions", "sections", "steps")

    def __init__(
        self,
        sections: list[Section],
        instructions: list[bank_pb2.Instruction],
        deadlines: list[timer_pb2.DeadlineChange],
        steps: list[Step],
    ) -> None:
        self.sections = sections
        self.instructions = instructions
        self.deadlines = deadlines
        self.steps = steps


@final
class Behind:
    """The game service knows a newer version than the one asked about."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


class GamePeer(Protocol):
    """The game service."""

    async def propose(
        self,
        game_id: str,
        head_version: int,
        time_ms: int,
        outcomes: Sequence[AuctionOutcome],
        released_holds: Sequence[str],
    ) -> Follow | Behind:
        """Return what follows from these outcomes; nothing is written."""
        ...


class BankPeer(Protocol):
    """The bank."""

    async def commit(
        self,
        loaded: Loaded[GameState],
        command: Command,
        now_ms: int,
        sections: Sequence[Section],
        orders: Sequence[Order],
    ) -> CommitOutcome[Rejection]:
        """Check funds and holds, add the ledger section, append."""
        ...
