"""`magnate audit` on a real nats-server: the whole log, chosen tables, damage on the disk, its output."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import signal
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from magnate.cli.audit.app import AuditOptions, run_audit
from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import parse_commit
from magnate.kit.log.heads import Head, encode_head
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.port import Appended
from tests.golden.states import GAMES, read
from tests.support.bank_tables import serving
from tests.support.nats import NatsServer, server_running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(120)]

RING = "k1:" + "6b" * 32 + ",local:" + "00" * 32
"""The second key is the one that golden games are signed with."""
NAMES = ("classic-us-1", "house-penny", "timed-time")


class Store:
    """A server whose log has some golden games, and a folder as `magnate up` leaves it."""

    def __init__(self, server: NatsServer, data: Path) -> None:
        self.server = server
        self.data = data
        self.games: dict[str, str] = {}
        (data / "keys").write_text(RING + "\n")
        (data / "nats.conf").write_text(f'listen: "127.0.0.1:{server.port}"\n')

    async def fill(self) -> None:
        """Store every record of the games, and their lines in the list."""
        log = JetStreamLog([self.server.url])
        await log.connect()
        await log.ensure()
        for name in NAMES:
            head, records = read(GAMES / f"{name}.jsonl")
            self.games[name] = table_id = head["game_id"]
            sequence = 0
            for record in records:
                data = base64.b64decode(record["data"])
                result = await log.append(table_id, data, sequence)
                assert isinstance(result, Appended)
                sequence = result.sequence
            await self.list(log, table_id, data, sequence)
        await log.close()

    async def list(self, log: JetStreamLog, table_id: str, data: bytes, sequence: int) -> None:
        """Write a table's line in the list."""
        keys = KeyRing.parse(RING)
        commit = parse_commit(keys, table_id, data)
        head = Head(table_id, commit.version, sequence, commit.hash, time_ms=commit.time_ms)
        assert isinstance(await log.head_put(table_id, encode_head(keys, head), 0), Appended)

    def flip(self, needle: bytes) -> None:
        """Stop the server, flip a bit of what it has stored, start it again."""
        self.server.stop(signal.SIGTERM)
        for block in (self.server.directory / "store").rglob("*.blk"):
            content = bytearray(block.read_bytes())
            place = content.find(needle)
            if place >= 0:
                content[place + len(needle) - 1] ^= 1
                block.write_bytes(content)
                break
        else:
            pytest.fail("the bytes are in no block")
        self.server.start()
        self.server.wait_ready()

    def audit(self, **options: Any) -> int:
        """Run the command."""
        return run_audit(AuditOptions(data=self.data, **options), json_mode=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Run a server with a filled store."""
    with server_running() as server:
        one = Store(server, tmp_path)
        asyncio.run(one.fill())
        yield one
    structlog.reset_defaults()  # the command sets up logging for a process of its own


def reported(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the report that was printed, and the lines that were told on the way."""
    captured = capsys.readouterr()
    document: dict[str, Any] = json.loads(captured.out)
    return document["report"], captured.err.splitlines()


def test_the_whole_log_alone_and_in_parallel(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Both find all tables of all streams sound; how far it is, is told on the way."""
    assert store.audit(whole=True, workers=1) == 0
    alone, told = reported(capsys)
    assert told[-1] == "3 of 3 tables audited"
    assert store.audit(whole=True, workers=3) == 0
    parallel, told = reported(capsys)
    assert told[-1] == "3 of 3 tables audited"
    assert {**alone, "time": ""} == {**parallel, "time": ""}
    assert {one["table_id"] for one in alone["tables"]} == set(store.games.values())
    assert alone["totals"]["commits"] == sum(one["last_sequence"] for one in alone["streams"])
    assert [one["stream"] for one in alone["streams"]] == [f"LOG_1_{shard}" for shard in range(4)]


def test_chosen_tables_only(store: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The report is of these, streams are not judged; a table that there is not is bad input."""
    name, out = store.games["house-penny"], tmp_path / "reports"
    out.mkdir()
    assert store.audit(tables=[name, name], report=out / "one.json") == 0
    found, _ = reported(capsys)
    assert [one["table_id"] for one in found["tables"]] == [name]
    assert (found["whole_log"], found["streams"]) == (False, [])
    assert json.loads((out / "one.json").read_text())["report"] == found
    page = (out / "one.json.txt").read_text()
    assert f"{name}  game over" in page
    assert "all is well" in page
    assert store.audit(verify_report=out / "one.json") == 0
    for wrong in ("1-0-00112233445566778899aabb", "nonsense"):
        with pytest.raises(SystemExit) as ended:
            store.audit(tables=[wrong])
        assert ended.value.code == 2


@pytest.mark.parametrize("place", [100, -1], ids=["in the middle", "the last"])
def test_a_message_that_rots_on_the_disk_is_found(
    store: Store, capsys: pytest.CaptureFixture[str], place: int
) -> None:
    """The server passes over it without a word; table, version and stream are named all the same."""
    head, records = read(GAMES / "classic-us-1.jsonl")
    store.flip(base64.b64decode(records[place]["data"])[-40:])
    assert store.audit(whole=True) == 1
    found, _ = reported(capsys)
    [broken] = [one for one in found["tables"] if not one["ok"]]
    assert broken["table_id"] == head["game_id"]
    fault = broken["faults"][0]
    if place == -1:
        assert (fault["version"], fault["kind"]) == (len(records), "list")
    else:
        assert (fault["version"], fault["kind"]) == (place + 1, "chain")
    assert "missing" in fault["what"]
    [stream] = [one for one in found["streams"] if one["faults"]]
    assert stream["stream"] == f"LOG_1_{head['game_id'].split('-')[1]}"


def test_a_table_that_is_lost_whole_is_found(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """The list remembers it; and the stream is shorter than it was."""
    table_id = store.games["timed-time"]
    store.server.stop(signal.SIGTERM)
    stream = f"LOG_1_{table_id.split('-')[1]}"
    shutil.rmtree(next((store.server.directory / "store").rglob(stream)))
    store.server.start()
    store.server.wait_ready()
    assert store.audit(whole=True) == 1
    found, _ = reported(capsys)
    broken = {one["table_id"]: one["faults"][0] for one in found["tables"] if not one["ok"]}
    assert table_id in broken
    assert broken[table_id]["what"].startswith("missing: the list says version")
    [fault] = [one["faults"] for one in found["streams"] if one["stream"] == stream]
    assert "ends at sequence 0" in fault[0]


def test_a_server_that_does_not_answer(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 3, with the address and without what might be a password."""
    store.server.kill()
    address = store.server.url.replace("//", "//user:secret@")
    with pytest.raises(SystemExit) as ended:
        store.audit(whole=True, nats=address)
    assert ended.value.code == 3
    told = capsys.readouterr().err
    assert f"127.0.0.1:{store.server.port}" in told
    assert "secret" not in told


def test_services_that_do_not_answer_and_one_that_knows_nothing(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """To compare with: none there is exit code 3; one without these tables is a fault of each of them."""
    for where in ({"game": "127.0.0.1:1"}, {"bank": "127.0.0.1:1"}):
        with pytest.raises(SystemExit) as ended:
            store.audit(whole=True, **where)
        assert ended.value.code == 3
        assert "127.0.0.1:1" in capsys.readouterr().err

    async def beside_an_empty_bank() -> int:
        async with serving() as bank:
            address = f"127.0.0.1:{bank.port}"
            return await asyncio.to_thread(store.audit, whole=True, bank=address)

    assert asyncio.run(beside_an_empty_bank()) == 1
    document = json.loads(capsys.readouterr().out.splitlines()[-1])
    faults = [fault for one in document["report"]["tables"] for fault in one["faults"]]
    assert [fault["kind"] for fault in faults] == ["server"] * 3
    assert all("UNKNOWN_LEDGER" in fault["what"] for fault in faults)
