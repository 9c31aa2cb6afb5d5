"""What the auction service asks of the game service, as plain values; the adapter speaks gRPC.

What the game wants in the commit beside its sections (bank instructions, changes of deadlines) is passed on
as it came: auctions have no opinion about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.kit.log.commit import Section
    from magnate.peers.bank import Instruction
    from magnate.rules.vocabulary import Ask, AuctionOutcome
    from magnate.timer.v1 import timer_pb2


@final
class Step:
    """Something the rules ask of auctions, and what each seat can spend, and could raise, at that moment."""

    __slots__ = ("ask", "available", "limits")

    def __init__(self, ask: Ask, available: list[int], limits: list[int] | None = None) -> None:
        self.ask = ask
        self.available = available
        self.limits: list[int] = limits or []


@final
class Follow:
    """What the rules make of the end of auctions.

    Attributes:
        sections: the RULES and TABLE sections.
        instructions: what the bank has to do after the captures.
        deadlines: changes of the game's own deadlines.
        steps: what they ask in answer to the last outcome.
        limits: by seat, what it could raise to pay a bid; where nothing has ended, as things are.
        out: the seats that have left the game.
    """

    __slots__ = ("deadlines", "instructions", "limits", "out", "sections", "steps")

    def __init__(
        self,
        sections: list[Section],
        instructions: list[Instruction],
        deadlines: list[timer_pb2.DeadlineChange],
        steps: list[Step],
        limits: list[int] | None = None,
        out: Sequence[int] = (),
    ) -> None:
        self.sections = sections
        self.instructions = instructions
        self.deadlines = deadlines
        self.steps = steps
        self.limits: list[int] = limits or []
        self.out = out


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
        outcomes: Sequence[AuctionOutcome] = (),
        moves: Sequence[tuple[int, Instruction]] = (),
    ) -> Follow | Behind:
        """Return what follows from these outcomes; nothing is written.

        `moves` is what the bank does for bids in the same commit, and how many outcomes come before it.
        """
        ...
