"""The settings of the timer service."""

from __future__ import annotations

from dataclasses import dataclass

from magnate.kit.settings import Settings, seconds, setting


@dataclass(frozen=True, kw_only=True)
class TimerSettings(Settings):
    """What the timer needs to know; see `magnate.kit.settings`."""

    service: str = "timer"

    sweep_seconds: float = setting(30.0, seconds(0.1, 3600), "How often the heads are swept.")

    def faults(self) -> list[str]:
        """Return what is wrong between fields."""
        found = super().faults()
        found += [
            f"MAGNATE_{peer.upper()}_ADDRESSES: the timer needs the {peer} service"
            for peer in ("game", "auction")
            if not self.peers(peer)
        ]
        return found
