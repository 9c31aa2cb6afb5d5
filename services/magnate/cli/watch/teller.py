"""What happens in a game as sentences of a language; the texts are those of the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from magnate.cli.terminal.sentences import money
from magnate.client.happened import happened
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from google.protobuf.message import Message

    from magnate.cli.terminal.texts import Texts
    from magnate.game.v1 import game_pb2

QUIET: Final = frozenset(
    {
        "phase_entered", "turn_ended", "lot_offered", "extra_roll_granted", "lot_put_up", "building_put_up",
        "auction_closed", "reserve_changed", "allowance_changed", "table_started", "choice_offered",
    }
)  # fmt: skip
"""What only says in other words what the event beside it says, or what is on the screen anyway."""

NESTED: Final = ("debt", "loan", "claim", "granted")
_HOTEL_LEVEL: Final = 5
_MINUTE_SECONDS: Final = 60


def clock_face(left_ms: int) -> str:
    """Return what is left of a clock: `1:05`, or tenths when it is short."""
    if left_ms < 10_000:
        return f"{left_ms // 100 / 10:.1f}"
    minutes, seconds = divmod(left_ms // 1000, _MINUTE_SECONDS)
    hours, minutes = divmod(minutes, _MINUTE_SECONDS)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Teller:
    """Tells what happened, with the names of players, squares and auctions."""

    def __init__(self, view: game_pb2.GameView, t: Texts) -> None:
        self.view = view
        self._t = t
        self._names = {seat.seat: seat.name for seat in view.seats}
        self._sold: dict[int, str] = {}
        for auction in (*view.situation.auctions, view.situation.auction):
            if auction.auction:
                self._sold[auction.auction] = self.sold(auction)
        self.hotel = next(
            (one.number + 1 for one in view.ruleset.options if one.name == "build.houses_before_hotel"),
            _HOTEL_LEVEL,
        )

    def commit(self, commit: game_pb2.PublicCommit) -> Iterator[str]:
        """Yield a sentence for each event of a commit that is worth one."""
        for event in happened(commit):
            kind = event.WhichOneof("kind") or ""
            inner: Any = getattr(event, kind) if kind else event
            if kind == "auction_opened":
                self._sold[inner.auction] = self.sold(inner)
            elif kind == "seat_taken":
                self._names[inner.seat] = inner.name
            if kind not in QUIET or (kind == "auction_closed" and not commit.events):
                yield self._sentence(kind, inner)

    def who(self, seat: int) -> str:
        """Return a seat's name; the bank's for -1, and below it the pots'."""
        if seat < 0:
            return self._t("told.bank" if seat == -1 else f"told.pot.{-seat}")
        return self._names.get(seat, f"#{seat + 1}")

    def all(self, seats: Iterable[int]) -> str:
        """Return the names of several seats."""
        return ", ".join(self.who(seat) for seat in seats)

    def square(self, square: int) -> str:
        """Return a square's name."""
        squares = self.view.board.squares
        return squares[square].name if 0 <= square < len(squares) else f"#{square}"

    def money(self, amount: int) -> str:
        """Return an amount as it is printed on the board's notes."""
        return money(amount, self.view.board.currency, self._t.language)

    def sold(self, auction: game_pb2.AuctionView | vocabulary_pb2.AuctionOpened) -> str:
        """Return what is sold at an auction."""
        label = auction.label if isinstance(auction, vocabulary_pb2.AuctionOpened) else auction.terms.label
        if label:
            return label
        return self._t("game.building") if auction.building else self.square(auction.lot)

    def terms(self, terms: vocabulary_pb2.Terms) -> str:
        """Return a deal."""
        t = terms
        given = self._side(t.give_cash, t.give_lots, t.give_cards, t.give_immunity, t.give_loan)
        taken = self._side(t.take_cash, t.take_lots, t.take_cards, t.take_immunity, t.take_loan)
        return self._t("told.terms", given=given, taken=taken)

    def _side(
        self,
        cash: int,
        lots: Sequence[int],
        cards: Sequence[vocabulary_pb2.Card],
        free: Sequence[vocabulary_pb2.Immunity],
        loan: int,
    ) -> str:
        t = self._t
        parts = [self.money(cash)] if cash else []
        parts += [self.square(lot) for lot in lots]
        parts += [t.count("told.terms.cards", len(cards))] if cards else []
        parts += [t("told.terms.visits", lot=self.square(one.lot), n=one.visits) for one in free]
        parts += [t("told.terms.loan", amount=self.money(loan))] if loan else []
        return " + ".join(parts) or t("told.terms.nothing")

    def _sentence(self, kind: str, inner: Message) -> str:
        key = f"told.{kind}"
        if not self._t.has(key):
            return kind.replace("_", " ")
        variant = _variant(kind, inner)
        key = f"{key}.{variant}" if variant else key
        wanted = set(re.findall(r"\w+", self._t(key)))
        values = {name: self._value(name, value) for name, value in _fields(inner) if name in wanted}
        if kind == "seat_taken":
            values["number"] = str(getattr(inner, "seat") + 1)  # noqa: B009 - of a message in general
        return self._t(key, **values)

    def _value(self, name: str, value: Any) -> str:
        tell = _WORDS.get(name)
        return str(value) if tell is None else tell(self, value)

    def _card(self, message: Message) -> str:
        deck, card = getattr(message, "deck"), getattr(message, "card")  # noqa: B009
        decks = self.view.board.decks
        known = deck < len(decks) and card < len(decks[deck].cards)
        return decks[deck].cards[card].text if known else f"#{card}"

    def level(self, level: int) -> str:
        """Return what stands on a lot."""
        if level == self.hotel:
            return self._t("told.building.hotel")
        return self._t("told.building.house", n=level) if level else self._t("told.building.bare")

    def auction(self, number: int) -> str:
        """Return what is sold at an auction, by its number."""
        return self._sold.get(number, f"#{number}")


def _fields(message: Message) -> Iterator[tuple[str, Any]]:
    """Yield what may stand in a sentence: the fields, those of a message within, and `card` as a whole."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.name in NESTED:
            yield from _fields(value)
        elif field.name == "card":
            yield "card", message
        else:
            yield field.name, value


def _variant(kind: str, inner: Any) -> str:
    """Return which of several sentences an event has; the page has the same ones."""
    match kind:
        case "dice_thrown":
            return "" if inner.second else "one"
        case "loan_ended":
            return "due" if inner.due else ""
        case "rents_capped":
            return "" if inner.payments else "none"
        case "mortgage_term_set":
            return "" if inner.last_round else "none"
        case "discount_set":
            return "" if inner.percent else "none"
        case "clock_missed":
            return "" if inner.misses else "none"
        case "building_auctioned" | "auction_closed":
            return "none" if inner.winner < 0 else ""
        case "auction_opened":
            return "building" if inner.building else ""
        case "bidder_passed":
            return "forced" if inner.forced else ""
        case "auction_called":
            return "twice" if inner.count > 1 else ""
        case "seat_presence":
            return "here" if inner.connected else ""
        case "pause_proposed":
            return "pause" if inner.pause else ""
        case _:
            return ""


def _levels(teller: Teller, levels: Sequence[vocabulary_pb2.LotLevel]) -> str:
    return ", ".join(f"{teller.square(one.lot)}: {teller.level(one.level)}" for one in levels)


def _ranking(teller: Teller, seats: Sequence[int]) -> str:
    return ", ".join(f"{place}. {teller.who(seat)}" for place, seat in enumerate(seats, start=1))


def _bids(teller: Teller, bids: Sequence[vocabulary_pb2.SealedBid]) -> str:
    return ", ".join(f"{teller.who(one.seat)} {teller.money(one.amount)}" for one in bids) or "—"


def _lots(teller: Teller, lots: Sequence[int]) -> str:
    return ", ".join(teller.square(lot) for lot in lots)


_SEATS: Final = (
    "seat", "winner", "payer", "payee", "owner", "creditor", "debtor", "from_seat", "to_seat", "first_seat",
    "from_creditor", "to_creditor", "by_seat", "pot",
)  # fmt: skip
_WORDS: Final[dict[str, Callable[[Teller, Any], str]]] = {
    **dict.fromkeys(_SEATS, Teller.who),
    **dict.fromkeys(("seats", "order"), Teller.all),
    **dict.fromkeys(("lot", "square", "to_square"), Teller.square),
    **dict.fromkeys(("amount", "price", "prize", "owed"), Teller.money),
    **dict.fromkeys(("reserve_ms", "left_ms", "extra_ms"), lambda _, value: clock_face(value)),
    "lots": _lots,
    "levels": _levels,
    "ranking": _ranking,
    "bids": _bids,
    "auction": Teller.auction,
    "card": Teller._card,  # noqa: SLF001
    "terms": Teller.terms,
    "question": lambda teller, value: teller._t(f"told.question.{value}"),  # noqa: SLF001
}
"""How a field is told, by its name."""
