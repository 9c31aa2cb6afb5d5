"""`magnate up`: run everything until interrupted."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

from magnate.cli.output import OK, UNREACHABLE, USAGE, result, say
from magnate.cli.processes import StartError
from magnate.cli.rules.find import library_of
from magnate.cli.stack import Stack, StackOptions

if TYPE_CHECKING:
    from pathlib import Path


async def run_up(options: StackOptions, *, json_mode: bool) -> int:
    """Start, say where everything is, wait for SIGTERM or SIGINT, drain. Returns the exit code."""
    fault = _unusable(options.data, options.ready_file)
    if fault:
        say(f"magnate: {fault}", json_mode=True)
        return USAGE
    if options.rules is not None:
        library_of(options.rules)  # says what is wrong before anything is started
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    stack = Stack(options)
    try:
        starting = asyncio.create_task(stack.start())
        stopper = asyncio.create_task(stopping.wait())
        await asyncio.wait({starting, stopper}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            return OK
        starting.result()
        stopper.cancel()
        if json_mode:
            result(stack.ready(), json_mode=True)
        else:
            say(f"nats     {stack.nats_url}")
            for service in stack.names:
                say(f"{service:<8} {', '.join(stack.addresses(service))}")
            say(f"logs in {options.data / 'logs'}; stop with Ctrl-C")
        await stopping.wait()
    except StartError as error:
        say(f"magnate: {error}", json_mode=True)
        return UNREACHABLE
    finally:
        await stack.stop()
    return OK


def _unusable(data: Path, ready_file: Path | None) -> str:
    """Say what is wrong with the paths, before anything is started; empty if nothing is."""
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"--data {data}: {error.strerror}"
    if not os.access(data, os.W_OK | os.X_OK):
        return f"--data {data}: cannot be written to"
    if ready_file is not None and not os.access(ready_file.parent, os.W_OK | os.X_OK):
        return f"--ready-file {ready_file}: {ready_file.parent} is no folder that can be written to"
    if ready_file is not None and ready_file.is_dir():
        return f"--ready-file {ready_file}: is a folder"
    return ""
