"""Operators: a token lets in who has it, the server's own settings let in nobody."""

from __future__ import annotations

import pytest

from magnate.kit.errors import UnauthenticatedError
from magnate.kit.keys import KeyRing
from magnate.kit.operators import Operators, mint_operator
from magnate.kit.rpc.interceptors.auth import Auth

RING = KeyRing.parse("k1:" + "ab" * 32)


def reason_of(operators: Operators, token: str) -> str:
    """Return why a token does not hold; it must not."""
    with pytest.raises(UnauthenticatedError) as caught:
        Auth(RING, operators).principal_of(f"Bearer {token}")
    assert len(token) < 20 or token[-20:] not in str(caught.value)
    return caught.value.reason


def test_an_operator_is_known_by_his_token_and_by_name() -> None:
    """The principal has no seat, and its name is what logs show."""
    token, entry = mint_operator("anna")
    _, other = mint_operator("bob-2")
    auth = Auth(RING, Operators.parse(f"{other},{entry}"))
    caller = auth.principal_of(f"Bearer {token}")
    assert (caller.kind, caller.name) == ("operator", "operator:anna")
    assert auth.principal_of(f"Bearer {token}").name == "operator:anna"
    with pytest.raises(UnauthenticatedError):
        caller.seat_of("1-0-" + "0" * 24)


def test_what_is_no_operators_token_is_refused() -> None:
    """Another secret, another name, the digest itself, no operators at all; and what cannot be read."""
    token, entry = mint_operator("anna")
    name, digest = entry.split(":")
    operators = Operators.parse(entry)
    stranger, _ = mint_operator("anna")
    for wrong in (stranger, token.replace("anna", "bob"), f"o1.{name}.{digest}", token + "0", f"o1.{name}."):
        assert reason_of(operators, wrong) == "TOKEN_INVALID"
    assert reason_of(Operators(), token) == "TOKEN_INVALID"
    for malformed in ("o1.", "o1.anna", token + ".x", "o1.ä.x", "o1.anna." + "0" * 600):
        assert reason_of(operators, malformed) == "TOKEN_MALFORMED"


def test_settings_say_which_operator_is_wrong() -> None:
    """Each fault names the entry, and a printed setting shows no digest."""
    digest = "0" * 63 + "1"
    for text, said in (
        ("anna", "number 1"), (f"Anna:{digest}", "name"), (f"a:{digest[1:]}", "64"),
        (f"a:{digest},", "number 2"),
        (f"a:{digest.upper()}G", "64"), (f"a:{digest},b:{digest},a:{digest}", "number 3"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            Operators.parse(text)
    assert digest not in repr(Operators.parse(f"a:{digest}"))
    for name in ("", "a b", "x" * 33, "A"):
        with pytest.raises(ValueError, match="name"):
            mint_operator(name)
