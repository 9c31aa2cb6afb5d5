"""Records games up to a command that is refused: `python -m tests.golden.refusals NAME…`, or `all`.

Each file of `refusals/` has one JSON object a line: first what is refused, then the stored records before it.

    {"format": 1, "game_id": …, "keys": …, "time_ms": …, "seat": …, "command": base64, "rejection": NAME}
    {"sequence": 3, "data": base64}

The games are those of scenarios. Like golden games they are only ever added.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from magnate.cli.local import KEYS
from magnate.cli.scenario.commands import command_of
from magnate.cli.scenario.drive_local import LocalDriver
from magnate.cli.scenario.model import Do, Wait
from magnate.cli.scenario.run import Run
from tests.golden.states import FORMAT, hash_of

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Scenario, Step

REFUSALS: Final = Path(__file__).parent / "refusals"
MANIFEST: Final = REFUSALS / "MANIFEST"
KEY_TEXT: Final = f"{KEYS.current_id}:{bytes(32).hex()}"


class UpTo(Run):
    """A scenario that is played up to a step, which is left to do."""

    async def before(self, step: Step) -> dict[str, Any]:
        """Play all that comes before a step; return what a file says first, with the records."""
        driver = self.driver
        assert isinstance(driver, LocalDriver)
        await self._set_table()
        for one in self.scenario.steps[: step.number - 1]:
            await self._take(one)
        assert not self.failures, self.failures
        assert not isinstance(step.action, Do | Wait)
        command = command_of(step.action, step.seat, self._game, self._offers)
        services = driver.services
        head = {
            "format": FORMAT,
            "game_id": driver.game_id,
            "keys": KEY_TEXT,
            "time_ms": services.clock.now_ms(),
            "seat": step.seat,
            "command": base64.b64encode(command.SerializeToString()).decode(),
            "rejection": step.rejected,
        }
        stored = await services.log.load(driver.game_id)
        records = [{"sequence": one.sequence, "data": base64.b64encode(one.data).decode()} for one in stored]
        await driver.close()
        return {"head": head, "records": records}


def sources() -> dict[str, tuple[Scenario, Step]]:
    """For each rejection of a seat's command, the scenario with the fewest steps before it."""
    from tests.scenario.coverage import scenarios

    found: dict[str, tuple[Scenario, Step]] = {}
    for scenario in scenarios():
        for step in scenario.steps:
            if step.rejected is None or isinstance(step.action, Do | Wait):
                continue
            known = found.get(step.rejected)
            if known is None or step.number < known[1].number:
                found[step.rejected] = scenario, step
    return dict(sorted(found.items()))


def main(names: list[str]) -> int:
    """Record the refusals of these names; refuse to replace one."""
    known = sources()
    if names == ["all"]:
        names = [name for name in known if not (REFUSALS / f"{name}.jsonl").exists()]
    for name in names:
        path = REFUSALS / f"{name}.jsonl"
        if path.exists():
            sys.stderr.write(f"{path} exists: golden files are never changed\n")
            return 1
        scenario, step = known[name]
        made = asyncio.run(UpTo(scenario, LocalDriver()).before(step))
        lines = [json.dumps(one) for one in (made["head"], *made["records"])]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        with MANIFEST.open("a", encoding="utf-8") as file:
            file.write(f"{hash_of(path)}  {path.name}\n")
        sys.stdout.write(f"{path.name}: {scenario.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
