"""`magnate up`: run everything until interrupted."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from magnate.cli.output import OK, UNREACHABLE, USAGE, result, say
from magnate.cli.processes import StartError
from magnate.cli.rules.find import library_of
from magnate.cli.stack import GATEWAY, Stack, StackOptions

if TYPE_CHECKING:
    from pathlib import Path

_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


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
            if stack.names[-1] == GATEWAY:
                say(f"phones   {for_phones(stack.addresses(GATEWAY)[0])}")
            say(f"logs in {options.data / 'logs'}; stop with Ctrl-C")
        await stopping.wait()
    except StartError as error:
        say(f"magnate: {error}", json_mode=True)
        return UNREACHABLE
    finally:
        await stack.stop()
    return OK


def for_phones(url: str) -> str:
    """Say by what address other devices open the page, or what it takes that they can."""
    host = os.environ.get("MAGNATE_GATEWAY_HOST") or os.environ.get("MAGNATE_HOST") or _LOOPBACK[0]
    if host in _LOOPBACK:
        return "only on this machine; for others start with MAGNATE_GATEWAY_HOST=0.0.0.0"
    if host in _EVERYWHERE:
        host = _home_address() or "<address of this machine>"
    return f"http://{host}:{urlsplit(url).port}"


def _home_address() -> str:
    """Return the address that this machine has in its network; empty if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which way a packet would go
        except OSError:
            return ""
        name: tuple[str, int] = probe.getsockname()
        return name[0]


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
