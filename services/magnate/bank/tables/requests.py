"""Reads requests into values, and says which field is wrong when one is."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from magnate.bank.tables.events import TableOpened
from magnate.bank.tables.limits import (
    NAME_CHARS_MAX,
    NOTE_CHARS_MAX,
    OPEN_COMMAND_ID_CHARS_MIN,
    PIN_DIGITS_MAX,
    PIN_DIGITS_MIN,
    PLAYERS_MAX,
    UNIT_NAME_CHARS_MAX,
)
from magnate.bank.tables.service import Opening
from magnate.bank.tables.state import MODEL_NONE, MODELS
from magnate.bank.terminal import step
from magnate.bank.terminal.edition import EDITIONS, TOUCH, own_edition
from magnate.bank.v1 import terminal_pb2
from magnate.kit.errors import InvalidArgumentError, RefusedError
from magnate.kit.ids import InvalidIdError, check_sent_command_id, derived_id, parse_game_id, request_hash
from magnate.kit.log.commit import Command
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

KEYS: Final[dict[int, str]] = {
    **{terminal_pb2.Key.Value(f"KEY_{digit}"): digit for digit in step.DIGITS},
    terminal_pb2.KEY_POINT: step.POINT,
    terminal_pb2.KEY_M: step.MILLION,
    terminal_pb2.KEY_K: step.THOUSAND,
    terminal_pb2.KEY_CLEAR: step.CLEAR,
    terminal_pb2.KEY_ARROW: step.ARROW,
    terminal_pb2.KEY_PLUS: step.PLUS,
    terminal_pb2.KEY_MINUS: step.MINUS,
    terminal_pb2.KEY_THREE: step.THREE,
    terminal_pb2.KEY_TICK: "TICK",
    terminal_pb2.KEY_CROSS: "CROSS",
}
"""Keys as the machines call them."""

SLOTS: Final[dict[int, int]] = {terminal_pb2.SLOT_LEFT: step.LEFT, terminal_pb2.SLOT_RIGHT: step.RIGHT}

_DIGEST_CHARS: Final = 32
_SECRET_FIELDS: Final = frozenset({"secret", "pin", "old_pin", "new_pin"})


def read_table_id(table_id: str, field: str = "table_id") -> str:
    """Return the id if it can be one of a table."""
    try:
        parse_game_id(table_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(field, str(error)) from None
    return table_id


def read_command_id(command_id: str) -> str:
    """Return the id of a command if it can be one."""
    try:
        return check_sent_command_id(command_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(error.field, str(error)) from None


def digest_id(kind: str, *parts: str) -> str:
    """Return the id that is stored of a command that is answered with a token.

    The log is open to all; from a digest nobody can make the request again.
    """
    return derived_id(kind, hashlib.sha256("|".join(parts).encode()).hexdigest()[:_DIGEST_CHARS])


def read_command(
    command_id: str,
    request: Message,
    *,
    actor: str,
    received_at_ms: int,
    seen_version: int = 0,
    veil: bytes = b"",
) -> Command:
    """Return the command of a request; `veil` stands for its secrets, which are not hashed as they are."""
    content = type(request)()
    content.CopyFrom(request)
    _bare(content)
    return Command(
        command_id,
        request_hash(actor.encode(), content.SerializeToString(deterministic=True), veil),
        actor=actor,
        received_at_ms=received_at_ms,
        seen_version=seen_version,
    )


def _bare(message: Message) -> None:
    """Take out what names the attempt, and what is secret."""
    for field, value in message.ListFields():
        if field.name in {"command_id", "seen_version"} or field.name in _SECRET_FIELDS:
            message.ClearField(field.name)
        elif field.message_type is not None and not field.is_repeated:
            _bare(value)


def read_opening(request: terminal_pb2.OpenTableRequest) -> Opening:
    """Return what a caller asks for who opens a table.

    Raises:
        InvalidArgumentError: names the field. RefusedError: UNKNOWN_EDITION.
    """
    if len(read_command_id(request.command_id)) < OPEN_COMMAND_ID_CHARS_MIN:
        detail = f"has to be {OPEN_COMMAND_ID_CHARS_MIN} characters or more: it stands for the banker's token"
        raise InvalidArgumentError("command_id", detail)
    players = read_players(request.players)
    opened = _read_edition(request) if request.edition else _read_own(request)
    if opened.model != MODEL_NONE and opened.model not in MODELS:
        raise InvalidArgumentError("model", f"{opened.model} is no unit this server knows")
    if MODELS.get(opened.model) == TOUCH:
        if EDITIONS.get(opened.edition, EDITIONS["classic"]).model != TOUCH:
            raise InvalidArgumentError("model", "the touch unit is of the edition ultimate-banking alone")
        opened.in_game = True
    return Opening(opened, players)


def _read_edition(request: terminal_pb2.OpenTableRequest) -> TableOpened:
    edition = EDITIONS.get(request.edition)
    if edition is None:
        known = ", ".join(sorted(EDITIONS))
        detail = f"there is no edition {request.edition!r}; there are {known}"
        raise RefusedError(Rejection(names.UNKNOWN_EDITION, detail))
    own = [name for name in ("opening_amount", "go_amount") if getattr(request, name)]
    if request.HasField("currency"):
        own.append("currency")
    if own:
        raise InvalidArgumentError(own[0], "is of tables with own amounts; this one has an edition")
    by_name = {name: number for number, name in MODELS.items()}
    return TableOpened(
        edition.edition_id,
        edition.currency,
        edition.scale,
        edition.opening_amount,
        edition.go_amount,
        request.model or by_name[edition.model],
        shared_unit=request.shared_unit,
    )


def _read_own(request: terminal_pb2.OpenTableRequest) -> TableOpened:
    unit, scale = request.currency.unit, request.currency.scale or 1
    if len(unit) > UNIT_NAME_CHARS_MAX or not unit.isprintable():
        detail = f"has at most {UNIT_NAME_CHARS_MAX} printable characters, not {unit[:20]!r}"
        raise InvalidArgumentError("currency.unit", detail)
    model = request.model or terminal_pb2.UNIT_MODEL_TWO_SLOT
    try:
        edition = own_edition(
            unit, scale, request.opening_amount, request.go_amount, MODELS.get(model, "none")
        )
    except ValueError as error:
        field, _, detail = str(error).partition(": ")
        raise InvalidArgumentError("currency.scale" if field == "scale" else field, detail) from None
    return TableOpened(
        "",
        edition.currency,
        edition.scale,
        edition.opening_amount,
        edition.go_amount,
        model,
        shared_unit=request.shared_unit,
    )


def read_players(players: Sequence[str]) -> list[str]:
    """Return the names of those who get cards."""
    if not 1 <= len(players) <= PLAYERS_MAX:
        raise InvalidArgumentError("players", f"are {len(players)}; a table has 1 to {PLAYERS_MAX} at first")
    found: list[str] = []
    for number, name in enumerate(players):
        if read_name(f"players[{number}]", name) in found:
            raise InvalidArgumentError(f"players[{number}]", f"{name!r} is there twice")
        found.append(name)
    return found


def read_name(field: str, name: str) -> str:
    """Return a player's name."""
    if not 0 < len(name) <= NAME_CHARS_MAX or not name.isprintable() or name != name.strip():
        detail = f"has 1 to {NAME_CHARS_MAX} printable characters and no blanks around, not {name[:40]!r}"
        raise InvalidArgumentError(field, detail)
    return name


def read_note(note: str) -> str:
    """Return what is said about an operation that is taken back."""
    if len(note) > NOTE_CHARS_MAX or not note.isprintable():
        raise InvalidArgumentError("note", f"has at most {NOTE_CHARS_MAX} printable characters")
    return note


def read_pin(field: str, pin: str) -> str:
    """Return a PIN, or the empty text that stands for none. It is never shown in an error."""
    if pin and not (PIN_DIGITS_MIN <= len(pin) <= PIN_DIGITS_MAX and pin.isascii() and pin.isdecimal()):
        raise InvalidArgumentError(field, f"has {PIN_DIGITS_MIN} to {PIN_DIGITS_MAX} digits")
    return pin


def read_key(field: str, key: int) -> str:
    """Return a key's name."""
    name = KEYS.get(key)
    if name is None:
        raise InvalidArgumentError(field, f"{key} is no key of any unit")
    return name


def read_slot(field: str, slot: int) -> int:
    """Return a slot's number."""
    number = SLOTS.get(slot)
    if number is None:
        raise InvalidArgumentError(field, f"{slot} is no slot of any unit")
    return number
