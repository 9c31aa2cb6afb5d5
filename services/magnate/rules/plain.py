"""A game's state in one canonical writing, so that two states can be compared by a hash."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from magnate.rules.extras import plain_extras

if TYPE_CHECKING:
    from magnate.rules.state import State
    from magnate.rules.vocabulary import OfferMade


def digest(state: State) -> str:
    """SHA-256 in hex over `plain`: equal digests, equal games."""
    text = json.dumps(plain(state), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def plain(state: State) -> dict[str, object]:
    """Everything of a game as JSON-able values; board and rules by their content hash."""
    found: dict[str, object] = {
        "board": state.board.content_hash, "rules": state.rules.content_hash, "seats": state.seats,
        "order": state.order, "phase": state.phase, "turn_seat": state.turn_seat, "turn": state.turn,
        "round": state.round, "doubles": state.doubles, "to_roll": state.to_roll,
        "turn_over": state.turn_over, "dice": [state.die1, state.die2],
        "pending_move": state.pending_move, "offered_lot": state.offered_lot,
        "choice": [state.choice_deck, state.choice_card], "draws": state.draws, "cash": state.cash,
        "held": state.held, "at": state.at, "jailed": state.jailed, "jail_tries": state.jail_tries,
        "out": state.out, "alive": state.alive, "eliminated": state.eliminated,
        "cards": state.cards, "unseen": [sorted(deck) for deck in state.unseen],
        "seen": state.seen, "owner": state.owner, "level": state.level, "mortgaged": state.mortgaged,
        "group_count": state.group_count, "group_buildings": state.group_buildings,
        "group_mortgaged": state.group_mortgaged, "built": state.built,
        "supply": [state.houses_left, state.hotels_left],
        "debts": [[d.debtor, d.creditor, d.amount, d.reason, d.lot] for d in state.debts],
        "debt_mark": state.debt_mark, "estate": state.estate,
        "auction": [state.auction, state.auction_lot, state.auction_count],
        "offers": [_plain_offer(state.offers[key]) for key in sorted(state.offers)],
        "offer_count": state.offer_count, "stale_offers": state.stale_offers,
        "end": [state.end_reason, state.ranking, state.scores],
    }  # fmt: skip
    extras = plain_extras(state.extras)
    if extras:
        found["extras"] = extras
    return found


def _plain_offer(offer: OfferMade) -> list[object]:
    terms = offer.terms
    found: list[object] = [
        offer.offer, offer.from_seat, offer.to_seat, offer.counter_to,
        terms.give_cash, terms.give_lots, [[card.deck, card.card] for card in terms.give_cards],
        terms.take_cash, terms.take_lots, [[card.deck, card.card] for card in terms.take_cards],
        terms.settles_debt,
    ]  # fmt: skip
    if terms.give_immunity or terms.take_immunity or terms.give_loan or terms.take_loan:
        found.append([[one.lot, one.visits] for one in terms.give_immunity])
        found.append([[one.lot, one.visits] for one in terms.take_immunity])
        found.append([terms.give_loan, terms.take_loan])
    return found
