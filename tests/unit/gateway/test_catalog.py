"""What the gateway serves follows from the protos."""

from __future__ import annotations

import re

from connectrpc.method import IdempotencyLevel

from magnate.gateway.catalog import PACKAGES, catalog
from tests.support.sources import ROOT

CATALOG = catalog()


def test_every_client_facing_method_of_the_protos_is_served() -> None:
    """A service that is added to a proto is served; what our services say to each other is not."""
    written = set()
    for path in (ROOT / "protos" / "magnate").glob("*/v1/*.proto"):
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        package = re.search(r"^package ([\w.]+);", text, re.MULTILINE)
        assert package
        for service, body in re.findall(r"^service (\w+) \{(.*?)^\}", text, re.MULTILINE | re.DOTALL):
            written |= {f"/{package[1]}.{service}/{method}" for method in re.findall(r"\brpc (\w+)\(", body)}
    assert written
    assert set(CATALOG) == {path for path in written if "PeerService/" not in path}


def test_each_method_knows_whose_it_is() -> None:
    """Calls go to the processes of the service that the package is named after."""
    for path, served in CATALOG.items():
        assert served.owner in PACKAGES
        assert path.startswith(f"/magnate.{served.owner}.v1.")
        assert served.path == path


def test_reads_may_be_fetched_and_changes_not() -> None:
    """`NO_SIDE_EFFECTS` in the proto decides."""
    read, change = (CATALOG[f"/magnate.game.v1.GameService/{name}"] for name in ("GetGame", "CreateGame"))
    assert read.info.idempotency_level is IdempotencyLevel.NO_SIDE_EFFECTS
    assert change.info.idempotency_level is IdempotencyLevel.UNKNOWN
    assert (read.method.mutating, change.method.mutating) == (False, True)
    assert (read.key_field, change.key_field) == ("game_id", "")
