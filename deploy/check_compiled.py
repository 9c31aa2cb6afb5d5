"""Do the rules run compiled in this environment? Exit 0 if so; the image's build stops otherwise."""

from __future__ import annotations

import importlib
import json
import sys

from magnate import compiled


def main() -> int:
    """Import every module of the stamp and look where it came from; return the exit code."""
    stamp = compiled.directory() / compiled.STAMP
    if not stamp.is_file():
        print(f"nothing was compiled: {stamp} is missing", file=sys.stderr)
        return 1
    names = [
        name for name in json.loads(stamp.read_text(encoding="utf-8"))["modules"] if "__mypyc" not in name
    ]
    interpreted = [name for name in names if not compiled.is_compiled(importlib.import_module(name))]
    if interpreted or not names:
        print(f"interpreted: {', '.join(interpreted) or 'everything'}", file=sys.stderr)
        return 1
    print(f"{len(names)} modules run compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
