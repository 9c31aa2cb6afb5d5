"""The last buildings of the bank (row 60), where a scenario cannot reach: debts, auctions, cards beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import plain
from magnate.rules.decide import close_window
from magnate.rules.decision import BANK, Decision
from magnate.rules.loader import load_board
from magnate.rules.vocabulary import (
    BUILDING_HOTEL,
    BUILDING_HOUSE,
    PHASE_ACT,
    PHASE_AUCTION,
    PHASE_BUY,
    PHASE_DEBT,
    PHASE_PLACE,
    PHASE_ROLL,
    PHASE_SHORTAGE,
    TRANSFER_REASON_TAX,
    Build,
    BuildingNotWanted,
    BuildingsBuilt,
    DeclineLot,
    LotLevel,
    MortgageLots,
    OpenDebt,
    PassAuction,
    PlaceBid,
    PlaceBuilding,
    ShortageClosed,
    ShortageOpened,
    Skip,
    WantBuilding,
)
from tests.support.classic import A, B, C, begin, paid, position, rules, said
from tests.support.playing import Position

if TYPE_CHECKING:
    from magnate.rules.state import State
    from tests.support.playing import Table

WANT = WantBuilding(BUILDING_HOUSE)


def scarce(houses: int = 1, hotels: int = 12, **house: int | str) -> Position:
    """Return a position in which A, B and C own a bare group each and the bank has so many buildings."""
    made = Position(load_board("classic-us"), rules(build__shortage="auction", **house))
    made.own(A, 37, 39).own(B, 31, 32, 34).own(C, 1, 3)
    made.houses, made.hotels = houses, hotels
    return made


def up(*pairs: tuple[int, int]) -> Build:
    """Return a command that builds to levels."""
    return Build([LotLevel(lot, level) for lot, level in pairs])


def asked(state: State) -> list[int]:
    """Return who is asked still."""
    return state.extras.shortage_asked


def hammer(table: Table, winner: int, amount: int) -> None:
    """Let a seat win the building with its first bid."""
    assert table.act(winner, PlaceBid(-1, amount)) is None
    while table.auction is not None:
        seat = next(seat for seat in table.auction.active if table.auction.may_act(seat))
        assert table.act(seat, PassAuction(-1)) is None


def test_a_window_opens_only_when_more_could_be_wanted_than_there_are() -> None:
    """Three houses for three that could place one each: one is built at once, of two one is asked about."""
    table = begin(scarce(3))
    assert table.act(A, up((37, 1))) is None
    assert said(table) == ["BuildingsBuilt"]
    assert table.act(A, up((39, 1))) is None
    assert table.decision.events[0] == ShortageOpened(BUILDING_HOUSE, [B, C], A, [LotLevel(39, 1)])
    assert table.state.phase == PHASE_SHORTAGE


def test_what_may_be_said_is_listed_with_its_parameters() -> None:
    """The building and the least bid for who is asked, the lots for who won."""
    table = begin(scarce(build__shortage_start="deed_price"))
    assert table.act(A, up((37, 1))) is None
    want = table.may(B, "want_building")
    assert want is not None
    assert (want.answers, want.amount_min, want.amount_max) == ([BUILDING_HOUSE], 50, 1500)
    assert table.may(A, "want_building") is None
    assert table.act(C, Skip()) is None
    want = table.may(B, "want_building")
    assert want is not None
    assert want.amount_min == 200
    assert table.act(B, WANT) is None
    hammer(table, B, 200)
    place = table.may(B, "place_building")
    assert place is not None
    assert [(one.lot, one.level_min, one.level_max) for one in place.lots] == [
        (31, 1, 1), (32, 1, 1), (34, 1, 1),
    ]  # fmt: skip


def test_a_window_waits_while_somebody_owes() -> None:
    """A debt comes first: the last answer leads to nothing before it is paid."""
    made = scarce()
    made.phase = PHASE_DEBT
    made.cash[C] = 10
    made.debts = [OpenDebt(C, BANK, 40, TRANSFER_REASON_TAX, -1)]
    table = begin(made)
    assert table.act(A, up((37, 1))) is None
    assert table.state.phase == PHASE_DEBT
    assert asked(table.state) == [B]  # who owes cannot want one
    assert table.act(B, WANT) is None
    assert table.state.phase == PHASE_DEBT
    assert table.act(C, MortgageLots([3])) is None
    assert said(table) == ["LotsMortgaged", "DebtPaid", "BuildingPutUp", "PhaseEntered"]
    assert table.state.phase == PHASE_AUCTION


def test_a_window_opened_during_an_auction_goes_on_after_it() -> None:
    """One thing under the hammer at a time."""
    made = scarce()
    made.phase, made.offered_lot, made.at[A] = PHASE_BUY, 24, 24
    table = begin(made)
    assert table.act(A, DeclineLot()) is None
    assert table.act(A, up((37, 1))) is None
    assert table.state.phase == PHASE_AUCTION
    for seat, command in ((B, WANT), (C, Skip())):
        assert table.act(seat, command) is None
    assert table.auction is not None
    assert table.auction.lot == 24
    for seat in (A, B, C):
        assert table.act(seat, PassAuction(24)) is None
    assert table.auction is not None
    assert (table.auction.lot, table.auction.building, table.auction.bidders) == (-1, BUILDING_HOUSE, [A, B])
    hammer(table, A, 200)
    assert table.state.phase == PHASE_PLACE
    assert table.act(A, PlaceBuilding(39)) is None
    assert table.state.phase == PHASE_ACT


def test_a_command_that_takes_both_kinds_asks_about_both() -> None:
    """The last house and the last hotel in one command: one window after the other."""
    made = position(3, build__shortage="auction", build__even=False, build__hotel_needs="lot")
    made.own(A, 37, 39, level=4).own(A, 1, 3).own(B, 31, 32, 34, level=3).own(C, 6, 8, 9, level=4)
    made.level[39] = 3
    made.houses, made.hotels = 1, 1
    made.cash = [5000] * 3
    table = begin(made)
    assert table.act(A, up((37, 5), (1, 2), (3, 3))) is None  # five houses more and four back: one
    assert table.decision.events[0] == ShortageOpened(
        BUILDING_HOUSE, [B], A, [LotLevel(37, 5), LotLevel(1, 2), LotLevel(3, 3)]
    )
    assert table.act(B, Skip()) is None
    assert said(table, BuildingNotWanted, ShortageClosed, ShortageOpened) == [
        "BuildingNotWanted", "ShortageClosed", "ShortageOpened",
    ]  # fmt: skip
    assert table.state.extras.shortage_building == BUILDING_HOTEL
    assert asked(table.state) == [C]
    assert table.act(C, Skip()) is None
    assert "BuildingsBuilt" in said(table)
    assert (table.state.houses_left, table.state.hotels_left) == (0, 0)


def test_time_that_runs_out_answers_for_everybody() -> None:
    """Who has not answered wants none; a second time-out finds nothing."""
    table = begin(scarce())
    assert table.act(A, up((37, 1))) is None
    decision = Decision()
    assert close_window(table.state, decision) is None
    table.take(decision)
    assert said(table, BuildingNotWanted, BuildingsBuilt) == [
        "BuildingNotWanted", "BuildingNotWanted", "BuildingsBuilt",
    ]  # fmt: skip
    assert table.state.phase == PHASE_ROLL
    again = Decision()
    assert close_window(table.state, again) is None
    assert again.events == []


def test_a_discount_is_used_when_the_house_is_built() -> None:
    """Remembered commands cost what they would have cost, and use the card up (row 40)."""
    table = begin(scarce())
    table.check_all = False
    for state in (table.state, table.twin):
        state.extras.discount[A] = 50
    assert table.act(A, up((37, 1))) is None
    assert table.state.extras.discount[A] == 50
    for seat in (B, C):
        assert table.act(seat, Skip()) is None
    assert paid(table) == [(A, BANK, 100)]
    assert table.state.extras.discount[A] == 0


def test_a_building_won_is_beyond_the_limit_of_a_turn_and_does_not_count_for_it() -> None:
    """What is won at auction is no building of one's turn (own reading of rows 53 and 60)."""
    table = begin(scarce(2, build__per_turn="one"))
    assert table.act(B, up((31, 1))) is None
    for seat in (A, C):
        assert table.act(seat, WANT) is None
    hammer(table, B, 50)
    assert table.act(B, PlaceBuilding(31)) is None
    assert table.state.extras.built_any == 0
    hammer(table, A, 50)
    assert table.act(A, PlaceBuilding(37)) is None
    assert table.state.houses_left == 0


def test_states_that_differ_in_who_is_asked_have_different_digests() -> None:
    """Seat 0 is a seat like any other."""
    table = begin(scarce())
    assert table.act(B, up((31, 1))) is None
    assert asked(table.state) == [C, A]
    assert table.act(C, Skip()) is None
    assert asked(table.state) == [A]
    other = table.state.copy()
    other.extras.shortage_asked = []
    assert plain.digest(other) != plain.digest(table.state)


def test_a_winner_who_owes_places_all_the_same() -> None:
    """The building is paid, so a debt does not keep it from its place."""
    table = begin(scarce())
    assert table.act(A, up((37, 1))) is None
    assert table.act(B, WANT) is None
    assert table.act(C, Skip()) is None
    hammer(table, B, 200)
    debt = OpenDebt(B, BANK, 9000, TRANSFER_REASON_TAX, -1)
    for state in (table.state, table.twin):
        state.debts.append(debt)
    assert table.may(B, "place_building") is not None
    assert table.act(B, PlaceBuilding(31)) is None
    assert table.state.phase == PHASE_DEBT
