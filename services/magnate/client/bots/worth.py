"""What a position is worth to a seat, estimated from the public view alone.

A lot is worth its price, more when it brings a group nearer to completion, most when it completes it; money
that others can ask in rent is kept in hand. The same estimate serves bidding, buying, offering and answering.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.v1 import setup_pb2

if TYPE_CHECKING:
    from collections.abc import Collection

    from magnate.game.v1 import game_pb2

STREET: Final = setup_pb2.SQUARE_KIND_STREET
COMPLETES_PERCENT: Final = 300
NEARER_PERCENT: Final = 25
DENIES_PERCENT: Final = 80
RESERVE_START_PERCENT: Final = 8
RESERVE_RENT_PERCENT: Final = 60
RESERVE_MAX_START_PERCENT: Final = 60
CARD_START_PERCENT: Final = 3


class Worth:
    """One look at the board, for one or several questions."""

    def __init__(self, view: game_pb2.GameView) -> None:
        self.view = view
        self.squares = view.board.squares
        self.groups = view.board.groups
        self.lots = {shown.lot: shown for shown in view.lots}
        self.members: dict[int, list[int]] = {}
        for lot in self.lots:
            self.members.setdefault(self.squares[lot].group, []).append(lot)
        self.start_money = max(1, view.board.start_money)

    def cash(self, seat: int) -> int:
        """Return what a seat can spend."""
        shown = self.view.seats[seat]
        return shown.cash - shown.held

    def owner(self, lot: int) -> int:
        """Return the owner of a lot, -1 for the bank."""
        return self.lots[lot].owner

    def group_of(self, lot: int) -> list[int]:
        """Return the lots of a lot's group."""
        return self.members[self.squares[lot].group]

    def is_street(self, lot: int) -> bool:
        """Say whether a lot can be built on."""
        return self.squares[lot].kind == STREET

    def has_group(self, seat: int, lot: int) -> bool:
        """Say whether a seat owns the whole group of a lot."""
        return all(self.owner(one) == seat for one in self.group_of(lot))

    def built(self, lot: int) -> bool:
        """Say whether anything stands in a lot's group."""
        return any(self.lots[one].level for one in self.group_of(lot))

    def rent(self, lot: int) -> int:
        """Return about what a visit costs now."""
        shown, square = self.lots[lot], self.squares[lot]
        if shown.owner < 0 or shown.mortgaged:
            return 0
        if shown.rent_level:
            return square.rents[shown.rent_level - 1]
        if square.kind == STREET:
            double = 2 if shown.level == 0 and self.has_group(shown.owner, lot) else 1
            return square.rents[shown.level] * double
        count = sum(self.owner(one) == shown.owner for one in self.group_of(lot))
        rent = square.rents[min(count, len(square.rents)) - 1]
        return rent * 7 if square.kind == setup_pb2.SQUARE_KIND_UTILITY else rent

    def reserve(self, seat: int) -> int:
        """Return the cash a careful player keeps: part of the highest rent that can be asked of him."""
        highest = max((self.rent(lot) for lot in self.lots if self.owner(lot) != seat), default=0)
        least = self.start_money * RESERVE_START_PERCENT // 100
        most = self.start_money * RESERVE_MAX_START_PERCENT // 100
        return min(most, max(least, highest * RESERVE_RENT_PERCENT // 100))

    def lot(self, seat: int, lot: int, also: Collection[int] = (), without: Collection[int] = ()) -> int:
        """Return what a lot is worth to a seat that has the lots `also` too, and `without` no longer."""
        square = self.squares[lot]
        group = self.group_of(lot)
        mine = {one for one in group if self.owner(one) == seat}
        mine = (mine | set(also).intersection(group)) - set(without) | {lot}
        percent = 100 + NEARER_PERCENT * (len(mine) - 1)
        if len(mine) == len(group) and square.kind == STREET:
            percent = COMPLETES_PERCENT
        elif self._denies(seat, group, lot):
            percent += DENIES_PERCENT
        value = square.price * percent // 100
        return value - square.mortgage if self.lots[lot].mortgaged else value

    def side(self, seat: int, gets: Collection[int], gives: Collection[int], cash: int, cards: int) -> int:
        """Return what a seat gains by a deal: lots it gets and gives, cash and cards on balance."""
        gain = cash + cards * self.start_money * CARD_START_PERCENT // 100
        gain += sum(self.lot(seat, lot, also=gets, without=gives) for lot in gets)
        return gain - sum(self.lot(seat, lot, without=[one for one in gives if one > lot]) for lot in gives)

    def completes(self, seat: int, gets: Collection[int]) -> bool:
        """Say whether a seat has a whole street group by getting these lots."""
        return any(
            self.is_street(lot) and all(one in gets or self.owner(one) == seat for one in self.group_of(lot))
            for lot in gets
        )

    def _denies(self, seat: int, group: list[int], lot: int) -> bool:
        """Say whether somebody else has all the rest of the group."""
        others = {self.owner(one) for one in group if one != lot}
        return len(others) == 1 and not others & {-1, seat}
