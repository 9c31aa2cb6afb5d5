"""The settings of the game service."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from magnate.kit.settings import Settings, setting, text, whole
from magnate.rules.files.reading import DataError
from magnate.rules.loader import OURS, Library, open_library


def library(folder: str) -> Library:
    """Read a folder of own boards and rule sets; all of them are checked before anything is served."""
    try:
        return open_library(Path(text(folder)))
    except DataError as error:
        raise ValueError("; ".join(str(one) for one in error.every())) from None


@dataclass(frozen=True, kw_only=True)
class GameSettings(Settings):
    """What the game service needs to know; see `magnate.kit.settings`."""

    service: str = "game"

    # A message of an open stream carries every call that waits at that moment.
    message_bytes_max: int = setting(16 << 20, whole(1 << 20, 256 << 20), "Largest message accepted.")

    rules: Library = setting(OURS, library, "Folder of own boards/ and rulesets/, beside ours.")  # noqa: RUF009

    def faults(self) -> list[str]:
        """Return what is wrong between fields."""
        found = super().faults()
        found += [
            f"MAGNATE_{peer.upper()}_ADDRESSES: the game service needs the {peer} service"
            for peer in ("bank", "auction")
            if not self.peers(peer)
        ]
        if self.workers > 1 and len(self.game_addresses) != self.workers:
            found.append(
                f"MAGNATE_GAME_ADDRESSES: {self.workers} workers need as many addresses, "
                f"not {len(self.game_addresses)}"
            )
        return found
