"""The ledger against everything that may be asked of it: money is conserved, nothing is overdrawn."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from magnate.bank import codec
from magnate.bank.domain.accounts import KIND_BANK
from magnate.bank.domain.batch import decide_batch
from magnate.bank.domain.instructions import (
    CaptureHold,
    CloseAccount,
    DiscloseBalances,
    Instruction,
    OpenAccount,
    PlaceHold,
    ReleaseHold,
    Transfer,
)
from magnate.bank.domain.ledger import INITIAL, Decision, State, decide, fold
from magnate.bank.domain.limits import AMOUNT_MAX
from magnate.bank.domain.rejections import ORDER, Rejection
from magnate.bank.domain.statement import Filter, Section, statement, trial_balance

NAMES = st.sampled_from(["bank", "seat-0", "seat-1", "seat-2", "pot-parking", "escrow-deal", "nobody"])
AMOUNTS = st.one_of(st.integers(-2, 60), st.sampled_from([0, 1, AMOUNT_MAX, AMOUNT_MAX + 1, AMOUNT_MAX // 2]))
HOLDS = st.sampled_from(["a", "b", "c", ""])
REASONS = st.sampled_from(["rent", "rent", "rent", ""])
EXPIRIES = st.one_of(st.just(0), st.integers(-1, 40))

INSTRUCTIONS: st.SearchStrategy[Instruction] = st.one_of(
    st.builds(Transfer, NAMES, NAMES, AMOUNTS, REASONS),
    st.builds(Transfer, st.just("bank"), NAMES, AMOUNTS, REASONS),
    st.builds(PlaceHold, HOLDS, NAMES, AMOUNTS, EXPIRIES),
    st.builds(CaptureHold, HOLDS, NAMES, AMOUNTS, REASONS),
    st.builds(ReleaseHold, HOLDS),
    st.builds(OpenAccount, NAMES, st.booleans()),
    st.builds(DiscloseBalances),
    st.builds(CloseAccount, NAMES),
)
COMMITS = st.lists(st.tuples(st.lists(INSTRUCTIONS, max_size=6), st.booleans()), max_size=12)
OPENED: list[Instruction] = [OpenAccount(name) for name in ("bank", "seat-0", "seat-1", "pot-parking")]


def assert_sound(state: State) -> None:
    """Check what must hold in every state that can be reached."""
    assert sum(state.posted) == 0
    held = [0] * len(state.names)
    for hold in state.holds.values():
        assert hold.amount > 0
        held[hold.account] += hold.amount
    assert held == state.held
    assert state.expiring == sum(1 for hold in state.holds.values() if hold.expires_at_ms)
    for account, posted in enumerate(state.posted):
        assert -AMOUNT_MAX <= posted <= AMOUNT_MAX
        if state.kinds[account] != KIND_BANK:
            assert 0 <= state.held[account] <= posted
            assert state.available(account) == posted - state.held[account]
        if state.closed[account]:
            assert posted == state.held[account] == 0
    balance = trial_balance(state)
    assert balance.debit_total == balance.credit_total


@settings(max_examples=300, deadline=None)
@given(COMMITS)
def test_money_is_conserved_and_folding_agrees(commits: list[tuple[list[Instruction], bool]]) -> None:
    """After any commits sums are zero, no seat is below zero, and the stored bytes fold to the same state."""
    live, folded, sections = INITIAL, INITIAL.copy(), []
    for version, (asks, batch) in enumerate([(OPENED, False), *commits], start=1):
        before = live.canonical()
        decision: Decision | Rejection
        if batch:
            decision = decide_batch(live, asks, [False] * len(asks), version, version)
        else:
            decision = decide(live, asks, version, version)
        assert live.canonical() == before
        if isinstance(decision, Rejection):
            assert decision.name in ORDER
            assert 0 <= decision.instruction < len(asks)
            continue
        assert_sound(decision.state)
        if decision.records:
            body = codec.encode(live.version, decision.records)
            previous_version, records = codec.decode(codec.SECTION_VERSION, body)
            fold(folded, version, previous_version, records)
            sections.append(Section(version, version, f"c{version}", previous_version, records))
        live = decision.state
        assert folded.same_as(live)
    assert_statement_explains(live, sections)


def assert_statement_explains(live: State, sections: list[Section]) -> None:
    """Check that an account's statement, read page by page, ends at its balance without gap or double."""
    whole = statement(INITIAL.copy(), sections, Filter(), (0, 0), AMOUNT_MAX)
    assert not isinstance(whole, Rejection)
    assert len(whole.lines) == live.entries
    for name, posted in zip(live.names, live.posted, strict=True):
        after, balance, seen = (0, 0), 0, 0
        while True:
            page = statement(INITIAL.copy(), sections, Filter(name), after, 2)
            assert not isinstance(page, Rejection)
            for line in page.lines:
                balance += line.amount if line.credit == name else -line.amount
                assert line.balance == balance
                after, seen = (line.version, line.index), seen + 1
            if not page.more:
                break
        assert balance == posted
        assert seen == sum(1 for line in whole.lines if name in {line.debit, line.credit})


@settings(max_examples=200, deadline=None)
@given(st.lists(INSTRUCTIONS, max_size=8))
def test_all_or_none_is_a_batch_of_one_each(asks: list[Instruction]) -> None:
    """Deciding all at once gives what deciding one after another gives, up to the first refusal."""
    start = decide(INITIAL, OPENED, 1, 1)
    assert isinstance(start, Decision)
    state, refusal = start.state, None
    for place, ask in enumerate(asks):
        step = decide(state, [ask], 2, 2)
        if isinstance(step, Rejection):
            refusal = (place, step.name)
            break
        state = step.state
    answer = decide(start.state, asks, 2, 2)
    if refusal is None:
        assert isinstance(answer, Decision)
        assert answer.state.canonical()[1:] == state.canonical()[1:]
    else:
        assert isinstance(answer, Rejection)
        assert (answer.instruction, answer.name) == refusal
