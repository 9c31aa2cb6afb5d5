"""What running services say of tables, compared with what the log says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.check import ask_bank, check_game
from magnate.client.session import RefusedError, Session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.cli.audit.table import Finding

SERVER: Final = "server"
"""The kind of a fault that is not the log's."""


async def compare(findings: Sequence[Finding], game: str, bank: str) -> None:
    """Ask the game service and the bank about every table, and tell where they differ from its log.

    Raises:
        grpc.aio.AioRpcError: the bank does not answer.
    """
    for finding in findings:
        if game and finding.kind == "game":
            async with Session(game) as session:
                try:
                    checked = await check_game(session, finding.table_id, bank)
                except RefusedError as error:
                    finding.add(0, SERVER, str(error))
                    continue
            for fault in checked.faults:
                finding.add(0, SERVER, fault)
        elif bank:
            for fault in await ask_bank(bank, finding.table_id, finding.version, finding.balances):
                finding.add(0, SERVER, fault)
