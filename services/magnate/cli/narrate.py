"""A game's events as short sentences, with the names of players and squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from google.protobuf.json_format import MessageToDict

from magnate.cli.sentences import MORE, building
from magnate.rules.decision import POT_CHARITY, POT_JACKPOT, POT_PARKING
from magnate.rules.v1 import setup_pb2, vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from google.protobuf.message import Message

    from magnate.game.v1 import game_pb2

# What only says in other words what the event beside it says.
QUIET: Final = frozenset({"phase_entered", "turn_ended", "lot_offered", "extra_roll_granted", "lot_put_up"})

POTS: Final = {
    POT_PARKING: "the parking pot",
    POT_JACKPOT: "the jackpot desk",
    POT_CHARITY: "the charity fund",
}
HOTEL_LEVEL: Final = 5


class Narrator:
    """Tells what happened; knows the board and the players' names as the commits name them."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.board = setup_pb2.Board()
        self.hotel = HOTEL_LEVEL

    def know(self, view: game_pb2.GameView) -> None:
        """Learn board and names from a view."""
        self.board = view.board
        self._learn(view.ruleset)
        self.names = [seat.name for seat in view.seats]

    def _learn(self, rules: setup_pb2.RuleSet) -> None:
        """Learn which level is a hotel."""
        for option in rules.options:
            if option.name == "build.houses_before_hotel":
                self.hotel = option.number + 1

    def commit(self, commit: game_pb2.PublicCommit, *, everything: bool = False) -> Iterator[str]:
        """Yield a sentence for each event of a commit; the quiet ones only if everything is wanted."""
        for table_event in commit.table_events:
            yield self._table(table_event)
        for event in commit.auction_events:
            yield self._told(event)
        for rules_event in commit.events:
            if everything or rules_event.WhichOneof("kind") not in QUIET:
                yield self._told(rules_event)

    def who(self, seat: int) -> str:
        """Return a seat's name; the bank's for -1, and below it the pots'."""
        if seat < 0:
            return POTS.get(seat, "the bank")
        return self.names[seat] if seat < len(self.names) else f"seat {seat}"

    def what(self, square: int) -> str:
        """Return a square's name."""
        known = 0 <= square < len(self.board.squares)
        return self.board.squares[square].name if known else f"square {square}"

    def money(self, amount: int) -> str:
        """Return an amount as it is printed on the board's notes."""
        currency = self.board.currency
        shown = f"{amount * max(1, currency.scale):,}"
        if not currency.unit:
            return shown
        return f"{currency.unit}{shown}" if len(currency.unit) == 1 else f"{shown} {currency.unit}"

    def card(self, deck: int, card: int) -> str:
        """Return a card's text."""
        if 0 <= deck < len(self.board.decks) and 0 <= card < len(self.board.decks[deck].cards):
            return self.board.decks[deck].cards[card].text
        return f"card {card} of deck {deck}"

    def _table(self, event: game_pb2.TableEvent) -> str:
        kind = event.WhichOneof("kind")
        if kind == "table_opened":
            self.board = event.table_opened.board
            self._learn(event.table_opened.ruleset)
            return f"table opened: {event.table_opened.ruleset.title} on {self.board.title}"
        if kind == "seat_taken":
            self.names.append(event.seat_taken.name)
            return f"{event.seat_taken.name} takes seat {event.seat_taken.seat}"
        if kind == "seed_revealed":
            return f"the seed was {event.seed_revealed.seed.hex()}"
        if kind is not None and hasattr(getattr(event, kind), "seat"):
            return self._standing(kind, event, self.who(getattr(event, kind).seat))
        return str(kind).replace("_", " ")

    def _standing(self, kind: str, event: game_pb2.TableEvent, who: str) -> str:
        """Tell how a seat stands with the clocks."""
        told = {
            "reserve_changed": f"{who} has a reserve of {event.reserve_changed.reserve_ms // 1000} s",
            "allowance_changed": f"{who} may be away for {event.allowance_changed.left_ms // 1000} s more",
            "clock_missed": f"{who} has missed {event.clock_missed.misses} clocks in a row",
            "stand_in_seated": f"a stand-in plays for {who}",
            "stand_in_left": f"{who} plays again",
            "seat_presence": f"{who} is {'there' if event.seat_presence.connected else 'away'}",
            "pause_proposed": f"{who} agrees to {'a break' if event.pause_proposed.pause else 'go on'}",
            "extra_time_granted": f"{who} has {event.extra_time_granted.extra_ms // 1000} s more",
        }
        return told.get(kind, f"{who}: {kind.replace('_', ' ')}")

    def _told(self, event: vocabulary_pb2.Event | vocabulary_pb2.AuctionEvent) -> str:
        kind = event.WhichOneof("kind")
        if kind is None:
            return "something that this build has no word for"
        inner = getattr(event, kind)
        tell = _SENTENCES.get(kind)
        return self._plain(kind, inner) if tell is None else tell(self, inner)

    def _plain(self, kind: str, inner: Message) -> str:
        """Tell an event by its fields."""
        fields = MessageToDict(
            inner, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
        words = [f"{name} {self._field(name, value)}" for name, value in fields.items()]
        return f"{kind.replace('_', ' ')}: {', '.join(words)}" if words else kind.replace("_", " ")

    def _field(self, name: str, value: Any) -> str:
        if isinstance(value, list | dict):
            return str(value)
        if name in {"seat", "winner", "payer", "payee", "owner", "creditor"}:
            return self.who(int(value))
        if name in {"lot", "square"}:
            return self.what(int(value))
        if name in {"amount", "price", "minimum", "cost", "proceeds"}:
            return self.money(int(value))
        return str(value)

    def lots(self, squares: list[int]) -> str:
        """Return the names of several lots."""
        return ", ".join(self.what(square) for square in squares)

    def side(
        self,
        cash: int,
        lots: list[int],
        cards: list[vocabulary_pb2.Card],
        free: list[vocabulary_pb2.Immunity],
        loan: int,
    ) -> str:
        """Return one side of a deal."""
        parts = [self.money(cash)] if cash else []
        parts += [self.what(lot) for lot in lots]
        parts += [f"the card {self.card(one.deck, one.card)!r}" for one in cards]
        parts += [f"{one.visits} free visits of {self.what(one.lot)}" for one in free]
        parts += [f"a loan of {self.money(loan)}"] if loan else []
        return " + ".join(parts) or "nothing"


def _offer(n: Narrator, e: vocabulary_pb2.OfferMade) -> str:
    t = e.terms
    given = n.side(t.give_cash, list(t.give_lots), list(t.give_cards), list(t.give_immunity), t.give_loan)
    taken = n.side(t.take_cash, list(t.take_lots), list(t.take_cards), list(t.take_immunity), t.take_loan)
    settled = f", settling {n.money(t.settles_debt)} of what is owed" if t.settles_debt else ""
    return f"{n.who(e.from_seat)} offers {n.who(e.to_seat)} {given} for {taken}{settled}"


def _levels(n: Narrator, levels: list[vocabulary_pb2.LotLevel]) -> str:
    words = {0: "bare", 1: "1 house", n.hotel: "hotel"}
    return ", ".join(f"{n.what(one.lot)}: {words.get(one.level, f'{one.level} houses')}" for one in levels)


def _dice(n: Narrator, e: vocabulary_pb2.DiceThrown) -> str:
    return f"{n.who(e.seat)} throws {e.first}" + (f" and {e.second}" if e.second else "")


def _opened(n: Narrator, e: vocabulary_pb2.AuctionOpened) -> str:
    what = f"a {building(e.building)}" if e.building else n.what(e.lot)
    return f"{what} goes under the hammer"


def _ended(n: Narrator, e: vocabulary_pb2.GameEnded) -> str:
    places = [f"{place}. {n.who(seat)}" for place, seat in enumerate(e.ranking, start=1)]
    return f"the game is over: {', '.join(places)}"


_SENTENCES: Final[dict[str, Callable[[Narrator, Any], str]]] = {
    "game_started": lambda n, e: f"the game begins; {n.who(e.first_seat)} goes first",
    "turn_started": lambda n, e: f"turn {e.turn}: {n.who(e.seat)}",
    "dice_thrown": _dice,
    "token_moved": lambda n, e: f"{n.who(e.seat)} comes to {n.what(e.to_square)}",
    "salary_earned": lambda n, e: f"{n.who(e.seat)} gets {n.money(e.amount)} for GO",
    "lot_bought": lambda n, e: f"{n.who(e.seat)} buys {n.what(e.lot)} for {n.money(e.price)}",
    "lot_declined": lambda n, e: f"{n.who(e.seat)} does not buy {n.what(e.lot)}",
    "lot_auctioned": lambda n, e: f"{n.who(e.winner)} wins {n.what(e.lot)} for {n.money(e.price)}",
    "lot_unsold": lambda n, e: f"nobody wants {n.what(e.lot)}",
    "rent_charged": lambda n, e: f"{n.who(e.payer)} owes {n.who(e.owner)} {n.money(e.amount)} rent",
    "tax_charged": lambda n, e: f"{n.who(e.seat)} owes {n.money(e.amount)} tax",
    "card_drawn": lambda n, e: f"{n.who(e.seat)} draws: {n.card(e.deck, e.card)}",
    "card_charged": lambda n, e: f"{n.who(e.payer)} pays {n.who(e.payee)} {n.money(e.amount)}",
    "jail_entered": lambda n, e: f"{n.who(e.seat)} goes to jail",
    "jail_left": lambda n, e: f"{n.who(e.seat)} leaves jail",
    "buildings_built": lambda n, e: f"{n.who(e.seat)} builds ({_levels(n, e.levels)})",
    "buildings_sold": lambda n, e: f"{n.who(e.seat)} sells buildings ({_levels(n, e.levels)})",
    "lots_mortgaged": lambda n, e: f"{n.who(e.seat)} mortgages {n.lots(e.lots)} for {n.money(e.amount)}",
    "lots_redeemed": lambda n, e: f"{n.who(e.seat)} redeems {n.lots(e.lots)} for {n.money(e.amount)}",
    "debt_incurred": lambda n, e: f"{n.who(e.debt.debtor)} cannot pay {n.money(e.debt.amount)} yet",
    "offer_made": _offer,
    "offer_accepted": lambda _n, e: f"offer {e.offer} is accepted",
    "lot_transferred": lambda n, e: f"{n.what(e.lot)} goes to {n.who(e.to_seat)}",
    "bankruptcy_declared": lambda n, e: f"{n.who(e.seat)} is bankrupt, owing to {n.who(e.creditor)}",
    "seat_eliminated": lambda n, e: f"{n.who(e.seat)} is out",
    "game_ended": _ended,
    "auction_opened": _opened,
    "bid_placed": lambda n, e: f"{n.who(e.seat)} bids {n.money(e.amount)}",
    "bidder_passed": lambda n, e: f"{n.who(e.seat)} passes",
    **MORE,
}
