"""Who waits for the last moment: a command that is sent within some milliseconds of its deadline."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from magnate.game.clocks import DEAL, WITH_RESERVE, number_of
from magnate.game.ports import OWNER as GAME
from magnate.rules.vocabulary import (
    AcceptOffer,
    CounterOffer,
    PassAuction,
    PlaceBid,
    RejectOffer,
    SetProxyBid,
)

if TYPE_CHECKING:
    from magnate.rules.vocabulary import Command
    from tests.sim.truth import Truth
    from tests.sim.world import World

IN_AUCTIONS: Final = PlaceBid | PassAuction | SetProxyBid
WAIT_MS_MAX: Final = 25_000
"""Nobody waits longer for the last moment."""
EARLY_SECONDS: Final = 0.045
LATE_SECONDS: Final = 0.02


class Sniper:
    """Waits now and then for the last moment."""

    def __init__(self, world: World, name: str, how_often: float) -> None:
        self._world = world
        self._chance = world.chance(f"last moment {name}")
        self._how_often = how_often

    async def waits(self, due_ms: int) -> bool:
        """Wait for the last moment before a deadline, or the first after it; say whether."""
        left_ms = due_ms - self._world.now_ms()
        if not self._world.faulty or not 0 < left_ms < WAIT_MS_MAX:
            return False
        if self._chance.random() >= self._how_often:
            return False
        await asyncio.sleep(max(0.0, left_ms / 1000 + self._chance.uniform(-EARLY_SECONDS, LATE_SECONDS)))
        return True


def time_of(truth: Truth, seat: int, command: Command) -> int:
    """Return until when there is time for a command of a seat; 0: it has no deadline."""
    if isinstance(command, IN_AUCTIONS):
        return close_of(truth, command.auction)
    for deadline_id, deadline in truth.schedule.deadlines.items():
        if deadline.owner != GAME or not deadline.due_ms:
            continue
        if deadline.kind in WITH_RESERVE and number_of(deadline_id) == seat:
            return deadline.due_ms
        if deadline.kind == DEAL and isinstance(command, AcceptOffer | CounterOffer | RejectOffer):
            return deadline.due_ms
    return 0


def close_of(truth: Truth, number: int) -> int:
    """Return when an auction, or (0) the only one, is to close; 0: it runs no more, or stands still."""
    if number == 0:
        running = truth.auctions()
        number = running[0].auction if len(running) == 1 else 0
    for deadline_id, deadline in truth.schedule.deadlines.items():
        if deadline_id.startswith(f"a{number}-") and deadline.kind == "close":
            return deadline.due_ms
    return 0
