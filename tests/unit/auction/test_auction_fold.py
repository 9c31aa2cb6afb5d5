"""Folding what others wrote: ledgers, deadlines, and what this build must not skip."""

from __future__ import annotations

import pytest

from magnate.auction.fold import AuctionFold
from magnate.auction.state import GameState
from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import bank_pb2
from magnate.game.v1 import game_pb2
from magnate.kit.ids import request_hash
from magnate.kit.log.commit import (
    AUCTION,
    DEADLINES,
    LEDGER,
    RULES,
    TABLE,
    ZERO_HASH,
    Command,
    Section,
    build_commit,
)
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.timer.v1 import timer_pb2
from tests.support.banking import KEYS, new_game
from tests.support.timing import cleared, paused, resumed, set_


def folded(*sections: Section, state: GameState | None = None) -> GameState:
    """Fold one commit."""
    commit = build_commit(
        KEYS,
        new_game("fold"),
        Command("c", request_hash(b""), actor="test", received_at_ms=1),
        sections,
        previous_version=0,
        previous_hash=ZERO_HASH,
        previous_time_ms=0,
        now_ms=1,
    )
    return AuctionFold().apply(GameState() if state is None else state, commit)


def ledger(*records: bank_pb2.Record) -> Section:
    """Return a ledger section."""
    return Section(LEDGER, 1, bank_pb2.LedgerSection(records=records).SerializeToString())


def deadlines(*changes: timer_pb2.DeadlineChange) -> Section:
    """Return a section of deadlines."""
    return Section(DEADLINES, 1, timer_pb2.DeadlinesSection(changes=changes).SerializeToString())


def test_the_ledger_says_what_is_available() -> None:
    """Entries, holds, captures in part and releases all count; other accounts do not."""
    posted, placed, captured, released = (bank_pb2.Record() for _ in range(4))
    entry = posted.entry_posted
    entry.debit, entry.credit, entry.amount = "bank", "seat-2", 100
    hold = placed.hold_placed
    hold.hold_id, hold.account, hold.amount = "h", "seat-2", 60
    capture = captured.hold_captured
    capture.hold_id, capture.account, capture.to = "h", "seat-2", "seat-0"
    capture.captured, capture.released = 40, 20
    state = folded(ledger(posted, placed))
    assert state.available() == [0, 0, 40]
    state = folded(ledger(captured), state=state)
    assert (state.posted, state.held) == ([40, 0, 60], [0, 0, 0])
    hold.amount = 10
    release = released.hold_released
    release.hold_id, release.account, release.released = "h", "seat-2", 10
    assert folded(ledger(placed, released), state=state).available() == [40, 0, 60]


def test_the_closing_deadline_is_the_auctions_own() -> None:
    """Others' deadlines are known and not mistaken for it; pausing keeps the owner."""
    state = folded(deadlines(set_("g", 5), set_("a1-1", 9, owner="auction", kind="close")))
    assert list(state.ends()) == [1]
    assert (state.ends()[1].due_ms, state.ends()[1].paused) == (9, False)
    state = folded(deadlines(paused("a1-1", 4)), state=state)
    assert (state.ends()[1].due_ms, state.ends()[1].paused) == (0, True)
    assert state.deadlines["a1-1"].left_ms == 4
    state = folded(deadlines(resumed("a1-1", 99), cleared("g")), state=state)
    assert list(state.deadlines) == ["a1-1"]


def test_the_end_of_the_game() -> None:
    """The revealed seed ends it; other events of the table do not."""
    section = game_pb2.TableSection()
    section.events.add().table_started.SetInParent()
    assert not folded(Section(TABLE, 1, section.SerializeToString())).over
    section.events.add().seed_revealed.seed = b"s"
    assert folded(Section(TABLE, 1, section.SerializeToString())).over


def test_what_is_not_ours_is_passed_over() -> None:
    """Rules sections of any version are not our business."""
    folded(Section(RULES, 77, b"whatever"))


@pytest.mark.parametrize("kind", [TABLE, LEDGER, AUCTION, DEADLINES])
def test_a_section_of_a_later_version_is_not_skipped(kind: int) -> None:
    """The log is newer than this build."""
    with pytest.raises(LogNewerError):
        folded(Section(kind, 2, b""))


def test_kinds_of_a_later_release_are_not_skipped() -> None:
    """Neither records, nor events, nor changes."""
    with pytest.raises(LogNewerError):
        folded(ledger(bank_pb2.Record()))
    with pytest.raises(LogNewerError):
        folded(deadlines(timer_pb2.DeadlineChange()))
    section = auction_pb2.AuctionSection()
    section.events.add()
    with pytest.raises(LogNewerError):
        folded(Section(AUCTION, 1, section.SerializeToString()))
    table = game_pb2.TableSection()
    table.events.add()
    with pytest.raises(LogNewerError):
        folded(Section(TABLE, 1, table.SerializeToString()))


@pytest.mark.parametrize("kind", [TABLE, LEDGER, AUCTION, DEADLINES])
def test_bytes_that_do_not_parse_are_damage(kind: int) -> None:
    """That game stops."""
    with pytest.raises(DataLossError):
        folded(Section(kind, 1, b"\xff\xff\xff"))


def test_clearing_what_is_not_pending_is_damage() -> None:
    """The log contradicts itself."""
    with pytest.raises(DataLossError):
        folded(deadlines(cleared("never")))
    section = auction_pb2.AuctionSection()
    section.events.add().bid_placed.amount = 5
    with pytest.raises(DataLossError):
        folded(Section(AUCTION, 1, section.SerializeToString()))
