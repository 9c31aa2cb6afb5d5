"""Reads the project's own source, so that tests can hold it to its rules."""

from __future__ import annotations

import ast
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
SERVICES = ROOT / "services"
# The part of the rules that reads data files; everything else there is pure.
FILE_READERS = ("magnate.rules.files", "magnate.rules.loader")


@dataclass(frozen=True)
class Module:
    """One Python module of the package."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def parts(self) -> tuple[str, ...]:
        """The dotted name's parts below `magnate`."""
        return tuple(self.name.split("."))[1:]

    @property
    def is_pure(self) -> bool:
        """Whether the module decides or folds, and so may touch nothing of the world."""
        if any(is_covered_by(self.name, reader) for reader in FILE_READERS):
            return False
        if self.parts[:2] == ("bank", "terminal"):
            return True
        return self.parts[:1] == ("rules",) or self.parts[1:2] == ("domain",)

    def imports(self) -> Iterator[tuple[int, str]]:
        """Yield line and dotted name of all that is imported, anywhere in the file, also for types only."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield node.lineno, alias.name
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                if node.level:
                    package = self.name.split(".")
                    anchor = package[: len(package) - node.level + (self.path.name == "__init__.py")]
                    base = ".".join([*anchor, base] if base else anchor)
                yield node.lineno, base
                for alias in node.names:
                    yield node.lineno, f"{base}.{alias.name}"


def is_generated(path: Path) -> bool:
    """Say whether `make proto` wrote the file."""
    return path.parent.name == "v1" or path.name in ("vocabulary.py", "vocabulary_codec.py")


def is_covered_by(name: str, prefix: str) -> bool:
    """Say whether `name` is the module `prefix` or something inside it."""
    return name == prefix or name.startswith(f"{prefix}.")


@cache
def modules() -> tuple[Module, ...]:
    """Return every hand-written module of the package."""
    found = []
    for path in sorted(SERVICES.glob("magnate/**/*.py")):
        if is_generated(path):
            continue
        text = path.read_text(encoding="utf-8")
        parts = path.relative_to(SERVICES).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, path, text, ast.parse(text, str(path))))
    return tuple(found)


@cache
def project_files() -> tuple[Path, ...]:
    """Return every file that git knows or would add; without git, all outside hidden and built folders."""
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        found = [ROOT / line for line in done.stdout.splitlines()]
    else:
        skipped = {".venv", ".git", "build", "dist", "out", "data", "node_modules", "__pycache__"}
        found = [path for path in ROOT.rglob("*") if not skipped & set(path.relative_to(ROOT).parts)]
    return tuple(path for path in sorted(found) if path.is_file())


def text_files() -> Iterator[tuple[Path, str]]:
    """Yield the project's text files; bytes that are not UTF-8 are skipped."""
    for path in project_files():
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def where(path: Path, line: int = 0) -> str:
    """Return a place a reader can go to."""
    return f"{path.relative_to(ROOT)}:{line}" if line else str(path.relative_to(ROOT))
