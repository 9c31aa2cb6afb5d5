"""Channels to other processes, and which of several to ask first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.kit.tokens import mint_peer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from magnate.kit.keys import KeyRing

# Only what surely did not happen, or happens once however often it is sent: every changing request carries a
# command id. A server can slow us down by `grpc-retry-pushback-ms`.
_SERVICE_CONFIG: Final = json.dumps(
    {
        "methodConfig": [
            {
                "name": [{}],
                "retryPolicy": {
                    "maxAttempts": 4,
                    "initialBackoff": "0.05s",
                    "maxBackoff": "1s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ],
        "retryThrottling": {"maxTokens": 100, "tokenRatio": 0.1},
    }
)


def options(
    message_bytes_max: int, *, retries: bool = True, own_connection: bool = False
) -> list[tuple[str, Any]]:
    """Return gRPC's arguments for a channel.

    `retries` sends what answered UNAVAILABLE again; `own_connection` keeps the channel from sharing one with
    others in this process.
    """
    return [
        *([("grpc.service_config", _SERVICE_CONFIG)] if retries else []),
        ("grpc.enable_retries", int(retries)),
        ("grpc.max_receive_message_length", message_bytes_max),
        ("grpc.max_send_message_length", message_bytes_max),
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.initial_reconnect_backoff_ms", 50),
        ("grpc.min_reconnect_backoff_ms", 50),
        ("grpc.max_reconnect_backoff_ms", 1_000),
        ("grpc.use_local_subchannel_pool", int(own_connection)),
    ]


def connect(
    address: str, *, message_bytes_max: int = 4 << 20, retries: bool = True, own_connection: bool = False
) -> grpc.aio.Channel:
    """Open a channel to `host:port`; it connects when first used and again when it must."""
    arguments = options(message_bytes_max, retries=retries, own_connection=own_connection)
    return grpc.aio.insecure_channel(address, options=arguments)


def peer_metadata(keys: KeyRing, service: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata by which a service of ours shows itself to every method of a …PeerService."""
    return (("authorization", f"Bearer {mint_peer(keys, service)}"),)


class Peers:
    """The processes of one service: a channel to each, made when first needed.

    `rendezvous(key, addresses)` names the preferred process of a game; all callers agree on it without
    talking to each other, and when one process goes only its games move.
    """

    def __init__(
        self,
        addresses: Iterable[str],
        rendezvous: Callable[[str, Iterable[str]], str],
        *,
        message_bytes_max: int = 4 << 20,
        connect: Callable[..., grpc.aio.Channel] = connect,
    ) -> None:
        self.addresses = tuple(addresses)
        if not self.addresses:
            raise ValueError("a service needs at least one address")
        self._rendezvous = rendezvous
        self._message_bytes_max = message_bytes_max
        self._connect = connect
        self._channels: dict[str, grpc.aio.Channel] = {}

    def preferred(self, key: str) -> str:
        """Return the address of the process that a key, for example a game id, belongs to."""
        if len(self.addresses) == 1:
            return self.addresses[0]
        return self._rendezvous(key, self.addresses)

    def order(self, key: str) -> list[str]:
        """Return all addresses, the preferred one first, then in the order in which they would take over."""
        rest, found = list(self.addresses), []
        while rest:
            best = rest[0] if len(rest) == 1 else self._rendezvous(key, rest)
            rest.remove(best)
            found.append(best)
        return found

    def channel(self, address: str) -> grpc.aio.Channel:
        """Return the channel to one of the processes."""
        channel = self._channels.get(address)
        if channel is None:
            # Whoever asks a peer retries by himself, and knows better what may be asked again.
            channel = self._connect(address, message_bytes_max=self._message_bytes_max, retries=False)
            self._channels[address] = channel
        return channel

    async def close(self) -> None:
        """Close all channels."""
        for channel in self._channels.values():
            await channel.close()
        self._channels.clear()
