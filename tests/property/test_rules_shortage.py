"""Few buildings and many who want them: exact legal actions, invariants, and an end, by any options."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from magnate.rules import plain
from magnate.rules.chance import RandomChance
from magnate.rules.decide import close_window, decide
from magnate.rules.decision import Decision
from magnate.rules.kinds import names_of
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.legal_refusal import refusal
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_OVER, PHASE_PLACE, PHASE_SHORTAGE
from tests.support.playing import Position
from tests.support.random_play import choose, inside, outside

if TYPE_CHECKING:
    from magnate.rules.options import Written
    from tests.support.playing import Table

SLOW = settings(max_examples=max(1, settings().max_examples // 4), deadline=None)
COMMANDS_MAX = 300
OPTIONS: dict[str, list[Written]] = {
    "build.when": ["any_time", "own_turn", "own_turn_before_roll"],
    "build.even": [True, True, False],
    "build.per_turn": ["unlimited", "unlimited", "one_per_group"],
    "build.houses_before_hotel": [1, 3, 4],
    "build.hotel_needs": ["group", "group", "lot"],
    "build.hotels_sold_together": [True, False],
    "build.hotel_without_houses": [True, False],
    "build.shortage_start": ["deed_price", "any"],
    "auction.style": ["open_outcry", "by_turn"],
    "auction.mode": ["open", "penny"],
    "auction.bid_limit": ["cash", "liquidation", "none"],
    "auction.unsold": ["stays_free", "put_up_again"],
    "auction.opening": ["any", "decliner_sets_minimum", "list_price"],
    "auction.decliner_may_bid": [True, False],
    "mortgage.clear": ["group", "lot"],
    "debt.payment": ["automatic", "asked", "by_card"],
}
GROUPS = [(1, 3), (6, 8, 9), (11, 13, 14), (16, 18, 19), (31, 32, 34), (37, 39)]


def table_of(rng: Random) -> Table | None:
    """Begin a game in which several seats own whole groups and the bank has next to nothing."""
    house: dict[str, Written] = {name: rng.choice(values) for name, values in OPTIONS.items()}
    rules = with_house_rules(
        load_ruleset("classic"), {**house, "build.shortage": "auction", "end.turns_max": 60}
    )
    if not isinstance(rules, RuleSet):  # the options contradict each other
        return None
    position = Position(load_board("classic-us"), rules, rng.randint(2, 4))
    for lots in GROUPS:
        position.own(rng.randrange(position.seats), *lots)
    position.cash = [rng.choice((60, 400, 1500, 4000)) for _ in range(position.seats)]
    position.houses, position.hotels = rng.choice(((1, 0), (2, 1), (3, 1), (5, 2)))
    return position.table(RandomChance(rng.getrandbits(32)))


@SLOW
@given(seed=st.integers(0, 2**32))
def test_the_last_buildings_are_shared_by_the_rules(seed: int) -> None:
    """Every listed command is accepted and every other refused; time runs out; nothing is lost or doubled."""
    rng = Random(seed)
    table = table_of(rng)
    if table is None:
        return
    state = table.state
    stock = (state.houses_left, state.hotels_left)
    for step in range(COMMANDS_MAX):
        if state.phase == PHASE_OVER:
            break
        if step % 9 == 0:
            probe(table, rng)
        if state.phase == PHASE_AUCTION and rng.random() < 0.1:
            table.close()
        elif state.phase == PHASE_SHORTAGE and rng.random() < 0.1:
            decision = Decision()
            assert close_window(state, decision) is None
            table.take(decision)
        else:
            seat, action = choose(table, rng)
            assert table.act(seat, inside(table, rng, seat, action)) is None
        assert plain.digest(state) == plain.digest(table.twin)
        assert stock == supply(table)
        assert state.phase != PHASE_PLACE or state.extras.placing_seat


def probe(table: Table, rng: Random) -> None:
    """Try one command of every listed kind, and those just outside, without keeping the result."""
    state = table.state
    for seat in range(state.seats):
        kinds = names_of(legal_kinds(state, seat, table.auctions))
        for action in table.legal(seat):
            if action.kind not in ("place_bid", "pass_auction"):
                command = inside(table, rng, seat, action)
                answer = decide(state, seat, command, RandomChance(1))
                assert not isinstance(answer, Rejection), (seat, action, command, answer)
        for command in outside(table, seat):
            assert isinstance(decide(state, seat, command, RandomChance(1)), Rejection), (seat, command)
        for kind in ("build", "want_building", "place_building", "skip", "place_bid", "sell_buildings"):
            assert (refusal(state, seat, kind, table.auctions) == "") == (kind in kinds), (seat, kind)


def supply(table: Table) -> tuple[int, int]:
    """Houses and hotels, in the bank and on the board together."""
    state = table.state
    hotel = state.hotel_level
    houses = sum(level for level in state.level if level < hotel)
    hotels = sum(1 for level in state.level if level == hotel)
    return state.houses_left + houses, state.hotels_left + hotels
