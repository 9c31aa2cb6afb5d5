"""Whose wrong tries are counted: the address of the connection, or what a gateway says of it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from magnate.bank.tables.desk import address_of

FORWARDED = (("authorization", "Bearer x"), ("x-forwarded-for", "10.1.1.1, 198.51.100.7"))


class Connection:
    """What gRPC says of a call."""

    def __init__(self, peer: str, metadata: tuple[tuple[str, str], ...] | None) -> None:
        self._peer = peer
        self._metadata = metadata

    def peer(self) -> str:
        """Return where the connection comes from."""
        return self._peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...] | None:
        """Return the headers of the call."""
        return self._metadata


@pytest.mark.parametrize(
    ("peer", "metadata", "address"),
    [
        ("ipv4:127.0.0.1:50000", FORWARDED, "198.51.100.7"),
        ("ipv4:172.18.0.4:50000", FORWARDED, "198.51.100.7"),
        ("ipv6:[::1]:50000", FORWARDED, "198.51.100.7"),
        ("ipv6:%5B::1%5D:50000", FORWARDED, "198.51.100.7"),
        ("unix:", FORWARDED, "198.51.100.7"),
        ("ipv4:127.0.0.1:50000", None, "ipv4:127.0.0.1"),
        ("ipv4:93.184.216.34:50000", FORWARDED, "ipv4:93.184.216.34"),
        ("ipv6:[2606:4700::1]:50000", FORWARDED, "ipv6:[2606:4700::1]"),
        ("ipv6:%5B2606:4700::1%5D:1", FORWARDED, "ipv6:%5B2606:4700::1%5D"),
        ("strange", FORWARDED, ""),
    ],
)
def test_only_a_gateway_says_where_somebody_is(
    peer: str, metadata: tuple[tuple[str, str], ...] | None, address: str
) -> None:
    """Who calls from outside is counted by where he is, whatever he claims."""
    assert address_of(cast("Any", Connection(peer, metadata))) == address
