"""What every test may count on: Hypothesis profiles, and a header that says which code is being tested."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import pytest

# `quick` is for the minute between two edits; CI has time for more. Choose with MAGNATE_PROPERTIES=deep.
settings.register_profile(
    "quick", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "deep", max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("MAGNATE_PROPERTIES", "quick"))


def pytest_report_header() -> str:
    """Say whether the rules run compiled, because a failure may depend on it."""
    from magnate import compiled
    from magnate.rules import vocabulary

    return f"rules: {'compiled by mypyc' if compiled.is_compiled(vocabulary) else 'interpreted'}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly that tests were left out because there is no browser, and how to have them."""
    left_out = [one for one in terminalreporter.getreports("skipped") if "browser" in one.keywords]
    if left_out:
        terminalreporter.section("NO BROWSER: TESTS WERE LEFT OUT", red=True, bold=True)
        for one in left_out:
            terminalreporter.write_line(one.nodeid)
        terminalreporter.write_line(
            "There is no chromium, chromium-browser or google-chrome here. To have these tests: make browser",
            red=True,
        )
