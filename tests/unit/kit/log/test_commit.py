"""The envelope: what is built is what is parsed, and nothing can be changed unnoticed."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import (
    KIND_NAMES,
    RULES,
    TABLE,
    ZERO_HASH,
    ParsedCommit,
    Section,
    build_commit,
    check_follows,
    parse_commit,
    public_chain_hash,
    require_version,
)
from magnate.kit.log.errors import DataLossError, LogNewerError, UnknownKeyError
from magnate.log.v1 import log_pb2
from tests.support.counter import KEYS, START_MS, chain, command, game


def built(secret: bytes = b"", keys: KeyRing = KEYS) -> ParsedCommit:
    """Return a first commit."""
    return build_commit(
        keys,
        game(),
        command("a"),
        [Section(TABLE, 1, b"table"), Section(RULES, 2, b"rules")],
        previous_version=0,
        previous_hash=ZERO_HASH,
        previous_time_ms=0,
        now_ms=START_MS,
        secret_sections=[Section(RULES, 1, secret)] if secret else [],
        salt=b"s" * 16,
    )


@pytest.mark.parametrize("secret", [b"", b"seed"])
def test_parsed_is_what_was_built(secret: bytes) -> None:
    """Every field survives, and so does the secret part."""
    commit = built(secret)
    parsed = parse_commit(KEYS, game(), commit.data)
    for field in ParsedCommit.__slots__:
        assert getattr(parsed, field) == getattr(commit, field), field
    assert [section.body for section in parsed.secret_sections()] == ([secret] if secret else [])
    assert parsed.section(RULES) == Section(RULES, 2, b"rules")
    assert parsed.section(99) is None


def test_the_hash_and_mac_are_as_documented() -> None:
    """Anybody can compute the hash from the stored bytes; the mac is over the hash."""
    commit = built(b"seed")
    message = log_pb2.Commit.FromString(commit.data)
    secret = log_pb2.SecretPart.FromString(message.secret)
    assert secret.salt == b"s" * 16
    digest = hashlib.sha256(
        bytes(32) + hashlib.sha256(message.public).digest() + hashlib.sha256(message.secret).digest()
    ).digest()
    assert message.hash == digest
    assert message.mac == hmac.digest(b"2" * 32, digest, "sha256")
    assert message.key_id == "k2"


def test_a_viewer_can_verify_the_chain_without_the_secret() -> None:
    """Public bytes and the secret's digest are enough, and tell nothing of the secret."""
    for commit in [*chain(game(), 3), built(b"seed")]:
        digest = commit.secret_digest()
        assert public_chain_hash(commit.previous_hash, commit.public, digest) == commit.hash
        assert b"seed" not in commit.public + digest


def test_a_fresh_salt_is_drawn_for_each_secret() -> None:
    """The same secret twice gives two digests, so nobody can guess it from the published one."""
    arguments = {"previous_version": 0, "previous_hash": ZERO_HASH, "previous_time_ms": 0, "now_ms": START_MS}
    one, two = (
        build_commit(KEYS, game(), command("a"), [], secret_sections=[Section(RULES, 1, b"x")], **arguments)  # type: ignore[arg-type]
        for _ in range(2)
    )
    assert one.secret_digest() != two.secret_digest()


@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_any_flipped_bit_is_noticed(place: int, bit: int) -> None:
    """Whichever bit of the stored bytes changes, the commit is not taken."""
    commit = built(b"seed")
    data = bytearray(commit.data)
    data[place % len(data)] ^= 1 << bit
    with pytest.raises((DataLossError, UnknownKeyError)):
        parse_commit(KEYS, game(), bytes(data), 7)


@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_are_an_error_that_names_game_and_place(data: bytes) -> None:
    """Garbage never passes and never raises anything else."""
    with pytest.raises(DataLossError, match=f"game {game()}.*sequence 7"):
        parse_commit(KEYS, game(), data, 7)


def test_old_keys_stay_readable_and_unknown_ones_are_named() -> None:
    """Rotation: what k1 signed is still verified; a ring without it says which key it lacks."""
    old = KeyRing("k1", {"k1": b"1" * 32})
    commit = built(keys=old)
    assert parse_commit(KEYS, game(), commit.data).key_id == "k1"
    with pytest.raises(UnknownKeyError, match="log key 'k1' is not in this process's key ring"):
        parse_commit(KeyRing("k9", {"k9": b"9" * 32}), game(), commit.data)
    with pytest.raises(DataLossError, match="mac under key 'k1' does not match"):
        parse_commit(KeyRing("k1", {"k1": b"9" * 32}), game(), commit.data)


def test_a_commit_of_another_game_is_not_taken() -> None:
    """A valid commit under the wrong subject is an error that names both games."""
    with pytest.raises(
        DataLossError,
        match=f"game {game('other')} version 1: commit at sequence 0 belongs to game '{game()}'",
    ):
        parse_commit(KEYS, game("other"), built().data)


def test_gaps_breaks_and_time_going_back_are_noticed() -> None:
    """Each with the version at fault."""
    one, two, three = chain(game(), 3)
    check_follows(two, one.version, one.hash, one.time_ms)
    with pytest.raises(DataLossError, match="version 2: missing; next is version 3"):
        check_follows(three, one.version, one.hash, one.time_ms)
    with pytest.raises(DataLossError, match="version 2: chain broken"):
        check_follows(two, one.version, b"x" * 32, one.time_ms)
    with pytest.raises(DataLossError, match="version 2: time goes back"):
        check_follows(two, one.version, one.hash, two.time_ms + 1)


def test_time_never_goes_back_when_the_clock_does() -> None:
    """A commit's time is at least that of the one before."""
    commit = build_commit(
        KEYS,
        game(),
        command("a"),
        [],
        previous_version=4,
        previous_hash=b"p" * 32,
        previous_time_ms=500,
        now_ms=100,
    )
    assert (commit.time_ms, commit.version) == (500, 5)


def test_an_unknown_section_version_is_a_newer_log() -> None:
    """The folding service never skips what it does not know."""
    commit = built()
    section = commit.sections[1]
    require_version(commit, section, 1, 2)
    with pytest.raises(
        LogNewerError, match="version 1: log newer than this build: rules section of version 2"
    ):
        require_version(commit, section, 1)


def test_the_kinds_are_those_of_the_stored_format() -> None:
    """The plain numbers are the numbers of the proto."""
    stored = {
        number: name.removeprefix("SECTION_KIND_").lower()
        for name, number in log_pb2.SectionKind.items()
        if number
    }
    assert stored == KIND_NAMES
