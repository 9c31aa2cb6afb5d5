"""What bots answer when cards and squares ask."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from magnate.client.bots.answers import any_answer, sensible_answer
from magnate.client.bots.base import by_kind
from magnate.client.bots.sensible import SensibleBot
from magnate.client.bots.worth import Worth
from magnate.rules.loader import load_board
from magnate.rules.v1 import vocabulary_pb2
from tests.support.client_views import action, lot, owned, view_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.v1 import game_pb2

EVENTS = load_board("ultimate-banking").decks[0]


def asked_by(
    card: str, answers: Sequence[int], owner: dict[int, int], cash: tuple[int, ...] = (900, 500, 1500)
) -> int:
    """Return what seat 0 answers an event card."""
    view = view_of(cash=cash, owner=owner, phase=vocabulary_pb2.PHASE_CHOICE, ruleset="ultimate-banking")
    view.situation.question.question = vocabulary_pb2.QUESTION_CARD
    view.situation.question.card.card = EVENTS.index_of(card)
    listed = action("choose_option", question=vocabulary_pb2.QUESTION_CARD, answers=answers)
    command = sensible_answer(0, Worth(view), by_kind([listed]))
    assert command is not None
    return command.choose_option.option


def square_asks(
    question: vocabulary_pb2.Question.ValueType, view: game_pb2.GameView, *actions: game_pb2.LegalAction
) -> vocabulary_pb2.Command:
    """Return what seat 0 answers a square."""
    view.situation.question.question = question
    for one in actions:
        one.question = question
    command = sensible_answer(0, Worth(view), by_kind(actions))
    assert command is not None
    return command


def test_gifts_go_to_the_poorest_and_jail_to_the_richest() -> None:
    """Whom one has to choose is chosen by his money."""
    assert asked_by("ev06", [1, 2], {}) == 1
    assert asked_by("ev23", [1, 2], {}) == 2


def test_levels_rise_on_own_lots_and_fall_on_those_of_others() -> None:
    """The dearest own one to the top; the dearest of others down; an own one only if it must be."""
    owner = owned(0, [1, 35]) | owned(1, [3, 33])
    assert asked_by("ev08", [1, 35], owner) == 35
    assert asked_by("ev03", [1, 3, 33, 35], owner) == 33
    assert asked_by("ev03", [1, 35], owned(0, [1, 35])) == 1
    assert asked_by("ev12", [1, 35], owner) == 1
    assert asked_by("ev09", [1, 35], owner) == 35


def test_it_goes_where_a_group_is_completed_and_swaps_its_least() -> None:
    """A free lot that can be paid, else an own one, else where the rent is least."""
    lots = load_board("ultimate-banking").lots
    assert asked_by("ev17", lots, owned(0, [33])) == 35
    everything = owned(1, lots)
    assert asked_by("ev17", lots, everything | owned(0, [24])) == 24
    assert asked_by("ev17", lots, everything) == 1
    assert asked_by("ev21", [1, 35], owned(0, [1, 35])) == 1


def test_it_takes_the_best_lot_in_a_swap() -> None:
    """The second half of the swap."""
    view = view_of(owner=owned(0, [1]) | owned(1, [3, 24]), ruleset="ultimate-banking")
    listed = action("choose_option", answers=[3, 24])
    assert square_asks(vocabulary_pb2.QUESTION_SWAP, view, listed).choose_option.option == 24


@pytest.mark.parametrize(("mine", "goes"), [([33], True), ([], False)])
def test_it_pays_a_location_only_to_complete_a_group(mine: list[int], *, goes: bool) -> None:
    """Otherwise the fee stays in hand."""
    view = view_of(owner=owned(0, mine), ruleset="ultimate-banking")
    listed = action("choose_option", answers=[1, 35], amount_min=100)
    command = square_asks(vocabulary_pb2.QUESTION_LOCATION, view, listed, action("skip"))
    assert command.HasField("choose_option") == goes
    assert command.HasField("skip") != goes


def test_it_leaves_a_stake_alone() -> None:
    """The bank wins in the long run."""
    view = view_of(ruleset="millionaire")
    command = square_asks(vocabulary_pb2.QUESTION_STAKE, view, action("stake", amount_min=50), action("skip"))
    assert command.HasField("skip")


@pytest.mark.parametrize(("rent", "plays"), [(1000, True), (10, False)])
def test_it_keeps_its_card_for_a_rent_that_hurts(rent: int, *, plays: bool) -> None:
    """A small rent is paid."""
    view = view_of(ruleset="millionaire")
    view.situation.question.amount = rent
    card = vocabulary_pb2.Card(deck=1, card=18)
    command = square_asks(
        vocabulary_pb2.QUESTION_RENT, view, action("play_card", cards=[card]), action("skip")
    )
    assert command.HasField("play_card") == plays


@pytest.mark.parametrize(("cash", "answer"), [(300, 1), (5000, 0)])
def test_it_pays_the_lesser_tax(cash: int, answer: int) -> None:
    """The sum, or the share of all it has."""
    view = view_of(cash=(cash, 1500), owner=owned(0, [1, 3]), level={1: 2})
    view.board.squares[4].tax_percent = 10
    view.situation.question.square = 4
    view.situation.question.amount = 200
    listed = action("choose_option", answers=[0, 1], amount_min=200)
    assert square_asks(vocabulary_pb2.QUESTION_TAX, view, listed).choose_option.option == answer


def test_it_gives_the_cheapest_lot_back_that_pays_the_debt() -> None:
    """And the dearest where none does."""
    view = view_of(cash=(50, 1500), owner=owned(0, [1, 24, 35]), ruleset="ultimate-banking")
    view.debts.add(debtor=0, creditor=1, amount=250)
    listed = action("return_lots", lots=[lot(1, 60), lot(24, 260), lot(35, 400)])
    bot = SensibleBot(random.Random(1))
    command = bot.choose(0, view, [listed])
    assert command is not None
    assert list(command.return_lots.lots) == [24]
    view.debts[0].amount = 700
    command = bot.choose(0, view, [listed])
    assert command is not None
    assert list(command.return_lots.lots) == [35]


def test_any_answer_is_one_of_those_listed() -> None:
    """Options, stakes with faces or without, cards, leaving it alone; nothing where nothing is asked."""
    chance = random.Random(1)
    online = view_of(ruleset="online")
    stake = action("stake", amount_min=1000, faces_max=3)
    seen = set()
    for _ in range(60):
        command = any_answer(chance, online, by_kind([stake, action("skip")]))
        assert command is not None
        seen.add(command.WhichOneof("kind"))
        if command.HasField("stake"):
            faces = list(command.stake.faces)
            assert command.stake.amount == 1000
            assert 1 <= len(set(faces)) == len(faces) <= 3
            assert set(faces) <= set(range(1, 7))
    assert seen == {"stake", "skip"}
    listed = by_kind([action("choose_option", answers=[5, 9])])
    answers = {any_answer(chance, online, listed).choose_option.option for _ in range(30)}  # type: ignore[union-attr]
    assert answers == {5, 9}
    assert any_answer(chance, online, {}) is None
