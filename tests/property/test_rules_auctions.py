"""Whole games by every way of selling: what is listed is accepted, nothing else is, and the money adds up."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from magnate.auction.domain import auctions
from magnate.auction.snapshot import AuctionSnapshots
from magnate.auction.state import GameState
from magnate.rules.bidding import BID_MAX, MODE_DUTCH, MODE_SEALED, MODE_VICKREY
from magnate.rules.chance import RandomChance
from magnate.rules.kinds import KIND_NAMES, names_of
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.legal_refusal import refusal
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.vocabulary import PHASE_OVER, PassAuction, PlaceBid, Resign, SetProxyBid
from tests.property.test_rules_play import SLOW
from tests.support.playing import Table
from tests.support.random_play import choose, inside

BIDDING = ("place_bid", "pass_auction", "set_proxy_bid")
ONCE = (MODE_SEALED, MODE_VICKREY, MODE_DUTCH)


def any_terms(rng: Random) -> dict[str, int | str | bool]:
    """Options of auctions that may stand together; deals and deaths come early."""
    mode = rng.choice(["open", "open", "penny", "sealed", "vickrey", "dutch"])
    openly, penny = mode in ("open", "penny"), mode == "penny"
    by_turn = openly and rng.random() < 0.25
    free = openly and not by_turn
    limits = ["cash"] if penny else ["cash", "liquidation", "none"]
    return {
        "end.turns_max": 80,
        "auction.mode": mode,
        "auction.style": "by_turn" if by_turn else "open_outcry",
        "auction.estate": rng.choice(["one_by_one", "at_once"]),
        "auction.bid_limit": rng.choice(limits),
        "auction.leaver": rng.choice(["void", "previous"]) if openly else "void",
        "auction.unsold": rng.choice(["stays_free", "put_up_again"]),
        "auction.opening": rng.choice(["any", "decliner_sets_minimum", "list_price", "zero_step"]),
        "auction.decliner_may_bid": rng.choice([True, False]),
        "auction.ties": rng.choice(["earliest", "turn_order"])
        if mode in ("sealed", "vickrey")
        else "earliest",
        "auction.proxy": free and rng.random() < 0.6,
        "auction.penny_fee": rng.choice([0, 7]) if penny else 0,
        "auction.penny_refund": rng.choice(["none", "losers"]) if penny else "none",
        "auction.refund_on_cancel": penny and rng.choice([True, False]),
        "auction.extend_seconds": rng.choice([0, 5]) if free and not penny else 0,
        "auction.cap_seconds": rng.choice([0, 15]) if free else 0,
        "auction.calls_seconds": 0 if by_turn else rng.choice([0, 2]),
        "bankrupt.early": True,
        "debt.payment": rng.choice(["automatic", "asked"]),
        "rent.claim": rng.choice(["automatic", "owner_before_next_player_rolls"]),
    }


def table_by(seed: int, rng: Random, *, check_all: bool) -> Table:
    """Begin a game on a board where everybody is soon poor."""
    rules = with_house_rules(load_ruleset("classic"), dict(any_terms(rng)))
    assert isinstance(rules, RuleSet), rules
    table = Table(load_board("classic-us"), rules, rng.randint(2, 5), RandomChance(seed), check_all=check_all)
    table.start()
    return table


@SLOW
@given(seed=st.integers(0, 2**32))
def test_every_way_of_selling_keeps_every_promise(seed: int) -> None:
    """Fold = live, money = ledger, each lot in one place, each hold behind a bid; all the way to the end."""
    rng = Random(seed)
    table = table_by(seed, rng, check_all=True)
    for _ in range(1_500):
        if table.state.phase == PHASE_OVER:
            assert not table.holds
            return
        seat, action = choose(table, rng)
        command = inside(table, rng, seat, action)
        assert table.act(seat, command) is None, (seat, action, command)
        if table.auction is not None and rng.random() < 0.05:
            table.close(rng.choice(list(table.auctions)))
        elif table.auction is not None and rng.random() < 0.03:  # mostly the leader
            leaver = max(table.auction.leader, 0)
            assert table.state.out[leaver] or table.act(leaver, Resign()) is None


@SLOW
@given(seed=st.integers(0, 2**32))
def test_what_is_listed_of_auctions_is_accepted_and_nothing_else(seed: int) -> None:
    """Each bound of each entry is accepted, the amount beyond it is refused, and so is who is not listed."""
    rng = Random(seed)
    table = table_by(seed, rng, check_all=False)
    for _ in range(1_500):
        if table.state.phase == PHASE_OVER:
            return
        if table.auctions and rng.random() < 0.3:
            probe(table)
        seat, action = choose(table, rng)
        assert table.act(seat, inside(table, rng, seat, action)) is None


def probe(table: Table) -> None:
    """Try what is listed, and what is just not, without keeping what comes of it."""
    state = GameState()
    state.auctions = table.house
    kept = AuctionSnapshots().decode(AuctionSnapshots().encode(state)).auctions
    assert kept.running == table.house.running
    for seat in range(table.state.seats):
        listed = {(one.kind, one.auction): one for one in table.legal(seat) if one.kind in BIDDING}
        names = names_of(legal_kinds(table.state, seat, table.auctions))
        for kind in BIDDING:
            assert (kind in names) == any(name == kind for name, _ in listed)
            assert (refusal(table.state, seat, kind, table.auctions) == "") == (kind in names)
            assert kind in KIND_NAMES
        for auction in table.auctions.values():
            bids = listed.get(("place_bid", auction.auction))
            once = auction.opened.mode in ONCE
            if bids is None:
                assert not takes(table, seat, PlaceBid(0, auction.least_bid, auction.auction))
            else:
                assert takes(table, seat, PlaceBid(auction.lot, bids.amount_min, auction.auction))
                assert takes(table, seat, PlaceBid(0, bids.amount_max, auction.auction))
                assert not takes(table, seat, PlaceBid(0, bids.amount_min - 1, auction.auction))
                if auction.opened.mode != MODE_DUTCH:  # there more than the price is what one would have paid
                    more = bids.amount_max + (bids.amount_step or 1)
                    assert not takes(table, seat, PlaceBid(0, more, auction.auction))
            passes = ("pass_auction", auction.auction) in listed
            assert passes == takes(table, seat, PassAuction(auction.lot, auction.auction))
            ceiling = listed.get(("set_proxy_bid", auction.auction))
            if ceiling is None:
                assert not takes(table, seat, SetProxyBid(0, BID_MAX, auction.auction))
            else:
                assert not once
                assert takes(table, seat, SetProxyBid(0, ceiling.amount_min, auction.auction))
                assert takes(table, seat, SetProxyBid(0, ceiling.amount_max, auction.auction))
                assert not takes(table, seat, SetProxyBid(0, ceiling.amount_min - 1, auction.auction)) or (
                    ceiling.amount_min == 1 and seat in auction.ceilings
                )
                assert not takes(table, seat, SetProxyBid(0, ceiling.amount_max + 1, auction.auction))


def takes(table: Table, seat: int, command: object) -> bool:
    """Whether the auction would accept it."""
    return not isinstance(auctions.decide(table.house, seat, command, table.facts()), Rejection)
