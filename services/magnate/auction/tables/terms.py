"""Terms of a sale as clients send them, checked one by one and against each other; faults name the field."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, final

from magnate.auction.tables.limits import (
    CLOSE_MS_MAX,
    CLOSE_MS_MIN,
    EXTEND_MS_MIN,
    EXTENSIONS_MAX,
    LABEL_CHARS_MAX,
    SEATS_MAX,
    TICK_MS_MIN,
)
from magnate.auction.tables.state import BANK, NO_SEAT, seat_account
from magnate.auction.v1 import auction_pb2
from magnate.kit.errors import InvalidArgumentError
from magnate.rules.auction_terms import TERMS
from magnate.rules.bidding import BID_MAX, NOBODY
from magnate.rules.vocabulary import OpenAuction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ASCENDING: Final = 1
PENNY: Final = 2
SEALED: Final = 3
VICKREY: Final = 4
DUTCH: Final = 5
"""Numbers of `AuctionKind` in the proto: one more than the mode of the events."""


@final
class Asked:
    """What somebody asks to be sold. `payee` is the seat that gets the price, -1 for the bank."""

    __slots__ = ("bidders", "label", "payee", "terms")

    def __init__(self, label: str, payee: int, bidders: list[int], terms: auction_pb2.AuctionTerms) -> None:
        self.label = label
        self.payee = payee
        self.bidders = bidders
        self.terms = terms

    def opening(self, auction: int, bidders: list[int]) -> OpenAuction:
        """Return what is asked of auctions: this is number `auction` of the table, and so is its lot."""
        terms = self.terms
        ask = OpenAuction(auction, auction, bidders, terms.minimum or 1, terms.increment or 1, terms.close_ms)
        ask.mode = (terms.kind or ASCENDING) - 1
        ask.by_turn, ask.fixed_step = terms.by_turn, terms.fixed_step
        ask.extend_ms, ask.extensions_max = terms.extend_ms, terms.extensions_max
        ask.cap_ms, ask.calls_ms = terms.cap_ms, terms.calls_ms
        ask.fee = terms.fee
        ask.refund, ask.refund_on_cancel = int(terms.refund_losers), terms.refund_on_cancel
        ask.ties = int(terms.ties_in_order)
        ask.dutch_start, ask.dutch_step = terms.dutch_start, terms.dutch_step
        ask.dutch_tick_ms = terms.dutch_tick_ms
        ask.proxies = terms.proxies
        ask.label = self.label
        ask.payee = BANK if self.payee == NOBODY else seat_account(self.payee)
        if ask.mode == DUTCH - 1:
            ask.close_ms = dutch_ms(terms)
        return ask


def read_asked(request: auction_pb2.OpenAuctionRequest) -> Asked:
    """Return what a request asks for.

    Raises:
        InvalidArgumentError: names every field that is wrong, in the order of the fields.
    """
    faults = [*_bad_label(request.label), *_bad_payee(request.payee)]
    payee = _seat(request.payee)
    faults += _bad_bidders(request.bidders, payee)
    faults += [(f"terms.{name}", what) for name, what in terms_faults(request.terms, payee)]
    if faults:
        raise InvalidArgumentError(*faults[0], faults[1:])
    return Asked(request.label, payee, list(request.bidders), request.terms)


def _bad_label(label: str) -> Iterable[tuple[str, str]]:
    if not 0 < len(label) <= LABEL_CHARS_MAX or not label.isprintable() or label != label.strip():
        what = f"must be 1 to {LABEL_CHARS_MAX} characters that can be printed, without blanks at the ends"
        yield "label", what


def _bad_payee(payee: str) -> Iterable[tuple[str, str]]:
    if payee not in ("", BANK) and _seat(payee) == NO_SEAT:
        yield "payee", f"must be {BANK!r} or a seat's account such as 'seat-0', below seat {SEATS_MAX}"


def _seat(account: str) -> int:
    """Return the seat of an account as it is written, -1 of any other text."""
    number = account.removeprefix("seat-")
    if (
        number == account
        or not (number.isascii() and number.isdecimal())
        or len(number) > len(str(SEATS_MAX))
    ):
        return NO_SEAT
    seat = int(number)
    return seat if seat < SEATS_MAX and str(seat) == number else NO_SEAT


def _bad_bidders(bidders: Sequence[int], payee: int) -> Iterable[tuple[str, str]]:
    if len(bidders) > SEATS_MAX:
        yield "bidders", f"are {len(bidders)}; a table has no more than {SEATS_MAX} seats"
        return
    seen: set[int] = set()
    for place, seat in enumerate(bidders):
        name = f"bidders[{place}]"
        if not 0 <= seat < SEATS_MAX:
            yield name, f"is {seat}, not a seat from 0 to {SEATS_MAX - 1}"
        elif seat in seen:
            yield name, f"is seat {seat}, which is named before"
        elif seat == payee:
            yield name, f"is seat {seat}, which gets the price and so does not bid"
        seen.add(seat)


def terms_faults(terms: auction_pb2.AuctionTerms, payee: int) -> list[tuple[str, str]]:
    """Return what is wrong with terms, by field, the first fault of each: in itself, or against others."""
    kind = terms.kind or ASCENDING
    if not ASCENDING <= kind <= DUTCH:
        return [("kind", f"is {terms.kind}, which this release does not know")]
    found = dict(_bounds(terms, kind))
    against = [] if found else _contradictions(terms, kind)
    for name, what in chain(_strangers(terms, kind), against, _safe(terms, payee)):
        found.setdefault(name, what)
    return list(found.items())


def _bounds(terms: auction_pb2.AuctionTerms, kind: int) -> Iterable[tuple[str, str]]:
    bounds = dict.fromkeys(("minimum", "increment", "fee"), (0, BID_MAX))
    if kind == DUTCH:
        bounds["close_ms"] = (0, 0)
        bounds["dutch_start"] = bounds["dutch_step"] = (1, BID_MAX)
        bounds["dutch_tick_ms"] = (TICK_MS_MIN, CLOSE_MS_MAX)
    else:
        bounds["close_ms"] = (CLOSE_MS_MIN, CLOSE_MS_MAX)
    bounds |= dict.fromkeys(("extend_ms", "cap_ms", "calls_ms"), (0, CLOSE_MS_MAX))
    bounds["extensions_max"] = (0, EXTENSIONS_MAX)
    for name, (least, most) in bounds.items():
        value = getattr(terms, name)
        if not least <= value <= most:
            yield name, f"is {value}, not from {least} to {most}"


def _strangers(terms: auction_pb2.AuctionTerms, kind: int) -> Iterable[tuple[str, str]]:
    words = (
        auction_pb2.AuctionKind.Name(auction_pb2.AuctionKind.ValueType(kind))
        .removeprefix("AUCTION_KIND_")
        .lower()
    )
    known = {term.name for term in TERMS if kind - 1 in term.modes}
    for term in TERMS:
        if not term.name or not getattr(terms, term.name):
            continue
        if term.name not in known:
            yield term.name, f"is no term of an auction of the kind {words}"
        elif terms.by_turn and not term.by_turn:
            yield term.name, "does not go with by_turn, where the time is each bidder's own"


def _contradictions(terms: auction_pb2.AuctionTerms, kind: int) -> Iterable[tuple[str, str]]:
    if terms.extensions_max > 0 and terms.extend_ms == 0:
        yield "extensions_max", "bounds what extend_ms moves, which is 0"
    if 0 < terms.extend_ms < EXTEND_MS_MIN:
        yield "extend_ms", f"is {terms.extend_ms}, neither 0 nor at least {EXTEND_MS_MIN}"
    if terms.extend_ms > terms.close_ms:
        yield "extend_ms", f"is {terms.extend_ms}, longer than close_ms, which is {terms.close_ms}"
    if 0 < terms.cap_ms < terms.close_ms:
        yield "cap_ms", f"is {terms.cap_ms}, shorter than close_ms, which is {terms.close_ms}"
    whole = dutch_ms(terms) if kind == DUTCH else terms.close_ms
    shortest = min(whole, terms.extend_ms or whole)
    if terms.calls_ms * 2 >= shortest > 0:
        yield "calls_ms", f"is {terms.calls_ms}: two calls do not fit into {shortest} ms"
    if terms.fixed_step and terms.increment == 0:
        yield "fixed_step", "goes up by increment, which is 0"
    if kind == DUTCH:
        if terms.dutch_start < terms.minimum:
            yield "dutch_start", f"is {terms.dutch_start}, below minimum, which is {terms.minimum}"
        elif terms.dutch_tick_ms > 0 < terms.dutch_step and dutch_ms(terms) > CLOSE_MS_MAX:
            what = f"comes to minimum only after {dutch_ms(terms)} ms; at most {CLOSE_MS_MAX} are allowed"
            yield "dutch_tick_ms", what


def _safe(terms: auction_pb2.AuctionTerms, payee: int) -> Iterable[tuple[str, str]]:
    """What was paid can be given back as long as the bank has it; a player may have spent it."""
    for name in ("refund_losers", "refund_on_cancel"):
        if getattr(terms, name) and payee != NO_SEAT:
            yield name, "needs the bank as payee: a player may have spent what is to be given back"


def dutch_ms(terms: auction_pb2.AuctionTerms) -> int:
    """Return how long a Dutch auction lasts: until the price has been at the minimum for one tick."""
    steps = -(-(terms.dutch_start - (terms.minimum or 1)) // terms.dutch_step)
    return (steps + 1) * terms.dutch_tick_ms
