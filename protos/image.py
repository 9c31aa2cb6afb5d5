"""The descriptor image of all protos, and what buf says about it.

    python protos/image.py lint        buf's STANDARD rules
    python protos/image.py breaking    compare with the committed protos/image.binpb, the last promised API
    python protos/image.py write       promise the present API: replace protos/image.binpb

The image is built by protoc, with the well-known types inside, because buf's own registry is not needed then.
The committed one has no comments and no line numbers, so it changes only when the API does.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from generate import PROTOS, describe

IMAGE = PROTOS / "image.binpb"
CONFIG = PROTOS / "buf.yaml"


def sources() -> list[Path]:
    """Return every proto of ours."""
    return sorted(PROTOS.glob("magnate/**/*.proto"))


def bare(image: Path) -> bytes:
    """Return the bytes of the image without comments and line numbers."""
    described = describe(sources(), image)
    for file in described.file:
        file.ClearField("source_code_info")
    return bytes(described.SerializeToString(deterministic=True))


def buf(*arguments: str) -> int:
    """Run buf; return its exit code."""
    program = Path(sys.executable).parent / "buf"
    if not program.exists():
        print("protos: buf is missing; run `make setup`", file=sys.stderr)
        return 1
    return subprocess.run([str(program), *arguments, "--config", str(CONFIG)], check=False).returncode  # noqa: S603


def main(arguments: list[str]) -> int:
    """Do what the one argument says; return the exit code."""
    if len(arguments) != 1 or arguments[0] not in ("lint", "breaking", "write"):
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="magnate-image-") as scratch:
        fresh = Path(scratch) / "image.binpb"
        stripped = bare(fresh)
        if arguments[0] == "lint":
            return buf("lint", str(fresh))
        if arguments[0] == "write":
            IMAGE.write_bytes(stripped)
            print(f"protos: {IMAGE.name} describes {len(sources())} files")
            return 0
        if not IMAGE.exists():
            print("protos: nothing promised yet; `make proto-image` writes the first image")
            return 0
        return buf("breaking", str(fresh), "--against", str(IMAGE))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
