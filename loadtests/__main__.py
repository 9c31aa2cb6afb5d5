"""`python -m loadtests`: play many games at once, measure, verify, report."""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import uvloop

from loadtests.measure import Measured
from loadtests.options import QUICK, Options, read_options
from loadtests.play import play_bots, play_quick
from loadtests.report import make_report, text, write_report
from magnate.cli.output import FAILED, OK, UNREACHABLE
from magnate.cli.processes import StartError
from magnate.cli.stack import Stack, StackOptions
from magnate.client.quick import UnexpectedRefusalError
from magnate.client.session import RefusedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def server(options: Options) -> AsyncIterator[tuple[str, str]]:
    """Yield the addresses of game and bank: those given, or of services that run as long as this lasts."""
    if options.address:
        yield options.address, options.bank
        return
    with tempfile.TemporaryDirectory(prefix="magnate-load-") as folder:
        stack = Stack(StackOptions(data=Path(folder), workers=options.workers, free_ports=True))
        try:
            await stack.start()
            yield stack.addresses("game")[0], stack.addresses("bank")[0]
        finally:
            await stack.stop()


async def run(options: Options) -> int:
    """Run the load test; 1 if a game does not verify."""
    measured = Measured()
    play = play_quick if options.bots == QUICK else play_bots
    try:
        async with server(options) as (address, bank):
            played = await play(options, address, bank, measured)
    except (StartError, RefusedError, ConnectionError) as error:
        print(f"loadtests: {error}", file=sys.stderr)
        return UNREACHABLE
    except UnexpectedRefusalError as error:
        print(f"loadtests: {error}", file=sys.stderr)
        return FAILED
    report = make_report(options, measured, played)
    write_report(report, options.report)
    print(json.dumps(report) if options.json else text(report))
    return FAILED if played.faults else OK


def main() -> int:
    """Run from the command line."""
    return uvloop.run(run(read_options(sys.argv[1:])))


if __name__ == "__main__":
    raise SystemExit(main())
