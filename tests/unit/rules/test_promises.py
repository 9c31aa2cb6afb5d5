"""Free visits and loans: their bounds, and what `legal_actions` says of them (rows 64, 69)."""

from __future__ import annotations

import pytest

from magnate.rules.balance import refuse_balance
from magnate.rules.bonds import refuse_bonds
from magnate.rules.chance import RandomChance
from magnate.rules.loader import find_ruleset, load_board
from magnate.rules.offers import LOANS_OPEN_MAX, VISITS_MAX, VISITS_TOTAL_MAX
from magnate.rules.ruleset import RuleSet
from magnate.rules.vocabulary import (
    PHASE_DEBT,
    TRANSFER_REASON_RENT,
    AcceptOffer,
    Card,
    Immunity,
    LotPass,
    OfferTrade,
    OpenDebt,
    OpenLoan,
    TakeLoan,
    Terms,
)
from tests.support.playing import Position, Table

BOARD = load_board("classic-us")
NOTHING: tuple[int, list[int], list[Card], int, list[int], list[Card], int] = (0, [], [], 0, [], [], 0)


def at(**house: bool | int | str) -> Position:
    """Begin a position where free visits and loans are allowed."""
    options: dict[str, bool | int | str] = {"trade.immunity": True, "trade.loans": True}
    rules = find_ruleset(
        "classic", options | {name.replace("__", "."): value for name, value in house.items()}
    )
    assert isinstance(rules, RuleSet)
    return Position(BOARD, rules)


def play(position: Position) -> Table:
    """Begin the game there."""
    return position.table(RandomChance(1))


def test_a_seat_owes_a_bounded_number_of_loans() -> None:
    """One more is refused to the borrower, whoever offers it, and he is not listed any more."""
    table = play(at())
    for state in (table.state, table.twin):
        state.extras.loans = [OpenLoan(1, 2, 5, 0) for _ in range(LOANS_OPEN_MAX)]
    borrow = Terms(*NOTHING, [], [], 0, 10)
    lend = Terms(*NOTHING, [], [], 10, 0)
    assert table.refused(1, OfferTrade(0, borrow)) == "LOAN_LIMIT_REACHED"
    assert table.refused(0, OfferTrade(1, lend)) == "LOAN_LIMIT_REACHED"
    assert table.refused(1, OfferTrade(0, lend)) == ""
    offer = table.may(0, "offer_trade")
    assert offer is not None
    assert offer.borrowers == [0, 2]


@pytest.mark.parametrize("amount", [-1, 1 << 60])
def test_a_loan_is_an_amount_of_money(amount: int) -> None:
    """Out of bounds is refused before anything else is looked at."""
    table = play(at())
    assert table.refused(0, OfferTrade(1, Terms(*NOTHING, [], [], amount, 0))) == "INVALID_AMOUNT"
    assert table.refused(0, OfferTrade(1, Terms(*NOTHING, [], [], 0, amount))) == "INVALID_AMOUNT"


def test_free_visits_are_bounded_in_a_deal_and_in_all() -> None:
    """So many of a lot in one deal, and never more than can be counted."""
    table = play(at().own(0, 39))
    assert (
        table.refused(0, OfferTrade(1, Terms(*NOTHING, [Immunity(39, VISITS_MAX + 1)]))) == "INVALID_AMOUNT"
    )
    twice = [Immunity(39, 1), Immunity(39, 1)]
    assert table.refused(0, OfferTrade(1, Terms(*NOTHING, twice))) == "DUPLICATE_LOT"
    assert table.refused(0, OfferTrade(1, Terms(*NOTHING, [Immunity(39, 1)] * 65))) == "OFFER_TOO_LARGE"
    for state in (table.state, table.twin):
        state.extras.passes = [LotPass(39, 0, 1, VISITS_TOTAL_MAX - 1)]
    assert table.act(0, OfferTrade(1, Terms(*NOTHING, [Immunity(39, VISITS_MAX)]))) is None
    assert table.act(1, AcceptOffer(1, [])) is None
    assert table.state.extras.passes == [LotPass(39, 0, 1, VISITS_TOTAL_MAX)]


def test_the_offers_that_are_possible_say_what_may_be_promised() -> None:
    """Lots of both with their worth, also built ones for visits, and whom one may lend to."""
    table = play(at(trade__max_imbalance_percent=50).own(0, 37, 39, level=1).own(1, 5, mortgaged=1))
    offer = table.may(0, "offer_trade")
    assert offer is not None
    assert (offer.imbalance_percent_max, offer.card_worth) == (50, BOARD.jail_fine)
    assert [(one.lot, one.worth) for one in offer.lots] == [(5, 100)]
    assert (offer.free_lots, offer.visits_max) == ([5, 37, 39], VISITS_MAX)
    assert offer.borrowers == [0, 1, 2]


def test_a_debt_that_is_let_go_counts_for_its_creditor() -> None:
    """Row 37 within a ratio: a lot of 200 may settle 100 to 400 of the rent, no more and no less."""
    position = at(trade__max_imbalance_percent=50).own(0, 5)
    position.cash[0] = 0
    position.phase = PHASE_DEBT
    position.debts = [OpenDebt(0, 1, 500, TRANSFER_REASON_RENT, 39)]
    state = play(position).state
    for settles, name in ((99, "OFFER_UNBALANCED"), (100, ""), (400, ""), (401, "OFFER_UNBALANCED")):
        paid = Terms(0, [5], [], 0, [], [], settles)
        asked = Terms(0, [], [], 0, [5], [], settles)
        assert refuse_balance(state, 0, 1, paid) == refuse_balance(state, 1, 0, asked) == name


def test_who_grants_visits_owns_the_lot_in_the_end() -> None:
    """A lot kept, or got by the same deal; not one given away, nor a third seat's."""
    state = play(at().own(0, 39).own(1, 5).own(2, 15)).state
    for terms, name in (
        (Terms(*NOTHING, [Immunity(39, 1)], [Immunity(5, 1)]), ""),
        (Terms(0, [], [], 0, [5], [], 0, [Immunity(5, 1)]), ""),
        (Terms(0, [39], [], 0, [], [], 0, [Immunity(39, 1)]), "NOT_OWNER"),
        (Terms(*NOTHING, [Immunity(15, 1)]), "NOT_OWNER"),
        (Terms(*NOTHING, [Immunity(0, 1)]), "UNKNOWN_LOT"),
        (Terms(*NOTHING, [], [Immunity(-1, 1)]), "UNKNOWN_LOT"),
    ):
        assert refuse_bonds(state, 0, 1, terms) == name, terms


def test_the_bank_lends_only_where_the_board_says_how_much() -> None:
    """An option alone makes no money."""
    assert play(at(loan__enabled=True)).refused(0, TakeLoan(10)) == "LOANS_NOT_ALLOWED"
