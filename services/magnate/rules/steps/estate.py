"""What becomes of all a seat leaves behind (rows 79 to 83): money, buildings, cards, lots, loans, passes.

Own readings. Several creditors share the money in proportion to what each is owed, odd units one each in turn
order from the leaver (bank and pots last). What he has lent passes on with what he is owed; what he has
borrowed falls due when he leaves. Where the estate is "free" the creditors still get his money. Where it is
split among the others, the bank buys the buildings, lots go round in the order of the board without interest,
and the bank keeps what must not change hands. Frozen lots stay with the bank for good: nobody can buy them
and nobody pays there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.buildings import buildings_worth, resale
from magnate.rules.choices import (
    BUILDINGS_RESET,
    BUILDINGS_SOLD_HALF,
    BUILDINGS_TRANSFERRED,
    TRANSFER_FORBIDDEN,
)
from magnate.rules.decision import BANK, POT_CHARITY, POT_JACKPOT, POT_PARKING
from magnate.rules.deeds import listed
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps import levels
from magnate.rules.steps.card import others_in_order
from magnate.rules.steps.debt import charge_interest
from magnate.rules.steps.give_back import hand_back, returnable
from magnate.rules.vocabulary import (
    TRANSFER_REASON_BANKRUPTCY,
    TRANSFER_REASON_BUILDING_SALE,
    TRANSFER_REASON_COMPENSATION,
    TRANSFER_REASON_LOAN_REPAYMENT,
    BuildingsBuilt,
    BuildingsSold,
    CardReturned,
    CardTransferred,
    DebtIncurred,
    DebtsAssigned,
    EstateQueued,
    LoanEnded,
    LoanTaken,
    LotLevel,
    LotsFrozen,
    LotTransferred,
    OpenDebt,
    OpenLoan,
    PassChanged,
    RentLevelSet,
    SeatEliminated,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.state import State

MONEY_INHERITED: Final = 0
"""The creditors get the money, all of it; if nobody is owed anything, the bank."""
MONEY_SHARED: Final = 1
"""They get what they are owed, as far as it goes; the bank has what is left."""
MONEY_MADE_GOOD: Final = 2
"""The same, and the bank pays players what the money leaves open (M)."""
MONEY_TO_BANK: Final = 3
"""The bank gets it, and pays players all they are owed (C)."""


class Will:
    """Who gets what.

    `heir` is the seat that gets lots and cards, or the bank; `buildings` is BUILDINGS_…, `money` MONEY_….
    Lots of the bank are `auction`ed, free, or `frozen`; an heir owes `interest` on mortgaged ones at once.
    """

    __slots__ = ("auction", "buildings", "frozen", "heir", "interest", "money")

    def __init__(self, heir: int, buildings: int) -> None:
        self.heir = heir
        self.buildings = buildings
        self.money: int = MONEY_INHERITED
        self.auction: bool = False
        self.frozen: bool = False
        self.interest: bool = True


def call_in_loans(draft: Draft, seat: int) -> None:
    """What the seat has borrowed falls due: it pays it all, or its lenders are creditors like the others."""
    state = draft.state
    borrowed = 0
    for loan in state.extras.loans:
        if loan.debtor == seat:
            borrowed += loan.amount
    pays = state.available(seat) >= borrowed and not state.in_debt(seat)
    for loan in state.extras.loans.copy():
        if loan.debtor != seat:
            continue
        draft.emit(LoanEnded(loan, due=not pays))
        if pays:
            draft.pay(seat, loan.creditor, loan.amount, TRANSFER_REASON_LOAN_REPAYMENT)
        else:
            owed = OpenDebt(seat, loan.creditor, loan.amount, TRANSFER_REASON_LOAN_REPAYMENT, -1)
            draft.emit(DebtIncurred(owed))


def execute(draft: Draft, seat: int, will: Will) -> None:
    """Hand everything over, and take the seat out of the game."""
    state = draft.state
    standing = _take_down(draft, seat, will)
    _give_back_lots(draft, seat, will)
    _hand_out_money(draft, seat, will.money)
    lots = lots_of(state, seat)
    _hand_over_cards(draft, seat, will.heir)
    _hand_over_claims(draft, seat, will.heir)
    queued = len(lots) > 0 and will.heir == BANK and will.auction
    with_mortgages = state.rules.mortgage_transfer != TRANSFER_FORBIDDEN
    if queued and with_mortgages:
        draft.emit(EstateQueued(lots))
    for lot in lots:
        draft.emit(LotTransferred(lot, seat, will.heir))
    if queued and not with_mortgages:  # freed by the bank: what is mortgaged must not change hands (C15)
        draft.emit(EstateQueued(lots))
    if will.frozen and lots:
        draft.emit(LotsFrozen(lots))
    if standing:
        draft.emit(BuildingsBuilt(will.heir, standing, 0))
    draft.emit(SeatEliminated(seat))
    if will.heir != BANK:
        for lot in lots:
            if state.mortgaged[lot] and will.interest:
                charge_interest(draft, will.heir, lot)
        levels.after_acquiring(draft, lots)


def split(draft: Draft, seat: int) -> None:
    """Share all the seat has among the others, and take it out of the game."""
    state = draft.state
    others = others_in_order(state, seat)
    if state.built[seat]:
        proceeds = resale(state, buildings_worth(state, seat))
        _sell_all(draft, seat, proceeds)
    money = state.cash[seat]
    for place, other in enumerate(others):
        odd = 1 if place < money % len(others) else 0
        draft.pay(seat, other, money // len(others) + odd, TRANSFER_REASON_BANKRUPTCY)
    _hand_over_cards(draft, seat, BANK)
    _hand_over_claims(draft, seat, BANK)
    place = 0
    lots = lots_of(state, seat)
    for lot in lots:
        if state.mortgaged[lot] and state.rules.mortgage_transfer == TRANSFER_FORBIDDEN:
            draft.emit(LotTransferred(lot, seat, BANK))
        else:
            draft.emit(LotTransferred(lot, seat, others[place % len(others)]))
            place += 1
    draft.emit(SeatEliminated(seat))
    levels.after_acquiring(draft, lots)


def lots_of(state: State, seat: int) -> list[int]:
    """The lots of a seat, in the order of the board."""
    return listed(state.owned[seat])


def owed_to(state: State, seat: int, creditor: int) -> int:
    """What the seat owes this one."""
    total = 0
    for debt in state.debts:
        if debt.debtor == seat and debt.creditor == creditor:
            total += debt.amount
    return total


def _take_down(draft: Draft, seat: int, will: Will) -> list[LotLevel]:
    """Give the buildings back to the bank, or lay them aside for the heir: what he puts up again."""
    state = draft.state
    if will.buildings == BUILDINGS_RESET:
        for lot in lots_of(state, seat):
            if will.heir != BANK and state.extras.rent_level[lot] > levels.LEVEL_MIN:
                draft.emit(RentLevelSet(lot, levels.LEVEL_MIN))
    if state.built[seat] == 0:
        return []
    if will.buildings == BUILDINGS_TRANSFERRED and will.heir != BANK:
        standing = [
            LotLevel(lot, state.level[lot])
            for lot in state.board.streets
            if state.owner[lot] == seat and state.level[lot]
        ]
        _sell_all(draft, seat, 0)
        return standing
    proceeds = 0
    if will.buildings == BUILDINGS_SOLD_HALF and _owes_player(state, seat):
        proceeds = resale(state, buildings_worth(state, seat))
    _sell_all(draft, seat, proceeds)
    return []


def _owes_player(state: State, seat: int) -> bool:
    """Whether anybody but the bank has a claim: the bank pays itself for nothing."""
    for debt in state.debts:  # noqa: SIM110 - a generator costs more than the loop
        if debt.debtor == seat and debt.creditor >= 0:
            return True
    return False


def _give_back_lots(draft: Draft, seat: int, will: Will) -> None:
    """Who is bankrupt has given all his lots back (row 78), so that his creditors have what they count."""
    state = draft.state
    if state.rules.debt_return_lots and will.heir == BANK and not will.auction and _owes_player(state, seat):
        hand_back(draft, seat, listed(returnable(state, seat)))


def _sell_all(draft: Draft, seat: int, proceeds: int) -> None:
    state = draft.state
    lots = [lot for lot in state.board.streets if state.owner[lot] == seat and state.level[lot]]
    draft.emit(BuildingsSold(seat, [LotLevel(lot, 0) for lot in lots], proceeds))
    draft.pay(BANK, seat, proceeds, TRANSFER_REASON_BUILDING_SALE)


def _hand_out_money(draft: Draft, seat: int, how: int) -> None:
    state = draft.state
    owed = state.owed(seat)
    claimants: list[int] = []
    claims: list[int] = []
    for one in [*others_in_order(state, seat), BANK, POT_PARKING, POT_JACKPOT, POT_CHARITY]:
        claim = owed_to(state, seat, one)
        if claim > 0:
            claimants.append(one)
            claims.append(claim)
    shares = [0] * len(claims)
    if owed and how != MONEY_TO_BANK:
        money = state.cash[seat] if how == MONEY_INHERITED else min(state.cash[seat], owed)
        shares = shares_of(money, claims)
        for place, creditor in enumerate(claimants):
            draft.pay(seat, creditor, shares[place], TRANSFER_REASON_BANKRUPTCY)
    draft.pay(seat, BANK, state.cash[seat], TRANSFER_REASON_BANKRUPTCY)
    if how not in (MONEY_MADE_GOOD, MONEY_TO_BANK):
        return
    for place, creditor in enumerate(claimants):
        if creditor >= 0:
            missing = claims[place] - shares[place]
            draft.pay(BANK, creditor, missing, TRANSFER_REASON_COMPENSATION)


def shares_of(money: int, claims: list[int]) -> list[int]:
    """Share money in proportion to claims: rounded down, the odd units one each to the first ones."""
    total = 0
    for claim in claims:
        total += claim
    if total == 0:
        return [0] * len(claims)
    shares: list[int] = []
    odd = money
    for claim in claims:
        share = money * claim // total
        shares.append(share)
        odd -= share
    for place in range(odd):
        shares[place] = shares[place] + 1
    return shares


def _hand_over_cards(draft: Draft, seat: int, heir: int) -> None:
    for code in draft.state.cards[seat].copy():
        deck = code // CARDS_PER_DECK_MAX
        card = code % CARDS_PER_DECK_MAX
        if heir == BANK:
            draft.emit(CardReturned(seat, deck, card))
        else:
            draft.emit(CardTransferred(deck, card, seat, heir))


def _hand_over_claims(draft: Draft, seat: int, heir: int) -> None:
    """What others owe the seat is owed to the heir; its free visits, and those of its lots, end."""
    state = draft.state
    for debt in state.debts:
        if debt.creditor == seat:
            draft.emit(DebtsAssigned(seat, heir))
            break
    for loan in state.extras.loans.copy():
        if loan.creditor == seat:
            draft.emit(LoanEnded(loan, due=False))
            if loan.debtor != heir:  # else he would owe it to himself
                draft.emit(LoanTaken(OpenLoan(loan.debtor, heir, loan.amount, loan.due_round)))
    for one in state.extras.passes.copy():
        if seat in (one.owner, one.seat):
            draft.emit(PassChanged(one.lot, one.seat, 0))
