"""Reads scenario files: the whole format, strictly, resolved against the rule set and the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.scenario.model import Scenario, Script, Table
from magnate.cli.scenario.names import RESERVED
from magnate.cli.scenario.node import Node, ScenarioError, documents, read_documents
from magnate.cli.scenario.read_expect import read_expect
from magnate.cli.scenario.read_given import read_given
from magnate.cli.scenario.read_parts import read_amount
from magnate.cli.scenario.read_steps import read_steps
from magnate.rules.fit import refuse_misfit
from magnate.rules.loader import board_ids, find_board, find_ruleset, ruleset_ids
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import Card

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.rules.options import Written

REQUIRED: Final = ("scenario", "players", "do")
OPTIONAL: Final = (
    "rows", "ruleset", "rulesets", "options", "board", "given", "deal", "dice", "cards", "chance", "expect",
)  # fmt: skip
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
    for scenario in (one for node in nodes for one in read_document(node)):
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


def read_document(node: Node) -> list[Scenario]:
    """Return the scenario of one document; with `rulesets`, one for each of them."""
    if node.is_mapping and "scenario" in node.entries():
        node.scenario = node.entries()["scenario"].word()
    top = node.fields(REQUIRED, OPTIONAL)
    if "rulesets" not in top:
        if "options" in top:
            raise top["options"].error("stands beside `rulesets`; one rule set has its own in `ruleset`")
        ruleset, options = _read_ruleset(top)
        return [read_one(node, ruleset, options)]
    if "ruleset" in top:
        raise top["ruleset"].error("stands beside `rulesets`, which says all of them")
    name, found = node.scenario, list[str]()
    scenarios = []
    for one in top["rulesets"].items():
        ruleset = one.one_of(ruleset_ids())
        if ruleset in found:
            raise one.error(f"{ruleset!r} stands twice")
        found.append(ruleset)
        node.scenario = f"{name} [{ruleset}]"
        options = _read_options(top["options"]) if "options" in top else {}
        scenarios.append(read_one(node, ruleset, options))
    if len(found) < 2:
        raise top["rulesets"].error("names fewer than two; that is `ruleset`")
    return scenarios


def read_one(node: Node, ruleset: str, options: dict[str, Written]) -> Scenario:
    """Return what a document says of one rule set."""
    top = node.fields(REQUIRED, OPTIONAL)
    table = _read_table(node, top, ruleset, options)
    starts = _starts(top["do"])
    if starts and "given" in top:
        raise top["given"].error("stands beside `- do: start`, which begins the game by itself")
    given = None
    if not starts:
        given = read_given(top.get("given"), node, table)
    steps = read_steps(top["do"], table, STEPS_MAX)
    expects = read_expect(top.get("expect"), table)
    if not (expects.any or any(step.expects for step in steps)):
        raise node.error("expects nothing: neither a step nor `expect` says what must come out")
    return Scenario(
        node.file,
        node.line,
        node.scenario,
        [row.whole(1, ROWS_MAX) for row in top["rows"].items()] if "rows" in top else [],
        table,
        given,
        _read_script(top, table),
        steps,
        expects.found,
        expects.legal,
        expects.views,
        expects.times,
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


def _read_ruleset(top: dict[str, Node]) -> tuple[str, dict[str, Written]]:
    """Return the one rule set of a document, and what is played differently."""
    if "ruleset" not in top:
        return "classic", {}
    if not top["ruleset"].is_mapping:
        return top["ruleset"].one_of(ruleset_ids()), {}
    fields = top["ruleset"].fields(("base",), ("options",))
    options = _read_options(fields["options"]) if "options" in fields else {}
    return fields["base"].one_of(ruleset_ids()), options


def _read_options(node: Node) -> dict[str, Written]:
    return {name: one.scalar() for name, one in node.entries().items()}


def _read_table(node: Node, top: dict[str, Node], ruleset: str, options: dict[str, Written]) -> Table:
    at = top.get("options", top.get("ruleset", top.get("rulesets", node)))
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
    refused = refuse_misfit(board, rules, len(players))
    if refused is not None:
        raise at.error(f"{refused.name}: {refused.detail}")
    return Table(ruleset, options, rules, board, players)


def _read_script(top: dict[str, Node], table: Table) -> Script:
    """What chance will bring."""
    drawn = top["chance"].fields((), ("amount", "square", "seat")) if "chance" in top else {}
    return Script(
        _read_dice(top.get("dice")),
        _read_cards(top.get("cards"), table),
        [table.square(one) for one in top["deal"].items()] if "deal" in top else [],
        [read_amount(one) for one in drawn["amount"].items()] if "amount" in drawn else [],
        [table.square(one) for one in drawn["square"].items()] if "square" in drawn else [],
        [table.seat(one) for one in drawn["seat"].items()] if "seat" in drawn else [],
    )


def _read_dice(node: Node | None) -> list[tuple[int, int]]:
    """Two dice are thrown nearly always; `[d]` is a throw of one, with 0 as its second."""
    throws: list[tuple[int, int]] = []
    for one in node.items() if node is not None else []:
        dice = [die.whole(1, 6) for die in one.items()]
        if len(dice) == 1:
            dice.append(0)
        if len(dice) != 2:
            raise one.error(f"has {len(dice)} dice, two are thrown, or one")
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
