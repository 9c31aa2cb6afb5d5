"""Turns a step of a seat into the command a client would send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.scenario.model import Answer, Bid, Choose, Deal, Lots, Plain, Sell
from magnate.game.vocabulary_codec import encode_command
from magnate.rules.decision import NOBODY
from magnate.rules.v1 import vocabulary_pb2
from magnate.rules.vocabulary import (
    AcceptOffer,
    Build,
    BuyLot,
    ChooseOption,
    Command,
    CounterOffer,
    DeclareBankruptcy,
    DeclineLot,
    EndTurn,
    LotLevel,
    MortgageLots,
    OfferTrade,
    PassAuction,
    PayDebt,
    PayFine,
    PlaceBid,
    RedeemLots,
    RejectOffer,
    Resign,
    Roll,
    SellBuildings,
    Terms,
    UseJailCard,
    WithdrawOffer,
)

if TYPE_CHECKING:
    from magnate.cli.scenario.mirror import Mirror
    from magnate.cli.scenario.model import Action

UNKNOWN_OFFER: Final = 1_000_000
"""The number of an offer that was never made."""

_PLAIN: Final[dict[str, Command]] = {
    "roll": Roll(),
    "buy": BuyLot(),
    "decline": DeclineLot(),
    "pay": PayDebt(),
    "end_turn": EndTurn(),
    "use_jail_card": UseJailCard(),
    "pay_fine": PayFine(),
    "resign": Resign(),
    "bankrupt": DeclareBankruptcy(),
}


def command_of(action: Action, seat: int, game: Mirror, offers: dict[str, int]) -> vocabulary_pb2.Command:
    """Return the command of a step; `offers` has the numbers of the offers by the ids of the file."""
    message = vocabulary_pb2.Command()
    encode_command(_command(action, seat, game, offers), message)
    return message


def _command(action: Action, seat: int, game: Mirror, offers: dict[str, int]) -> Command:
    if isinstance(action, Plain):
        return PassAuction(_lot_under_hammer(game)) if action.word == "pass" else _PLAIN[action.word]
    if isinstance(action, Lots):
        return _lots(action, game)
    if isinstance(action, Sell):
        return SellBuildings([LotLevel(lot, level) for lot, level in action.levels.items()])
    if isinstance(action, Bid):
        return PlaceBid(action.lot if action.lot >= 0 else _lot_under_hammer(game), action.amount)
    if isinstance(action, Choose):
        return ChooseOption(action.option)
    if isinstance(action, Deal):
        return _deal(action, seat, game, offers)
    assert isinstance(action, Answer)
    number = offers.get(action.offer_id, UNKNOWN_OFFER)
    if action.word == "accept":
        return AcceptOffer(number, action.redeem)
    return RejectOffer(number) if action.word == "reject" else WithdrawOffer(number)


def _lots(action: Lots, game: Mirror) -> Command:
    """A square stands once for every building that goes up on it."""
    if action.word == "mortgage":
        return MortgageLots(action.lots)
    if action.word == "redeem":
        return RedeemLots(action.lots)
    level = game.rules.level
    return Build([LotLevel(lot, level[lot] + action.lots.count(lot)) for lot in dict.fromkeys(action.lots)])


def _deal(action: Deal, seat: int, game: Mirror, offers: dict[str, int]) -> Command:
    terms = action.terms
    if action.word == "counter":
        return CounterOffer(offers.get(action.offer_id, UNKNOWN_OFFER), terms)
    if action.word == "pay_in_kind":
        owed = sum(
            debt.amount for debt in game.rules.debts if debt.debtor == seat and debt.creditor == action.to
        )
        settles = owed if action.settles < 0 else action.settles
        terms = Terms(terms.give_cash, terms.give_lots, [], 0, [], [], settles)
    return OfferTrade(action.to, terms)


def _lot_under_hammer(game: Mirror) -> int:
    auction = game.state.auction
    return auction.lot if auction is not None else max(game.rules.auction_lot, NOBODY + 1)
