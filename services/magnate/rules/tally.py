"""What came of many games played in memory: counted while they run, added up over processes afterwards.

Everything is whole numbers in plain lists, so that it can be sent to another process as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.vocabulary import RentCharged, TokenMoved

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.state import State

ROUNDS_COUNTED: Final = 200
"""Money in play is counted at the start of each round up to this one."""


class Tally:
    """Counts of one rule set on one board.

    games, commands, events     how many of each
    turns, rounds               of each game
    ends[reason]                games by END_REASON_…
    wins[seat], played[seat]    games won, and games that had such a seat
    visits[square]              tokens that stopped there
    rents[square], rent[square] how often rent was charged for the lot, and how much in all
    money[round]                money of all seats at the start of round 1, 2, …, in `counted[round]` games
    """

    __slots__ = (
        "_round", "commands", "counted", "ends", "events", "games", "money", "played", "rent", "rents",
        "rounds", "turns", "visits", "wins",
    )  # fmt: skip

    def __init__(self, squares: int, seats_max: int, reasons: int) -> None:
        self.games: int = 0
        self.commands: int = 0
        self.events: int = 0
        self.turns: list[int] = []
        self.rounds: list[int] = []
        self.ends: list[int] = [0] * reasons
        self.wins: list[int] = [0] * seats_max
        self.played: list[int] = [0] * seats_max
        self.visits: list[int] = [0] * squares
        self.rents: list[int] = [0] * squares
        self.rent: list[int] = [0] * squares
        self.money: list[int] = [0] * ROUNDS_COUNTED
        self.counted: list[int] = [0] * ROUNDS_COUNTED
        self._round: int = 0

    def after(self, draft: Draft) -> None:
        """Count what a command came to."""
        self.commands += 1
        self.events += len(draft.events)
        for event in draft.events:
            if isinstance(event, TokenMoved):
                self.visits[event.to_square] += 1
            elif isinstance(event, RentCharged):
                self.rents[event.lot] += 1
                self.rent[event.lot] += event.amount
        state = draft.state
        if state.round != self._round:
            self._round = state.round
            if 0 < state.round <= ROUNDS_COUNTED:
                self.money[state.round - 1] += sum(state.cash)
                self.counted[state.round - 1] += 1

    def over(self, state: State) -> None:
        """Count a game that has ended."""
        self._round = 0
        self.games += 1
        self.turns.append(state.turn)
        self.rounds.append(state.round)
        self.ends[state.end_reason] += 1
        self.wins[state.ranking[0]] += 1
        for seat in range(state.seats):
            self.played[seat] += 1

    def lost(self) -> None:
        """Begin anew with a game after one that failed."""
        self._round = 0

    def numbers(self) -> dict[str, list[int]]:
        """Everything by name."""
        return {
            "counts": [self.games, self.commands, self.events],
            "turns": self.turns,
            "rounds": self.rounds,
            "ends": self.ends,
            "wins": self.wins,
            "played": self.played,
            "visits": self.visits,
            "rents": self.rents,
            "rent": self.rent,
            "money": self.money,
            "counted": self.counted,
        }


def added(total: dict[str, list[int]], more: dict[str, list[int]]) -> dict[str, list[int]]:
    """The numbers of two tallies together: game by game joined, all else summed place by place."""
    if not total:
        return more
    joined: dict[str, list[int]] = {}
    for name, values in total.items():
        if name in ("turns", "rounds"):
            joined[name] = values + more[name]
        else:
            joined[name] = [one + other for one, other in zip(values, more[name], strict=True)]
    return joined
