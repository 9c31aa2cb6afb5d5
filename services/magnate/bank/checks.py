"""What a commit asked of the bank must be like; anything else is the fault of the service that asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.domain.limits import INSTRUCTIONS_MAX
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.ids import InvalidIdError, check_command_id, parse_game_id
from magnate.kit.log.commit import KIND_NAMES, LEDGER, SALT_BYTES, ZERO_HASH

if TYPE_CHECKING:
    from magnate.bank.asks import CommitAsk, Head


def check_ask(ask: CommitAsk) -> None:
    """Raise InvalidArgumentError, which names the field, unless the commit is well formed."""
    check_game_id(ask.game_id)
    try:
        check_command_id(ask.command.command_id)
    except InvalidIdError as error:
        raise InvalidArgumentError("command.command_id", str(error)) from error
    check_head(ask.head)
    if len(ask.instructions) > INSTRUCTIONS_MAX:
        raise InvalidArgumentError(
            "instructions", f"are {len(ask.instructions)}; at most {INSTRUCTIONS_MAX} are taken at once"
        )
    for name, sections in (("sections", ask.sections), ("secret_sections", ask.secret_sections)):
        for section in sections:
            if section.kind == LEDGER or section.kind not in KIND_NAMES or section.version < 1:
                raise InvalidArgumentError(name, f"hold {section!r}, which is not for others to write")
    if ask.secret_sections and len(ask.salt) != SALT_BYTES:
        raise InvalidArgumentError("salt", f"has {len(ask.salt)} bytes; secret sections need {SALT_BYTES}")


def check_head(head: Head) -> None:
    """Raise InvalidArgumentError unless the parts of a head agree with each other."""
    new = head.version == 0
    if new != (head.sequence == 0) or head.ledger_version > head.version or len(head.hash) != len(ZERO_HASH):
        raise InvalidArgumentError(
            "head",
            f"version {head.version}, sequence {head.sequence}, ledger_version {head.ledger_version} and "
            f"{len(head.hash)} bytes of hash do not belong together",
        )
    if new and head.hash != ZERO_HASH:
        raise InvalidArgumentError("head.hash", "is not zero, but version is 0")


def check_game_id(game_id: str, field: str = "game_id") -> None:
    """Raise InvalidArgumentError unless this is the id of a log."""
    try:
        parse_game_id(game_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(field, str(error)) from error


def check_ledger_id(ledger_id: str) -> None:
    """Raise InvalidArgumentError unless this can be the id of a ledger."""
    check_game_id(ledger_id, "ledger_id")
