"""Tokens: who a caller is, and everything that must not pass as one."""

from __future__ import annotations

import base64

import pytest

from magnate.kit.errors import ForbiddenError, UnauthenticatedError
from magnate.kit.keys import KeyRing
from magnate.kit.rpc.call import ANONYMOUS
from magnate.kit.rpc.interceptors.auth import Auth
from magnate.kit.tokens import mint_peer, mint_seat, mint_table, verify_peer, verify_seat, verify_table

OLD = KeyRing("k1", {"k1": b"1" * 32})
NEW = KeyRing("k2", {"k2": b"2" * 32, "k1": b"1" * 32})
ONLY_NEW = KeyRing("k2", {"k2": b"2" * 32})
GAME = "1-3-9f8e7d6c5b4a39281706f5e4"


def reason_of(keys: KeyRing, token: str) -> str:
    """Return the reason for which a seat token is refused."""
    with pytest.raises(UnauthenticatedError) as caught:
        verify_seat(keys, token)
    return caught.value.reason


def test_a_seat_token_says_game_seat_and_key() -> None:
    """What was minted is what is read."""
    token = verify_seat(OLD, mint_seat(OLD, GAME, 4))
    assert (token.game_id, token.seat, token.key_id) == (GAME, 4, "k1")


def test_the_form_is_the_documented_one() -> None:
    """`v1.<base64url payload>.<base64url mac>`, payload game|seat|key."""
    prefix, payload, mac = mint_seat(OLD, GAME, 4).split(".")
    assert prefix == "v1"
    assert base64.urlsafe_b64decode(payload + "==").decode() == f"{GAME}|4|k1"
    assert len(base64.urlsafe_b64decode(mac + "=")) == 32


def test_an_old_key_still_verifies_and_a_removed_one_does_not() -> None:
    """Rotation keeps tokens valid until the old key leaves the ring."""
    token = mint_seat(OLD, GAME, 0)
    assert verify_seat(NEW, token).seat == 0
    assert reason_of(ONLY_NEW, token) == "TOKEN_INVALID"


def test_no_single_changed_character_passes() -> None:
    """Every position of a token is covered by its signature or its form."""
    token = mint_seat(OLD, GAME, 1)
    for place, letter in enumerate(token):
        for other in ("A", "B", "."):
            if letter != other:
                assert reason_of(OLD, token[:place] + other + token[place + 1 :]).startswith("TOKEN_")


@pytest.mark.parametrize(
    "token",
    ["", "v1", "v1..", "v1.a.b", "v2.AAAA.AAAA", "v1.AAAA.AAAA.AAAA", "v1.ä.ö", "v1." + "A" * 1000 + ".A"],
)
def test_what_is_no_token_is_called_malformed_or_invalid(token: str) -> None:
    """Nothing but UnauthenticatedError ever comes out."""
    assert reason_of(OLD, token) in {"TOKEN_MALFORMED", "TOKEN_INVALID"}


def test_a_token_has_one_spelling() -> None:
    """Padding, white space and unused bits are refused, so a token can be compared as text."""
    token = mint_seat(OLD, GAME, 1)
    for other in (token + "=", token + "\n", " " + token):
        assert reason_of(OLD, other) == "TOKEN_MALFORMED"


def test_a_seat_token_is_no_peer_token_and_the_other_way_round() -> None:
    """The prefix is signed too."""
    seat, peer = mint_seat(OLD, GAME, 1), mint_peer(OLD, "game")
    assert verify_peer(OLD, peer) == "game"
    with pytest.raises(UnauthenticatedError):
        verify_peer(OLD, seat)
    assert reason_of(OLD, peer) == "TOKEN_MALFORMED"
    assert reason_of(OLD, "v1" + peer[2:]) == "TOKEN_INVALID"
    with pytest.raises(UnauthenticatedError):
        verify_peer(OLD, "p1" + seat[2:])


def test_a_table_token_says_table_role_and_seat() -> None:
    """A card's has a seat, no other has; it is neither a seat's nor a service's token."""
    for role, seat in (("banker", -1), ("card", 0), ("card", 7), ("guest", -1)):
        minted = mint_table(OLD, GAME, role, seat)
        token = verify_table(OLD, minted)
        assert (token.table_id, token.role, token.seat, token.key_id) == (GAME, role, seat, "k1")
        assert reason_of(OLD, minted) == "TOKEN_MALFORMED"
        assert reason_of(OLD, "v1" + minted[2:]) == "TOKEN_INVALID"
    for other in (mint_seat(OLD, GAME, 1), mint_peer(OLD, "bank"), "t1" + mint_seat(OLD, GAME, 1)[2:]):
        with pytest.raises(UnauthenticatedError):
            verify_table(OLD, other)


@pytest.mark.parametrize(
    ("table", "role", "seat"), [("a|b", "guest", -1), ("", "guest", -1), (GAME, "boss", -1)]
)
def test_what_no_table_has_is_not_minted(table: str, role: str, seat: int) -> None:
    """An unknown role, a card without a seat and a banker with one are no tokens."""
    for wrong in ((table, role, seat), (GAME, "card", -1), (GAME, "banker", 0)):
        with pytest.raises(ValueError, match="no token"):
            mint_table(OLD, *wrong)


def test_a_table_token_makes_its_principal() -> None:
    """It has its role at its own table, none at another, and is named by both."""
    auth = Auth(OLD)
    card = auth.principal_of(f"Bearer {mint_table(OLD, GAME, 'card', 2)}")
    assert (card.kind, card.role_at(GAME), card.seat) == ("table", "card", 2)
    assert card.name == f"table:{GAME}:card:2"
    banker = auth.principal_of(f"Bearer {mint_table(OLD, GAME, 'banker')}")
    assert banker.name == f"table:{GAME}:banker"
    with pytest.raises(ForbiddenError) as other:
        banker.role_at("1-3-000000000000000000000000")
    assert other.value.reason == "TOKEN_FOR_OTHER_TABLE"
    for stranger in (ANONYMOUS, auth.principal_of(f"Bearer {mint_seat(OLD, GAME, 2)}")):
        with pytest.raises(UnauthenticatedError) as missing:
            stranger.role_at(GAME)
        assert missing.value.reason == "TOKEN_MISSING"
    with pytest.raises(UnauthenticatedError):
        card.seat_of(GAME)


def test_errors_never_repeat_the_token() -> None:
    """An error message ends up in logs."""
    token = mint_seat(OLD, GAME, 1)
    with pytest.raises(UnauthenticatedError) as caught:
        verify_seat(ONLY_NEW, token)
    assert token[5:20] not in str(caught.value)


@pytest.mark.parametrize(("game", "seat"), [("a|b", 0), ("", 0), (GAME, -1)])
def test_what_cannot_be_written_is_not_minted(game: str, seat: int) -> None:
    """A separator inside a field would make another token of it."""
    with pytest.raises(ValueError, match="no token"):
        mint_seat(OLD, game, seat)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "key number 1 is not of the form id:hex"),
        ("k1=abcd", "not of the form"),
        ("k1:zz", "'k1'.* is not hexadecimal"),
        ("k1:abcd", "2 bytes, not 16"),
        ("k1:" + "ab" * 16 + ",k1:" + "cd" * 16, "key number 2 has the id"),
        (":" + "ab" * 16, "key id ''"),
    ],
)
def test_a_wrong_key_ring_is_refused_by_place_without_its_secret(text: str, message: str) -> None:
    """The error says which key and how, never what it was."""
    with pytest.raises(ValueError, match=message) as caught:
        KeyRing.parse(text)
    assert "abab" not in str(caught.value)
    assert "zz" not in str(caught.value)


def test_a_generated_ring_can_be_read_and_does_not_show_itself() -> None:
    """`repr` names ids, not secrets."""
    text = KeyRing.generate("dev")
    ring = KeyRing.parse(text)
    assert ring.current_id == "dev"
    assert text.split(":")[1] not in repr(ring)
    assert KeyRing.generate() != KeyRing.generate()
