"""Calls on a bank's ledgers: open one, post to it, read any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.v1 import bank_pb2, ledger_pb2, ledger_pb2_grpc, terminal_pb2
from magnate.client.session import RETRY_SECONDS_MAX, Connection, new_command_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class LedgerSession(Connection):
    """One connection to a bank. `async with LedgerSession(address) as session: …`."""

    def __init__(self, address: str, *, retry_seconds: float = RETRY_SECONDS_MAX) -> None:
        super().__init__(address, retry_seconds=retry_seconds)
        self.stub = ledger_pb2_grpc.LedgerServiceStub(self._channel)

    async def open(
        self, accounts: Iterable[str], *, unit: str = "", scale: int = 1, private: bool = False
    ) -> ledger_pb2.OpenLedgerResponse:
        """Open a stand-alone ledger; the answer has its id and the tokens."""
        request = ledger_pb2.OpenLedgerRequest(
            command_id=new_command_id(),
            currency=terminal_pb2.Currency(unit=unit, scale=scale),
            accounts=[ledger_pb2.NewAccount(account=name, private=private) for name in accounts],
        )
        return await self.command(self.stub.OpenLedger, request)

    async def post(
        self,
        ledger_id: str,
        token: str,
        instructions: Sequence[bank_pb2.Instruction],
        *,
        all_or_none: bool = False,
        command_id: str = "",
    ) -> ledger_pb2.PostResponse:
        """Post a batch; its id stays the same over retries, so it has one effect."""
        request = post_request(ledger_id, instructions, all_or_none=all_or_none, command_id=command_id)
        return await self.ask(self.stub.Post, request, token)

    async def balances(
        self, ledger_id: str, version: int = 0, *, token: str = ""
    ) -> dict[str, ledger_pb2.Balance]:
        """Return the accounts by their names, at a version or as they are now."""
        request = ledger_pb2.GetBalancesRequest(ledger_id=ledger_id, version=version)
        answer = await self.ask(self.stub.GetBalances, request, token)
        return {one.account: one for one in answer.balances}

    async def statement(
        self,
        ledger_id: str,
        account: str = "",
        *,
        counterparty: str = "",
        reason: str = "",
        token: str = "",
    ) -> list[ledger_pb2.StatementLine]:
        """Return all entries that the filters let pass, oldest first, whatever number of pages they fill."""
        request = ledger_pb2.GetStatementRequest(
            ledger_id=ledger_id, account=account, counterparty=counterparty, reason=reason, page_size=1000
        )
        lines: list[ledger_pb2.StatementLine] = []
        while True:
            page = await self.ask(self.stub.GetStatement, request, token)
            lines.extend(page.lines)
            if not page.next_page_token:
                return lines
            request.page_token = page.next_page_token

    async def proof(
        self, ledger_id: str, entry_id: str, head_version: int = 0
    ) -> ledger_pb2.GetEntryProofResponse:
        """Return what proves an entry; `magnate.client.proof` verifies it."""
        request = ledger_pb2.GetEntryProofRequest(
            ledger_id=ledger_id, entry_id=entry_id, head_version=head_version
        )
        return await self.ask(self.stub.GetEntryProof, request)


def post_request(
    ledger_id: str,
    instructions: Sequence[bank_pb2.Instruction],
    *,
    all_or_none: bool = False,
    command_id: str = "",
    token: str = "",
) -> ledger_pb2.PostRequest:
    """Return a batch to be posted, with a fresh command id unless one is given."""
    return ledger_pb2.PostRequest(
        ledger_id=ledger_id,
        command_id=command_id or new_command_id(),
        instructions=instructions,
        all_or_none=all_or_none,
        token=token,
    )


def transfer(
    debit: str,
    credit: str,
    amount: int,
    reason: str = "transfer",
    *,
    transfer_id: str = "",
    up_to: bool = False,
    linked: bool = False,
) -> bank_pb2.Instruction:
    """Return the instruction to move money, with a fresh id unless one is given."""
    return bank_pb2.Instruction(
        linked=linked,
        transfer=bank_pb2.Transfer(
            debit=debit,
            credit=credit,
            amount=amount,
            reason=reason,
            transfer_id=transfer_id or new_command_id(),
            up_to=up_to,
        ),
    )
