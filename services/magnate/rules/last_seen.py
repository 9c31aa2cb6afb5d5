"""Remembers a game in which nothing was wrong, so that what has not changed is not checked again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from magnate.rules.state import State


class LastSeen:
    """All that `check_deeds` and `check_cards` read: as long as it is the same, so is what they say.

    Comparing lists costs a fraction of walking them, and most commands touch neither deeds nor cards.
    """

    __slots__ = ("_cards", "_counts", "_deeds", "_numbers", "_seats", "_seen", "_unseen")

    def __init__(self) -> None:
        self._deeds: list[list[int]] = []
        self._counts: list[list[int]] = []
        self._seats: list[list[int]] = []
        self._numbers: list[int] = []
        self._cards: list[list[int]] = []
        self._unseen: list[list[int]] = []
        self._seen: list[list[int]] = []

    def keep_deeds(self, state: State) -> None:
        """Remember deeds and buildings as they are."""
        extras = state.extras
        self._deeds = [
            state.owner.copy(), state.level.copy(), state.mortgaged.copy(), extras.rent_level.copy(),
            extras.last_round.copy(),
        ]  # fmt: skip
        self._counts = [
            state.group_count.copy(), state.group_buildings.copy(), state.group_mortgaged.copy(),
        ]  # fmt: skip
        self._seats = [state.owned.copy(), state.built.copy(), state.full.copy(), state.out.copy()]
        self._numbers = numbers_of(state)

    def keep_cards(self, state: State) -> None:
        """Remember the cards as they are."""
        self._cards = [hand.copy() for hand in state.cards]
        self._unseen = [deck.copy() for deck in state.unseen]
        self._seen = [deck.copy() for deck in state.seen]

    def same_deeds(self, state: State) -> bool:
        """Whether no deed and no building has changed; False if nothing is remembered."""
        deeds = self._deeds
        if not deeds:
            return False
        extras = state.extras
        counts = self._counts
        seats = self._seats
        return (
            state.owner == deeds[0]
            and state.level == deeds[1]
            and state.mortgaged == deeds[2]
            and state.group_count == counts[0]
            and state.group_buildings == counts[1]
            and state.group_mortgaged == counts[2]
            and state.owned == seats[0]
            and state.built == seats[1]
            and state.full == seats[2]
            and state.out == seats[3]
            and extras.rent_level == deeds[3]
            and extras.last_round == deeds[4]
            and numbers_of(state) == self._numbers
        )

    def same_cards(self, state: State) -> bool:
        """Whether no card has changed its place; False if nothing is remembered."""
        return (
            len(self._unseen) > 0
            and state.unseen == self._unseen
            and state.seen == self._seen
            and state.cards == self._cards
        )


def numbers_of(state: State) -> list[int]:
    """The single numbers among what is remembered of deeds."""
    return [
        state.built_mask,
        state.mortgaged_mask,
        state.houses_left,
        state.hotels_left,
        state.hotel_level,
        state.seats,
    ]
