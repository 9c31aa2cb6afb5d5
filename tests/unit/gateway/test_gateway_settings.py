"""The gateway's settings: what it needs, what it must not have, and which origins are none."""

from __future__ import annotations

import pytest

from magnate.gateway.settings import GatewaySettings, origins
from magnate.kit.settings import SettingsError, load

ADDRESSES = {f"MAGNATE_{one}_ADDRESSES": "127.0.0.1:1" for one in ("GAME", "BANK", "AUCTION", "TIMER")}


def test_it_needs_every_service_and_no_key() -> None:
    """All that is missing is named at once; a key ring is nothing it could use."""
    with pytest.raises(SettingsError) as caught:
        load(GatewaySettings, {})
    assert [fault.split(":")[0] for fault in caught.value.faults] == list(ADDRESSES)
    assert load(GatewaySettings, ADDRESSES).keys is None


def test_origins_are_read() -> None:
    """Scheme, host and port, as browsers send them; or all."""
    assert origins("https://a.example, http://127.0.0.1:8080") == (
        "https://a.example",
        "http://127.0.0.1:8080",
    )
    assert origins("*") == ("*",)
    assert load(GatewaySettings, ADDRESSES).origins == ()


@pytest.mark.parametrize(
    "wrong", ["a.example", "https://a.example/", "ftp://a.example", "https://", "*,https://a.example"]
)
def test_what_is_no_origin_is_named(wrong: str) -> None:
    """A path, another scheme, a missing host: none would ever match."""
    with pytest.raises(SettingsError, match="MAGNATE_GATEWAY_ORIGINS: must be scheme"):
        load(GatewaySettings, {**ADDRESSES, "MAGNATE_GATEWAY_ORIGINS": wrong})
