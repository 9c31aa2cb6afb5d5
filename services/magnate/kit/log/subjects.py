"""Names of streams and subjects: where each thing lives on the server."""

from __future__ import annotations

from typing import Final

from magnate.kit.ids import parse_game_id

HEADS_STREAM: Final = "HEADS"
CACHE_STREAM: Final = "CACHE"
LOG_PREFIX: Final = "log"
LIVE_PREFIX: Final = "live"


def log_stream(epoch: int, shard: int) -> str:
    """Return the stream that holds a shard's games."""
    return f"LOG_{epoch}_{shard}"


def game_subject(prefix: str, tenant: str, game_id: str) -> str:
    """Return `<prefix>.<epoch>.<shard>.<tenant>.<game_id>`."""
    address = parse_game_id(game_id)
    return f"{prefix}.{address.epoch}.{address.shard}.{tenant}.{game_id}"


def game_stream(game_id: str) -> str:
    """Return the stream that holds this game."""
    address = parse_game_id(game_id)
    return log_stream(address.epoch, address.shard)


def snapshot_subject(kind: str, tenant: str, game_id: str) -> str:
    """Return the subject of a service's snapshot of a game."""
    return f"cache.snapshot.{kind}.{tenant}.{game_id}"


def checkpoint_subject(name: str, tenant: str) -> str:
    """Return the subject of a follower's checkpoint."""
    return f"cache.checkpoint.{name}.{tenant}"
