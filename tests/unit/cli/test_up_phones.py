"""What `magnate up` says about other devices: the address to open, or what it takes."""

from __future__ import annotations

import pytest

from magnate.cli import up

URL = "http://127.0.0.1:7480"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has said where to listen; the machine is at 192.168.1.5."""
    monkeypatch.delenv("MAGNATE_GATEWAY_HOST", raising=False)
    monkeypatch.delenv("MAGNATE_HOST", raising=False)
    monkeypatch.setattr(up, "_home_address", lambda: "192.168.1.5")


def test_on_loopback_it_says_what_to_set() -> None:
    """Nobody else can open the page, and the line names the variable that changes that."""
    assert "MAGNATE_GATEWAY_HOST=0.0.0.0" in up.for_phones(URL)


@pytest.mark.parametrize("variable", ["MAGNATE_GATEWAY_HOST", "MAGNATE_HOST"])
def test_on_the_network_it_says_the_address_to_open(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's own address, not the one that means all of them."""
    monkeypatch.setenv(variable, "0.0.0.0")
    assert up.for_phones(URL) == "http://192.168.1.5:7480"


def test_without_a_network_it_does_not_invent_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says whose address is meant."""
    monkeypatch.setenv("MAGNATE_GATEWAY_HOST", "0.0.0.0")
    monkeypatch.setattr(up, "_home_address", lambda: "")
    assert up.for_phones(URL) == "http://<address of this machine>:7480"
