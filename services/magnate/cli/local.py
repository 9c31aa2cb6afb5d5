"""The four services in one process: the log in memory, a clock that is moved by hand, no network.

Each service is the real one; only the adapters between them are exchanged for direct calls. Deadlines are
fired as the timer does it: read from the log, announced to their owner when they are due, earliest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from prometheus_client import CollectorRegistry

from magnate.auction.codec import auction_section, put_deadline
from magnate.auction.fold import AuctionFold
from magnate.auction.metrics import AuctionMetrics
from magnate.auction.ports import Behind as AuctionBehind
from magnate.auction.ports import Follow, Step
from magnate.auction.service import AuctionService, Expired
from magnate.bank.asks import CommitAsk, Committed, Head, Refused
from magnate.bank.domain.instructions import (
    CaptureHold,
    DiscloseBalances,
    OpenAccount,
    OpenLedger,
    PlaceHold,
    ReleaseHold,
    Transfer,
)
from magnate.bank.metrics import BankMetrics
from magnate.bank.service import Bank
from magnate.game.codec import encode_deadline_change
from magnate.game.peers import decode_deadline_change
from magnate.game.ports import ActedBid, AuctionProposal
from magnate.game.ports import Behind as GameBehind
from magnate.game.propose import propose
from magnate.game.settings import GameSettings
from magnate.game.wiring import Parts
from magnate.kit.clock import FakeClock
from magnate.kit.keys import KeyRing
from magnate.kit.log.fold import Loader
from magnate.kit.log.memory import MemoryLog
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import CommitMoved, CommitRefused, Done
from magnate.kit.transact_types import Committed as Appended
from magnate.peers.bank import Capture, Currency, Open, Pay, Place, Release
from magnate.rules.rejections import Rejection
from magnate.timer.codec import TimerFold
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.auction.domain.decision import BidPaid
    from magnate.auction.state import GameState as AuctionState
    from magnate.bank.domain.instructions import Instruction as BankInstruction
    from magnate.game.ports import AskStep
    from magnate.kit.log.commit import Command, Section
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact_types import CommitOutcome, KitRejection
    from magnate.peers.bank import Instruction
    from magnate.rules.vocabulary import AuctionOutcome, PassAuction, PlaceBid
    from magnate.timer.domain.schedule import Deadline

KEYS: Final = KeyRing("local", {"local": bytes(32)})
"""The keys of tables that live as long as this process."""

DEADLINES_FIRED_MAX: Final = 10_000
"""Deadlines that may fall due in one wait: far more than any scenario has."""


class LocalBank:
    """The bank as game and auction know it."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank

    async def commit(
        self,
        loaded: Loaded[Any],
        command: Command,
        now_ms: int,
        sections: Sequence[Section],
        instructions: Sequence[Instruction],
    ) -> CommitOutcome[Rejection]:
        """Have the bank append, and say what became of it as transactions do."""
        head = Head(loaded.version, loaded.sequence, loaded.hash, loaded.time_ms, loaded.ledger_version)
        wanted = [_for_the_bank(one) for one in instructions]
        answer = await self._bank.commit(CommitAsk(loaded.game_id, head, command, now_ms, sections, wanted))
        if isinstance(answer, Committed):
            return Appended(answer.data, answer.sequence, replayed=answer.replayed)
        if isinstance(answer, Refused):
            rejection = Rejection(answer.rejection.name, answer.rejection.detail)
            return CommitRefused(rejection, answer.head.version)
        return CommitMoved()


def _for_the_bank(instruction: Instruction) -> BankInstruction:
    if isinstance(instruction, Pay):
        return Transfer(instruction.debit, instruction.credit, instruction.amount, instruction.reason)
    if isinstance(instruction, Release):
        return ReleaseHold(instruction.hold_id)
    if isinstance(instruction, Capture):
        return CaptureHold(instruction.hold_id, instruction.credit, instruction.amount, instruction.reason)
    if isinstance(instruction, Place):
        return PlaceHold(instruction.hold_id, instruction.account, instruction.amount)
    if isinstance(instruction, Open):
        return OpenAccount(instruction.account, instruction.private)
    if isinstance(instruction, Currency):
        return OpenLedger(instruction.unit, instruction.scale)
    return DiscloseBalances()


class AuctionOfGame:
    """The auction service as the game service knows it; `service` is set when that exists."""

    service: AuctionService

    async def propose(
        self, game_id: str, head_version: int, time_ms: int, steps: Sequence[AskStep]
    ) -> AuctionProposal | GameBehind:
        """Return what auctions make of asks (see `game.ports.AuctionPeer`)."""
        asked = [Step(one.ask, list(one.available), list(one.limits)) for one in steps]
        whole = await self.service.propose(game_id, head_version, time_ms, asked)
        if isinstance(whole, AuctionBehind):
            return GameBehind(whole.version)
        deadlines = []
        for change in whole.deadlines:
            message = timer_pb2.DeadlineChange()
            put_deadline(change, message)
            deadlines.append(decode_deadline_change(message))
        section = auction_section(whole.events) if whole.events else None
        return AuctionProposal(section, whole.events, deadlines, whole.outcomes, whole.released())

    async def act(
        self, game_id: str, seat: int, command: Command, action: PlaceBid | PassAuction
    ) -> ActedBid | Rejection | KitRejection:
        """Carry out a bid or a pass (see `game.ports.AuctionPeer`)."""
        outcome = await self.service.act(game_id, seat, command, action)
        if isinstance(outcome, Done):
            return ActedBid(outcome.commit.data, outcome.commit.sequence, replayed=outcome.replayed)
        return outcome.rejection


class GameOfAuction:
    """The game service as the auction service knows it; `parts` is set when that exists."""

    parts: Parts

    async def propose(
        self,
        game_id: str,
        head_version: int,
        time_ms: int,
        outcomes: Sequence[AuctionOutcome],
        released_holds: Sequence[str],
        payments: Sequence[BidPaid],
    ) -> Follow | AuctionBehind:
        """Return what the rules make of outcomes (see `auction.ports.GamePeer`)."""
        loaded = await self.parts.transactor.view(game_id)
        if loaded.version > head_version:
            return AuctionBehind(loaded.version)
        paid = [(one.seat, one.amount) for one in payments]
        made = propose(loaded, outcomes, released_holds, paid, time_ms)
        deadlines = [timer_pb2.DeadlineChange() for _ in made.deadlines]
        for change, target in zip(made.deadlines, deadlines, strict=True):
            encode_deadline_change(change, target)
        steps = [Step(one.ask, list(one.available), list(one.limits)) for one in made.asks]
        return Follow(made.sections, made.instructions, deadlines, steps, made.limits)


class LocalServices:
    """Game, bank and auction over one log in memory, and the timer's part by hand.

    `beside` others: further processes of the same services, over the same log.
    """

    def __init__(self, beside: LocalServices | None = None) -> None:
        self.clock: FakeClock = FakeClock() if beside is None else beside.clock
        self.log: MemoryLog = MemoryLog() if beside is None else beside.log
        registry = CollectorRegistry()
        self.bank = Bank(self.log, KEYS, BankMetrics(registry))
        bank = LocalBank(self.bank)
        auction, game = AuctionOfGame(), GameOfAuction()
        settings = GameSettings(keys=KEYS, sandbox=True)
        self.game = Parts(settings, self.log, bank, auction, self.clock)
        transactor: Transactor[AuctionState] = Transactor(self.log, KEYS, AuctionFold(), clock=self.clock)
        self.auction = AuctionService(transactor, game, bank, AuctionMetrics(registry), self.clock)
        auction.service = self.auction
        game.parts = self.game
        self._schedules = Loader(self.log, KEYS, TimerFold())

    async def pending(self, game_id: str) -> list[Deadline]:
        """Return the deadlines that run, the earliest first."""
        loaded = await self._schedules.load(game_id)
        return [deadline for deadline in loaded.state.listed() if not deadline.paused]

    async def advance(self, game_id: str, by_ms: int) -> None:
        """Let time pass for a game; what falls due until then is announced in order, each at its time."""
        end_ms = self.clock.now_ms() + by_ms
        for _ in range(DEADLINES_FIRED_MAX):
            due = await self.pending(game_id)
            if not due or due[0].due_ms > end_ms:
                self.clock.set(end_ms)
                return
            self.clock.set(max(self.clock.now_ms(), due[0].due_ms))
            await self._announce(game_id, due[0])
        raise AssertionError(f"more than {DEADLINES_FIRED_MAX} deadlines fell due in {by_ms} ms")

    async def close(self) -> None:
        """Wait for what the services still write."""
        await self.game.transactor.close()
        await self.auction.transactor.close()
        await self.bank.close()

    async def _announce(self, game_id: str, deadline: Deadline) -> None:
        """Tell the owner that a deadline is due; the owner must deal with it now."""
        if deadline.owner == "auction":
            loaded = await self._schedules.load(game_id)
            expiry = await self.auction.expire(game_id, deadline.deadline_id, loaded.version)
            assert isinstance(expiry, Expired), f"{deadline!r} was due and nothing happened: {expiry!r}"
        else:
            result = await self.game.service.expire(game_id, deadline.deadline_id)
            assert isinstance(result, Done), f"{deadline!r} was due and nothing happened"
