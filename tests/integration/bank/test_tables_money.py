"""Tables and their ledgers together: what LedgerService does at a table, its unit and its history show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.bank.v1 import bank_pb2, ledger_pb2, terminal_pb2
from magnate.client.ledger import transfer
from magnate.kit.log.memory import MemoryLog
from tests.integration.bank.test_tables_watch import watch
from tests.support.bank_tables import Table, serving
from tests.support.game_api import bearer, new_id, refused
from tests.support.ledgers import hold, reverse

if TYPE_CHECKING:
    from magnate.kit.log.port import Stored

pytestmark = pytest.mark.asyncio

LAPSES_AFTER_MS = 60_000


async def reserved(table: Table, amount: int) -> None:
    """Reserve some of Ann's money for a minute."""
    until_ms = table.bank.clock.now_ms() + LAPSES_AFTER_MS
    answer = await table.post(hold("deposit", "seat-0", amount, until_ms))
    assert answer.results[0].rejection == ""


async def balance(table: Table) -> int:
    """Return what Ann's card shows."""
    return int((await table.now()).cards[0].balance)


async def test_what_a_hold_reserved_is_there_again_from_the_millisecond_on() -> None:
    """On the card, on the display and for payments, though nothing was committed; not a moment earlier."""
    async with serving() as bank:
        table = await bank.open()
        await table.insert(0, "right")
        await reserved(table, 15_000)
        bank.clock.advance(LAPSES_AFTER_MS - 1)
        assert (await balance(table), (await table.now()).unit.frame.text) == (0, "0")
        assert (await table.press("2", "M", "M")).refusal == "INSUFFICIENT_FUNDS"
        bank.clock.advance(1)
        assert await balance(table) == 15_000
        shown = await table.press("C")
        assert (shown.unit.frame.text, shown.unit.frame.suffix) == ("15", "M")
        paid = await table.press("2", "M", "M")
        assert (paid.refusal, paid.unit.frame.text) == ("", "13")


async def test_watchers_see_a_hold_lapse() -> None:
    """The table is sent again at the same version when the time has come."""
    async with serving() as bank:
        table = await bank.open()
        until_ms = bank.clock.now_ms() + 50
        await table.post(hold("deposit", "seat-0", 1_000, until_ms))
        stream = watch(table)
        first = await stream.read()
        assert first.table.cards[0].balance == 14_000
        bank.clock.advance(60)
        again = await stream.read()
        assert (again.version, again.table.cards[0].balance) == (first.version, 15_000)
        stream.cancel()


async def test_a_card_is_retired_when_its_holds_have_lapsed() -> None:
    """Before that its account is not empty; then all of its money goes to the bank."""
    async with serving() as bank:
        table = await bank.open()
        await reserved(table, 100)
        wrong = await refused(table.do("RetireCard", card_id=table.cards[0]))
        assert (wrong.code, wrong.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ACCOUNT_NOT_EMPTY")
        assert await balance(table) == 14_900
        bank.clock.advance(LAPSES_AFTER_MS)
        retired = await table.do("RetireCard", card_id=table.cards[0])
        assert retired.table.cards[0].retired
        assert (await table.operations())[0].entries[0].amount == 15_000


async def test_the_ranking_counts_what_is_held() -> None:
    """It is still his: nobody has captured it."""
    async with serving() as bank:
        table = await bank.open()
        await table.post(transfer("bank", "seat-0", 5, "gift"))
        await reserved(table, 15_000)
        closed = await table.do("CloseTable")
        ranking = [(one.place, one.seat, one.total) for one in closed.table.ranking]
        assert ranking == [(1, 0, 15_005), (2, 1, 15_000)]


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_reversal_by_the_ledger_is_in_the_history(restarted: bool) -> None:
    """The operation says by what it was taken back, also if the ledger's own call did it; so do watchers."""
    log = MemoryLog()
    async with serving(log) as bank, serving(log, clock=bank.clock) as other:
        table = await bank.open()
        await table.insert(0)
        gone = await table.press("GO")
        posted = await table.post(transfer("bank", "seat-1", 7, "gift", transfer_id="a-gift"))
        assert len(await table.operations()) == 3
        stream = watch(table)
        await stream.read()
        back = await table.post(reverse("back-1", f"terminal:{gone.version}.0", "not over GO"))
        seen = (await stream.read()).operations[0]
        stream.cancel()
        last = await table.post(reverse("back-2", "a-gift"))
        table.bank = other if restarted else bank
        second, first, gift, go, _ = await table.operations()
        assert (first.kind, first.reverses, first.note) == ("post", gone.version, "not over GO")
        assert (seen.version, seen.reverses, seen.note) == (back.version, gone.version, "not over GO")
        assert (go.version, go.reversed_by) == (gone.version, back.version)
        assert (second.reverses, gift.version) == (posted.version, posted.version)
        assert gift.reversed_by == last.version
        wrong = await refused(table.do("UndoOperation", version=gone.version))
        assert wrong.reason == "NOTHING_TO_UNDO"


async def test_a_locked_card_pays_by_no_way() -> None:
    """Neither at the unit nor through the ledger by its own token; the banker may still post."""
    async with serving() as bank:
        table = await bank.open()
        token = await table.claim(0)
        await table.do("SetPin", token, card_id=table.cards[0], new_pin="4711")
        assert (await table.post(transfer("seat-0", "bank", 1, "fine"), token)).results[0].moved == 1
        for _ in range(5):
            assert (await refused(table.claim(0, pin="0000"))).reason == "WRONG_PIN"
        wrong = await refused(table.post(transfer("seat-0", "bank", 1, "fine"), token))
        assert (wrong.code, wrong.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "CARD_LOCKED")
        assert (await table.post(transfer("seat-0", "bank", 1, "fine"))).results[0].moved == 1
        await table.do("UnlockCard", card_id=table.cards[0])
        assert (await table.post(transfer("seat-0", "bank", 1, "fine"), token)).results[0].moved == 1
        assert await balance(table) == 14_997


async def test_accounts_of_cards_are_theirs() -> None:
    """The ledger's own call neither opens nor closes a seat's account at a table, and other ones it does.

    Else the next card could not be issued, and no new game begun.
    """
    async with serving() as bank:
        table = await bank.open()
        await table.post(transfer("seat-0", "bank", 15_000, "fine"))
        opening = bank_pb2.Instruction(open_account=bank_pb2.OpenAccount(account="seat-2"))
        closing = bank_pb2.Instruction(close_account=bank_pb2.CloseAccount(account="seat-0"))
        for one in (opening, closing):
            wrong = await refused(table.post(one))
            assert (wrong.code, wrong.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ACCOUNT_OF_CARD")
        pot = bank_pb2.Instruction(open_account=bank_pb2.OpenAccount(account="pot-parking"))
        assert (await table.post(pot)).results[0].rejection == ""
        assert (await table.do("AddCard", name="Cy")).table.cards[2].balance == 15_000
        await table.insert(0)
        assert (await table.hold("C")).refusal == ""
        assert await balance(table) == 15_000


async def claimed(table: Table, bank: Any, guest: str, command_id: str) -> Any:
    """Let a guest claim Ann's card without any proof."""
    request = terminal_pb2.ClaimCardRequest(
        table_id=table.table_id, command_id=command_id, card_id=table.cards[0]
    )
    return await bank.call("ClaimCard", request, guest)


async def test_a_guest_whose_answer_was_lost_claims_again() -> None:
    """By the same command, at any process; by another one the card is somebody's."""
    log = MemoryLog()
    async with serving(log) as bank, serving(log, clock=bank.clock) as other:
        table = await bank.open()
        guest, command_id = await table.guest(), new_id() + new_id()
        first = await claimed(table, bank, guest, command_id)
        for again in (bank, other, bank):
            assert await claimed(table, again, guest, command_id) == first
        assert (await refused(claimed(table, bank, guest, new_id() * 2))).reason == "NOT_YOUR_CARD"
        assert (await refused(claimed(table, other, guest, new_id() * 2))).reason == "NOT_YOUR_CARD"


class Behind(MemoryLog):
    """A log whose replica has only what it is known to have."""

    async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> list[Stored]:
        """Return nothing that was not asked for."""
        found = await super().load(game_id, after_sequence, at_least)
        return [one for one in found if one.sequence <= at_least]


async def test_a_table_that_was_opened_a_moment_ago_is_found_at_every_process() -> None:
    """Also by one that reads from a replica which does not have it yet."""
    log = Behind()
    async with serving(log) as bank, serving(log, clock=bank.clock) as other:
        table = await bank.open()
        assert (await claimed(table, other, table.banker, new_id() * 2)).card_token


async def test_a_command_id_that_can_be_guessed_gives_no_card_away() -> None:
    """Whoever tries `1` at a process that is behind does not get what another guest's `1` got."""
    log = MemoryLog()
    async with serving(log) as bank, serving(log, clock=bank.clock) as other:
        table = await bank.open()
        guest = await table.guest()
        await other.call("GetTable", terminal_pb2.GetTableRequest(table_id=table.table_id), guest)
        assert (await claimed(table, bank, guest, "1")).card_token
        bank.clock.advance(1)  # else both would make the very same bytes
        for process in (other, bank):
            assert (await refused(claimed(table, process, guest, "1"))).reason == "NOT_YOUR_CARD"


async def test_a_hold_lapses_by_the_year_9999() -> None:
    """Beyond that no time can be written: such a hold would make an export impossible for ever."""
    async with serving() as bank:
        table = await bank.open()
        for expires_at_ms, rejection in ((253_402_300_800_000, "INVALID_EXPIRY"), (253_402_300_799_999, "")):
            answer = await table.post(hold(f"far-{expires_at_ms}", "seat-0", 1, expires_at_ms))
            assert answer.results[0].rejection == rejection


async def test_a_history_of_large_batches_comes_in_parts() -> None:
    """Each message has what clients take; together they have all of it, once and in order."""
    async with serving() as bank:
        table = await bank.open()
        for number in range(45):
            batch = [transfer("bank", "seat-0", 1, "gift", transfer_id=f"{number}.{i}") for i in range(1000)]
            request = ledger_pb2.PostRequest(
                ledger_id=table.table_id, command_id=new_id(), instructions=batch
            )
            await bank.ledger.Post(request, metadata=bearer(table.banker), timeout=30)
        stream = watch(table)
        seen: list[int] = []
        while len(seen) < 46:
            message = await stream.read()
            assert message.ByteSize() < 1_000_000
            seen += [one.version for one in message.operations]
        stream.cancel()
        assert seen == list(range(1, 47))
        listed: list[int] = []
        asked = terminal_pb2.ListOperationsRequest(table_id=table.table_id, page_size=200)
        while True:
            page = await bank.call("ListOperations", asked, table.banker)
            assert page.ByteSize() < 1_000_000
            listed += [one.version for one in page.operations]
            asked.page_token = page.next_page_token
            if not asked.page_token:
                break
        assert listed == list(range(46, 0, -1))


async def test_what_was_sent_is_quoted_shortly_in_results() -> None:
    """A batch of a thousand refusals stays far below what a message may have."""
    async with serving() as bank:
        table = await bank.open()
        long = transfer("seat-0", "\x01" * 60_000, 1, "gift")
        assert isinstance(long, bank_pb2.Instruction)
        answer = await table.post(long)
        assert answer.results[0].rejection == "UNKNOWN_ACCOUNT"
        assert answer.ByteSize() < 2_500
