"""Scenarios: small positions with scripted dice, what is done, what must come out; docs/scenarios.md."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from typing import TYPE_CHECKING, Final

from magnate.cli.output import FAILED, OK, UNREACHABLE, USAGE
from magnate.cli.scenario.drive_live import NOT_THERE, LiveDriver
from magnate.cli.scenario.drive_local import LocalDriver
from magnate.cli.scenario.node import ScenarioError
from magnate.cli.scenario.read import read_scenarios
from magnate.cli.scenario.run import run_scenario
from magnate.client.session import RefusedError, Session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from magnate.cli.scenario.driver import Driver
    from magnate.cli.scenario.model import Scenario

__all__ = ["run_local", "run_scenarios"]

LIVE_TOGETHER_MAX: Final = 8
"""Tables that one run plays at a time on a server."""


def run_local(scenario: Scenario) -> list[str]:
    """Run a scenario in this process; return what failed."""
    return asyncio.run(run_scenario(scenario, LocalDriver))


def run_scenarios(files: list[Path], live: str, *, rulesets: Sequence[str] = (), json_mode: bool) -> int:
    """Run the scenarios of the files, or those of some rule sets.

    Return 0 if all came out, 1 if one did not, 2 if a file is malformed or nothing is left, 3 if no server
    answers.
    """
    scenarios: list[Scenario] = []
    faults: list[ScenarioError] = []
    for file in files:
        try:
            scenarios.extend(read_scenarios(file))
        except ScenarioError as error:
            faults.append(error)
    for fault in faults:
        print(f"magnate: {fault}", file=sys.stderr)
        if json_mode:
            _print_json(fault.file, fault.scenario, "", [f"{fault.key}: {fault.reason}"])
    if faults:
        return USAGE
    if rulesets:
        scenarios = [one for one in scenarios if one.table.ruleset in rulesets]
        missing = set(rulesets) - {one.table.ruleset for one in scenarios}
        if missing:
            print(f"magnate: no scenario here plays {', '.join(sorted(missing))}", file=sys.stderr)
            return USAGE
    return asyncio.run(_run_where(scenarios, live, json_mode=json_mode))


async def _run_where(scenarios: list[Scenario], live: str, *, json_mode: bool) -> int:
    """Run all, on a server once it has answered; whether one is there is known within seconds."""
    if live:
        try:
            async with Session(live) as session:
                await session.reach()
        except RefusedError as error:
            print(f"magnate: {error.message}", file=sys.stderr)
            return UNREACHABLE
    return await _run_all(scenarios, live, json_mode=json_mode)


async def _run_all(scenarios: list[Scenario], live: str, *, json_mode: bool) -> int:
    """Run all; on a server several at a time, as there time passes for real. Told in the files' order."""
    connect: Callable[[], Driver] = (lambda: LiveDriver(live)) if live else LocalDriver
    free = asyncio.Semaphore(LIVE_TOGETHER_MAX if live else 1)

    async def one(scenario: Scenario) -> list[str]:
        async with free:
            return await _run_one(scenario, connect)

    tasks = [asyncio.create_task(one(scenario)) for scenario in scenarios]
    failed = 0
    try:
        for scenario, task in zip(scenarios, tasks, strict=True):
            failures = await task
            failed += bool(failures)
            if json_mode:
                _print_json(scenario.file, scenario.name, scenario.table.ruleset, failures)
            else:
                _print_lines(scenario, failures)
    except RefusedError as error:
        print(f"magnate: {live} does not answer: {error.message}", file=sys.stderr)
        return UNREACHABLE
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if not json_mode:
        print(f"{len(scenarios) - failed} of {len(scenarios)} scenarios came out as they must")
    return FAILED if failed else OK


async def _run_one(scenario: Scenario, connect: Callable[[], Driver]) -> list[str]:
    """Run one; whatever breaks is its failure, but for a server that is not there."""
    try:
        return await run_scenario(scenario, connect)
    except RefusedError as error:
        if error.code in NOT_THERE:
            raise
        return [f"a call was refused: {error}"]
    except Exception as error:  # noqa: BLE001 - a bug of the server is this scenario's failure
        traceback.print_exc()
        return [f"broke with {type(error).__name__}: {error}"]


def _print_json(file: str, name: str, ruleset: str, failures: list[str]) -> None:
    line = {"file": file, "scenario": name, "ruleset": ruleset, "ok": not failures, "failures": failures}
    print(json.dumps(line, ensure_ascii=False), flush=True)


def _print_lines(scenario: Scenario, failures: list[str]) -> None:
    print(f"{'FAILED' if failures else 'ok':<6}  {scenario.file}  {scenario.name}", flush=True)
    for failure in failures:
        print(f"        {failure}", flush=True)
