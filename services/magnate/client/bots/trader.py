"""How the sensible bot deals: it asks for what completes a group, and judges offers by what both sides gain.

The talk always ends: an asking is never repeated for a while, a turn has a bounded number of offers, and an
offer is answered with yes or no, never with another offer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.client.bots.base import offer_answer
from magnate.client.bots.promises import is_fair, least_cash, visits_gain
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from magnate.client.bots.worth import Worth
    from magnate.game.v1 import game_pb2

OFFERS_PER_TURN_MAX: Final = 2
OFFERS_OPEN_MAX: Final = 3
ASK_AGAIN_TURNS: Final = 25
SWEETENER_PERCENT: Final = 10
RISK_PERCENT: Final = 60


class Trader:
    """The dealing half of a bot; remembers what it asked and when."""

    def __init__(self) -> None:
        self._asked: dict[tuple[int, int], int] = {}
        self._turn = -1
        self._made = 0

    def answer(
        self, seat: int, worth: Worth, legal: dict[str, game_pb2.LegalAction]
    ) -> vocabulary_pb2.Command | None:
        """Accept or reject one offer that waits for this seat; None if none does."""
        accept, reject = legal.get("accept_offer"), legal.get("reject_offer")
        for offer in worth.view.offers:
            if offer.to_seat != seat:
                continue
            if accept is not None and offer.offer in accept.offers and self._is_good(seat, worth, offer):
                return offer_answer("accept_offer", offer.offer)
            if reject is not None and offer.offer in reject.offers:
                return offer_answer("reject_offer", offer.offer)
        return None

    def propose(
        self, seat: int, worth: Worth, legal: dict[str, game_pb2.LegalAction]
    ) -> vocabulary_pb2.Command | None:
        """Ask another seat for the lots that complete a group, if both can gain."""
        action = legal.get("offer_trade")
        turn = worth.view.situation.turn
        if turn != self._turn:
            self._turn, self._made = turn, 0
        mine_open = sum(offer.from_seat == seat for offer in worth.view.offers)
        if action is None or self._made >= OFFERS_PER_TURN_MAX or mine_open >= OFFERS_OPEN_MAX:
            return None
        tradable = {lot.lot for lot in action.lots}
        for group, members in worth.members.items():
            missing = [lot for lot in members if worth.owner(lot) != seat]
            owners = {worth.owner(lot) for lot in missing}
            if not missing or len(missing) == len(members) or len(owners) != 1:
                continue
            other = owners.pop()
            asked = self._asked.get((group, other), -ASK_AGAIN_TURNS)
            if (
                other not in action.seats
                or turn - asked < ASK_AGAIN_TURNS
                or not tradable.issuperset(missing)
                or not worth.is_street(missing[0])
            ):
                continue
            command = self._offer(seat, other, missing, worth, action)
            if command is not None:
                self._asked[group, other] = turn
                self._made += 1
                return command
        return None

    def _offer(
        self, seat: int, other: int, missing: list[int], worth: Worth, action: game_pb2.LegalAction
    ) -> vocabulary_pb2.Command | None:
        """Return an offer that should please both: first lots the other needs, then cash to make it even."""
        tradable = {lot.lot for lot in action.lots}
        spare = max(0, action.amount_max - worth.reserve(seat) // 2)
        for give in (*self._needed_by(seat, other, worth, tradable), []):
            theirs = judge(worth, other, seat, give, missing)
            price = -theirs + worth.start_money * SWEETENER_PERCENT // 100
            pays = max(0, price, least_cash(action, give, missing))
            if pays > spare or judge(worth, seat, other, missing, give, -pays) <= 0:
                continue
            terms = vocabulary_pb2.Terms(give_cash=pays, give_lots=give, take_lots=missing)
            if not is_fair(action, terms):
                continue  # more than the rule set lets one give
            return vocabulary_pb2.Command(offer_trade=vocabulary_pb2.OfferTrade(to_seat=other, terms=terms))
        return None

    @staticmethod
    def _needed_by(seat: int, other: int, worth: Worth, tradable: set[int]) -> list[list[int]]:
        """Return lots of `seat` that complete a group of `other`, and single ones that bring him nearer."""
        whole: list[list[int]] = []
        single: list[list[int]] = []
        for members in worth.members.values():
            mine = [lot for lot in members if worth.owner(lot) == seat]
            if not mine or not tradable.issuperset(mine) or worth.has_group(seat, mine[0]):
                continue
            if len(mine) + sum(worth.owner(lot) == other for lot in members) == len(members):
                whole.append(mine)
            elif any(worth.owner(lot) == other for lot in members):
                single.append(mine[:1])
        return whole + single

    @staticmethod
    def _is_good(seat: int, worth: Worth, offer: vocabulary_pb2.OfferMade) -> bool:
        terms = offer.terms
        cash = terms.give_cash - terms.take_cash
        cards = len(terms.give_cards) - len(terms.take_cards)
        if worth.cash(seat) + cash - terms.take_loan < worth.reserve(seat) // 2:
            return False
        gets, gives = list(terms.give_lots), list(terms.take_lots)
        bonds = visits_gain(worth, terms) - terms.take_loan  # what one lends may never come back
        return judge(worth, seat, offer.from_seat, gets, gives, cash, cards) + bonds > 0


def judge(
    worth: Worth, seat: int, other: int, gets: list[int], gives: list[int], cash: int = 0, cards: int = 0
) -> int:
    """Return what a deal with `other` is worth to a seat: its gain, less the risk of completing his group."""
    gain = worth.side(seat, gets, gives, cash, cards)
    if len(gives) > 1 and worth.completes(other, gives):  # the worth of a single lot has this in it already
        gain -= sum(worth.squares[lot].price for lot in gives) * RISK_PERCENT // 100
    return gain
