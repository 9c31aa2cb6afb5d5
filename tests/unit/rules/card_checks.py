"""What each effect of a card must do, told apart from the rules: the check of each kind of effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import board as kinds
from magnate.rules import effects as words
from magnate.rules.chance import ScriptedChance
from magnate.rules.decision import BANK
from magnate.rules.loader import load_ruleset
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_DEBT,
    QUESTION_CARD,
    QUESTION_STAKE,
    QUESTION_SWAP,
    ChooseOption,
    PayDebt,
    Roll,
    Skip,
)
from tests.support.playing import Position

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.rules.board import Board
    from magnate.rules.effects import Effect


A, B, C = 0, 1, 2


RICH = 10_000_000


AMOUNT_STEPS = 3  # above the least a card draws


UTILITY_THROW = (2, 3)


class Drawn:
    """A card just drawn by A, every payment that was asked for made, and how it was before."""

    def __init__(self, board: Board, deck: int, card: int) -> None:
        self.board = board
        self.effect = board.decks[deck].cards[card].effects[0]
        self.square = next(
            sq for sq in range(3, board.size) if board.deck[sq] == deck and board.kind[sq] == kinds.CARD
        )
        made = Position(board, load_ruleset(board.ruleset), 3)
        made.cash = [RICH] * 3
        made.at = [self.square - 3, 0, 0]
        self.mine, self.theirs = _shared_out(made)
        made.pots = [0, 0, 700]
        self.table = made.table(self._chance(deck, card))
        self.paid: list[tuple[int, int, int]] = []
        roll = self.table.may(A, "roll")
        assert roll is not None
        assert self.table.act(A, Roll()) is None
        self.follow()

    def _chance(self, deck: int, card: int) -> ScriptedChance:
        decks = [_harmless(self.board, number) for number in range(len(self.board.decks))]
        decks[deck] = [card, *[one for one in decks[deck] if one != card]]
        least = self.effect.minimum + AMOUNT_STEPS * self.effect.step
        return ScriptedChance([(1, 2), UTILITY_THROW], decks, [], [least], [self.square + 1])

    def follow(self) -> None:
        """Note what was paid, and pay what is asked for."""
        self.paid += [(one.payer, one.payee, one.amount) for one in self.table.decision.transfers]
        while self.table.state.phase == PHASE_DEBT:
            assert self.table.act(self.table.state.debts[0].debtor, PayDebt()) is None
            self.paid += [(one.payer, one.payee, one.amount) for one in self.table.decision.transfers]

    def choose(self, answer: int) -> None:
        """Answer what the card asks; the answer must be listed, and what is not listed is refused."""
        listed = self.table.may(A, "choose_option")
        assert listed is not None
        assert answer in listed.answers
        for wrong in {-1, self.board.size, *range(self.board.size)} - set(listed.answers):
            assert self.table.refused(A, ChooseOption(wrong)) == "INVALID_TARGET"
        assert self.table.act(A, ChooseOption(answer)) is None
        self.follow()

    def said(self, *names: str) -> bool:
        """Return whether all these events were in the last decision."""
        return set(names) <= {type(event).__name__ for event in self.table.decision.events}


def _shared_out(made: Position) -> tuple[list[int], list[int]]:
    """A owns the second group and a lot of the last one, B the third; rent levels stand at 3."""
    streets = [group for group, kind in enumerate(made.board.group_kind) if kind == kinds.STREET]
    mine = [*made.board.members[streets[1]], made.board.members[streets[-1]][0]]
    theirs = list(made.board.members[streets[2]])
    made.own(A, *mine).own(B, *theirs)
    if made.board.rent_levels:
        made.rent_level = dict.fromkeys([*mine, *theirs], 3)
    else:
        for lot in made.board.members[streets[1]]:
            made.level[lot] = made.rules.build_houses_before_hotel + 1
        made.level[mine[0]] -= 1
    return mine, theirs


def _harmless(board: Board, deck: int) -> list[int]:
    """A card of the deck that only pays its reader, for whoever is led to another square of the deck."""
    return [
        place
        for place, card in enumerate(board.decks[deck].cards)
        if card.effects[0].kind == words.EFFECT_GAIN
    ][:1]


def _landed(drawn: Drawn, square: int) -> None:
    """A stands on the square, and the square was acted on (case C003)."""
    state = drawn.table.state
    board = drawn.board
    kind = board.kind[square]
    if kind == kinds.BLACK_BUSINESS:
        assert state.at[A] == board.black_business_to
        assert drawn.paid == [(A, -4, board.black_business_fine)]
        return
    assert state.at[A] == square
    owner = state.owner[square]
    if board.group[square] >= 0:
        if owner < 0:
            assert (state.phase, state.offered_lot) == (PHASE_BUY, square)
        elif owner != A:
            assert drawn.said("RentCharged")
    elif kind == kinds.CARD:
        assert drawn.said("CardDrawn")
    elif kind in (kinds.WHITE_BUSINESS, kinds.CHARITY_FUND):
        assert drawn.paid == [(-4, A, 700)]
    elif kind == kinds.JACKPOT:
        assert (state.phase, state.extras.question) == (PHASE_CHOICE, QUESTION_STAKE)
        assert drawn.table.act(A, Skip()) is None
        assert drawn.table.decision.transfers == []
    elif kind == kinds.TAX:
        assert drawn.paid == [(A, BANK, board.tax[square])]


def gain(drawn: Drawn, effect: Effect) -> None:
    """The bank pays."""
    assert drawn.paid == [(BANK, A, effect.amount)]


def pay(drawn: Drawn, effect: Effect) -> None:
    """To the bank or into a pot."""
    assert drawn.paid == [(A, effect.pot, effect.amount)]


def pay_each(drawn: Drawn, effect: Effect) -> None:
    """To the two others."""
    assert drawn.paid == [(A, B, effect.amount), (A, C, effect.amount)]


def collect_each(drawn: Drawn, effect: Effect) -> None:
    """From the two others."""
    assert drawn.paid == [(B, A, effect.amount), (C, A, effect.amount)]


def move_to(drawn: Drawn, effect: Effect) -> None:
    """There, with the salary if the card says so and GO is reached or passed forwards."""
    passes = effect.forward and effect.square <= drawn.square
    salary = [(BANK, A, drawn.board.go_salary)] if passes and effect.salary else []
    assert drawn.paid[: len(salary)] == salary
    assert drawn.said("SalaryEarned") == bool(salary)
    drawn.paid = drawn.paid[len(salary) :]
    _landed(drawn, effect.square)


def move_by(drawn: Drawn, effect: Effect) -> None:
    """So many squares; backwards never pays."""
    assert effect.steps < 0
    assert not drawn.said("SalaryEarned")
    _landed(drawn, (drawn.square + effect.steps) % drawn.board.size)


def move_nearest(drawn: Drawn, effect: Effect) -> None:
    """The next square of the kind; no salary unless the card says so."""
    square = drawn.square
    while True:
        square = (square + 1) % drawn.board.size
        deck = drawn.board.deck[square]
        if drawn.board.kind[square] == effect.lot_kind and effect.deck in (-1, deck):
            break
    if effect.salary and square < drawn.square:
        assert drawn.paid.pop(0) == (BANK, A, drawn.board.go_salary)
    _landed(drawn, square)


def go_to_jail(drawn: Drawn, _effect: Effect) -> None:
    """In jail, nothing paid, the turn is over."""
    state = drawn.table.state
    assert (state.jailed[A], state.at[A]) == (1, drawn.board.jail_square)
    assert drawn.paid == []
    assert state.turn_seat == B


def kept(drawn: Drawn, _effect: Effect) -> None:
    """The card is in the hand and not in the deck; the turn goes on."""
    state = drawn.table.state
    assert len(state.cards[A]) == 1
    assert drawn.said("CardKept")
    assert drawn.paid == []


def repairs(drawn: Drawn, effect: Effect) -> None:
    """Two or more hotels and a lot of houses: A's group is built up but for one lot."""
    state = drawn.table.state
    hotel = drawn.table.state.hotel_level
    houses = sum(state.level[lot] for lot in drawn.mine if state.level[lot] < hotel)
    hotels = sum(1 for lot in drawn.mine if state.level[lot] == hotel)
    assert (houses, hotels) == (hotel - 1, len(drawn.mine) - 2)
    assert drawn.paid == [(A, BANK, houses * effect.per_house + hotels * effect.per_hotel)]


def choose_one(drawn: Drawn, effect: Effect) -> None:
    """Paying, or drawing a card of the other deck."""
    first, second = effect.options
    assert (first.kind, second.kind) == (words.EFFECT_PAY, words.EFFECT_DRAW)
    assert drawn.table.refused(A, ChooseOption(2)) == "INVALID_TARGET"
    drawn.choose(1)
    assert drawn.said("CardDrawn")


def pay_player(drawn: Drawn, effect: Effect) -> None:
    """The one A chose."""
    drawn.choose(C)
    assert drawn.paid == [(A, C, effect.amount)]


def both_gain(drawn: Drawn, effect: Effect) -> None:
    """A and the one A chose."""
    drawn.choose(C)
    assert drawn.paid == [(BANK, A, effect.amount), (BANK, C, effect.amount)]


def pay_per_property(drawn: Drawn, effect: Effect) -> None:
    """For each of A's lots."""
    assert drawn.paid == [(A, BANK, len(drawn.mine) * effect.amount)]


def gain_random(drawn: Drawn, effect: Effect) -> None:
    """What chance gave."""
    assert drawn.said("AmountDrawn")
    assert drawn.paid == [(BANK, A, effect.minimum + AMOUNT_STEPS * effect.step)]


def pay_random(drawn: Drawn, effect: Effect) -> None:
    """What chance took."""
    assert drawn.said("AmountDrawn") or drawn.paid
    assert drawn.paid == [(A, BANK, effect.minimum + AMOUNT_STEPS * effect.step)]


def all_move_to(drawn: Drawn, effect: Effect) -> None:
    """Everybody is there, and nobody was paid for the way."""
    assert drawn.table.state.at == [effect.square] * 3
    assert drawn.paid == []
    _landed(drawn, effect.square)


def goto_any_property(drawn: Drawn, effect: Effect) -> None:
    """To B's first lot, whose rent is due."""
    assert effect.amount == 0
    asked = drawn.table.may(A, "choose_option")
    assert asked is not None
    assert (asked.question, asked.answers) == (QUESTION_CARD, drawn.board.lots)
    lot = drawn.theirs[0]
    drawn.choose(lot)
    assert drawn.table.state.at[A] == lot
    assert drawn.paid == [(A, B, drawn.board.rents[lot][2])]


def teleport_random(drawn: Drawn, _effect: Effect) -> None:
    """The square that chance gave, and no salary."""
    assert drawn.said("SquareDrawn", "TokenMoved")
    _landed(drawn, drawn.square + 1)


def send_to_jail(drawn: Drawn, _effect: Effect) -> None:
    """B is in jail; A's turn goes on."""
    drawn.choose(B)
    state = drawn.table.state
    assert (state.jailed, state.at[B]) == ([0, 1, 0], drawn.board.jail_square)
    assert (state.turn_seat, state.phase) == (A, PHASE_ACT)


def set_level(drawn: Drawn, effect: Effect) -> None:
    """One lot, A's own or anybody's."""
    own = effect.scope == words.SCOPE_OWN
    lot = drawn.mine[0] if own else drawn.theirs[0]
    asked = drawn.table.may(A, "choose_option")
    assert asked is not None
    assert asked.answers == sorted(drawn.mine if own else drawn.mine + drawn.theirs)
    before = list(drawn.table.state.extras.rent_level)
    drawn.choose(lot)
    before[lot] = effect.level
    assert drawn.table.state.extras.rent_level == before


def change_level(drawn: Drawn, effect: Effect) -> None:
    """All owned lots of the group, or of the side of the board, of one of A's lots."""
    lot = drawn.mine[-1]
    before = list(drawn.table.state.extras.rent_level)
    drawn.choose(lot)
    group = drawn.board.members[drawn.board.group[lot]]
    side = next(side for side in drawn.board.sides if lot in side)
    for one in group if effect.scope == words.SCOPE_COLOR_SET else side:
        if before[one]:
            before[one] += effect.delta
    assert drawn.table.state.extras.rent_level == before


def change_level_and_neighbours(drawn: Drawn, effect: Effect) -> None:
    """A's middle lot goes up, the owned lots beside it go down."""
    lot = drawn.mine[1]
    place = drawn.board.lots.index(lot)
    before = list(drawn.table.state.extras.rent_level)
    drawn.choose(lot)
    before[lot] += effect.delta
    for one in (drawn.board.lots[place - 1], drawn.board.lots[place + 1]):
        if before[one]:
            before[one] += effect.neighbour_delta
    assert drawn.table.state.extras.rent_level == before


def rent_cap(drawn: Drawn, effect: Effect) -> None:
    """The cap holds."""
    extras = drawn.table.state.extras
    assert (extras.cap_level, extras.cap_left) == (effect.level, effect.payments)


def swap_property(drawn: Drawn, _effect: Effect) -> None:
    """A's lot for B's; both keep their levels."""
    given, taken = drawn.mine[-1], drawn.theirs[-1]
    drawn.choose(given)
    asked = drawn.table.may(A, "choose_option")
    assert asked is not None
    assert (asked.question, asked.answers) == (QUESTION_SWAP, drawn.theirs)
    drawn.choose(taken)
    state = drawn.table.state
    assert (state.owner[given], state.owner[taken]) == (B, A)
    assert (state.extras.rent_level[given], state.extras.rent_level[taken]) == (3, 3)


def skip_turn(drawn: Drawn, effect: Effect) -> None:
    """A's next turns are lost."""
    assert drawn.table.state.extras.skip == [effect.turns, 0, 0]


def reverse_next_move(drawn: Drawn, _effect: Effect) -> None:
    """A's next move goes backwards."""
    assert drawn.table.state.extras.reverse == [1, 0, 0]


CHECKS: dict[int, Callable[[Drawn, Effect], None]] = {
    words.EFFECT_GAIN: gain,
    words.EFFECT_PAY: pay,
    words.EFFECT_PAY_EACH: pay_each,
    words.EFFECT_COLLECT_EACH: collect_each,
    words.EFFECT_MOVE_TO: move_to,
    words.EFFECT_MOVE_BY: move_by,
    words.EFFECT_MOVE_NEAREST: move_nearest,
    words.EFFECT_GO_TO_JAIL: go_to_jail,
    words.EFFECT_JAIL_FREE: kept,
    words.EFFECT_RENT_EXEMPTION: kept,
    words.EFFECT_BUILD_DISCOUNT: kept,
    words.EFFECT_REPAIRS: repairs,
    words.EFFECT_CHOOSE_ONE: choose_one,
    words.EFFECT_PAY_PLAYER: pay_player,
    words.EFFECT_BOTH_GAIN: both_gain,
    words.EFFECT_PAY_PER_PROPERTY: pay_per_property,
    words.EFFECT_GAIN_RANDOM: gain_random,
    words.EFFECT_PAY_RANDOM: pay_random,
    words.EFFECT_ALL_MOVE_TO: all_move_to,
    words.EFFECT_GOTO_ANY_PROPERTY: goto_any_property,
    words.EFFECT_TELEPORT_RANDOM: teleport_random,
    words.EFFECT_SEND_TO_JAIL: send_to_jail,
    words.EFFECT_SET_LEVEL: set_level,
    words.EFFECT_CHANGE_LEVEL: change_level,
    words.EFFECT_CHANGE_LEVEL_AND_NEIGHBOURS: change_level_and_neighbours,
    words.EFFECT_RENT_CAP: rent_cap,
    words.EFFECT_SWAP_PROPERTY: swap_property,
    words.EFFECT_SKIP_TURN: skip_turn,
    words.EFFECT_REVERSE_NEXT_MOVE: reverse_next_move,
}
