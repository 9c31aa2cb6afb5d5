"""The refusals of tables: one name for each precondition."""

from __future__ import annotations

from typing import Final, final

UNKNOWN_TABLE: Final = "UNKNOWN_TABLE"
UNKNOWN_CARD: Final = "UNKNOWN_CARD"
UNKNOWN_EDITION: Final = "UNKNOWN_EDITION"
NOT_THE_BANKER: Final = "NOT_THE_BANKER"
NOT_YOUR_CARD: Final = "NOT_YOUR_CARD"
WRONG_SECRET: Final = "WRONG_SECRET"  # noqa: S105 - a name
PIN_REQUIRED: Final = "PIN_REQUIRED"
WRONG_PIN: Final = "WRONG_PIN"
NAME_TAKEN: Final = "NAME_TAKEN"
TOO_MANY_CARDS: Final = "TOO_MANY_CARDS"
TABLE_CLOSED: Final = "TABLE_CLOSED"
TABLE_PAUSED: Final = "TABLE_PAUSED"
TABLE_NOT_PAUSED: Final = "TABLE_NOT_PAUSED"
CARD_RETIRED: Final = "CARD_RETIRED"
CARD_LOCKED: Final = "CARD_LOCKED"
CARD_NOT_LOCKED: Final = "CARD_NOT_LOCKED"
ACCOUNT_OF_CARD: Final = "ACCOUNT_OF_CARD"
NO_UNIT: Final = "NO_UNIT"
NOTHING_TO_UNDO: Final = "NOTHING_TO_UNDO"
NOT_THE_LAST: Final = "NOT_THE_LAST"
ALREADY_ATTACHED: Final = "ALREADY_ATTACHED"
GAME_MOVES_MONEY: Final = "GAME_MOVES_MONEY"
AUCTIONS_RUN: Final = "AUCTIONS_RUN"

CATEGORIES: Final = {
    UNKNOWN_TABLE: "not_found",
    UNKNOWN_CARD: "not_found",
    UNKNOWN_EDITION: "not_found",
    NOT_THE_BANKER: "forbidden",
    NOT_YOUR_CARD: "forbidden",
    WRONG_SECRET: "forbidden",
    PIN_REQUIRED: "forbidden",
    WRONG_PIN: "forbidden",
    NAME_TAKEN: "exists",
    TOO_MANY_CARDS: "exhausted",
    TABLE_CLOSED: "precondition",
    TABLE_PAUSED: "precondition",
    TABLE_NOT_PAUSED: "precondition",
    CARD_RETIRED: "precondition",
    CARD_LOCKED: "precondition",
    CARD_NOT_LOCKED: "precondition",
    ACCOUNT_OF_CARD: "precondition",
    NO_UNIT: "precondition",
    NOTHING_TO_UNDO: "precondition",
    NOT_THE_LAST: "precondition",
    ALREADY_ATTACHED: "exists",
    GAME_MOVES_MONEY: "precondition",
    AUCTIONS_RUN: "precondition",
}
"""What the caller can do about each (see `kit.errors.Rejection`)."""


@final
class TableRejection:
    """A refusal as a value: `name` is one of the names above, `detail` a sentence about this very case."""

    __slots__ = ("category", "detail", "name")

    def __init__(self, name: str, detail: str) -> None:
        self.name = name
        self.category = CATEGORIES[name]
        self.detail = detail

    def __repr__(self) -> str:
        return f"TableRejection({self.name}: {self.detail})"
