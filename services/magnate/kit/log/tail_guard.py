"""The guard of the tail: a stream that ends before a sequence seen earlier has lost its newest facts.

The shorter log has a perfect chain, so nothing else would notice. Such a stream takes no more appends from
this process until a person has looked (see the runbook) and the process is started again.
"""

from __future__ import annotations

from magnate.kit.log.errors import DataLossError


class TailGuard:
    """The highest sequence of each stream that anything has told of, and the streams that fell below it."""

    __slots__ = ("highest", "stopped")

    def __init__(self) -> None:
        self.highest: dict[str, int] = {}
        self.stopped: dict[str, str] = {}

    def observe(self, stream: str, sequence: int) -> None:
        """Note that this sequence was stored."""
        if sequence > self.highest.get(stream, 0):
            self.highest[stream] = sequence

    def judge(self, stream: str, last_sequence: int, seen: int | None = None) -> None:
        """Compare a stream's last sequence with what was seen; stop the stream if it is smaller.

        `seen` is what was known when the server was asked: its answer may be older than what came meanwhile.
        """
        highest = self.highest.get(stream, 0) if seen is None else seen
        if last_sequence < highest:
            self.stopped[stream] = f"stream {stream} ends at sequence {last_sequence}; {highest} was stored"
        else:
            self.observe(stream, last_sequence)

    def require(self, stream: str, game_id: str) -> None:
        """Refuse to append to a stopped stream: DataLossError."""
        why = self.stopped.get(stream)
        if why is not None:
            raise DataLossError(game_id, None, why)
