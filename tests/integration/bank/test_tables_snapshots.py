"""Long tables are not read from their beginning: a new process takes a snapshot and what came after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.bank.table_snapshot import NoSnapshotError, TableSnapshots
from magnate.bank.tables.events import TableOpened
from magnate.bank.tables.state import TableState, evolve
from magnate.kit.limits import SNAPSHOT_EVERY_COMMITS
from magnate.kit.log.memory import MemoryLog
from tests.support.bank_tables import Table, serving
from tests.support.game_api import new_id, refused
from tests.support.ledgers import hold

if TYPE_CHECKING:
    from magnate.kit.log.port import Stored


class CountingLog(MemoryLog):
    """A log that notes from where it was read."""

    def __init__(self) -> None:
        super().__init__()
        self.read_after: list[int] = []

    async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> list[Stored]:
        """Return the commits after a sequence."""
        self.read_after.append(after_sequence)
        return await super().load(game_id, after_sequence, at_least)


async def busy(table: Table) -> list[str]:
    """Do one of everything at a table of three, and then press keys until it is long; return its tokens."""
    tokens = [await table.claim(0), await table.claim(1)]
    await table.do("SetPin", tokens[0], card_id=table.cards[0], new_pin="4711")
    await table.do("SetPin", tokens[1], card_id=table.cards[1], new_pin="4711")
    assert (await refused(table.claim(0, pin="0000"))).reason == "WRONG_PIN"
    for _ in range(5):
        assert (await refused(table.claim(1, pin="0000"))).reason == "WRONG_PIN"
    await table.do("RetireCard", card_id=table.cards[2])
    await table.insert(0, token=tokens[0])
    await table.press("GO", "C", "GO")
    await table.post(hold("deposit", "seat-0", 7, table.bank.clock.now_ms() + 1000))
    await table.press(*["C"] * SNAPSHOT_EVERY_COMMITS, "1", ".", "5", "M")
    return tokens


@pytest.mark.asyncio
async def test_a_new_process_goes_on_from_a_snapshot() -> None:
    """It says the same of everything, reads little, knows what is locked, armed and can be taken back."""
    log = CountingLog()
    async with serving(log) as bank:
        command_id = new_id() + new_id()
        table = await bank.open(["Ann", "Bob", "Cy"], command_id=command_id)
        tokens = await busy(table)
        before = await table.now()
        gone = next(one for one in await table.operations() if one.kind == "go")
    log.read_after.clear()
    async with serving(log, clock=bank.clock) as bank:
        again = Table(bank, table.opened)
        assert await again.now() == before
        assert log.read_after
        assert min(log.read_after) > 0
        assert [card.locked for card in before.cards] == [False, True, False]
        assert (before.unit.frame.state, before.cards[0].balance) == ("armed", 18_993)
        wrong = await refused(again.claim(0, pin="0000"))
        assert (wrong.reason, wrong.metadata["failures"]) == ("WRONG_PIN", "2")
        assert await again.claim(0, pin="4711") == tokens[0]
        assert (await again.insert(1, "right")).refusal == "CARD_LOCKED"
        assert (await again.press("M")).unit.frame.state == "booked"
        booked = (await again.operations())[0]
        await again.do("UndoOperation", version=booked.version)
        await again.do("UndoOperation", version=gone.version)
        opened = await bank.open(["Ann", "Bob", "Cy"], command_id=command_id)
        assert (opened.banker, opened.secrets) == (table.banker, table.secrets)
        bank.clock.advance(1000)
        assert (await again.now()).cards[0].balance == 17_000


def test_the_unit_of_a_game_has_none() -> None:
    """Its money is in the snapshots of the game; what is empty is read from the log."""
    state, snapshots = TableState(), TableSnapshots()
    opened = TableOpened("", "", 1, 1500, 200, 2, shared_unit=False, in_game=True)
    evolve(state.table, opened, 5)
    assert snapshots.encode(state) == b""
    with pytest.raises(NoSnapshotError):
        snapshots.decode(b"")
