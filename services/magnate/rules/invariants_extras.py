"""What must hold for the things that only some rule sets have; part of `invariants`.

In a classic game everything here is as it began, and little is walked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decision import BANK, NOBODY
from magnate.rules.effects import EFFECT_BUILD_DISCOUNT, EFFECT_JAIL_FREE, EFFECT_RENT_EXEMPTION
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.vocabulary import PHASE_PLACE, PHASE_SHORTAGE

if TYPE_CHECKING:
    from magnate.rules.state import State

_KEPT: Final = (EFFECT_JAIL_FREE, EFFECT_RENT_EXEMPTION, EFFECT_BUILD_DISCOUNT)


def check_lot_extras(state: State, wrong: list[str]) -> None:
    """Rent levels and terms of mortgages: holds after every event."""
    extras = state.extras
    top = state.board.rent_levels
    for square in range(state.board.size):
        level = extras.rent_level[square]
        levelled = state.owner[square] != NOBODY and state.board.levelled_mask >> square & 1
        if not (0 < level <= top if levelled else level == 0):
            wrong.append(f"lot {square} of {state.owner[square]} has rent level {level}")
        if extras.last_round[square] and not state.mortgaged[square]:
            wrong.append(f"lot {square} is to be redeemed and not mortgaged")


def check_kept_cards(state: State, wrong: list[str]) -> None:
    """What kind of card is kept: holds after every event."""
    for hand in state.cards:
        for code in hand:
            pile = state.board.decks[code // CARDS_PER_DECK_MAX]
            kinds = [effect.kind for effect in pile.cards[code % CARDS_PER_DECK_MAX].effects]
            if not any(kind in _KEPT for kind in kinds):
                wrong.append(f"card {code % CARDS_PER_DECK_MAX} of {pile.name} is kept")


def check_extras(state: State, wrong: list[str]) -> None:
    """Pots, loans, passes, claims, and the seats that wait for something: holds between commands."""
    extras = state.extras
    if extras.frozen:
        for lot in state.board.lots:
            if extras.frozen >> lot & 1 and state.owner[lot] != NOBODY:
                wrong += [f"lot {lot} is frozen, and of {state.owner[lot]}"]
    for pot in extras.pots:
        if pot < 0:
            wrong += [f"the pots hold {extras.pots}"]
    for seat in range(state.seats):
        if (
            extras.skip[seat] < 0
            or extras.reverse[seat] not in (0, 1)
            or not 0 <= extras.discount[seat] <= 100
        ):
            wrong += [f"seat {seat}: {extras.skip[seat]} turns lost, discount {extras.discount[seat]}"]
    for loan in extras.loans:
        gone = state.out[loan.debtor] or (loan.creditor >= 0 and state.out[loan.creditor])
        if loan.amount <= 0 or loan.creditor < BANK or loan.debtor == loan.creditor or gone:
            wrong.append(f"{loan!r} is no loan")
    for one in extras.passes:
        if (
            one.visits <= 0
            or state.owner[one.lot] != one.owner
            or one.seat == one.owner
            or state.out[one.seat]
        ):
            wrong += [f"{one!r} is no pass while lot {one.lot} belongs to {state.owner[one.lot]}"]
    for claim in extras.claims:
        if (
            claim.amount <= 0
            or claim.payer == claim.owner
            or state.out[claim.payer]
            or state.out[claim.owner]
        ):
            wrong += [f"{claim!r} is no claim"]
    if (state.phase == PHASE_PLACE) != (extras.placing_seat > 0) and not state.debts:
        wrong.append(f"phase {state.phase} with seat {extras.placing_seat - 1} placing a building")
    if state.phase == PHASE_SHORTAGE and not extras.shortage_building:
        wrong.append("phase SHORTAGE and no building is short")
    begun = (
        extras.claims or extras.shortage_building or extras.placing_seat
        or extras.bankruptcies or extras.time_up
    )  # fmt: skip
    if begun and not extras.touched:
        wrong.append("the extras are in use and not marked as touched, so the rules do not look for them")
