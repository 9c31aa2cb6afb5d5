"""Tests that share servers run in one process: else each process starts servers of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """
import pytest

@pytest.mark.xdist_group("shared")
@pytest.mark.parametrize("number", range(8))
def test_one_of_a_group(number, testrun_uid, worker_id, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp().parent
    (folder / f"ran-in-{worker_id}").touch()
    assert len(list(folder.glob("ran-in-*"))) == 1
"""


def test_a_group_runs_in_one_process(tmp_path: Path) -> None:
    """As `make test` runs them; a pytest-xdist that does not fit its pytest takes no notice of groups."""
    (tmp_path / "test_group.py").write_text(MODULE, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "--basetemp", "ran", "."],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "8 passed" in ran.stdout
