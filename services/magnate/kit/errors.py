"""Errors and refusals as all services know them; without a word of gRPC, so that any layer may raise them.

`category` is a key of the table in `kit/rpc/status.py`; `reason` is the stable UPPER_SNAKE name clients see.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


CLOCK_SKEWED: Final = "CLOCK_SKEWED"
"""The reason of a process that may do nothing while its clock is wrong."""
LOG_NEWER: Final = "LOG_NEWER"
"""The reason of a process that cannot read what a process of a later release wrote."""
ELSEWHERE: Final = frozenset({CLOCK_SKEWED, LOG_NEWER})
"""The reasons for which a process fails where another one may not. For peers it is as good as away."""


@runtime_checkable
class Rejection(Protocol):
    """An expected refusal, as the deciders of all services return it."""

    @property
    def name(self) -> str:
        """Return the stable UPPER_SNAKE name."""

    @property
    def category(self) -> str:
        """Return a key of `CATEGORIES`."""

    @property
    def detail(self) -> str:
        """Return a sentence for people; may be empty."""


class KitError(Exception):
    """An error with a place in the table; subclasses say which."""

    category: str = "internal"
    reason: str = "INTERNAL"
    metadata: Mapping[str, str] = MappingProxyType({})
    violations: Sequence[tuple[str, str]] = ()

    def __init__(
        self,
        message: str = "",
        *,
        reason: str | None = None,
        metadata: Mapping[str, str] | None = None,
        violations: Iterable[tuple[str, str]] = (),
    ) -> None:
        super().__init__(message or self.reason)
        self.metadata = dict(metadata or {})
        self.violations = list(violations)
        if reason is not None:
            self.reason = reason


class RefusedError(KitError):
    """Carries a rejection out of a servicer: `raise RefusedError(rejection)`."""

    def __init__(self, rejection: Rejection, metadata: Mapping[str, str] | None = None) -> None:
        super().__init__(rejection.detail or rejection.name, reason=rejection.name, metadata=metadata)
        self.category = rejection.category


class InvalidArgumentError(KitError):
    """One or more fields of the request are wrong; names each by its path."""

    category = "invalid"
    reason = "INVALID_ARGUMENT"

    def __init__(self, field: str, description: str, more: Iterable[tuple[str, str]] = ()) -> None:
        violations = [(field, description), *more]
        super().__init__("; ".join(f"{path}: {text}" for path, text in violations), violations=violations)


class UnauthenticatedError(KitError):
    """The caller did not show who it is, or what it showed does not hold."""

    category = "unauthenticated"
    reason = "TOKEN_MISSING"


class ForbiddenError(KitError):
    """The caller is known and may not do this."""

    category = "forbidden"
    reason = "FORBIDDEN"


class NotFoundError(KitError):
    """What the request names does not exist."""

    category = "not_found"
    reason = "NOT_FOUND"


class UnavailableError(KitError):
    """Not now; the same request may be sent again."""

    category = "unavailable"
    reason = "UNAVAILABLE"


class ExhaustedError(KitError):
    """A bound is reached; try again later."""

    category = "exhausted"
    reason = "RESOURCE_EXHAUSTED"


class UnsupportedError(KitError):
    """Nothing is wrong with the request, but this build cannot do it."""

    category = "unsupported"
    reason = "UNIMPLEMENTED"
