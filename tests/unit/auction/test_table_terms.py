"""Terms of a sale at a table: every fault is named by its field, good ones are what auctions are asked."""

from __future__ import annotations

from typing import Any

import pytest

from magnate.auction.tables.limits import CLOSE_MS_MAX, LABEL_CHARS_MAX, SEATS_MAX
from magnate.auction.tables.terms import read_asked
from magnate.auction.v1 import auction_pb2
from magnate.kit.errors import InvalidArgumentError
from magnate.rules.bidding import BID_MAX

ASCENDING, PENNY, SEALED, VICKREY, DUTCH = range(1, 6)
DUTCH_TERMS: dict[str, Any] = {
    "kind": DUTCH, "close_ms": 0, "minimum": 10, "dutch_start": 100, "dutch_step": 10, "dutch_tick_ms": 500,
}  # fmt: skip


def request(
    label: str = "a bicycle", payee: str = "", bidders: tuple[int, ...] = (), **terms: Any
) -> auction_pb2.OpenAuctionRequest:
    """A request that is right but for what is said."""
    return auction_pb2.OpenAuctionRequest(
        label=label,
        payee=payee,
        bidders=bidders,
        terms=auction_pb2.AuctionTerms(**{"close_ms": 10_000, **terms}),
    )


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        (["label"], {"label": ""}),
        (["label"], {"label": "x" * (LABEL_CHARS_MAX + 1)}),
        (["label"], {"label": "a\nb"}),
        (["label"], {"label": " a"}),
        (["payee"], {"payee": "pot-parking"}),
        (["payee"], {"payee": "seat-01"}),
        (["payee"], {"payee": "seat--1"}),
        (["payee"], {"payee": f"seat-{SEATS_MAX}"}),
        (["bidders[0]"], {"bidders": (-1, 2)}),
        (["bidders[1]"], {"bidders": (2, 2)}),
        (["bidders[1]"], {"bidders": (0, 3), "payee": "seat-3"}),
        (["bidders[0]"], {"bidders": (SEATS_MAX,)}),
        (["bidders"], {"bidders": (0,) * (SEATS_MAX + 1)}),
        (["terms.kind"], {"kind": 17}),
        (["terms.close_ms"], {"close_ms": 0}),
        (["terms.close_ms"], {"close_ms": CLOSE_MS_MAX + 1}),
        (["terms.minimum"], {"minimum": -1}),
        (["terms.minimum"], {"minimum": BID_MAX + 1}),
        (["terms.increment"], {"increment": -1}),
        (["terms.increment"], {"kind": SEALED, "increment": 5}),
        (["terms.fixed_step"], {"fixed_step": True}),
        (["terms.by_turn"], {"kind": SEALED, "by_turn": True}),
        (["terms.extend_ms"], {"extend_ms": 5_000, "by_turn": True}),
        (["terms.extend_ms"], {"extend_ms": 10_001}),
        (["terms.extend_ms"], {"extend_ms": 499}),
        (["terms.extensions_max"], {"extensions_max": 3}),
        (["terms.cap_ms"], {"cap_ms": 9_999}),
        (["terms.calls_ms"], {"calls_ms": 5_000}),
        (["terms.calls_ms"], {"calls_ms": 1_000, "extend_ms": 2_000}),
        (["terms.calls_ms"], {"kind": VICKREY, "calls_ms": 5_000}),
        (["terms.calls_ms"], {**DUTCH_TERMS, "calls_ms": 2_500}),
        (["terms.calls_ms"], {"by_turn": True, "calls_ms": 1_000}),
        (["terms.fee"], {"fee": 1}),
        (["terms.fee"], {"kind": PENNY, "fee": -1}),
        (["terms.refund_losers"], {"refund_losers": True}),
        (["terms.refund_losers"], {"kind": PENNY, "refund_losers": True, "payee": "seat-1"}),
        (["terms.refund_on_cancel"], {"kind": PENNY, "refund_on_cancel": True, "payee": "seat-1"}),
        (["terms.ties_in_order"], {"ties_in_order": True}),
        (["terms.dutch_start"], {"dutch_start": 5}),
        (["terms.proxies"], {"kind": SEALED, "proxies": True}),
        (["terms.proxies"], {"by_turn": True, "proxies": True}),
        (["terms.dutch_start"], {**DUTCH_TERMS, "dutch_start": 9}),
        (["terms.dutch_step"], {**DUTCH_TERMS, "dutch_step": 0}),
        (["terms.dutch_tick_ms"], {**DUTCH_TERMS, "dutch_tick_ms": 10}),
        (["terms.dutch_tick_ms"], {**DUTCH_TERMS, "dutch_start": BID_MAX}),
        (["terms.close_ms"], {**DUTCH_TERMS, "close_ms": 5_000}),
        (["label", "payee", "terms.close_ms"], {"label": "", "payee": "me", "close_ms": -1}),
    ],
)
def test_a_wrong_term_is_named_by_its_field(fields: list[str], asked: dict[str, Any]) -> None:
    """And all that are wrong are named at once, each with what is wrong about it."""
    with pytest.raises(InvalidArgumentError) as refused:
        read_asked(request(**asked))
    assert [name for name, _ in refused.value.violations] == fields
    assert all(what for _, what in refused.value.violations)


def test_what_is_left_out_is_the_simplest_auction() -> None:
    """Ascending, from 1 up by 1, for everybody, to the bank."""
    ask = read_asked(request()).opening(3, [0, 2])
    assert (ask.auction, ask.lot, ask.bidders) == (3, 3, [0, 2])
    assert (ask.mode, ask.minimum, ask.increment, ask.close_ms) == (0, 1, 1, 10_000)
    assert (ask.label, ask.payee, ask.proxies) == ("a bicycle", "bank", False)


def test_every_term_arrives() -> None:
    """Each under the name that auctions know."""
    ask = read_asked(
        request(
            "a bicycle",
            "seat-4",
            minimum=5,
            increment=2,
            fixed_step=True,
            extend_ms=4_000,
            extensions_max=9,
            cap_ms=60_000,
            calls_ms=900,
            proxies=True,
        )
    ).opening(1, [0])
    assert (ask.minimum, ask.increment, ask.fixed_step, ask.payee) == (5, 2, True, "seat-4")
    assert (ask.extend_ms, ask.extensions_max, ask.cap_ms, ask.calls_ms) == (4_000, 9, 60_000, 900)
    assert ask.proxies
    penny = read_asked(request(kind=PENNY, fee=3, refund_losers=True, refund_on_cancel=True)).opening(1, [0])
    assert (penny.mode, penny.fee, penny.refund, penny.refund_on_cancel) == (1, 3, 1, True)
    vickrey = read_asked(request(kind=VICKREY, ties_in_order=True, calls_ms=900)).opening(1, [0])
    assert (vickrey.mode, vickrey.ties, vickrey.calls_ms) == (3, 1, 900)
    turns = read_asked(request(kind=PENNY, by_turn=True)).opening(1, [0])
    assert (turns.mode, turns.by_turn) == (1, True)


def test_a_dutch_auction_lasts_until_its_price_has_stood_at_the_minimum() -> None:
    """From 100 to 10 by tens is nine falls; a tick more for the minimum itself."""
    ask = read_asked(request(**DUTCH_TERMS)).opening(1, [0])
    assert (ask.mode, ask.close_ms) == (4, 5_000)
    assert (ask.dutch_start, ask.dutch_step, ask.dutch_tick_ms) == (100, 10, 500)
