"""Messages as protobuf and as JSON; what cannot be read is refused with the place that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.json_format import MessageToJson, Parse

from magnate.gateway.errors import MalformedError, connect_error
from magnate.kit.limits import ERROR_BYTES_MAX

if TYPE_CHECKING:
    from google.protobuf.message import Message


class Binary:
    """Protobuf's own encoding."""

    def name(self) -> str:
        """Return what content types call it."""
        return "proto"

    def encode(self, message: Message) -> bytes:
        """Return the bytes of a message."""
        return message.SerializeToString()

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        """Read a message."""
        try:
            return message_class.FromString(bytes(data))
        except Exception as error:
            name = message_class.DESCRIPTOR.full_name
            raise connect_error(MalformedError(f"these bytes are no {name}")) from error


class Json:
    """proto3 JSON. A field that the message does not have is refused: most often it is misspelt."""

    def name(self) -> str:
        """Return what content types call it."""
        return "json"

    def encode(self, message: Message) -> bytes:
        """Return the bytes of a message."""
        return MessageToJson(message, indent=None, ensure_ascii=False).encode()

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        """Read a message."""
        message = message_class()
        try:
            return Parse(bytes(data), message)
        except Exception as error:  # json, its recursion, UTF-8 and protobuf each have their own
            name = message_class.DESCRIPTOR.full_name
            why = " ".join(str(error).split())
            raise connect_error(
                MalformedError(f"not the JSON of a {name}: {why}"[:ERROR_BYTES_MAX])
            ) from error
