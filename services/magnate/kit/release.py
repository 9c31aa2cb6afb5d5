"""Which release this is; the one place that says it is `pyproject.toml`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def release() -> str:
    """Return the release that runs; `source` when the package is not installed."""
    try:
        return version("magnate")
    except PackageNotFoundError:
        return "source"
