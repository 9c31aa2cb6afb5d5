"""Macs under a key that is not the current one: what was derived once can be derived again."""

from __future__ import annotations

import pytest

from magnate.kit.keys import KeyRing

RING = KeyRing.parse("k2:" + "22" * 32 + ",k1:" + "11" * 32)


def test_any_key_of_the_ring_makes_its_mac() -> None:
    """The current one's is what `sign` gives; an older one's holds as long as the key is there."""
    assert RING.ids == ("k2", "k1")
    assert RING.mac("k2", b"text") == RING.sign(b"text")
    assert RING.matches("k1", b"text", RING.mac("k1", b"text"))
    assert RING.mac("k1", b"text") != RING.mac("k2", b"text")
    with pytest.raises(KeyError):
        RING.mac("k3", b"text")
