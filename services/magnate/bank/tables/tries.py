"""How often somebody may be wrong: codes, secrets and PINs, by address and all together."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from magnate.bank.tables.limits import (
    ADDRESSES_MAX,
    TRIES_BURST,
    TRIES_BURST_ALL,
    TRIES_PER_SECOND,
    TRIES_PER_SECOND_ALL,
)
from magnate.kit.errors import ExhaustedError

if TYPE_CHECKING:
    from collections.abc import Callable


class Tries:
    """Token buckets that only wrong tries empty; while one is empty, right ones are not looked at either.

    Else an answer would tell which of the tries was right.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._addresses: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._all = (float(TRIES_BURST_ALL), now())

    def check(self, address: str) -> None:
        """Raise ExhaustedError (TOO_MANY_TRIES) if this address, or everybody, was wrong too often."""
        now = self._now()
        if self._left(address, now) < 1 or _filled(self._all, now, TRIES_BURST_ALL, TRIES_PER_SECOND_ALL) < 1:
            raise ExhaustedError("too many wrong tries; wait a little", reason="TOO_MANY_TRIES")

    def wrong(self, address: str) -> None:
        """Count a wrong try."""
        now = self._now()
        self._addresses[address] = (self._left(address, now) - 1, now)
        self._addresses.move_to_end(address)
        if len(self._addresses) > ADDRESSES_MAX:
            self._addresses.popitem(last=False)
        self._all = (_filled(self._all, now, TRIES_BURST_ALL, TRIES_PER_SECOND_ALL) - 1, now)

    def _left(self, address: str, now: float) -> float:
        kept = self._addresses.get(address)
        return TRIES_BURST if kept is None else _filled(kept, now, TRIES_BURST, TRIES_PER_SECOND)


def _filled(bucket: tuple[float, float], now: float, burst: int, per_second: float) -> float:
    left, at = bucket
    return min(float(burst), left + (now - at) * per_second)
