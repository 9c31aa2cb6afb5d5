"""When a table counts as abandoned: nobody has sent a command for as many days as its rule set says.

The deadline is not moved by every command, which would make every commit longer: when it is due and the table
was used meanwhile, it is replaced by a later one. Its id says in which version it was set, so it is new.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.ports import OWNER, DeadlineChange

if TYPE_CHECKING:
    from magnate.game.state import GameState
    from magnate.kit.log.fold import Loaded
    from magnate.rules.ruleset import RuleSet

ABANDON: Final = "abandon"
DAY_MS: Final = 24 * 60 * 60 * 1000


def deadline(ruleset: RuleSet, version: int, since_ms: int) -> DeadlineChange:
    """Return the deadline to set in this version for a table that was used last at `since_ms`."""
    due_ms = since_ms + ruleset.table_abandon_days * DAY_MS
    return DeadlineChange("set", f"{ABANDON}-{version}", owner=OWNER, kind=ABANDON, due_ms=due_ms)


def extension(loaded: Loaded[GameState], deadline_id: str, now_ms: int) -> DeadlineChange | None:
    """Return the deadline that takes the place of one that is due; None: the table is abandoned."""
    ruleset = loaded.state.table.ruleset
    set_in = int(deadline_id.removeprefix(f"{ABANDON}-"))
    if ruleset is None or loaded.version == set_in:
        return None
    later = deadline(ruleset, loaded.version + 1, loaded.time_ms)
    return later if later.due_ms > now_ms else None
