"""Instructions out of their messages, for the bank's peers and for its clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.domain.instructions import (
    CaptureHold,
    CloseAccount,
    DiscloseBalances,
    Instruction,
    OpenAccount,
    OpenLedger,
    PlaceHold,
    ReleaseHold,
    RevealHold,
    Reverse,
    Transfer,
)
from magnate.kit.errors import InvalidArgumentError

if TYPE_CHECKING:
    from magnate.bank.v1 import bank_pb2


def read_instruction(place: int, message: bank_pb2.Instruction) -> Instruction:
    """Return an instruction; `place` is for the complaint about one of no known kind."""
    kind = message.WhichOneof("instruction")
    if kind == "transfer":
        one = message.transfer
        return Transfer(one.debit, one.credit, one.amount, one.reason, one.transfer_id, one.up_to)
    if kind == "place_hold":
        hold = message.place_hold
        return PlaceHold(hold.hold_id, hold.account, hold.amount, hold.expires_at_ms, hold.concealed)
    if kind == "capture_hold":
        capture = message.capture_hold
        return CaptureHold(capture.hold_id, capture.to, capture.amount, capture.reason, capture.transfer_id)
    if kind == "release_hold":
        return ReleaseHold(message.release_hold.hold_id)
    if kind == "reveal_hold":
        return RevealHold(message.reveal_hold.hold_id)
    if kind == "open_account":
        return OpenAccount(message.open_account.account, message.open_account.private)
    if kind == "close_account":
        return CloseAccount(message.close_account.account)
    if kind == "reverse":
        reverse = message.reverse
        return Reverse(reverse.transfer_id, reverse.reverses, reverse.note)
    if kind == "open_ledger":
        ledger = message.open_ledger
        return OpenLedger(ledger.unit, ledger.scale, ledger.standalone)
    if kind == "disclose_balances":
        return DiscloseBalances()
    raise InvalidArgumentError(f"instructions[{place}]", "is of a kind that this bank does not know")
