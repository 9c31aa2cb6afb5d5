"""What is done at a table on an evening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.bank_tables import Table


async def pay(table: Table, amount: str) -> Any:
    """Let Bob pay Ann some millions, from a unit that is awake and empty."""
    await table.insert(0, "left")
    await table.insert(1, "right")
    answer = await table.press(*amount, "M", "M")
    await table.remove("left")
    await table.remove("right")
    return answer
