"""Records a golden game: `python -m tests.golden.record NAME RULESET SEATS SEED [option=value …]`.

The rule set's own board is played, or `board=ID`. With `leave=N` nobody plays any more after N commands.

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
from magnate.game.domain.attendance import ANYBODY, Sighting
from magnate.game.domain.table import PAUSED, RUNNING
from magnate.kit.log import commit as commits
from magnate.rules.loader import load_ruleset
from magnate.rules.plain import plain
from magnate.rules.vocabulary import END_REASON_NAMES
from tests.golden.states import FORMAT, GAMES, MANIFEST, Rebuilt, hash_of
from tests.support.tables import LocalTable, done

PAUSE_EVERY: Final = 150
COME_AND_GO_EVERY: Final = 20
EXTRAS: Final = "extras"
"""A part of the state that is not written while it is as at the beginning."""
ABANDONED_MS: Final = 400 * 24 * 3600 * 1000
KEY_TEXT: Final = f"{KEYS.current_id}:{bytes(32).hex()}"


async def play(
    ruleset: str, board: str, seats: int, seed: int, options: dict[str, str], leave: int = 0
) -> LocalTable:
    """Play a whole game in which everything, chance too, comes from one seed; paused now and then."""
    rng = Random(seed)
    fixed = SimpleNamespace(token_bytes=rng.randbytes)
    service.secrets = commits.secrets = fixed  # type: ignore[assignment,attr-defined]
    table = LocalTable(f"golden-{ruleset}-{board}-{seed}")
    await table.begin(ruleset=ruleset, board=board, seats=seats, options=options)
    number = 0
    async for loaded in table.play(rng):
        number += 1
        if number == leave:
            await table.services.advance(table.game_id, ABANDONED_MS)
            break
        if "timers.away_seconds" in options and loaded.state.table.status == RUNNING:
            await _come_and_go(table, number, seats)
        if number % PAUSE_EVERY == 0 and loaded.state.table.status == RUNNING:
            done(await table.game.attendance.pause(table.game_id, _seen(table, loaded.version)))
            await table.services.advance(table.game_id, 60_000)
            done(await table.game.attendance.resume(table.game_id, _seen(table, loaded.version)))
    return table


async def _come_and_go(table: LocalTable, number: int, seats: int) -> None:
    """Now and then somebody is away for a while, gets more time from his neighbour, or wishes for a break."""
    attendance, game_id, step = table.game.attendance, table.game_id, number % COME_AND_GO_EVERY
    seat = number // COME_AND_GO_EVERY % seats
    command = table.command(f"seat-{seat}")
    if step == 1:
        await attendance.note(game_id, "boot", [Sighting(seat, "boot.1", ANYBODY)])
    elif step == 5:
        await attendance.note(game_id, "boot", [Sighting(seat, "", "boot")])
        await table.services.advance(game_id, 4_000)
    elif step == 9:
        await attendance.note(game_id, "boot", [Sighting(seat, "boot.2", ANYBODY)])
    elif step == 12:
        await attendance.grant(game_id, command, seat, (seat + 1) % seats, 5_000)
    elif step == 17:
        await table.services.advance(game_id, 55_000)  # somebody misses his clock, perhaps twice
    elif step == 15:
        await attendance.pause(game_id, command, seat)
        if (await table.loaded()).state.table.status == PAUSED:
            await attendance.resume(game_id, table.command("operator"))


def _seen(table: LocalTable, version: int) -> commits.Command:
    command = table.command("seat-0")
    command.seen_version = version
    return command


async def record(ruleset: str, seats: int, seed: int, options: dict[str, str]) -> list[str]:
    """Play a game and return the lines of its file."""
    options = dict(options)
    board, leave = options.pop("board", load_ruleset(ruleset).board), int(options.pop("leave", "0"))
    table = await play(ruleset, board, seats, seed, options, leave)
    rules = (await table.loaded()).state.rules
    assert rules is not None
    fields = list(dict.fromkeys([*plain(rules), EXTRAS]))
    rebuilt = Rebuilt(table.game_id, fields)
    head = {
        "format": FORMAT,
        "game_id": table.game_id,
        "keys": KEY_TEXT,
        "ruleset": ruleset,
        "board": board,
        "end_reason": END_REASON_NAMES[rules.end_reason].lower(),
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
    name, ruleset, seats, seed, *rest = arguments
    options = dict(one.split("=", 1) for one in rest)
    path = GAMES / f"{name}.jsonl"
    if path.exists():
        sys.stderr.write(f"{path} exists: golden files are never changed\n")
        return 1
    lines = asyncio.run(record(ruleset, int(seats), int(seed), options))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with MANIFEST.open("a", encoding="utf-8") as file:
        file.write(f"{hash_of(path)}  {path.name}\n")
    sys.stdout.write(f"{path.name}: {len(lines) - 1} records\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
