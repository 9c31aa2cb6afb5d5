"""Starts the rules of a table: as the rule set says, or from a sandbox's position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import rejections as names
from magnate.rules.chance import Chance, ChanceExhausted
from magnate.rules.draft import Draft
from magnate.rules.position import begin_at
from magnate.rules.rejections import Rejection
from magnate.rules.state import State
from magnate.rules.steps.start import begin

if TYPE_CHECKING:
    from magnate.game.domain.table import Sandbox
    from magnate.game.state import GameState
    from magnate.rules.decision import Decision


def start_rules(state: GameState, chance: Chance, decision: Decision) -> Rejection | None:
    """Give the table its rules state and begin, in place. A refusal leaves nothing started."""
    table = state.table
    assert table.board is not None
    assert table.ruleset is not None
    rules = State(table.board, table.ruleset, len(table.names))
    draft = Draft(rules, chance, decision)
    try:
        if table.sandbox is None or table.sandbox.position is None:
            begin(draft)
        else:
            refused = _begin_at(draft, table.sandbox)
            if refused is not None:
                return refused
    except ChanceExhausted as error:
        return Rejection(names.SANDBOX_EXHAUSTED, str(error))
    state.rules = rules
    return None


def _begin_at(draft: Draft, sandbox: Sandbox) -> Rejection | None:
    position = sandbox.position
    assert position is not None
    refused = begin_at(draft, position, sandbox.cash)
    if refused is not None:
        return refused
    for offer in sandbox.offers:
        draft.emit(offer)
    return None
