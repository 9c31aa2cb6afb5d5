"""A game as its public log tells it: folded here, commit by commit, from what any client may read.

What the server says about its live state is compared with this, so every step of every scenario proves
that the fold of the log is the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import bank_pb2
from magnate.cli.records import read_record
from magnate.cli.scenario.names import POT_ACCOUNTS, POT_WORDS, POTS, snake_to_event
from magnate.game.fold import GameFold
from magnate.game.upcast import rules_events
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import (
    AUCTION,
    LEDGER,
    RULES,
    TABLE,
    ZERO_HASH,
    check_follows,
)
from magnate.rules.invariants import check, check_waiting
from magnate.rules.steps.running import running_auctions

if TYPE_CHECKING:
    from magnate.kit.log.commit import Section
    from magnate.rules.state import State

Pay: TypeAlias = tuple[str, str, int]
"""A posted transfer as scenarios write it: from, to, amount."""


def _event_names(section: Section) -> list[str]:
    kinds: list[str | None]
    if section.kind == TABLE:
        kinds = [event.WhichOneof("kind") for event in game_pb2.TableSection.FromString(section.body).events]
    elif section.kind == RULES:
        kinds = [event.WhichOneof("kind") for event in rules_events(section)]
    else:
        auction = auction_pb2.AuctionSection.FromString(section.body)
        kinds = [event.WhichOneof("kind") for event in auction.events]
    return [snake_to_event(str(kind)) for kind in kinds]


class Came:
    """What a step came to: names of events by family, each family in order, and the transfers in order."""

    def __init__(self) -> None:
        self.commits = 0
        self.events: dict[int, list[str]] = {TABLE: [], RULES: [], AUCTION: []}
        self.pays: list[Pay] = []

    def all_events(self) -> list[str]:
        """Return all names."""
        return [name for names in self.events.values() for name in names]


class Mirror:
    """The fold of a game's log, and its accounts."""

    def __init__(self, game_id: str, players: list[str]) -> None:
        self._fold = GameFold()
        self._players = players
        self.state = self._fold.initial(game_id)
        self.game_id = game_id
        self.version = 0
        self.posted: dict[str, int] = {}
        self.held: dict[str, int] = {}
        self.offer_ids: dict[int, str] = {}
        self._hash = ZERO_HASH
        self._time_ms = 0

    @property
    def rules(self) -> State:
        """The state of the rules; the game has begun."""
        assert self.state.rules is not None, "the game has not begun"
        return self.state.rules

    def follow(self, records: list[game_pb2.ExportGameResponse]) -> Came:
        """Fold records, and return what they tell."""
        came = Came()
        for record in records:
            commit = read_record(self.game_id, record)
            check_follows(commit, self.version, self._hash, self._time_ms)
            self.state = self._fold.apply(self.state, commit)
            self.version, self._hash, self._time_ms = commit.version, commit.hash, commit.time_ms
            came.commits += 1
            for section in commit.sections:
                if section.kind == LEDGER:
                    self._fold_ledger(section.body, came)
                elif section.kind in came.events:
                    came.events[section.kind].extend(_event_names(section))
        return came

    def violations(self) -> list[str]:
        """Return every invariant that does not hold now."""
        wrong = []
        total = sum(self.posted.values())
        if total:
            wrong.append(f"all accounts add up to {total}, not 0")
        rules = self.state.rules
        if rules is None:
            return wrong
        accounts = [self.posted.get(f"seat-{seat}", 0) for seat in range(rules.seats)]
        wrong += check(rules, accounts) + check_waiting(rules)
        for word, account in POT_ACCOUNTS.items():
            held = self.posted.get(POTS[word], 0)
            if held != rules.extras.pots[-2 - account]:
                wrong.append(f"pot {word} holds {rules.extras.pots[-2 - account]}, in the ledger {held}")
        for seat in range(rules.seats):
            held = self.held.get(f"seat-{seat}", 0)
            if held != rules.held[seat]:
                wrong.append(f"seat {seat} has {rules.held[seat]} on hold, in the ledger {held}")
        waits, running = running_auctions(rules), list(self.state.auctions)
        if waits != running:
            wrong.append(f"the rules wait for the auctions {waits}, and {running} run")
        for number in running:
            ends = [key for key in self.state.deadlines if key.startswith(f"a{number}-")]
            if not ends:
                wrong.append(f"auction {number} runs and no deadline will end it")
        return wrong

    def _fold_ledger(self, body: bytes, came: Came) -> None:
        for record in bank_pb2.LedgerSection.FromString(body).records:
            kind = record.WhichOneof("record")
            if kind == "entry_posted":
                entry = record.entry_posted
                self._post(entry.debit, entry.credit, entry.amount, came)
            elif kind == "hold_placed":
                self._hold(record.hold_placed.account, record.hold_placed.amount)
            elif kind == "hold_revealed":
                self._hold(record.hold_revealed.account, record.hold_revealed.amount)
            elif kind == "hold_captured":
                captured = record.hold_captured
                self._hold(captured.account, -captured.captured - captured.released)
                self._post(captured.account, captured.to, captured.captured, came)
            elif kind == "hold_released":
                self._hold(record.hold_released.account, -record.hold_released.released)
            elif kind == "hold_expired":
                self._hold(record.hold_expired.account, -record.hold_expired.released)

    def _post(self, debit: str, credit: str, amount: int, came: Came) -> None:
        self.posted[debit] = self.posted.get(debit, 0) - amount
        self.posted[credit] = self.posted.get(credit, 0) + amount
        if amount:
            came.pays.append((self._name(debit), self._name(credit), amount))

    def _hold(self, account: str, amount: int) -> None:
        self.held[account] = self.held.get(account, 0) + amount

    def _name(self, account: str) -> str:
        if account.startswith("seat-"):
            return self._players[int(account.removeprefix("seat-"))]
        return POT_WORDS.get(account, account)
