"""Who may do what at a table: every call by everybody who may knock (case C050)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.bank.v1 import terminal_pb2
from magnate.kit.log.memory import MemoryLog
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.tokens import mint_seat, mint_table
from tests.support.bank_tables import KEY, Bank, Table, serving
from tests.support.banking import KEYS
from tests.support.game_api import new_id, refused

if TYPE_CHECKING:
    from magnate.kit.rpc.status import RemoteError

pytestmark = pytest.mark.asyncio

BANKER, OWNER, CARD, GUEST = "banker", "owner", "card", "guest"
NOBODY, ELSEWHERE, SEAT, PEER, FORGED = "nobody", "elsewhere", "seat", "peer", "forged"
AT_TABLE = (BANKER, OWNER, CARD, GUEST)
OTHERS = (NOBODY, ELSEWHERE, SEAT, PEER, FORGED)

OK = "OK"
NOT_BANKER, NOT_YOURS = "NOT_THE_BANKER", "NOT_YOUR_CARD"
OUTSIDE = {
    NOBODY: "TOKEN_MISSING",
    ELSEWHERE: "TOKEN_FOR_OTHER_TABLE",
    SEAT: "TOKEN_MISSING",
    PEER: "TOKEN_MISSING",
    FORGED: "TOKEN_INVALID",
}
STATUS = {
    "TOKEN_MISSING": grpc.StatusCode.UNAUTHENTICATED,
    "TOKEN_INVALID": grpc.StatusCode.UNAUTHENTICATED,
    "TOKEN_FOR_OTHER_TABLE": grpc.StatusCode.PERMISSION_DENIED,
    NOT_BANKER: grpc.StatusCode.PERMISSION_DENIED,
    NOT_YOURS: grpc.StatusCode.PERMISSION_DENIED,
    "PIN_REQUIRED": grpc.StatusCode.PERMISSION_DENIED,
    "CARD_NOT_LOCKED": grpc.StatusCode.FAILED_PRECONDITION,
    "TABLE_NOT_PAUSED": grpc.StatusCode.FAILED_PRECONDITION,
}


def row(banker: str, owner: str, card: str, guest: str) -> dict[str, str]:
    """Return what becomes of a call by everybody; those outside are never let in."""
    return {BANKER: banker, OWNER: owner, CARD: card, GUEST: guest, **OUTSIDE}


ONLY_BANKER = row(OK, NOT_BANKER, NOT_BANKER, NOT_BANKER)
ANYBODY_THERE = row(OK, OK, OK, OK)

# Whoever presses, the unit holds Ann's card on the left; "owner" is Ann, "card" is Bob.
CALLS: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "look": ("GetTable", {}, ANYBODY_THERE),
    "history": ("ListOperations", {}, ANYBODY_THERE),
    "press": ("Operate", {"press": terminal_pb2.Press(key=KEY["GO"])}, ONLY_BANKER),
    "hold": ("Operate", {"hold": terminal_pb2.HoldKey(key=KEY["C"])}, ONLY_BANKER),
    "remove her card": (
        "Operate",
        {"remove": terminal_pb2.RemoveCard(slot=terminal_pb2.SLOT_LEFT)},
        row(OK, OK, NOT_BANKER, NOT_BANKER),
    ),
    "remove no card": (
        "Operate",
        {"remove": terminal_pb2.RemoveCard(slot=terminal_pb2.SLOT_RIGHT)},
        ONLY_BANKER,
    ),
    "add": ("AddCard", {"name": "Cyd"}, ONLY_BANKER),
    "retire": ("RetireCard", {"card": 0}, ONLY_BANKER),
    "set her PIN": ("SetPin", {"card": 0, "new_pin": "1234"}, row(NOT_YOURS, OK, NOT_YOURS, NOT_YOURS)),
    "unlock": ("UnlockCard", {"card": 0}, {**ONLY_BANKER, BANKER: "CARD_NOT_LOCKED"}),
    "undo": ("UndoOperation", {"last": True}, ONLY_BANKER),
    "pause": ("PauseTable", {}, ONLY_BANKER),
    "resume": ("ResumeTable", {}, {**ONLY_BANKER, BANKER: "TABLE_NOT_PAUSED"}),
    "close": ("CloseTable", {}, ONLY_BANKER),
}
SHARED: dict[str, dict[str, str]] = {
    "press": ANYBODY_THERE,
    "hold": ANYBODY_THERE,
    "remove her card": ANYBODY_THERE,
    "remove no card": ANYBODY_THERE,
}
"""What is other where everybody may press the keys."""


async def party(bank: Bank, *, shared: bool) -> tuple[Table, dict[str, str], int]:
    """Open a table with an operation to undo; return it, a token of everybody, and that operation."""
    table = await bank.open(shared_unit=shared)
    other = await bank.open()
    await table.insert(0, "left")
    paid = await table.press("GO")
    await table.press("C")
    token = mint_table(KEYS, table.table_id, "banker")
    tokens = {
        BANKER: table.banker,
        OWNER: await table.claim(0),
        CARD: await table.claim(1),
        GUEST: await table.guest(),
        NOBODY: "",
        ELSEWHERE: other.banker,
        SEAT: mint_seat(KEYS, table.table_id, 0),
        PEER: peer_metadata(KEYS, "game")[0][1].removeprefix("Bearer "),
        FORGED: token[:-2] + ("AA" if token[-2:] != "AA" else "BA"),
    }
    return table, tokens, paid.version


async def call(table: Table, method: str, fields: dict[str, Any], token: str, last: int) -> str:
    """Make a call and return how it ended: OK or the reason, whose status is the right one."""
    fields = dict(fields)
    if "card" in fields:
        fields["card_id"] = table.cards[fields.pop("card")]
    if fields.pop("last", False):
        fields["version"] = last
    if method not in {"GetTable", "ListOperations"}:
        fields["command_id"] = new_id()
    request = getattr(terminal_pb2, f"{method}Request")(table_id=table.table_id, **fields)
    try:
        await table.bank.call(method, request, token)
    except grpc.aio.AioRpcError as error:
        wrong: RemoteError = await refused(_raise(error))
        assert wrong.code == STATUS[wrong.reason], wrong
        return wrong.reason
    return OK


async def _raise(error: grpc.aio.AioRpcError) -> None:
    raise error


@pytest.mark.parametrize("shared", [False, True], ids=["banker's unit", "shared unit"])
@pytest.mark.parametrize("what", CALLS)
@pytest.mark.parametrize("who", [*AT_TABLE, *OTHERS])
async def test_every_call_by_everybody(what: str, who: str, shared: bool) -> None:
    """Each is let in or refused as the table says; who is refused has changed nothing."""
    method, fields, expected = CALLS[what]
    if shared:
        expected = SHARED.get(what, expected)
    async with serving() as bank:
        table, tokens, last = await party(bank, shared=shared)
        before = await table.now()
        assert await call(table, method, fields, tokens[who], last) == expected[who]
        if expected[who] != OK:
            assert await table.now() == before


@pytest.mark.parametrize("who", OTHERS)
async def test_watching_is_for_those_at_the_table(who: str) -> None:
    """Whoever is not at the table sees nothing of it."""
    async with serving() as bank:
        table, tokens, _ = await party(bank, shared=True)
        request = terminal_pb2.WatchTableRequest(table_id=table.table_id)
        metadata = (("authorization", f"Bearer {tokens[who]}"),) if tokens[who] else ()
        wrong = await refused(_first(bank.stub.WatchTable(request, metadata=metadata)))
        assert wrong.reason == OUTSIDE[who]


async def _first(stream: Any) -> object:
    return await stream.read()


@pytest.mark.parametrize("shared", [False, True], ids=["banker's unit", "shared unit"])
@pytest.mark.parametrize("proof", ["none", "secret", "wrong"])
@pytest.mark.parametrize("who", AT_TABLE)
async def test_who_may_put_a_card_in(who: str, proof: str, shared: bool) -> None:
    """The banker and the holder; with the card's secret also whoever may press the keys."""
    async with serving() as bank:
        table, tokens, _ = await party(bank, shared=shared)
        await table.remove("left")
        before = await table.now()
        shown = {"secret": table.secrets[0], "wrong": table.secrets[1]}.get(proof, "")
        insert = terminal_pb2.InsertCard(slot=terminal_pb2.SLOT_LEFT, card_id=table.cards[0], secret=shown)
        request = terminal_pb2.OperateRequest(table_id=table.table_id, command_id=new_id(), insert=insert)
        if proof == "wrong" and (shared or who in {BANKER, OWNER}):
            expected = "WRONG_SECRET"
        elif who in {BANKER, OWNER} or (shared and proof == "secret"):
            expected = OK
        else:
            expected = NOT_YOURS
        if expected == OK:
            answer = await bank.call("Operate", request, tokens[who])
            assert answer.unit.left_card_id == table.cards[0]
        else:
            wrong = await refused(bank.call("Operate", request, tokens[who]))
            assert (wrong.code, wrong.reason) == (grpc.StatusCode.PERMISSION_DENIED, expected)
            assert await table.now() == before


@pytest.mark.parametrize("claimed", [False, True], ids=["free card", "claimed card"])
@pytest.mark.parametrize("who", [*AT_TABLE, NOBODY, ELSEWHERE])
async def test_who_may_claim_a_card_without_its_secret(who: str, claimed: bool) -> None:
    """The banker and the holder always, a guest while nobody has it, others never."""
    async with serving() as bank:
        table = await bank.open()
        other = await bank.open()
        tokens = {
            BANKER: table.banker,
            OWNER: mint_table(KEYS, table.table_id, "card", 0),
            CARD: mint_table(KEYS, table.table_id, "card", 1),
            GUEST: await table.guest(),
            NOBODY: "",
            ELSEWHERE: other.banker,
        }
        if claimed:
            await table.claim(0)
        free = OK if not claimed else NOT_YOURS
        expected = {BANKER: OK, OWNER: OK, CARD: free, GUEST: free, **OUTSIDE}[who]
        if expected == OK:
            token = await table.claim(0, tokens[who], with_secret=False)
            assert token == tokens[OWNER]
            assert (await table.now()).cards[0].claimed
        else:
            wrong = await refused(table.claim(0, tokens[who], with_secret=False))
            assert (wrong.code, wrong.reason) == (STATUS[expected], expected)


async def test_two_guests_take_the_same_card() -> None:
    """One gets it; his claim, sent again, is answered the same; the other needs the secret."""
    async with serving() as bank:
        table = await bank.open()
        guest, command_id = await table.guest(), new_id()
        first = await table.claim(0, guest, with_secret=False, command_id=command_id)
        assert await refused(table.claim(0, guest, with_secret=False))
        again = terminal_pb2.ClaimCardRequest(
            table_id=table.table_id, card_id=table.cards[0], command_id=command_id
        )
        wrong = await refused(bank.call("ClaimCard", again, await table.guest()))
        assert wrong.reason == NOT_YOURS
        assert first


@pytest.mark.parametrize("who", [CARD, GUEST])
async def test_a_process_that_is_behind_gives_no_card_away(who: str) -> None:
    """It last saw the table when nobody had the card; somebody has it since, by another process."""
    log = MemoryLog()
    async with serving(log) as one, serving(log, clock=one.clock) as two:
        table = await one.open()
        there = Table(two, table.opened)
        token = await table.guest() if who == GUEST else await table.claim(1)
        assert not (await there.now()).cards[0].claimed
        await table.claim(0)
        wrong = await refused(there.claim(0, token, with_secret=False))
        assert (wrong.code, wrong.reason) == (grpc.StatusCode.PERMISSION_DENIED, NOT_YOURS)


async def test_a_process_that_is_behind_moves_no_other_card() -> None:
    """Ann pulls the card out that was hers a moment ago; Bob's is there by now. And the other way round."""
    log = MemoryLog()
    async with serving(log) as one, serving(log, clock=one.clock) as two:
        table = await one.open()
        there = Table(two, table.opened)
        ann, bob = await table.claim(0), await table.claim(1)
        await table.insert(0)
        assert (await there.now()).unit.left_card_id == table.cards[0]
        await table.remove()
        await table.insert(1)
        assert (await refused(there.remove(token=ann))).reason == NOT_BANKER
        await table.remove()
        await table.insert(0)
        assert (await refused(there.remove(token=bob))).reason == NOT_BANKER
        await table.remove()
        await table.insert(1)
        assert (await there.remove(token=bob)).unit.left_card_id == ""


async def test_nobody_but_the_banker_makes_the_bank_pay() -> None:
    """Case C050: where the unit is the banker's, cards and guests make no balance change."""
    async with serving() as bank:
        table, tokens, last = await party(bank, shared=False)
        before = await table.balances()
        for who in (OWNER, CARD, GUEST, NOBODY, ELSEWHERE):
            for method, fields, _ in CALLS.values():
                if method not in {"GetTable", "ListOperations", "SetPin"}:
                    await call(table, method, fields, tokens[who], last)
            for key in ("1", "M", "M", "GO"):
                press = terminal_pb2.Press(key=KEY[key])
                await call(table, "Operate", {"press": press}, tokens[who], last)
        assert await table.balances() == before


async def test_tables_and_cards_that_are_not_there() -> None:
    """A malformed id names the field; an unknown table is NOT_FOUND, whoever asks by a secret."""
    async with serving() as bank:
        table = await bank.open()
        for table_id, code, reason in (
            ("nonsense", grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
            ("1-1-" + "0" * 24, grpc.StatusCode.NOT_FOUND, "UNKNOWN_TABLE"),
        ):
            request = terminal_pb2.ClaimCardRequest(
                table_id=table_id, card_id="X", command_id=new_id(), secret=table.secrets[0]
            )
            wrong = await refused(bank.call("ClaimCard", request))
            assert (wrong.code, wrong.reason) == (code, reason)
        token = mint_table(KEYS, "1-1-" + "0" * 24, "banker")
        look = terminal_pb2.GetTableRequest(table_id="1-1-" + "0" * 24)
        assert (await refused(bank.call("GetTable", look, token))).reason == "UNKNOWN_TABLE"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "action"),
        ({"press": terminal_pb2.Press()}, "press.key"),
        ({"press": {"key": 99}}, "press.key"),
        ({"hold": terminal_pb2.HoldKey()}, "hold.key"),
        ({"insert": terminal_pb2.InsertCard(card_id="X")}, "insert.slot"),
        ({"insert": terminal_pb2.InsertCard(slot=terminal_pb2.SLOT_LEFT, pin="12a4")}, "insert.pin"),
        ({"remove": terminal_pb2.RemoveCard()}, "remove.slot"),
        ({"command_id": "", "press": {"key": 1}}, "command_id"),
        ({"command_id": "expire:1", "press": {"key": 1}}, "command_id"),
    ],
)
async def test_an_action_that_is_malformed(fields: dict[str, Any], field: str) -> None:
    """The field is named, nothing is stored."""
    async with serving() as bank:
        table = await bank.open()
        wrong = await refused(table.do("Operate", **fields))
        assert wrong.code == grpc.StatusCode.INVALID_ARGUMENT
        assert [path for path, _ in wrong.violations] == [field]
        assert (await table.now()).version == 1


async def test_taps_are_for_units_that_can_be_tapped() -> None:
    """A unit with slots says so, and nothing happens."""
    async with serving() as bank:
        table = await bank.open()
        taps: dict[str, Any] = {
            "tap_deed": terminal_pb2.TapDeed(square=1),
            "tap_event": terminal_pb2.TapEvent(card="ev01"),
            "tap_card": terminal_pb2.TapCard(card_id=table.cards[0]),
        }
        for kind, tap in taps.items():
            answer = await table.operate(**{kind: tap})
            assert (answer.refusal, answer.unit.frame.state) == ("UNKNOWN_KEY", "error")
        touch = await refused(bank.open(edition="ultimate-banking"))
        assert touch.code == grpc.StatusCode.UNIMPLEMENTED  # this bank knows no game service
        touch = await refused(bank.open(model=terminal_pb2.UNIT_MODEL_TOUCH))
        assert (touch.code, touch.violations[0][0]) == (grpc.StatusCode.INVALID_ARGUMENT, "model")
