"""The ledger against a naive one that keeps a list of what happened: hypothesis chooses the steps.

The oracle adds everything up from its list whenever it is asked, knows nothing of layers, drafts or sections,
and judges by the table of refusals in docs/bank.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from magnate.bank import codec
from magnate.bank.domain.batch import decide_batch, recall
from magnate.bank.domain.instructions import (
    CaptureHold,
    CloseAccount,
    Instruction,
    OpenAccount,
    OpenLedger,
    PlaceHold,
    ReleaseHold,
    Reverse,
    Transfer,
)
from magnate.bank.domain.ledger import INITIAL, State, fold, lapsed
from magnate.bank.domain.limits import AMOUNT_MAX
from magnate.bank.snapshot import LedgerSnapshots

SEATS = ["seat-0", "seat-1", "seat-2"]
NAMES = st.sampled_from(["bank", *SEATS, "pot-parking", "seat-9"])
AMOUNTS = st.sampled_from([40, 40, 25, 7, 1, 0, -5, AMOUNT_MAX])  # few, so that the same is asked again
IDS = st.sampled_from([f"t{number}" for number in range(8)])
HOLDS = st.sampled_from(["h0", "h1", "h2", "t0"])
REASONS = st.sampled_from(["rent", "rent", "tax", ""])

INSTRUCTIONS: st.SearchStrategy[Instruction] = st.one_of(
    st.builds(Transfer, NAMES, NAMES, AMOUNTS, REASONS, IDS, st.booleans()),
    st.builds(Transfer, st.just("bank"), NAMES, AMOUNTS, st.just("start"), IDS),
    st.builds(PlaceHold, HOLDS, NAMES, AMOUNTS, st.sampled_from([0, 0, 3, 8, 15])),
    st.builds(CaptureHold, HOLDS, NAMES, AMOUNTS, REASONS, IDS),
    st.builds(ReleaseHold, HOLDS),
    st.builds(Reverse, IDS, IDS, st.sampled_from(["", "note"])),
    st.builds(OpenAccount, NAMES),
    st.builds(CloseAccount, NAMES),
)


@dataclass
class Entry:
    """Money that moved."""

    debit: str
    credit: str
    amount: int


@dataclass
class OpenHold:
    """Money that is reserved."""

    account: str
    amount: int
    expires: int


@dataclass
class Naive:
    """A list of entries, a list of holds, and what each id was asked to do."""

    entries: list[Entry] = field(default_factory=list)
    holds: dict[str, OpenHold] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)
    asked: dict[str, tuple[object, ...]] = field(default_factory=dict)
    did: dict[str, Entry] = field(default_factory=dict)
    undone: set[str] = field(default_factory=set)

    def copy(self) -> Naive:
        """Return one that can be changed alone."""
        return Naive(
            list(self.entries),
            dict(self.holds),
            list(self.opened),
            set(self.closed),
            dict(self.asked),
            dict(self.did),
            set(self.undone),
        )

    def posted(self, name: str) -> int:
        """Add up an account."""
        got = sum(one.amount for one in self.entries if one.credit == name)
        return got - sum(one.amount for one in self.entries if one.debit == name)

    def held(self, name: str) -> int:
        """Add up what is reserved of an account."""
        return sum(one.amount for one in self.holds.values() if one.account == name)

    def available(self, name: str) -> int:
        """Return what may be spent."""
        return AMOUNT_MAX if name == "bank" else self.posted(name) - self.held(name)

    def expire(self, now: int) -> None:
        """Let go of what lapsed."""
        self.holds = {key: one for key, one in self.holds.items() if not 0 < one.expires <= now}

    def apply(self, ask: Instruction, now: int) -> str:
        """Do what is asked; return the name of the refusal, `again` if it was done before, else nothing."""
        if isinstance(ask, Transfer):
            return self.transfer(ask)
        if isinstance(ask, PlaceHold):
            return self.place(ask, now)
        if isinstance(ask, CaptureHold):
            return self.capture(ask)
        if isinstance(ask, ReleaseHold):
            return "" if self.holds.pop(ask.hold_id, None) else "UNKNOWN_HOLD"
        if isinstance(ask, Reverse):
            return self.reverse(ask)
        if isinstance(ask, OpenAccount):
            if ask.account in self.opened:
                return "ACCOUNT_EXISTS"
            self.opened.append(ask.account)
            return ""
        assert isinstance(ask, CloseAccount)
        if ask.account not in self.opened:
            return "UNKNOWN_ACCOUNT"
        if ask.account in self.closed:
            return "ACCOUNT_CLOSED"
        if self.posted(ask.account) or self.held(ask.account):
            return "ACCOUNT_NOT_EMPTY"
        self.closed.add(ask.account)
        return ""

    def bad_amount(self, amount: int, reason: str = "x") -> str:
        """Judge what a request says by itself."""
        if not 0 < amount <= AMOUNT_MAX:
            return "INVALID_AMOUNT"
        return "" if reason else "INVALID_REASON"

    def known(self, key: str, content: tuple[object, ...]) -> str:
        """Judge an id that may have been used."""
        if key not in self.asked:
            return ""
        return "again" if self.asked[key] == content else "TRANSFER_ID_REUSED"

    def parties(self, debit: str, credit: str) -> str:
        """Judge two accounts."""
        if debit == credit:
            return "SAME_ACCOUNT"
        if debit not in self.opened or credit not in self.opened:
            return "UNKNOWN_ACCOUNT"
        return "ACCOUNT_CLOSED" if {debit, credit} & self.closed else ""

    def pay(self, debit: str, credit: str, amount: int) -> str:
        """Move money if it is there and fits into 64 bits."""
        if self.available(debit) < amount:
            return "INSUFFICIENT_FUNDS"
        if self.posted(debit) - self.held(debit) - amount < -AMOUNT_MAX:
            return "AMOUNT_OVERFLOW"
        if self.posted(credit) + amount > AMOUNT_MAX:
            return "AMOUNT_OVERFLOW"
        self.entries.append(Entry(debit, credit, amount))
        return ""

    def note(self, key: str, content: tuple[object, ...]) -> None:
        """Remember an id."""
        self.asked[key] = content
        self.did[key] = self.entries[-1]

    def transfer(self, ask: Transfer) -> str:
        """Transfer."""
        content = ("transfer", ask.debit, ask.credit, ask.amount, ask.reason, ask.up_to)
        refused = self.bad_amount(ask.amount, ask.reason) or self.known(ask.transfer_id, content)
        refused = refused or self.parties(ask.debit, ask.credit)
        if refused:
            return refused
        amount = ask.amount
        if ask.up_to:
            amount = min(amount, self.available(ask.debit))
            if amount <= 0:
                return "NOTHING_TO_MOVE"
        refused = self.pay(ask.debit, ask.credit, amount)
        if not refused:
            self.note(ask.transfer_id, content)
        return refused

    def place(self, ask: PlaceHold, now: int) -> str:
        """Place a hold."""
        content = ("hold", ask.account, ask.amount, ask.expires_at_ms)
        refused = self.bad_amount(ask.amount)
        known = self.known(ask.hold_id, content)
        if refused or known == "again":
            return refused or known
        if ask.expires_at_ms and ask.expires_at_ms <= now:
            return "INVALID_EXPIRY"
        if known:
            return known
        if ask.account not in self.opened:
            return "UNKNOWN_ACCOUNT"
        if ask.account in self.closed:
            return "ACCOUNT_CLOSED"
        if self.available(ask.account) < ask.amount:
            return "INSUFFICIENT_FUNDS"
        if self.posted(ask.account) - self.held(ask.account) - ask.amount < -AMOUNT_MAX:
            return "AMOUNT_OVERFLOW"
        if self.held(ask.account) + ask.amount > AMOUNT_MAX:
            return "AMOUNT_OVERFLOW"
        self.holds[ask.hold_id] = OpenHold(ask.account, ask.amount, ask.expires_at_ms)
        self.asked[ask.hold_id] = content
        return ""

    def capture(self, ask: CaptureHold) -> str:
        """Pay from a hold."""
        content = ("capture", ask.hold_id, ask.to, ask.amount, ask.reason)
        refused = self.bad_amount(ask.amount, ask.reason) or self.known(ask.transfer_id, content)
        if refused:
            return refused
        hold = self.holds.get(ask.hold_id)
        if hold is None:
            return "UNKNOWN_HOLD"
        refused = self.parties(hold.account, ask.to)
        if refused:
            return refused
        if ask.amount > hold.amount:
            return "HOLD_EXCEEDED"
        if self.posted(ask.to) + ask.amount > AMOUNT_MAX:
            return "AMOUNT_OVERFLOW"
        del self.holds[ask.hold_id]
        self.entries.append(Entry(hold.account, ask.to, ask.amount))
        self.note(ask.transfer_id, content)
        return ""

    def reverse(self, ask: Reverse) -> str:
        """Take a transfer back."""
        content = ("reverse", ask.reverses, ask.note)
        refused = self.known(ask.transfer_id, content)
        if refused:
            return refused
        if ask.reverses not in self.asked:
            return "UNKNOWN_TRANSFER"
        if self.asked[ask.reverses][0] not in {"transfer", "capture"}:
            return "NOT_REVERSIBLE"
        if ask.reverses in self.undone:
            return "ALREADY_REVERSED"
        old = self.did[ask.reverses]
        refused = self.parties(old.credit, old.debit) or self.pay(old.credit, old.debit, old.amount)
        if not refused:
            self.note(ask.transfer_id, content)
            self.undone.add(ask.reverses)
        return refused


class LedgerMachine(RuleBasedStateMachine):
    """Batches with chains on both ledgers, and a reader that folds the stored bytes only."""

    def __init__(self) -> None:
        super().__init__()
        self.state: State = INITIAL
        self.reader: State = INITIAL.copy()
        self.naive = Naive()
        self.version = 0
        self.now = 0

    @initialize()
    def open(self) -> None:
        """Open the ledger and its accounts."""
        asks: list[Instruction] = [OpenLedger("$", 1, standalone=True)]
        asks += [OpenAccount(name) for name in ("bank", *SEATS)]
        decision = decide_batch(self.state, asks, [False] * len(asks), 1, 0)
        assert not decision.refused()
        self.naive.opened = ["bank", *SEATS]
        self.store(decision.state, codec.encode(0, decision.records))

    @rule(by=st.integers(0, 4))
    def wait(self, by: int) -> None:
        """Let time pass without a commit: whoever reads sees what lapsed."""
        self.now += by
        seen, expected = lapsed(self.state, self.now), self.naive.copy()
        expected.expire(self.now)
        self.compare(seen, expected)

    @rule(asks=st.lists(st.tuples(INSTRUCTIONS, st.booleans()), min_size=1, max_size=6))
    def post(self, asks: list[tuple[Instruction, bool]]) -> None:
        """Post a batch; some are linked to the next one."""
        instructions, links = [one for one, _ in asks], [linked for _, linked in asks]
        before = self.state.canonical()
        decision = decide_batch(self.state, instructions, links, self.version + 1, self.now)
        assert self.state.canonical() == before
        expected = self.expect(instructions, links)
        found = [
            one.rejection.name if one.rejection is not None else "again" if one.replayed else ""
            for one in decision.results
        ]
        assert found == expected
        if decision.done() == 0:
            return
        body = codec.encode(self.state.version, decision.records, decision.refused())
        recalled = recall(
            decision.state,
            instructions,
            self.version + 1,
            codec.decode(codec.SECTION_VERSION, body)[1],
            codec.decode_refused(body),
        )
        assert [(one.version, one.index, one.moved, one.replayed) for one in recalled] == [
            (one.version, one.index, one.moved, one.replayed) for one in decision.results
        ]
        self.store(decision.state, body)

    @rule()
    def snapshot(self) -> None:
        """Go on from a snapshot."""
        snapshots = LedgerSnapshots()
        self.state = snapshots.decode(snapshots.encode(self.state))

    def expect(self, instructions: list[Instruction], links: list[bool]) -> list[str]:
        """Carry the batch out on the naive ledger."""
        names: list[str] = []
        after = self.naive.copy()
        after.expire(self.now)
        place = 0
        while place < len(instructions):
            end = place
            while end < len(links) and links[end]:
                end += 1
            chain = instructions[place : end + 1]
            if end == len(links) and links[place]:
                names += ["LINKED_CHAIN_OPEN"] * len(chain)
                break
            trial = after.copy()
            answers = [trial.apply(ask, self.now) for ask in chain]
            wrong = next((number for number, one in enumerate(answers) if one not in {"", "again"}), None)
            if wrong is None:
                after = trial
                names += answers
            else:
                answers = [
                    "LINKED_REFUSED" if number != wrong else answers[wrong] for number in range(len(chain))
                ]
                names += answers
            place = end + 1
        if "" in names:
            self.naive = after
        return names

    def store(self, state: State, body: bytes) -> None:
        """Take the next state, and let the reader fold what was stored."""
        self.version += 1
        previous, records = codec.decode(codec.SECTION_VERSION, body)
        fold(self.reader, self.version, previous, records)
        self.state = state

    def compare(self, state: State, naive: Naive) -> None:
        """Compare every figure."""
        assert state.names == naive.opened
        for place, name in enumerate(state.names):
            assert state.posted[place] == naive.posted(name)
            assert state.held[place] == naive.held(name)
            assert state.closed[place] == (name in naive.closed)
        assert set(state.holds) == set(naive.holds)

    @invariant()
    def same(self) -> None:
        """Live ledger, folded ledger and naive ledger are one; money is conserved; nobody is overdrawn."""
        self.compare(self.state, self.naive)
        assert self.reader.same_as(self.state)
        assert sum(self.state.posted) == 0
        assert self.state.entries == len(self.naive.entries)
        assert len(self.state.known) == len(self.naive.asked)
        for place, name in enumerate(self.state.names):
            assert name == "bank" or 0 <= self.state.held[place] <= self.state.posted[place]
        for key, entry in self.naive.did.items():
            known = self.state.known.get(key)
            assert known is not None
            assert known.amount == entry.amount
            assert bool(known.reversed_by) == (key in self.naive.undone)


TestLedgerModel = LedgerMachine.TestCase
TestLedgerModel.settings = settings(max_examples=100, stateful_step_count=25, deadline=None)
