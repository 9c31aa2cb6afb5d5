"""What a game has come to, in the words of scenarios: each function returns a reader of one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from magnate.rules.decision import BANK, NOBODY
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.vocabulary import END_REASON_NAMES, PHASE_NAMES, QUESTION_CARD, QUESTION_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.cli.scenario.mirror import Mirror
    from magnate.cli.scenario.model import Table
    from magnate.rules.board import Board
    from magnate.rules.vocabulary import Card

    Reader: TypeAlias = Callable[[Mirror], object]


def money(name: str, seat: int) -> Reader:
    """The posted balance of a seat, or the part of it that is on hold."""
    return lambda game: game.rules.cash[seat] if name == "cash" else game.rules.held[seat]


def number(name: str, seat: int) -> Reader:
    """Where a seat stands, or its tries in jail."""
    return lambda game: game.rules.at[seat] if name == "at" else game.rules.jail_tries[seat]


def truth(name: str, seat: int) -> Reader:
    """Whether a seat is in jail, or out."""
    return lambda game: bool(game.rules.jailed[seat] if name == "jailed" else game.rules.out[seat])


def seat_extra(name: str, seat: int) -> Reader:
    """Turns to skip, whether the next move is reversed, the discount, what is owed for the bank's loan."""

    def read(game: Mirror) -> object:
        extras = game.rules.extras
        if name == "skip_turns":
            return extras.skip[seat]
        if name == "reverse":
            return extras.reverse[seat] != 0
        if name == "discount":
            return extras.discount[seat]
        return sum(loan.amount for loan in extras.loans if loan.debtor == seat and loan.creditor == BANK)

    return read


def card_id(board: Board, card: Card) -> str:
    """The id of a card."""
    return board.decks[card.deck].cards[card.card].id


def cards_held(seat: int) -> Reader:
    """The ids of the cards a seat keeps, sorted."""

    def read(game: Mirror) -> object:
        decks = game.rules.board.decks
        return sorted(
            decks[code // CARDS_PER_DECK_MAX].cards[code % CARDS_PER_DECK_MAX].id
            for code in game.rules.cards[seat]
        )

    return read


def owner(table: Table, lot: int) -> Reader:
    """Who owns a lot; None is the bank."""

    def read(game: Mirror) -> object:
        seat = game.rules.owner[lot]
        return None if seat == NOBODY else table.name(seat)

    return read


def buildings(lot: int) -> Reader:
    """The building level of a lot."""
    return lambda game: game.rules.level[lot]


def mortgaged(lot: int) -> Reader:
    """Whether a lot is mortgaged."""
    return lambda game: bool(game.rules.mortgaged[lot])


def rent_level(lot: int) -> Reader:
    """The rent level of a lot; 1 on a board that has none."""
    return lambda game: game.rules.extras.rent_level[lot] if game.rules.board.rent_levels else 1


def mortgaged_rounds(lot: int) -> Reader:
    """For how many rounds a lot has been mortgaged, where that counts."""

    def read(game: Mirror) -> object:
        rules = game.rules
        last = rules.extras.last_round[lot]
        return rules.rules.mortgage_rounds_max - (last - rules.round) if last else 0

    return read


def asks() -> Reader:
    """What is asked: the id of the card, or the word of the question; None when nothing is."""

    def read(game: Mirror) -> object:
        rules = game.rules
        if rules.choice_deck >= 0 and rules.extras.question in (0, QUESTION_CARD):
            return rules.board.decks[rules.choice_deck].cards[rules.choice_card].id
        return QUESTION_NAMES[rules.extras.question].lower() if rules.extras.question else None

    return read


def time_rule() -> Reader:
    """How many of the board's time rules were entered."""
    return lambda game: game.rules.extras.time_rule


def time_up() -> Reader:
    """Whether the agreed time is over."""
    return lambda game: game.rules.extras.time_up != 0


def loans(table: Table) -> Reader:
    """All loans, oldest first: from, to, amount, and the round they are due in."""
    return lambda game: [
        (table.name(loan.debtor), table.name(loan.creditor), loan.amount, loan.due_round)
        for loan in game.rules.extras.loans
    ]


def at(rows: Reader, place: int, width: int) -> Reader:
    """One row of several, the first so many of its values."""

    def read(game: Mirror) -> object:
        found = rows(game)
        assert isinstance(found, list)
        return found[place][:width] if place < len(found) else None

    return read


def how_many(rows: Reader) -> Reader:
    """How many rows there are."""

    def read(game: Mirror) -> object:
        found = rows(game)
        assert isinstance(found, list)
        return len(found)

    return read


def claims(table: Table) -> Reader:
    """The rents that may be claimed: from, to, lot, amount."""
    return lambda game: [
        (table.name(one.payer), table.name(one.owner), one.lot, one.amount)
        for one in game.rules.extras.claims
    ]


def passes(table: Table) -> Reader:
    """The free visits agreed on: seat, lot, visits."""
    return lambda game: [(table.name(one.seat), one.lot, one.visits) for one in game.rules.extras.passes]


def stock(name: str) -> Reader:
    """What the bank has left."""
    return lambda game: game.rules.houses_left if name == "houses" else game.rules.hotels_left


def turn(table: Table) -> Reader:
    """Whose turn it is."""
    return lambda game: table.name(game.rules.turn_seat)


def phase() -> Reader:
    """What the game waits for."""
    return lambda game: PHASE_NAMES[game.rules.phase].lower()


def count(name: str) -> Reader:
    """Doubles of this turn, or the round."""
    return lambda game: game.rules.doubles if name == "doubles" else game.rules.round


def auction_running() -> Reader:
    """None if no auction runs, else its lot."""
    return lambda game: None if game.state.auction is None else game.state.auction.lot


def auctions_running() -> Reader:
    """How many auctions run."""
    return lambda game: len(game.state.auctions)


def auction(table: Table, name: str, place: int) -> Reader:
    """The lot, leader, price or calls of a running auction, by its place in the order of their opening."""

    def read(game: Mirror) -> object:
        auctions = list(game.state.auctions.values())
        if place >= len(auctions):
            return "no auction runs" if not auctions else f"{len(auctions)} auctions run"
        running = auctions[place]
        if name == "leader":
            return None if running.leader == NOBODY else table.name(running.leader)
        if name == "calls":
            return running.calls
        return running.lot if name == "lot" else running.price

    return read


def debts(table: Table) -> Reader:
    """The open debts, oldest first: from, to, amount."""
    return lambda game: [
        (table.name(debt.debtor), table.name(debt.creditor), debt.amount) for debt in game.rules.debts
    ]


def account(name: str) -> Reader:
    """The balance of any account; one that was never opened has nothing."""
    return lambda game: game.posted.get(name, 0)


def open_offers() -> Reader:
    """The ids of the offers that are open, sorted; one the file has no id for by its number."""
    return lambda game: sorted(game.offer_ids.get(number, f"#{number}") for number in game.rules.offers)


def ranking(table: Table) -> Reader:
    """The seats, best first; empty while the game runs."""
    return lambda game: [table.name(seat) for seat in game.rules.ranking]


def end_reason() -> Reader:
    """Why the game ended."""
    return lambda game: END_REASON_NAMES[game.rules.end_reason].lower()


def score(seat: int) -> Reader:
    """A seat's score at the end."""

    def read(game: Mirror) -> object:
        rules = game.rules
        return rules.scores[rules.ranking.index(seat)] if seat in rules.ranking else "the game is not over"

    return read
