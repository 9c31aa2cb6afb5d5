"""Sealed bids at tables of the bank: not even the banker sees them, nor can he touch their money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from magnate.auction.v1 import auction_pb2
from magnate.bank.fold import read_section
from magnate.bank.v1 import bank_pb2, ledger_pb2, terminal_pb2
from tests.support.auction_tables import CLOSE_MS, SaleTable, refusal, serving_house
from tests.support.game_api import CALL_SECONDS, bearer

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.asyncio
SEALED = auction_pb2.AUCTION_KIND_SEALED


async def told(table: SaleTable, token: str) -> dict[str, str]:
    """Return what the bank says to somebody, without ids and hashes, which are drawn anew for each table."""
    ledger = table.house.bank.ledger
    newest = await table.version()
    found: dict[str, str] = {}
    calls: list[tuple[str, Any, Any]] = []
    for version in range(1, newest + 1):
        asked: dict[str, Any] = {"ledger_id": table.table_id, "version": version}
        calls += [
            (f"balances {version}", ledger.GetBalances, ledger_pb2.GetBalancesRequest(**asked)),
            (f"trial {version}", ledger.GetTrialBalance, ledger_pb2.GetTrialBalanceRequest(**asked)),
            (f"holds {version}", ledger.ListHolds, ledger_pb2.ListHoldsRequest(**asked)),
        ]
    hold = ledger_pb2.GetTransferRequest(ledger_id=table.table_id, transfer_id=await hold_of(table, 0))
    calls.append(("transfer", ledger.GetTransfer, hold))
    for name, stub, request in calls:
        try:
            answer = str(await stub(request, metadata=bearer(token), timeout=CALL_SECONDS))
        except Exception as error:  # noqa: BLE001 - a refusal is an answer, too
            answer = type(error).__name__
        found[name] = answer.replace(table.table_id, "the table")
    if token:
        assert table.table is not None
        request = terminal_pb2.GetTableRequest(table_id=table.table_id)
        shown = await table.table.bank.call("GetTable", request, token)
        found["cards"] = str([(card.seat, card.balance) for card in shown.table.cards])
    return found


async def played(bids: Sequence[int], who: int) -> dict[str, str]:
    """Hand these bids in, and return what is told to a card, to the banker (-1), to anybody (-2)."""
    async with serving_house() as house:
        table = await house.table(opening_amount=1_000)
        await table.sell("secret", kind=SEALED)
        for seat, amount in enumerate(bids):
            await table.bid(seat, amount)
        return await told(table, {-1: table.banker, -2: ""}.get(who, table.cards[who]))


@pytest.mark.parametrize("who", [-2, -1, 2])
async def test_not_even_the_banker_is_told(who: int) -> None:
    """Balances, holds, cards and transfers are the same whatever was bid."""
    assert await played([10, 20], who) == await played([999, 1], who)


async def test_a_card_sees_its_own_money() -> None:
    """Its holder sees what is left on it."""
    mine = await played([300, 20], 0)
    assert mine == await played([300, 21], 0)
    assert mine["cards"] == "[(0, 700), (1, 1000), (2, 1000)]"


async def test_the_banker_cannot_touch_the_money_of_a_sealed_bid() -> None:
    """Release and capture are refused, and what cannot be paid is refused without telling what is left."""
    async with serving_house() as house:
        table = await house.table(opening_amount=1_000)
        await table.sell("secret", kind=SEALED)
        await table.bid(0, 300)
        assert table.table is not None
        hold = await hold_of(table, 0)
        release = bank_pb2.Instruction(release_hold=bank_pb2.ReleaseHold(hold_id=hold))
        capture = bank_pb2.Instruction(
            capture_hold=bank_pb2.CaptureHold(
                hold_id=hold, to="bank", amount=1, reason="test", transfer_id="t1"
            )
        )
        reveal = bank_pb2.Instruction(reveal_hold=bank_pb2.RevealHold(hold_id=hold))
        place = bank_pb2.Instruction(
            place_hold=bank_pb2.PlaceHold(hold_id="mine", account="seat-1", amount=1, concealed=True)
        )
        assert (await refusal(table.table.post(reveal))).reason == "INVALID_ARGUMENT"
        assert (await refusal(table.table.post(place))).reason == "INVALID_ARGUMENT"
        for one in (release, capture):
            assert "behind a bid" in await _rejected(table, one)
        pay = bank_pb2.Instruction(
            transfer=bank_pb2.Transfer(
                debit="seat-0", credit="bank", amount=701, reason="test", transfer_id="t2"
            )
        )
        rejected = await _rejected(table, pay)
        assert rejected.startswith("INSUFFICIENT_FUNDS")
        assert "700" not in rejected


async def hold_of(table: SaleTable, seat: int) -> str:
    """Return the id of a card's hold, which the card sees."""
    request = ledger_pb2.ListHoldsRequest(ledger_id=table.table_id)
    metadata = bearer(table.cards[seat])
    (hold,) = (
        await table.house.bank.ledger.ListHolds(request, metadata=metadata, timeout=CALL_SECONDS)
    ).holds
    return str(hold.hold_id)


async def _rejected(table: SaleTable, instruction: bank_pb2.Instruction) -> str:
    """Return how an instruction is refused, by the result or by the call."""
    assert table.table is not None
    try:
        answer = await table.table.post(instruction)
    except Exception as error:  # noqa: BLE001 - both ways of refusing are fine
        return f"{getattr(error, 'reason', '')} {error}"
    (result,) = answer.results
    return f"{result.rejection} {result.detail}"


@pytest.mark.parametrize("how", ["cancel", "close"])
async def test_what_was_never_revealed_is_given_back_in_secret(how: str) -> None:
    """The banker cancels the auction, or closes the table: no public record tells what was bid."""
    async with serving_house() as house:
        table = await house.table(opening_amount=1_000)
        opened = await table.sell("secret", kind=SEALED)
        await table.bid(0, 300)
        hold = await hold_of(table, 0)
        if how == "cancel":
            await table.do("CancelAuction", table.banker, auction=opened.auction)
        else:
            assert table.table is not None
            await table.table.do("CloseTable")
        await table.sound()
        assert (await table.money())["seat-0"] == (1_000, 0)
        last = (await table.commits())[-1]
        section = read_section(last)
        assert section is not None
        assert (section.records, len(section.hidden)) == ([], 1)
        assert all(hold.encode() not in commit.public for commit in await table.commits())


async def test_a_sealed_auction_at_a_table_is_sound_from_end_to_end() -> None:
    """After the close everything is public, and the audit finds no fault."""
    async with serving_house() as house:
        table = await house.table(opening_amount=1_000)
        await table.sell("secret", kind=SEALED, payee="seat-2")
        await table.bid(0, 300)
        await table.bid(1, 200)
        await table.wait(CLOSE_MS)
        assert await table.money() == {
            "bank": (-3_000, 0), "seat-0": (700, 0), "seat-1": (1_000, 0), "seat-2": (1_300, 0),
        }  # fmt: skip
        await table.sound()
