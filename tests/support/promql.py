"""Takes PromQL apart: which metrics an expression reads, and by which labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import promql_parser as promql


@dataclass
class Uses:
    """The metrics of an expression, each with the labels that are asked of it."""

    labels: dict[str, set[str]] = field(default_factory=dict)

    def add(self, metric: str, labels: set[str]) -> None:
        """Note a selector."""
        self.labels.setdefault(metric, set()).update(labels)


def uses(expression: str) -> Uses:
    """Parse an expression; ValueError if it is none."""
    found = Uses()
    _walk(promql.parse(expression), frozenset(), found)
    return found


def _walk(node: Any, grouping: frozenset[str], found: Uses) -> None:
    """Follow the tree; labels of an aggregation are asked of every selector below it."""
    if isinstance(node, promql.VectorSelector):
        asked = {matcher.name for matcher in node.matchers.matchers if matcher.name != "__name__"}
        assert node.name, f"a selector without a metric: {node.prettify()}"
        found.add(node.name, asked | grouping)
    elif isinstance(node, promql.MatrixSelector):
        _walk(node.vector_selector, grouping, found)
    elif isinstance(node, promql.AggregateExpr):
        own = frozenset(node.modifier.labels) if node.modifier is not None else frozenset()
        _walk(node.expr, grouping | own, found)
    elif isinstance(node, promql.Call):
        for argument in node.args:
            _walk(argument, grouping, found)
    elif isinstance(node, promql.BinaryExpr):
        _walk(node.lhs, grouping, found)
        _walk(node.rhs, grouping, found)
    elif isinstance(node, promql.ParenExpr | promql.UnaryExpr | promql.SubqueryExpr):
        _walk(node.expr, grouping, found)
    else:
        assert isinstance(node, promql.NumberLiteral | promql.StringLiteral), type(node)
