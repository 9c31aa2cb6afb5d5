"""Finds the mypyc-compiled twins of the pure modules; without them, the same source runs interpreted.

`make compile` puts extension modules into `build/compiled/` beside a stamp that names the hash of the sources
they were built from. They are used only while that hash still matches, so an edited source is never shadowed
by an old binary. `MAGNATE_PURE=1` turns them off; `MAGNATE_COMPILED=DIR` looks for them elsewhere.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

SERVICES = Path(__file__).resolve().parents[1]
STAMP = "current.json"


def directory() -> Path:
    """Return where compiled modules are looked for."""
    chosen = os.environ.get("MAGNATE_COMPILED")
    return Path(chosen) if chosen else SERVICES.parent / "build" / "compiled"


def sources_hash(sources: Sequence[str], root: Path = SERVICES) -> str:
    """Return the SHA-256 over names and texts of `sources`, paths below `root`; empty if one is gone."""
    from hashlib import sha256  # noqa: PLC0415 - only paid by processes that have compiled modules

    total = sha256()
    for name in sources:
        try:
            text = (root / name).read_bytes()
        except OSError:
            return ""
        total.update(f"{name}\0{len(text)}\0".encode())
        total.update(text)
    return total.hexdigest()


class CompiledFinder:
    """An import finder that knows only the modules of one stamp."""

    def __init__(self, stamp: Path) -> None:
        self._stamp = stamp
        self._modules: dict[str, str] | None = None

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the compiled module `name`, or None to let Python look further."""
        del path, target
        if not name.startswith("magnate.") and not name.endswith("__mypyc"):  # the library the group shares
            return None
        if self._modules is None:
            self._modules = self._read()
        found = self._modules.get(name)
        if found is None:
            return None
        from importlib.util import spec_from_file_location  # noqa: PLC0415 - see sources_hash

        return spec_from_file_location(name, self._stamp.parent / found)

    def _read(self) -> dict[str, str]:
        """Return the modules of the stamp, none when it is damaged, stale or of another interpreter."""
        import json  # noqa: PLC0415 - see sources_hash
        import sysconfig  # noqa: PLC0415 - see sources_hash

        try:
            stamp = json.loads(self._stamp.read_text(encoding="utf-8"))
            if stamp["suffix"] != sysconfig.get_config_var("EXT_SUFFIX"):
                return {}
            if stamp["sources_hash"] != sources_hash(stamp["sources"]):
                return {}
            return {str(name): str(file) for name, file in stamp["modules"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}


def install() -> None:
    """Make imports prefer compiled modules, where there are any; called once by `magnate/__init__`."""
    if os.environ.get("MAGNATE_PURE", "") not in ("", "0"):
        return
    stamp = directory() / STAMP
    if stamp.is_file() and not any(isinstance(finder, CompiledFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, CompiledFinder(stamp))


def is_compiled(module: ModuleType) -> bool:
    """Say whether an imported module runs compiled; `magnate bench` prints it beside each figure."""
    return not (module.__file__ or "").endswith(".py")
