"""Applying ledger records to a game: the only place where `cash` and `held` change.

The same four functions fold a log, move a draft and run a simulation, so the balances cannot differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.decision import BANK

if TYPE_CHECKING:
    from magnate.rules.state import State


def moved(state: State, payer: int, payee: int, amount: int) -> None:
    """Money went from account to account; the bank's own is not kept here."""
    assert amount > 0
    cash = state.cash
    if payer >= 0:
        left = cash[payer] - amount
        assert left >= 0
        cash[payer] = left
    elif payer < BANK:
        state.extras.pots[-2 - payer] -= amount
        assert state.extras.pots[-2 - payer] >= 0
    if payee >= 0:
        cash[payee] = cash[payee] + amount  # not `+=`: compiled, that works on objects
    elif payee < BANK:
        state.extras.pots[-2 - payee] += amount


def hold_placed(state: State, seat: int, amount: int) -> None:
    """A part of the seat's balance was put on hold."""
    assert amount > 0
    held = state.held[seat] + amount
    assert held <= state.cash[seat]
    state.held[seat] = held


def hold_released(state: State, seat: int, amount: int) -> None:
    """A hold, or what was left of it, ended without payment."""
    held = state.held[seat] - amount
    assert held >= 0
    state.held[seat] = held


def hold_captured(state: State, seat: int, to: int, captured: int, released: int) -> None:
    """A hold became a payment of `captured` to account `to`; the rest of it was released."""
    hold_released(state, seat, captured + released)
    if captured > 0:
        moved(state, seat, to, captured)
