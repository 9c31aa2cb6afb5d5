"""`magnate ledger export`: a ledger as a file, whole or not at all."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Final

import grpc

from magnate.bank.v1 import ledger_pb2, ledger_pb2_grpc
from magnate.cli.output import FAILED, OK, UNREACHABLE, USAGE, fail, result
from magnate.client.session import bearer, refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EXPORT_SECONDS: Final = 600.0
FORMATS: Final = {
    "csv": ledger_pb2.LEDGER_FORMAT_CSV,
    "json": ledger_pb2.LEDGER_FORMAT_JSON,
    "journal": ledger_pb2.LEDGER_FORMAT_JOURNAL,
    "hledger": ledger_pb2.LEDGER_FORMAT_HLEDGER,
}


async def run_export(
    bank: str, table: str, form: str, out: Path | None, at: int, token: str, *, json_mode: bool
) -> int:
    """Write the ledger to standard output or to a file, which is replaced only when all is there."""
    if form not in FORMATS:
        fail(f"--format {form}: must be one of {', '.join(FORMATS)}", USAGE)
    if json_mode and out is None:
        fail("--json says what was written to a file: give --out", USAGE)
    request = ledger_pb2.ExportLedgerRequest(ledger_id=table, version=at, format=FORMATS[form])
    if out is None:
        await _export(bank, request, token, sys.stdout.buffer.write)
        sys.stdout.buffer.flush()
        return OK
    waiting = out.with_name(out.name + ".new")
    try:
        with waiting.open("wb") as file:
            version = await _export(bank, request, token, file.write)
            size = file.tell()
        waiting.replace(out)
    except OSError as error:
        fail(f"--out {out}: {error.strerror}", USAGE)
    finally:
        with contextlib.suppress(OSError):
            waiting.unlink()
    result({"ledger_id": table, "version": version, "file": str(out), "bytes": size}, json_mode=json_mode)
    return OK


async def _export(
    bank: str, request: ledger_pb2.ExportLedgerRequest, token: str, write: Callable[[bytes], object]
) -> int:
    """Write every piece as it comes; return the version."""
    version = 0
    try:
        async with grpc.aio.insecure_channel(bank) as channel:
            stub = ledger_pb2_grpc.LedgerServiceStub(channel)
            async for piece in stub.ExportLedger(request, timeout=EXPORT_SECONDS, metadata=bearer(token)):
                write(piece.data)
                version = piece.version
    except grpc.aio.AioRpcError as error:
        told = refused(error)
        if told.code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}:
            fail(f"no answer from {bank}: {told.message}", UNREACHABLE)
        fail(str(told), FAILED if told.code is grpc.StatusCode.DATA_LOSS else USAGE)
    return version
