"""The settings of the gateway."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from magnate.kit.settings import PREFIX, Settings, setting


def origins(value: str) -> tuple[str, ...]:
    """Read `https://one.example,https://two.example:8443`, or `*` alone."""
    found = tuple(part.strip() for part in value.split(",") if part.strip())
    if found == ("*",):
        return found
    for one in found:
        parts = urlsplit(one)
        if (
            parts.scheme not in {"http", "https"}
            or not parts.netloc
            or one != f"{parts.scheme}://{parts.netloc}"
        ):
            raise ValueError(f"must be scheme://host[:port] without a path, or * alone, not {one!r}")
    return found


@dataclass(frozen=True, kw_only=True)
class GatewaySettings(Settings):
    """What the gateway needs to know; see `magnate.kit.settings`. It signs and verifies nothing: no keys."""

    service: str = "gateway"

    origins: tuple[str, ...] = setting((), origins, "Origins of other sites whose pages may call; * for all.")

    def faults(self) -> list[str]:
        """Return what is wrong between fields."""
        found = [fault for fault in super().faults() if not fault.startswith(f"{PREFIX}KEYS:")]
        found += [
            f"{PREFIX}{peer.upper()}_ADDRESSES: the gateway needs the {peer} service"
            for peer in ("game", "bank", "auction", "timer")
            if not self.peers(peer)
        ]
        return found
