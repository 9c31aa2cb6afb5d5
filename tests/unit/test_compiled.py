"""Compiled modules are used when they fit their sources, and never otherwise."""

from __future__ import annotations

import json
import sysconfig
from typing import TYPE_CHECKING

import pytest

from magnate import compiled

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = ["magnate/compiled.py"]
NAME = "magnate.rules.example"


def write_stamp(directory: Path, **changes: object) -> Path:
    """Write a stamp that fits the sources as they are, but for `changes`."""
    stamp: dict[str, object] = {
        "sources_hash": compiled.sources_hash(SOURCES),
        "suffix": sysconfig.get_config_var("EXT_SUFFIX"),
        "sources": SOURCES,
        "modules": {NAME: "abc/example.so"},
    }
    path = directory / compiled.STAMP
    path.write_text(json.dumps({**stamp, **changes}), encoding="utf-8")
    return path


def test_a_fitting_stamp_is_used(tmp_path: Path) -> None:
    """The module is found at the place the stamp names."""
    spec = compiled.CompiledFinder(write_stamp(tmp_path)).find_spec(NAME)
    assert spec is not None
    assert spec.origin == str(tmp_path / "abc/example.so")


@pytest.mark.parametrize(
    "changes",
    [
        {"sources_hash": "0" * 64},
        {"suffix": ".cpython-27.so"},
        {"sources": ["magnate/no_such_file.py"]},
        {"modules": ["not", "a", "table"]},
    ],
    ids=["edited source", "other interpreter", "source gone", "damaged"],
)
def test_a_stamp_that_does_not_fit_is_ignored(tmp_path: Path, changes: dict[str, object]) -> None:
    """An edited source, another interpreter or a damaged stamp means: run interpreted."""
    assert compiled.CompiledFinder(write_stamp(tmp_path, **changes)).find_spec(NAME) is None


def test_other_modules_are_left_to_python(tmp_path: Path) -> None:
    """The finder answers only for what it was told about."""
    finder = compiled.CompiledFinder(write_stamp(tmp_path))
    assert finder.find_spec("json") is None
    assert finder.find_spec("magnate.kit") is None


def test_the_hash_depends_on_names_and_text(tmp_path: Path) -> None:
    """Moving text from one source to another changes the hash, and a missing source has none."""
    (tmp_path / "a").write_text("x", encoding="utf-8")
    (tmp_path / "b").write_text("y", encoding="utf-8")
    first = compiled.sources_hash(["a", "b"], tmp_path)
    (tmp_path / "a").write_text("y", encoding="utf-8")
    (tmp_path / "b").write_text("x", encoding="utf-8")
    assert first != compiled.sources_hash(["a", "b"], tmp_path)
    assert compiled.sources_hash(["a", "c"], tmp_path) == ""
