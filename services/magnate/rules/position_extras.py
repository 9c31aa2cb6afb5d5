"""What a sandbox position says of things that only some rule sets have; part of `position`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board import JACKPOT, LOCATION, STREET, TAX
from magnate.rules.decision import BANK, NOBODY
from magnate.rules.effects import (
    EFFECT_BUILD_DISCOUNT,
    EFFECT_JAIL_FREE,
    EFFECT_RENT_EXEMPTION,
)
from magnate.rules.steps.questions import asks
from magnate.rules.steps.squares import asked_amount
from magnate.rules.vocabulary import (
    PHASE_CHOICE,
    QUESTION_LOCATION,
    QUESTION_STAKE,
    QUESTION_TAX,
    MortgageTermSet,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.state import State
    from magnate.rules.vocabulary import PositionGiven

KEPT_CARDS: Final = (EFFECT_JAIL_FREE, EFFECT_RENT_EXEMPTION, EFFECT_BUILD_DISCOUNT)
"""Effects of cards that a seat keeps."""

_ASKED_BY: Final = {JACKPOT: QUESTION_STAKE, LOCATION: QUESTION_LOCATION, TAX: QUESTION_TAX}
_POTS: Final = 3
_TURNS_MAX: Final = 100
_VISITS_MAX: Final = 1_000_000
_ELAPSED_MS_MAX: Final = 1 << 40
_MONEY_MAX: Final = 1 << 53


def extras_fault(state: State, position: PositionGiven) -> str:
    """What is wrong with it, or an empty text."""
    return (
        _lists_fault(state, position)
        or _levels_fault(state, position)
        or _loans_fault(state, position)
        or _passes_fault(state, position)
        or _question_fault(state, position)
    )


def _lists_fault(state: State, position: PositionGiven) -> str:
    if len(position.pots) not in (0, _POTS):
        return f"pots: {len(position.pots)} values, there are three: parking, jackpot, charity fund"
    for pot in position.pots:
        if not 0 <= pot <= _MONEY_MAX:
            return f"pots: {pot} is no amount"
    for name, values in (("skip_turns", position.skip_turns), ("reverse", position.reverse)):
        if len(values) not in (0, state.seats):
            return f"{name}: {len(values)} values for {state.seats} seats"
        for seat in range(len(values)):
            if not 0 <= values[seat] <= (1 if name == "reverse" else _TURNS_MAX):
                return f"{name}: seat {seat} has {values[seat]}"
            if values[seat] and position.out[seat]:
                return f"{name}: seat {seat} is out"
    if not 0 <= position.elapsed_ms <= _ELAPSED_MS_MAX:
        return f"elapsed_ms: {position.elapsed_ms} is out of range"
    return ""


def _levels_fault(state: State, position: PositionGiven) -> str:
    size = state.board.size
    top = state.board.rent_levels
    if len(position.rent_level) not in (0, size) or len(position.mortgaged_rounds) not in (0, size):
        return f"rent_level, mortgaged_rounds: {size} values, one a square, or none"
    for square in range(len(position.rent_level)):
        level = position.rent_level[square]
        owned = position.owner[square] != NOBODY and top > 0 and state.board.kind[square] == STREET
        if not (1 <= level <= top if owned else level == 0):
            return f"rent_level: square {square} has {level}; the levels of an owned lot end at {top}"
    for square in range(len(position.mortgaged_rounds)):
        rounds = position.mortgaged_rounds[square]
        if rounds == 0:
            continue
        if rounds < 0 or not position.mortgaged[square]:
            return f"mortgaged_rounds: square {square} is not mortgaged"
        if state.rules.mortgage_rounds_max and rounds > state.rules.mortgage_rounds_max:
            return (
                f"mortgaged_rounds: square {square} was lost after {state.rules.mortgage_rounds_max} rounds"
            )
    return ""


def _loans_fault(state: State, position: PositionGiven) -> str:
    for loan in position.loans:
        if not 0 <= loan.debtor < state.seats or position.out[loan.debtor]:
            return f"loans: {loan.debtor} is no seat in the game"
        if loan.creditor != BANK and (not 0 <= loan.creditor < state.seats or position.out[loan.creditor]):
            return f"loans: {loan.creditor} is no seat in the game"
        if loan.creditor == loan.debtor:
            return f"loans: seat {loan.debtor} owes itself"
        if not 0 < loan.amount <= _MONEY_MAX:
            return f"loans: {loan.amount} is no amount"
        if loan.due_round < 0:
            return f"loans: round {loan.due_round} is none"
        if not (state.rules.loan_enabled if loan.creditor == BANK else state.rules.trade_loans):
            return "loans: nobody lends by this rule set"
    return ""


def _passes_fault(state: State, position: PositionGiven) -> str:
    for one in position.passes:
        if not 0 <= one.lot < state.board.size or position.owner[one.lot] != one.owner or one.owner < 0:
            return f"passes: lot {one.lot} does not belong to {one.owner}"
        if not 0 <= one.seat < state.seats or position.out[one.seat] or one.seat == one.owner:
            return f"passes: {one.seat} cannot visit seat {one.owner} freely"
        if not 0 < one.visits <= _VISITS_MAX:
            return f"passes: {one.visits} visits"
        if not state.rules.trade_immunity:
            return "passes: there is no immunity by this rule set"
    return ""


def _question_fault(state: State, position: PositionGiven) -> str:
    """In phase CHOICE the square under the token asks, or a card."""
    cards = position.asking_cards
    if position.phase != PHASE_CHOICE:
        return "question: nothing is asked in this phase" if position.question or cards else ""
    if len(cards) + (1 if position.question else 0) != 1:
        return "question: in phase choice one thing is asked, by the square one stands on or by a card"
    if cards:
        card = cards[0]
        if not 0 <= card.deck < len(state.board.decks):
            return f"asking_cards: there is no deck {card.deck}"
        if not 0 <= card.card < len(state.board.decks[card.deck].cards):
            return f"asking_cards: deck {card.deck} has no card {card.card}"
        for held in position.cards:
            if held.deck == card.deck and held.card == card.card:
                return "asking_cards: somebody holds that card"
        effects = state.board.decks[card.deck].cards[card.card].effects
        if not any(asks(effect) for effect in effects):
            return "asking_cards: that card asks nothing"
        return ""
    kind = state.board.kind[position.at[position.turn_seat]]
    if _ASKED_BY.get(kind, 0) != position.question:
        return "question: the square one stands on does not ask that"
    return ""


def set_terms(draft: Draft, position: PositionGiven) -> None:
    """Say until when mortgaged lots can be redeemed, where that is limited (row 75)."""
    rounds_max = draft.state.rules.mortgage_rounds_max
    if rounds_max == 0:
        return
    for lot in draft.state.board.lots:
        if position.mortgaged[lot]:
            since = position.mortgaged_rounds[lot] if position.mortgaged_rounds else 0
            draft.emit(MortgageTermSet(lot, position.round + rounds_max - since))


def fold_extras(state: State, event: PositionGiven) -> None:
    """Take over what the position says; where it says nothing of rent levels, owned lots have the first."""
    extras = state.extras
    if event.skip_turns:
        extras.skip = list(event.skip_turns)
    if event.reverse:
        extras.reverse = list(event.reverse)
    extras.touched = 1
    extras.loans = list(event.loans)
    extras.passes = list(event.passes)
    if event.rent_level:
        extras.rent_level = list(event.rent_level)
    extras.question = event.question
    if event.question:
        extras.question_square = event.at[event.turn_seat]
        extras.question_amount = asked_amount(state.board, extras.question_square)
    for card in event.asking_cards:
        state.unseen[card.deck].remove(card.card)
        state.seen[card.deck].append(card.card)
        state.choice_deck = card.deck
        state.choice_card = card.card
