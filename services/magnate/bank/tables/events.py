"""What happens at a table, as it is stored: outcomes, so that folding them decides nothing. Read only."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, final

if TYPE_CHECKING:
    from magnate.bank.terminal.unit import Unit


@final
class Rank:
    """A player's place, from 1; equal totals share one."""

    __slots__ = ("place", "seat", "total")

    def __init__(self, place: int, seat: int, total: int) -> None:
        self.place = place
        self.seat = seat
        self.total = total


@final
class TableOpened:
    """The table was opened, by an edition or with own amounts."""

    __slots__ = (
        "edition", "go_amount", "in_game", "model", "opening_amount", "scale", "shared_unit", "unit_name",
    )  # fmt: skip

    def __init__(
        self,
        edition: str,
        unit_name: str,
        scale: int,
        opening_amount: int,
        go_amount: int,
        model: int,
        *,
        shared_unit: bool,
        in_game: bool = False,
    ) -> None:
        self.edition = edition
        self.unit_name = unit_name
        self.scale = scale
        self.opening_amount = opening_amount
        self.go_amount = go_amount
        self.model = model
        self.shared_unit = shared_unit
        self.in_game = in_game


@final
class CardIssued:
    """A card for one more seat; `secret_digest` was made with the key `key_id`."""

    __slots__ = ("card_id", "key_id", "name", "seat", "secret_digest")

    def __init__(self, card_id: str, seat: int, name: str, secret_digest: bytes, key_id: str) -> None:
        self.card_id = card_id
        self.seat = seat
        self.name = name
        self.secret_digest = secret_digest
        self.key_id = key_id


@final
class CardClaimed:
    """A device has the card."""

    __slots__ = ("card_id",)

    def __init__(self, card_id: str) -> None:
        self.card_id = card_id


@final
class CardRetired:
    """The card is out of use for good."""

    __slots__ = ("card_id",)

    def __init__(self, card_id: str) -> None:
        self.card_id = card_id


@final
class PinSet:
    """The card has this PIN now; none if `hash` is empty."""

    __slots__ = ("card_id", "hash", "key_id")

    def __init__(self, card_id: str, pin_hash: str, key_id: str) -> None:
        self.card_id = card_id
        self.hash = pin_hash
        self.key_id = key_id


@final
class PinFailed:
    """A wrong PIN was given, so many in a row by now."""

    __slots__ = ("card_id", "failures", "locked")

    def __init__(self, card_id: str, failures: int, *, locked: bool) -> None:
        self.card_id = card_id
        self.failures = failures
        self.locked = locked


@final
class PinPassed:
    """The right PIN was given after wrong ones."""

    __slots__ = ("card_id",)

    def __init__(self, card_id: str) -> None:
        self.card_id = card_id


@final
class CardUnlocked:
    """The card may be used again and has no PIN."""

    __slots__ = ("card_id",)

    def __init__(self, card_id: str) -> None:
        self.card_id = card_id


@final
class UnitChanged:
    """The unit is in this state; what it sounded; what it refused and why, empty if nothing."""

    __slots__ = ("detail", "refusal", "sounds", "unit")

    def __init__(self, unit: Unit, sounds: list[str], refusal: str = "", detail: str = "") -> None:
        self.unit = unit
        self.sounds = sounds
        self.refusal = refusal
        self.detail = detail


@final
class OperationUndone:
    """This commit takes back the operation of an earlier version."""

    __slots__ = ("note", "version")

    def __init__(self, version: int, note: str) -> None:
        self.version = version
        self.note = note


@final
class TablePaused:
    """Nothing goes on until the table is resumed."""

    __slots__ = ()


@final
class TableResumed:
    """The table goes on."""

    __slots__ = ()


@final
class TableClosed:
    """The table has ended; its players, richest first."""

    __slots__ = ("ranking",)

    def __init__(self, ranking: list[Rank]) -> None:
        self.ranking = ranking


Event: TypeAlias = (
    TableOpened
    | CardIssued
    | CardClaimed
    | CardRetired
    | PinSet
    | PinFailed
    | PinPassed
    | CardUnlocked
    | UnitChanged
    | OperationUndone
    | TablePaused
    | TableResumed
    | TableClosed
)
"""Anything that can happen at a table."""
