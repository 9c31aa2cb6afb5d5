"""Who pays whom at a table: the instructions of an auction, as the ledger of a table is asked for them.

At a ledger of clients an id is used once for ever, and clients choose ids, too. So what auctions ask for has
ids with a prefix that clients may not use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction.tables.state import BANK, seat_account
from magnate.peers.bank import Capture, Pay, Place, Release, Reveal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from magnate.auction.tables.state import Table
    from magnate.peers.bank import Instruction

PREFIX: Final = "auction:"


def hold_at_table(hold_id: str) -> str:
    """Return the id under which the ledger of a table knows a hold."""
    return PREFIX + hold_id


def at_table(
    asks: Sequence[Instruction], table: Table, payee_of: Callable[[str], str], version: int
) -> list[Instruction]:
    """Return the same for a table: the price goes to the payee, or to the bank if his account is closed.

    `payee_of` says who gets what a hold is captured for. What the bank would give back to a closed account
    stays where it is: its owner has left, and what he had has gone to the bank.
    """
    closed = {seat_account(seat) for seat in table.closed_seats}
    found: list[Instruction] = []
    for place, ask in enumerate(asks):
        transfer_id = f"{PREFIX}{version}.{place}"
        if isinstance(ask, Place):
            held = Place(hold_at_table(ask.hold_id), ask.account, ask.amount, concealed=ask.concealed)
            found.append(held)
        elif isinstance(ask, Release):
            found.append(Release(hold_at_table(ask.hold_id)))
        elif isinstance(ask, Reveal):
            found.append(Reveal(hold_at_table(ask.hold_id)))
        elif isinstance(ask, Capture):
            payee = _open(payee_of(ask.hold_id), closed)
            found.append(Capture(hold_at_table(ask.hold_id), payee, ask.amount, ask.reason, transfer_id))
        elif isinstance(ask, Pay) and (ask.debit != BANK or ask.credit not in closed):
            payee = _open(ask.credit, closed)
            found.append(Pay(ask.debit, payee, ask.amount, ask.reason, transfer_id))
    return found


def without_ids(asks: Sequence[Instruction]) -> list[Instruction]:
    """Return the same without ids of transfers: it cannot be taken back, and the ledger has room for it."""
    found: list[Instruction] = []
    for ask in asks:
        if isinstance(ask, Capture):
            found.append(Capture(ask.hold_id, ask.credit, ask.amount, ask.reason))
        elif isinstance(ask, Pay):
            found.append(Pay(ask.debit, ask.credit, ask.amount, ask.reason))
        else:
            found.append(ask)
    return found


def _open(payee: str, closed: set[str]) -> str:
    return BANK if payee in closed else payee
