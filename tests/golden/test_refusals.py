"""Commands that earlier builds refused: today each is refused for the same reason, and appends nothing."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from magnate.cli.local import LocalServices
from magnate.game.acting import NotActed
from magnate.game.v1 import game_pb2
from magnate.kit.errors import KitError
from magnate.kit.log.port import Appended
from magnate.kit.rpc.call import Principal
from magnate.rules.v1 import vocabulary_pb2
from tests.golden.refusals import MANIFEST, REFUSALS, main, sources
from tests.golden.states import hash_of

if TYPE_CHECKING:
    from pathlib import Path

FILES = sorted(REFUSALS.glob("*.jsonl"))


def manifest() -> dict[str, str]:
    """Return the hash of each file by its name."""
    lines = MANIFEST.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def test_golden_refusals_are_never_edited() -> None:
    """A file that changed, came without being listed, or went away: none of that may happen."""
    assert manifest() == {path.name: hash_of(path) for path in FILES}


def test_there_is_a_golden_refusal_of_every_name() -> None:
    """Every rejection that a scenario provokes by a seat's command is kept for ever."""
    assert {path.stem for path in FILES} >= set(sources())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_refusal_is_refused_today(path: Path) -> None:
    """The stored game is read, the command judged: the same name, and the log is as long as before."""
    head, *records = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    name, appended = asyncio.run(refusal(head, records))
    assert name == head["rejection"] == path.stem
    assert appended == 0


async def refusal(head: dict[str, Any], records: list[dict[str, Any]]) -> tuple[str, int]:
    """Put the records into a fresh log, send the command, return its refusal and what it appended."""
    services = LocalServices()
    game_id, last = head["game_id"], 0
    for record in records:
        stored = await services.log.append(game_id, base64.b64decode(record["data"]), last)
        assert isinstance(stored, Appended)
        assert stored.sequence == record["sequence"]
        last = record["sequence"]
    services.clock.set(head["time_ms"])
    request = game_pb2.ActRequest(
        game_id=game_id,
        command_id="refused",
        command=vocabulary_pb2.Command.FromString(base64.b64decode(head["command"])),
    )
    caller = Principal("seat", game_id=game_id, seat=head["seat"])
    try:
        outcome = await services.game.acting.act(request, caller, services.clock.now_ms())
        name = outcome.rejection.name if isinstance(outcome, NotActed) else ""
    except KitError as error:
        name = error.reason
    after = len(await services.log.load(game_id)) - len(records)
    await services.close()
    return name, after


def test_a_golden_refusal_is_not_recorded_anew(capsys: pytest.CaptureFixture[str]) -> None:
    """The tool that records them refuses to replace one."""
    before = manifest()
    assert main([FILES[0].stem]) == 1
    assert "never changed" in capsys.readouterr().err
    assert manifest() == before
