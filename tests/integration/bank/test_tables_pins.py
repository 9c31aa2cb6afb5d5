"""PINs: asked where they have to be, counted, locked after five wrong ones, never told to anybody."""

from __future__ import annotations

import grpc
import pytest

from magnate.bank.v1 import terminal_pb2
from magnate.kit.log.memory import MemoryLog
from tests.support.bank_tables import Table, serving
from tests.support.game_api import new_id, refused

pytestmark = pytest.mark.asyncio

DENIED = grpc.StatusCode.PERMISSION_DENIED


async def protected(table: Table, pin: str = "4711") -> str:
    """Give Ann's card a PIN, and return its token."""
    token = await table.claim(0)
    await table.do("SetPin", token, card_id=table.cards[0], new_pin=pin)
    return token


async def test_a_pin_is_asked_of_all_but_the_card_itself() -> None:
    """Claiming and inserting need it; the device that holds the card does not."""
    async with serving() as bank:
        table = await bank.open()
        token = await protected(table)
        assert (await table.now()).cards[0].has_pin
        missing = await refused(table.claim(0))
        assert (missing.code, missing.reason) == (DENIED, "PIN_REQUIRED")
        assert (await refused(table.insert(0))).reason == "PIN_REQUIRED"
        assert await table.claim(0, pin="4711") == token
        assert await table.claim(0, token, with_secret=False) == token
        assert (await table.insert(0, token=token)).unit.left_card_id == table.cards[0]
        await table.remove("left", token)
        assert (await table.insert(0, pin="4711")).unit.left_card_id == table.cards[0]


async def test_five_wrong_pins_lock_the_card() -> None:
    """Each counts, also after a restart; then not even the right one helps, until the banker unlocks it."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        token = await protected(table)
        for number in range(1, 4):
            wrong = await refused(table.claim(0, pin="0000"))
            assert (wrong.code, wrong.reason) == (DENIED, "WRONG_PIN")
            assert wrong.metadata == {"failures": str(number), "locked": "false"}
    async with serving(log) as bank:
        table = Table(bank, table.opened)
        fourth = await refused(table.insert(0, pin="1111"))
        assert fourth.metadata["failures"] == "4"
        assert (await table.now()).unit.left_card_id == ""
        fifth = await refused(table.claim(0, pin="0000"))
        assert fifth.metadata["locked"] == "true"
        assert (await table.now()).cards[0].locked
        locked = await refused(table.claim(0, pin="4711"))
        assert (locked.code, locked.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "CARD_LOCKED")
        assert (await table.insert(0, pin="4711")).refusal == "CARD_LOCKED"
        assert (await table.insert(0, token=token)).refusal == "CARD_LOCKED"
        assert (await refused(table.do("SetPin", token, card_id=table.cards[0]))).reason == "CARD_LOCKED"
        unlocked = (await table.do("UnlockCard", card_id=table.cards[0])).table.cards[0]
        assert (unlocked.locked, unlocked.has_pin) == (False, False)
        assert (await table.insert(0)).unit.left_card_id == table.cards[0]


async def test_the_right_pin_ends_a_row_of_wrong_ones() -> None:
    """Four wrong, one right, four wrong: not locked."""
    async with serving() as bank:
        table = await bank.open()
        await protected(table)
        for _ in range(2):
            for _ in range(4):
                assert (await refused(table.claim(0, pin="0000"))).reason == "WRONG_PIN"
            await table.claim(0, pin="4711")
        assert not (await table.now()).cards[0].locked


async def test_a_wrong_pin_that_comes_again_counts_once() -> None:
    """The same command is answered the same; with another PIN it is another request."""
    async with serving() as bank:
        table = await bank.open()
        await protected(table)
        command_id = new_id()
        for _ in range(7):
            wrong = await refused(table.claim(0, pin="0000", command_id=command_id))
            assert (wrong.reason, wrong.metadata["failures"]) == ("WRONG_PIN", "1")
        other = await refused(table.claim(0, pin="4711", command_id=command_id))
        assert (other.code, other.reason) == (grpc.StatusCode.ALREADY_EXISTS, "COMMAND_ID_REUSED")


async def test_a_pin_is_changed_and_removed_by_who_knows_it() -> None:
    """The old one has to be given; wrong old ones count like any other."""
    async with serving() as bank:
        table = await bank.open()
        token = await protected(table)
        card = {"card_id": table.cards[0]}
        assert (await refused(table.do("SetPin", token, **card, new_pin="9999"))).reason == "PIN_REQUIRED"
        wrong = await refused(table.do("SetPin", token, **card, old_pin="0000", new_pin="9999"))
        assert (wrong.reason, wrong.metadata["failures"]) == ("WRONG_PIN", "1")
        await table.do("SetPin", token, **card, old_pin="4711", new_pin="99999999")
        assert await table.claim(0, pin="99999999")
        await table.do("SetPin", token, **card, old_pin="99999999")
        assert not (await table.now()).cards[0].has_pin
        assert await table.claim(0)


@pytest.mark.parametrize("pin", ["123", "123456789", "12 34", "abcd", "１２３４"])
async def test_a_pin_that_is_none(pin: str) -> None:
    """Four to eight digits; the error names the field and does not repeat what was given."""
    async with serving() as bank:
        table = await bank.open()
        token = await table.claim(0)
        wrong = await refused(table.do("SetPin", token, card_id=table.cards[0], new_pin=pin))
        assert [path for path, _ in wrong.violations] == ["new_pin"]
        assert pin not in wrong.message


async def test_guessing_secrets_is_slowed_down() -> None:
    """Twenty wrong ones from one address, then it has to wait; the others of the table go on."""
    async with serving() as bank:
        table = await bank.open()
        for number in range(20):
            wrong = await refused(table.claim(0, secret=f"{number:026}"))
            assert wrong.reason == "WRONG_SECRET"
        slowed = await refused(table.claim(0))
        assert (slowed.code, slowed.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_TRIES")
        assert (await table.press("1")).refusal == ""
        assert bank.metric("magnate_bank_wrong_tries_total", kind="secret") == 20


async def test_secrets_as_people_write_them() -> None:
    """Small letters, O for 0, dashes: the same secret."""
    async with serving() as bank:
        table = await bank.open()
        secret = table.secrets[0].lower().replace("0", "o").replace("1", "l")
        assert await table.claim(0, secret=f"{secret[:13]}-{secret[13:]}")
        request = terminal_pb2.ClaimCardRequest(
            table_id=table.table_id, command_id=new_id(), card_id=table.cards[0], secret="!"
        )
        assert (await refused(bank.call("ClaimCard", request))).reason == "WRONG_SECRET"
