"""What others ask of the bank and what it answers, without protobuf. Plain values; read only."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.domain.batch import Result
    from magnate.bank.domain.instructions import Instruction
    from magnate.bank.domain.rejections import Rejection
    from magnate.kit.log.commit import Command, Section


@final
class Head:
    """Where a game's log ends. All zero for a game that does not exist yet; `hash` has 32 bytes then too."""

    __slots__ = ("hash", "ledger_version", "sequence", "time_ms", "version")

    def __init__(
        self, version: int, sequence: int, commit_hash: bytes, time_ms: int, ledger_version: int
    ) -> None:
        self.version = version
        self.sequence = sequence
        self.hash = commit_hash
        self.time_ms = time_ms
        self.ledger_version = ledger_version


@final
class CommitAsk:
    """A commit to be written after `head`, see CommitRequest in bank.proto."""

    __slots__ = (
        "batch",
        "command",
        "game_id",
        "head",
        "instructions",
        "links",
        "now_ms",
        "salt",
        "secret_sections",
        "sections",
    )

    def __init__(
        self,
        game_id: str,
        head: Head,
        command: Command,
        now_ms: int,
        sections: Sequence[Section],
        instructions: list[Instruction],
        *,
        secret_sections: Sequence[Section] = (),
        salt: bytes = b"",
        batch: bool = False,
        links: list[bool] | None = None,
    ) -> None:
        self.game_id = game_id
        self.head = head
        self.command = command
        self.now_ms = now_ms
        self.sections = sections
        self.instructions = instructions
        self.secret_sections = secret_sections
        self.salt = salt
        self.batch = batch
        self.links = [False] * len(instructions) if links is None else links


@final
class Committed:
    """The commit is in the log: its stored bytes, its sequence, each result of a batch.

    `replayed`: an earlier attempt of the same command wrote it, so the bytes may differ from what was asked,
    and results are not known.
    """

    __slots__ = ("data", "replayed", "results", "sequence")

    def __init__(self, data: bytes, sequence: int, *, replayed: bool, results: list[Result]) -> None:
        self.data = data
        self.sequence = sequence
        self.replayed = replayed
        self.results = results


@final
class Refused:
    """The bank refuses the commit, judging from `head`; nothing was written."""

    __slots__ = ("head", "rejection")

    def __init__(self, rejection: Rejection, head: Head) -> None:
        self.rejection = rejection
        self.head = head


@final
class Moved:
    """The log is further than the caller's head; `head` is the newest the bank knows. Nothing was written."""

    __slots__ = ("head",)

    def __init__(self, head: Head) -> None:
        self.head = head


@final
class Reused:
    """The command id stands for another request, which wrote `version`. Nothing was written."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


CommitAnswer: TypeAlias = Committed | Refused | Moved | Reused
