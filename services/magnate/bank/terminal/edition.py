"""Editions: what a table's money is, what its cards begin with, and which unit lies in its box."""

from typing import Final

UNITS: Final = 1
"""Scale of an edition that counts in the units of its currency."""
THOUSANDS: Final = 1000
"""Scale of an edition whose ledger counts in thousands of its currency."""
SCALES: Final = (UNITS, THOUSANDS)

TWO_SLOT: Final = "two-slot"
ONE_SLOT: Final = "one-slot"
TOUCH: Final = "touch"

AMOUNT_SETTING_MAX: Final = 99_999_000
"""The largest opening or GO amount, in ledger units: what five digits of millions show."""


class Edition:
    """The money of a table; read only. Amounts are in ledger units of `scale` units of the currency each."""

    __slots__ = ("currency", "edition_id", "go_amount", "model", "opening_amount", "scale")

    def __init__(
        self, edition_id: str, currency: str, scale: int, opening_amount: int, go_amount: int, model: str
    ) -> None:
        self.edition_id = edition_id
        self.currency = currency
        self.scale = scale
        self.opening_amount = opening_amount
        self.go_amount = go_amount
        self.model = model

    def factor(self, denomination: str) -> int:
        """Return by how much a key multiplies what was typed, 0 when it multiplies nothing here."""
        if self.scale == UNITS:
            return 0
        return {"K": 1_000, "M": 1_000_000}.get(denomination, 0)


EDITIONS: Final = {
    "classic": Edition("classic", "$", UNITS, 1_500, 200, TWO_SLOT),
    "e-banking": Edition("e-banking", "$", THOUSANDS, 15_000, 2_000, TWO_SLOT),
    "roubles": Edition("roubles", "руб.", THOUSANDS, 1_500, 200, ONE_SLOT),
    "ultimate-banking": Edition("ultimate-banking", "M", UNITS, 1_500, 200, TOUCH),
}
"""The editions that a table may name (row 87); `own_edition` makes any other."""


def own_edition(currency: str, scale: int, opening_amount: int, go_amount: int, model: str) -> Edition:
    """Return an edition with amounts of one's own; ValueError names what is wrong with them."""
    if scale not in SCALES:
        raise ValueError(f"scale: {scale} is neither 1 nor 1000")
    for name, amount in (("opening_amount", opening_amount), ("go_amount", go_amount)):
        if not 0 <= amount <= AMOUNT_SETTING_MAX:
            raise ValueError(f"{name}: {amount} is not from 0 to {AMOUNT_SETTING_MAX}")
    return Edition("own", currency, scale, opening_amount, go_amount, model)
