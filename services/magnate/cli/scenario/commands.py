"""Turns a step of a seat into the command a client would send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.scenario.model import (
    Answer,
    Bid,
    Choose,
    Deal,
    Decline,
    Lend,
    Lots,
    Plain,
    Play,
    Proxy,
    Sell,
    Square,
    StakeOn,
    Want,
)
from magnate.game.vocabulary_codec import encode_command
from magnate.rules.decision import BANK
from magnate.rules.files.effect_file import EFFECTS
from magnate.rules.steps.questions import options_asked
from magnate.rules.v1 import vocabulary_pb2
from magnate.rules.vocabulary import (
    PHASE_CHOICE,
    PHASE_SHORTAGE,
    AcceptOffer,
    Build,
    BuyLot,
    ChooseOption,
    ClaimRent,
    Command,
    CounterOffer,
    DeclareBankruptcy,
    DeclineLot,
    DrawnCard,
    EndTurn,
    LotLevel,
    MortgageLots,
    OfferTrade,
    PassAuction,
    PassGo,
    PayDebt,
    PayFine,
    PlaceBid,
    PlaceBuilding,
    PlaceToken,
    PlayCard,
    RedeemLots,
    RejectOffer,
    RepayLoan,
    Resign,
    ReturnLots,
    Roll,
    SellBuildings,
    SetProxyBid,
    Skip,
    Stake,
    TakeLoan,
    Terms,
    UseJailCard,
    WantBuilding,
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
    "pay_by_card": PayDebt(by_card=True),
    "end_turn": EndTurn(),
    "use_jail_card": UseJailCard(),
    "pay_fine": PayFine(),
    "resign": Resign(),
    "bankrupt": DeclareBankruptcy(),
    "skip": Skip(),
    "pass_go": PassGo(),
}
_TAX_WORDS: Final = ("sum", "percent")


def command_of(action: Action, seat: int, game: Mirror, offers: dict[str, int]) -> vocabulary_pb2.Command:
    """Return the command of a step; `offers` has the numbers of the offers by the ids of the file."""
    message = vocabulary_pb2.Command()
    encode_command(_command(action, seat, game, offers), message)
    return message


def _command(action: Action, seat: int, game: Mirror, offers: dict[str, int]) -> Command:
    if isinstance(action, Plain):
        return _plain(action.word, game)
    if isinstance(action, Lots):
        return _lots(action, game)
    if isinstance(action, Sell):
        return SellBuildings([LotLevel(lot, level) for lot, level in action.levels.items()])
    if isinstance(action, Bid):
        return PlaceBid(_lot_under_hammer(game, action.lot), action.amount)
    if isinstance(action, Proxy):
        return SetProxyBid(_lot_under_hammer(game, action.lot), action.ceiling)
    if isinstance(action, Decline):
        return DeclineLot(action.minimum)
    if isinstance(action, Choose):
        return ChooseOption(_option(action.word, game) if action.word else action.option)
    if isinstance(action, Deal):
        return _deal(action, seat, game, offers)
    if isinstance(action, Square):
        if action.word == "place_token":
            return PlaceToken(action.lot)
        if action.word == "pass":
            return PassAuction(action.lot)
        return ClaimRent(action.lot) if action.word == "claim_rent" else PlaceBuilding(action.lot)
    if isinstance(action, StakeOn):
        return Stake(action.amount, action.faces)
    if isinstance(action, Play):
        if action.by_hand:
            return DrawnCard(action.deck, action.card)
        return PlayCard(action.deck, action.card)
    if isinstance(action, Lend):
        return _lend(action, seat, game)
    if isinstance(action, Want):
        return WantBuilding(action.building)
    assert isinstance(action, Answer)
    number = offers.get(action.offer_id, UNKNOWN_OFFER)
    if action.word == "accept":
        return AcceptOffer(number, action.redeem)
    return RejectOffer(number) if action.word == "reject" else WithdrawOffer(number)


def _plain(word: str, game: Mirror) -> Command:
    """What is declined is a lot; or the stake, the card, the building that is asked about."""
    if word == "pass":
        return PassAuction(_lot_under_hammer(game, -1))
    if word == "decline" and game.rules.phase in (PHASE_CHOICE, PHASE_SHORTAGE):
        return Skip()
    return _PLAIN[word]


def _option(word: str, game: Mirror) -> int:
    """The number of the option that does what the word says; one there is not if none does."""
    if word in _TAX_WORDS:
        return _TAX_WORDS.index(word)
    kinds = [effect.kind for effect in options_asked(game.rules)]
    kind = EFFECTS[word].kind
    return kinds.index(kind) if kind in kinds else len(kinds)


def _lend(action: Lend, seat: int, game: Mirror) -> Command:
    if action.word == "loan":
        return TakeLoan(action.amount)
    if action.creditor is not None:
        return RepayLoan(action.creditor)
    owed = [loan.creditor for loan in game.rules.extras.loans if loan.debtor == seat]
    return RepayLoan(owed[0] if owed else BANK)


def _lots(action: Lots, game: Mirror) -> Command:
    """A square stands once for every building that goes up on it."""
    if action.word == "mortgage":
        return MortgageLots(action.lots)
    if action.word == "redeem":
        return RedeemLots(action.lots)
    if action.word == "return":
        return ReturnLots(action.lots)
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


def _lot_under_hammer(game: Mirror, named: int) -> int:
    """The lot that is named, else the only one there is; none where several are sold."""
    if named >= 0:
        return named
    lots = [auction.lot for auction in game.state.auctions.values()]
    return lots[0] if len(lots) == 1 else 0
