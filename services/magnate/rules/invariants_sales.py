"""What must hold for lots that are sold, or wait for it; part of `invariants`, between commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.decision import NOBODY
from magnate.rules.steps.running import running_auctions
from magnate.rules.vocabulary import TRANSFER_REASON_AUCTION

if TYPE_CHECKING:
    from magnate.rules.state import State


def check_sales(state: State, wrong: list[str]) -> None:
    """A lot that is sold is under the hammer, in the queue, or sold and not paid: one of these, and once."""
    extras = state.extras
    under = [state.auction_lot, *extras.more_lots]
    numbers = running_auctions(state)
    if numbers != sorted(set(numbers)) or (numbers and numbers[-1] > state.auction_count):
        wrong.append(f"auctions {numbers} run, the last one was {state.auction_count}")
    if len(extras.more_auctions) != len(extras.more_lots) or (extras.more_auctions and not state.auction):
        wrong.append(f"auctions {extras.more_auctions} of {extras.more_lots} run beside {state.auction}")
    lots = [lot for lot in under if lot >= 0] + state.estate + extras.reserved_lots
    for place, lot in enumerate(lots):
        if state.owner[lot] != NOBODY:
            wrong.append(f"lot {lot} is sold and has an owner")
        if lot in lots[:place]:
            wrong.append(f"lot {lot} is sold twice: {under}, {state.estate}, {extras.reserved_lots}")
        if extras.frozen >> lot & 1:
            wrong.append(f"lot {lot} is frozen and sold")
    for place, lot in enumerate(extras.reserved_lots):
        seat = extras.reserved_for[place]
        owes = [debt for debt in state.debts if debt.debtor == seat and debt.lot == lot]
        if state.out[seat] or not any(debt.reason == TRANSFER_REASON_AUCTION for debt in owes):
            wrong.append(f"lot {lot} waits for seat {seat}, which owes nothing for it")
