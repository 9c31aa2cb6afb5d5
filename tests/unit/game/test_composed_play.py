"""Whole games on the four services: what is decided is what is folded, and snapshots bring all of it back."""

from __future__ import annotations

import json
import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from magnate.auction.fold import AuctionFold
from magnate.bank.domain.state import check as check_ledger
from magnate.bank.fold import LedgerFold
from magnate.game.domain import table as domain
from magnate.game.fold import GameFold
from magnate.game.sight import seen
from magnate.game.snapshot import RULES_FIELDS, GameSnapshots
from magnate.kit.log.commit import RULES
from magnate.rules.invariants import check
from magnate.rules.plain import digest
from magnate.rules.vocabulary import Build, LotLevel, PassAuction, PayDebt, PlaceBid, Roll
from tests.support.sources import ROOT
from tests.support.tables import LocalTable

if TYPE_CHECKING:
    from magnate.game.state import GameState
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact_slots import Slot
    from magnate.kit.transact_types import Done

pytestmark = pytest.mark.asyncio

# What a state can compute from its board and its rule set, so that a snapshot need not keep it.
DERIVED = {"board", "rules", "seats", "hotel_level", "redeem_cost", "debts", "offers", "extras"}


def plain(state: GameState) -> dict[str, object]:
    """Return everything in a state, in an order that does not depend on how it came about."""
    found: dict[str, object] = json.loads(GameSnapshots().encode(state))
    for name in ("deadlines", "holds", "cards_used"):
        rows = found[name]
        assert isinstance(rows, list)
        found[name] = sorted(rows)
    return found


def compare_drafts_with_folds(table: LocalTable) -> list[int]:
    """Fold each commit whose draft is taken over, and compare; return the versions that were compared."""
    transactor, fold = table.game.transactor, GameFold()
    advance = transactor._advance
    compared: list[int] = []

    def checked(
        slot: Slot[GameState], commit: ParsedCommit, draft: GameState | None, tick: int
    ) -> Done[GameState]:
        assert slot.loaded is not None
        if draft is not None:
            before = plain(slot.loaded.state)
            folded = fold.apply(fold.copy(slot.loaded.state), commit)
            assert plain(folded) == plain(draft), f"version {commit.version}"
            assert plain(slot.loaded.state) == before, "deciding changed what had been published"
            if folded.rules is not None:
                assert draft.rules is not None
                assert digest(folded.rules) == digest(draft.rules)
            compared.append(commit.version)
        return advance(slot, commit, draft, tick)

    transactor._advance = checked  # type: ignore[method-assign]
    return compared


@pytest.mark.parametrize(
    ("board", "seats", "seed", "options"),
    [
        ("classic-us", 4, 1, {}),
        ("classic-uk", 3, 2, {}),
        ("classic-ru", 2, 3, {}),
        ("classic-us", 4, 4, {"auction.mode": "penny", "auction.unsold": "put_up_again"}),
        ("classic-us", 4, 5, {"auction.bid_limit": "liquidation", "auction.style": "by_turn"}),
        ("classic-us", 4, 6, {"auction.bid_limit": "none", "auction.extend_seconds": "6"}),
        ("classic-us", 4, 7, {"auction.mode": "sealed", "auction.estate": "at_once"}),
        ("classic-us", 4, 8, {"auction.mode": "vickrey", "auction.bid_limit": "liquidation"}),
        ("classic-us", 4, 9, {"auction.mode": "dutch", "auction.estate": "at_once"}),
        (
            "classic-us",
            5,
            10,
            {"auction.proxy": "true", "auction.calls_seconds": "3", "auction.leaver": "previous"},
        ),
        ("classic-us", 4, 11, {"auction.mode": "penny", "auction.penny_fee": "9", "auction.proxy": "true"}),
        ("classic-us", 4, 12, {"auction.mode": "penny", "auction.penny_refund": "losers"}),
        (
            "classic-us",
            5,
            13,
            {"auction.estate": "at_once", "auction.bid_limit": "none", "bankrupt.early": "true"},
        ),
    ],
)
async def test_what_is_decided_is_what_is_folded(
    board: str, seats: int, seed: int, options: dict[str, str]
) -> None:
    """The draft that stands in for folding a commit equals its fold, field by field, for a whole game."""
    table = LocalTable()
    compared = compare_drafts_with_folds(table)
    await table.begin(board=board, seats=seats, options={"end.turns_max": "60", **options})
    rng = Random(seed)
    versions = 0
    async for loaded in table.play(rng):
        versions = loaded.version
        assert loaded.state.rules is not None
        assert check(loaded.state.rules) == []
    assert len(compared) > versions // 2
    state = (await table.loaded()).state
    assert state.table.status == domain.OVER
    assert state.auction is None
    assert not state.holds
    assert not state.deadlines
    await table.close()


async def test_all_services_read_the_same_money_out_of_the_log() -> None:
    """At every version the rules' cash is the bank's balance, and what is held is on hold there."""
    table = LocalTable()
    await table.begin(seats=4, options={"end.turns_max": "40"})
    async for _ in table.play(Random(12)):
        pass
    games, ledgers, auctions = GameFold(), LedgerFold(), AuctionFold()
    game, ledger = games.initial(table.game_id), ledgers.initial(table.game_id)
    auction = auctions.initial(table.game_id)
    held = bids = 0
    for commit in await table.commits():
        game, ledger = games.apply(game, commit), ledgers.apply(ledger, commit)
        auction = auctions.apply(auction, commit)
        if game.rules is None:
            continue
        check_ledger(ledger)
        accounts = [ledger.index[f"seat-{seat}"] for seat in range(4)]
        assert game.rules.cash == [ledger.posted[account] for account in accounts]
        assert game.rules.held == [ledger.held[account] for account in accounts]
        assert game.holds.keys() == ledger.holds.keys()
        held += len(game.holds)
        assert game.auctions == auction.auctions.running
        bids += game.auction is not None and game.auction.leader >= 0
    assert held >= bids > 0
    await table.close()


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (13, {"auction.mode": "sealed", "auction.estate": "at_once"}),
        (14, {"auction.mode": "vickrey", "auction.unsold": "put_up_again"}),
    ],
)
async def test_who_has_no_secrets_folds_what_everybody_sees(seed: int, options: dict[str, str]) -> None:
    """At every version the fold of the public parts is the services' own without what is hidden then."""
    table = LocalTable()
    await table.begin(seats=4, options={"end.turns_max": "60", **options})
    async for _ in table.play(Random(seed)):
        pass
    games, ledgers = GameFold(), LedgerFold()
    game, ledger = games.initial(table.game_id), ledgers.initial(table.game_id)
    outside, books = games.initial(table.game_id), ledgers.initial(table.game_id)
    hidden = 0
    for commit in await table.commits():
        game, ledger = games.apply(game, commit), ledgers.apply(ledger, commit)
        commit.secret = b""
        outside, books = games.apply(outside, commit), ledgers.apply(books, commit)
        assert ledger.seen().same_as(books)
        shown = seen(game)
        assert shown.auctions == outside.auctions
        if shown.rules is not None:
            assert outside.rules is not None
            assert digest(shown.rules) == digest(outside.rules)
        hidden += bool(game.concealed)
    assert hidden > 5
    assert ledger.same_as(books)
    await table.close()


@pytest.mark.parametrize("seed", [5, 6])
async def test_a_snapshot_brings_back_all_of_a_state(seed: int) -> None:
    """Equal digest and equal content at many points of a game, before it starts and after its end too."""
    table, codec, fold = LocalTable(), GameSnapshots(), GameFold()
    await table.begin(options={"end.turns_max": "40"})
    async for _ in table.play(Random(seed)):
        pass
    state = fold.initial(table.game_id)
    for commit in await table.commits():
        state = fold.apply(state, commit)
        twin = codec.decode(codec.encode(state))
        assert plain(twin) == plain(state)
        assert twin.table.ruleset is state.table.ruleset
        if state.rules is not None:
            assert twin.rules is not None
            assert digest(twin.rules) == digest(state.rules)
    assert state.table.status == domain.OVER
    await table.close()


async def test_play_goes_on_from_a_snapshot_as_from_the_state_itself() -> None:
    """A state that was stored and read again folds the rest of the log to the same end."""
    table, codec, fold = LocalTable(), GameSnapshots(), GameFold()
    await table.begin(options={"end.turns_max": "30"})
    async for _ in table.play(Random(8)):
        pass
    commits = await table.commits()
    straight, resumed = fold.initial(table.game_id), fold.initial(table.game_id)
    for number, commit in enumerate(commits):
        straight = fold.apply(straight, commit)
        resumed = fold.apply(resumed, commit)
        if number % 10 == 0:
            resumed = codec.decode(codec.encode(resumed))
    assert plain(resumed) == plain(straight)
    await table.close()


async def test_a_snapshot_names_every_field_of_the_rules() -> None:
    """A field that is added to the state must be added to the snapshot, or be computed from the others."""
    source = (ROOT / "services/magnate/rules/state.py").read_text(encoding="utf-8")
    fields = set(re.findall(r"self\.([a-z_0-9]+)\b[^=\n(]*=[^=]", source))
    assert {"cash", "owner", "debts", "die1"} <= fields
    assert fields - set(RULES_FIELDS) - DERIVED == set()


async def test_a_refused_command_leaves_no_trace() -> None:
    """Nothing is stored, and the state is the one before."""
    table = LocalTable()
    await table.begin(options={"end.turns_max": "10"})
    rng = Random(3)
    async for loaded in table.play(rng):
        before, commits = plain(loaded.state), len(await table.commits())
        await refuse_something(table, loaded)
        assert plain((await table.loaded()).state) == before
        assert len(await table.commits()) == commits
    await table.close()


async def refuse_something(table: LocalTable, loaded: Loaded[GameState]) -> None:
    """Send what cannot be done now."""
    rules = loaded.state.rules
    assert rules is not None
    stranger = (rules.turn_seat + 1) % rules.seats
    assert await table.refused(stranger, Roll())
    assert await table.refused(0, Build([LotLevel(99, 1)]))
    assert await table.refused(0, PlaceBid(1, 1 << 40))
    assert await table.refused(0, PassAuction(99))
    assert await table.refused(7, PayDebt())


async def test_chance_is_what_the_seed_says() -> None:
    """A stored commit's rules section is the same when it is decided again from the state before it."""
    table, fold = LocalTable(), GameFold()
    await table.begin(options={"end.turns_max": "5"})
    async for _ in table.play(Random(4)):
        pass
    state = fold.initial(table.game_id)
    thrown = 0
    for commit in await table.commits():
        state = fold.apply(state, commit)
        thrown += commit.section(RULES) is not None
    assert thrown > 5
    assert state.table.revealed_seed == state.table.seed
    await table.close()
