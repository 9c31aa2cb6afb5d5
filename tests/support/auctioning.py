"""An auction house for tests: the real auction service and the real bank over one log, and a fake game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry

from magnate.auction.codec import auction_section, deadlines_section
from magnate.auction.compose import Composition
from magnate.auction.fold import AuctionFold
from magnate.auction.metrics import AuctionMetrics
from magnate.auction.ports import Behind, Follow, Step
from magnate.auction.service import AuctionService
from magnate.bank.metrics import BankMetrics
from magnate.bank.propose import read_ask, write_answer
from magnate.bank.service import Bank
from magnate.kit.clock import FakeClock
from magnate.kit.ids import request_hash
from magnate.kit.log.commit import RULES, Command, Section, build_commit
from magnate.kit.log.port import Appended
from magnate.kit.transact import Transactor
from magnate.peers import bank as peer_bank
from magnate.peers.bank import Release
from magnate.rules.vocabulary import OpenAuction, PassAuction, PlaceBid
from tests.support.banking import KEYS, START_MS, Caller, new_game, opening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.auction.service import Answer
    from magnate.auction.state import GameState
    from magnate.kit.clock import Clock
    from magnate.kit.log.fold import Loaded
    from magnate.kit.log.port import Log
    from magnate.kit.transact_types import CommitOutcome
    from magnate.peers.bank import Instruction
    from magnate.rules.rejections import Rejection
    from magnate.rules.vocabulary import AuctionOutcome

LOT = 24
CLOSE_MS = 10_000


class FakeGame:
    """The game service: says that a lot was sold, and asks for the auctions that a test queues."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, list[AuctionOutcome], list[str]]] = []
        self.next_steps: list[list[Step]] = []
        self.behind = 0
        self.limits: list[int] = []

    async def propose(
        self,
        game_id: str,
        head_version: int,
        time_ms: int,
        outcomes: Sequence[AuctionOutcome] = (),
        moves: Sequence[tuple[int, Instruction]] = (),
    ) -> Follow | Behind:
        """Return a section that names the outcomes, and the steps queued for the last one."""
        del game_id, time_ms
        released = [move.hold_id for _, move in moves if isinstance(move, Release)]
        self.asked.append((head_version, list(outcomes), released))
        if self.behind:
            self.behind -= 1
            return Behind(head_version + 1)
        steps = self.next_steps[len(outcomes) - 1] if 0 < len(outcomes) <= len(self.next_steps) else []
        return Follow([Section(RULES, 1, repr(list(outcomes)).encode())], [], [], steps, self.limits)


class DirectBank:
    """The real bank, reached without a network but through its messages."""

    def __init__(self, bank: Bank) -> None:
        self.bank = bank
        self.calls = 0

    async def commit(
        self,
        loaded: Loaded[GameState],
        command: Command,
        now_ms: int,
        sections: Sequence[Section],
        instructions: Sequence[Instruction],
        secret_sections: Sequence[Section] = (),
    ) -> CommitOutcome[Rejection]:
        """Ask the bank."""
        self.calls += 1
        ask = peer_bank.commit_request(loaded, command, now_ms, sections, instructions, secret_sections)
        return peer_bank.commit_outcome(write_answer(await self.bank.commit(read_ask(ask))))


class House:
    """One game with an auction service of its own; `other()` opens a second process on the same game."""

    def __init__(self, log: Log, name: str, clock: Clock | None = None) -> None:
        self.log = log
        self.game_id = new_game(name)
        self.fake_clock = FakeClock(START_MS + 10)
        self.clock: Clock = clock or self.fake_clock
        self.game = FakeGame()
        self.ledger = Bank(log, KEYS, BankMetrics(CollectorRegistry()))
        self.bank = DirectBank(self.ledger)
        self.service = AuctionService(
            Transactor(log, KEYS, AuctionFold(), clock=self.clock),
            self.game,
            self.bank,
            AuctionMetrics(CollectorRegistry()),
            self.clock,
        )
        self.caller = Caller(log, self.game_id)
        self._commands = 0

    def other(self) -> House:
        """Return another process that serves the same game."""
        twin = House(self.log, "other", self.clock)
        twin.game_id = self.game_id
        twin.fake_clock = self.fake_clock
        twin.caller = self.caller
        return twin

    async def seat(self, seats: int, cash: int) -> None:
        """Open the accounts of a new game."""
        await self.caller.commit(self.ledger, *opening(seats, cash))

    async def put_up(
        self,
        bidders: Sequence[int],
        available: Sequence[int],
        *,
        auction: int = 1,
        close_ms: int = CLOSE_MS,
        **terms: object,
    ) -> Composition:
        """Open an auction as the game service does: propose, and append what came of it."""
        ask = OpenAuction(auction, LOT, list(bidders), 1, 1, close_ms)
        for name, value in terms.items():
            setattr(ask, name, value)
        now_ms = self.clock.now_ms()
        await self.caller.catch_up()
        head = self.caller.head
        whole = await self.service.propose(
            self.game_id, head.version, now_ms, [Step(ask, list(available), self.game.limits)]
        )
        assert isinstance(whole, Composition), whole
        sections = [auction_section(whole.events), deadlines_section(whole.deadlines, [])]
        commit = build_commit(
            KEYS,
            self.game_id,
            self.caller.command(),
            sections,
            previous_version=head.version,
            previous_hash=head.hash,
            previous_time_ms=head.time_ms,
            now_ms=now_ms,
        )
        assert isinstance(await self.log.append(self.game_id, commit.data, head.sequence), Appended)
        await self.caller.catch_up()
        return whole

    async def bid(self, seat: int, amount: int, command_id: str = "") -> Answer:
        """Bid for a seat, now."""
        return await self._act(seat, PlaceBid(LOT, amount), command_id, str(amount).encode())

    async def skip(self, seat: int, command_id: str = "") -> Answer:
        """Pass for a seat, now."""
        return await self._act(seat, PassAuction(LOT), command_id, b"pass")

    async def state(self) -> GameState:
        """Return the newest state."""
        return (await self.service.view(self.game_id)).state

    async def _act(
        self, seat: int, action: PlaceBid | PassAuction, command_id: str, content: bytes
    ) -> Answer:
        self._commands += 1
        command = Command(
            command_id or f"c{id(self)}-{self._commands}",
            request_hash(content),
            actor=f"seat-{seat}",
            received_at_ms=self.clock.now_ms(),
        )
        return await self.service.act(self.game_id, seat, command, action)
