"""`refusal`: why a kind of command is not legal for a seat now, as the name of the refusal it meets first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import kinds, rejections
from magnate.rules.buildings import first_price, levels_allowed
from magnate.rules.chance import RandomChance
from magnate.rules.decide import decide
from magnate.rules.gates import in_game
from magnate.rules.kinds import KIND_NAMES
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.legal_questions import refuse_thing
from magnate.rules.legal_shortage import SHORTAGE_KINDS, refuse_shortage
from magnate.rules.legal_trade import offers_to
from magnate.rules.moments import bids_are_sealed
from magnate.rules.offers import OFFERS_OPEN_MAX, loans_owed, open_offers_of
from magnate.rules.rejections import Rejection
from magnate.rules.steps.auction import bid_most
from magnate.rules.steps.build import refuse_building, refuse_selling
from magnate.rules.steps.loan import refuse_borrowing
from magnate.rules.steps.mortgage import refuse_mortgaging, refuse_redeeming
from magnate.rules.terms import refuse_accepting, refuse_answering, refuse_trading
from magnate.rules.vocabulary import (
    BuyLot,
    ChooseOption,
    Command,
    DeclareBankruptcy,
    DeclineLot,
    DrawnCard,
    EndTurn,
    PassGo,
    PayDebt,
    PayFine,
    PlaceToken,
    Resign,
    Roll,
    Skip,
    UseJailCard,
)

if TYPE_CHECKING:
    from magnate.rules.bidding import Auction
    from magnate.rules.state import State

_PLAIN: Final[dict[str, Command]] = {
    "roll": Roll(), "buy_lot": BuyLot(), "decline_lot": DeclineLot(), "pay_fine": PayFine(),
    "use_jail_card": UseJailCard(), "choose_option": ChooseOption(0), "pay_debt": PayDebt(),
    "declare_bankruptcy": DeclareBankruptcy(), "resign": Resign(), "end_turn": EndTurn(),
    "skip": Skip(), "place_token": PlaceToken(0), "pass_go": PassGo(), "drawn_card": DrawnCard(0, 0),
}  # fmt: skip


def refusal(state: State, seat: int, kind: str, auctions: dict[int, Auction] | None = None) -> str:
    """The refusal that every command of this kind meets now, or empty if some would be accepted.

    An unknown kind is a KeyError: kinds are the names in `kinds.KIND_NAMES`.
    """
    if kind not in KIND_NAMES:
        raise KeyError(kind)
    if legal_kinds(state, seat, auctions) >> KIND_NAMES.index(kind) & 1:
        return ""
    refused = in_game(state, seat)
    if refused is not None:
        return refused.name
    if kind in _PLAIN:
        answer = decide(state, seat, _PLAIN[kind], RandomChance(0))
        return answer.name if isinstance(answer, Rejection) else ""
    bit = 1 << KIND_NAMES.index(kind)
    if bit == kinds.CLAIM_RENT:
        waits = any(one.owner == seat for one in state.extras.claims)
        return rejections.WRONG_PHASE if waits and bids_are_sealed(state) else rejections.NOTHING_DUE
    if bit in (kinds.PLACE_BID, kinds.PASS_AUCTION, kinds.SET_PROXY_BID):
        return _bidding(state, seat, bit, auctions or {})
    if bit & (kinds.STAKE | kinds.PLAY_CARD | kinds.RETURN_LOTS):
        return refuse_thing(state, seat, bit)
    if bit & SHORTAGE_KINDS:
        return refuse_shortage(state, seat, bit)
    if bit == kinds.BUILD:
        return refuse_building(state, seat) or _building(state, seat)
    if bit == kinds.SELL_BUILDINGS:
        return refuse_selling(state, seat) or rejections.NO_BUILDINGS
    if bit == kinds.MORTGAGE_LOTS:
        return refuse_mortgaging(state, seat) or _mortgaging(state, seat)
    if bit == kinds.REDEEM_LOTS:
        return refuse_redeeming(state, seat) or _redeeming(state, seat)
    if bit == kinds.TAKE_LOAN:
        return refuse_borrowing(state, seat)
    if bit == kinds.REPAY_LOAN:
        return _repaying(state, seat)
    return _trading(state, seat, bit)


def _bidding(state: State, seat: int, bit: int, auctions: dict[int, Auction]) -> str:
    """Why nothing of it is possible in any auction; with several, what the first one says."""
    if not auctions:
        return rejections.NO_AUCTION
    auction = next(iter(auctions.values()))
    if seat == auction.barred:
        return rejections.DECLINER_MAY_NOT_BID
    if seat not in auction.bidders:
        return rejections.NOT_A_BIDDER
    if seat in auction.passed:
        return rejections.ALREADY_PASSED
    if bit == kinds.SET_PROXY_BID:
        return rejections.PROXY_NOT_ALLOWED
    if seat == auction.leader:
        return rejections.ALREADY_LEADING
    if not auction.may_act(seat):
        return rejections.NOT_YOUR_TURN
    most = bid_most(state, seat, auction, auctions)
    return rejections.BID_EXCEEDS_FUNDS if auction.least_bid > most else ""


def _building(state: State, seat: int) -> str:
    """The obstacle in the group that comes closest to being built on."""
    board = state.board
    groups = [group for group in range(len(board.members)) if state.full[seat] >> group & 1]
    if not groups:
        return rejections.GROUP_INCOMPLETE
    groups = [group for group in groups if state.group_mortgaged[group] == 0]
    if not groups:
        return rejections.GROUP_MORTGAGED
    hotel = state.hotel_level
    groups = [group for group in groups if state.group_buildings[group] < hotel * len(board.members[group])]
    if not groups:
        return rejections.MAX_BUILDINGS
    groups = [group for group in groups if levels_allowed(state, seat, group) > 0]
    if not groups:
        return rejections.BUILD_LIMIT_REACHED
    money = state.available(seat)
    groups = [group for group in groups if first_price(state, seat, group) <= money]
    if not groups:
        return rejections.INSUFFICIENT_FUNDS
    for group in groups:
        if min(state.level[lot] for lot in board.members[group]) + 1 < hotel:
            return rejections.NO_HOUSES_LEFT
    return rejections.NO_HOTELS_LEFT


def _mortgaging(state: State, seat: int) -> str:
    if state.owned[seat] == 0:
        return rejections.NOT_OWNER
    free = state.owned[seat] & ~state.mortgaged_mask
    return rejections.GROUP_BUILT if free else rejections.ALREADY_MORTGAGED


def _redeeming(state: State, seat: int) -> str:
    mortgaged = state.owned[seat] & state.mortgaged_mask
    return rejections.INSUFFICIENT_FUNDS if mortgaged else rejections.NOT_MORTGAGED


def _repaying(state: State, seat: int) -> str:
    if loans_owed(state, seat) == 0:
        return rejections.NOTHING_DUE
    in_debt = state.debts and state.in_debt(seat)
    return rejections.MUST_PAY_FIRST if in_debt else rejections.INSUFFICIENT_FUNDS


def _trading(state: State, seat: int, bit: int) -> str:
    if bit == kinds.OFFER_TRADE:
        name = refuse_trading(state, seat)
        if not name and open_offers_of(state, seat) < OFFERS_OPEN_MAX:
            return rejections.OFFER_UNBALANCED  # it has nothing to give
        return name or rejections.OFFER_LIMIT_REACHED
    if bit in (kinds.ACCEPT_OFFER, kinds.COUNTER_OFFER):
        names = [_answering(state, seat, offer, bit) for offer in offers_to(state, seat)]
        return names[0] if names else refuse_trading(state, seat) or rejections.UNKNOWN_OFFER
    return rejections.UNKNOWN_OFFER


def _answering(state: State, seat: int, offer: int, bit: int) -> str:
    name = refuse_answering(state, seat, offer)
    if name:
        return name
    if bit == kinds.ACCEPT_OFFER:
        return refuse_accepting(state, state.offers[offer], [])
    if open_offers_of(state, seat) < OFFERS_OPEN_MAX:
        return rejections.OFFER_UNBALANCED
    return rejections.OFFER_LIMIT_REACHED
