"""A caller of the bank, as the game service is one: it folds the log itself and names the head it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.asks import CommitAsk, Committed, Head
from magnate.bank.domain.instructions import Instruction, OpenAccount, Transfer
from magnate.kit.ids import derive_game_id, request_hash
from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import LEDGER, RULES, ZERO_HASH, Command, Section, build_commit, parse_commit
from magnate.kit.log.port import Appended

if TYPE_CHECKING:
    from magnate.bank.asks import CommitAnswer
    from magnate.bank.service import Bank
    from magnate.kit.log.port import Log

KEYS = KeyRing("k1", {"k1": b"k" * 32})
START_MS = 1_700_000_000_000


def new_game(name: str) -> str:
    """Return the id of a game by any name."""
    return derive_game_id("main", "tester", name, epoch=1, shards=4)


def opening(seats: int = 2, cash: int = 1500) -> list[Instruction]:
    """Return the instructions that set a table: accounts and starting money."""
    names = ["bank", *(f"seat-{seat}" for seat in range(seats)), "pot-parking"]
    asks: list[Instruction] = [OpenAccount(name) for name in names]
    return [*asks, *(Transfer("bank", f"seat-{seat}", cash, "start") for seat in range(seats))]


class Caller:
    """Writes to one game, through the bank or by itself, and keeps the head it knows."""

    def __init__(self, log: Log, game_id: str) -> None:
        self.log = log
        self.game_id = game_id
        self.head = Head(0, 0, ZERO_HASH, 0, 0)
        self._made = 0

    def command(self, command_id: str = "", content: bytes = b"") -> Command:
        """Return a command, of a fresh id unless one is given."""
        self._made += 1
        name = command_id or f"{id(self)}-{self._made}"
        return Command(name, request_hash(content), actor="seat:0", received_at_ms=START_MS)

    def ask(
        self,
        *instructions: Instruction,
        command: Command | None = None,
        batch: bool = False,
        head: Head | None = None,
    ) -> CommitAsk:
        """Return a commit to be asked for, on the head this caller knows."""
        return CommitAsk(
            self.game_id,
            head or self.head,
            command or self.command(),
            START_MS + 1,
            [Section(RULES, 1, b"")],
            list(instructions),
            batch=batch,
        )

    async def commit(self, bank: Bank, *instructions: Instruction, command_id: str = "") -> CommitAnswer:
        """Ask the bank, and move on to the new head if it committed."""
        answer = await bank.commit(self.ask(*instructions, command=self.command(command_id)))
        if isinstance(answer, Committed):
            self.saw(answer.data, answer.sequence)
        return answer

    def saw(self, data: bytes, sequence: int) -> None:
        """Move on to the head that these stored bytes are."""
        commit = parse_commit(KEYS, self.game_id, data, sequence)
        ledger_version = self.head.ledger_version if commit.section(LEDGER) is None else commit.version
        self.head = Head(commit.version, sequence, commit.hash, commit.time_ms, ledger_version)

    async def append_without_money(self) -> None:
        """Append a commit without the bank, as the owner of a command that moves no money does."""
        head = self.head
        commit = build_commit(
            KEYS,
            self.game_id,
            self.command(),
            [Section(RULES, 1, b"")],
            previous_version=head.version,
            previous_hash=head.hash,
            previous_time_ms=head.time_ms,
            now_ms=START_MS,
        )
        result = await self.log.append(self.game_id, commit.data, head.sequence)
        assert isinstance(result, Appended), result
        self.saw(commit.data, result.sequence)

    async def catch_up(self) -> None:
        """Read what was stored after the known head."""
        for stored in await self.log.load(self.game_id, self.head.sequence):
            self.saw(stored.data, stored.sequence)
