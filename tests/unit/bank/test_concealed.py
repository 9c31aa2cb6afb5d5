"""Concealed holds: what they do to the ledger, who sees them, and what is stored where."""

from __future__ import annotations

import pytest

from magnate.bank import codec
from magnate.bank.domain.batch import decide_batch
from magnate.bank.domain.instructions import (
    CaptureHold,
    CloseAccount,
    Instruction,
    OpenAccount,
    OpenLedger,
    PlaceHold,
    ReleaseHold,
    RevealHold,
    Transfer,
)
from magnate.bank.domain.ledger import INITIAL, Decision, LedgerDamagedError, State, decide, fold
from magnate.bank.domain.records import Hidden, HoldRevealed, Record, parted
from magnate.bank.domain.rejections import Rejection

OPENING: list[Instruction] = [
    OpenAccount("bank"),
    OpenAccount("seat-0"),
    OpenAccount("seat-1"),
    Transfer("bank", "seat-0", 1500, "start"),
    Transfer("bank", "seat-1", 1500, "start"),
]
STORY: list[list[Instruction]] = [
    OPENING,
    [PlaceHold("a", "seat-0", 700, concealed=True)],
    [Transfer("seat-1", "bank", 100, "tax"), PlaceHold("b", "seat-1", 300, concealed=True)],
    [PlaceHold("c", "seat-1", 200, concealed=True), PlaceHold("open", "seat-1", 50)],
    [ReleaseHold("c"), Transfer("seat-1", "seat-0", 850, "rent")],
    [RevealHold("a"), RevealHold("b"), CaptureHold("a", "bank", 301, "auction"), ReleaseHold("b")],
]


class Ledger:
    """A ledger as the bank folds it, and as somebody does who has the public parts only."""

    def __init__(self) -> None:
        self.inside = INITIAL.copy()
        self.outside = INITIAL.copy()
        self.version = 0

    def post(self, asks: list[Instruction]) -> tuple[list[Record], list[Hidden]]:
        """Decide, store, and fold both ways from the stored bytes; return what was stored."""
        self.version += 1
        decision = decide(self.inside, asks, self.version, 0)
        assert isinstance(decision, Decision), decision
        public, hidden = parted(decision.records)
        before = self.inside.version
        previous, public = codec.decode(1, codec.encode(before, public))
        hidden = codec.decode_hidden(1, codec.encode_hidden(hidden))
        fold(self.inside, self.version, previous, public, hidden)
        fold(self.outside, self.version, previous, public)
        assert self.inside.same_as(decision.state)
        return public, hidden


def figures(state: State, account: str) -> tuple[int, int]:
    """Return posted and held."""
    place = state.index[account]
    return state.posted[place], state.held[place]


def test_a_concealed_hold_reserves_and_leaves_no_trace_in_public() -> None:
    """Its money cannot be spent; the public section has no record, only the chain of versions."""
    ledger = Ledger()
    ledger.post(OPENING)
    public, hidden = ledger.post([PlaceHold("a", "seat-0", 700, concealed=True)])
    assert (public, [one.place for one in hidden]) == ([], [0])
    assert figures(ledger.inside, "seat-0") == (1500, 700)
    assert figures(ledger.outside, "seat-0") == (1500, 0)
    assert ledger.outside.version == 2
    refused = decide(ledger.inside, [Transfer("seat-0", "bank", 801, "tax")], 3, 0)
    assert isinstance(refused, Rejection)
    assert (refused.name, "800" in refused.detail) == ("INSUFFICIENT_FUNDS", False)


def test_the_seat_sees_its_hold_and_nobody_else_does() -> None:
    """`seen` is the whole ledger for the holder and the public one for all others."""
    ledger = Ledger()
    for asks in STORY[:4]:
        ledger.post(asks)
    inside = ledger.inside
    assert figures(inside.seen("seat-0"), "seat-0") == (1500, 700)
    assert figures(inside.seen("seat-0"), "seat-1") == (1400, 50)
    assert figures(inside.seen("seat-1"), "seat-1") == (1400, 550)
    assert inside.seen().same_as(ledger.outside)
    assert list(inside.seen().holds) == ["open"]
    assert figures(inside, "seat-1") == (1400, 550), "looking changes nothing"


def test_both_ways_of_folding_agree_whenever_nothing_is_concealed() -> None:
    """After every step the public fold is what everybody sees; in the end both are the same."""
    ledger = Ledger()
    for asks in STORY:
        ledger.post(asks)
        assert ledger.inside.seen().same_as(ledger.outside)
    assert ledger.inside.same_as(ledger.outside)
    assert figures(ledger.inside, "seat-0") == (1500 + 850 - 301, 0)
    assert figures(ledger.inside, "seat-1") == (550, 50)


def test_what_was_never_revealed_is_released_in_secret() -> None:
    """The release of a concealed hold is as secret as its placing."""
    ledger = Ledger()
    for asks in STORY[:2]:
        ledger.post(asks)
    public, hidden = ledger.post([ReleaseHold("a")])
    assert (public, len(hidden)) == ([], 1)
    assert figures(ledger.inside, "seat-0") == (1500, 0)


def test_hidden_records_are_folded_in_their_places() -> None:
    """A release that makes room for a payment of the same commit comes before it."""
    ledger = Ledger()
    for asks in STORY[:4]:
        ledger.post(asks)
    _, hidden = ledger.post([Transfer("seat-0", "bank", 1, "tax"), ReleaseHold("a")])
    assert [one.place for one in hidden] == [1]
    assert figures(ledger.inside, "seat-0") == (1499, 0)


def test_a_batch_of_clients_cannot_end_a_sealed_bid() -> None:
    """Whoever may post, even the banker, gets HOLD_CONCEALED for another's sealed bid."""
    ledger = Ledger()
    ledger.post([OpenLedger("M", 1, standalone=True), *OPENING])
    ledger.post([PlaceHold("a", "seat-0", 700, concealed=True)])
    asks: list[Instruction] = [ReleaseHold("a"), CaptureHold("a", "bank", 1, "auction", "t1")]
    decision = decide_batch(ledger.inside, asks, [False, False], 3, 0)
    assert [one.rejection and one.rejection.name for one in decision.results] == ["HOLD_CONCEALED"] * 2
    assert ledger.inside.known.get("a") is None, "nobody can look it up as a transfer"


def test_what_a_closed_account_is_told_of_holds_is_public() -> None:
    """The refusal to close an account with money does not tell what of it is on hold in secret."""
    ledger = Ledger()
    for asks in STORY[:2]:
        ledger.post(asks)
    refused = decide(ledger.inside, [CloseAccount("seat-0")], 3, 0)
    assert isinstance(refused, Rejection)
    assert refused.detail == "seat-0 has posted 1500 and held 0"


def test_a_revealed_hold_must_be_the_one_that_was_placed() -> None:
    """Another amount, another version or a hold that was never secret is damage."""
    for wrong in (HoldRevealed("a", "seat-0", 701, 2), HoldRevealed("a", "seat-0", 700, 1)):
        ledger = Ledger()
        for asks in STORY[:2]:
            ledger.post(asks)
        with pytest.raises(LedgerDamagedError):
            fold(ledger.inside, 3, 2, [wrong])
    ledger = Ledger()
    ledger.post([*OPENING, PlaceHold("open", "seat-0", 5)])
    with pytest.raises(LedgerDamagedError):
        fold(ledger.inside, 2, 1, [HoldRevealed("open", "seat-0", 5, 1)])
