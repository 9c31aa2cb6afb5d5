"""Debts and bankruptcy with numbers (rows 78 to 83; cases C030 to C037, C041, C046, C047)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_DEBT,
    PHASE_OVER,
    PHASE_ROLL,
    TRANSFER_REASON_CARD,
    TRANSFER_REASON_RENT,
    TRANSFER_REASON_TAX,
    BankruptcyDeclared,
    Build,
    DebtsAssigned,
    DeclareBankruptcy,
    EndTurn,
    HeldCard,
    LotLevel,
    MortgageLots,
    OpenDebt,
    PassAuction,
    PayDebt,
    PlaceBid,
    Resign,
    Roll,
    SeatEliminated,
    SellBuildings,
)
from tests.support.classic import BANK, CHEST, A, B, C, begin, paid, position, reasons, said

if TYPE_CHECKING:
    from tests.support.playing import Position


def debtor(amount: int, creditor: int, cash: int = 0, seats: int = 3) -> Position:
    """Return a position in which seat A, on turn, owes rent (a tax, to the bank)."""
    made = position(seats=seats)
    made.phase = PHASE_DEBT
    reason = TRANSFER_REASON_TAX if creditor == BANK else TRANSFER_REASON_RENT
    made.debts = [OpenDebt(A, creditor, amount, reason, -1)]
    made.cash[A] = cash
    return made


def test_a_debtor_with_assets_is_not_bankrupt() -> None:
    """C030: 10 in hand, 200 owed, houses and deeds worth 775: bankruptcy is refused, selling pays."""
    table = begin(debtor(200, B, cash=10).own(A, 37, 39, level=2))
    assert table.refused(A, DeclareBankruptcy()) == "CAN_STILL_PAY"
    assert table.act(A, SellBuildings([LotLevel(37, 0), LotLevel(39, 0)])) is None
    assert paid(table) == [(BANK, A, 400), (A, B, 200)]
    assert (table.state.cash[A], table.state.phase) == (210, PHASE_ACT)


def test_nothing_goes_on_while_a_debt_is_open() -> None:
    """C031: the debtor has to pay first, the others have to wait."""
    table = begin(debtor(75, BANK, cash=20).own(A, 1, 3))
    for command in (EndTurn(), Roll(), Build([LotLevel(1, 1)])):
        assert table.refused(A, command) == "MUST_PAY_FIRST"
    assert table.refused(B, Roll()) == "NOT_YOUR_TURN"
    assert table.refused(A, PayDebt()) == "INSUFFICIENT_FUNDS"
    assert table.refused(B, PayDebt()) == "NOT_IN_DEBT"
    assert table.refused(B, DeclareBankruptcy()) == "NOT_IN_DEBT"
    assert table.act(A, MortgageLots([1])) is None
    assert table.state.phase == PHASE_DEBT
    assert table.act(A, MortgageLots([3])) is None
    assert paid(table) == [(BANK, A, 30), (A, BANK, 75)]
    assert table.state.phase == PHASE_ACT


def test_an_interrupted_turn_keeps_its_extra_throw() -> None:
    """C031: a double, then a debt: when it is paid the throw is still there."""
    made = position().own(B, 37, 39, level=5).own(A, 5, 15, 25, 35)
    made.at[A], made.cash[A] = 33, 1300
    table = begin(made, (2, 2))
    assert table.act(A, Roll()) is None  # to a hotel that costs 1,500
    assert table.state.phase == PHASE_DEBT
    assert table.act(A, MortgageLots([5, 15, 25, 35])) is None
    assert (table.state.phase, table.state.turn_seat, table.state.cash[A]) == (PHASE_ROLL, A, 200)


def test_bankrupt_to_a_player_after_a_double() -> None:
    """C032, C047: out once, no extra throw; the creditor gets exactly what there was."""
    made = position().own(B, 11, 13, 14, level=5).own(A, 1, 3, level=1)
    made.cash[A], made.at[A] = 20, 8
    made.cards = [HeldCard(A, CHEST, 4)]
    table = begin(made, (3, 3))
    assert table.act(A, Roll()) is None
    assert table.state.phase == PHASE_DEBT
    assert table.act(A, DeclareBankruptcy()) is None
    assert paid(table) == [(BANK, A, 50), (A, B, 70)]  # two houses at half, then all there is
    assert said(table, SeatEliminated) == ["SeatEliminated"]
    assert [table.state.owner[lot] for lot in (1, 3)] == [B, B]
    assert table.state.cards[B] == [CHEST * 64 + 4]
    assert (table.state.turn_seat, table.state.phase, table.state.doubles) == (B, PHASE_ROLL, 0)
    assert table.refused(A, Roll()) == "SEAT_OUT"


def test_mortgaged_lots_cost_the_heir_their_interest() -> None:
    """Row 82: 10% at once for each, a debt if it is not there."""
    made = debtor(500, B).own(A, 1, 5, mortgaged=1)
    made.cash[B] = 5
    table = begin(made)
    assert table.act(A, DeclareBankruptcy()) is None
    assert paid(table) == [(B, BANK, 3)]
    assert (table.state.owed(B), table.state.phase, table.state.turn_seat) == (10, PHASE_DEBT, A)
    assert table.act(B, DeclareBankruptcy()) is None  # nothing left to raise 8 more
    assert table.state.phase == PHASE_OVER
    assert table.state.ranking == [C, B, A]


def test_bankrupt_to_the_bank() -> None:
    """C035: money to the bank, card under its deck, lots auctioned in board order, interest by the winner."""
    made = debtor(100, BANK, cash=0).own(A, 12, mortgaged=1)
    made.cards = [HeldCard(A, CHEST, 4)]
    made.own(A, 5, mortgaged=1)
    table = begin(made)
    assert table.act(A, DeclareBankruptcy()) is None
    assert table.state.seen[CHEST] == [4]
    assert (table.state.auction_lot, table.state.estate, table.state.owner[5]) == (5, [12], -1)
    assert table.act(B, PlaceBid(5, 40)) is None
    assert table.act(C, PassAuction(5)) is None
    assert table.state.owner[5] == B
    assert paid(table) == [(B, BANK, 10)]  # 10% of 100; the price is the hold's
    assert table.state.cash[B] == 1500 - 40 - 10
    assert table.state.mortgaged[5] == 1
    assert (table.state.auction_lot, table.state.estate) == (12, [])
    assert table.act(B, PassAuction(12)) is None
    assert table.act(C, PassAuction(12)) is None
    assert (table.state.owner[12], table.state.mortgaged[12]) == (-1, 0)
    assert (table.state.turn_seat, table.state.phase) == (B, PHASE_ROLL)


def test_bankrupt_to_the_bank_where_lots_are_free() -> None:
    """`bankrupt.to_bank: free`: no auction, nothing stays mortgaged."""
    made = position(bankrupt__to_bank="free")
    made.phase, made.debts, made.cash[A] = PHASE_DEBT, [OpenDebt(A, BANK, 100, TRANSFER_REASON_TAX, -1)], 0
    table = begin(made.own(A, 5, mortgaged=1))
    assert table.act(A, DeclareBankruptcy()) is None
    assert (table.state.owner[5], table.state.mortgaged[5], table.state.auction) == (-1, 0, 0)
    assert (table.state.turn_seat, table.state.phase) == (B, PHASE_ROLL)


def test_part_of_the_debt_is_paid_with_what_there_is() -> None:
    """C036: 37 in hand, nothing else: bankruptcy is possible, and the 37 go to the creditor."""
    table = begin(debtor(100, B, cash=37))
    assert table.may(A, "declare_bankruptcy") is not None
    assert table.act(A, DeclareBankruptcy()) is None
    assert paid(table) == [(A, B, 37)]
    assert reasons(table) == ["BANKRUPTCY"]


def test_several_creditors_share_the_money() -> None:
    """C046: 100 among three equal claims: 34, 33, 33, the odd unit to the next in turn; lots to him too."""
    made = position(seats=4).own(A, 1, mortgaged=1)
    made.phase, made.cash[A] = PHASE_DEBT, 100
    made.debts = [OpenDebt(A, seat, 150, TRANSFER_REASON_CARD, -1) for seat in (1, 2, 3)]
    table = begin(made)
    assert table.act(A, DeclareBankruptcy()) is None
    assert paid(table) == [(A, 1, 34), (A, 2, 33), (A, 3, 33), (1, BANK, 3)]
    assert table.state.owner[1] == 1


def test_the_lots_go_to_whom_most_is_owed() -> None:
    """Own reading: the largest claim takes the lots, also the bank's."""
    made = position(seats=3).own(A, 1, mortgaged=1)
    made.phase, made.cash[A] = PHASE_DEBT, 10
    made.debts = [
        OpenDebt(A, B, 20, TRANSFER_REASON_RENT, -1),
        OpenDebt(A, BANK, 30, TRANSFER_REASON_TAX, -1),
    ]
    table = begin(made)
    assert table.act(A, DeclareBankruptcy()) is None
    assert [event.creditor for event in table.decision.events if isinstance(event, BankruptcyDeclared)] == [
        BANK
    ]
    assert paid(table) == [(A, B, 4), (A, BANK, 6)]
    assert table.state.auction_lot == 1


def test_what_is_owed_to_a_bankrupt_passes_on() -> None:
    """The claims are part of the estate; what the heir himself owed is gone."""
    made = position(seats=4)
    made.phase, made.cash = PHASE_DEBT, [0, 5, 5, 1500]
    made.debts = [
        OpenDebt(A, B, 100, TRANSFER_REASON_RENT, -1),
        OpenDebt(B, A, 10, TRANSFER_REASON_CARD, -1),
        OpenDebt(C, A, 10, TRANSFER_REASON_CARD, -1),
    ]
    table = begin(made)
    assert table.act(A, DeclareBankruptcy()) is None
    assert said(table, DebtsAssigned) == ["DebtsAssigned"]
    assert [(debt.debtor, debt.creditor, debt.amount) for debt in table.state.debts] == [(C, B, 10)]


def test_resigning() -> None:
    """C037: without a debt the bank is the heir, on one's own turn or not; the turn order goes on."""
    table = begin(position().own(A, 5), (1, 2))
    assert table.act(A, Resign()) is None
    assert paid(table) == [(A, BANK, 1500)]
    assert (table.state.auction_lot, table.state.turn_seat) == (5, A)
    assert table.act(B, PassAuction(5)) is None
    assert table.act(C, PassAuction(5)) is None
    assert (table.state.turn_seat, table.state.phase) == (B, PHASE_ROLL)
    table = begin(position(), (1, 2))
    assert table.act(C, Resign()) is None
    assert (table.state.turn_seat, table.state.phase, table.state.alive) == (A, PHASE_ROLL, 2)


def test_resigning_in_debt_to_a_player() -> None:
    """C037: the same as bankruptcy to him."""
    table = begin(debtor(500, B, cash=30).own(A, 39))
    assert table.act(A, Resign()) is None
    assert paid(table) == [(A, B, 30)]
    assert table.state.owner[39] == B


def test_the_leader_of_an_auction_resigns() -> None:
    """C034: out of the bidding, his money released, bidding goes on; then his estate."""
    made = position().own(B, 1)
    made.phase, made.offered_lot = 4, 39
    table = begin(made)
    assert table.act(B, PlaceBid(39, 100)) is None
    assert table.act(B, Resign()) is None
    assert paid(table) == [(B, BANK, 1500)]
    assert table.state.held[B] == 0
    assert table.auction is not None
    assert table.auction.leader == -1
    assert table.act(A, PassAuction(39)) is None
    assert table.act(C, PassAuction(39)) is None
    assert table.state.auction_lot == 1


def test_the_last_two_during_an_auction() -> None:
    """C028: the game is over, the auction cancelled, the hold gone."""
    made = position(seats=2)
    made.phase, made.offered_lot = 4, 39
    table = begin(made)
    assert table.act(A, PlaceBid(39, 100)) is None
    assert table.act(B, Resign()) is None
    assert (table.state.phase, table.state.ranking, table.state.held[A]) == (PHASE_OVER, [A, B], 0)
    assert table.auction is None
    assert table.refused(A, Roll()) == "GAME_OVER"


def test_nothing_in_hand_is_no_bankruptcy() -> None:
    """C041: a seat may have nothing; only a debt it cannot pay ends its game."""
    made = position()
    made.cash[A], made.at[A] = 0, 17
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert table.state.phase == PHASE_ACT
    assert table.refused(A, DeclareBankruptcy()) == "NOT_IN_DEBT"


def test_a_debt_of_another_seat_holds_the_turn() -> None:
    """Several debtors at once: each pays his own, then the turn goes on where it was."""
    made = position().own(B, 1).own(C, 3)
    made.at[A], made.cash = 14, [1500, 4, 4]
    table = begin(made, (1, 2), chest=("cc09",))
    assert table.act(A, Roll()) is None
    assert [debt.debtor for debt in table.state.debts] == [B, C]
    assert table.act(C, MortgageLots([3])) is None
    assert paid(table) == [(BANK, C, 30), (C, A, 10)]
    assert table.state.phase == PHASE_DEBT
    assert table.act(B, MortgageLots([1])) is None
    assert (table.state.phase, table.state.turn_seat) == (PHASE_ACT, A)
