"""The arrows between packages: who may import whom."""

from __future__ import annotations

import pytest

from tests.support.sources import Module, is_covered_by, modules, where

SERVICES = ("game", "bank", "auction", "timer", "gateway")
NATS_MODULES = ("magnate.kit.log.jetstream", "magnate.kit.log.connection", "magnate.kit.alarm.jetstream")
OUTSIDE_THE_PURE = (
    "grpc",
    "google",
    "nats",
    "structlog",
    "prometheus_client",
    "typer",
    "rich",
    "uvloop",
    "yaml",
)


def is_generated_package(name: str) -> bool:
    """Say whether the name is a generated protobuf package, such as `magnate.bank.v1`."""
    parts = name.split(".")
    return len(parts) > 2 and parts[0] == "magnate" and parts[2] == "v1"


def allowed(module: Module) -> tuple[str, ...]:
    """Return the packages of ours that a module may import; generated ones are judged apart."""
    top = module.parts[0] if module.parts else ""
    if top == "rules":
        return ("magnate.rules",)
    if top in SERVICES and module.parts[1:2] == ("domain",):
        return (f"magnate.{top}.domain", "magnate.rules")
    if top in SERVICES:
        return (f"magnate.{top}", "magnate.rules", "magnate.kit", "magnate.peers", "magnate.compiled")
    if top == "peers":
        return ("magnate.peers", "magnate.rules", "magnate.kit")
    if top == "kit":
        return ("magnate.kit", "magnate.compiled")
    if top == "client":
        return ("magnate.client",)
    return ("magnate",)


def may_import(module: Module, name: str) -> bool:
    """Judge one import of ours."""
    if name == "magnate":
        return True
    if is_generated_package(name):
        if module.is_pure or module.parts[:1] == ("rules",):
            return False
        return module.parts[:1] != ("kit",) or is_covered_by(name, "magnate.log.v1")
    return any(is_covered_by(name, prefix) for prefix in allowed(module))


def test_packages_import_only_what_their_place_allows() -> None:
    """Rules know nothing of ours, domains only rules, kit no service, services not each other."""
    wrong = {
        f"{where(module.path, line)} imports {name}"
        for module in modules()
        for line, name in module.imports()
        if is_covered_by(name, "magnate") and not may_import(module, name)
    }
    assert not wrong, "\n".join(sorted(wrong))


def test_only_the_adapters_import_nats() -> None:
    """The log's server is known in one place, so that it can be replaced and faked there."""
    wrong = [
        where(module.path, line)
        for module in modules()
        for line, name in module.imports()
        if is_covered_by(name, "nats") and module.name not in NATS_MODULES
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("library", OUTSIDE_THE_PURE)
def test_the_pure_core_imports_no_library(library: str) -> None:
    """What decides and folds needs nothing but Python itself."""
    wrong = [
        where(module.path, line)
        for module in modules()
        for line, name in module.imports()
        if module.is_pure and is_covered_by(name, library)
    ]
    assert not wrong, "\n".join(wrong)


def test_use_cases_know_no_transport() -> None:
    """`service.py` is called by the servicer and by tests alike, so it has neither protobuf nor gRPC."""
    wrong = [
        f"{where(module.path, line)} imports {name}"
        for module in modules()
        for line, name in module.imports()
        if module.path.name == "service.py" and (is_covered_by(name, "grpc") or is_covered_by(name, "google"))
    ]
    assert not wrong, "\n".join(wrong)


def test_only_wiring_puts_a_service_together() -> None:
    """Settings are read, connections opened and parts joined in one module of each service."""
    wrong = [
        f"{where(module.path, line)} imports {name}"
        for module in modules()
        for line, name in module.imports()
        if module.parts[:1] and module.parts[0] in SERVICES
        if module.path.name not in ("wiring.py", "__main__.py")
        and any(
            is_covered_by(name, adapter)
            for adapter in (*NATS_MODULES, "magnate.kit.log.opening", "magnate.kit.log.memory")
        )
    ]
    assert not wrong, "\n".join(wrong)
