"""Cards at tables over gRPC: those that do not belong, are retired, are added; join codes."""

from __future__ import annotations

import grpc
import pytest

from magnate.bank.v1 import terminal_pb2
from magnate.kit.log.memory import MemoryLog
from tests.support.bank_tables import serving
from tests.support.game_api import new_id, refused

pytestmark = pytest.mark.asyncio


async def test_cards_that_do_not_belong() -> None:
    """Of another table, unknown, retired: the unit refuses each by its own name; nothing is posted."""
    async with serving() as bank:
        table, other = await bank.open(), await bank.open()
        foreign = terminal_pb2.InsertCard(slot=terminal_pb2.SLOT_LEFT, card_id=other.cards[0])
        assert (await table.operate(insert=foreign)).refusal == "CARD_UNKNOWN"
        await table.do("RetireCard", card_id=table.cards[1])
        assert (await table.insert(1)).refusal == "CARD_RETIRED"
        await table.insert(0, "left")
        assert (await table.insert(0, "right")).refusal == "SAME_CARD"
        secret = {"command_id": new_id(), "card_id": table.cards[0], "secret": other.secrets[0]}
        wrong = await refused(table.do("ClaimCard", **secret))
        assert (wrong.code, wrong.reason) == (grpc.StatusCode.PERMISSION_DENIED, "WRONG_SECRET")
        unknown = await refused(table.do("ClaimCard", card_id=other.cards[0], secret=other.secrets[0]))
        assert (unknown.code, unknown.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_CARD")
        retired = await refused(table.claim(1))
        assert retired.reason == "CARD_RETIRED"
        assert (await table.balances())[0] == 15_000


async def test_a_card_that_is_retired() -> None:
    """Its money goes to the bank, the unit drops it, its account is closed; it is never undone."""
    async with serving() as bank:
        table = await bank.open()
        await table.insert(1, "right")
        await table.do("RetireCard", card_id=table.cards[1])
        now = await table.now()
        assert (now.cards[1].retired, now.cards[1].balance, now.unit.right_card_id) == (True, 0, "")
        last = (await table.operations())[0]
        assert (last.kind, last.entries[0].credit, last.entries[0].amount) == ("retire", "bank", 15_000)
        again = await refused(table.do("RetireCard", card_id=table.cards[1]))
        assert again.reason == "CARD_RETIRED"
        nothing = await refused(table.do("UndoOperation", version=last.version))
        assert nothing.reason == "NOTHING_TO_UNDO"


async def test_a_card_for_one_more_player() -> None:
    """With the opening amount and a secret; the same command again gives the same one."""
    async with serving() as bank:
        table = await bank.open()
        command_id = new_id()
        added = await table.do("AddCard", name="Cyd", command_id=command_id)
        assert (added.table.cards[2].name, added.table.cards[2].balance) == ("Cyd", 15_000)
        await table.do("AddCard", name="Dan")
        again = await table.do("AddCard", name="Cyd", command_id=command_id)
        assert again.card == added.card
        taken = await refused(table.do("AddCard", name="Cyd"))
        assert (taken.code, taken.reason) == (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN")
        table.cards.append(added.card.card_id)
        assert (await table.insert(2)).unit.frame.text == "15"
        for number in range(12):
            await table.do("AddCard", name=f"player {number}")
        many = await refused(table.do("AddCard", name="one too many"))
        assert (many.code, many.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "TOO_MANY_CARDS")


async def test_join_codes() -> None:
    """Written in any way; found by the alias, by the heads when that is lost, and guessing is slowed down."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        code = table.opened.table.join_code
        for written in (code.lower(), code.replace("-", ""), f" {code} "):
            answer = await bank.call("JoinTable", terminal_pb2.JoinTableRequest(join_code=written))
            assert answer.table.table_id == table.table_id
        for written in ("", "ABCD", "AAAA-AAAA", "????-????"):
            request = terminal_pb2.JoinTableRequest(join_code=written)
            wrong = await refused(bank.call("JoinTable", request))
            assert (wrong.code, wrong.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_TABLE")
        for _ in range(16):
            await refused(bank.call("JoinTable", terminal_pb2.JoinTableRequest(join_code="ZZZZ-ZZZZ")))
        right = terminal_pb2.JoinTableRequest(join_code=code)
        slowed = await refused(bank.call("JoinTable", right))
        assert (slowed.code, slowed.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_TRIES")
        assert bank.metric("magnate_bank_wrong_tries_total", kind="code") == 20
