"""A log that is no game: a ledger of the bank alone is not there for whoever asks the game service."""

from __future__ import annotations

import pytest

from magnate.bank.domain.instructions import OpenAccount, OpenLedger
from magnate.bank.posting import Posting
from magnate.bank.tables.fold import TableFold
from magnate.cli.local import KEYS, LocalServices
from magnate.kit.errors import NotFoundError
from magnate.kit.log.commit import Command
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done

pytestmark = pytest.mark.asyncio


def command(command_id: str) -> Command:
    """Return a command."""
    return Command(command_id, b"h" * 32, actor="anonymous", received_at_ms=0)


async def test_nobody_plays_at_a_ledger() -> None:
    """Joining, starting and pausing are answered as for an id of nothing, and write nothing."""
    services = LocalServices()
    bank = Posting(
        Transactor(services.log, KEYS, TableFold(), clock=services.clock),
        services.clock,
        tenant="main",
        epoch=1,
        shards=4,
    )
    ledger_id = bank.ledger_id("anonymous", "open")
    ledger = OpenLedger("$", 1, standalone=True)
    opened = await bank.open(ledger_id, command("open"), ledger, [OpenAccount("seat-0")])
    assert isinstance(opened, Done)
    game = services.game.service
    for asked in (
        game.transactor.view(ledger_id),
        game.join(ledger_id, command("join"), "Ann", b""),
        game.start(ledger_id, command("start")),
        services.game.attendance.pause(ledger_id, command("pause")),
        services.game.attendance.resume(ledger_id, command("resume")),
    ):
        with pytest.raises(NotFoundError) as caught:
            await asked
        assert caught.value.reason == "UNKNOWN_GAME"
    assert len(await services.log.load(ledger_id)) == 1
    await services.close()
