"""Settings: read once, all faults together, each by the name of its variable."""

from __future__ import annotations

import dataclasses

import pytest

from magnate.kit.settings import Settings, SettingsError, describe, load, setting, whole

KEYS = {"MAGNATE_KEYS": "k1:" + "ab" * 32}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Auctioneer(Settings):
    """The settings of a service in a test."""

    service: str = "auctioneer"
    lots_max: int = setting(16, whole(1, 64), "Lots in one sale.")


def faults_of(environ: dict[str, str], **overrides: object) -> list[str]:
    """Return all faults of an environment."""
    with pytest.raises(SettingsError) as caught:
        load(Auctioneer, environ, overrides)
    return caught.value.faults


def test_defaults_are_loopback_and_safe() -> None:
    """Nothing listens to the world and no sandbox is open unless somebody says so."""
    settings = load(Auctioneer, KEYS)
    assert (settings.host, settings.metrics_host) == ("127.0.0.1", "127.0.0.1")
    assert settings.nats_url == "nats://127.0.0.1:4222"
    assert not settings.sandbox
    assert (settings.tenant, settings.shards, settings.lots_max) == ("main", 4, 16)
    assert settings.key_ring.current_id == "k1"


def test_override_beats_service_beats_common() -> None:
    """The command line, then the variable of the service, then the common one."""
    environ = {**KEYS, "MAGNATE_PORT": "1000"}
    assert load(Auctioneer, environ).port == 1000
    environ["MAGNATE_AUCTIONEER_PORT"] = "2000"
    assert load(Auctioneer, environ).port == 2000
    assert load(Settings, environ).port == 1000
    assert load(Auctioneer, environ, {"port": 3000}).port == 3000
    assert load(Auctioneer, environ, {"port": "3001"}).port == 3001
    assert load(Auctioneer, environ, {"port": None}).port == 2000


def test_all_faults_are_reported_together_by_variable_and_reason() -> None:
    """Who mends a deployment wants to see everything at once."""
    faults = faults_of(
        {
            "MAGNATE_SHARDS": "many",
            "MAGNATE_AUCTIONEER_PORT": "70000",
            "MAGNATE_TENANT": "a.b",
            "MAGNATE_BANK_ADDRESSES": "localhost",
            "MAGNATE_SANDBOX": "maybe",
            "MAGNATE_LOG_LEVEL": "loud",
            "MAGNATE_NATS_URL": " ",
            "MAGNATE_WORKER": "3",
            "MAGNATE_DRAIN_SECONDS": "-1",
        },
        colour="red",
    )
    for wanted in (
        "MAGNATE_SHARDS: must be a whole number, not 'many'",
        "MAGNATE_AUCTIONEER_PORT: must be from 0 to 65535",
        "MAGNATE_TENANT: tenant 'a.b' is malformed",
        "MAGNATE_BANK_ADDRESSES: must be host:port, not 'localhost'",
        "MAGNATE_SANDBOX: must be on or off",
        "MAGNATE_LOG_LEVEL: must be one of",
        "MAGNATE_NATS_URL: must not be empty",
        "MAGNATE_WORKER: must be below MAGNATE_WORKERS (1), not 3",
        "MAGNATE_DRAIN_SECONDS: must be from 0 to 600 seconds",
        "MAGNATE_KEYS: must be set",
        "colour: there is no such setting",
    ):
        assert any(fault.startswith(wanted) for fault in faults), (wanted, faults)
    assert len(faults) == 11


@pytest.mark.parametrize("text", ["nan", "inf", "1e999"])
def test_a_duration_is_a_number(text: str) -> None:
    """Not-a-number compares with nothing and must not slip through a range check."""
    assert faults_of({**KEYS, "MAGNATE_DRAIN_SECONDS": text})


def test_a_wrong_key_is_named_without_being_shown() -> None:
    """A secret never ends up in an error."""
    (fault,) = faults_of({"MAGNATE_KEYS": "k1:" + "ab" * 32 + ",k2:xyzzy"})
    assert fault.startswith("MAGNATE_KEYS: key number 2")
    assert "xyzzy" not in fault
    assert "abab" not in fault


def test_settings_are_frozen_and_do_not_show_their_secrets() -> None:
    """One object, read once."""
    settings = load(Auctioneer, KEYS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.port = 1  # type: ignore[misc]
    assert "abab" not in repr(settings)


def test_addresses_of_peers_are_lists() -> None:
    """Every process of a peer is named, in order."""
    settings = load(Settings, {**KEYS, "MAGNATE_BANK_ADDRESSES": "127.0.0.1:1, [::1]:2"})
    assert settings.peers("bank") == ("127.0.0.1:1", "[::1]:2")
    assert settings.peers("game") == ()


def test_every_setting_can_be_described() -> None:
    """Help texts and documents list variable, default and purpose."""
    rows = {variable: (default, purpose) for variable, default, purpose in describe(Auctioneer)}
    assert rows["MAGNATE_LOTS_MAX"] == ("16", "Lots in one sale.")
    assert rows["MAGNATE_SANDBOX"][0] == "False"
    assert rows["MAGNATE_PORT"][0] == "0"
    assert rows["MAGNATE_KEYS"][0] == ""
    assert all(purpose.endswith(".") for _, purpose in rows.values())
