"""Puts virtual time and seeded chance in the place of the machine's, for as long as a seed runs.

The services are used as they are: `time.monotonic` is the loop's time, the wall clock is that of the process
whose code asks, `random` and `secrets` are drawn from the seed.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import secrets
import sys
import time
import warnings
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import structlog
from argon2.exceptions import VerificationError

from magnate.bank import service as bank
from magnate.bank.tables import pins
from magnate.kit import clock
from magnate.kit.log import skew, window
from tests.sim.process import PROCESS, Wall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.sim.loop import SimLoop

TRUE: Final = Wall()
SMALL_WINDOW: Final = 12
SMALL_SNAPSHOTS: Final = 4
Patch: TypeAlias = "tuple[Any, str, Any]"
_SMALL: Final[tuple[Patch, ...]] = (
    (window, "WINDOW_COMMANDS", SMALL_WINDOW),
    (bank, "SNAPSHOT_EVERY_COMMITS", SMALL_SNAPSHOTS),
)


class Hasher:
    """Hashes PINs in no time, and without salt: the real one takes 10 ms, and chance of its own."""

    def hash(self, digest: bytes) -> str:
        """Return what is stored."""
        return f"sim-{digest.hex()}"

    def verify(self, stored: str, digest: bytes) -> bool:
        """Raise VerificationError if this is not what was hashed."""
        if stored != self.hash(digest):
            raise VerificationError
        return True


@contextlib.contextmanager
def virtual(
    loop: SimLoop,
    chance: random.Random,
    said: Callable[[str, dict[str, Any]], None],
    *,
    small: bool = False,
) -> Iterator[None]:
    """Run the body in virtual time; `said` gets every error line a service logs; `small`: small caches."""
    patches = [*_times(loop), *_numbers(chance), *(_SMALL if small else ())]
    before = [(module, name, getattr(module, name)) for module, name, _ in patches]
    state, logging = random.getstate(), structlog.get_config()
    random.seed(chance.getrandbits(64))
    structlog.configure(wrapper_class=listener(said), processors=[], cache_logger_on_first_use=False)
    for module, name, value in patches:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
        random.setstate(state)
        structlog.configure(**logging)


def _times(loop: SimLoop) -> list[Patch]:
    def time_ns() -> int:
        process = PROCESS.get(None)
        return (TRUE if process is None else process.wall).now_ns(loop.time())

    def steady_ns() -> int:
        return int(loop.time() * 1e9)

    class ProcessClock:
        """The clock of the process whose code asks, where the services have the one of theirs."""

        def now_ms(self) -> int:
            process = PROCESS.get(None)
            if process is None or process.clock is None:
                return time_ns() // 1_000_000
            return process.clock.now_ms()

    require = skew.ClockGuard.require

    def require_of_process(guard: skew.ClockGuard) -> None:
        process = PROCESS.get(None)
        require(guard if process is None else process.guard)

    async def in_no_thread(work: Callable[..., Any], *args: Any) -> Any:
        await asyncio.sleep(0.01)
        return work(*args)

    return [
        (clock, "PROCESS", ProcessClock()),
        (asyncio, "to_thread", in_no_thread),
        (pins, "_HASHER", Hasher()),
        (skew.ClockGuard, "require", require_of_process),
        (time, "monotonic", loop.time),
        (time, "monotonic_ns", steady_ns),
        (time, "time_ns", time_ns),
        (time, "time", lambda: time_ns() / 1e9),
    ]


def _numbers(chance: random.Random) -> list[Patch]:
    return [
        (secrets, "token_bytes", lambda size=32: chance.randbytes(size)),
        (secrets, "token_hex", lambda size=32: chance.randbytes(size).hex()),
    ]


def listener(said: Callable[[str, dict[str, Any]], None]) -> type[Any]:
    """Return a logger that passes on errors and drops everything else."""

    class Listener:
        def __init__(self, *_args: Any, **_kwargs: Any) -> None:
            pass

        def error(self, event: str, **fields: Any) -> None:
            said(event, fields)

        def exception(self, event: str, **fields: Any) -> None:
            said(event, {**fields, "exc_info": sys.exc_info()[1]})

        def quiet(self, *_args: Any, **_kwargs: Any) -> None:
            pass

        debug = info = warning = quiet

    return Listener


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Let finalizers run, and nobody hear of them: what is left of a seed is of no interest any more.

    Within the body nothing is collected: what that finalizes would run at a moment that no seed decides.
    """
    gc.disable()
    gc.freeze()  # what was there before is not looked at again
    hook, logging = sys.unraisablehook, structlog.get_config()
    sys.unraisablehook = lambda _unraisable: None
    structlog.configure(wrapper_class=listener(lambda _event, _fields: None), cache_logger_on_first_use=False)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
            gc.collect()
    finally:
        gc.unfreeze()
        gc.enable()
        sys.unraisablehook = hook
        structlog.configure(**logging)
