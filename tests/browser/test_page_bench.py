"""`magnate bench page` measures; how fast the page is on a busy machine is not tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.browser.phones import MARKS

pytestmark = [mark for mark in MARKS if mark.name != "asyncio"]


def test_the_echo_of_a_press_is_measured() -> None:
    """Two phones, and how long a press of the one takes to show on the other."""
    done = subprocess.run(
        [sys.executable, "-m", "magnate.cli", "bench", "page", "--seconds", "0.5", "--json"],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout.strip().splitlines()[-1])
    assert values["presses"] >= 20
    assert 0 < values["echo_p50_ms"] <= values["echo_p90_ms"] <= values["echo_p99_ms"]
