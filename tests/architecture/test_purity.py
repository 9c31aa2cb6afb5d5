"""What the pure core must not do: read clocks, draw numbers, print, wait, divide money."""

from __future__ import annotations

import ast
import tomllib
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from tests.support.sources import ROOT, SERVICES, Module, modules, where

if TYPE_CHECKING:
    from pathlib import Path

IMPURE = {"asyncio", "concurrent", "datetime", "http", "io", "locale", "logging", "multiprocessing", "os"}
IMPURE |= {"pathlib", "platform", "queue", "random", "secrets", "select", "shutil", "signal", "socket"}
IMPURE |= {"subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid", "warnings", "weakref"}
# `hash` and `id` differ from process to process, so nothing that is stored or decided may depend on them.
WORLDLY_CALLS = {
    "open",
    "print",
    "input",
    "eval",
    "exec",
    "hash",
    "id",
    "globals",
    "breakpoint",
    "__import__",
}
GAME_WORDS = {"dice", "rent", "mortgage", "jail", "bankrupt", "monopoly", "board", "deed", "landlord"}


def pure_modules() -> list[Module]:
    """Return the modules that decide and fold."""
    return [module for module in modules() if module.is_pure]


def is_in_dunder_hash(module: Module, call: ast.Call) -> bool:
    """Say whether the call stands in `__hash__`, which serves dictionaries of one process only."""
    return any(
        isinstance(node, ast.FunctionDef)
        and node.name == "__hash__"
        and node.lineno <= call.lineno <= (node.end_lineno or 0)
        for node in ast.walk(module.tree)
    )


def test_the_pure_core_imports_nothing_worldly() -> None:
    """Time, chance and input come in as data."""
    wrong = [
        f"{where(module.path, line)} imports {name}"
        for module in pure_modules()
        for line, name in module.imports()
        if name.split(".")[0] in IMPURE
    ]
    assert not wrong, "\n".join(wrong)


def test_the_pure_core_calls_nothing_worldly() -> None:
    """A call that looks outside the arguments would make a replay differ from the original."""
    wrong = [
        f"{where(module.path, node.lineno)} calls {node.func.id}"
        for module in pure_modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in WORLDLY_CALLS
        and not is_in_dunder_hash(module, node)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_pure_core_counts_in_whole_numbers() -> None:
    """No fractions anywhere: amounts are integers, so rounding is always written out with `//`."""
    wrong = [
        where(module.path, node.lineno)
        for module in pure_modules()
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div))
        or (isinstance(node, ast.Constant) and isinstance(node.value, float))
    ]
    assert not wrong, "\n".join(wrong)


def test_the_rules_copy_nothing_the_slow_way() -> None:
    """Frozen dataclasses and deepcopy cost more than a whole step of the game."""
    wrong = []
    for module in pure_modules():
        if module.parts[0] == "rules":
            frozen = [n for n in ast.walk(module.tree) if isinstance(n, ast.keyword) and n.arg == "frozen"]
            wrong += [f"{where(module.path, node.value.lineno)} is a frozen dataclass" for node in frozen]
            wrong += [where(module.path, line) for line, name in module.imports() if name == "copy.deepcopy"]
    assert not wrong, "\n".join(wrong)


def test_no_rule_asks_which_rule_set_it_is_in() -> None:
    """A rule set chooses by an option; comparing its name would tie a rule to one edition."""
    names = {"ruleset", "ruleset_id", "rule_set", "rule_set_id", "ruleset_name"}
    wrong = []
    for module in modules():
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Compare):
                continue
            sides = [node.left, *node.comparators]
            named = any(getattr(side, "id", getattr(side, "attr", "")) in names for side in sides)
            if named and any(
                isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides
            ):
                wrong.append(where(module.path, node.lineno))
    assert not wrong, "\n".join(wrong)


def test_kit_knows_no_word_of_the_game() -> None:
    """What every service shares could serve another game as well."""
    wrong = []
    for module in modules():
        if module.parts[:1] != ("kit",):
            continue
        for node in ast.walk(module.tree):
            name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
            name = name or (node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else None)
            if isinstance(name, str) and GAME_WORDS & set(name.lower().split("_")):
                wrong.append(f"{where(module.path, getattr(node, 'lineno', 0))} says {name}")
    assert not wrong, "\n".join(wrong)


def is_excluded(path: Path, globs: list[str]) -> bool:
    """Say whether a source is kept from mypyc by one of the globs."""
    return any(fnmatch(path.relative_to(SERVICES).as_posix(), glob) for glob in globs)


def test_compiled_modules_do_not_ask_where_they_are() -> None:
    """A compiled module's file lies elsewhere, so `__file__` would find no data there."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["magnate"][
        "mypyc"
    ]
    names = {path for glob in settings["modules"] for path in SERVICES.glob(glob)}
    names = {path for path in names if not is_excluded(path, settings["exclude"])}
    assert names
    assert not [where(path) for path in sorted(names) if "__file__" in path.read_text(encoding="utf-8")]


def test_the_pure_core_does_not_look_into_its_classes() -> None:
    """Compiled classes have no `__slots__`, `__dict__` or annotations to read."""
    hidden = {"__slots__", "__dict__", "__annotations__"}
    wrong = [
        f"{where(module.path, node.lineno)} reads {node.attr}"
        for module in pure_modules()
        if module.parts[:2] != ("game", "domain")  # not compiled
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr in hidden
    ]
    assert not wrong, "\n".join(wrong)
