"""The bank as game and auction know it: instructions as plain values, and the client of its open streams."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, final

from magnate.bank.v1 import bank_pb2, bank_pb2_grpc
from magnate.kit.errors import KitError
from magnate.kit.log.commit import SALT_BYTES
from magnate.kit.rpc.exchange import PeerUnavailableError
from magnate.kit.rpc.status import RemoteError
from magnate.kit.rpc.streams import Streams
from magnate.kit.transact_types import CommitMoved, CommitRefused, Committed, CommitUnknown
from magnate.rules.rejections import REJECTIONS, Rejection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import Command, Section
    from magnate.kit.log.fold import Loaded
    from magnate.kit.rpc.channels import Peers
    from magnate.kit.transact_types import CommitOutcome
    from magnate.log.v1 import log_pb2

_TROUBLE: Final = frozenset({"UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "CANCELLED"})


class UnexpectedAnswerError(KitError):
    """The bank answered what the protocol does not foresee: a bug, or a newer release."""


@final
class Pay:
    """Move money between two accounts; by its id, if it has one, it can be taken back."""

    __slots__ = ("amount", "credit", "debit", "reason", "transfer_id")

    def __init__(self, debit: str, credit: str, amount: int, reason: str, transfer_id: str = "") -> None:
        self.debit = debit
        self.credit = credit
        self.amount = amount
        self.reason = reason
        self.transfer_id = transfer_id


@final
class Place:
    """Reserve money of an account; `concealed`: nobody but its own seat sees it until it is revealed."""

    __slots__ = ("account", "amount", "concealed", "hold_id")

    def __init__(self, hold_id: str, account: str, amount: int, *, concealed: bool = False) -> None:
        self.hold_id = hold_id
        self.account = account
        self.amount = amount
        self.concealed = concealed


@final
class Reveal:
    """Make a concealed hold one that everybody sees."""

    __slots__ = ("hold_id",)

    def __init__(self, hold_id: str) -> None:
        self.hold_id = hold_id


@final
class Capture:
    """Pay from a hold; what is not paid is released. By its id, if it has one, it can be taken back."""

    __slots__ = ("amount", "credit", "hold_id", "reason", "transfer_id")

    def __init__(self, hold_id: str, credit: str, amount: int, reason: str, transfer_id: str = "") -> None:
        self.hold_id = hold_id
        self.credit = credit
        self.amount = amount
        self.reason = reason
        self.transfer_id = transfer_id


@final
class Release:
    """Give back a hold."""

    __slots__ = ("hold_id",)

    def __init__(self, hold_id: str) -> None:
        self.hold_id = hold_id


@final
class Open:
    """Open an account; what is on a private one only its seat may see, until balances are disclosed."""

    __slots__ = ("account", "private")

    def __init__(self, account: str, *, private: bool = False) -> None:
        self.account = account
        self.private = private


@final
class Currency:
    """Name the currency of a game's ledger: `scale` of its `unit` are one whole number."""

    __slots__ = ("scale", "unit")

    def __init__(self, unit: str, scale: int) -> None:
        self.unit = unit
        self.scale = scale


@final
class Disclose:
    """Let everybody see what private accounts have and had."""

    __slots__ = ()


Instruction: TypeAlias = Pay | Place | Reveal | Capture | Release | Currency | Open | Disclose


class BankPeer(Protocol):
    """The bank."""

    async def commit(
        self,
        loaded: Loaded[Any],
        command: Command,
        now_ms: int,
        sections: Sequence[Section],
        instructions: Sequence[Instruction],
        secret_sections: Sequence[Section] = (),
    ) -> CommitOutcome[Rejection]:
        """Check funds and holds, add the ledger section to the others, append after `loaded`.

        What is about concealed holds goes to the secret part, beside the secret sections.
        """
        ...


class BankClient:
    """The bank over its open streams, as `BankPeer`."""

    def __init__(self, peers: Peers, keys: KeyRing, service: str) -> None:
        self._streams: Streams[bank_pb2.CommitRequest, bank_pb2.CommitResponse] = Streams(
            "bank", peers, bank_pb2_grpc.BankPeerServiceStub, bank_pb2.ExchangeRequest, keys, service
        )

    async def commit(
        self,
        loaded: Loaded[Any],
        command: Command,
        now_ms: int,
        sections: Sequence[Section],
        instructions: Sequence[Instruction],
        secret_sections: Sequence[Section] = (),
    ) -> CommitOutcome[Rejection]:
        """Have the bank write the commit; what became of it when nobody answers is unknown."""
        ask = commit_request(loaded, command, now_ms, sections, instructions, secret_sections)
        try:
            # Any process may write any commit, and a command twice sent has one effect.
            return commit_outcome(await self._streams.first_answer(loaded.game_id, ask))
        except PeerUnavailableError as error:
            return CommitUnknown(str(error))
        except RemoteError as error:
            if error.code.name not in _TROUBLE:
                raise
            return CommitUnknown(str(error))

    async def close(self) -> None:
        """End the streams."""
        await self._streams.close()


def commit_request(
    loaded: Loaded[Any],
    command: Command,
    now_ms: int,
    sections: Sequence[Section],
    instructions: Sequence[Instruction],
    secret_sections: Sequence[Section] = (),
) -> bank_pb2.CommitRequest:
    """Return the question to the bank."""
    ask = bank_pb2.CommitRequest()
    ask.game_id = loaded.game_id
    head = ask.head
    head.version = loaded.version
    head.sequence = loaded.sequence
    head.hash = loaded.hash
    head.time_ms = loaded.time_ms
    head.ledger_version = loaded.ledger_version
    put_command(command, ask.command)
    ask.received_at_ms = command.received_at_ms
    ask.now_ms = now_ms
    for section in sections:
        added = ask.sections.add()
        added.kind = section.kind  # type: ignore[assignment]  # the same numbers
        added.version = section.version
        added.body = section.body
    for section in secret_sections:
        hidden = ask.secret_sections.add()
        hidden.kind = section.kind  # type: ignore[assignment]
        hidden.version = section.version
        hidden.body = section.body
    if secret_sections:
        ask.salt = secrets.token_bytes(SALT_BYTES)
    for instruction in instructions:
        put_instruction(instruction, ask.instructions.add())
    return ask


def commit_outcome(answer: bank_pb2.CommitResponse) -> CommitOutcome[Rejection]:
    """Return what became of a commit."""
    kind = answer.WhichOneof("outcome")
    if kind == "committed":
        committed = answer.committed
        return Committed(committed.commit, committed.sequence, replayed=committed.replayed)
    if kind in {"conflict", "command_reused"}:
        return CommitMoved()  # the transaction reads on, and finds the command if it is there
    if kind == "refused" and answer.refused.rejection in REJECTIONS:
        refused = answer.refused
        return CommitRefused(Rejection(refused.rejection, refused.detail), refused.head.version)
    raise UnexpectedAnswerError(f"the bank answered {kind}: {answer.refused.rejection}")


def put_command(command: Command, reference: log_pb2.CommandRef) -> None:
    """Store a command as the log does."""
    reference.command_id = command.command_id
    reference.request_hash = command.request_hash
    reference.actor = command.actor
    reference.causation_id = command.causation_id
    reference.correlation_id = command.correlation_id


def put_instruction(instruction: Instruction, message: bank_pb2.Instruction) -> None:
    """Store an instruction in an empty message."""
    if isinstance(instruction, Pay):
        transfer = message.transfer
        transfer.debit = instruction.debit
        transfer.credit = instruction.credit
        transfer.amount = instruction.amount
        transfer.reason = instruction.reason
        transfer.transfer_id = instruction.transfer_id
    elif isinstance(instruction, Place):
        message.place_hold.hold_id = instruction.hold_id
        message.place_hold.account = instruction.account
        message.place_hold.amount = instruction.amount
        message.place_hold.concealed = instruction.concealed
    elif isinstance(instruction, Reveal):
        message.reveal_hold.hold_id = instruction.hold_id
    elif isinstance(instruction, Capture):
        capture = message.capture_hold
        capture.hold_id = instruction.hold_id
        capture.to = instruction.credit
        capture.amount = instruction.amount
        capture.reason = instruction.reason
        capture.transfer_id = instruction.transfer_id
    elif isinstance(instruction, Release):
        message.release_hold.hold_id = instruction.hold_id
    elif isinstance(instruction, Currency):
        message.open_ledger.unit = instruction.unit
        message.open_ledger.scale = instruction.scale
    elif isinstance(instruction, Open):
        message.open_account.account = instruction.account
        message.open_account.private = instruction.private
    else:
        message.disclose_balances.SetInParent()


def get_instruction(message: bank_pb2.Instruction) -> Instruction:
    """Read an instruction that another service proposes."""
    kind = message.WhichOneof("instruction")
    if kind == "transfer":
        one = message.transfer
        return Pay(one.debit, one.credit, one.amount, one.reason, one.transfer_id)
    if kind == "release_hold":
        return Release(message.release_hold.hold_id)
    if kind == "capture_hold":
        won = message.capture_hold
        return Capture(won.hold_id, won.to, won.amount, won.reason, won.transfer_id)
    if kind == "place_hold":
        held = message.place_hold
        return Place(held.hold_id, held.account, held.amount, concealed=held.concealed)
    if kind == "reveal_hold":
        return Reveal(message.reveal_hold.hold_id)
    if kind == "disclose_balances":
        return Disclose()
    raise UnexpectedAnswerError(f"no service proposes the instruction {kind}")
