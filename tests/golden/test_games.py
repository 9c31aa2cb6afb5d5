"""Whole games that earlier builds recorded: today's code folds each to the same state, at every version."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

from magnate.cli.fairness import check_fairness
from magnate.game.codec import encode_table_event
from magnate.game.domain import table as domain
from magnate.game.fold import GameFold
from magnate.game.snapshot import GameSnapshots
from magnate.game.upcast import RULES_VERSION, rules_events
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import decode_event, encode_event
from magnate.kit.log.commit import RULES, TABLE
from magnate.kit.log.errors import LogError
from magnate.rules.invariants import check
from magnate.rules.loader import ruleset_ids
from magnate.rules.v1 import vocabulary_pb2
from magnate.rules.vocabulary import END_REASON_NAMES
from tests.golden.record import main as record
from tests.golden.states import GAMES, Rebuilt, hash_of, manifest, read, verified

if TYPE_CHECKING:
    from pathlib import Path

FILES = sorted(GAMES.glob("*.jsonl"))
BOARDS = {"classic-us", "classic-uk", "classic-ru"}
every_game = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def test_golden_games_are_never_edited() -> None:
    """A file that changed, came without being listed, or went away: none of that may happen."""
    assert manifest() == {path.name: hash_of(path) for path in FILES}


def test_there_is_a_golden_game_of_each_board() -> None:
    """Every classic board has been played to the end under the first stored format."""
    assert {read(path)[0]["board"] for path in FILES} >= BOARDS


def test_every_event_of_the_table_is_in_some_golden_game() -> None:
    """What tables, clocks and presence can say has been said under the format that it was stored in first."""
    said = set()
    for path in FILES:
        head, records = read(path)
        for commit, _ in verified(head, records):
            section = commit.section(TABLE)
            if section is not None:
                events = game_pb2.TableSection.FromString(section.body).events
                said |= {event.WhichOneof("kind") for event in events}
    assert said == {field.name for field in game_pb2.TableEvent.DESCRIPTOR.oneofs_by_name["kind"].fields}


def test_there_is_a_golden_game_of_each_rule_set_and_each_end() -> None:
    """Whatever game was played, and however it ended: later builds read it to its end."""
    rulesets, ends = set(), set()
    for path in FILES:
        head, records = read(path)
        rebuilt = Rebuilt(head["game_id"], head["fields"])
        for commit, _ in verified(head, records):
            rebuilt.apply(commit)
        assert rebuilt.game.table.ruleset is not None
        assert rebuilt.game.rules is not None
        rulesets.add(rebuilt.game.table.ruleset.id)
        ends.add(rebuilt.game.rules.end_reason)
    assert rulesets >= set(ruleset_ids())
    assert ends >= set(range(1, len(END_REASON_NAMES)))


@every_game
def test_a_golden_game_folds_to_the_recorded_states(path: Path) -> None:
    """Hash, mac, chain and sections are read; table, rules, money, auction, deadlines are as they were."""
    head, records = read(path)
    rebuilt = Rebuilt(head["game_id"], head["fields"])
    for commit, digest in verified(head, records):
        rebuilt.apply(commit)
        assert rebuilt.digest() == digest, f"version {commit.version}"
        if rebuilt.game.rules is not None:
            assert check(rebuilt.game.rules) == [], f"version {commit.version}"
    assert rebuilt.game.table.status == domain.OVER
    assert len(records) > 100


@every_game
def test_a_golden_game_was_fair(path: Path) -> None:
    """Every throw and card is still the one that the revealed seed gives."""
    head, records = read(path)
    commits = [commit for commit, _ in verified(head, records)]
    fold = GameFold()
    state = fold.initial(head["game_id"])
    for commit in commits:
        state = fold.apply(state, commit)
    fairness = check_fairness(commits, state)
    assert fairness.ok, fairness.faults
    assert fairness.checked > 50


@every_game
def test_a_golden_game_is_written_today_as_it_was_then(path: Path) -> None:
    """Every stored event that no upcaster has changed, read and written again, has the very bytes stored."""
    head, records = read(path)
    for commit, _ in verified(head, records):
        for section in commit.sections:
            if section.kind == RULES:
                written = game_pb2.RulesSection.FromString(section.body).events
                for stored, read_now in zip(written, rules_events(section), strict=True):
                    again = vocabulary_pb2.Event()
                    encode_event(decode_event(read_now), again)
                    if stored.WhichOneof("kind") == read_now.WhichOneof("kind"):
                        assert again.SerializeToString() == stored.SerializeToString(), commit.version
                    else:
                        assert section.version < RULES_VERSION


@every_game
def test_a_golden_table_is_shown_today_as_it_was_opened(path: Path) -> None:
    """The log carries board and rule set themselves: what they hash to is what was recorded."""
    head, records = read(path)
    commit, _ = next(verified(head, records))
    section = commit.section(TABLE)
    assert section is not None
    [stored] = game_pb2.TableSection.FromString(section.body).events
    fold = GameFold()
    state = fold.apply(fold.initial(head["game_id"]), commit)
    opened = state.table
    assert opened.ruleset is not None
    assert opened.board is not None
    again = game_pb2.TableEvent()
    event = domain.TableOpened(
        opened.ruleset, opened.board, opened.seat_count, opened.title, opened.seed_hash, opened.sandbox
    )
    encode_table_event(event, again)
    assert again.table_opened.board == stored.table_opened.board
    assert again.table_opened.ruleset.content_hash == stored.table_opened.ruleset.content_hash
    twin = GameSnapshots().decode(GameSnapshots().encode(state))
    assert twin.table.board is opened.board


@every_game
def test_a_changed_byte_of_a_golden_game_is_noticed(path: Path) -> None:
    """Anywhere in a record: the log is said to be damaged, and nothing is folded."""
    head, records = read(path)
    for at in (0, len(records) // 2, len(records) - 1):
        data = bytearray(base64.b64decode(records[at]["data"]))
        for place in range(0, len(data), max(1, len(data) // 20)):
            spoilt = [dict(one) for one in records]
            data[place] ^= 0x10
            spoilt[at]["data"] = base64.b64encode(data).decode()
            data[place] ^= 0x10
            with pytest.raises(LogError):
                list(verified(head, spoilt[: at + 1]))


def test_a_golden_game_is_not_recorded_anew(capsys: pytest.CaptureFixture[str]) -> None:
    """The tool that records games refuses to replace one."""
    before = manifest()
    name = FILES[0].stem
    assert record([name, "classic", "2", "1", "end.turns_max=5"]) == 1
    assert "never changed" in capsys.readouterr().err
    assert manifest() == before


def test_golden_files_are_plain_lines() -> None:
    """One JSON object a line, so that what is in them can be looked at with any tool."""
    for path in FILES:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert isinstance(json.loads(line), dict)
