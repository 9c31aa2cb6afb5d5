"""Rent (rows 25 to 36): what a lot earns, and charging it by landing or when its owner asks for it.

Where rent is taxed the visitor pays the whole rent: the owner gets what the tax leaves, rounded down, and the
bank the rest. He pays both at once or owes both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board import RAILROAD, STREET
from magnate.rules.choices import CLAIM_AUTOMATIC, UTILITY_ROLL_NEW
from magnate.rules.decision import BANK
from magnate.rules.deeds import owns_group
from magnate.rules.folds import nothing
from magnate.rules.steps import levels
from magnate.rules.steps.clock import without_tax
from magnate.rules.steps.immunity import spared
from magnate.rules.steps.kept import spares_rent
from magnate.rules.vocabulary import (
    DICE_PURPOSE_UTILITY,
    QUESTION_RENT,
    TRANSFER_REASON_RENT,
    TRANSFER_REASON_RENT_TAX,
    DebtIncurred,
    DiceThrown,
    OpenClaim,
    OpenDebt,
    QuestionAsked,
    RentCharged,
    RentClaimable,
    RentSpared,
    RentTaxed,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.effects import Effect
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def charge_rent(draft: Draft, payer: int, lot: int, by: Effect | None) -> None:
    """Charge a visitor of another seat's lot; `by` is the card effect that sent him there, if one did."""
    state = draft.state
    owner = state.owner[lot]
    if state.mortgaged[lot] or (state.jailed[owner] and not state.rules.rent_owner_in_jail):
        return
    if state.extras.passes and spared(draft, payer, lot):
        return
    kind = state.board.kind[lot]
    if kind == STREET:
        amount = levels.rent(state, lot) if state.board.rent_levels else street_rent(state, lot)
    elif kind == RAILROAD:
        amount = railroad_rent(state, lot)
    else:
        amount = _utility_rent(draft, payer, lot, by)
    if by is not None:
        amount *= by.rent_multiplier
    if state.cards[payer] and spares_rent(state, payer):
        draft.emit(QuestionAsked(payer, QUESTION_RENT, lot, amount))
    else:
        due(draft, payer, lot, amount)


def due(draft: Draft, payer: int, lot: int, amount: int) -> None:
    """The rent is due: it is paid, or its owner may ask for it (row 25)."""
    state = draft.state
    owner = state.owner[lot]
    if state.rules.rent_claim == CLAIM_AUTOMATIC:
        collect_rent(draft, payer, owner, lot, amount)
    else:
        draft.emit(RentClaimable(OpenClaim(payer, owner, lot, amount)))


def collect_rent(draft: Draft, payer: int, owner: int, lot: int, amount: int) -> None:
    """Make the visitor pay, to the owner and, where rent is taxed, to the bank."""
    draft.emit(RentCharged(payer, owner, lot, amount))
    _pay_rent(draft, payer, owner, lot, amount)
    if draft.state.extras.rent_level[lot]:
        levels.after_rent(draft, lot)


def _pay_rent(draft: Draft, payer: int, owner: int, lot: int, amount: int) -> None:
    kept = amount if draft.state.extras.time_rule == 0 else without_tax(draft.state, amount)
    if kept == amount:
        draft.charge(payer, owner, amount, TRANSFER_REASON_RENT, lot)
        return
    draft.emit(RentTaxed(payer, owner, lot, amount - kept))
    if draft.pays_at_once(payer, amount):
        draft.pay(payer, owner, kept, TRANSFER_REASON_RENT)
        draft.pay(payer, BANK, amount - kept, TRANSFER_REASON_RENT_TAX)
        return
    if kept > 0:
        draft.emit(DebtIncurred(OpenDebt(payer, owner, kept, TRANSFER_REASON_RENT, lot)))
    draft.emit(DebtIncurred(OpenDebt(payer, BANK, amount - kept, TRANSFER_REASON_RENT_TAX, lot)))


def street_rent(state: State, lot: int) -> int:
    """The deed's entry for the buildings; a bare lot of a full group double, unless an option bars it."""
    rents = state.board.rents[lot]
    level = state.level[lot]
    if level == state.hotel_level:
        return rents[-1]
    if level > 0:
        return rents[level]
    group = state.board.group[lot]
    rules = state.rules
    if (
        not owns_group(state, group, state.owner[lot])
        or (rules.rent_double_needs_unmortgaged_group and state.group_mortgaged[group])
        or (rules.rent_double_needs_unbuilt_group and state.group_buildings[group])
    ):
        return rents[0]
    return rents[0] * 2


def railroad_rent(state: State, lot: int) -> int:
    """By how many of them the owner has, mortgaged ones too."""
    owned = state.group_count[state.board.group[lot] * state.seats + state.owner[lot]]
    return state.board.rents[lot][owned - 1]


def utility_factor(state: State, lot: int) -> int:
    """What the dice are multiplied with, by how many of them the owner has."""
    owned = state.group_count[state.board.group[lot] * state.seats + state.owner[lot]]
    return state.board.rents[lot][owned - 1]


def _utility_rent(draft: Draft, payer: int, lot: int, by: Effect | None) -> int:
    """The throw that brought the visitor counts; after a card, or where the rule set says so, a new one."""
    state = draft.state
    factor = utility_factor(state, lot)
    if by is not None and by.dice_multiplier > 0:
        factor = by.dice_multiplier
    if by is None and state.rules.rent_utility_roll != UTILITY_ROLL_NEW:
        return factor * (state.die1 + state.die2)
    draw = state.draws + 1
    first, second = draft.chance.throw(draw)
    draft.emit(DiceThrown(payer, first, second, DICE_PURPOSE_UTILITY, draw))
    return factor * (first + second)


FOLDS: Final[Folds] = {RentSpared: nothing, RentTaxed: nothing}
