"""Records the log of a scenario for each event that no golden game has: `python -m tests.golden.scenes`.

The files of `scenes/` look like golden games (see `states`), but end wherever the scenario ends. Like these
they are only ever added.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from magnate.auction.v1 import auction_pb2
from magnate.cli.local import KEYS
from magnate.cli.scenario.drive_local import LocalDriver
from magnate.cli.scenario.model import Proxy
from magnate.cli.scenario.names import AUCTION_EVENTS, RULES_EVENTS
from magnate.cli.scenario.run import Run
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import AUCTION, RULES, parse_commit
from magnate.rules.plain import plain
from tests.golden.record import EXTRAS, KEY_TEXT
from tests.golden.states import FORMAT, GAMES, Rebuilt, hash_of, read, verified
from tests.scenario.coverage import scenarios

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from magnate.cli.scenario.model import Scenario
    from magnate.kit.log.commit import ParsedCommit

SCENES: Final = Path(__file__).parent / "scenes"
MANIFEST: Final = SCENES / "MANIFEST"


def events_in(commits: Iterable[ParsedCommit]) -> set[str]:
    """The events of rules and auctions in some commits, by the name of the field that carries them."""
    found = set()
    for commit in commits:
        rules, auction = commit.section(RULES), commit.section(AUCTION)
        if rules is not None:
            of_rules = game_pb2.RulesSection.FromString(rules.body).events
            found |= {str(one.WhichOneof("kind")) for one in of_rules}
        hidden = [one for one in commit.secret_sections() if one.kind == AUCTION]
        for section in [*hidden, *([] if auction is None else [auction])]:
            of_auction = auction_pb2.AuctionSection.FromString(section.body).events
            found |= {str(one.WhichOneof("kind")) for one in of_auction}
    return found


def events_there_are() -> set[str]:
    """All events of the rules and of auctions."""
    return {field_of(name) for name in RULES_EVENTS | AUCTION_EVENTS}


def events_kept() -> set[str]:
    """The events that some golden game or scene has."""
    files = [*GAMES.glob("*.jsonl"), *SCENES.glob("*.jsonl")]
    return {name for path in files for name in events_in(commit for commit, _ in verified(*read(path)))}


async def record(scenario: Scenario) -> tuple[list[str], set[str]]:
    """Play a scenario and return the lines of its file, and its events."""
    driver = LocalDriver()
    run = Run(scenario, driver)
    await run.play()
    assert not run.failures, run.failures
    game_id = driver.game_id
    stored = await driver.services.log.load(game_id)
    commits = [parse_commit(KEYS, game_id, one.data, one.sequence) for one in stored]
    await driver.close()
    whole = Rebuilt(game_id, [])
    for commit in commits:
        whole.apply(commit)
    assert whole.game.rules is not None
    fields = list(dict.fromkeys([*plain(whole.game.rules), EXTRAS]))
    rebuilt = Rebuilt(game_id, fields)
    table = scenario.table
    head = {
        "format": FORMAT,
        "game_id": game_id,
        "keys": KEY_TEXT,
        "ruleset": table.ruleset,
        "board": table.board.id,
        "fields": fields,
    }
    lines = [json.dumps(head)]
    for commit in commits:
        rebuilt.apply(commit)
        data = base64.b64encode(commit.data).decode()
        lines.append(json.dumps({"sequence": commit.sequence, "data": data, "digest": rebuilt.digest()}))
    return lines, events_in(commits)


def wanted(missing: set[str]) -> Iterator[tuple[str, Scenario]]:
    """An event that is missing, and a scenario that expects it among others that are missing too."""
    left = set(missing)
    for scenario in sorted(scenarios(), key=lambda one: -len(_expected(one) & missing)):
        found = _expected(scenario) & left
        if found:
            left -= found
            yield min(found), scenario


def _expected(scenario: Scenario) -> set[str]:
    """The events that a scenario names, and what it tells in secret, which no file can name."""
    said = {field_of(name) for step in scenario.steps for name in step.events or []}
    return said | {"proxy_set" for step in scenario.steps if isinstance(step.action, Proxy)}


def field_of(name: str) -> str:
    """The field that carries an event: `TokenMoved` is token_moved."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def main() -> int:
    """Record what is missing and list it in the manifest."""
    SCENES.mkdir(exist_ok=True)
    kept = events_kept()
    for event, scenario in wanted(events_there_are() - kept):
        lines, _ = asyncio.run(record(scenario))
        path = SCENES / f"{event}.jsonl"
        assert not path.exists(), f"{path} exists: golden files are never changed"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        with MANIFEST.open("a", encoding="utf-8") as file:
            file.write(f"{hash_of(path)}  {path.name}\n")
        sys.stdout.write(f"{path.name}: {scenario.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
