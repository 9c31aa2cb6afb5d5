"""What can be wrong with a log. Each error names the game, the version and what was found."""

from __future__ import annotations

from magnate.kit.errors import LOG_NEWER, KitError, UnavailableError


class LogError(KitError):
    """Something about one game's log, at one version (None: unknown)."""

    def __init__(self, game_id: str, version: int | None, what: str) -> None:
        where = f"game {game_id}" if version is None else f"game {game_id} version {version}"
        metadata = {"game_id": game_id}
        if version is not None:
            metadata["version"] = str(version)
        super().__init__(f"{where}: {what}", metadata=metadata)
        self.game_id = game_id
        self.version = version
        self.what = what


class DataLossError(LogError):
    """The stored log is damaged or shorter than it was; the game stops, nothing is folded short."""

    category = "data_loss"
    reason = "DATA_LOSS"


class LogNewerError(LogError):
    """The log holds something a later release wrote; this build must not skip it."""

    category = "unavailable"
    reason = LOG_NEWER

    def __init__(self, game_id: str, version: int | None, what: str) -> None:
        super().__init__(game_id, version, f"log newer than this build: {what}")


class CommitTooLargeError(LogError):
    """A command decided more than one commit may hold; nothing was stored."""

    category = "precondition"
    reason = "COMMIT_TOO_LARGE"


class UnknownKeyError(LogError):
    """The mac's key is not in this process's ring: a setting is missing, the log may be sound."""

    category = "unavailable"
    reason = "LOG_KEY_UNKNOWN"


class LogUnavailableError(UnavailableError):
    """The log did not answer in time. What was being appended may or may not be stored."""

    reason = "LOG_UNAVAILABLE"


class StreamConfigError(Exception):
    """A stream exists with a configuration under which facts could be lost."""
