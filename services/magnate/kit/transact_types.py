"""What goes into a transaction on one game and what comes out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar, final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from magnate.kit.log.commit import ParsedCommit, Section
    from magnate.kit.log.fold import Loaded

S = TypeVar("S")
R = TypeVar("R")


@final
class KitRejection:
    """A refusal that any command may get, whatever the game: a bound, or the rules about command ids."""

    __slots__ = ("category", "detail", "name")

    def __init__(self, name: str, category: str, detail: str) -> None:
        self.name = name
        self.category = category
        self.detail = detail

    def __repr__(self) -> str:
        return f"KitRejection({self.name})"


KIT_CATEGORIES: Final = {
    "GAME_QUEUE_FULL": "exhausted",
    "COMMAND_ID_REUSED": "exists",
    "COMMAND_TOO_OLD": "conflict",
    "SEEN_VERSION_AHEAD": "out_of_range",
    "STALE_VERSION": "conflict",
}


def kit_rejection(name: str, detail: str) -> KitRejection:
    """Return one of the refusals above, also of one that came from another service."""
    return KitRejection(name, KIT_CATEGORIES[name], detail)


def queue_full(waiting: int) -> KitRejection:
    """Return the refusal of a command that found the game's queue full."""
    return kit_rejection("GAME_QUEUE_FULL", f"{waiting} commands already wait for this game")


def command_id_reused(version: int) -> KitRejection:
    """Return the refusal of a command whose id was used for another request."""
    detail = f"this command_id was used by another request, which made version {version}"
    return kit_rejection("COMMAND_ID_REUSED", detail)


def command_too_old(seen_version: int) -> KitRejection:
    """Return the refusal of a command that may or may not have been done before the window begins."""
    detail = (
        f"commits after seen_version {seen_version} are no longer remembered; read the game and decide anew"
    )
    return kit_rejection("COMMAND_TOO_OLD", detail)


def seen_version_ahead(seen_version: int, version: int) -> KitRejection:
    """Return the refusal of a command that claims to have seen what is not in the log."""
    detail = f"seen_version is {seen_version}, but the newest version is {version}"
    return kit_rejection("SEEN_VERSION_AHEAD", detail)


def refuse_seen_version(seen_version: int, loaded: Loaded[S]) -> KitRejection | None:
    """Refuse a command that claims to have seen what this game has not, or too little to be judged by it."""
    if seen_version > loaded.version:
        return seen_version_ahead(seen_version, loaded.version)
    if not loaded.window.reaches_back_to(seen_version):
        return command_too_old(seen_version)
    return None


def stale_version(expected_version: int, version: int) -> KitRejection:
    """Return the refusal of a command that was meant for another version than the newest."""
    detail = f"the command was meant for version {expected_version}, and the newest is {version}; look again"
    return kit_rejection("STALE_VERSION", detail)


@final
class Committed:
    """Somebody else appended the proposal: its stored bytes and where they are.

    `replayed`: the command had been stored before this was asked, so it may be another proposal's bytes.
    """

    __slots__ = ("data", "replayed", "sequence")

    def __init__(self, data: bytes, sequence: int, *, replayed: bool = False) -> None:
        self.data = data
        self.sequence = sequence
        self.replayed = replayed


@final
class CommitRefused(Generic[R]):
    """Somebody else refused to append, judging from the head of this version."""

    __slots__ = ("rejection", "version")

    def __init__(self, rejection: R, version: int) -> None:
        self.rejection = rejection
        self.version = version


@final
class CommitMoved:
    """Somebody else found that the game has moved on; nothing was appended."""

    __slots__ = ()


async def moved(_loaded: Loaded[S]) -> CommitMoved:
    """Append nothing: whoever made this proposal was told by a peer that the game has moved on."""
    return CommitMoved()


@final
class CommitUnknown:
    """Nobody answered; the same proposal is sent again until the answer is certain."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


CommitOutcome: TypeAlias = "Committed | CommitRefused[R] | CommitMoved | CommitUnknown"


@final
class Proposal(Generic[S, R]):
    """What a command shall append.

    `draft` is the state with the proposal already folded in; given, the stored bytes are not folded again.
    `commit` appends in the transactor's place (money moves: the bank appends); given, `sections` are only its
    business.
    """

    __slots__ = ("commit", "draft", "secret_sections", "sections")

    def __init__(
        self,
        sections: Sequence[Section] = (),
        *,
        secret_sections: Sequence[Section] = (),
        draft: S | None = None,
        commit: Callable[[Loaded[S]], Awaitable[CommitOutcome[R]]] | None = None,
    ) -> None:
        self.sections = sections
        self.secret_sections = secret_sections
        self.draft = draft
        self.commit = commit


@final
class Certain(Generic[R]):
    """An answer without a commit that holds whatever else is in the log: nobody looks for newer commits."""

    __slots__ = ("answer",)

    def __init__(self, answer: R) -> None:
        self.answer = answer


@final
class Done(Generic[S]):
    """The command's effect is stored.

    `replayed`: it was stored before this call, and `commit` is what was stored then. `loaded` is the game at
    the newest version this instance knows: the commit's own one, or a later.
    """

    __slots__ = ("commit", "loaded", "replayed")

    def __init__(self, commit: ParsedCommit, loaded: Loaded[S], *, replayed: bool) -> None:
        self.commit = commit
        self.loaded = loaded
        self.replayed = replayed


@final
class Refused(Generic[S, R]):
    """Nothing was stored. `loaded` is the newest state, which was judged; None if none was needed."""

    __slots__ = ("loaded", "rejection")

    def __init__(self, rejection: R | KitRejection, loaded: Loaded[S] | None) -> None:
        self.rejection = rejection
        self.loaded = loaded


Outcome: TypeAlias = "Done[S] | Refused[S, R]"


@final
class TransactStats:
    """Counts for a service's metrics; they only go up."""

    __slots__ = ("cold_loads", "conflicts", "newest_checks", "replays", "resends", "snapshots")

    def __init__(self) -> None:
        self.cold_loads = 0
        self.conflicts = 0
        self.newest_checks = 0
        self.replays = 0
        self.resends = 0
        self.snapshots = 0
