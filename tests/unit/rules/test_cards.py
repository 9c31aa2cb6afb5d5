"""Every kind of card (rows 14, 38, 39; cases C004 to C006, C033), and how a deck goes round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.chance import RandomChance
from magnate.rules.decision import Decision
from magnate.rules.draft import Draft
from magnate.rules.evolve import EVOLVE
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.state import State
from magnate.rules.steps.card import draw_card
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_DEBT,
    CardDrawn,
    CardKept,
    CardReturned,
    ChooseOption,
    EndTurn,
    HeldCard,
    RepairsCharged,
    Roll,
    UseJailCard,
)
from tests.support.classic import BANK, CHANCE, CHEST, A, B, C, begin, paid, position, said

if TYPE_CHECKING:
    from tests.support.playing import Position


def before_chest(made: Position) -> Position:
    """Put seat A where 1 + 2 leads to a chest square."""
    made.at[A] = 14
    return made


def test_gain_and_pay() -> None:
    """The bank pays, or is paid."""
    table = begin(before_chest(position()), (1, 2), chest=("cc02",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(BANK, A, 200)]
    table = begin(before_chest(position()), (1, 2), chest=("cc03",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, BANK, 50)]


def test_collect_and_pay_each() -> None:
    """In turn order from the one after the reader; seats that left neither pay nor receive (C033)."""
    table = begin(before_chest(position(seats=4)), (1, 2), chest=("cc09",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(1, A, 10), (2, A, 10), (3, A, 10)]
    made = position(seats=4)
    made.out[B] = 1
    made.cash[B] = 0
    made.at[A] = 33
    table = begin(made, (1, 2), chance=("ch15",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, 2, 50), (A, 3, 50)]


def test_birthday_of_somebody_whose_friends_are_poor() -> None:
    """Who cannot pay owes; it is his debt, and the turn of the reader waits for it."""
    made = before_chest(position().own(B, 39))
    made.cash[B] = 4
    table = begin(made, (1, 2), chest=("cc09",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(C, A, 10)]
    assert (table.state.phase, table.state.owed(B), table.state.turn_seat) == (PHASE_DEBT, 10, A)
    assert table.refused(A, EndTurn()) == "WRONG_PHASE"


def test_back_three_from_each_chance_square() -> None:
    """C004: a chest card, the income tax, a lot; never a salary (row 14)."""
    made = position()
    made.at[A] = 33
    table = begin(made, (1, 2), chance=("ch10",), chest=("cc03",))
    assert table.act(A, Roll()) is None
    assert table.state.at[A] == 33
    assert [(e.deck, e.card) for e in table.decision.events if isinstance(e, CardDrawn)] == [
        (CHANCE, 9),
        (CHEST, 2),
    ]
    assert paid(table) == [(A, BANK, 50)]
    made.at[A] = 4
    table = begin(made, (1, 2), chance=("ch10",))
    assert table.act(A, Roll()) is None
    assert (table.state.at[A], paid(table)) == (4, [(A, BANK, 200)])
    made.at[A] = 19
    table = begin(made, (1, 2), chance=("ch10",))
    assert table.act(A, Roll()) is None
    assert (table.state.phase, table.state.offered_lot, paid(table)) == (PHASE_BUY, 19, [])


def test_back_to_a_named_square_pays_no_salary() -> None:
    """The British chest sends one back to the first street, over GO or not."""
    made = position(board="classic-uk")
    made.at[A] = 14
    table = begin(made, (1, 2), chest=("ukcc02",))
    assert table.act(A, Roll()) is None
    assert (table.state.at[A], paid(table), table.state.offered_lot) == (1, [], 1)


def test_repairs_count_a_hotel_as_a_hotel() -> None:
    """C006: 4 houses and 2 hotels are 300 by the first card and 390 by the second."""
    made = position().own(A, 16, 18, 19).own(A, 37, 39, level=5)
    made.level[16], made.level[18], made.level[19] = 2, 1, 1
    made.at[A] = 33
    table = begin(made, (1, 2), chance=("ch12",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, BANK, 300)]
    assert said(table, RepairsCharged) == ["RepairsCharged"]
    made.at[A] = 30
    table = begin(made, (1, 2), chest=("cc14",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, BANK, 390)]


def test_repairs_of_nothing() -> None:
    """Without buildings nothing is posted."""
    made = position()
    made.at[A] = 33
    table = begin(made, (1, 2), chance=("ch12",))
    assert table.act(A, Roll()) is None
    assert paid(table) == []
    assert table.state.phase == PHASE_ACT


def test_a_jail_free_card_is_kept_and_goes_back_under_its_deck() -> None:
    """Row 39: out of the deck while kept; used, it is the last of its deck."""
    table = begin(before_chest(position()), (1, 2), chest=("cc05",))
    assert table.act(A, Roll()) is None
    assert said(table, CardDrawn, CardKept) == ["CardDrawn", "CardKept"]
    assert table.state.cards[A] == [CHEST * 64 + 4]
    assert 4 not in table.state.unseen[CHEST] + table.state.seen[CHEST]

    made = position()
    made.at[A], made.jailed[A] = 10, 1
    made.cards = [HeldCard(A, CHEST, 4)]
    made.phase = 2
    table = begin(made, (1, 2))
    assert table.act(A, UseJailCard()) is None
    assert said(table, CardReturned) == ["CardReturned"]
    assert (table.state.cards[A], table.state.seen[CHEST], table.state.jailed[A]) == ([], [4], 0)
    assert table.act(A, Roll()) is None
    assert table.state.at[A] == 13


def test_a_card_that_asks() -> None:
    """The British chest card: pay 10, or take a chance card."""
    made = position(board="classic-uk")
    made.at[A] = 14
    table = begin(made, (1, 2), chest=("ukcc16",))
    assert table.act(A, Roll()) is None
    assert table.state.phase == PHASE_CHOICE
    assert table.refused(B, ChooseOption(0)) == "NOT_YOUR_TURN"
    assert table.refused(A, ChooseOption(2)) == "INVALID_TARGET"
    assert table.refused(A, EndTurn()) == "WRONG_PHASE"
    assert table.act(A, ChooseOption(0)) is None
    assert paid(table) == [(A, BANK, 10)]
    assert table.state.phase == PHASE_ACT

    table = begin(made, (1, 2), chest=("ukcc16",), chance=("ukch05",))
    assert table.act(A, Roll()) is None
    assert table.act(A, ChooseOption(1)) is None
    assert (table.state.at[A], table.state.phase, table.state.offered_lot) == (24, PHASE_BUY, 24)
    assert table.refused(A, ChooseOption(0)) == "NO_CHOICE_PENDING"


def test_a_deck_goes_round_in_the_order_it_was_seen() -> None:
    """Row 38: each card once, then the same order again, without another draw of chance."""
    made = position()
    state = State(made.board, made.rules, 2)
    draft = Draft(state, RandomChance(5), Decision())
    state.turn_seat = A
    state.cash = [10**6, 10**6]
    order: list[int] = []
    draws: list[int] = []
    for _ in range(31):
        draw_card(draft, A, CHANCE)
    for event in draft.events:
        if isinstance(event, CardDrawn):
            order.append(event.card)
            draws.append(event.draw)
    kept = made.board.decks[CHANCE].index_of("ch09")
    first = order[:16]
    assert sorted(first) == list(range(16))
    assert order[16:] == [card for card in first if card != kept]
    assert draws[16:] == [0] * 15


def test_a_deck_that_is_used_up_is_shuffled_again_where_the_rule_set_says_so() -> None:
    """Row 38: each card once, then each once more in an order of its own, and the fold says the same."""
    made = position()
    rules = with_house_rules(made.rules, {"cards.reshuffled": True})
    assert isinstance(rules, RuleSet)
    state = State(made.board, rules, 2)
    twin = state.copy()
    draft = Draft(state, RandomChance(5), Decision())
    state.turn_seat = twin.turn_seat = A
    state.cash = [10**6, 10**6]
    for _ in range(31):
        draw_card(draft, A, CHANCE)
    drawn = [event for event in draft.events if isinstance(event, CardDrawn)]
    kept = made.board.decks[CHANCE].index_of("ch09")
    first = [event.card for event in drawn[:16]]
    second = [event.card for event in drawn[16:]]
    assert sorted(first) == list(range(16))
    assert sorted(second) == [card for card in range(16) if card != kept]
    assert second != [card for card in first if card != kept]
    assert all(event.draw > 0 for event in drawn)
    for event in draft.events:
        EVOLVE[type(event)](twin, event)
    assert (twin.unseen, twin.seen) == (state.unseen, state.seen)
