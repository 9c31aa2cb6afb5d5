"""What the timer asks of the owners of deadlines, and what they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from magnate.kit.expiry import Expiry
    from magnate.timer.domain.agenda import Due


class OwnerAwayError(Exception):
    """The owner did not answer, or could not; tell it again later."""


class Owners(Protocol):
    """The services that own deadlines."""

    async def expire(self, due: Due, now_ms: int) -> Expiry:
        """Tell the owner that a deadline's time has come.

        Raises:
            OwnerAwayError: it did not answer.
        """
        ...
