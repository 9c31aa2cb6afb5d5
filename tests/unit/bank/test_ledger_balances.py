"""What accepted instructions do to balances and holds, and what damaged records are answered with."""

from __future__ import annotations

import pytest

from magnate.bank.domain.accounts import KIND_BANK, KIND_ESCROW, KIND_INVALID, KIND_POT, KIND_SEAT, kind_of
from magnate.bank.domain.instructions import (
    CaptureHold,
    CloseAccount,
    Instruction,
    OpenAccount,
    PlaceHold,
    ReleaseHold,
    Transfer,
)
from magnate.bank.domain.ledger import INITIAL, Decision, LedgerDamagedError, State, check, decide, fold
from magnate.bank.domain.records import (
    AccountClosed,
    AccountOpened,
    EntryPosted,
    HoldCaptured,
    HoldExpired,
    HoldPlaced,
    HoldReleased,
    Record,
)


def after(*asks: Instruction, now: int = 0, base: State = INITIAL) -> State:
    """Return the state after instructions that are all accepted."""
    decision = decide(base, list(asks), base.version + 1, now)
    assert isinstance(decision, Decision), decision
    return decision.state


def table() -> State:
    """Return a ledger with two seats of 1500 each."""
    return after(
        *(OpenAccount(name) for name in ("bank", "seat-0", "seat-1", "pot-parking")),
        Transfer("bank", "seat-0", 1500, "start"),
        Transfer("bank", "seat-1", 1500, "start"),
    )


def figures(state: State, name: str) -> tuple[int, int, int]:
    """Return posted, held and available of an account."""
    account = state.index[name]
    return state.posted[account], state.held[account], state.available(account)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bank", KIND_BANK),
        ("seat-0", KIND_SEAT),
        ("seat-12", KIND_SEAT),
        ("pot-parking", KIND_POT),
        ("pot-free-parking", KIND_POT),
        ("escrow-lot39", KIND_ESCROW),
        ("seat-", KIND_INVALID),
        ("seat-01", KIND_INVALID),
        ("seat-x", KIND_INVALID),
        ("seat-²", KIND_INVALID),
        ("pot-", KIND_INVALID),
        ("pot-Free", KIND_INVALID),
        ("pot-a b", KIND_INVALID),
        ("Bank", KIND_INVALID),
        ("", KIND_INVALID),
        ("pot-" + "x" * 40, KIND_INVALID),
    ],
)
def test_a_name_says_what_an_account_is_for(name: str, kind: int) -> None:
    """The kind follows from the name, and names that fit none are invalid."""
    assert kind_of(name) == kind


def test_money_moves_and_nothing_is_lost() -> None:
    """A transfer takes from one account what it gives to another."""
    state = after(Transfer("seat-0", "pot-parking", 200, "tax"), base=table())
    assert figures(state, "seat-0") == (1300, 0, 1300)
    assert figures(state, "pot-parking") == (200, 0, 200)
    assert figures(state, "bank")[0] == -3000
    assert sum(state.posted) == 0


def test_what_is_held_cannot_be_spent_and_is_back_when_released() -> None:
    """A hold lowers what is available and not what is posted; releasing it undoes that."""
    held = after(PlaceHold("bid", "seat-0", 600), base=table())
    assert figures(held, "seat-0") == (1500, 600, 900)
    assert figures(after(ReleaseHold("bid"), base=held), "seat-0") == (1500, 0, 1500)


@pytest.mark.parametrize("amount", [1, 250, 600])
def test_a_hold_is_captured_whole_or_in_part(amount: int) -> None:
    """Capturing pays the amount and gives the rest back; the hold is finished."""
    held = after(PlaceHold("bid", "seat-0", 600), base=table())
    state = after(CaptureHold("bid", "bank", amount, "auction"), base=held)
    assert figures(state, "seat-0") == (1500 - amount, 0, 1500 - amount)
    assert state.holds == {}


def test_a_finished_hold_leaves_its_id_free() -> None:
    """The same id may be used again in the very commit that released it."""
    held = after(PlaceHold("bid", "seat-0", 600), base=table())
    state = after(ReleaseHold("bid"), PlaceHold("bid", "seat-1", 700), base=held)
    assert figures(state, "seat-1") == (1500, 700, 800)


def test_a_hold_expires_with_the_first_commit_at_its_time() -> None:
    """A hold whose time is over is recorded as expired before anything else is judged."""
    held = after(PlaceHold("bid", "seat-0", 1500, 100), base=table())
    early = decide(held, [Transfer("seat-0", "seat-1", 1, "rent")], 3, 99)
    assert not isinstance(early, Decision)
    late = decide(held, [Transfer("seat-0", "seat-1", 1, "rent")], 3, 100)
    assert isinstance(late, Decision)
    assert isinstance(late.records[0], HoldExpired)
    assert figures(late.state, "seat-0") == (1499, 0, 1499)
    assert late.state.expiring == 0


def test_an_empty_account_is_closed_for_ever() -> None:
    """A closed account takes no entry and cannot be opened again."""
    state = after(CloseAccount("pot-parking"), base=table())
    for ask in (Transfer("bank", "pot-parking", 1, "tax"), OpenAccount("pot-parking")):
        assert not isinstance(decide(state, [ask], 3, 0), Decision)


def test_folding_the_records_gives_the_decided_state() -> None:
    """The state that decide returns is what folding its records gives."""
    base = table()
    asks: list[Instruction] = [
        PlaceHold("a", "seat-0", 10, 50),
        OpenAccount("escrow-deal"),
        Transfer("seat-1", "escrow-deal", 5, "deal"),
        CaptureHold("a", "seat-1", 4, "auction"),
    ]
    decision = decide(base, asks, 2, 0)
    assert isinstance(decision, Decision)
    state = base.copy()
    fold(state, 2, 1, decision.records)
    assert state.same_as(decision.state)


def test_no_records_no_section() -> None:
    """A decision without records leaves the version of the last section as it was."""
    decision = decide(table(), [], 9, 0)
    assert isinstance(decision, Decision)
    assert decision.records == []
    assert decision.state.version == 1


DAMAGED: list[Record] = [
    EntryPosted("seat-0", "seat-1", 0, "x"),
    EntryPosted("seat-0", "seat-1", -5, "x"),
    EntryPosted("seat-0", "seat-0", 5, "x"),
    EntryPosted("seat-0", "seat-1", 1501, "x"),
    EntryPosted("seat-9", "seat-1", 5, "x"),
    EntryPosted("bank", "seat-1", 2**63 - 1, "x"),
    HoldPlaced("h", "seat-0", 1501, 0),
    HoldPlaced("h", "seat-0", 0, 0),
    HoldPlaced("bid", "seat-0", 1, 0),
    HoldCaptured("bid", "seat-0", "bank", 9, 0, "x"),
    HoldCaptured("bid", "seat-1", "bank", 10, 0, "x"),
    HoldCaptured("bid", "seat-0", "bank", 11, -1, "x"),
    HoldCaptured("bid", "seat-0", "bank", 0, 10, "x"),
    HoldReleased("bid", "seat-0", 9),
    HoldReleased("none", "seat-0", 9),
    HoldExpired("none", "seat-0", 9),
    AccountOpened("seat-0", KIND_SEAT),
    AccountClosed("seat-0"),
    AccountClosed("seat-9"),
]


@pytest.mark.parametrize("record", DAMAGED)
def test_records_that_contradict_the_ledger_are_damage(record: Record) -> None:
    """Folding checks what was checked when it was written: a record that cannot be right stops the game."""
    state = after(PlaceHold("bid", "seat-0", 10), base=table())
    with pytest.raises(LedgerDamagedError):
        fold(state, 3, 2, [record])


def test_a_missing_section_is_damage() -> None:
    """Each section names the one before it, so that none can be left out."""
    with pytest.raises(LedgerDamagedError, match="follows 2, but the last one read is 1"):
        fold(table(), 3, 2, [EntryPosted("bank", "seat-0", 1, "salary")])


def test_balances_that_do_not_sum_to_zero_are_damage() -> None:
    """The sum of all balances is checked, not believed."""
    state = table().copy()
    state.posted[1] += 1
    with pytest.raises(LedgerDamagedError, match="sum to 1"):
        check(state)
