"""Nothing that is sent can make the rules raise, and what is refused leaves no trace."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from magnate.rules import plain
from magnate.rules.chance import RandomChance
from magnate.rules.decide import decide
from magnate.rules.legal import legal_actions
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.rejections import REJECTIONS, Rejection
from magnate.rules.state import State
from magnate.rules.vocabulary import (
    AcceptOffer,
    Build,
    Card,
    ChooseOption,
    Command,
    CounterOffer,
    LotLevel,
    MortgageLots,
    OfferTrade,
    PassAuction,
    PlaceBid,
    RedeemLots,
    RejectOffer,
    SellBuildings,
    Terms,
    WithdrawOffer,
)
from tests.support.playing import Table
from tests.support.random_play import PLAIN, choose, inside

INTS = st.one_of(st.integers(-3, 45), st.integers(-(2**63), 2**63 - 1))
LISTS = st.lists(INTS, max_size=6)
CARDS = st.lists(st.builds(Card, INTS, INTS), max_size=3)
LEVELS = st.lists(st.builds(LotLevel, INTS, INTS), max_size=6)
TERMS = st.builds(Terms, INTS, LISTS, CARDS, INTS, LISTS, CARDS, INTS)
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.sampled_from(list(PLAIN.values())),
    st.builds(Build, LEVELS),
    st.builds(SellBuildings, LEVELS),
    st.builds(MortgageLots, LISTS),
    st.builds(RedeemLots, LISTS),
    st.builds(OfferTrade, INTS, TERMS),
    st.builds(CounterOffer, INTS, TERMS),
    st.builds(AcceptOffer, INTS, LISTS),
    st.builds(RejectOffer, INTS),
    st.builds(WithdrawOffer, INTS),
    st.builds(ChooseOption, INTS),
    st.builds(PlaceBid, INTS, INTS),
    st.builds(PassAuction, INTS),
    st.just(Command()),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**32),
    before=st.integers(0, 300),
    tries=st.lists(st.tuples(st.integers(-2, 9), COMMANDS), max_size=40),
)
def test_decide_never_raises_and_a_refusal_changes_nothing(
    seed: int, before: int, tries: list[tuple[int, Command]]
) -> None:
    """Garbage of every kind, from every seat, in games of every length."""
    table = Table(load_board("classic-us"), load_ruleset("classic"), 4, RandomChance(seed), check_all=False)
    table.start()
    rng = Random(seed)
    for _ in range(before):
        if table.state.phase == 8:
            break
        seat, action = choose(table, rng)
        table.act(seat, inside(table, rng, seat, action))
    table.check_all = True
    digest = plain.digest(table.state)
    for seat, command in tries:
        answer = decide(table.state, seat, command, RandomChance(seed))
        assert plain.digest(table.state) == digest
        if isinstance(answer, Rejection):
            assert answer.name in REJECTIONS
        if not isinstance(command, (PlaceBid, PassAuction)) and 0 <= seat < 4:
            refused = table.act(seat, command)
            assert (refused is None) == (not isinstance(answer, Rejection))
        digest = plain.digest(table.state)


def test_nothing_is_legal_before_the_start_or_for_strangers() -> None:
    """No seat may do anything in a game that has not begun, nor a seat that is not there."""
    state = State(load_board("classic-us"), load_ruleset("classic"), 2)
    for seat in (-1, 0, 1, 2):
        assert legal_kinds(state, seat) == 0
        assert legal_actions(state, seat) == []
        answer = decide(state, seat, PLAIN["roll"], RandomChance(1))
        assert isinstance(answer, Rejection)
        assert answer.name == "NOT_STARTED"
