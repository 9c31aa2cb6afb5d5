"""The backup of the runbook: a copy of a stopped store, started elsewhere, holds games that verify."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.deployment import Deployment, deployed, play_a_while

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.xdist_group("deployment")]

PLAY_SECONDS = 3.0


def verify(deployment: Deployment, game_id: str) -> dict[str, Any]:
    """Run `magnate verify` on a game; return what it found."""
    command = [str(Path(sys.executable).parent / "magnate"), "verify", game_id, "--json"]
    addresses = ["--addr", deployment.address("game"), "--bank", deployment.address("bank")]
    done = subprocess.run([*command, *addresses], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def verify_at_rest(deployment: Deployment, game_id: str) -> dict[str, Any]:
    """Verify until nothing comes any more: of players who were stopped, a last command may be under way."""
    found = verify(deployment, game_id)
    while (again := verify(deployment, game_id))["version"] != found["version"]:
        found = again
    return again


def test_a_copy_of_the_store_is_a_backup(tmp_path: Path) -> None:
    """Play, stop, copy, lose everything, start on the copy: the same game, which verifies and goes on."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    with deployed(tmp_path / "first") as deployment:
        game_id = asyncio.run(play_a_while(deployment.address("game"), PLAY_SECONDS))
        before = verify_at_rest(deployment, game_id)
        deployment.stop()
        shutil.copytree(deployment.store, tmp_path / "copy")
        shutil.rmtree(deployment.store)
    with deployed(tmp_path / "second", tmp_path / "copy") as deployment:
        after = verify(deployment, game_id)
        assert {**after, "seconds": 0} == {**before, "seconds": 0}
        asyncio.run(play_a_while(deployment.address("game"), 1.0))
