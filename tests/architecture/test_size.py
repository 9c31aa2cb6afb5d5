"""How long files and functions may be, and what every service must have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from tests.support.sources import SERVICES, is_generated, modules, project_files, where

if TYPE_CHECKING:
    from pathlib import Path

DOMAIN_LINES_MAX = 300
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 50
MAIN_LINES_MAX = 30
STANDARD_MODULES = ("__init__", "__main__", "metrics", "service", "servicer", "settings", "wiring")


def test_files_stay_short() -> None:
    """A file that grows is missing a word: split it where the new word belongs."""
    wrong = []
    for module in modules():
        lines = module.text.count("\n")
        limit = DOMAIN_LINES_MAX if module.is_pure else FILE_LINES_MAX
        limit = MAIN_LINES_MAX if module.path.name == "__main__.py" and "cli" not in module.parts else limit
        if lines > limit:
            wrong.append(f"{where(module.path)} has {lines} lines, {limit} are allowed")
    assert not wrong, "\n".join(wrong)


def test_what_serves_the_services_stays_short_too() -> None:
    """A file of tests is about one subject; what several need is a support module."""
    sizes = {path: path.read_text(encoding="utf-8").count("\n") for path in python_files()}
    assert sizes
    assert not [f"{where(path)} has {lines} lines" for path, lines in sizes.items() if lines > FILE_LINES_MAX]


def test_functions_stay_short() -> None:
    """A function fits on a screen."""
    wrong = []
    for path in python_files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            # A constructor that only lists a state's fields is a declaration, not a procedure.
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name != "__init__":
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES_MAX:
                    wrong.append(f"{where(path, node.lineno)} {node.name} has {lines} lines")
    assert not wrong, "\n".join(wrong)


def python_files() -> list[Path]:
    """Return every hand-written source of the project."""
    return [path for path in project_files() if path.suffix == ".py" and not is_generated(path)]


@pytest.mark.parametrize("service", ["game", "bank", "auction", "timer"])
def test_every_service_has_the_same_modules(service: str) -> None:
    """Who knows one service finds his way in all of them."""
    folder = SERVICES / "magnate" / service
    missing = [name for name in STANDARD_MODULES if not (folder / f"{name}.py").exists()]
    assert not missing, f"{where(folder)} lacks {', '.join(missing)}"
    assert (folder / "domain").is_dir()


def test_every_module_says_what_it_is_for() -> None:
    """A module's first line tells a reader whether to read on."""
    assert not [where(module.path) for module in modules() if not ast.get_docstring(module.tree)]
