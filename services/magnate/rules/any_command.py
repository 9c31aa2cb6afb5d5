"""Any legal command of a seat at random, drawn from `legal_actions`: dear, and found by no plan.

The bot of the simulation goes on with the game; this makes seats deal, build and mortgage out of turn, resign
(rarely), and whatever else a rule set allows, so that long runs come to positions nobody thought of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.balance import refuse_balance
from magnate.rules.kinds import KIND_NAMES
from magnate.rules.legal import legal_actions
from magnate.rules.random_answers import ANSWERS, answer
from magnate.rules.vocabulary import (
    AcceptOffer,
    Build,
    BuyLot,
    ClaimRent,
    Command,
    CounterOffer,
    DeclareBankruptcy,
    DeclineLot,
    DrawnCard,
    EndTurn,
    Immunity,
    LotLevel,
    MortgageLots,
    OfferTrade,
    PassGo,
    PayDebt,
    PayFine,
    PlaceBuilding,
    PlaceToken,
    RedeemLots,
    RejectOffer,
    RepayLoan,
    Resign,
    Roll,
    SellBuildings,
    Skip,
    TakeLoan,
    Terms,
    UseJailCard,
    WantBuilding,
    WithdrawOffer,
)

if TYPE_CHECKING:
    from magnate.rules.chance import RandomChance
    from magnate.rules.legal_values import LegalAction, LegalLot
    from magnate.rules.state import State

_LEAVE_ONE_IN: Final = 60
_CASH_MAX: Final = 200

_PLAIN: Final[dict[str, Command]] = {
    "roll": Roll(),
    "buy_lot": BuyLot(),
    "decline_lot": DeclineLot(),
    "pay_fine": PayFine(),
    "use_jail_card": UseJailCard(),
    "pay_debt": PayDebt(),
    "declare_bankruptcy": DeclareBankruptcy(),
    "resign": Resign(),
    "end_turn": EndTurn(),
    "skip": Skip(),
    "pass_go": PassGo(),
}


def any_command(state: State, seat: int, random: RandomChance) -> Command | None:
    """One that the seat may give now, bids left out; None if none was found at the first attempt."""
    actions = legal_actions(state, seat, None)
    if not actions:
        return None
    action = actions[random.below(len(actions))]
    kind = action.kind
    if kind == "resign" and random.below(_LEAVE_ONE_IN):
        return None
    plain = _PLAIN.get(kind)
    if plain is not None:
        return plain
    if kind in ("offer_trade", "counter_offer", "accept_offer", "reject_offer", "withdraw_offer"):
        return _deal(state, seat, action, random)
    bit = 1 << KIND_NAMES.index(kind)
    if bit & ANSWERS:
        return answer(state, seat, bit, random)
    if kind == "place_token":
        return PlaceToken(action.answers[random.below(len(action.answers))])
    if kind == "drawn_card":
        card = action.cards[random.below(len(action.cards))]
        return DrawnCard(card.deck, card.card)
    if not action.lots:
        return _other(action, random)
    one = action.lots[random.below(len(action.lots))]
    if kind in ("build", "sell_buildings"):
        return _levels(kind, one)
    if kind == "mortgage_lots":
        return MortgageLots([one.lot])
    if kind == "redeem_lots":
        return RedeemLots([one.lot])
    if kind == "claim_rent":
        return ClaimRent(one.lot)
    if kind == "place_building":
        return PlaceBuilding(one.lot)
    return None


def _other(action: LegalAction, random: RandomChance) -> Command | None:
    if action.kind == "take_loan":
        return TakeLoan(action.amount_min + random.below(action.amount_max - action.amount_min + 1))
    if action.kind == "repay_loan":
        return RepayLoan(action.answers[random.below(len(action.answers))])
    return WantBuilding(action.answers[0]) if action.kind == "want_building" else None


def _levels(kind: str, one: LegalLot) -> Command | None:
    """To the next level that the lot can have alone, if there is one."""
    if one.level_alone < 0:
        return None
    targets = [LotLevel(one.lot, one.level_alone)]
    return Build(targets) if kind == "build" else SellBuildings(targets)


def _deal(state: State, seat: int, action: LegalAction, random: RandomChance) -> Command | None:
    if action.kind == "offer_trade":
        other = action.seats[random.below(len(action.seats))]
        terms = _terms(state, seat, other, action, random)
        return None if refuse_balance(state, seat, other, terms) else OfferTrade(other, terms)
    offer = action.offers[random.below(len(action.offers))]
    if action.kind == "counter_offer":
        other = state.offers[offer].from_seat
        terms = _terms(state, seat, other, action, random)
        return None if refuse_balance(state, seat, other, terms) else CounterOffer(offer, terms)
    if action.kind == "accept_offer":
        return AcceptOffer(offer, [])
    return RejectOffer(offer) if action.kind == "reject_offer" else WithdrawOffer(offer)


def _terms(state: State, seat: int, other: int, action: LegalAction, random: RandomChance) -> Terms:
    """A lot or a card for a lot or money, or nothing, as it comes."""
    settles = action.amount_max if action.amount_min == 1 else 0
    spare = 0 if settles else action.amount_max
    give = _one_lot(state, seat, action, random)
    take = _one_lot(state, other, action, random)
    for one in action.lots:  # what comes mortgaged costs its interest
        if one.lot in take and one.amount > spare:
            take = []
    for one in action.lots:
        if one.lot in take:
            spare -= one.amount
    hand = state.cards[seat]
    cards = [card for card in action.cards if card.deck * 64 + card.card in hand and random.below(2)]
    give_cash = random.below(min(spare, _CASH_MAX) + 1)
    take_cash = 0 if give_cash or settles else random.below(_CASH_MAX)
    if not (give or take or cards or give_cash):
        take_cash = max(take_cash, 1)
    terms = Terms(give_cash, give, cards, take_cash, take, [], settles)
    _promise(state, seat, other, terms, action, random)
    return terms


def _promise(
    state: State, seat: int, other: int, terms: Terms, action: LegalAction, random: RandomChance
) -> None:
    """Now and then a few free visits of a lot that nobody gives away, or a loan."""
    if action.free_lots and random.below(4) == 0:
        lot = action.free_lots[random.below(len(action.free_lots))]
        visits = [Immunity(lot, 1 + random.below(3))]
        if lot not in terms.give_lots and lot not in terms.take_lots:
            if state.owner[lot] == seat:
                terms.give_immunity = visits
            elif state.owner[lot] == other:
                terms.take_immunity = visits
    if seat in action.borrowers and random.below(4) == 0:
        terms.take_loan = 1 + random.below(_CASH_MAX)


def _one_lot(state: State, owner: int, action: LegalAction, random: RandomChance) -> list[int]:
    """One of the owner's lots that may be traded, or none."""
    if not action.lots or random.below(3) == 0:
        return []
    one = action.lots[random.below(len(action.lots))]
    return [one.lot] if state.owner[one.lot] == owner else []
