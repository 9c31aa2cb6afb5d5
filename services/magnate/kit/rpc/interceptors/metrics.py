"""The three metrics that public gRPC dashboards know, by service, method and code; never an id."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from prometheus_client import Counter, Gauge, Histogram

from magnate.kit.observe.metrics import SECONDS_BUCKETS
from magnate.kit.rpc.call import CURRENT

if TYPE_CHECKING:
    import grpc
    from prometheus_client import CollectorRegistry

    from magnate.kit.rpc.call import Method
    from magnate.kit.rpc.interceptors import Behaviour, Context

_LABELS: Final = ("grpc_type", "grpc_service", "grpc_method")


class Metrics:
    """Counts calls begun, calls ended by code, how long they took, and how many run."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._started = Counter("grpc_server_started_total", "Calls begun.", _LABELS, registry=registry)
        self._handled = Counter(
            "grpc_server_handled_total",
            "Calls ended, by status code.",
            (*_LABELS, "grpc_code"),
            registry=registry,
        )
        self._seconds = Histogram(
            "grpc_server_handling_seconds",
            "From the start of a call to its end; for a stream, its whole life.",
            _LABELS,
            buckets=SECONDS_BUCKETS,
            registry=registry,
        )
        self._running = Gauge(
            "grpc_server_in_progress", "Calls and streams in progress.", _LABELS, registry=registry
        )

    def wrap(self, method: Method, inner: Behaviour) -> Behaviour:
        """Count around `inner`; the labelled children are looked up once per method, not per call."""
        labels = (method.kind, method.service, method.name)
        started, seconds = self._started.labels(*labels), self._seconds.labels(*labels)
        running = self._running.labels(*labels)
        handled: dict[grpc.StatusCode, Counter] = {}

        async def counted(request: Any, context: Context) -> Any:
            started.inc()
            running.inc()
            begin = perf_counter()
            try:
                return await inner(request, context)
            finally:
                seconds.observe(perf_counter() - begin)
                running.dec()
                code = CURRENT.get().code
                counter = handled.get(code)
                if counter is None:
                    counter = handled[code] = self._handled.labels(*labels, _title(code))
                counter.inc()

        return counted


def _title(code: grpc.StatusCode) -> str:
    """Return a code as the Go libraries, and so the dashboards, spell it: OK, NotFound, DataLoss."""
    return code.name if code.name == "OK" else code.name.title().replace("_", "")
