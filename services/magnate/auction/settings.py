"""The settings of the auction service."""

from __future__ import annotations

from dataclasses import dataclass

from magnate.kit.settings import Settings, setting, whole


@dataclass(frozen=True, kw_only=True)
class AuctionSettings(Settings):
    """What the auction service needs to know; see `magnate.kit.settings`."""

    service: str = "auction"

    # A message of an open stream carries every call that waits at that moment.
    message_bytes_max: int = setting(16 << 20, whole(1 << 20, 256 << 20), "Largest message accepted.")

    def faults(self) -> list[str]:
        """Return what is wrong between fields."""
        found = super().faults()
        found += [
            f"MAGNATE_{peer.upper()}_ADDRESSES: the auction service needs the {peer} service"
            for peer in ("game", "bank")
            if not self.peers(peer)
        ]
        return found
