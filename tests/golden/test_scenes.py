"""Logs of scenarios that earlier builds recorded: between them and the golden games every event is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules.invariants import check
from tests.golden.scenes import MANIFEST, SCENES, events_kept, events_there_are
from tests.golden.states import Rebuilt, hash_of, read, verified

if TYPE_CHECKING:
    from pathlib import Path

FILES = sorted(SCENES.glob("*.jsonl"))


def test_golden_scenes_are_never_edited() -> None:
    """A file that changed, came without being listed, or went away: none of that may happen."""
    lines = MANIFEST.read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert listed == {path.name: hash_of(path) for path in FILES}


def test_every_event_is_kept() -> None:
    """Whatever a log can hold today will be read by every later build."""
    assert events_there_are() - events_kept() == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_scene_folds_to_the_recorded_states(path: Path) -> None:
    """Table, rules, money, auction and deadlines are as they were, after each commit."""
    head, records = read(path)
    rebuilt = Rebuilt(head["game_id"], head["fields"])
    for commit, digest in verified(head, records):
        rebuilt.apply(commit)
        assert rebuilt.digest() == digest, f"version {commit.version}"
        if rebuilt.game.rules is not None:
            assert check(rebuilt.game.rules) == [], f"version {commit.version}"
