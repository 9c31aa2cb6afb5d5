"""Parts that stand in several places of a scenario: cards, terms of a deal, money, transfers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.scenario.names import POT_ACCOUNTS, POTS
from magnate.rules.vocabulary import Card, Immunity, Terms

if TYPE_CHECKING:
    from magnate.cli.scenario.mirror import Pay
    from magnate.cli.scenario.model import Table
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
    if "give" not in fields and "take" not in fields:
        raise node.error("names neither `give` nor `take`")
    give = _Side(fields.get("give"), table)
    take = _Side(fields.get("take"), table)
    return Terms(
        give.cash, give.lots, give.cards, take.cash, take.lots, take.cards, 0,
        give.immunity, take.immunity, give.loan, take.loan,
    )  # fmt: skip


class _Side:
    """What one side of a deal gives."""

    def __init__(self, node: Node | None, table: Table) -> None:
        fields = {} if node is None else node.fields((), ("cash", "lots", "cards", "immunity", "loan"))
        self.cash = read_amount(fields["cash"], -MONEY_MAX) if "cash" in fields else 0
        self.loan = read_amount(fields["loan"], -MONEY_MAX) if "loan" in fields else 0
        self.lots = [table.square(one) for one in fields["lots"].items()] if "lots" in fields else []
        self.cards = [read_card(one, table) for one in fields["cards"].items()] if "cards" in fields else []
        self.immunity: list[Immunity] = []
        for name, visits in fields["immunity"].entries().items() if "immunity" in fields else ():
            if not name.isdecimal() or int(name) >= table.board.size:
                raise visits.error("is no square of this board")
            self.immunity.append(Immunity(int(name), visits.whole(-1000, 10**6)))


def read_pay(node: Node, table: Table) -> Pay:
    """Return a transfer."""
    fields = node.fields(("from", "to", "amount"))
    accounts = [BANK, *POTS, *table.players]
    return fields["from"].one_of(accounts), fields["to"].one_of(accounts), read_amount(fields["amount"], 1)


def read_party(node: Node, table: Table) -> int:
    """Return a seat, -1 for the bank, or the account of a pot."""
    word = node.one_of([BANK, *POTS, *table.players])
    if word in POT_ACCOUNTS:
        return POT_ACCOUNTS[word]
    return -1 if word == BANK else table.seat(node)
