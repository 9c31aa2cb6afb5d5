"""The examination of one table's whole log: chain, money, deeds, rules, cards, chance, and the list."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from google.protobuf.message import DecodeError

from magnate.auction.v1 import auction_pb2
from magnate.bank.domain.statement import entry_of
from magnate.bank.fold import read_section
from magnate.cli.audit.cards import Cards
from magnate.cli.audit.deeds import Deeds
from magnate.cli.fairness import check_fairness
from magnate.cli.money import Money
from magnate.game.fold import GameFold
from magnate.game.lobby import STATUS_WORDS
from magnate.game.upcast import rules_events
from magnate.game.view import STATUS
from magnate.game.vocabulary_codec import decode_auction_event, decode_event
from magnate.kit.log.commit import AUCTION, RULES, TABLE, TERMINAL, ZERO_HASH, check_follows, parse_commit
from magnate.kit.log.errors import LogError
from magnate.peers.accounts import ACCOUNT_NAMES
from magnate.rules.decision import POT_PARKING
from magnate.rules.invariants import check

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from magnate.bank.domain.statement import Line
    from magnate.game.state import GameState
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.heads import Head
    from magnate.kit.log.port import Stored
    from magnate.rules.vocabulary import AuctionEvent, Event

    Look: TypeAlias = Callable[[ParsedCommit], list[str]]

FAULTS_MAX: Final = 50
"""Faults that are told of one table: the first are those that matter."""
LIST_LAG_MS: Final = 60_000
"""A list that lacks a commit older than this lacks it for good; heads are written at most a second late."""

CHAIN: Final = "chain"
LEDGER_KIND: Final = "ledger"
DEEDS: Final = "deeds"
RULES_KIND: Final = "rules"
CARDS: Final = "cards"
CHANCE: Final = "chance"
LIST: Final = "list"
KINDS: Final = (CHAIN, LEDGER_KIND, DEEDS, RULES_KIND, CARDS, CHANCE, LIST)
"""What can be broken, in the order in which it is looked at."""


class Fault(NamedTuple):
    """What is broken, and from which version on (0: not one version's fault)."""

    version: int
    kind: str
    what: str


@dataclass
class Finding:
    """What came of one table. All is well when `faults` is empty.

    `records`: how many were read up to where the stream ended when the audit began.
    """

    table_id: str
    version: int = 0
    kind: str = "ledger"
    status: str = ""
    entries: int = 0
    draws: int = 0
    records: int = 0
    balances: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.faults

    def add(self, version: int, kind: str, what: str) -> None:
        """Tell of a fault."""
        if len(self.faults) < FAULTS_MAX:
            self.faults.append(Fault(version, kind, what))

    def kinds(self) -> set[str]:
        """Return the kinds of faults that were told."""
        return {fault.kind for fault in self.faults}


def examine(
    keys: KeyRing, table_id: str, stored: Sequence[Stored], head: Head | None, now_ms: int
) -> Finding:
    """Examine everything that is stored of a table; `head` is what the list of tables says of it."""
    finding = Finding(table_id)
    commits = read_chain(keys, stored, finding)
    books = Books(finding)
    for commit in commits:
        books.take(commit)
    books.close(commits)
    if CHAIN not in finding.kinds():
        check_head(finding, commits, head, now_ms)
    return finding


def read_chain(keys: KeyRing, stored: Sequence[Stored], finding: Finding) -> list[ParsedCommit]:
    """Return the commits up to the first that does not follow; every record that is damaged is told of."""
    commits: list[ParsedCommit] = []
    version, commit_hash, time_ms = 0, ZERO_HASH, 0
    broken = False
    for place, one in enumerate(stored, start=1):
        try:
            commit = parse_commit(keys, finding.table_id, one.data, one.sequence)
            if not broken:
                check_follows(commit, version, commit_hash, time_ms)
                commits.append(commit)
        except LogError as error:
            broken = True
            finding.add(error.version or place, CHAIN, error.what)
            continue
        version, commit_hash, time_ms = commit.version, commit.hash, commit.time_ms
    finding.version = len(commits)
    return commits


def check_head(finding: Finding, commits: Sequence[ParsedCommit], head: Head | None, now_ms: int) -> None:
    """Compare what the list of tables says with the log."""
    if head is None:
        if commits and commits[0].time_ms < now_ms - LIST_LAG_MS:
            finding.add(1, LIST, "the list does not have this table, or its line does not verify")
        return
    if head.version > len(commits):
        finding.add(len(commits) + 1, LIST, f"missing: the list says version {head.version} was stored")
        return
    listed = commits[head.version - 1]
    if (head.hash, head.sequence) != (listed.hash, listed.sequence):
        finding.add(head.version, LIST, "the list names another commit than the log has")
    elif head.version < len(commits) and commits[head.version].time_ms < now_ms - LIST_LAG_MS:
        finding.add(head.version + 1, LIST, f"the list stands still at version {head.version}")


class Books:
    """Folds a table as the services do and compares, after each commit, what each of them knows."""

    def __init__(self, finding: Finding) -> None:
        self._finding = finding
        self._money = Money(finding.table_id)
        self._deeds = Deeds()
        self._cards = Cards(finding.table_id)
        self._fold = GameFold()
        self._game: GameState = self._fold.initial(finding.table_id)
        self._is_game = False
        self._stopped: set[str] = set()

    def take(self, commit: ParsedCommit) -> None:
        """Examine the next commit; what cannot go on after a fault is not examined further."""
        self._is_game = self._is_game or commit.section(TABLE) is not None
        self._at(commit, LEDGER_KIND, self._ledger)
        if self._is_game:
            self._at(commit, RULES_KIND, self._rules)
        if LEDGER_KIND not in self._stopped:
            self._at(commit, DEEDS, self._deed)
            self._at(commit, CARDS, self._card)

    def close(self, commits: Sequence[ParsedCommit]) -> None:
        """Examine what only a whole log can show: chance."""
        finding = self._finding
        finding.entries = self._money.entries
        finding.balances = dict(self._money.balances)
        if self._is_game:
            finding.kind = "game"
            finding.status = STATUS_WORDS[STATUS[self._game.table.status]]
        if finding.faults or not commits:
            return
        fairness = check_fairness(commits, self._game)
        finding.draws = fairness.checked
        for fault in fairness.faults:
            finding.add(0, CHANCE, fault)

    def _at(self, commit: ParsedCommit, kind: str, look: Look) -> None:
        """Look at one thing in one commit; the first fault of a kind ends it, as what follows is its echo."""
        if kind in self._stopped:
            return
        try:
            faults = look(commit)
        except LogError as error:
            faults = [error.what]
        except (DecodeError, KeyError, IndexError, ValueError, AssertionError) as error:
            faults = [f"does not fold: {type(error).__name__} {error}"]
        for fault in faults:
            self._finding.add(commit.version, kind, fault)
        if faults:
            self._stopped.add(kind)

    def _ledger(self, commit: ParsedCommit) -> list[str]:
        self._money.take(commit)
        return [one.partition(": ")[2] for one in self._money.faults]

    def _rules(self, commit: ParsedCommit) -> list[str]:
        """Fold as the game service does: its money is the ledger's, and no invariant is broken."""
        self._game = self._fold.apply(self._game, commit)
        rules = self._game.rules
        if rules is None:
            return []
        if LEDGER_KIND in self._stopped:
            return check(rules)
        balances = self._money.balances
        names = [ACCOUNT_NAMES[seat] for seat in range(rules.seats)]
        faults = check(rules, [balances.get(name, 0) for name in names])
        for seat, name in enumerate(names):
            if rules.held[seat] != self._money.held(name):
                held = self._money.held(name)
                faults.append(f"seat {seat} has {rules.held[seat]} on hold, in the ledger {held}")
        for pot, amount in enumerate(rules.extras.pots):
            name = ACCOUNT_NAMES[POT_PARKING - pot]
            if amount != balances.get(name, 0):
                faults.append(f"{name} has {amount}, in the ledger {balances.get(name, 0)}")
        return faults

    def _deed(self, commit: ParsedCommit) -> list[str]:
        section = read_section(commit)
        return self._deeds.check(
            events_of(commit),
            auction_events_of(commit),
            lines_of(commit),
            in_game=self._is_game,
            records=() if section is None else section.records,
        )

    def _card(self, commit: ParsedCommit) -> list[str]:
        return self._cards.check(commit, commit.section(TERMINAL), self._money)


def events_of(commit: ParsedCommit) -> list[Event]:
    """Return the events of the rules in a commit."""
    section = commit.section(RULES)
    return [] if section is None else [decode_event(one) for one in rules_events(section)]


def auction_events_of(commit: ParsedCommit) -> list[AuctionEvent]:
    """Return the events of auctions in a commit."""
    section = commit.section(AUCTION)
    if section is None:
        return []
    return [decode_auction_event(one) for one in auction_pb2.AuctionSection.FromString(section.body).events]


def lines_of(commit: ParsedCommit) -> list[Line]:
    """Return the entries of a commit."""
    section = read_section(commit)
    if section is None:
        return []
    lines = [entry_of(section, index) for index in range(len(section.records))]
    return [line for line in lines if line is not None]
