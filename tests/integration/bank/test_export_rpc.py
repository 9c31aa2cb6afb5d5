"""Ledgers as files over gRPC: of whole games, tables of cards, ledgers of one's own; and what stops it."""

from __future__ import annotations

import base64
import csv
import io
import json
from typing import TYPE_CHECKING, Any

import grpc
import jsonschema
import pytest
from beancount import loader
from beancount.core import data, realization

from magnate.bank.export.journal import account_name
from magnate.bank.v1 import bank_pb2, ledger_pb2
from magnate.cli.ledger.export import run_export
from magnate.kit.keys import KeyRing
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.port import Stored
from tests.golden.states import GAMES, read
from tests.support.bank_tables import Bank, Table, serving
from tests.support.game_api import bearer, new_id, refused
from tests.support.sources import SERVICES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

pytestmark = pytest.mark.asyncio

CSV, JSON = ledger_pb2.LEDGER_FORMAT_CSV, ledger_pb2.LEDGER_FORMAT_JSON
JOURNAL, HLEDGER = ledger_pb2.LEDGER_FORMAT_JOURNAL, ledger_pb2.LEDGER_FORMAT_HLEDGER
SCHEMA = json.loads((SERVICES / "magnate/bank/export/ledger.schema.json").read_text(encoding="utf-8"))
FILES = sorted(GAMES.glob("*.jsonl"))
STRANGER = "1-0-00112233445566778899aabb"


async def pieces(
    bank: Bank, ledger_id: str, form: int, version: int = 0, token: str = ""
) -> list[ledger_pb2.ExportLedgerResponse]:
    """Export, and return what came."""
    request = ledger_pb2.ExportLedgerRequest(ledger_id=ledger_id, version=version)
    request.format = form  # type: ignore[assignment]  # some of the numbers are none
    return [one async for one in bank.ledger.ExportLedger(request, metadata=bearer(token), timeout=20)]


async def text_of(bank: Bank, ledger_id: str, form: int, version: int = 0, token: str = "") -> str:
    """Export, and return the file."""
    return b"".join([one.data for one in await pieces(bank, ledger_id, form, version, token)]).decode()


async def balances(bank: Bank, ledger_id: str, version: int = 0) -> dict[str, int]:
    """Return what the bank says is on every account, in the currency."""
    request = ledger_pb2.GetBalancesRequest(ledger_id=ledger_id, version=version)
    answer = await bank.ledger.GetBalances(request, timeout=20)
    scale = answer.currency.scale or 1
    return {one.account: one.posted * scale for one in answer.balances}


def loaded(text: str) -> list[Any]:
    """Load a journal with beancount; it must find nothing wrong."""
    entries, errors, _ = loader.load_string(text)
    assert errors == []
    return list(entries)


def realized(entries: list[Any], names: list[str]) -> dict[str, int]:
    """Return what beancount makes of every account's entries."""
    whole: Any = realization
    root = whole.realize(entries)
    commodity = next(one.currencies[0] for one in entries if isinstance(one, data.Open))
    return {
        name: int(whole.get(root, account_name(name)).balance.get_currency_units(commodity).number)
        for name in names
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
async def test_a_whole_game_in_every_format(path: Path) -> None:
    """A game that bots played: at its end and in its middle the file has the balances that the bank has."""
    head, records = read(path)
    log, game_id = MemoryLog(), head["game_id"]
    sequence = 0
    for record in records:
        await log.append(game_id, base64.b64decode(record["data"]), sequence)
        sequence = (await log.load(game_id))[-1].sequence
    async with serving(log, keys=KeyRing.parse(head["keys"])) as bank:
        for version in (0, len(records) // 2):
            expected = await balances(bank, game_id, version)
            entries = loaded(await text_of(bank, game_id, JOURNAL, version))
            assert realized(entries, list(expected)) == expected
            document = json.loads(await text_of(bank, game_id, JSON, version))
            jsonschema.Draft202012Validator(SCHEMA).validate(document)
            assert document["version"] == (version or len(records))
            assert {one["account"]: int(one["posted"]) for one in document["balances"]} == expected
            rows = list(csv.DictReader(io.StringIO(await text_of(bank, game_id, CSV, version), newline="")))
            sums = dict.fromkeys(expected, 0)
            for row in rows:
                if row["record"] in {"entry", "hold_captured"}:
                    sums[row["debit"]] -= int(row["amount"])
                    sums[row["credit"]] += int(row["amount"])
            assert sums == expected
            assert "= " in await text_of(bank, game_id, HLEDGER, version)


async def pay(table: Table) -> Any:
    """Let Bob pay Ann a million and a half."""
    await table.insert(0, "left")
    await table.insert(1, "right")
    return await table.press("1", ".", "5", "M", "M")


async def test_a_table_of_cards_with_what_was_taken_back() -> None:
    """Amounts are in the currency (a ledger of thousands), the reversal names what it takes back."""
    async with serving() as bank:
        table = await bank.open()
        paid = await pay(table)
        await table.do("UndoOperation", version=paid.operation.version, note="wrong =card")
        expected = await balances(bank, table.table_id)
        assert expected["seat-0"] == 15_000_000
        entries = loaded(await text_of(bank, table.table_id, JOURNAL))
        assert realized(entries, list(expected)) == expected
        moved: list[Any] = [one for one in entries if isinstance(one, data.Transaction)]
        assert [int(one.postings[-1].units.number) for one in moved[1:]] == [1_500_000, 1_500_000]
        first, back = moved[1].postings[0].meta, moved[2].postings[0].meta
        assert back["reverses"] == first["transfer"]
        assert back["note"] == "wrong =card"
        rows = list(csv.DictReader(io.StringIO(await text_of(bank, table.table_id, CSV), newline="")))
        assert [row["reverses"] for row in rows if row["reverses"]] == [first["transfer"]]
        assert {row["commodity"] for row in rows} == {"", "MAG"}
        operations = await table.operations()
        assert {row["id"] for row in rows if row["record"] == "entry"} == {
            entry.entry_id for one in operations for entry in one.entries
        }


async def opened(bank: Bank, *, private: bool = False) -> ledger_pb2.OpenLedgerResponse:
    """Open a ledger of one's own, with money on one of its accounts and a hold on it."""
    request = ledger_pb2.OpenLedgerRequest(command_id=new_id() + new_id())
    for name in ("seat-0", "seat-1"):
        request.accounts.add(account=name, private=private)
    answer = await bank.ledger.OpenLedger(request, timeout=20)
    start = bank_pb2.Transfer(debit="bank", credit="seat-0", amount=900, reason="start", transfer_id="t1")
    hold = bank_pb2.PlaceHold(hold_id="h1", account="seat-0", amount=300)
    await post(bank, answer, bank_pb2.Instruction(transfer=start), bank_pb2.Instruction(place_hold=hold))
    return answer


async def post(bank: Bank, ledger: ledger_pb2.OpenLedgerResponse, *what: bank_pb2.Instruction) -> None:
    """Have a ledger do something, as its banker."""
    request = ledger_pb2.PostRequest(
        ledger_id=ledger.ledger_id, command_id=new_id(), instructions=what, all_or_none=True
    )
    done = await bank.ledger.Post(request, metadata=bearer(ledger.banker_token), timeout=20)
    assert not any(one.rejection for one in done.results), done


async def test_a_ledger_of_ones_own_comes_in_pieces() -> None:
    """Every piece is whole characters, all have the version, together they are the file."""
    async with serving() as bank:
        ledger = await opened(bank)
        for number in range(12):
            transfers = [
                bank_pb2.Transfer(
                    debit="bank", credit="seat-1", amount=1, reason="gift", transfer_id=f"g{number}-{one}"
                )
                for one in range(100)
            ]
            await post(bank, ledger, *(bank_pb2.Instruction(transfer=one) for one in transfers))
        came = await pieces(bank, ledger.ledger_id, JOURNAL)
        assert len(came) > 3
        assert {one.version for one in came} == {14}
        for one in came:
            one.data.decode()
        entries = loaded(b"".join([one.data for one in came]).decode())
        expected = await balances(bank, ledger.ledger_id)
        assert expected["seat-1"] == 1200
        assert realized(entries, list(expected)) == expected
        holds = [one.values[0].value for one in entries if isinstance(one, data.Custom)]
        assert holds == ["placed"]


async def test_what_is_private_is_left_out() -> None:
    """Payments are public, balances are for the seat itself and the banker, in every format."""
    async with serving() as bank:
        ledger = await opened(bank, private=True)
        own = {one.account: one.token for one in ledger.account_tokens}
        for token, shown in (
            ("", {"bank"}),
            (own["seat-1"], {"bank", "seat-1"}),
            (own["seat-0"], {"bank", "seat-0"}),
            (ledger.banker_token, {"bank", "seat-0", "seat-1"}),
        ):
            document = json.loads(await text_of(bank, ledger.ledger_id, JSON, token=token))
            assert {one["account"] for one in document["balances"]} == shown
            entries = loaded(await text_of(bank, ledger.ledger_id, JOURNAL, token=token))
            asserted = {one.account for one in entries if isinstance(one, data.Balance)}
            assert asserted == {account_name(name) for name in shown}
            text = await text_of(bank, ledger.ledger_id, HLEDGER, token=token)
            assert text.count(" = ") == len(shown)
            assert len([one for one in entries if isinstance(one, data.Transaction)]) == 1


async def test_bad_questions_are_named() -> None:
    """Each with its status and reason, before anything is sent."""
    async with serving() as bank:
        ledger = await opened(bank)
        for ledger_id, form, version, code, reason in (
            (STRANGER, CSV, 0, grpc.StatusCode.NOT_FOUND, "UNKNOWN_LEDGER"),
            ("nonsense", CSV, 0, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
            (ledger.ledger_id, 0, 0, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
            (ledger.ledger_id, 99, 0, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
            (ledger.ledger_id, CSV, 9, grpc.StatusCode.OUT_OF_RANGE, "VERSION_NOT_REACHED"),
        ):
            error = await refused(pieces(bank, ledger_id, form, version))
            assert (error.code, error.reason) == (code, reason)


async def test_an_old_record_that_rots_is_noticed_by_whoever_reads_it() -> None:
    """The newest balances are in memory and right; each look further back is DATA_LOSS, counted once."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        paid = await pay(table)
        table_id = table.table_id
        stored = await log.load(table_id)
        spoilt = bytearray(stored[0].data)
        spoilt[len(spoilt) // 2] ^= 1
        held = log._stream(table_id).games[table_id]
        held[0] = Stored(held[0].sequence, bytes(spoilt))
        assert (await balances(bank, table_id))["seat-0"] == 16_500_000

        entry = paid.operation.entries[0].entry_id
        asked: list[Callable[[], Awaitable[object]]] = [
            lambda: pieces(bank, table_id, CSV),
            lambda: balances(bank, table_id, 1),
            lambda: bank.ledger.GetStatement(ledger_pb2.GetStatementRequest(ledger_id=table_id)),
            lambda: bank.ledger.GetTrialBalance(
                ledger_pb2.GetTrialBalanceRequest(ledger_id=table_id, version=1)
            ),
            lambda: bank.ledger.ListHolds(ledger_pb2.ListHoldsRequest(ledger_id=table_id, version=1)),
            lambda: bank.ledger.GetEntryProof(
                ledger_pb2.GetEntryProofRequest(ledger_id=table_id, entry_id=entry)
            ),
            table.operations,
        ]
        for number, ask in enumerate(asked, start=1):
            error = await refused(ask())
            assert (error.code, error.reason) == (grpc.StatusCode.DATA_LOSS, "DATA_LOSS")
            assert bank.metric("magnate_bank_damaged_total") == number


async def test_the_command_writes_a_whole_file_or_none(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """To a file, with what was there before kept if anything goes wrong; or to standard output."""

    def there() -> dict[str, str]:
        return {one.name: one.read_text() for one in tmp_path.iterdir()}

    async with serving() as bank:
        ledger = await opened(bank)
        address, out = f"127.0.0.1:{bank.port}", tmp_path / "ledger.journal"
        out.write_text("old")
        with pytest.raises(SystemExit) as ended:
            await run_export(address, STRANGER, "journal", out, 0, "", json_mode=True)
        assert (ended.value.code, there()) == (2, {"ledger.journal": "old"})
        capsysbinary.readouterr()
        assert await run_export(address, ledger.ledger_id, "journal", out, 0, "", json_mode=True) == 0
        said = json.loads(capsysbinary.readouterr().out.splitlines()[-1])
        assert (said["version"], said["bytes"]) == (2, out.stat().st_size)
        assert there()[out.name] == await text_of(bank, ledger.ledger_id, JOURNAL)
        for form, number in (("csv", CSV), ("json", JSON), ("hledger", HLEDGER)):
            assert await run_export(address, ledger.ledger_id, form, None, 1, "", json_mode=False) == 0
            written = capsysbinary.readouterr().out.decode()  # the server in this process logs there, too
            assert written.endswith(await text_of(bank, ledger.ledger_id, number, 1))
    for form, place, code in (
        ("xml", None, 2),
        ("csv", tmp_path / "no" / "where.csv", 2),
        ("csv", tmp_path / "x.csv", 3),
    ):
        with pytest.raises(SystemExit) as ended:
            await run_export(address, ledger.ledger_id, form, place, 0, "", json_mode=False)
        assert ended.value.code == code
    with pytest.raises(SystemExit) as ended:
        await run_export(address, ledger.ledger_id, "csv", None, 0, "", json_mode=True)
    assert ended.value.code == 2
    assert set(there()) == {"ledger.journal"}
