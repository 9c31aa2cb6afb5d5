"""The invariants find whatever is wrong: each number of a game is changed in turn and must be noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules.invariants import check, check_things, check_waiting
from magnate.rules.loader import load_board
from magnate.rules.simulate import Game
from magnate.rules.steps.running import begin_auction
from magnate.rules.vocabulary import PHASE_BUY, PHASE_DEBT, LotPass, OpenClaim, OpenDebt, OpenLoan
from tests.support.classic import rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.rules.state import State

NUMBERS = ("alive", "built_mask", "mortgaged_mask", "houses_left", "hotels_left")
THINGS = (
    "owner", "level", "mortgaged", "group_count", "group_buildings", "group_mortgaged", "built", "owned",
    "full",
)  # fmt: skip
BETWEEN = ("cash", "eliminated", "order")


@pytest.fixture(scope="module")
def state() -> State:
    """A game of five with buildings, a mortgage, a kept card and a seat that is out."""
    for seed in range(200):
        game = Game(load_board("classic-us"), rules(), 5, seed)
        game.start()
        now = game.state
        while now.phase != 8:
            game.step()
            if now.built_mask and now.mortgaged_mask and any(now.cards) and any(now.out) and not now.auction:
                return now
    raise AssertionError("no such game was found")


def test_a_game_in_play_is_in_order(state: State) -> None:
    """What is changed below was right before."""
    assert check(state, list(state.cash)) == []
    assert check_waiting(state) == []


@pytest.mark.parametrize("name", NUMBERS)
def test_a_wrong_number_is_noticed(state: State, name: str) -> None:
    """Counters that are one number."""
    for change in (-1, 1):
        made = state.copy()
        setattr(made, name, getattr(state, name) + change)
        assert check(made, list(state.cash)), name


@pytest.mark.parametrize("name", [*THINGS, *BETWEEN])
def test_a_wrong_entry_is_noticed(state: State, name: str) -> None:
    """Every place of every list, one up and one down; things already in the check after each event."""
    for place in range(len(getattr(state, name))):
        for change in (-1, 1):
            made = state.copy()
            made.order = list(state.order)
            getattr(made, name)[place] += change
            assert check(made, list(state.cash)), (name, place, change)
            assert name in BETWEEN or check_things(made), (name, place, change)


def test_a_card_in_two_places_or_none_is_noticed(state: State) -> None:
    """Drawn, kept and not drawn yet are all cards, each once."""
    for deck in range(len(state.unseen)):
        for pile in ("unseen", "seen"):
            cards: list[list[int]] = getattr(state, pile)
            if cards[deck]:
                lost, twice = state.copy(), state.copy()
                getattr(lost, pile)[deck].pop()
                getattr(twice, pile)[deck].append(cards[deck][0])
                assert check_things(lost)
                assert check_things(twice)
    for seat, hand in enumerate(state.cards):
        if hand:
            made = state.copy()
            made.cards[seat].pop()
            assert check_things(made)


def seat_of(state: State, *, out: bool) -> int:
    """A seat that is in the game, or out of it."""
    return next(seat for seat in range(state.seats) if bool(state.out[seat]) == out)


def _beside(state: State, lot: int, number: int = 0, times: int = 1) -> None:
    """One more auction, or more; the first of them may have a wrong number."""
    for _ in range(times):
        begin_auction(state, state.auction_count + 1, lot)
    if number:
        state.auction = number


def _reserve(state: State, seat: int) -> None:
    """A lot that is sold and not paid."""
    state.extras.reserved_lots = [state.owner.index(-1, 1)]
    state.extras.reserved_for = [seat]


def wrong_positions() -> dict[str, Callable[[State, int, int], object]]:
    """Ways to spoil a game, each given the state, a seat in it and one that is out."""
    return {
        "on hold more than there is": lambda s, a, _: s.held.__setitem__(a, s.cash[a] + 1),
        "off the board": lambda s, a, _: s.at.__setitem__(a, s.board.size),
        "jailed elsewhere": lambda s, a, _: (s.jailed.__setitem__(a, 1), s.at.__setitem__(a, 1)),
        "out and rich": lambda s, _, b: s.cash.__setitem__(b, 1),
        "debt of nothing": lambda s, a, _: s.debts.append(OpenDebt(a, -1, 0, 4, -1)),
        "debt to oneself": lambda s, a, _: s.debts.append(OpenDebt(a, a, 5, 4, -1)),
        "debt of the dead": lambda s, _, b: s.debts.append(OpenDebt(b, -1, 5, 4, -1)),
        "an estate that belongs to somebody": lambda s, a, _: s.estate.append(s.owner.index(a)),
        "an owned lot under the hammer": lambda s, a, _: setattr(s, "auction_lot", s.owner.index(a)),
        "an owned lot beside it": lambda s, a, _: _beside(s, s.owner.index(a)),
        "one lot under two hammers": lambda s, _, __: _beside(s, s.owner.index(-1, 1), times=2),
        "a lot that waits for the dead": lambda s, _, b: _reserve(s, b),
        "a lot that waits and is not owed for": lambda s, a, _: _reserve(s, a),
        "an auction out of turn": lambda s, _, __: _beside(s, s.owner.index(-1, 1), 9_999),
        "an empty pot": lambda s, _, __: s.extras.pots.__setitem__(0, -1),
        "lost turns": lambda s, a, _: s.extras.skip.__setitem__(a, -1),
        "reversed twice": lambda s, a, _: s.extras.reverse.__setitem__(a, 2),
        "a gift": lambda s, a, _: s.extras.discount.__setitem__(a, 101),
        "a loan of the dead": lambda s, _, b: s.extras.loans.append(OpenLoan(b, -1, 5, 0)),
        "a loan to oneself": lambda s, a, _: s.extras.loans.append(OpenLoan(a, a, 5, 0)),
        "a pass of a lot that was sold": lambda s, a, _: s.extras.passes.append(
            LotPass(s.owner.index(-1, 1), a, a, 1)
        ),
        "a pass used up": lambda s, a, _: s.extras.passes.append(LotPass(s.owner.index(a), a, a - 1, 0)),
        "a claim to the dead": lambda s, a, b: s.extras.claims.append(OpenClaim(a, b, 1, 5)),
        "a rent level without levels": lambda s, a, _: s.extras.rent_level.__setitem__(s.owner.index(a), 1),
        "a term without a mortgage": lambda s, _, __: s.extras.last_round.__setitem__(
            s.mortgaged.index(0), 9
        ),
    }


@pytest.mark.parametrize("how", wrong_positions())
def test_a_spoilt_game_is_noticed(state: State, how: str) -> None:
    """Money, places, debts, estates, and what only some rule sets have."""
    made = state.copy()
    made.extras.touched = 1
    wrong_positions()[how](made, seat_of(state, out=False), seat_of(state, out=True))
    assert check(made, list(made.cash)), how


@pytest.mark.parametrize("name", ["shortage_building", "placing_seat", "bankruptcies", "time_up"])
def test_extras_in_use_and_not_marked_are_noticed(state: State, name: str) -> None:
    """The rules look for these only once `touched` says so, so whoever begins one must say it."""
    made = state.copy()
    setattr(made.extras, name, 1)
    made.extras.touched = 0
    assert any("touched" in one for one in check(made, list(made.cash)))
    made.extras.touched = 1
    assert not any("touched" in one for one in check(made, list(made.cash)))


def test_a_game_that_waits_for_nobody_is_noticed(state: State) -> None:
    """A phase without what it is about, or a seat on turn that is out."""
    for phase in (PHASE_BUY, PHASE_DEBT):
        made = state.copy()
        made.phase = phase
        made.offered_lot = -1
        made.debts.clear()
        assert check_waiting(made)
    made = state.copy()
    made.debts.clear()
    made.phase = 1
    made.turn_seat = seat_of(state, out=True)
    assert check_waiting(made)
