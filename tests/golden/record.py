"""Records a golden game: `python -m tests.golden.record NAME BOARD SEATS TURNS SEED`.

Golden files are only ever added. Record one when events or options are added that no file has yet; never
record an old one anew: that today's code reads yesterday's bytes is the whole point.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from random import Random
from types import SimpleNamespace
from typing import Final

from magnate.cli.local import KEYS
from magnate.game import service
from magnate.kit.log import commit as commits
from magnate.rules.plain import plain
from tests.golden.states import FORMAT, GAMES, MANIFEST, Rebuilt, hash_of
from tests.support.tables import LocalTable, done

PAUSE_EVERY: Final = 150
KEY_TEXT: Final = f"{KEYS.current_id}:{bytes(32).hex()}"


async def play(board: str, seats: int, turns: int, seed: int) -> LocalTable:
    """Play a whole game in which everything, chance too, comes from one seed; paused now and then."""
    rng = Random(seed)
    fixed = SimpleNamespace(token_bytes=rng.randbytes)
    service.secrets = commits.secrets = fixed  # type: ignore[assignment,attr-defined]
    table = LocalTable(f"golden-{board}-{seed}")
    await table.begin(board=board, seats=seats, options={"end.turns_max": str(turns)})
    number = 0
    async for loaded in table.play(rng):
        number += 1
        if number % PAUSE_EVERY == 0 and loaded.state.table.status == 2:
            done(await table.game.service.pause(table.game_id, _seen(table, loaded.version)))
            await table.services.advance(table.game_id, 60_000)
            done(await table.game.service.resume(table.game_id, _seen(table, loaded.version)))
    return table


def _seen(table: LocalTable, version: int) -> commits.Command:
    command = table.command("seat-0")
    command.seen_version = version
    return command


async def record(board: str, seats: int, turns: int, seed: int) -> list[str]:
    """Play a game and return the lines of its file."""
    table = await play(board, seats, turns, seed)
    rules = (await table.loaded()).state.rules
    assert rules is not None
    rebuilt = Rebuilt(table.game_id, list(plain(rules)))
    head = {
        "format": FORMAT,
        "game_id": table.game_id,
        "keys": KEY_TEXT,
        "board": board,
        "fields": rebuilt.fields,
    }
    lines = [json.dumps(head)]
    for commit in await table.commits():
        rebuilt.apply(commit)
        data = base64.b64encode(commit.data).decode()
        lines.append(json.dumps({"sequence": commit.sequence, "data": data, "digest": rebuilt.digest()}))
    await table.close()
    return lines


def main(arguments: list[str]) -> int:
    """Record one game and list it in the manifest; refuse to replace one."""
    name, board, seats, turns, seed = arguments
    path = GAMES / f"{name}.jsonl"
    if path.exists():
        sys.stderr.write(f"{path} exists: golden files are never changed\n")
        return 1
    lines = asyncio.run(record(board, int(seats), int(turns), int(seed)))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with MANIFEST.open("a", encoding="utf-8") as file:
        file.write(f"{hash_of(path)}  {path.name}\n")
    sys.stdout.write(f"{path.name}: {len(lines) - 1} records\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
