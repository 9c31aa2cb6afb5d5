"""The owners of all deadlines: other services, and this one for the timers of clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.kit.errors import KitError
from magnate.timer.domain.timers import OWNER
from magnate.timer.ports import OwnerAwayError

if TYPE_CHECKING:
    from magnate.kit.expiry import Expiry
    from magnate.timer.domain.agenda import Due
    from magnate.timer.ports import Owners
    from magnate.timer.service import TimerService


class AllOwners:
    """Whoever owns a deadline, as `Owners`."""

    def __init__(self, service: TimerService, others: Owners) -> None:
        self._service = service
        self._others = others

    async def expire(self, due: Due, now_ms: int) -> Expiry:
        """Tell the owner of a deadline that its time has come; a timer of a client is fired here."""
        if due.deadline.owner != OWNER:
            return await self._others.expire(due, now_ms)
        try:
            return await self._service.expire(due)
        except KitError as error:
            raise OwnerAwayError(str(error)) from error
