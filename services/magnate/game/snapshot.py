"""The folded state of a game as bytes: a cache, dropped whenever anything about it is odd."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, final

from magnate.game.codec import decode_table_opened
from magnate.game.domain import table
from magnate.game.domain.standing import Standing
from magnate.game.state import Deadline, GameState
from magnate.game.v1 import game_pb2
from magnate.rules.bidding import Auction
from magnate.rules.extras import LISTS, NUMBERS, Extras
from magnate.rules.state import State
from magnate.rules.vocabulary import (
    AuctionOpened,
    Card,
    Immunity,
    LotPass,
    OfferMade,
    OpenClaim,
    OpenDebt,
    OpenLoan,
    SealedBid,
    Terms,
)

if TYPE_CHECKING:
    from collections.abc import Callable

# Every plain field of the rules' state, by name; debts and offers are values and stand apart.
RULES_FIELDS: Final = (
    "order", "phase", "turn_seat", "turn", "round", "doubles", "to_roll", "turn_over", "die1", "die2",
    "pending_move", "offered_lot", "choice_deck", "choice_card", "draws", "cash", "held", "at", "jailed",
    "jail_tries", "out", "alive", "eliminated", "cards", "unseen", "seen", "owner", "level", "mortgaged",
    "group_count", "group_buildings", "group_mortgaged", "built", "houses_left", "hotels_left", "debt_mark",
    "estate", "auction", "auction_lot", "auction_count", "offer_count", "end_reason", "ranking", "scores",
    "stale_offers", "owned", "full", "built_mask", "mortgaged_mask",
)  # fmt: skip
_AUCTION_FIELDS: Final = (
    "active", "leader", "price", "hold_id", "held", "clock", "bidders", "turn", "declined", "extensions",
    "end", "calls", "total_ms", "sealed_seats",
)  # fmt: skip
STANDING_FIELDS: Final = tuple(sorted(Standing.__slots__))
_SCHEMA: Final = (
    f"game/6|concealed|{STANDING_FIELDS}|{RULES_FIELDS}|{_AUCTION_FIELDS}|{AuctionOpened.FIELDS}|{SealedBid.FIELDS}|{OfferMade.FIELDS}|{Terms.FIELDS}|{OpenDebt.FIELDS}"
    f"|{NUMBERS}|{LISTS}|{OpenClaim.FIELDS}|{OpenLoan.FIELDS}|{LotPass.FIELDS}"
)


@final
class GameSnapshots:
    """How the game service stores its state (see `kit.log.fold.SnapshotCodec`)."""

    kind: Final = "game"
    schema_hash: Final = sha256(_SCHEMA.encode()).digest()

    def encode(self, state: GameState) -> bytes:
        """Return the bytes of a state."""
        opened = state.table
        plain: dict[str, Any] = {
            "game_id": state.game_id,
            "opened": state.opened.hex(),
            "status": opened.status,
            "names": opened.names,
            "entropies": [entropy.hex() for entropy in opened.entropies],
            "seed": opened.seed.hex(),
            "revealed_seed": opened.revealed_seed.hex(),
            "paused_at_ms": opened.paused_at_ms,
            "started_at_ms": opened.started_at_ms,
            "standings": [
                [seat, *(getattr(one, name) for name in STANDING_FIELDS)]
                for seat, one in opened.standings.items()
            ],
            "deadlines": [[key, *deadline.row()] for key, deadline in state.deadlines.items()],
            "holds": [[key, *held] for key, held in state.holds.items()],
            "concealed": sorted(state.concealed),
            "throws_used": state.throws_used,
            "cards_used": list(state.cards_used.items()),
            "script_used": state.script_used,
        }
        if state.rules is not None:
            plain["rules"] = _rules(state.rules)
        if state.auctions:
            plain["auctions"] = [_auction(auction) for auction in state.auctions.values()]
        return json.dumps(plain, separators=(",", ":")).encode()

    def decode(self, data: bytes) -> GameState:
        """Return the state; raises when anything does not fit, which drops the snapshot."""
        plain = json.loads(data)
        state = GameState(plain["game_id"])
        state.opened = bytes.fromhex(plain["opened"])
        table.evolve(state.table, decode_table_opened(game_pb2.TableOpened.FromString(state.opened)))
        opened = state.table
        opened.status = plain["status"]
        opened.names = plain["names"]
        opened.entropies = [bytes.fromhex(text) for text in plain["entropies"]]
        opened.seed = bytes.fromhex(plain["seed"])
        opened.revealed_seed = bytes.fromhex(plain["revealed_seed"])
        opened.paused_at_ms = plain["paused_at_ms"]
        opened.started_at_ms = plain["started_at_ms"]
        opened.standings = {row[0]: _read_standing(row[1:]) for row in plain["standings"]}
        state.deadlines = {row[0]: Deadline(*row[1:]) for row in plain["deadlines"]}
        state.holds = {row[0]: (row[1], row[2]) for row in plain["holds"]}
        state.concealed = frozenset(plain["concealed"])
        state.throws_used = plain["throws_used"]
        state.cards_used = dict(plain["cards_used"])
        state.script_used = plain["script_used"]
        if "rules" in plain:
            state.rules = _read_rules(plain["rules"], opened)
        if "auctions" in plain:
            running = [_read_auction(one) for one in plain["auctions"]]
            state.auctions = {auction.auction: auction for auction in running}
        return state


def _read_standing(row: list[Any]) -> Standing:
    one = Standing()
    for name, value in zip(STANDING_FIELDS, row, strict=True):
        setattr(one, name, value)
    return one


def _rules(rules: State) -> dict[str, Any]:
    plain: dict[str, Any] = {name: getattr(rules, name) for name in RULES_FIELDS}
    plain["debts"] = [[getattr(debt, name) for name in OpenDebt.FIELDS] for debt in rules.debts]
    plain["offers"] = [_offer(offer) for offer in rules.offers.values()]
    plain["extras"] = _extras(rules.extras)
    return plain


def _extras(extras: Extras) -> dict[str, Any]:
    plain: dict[str, Any] = {name: getattr(extras, name) for name in (*NUMBERS, *LISTS)}
    plain["claims"] = [[getattr(one, name) for name in OpenClaim.FIELDS] for one in extras.claims]
    plain["loans"] = [[getattr(one, name) for name in OpenLoan.FIELDS] for one in extras.loans]
    plain["passes"] = [[getattr(one, name) for name in LotPass.FIELDS] for one in extras.passes]
    return plain


def _read_extras(plain: dict[str, Any], extras: Extras) -> None:
    for name in (*NUMBERS, *LISTS):
        setattr(extras, name, plain[name])
    extras.touched = 1
    extras.claims = [OpenClaim(*row) for row in plain["claims"]]
    extras.loans = [OpenLoan(*row) for row in plain["loans"]]
    extras.passes = [LotPass(*row) for row in plain["passes"]]


def _read_rules(plain: dict[str, Any], opened: table.TableState) -> State:
    if opened.board is None or opened.ruleset is None:
        raise ValueError("rules without a board")
    rules = State(opened.board, opened.ruleset, len(opened.names))
    for name in RULES_FIELDS:
        setattr(rules, name, plain[name])
    rules.debts = [OpenDebt(*row) for row in plain["debts"]]
    rules.offers = {row["offer"]: _read_offer(row) for row in plain["offers"]}
    _read_extras(plain["extras"], rules.extras)
    return rules


def _offer(offer: OfferMade) -> dict[str, Any]:
    terms = offer.terms
    cards: Callable[[list[Card]], list[list[int]]] = lambda held: [[one.deck, one.card] for one in held]  # noqa: E731
    visits: Callable[[list[Immunity]], list[list[int]]] = lambda free: [[one.lot, one.visits] for one in free]  # noqa: E731
    return {
        "offer": offer.offer,
        "from_seat": offer.from_seat,
        "to_seat": offer.to_seat,
        "counter_to": offer.counter_to,
        "terms": [
            terms.give_cash, terms.give_lots, cards(terms.give_cards),
            terms.take_cash, terms.take_lots, cards(terms.take_cards), terms.settles_debt,
            visits(terms.give_immunity), visits(terms.take_immunity), terms.give_loan, terms.take_loan,
        ],
    }  # fmt: skip


def _read_offer(plain: dict[str, Any]) -> OfferMade:
    give_cash, give_lots, give_cards, take_cash, take_lots, take_cards, settles, *late = plain["terms"]
    give_free, take_free, give_loan, take_loan = late
    terms = Terms(
        give_cash, give_lots, [Card(*one) for one in give_cards],
        take_cash, take_lots, [Card(*one) for one in take_cards], settles,
        [Immunity(*one) for one in give_free], [Immunity(*one) for one in take_free], give_loan, take_loan,
    )  # fmt: skip
    return OfferMade(plain["offer"], plain["from_seat"], plain["to_seat"], terms, plain["counter_to"])


def _auction(auction: Auction) -> dict[str, Any]:
    plain: dict[str, Any] = {name: getattr(auction, name) for name in _AUCTION_FIELDS}
    plain["opened"] = [getattr(auction.opened, name) for name in AuctionOpened.FIELDS]
    plain["bids"] = auction.bids
    plain["spent"] = list(auction.spent.items())
    plain["ceilings"] = list(auction.ceilings.items())
    plain["sealed"] = [_sealed(bid) for bid in auction.sealed.values()]
    plain["withdrawn"] = [_sealed(bid) for bid in auction.withdrawn]
    return plain


def _sealed(bid: SealedBid) -> list[Any]:
    return [getattr(bid, name) for name in SealedBid.FIELDS]


def _read_auction(plain: dict[str, Any]) -> Auction:
    auction = Auction(AuctionOpened(*plain["opened"]))
    for name in _AUCTION_FIELDS:
        setattr(auction, name, plain[name])
    auction.bids = [(seat, amount) for seat, amount in plain["bids"]]
    auction.spent = dict(plain["spent"])
    auction.ceilings = dict(plain["ceilings"])
    auction.sealed = {bid.seat: bid for bid in (SealedBid(*row) for row in plain["sealed"])}
    auction.withdrawn = [SealedBid(*row) for row in plain["withdrawn"]]
    return auction
