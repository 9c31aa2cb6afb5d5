"""A game being decided on: a state that moves along with the events and transfers it collects.

Steps read `draft.state`, refuse before their first change, then emit and pay. What they emit is folded at
once by the very function that folds the log, so a decision and its replay cannot differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import purse
from magnate.rules.choices import PAYMENT_AUTOMATIC
from magnate.rules.decision import Transfer
from magnate.rules.evolve import EVOLVE
from magnate.rules.vocabulary import DebtIncurred, OpenDebt

if TYPE_CHECKING:
    from magnate.rules.chance import Chance
    from magnate.rules.decision import Decision
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Ask, Event


class Draft:
    """`state` is changed in place; the decision's lists collect what changed it."""

    __slots__ = ("asks", "chance", "elapsed_ms", "events", "quiet_ms", "state", "transfers")

    def __init__(self, state: State, chance: Chance, decision: Decision) -> None:
        self.state = state
        self.chance = chance
        self.events = decision.events
        self.transfers = decision.transfers
        self.asks = decision.asks
        self.elapsed_ms: int = 0  # game time, pauses not counted; where time rules hold
        self.quiet_ms: int = 0  # before this time brings nothing new; for `clock`

    def emit(self, event: Event) -> None:
        """Say that something happened, and fold it."""
        self.events.append(event)
        EVOLVE[type(event)](self.state, event)

    def pay(self, payer: int, payee: int, amount: int, reason: int) -> None:
        """Move money that is known to be there; 0 moves nothing."""
        if amount == 0:
            return
        assert payer != payee
        self.transfers.append(Transfer(payer, payee, amount, reason))
        purse.moved(self.state, payer, payee, amount)

    def charge(self, debtor: int, creditor: int, amount: int, reason: int, lot: int) -> bool:
        """Make a seat pay: at once if it can and owes nothing older, else as a debt. True if it was paid."""
        if amount == 0 or debtor == creditor:
            return True
        if self.pays_at_once(debtor, amount):
            self.pay(debtor, creditor, amount, reason)
            return True
        self.emit(DebtIncurred(OpenDebt(debtor, creditor, amount, reason, lot)))
        return False

    def pays_at_once(self, debtor: int, amount: int) -> bool:
        """Whether what the seat is charged now is paid now: not if it must be asked, or older debts wait."""
        state = self.state
        return (
            state.cash[debtor] - state.held[debtor] >= amount
            and state.rules.debt_payment == PAYMENT_AUTOMATIC
            and not (state.debts and state.in_debt(debtor))
        )

    def ask(self, ask: Ask) -> None:
        """Ask something of the auction."""
        self.asks.append(ask)

    def forget(self) -> None:
        """Empty the lists for the next command of a simulation."""
        self.events.clear()
        if self.transfers:
            self.transfers.clear()
        if self.asks:
            self.asks.clear()
