"""Short words for tests of the classic rules: a position, a script of dice and cards, and what was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.chance import ScriptedChance
from magnate.rules.decision import BANK
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.vocabulary import TRANSFER_REASON_NAMES
from tests.support.playing import Position, Table

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.vocabulary import Event

CHANCE, CHEST = 0, 1
A, B, C, D = 0, 1, 2, 3


def rules(**house: int | str) -> RuleSet:
    """Return the classic rules with some options changed (`a__b` is `a.b`)."""
    options = {name.replace("__", "."): value for name, value in house.items()}
    changed = with_house_rules(load_ruleset("classic"), options)
    assert isinstance(changed, RuleSet), changed
    return changed


def position(seats: int = 3, board: str = "classic-us", **house: int | str) -> Position:
    """Return a position of the classic game in the making."""
    return Position(load_board(board), rules(**house), seats)


def script(
    board: Board,
    *dice: tuple[int, int],
    chance: tuple[str, ...] = (),
    chest: tuple[str, ...] = (),
) -> ScriptedChance:
    """Return chance as written: dice, and cards by their ids."""
    decks = [[board.decks[CHANCE].index_of(card) for card in chance]]
    decks.append([board.decks[CHEST].index_of(card) for card in chest])
    assert all(card >= 0 for deck in decks for card in deck)
    return ScriptedChance(list(dice), decks, [])


def begin(
    made: Position, *dice: tuple[int, int], chance: tuple[str, ...] = (), chest: tuple[str, ...] = ()
) -> Table:
    """Begin a game at the position, with scripted chance."""
    return made.table(script(made.board, *dice, chance=chance, chest=chest))


def paid(table: Table) -> list[tuple[int, int, int]]:
    """Return the transfers of the last command as (payer, payee, amount)."""
    return [(pay.payer, pay.payee, pay.amount) for pay in table.decision.transfers]


def reasons(table: Table) -> list[str]:
    """Return the reasons of the last command's transfers."""
    return [TRANSFER_REASON_NAMES[pay.reason] for pay in table.decision.transfers]


def said(table: Table, *kinds: type[Event]) -> list[str]:
    """Return the names of the last command's events; only some kinds, if any are named."""
    events = table.decision.events
    return [type(event).__name__ for event in events if not kinds or isinstance(event, kinds)]


__all__ = [
    "BANK", "CHANCE", "CHEST", "A", "B", "C", "D", "begin", "paid", "position", "reasons", "rules", "said",
    "script",
]  # fmt: skip
