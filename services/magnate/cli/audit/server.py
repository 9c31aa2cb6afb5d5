"""What running services say of sound tables, compared with what the log says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import grpc

from magnate.cli.check import ask_bank, check_game
from magnate.client.session import RefusedError, Session, refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.cli.audit.table import Finding

SERVER: Final = "server"
"""The kind of a fault that is not the log's."""
REACH_SECONDS: Final = 1.0

_UNREACHABLE: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


async def compare(findings: Sequence[Finding], game: str, bank: str) -> None:
    """Ask the game service and the bank about every sound table, and tell where they differ from its log.

    Raises:
        RefusedError: a service does not answer.
    """
    async with Session(game or bank, retry_seconds=REACH_SECONDS) as session:
        for finding in findings:
            if not finding.ok:
                continue
            try:
                for fault in await _faults(session, finding, game, bank):
                    finding.add(0, SERVER, fault)
            except RefusedError as error:
                if error.code in _UNREACHABLE:
                    raise
                finding.add(0, SERVER, str(error))


async def _faults(session: Session, finding: Finding, game: str, bank: str) -> list[str]:
    try:
        if game and finding.kind == "game":
            return (await check_game(session, finding.table_id, bank)).faults
        if bank:
            return await ask_bank(bank, finding.table_id, finding.version, finding.balances)
    except grpc.aio.AioRpcError as error:  # of the bank; the session has its own
        raise refused(error) from error
    return []
