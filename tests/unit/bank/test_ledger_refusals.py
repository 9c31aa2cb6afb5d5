"""Each refusal of the ledger: what brings it about, and which comes first when there are several."""

from __future__ import annotations

import re

import pytest

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
    Reverse,
    Transfer,
)
from magnate.bank.domain.ledger import INITIAL, Decision, State, decide
from magnate.bank.domain.limits import ACCOUNTS_MAX, AMOUNT_MAX, HOLDS_MAX
from magnate.bank.domain.rejections import CHAIN, ORDER, Rejection
from magnate.rules.rejections import REJECTIONS
from tests.support.sources import ROOT

NOW = 1_000


def ledger(*asks: Instruction) -> State:
    """Return a ledger with a full pot; seat 0 has 1500 (600 held), seat 1 nothing, seat 2 is closed."""
    setup: list[Instruction] = [
        *(OpenAccount(name) for name in ("bank", "seat-0", "seat-1", "seat-2", "pot-full", "pot-sealed")),
        Transfer("bank", "pot-sealed", 4, "start"),
        Transfer("bank", "seat-0", 1500, "start"),
        PlaceHold("bid", "seat-0", 600),
        PlaceHold("sealed", "pot-sealed", 3, 0, True),
        Transfer("bank", "seat-2", 5, "start", "of-closed"),
        Transfer("seat-2", "bank", 5, "back"),
        CloseAccount("seat-2"),
        Transfer("bank", "seat-1", 7, "gift", "t1"),
        Reverse("r1", "t1"),
        Transfer("bank", "seat-1", 9, "gift", "spent"),
        Transfer("seat-1", "bank", 9, "tax"),
        Transfer("bank", "pot-full", AMOUNT_MAX - 1504, "start"),
        *asks,
    ]
    decision = decide(INITIAL, setup, 1, NOW)
    assert isinstance(decision, Decision), decision
    return decision.state


def refused(state: State, ask: Instruction) -> str:
    """Return the name of the refusal of one instruction, empty if it is accepted; `state` must not change."""
    before = state.canonical()
    answer = decide(state, [ask], 2, NOW)
    assert state.canonical() == before
    return answer.name if isinstance(answer, Rejection) else ""


REFUSALS: list[tuple[str, Instruction]] = [
    ("INVALID_AMOUNT", Transfer("seat-9", "seat-9", 0, "")),
    ("INVALID_AMOUNT", Transfer("bank", "seat-0", -1, "rent")),
    ("INVALID_AMOUNT", Transfer("bank", "seat-0", AMOUNT_MAX + 1, "rent")),
    ("INVALID_REASON", Transfer("seat-9", "seat-9", 1, "")),
    ("INVALID_REASON", Transfer("bank", "seat-0", 1, "r" * 65)),
    ("INVALID_REASON", Transfer("bank", "seat-0", 1, "line\nbreak")),
    ("SAME_ACCOUNT", Transfer("seat-9", "seat-9", 1, "rent")),
    ("UNKNOWN_ACCOUNT", Transfer("seat-9", "seat-2", 1, "rent")),
    ("UNKNOWN_ACCOUNT", Transfer("seat-2", "seat-9", 1, "rent")),
    ("ACCOUNT_CLOSED", Transfer("seat-2", "seat-0", 1, "rent")),
    ("ACCOUNT_CLOSED", Transfer("seat-1", "seat-2", 1, "rent")),
    ("INSUFFICIENT_FUNDS", Transfer("seat-1", "pot-full", 1, "rent")),
    ("INSUFFICIENT_FUNDS", Transfer("seat-0", "seat-1", 901, "rent")),
    ("AMOUNT_OVERFLOW", Transfer("bank", "seat-1", 1, "rent")),
    ("INVALID_TRANSFER_ID", Transfer("seat-9", "seat-9", 0, "", "a b")),
    ("INVALID_TRANSFER_ID", Transfer("bank", "seat-0", 1, "rent", "t" * 65)),
    ("INVALID_TRANSFER_ID", Transfer("bank", "seat-0", 1, "rent", "é")),
    ("INVALID_REASON", Transfer("bank", "seat-1", 7, "", "t1")),
    ("TRANSFER_ID_REUSED", Transfer("bank", "seat-1", 8, "gift", "t1")),
    ("TRANSFER_ID_REUSED", Transfer("bank", "seat-0", 7, "gift", "t1")),
    ("TRANSFER_ID_REUSED", Transfer("seat-1", "bank", 7, "gift", "t1")),
    ("TRANSFER_ID_REUSED", Transfer("bank", "seat-1", 7, "other", "t1")),
    ("TRANSFER_ID_REUSED", Transfer("bank", "seat-1", 7, "gift", "t1", up_to=True)),
    ("TRANSFER_ID_REUSED", Transfer("seat-9", "seat-9", 7, "gift", "t1")),
    ("TRANSFER_ID_REUSED", Transfer("seat-1", "bank", 7, "reversal", "r1")),
    ("NOTHING_TO_MOVE", Transfer("seat-1", "seat-0", 5, "debt", "new", up_to=True)),
    ("NOTHING_TO_MOVE", Transfer("seat-1", "seat-0", 5, "debt", up_to=True)),
    ("ACCOUNT_CLOSED", Transfer("seat-1", "seat-2", 5, "debt", up_to=True)),
    ("INVALID_TRANSFER_ID", Reverse("", "t9", "n" * 201)),
    ("INVALID_NOTE", Reverse("t1", "t9", "n" * 201)),
    ("INVALID_NOTE", Reverse("t1", "t9", "line\nbreak")),
    ("TRANSFER_ID_REUSED", Reverse("t1", "t9")),
    ("TRANSFER_ID_REUSED", Reverse("r1", "spent")),
    ("TRANSFER_ID_REUSED", Reverse("r1", "t1", "another note")),
    ("UNKNOWN_TRANSFER", Reverse("r2", "t9")),
    ("NOT_REVERSIBLE", Reverse("r2", "r1")),
    ("ALREADY_REVERSED", Reverse("r2", "t1")),
    ("ACCOUNT_CLOSED", Reverse("r2", "of-closed")),
    ("INSUFFICIENT_FUNDS", Reverse("r2", "spent")),
    ("INVALID_CURRENCY", OpenLedger("u" * 101, 1)),
    ("INVALID_CURRENCY", OpenLedger("$", 0)),
    ("INVALID_CURRENCY", OpenLedger("$", 10**9 + 1)),
    ("INVALID_CURRENCY", OpenLedger("\n", 1)),
    ("LEDGER_EXISTS", OpenLedger("$", 1, standalone=True)),
    ("INVALID_TRANSFER_ID", CaptureHold("gone", "seat-0", 0, "", "a b")),
    ("TRANSFER_ID_REUSED", CaptureHold("gone", "seat-0", 1, "auction", "t1")),
    ("INVALID_HOLD_ID", PlaceHold("", "seat-9", 0)),
    ("INVALID_HOLD_ID", PlaceHold("h" * 65, "seat-0", 1)),
    ("INVALID_AMOUNT", PlaceHold("bid", "seat-9", 0, 1)),
    ("INVALID_EXPIRY", PlaceHold("bid", "seat-9", 1, NOW)),
    ("INVALID_EXPIRY", PlaceHold("new", "seat-0", 1, -1)),
    ("HOLD_EXISTS", PlaceHold("bid", "seat-9", 1)),
    ("UNKNOWN_ACCOUNT", PlaceHold("new", "seat-9", 1)),
    ("ACCOUNT_CLOSED", PlaceHold("new", "seat-2", 1)),
    ("INSUFFICIENT_FUNDS", PlaceHold("new", "seat-0", 901)),
    ("AMOUNT_OVERFLOW", PlaceHold("new", "bank", 1)),
    ("INVALID_AMOUNT", CaptureHold("gone", "seat-0", 0, "")),
    ("INVALID_REASON", CaptureHold("gone", "seat-0", 1, "")),
    ("UNKNOWN_HOLD", CaptureHold("gone", "seat-9", 1, "auction")),
    ("SAME_ACCOUNT", CaptureHold("bid", "seat-0", 601, "auction")),
    ("UNKNOWN_ACCOUNT", CaptureHold("bid", "seat-9", 601, "auction")),
    ("ACCOUNT_CLOSED", CaptureHold("bid", "seat-2", 601, "auction")),
    ("HOLD_CONCEALED", CaptureHold("sealed", "pot-more", 9, "auction")),
    ("INVALID_EXPIRY", PlaceHold("new", "seat-9", 1, NOW + 1, True)),
    ("UNKNOWN_HOLD", RevealHold("bid")),
    ("UNKNOWN_HOLD", RevealHold("gone")),
    ("HOLD_EXCEEDED", CaptureHold("bid", "seat-1", 601, "auction")),
    ("UNKNOWN_HOLD", ReleaseHold("gone")),
    ("INVALID_ACCOUNT", OpenAccount("seat-00")),
    ("ACCOUNT_EXISTS", OpenAccount("seat-2")),
    ("UNKNOWN_ACCOUNT", CloseAccount("seat-9")),
    ("ACCOUNT_CLOSED", CloseAccount("seat-2")),
    ("ACCOUNT_NOT_EMPTY", CloseAccount("seat-0")),
]


@pytest.mark.parametrize(("name", "ask"), REFUSALS)
def test_each_precondition_has_its_refusal(name: str, ask: Instruction) -> None:
    """Each wrong instruction is refused by name, also when later checks would refuse it too."""
    assert refused(ledger(), ask) == name


def test_accounts_and_holds_are_bounded() -> None:
    """One account or hold more than a ledger may have is refused."""
    names: list[Instruction] = [OpenAccount(f"pot-{i}") for i in range(ACCOUNTS_MAX - 6)]
    assert refused(ledger(*names), OpenAccount("pot-more")) == "TOO_MANY_ACCOUNTS"
    holds: list[Instruction] = [PlaceHold(f"h{i}", "pot-full", 1) for i in range(HOLDS_MAX - 2)]
    assert refused(ledger(*holds), PlaceHold("more", "seat-1", 1)) == "TOO_MANY_HOLDS"


def test_overflow_is_refused_by_name_on_both_sides() -> None:
    """A payee past the largest balance and a bank past the lowest one are both AMOUNT_OVERFLOW."""
    state = ledger(OpenAccount("seat-3"))
    assert refused(state, Transfer("bank", "seat-3", 1, "salary")) == "AMOUNT_OVERFLOW"
    repaid = ledger(Transfer("pot-full", "bank", 1, "back"), Transfer("bank", "seat-1", 1, "salary"))
    assert refused(repaid, Transfer("bank", "seat-1", 1, "salary")) == "AMOUNT_OVERFLOW"


def test_every_refusal_is_tested_and_explained() -> None:
    """The documented order names exactly the refusals tested here, and each has its line in the table."""
    tested = {name for name, _ in REFUSALS} | {"TOO_MANY_ACCOUNTS", "TOO_MANY_HOLDS", "TOO_MANY_TRANSFERS"}
    assert tested == set(ORDER)
    assert set(ORDER) <= set(REJECTIONS)


def test_the_first_refusal_names_its_instruction() -> None:
    """All or none: the refusal says which instruction it was and the state is as before."""
    state = ledger()
    answer = decide(state, [ReleaseHold("bid"), Transfer("seat-0", "seat-1", 1501, "rent")], 2, NOW)
    assert isinstance(answer, Rejection)
    assert (answer.name, answer.instruction, answer.account) == ("INSUFFICIENT_FUNDS", 1, "seat-0")
    assert answer.category == "precondition"
    assert "bid" in state.holds


def test_a_batch_leaves_out_what_is_refused() -> None:
    """As a batch, each instruction stands for itself and has its own result."""
    asks: list[Instruction] = [
        Transfer("seat-0", "seat-1", 900, "rent"),
        Transfer("seat-0", "seat-1", 1, "rent"),
        Transfer("seat-1", "seat-0", 1, "rent"),
    ]
    answer = decide_batch(ledger(), asks, [False] * 3, 2, NOW)
    assert [one.rejection and one.rejection.name for one in answer.results] == [
        None,
        "INSUFFICIENT_FUNDS",
        None,
    ]
    assert len(answer.records) == answer.done() == 2
    assert answer.refused() == [(1, "INSUFFICIENT_FUNDS")]
    assert answer.results[1].rejection is not None
    assert answer.results[1].rejection.instruction == 1
    assert answer.refusal() is None


def test_a_batch_with_nothing_left_is_refused() -> None:
    """A batch of which nothing can be done has its first refusal to answer with."""
    answer = decide_batch(ledger(), [ReleaseHold("a"), CloseAccount("seat-0")], [False] * 2, 2, NOW)
    refusal = answer.refusal()
    assert refusal is not None
    assert refusal.name == "UNKNOWN_HOLD"
    assert answer.records == []


def test_the_documented_order_is_the_one_that_is_checked() -> None:
    """The table of docs/bank.md names every refusal, in the order in which they are looked at."""
    text = (ROOT / "docs" / "bank.md").read_text(encoding="utf-8").split("## Refusals")[1].split("\n## ")[0]
    rows = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert rows == list(ORDER)
    assert set(re.findall(r"`([A-Z_]{6,})`", text)) == {*ORDER, *CHAIN}
