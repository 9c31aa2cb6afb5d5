"""BankService, what clients may ask: translation only.

Anybody who knows a game's id may read its ledger, but for what is on accounts that were opened as private:
that is for the holder of the seat's token, until balances are disclosed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from magnate.bank.domain.accounts import seat_account
from magnate.bank.domain.statement import trial_balance
from magnate.bank.queries import check_account
from magnate.bank.v1 import bank_pb2, bank_pb2_grpc
from magnate.kit.observe.logging import bind
from magnate.kit.rpc.call import principal

if TYPE_CHECKING:
    from magnate.bank.domain.ledger import State
    from magnate.bank.domain.statement import Line
    from magnate.bank.queries import Queries
    from magnate.kit.rpc.interceptors import Context


class BankServicer(bank_pb2_grpc.BankServiceServicer):
    """BankService."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    async def GetBalances(  # noqa: N802 - the name in the proto
        self, request: bank_pb2.GetBalancesRequest, context: Context
    ) -> bank_pb2.GetBalancesResponse:
        """Return every account's figures at a version."""
        del context
        bind(game_id=request.game_id)
        ledger = await self._queries.ledger(request.game_id, request.version)
        hidden = ledger.private - {own_account(request.game_id)}
        response = bank_pb2.GetBalancesResponse()
        response.game_id = request.game_id
        response.version = ledger.version
        response.commit_time.CopyFrom(timestamp(ledger.time_ms))
        for account, name in enumerate(ledger.state.names):
            balance = response.balances.add()
            if name in hidden:
                write_account(balance, ledger.state, account)
                balance.hidden = True
            else:
                write_balance(balance, ledger.state, account)
        return response

    async def GetStatement(  # noqa: N802 - the name in the proto
        self, request: bank_pb2.GetStatementRequest, context: Context
    ) -> bank_pb2.GetStatementResponse:
        """Return a page of a statement."""
        del context
        bind(game_id=request.game_id)
        page = await self._queries.statement(
            request.game_id,
            request.account,
            request.version,
            request.page_size,
            request.page_token,
            own=own_account(request.game_id),
        )
        response = bank_pb2.GetStatementResponse()
        response.game_id = request.game_id
        response.version = page.version
        response.next_page_token = page.next_page_token
        for line in page.lines:
            write_line(response.lines.add(), line)
        return response

    async def GetTrialBalance(  # noqa: N802 - the name in the proto
        self, request: bank_pb2.GetTrialBalanceRequest, context: Context
    ) -> bank_pb2.GetTrialBalanceResponse:
        """Return the trial balance at a version."""
        del context
        bind(game_id=request.game_id)
        ledger = await self._queries.ledger(request.game_id, request.version)
        hidden = ledger.private - {own_account(request.game_id)}
        balance = trial_balance(ledger.state)
        response = bank_pb2.GetTrialBalanceResponse()
        response.game_id = request.game_id
        response.version = ledger.version
        response.debit_total = balance.debit_total
        response.credit_total = balance.credit_total
        response.entries = ledger.state.entries
        for account, debit, credit in balance.rows:
            row = response.rows.add()
            row.account = account
            if account in hidden:
                row.hidden = True
            else:
                row.debit = debit
                row.credit = credit
        return response

    async def ListHolds(  # noqa: N802 - the name in the proto
        self, request: bank_pb2.ListHoldsRequest, context: Context
    ) -> bank_pb2.ListHoldsResponse:
        """Return the holds that are open at a version."""
        del context
        bind(game_id=request.game_id)
        check_account(request.account)
        ledger = await self._queries.ledger(request.game_id, request.version)
        response = bank_pb2.ListHoldsResponse()
        response.game_id = request.game_id
        response.version = ledger.version
        for hold in ledger.state.holds.values():
            account = ledger.state.names[hold.account]
            if request.account and request.account != account:
                continue
            added = response.holds.add()
            added.hold_id = hold.hold_id
            added.account = account
            added.amount = hold.amount
            added.placed_version = hold.placed_version
            if hold.expires_at_ms:
                added.expire_time.CopyFrom(timestamp(hold.expires_at_ms))
        return response


def own_account(game_id: str) -> str:
    """Return the account of the seat whose token the caller shows, empty if it shows none of this game."""
    caller = principal()
    return seat_account(caller.seat) if caller.kind == "seat" and caller.game_id == game_id else ""


def timestamp(time_ms: int) -> Timestamp:
    """Return milliseconds since the Unix epoch as a Timestamp."""
    return Timestamp(seconds=time_ms // 1000, nanos=time_ms % 1000 * 1_000_000)


def write_balance(message: bank_pb2.Balance, state: State, account: int) -> None:
    """Write an account's figures; the bank's available is what it stands at, though it may spend more."""
    write_account(message, state, account)
    message.posted = state.posted[account]
    message.held = state.held[account]
    message.available = state.posted[account] - state.held[account]


def write_account(message: bank_pb2.Balance, state: State, account: int) -> None:
    """Write what everybody may know of an account."""
    message.account = state.names[account]
    message.kind = bank_pb2.AccountKind.ValueType(state.kinds[account])
    message.closed = state.closed[account]


def write_line(message: bank_pb2.StatementLine, line: Line) -> None:
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
