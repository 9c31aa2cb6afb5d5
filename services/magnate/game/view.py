"""The public state of a game as API messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.clock_views import clock_views, seat_times
from magnate.game.domain import table
from magnate.game.setup_codec import encode_board, encode_ruleset
from magnate.game.sight import ANYBODY, seen
from magnate.game.standing_view import put_clock, put_seat
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import (
    put_auction_opened,
    put_lot_pass,
    put_offer_made,
    put_open_claim,
    put_open_debt,
    put_open_loan,
)
from magnate.rules import plain, waiting
from magnate.rules.kinds import KIND_NAMES
from magnate.rules.legal_refusal import refusal
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps.mortgage import redemption
from magnate.rules.steps.questions import question
from magnate.rules.vocabulary import PHASE_CHOICE, PHASE_PLACE, PHASE_SHORTAGE

if TYPE_CHECKING:
    from collections.abc import Collection

    from google.protobuf.timestamp_pb2 import Timestamp

    from magnate.game.state import GameState
    from magnate.kit.log.fold import Loaded
    from magnate.rules.bidding import Auction
    from magnate.rules.extras import Extras
    from magnate.rules.legal_values import LegalAction
    from magnate.rules.state import State

STATUS: Final = {
    table.OPEN: game_pb2.GAME_STATUS_OPEN,
    table.RUNNING: game_pb2.GAME_STATUS_RUNNING,
    table.PAUSED: game_pb2.GAME_STATUS_PAUSED,
    table.OVER: game_pb2.GAME_STATUS_OVER,
}


def set_time(message: Timestamp, time_ms: int) -> None:
    """Store milliseconds since the epoch as a timestamp."""
    message.seconds = time_ms // 1000
    message.nanos = time_ms % 1000 * 1_000_000


def waiting_seats(state: GameState) -> list[int]:
    """Return the seats that hold the game up."""
    rules = state.rules
    if rules is None or state.table.status != table.RUNNING:
        return []
    return sorted(waiting.waiting_seats(rules, state.auctions))


def put_situation(state: GameState, message: game_pb2.Situation, own: int = ANYBODY) -> None:
    """Store what the game waits for, as the seat `own` sees it."""
    rules = state.rules
    if rules is None:
        message.turn_seat = -1
        return
    message.phase = rules.phase  # type: ignore[assignment]  # the same numbers
    message.turn_seat = rules.turn_seat
    message.turn = rules.turn
    message.waiting_seats.extend(waiting_seats(state))
    for auction in state.auctions.values():
        put_auction(state, auction, message.auctions.add(), own)
    if message.auctions:
        message.auction.CopyFrom(message.auctions[0])
    _put_asked(rules, message)


def _put_asked(rules: State, message: game_pb2.Situation) -> None:
    """Store what the phases that only some rule sets have wait for."""
    extras = rules.extras
    if rules.phase == PHASE_CHOICE:
        asked = message.question
        asked.question = question(rules)  # type: ignore[assignment]  # the same numbers
        asked.square = extras.question_square
        asked.amount = extras.question_amount
        if rules.choice_deck >= 0:
            asked.card.deck = rules.choice_deck
            asked.card.card = rules.choice_card
    elif rules.phase == PHASE_SHORTAGE:
        shortage = message.shortage
        shortage.building = extras.shortage_building  # type: ignore[assignment]  # the same numbers
        shortage.asked_seats.extend(extras.shortage_asked)
        shortage.wanting_seats.extend(extras.shortage_wanted)
        shortage.first_seat = extras.first_wanted - 1
    elif rules.phase == PHASE_PLACE:
        message.placing.seat = extras.placing_seat - 1
        message.placing.building = extras.placing_building  # type: ignore[assignment]  # the same numbers
        message.placing.price = extras.placing_price


def put_auction(state: GameState, auction: Auction, message: game_pb2.AuctionView, own: int) -> None:
    """Store a running auction, with what the seat `own` has bid in secret."""
    message.auction = auction.auction
    message.lot = auction.lot
    message.leader = auction.leader
    message.price = auction.price
    message.next_minimum = auction.least_bid
    message.bidders.extend(auction.active)
    message.building = auction.building  # type: ignore[assignment]  # the same numbers
    message.turn_seat = auction.turn
    put_auction_opened(auction.opened, message.terms)
    message.extensions = auction.extensions
    message.calls = auction.calls
    message.sealed_seats.extend(auction.sealed_seats)
    message.own_ceiling = auction.ceilings.get(own, 0)
    message.own_bid = auction.sealed[own].amount if own in auction.sealed else 0
    for deadline_id, deadline in state.deadlines.items():
        closes = deadline.kind == "close" and deadline_id.startswith(f"a{auction.auction}-")
        if deadline.owner == "auction" and closes and deadline.due_ms:
            set_time(message.close_time, deadline.due_ms)


def game_view(
    loaded: Loaded[GameState], hidden: Collection[int] = (), now_ms: int = 0, own: int = ANYBODY
) -> game_pb2.GameView:
    """Return the whole public state, without what the `hidden` seats have, as the seat `own` sees it.

    What is left of clocks is as at `now_ms`; if that is not given, as at the time of this version.
    """
    state = seen(loaded.state, own, max(now_ms, loaded.time_ms))
    view = game_pb2.GameView(game_id=loaded.game_id, version=loaded.version)
    put_table(state, view)
    set_time(view.version_time, loaded.time_ms)
    put_situation(state, view.situation, own)
    for deadline_id, deadline in state.deadlines.items():
        shown = view.deadlines.add(deadline_id=deadline_id, kind=deadline.kind)
        if deadline.due_ms:
            set_time(shown.due_time, deadline.due_ms)
    at_ms = max(now_ms, loaded.time_ms)
    for clock in clock_views(state, at_ms):
        put_clock(clock, view.clocks.add())
    for seat, shown_seat in zip(seat_times(state, at_ms), view.seats, strict=True):
        put_seat(state, seat, shown_seat.standing)
    view.elapsed_ms = state.table.elapsed_ms(loaded.time_ms)
    if state.rules is not None:
        put_rules(state.rules, view, hidden)
        public = seen(loaded.state).rules  # a digest of what is hidden would give it away
        view.state_hash = "" if public is None else plain.digest(public)
    return view


def put_table(state: GameState, view: game_pb2.GameView) -> None:
    """Store what does not change while a game goes on, but the status."""
    opened = state.table
    view.status = STATUS[opened.status]
    view.title = opened.title
    view.seat_count = opened.seat_count
    view.seed_hash = opened.seed_hash
    view.seed = opened.revealed_seed
    view.sandbox = opened.sandbox is not None
    if opened.ruleset is not None and opened.board is not None:
        view.ruleset.CopyFrom(encode_ruleset(opened.ruleset))
        view.board.CopyFrom(encode_board(opened.board))
    for seat, name in enumerate(opened.names):
        view.seats.add(seat=seat, name=name)


def put_rules(rules: State, view: game_pb2.GameView, hidden: Collection[int]) -> None:
    """Store where the game stands."""
    for shown in view.seats:
        seat = shown.seat
        if seat in hidden:
            shown.cash_hidden = True
        else:
            shown.cash = rules.cash[seat]
            shown.held = rules.held[seat]
        shown.at = rules.at[seat]
        shown.jailed = rules.jailed[seat] != 0
        shown.jail_tries = rules.jail_tries[seat]
        shown.out = rules.out[seat] != 0
        for code in rules.cards[seat]:
            shown.cards.add(deck=code // CARDS_PER_DECK_MAX, card=code % CARDS_PER_DECK_MAX)
        shown.skip_turns = rules.extras.skip[seat]
        shown.reversed = rules.extras.reverse[seat] != 0
        shown.discount_percent = rules.extras.discount[seat]
        shown.borrowed = sum(loan.amount for loan in rules.extras.loans if loan.debtor == seat)
    for lot in rules.board.lots:
        view.lots.add(
            lot=lot,
            owner=rules.owner[lot],
            level=rules.level[lot],
            mortgaged=rules.mortgaged[lot] != 0,
            rent_level=rules.extras.rent_level[lot],
            last_round=rules.extras.last_round[lot],
            redemption=redemption(rules, lot) if rules.mortgaged[lot] else 0,
            frozen=rules.extras.frozen >> lot & 1 != 0,
        )
    for debt in rules.debts:
        put_open_debt(debt, view.debts.add())
    for offer in rules.offers.values():
        put_offer_made(offer, view.offers.add())
    view.houses_left = rules.houses_left
    view.hotels_left = rules.hotels_left
    view.round = rules.round
    view.doubles = rules.doubles
    view.ranking.extend(rules.ranking)
    view.scores.extend(rules.scores)
    view.end_reason = rules.end_reason  # type: ignore[assignment]  # the same numbers
    _put_extras(rules.extras, view)


def _put_extras(extras: Extras, view: game_pb2.GameView) -> None:
    """Store what only some rule sets have."""
    view.pots.parking, view.pots.jackpot, view.pots.charity_fund = extras.pots
    for loan in extras.loans:
        put_open_loan(loan, view.loans.add())
    for one in extras.passes:
        put_lot_pass(one, view.passes.add())
    for claim in extras.claims:
        put_open_claim(claim, view.claims.add())
    view.time_rule = extras.time_rule
    view.time_up = extras.time_up != 0
    view.capped_rents = extras.cap_left
    view.cap_level = extras.cap_level
    view.bankruptcies = extras.bankruptcies


def put_legal_action(action: LegalAction, message: game_pb2.LegalAction) -> None:
    """Store one legal action."""
    message.kind = action.kind
    message.amount_min = action.amount_min
    message.amount_max = action.amount_max
    message.amount_step = action.amount_step
    message.options = action.options
    message.question = action.question  # type: ignore[assignment]  # the same numbers
    message.answers.extend(action.answers)
    message.faces_max = action.faces_max
    message.imbalance_percent_max = action.imbalance_percent_max
    message.card_worth = action.card_worth
    message.free_lots.extend(action.free_lots)
    message.visits_max = action.visits_max
    message.borrowers.extend(action.borrowers)
    message.auction = action.auction
    message.seats.extend(action.seats)
    message.offers.extend(action.offers)
    for lot in action.lots:
        message.lots.add(
            lot=lot.lot,
            level_min=lot.level_min,
            level_max=lot.level_max,
            amount=lot.amount,
            worth=lot.worth,
            level_alone=lot.level_alone,
        )
    for card in action.cards:
        message.cards.add(deck=card.deck, card=card.card)


def put_reasons(
    rules: State, seat: int, auctions: dict[int, Auction], message: game_pb2.GetLegalActionsResponse
) -> None:
    """Store why each kind of command that is not among the actions would be refused."""
    for kind in KIND_NAMES:
        reason = refusal(rules, seat, kind, auctions)
        if reason:
            message.refused.add(kind=kind, reason=reason)
