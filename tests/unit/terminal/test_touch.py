"""What the touch unit does, from tables; and that what the tests show it is what the bank shows it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from loadtests.fuzz_touch import fuzz_touch, random_action, random_turn
from loadtests.promises import BrokenPromiseError
from loadtests.touch_game import TouchDesk
from magnate.bank.games.seen import seen_game
from magnate.bank.terminal.step import GameView, Press, TapCard, TapDeed
from magnate.bank.terminal.unit import Unit
from magnate.game.setup_codec import encode_board
from magnate.game.v1 import game_pb2
from magnate.game.view import put_rules
from magnate.rules.steps.questions import question
from magnate.rules.vocabulary import PHASE_CHOICE, PHASE_OVER
from tests.support.refusals import given_by
from tests.unit.terminal.touch_tables import Case, play, read_cases

HERE = Path(__file__).parent / "touch"
FILES = sorted(HERE.glob("*.yaml"))


@pytest.mark.parametrize("case", read_cases(*FILES), ids=lambda case: f"{case.file}: {case.name}")
def test_the_touch_unit_does_what_the_table_says(case: Case) -> None:
    """Row 87: taps and keys in; displays, sounds and commands of the game out."""
    play(case)


@pytest.mark.parametrize(
    "line",
    [
        "24 -> query 261 /24 ; card",
        "24 -> query 260 /24 ; key",
        "24 a -> offer -260 @a /24 ; card",
        "24 a -> offer -260 @a /24 ; card ; place_token 25 by a",
        "24 -> query 260 /24 ; card ; - ; cross",
        "balances 1 2 3",
        "closed",
    ],
)
def test_a_wrong_table_fails(line: str) -> None:
    """The tables can fail: by the display, a sound, a command, what is expected, money."""
    with pytest.raises(AssertionError, match="wrong"):
        play(Case("none", "wrong", [line]))


def test_every_refusal_of_the_touch_unit_has_a_table() -> None:
    """A refusal that the unit gives by itself is seen on its display in some table."""
    seen = {word for file in FILES for word in file.read_text(encoding="utf-8").split()}
    assert given_by("bank/terminal/touch.py") <= seen


def message_of(desk: TouchDesk) -> game_pb2.GameView:
    """Return the game as the game service shows it."""
    state = desk.hosted.state
    message = game_pb2.GameView()
    for seat in range(state.seats):
        message.seats.add(seat=seat)
    message.board.CopyFrom(encode_board(state.board))
    put_rules(state, message, ())
    over = state.phase == PHASE_OVER
    message.status = game_pb2.GAME_STATUS_OVER if over else game_pb2.GAME_STATUS_RUNNING
    message.situation.phase = state.phase  # type: ignore[assignment]  # the same numbers
    message.situation.turn_seat = state.turn_seat
    auction = desk.hosted.game.auction
    if auction is not None:
        shown = message.situation.auction
        shown.lot, shown.leader, shown.price = auction.lot, auction.leader, auction.price
        shown.next_minimum = auction.least_bid
        shown.close_time.FromMilliseconds(desk.hosted.due_ms)
    if state.phase == PHASE_CHOICE:
        asked = message.situation.question
        asked.question = question(state)  # type: ignore[assignment]  # the same numbers
        asked.amount = state.extras.question_amount
        if state.choice_deck >= 0:
            asked.card.deck, asked.card.card = state.choice_deck, state.choice_card
    return message


def slots_of(view: GameView) -> dict[str, object]:
    """Return all that is seen."""
    names = [name for name in dir(view) if not name.startswith("_")]
    return {name: getattr(view, name) for name in names}


@pytest.mark.parametrize("seed", [1, 2])
def test_what_the_bank_sees_is_what_the_tests_see(seed: int) -> None:
    """The game as read from the game service's view is the one that is read from the rules' state."""
    chance = random.Random(seed)
    desk = TouchDesk(3, seed)
    phases = set()
    for _ in range(600):
        turn = random_turn(chance, desk) if chance.random() < 0.5 else [random_action(chance, desk)]
        for action in turn:
            desk.do(action)
            desk.wait(chance.choice([100, 3_000]))
            assert slots_of(seen_game(message_of(desk))) == slots_of(desk.hosted.view())
            phases.add(desk.hosted.state.phase)
    assert len(phases) > 4


def test_random_taps_break_no_promise() -> None:
    """Twenty thousand of them, through whole games to their rankings."""
    counts = fuzz_touch(20_000, 11, lambda _done: None)
    assert counts["games"] >= 2
    assert counts["place_token"] > 400
    assert sum(counts.values()) == 20_000 + counts["games"]


def test_a_broken_promise_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzz can fail, and says by which action."""
    monkeypatch.setattr("loadtests.fuzz_touch.check_alive", lambda _desk: 1 // 0)
    with pytest.raises(BrokenPromiseError, match=r"touch, seed 3, action 0: integer division"):
        fuzz_touch(10, 3, lambda _done: None)


def test_a_unit_goes_on_after_every_tap_from_what_is_stored() -> None:
    """What was tapped and until when, and what was paid, is all in the stored state."""
    desk = TouchDesk(2)
    for action in (
        Press("TICK"),
        TapDeed(35, False),
        TapCard(0),
        Press("TICK"),
        TapDeed(35, True),
        TapCard(1),
    ):
        desk.do(action)
        shown = desk.frame()
        desk.unit = Unit.of(desk.unit.plain())
        again = desk.frame()
        assert (again.word, again.text, again.seat, again.square) == (
            shown.word,
            shown.text,
            shown.seat,
            shown.square,
        )
    assert desk.balances() == [1100, 1500]
