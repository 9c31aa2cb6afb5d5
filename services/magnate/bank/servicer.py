"""LedgerService, what clients may ask and post: translation only.

Anybody who knows a ledger's id may read it, but for what is on accounts that were opened as private: that is
for the holder of the seat's token, at a stand-alone ledger also for its banker, until balances are disclosed.
The hold behind a sealed bid is for the holder of the seat's token only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.bank.domain.accounts import seat_account
from magnate.bank.domain.statement import Filter, trial_balance
from magnate.bank.export.beancount_journal import BeancountWriter
from magnate.bank.export.exports import Exports
from magnate.bank.export.hledger_journal import HledgerWriter
from magnate.bank.export.json_document import JsonWriter
from magnate.bank.export.sheet import SheetWriter
from magnate.bank.ledger_messages import (
    put_currency,
    timestamp,
    write_account,
    write_balance,
    write_line,
    write_transfer,
)
from magnate.bank.pages import check_account
from magnate.bank.queries import Reader
from magnate.bank.requests import read_time
from magnate.bank.v1 import ledger_pb2, ledger_pb2_grpc
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.observe.logging import bind
from magnate.kit.rpc.call import principal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from magnate.bank.export.document import Writer
    from magnate.bank.poster import Poster
    from magnate.bank.proofs import Proofs
    from magnate.bank.queries import Queries
    from magnate.kit.rpc.interceptors import Context

FORMATS: Final[dict[ledger_pb2.LedgerFormat.ValueType, Callable[[], Writer]]] = {
    ledger_pb2.LEDGER_FORMAT_CSV: SheetWriter,
    ledger_pb2.LEDGER_FORMAT_JSON: JsonWriter,
    ledger_pb2.LEDGER_FORMAT_JOURNAL: BeancountWriter,
    ledger_pb2.LEDGER_FORMAT_HLEDGER: HledgerWriter,
}


class LedgerServicer(ledger_pb2_grpc.LedgerServiceServicer):
    """LedgerService."""

    def __init__(self, queries: Queries, proofs: Proofs, poster: Poster) -> None:
        self._queries = queries
        self._proofs = proofs
        self._poster = poster
        self._exports = Exports(queries)

    async def OpenLedger(  # noqa: N802 - the name in the proto
        self, request: ledger_pb2.OpenLedgerRequest, _context: Context
    ) -> ledger_pb2.OpenLedgerResponse:
        """Open a stand-alone ledger."""
        return await self._poster.open(request, principal())

    async def Post(  # noqa: N802
        self, request: ledger_pb2.PostRequest, _context: Context
    ) -> ledger_pb2.PostResponse:
        """Post a batch."""
        bind(game_id=request.ledger_id, command_id=request.command_id)
        return await self._poster.post(request, principal())

    async def PostStream(  # noqa: N802
        self, request_iterator: AsyncIterator[ledger_pb2.PostStreamRequest], _context: Context
    ) -> AsyncIterator[ledger_pb2.PostStreamResponse]:
        """Post the batches of a stream, those of one ledger in the order in which they came."""
        async for response in self._poster.stream(request_iterator, principal()):
            yield response

    async def GetBalances(  # noqa: N802
        self, request: ledger_pb2.GetBalancesRequest, _context: Context
    ) -> ledger_pb2.GetBalancesResponse:
        """Return every account's figures at a version or a time."""
        bind(game_id=request.ledger_id)
        reader = reader_of(request.ledger_id)
        ledger = await self._queries.ledger(request.ledger_id, request.version, read_time(request), reader)
        hidden = reader.hidden(ledger.private)
        response = ledger_pb2.GetBalancesResponse()
        response.ledger_id = request.ledger_id
        response.version = ledger.version
        response.commit_time.CopyFrom(timestamp(ledger.time_ms))
        response.time.CopyFrom(timestamp(ledger.until_ms))
        response.standalone = ledger.state.standalone
        put_currency(ledger.state, response)
        for account, name in enumerate(ledger.state.names):
            balance = response.balances.add()
            if name in hidden:
                write_account(balance, ledger.state, account)
                balance.hidden = True
            else:
                write_balance(balance, ledger.state, account)
        return response

    async def GetStatement(  # noqa: N802
        self, request: ledger_pb2.GetStatementRequest, _context: Context
    ) -> ledger_pb2.GetStatementResponse:
        """Return a page of a statement."""
        bind(game_id=request.ledger_id)
        page = await self._queries.statement(
            request.ledger_id,
            Filter(request.account, request.counterparty, request.reason),
            request.version,
            request.page_size,
            request.page_token,
            reader=reader_of(request.ledger_id),
        )
        response = ledger_pb2.GetStatementResponse()
        response.ledger_id = request.ledger_id
        response.version = page.version
        response.next_page_token = page.next_page_token
        put_currency(page.state, response)
        for line in page.lines:
            write_line(response.lines.add(), line)
        return response

    async def GetTrialBalance(  # noqa: N802
        self, request: ledger_pb2.GetTrialBalanceRequest, _context: Context
    ) -> ledger_pb2.GetTrialBalanceResponse:
        """Return the trial balance at a version or a time."""
        bind(game_id=request.ledger_id)
        reader = reader_of(request.ledger_id)
        ledger = await self._queries.ledger(request.ledger_id, request.version, read_time(request), reader)
        hidden = reader.hidden(ledger.private)
        balance = trial_balance(ledger.state)
        response = ledger_pb2.GetTrialBalanceResponse()
        response.ledger_id = request.ledger_id
        response.version = ledger.version
        response.debit_total = balance.debit_total
        response.credit_total = balance.credit_total
        response.entries = ledger.state.entries
        put_currency(ledger.state, response)
        for account, debit, credit in balance.rows:
            row = response.rows.add()
            row.account = account
            if account in hidden:
                row.hidden = True
            else:
                row.debit = debit
                row.credit = credit
        return response

    async def ListHolds(  # noqa: N802
        self, request: ledger_pb2.ListHoldsRequest, _context: Context
    ) -> ledger_pb2.ListHoldsResponse:
        """Return the holds that are open at a version or a time."""
        bind(game_id=request.ledger_id)
        check_account(request.account)
        reader = reader_of(request.ledger_id)
        ledger = await self._queries.ledger(request.ledger_id, request.version, read_time(request), reader)
        response = ledger_pb2.ListHoldsResponse()
        response.ledger_id = request.ledger_id
        response.version = ledger.version
        put_currency(ledger.state, response)
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

    async def GetTransfer(  # noqa: N802
        self, request: ledger_pb2.GetTransferRequest, _context: Context
    ) -> ledger_pb2.GetTransferResponse:
        """Return what is known of a transfer."""
        bind(game_id=request.ledger_id)
        known, state = await self._queries.transfer(request.ledger_id, request.transfer_id)
        response = ledger_pb2.GetTransferResponse()
        response.ledger_id = request.ledger_id
        response.transfer_id = request.transfer_id
        put_currency(state, response)
        write_transfer(response, known, state)
        return response

    async def GetEntryProof(  # noqa: N802
        self, request: ledger_pb2.GetEntryProofRequest, _context: Context
    ) -> ledger_pb2.GetEntryProofResponse:
        """Return what proves an entry."""
        bind(game_id=request.ledger_id)
        proof = await self._proofs.prove(request.ledger_id, request.entry_id, request.head_version)
        response = ledger_pb2.GetEntryProofResponse()
        response.ledger_id = request.ledger_id
        response.entry_id = request.entry_id
        response.public = proof.commit.public
        response.secret_digest = proof.commit.secret_digest()
        response.previous_hash = proof.commit.previous_hash
        response.head_version = proof.head_version
        response.head_hash = proof.head_hash
        for public_digest, secret_digest in proof.links:
            link = response.links.add()
            link.public_digest = public_digest
            link.secret_digest = secret_digest
        return response

    async def ExportLedger(  # noqa: N802
        self, request: ledger_pb2.ExportLedgerRequest, _context: Context
    ) -> AsyncIterator[ledger_pb2.ExportLedgerResponse]:
        """Send a whole ledger as a file."""
        bind(game_id=request.ledger_id)
        make = FORMATS.get(request.format)
        if make is None:
            raise InvalidArgumentError("format", f"is {request.format}; known: CSV, JSON, JOURNAL, HLEDGER")
        reader = reader_of(request.ledger_id)
        async for version, text in self._exports.pieces(request.ledger_id, make, request.version, reader):
            response = ledger_pb2.ExportLedgerResponse()
            response.data = text.encode()
            response.version = version
            yield response


def reader_of(ledger_id: str) -> Reader:
    """Return what the caller may see of private accounts, by the token of this ledger, if it shows one."""
    caller = principal()
    if caller.game_id != ledger_id:
        return Reader()
    if caller.kind == "table" and caller.role == "banker":
        return Reader(banker=True)
    return Reader(seat_account(caller.seat) if caller.seat >= 0 else "")
