"""What each seat can spend after a commit that is being made: case C025 looks at all auctions at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from magnate.auction.tables.fold import seat_of
from magnate.auction.tables.money import hold_at_table
from magnate.peers.bank import Capture, Pay, Place, Release

if TYPE_CHECKING:
    from collections.abc import Iterable

    from magnate.auction.domain.auctions import State
    from magnate.peers.bank import Instruction


@final
class Money:
    """By seat what it may spend at a moment, and what is on hold then for bids in these auctions."""

    __slots__ = ("_available", "_holds")

    def __init__(self, auctions: State, available: list[int], *, at_table: bool) -> None:
        self._available = available
        self._holds = _holds(auctions, at_table=at_table)

    def after(self, instructions: Iterable[Instruction]) -> list[int]:
        """Return by seat what it may spend once the bank has done all this."""
        left, holds = list(self._available), dict(self._holds)
        for one in instructions:
            if isinstance(one, Place):
                holds[one.hold_id] = (seat_of(one.account), one.amount)
                _add(left, one.account, -one.amount)
            elif isinstance(one, Release):
                seat, amount = holds.pop(one.hold_id)
                left[seat] += amount
            elif isinstance(one, Capture):
                seat, amount = holds.pop(one.hold_id)
                left[seat] += amount - one.amount
                _add(left, one.credit, one.amount)
            elif isinstance(one, Pay):
                _add(left, one.debit, -one.amount)
                _add(left, one.credit, one.amount)
        return left


def _holds(auctions: State, *, at_table: bool) -> dict[str, tuple[int, int]]:
    """Return seat and amount of all that is on hold for bids, by the ids under which the bank knows it."""
    found: dict[str, tuple[int, int]] = {}
    for auction in auctions.running.values():
        found[auction.hold_id] = (auction.leader, auction.held)
        for bid in auction.sealed.values():
            found[bid.hold_id] = (bid.seat, bid.amount if bid.held is None else bid.held)
    return {hold_at_table(key): held for key, held in found.items()} if at_table else found


def _add(left: list[int], account: str, amount: int) -> None:
    seat = seat_of(account)
    if 0 <= seat < len(left):
        left[seat] += amount
