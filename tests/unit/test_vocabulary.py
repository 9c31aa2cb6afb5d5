"""The generated words of the game and their codecs: nothing is lost on the way to bytes and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.auction import vocabulary_codec as auction_codec
from magnate.game import vocabulary_codec as game_codec
from magnate.rules import vocabulary as words
from magnate.rules.v1 import vocabulary_pb2 as pb

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, FieldDescriptor

FAMILIES: dict[str, tuple[type[Any], tuple[type[Any], ...]]] = {
    "event": (pb.Event, words.EVENT_KINDS),
    "command": (pb.Command, words.COMMAND_KINDS),
    "auction_event": (pb.AuctionEvent, words.AUCTION_EVENT_KINDS),
    "ask": (pb.Ask, words.ASK_KINDS),
}


def values(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """Return a strategy for one value of a field."""
    if field.message_type is not None:
        return contents(field.message_type)
    return {
        field.CPPTYPE_INT32: st.integers(-(2**31), 2**31 - 1),
        field.CPPTYPE_INT64: st.integers(-(2**63), 2**63 - 1),
        field.CPPTYPE_UINT32: st.integers(0, 2**32 - 1),
        field.CPPTYPE_UINT64: st.integers(0, 2**64 - 1),
        field.CPPTYPE_BOOL: st.booleans(),
        field.CPPTYPE_ENUM: st.integers(0, 1),
        field.CPPTYPE_STRING: st.binary(max_size=8)
        if field.type == field.TYPE_BYTES
        else st.text(max_size=8),
    }[field.cpp_type]


def played(message_type: type[Any]) -> list[Any]:
    """Return the alternatives of this release: an upcaster replaces a deprecated one when it is read."""
    fields = message_type.DESCRIPTOR.oneofs_by_name["kind"].fields
    return [one for one in fields if not one.GetOptions().deprecated]


def contents(message: Descriptor) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for the fields of a message, all of them given."""
    return st.fixed_dictionaries(
        {
            field.name: st.lists(values(field), max_size=3) if field.is_repeated else values(field)
            for field in message.fields
        }
    )


@pytest.mark.parametrize("family", FAMILIES)
@given(data=st.data())
def test_stored_words_come_back_unchanged(family: str, data: st.DataObject) -> None:
    """Decoding and encoding again gives the same message, whatever its fields hold."""
    message_type, _ = FAMILIES[family]
    alternative = data.draw(st.sampled_from(played(message_type)))
    stored = message_type(**{alternative.name: data.draw(contents(alternative.message_type))})
    for codec in (game_codec, auction_codec) if family in ("auction_event", "ask") else (game_codec,):
        word = getattr(codec, f"decode_{family}")(message_type.FromString(stored.SerializeToString()))
        again = message_type()
        getattr(codec, f"encode_{family}")(word, again)
        assert again == stored
        assert again.WhichOneof("kind") == alternative.name


@pytest.mark.parametrize("family", FAMILIES)
def test_every_alternative_has_a_class_with_its_fields(family: str) -> None:
    """A class lists the fields of its message in the same order, so arguments can be positional."""
    message_type, kinds = FAMILIES[family]
    alternatives = played(message_type)
    assert [kind.__name__ for kind in kinds] == [one.message_type.name for one in alternatives]
    for kind, one in zip(kinds, alternatives, strict=True):
        assert [field.name for field in one.message_type.fields] == list(kind.FIELDS)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_kind_this_build_does_not_know_is_refused(family: str) -> None:
    """A log written by a newer build is not read with a hole in it."""
    message_type, _ = FAMILIES[family]
    unknown = message_type.FromString(b"\xf2\x7f\x00")  # field 2046, empty
    with pytest.raises(game_codec.UnknownKindError):
        getattr(game_codec, f"decode_{family}")(unknown)


def test_words_are_equal_by_their_fields_and_show_them() -> None:
    """Two words are the same when class and fields are."""
    assert words.LotLevel(1, 2) == words.LotLevel(1, 2)
    assert words.LotLevel(1, 2) != words.LotLevel(1, 3)
    assert words.LotLevel(1, 2) != words.Card(1, 2)
    assert repr(words.LotLevel(1, 2)) == "LotLevel(lot=1, level=2)"
    assert words.PHASE_NAMES[words.PHASE_DEBT] == "DEBT"
