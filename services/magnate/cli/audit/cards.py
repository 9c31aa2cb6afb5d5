"""Cards against accounts: what the terminal says of cards, operations and ranking agrees with the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.domain.accounts import seat_account
from magnate.bank.tables.fold import TableFold
from magnate.bank.v1 import terminal_pb2
from magnate.kit.log.commit import LEDGER

if TYPE_CHECKING:
    from magnate.cli.money import Money
    from magnate.kit.log.commit import ParsedCommit, Section


class Cards:
    """Follows the terminal sections of one table."""

    def __init__(self, table_id: str) -> None:
        self._fold = TableFold()
        self._table = self._fold.initial(table_id)
        self._seats: dict[str, int] = {}
        self._retired: set[str] = set()
        self._moved: set[int] = set()
        self._undone: set[int] = set()
        self._in_game = False
        self._touch = False

    def check(self, commit: ParsedCommit, section: Section | None, money: Money) -> list[str]:
        """Return a sentence for each thing that does not agree; `money`: the ledger after the commit."""
        faults: list[str] = []
        if section is not None:
            for event in terminal_pb2.TerminalSection.FromString(section.body).events:
                faults += self._event(event, money)
        if not faults:
            self._table = self._fold.apply(self._table, commit)  # what stops the bank is a fault, too
        if commit.section(LEDGER) is not None:
            self._moved.add(commit.version)
        if self._in_game:
            return faults
        for card_id in self._retired:
            account = seat_account(self._seats[card_id])
            if money.balances.get(account):
                faults.append(f"card {card_id} is retired, and {account} has {money.balances[account]}")
        return faults

    def _event(self, event: terminal_pb2.TerminalEvent, money: Money) -> list[str]:
        kind = event.WhichOneof("event")
        if kind == "table_opened":
            self._in_game = event.table_opened.in_game
            self._touch = event.table_opened.model == terminal_pb2.UNIT_MODEL_TOUCH
        elif kind == "card_issued":
            return self._issued(event.card_issued, money)
        elif kind == "operation_undone":
            return self._taken_back(event.operation_undone.version)
        elif kind == "unit_changed":
            state = event.unit_changed.state
            seats = {seat for seat in (*state.slots, state.payer) if seat >= 0}
            unknown = sorted(seats - set(self._seats.values()))
            return [f"the unit holds a card of seat {seat}, which has none" for seat in unknown]
        elif kind == "table_closed":
            return self._ranked(event.table_closed, money)
        elif kind is not None and kind.startswith(("card_", "pin_")):
            card_id = str(getattr(event, kind).card_id)
            if card_id not in self._seats:
                return [f"{kind} names card {card_id}, which was never issued"]
            if kind == "card_retired":
                self._retired.add(card_id)
        return []

    def _issued(self, issued: terminal_pb2.CardIssued, money: Money) -> list[str]:
        if issued.card_id in self._seats or issued.seat in self._seats.values():
            return [f"card {issued.card_id} of seat {issued.seat} is issued a second time"]
        self._seats[issued.card_id] = issued.seat
        account = seat_account(issued.seat)
        return [] if account in money.balances else [f"card {issued.card_id} has no account {account}"]

    def _taken_back(self, version: int) -> list[str]:
        if version not in self._moved:
            return [f"version {version} is taken back, and moved no money"]
        if version in self._undone:
            return [f"version {version} is taken back a second time"]
        self._undone.add(version)
        return []

    def _ranked(self, closed: terminal_pb2.TableClosed, money: Money) -> list[str]:
        """With the touch unit deeds count, too: the rules' own examination looks at those."""
        if self._touch or self._in_game:
            return []
        return [
            f"seat {rank.seat} is ranked with {rank.total}, its account has "
            f"{money.balances.get(seat_account(rank.seat))}"
            for rank in closed.ranking
            if money.balances.get(seat_account(rank.seat)) != rank.total
        ]
