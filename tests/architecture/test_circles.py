"""No module leads back to itself by its imports: what knows what can be drawn from the top down."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.support.sources import is_covered_by, modules

if TYPE_CHECKING:
    from tests.support.sources import Module

Graph = dict[str, set[str]]

BY_TYPE_ONLY = {"magnate.rules.draft": "magnate.rules"}
"""What is handed over and never imported when the program runs, and who may so name its type: steps get the
draft, which folds by the table that is made of them.
"""


def _type_lines(module: Module) -> set[int]:
    """Return the lines of imports that serve annotations only."""
    blocks = [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    return {line for block in blocks for line in range(block.lineno, (block.end_lineno or 0) + 1)}


def _graph() -> Graph:
    """Return which modules each module imports, also for its annotations, also inside functions."""
    names = {module.name for module in modules()}
    graph: Graph = {}
    for module in modules():
        found: dict[int, set[str]] = {}
        for line, name in module.imports():
            # `from package import module` is about the module, `from module import name` about the module.
            known = name if name in names else name.rpartition(".")[0]
            if known in names:
                found.setdefault(line, set()).add(known)
        for_types = _type_lines(module)
        graph[module.name] = {
            name
            for line, known in found.items()
            for name in known
            if not any(other != name and is_covered_by(other, name) for other in known)
            if not (line in for_types and is_covered_by(module.name, BY_TYPE_ONLY.get(name, name)))
        }
    return graph


def _without_leaves(graph: Graph) -> Graph:
    """Take away whatever imports nothing that is left, until nothing more goes: circles stay."""
    while True:
        leaves = {name for name, known in graph.items() if not known & graph.keys()}
        if not leaves:
            return {name: known & graph.keys() for name, known in graph.items()}
        graph = {name: known for name, known in graph.items() if name not in leaves}


def _backwards(graph: Graph) -> Graph:
    found: Graph = {name: set() for name in graph}
    for name, known in graph.items():
        for one in known:
            found[one].add(name)
    return found


def test_no_import_leads_back() -> None:
    """Not even an import for types: two modules that need each other are one, or lack a third."""
    left = _without_leaves(_graph())
    left = _backwards(_without_leaves(_backwards(left)))
    assert not left, "\n".join(
        f"{name} -> {', '.join(sorted(known))}" for name, known in sorted(left.items())
    )


def test_a_circle_is_seen() -> None:
    """Of what is laid out here only the circle is left, neither what leads to it nor what it leads to."""
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"d"}}
    left = _without_leaves(graph)
    assert _backwards(_without_leaves(_backwards(left))) == {"b": {"c"}, "c": {"b"}}
