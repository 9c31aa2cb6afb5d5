"""A bot that does anything that is legal, with a bias towards getting on with the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.client.bots.base import bid, by_kind, lot_levels, lots, offer_answer, simple
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from magnate.game.v1 import game_pb2

_PLAIN: Final = (
    "roll", "buy_lot", "decline_lot", "end_turn", "pay_fine", "use_jail_card", "pay_debt", "declare_bankruptcy",
)  # fmt: skip
_OTHERS: Final = (
    "build", "sell_buildings", "mortgage_lots", "redeem_lots", "offer_trade", "counter_offer",
    "accept_offer", "reject_offer", "withdraw_offer",
)  # fmt: skip
_OTHERS_CHANCE: Final = 0.25
_BID_CHANCE: Final = 0.6


class RandomLegalBot:
    """Chooses among the legal actions with the generator it is given; never resigns."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def choose(
        self, seat: int, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]
    ) -> vocabulary_pb2.Command | None:
        """Return any legal command; None only if there is none worth a try."""
        legal = by_kind(actions)
        if "choose_option" in legal:
            option = self._chance.randrange(max(1, legal["choose_option"].options))
            return vocabulary_pb2.Command(choose_option=vocabulary_pb2.ChooseOption(option=option))
        if "place_bid" in legal or "pass_auction" in legal:
            return self._bid(view, legal)
        needed = seat in view.situation.waiting_seats
        extra = [kind for kind in _OTHERS if kind in legal]
        plain = [kind for kind in _PLAIN if kind in legal]
        if extra and (not plain or self._chance.random() < _OTHERS_CHANCE):
            command = self._manage(seat, self._chance.choice(extra), legal)
            if command is not None:
                return command
        if plain and needed:
            return simple(self._chance.choice(plain))
        return None

    def _bid(
        self, view: game_pb2.GameView, legal: dict[str, game_pb2.LegalAction]
    ) -> vocabulary_pb2.Command | None:
        auction = view.situation.auction
        action = legal.get("place_bid")
        if action is not None and self._chance.random() < _BID_CHANCE:
            top = min(action.amount_max, action.amount_min + 20)
            return bid(auction.lot, self._chance.randint(action.amount_min, max(action.amount_min, top)))
        if "pass_auction" in legal:
            return vocabulary_pb2.Command(pass_auction=vocabulary_pb2.PassAuction(lot=auction.lot))
        return None

    def _manage(
        self, seat: int, kind: str, legal: dict[str, game_pb2.LegalAction]
    ) -> vocabulary_pb2.Command | None:
        action = legal[kind]
        if kind in {"build", "sell_buildings"}:
            one = self._chance.choice(action.lots)
            return lot_levels(kind, {one.lot: one.level_max if kind == "sell_buildings" else one.level_min})
        if kind in {"mortgage_lots", "redeem_lots"}:
            return lots(kind, [self._chance.choice(action.lots).lot])
        if kind == "offer_trade":
            return self._offer(seat, action)
        if kind == "counter_offer":
            return None
        return offer_answer(kind, self._chance.choice(action.offers))

    def _offer(self, seat: int, action: game_pb2.LegalAction) -> vocabulary_pb2.Command | None:
        others = [one for one in action.seats if one != seat]
        if not others or action.amount_max <= 0:
            return None
        terms = vocabulary_pb2.Terms(give_cash=self._chance.randint(1, min(action.amount_max, 50)))
        return vocabulary_pb2.Command(
            offer_trade=vocabulary_pb2.OfferTrade(to_seat=self._chance.choice(others), terms=terms)
        )
