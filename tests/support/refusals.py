"""Which refusals a source names, so that tests can ask for each: is it tried, has it words?"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from magnate.rules.rejections import REJECTIONS
from tests.support.sources import SERVICES

if TYPE_CHECKING:
    from pathlib import Path


def named_in(path: Path) -> set[str]:
    """Return the refusals that a source names, as `names.NAME`, as an imported NAME or as a text."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        word = getattr(node, "attr", None) or getattr(node, "value", None)
        if isinstance(node, ast.alias):
            word = node.name
        if isinstance(word, str) and word in REJECTIONS:
            found.add(word)
    return found


def given_by(*globs: str) -> set[str]:
    """Return the refusals that the sources of these globs below `services/magnate` name."""
    paths = {path for glob in globs for path in (SERVICES / "magnate").glob(glob)}
    assert paths, globs
    found = {name for path in paths if not path.name.startswith("rejections") for name in named_in(path)}
    assert found, globs
    return found


TABLES = ("bank/tables/*.py", "bank/games/units.py", "bank/posting.py")
"""Who refuses at a table of the bank."""
SALES = ("auction/tables/selling.py", "auction/servicer.py")
"""Who refuses what is asked of auctions there."""
