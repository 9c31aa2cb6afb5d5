"""Noticing damage: whoever reads a log counts each time that it does not verify, to wake somebody."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from magnate.kit.log.errors import DataLossError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def noticing(on_damage: Callable[[], None]) -> Iterator[None]:
    """Call `on_damage` when what is read here does not verify; the error goes on to the caller."""
    try:
        yield
    except DataLossError:
        on_damage()
        raise
