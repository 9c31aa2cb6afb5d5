"""Reads requests of LedgerService into values, and says which field is wrong when one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.bank.checks import check_ledger_id
from magnate.bank.domain.accounts import KIND_INVALID, kind_of
from magnate.bank.domain.batch import id_of
from magnate.bank.domain.instructions import (
    CaptureHold,
    Instruction,
    OpenAccount,
    OpenLedger,
    PlaceHold,
    ReleaseHold,
    RevealHold,
    Transfer,
)
from magnate.bank.domain.limits import ACCOUNTS_MAX, EXPIRY_MS_MAX, INSTRUCTIONS_MAX
from magnate.bank.instructions_codec import read_instruction
from magnate.bank.posting import OPENING_ID_CHARS_MIN, Batch
from magnate.bank.tables.pending import OF_AUCTIONS
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.ids import InvalidIdError, check_sent_command_id, request_hash
from magnate.kit.log.commit import Command

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from magnate.bank.v1 import ledger_pb2

    AtATime: TypeAlias = (
        ledger_pb2.GetBalancesRequest | ledger_pb2.GetTrialBalanceRequest | ledger_pb2.ListHoldsRequest
    )

RESERVED: Final = ("terminal:", OF_AUCTIONS)
"""How the ids begin of what a table's unit posts, and its auctions."""


def read_time(request: AtATime) -> int | None:
    """Return the time that is asked for in milliseconds since the Unix epoch, None if none is."""
    if not request.HasField("time"):
        return None
    time_ms = request.time.seconds * 1000 + request.time.nanos // 1_000_000
    if not 0 <= time_ms <= EXPIRY_MS_MAX or not 0 <= request.time.nanos < 1_000_000_000:
        raise InvalidArgumentError("time", "is not a time from the year 1970 to the year 9999")
    return time_ms


def read_command(
    command_id: str, content: bytes, *, actor: str, received_at_ms: int, seen_version: int = 0
) -> Command:
    """Return the command of a request; `content` is what must be the same when the id comes again."""
    try:
        check_sent_command_id(command_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(error.field, str(error)) from None
    return Command(
        command_id,
        request_hash(actor.encode(), content),
        actor=actor,
        received_at_ms=received_at_ms,
        seen_version=seen_version,
    )


def content_of(request: Message, *without: str) -> bytes:
    """Return the bytes of a request without these fields, which name the attempt and are no content."""
    copy = type(request)()
    copy.CopyFrom(request)
    for name in without:
        copy.ClearField(name)
    return copy.SerializeToString(deterministic=True)


def read_opening(request: ledger_pb2.OpenLedgerRequest) -> tuple[OpenLedger, list[OpenAccount]]:
    """Return what a caller asks for who opens a ledger."""
    if len(request.command_id) < OPENING_ID_CHARS_MIN:
        detail = f"is shorter than {OPENING_ID_CHARS_MIN} characters; it must not be guessed, so draw it"
        raise InvalidArgumentError("command_id", detail)
    if len(request.accounts) >= ACCOUNTS_MAX:
        detail = f"are {len(request.accounts)}; at most {ACCOUNTS_MAX - 1} fit besides the bank's"
        raise InvalidArgumentError("accounts", detail)
    accounts = []
    for place, one in enumerate(request.accounts):
        if kind_of(one.account) == KIND_INVALID or one.account == "bank":
            detail = f"{one.account!r} is not seat-<n>, pot-<name> or escrow-<name>"
            raise InvalidArgumentError(f"accounts[{place}].account", detail)
        accounts.append(OpenAccount(one.account, one.private))
    return OpenLedger(request.currency.unit, request.currency.scale or 1, standalone=True), accounts


def read_batch(request: ledger_pb2.PostRequest) -> Batch:
    """Return a batch."""
    check_ledger_id(request.ledger_id)
    total = len(request.instructions)
    if not 1 <= total <= INSTRUCTIONS_MAX:
        raise InvalidArgumentError("instructions", f"are {total}, not from 1 to {INSTRUCTIONS_MAX}")
    asks: list[Instruction] = []
    for place, message in enumerate(request.instructions):
        ask = read_instruction(place, message)
        if isinstance(ask, Transfer | CaptureHold) and not ask.transfer_id:
            kind = "transfer" if isinstance(ask, Transfer) else "capture_hold"
            field = f"instructions[{place}].{kind}.transfer_id"
            raise InvalidArgumentError(field, "is missing; it keeps the transfer from being made twice")
        if isinstance(ask, RevealHold) or (isinstance(ask, PlaceHold) and ask.concealed):
            raise InvalidArgumentError(f"instructions[{place}]", "concealed holds are for auctions only")
        if isinstance(ask, CaptureHold | ReleaseHold) and ask.hold_id.startswith(RESERVED):
            what = "the hold is behind a bid; it ends with it (CancelAuction)"
            raise InvalidArgumentError(f"instructions[{place}]", what)
        if id_of(ask).startswith(RESERVED):
            what = f"ids that begin with {' or '.join(RESERVED)} are for units and auctions, not for clients"
            raise InvalidArgumentError(f"instructions[{place}]", what)
        asks.append(ask)
    if request.all_or_none:
        links = [True] * (total - 1) + [False]
    else:
        links = [message.linked for message in request.instructions]
    return Batch(request.ledger_id, asks, links)
