"""Starts the rules of a table: as the rule set says, or from a position that was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.peers.accounts import ACCOUNT_NAMES
from magnate.peers.bank import Currency, Open
from magnate.rules import rejections as names
from magnate.rules.chance import Chance, ChanceExhausted
from magnate.rules.decision import BANK
from magnate.rules.draft import Draft
from magnate.rules.offers import OFFERS_OPEN_MAX, open_offers_of
from magnate.rules.position import begin_at
from magnate.rules.rejections import Rejection
from magnate.rules.state import State
from magnate.rules.steps.pots import in_play
from magnate.rules.steps.start import begin
from magnate.rules.terms import refuse_partner, refuse_terms

if TYPE_CHECKING:
    from magnate.game.domain.sandbox import Beginning
    from magnate.game.domain.table import TableState
    from magnate.game.state import GameState
    from magnate.rules.decision import Decision
    from magnate.rules.vocabulary import OfferMade


def ledger_of(opened: TableState) -> list[Currency | Open]:
    """Return how a table's ledger is opened: its board's currency, the bank, the seats, the table's pots.

    Row 88: where balances are not public the bank shows those of the seats to each its own only.
    """
    assert opened.board is not None
    assert opened.ruleset is not None
    seats = range(len(opened.names))
    private = not opened.ruleset.table_balances_public
    board = opened.board
    accounts = [
        Open(ACCOUNT_NAMES[one], private=private and one in seats)
        for one in (BANK, *seats, *in_play(board, opened.ruleset))
    ]
    return [Currency(board.currency_unit, board.currency_scale), *accounts]


def start_rules(state: GameState, chance: Chance, decision: Decision) -> Rejection | None:
    """Give the table its rules state and begin, in place. A refusal leaves nothing started."""
    table = state.table
    assert table.board is not None
    assert table.ruleset is not None
    rules = State(table.board, table.ruleset, len(table.names))
    draft = Draft(rules, chance, decision)
    try:
        beginning = table.beginning()
        if beginning is None:
            begin(draft)
        else:
            refused = _begin_at(draft, beginning)
            if refused is not None:
                return refused
    except ChanceExhausted as error:
        return Rejection(names.SANDBOX_EXHAUSTED, str(error))
    state.rules = rules
    return None


def _begin_at(draft: Draft, beginning: Beginning) -> Rejection | None:
    refused = begin_at(draft, beginning.position, beginning.cash)
    if refused is not None:
        return refused
    for number, offer in enumerate(beginning.offers, start=1):
        wrong = _offer_fault(draft.state, number, offer)
        if wrong:
            return Rejection(names.INVALID_POSITION, f"offers[{number - 1}]: {wrong}")
        draft.emit(offer)
    return None


def _offer_fault(state: State, number: int, offer: OfferMade) -> str:
    """What is wrong with an offer that stands open in a position, or an empty text."""
    if offer.offer != number or not 0 <= offer.counter_to < number:
        return f"offers are numbered from 1 in their order; number {offer.offer}, to {offer.counter_to}"
    if not 0 <= offer.from_seat < state.seats or state.out[offer.from_seat]:
        return f"{offer.from_seat} is no seat in the game"
    return (
        refuse_partner(state, offer.from_seat, offer.to_seat)
        or ("" if open_offers_of(state, offer.from_seat) < OFFERS_OPEN_MAX else names.OFFER_LIMIT_REACHED)
        or refuse_terms(state, offer.from_seat, offer.to_seat, offer.terms)
    )
