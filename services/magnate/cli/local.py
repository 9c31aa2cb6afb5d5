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
from magnate.auction.service import AuctionService
from magnate.bank.metrics import BankMetrics
from magnate.bank.propose import read_ask, write_answer
from magnate.bank.service import Bank
from magnate.game.codec import encode_deadline_change
from magnate.game.peers import decode_deadline_change
from magnate.game.ports import ActedBid, AuctionProposal, RefusedBid
from magnate.game.ports import Behind as GameBehind
from magnate.game.propose import propose
from magnate.game.settings import GameSettings
from magnate.game.wiring import Parts
from magnate.kit.clock import FakeClock
from magnate.kit.expiry import Expired
from magnate.kit.keys import KeyRing
from magnate.kit.log.fold import Loader
from magnate.kit.log.memory import MemoryLog
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done
from magnate.kit.viewer import Viewer
from magnate.peers.bank import commit_outcome, commit_request
from magnate.timer.codec import TimerFold
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.auction.state import GameState as AuctionState
    from magnate.game.ports import AskStep
    from magnate.game.state import GameState
    from magnate.kit.log.commit import Command, Section
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact_types import CommitOutcome
    from magnate.peers.bank import Instruction
    from magnate.rules.rejections import Rejection
    from magnate.rules.vocabulary import AuctionOutcome, PassAuction, PlaceBid, SetProxyBid
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
        secret_sections: Sequence[Section] = (),
    ) -> CommitOutcome[Rejection]:
        """Have the bank append, and say what became of it as transactions do."""
        ask = commit_request(loaded, command, now_ms, sections, instructions, secret_sections)
        return commit_outcome(write_answer(await self._bank.commit(read_ask(ask))))


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
        return AuctionProposal(section, whole.events, deadlines, whole.outcomes, whole.instructions())

    async def act(
        self, game_id: str, seat: int, command: Command, action: PlaceBid | PassAuction | SetProxyBid
    ) -> ActedBid | RefusedBid:
        """Carry out a bid or a pass (see `game.ports.AuctionPeer`)."""
        outcome = await self.service.act(game_id, seat, command, action)
        if isinstance(outcome, Done):
            return ActedBid(outcome.commit.data, outcome.commit.sequence, replayed=outcome.replayed)
        return RefusedBid(outcome.rejection, 0 if outcome.loaded is None else outcome.loaded.version)

    async def expire(self, game_id: str, deadline_id: str, seen_version: int) -> None:
        """Let the hammer fall (see `game.ports.AuctionPeer`)."""
        await self.service.expire(game_id, deadline_id, seen_version)


class GameOfAuction:
    """The game service as the auction service knows it; `viewer` is set when that exists."""

    viewer: Viewer[GameState]

    async def propose(
        self,
        game_id: str,
        head_version: int,
        time_ms: int,
        outcomes: Sequence[AuctionOutcome] = (),
        moves: Sequence[tuple[int, Instruction]] = (),
    ) -> Follow | AuctionBehind:
        """Return what the rules make of outcomes (see `auction.ports.GamePeer`)."""
        loaded = await self.viewer.at_least(game_id, head_version)
        if loaded.version > head_version:
            return AuctionBehind(loaded.version)
        made = propose(loaded, outcomes, moves, time_ms)
        deadlines = [timer_pb2.DeadlineChange() for _ in made.deadlines]
        for change, target in zip(made.deadlines, deadlines, strict=True):
            encode_deadline_change(change, target)
        steps = [Step(one.ask, list(one.available), list(one.limits)) for one in made.asks]
        return Follow(made.sections, made.instructions, deadlines, steps, made.limits, made.out)


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
        game.viewer = Viewer(self.game.transactor)
        self._schedules = Loader(self.log, KEYS, TimerFold())

    async def pending(self, game_id: str) -> list[Deadline]:
        """Return the deadlines that run, the earliest first."""
        loaded = await self._schedules.load(game_id)
        return [deadline for deadline in loaded.state.schedule.listed() if not deadline.paused]

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
