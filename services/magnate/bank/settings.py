"""What the bank needs to know beyond what every service does."""

from __future__ import annotations

from dataclasses import dataclass

from magnate.kit.limits import GAMES_CACHED_MAX, QUEUE_PER_GAME_MAX
from magnate.kit.settings import Settings, setting, whole


@dataclass(frozen=True, kw_only=True)
class BankSettings(Settings):
    """The settings of the bank service; environment `MAGNATE_BANK_…` beats `MAGNATE_…`."""

    service: str = "bank"

    # A message of an open stream carries every commit that waits at that moment.
    message_bytes_max: int = setting(64 << 20, whole(1 << 20, 256 << 20), "Largest message accepted.")
    games_cached_max: int = setting(GAMES_CACHED_MAX, whole(1, 1_000_000), "Ledgers kept in memory.")
    queue_per_game_max: int = setting(
        QUEUE_PER_GAME_MAX, whole(1, 10_000), "Commits that may wait for one game."
    )
