"""What a random player answers in phase CHOICE, stakes, plays from its hand and gives back: for the bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.deeds import lowest
from magnate.rules.kinds import CHOOSE_OPTION, PLAY_CARD, RETURN_LOTS, SKIP, STAKE
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps.give_back import returnable
from magnate.rules.steps.jackpot import faces_max
from magnate.rules.steps.kept import playable
from magnate.rules.steps.questions import answers
from magnate.rules.vocabulary import ChooseOption, Command, PlayCard, ReturnLots, Skip, Stake

if TYPE_CHECKING:
    from magnate.rules.chance import RandomChance
    from magnate.rules.state import State

ANSWERS: Final = CHOOSE_OPTION | PLAY_CARD | RETURN_LOTS | SKIP | STAKE
"""The kinds for which `answer` has a command."""


def answer(state: State, seat: int, kind: int, random: RandomChance) -> Command:
    """A command of one of these kinds, which must be legal now."""
    if kind == CHOOSE_OPTION:
        return ChooseOption(lowest(one_of(answers(state), random)))
    if kind == PLAY_CARD:
        codes = playable(state, seat)
        code = codes[random.below(len(codes))] if len(codes) > 1 else codes[0]
        return PlayCard(code // CARDS_PER_DECK_MAX, code % CARDS_PER_DECK_MAX)
    if kind == RETURN_LOTS:
        return ReturnLots([lowest(one_of(returnable(state, seat), random))])
    if kind == SKIP:
        return Skip()
    assert kind == STAKE
    most = faces_max(state.board)
    faces: list[int] = []
    if most:
        numbers = state.board.jackpot_numbers
        assert numbers is not None
        first = random.below(numbers.faces)
        chosen = 1 + random.below(most)
        faces = [(first + step) % numbers.faces + 1 for step in range(chosen)]
    return Stake(state.extras.question_amount, faces)


def one_of(found: int, random: RandomChance) -> int:
    """One bit of the set, each as likely as the others."""
    if found & (found - 1) == 0:
        return found
    count = 0
    rest = found
    while rest:
        rest &= rest - 1
        count += 1
    skip = random.below(count)
    while skip:
        found &= found - 1
        skip -= 1
    return found & -found
