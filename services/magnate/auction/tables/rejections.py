"""The refusals of auctions at tables: one name for each precondition."""

from __future__ import annotations

from typing import Final, final

NOT_A_CARD: Final = "NOT_A_CARD"
NOT_THE_BANKER: Final = "NOT_THE_BANKER"
NOT_THE_SELLER: Final = "NOT_THE_SELLER"
GAME_MOVES_MONEY: Final = "GAME_MOVES_MONEY"
TABLE_CLOSED: Final = "TABLE_CLOSED"
TABLE_PAUSED: Final = "TABLE_PAUSED"
CARD_RETIRED: Final = "CARD_RETIRED"
CARD_LOCKED: Final = "CARD_LOCKED"
UNKNOWN_ACCOUNT: Final = "UNKNOWN_ACCOUNT"
ACCOUNT_CLOSED: Final = "ACCOUNT_CLOSED"
UNKNOWN_BIDDER: Final = "UNKNOWN_BIDDER"
NOT_ENOUGH_BIDDERS: Final = "NOT_ENOUGH_BIDDERS"
TOO_MANY_AUCTIONS: Final = "TOO_MANY_AUCTIONS"

CATEGORIES: Final = {
    NOT_A_CARD: "forbidden",
    NOT_THE_BANKER: "forbidden",
    NOT_THE_SELLER: "forbidden",
    GAME_MOVES_MONEY: "precondition",
    TABLE_CLOSED: "precondition",
    TABLE_PAUSED: "precondition",
    CARD_RETIRED: "precondition",
    CARD_LOCKED: "precondition",
    UNKNOWN_ACCOUNT: "not_found",
    ACCOUNT_CLOSED: "precondition",
    UNKNOWN_BIDDER: "not_found",
    NOT_ENOUGH_BIDDERS: "precondition",
    TOO_MANY_AUCTIONS: "exhausted",
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
