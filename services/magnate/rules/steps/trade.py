"""Being written: trade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from magnate.rules.folds import Folds

FOLDS: Final[Folds] = {}
