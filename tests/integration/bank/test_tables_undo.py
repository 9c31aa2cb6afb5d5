"""Taking back at tables over gRPC: one operation after another, and what cannot be taken back."""

from __future__ import annotations

import grpc
import pytest

from magnate.bank.v1 import bank_pb2
from tests.integration.bank.evening import pay
from tests.support.bank_tables import serving
from tests.support.game_api import refused

pytestmark = pytest.mark.asyncio


async def test_undo_takes_back_one_after_another() -> None:
    """The last that stands, never twice, never an undo; everybody sees both in the history."""
    async with serving() as bank:
        table = await bank.open()
        one, two = await pay(table, "1"), await pay(table, "2")
        wrong = await refused(table.do("UndoOperation", version=one.version))
        assert (wrong.code, wrong.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_THE_LAST")
        undone = await table.do("UndoOperation", version=two.version, note="too much")
        assert (undone.operation.kind, undone.operation.reverses) == ("undo", two.version)
        assert [card.balance for card in undone.table.cards] == [16_000, 14_000]
        again = await refused(table.do("UndoOperation", version=undone.operation.version))
        assert again.reason == "NOT_THE_LAST"
        twice = await refused(table.do("UndoOperation", version=two.version))
        assert twice.reason == "NOT_THE_LAST"
        await table.do("UndoOperation", version=one.version)
        assert await table.balances() == [15_000, 15_000]
        nothing = await refused(table.do("UndoOperation", version=1))
        assert nothing.reason == "NOTHING_TO_UNDO"
        history = await table.operations(await table.guest())
        told = [(one.kind, one.reverses, one.reversed_by, one.note) for one in history]
        assert told[1][0] == "undo"
        assert told[1][3] == "too much"
        assert [one.version for one in history if one.reversed_by] == [two.version, one.version]


async def test_undo_never_overdraws() -> None:
    """What was paid and is reserved since cannot be taken back: nothing changes, and later it can."""
    async with serving() as bank:
        table = await bank.open()
        paid = await pay(table, "1")
        hold = bank_pb2.PlaceHold(hold_id="deposit", account="seat-0", amount=15_500)
        await table.post(bank_pb2.Instruction(place_hold=hold))
        wrong = await refused(table.do("UndoOperation", version=paid.version))
        assert (wrong.code, wrong.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "INSUFFICIENT_FUNDS")
        assert (await table.operations())[0].version == paid.version
        release = bank_pb2.ReleaseHold(hold_id="deposit")
        await table.post(bank_pb2.Instruction(release_hold=release))
        await table.do("UndoOperation", version=paid.version)
        assert await table.balances() == [15_000, 15_000]


async def test_what_the_ledger_took_back_is_not_taken_back_again() -> None:
    """A reversal posted by LedgerService counts as an undo: the operation before it is the last then."""
    async with serving() as bank:
        table = await bank.open()
        one, two = await pay(table, "1"), await pay(table, "2")
        back = bank_pb2.Reverse(transfer_id="oops", reverses=f"terminal:{two.version}.0")
        await table.post(bank_pb2.Instruction(reverse=back))
        assert await table.balances() == [16_000, 14_000]
        assert (await refused(table.do("UndoOperation", version=two.version))).reason == "NOT_THE_LAST"
        await table.do("UndoOperation", version=one.version)
        assert await table.balances() == [15_000, 15_000]


async def test_a_transfer_posted_at_a_table() -> None:
    """LedgerService moves money at the table as its banker: one history, and it can be undone there."""
    async with serving() as bank:
        table = await bank.open()
        pay_it = bank_pb2.Transfer(
            transfer_id="t-1", debit="seat-0", credit="seat-1", amount=7, reason="rent"
        )
        await table.post(bank_pb2.Instruction(transfer=pay_it))
        last = (await table.operations())[0]
        assert (last.kind, last.actor) == ("post", "banker")
        await table.do("UndoOperation", version=last.version)
        assert await table.balances() == [15_000, 15_000]
        own = bank_pb2.Transfer(transfer_id="t-2", debit="seat-0", credit="seat-1", amount=7, reason="rent")
        await table.post(bank_pb2.Instruction(transfer=own), await table.claim(0))
        assert (await table.operations())[0].actor == f"card:{table.cards[0]}"


async def test_nothing_is_posted_at_a_table_that_stands_still() -> None:
    """Paused or closed, the ledger's own calls are refused like the unit's; ids of the unit are its own."""
    async with serving() as bank:
        table = await bank.open()
        pay_it = bank_pb2.Transfer(
            transfer_id="t-1", debit="seat-0", credit="seat-1", amount=7, reason="rent"
        )
        taken = bank_pb2.Transfer(
            transfer_id="terminal:2.0", debit="seat-0", credit="seat-1", amount=7, reason="rent"
        )
        wrong = await refused(table.post(bank_pb2.Instruction(transfer=taken)))
        assert wrong.code == grpc.StatusCode.INVALID_ARGUMENT
        for method, reason in (("PauseTable", "TABLE_PAUSED"), ("CloseTable", "TABLE_CLOSED")):
            await table.do(method)
            stopped = await refused(table.post(bank_pb2.Instruction(transfer=pay_it)))
            assert (stopped.code, stopped.reason) == (grpc.StatusCode.FAILED_PRECONDITION, reason)
        assert await table.balances() == [15_000, 15_000]


async def test_undo_of_money_that_is_gone() -> None:
    """GO was paid, but the card has since been emptied through another operation that stands below it."""
    async with serving() as bank:
        table = await bank.open(opening_amount=0, go_amount=200)
        await table.insert(0, "left")
        go = await table.press("GO")
        await table.do("AddCard", name="Cyd")
        await table.do("RetireCard", card_id=table.cards[0])
        gone = await refused(table.do("UndoOperation", version=go.version))
        assert (gone.code, gone.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ACCOUNT_CLOSED")
        assert (await table.balances())[0] == 0


async def test_a_new_game_can_be_taken_back_too() -> None:
    """C held gives every card the opening amount: one operation, one reversal."""
    async with serving() as bank:
        table = await bank.open()
        await pay(table, "3")
        reset = await table.hold("C")
        assert (reset.operation.kind, await table.balances()) == ("reset", [15_000, 15_000])
        assert len(reset.operation.entries) == 2
        await table.do("UndoOperation", version=reset.version)
        assert await table.balances() == [18_000, 12_000]
