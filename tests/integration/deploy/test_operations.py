"""docs/operations.md: its table of settings, variables, files and error reasons are those of the code."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from magnate.kit.errors import KitError
from magnate.kit.log import errors
from magnate.kit.rpc.status import CATEGORIES
from magnate.kit.settings import Settings, describe
from tests.support.deployment import PROCESSES, compose
from tests.support.sources import ROOT

PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def settings_of(name: str) -> type[Settings]:
    """Return the settings class of a service."""
    found: type[Settings] = getattr(import_module(f"magnate.{name}.settings"), f"{name.title()}Settings")
    return found


def rows() -> list[str]:
    """Return the table of settings as it ought to be: what all services have, then what only one has."""
    common = describe(Settings)
    lines = ["| variable | default | what it is for |", "| --- | --- | --- |"]
    lines += [f"| `{variable}` | {shown(default)} | {doc} |" for variable, default, doc in common]
    for name in sorted(PROCESSES):
        for variable, default, doc in describe(settings_of(name)):
            if (variable, default, doc) not in common:
                lines.append(f"| `{variable}` ({name}) | {shown(default)} | {doc} |")
    return lines


def shown(default: str) -> str:
    """Return a default as the table shows it."""
    return f"`{default}`" if default else ""


def test_the_table_of_settings_is_the_code() -> None:
    """Every variable with its default; paste what the failure shows."""
    found = re.search(r"<!-- settings -->\n(.*?)\n<!-- end -->", PAGE, re.DOTALL)
    assert found
    assert found[1].splitlines() == rows(), "\n".join(rows())


def test_every_variable_on_the_page_exists() -> None:
    """A misspelt variable in a runbook costs an hour at night."""
    known = {variable for variable, _, _ in describe(Settings)}
    for name in PROCESSES:
        known |= {variable for variable, _, _ in describe(settings_of(name))}
    known |= {name.replace("MAGNATE_", "MAGNATE_BANK_", 1) for name in known}
    assert set(re.findall(r"MAGNATE_[A-Z]+(?:_[A-Z]+)*\b(?!_)", PAGE)) <= known


def test_every_file_on_the_page_exists() -> None:
    """Paths of this repository that the page names."""
    named = set(re.findall(r"`((?:deploy|docs)/[\w./-]+)`", PAGE))
    assert named
    assert not {path for path in named if not (ROOT / path).exists()}


@pytest.mark.parametrize(
    "error",
    [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, KitError)],
    ids=lambda one: one.__name__,
)
def test_every_trouble_with_a_log_is_in_the_runbook(error: Any) -> None:
    """Reason and status of each error that an operator can meet."""
    if error.__module__ != errors.__name__ or "reason" not in vars(error):
        return
    status = CATEGORIES[error.category].name
    assert re.search(rf"^\| `{error.reason}` \| {status} \|", PAGE, re.MULTILINE), error.reason


def test_the_ports_on_the_page_are_those_of_the_compose_file() -> None:
    """Who reads the page finds the services."""
    services = compose()["services"]
    for name in PROCESSES:
        assert f"{services[name]['environment']['MAGNATE_PORT']} {name}" in PAGE
