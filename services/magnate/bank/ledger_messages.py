"""Ledgers, entries, transfers and results in the words of ledger.proto."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from google.protobuf.timestamp_pb2 import Timestamp

from magnate.bank.domain.known import CAPTURE, HOLD, REVERSAL
from magnate.bank.domain.limits import ACCOUNT_NAME_LENGTH_MAX
from magnate.bank.v1 import bank_pb2, ledger_pb2
from magnate.kit.rpc.status import clipped

if TYPE_CHECKING:
    from magnate.bank.domain.batch import Result
    from magnate.bank.domain.known import Known
    from magnate.bank.domain.ledger import State
    from magnate.bank.domain.statement import Line

    WithCurrency: TypeAlias = (
        ledger_pb2.GetBalancesResponse
        | ledger_pb2.GetStatementResponse
        | ledger_pb2.GetTrialBalanceResponse
        | ledger_pb2.ListHoldsResponse
        | ledger_pb2.GetTransferResponse
    )


def timestamp(time_ms: int) -> Timestamp:
    """Return milliseconds since the Unix epoch as a Timestamp."""
    return Timestamp(seconds=time_ms // 1000, nanos=time_ms % 1000 * 1_000_000)


def put_currency(state: State, response: WithCurrency) -> None:
    """Say how amounts are to be read, if the ledger says it."""
    if state.scale:
        response.currency.unit = state.unit
        response.currency.scale = state.scale


def write_balance(message: ledger_pb2.Balance, state: State, account: int) -> None:
    """Write an account's figures; the bank's available is what it stands at, though it may spend more."""
    write_account(message, state, account)
    message.posted = state.posted[account]
    message.held = state.held[account]
    message.available = state.posted[account] - state.held[account]


def write_account(message: ledger_pb2.Balance, state: State, account: int) -> None:
    """Write what everybody may know of an account."""
    message.account = state.names[account]
    message.kind = bank_pb2.AccountKind.ValueType(state.kinds[account])
    message.closed = state.closed[account]


def write_line(message: ledger_pb2.StatementLine, line: Line) -> None:
    """Write one entry of a statement."""
    message.entry_id = f"{line.version}.{line.index}"
    message.version = line.version
    message.post_time.CopyFrom(timestamp(line.time_ms))
    message.debit = line.debit
    message.credit = line.credit
    message.amount = line.amount
    message.reason = line.reason
    message.balance = line.balance
    message.command_id = line.command_id
    message.hold_id = line.hold_id
    message.transfer_id = line.transfer_id
    message.reverses = line.reverses
    message.note = line.note
    message.actor = line.actor


def write_transfer(message: ledger_pb2.GetTransferResponse, known: Known, state: State) -> None:
    """Write what a transfer id stands for."""
    message.kind = ledger_pb2.TransferKind.ValueType(known.kind)
    message.version = known.version
    message.debit = state.names[known.debit]
    message.amount = known.amount
    message.reason = known.reason
    message.reversed_by = known.reversed_by
    if known.kind != HOLD:
        message.entry_id = f"{known.version}.{known.index}"
        message.credit = state.names[known.credit]
    if known.kind == CAPTURE:
        message.hold_id = known.reference
    elif known.kind == REVERSAL:
        message.reverses = known.reference


def write_result(message: ledger_pb2.PostResult, result: Result) -> None:
    """Write what became of one instruction of a batch."""
    rejection = result.rejection
    if rejection is not None:
        message.rejection = rejection.name
        message.detail = clipped(rejection.detail)  # it may quote what was sent, a thousand times in a batch
        message.account = rejection.account[:ACCOUNT_NAME_LENGTH_MAX]
        return
    if result.index >= 0:
        message.entry_id = f"{result.version}.{result.index}"
    message.moved = result.moved
    message.replayed = result.replayed
