"""Settings: one frozen object per service, read once from the environment, all faults reported together.

A field `nats_url` is read from `MAGNATE_GAME_NATS_URL` (for the service `game` alone) or else
`MAGNATE_NATS_URL`; overrides, which come from a command line, beat both. A service adds its own fields in a
subclass:

    @dataclass(frozen=True, kw_only=True)
    class AuctionSettings(Settings):
        service: str = "auction"
        lots_max: int = setting(16, whole(1, 64), "Lots in one sale.")
"""

from __future__ import annotations

import os
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

from magnate.kit.ids import check_tenant
from magnate.kit.keys import KeyRing
from magnate.kit.operators import Operators

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PREFIX: Final = "MAGNATE_"
LOG_LEVELS: Final = ("debug", "info", "warning", "error")

T = TypeVar("T")
S = TypeVar("S", bound="Settings")


class SettingsError(ValueError):
    """Every fault that was found; each names the variable and the reason."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("settings: " + "; ".join(faults))


def setting(default: T, parse: Callable[[str], T], doc: str, *, secret: bool = False) -> T:
    """Declare a setting: its default, how its text is read (or refused, by ValueError), what it is for."""
    metadata = {"parse": parse, "doc": doc, "secret": secret}
    # dataclasses.field() says that it returns the field's type; this does the same.
    declared: T = field(default=default, metadata=metadata, repr=not secret)
    return declared


def text(value: str) -> str:
    """Read a text that is not empty."""
    if not value.strip():
        raise ValueError("must not be empty")
    return value.strip()


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `low` to `high`."""

    def parse(value: str) -> int:
        try:
            number = int(value)
        except ValueError:
            raise ValueError(f"must be a whole number, not {value!r}") from None
        if not low <= number <= high:
            raise ValueError(f"must be from {low} to {high}, not {number}")
        return number

    return parse


def seconds(low: float, high: float) -> Callable[[str], float]:
    """Return a reader of durations in seconds from `low` to `high`."""

    def parse(value: str) -> float:
        try:
            number = float(value)
        except ValueError:
            raise ValueError(f"must be a number of seconds, not {value!r}") from None
        if not low <= number <= high:
            raise ValueError(f"must be from {low:g} to {high:g} seconds, not {value}")
        return number

    return parse


def switch(value: str) -> bool:
    """Read on or off."""
    lowered = value.strip().lower()
    if lowered in {"1", "true", "yes", "on"}:
        return True
    if lowered in {"0", "false", "no", "off"}:
        return False
    raise ValueError(f"must be on or off, not {value!r}")


def choice(*allowed: str) -> Callable[[str], str]:
    """Return a reader of one of a few words."""

    def parse(value: str) -> str:
        if value.strip().lower() not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}, not {value!r}")
        return value.strip().lower()

    return parse


def addresses(value: str) -> tuple[str, ...]:
    """Read `host:port,host:port`."""
    found = tuple(part.strip() for part in value.split(",") if part.strip())
    for one in found:
        host, colon, port = one.rpartition(":")
        if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
            raise ValueError(f"must be host:port, not {one!r}")
    return found


def keys(value: str) -> KeyRing:
    """Read a key ring (see `KeyRing.parse`)."""
    return KeyRing.parse(value)


def operators(value: str) -> Operators:
    """Read the operators (see `Operators.parse`); an empty text is nobody."""
    return Operators.parse(value) if value.strip() else Operators()


_NO_KEYS: KeyRing | None = None
_NO_OPERATORS = Operators()
_PORT = whole(0, 65535)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What every service needs to know. Loopback unless told otherwise."""

    service: str = "service"

    nats_url: str = setting("nats://127.0.0.1:4222", text, "The NATS servers, separated by commas.")
    tenant: str = setting("main", check_tenant, "Whose games these are; a part of every subject.")
    epoch: int = setting(1, whole(1, 999_999), "Epoch that new games are created in.")
    shards: int = setting(4, whole(1, 1024), "Streams that new games are spread over.")
    replicas: int = setting(1, whole(1, 5), "Copies of every stream; 1 for one server, 3 for a cluster.")

    host: str = setting("127.0.0.1", text, "Address to listen on.")
    port: int = setting(0, _PORT, "Port of the gRPC server; 0 takes any free one.")
    metrics_host: str = setting("127.0.0.1", text, "Address of /metrics and /healthz.")
    metrics_port: int = setting(0, _PORT, "Port of /metrics and /healthz; 0 takes any free one.")

    keys: KeyRing | None = setting(_NO_KEYS, keys, "Key ring id:hex,id:hex; the first signs.", secret=True)  # noqa: RUF009

    operators: Operators = setting(  # noqa: RUF009
        _NO_OPERATORS, operators, "Who may pause and resume any game: name:digest,name:digest.", secret=True
    )

    game_addresses: tuple[str, ...] = setting((), addresses, "The game service's processes, host:port.")
    bank_addresses: tuple[str, ...] = setting((), addresses, "The bank service's processes.")
    auction_addresses: tuple[str, ...] = setting((), addresses, "The auction service's processes.")
    timer_addresses: tuple[str, ...] = setting((), addresses, "The timer service's processes.")

    workers: int = setting(1, whole(1, 64), "Processes of this service that share its games.")
    worker: int = setting(0, whole(0, 63), "Which of them this one is, from 0.")
    sandbox: bool = setting(False, switch, "Allow tables with scripted dice and positions.")

    clock_skew_seconds: float = setting(
        3.0, seconds(0.05, 3600), "How far the clock may be off those of the log's servers."
    )

    log_level: str = setting("info", choice(*LOG_LEVELS), "What is logged.")
    log_format: str = setting("auto", choice("auto", "json", "console"), "auto: JSON unless at a terminal.")
    reflection: bool = setting(True, switch, "Serve the descriptions of the services.")
    require_deadlines: bool = setting(False, switch, "Refuse changing calls without a deadline.")
    default_deadline_seconds: float = setting(20.0, seconds(0.1, 600), "For calls without a deadline.")
    message_bytes_max: int = setting(1 << 20, whole(1 << 10, 64 << 20), "Largest message accepted.")
    rpcs_max: int = setting(10_000, whole(1, 1_000_000), "Calls and streams in progress at once.")
    connection_age_seconds: float = setting(0.0, seconds(0, 86_400), "Renew connections this old; 0: never.")
    drain_seconds: float = setting(10.0, seconds(0, 600), "Time that calls get to finish on shutdown.")
    drain_delay_seconds: float = setting(0.0, seconds(0, 60), "From NOT_SERVING to refusing new calls.")

    def faults(self) -> list[str]:
        """Return what is wrong between fields; a subclass adds its own to these."""
        found = []
        if self.keys is None:
            found.append(f"{PREFIX}KEYS: must be set (`magnate keys` makes one)")
        if self.worker >= self.workers:
            found.append(f"{PREFIX}WORKER: must be below {PREFIX}WORKERS ({self.workers}), not {self.worker}")
        return found

    @property
    def key_ring(self) -> KeyRing:
        """Return the key ring, which `load` has checked to be there."""
        if self.keys is None:
            raise SettingsError([f"{PREFIX}KEYS: must be set"])
        return self.keys

    def peers(self, service: str) -> tuple[str, ...]:
        """Return the addresses of another service, for example `bank`."""
        found: tuple[str, ...] = getattr(self, f"{service}_addresses")
        return found


def load(
    kind: type[S], environ: Mapping[str, str] | None = None, overrides: Mapping[str, object] | None = None
) -> S:
    """Read the settings of a service.

    Args:
        kind: the service's settings class.
        environ: the environment; the process's own by default.
        overrides: values by field name that beat the environment; text is read as a variable would be, None
            counts as not given.

    Raises:
        SettingsError: with every fault found, each naming its variable.
    """
    environ = os.environ if environ is None else environ
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    faults: list[str] = []
    values: dict[str, Any] = {}
    declared = {one.name: one for one in fields(kind)}
    faults += [f"{key}: there is no such setting" for key in given if key not in declared]
    service = declared["service"].default
    for one in declared.values():
        if "parse" not in one.metadata:
            continue
        variable, value = _find(one, str(service), environ, given)
        if value is MISSING:
            continue
        try:
            values[one.name] = one.metadata["parse"](value) if isinstance(value, str) else value
        except ValueError as error:
            faults.append(f"{variable}: {error}")
    loaded = kind(**values)
    # A variable that could not be read is not also missing.
    known = {fault.split(":")[0].split(" ")[0] for fault in faults}
    faults += [fault for fault in loaded.faults() if fault.split(":")[0] not in known]
    if faults:
        raise SettingsError(faults)
    return loaded


def _find(
    one: Field[Any], service: str, environ: Mapping[str, str], given: Mapping[str, object]
) -> tuple[str, object]:
    """Return where a value was found, by the name to complain about, and the value; MISSING if nowhere."""
    general = f"{PREFIX}{one.name.upper()}"
    if one.name in given:
        return f"{general} (given as {one.name})", given[one.name]
    for variable in (f"{PREFIX}{service.upper()}_{one.name.upper()}", general):
        if variable in environ:
            return variable, environ[variable]
    return general, MISSING


def describe(kind: type[Settings]) -> list[tuple[str, str, str]]:
    """Return (variable, default, what it is for) of every setting, for help texts and documents."""
    rows = []
    for one in fields(kind):
        if "parse" in one.metadata:
            default = one.default or ""  # no keys, no addresses
            shown = str(one.default) if isinstance(one.default, int | float) else str(default)
            rows.append((f"{PREFIX}{one.name.upper()}", shown, str(one.metadata["doc"])))
    return rows
