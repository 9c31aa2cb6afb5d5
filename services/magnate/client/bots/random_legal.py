"""A bot that does anything that is legal, with a bias towards getting on with the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.client.bots.answers import any_answer, give_back, play
from magnate.client.bots.base import (
    bid,
    by_kind,
    claim,
    have_bid,
    in_steps,
    last_building,
    let_go,
    lot_levels,
    lots,
    offer_answer,
    simple,
)
from magnate.client.bots.promises import borrow, is_fair, repay, sides
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from magnate.game.v1 import game_pb2

_PLAIN: Final = (
    "roll", "buy_lot", "decline_lot", "end_turn", "pay_fine", "use_jail_card", "pay_debt",
    "declare_bankruptcy",
)  # fmt: skip
_OTHERS: Final = (
    "build", "sell_buildings", "mortgage_lots", "redeem_lots", "offer_trade", "counter_offer",
    "accept_offer", "reject_offer", "withdraw_offer", "take_loan", "repay_loan",
    "return_lots", "play_card",
)  # fmt: skip
_TALK: Final = frozenset({"offer_trade", "counter_offer"})
_OTHERS_CHANCE: Final = 0.25
_ANSWER_CHANCE: Final = 0.5
_BID_CHANCE: Final = 0.6
_CEILING_CHANCE: Final = 0.3
_BID_STEP_MAX: Final = 20
_TALK_PER_TURN_MAX: Final = 2
_CASH_OFFERED_MAX: Final = 50
_PROMISE_CHANCE: Final = 0.2


class RandomLegalBot:
    """Chooses among the legal actions with the generator it is given; never resigns.

    It makes at most two offers or counter-offers in one turn of the game, so talk cannot go on for ever.
    """

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._turn = -1
        self._talked = 0

    def choose(
        self, seat: int, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]
    ) -> vocabulary_pb2.Command | None:
        """Return any legal command; None only if there is none worth a try."""
        legal = by_kind(actions)
        due = claim(legal)
        if due is not None:
            return due
        needed = seat in view.situation.waiting_seats
        if needed and view.situation.phase in (vocabulary_pb2.PHASE_SHORTAGE, vocabulary_pb2.PHASE_PLACE):
            return last_building(legal, wants=self._chance.random() < _BID_CHANCE)
        if needed and view.situation.phase == vocabulary_pb2.PHASE_CHOICE:
            return any_answer(self._chance, view, legal)
        if needed and ("place_bid" in legal or "pass_auction" in legal):
            return self._bid(legal)
        if view.situation.turn != self._turn:
            self._turn, self._talked = view.situation.turn, 0
        plain = [kind for kind in _PLAIN if kind in legal] if needed else []
        extra = [kind for kind in _OTHERS if kind in legal and self._may(kind)]
        in_debt = any(debt.debtor == seat for debt in view.debts)
        if extra and not in_debt and self._chance.random() >= (_OTHERS_CHANCE if needed else _ANSWER_CHANCE):
            extra = []
        self._chance.shuffle(extra)
        for kind in extra:
            command = self._manage(seat, kind, view, legal)
            if command is not None:
                return command
        return simple(self._chance.choice(plain)) if plain else None

    def _may(self, kind: str) -> bool:
        return kind not in _TALK or self._talked < _TALK_PER_TURN_MAX

    def _bid(self, legal: dict[str, game_pb2.LegalAction]) -> vocabulary_pb2.Command | None:
        action = legal.get("place_bid")
        if action is not None and self._chance.random() < _BID_CHANCE:
            top = min(action.amount_max, action.amount_min + _BID_STEP_MAX)
            amount = self._chance.randint(action.amount_min, max(action.amount_min, top))
            return bid(action, in_steps(amount, action))
        ceiling = legal.get("set_proxy_bid")
        if ceiling is not None and self._chance.random() < _CEILING_CHANCE:
            return have_bid(ceiling, ceiling.amount_min + self._chance.randint(0, _BID_STEP_MAX))
        if "pass_auction" in legal:
            return let_go(legal["pass_auction"])
        return None

    def _manage(
        self, seat: int, kind: str, view: game_pb2.GameView, legal: dict[str, game_pb2.LegalAction]
    ) -> vocabulary_pb2.Command | None:
        action = legal[kind]
        if kind in {"build", "sell_buildings"}:
            alone = [lot for lot in action.lots if lot.level_alone >= 0]
            if not alone:
                return _whole_group(kind, view, action)
            one = self._chance.choice(alone)
            return lot_levels(kind, {one.lot: one.level_alone})
        if kind == "return_lots":
            return give_back(self._chance.choice(action.lots).lot)
        if kind == "play_card":
            return play(self._chance.choice(action.cards))
        if kind in {"mortgage_lots", "redeem_lots"}:
            return lots(kind, [self._chance.choice(action.lots).lot]) if action.lots else None
        if kind == "take_loan":
            return borrow(action, self._chance.randint(action.amount_min, action.amount_max))
        if kind == "repay_loan":
            return repay(self._chance.choice(action.answers))
        if kind in _TALK:
            command = self._talk(seat, kind, view, action)
            self._talked += command is not None
            return command
        return offer_answer(kind, self._chance.choice(action.offers)) if action.offers else None

    def _talk(
        self, seat: int, kind: str, view: game_pb2.GameView, action: game_pb2.LegalAction
    ) -> vocabulary_pb2.Command | None:
        """Offer some of one's own for some of the other's: a lot each way, and a little cash."""
        makers = {offer.offer: offer.from_seat for offer in view.offers}
        offer = self._chance.choice(action.offers) if action.offers else 0
        others = [makers[offer]] if offer in makers else [one for one in action.seats if one != seat]
        if not others or (kind == "counter_offer" and not offer):
            return None
        other = self._chance.choice(others)
        owner = {lot.lot: lot.owner for lot in view.lots}
        mine = [lot.lot for lot in action.lots if owner.get(lot.lot) == seat]
        theirs = [lot.lot for lot in action.lots if owner.get(lot.lot) == other and not lot.amount]
        terms = vocabulary_pb2.Terms(  # mortgaged lots would cost their interest, so it asks for none
            give_cash=self._chance.randint(0, max(0, min(action.amount_max, _CASH_OFFERED_MAX))),
            give_lots=self._chance.sample(mine, min(1, len(mine))),
            take_lots=self._chance.sample(theirs, min(1, len(theirs))),
        )
        if not (terms.give_cash or terms.give_lots):
            return None
        self._promise(seat, action, terms, owner)
        if not is_fair(action, terms):
            gives, takes = sides(action, terms)
            terms.take_cash = max(0, gives - takes)
            terms.give_cash += max(0, takes - gives)
            if terms.give_cash > action.amount_max:
                return None
        if kind == "counter_offer":
            return vocabulary_pb2.Command(counter_offer=vocabulary_pb2.CounterOffer(offer=offer, terms=terms))
        return vocabulary_pb2.Command(offer_trade=vocabulary_pb2.OfferTrade(to_seat=other, terms=terms))

    def _promise(
        self, seat: int, action: game_pb2.LegalAction, terms: vocabulary_pb2.Terms, owner: dict[int, int]
    ) -> None:
        """Now and then add a free visit of an own lot that is kept, or ask for a loan."""
        kept = [lot for lot in action.free_lots if owner.get(lot) == seat and lot not in terms.give_lots]
        if kept and self._chance.random() < _PROMISE_CHANCE:
            terms.give_immunity.add(lot=self._chance.choice(kept), visits=1)
        if seat in action.borrowers and self._chance.random() < _PROMISE_CHANCE:
            terms.take_loan = self._chance.randint(1, _CASH_OFFERED_MAX)


def _whole_group(
    kind: str, view: game_pb2.GameView, action: game_pb2.LegalAction
) -> vocabulary_pb2.Command | None:
    """Sell all that stands in one group: no lot can go down by itself there, but all can together."""
    if kind != "sell_buildings" or not action.lots:
        return None
    group = view.board.squares[action.lots[0].lot].group
    standing = [lot.lot for lot in view.lots if lot.level and view.board.squares[lot.lot].group == group]
    return lot_levels(kind, dict.fromkeys(standing, 0))
