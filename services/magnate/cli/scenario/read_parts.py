"""Parts that stand in several places of a scenario: cards, terms of a deal, money, transfers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.scenario.names import POTS
from magnate.rules.vocabulary import Card, Terms

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Pay, Table
    from magnate.cli.scenario.node import Node

MONEY_MAX: Final = 10**15
BANK: Final = "bank"


def read_card(node: Node, table: Table) -> Card:
    """Return the card of an id."""
    ids = {
        card.id: (deck, place)
        for deck, pile in enumerate(table.board.decks)
        for place, card in enumerate(pile.cards)
    }
    return Card(*ids[node.one_of(ids)])


def read_amount(node: Node, low: int = 0) -> int:
    """Return an amount of money."""
    return node.whole(low, MONEY_MAX)


def read_terms(node: Node, table: Table, fields: dict[str, Node]) -> Terms:
    """Return what is given and taken; amounts may be out of bounds: the game refuses that."""
    give = _read_side(fields.get("give"), table)
    take = _read_side(fields.get("take"), table)
    if "give" not in fields and "take" not in fields:
        raise node.error("names neither `give` nor `take`")
    return Terms(give[0], give[1], give[2], take[0], take[1], take[2], 0)


def _read_side(node: Node | None, table: Table) -> tuple[int, list[int], list[Card]]:
    if node is None:
        return 0, [], []
    fields = node.fields((), ("cash", "lots", "cards", "immunity", "loan"))
    for word, what in (("immunity", "immunity from rent"), ("loan", "loans between players")):
        if word in fields:
            raise fields[word].unplayed(what)
    return (
        read_amount(fields["cash"], -MONEY_MAX) if "cash" in fields else 0,
        [table.square(one) for one in fields["lots"].items()] if "lots" in fields else [],
        [read_card(one, table) for one in fields["cards"].items()] if "cards" in fields else [],
    )


def read_pay(node: Node, table: Table) -> Pay:
    """Return a transfer."""
    fields = node.fields(("from", "to", "amount"))
    accounts = [BANK, *POTS, *table.players]
    return fields["from"].one_of(accounts), fields["to"].one_of(accounts), read_amount(fields["amount"], 1)


def read_party(node: Node, table: Table) -> int:
    """Return a seat, or -1 for the bank."""
    return -1 if node.one_of([BANK, *table.players]) == BANK else table.seat(node)
