"""Games full of cards, questions and special squares: what is listed is accepted, what is not is refused."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magnate.rules.chance import RandomChance
from magnate.rules.decide import decide
from magnate.rules.kinds import names_of
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.legal_refusal import refusal
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.vocabulary import PHASE_OVER, Command, PlayCard, ReturnLots, Stake
from tests.support.playing import Table
from tests.support.random_play import choose, inside, outside

SLOW = settings(max_examples=max(1, settings().max_examples // 10))  # of the profile: a game takes its time
HOUSE: dict[str, list[dict[str, int | str]]] = {
    "ultimate-banking": [
        {},
        {"trade.when": "any_time"},
        {"end": "last_player", "rent.owner_in_jail": True},
        {"table.tokens": "by_hand"},
        {"table.tokens": "by_hand", "end": "last_player", "go.landing_doubles": True},
    ],
    "online": [
        {},
        {"parking.pot": True, "debt.payment": "automatic"},
        {"debt.return_lots": True, "debt.payment": "by_card"},
    ],
    "millionaire": [
        {},
        {"debt.return_lots": True, "build.when": "any_time"},
        {"parking.pot": True, "rent.claim": "owner_before_next_player_rolls", "debt.payment": "asked"},
        {
            "trade.when": "never",
            "bankrupt.to_player": "estate_to_creditor",
            "mortgage.transfer": "taken_over",
        },
    ],
}
CASES = [(ruleset, number) for ruleset, all_options in HOUSE.items() for number in range(len(all_options))]
MINE = (
    "choose_option", "stake", "play_card", "skip", "return_lots", "roll", "end_turn", "pay_fine",
    "use_jail_card", "place_token", "pass_go", "drawn_card",
)  # fmt: skip


def table_of(seed: int, ruleset: str, house: dict[str, int | str]) -> Table:
    """Begin a game that ends after some turns."""
    rules = with_house_rules(load_ruleset(ruleset), {**house, "end.turns_max": 80})
    assert isinstance(rules, RuleSet), rules
    table = Table(load_board(rules.board), rules, 2 + seed % 3, RandomChance(seed))
    table.start()
    return table


@pytest.mark.parametrize(("ruleset", "number"), CASES)
@SLOW
@given(seed=st.integers(0, 2**32))
def test_what_is_asked_is_listed_exactly(ruleset: str, number: int, seed: int) -> None:
    """The whole game is checked after each command; every few, what is legal is tried and what is not."""
    table = table_of(seed, ruleset, HOUSE[ruleset][number])
    rng = Random(seed)
    step = 0
    while table.state.phase != PHASE_OVER:
        step += 1
        if step % 11 == 0 or table.may(table.state.turn_seat, "skip") is not None:
            probe(table, rng)
        seat, action = choose(table, rng)
        assert table.act(seat, inside(table, rng, seat, action)) is None, (seat, action)


def probe(table: Table, rng: Random) -> None:
    """Try one command of every listed kind, and every command just outside, without keeping the result."""
    state = table.state
    for seat in range(state.seats):
        listed = table.legal(seat)
        kinds = names_of(legal_kinds(state, seat, table.auctions))
        assert sorted({action.kind for action in listed}) == sorted(kinds)
        for action in listed:
            if action.kind not in ("place_bid", "pass_auction"):
                command = inside(table, rng, seat, action)
                answer = decide(state, seat, command, RandomChance(1))
                assert not isinstance(answer, Rejection), (seat, action, command, answer)
        for command in [*outside(table, seat), *outside_of_cards(table, seat)]:
            assert isinstance(decide(state, seat, command, RandomChance(1)), Rejection), (seat, command)
        for kind in MINE:
            assert (refusal(state, seat, kind, table.auctions) == "") == (kind in kinds), kind


def outside_of_cards(table: Table, seat: int) -> list[Command]:
    """Stakes, kept cards and lots to give back that nobody listed."""
    state = table.state
    legal = {action.kind: action for action in table.legal(seat)}
    found: list[Command] = []
    stake = legal.get("stake")
    amount = stake.amount_min if stake else 50
    faces = [] if stake is None or stake.faces_max == 0 else [1]
    found += [Stake(amount - 1, faces), Stake(amount + 1, faces), Stake(0, faces)]
    if stake is None:
        found += [Stake(amount, []), Stake(amount, [1])]
    elif stake.faces_max:
        found += [Stake(amount, []), Stake(amount, [1, 2, 3, 4]), Stake(amount, [1, 1]), Stake(amount, [7])]
    else:
        found.append(Stake(amount, [1]))
    cards = [(card.deck, card.card) for card in legal["play_card"].cards] if "play_card" in legal else []
    for deck in range(-1, len(state.board.decks) + 1):
        for card in range(-1, 65):
            if (deck, card) not in cards:
                found.append(PlayCard(deck, card))
    lots = [one.lot for one in legal["return_lots"].lots] if "return_lots" in legal else []
    for square in range(-1, state.board.size + 1):
        if square not in lots:
            found.append(ReturnLots([square]))
        else:
            found.append(ReturnLots([square, square]))
    found.append(ReturnLots([]))
    return found
