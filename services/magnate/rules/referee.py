"""Watches a game in memory: after every command it checks all that must always hold, and counts.

Money is added up here once more, from the transfers alone, as the ledger would do it. A thorough referee also
folds every event on a second state, checks after each of them, and compares the two states turn by turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import plain, purse
from magnate.rules.decision import BANK
from magnate.rules.evolve import evolve
from magnate.rules.invariants import check_between, check_cards, check_deeds, check_things, check_waiting
from magnate.rules.last_seen import LastSeen
from magnate.rules.state import State
from magnate.rules.vocabulary import PHASE_OVER

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.tally import Tally


class IllegalStateError(Exception):
    """Something does not hold that always must; the message says what, sentence by sentence."""


class Referee:
    """Keeps books of its own: `accounts[n]` is the balance of account n, as accounts are numbered.

    Seats count from the front; the bank is the last place, -1, and the pots come before it, -2, -3, -4.
    """

    __slots__ = ("accounts", "last_seen", "seats", "tally", "turn", "twin")

    def __init__(self, state: State, tally: Tally | None = None, thorough: bool = False) -> None:
        self.seats: int = state.seats
        self.accounts: list[int] = [0] * (state.seats + 1 + len(state.extras.pots))
        self.tally = tally
        self.turn: int = 0
        self.last_seen = LastSeen()
        self.twin: State | None = State(state.board, state.rules, state.seats) if thorough else None

    def after(self, draft: Draft) -> None:
        """Judge what a command came to; raises IllegalStateError."""
        twin = self.twin
        if twin is not None:
            self._follow(twin, draft)
        for transfer in draft.transfers:
            self.moved(transfer.payer, transfer.payee, transfer.amount)
        if self.tally is not None:
            self.tally.after(draft)
        self.judge(draft.state)
        if twin is not None and (draft.state.turn != self.turn or draft.state.phase == PHASE_OVER):
            self.turn = draft.state.turn
            if plain.digest(twin) != plain.digest(draft.state):
                raise IllegalStateError("folding the events does not give the state that was decided on")

    def moved(self, payer: int, payee: int, amount: int) -> None:
        """Write a payment into the books."""
        self.accounts[payer] -= amount
        self.accounts[payee] += amount

    def captured(self, seat: int, amount: int, released: int) -> None:
        """A hammer price was paid from a hold, the rest of which is given back: the auction's record."""
        if amount > 0:
            self.moved(seat, BANK, amount)
        if self.twin is not None:
            purse.hold_captured(self.twin, seat, BANK, amount, released)

    def paid(self, seat: int, amount: int) -> None:
        """A bid was paid at once (penny auction), or (less than 0) given back: the auction's record."""
        self.moved(seat, BANK, amount)
        if self.twin is None:
            return
        if amount > 0:
            purse.moved(self.twin, seat, BANK, amount)
        else:
            purse.moved(self.twin, BANK, seat, -amount)

    def held(self, seat: int, amount: int) -> None:
        """A bid was put on hold, or (less than 0) released."""
        if self.twin is not None:
            if amount > 0:
                purse.hold_placed(self.twin, seat, amount)
            else:
                purse.hold_released(self.twin, seat, -amount)

    def judge(self, state: State) -> None:
        """Check all that must hold between commands; raises IllegalStateError."""
        wrong: list[str] = []
        if not self.last_seen.same_deeds(state):
            wrong += check_deeds(state)
            self.last_seen.keep_deeds(state)
        if not self.last_seen.same_cards(state):
            wrong += check_cards(state)
            self.last_seen.keep_cards(state)
        wrong += check_between(state, self.accounts)
        wrong += check_waiting(state)
        total = 0
        for balance in self.accounts:
            total += balance
        if total:
            wrong.append(f"all accounts together are {total}")
        for place, pot in enumerate(state.extras.pots):
            if self.accounts[-2 - place] != pot:
                wrong.append(f"pot {-2 - place} holds {pot}, in the ledger {self.accounts[-2 - place]}")
        if wrong:
            raise IllegalStateError("; ".join(wrong))

    @staticmethod
    def _follow(twin: State, draft: Draft) -> None:
        """Fold what was decided, checking after each event."""
        for event in draft.events:
            evolve(twin, event)
            wrong = check_things(twin)
            if wrong:
                raise IllegalStateError(f"after {event!r}: " + "; ".join(wrong))
        for transfer in draft.transfers:
            purse.moved(twin, transfer.payer, transfer.payee, transfer.amount)
