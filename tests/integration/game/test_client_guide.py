"""The client that the guide shows is run as it stands there, with only code generated from the protos."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from magnate.rules.rejections import REJECTIONS
from magnate.rules.v1 import vocabulary_pb2
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.game_api import Running

GUIDE = (ROOT / "docs/client-guide.md").read_text(encoding="utf-8")
CLIENT_SECONDS = 60

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.xdist_group("game-api")]


def generate(folder: Path) -> None:
    """Generate the code as the guide's recipe for Python does."""
    protos = [str(path) for path in sorted((ROOT / "protos/magnate").rglob("*.proto"))]
    arguments = [f"-I{ROOT / 'protos'}", f"--python_out={folder}", f"--grpc_python_out={folder}"]
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *arguments, *protos], check=True)
    # A marker, so that this is the package that is found and not the one that is installed here.
    (folder / "magnate/__init__.py").touch()


@pytest.mark.parametrize("ruleset", ["classic", "online", "ultimate-banking", "millionaire"])
@pytest.mark.asyncio(loop_scope="session")
async def test_the_client_of_the_guide_plays_a_game(plain: Running, tmp_path: Path, ruleset: str) -> None:
    """Copied into an empty folder beside its generated code it plays to the end, whatever is played."""
    [program] = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    generate(tmp_path)
    (tmp_path / "client.py").write_text(program, encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "client.py",
        plain.api.address,
        ruleset,
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, problems = await asyncio.wait_for(process.communicate(), CLIENT_SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, problems.decode()
    assert re.fullmatch(r"over after turn \d+ ranking \[\d, \d, \d\]\n", out.decode())


def test_the_guide_names_every_command() -> None:
    """Each kind of command stands in its table, and no other."""
    section = GUIDE.split("## 8.")[1].split("## 9.")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    named = set(re.findall(r"`([a-z_]+)`", " ".join(rows)))
    assert named == {field.name for field in vocabulary_pb2.Command.DESCRIPTOR.fields}


def test_the_guide_names_only_reasons_that_exist() -> None:
    """What a reader looks for in an answer can really come."""
    section = GUIDE.split("## 7.")[1].split("## 8.")[0]
    named = set(re.findall(r"`([A-Z_]{5,})`", section))
    source = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("kit", "game", "bank")
        for path in (ROOT / "services/magnate" / folder).rglob("*.py")
    )
    assert not {name for name in named if name not in REJECTIONS and f'"{name}"' not in source}
