"""What `legal_actions` answers with: plain values that become messages at the border one to one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from magnate.rules.vocabulary import Card

_SHOWN: Final = (
    "amount_max", "amount_min", "amount_step", "answers", "auction", "borrowers", "card_worth", "cards",
    "faces_max", "free_lots", "imbalance_percent_max", "kind", "lots", "offers", "options", "question",
    "seats", "visits_max",
)  # fmt: skip


class LegalLot:
    """A lot a command may name, the levels it may ask for, and the money one level, or the lot, comes to."""

    __slots__ = ("amount", "level_alone", "level_max", "level_min", "lot", "worth")

    def __init__(
        self, lot: int, level_min: int, level_max: int, amount: int, level_alone: int = -1, worth: int = 0
    ) -> None:
        self.lot = lot
        self.level_min = level_min
        self.level_max = level_max
        self.amount = amount
        self.level_alone = level_alone
        self.worth = worth

    def __repr__(self) -> str:
        levels = f"{self.level_min}..{self.level_max}, alone {self.level_alone}"
        return f"LegalLot({self.lot}, {levels}, {self.amount})"


class LegalAction:
    """A kind of command, by the name of its field in `Command`, and what it may name; see `legal`."""

    __slots__ = (
        "amount_max", "amount_min", "amount_step", "answers", "auction", "borrowers", "card_worth", "cards",
        "faces_max", "free_lots", "imbalance_percent_max", "kind", "lots", "offers", "options", "question",
        "seats", "visits_max",
    )  # fmt: skip

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.amount_min: int = 0
        self.amount_max: int = 0
        self.amount_step: int = 0
        self.lots: list[LegalLot] = []
        self.cards: list[Card] = []
        self.seats: list[int] = []
        self.offers: list[int] = []
        self.options: int = 0
        self.question: int = 0
        self.answers: list[int] = []
        self.faces_max: int = 0
        self.imbalance_percent_max: int = 0
        self.card_worth: int = 0
        self.free_lots: list[int] = []
        self.visits_max: int = 0
        self.borrowers: list[int] = []
        self.auction: int = 0

    def __repr__(self) -> str:
        shown = [f"{name}={getattr(self, name)!r}" for name in _SHOWN if getattr(self, name)]
        return f"LegalAction({', '.join(shown)})"
