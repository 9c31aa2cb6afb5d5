"""The repository as a visitor finds it: locks, links, commands, and what must not be in it."""

from __future__ import annotations

import ast
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
import typer

from magnate.game.clocks import KINDS
from magnate.game.domain.attendance import AGREE
from tests.support.sources import ROOT, project_files, text_files, where

if TYPE_CHECKING:
    from pathlib import Path

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PAGES = [path for path in project_files() if path.suffix == ".md"]
FOLDERS = {".ci", "deploy", "docs", "loadtests", "protos", "requirements", "services", "tests"}
FILES = {"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md"}
FILES |= {".dockerignore", ".env.example", ".gitignore", "docker-compose.yml", "pyproject.toml"}


def test_the_top_level_is_what_the_readme_shows() -> None:
    """A new folder at the top is a decision, not an accident."""
    found = {path.relative_to(ROOT).parts[0] for path in project_files()}
    assert not found - FOLDERS - FILES


def test_the_readme_leads_to_every_page_and_names_the_kinds_of_tests() -> None:
    """A page that nobody is led to is not read, and a folder that is named must be there."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT).as_posix() for path in PAGES if path.is_relative_to(ROOT / "docs")]
    assert not [page for page in pages if f"({page})" not in readme and "/adr/" not in page]
    (line,) = re.findall(r"^tests/ +(.+)$", readme, re.MULTILINE)
    kinds = {
        path.relative_to(ROOT).parts[1] for path in project_files() if path.is_relative_to(ROOT / "tests")
    }
    assert set(line.split()) == kinds - {"conftest.py", "support"}


def test_lock_files_name_no_address() -> None:
    """Where packages come from is the machine's business."""
    locks = sorted((ROOT / "requirements").iterdir())
    assert locks
    scheme = ":" + "//"
    assert not [where(path) for path in locks if scheme in path.read_text(encoding="utf-8")]


def test_every_locked_package_has_a_hash() -> None:
    """An installation is refused when a package is not the one that was tested."""
    for name in ("runtime.txt", "dev.txt", "build.txt"):
        text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        for block in re.findall(r"^[a-zA-Z0-9][^\n]*(?:\n[ ]+[^\n]*)*", text, re.MULTILINE):
            assert "--hash=sha256:" in block, block.splitlines()[0]


def test_every_test_says_what_it_shows() -> None:
    """A failing test's docstring tells what is broken before its code is read."""
    silent = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
        tests = [function for function in functions if function.name.startswith("test_")]
        silent += [where(path, test.lineno) for test in tests if not ast.get_docstring(test)]
    assert not silent, "\n".join(silent)


def test_no_text_names_a_path_of_one_machine() -> None:
    """What holds only where somebody happened to work does not belong in the project."""
    machine = re.compile(
        "|".join(("/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/", "/tm" + "p/m/", "py" + "env/"))
    )
    wrong = [
        where(path, number)
        for path, text in text_files()
        for number, line in enumerate(text.splitlines(), 1)
        if machine.search(line)
    ]
    assert not wrong, "\n".join(wrong)


def test_make_help_lists_every_target() -> None:
    """`make help` explains itself."""
    phony = re.search(r"^\.PHONY:((?:[^\n]*\\\n)*[^\n]*)", MAKEFILE, re.MULTILINE)
    assert phony
    targets = set(phony.group(1).replace("\\", " ").split())
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert not {target for target in targets if not re.search(rf"^  make {target} ", shown, re.MULTILINE)}
    assert {
        "setup",
        "demo",
        "up",
        "test",
        "check",
        "proto",
        "fmt",
        "lint",
        "type",
        "bench",
        "load",
    } <= targets


@pytest.mark.parametrize("page", PAGES, ids=where)
def test_pages_name_only_make_targets_that_exist(page: Path) -> None:
    """A reader who types what the page shows gets what the page says."""
    used = set(re.findall(r"(?<![\w-])make ([a-z][a-z-]*)", code_on(page)))
    assert not {target for target in used if not re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=where)
def test_pages_name_only_commands_that_exist(page: Path) -> None:
    """Every `magnate …` on a page is a subcommand."""
    from magnate.cli.__main__ import app

    known = set(typer.main.get_group(app).commands)
    assert not set(re.findall(r"(?<![\w./-])magnate ([a-z]+)", code_on(page))) - known


def test_the_architecture_names_every_kind_of_clock() -> None:
    """The table of clocks is that of the code, and no kind is left out."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.split("| kind | what for |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == {*KINDS, AGREE}


@pytest.mark.parametrize("page", PAGES, ids=where)
def test_links_between_pages_resolve(page: Path) -> None:
    """Every relative link leads to a file, and every anchor to a heading."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        goal = (page.parent / name).resolve() if name else page
        if not goal.exists() or (anchor and anchor not in anchors(goal)):
            broken.append(target)
    assert not broken, f"{where(page)}: {broken}"


def code_on(page: Path) -> str:
    """Return what a page shows as code: blocks and words between backticks."""
    text = page.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"```.*?```", text, re.DOTALL) + re.findall(r"`[^`\n]+`", text))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, spelt as hosting sites do."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_the_changelog_speaks_about_stored_bytes() -> None:
    """Who upgrades must find what happens to the logs he has."""
    assert re.search(r"^#+ Stored format$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
