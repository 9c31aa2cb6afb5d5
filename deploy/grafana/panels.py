"""How a dashboard becomes JSON: every panel gets a unit, a description, an id and a place of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

COLUMNS: Final = 24
SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}


@dataclass(frozen=True)
class Query:
    """One PromQL expression and how its series are named."""

    expr: str
    legend: str = ""


@dataclass(frozen=True)
class Panel:
    """A graph, or with `stat` a single number; `width` in 24ths of the page."""

    title: str
    description: str
    unit: str
    queries: tuple[Query, ...]
    width: int = 8
    stat: bool = False
    stacked: bool = False
    maximum: float | None = None
    # (from this value on, colour); the first one is the ground.
    steps: tuple[tuple[float | None, str], ...] = ()


@dataclass(frozen=True)
class Row:
    """A titled row of panels; they wrap when the page is full."""

    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Dashboard:
    """A whole page. `uid` is what links point to, so it never changes."""

    uid: str
    title: str
    description: str
    rows: tuple[Row, ...]


def panel_json(panel: Panel, panel_id: int, position: dict[str, int]) -> dict[str, Any]:
    """Return a panel as Grafana stores it."""
    defaults: dict[str, Any] = {"unit": panel.unit, "min": 0, "noValue": "none"}
    if panel.maximum is not None:
        defaults["max"] = panel.maximum
    if panel.steps:
        steps = [{"value": value, "color": colour} for value, colour in panel.steps]
        defaults["thresholds"] = {"mode": "absolute", "steps": steps}
    if panel.stat:
        options: dict[str, Any] = {
            "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
            "colorMode": "value" if panel.steps else "none",
            "graphMode": "area",
            "textMode": "auto",
        }
    else:
        defaults["custom"] = {
            "drawStyle": "line",
            "fillOpacity": 20 if panel.stacked else 5,
            "lineWidth": 1,
            "showPoints": "never",
            "stacking": {"mode": "normal" if panel.stacked else "none", "group": "A"},
        }
        options = {
            "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"},
        }
    return {
        "id": panel_id,
        "type": "stat" if panel.stat else "timeseries",
        "title": panel.title,
        "description": panel.description,
        "datasource": SOURCE,
        "gridPos": position,
        "fieldConfig": {"defaults": defaults, "overrides": []},
        "options": options,
        "targets": [
            {
                "refId": chr(ord("A") + number),
                "datasource": SOURCE,
                "expr": query.expr,
                "legendFormat": query.legend or "__auto",
            }
            for number, query in enumerate(panel.queries)
        ],
    }


def layout(rows: tuple[Row, ...]) -> list[dict[str, Any]]:
    """Return rows and panels with ids and places, from left to right and downwards."""
    found: list[dict[str, Any]] = []
    y = 0
    for row in rows:
        found.append(
            {
                "id": len(found) + 1,
                "type": "row",
                "title": row.title,
                "collapsed": False,
                "gridPos": {"x": 0, "y": y, "w": COLUMNS, "h": 1},
                "panels": [],
            }
        )
        y += 1
        x = height = 0
        for panel in row.panels:
            if x + panel.width > COLUMNS:
                x, y = 0, y + height
                height = 0
            own = 4 if panel.stat else 8
            found.append(panel_json(panel, len(found) + 1, {"x": x, "y": y, "w": panel.width, "h": own}))
            x, height = x + panel.width, max(height, own)
        y += height
    return found


def variables() -> list[dict[str, Any]]:
    """Return the data source to ask and the services to show."""
    return [
        {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"},
        {
            "name": "service",
            "label": "Service",
            "type": "query",
            "datasource": SOURCE,
            "query": {"query": "label_values(magnate_build_info, job)", "refId": "service"},
            "definition": "label_values(magnate_build_info, job)",
            "refresh": 2,
            "sort": 1,
            "multi": True,
            "includeAll": True,
            "allValue": ".+",
            "current": {"text": ["All"], "value": ["$__all"]},
        },
    ]


def dashboard_json(dashboard: Dashboard) -> dict[str, Any]:
    """Return a dashboard as Grafana stores it."""
    return {
        "uid": dashboard.uid,
        "title": dashboard.title,
        "description": dashboard.description,
        "tags": ["magnate"],
        "schemaVersion": 41,
        "version": 1,
        "editable": False,
        "graphTooltip": 1,
        "timezone": "",
        "time": {"from": "now-30m", "to": "now"},
        "refresh": "10s",
        "templating": {"list": variables()},
        "annotations": {"list": []},
        "links": [],
        "panels": layout(dashboard.rows),
    }
