"""What bots answer when a card or a square asks something: at random, or with some sense.

What is asked, and the answers there are, come with the legal actions; what a card asks for is its effect on
the board that the view shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.client.bots.base import simple
from magnate.rules.v1 import setup_pb2, vocabulary_pb2

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from magnate.client.bots.worth import Worth
    from magnate.game.v1 import game_pb2

    Legal = dict[str, game_pb2.LegalAction]

RENT_SPARED_PERCENT: Final = 2
"""A rent of so much of the start money is worth a card that spares one."""


def choose(answer: int) -> vocabulary_pb2.Command:
    """Return an answer."""
    return vocabulary_pb2.Command(choose_option=vocabulary_pb2.ChooseOption(option=answer))


def play(card: vocabulary_pb2.Card) -> vocabulary_pb2.Command:
    """Return the use of a kept card."""
    return vocabulary_pb2.Command(play_card=vocabulary_pb2.PlayCard(deck=card.deck, card=card.card))


def give_back(lot: int) -> vocabulary_pb2.Command:
    """Return a lot to the bank for a debt."""
    return vocabulary_pb2.Command(return_lots=vocabulary_pb2.ReturnLots(lots=[lot]))


def any_answer(chance: random.Random, view: game_pb2.GameView, legal: Legal) -> vocabulary_pb2.Command | None:
    """Return any answer to what is asked; None if nothing is."""
    kinds = [kind for kind in ("choose_option", "stake", "skip", "play_card") if kind in legal]
    kind = chance.choice(kinds) if kinds else ""
    if kind == "choose_option":
        return choose(chance.choice(legal[kind].answers))
    if kind == "play_card":
        return play(chance.choice(legal[kind].cards))
    if kind == "stake":
        faces: list[int] = []
        if legal[kind].faces_max:
            die = range(1, view.board.jackpot_numbers.faces + 1)
            faces = chance.sample(die, chance.randint(1, legal[kind].faces_max))
        stake = vocabulary_pb2.Stake(amount=legal[kind].amount_min, faces=faces)
        return vocabulary_pb2.Command(stake=stake)
    return simple("skip") if kind else None


def sensible_answer(seat: int, worth: Worth, legal: Legal) -> vocabulary_pb2.Command | None:
    """Return what serves the seat; stakes are left alone, since the bank wins in the long run."""
    if "choose_option" in legal:
        action = legal["choose_option"]
        asked = action.question
        if asked == vocabulary_pb2.QUESTION_CARD:
            return choose(_for_card(seat, worth, action))
        if asked == vocabulary_pb2.QUESTION_DRAW:
            return None  # only whoever holds the real card knows it
        if asked == vocabulary_pb2.QUESTION_TAX:
            return choose(_for_tax(seat, worth))
        if asked == vocabulary_pb2.QUESTION_SWAP:
            return choose(max(action.answers, key=lambda lot: worth.lot(seat, lot)))
        lot = _destination(seat, worth, action.answers, action.amount_min)
        if worth.owner(lot) < 0 and worth.completes(seat, [lot]) and _can_buy(seat, worth, lot, action):
            return choose(lot)
    if "play_card" in legal and legal["play_card"].question == vocabulary_pb2.QUESTION_RENT:
        rent = worth.view.situation.question.amount
        if rent * 100 >= worth.start_money * RENT_SPARED_PERCENT or rent > worth.cash(seat):
            return play(legal["play_card"].cards[0])
    return simple("skip") if "skip" in legal else None


def _can_buy(seat: int, worth: Worth, lot: int, action: game_pb2.LegalAction) -> bool:
    return worth.cash(seat) >= worth.squares[lot].price + action.amount_min


def _for_tax(seat: int, worth: Worth) -> int:
    """Whatever is less: the sum (0), or the share of money, lots at their price and buildings (1)."""
    question = worth.view.situation.question
    total = worth.view.seats[seat].cash
    for lot, shown in worth.lots.items():
        if shown.owner == seat:
            total += worth.squares[lot].price
            total += shown.level * worth.groups[worth.squares[lot].group].house_cost
    return int(total * worth.squares[question.square].tax_percent < question.amount * 100)


def _for_card(seat: int, worth: Worth, action: game_pb2.LegalAction) -> int:
    """Choose an option, a seat or a lot, as the card's effect asks."""
    answers = action.answers
    if action.options:  # the first one usually costs money
        return 0 if worth.cash(seat) > worth.reserve(seat) else action.options - 1
    card = worth.view.situation.question.card
    effect = worth.view.board.decks[card.deck].cards[card.card].effects[0]
    kind = effect.kind
    if kind in (setup_pb2.EFFECT_KIND_PAY_PLAYER, setup_pb2.EFFECT_KIND_BOTH_GAIN):
        return min(answers, key=worth.cash)
    if kind == setup_pb2.EFFECT_KIND_SEND_TO_JAIL:
        return max(answers, key=worth.cash)
    if kind == setup_pb2.EFFECT_KIND_GOTO_ANY_PROPERTY:
        return _destination(seat, worth, answers, action.amount_min)
    if kind == setup_pb2.EFFECT_KIND_SWAP_PROPERTY:
        return min(answers, key=lambda lot: worth.lot(seat, lot))
    rises = effect.delta > 0 or effect.level > 1
    mine = [lot for lot in answers if worth.owner(lot) == seat]
    theirs = [lot for lot in answers if worth.owner(lot) != seat]
    if not rises and theirs:
        return max(theirs, key=worth.rent)
    return max(mine or theirs, key=worth.rent) if rises else min(mine, key=worth.rent)


def _destination(seat: int, worth: Worth, lots: Sequence[int], fee: int) -> int:
    """The free lot worth most that can be paid, else an own one, else where the rent is least."""
    money = worth.cash(seat) - fee
    free = [lot for lot in lots if worth.owner(lot) < 0 and worth.squares[lot].price <= money]
    if free:
        return max(free, key=lambda lot: worth.lot(seat, lot))
    return min(lots, key=lambda lot: (worth.owner(lot) != seat, worth.rent(lot)))
