"""What a command of a seat says, as its digest in the log is made: alike in every service it may come to.

The digest is there for everybody to see, so it must not tell what is secret: whoever knows everything
else of a request could try all amounts. So a bid's amount and a ceiling are no part of it, in auctions of
any kind; whoever answers a command that was sent before compares them with what was stored then
(`auction.again`).
"""

from __future__ import annotations

from magnate.rules.v1 import vocabulary_pb2


def hashed_content(message: vocabulary_pb2.Command) -> bytes:
    """Return the bytes of which the digest of a command is made."""
    kind = message.WhichOneof("kind")
    if kind in ("place_bid", "set_proxy_bid"):
        bare = vocabulary_pb2.Command()
        bare.CopyFrom(message)
        if kind == "place_bid":
            bare.place_bid.ClearField("amount")
        else:
            bare.set_proxy_bid.ClearField("ceiling")
        message = bare
    return message.SerializeToString(deterministic=True)
