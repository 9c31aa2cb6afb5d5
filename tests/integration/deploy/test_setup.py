"""Setting up: an environment serves one folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.sources import ROOT


def test_a_link_to_another_clones_environment_is_refused(tmp_path: Path) -> None:
    """It would be pointed at this folder, and the other clone would run these sources without knowing."""
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / "deploy" / "setup.sh", tmp_path / "deploy")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    python = f"{sys.prefix}/bin/python"
    where = [python, "-I", "-c", "import magnate; print(magnate.__file__)"]
    before = subprocess.run(where, capture_output=True, text=True, check=True).stdout
    command = ["sh", "deploy/setup.sh", sys.executable, ".venv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"setup: .venv is the environment of {Path(before).parents[2]}" in done.stderr
    assert subprocess.run(where, capture_output=True, text=True, check=True).stdout == before
