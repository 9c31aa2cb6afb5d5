"""Any sequence of commands at a table against a naive account of it; over two processes that lose answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from magnate.bank.domain.accounts import BANK, seat_account
from magnate.bank.domain.state import check
from magnate.bank.table_snapshot import TableSnapshots
from magnate.bank.tables.events import TableOpened
from magnate.bank.tables.fold import TableFold
from magnate.bank.tables.history import HistoryFold
from magnate.bank.tables.service import Opening, TableService
from magnate.bank.tables.state import CLOSED
from magnate.bank.terminal.edition import Edition
from magnate.bank.terminal.step import Hold, Insert, Press, Remove
from magnate.bank.terminal.unit import Unit
from magnate.kit.clock import FakeClock
from magnate.kit.ids import request_hash
from magnate.kit.log.commit import Command
from magnate.kit.log.fold import Loader
from magnate.kit.log.memory import MemoryLog
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done, Refused
from tests.support.banking import KEYS, START_MS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.tables.service import Result
    from magnate.bank.tables.state import TableState
    from magnate.kit.log.memory import Fault

SNAPSHOTS = TableSnapshots()
KEYS_PRESSED = [*"0123456789.MKC", "ARROW", "PLUS", "MINUS", "THREE"]
SEATS = st.integers(min_value=0, max_value=3)
SLOTS = st.integers(min_value=0, max_value=1)
FAULTS: st.SearchStrategy[list[Fault]] = st.one_of(
    *[st.just([])] * 5,
    st.lists(st.sampled_from(["lost_ack", "lost", "unavailable", "in_flight"]), max_size=2),
)
DIGITS = st.sampled_from("12359")


def presses(text: str) -> list[tuple[Any, ...]]:
    """Return the presses of some keys."""
    return [("press", key) for key in text.split()]


def on_the_left(seat: int, keys: str) -> list[tuple[Any, ...]]:
    """Put a card in, press keys, pull it out."""
    return [("insert", 0, seat), *presses(keys), ("remove", 0)]


def across(payee: int, payer: int, digit: str) -> list[tuple[Any, ...]]:
    """Pay from card to card, on either unit."""
    two = [("insert", 0, payee), ("insert", 1, payer), *presses(f"{digit} 0 0 K K"), ("remove", 1)]
    return [*two, *presses(f"{digit} 0 0 K MINUS THREE"), ("remove", 0), *on_the_left(payer, "PLUS")]


SLIP = st.one_of(
    st.sampled_from(KEYS_PRESSED).map(lambda key: ("press", key)),
    st.tuples(st.just("insert"), SLOTS, SEATS),
    st.tuples(st.just("remove"), SLOTS),
)
PHRASES = st.one_of(
    st.builds(
        on_the_left, SEATS, st.sampled_from(["ARROW", "C ARROW C ARROW", "3 0 0 K K PLUS", "5 M M MINUS"])
    ),
    st.builds(across, SEATS, SEATS, DIGITS),
    SLIP.map(lambda action: [action]),
    st.sampled_from(
        [[("hold", "C")], [("undo",)], [("undo",), ("undo",)], [("add",)], [("pause",)], [("resume",)]]
    ),
    SEATS.map(lambda seat: [("retire", seat)]),
    st.just([("undo",)]),
)
STEPS = st.lists(PHRASES, min_size=3, max_size=15).flatmap(
    lambda phrases: st.tuples(
        *[st.tuples(st.just(action), st.booleans(), FAULTS) for phrase in phrases for action in phrase]
    )
)


class Evening:
    """One table served by two processes, and what a naive person writes down of it."""

    def __init__(self, model: int) -> None:
        self.log = MemoryLog()
        self.clock = FakeClock(START_MS)
        self.services = [self._service(), self._service()]
        self.table_id = self.services[0].table_id("anonymous", "opening")
        self.model = model
        self.made = 0
        self.balances: dict[str, int] = {}
        self.undoable: list[tuple[int, dict[str, int]]] = []

    def _service(self) -> TableService:
        transactor: Transactor[TableState] = Transactor(
            self.log, KEYS, TableFold(), codec=SNAPSHOTS, clock=self.clock, snapshot_every_commits=3
        )
        return TableService(transactor, KEYS, self.clock, tenant="main", epoch=1, shards=4)

    def command(self, what: str) -> Command:
        """Return a fresh command."""
        self.made += 1
        seen = self.services[0].transactor.peek(self.table_id)
        version = 0 if seen is None else seen.version
        digest = request_hash(what.encode())
        return Command(f"c{self.made}", digest, actor="banker", received_at_ms=START_MS, seen_version=version)

    async def open(self) -> None:
        """Open the table."""
        opened = TableOpened("", "", 1000, 1_500, 200, self.model, shared_unit=True)
        opening = Opening(opened, ["Ann", "Bob"])
        await self.services[0].open(self.table_id, self.command("open"), opening)
        self.balances = {BANK: -3_000, "seat-0": 1_500, "seat-1": 1_500}

    async def do(self, service: TableService, command: Command, action: tuple[Any, ...]) -> Result:
        """Send a command."""
        table_id, (what, *values) = self.table_id, action
        if what == "press":
            return await service.operate(table_id, command, Press(values[0]))
        if what == "hold":
            return await service.operate(table_id, command, Hold(values[0]))
        if what == "insert":
            return await service.operate(table_id, command, Insert(values[0], values[1]))
        if what == "remove":
            return await service.operate(table_id, command, Remove(values[0]))
        if what == "undo":
            version = self.undoable[-1][0] if self.undoable else 1
            return await service.undo(table_id, command, version, "")
        if what == "add":
            return await service.add_card(table_id, command, f"player {self.made}")
        if what == "retire":
            state = await self.state()
            cards = state.table.cards
            card_id = cards[values[0]].card_id if values[0] < len(cards) else "nobody's"
            return await service.retire_card(table_id, command, card_id)
        if what == "pause":
            return await service.pause(table_id, command)
        return await (service.resume if what == "resume" else service.close)(table_id, command)

    async def state(self) -> TableState:
        """Return the table as the log has it."""
        return (await Loader(self.log, KEYS, TableFold()).load(self.table_id)).state

    def note(self, what: str, version: int, moved: dict[str, int]) -> None:
        """Write down what a command moved."""
        for account, amount in moved.items():
            self.balances[account] = self.balances.get(account, 0) + amount
        if what == "undo":
            _, before = self.undoable.pop()
            assert {account: -amount for account, amount in before.items()} == moved
        elif moved and what not in {"add", "retire"}:
            self.undoable.append((version, moved))

    async def compare(self) -> None:
        """Check that the table is what was written down."""
        state = await self.state()
        check(state.ledger)
        posted = dict(zip(state.ledger.names, state.ledger.posted, strict=True))
        assert {name: amount for name, amount in posted.items() if amount} == {
            name: amount for name, amount in self.balances.items() if amount
        }
        for card in state.table.cards:
            assert state.balance(card.seat) >= 0
            assert not card.retired or posted[seat_account(card.seat)] == 0
        assert [one.version for one in state.standing] == [version for version, _ in self.undoable]
        again = SNAPSHOTS.decode(SNAPSHOTS.encode(state))
        assert everything(again) == everything(state)


def everything(state: TableState) -> list[object]:
    """Return all that a table consists of as plain values; a compiled class says its own."""

    def plain(value: object) -> object:
        if isinstance(value, Unit):
            return value.plain()
        if isinstance(value, Edition):
            money = [value.opening_amount, value.go_amount]
            return [value.edition_id, value.currency, value.scale, *money, value.model]
        names = getattr(type(value), "__slots__", None)
        if isinstance(value, list | tuple):
            return [plain(one) for one in value]
        return {name: plain(getattr(value, name)) for name in names} if names else value

    return [plain(state.table), state.ledger.canonical(), list(state.standing)]


async def play(model: int, steps: Sequence[Any]) -> None:
    """Carry out steps, each by one of two processes, some of them twice."""
    evening = Evening(model)
    await evening.open()
    history = Loader(evening.log, KEYS, HistoryFold())
    for action, second, faults in (*steps, (("close",), False, [])):
        service = evening.services[second]
        before = await evening.log.load(evening.table_id)
        command = evening.command(str(action))
        evening.log.faults.extend(faults)
        result = await evening.do(service, command, action)
        evening.log.faults.clear()
        stored = await evening.log.load(evening.table_id)
        if isinstance(result, Refused):
            assert len(stored) == len(before), "a refusal has changed nothing"
            continue
        assert len(stored) == len(before) + 1, "one command, one commit"
        operations = (await history.load(evening.table_id)).state.operations
        moved: dict[str, int] = {}
        if operations[-1].version == result.commit.version:
            for entry in operations[-1].entries:
                moved[entry.debit] = moved.get(entry.debit, 0) - entry.amount
                moved[entry.credit] = moved.get(entry.credit, 0) + entry.amount
        assert sum(moved.values()) == 0
        evening.note(action[0], result.commit.version, moved)
        evening.clock.advance(1)  # else the other process would make the very same bytes itself
        again = await evening.do(evening.services[not second], command, action)
        assert isinstance(again, Done)
        assert again.replayed
        assert again.commit.version == result.commit.version
        await evening.compare()
    assert (await evening.state()).table.status == CLOSED


@given(st.sampled_from([2, 3]), STEPS)
def test_any_evening_adds_up(model: int, steps: Sequence[Any]) -> None:
    """Zero sum, no overdraft, each command once, what is undone is exactly undone; over lost answers."""
    asyncio.run(play(model, steps))
