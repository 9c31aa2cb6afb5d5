"""The decks of a board file, card by card."""

from functools import partial

from magnate.rules.board_parts import Card, Deck
from magnate.rules.files.effect_file import Place, read_effect
from magnate.rules.files.reading import Faults, Reader
from magnate.rules.state import CARDS_PER_DECK_MAX


def read_decks(entries: dict[str, Reader], size: int) -> list[Deck]:
    """The decks in their order, of a board of `size` squares."""
    place = Place(size, {name: i for i, name in enumerate(entries)})
    faults = Faults()
    seen: set[str] = set()
    decks: list[Deck] = []
    for name, node in entries.items():
        cards = faults.read(partial(_read_cards, node, place, seen))
        decks.append(Deck(name, cards or []))
    faults.done()
    return decks


def _read_cards(root: Reader, place: Place, seen: set[str]) -> list[Card]:
    fields = root.fields({"size", "cards"})
    faults = Faults()
    cards: list[Card] = []
    nodes = fields["cards"].items()
    for node in nodes:
        card = faults.read(partial(_read_card, node, place, seen))
        if card is not None:
            cards.append(card)
    faults.done()
    if len(nodes) != fields["size"].whole(1, CARDS_PER_DECK_MAX):
        raise fields["cards"].error(f"has {len(nodes)} cards, size says otherwise")
    return cards


def _read_card(root: Reader, place: Place, seen: set[str]) -> Card:
    parts = root.fields({"id", "text", "effect"})
    card_id = parts["id"].text()
    if card_id in seen:
        raise parts["id"].error(f"{card_id} is the id of another card of this board")
    seen.add(card_id)
    return Card(card_id, parts["text"].text(), [read_effect(parts["effect"], place)])
