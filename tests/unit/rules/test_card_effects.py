"""Effects on boards of one's own: what no board of the package combines."""

from __future__ import annotations

from magnate.rules import board as kinds
from magnate.rules import effects as words
from magnate.rules.board import Board
from magnate.rules.board_parts import Card, Deck
from magnate.rules.chance import ScriptedChance
from magnate.rules.decision import BANK, POT_PARKING
from magnate.rules.effects import Effect
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.vocabulary import (
    QUESTION_RENT,
    QUESTION_SWAP,
    Build,
    ChooseOption,
    HeldCard,
    LotLevel,
    PlayCard,
    Resign,
    Roll,
    Skip,
    UseJailCard,
)
from tests.support.classic import A, B, paid, said
from tests.support.playing import Position, Table

CHANCE_SQUARE = 7  # of the classic boards, whose first deck it draws from


def drawing(
    effect: Effect,
    *more: Effect,
    board: str = "classic-us",
    options: dict[str, int | str] | None = None,
    seats: int = 3,
) -> Position:
    """A position in which A throws 3 and draws a card with this effect; the deck has the others too."""
    whole = load_board(board)
    first = Deck("chance", [Card(f"x{n}", "", [one]) for n, one in enumerate((effect, *more))])
    made = Board(whole.head, whole.groups, whole.squares, [first, *whole.decks[1:]])
    rules = with_house_rules(load_ruleset(whole.ruleset), options or {})
    assert isinstance(rules, RuleSet), rules
    position = Position(made, rules, seats)
    position.at[A] = CHANCE_SQUARE - 3
    return position


def draw(position: Position, *dice: tuple[int, int], first: int = 0) -> Table:
    """Throw, and draw the first card of the deck."""
    table = position.table(ScriptedChance([(1, 2), *dice], [[first, 1 - first], []], []))
    assert table.act(A, Roll()) is None
    return table


def test_a_card_that_moves_everybody_takes_them_out_of_jail_unless_it_says_otherwise() -> None:
    """Who reads it acts on the square, the others only stand there; GO pays who passes it."""
    made = drawing(Effect(words.EFFECT_ALL_MOVE_TO, square=5, salary=True))
    made.at = [4, 10, 3]
    made.jailed[B] = 1
    table = draw(made)
    state = table.state
    assert (state.at, state.jailed) == ([5, 5, 5], [0, 0, 0])
    assert paid(table) == [(BANK, A, 200), (BANK, B, 200)]
    assert state.offered_lot == 5


def test_a_card_that_moves_everybody_leaves_who_is_there() -> None:
    """No lap for standing still, and no second visit."""
    table = draw(drawing(Effect(words.EFFECT_ALL_MOVE_TO, square=CHANCE_SQUARE, salary=True)))
    assert table.state.at == [CHANCE_SQUARE] * 3
    assert said(table).count("CardDrawn") == 1
    assert paid(table) == []


def test_a_fee_is_paid_before_the_token_goes() -> None:
    """And who cannot pay it is not asked at all."""
    made = drawing(Effect(words.EFFECT_GOTO_ANY_PROPERTY, amount=100))
    table = draw(made)
    assert table.act(A, ChooseOption(39)) is None
    assert paid(table) == [(A, BANK, 100)]
    assert table.state.offered_lot == 39
    made.cash[A] = 99
    assert said(draw(made))[-1] == "PhaseEntered"
    assert draw(made).may(A, "choose_option") is None


def test_built_and_mortgaged_lots_are_not_swapped() -> None:
    """As little as they could be dealt."""
    made = drawing(Effect(words.EFFECT_SWAP_PROPERTY))
    made.own(A, 1, 3, level=1).own(A, 5, mortgaged=1).own(A, 6).own(B, 8).own(B, 39, mortgaged=1)
    table = draw(made)
    asked = table.may(A, "choose_option")
    assert asked is not None
    assert asked.answers == [6]
    assert table.act(A, ChooseOption(6)) is None
    asked = table.may(A, "choose_option")
    assert asked is not None
    assert (asked.question, asked.answers) == (QUESTION_SWAP, [8])


def test_a_swap_whose_other_side_leaves_is_off() -> None:
    """Between the two choices nothing has changed hands."""
    made = drawing(Effect(words.EFFECT_SWAP_PROPERTY))
    made.own(A, 6).own(B, 8)
    table = draw(made)
    assert table.act(A, ChooseOption(6)) is None
    assert table.act(B, Resign()) is None
    assert table.auction is not None
    table.close()
    assert (table.state.owner[6], table.state.owner[8]) == (A, -1)
    assert table.state.extras.question == 0


def test_a_card_for_two_rents_is_used_twice() -> None:
    """It stays in the hand after the first, and goes under its deck after the second."""
    made = drawing(Effect(words.EFFECT_RENT_EXEMPTION, uses=2), Effect(words.EFFECT_GAIN, amount=1))
    made.cards = [HeldCard(A, 0, 0)]
    made.own(B, 8, 11)
    made.at[A] = 6
    table = made.table(ScriptedChance([(1, 1), (1, 2)], [[], []], []))
    for square, left in ((8, [0]), (11, [])):
        assert table.act(A, Roll()) is None
        assert (table.state.at[A], table.state.extras.question) == (square, QUESTION_RENT)
        assert table.act(A, PlayCard(0, 0)) is None
        assert said(table)[:2] == ["CardPlayed", "RentSpared"]
        assert paid(table) == []
        assert table.state.cards[A] == left
    assert table.state.seen[0] == [0]
    assert table.state.extras.cards_used == []


def test_a_used_up_half_of_a_card_goes_with_the_card() -> None:
    """Whoever gets it by a bankruptcy has what is left; the bank's is whole again."""
    made = drawing(Effect(words.EFFECT_BUILD_DISCOUNT, percent=50, uses=2))
    made.cards = [HeldCard(A, 0, 0)]
    made.own(A, 1, 3)
    table = made.table(ScriptedChance([], [[], []], []))
    assert table.act(A, PlayCard(0, 0)) is None
    assert table.refused(A, PlayCard(0, 0)) == "INVALID_TARGET"
    assert table.act(A, Build([LotLevel(1, 1), LotLevel(3, 1)])) is None
    assert paid(table) == [(A, BANK, 75)]
    assert table.state.extras.cards_used == [1]
    assert table.act(A, Resign()) is None
    assert (table.state.extras.cards_used, table.state.seen[0]) == ([], [0])


def test_a_rent_multiplied_by_a_card_is_what_the_question_is_about() -> None:
    """Who leaves it alone pays twice the rent, as the card said."""
    nearest = Effect(words.EFFECT_MOVE_NEAREST, lot_kind=kinds.RAILROAD, rent_multiplier=2)
    made = drawing(nearest, Effect(words.EFFECT_RENT_EXEMPTION, uses=1))
    made.cards = [HeldCard(A, 0, 1)]
    made.own(B, 15)
    table = draw(made)
    asked = table.may(A, "skip")
    assert asked is not None
    assert (asked.question, asked.amount_min) == (QUESTION_RENT, 50)
    assert table.act(A, Skip()) is None
    assert paid(table) == [(A, B, 50)]
    assert table.state.cards[A] == [1]


def test_a_street_reached_by_a_card_may_cost_a_multiple() -> None:
    """The multiplier is the card's, whatever kind of lot it leads to."""
    made = drawing(Effect(words.EFFECT_MOVE_NEAREST, lot_kind=kinds.STREET, rent_multiplier=3))
    made.own(B, 8)
    assert paid(draw(made)) == [(A, B, 18)]


def test_who_gives_up_on_a_rent_that_is_his_own_by_now_pays_nothing() -> None:
    """The lot was dealt away while the question stood: to the visitor, or back to the bank."""
    made = drawing(Effect(words.EFFECT_RENT_EXEMPTION, uses=1))
    made.cards = [HeldCard(A, 0, 0)]
    made.own(B, 11)
    made.at[A] = 8
    table = made.table(ScriptedChance([(1, 2)], [[], []], []))
    assert table.act(A, Roll()) is None
    assert table.act(B, Resign()) is None
    if table.auction is not None:
        table.close()
    assert table.act(A, Skip()) is None
    assert paid(table) == []


def test_what_a_card_asks_goes_into_the_parking_pot_where_there_is_one() -> None:
    """A sum, repairs, and what is drawn by chance; what it pays comes from the bank."""
    pot: dict[str, int | str] = {"parking.pot": True}
    assert paid(draw(drawing(Effect(words.EFFECT_PAY, amount=70), options=pot))) == [(A, POT_PARKING, 70)]
    repairs = drawing(Effect(words.EFFECT_REPAIRS, per_house=10, per_hotel=40), options=pot)
    repairs.own(A, 1, 3, level=2)
    assert paid(draw(repairs)) == [(A, POT_PARKING, 40)]
    each = drawing(Effect(words.EFFECT_PAY_PER_PROPERTY, amount=5), options=pot).own(A, 1, 5, 12)
    assert paid(draw(each)) == [(A, POT_PARKING, 15)]
    assert paid(draw(drawing(Effect(words.EFFECT_GAIN, amount=70), options=pot))) == [(BANK, A, 70)]


def test_a_board_without_rent_levels_has_nothing_to_raise() -> None:
    """The card has no effect (row 40)."""
    made = drawing(Effect(words.EFFECT_SET_LEVEL, scope=words.SCOPE_OWN, level=5)).own(A, 1, 3)
    table = draw(made)
    assert "QuestionAsked" not in said(table)
    assert table.state.extras.rent_level == [0] * 40


def test_only_a_card_that_opens_the_jail_does() -> None:
    """Other kept cards do not, and it is not the first card that counts but the right one."""
    made = drawing(Effect(words.EFFECT_RENT_EXEMPTION, uses=1), Effect(words.EFFECT_JAIL_FREE))
    made.cards = [HeldCard(A, 0, 0)]
    made.at[A] = 10
    made.jailed[A] = 1
    made.phase = 2
    table = made.table(ScriptedChance([], [[], []], []))
    assert table.refused(A, UseJailCard()) == "NO_JAIL_CARD"
    assert table.may(A, "use_jail_card") is None
    made.cards = [HeldCard(A, 0, 0), HeldCard(A, 0, 1)]
    table = made.table(ScriptedChance([], [[], []], []))
    assert table.act(A, UseJailCard()) is None
    assert table.state.cards[A] == [0]
