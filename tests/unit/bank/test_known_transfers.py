"""Transfers with an id of their own: none acts twice, for the life of a ledger, at no cost for copies."""

from __future__ import annotations

import pytest

from magnate.bank import codec
from magnate.bank.domain.batch import decide_batch
from magnate.bank.domain.instructions import (
    CaptureHold,
    Instruction,
    OpenAccount,
    OpenLedger,
    PlaceHold,
    ReleaseHold,
    Reverse,
    Transfer,
)
from magnate.bank.domain.known import TRANSFER, Known, KnownTransfers
from magnate.bank.domain.ledger import INITIAL, Decision, LedgerDamagedError, State, decide, fold, lapsed
from magnate.bank.domain.limits import TRANSFERS_MAX
from magnate.bank.domain.records import EntryPosted, LedgerOpened, Record
from magnate.bank.domain.rejections import CHAIN
from magnate.bank.snapshot import LedgerSnapshots
from magnate.rules.rejections import REJECTIONS


def after(*asks: Instruction, now: int = 0, base: State = INITIAL) -> State:
    """Return the state after instructions that are all accepted."""
    decision = decide(base, list(asks), base.version + 1, now)
    assert isinstance(decision, Decision), decision
    return decision.state


def table() -> State:
    """Return a stand-alone ledger with two seats of 100."""
    return after(
        OpenLedger("$", 1000, standalone=True),
        *(OpenAccount(name) for name in ("bank", "seat-0", "seat-1")),
        Transfer("bank", "seat-0", 100, "start", "s0"),
        Transfer("bank", "seat-1", 100, "start", "s1"),
    )


def known(number: int) -> Known:
    """Return any transfer."""
    return Known(TRANSFER, number, 0, 0, 1, number + 1, 0, "rent", "")


@pytest.mark.parametrize("each", [1, 2, 3, 7, 64])
def test_a_map_keeps_all_it_was_given(each: int) -> None:
    """Whatever the batches: every id is found, newer words about one hide older ones, few layers are left."""
    now, past = KnownTransfers(), []
    for first in range(0, 500, each):
        past.append((now, len(now)))
        now = now.copy()
        for number in range(first, min(first + each, 500)):
            now.add(f"t{number}", known(number))
        if first:
            now.replace(f"t{first // 2}", known(first // 2).taken_back(f"t{first}"))
    assert len(now) == 500
    assert [transfer_id for transfer_id, _ in now.items()] == [f"t{number}" for number in range(500)]
    undone = {first // 2 for first in range(each, 500, each)}
    for number in range(500):
        found = now.get(f"t{number}")
        assert found is not None
        assert found.amount == number + 1
        assert bool(found.reversed_by) == (number in undone)
    assert now.get("t500") is None
    now.settle()
    assert len(now.layers) <= 4
    sizes = [len(layer.entries) for layer in now.layers]
    assert sizes == sorted(sizes, reverse=True)
    for old, size in past:
        assert len(old) == len(old.items()) == size
        assert old.get(f"t{size}") is None


def test_copies_of_one_state_go_their_own_ways() -> None:
    """A draft that is dropped leaves nothing in the state it came from, nor in other drafts."""
    base = KnownTransfers()
    base.add("a", known(0))
    left, right = base.copy(), base.copy()
    left.add("left", known(1))
    right.add("right", known(2))
    right.replace("a", known(0).taken_back("right"))
    assert base.get("left") is base.get("right") is left.get("right") is right.get("left") is None
    kept, replaced = left.get("a"), right.get("a")
    assert kept is not None
    assert replaced is not None
    assert (kept.reversed_by, replaced.reversed_by) == ("", "right")
    assert [len(one) for one in (base, left, right)] == [1, 2, 2]


def test_a_transfer_acts_once() -> None:
    """The same id and content is answered with what it did, and leaves no record."""
    base = after(Transfer("seat-0", "seat-1", 30, "rent", "r"), base=table())
    answer = decide(base, [Transfer("seat-0", "seat-1", 30, "rent", "r")], 9, 0)
    assert isinstance(answer, Decision)
    assert answer.records == []
    batch = decide_batch(base, [Transfer("seat-0", "seat-1", 30, "rent", "r")], [False], 9, 0)
    [result] = batch.results
    assert (result.version, result.index, result.moved, result.replayed) == (2, 0, 30, True)
    assert batch.done() == 0
    assert batch.refusal() is None


def test_up_to_moves_what_is_there() -> None:
    """A debt is paid in part; asked again with the same id it is the same transfer, though more is there."""
    base = after(Transfer("seat-0", "bank", 60, "tax", "t"), base=table())
    ask = Transfer("seat-0", "seat-1", 70, "debt", "d", up_to=True)
    paid = after(ask, base=base)
    assert paid.posted[paid.index["seat-1"]] == 140
    richer = after(Transfer("bank", "seat-0", 50, "gift", "g"), base=paid)
    assert after(ask, base=richer).posted[richer.index["seat-0"]] == 50
    whole = after(Transfer("seat-0", "seat-1", 20, "debt", "e", up_to=True), base=richer)
    assert whole.posted[whole.index["seat-0"]] == 30
    held = after(
        PlaceHold("h", "seat-0", 25), Transfer("seat-0", "bank", 30, "x", "f", up_to=True), base=whole
    )
    assert held.posted[held.index["seat-0"]] == 25


def test_a_holds_id_is_used_once_at_a_stand_alone_ledger() -> None:
    """Placed again it is the same hold, even when it is finished or would have lapsed; never another one."""
    ask = PlaceHold("h", "seat-0", 40, 100)
    base = after(ask, ReleaseHold("h"), base=table())
    for now in (0, 100, 500):
        again = decide_batch(base, [ask], [False], 3, now).results[0]
        assert (again.replayed, again.moved, again.index) == (True, 40, -1)
    for other in (
        PlaceHold("h", "seat-1", 40, 100),
        PlaceHold("h", "seat-0", 41, 100),
        PlaceHold("s0", "seat-0", 1),
    ):
        refused = decide(base, [other], 3, 0)
        assert not isinstance(refused, Decision)
        assert refused.name == "TRANSFER_ID_REUSED"
    bad = decide(base, [PlaceHold("a b", "seat-0", 1)], 3, 0)
    assert not isinstance(bad, Decision)
    assert bad.name == "INVALID_TRANSFER_ID"


def test_in_a_game_a_finished_hold_leaves_its_id_free() -> None:
    """There the rules choose the ids, and no client repeats them."""
    opened = after(
        OpenLedger("$", 1),
        *(OpenAccount(name) for name in ("bank", "seat-0")),
        Transfer("bank", "seat-0", 100, "start"),
        PlaceHold("bid", "seat-0", 40),
        ReleaseHold("bid"),
        PlaceHold("bid", "seat-0", 50),
    )
    assert opened.holds["bid"].amount == 50
    assert len(opened.known) == 0


@pytest.mark.parametrize(
    "ask",
    [
        Transfer("bank", "seat-0", 1, "gift", "new"),
        PlaceHold("new", "seat-0", 1),
        CaptureHold("h", "seat-1", 1, "x", "new"),
        Reverse("new", "s0"),
    ],
)
def test_the_ids_of_a_ledger_are_bounded(ask: Instruction) -> None:
    """One more than may be remembered is refused, while known ones and those without an id go on."""
    base = after(PlaceHold("h", "seat-0", 5), base=table())
    full = base.copy()
    for number in range(TRANSFERS_MAX - len(full.known)):
        full.known.add(f"x{number}", known(number))
    refused = decide(full, [ask], 3, 0)
    assert not isinstance(refused, Decision)
    assert refused.name == "TOO_MANY_TRANSFERS"
    after(Transfer("bank", "seat-0", 100, "start", "s0"), Transfer("bank", "seat-0", 1, "gift"), base=full)


def test_everything_new_survives_bytes_and_snapshots() -> None:
    """Currency, ids, reversals, bounds, what was refused of a batch."""
    asks: list[Instruction] = [
        Transfer("seat-0", "seat-1", 500, "debt", "d", up_to=True),
        Transfer("seat-0", "seat-1", 1, "rent", "e"),
        PlaceHold("h", "seat-1", 50, 77),
        CaptureHold("h", "bank", 20, "tax", "c"),
        Reverse("r", "c", "wrong slot"),
    ]
    base = table()
    decision = decide_batch(base, asks, [False] * len(asks), 2, 0)
    body = codec.encode(1, decision.records, decision.refused())
    previous, records = codec.decode(codec.SECTION_VERSION, body)
    assert codec.decode_refused(body) == [(1, "INSUFFICIENT_FUNDS")]
    folded = base.copy()
    fold(folded, 2, previous, records)
    assert folded.same_as(decision.state)
    snapshots = LedgerSnapshots()
    again = snapshots.decode(snapshots.encode(folded))
    assert again.same_as(folded)
    again.known.replace("d", known(0))
    assert not snapshots.decode(snapshots.encode(again)).same_as(folded)
    assert snapshots.decode(snapshots.encode(again)).same_as(again)
    assert (again.unit, again.scale, again.standalone) == ("$", 1000, True)


DAMAGED: list[Record] = [
    EntryPosted("seat-0", "seat-1", 1, "x", "s0"),
    EntryPosted("seat-0", "bank", 100, "reversal", "n", reverses="none"),
    EntryPosted("seat-0", "bank", 99, "reversal", "n", reverses="s0"),
    EntryPosted("seat-1", "bank", 100, "reversal", "n", reverses="s0"),
    EntryPosted("seat-0", "seat-1", 100, "reversal", "n", reverses="s0"),
    EntryPosted("seat-0", "seat-1", 10, "reversal", "n", reverses="undo"),
    EntryPosted("seat-0", "seat-1", 10, "reversal", "n", reverses="done"),
    LedgerOpened("$", 1, standalone=False),
]


@pytest.mark.parametrize("record", DAMAGED)
def test_records_that_contradict_what_is_known_are_damage(record: Record) -> None:
    """An id twice, a reversal of nothing, of another amount, of a reversal, a second time."""
    base = after(Transfer("seat-1", "seat-0", 10, "x", "done"), Reverse("undo", "done"), base=table())
    with pytest.raises(LedgerDamagedError):
        fold(base.copy(), 3, 2, [record])


def test_what_lapsed_is_not_held_for_who_reads() -> None:
    """Without a commit, at its very millisecond, and the state itself stays as it was."""
    base = after(PlaceHold("h", "seat-0", 40, 100), base=table())
    assert lapsed(base, 99) is base
    seen = lapsed(base, 100)
    assert (seen.held[1], base.held[1], seen.version) == (0, 40, base.version)


def test_a_chain_is_done_whole_or_not_at_all() -> None:
    """Also in the middle of a batch, and what follows sees only what was done."""
    asks: list[Instruction] = [
        Transfer("seat-0", "seat-1", 90, "a", "a"),
        Transfer("seat-1", "seat-0", 50, "b", "b"),
        PlaceHold("h", "seat-1", 900),
        Transfer("seat-0", "seat-1", 60, "c", "c"),
    ]
    batch = decide_batch(table(), asks, [True, True, False, False], 2, 0)
    assert [one.rejection and one.rejection.name for one in batch.results] == [
        "LINKED_REFUSED",
        "LINKED_REFUSED",
        "INSUFFICIENT_FUNDS",
        None,
    ]
    assert batch.results[3].index == 0
    assert [batch.state.known.get(one) is None for one in ("a", "b", "c")] == [True, True, False]
    assert set(CHAIN) <= set(REJECTIONS)


def test_a_ledger_is_opened_first_and_once() -> None:
    """A stand-alone one before any account; a game's whenever its first commit says so."""
    late = after(OpenAccount("bank"), OpenLedger("$", 1))
    for ask in (OpenLedger("$", 1), OpenLedger("$", 1, standalone=True)):
        refused = decide(late, [ask], 2, 0)
        assert not isinstance(refused, Decision)
        assert refused.name == "LEDGER_EXISTS"
