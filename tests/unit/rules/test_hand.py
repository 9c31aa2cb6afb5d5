"""Tokens moved by hand: the players throw, move and draw, and the game is told (`table.tokens: by_hand`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules.board import Board
from magnate.rules.board_parts import Card, Deck
from magnate.rules.chance import RandomChance
from magnate.rules.effects import EFFECT_CHOOSE_ONE, EFFECT_GAIN, EFFECT_JAIL_FREE, EFFECT_SKIP_TURN, Effect
from magnate.rules.expiry import default_command
from magnate.rules.fit import misfit
from magnate.rules.legal_refusal import refusal
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.referee import Referee
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.simulate import Game
from magnate.rules.vocabulary import (
    END_REASON_FIRST_BANKRUPTCY,
    END_REASON_LAST_PLAYER,
    END_REASON_ROUND_CAP,
    END_REASON_TIME,
    PHASE_ACT,
    PHASE_JAIL,
    PHASE_OVER,
    PHASE_ROLL,
    DrawnCard,
    EndTurn,
    PassGo,
    PlaceToken,
    Roll,
    UseJailCard,
)
from magnate.rules.waiting import waiting_seats
from tests.support.classic import A, B, C, paid, said
from tests.support.playing import Position, Table

if TYPE_CHECKING:
    from magnate.rules.options import Written

JAIL, PARKING, TO_JAIL = 9, 18, 27
COMMANDS_MAX = 50_000


def rules(**house: Written) -> RuleSet:
    """Return the rules of the touch unit with tokens moved by hand, and some options changed."""
    options = {name.replace("__", "."): value for name, value in house.items()}
    made = with_house_rules(load_ruleset("ultimate-banking"), {"table.tokens": "by_hand", **options})
    assert isinstance(made, RuleSet), made
    return made


def table_of(seats: int = 3, board: Board | None = None, **house: Written) -> Table:
    """Begin at the first turn, with everybody on GO."""
    whole = board or load_board("ultimate-banking")
    return Position(whole, rules(**house), seats).table(RandomChance(1))


def with_card(*effects: Effect) -> Board:
    """Return the board with a deck of one card."""
    whole = load_board("ultimate-banking")
    return Board(whole.head, whole.groups, whole.squares, [Deck("event", [Card("x1", "", list(effects))])])


def test_everybody_is_waited_for_between_turns() -> None:
    """Anybody may go on; while something is asked only whoever it is asked of."""
    table = table_of()
    assert (table.state.turn_seat, table.state.phase) == (A, PHASE_ROLL)
    assert waiting_seats(table.state) == [A, B, C]
    assert table.act(B, PlaceToken(5)) is None
    assert said(table) == ["TurnEnded", "TurnStarted", "TokenMoved", "LotOffered", "PhaseEntered"]
    assert waiting_seats(table.state) == [B]
    assert table.refused(A, PlaceToken(6)) == "NOT_YOUR_TURN"
    assert refusal(table.state, A, "place_token") == "NOT_YOUR_TURN"
    assert refusal(table.state, B, "place_token") == "WRONG_PHASE"


def test_nobody_throws_dice_of_the_game() -> None:
    """The refusal says what to do instead; a turn may end without a throw that nobody knows of."""
    table = table_of()
    assert table.refused(A, Roll()) == "DICE_BY_HAND"
    assert refusal(table.state, A, "roll") == "DICE_BY_HAND"
    assert table.refused(B, EndTurn()) == "NOT_YOUR_TURN"
    assert table.act(A, EndTurn()) is None
    assert table.state.turn_seat == B


@pytest.mark.parametrize("square", [-1, 0, 36, 1 << 31])
def test_a_token_stands_on_the_board_and_somewhere_else(square: int) -> None:
    """A square that is none, or where the token stands anyway: nothing happens."""
    table = table_of()
    assert table.refused(A, PlaceToken(square)) == "INVALID_TARGET"
    assert table.state.turn_seat == A


def test_rounds_are_counted_by_the_order_of_the_seats() -> None:
    """Whoever takes its turn before the last one in order begins a round, whoever was left out."""
    table = table_of()
    for seat, game_round in ((C, 1), (B, 2), (C, 2), (A, 3), (B, 3)):
        target = PARKING if table.state.at[seat] != PARKING else JAIL
        assert table.act(seat, PlaceToken(target)) is None
        assert (table.state.turn_seat, table.state.round) == (seat, game_round)


def test_the_round_that_is_the_last_ends_with_whoever_begins_another() -> None:
    """The command finds the game over; nothing else comes of it."""
    table = table_of(end__rounds_max=1)
    assert table.act(C, PlaceToken(PARKING)) is None
    assert table.act(B, PlaceToken(PARKING)) is None
    assert (table.state.phase, table.state.end_reason) == (PHASE_OVER, END_REASON_ROUND_CAP)
    assert table.state.at[B] == 0


def test_the_agreed_time_ends_with_the_round() -> None:
    """Also where the last seat in order does not come."""
    table = table_of(end="agreed_time", end__minutes=1)
    table.elapsed_ms = 61_000
    assert table.act(B, PlaceToken(PARKING)) is None
    assert table.state.phase == PHASE_ACT
    assert table.act(A, PassGo()) is None
    assert table.state.end_reason == END_REASON_TIME
    assert paid(table) == []


def test_go_pays_when_it_is_told() -> None:
    """Passed or reached; what stopping there pays besides is paid only there."""
    table = table_of(go__landing_doubles=True)
    assert table.act(A, PlaceToken(PARKING)) is None
    assert table.act(A, PassGo()) is None
    assert paid(table) == [(-1, A, 200)]
    assert table.may(A, "pass_go").amount_min == 200  # type: ignore[union-attr]
    assert table.act(A, PlaceToken(0)) is None
    assert paid(table) == []
    assert table.may(A, "pass_go").amount_min == 400  # type: ignore[union-attr]
    assert table.act(A, PassGo()) is None
    assert paid(table) == [(-1, A, 400)]


def test_go_that_pays_nothing_is_refused() -> None:
    """Where only passing it pays, whoever stands there has nothing to ask for."""
    table = table_of(go__landing_pays=False)
    assert table.may(A, "pass_go") is None
    assert table.refused(A, PassGo()) == "NOTHING_DUE"
    assert refusal(table.state, A, "pass_go") == "NOTHING_DUE"
    assert table.act(B, PlaceToken(PARKING)) is None
    assert table.act(B, PassGo()) is None


def test_a_real_deck_keeps_its_own_order() -> None:
    """The same card may come twice, and a card that the game has not seen after one that it has."""
    table = table_of()
    for card in (5, 5, 0, 5):
        assert table.act(A, DrawnCard(0, card)) is None
        if table.state.choice_deck >= 0:
            answers = table.may(A, "choose_option")
            assert answers is not None
            assert table.refused(A, DrawnCard(0, 1)) == "WRONG_PHASE"
            table.state.choice_deck = table.twin.choice_deck = -1  # what it asks is another test's
            table.state.phase = table.twin.phase = PHASE_ACT
    assert table.state.seen[0] == [0, 5]
    assert table.state.draws == 0
    for deck, card in ((0, 23), (0, -1), (1, 0), (-1, 0)):
        assert table.refused(A, DrawnCard(deck, card)) == "INVALID_TARGET"


def test_a_card_that_somebody_keeps_cannot_be_drawn() -> None:
    """Nor is anything asked by its square while it is away; it opens the jail also by hand."""
    table = table_of(board=with_card(Effect(EFFECT_JAIL_FREE)))
    assert table.act(A, DrawnCard(0, 0)) is None
    assert table.state.cards[A] == [0]
    assert table.may(A, "drawn_card") is None
    assert table.refused(B, DrawnCard(0, 0)) == "INVALID_TARGET"
    assert table.act(B, PlaceToken(2)) is None
    assert said(table)[-2:] == ["Skipped", "PhaseEntered"]
    assert table.act(A, PlaceToken(TO_JAIL)) is None
    assert table.state.jailed[A]
    assert table.may(A, "use_jail_card") is not None
    assert table.act(A, UseJailCard()) is None
    assert not table.state.jailed[A]
    assert table.act(A, DrawnCard(0, 0)) is None


def test_time_ends_a_turn_in_which_nothing_was_told() -> None:
    """There is nothing to throw for anybody."""
    table = table_of()
    assert type(default_command(table.state, A)) is EndTurn
    assert table.act(A, PlaceToken(TO_JAIL)) is None
    assert table.state.turn_seat == B
    assert table.act(B, EndTurn()) is None
    assert table.act(C, EndTurn()) is None
    assert table.state.phase == PHASE_JAIL
    assert type(default_command(table.state, A)) is EndTurn


def test_what_needs_turns_or_dice_of_the_game_does_not_fit() -> None:
    """A card that takes turns away, also as a choice; nothing is wrong where the game keeps the turns."""
    skip = Effect(EFFECT_SKIP_TURN, turns=1)
    choice = Effect(EFFECT_CHOOSE_ONE, options=[Effect(EFFECT_GAIN, amount=5), skip])
    for effect in (skip, choice):
        board = with_card(effect)
        assert misfit(board, rules()) == (
            f"table.tokens: by_hand does not fit the board {board.id}: the card x1 needs the game's own turns"
        )
        assert misfit(board, load_ruleset("ultimate-banking")) == ""
    assert misfit(load_board("ultimate-banking"), rules()) == ""


@pytest.mark.parametrize(
    ("ruleset", "other"),
    [("classic", "build.when"), ("online", "loan.enabled"), ("millionaire", "trade.loans")],
)
def test_other_rule_sets_are_not_played_by_hand(ruleset: str, other: str) -> None:
    """Both options are named, and why."""
    refused = with_house_rules(load_ruleset(ruleset), {"table.tokens": "by_hand"})
    assert isinstance(refused, Rejection)
    assert refused.name == "OPTION_CONFLICT"
    assert "table.tokens: by_hand" in refused.detail
    assert other in refused.detail


@pytest.mark.parametrize("bold", [False, True])
def test_random_games_by_hand_end(bold: bool) -> None:
    """Every position holds, every event folds to what was decided, and somebody is bankrupt in the end."""
    board = load_board("ultimate-banking")
    told = set()
    for seed in range(30):
        game = Game(board, rules(), 2 + seed % 3, seed, record=True, bold=bold)
        game.referee = Referee(game.state, thorough=True)
        game.start()
        while not game.over:
            assert len(game.moves) < COMMANDS_MAX
            game.step()
        resigned = bold and game.state.end_reason == END_REASON_LAST_PLAYER
        assert resigned or game.state.end_reason == END_REASON_FIRST_BANKRUPTCY
        assert game.state.draws == 0
        told |= {type(move.command) for move in game.moves}
    assert {PlaceToken, PassGo, DrawnCard, EndTurn} <= told
