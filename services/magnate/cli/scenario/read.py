"""Reads scenario files: the whole format, strictly, resolved against the rule set and the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.scenario.model import Scenario, Table
from magnate.cli.scenario.names import RESERVED
from magnate.cli.scenario.node import Node, ScenarioError, documents, read_documents
from magnate.cli.scenario.read_expect import read_expect
from magnate.cli.scenario.read_given import read_given
from magnate.cli.scenario.read_steps import read_steps
from magnate.rules.loader import board_ids, find_board, find_ruleset, ruleset_ids
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import Card

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.rules.options import Written

REQUIRED: Final = ("scenario", "players", "do")
OPTIONAL: Final = ("rows", "ruleset", "board", "given", "deal", "dice", "cards", "chance", "expect")
ROWS_MAX: Final = 89
STEPS_MAX: Final = 1000


def read_scenarios(path: Path) -> list[Scenario]:
    """Return the scenarios of a file; ScenarioError for the first thing that is wrong."""
    return _read(read_documents(path))


def read_text(file: str, text: str) -> list[Scenario]:
    """Return the scenarios of a text."""
    return _read(documents(file, text))


def _read(nodes: list[Node]) -> list[Scenario]:
    found: dict[str, Scenario] = {}
    for node in nodes:
        scenario = read_scenario(node)
        if scenario.name in found:
            raise ScenarioError(
                scenario.file,
                scenario.line,
                scenario.name,
                "scenario",
                "is the name of another one in this file",
            )
        found[scenario.name] = scenario
    return list(found.values())


def read_scenario(node: Node) -> Scenario:
    """Return the scenario of one document."""
    if node.is_mapping and "scenario" in node.entries():
        node.scenario = node.entries()["scenario"].word()
    top = node.fields(REQUIRED, OPTIONAL)
    table = _read_table(node, top)
    starts = _starts(top["do"])
    if starts and "given" in top:
        raise top["given"].error("stands beside `- do: start`, which begins the game by itself")
    if "chance" in top and top["chance"].entries():
        raise top["chance"].unplayed("random amounts or squares")
    if "deal" in top and top["deal"].items():
        raise top["deal"].unplayed("deeds that are dealt")
    given = None
    if not starts:
        given = read_given(top.get("given"), node, table)
    steps = read_steps(top["do"], table, STEPS_MAX)
    expect, legal = read_expect(top["expect"], table) if "expect" in top else ([], [])
    if not expect and not legal and not any(step.expects for step in steps):
        raise node.error("expects nothing: neither a step nor `expect` says what must come out")
    return Scenario(
        node.file,
        node.line,
        node.scenario,
        [row.whole(1, ROWS_MAX) for row in top["rows"].items()] if "rows" in top else [],
        table,
        given,
        _read_dice(top.get("dice")),
        _read_cards(top.get("cards"), table),
        steps,
        expect,
        legal,
    )


def _starts(steps: Node) -> bool:
    """Whether the first step begins the game."""
    for place, step in enumerate(steps.items()):
        begin = step.entries().get("do")
        if begin is not None and not begin.is_mapping and begin.word() == "start":
            if place:
                raise begin.error("must be the first step")
            return True
    return False


def _read_table(node: Node, top: dict[str, Node]) -> Table:
    ruleset, options = "classic", dict[str, "Written"]()
    at = top.get("ruleset", node)
    if "ruleset" in top:
        if at.is_mapping:
            fields = at.fields(("base",), ("options",))
            ruleset = fields["base"].one_of(ruleset_ids())
            if "options" in fields:
                options = {name: one.scalar() for name, one in fields["options"].entries().items()}
        else:
            ruleset = at.one_of(ruleset_ids())
    rules = find_ruleset(ruleset, options)
    if isinstance(rules, Rejection):
        raise at.error(f"{rules.name}: {rules.detail}")
    board = find_board(top["board"].one_of(board_ids()) if "board" in top else rules.board)
    if isinstance(board, Rejection):
        raise at.error(f"{board.name}: {board.detail}")
    players = [one.word() for one in top["players"].items()]
    most = min(rules.players_max, board.players_max)
    if not 2 <= len(players) <= most:
        raise top["players"].error(f"names {len(players)} seats, 2 to {most} can play")
    for place, name in enumerate(players):
        if name in RESERVED:
            raise top["players"].items()[place].error(f"{name!r} means something else in scenarios")
        if name in players[:place]:
            raise top["players"].items()[place].error(f"{name!r} stands twice")
    return Table(ruleset, options, rules, board, players)


def _read_dice(node: Node | None) -> list[tuple[int, int]]:
    throws: list[tuple[int, int]] = []
    for one in node.items() if node is not None else []:
        dice = [die.whole(1, 6) for die in one.items()]
        if len(dice) == 1:
            raise one.unplayed("throws of a single die")
        if len(dice) != 2:
            raise one.error(f"has {len(dice)} dice, two are thrown")
        throws.append((dice[0], dice[1]))
    return throws


def _read_cards(node: Node | None, table: Table) -> list[Card]:
    found: list[Card] = []
    for name, cards in (node.entries() if node is not None else {}).items():
        if name not in table.board.deck_names:
            raise cards.error(f"there is no such deck; known: {', '.join(table.board.deck_names)}")
        deck = table.board.deck_names.index(name)
        ids = [card.id for card in table.board.decks[deck].cards]
        found.extend(Card(deck, ids.index(card.one_of(ids))) for card in cards.items())
    return found
