"""A folder of own files as somebody might write it: a small board and a rule set that is played on it."""

# ruff: noqa: E501 - one square a line as in the files

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BOARD = """\
id: village
title: "A village"
ruleset: village-rules
currency: {unit: "$", scale: 1, display: "$", rounding: 1}
board_size: 8
players: {min: 2, max: 4}
start_money: 500
go: {salary: 20}
jail: {fine: 5}
supply: {houses: 8, hotels: null}
groups:
  brown: {size: 2, house_cost: 10}
  railroad: {size: 1}
squares:
  - {index: 0, type: go, name: "GO"}
  - {index: 1, type: street, name: "Low Lane", group: brown, price: 20, rents: [1, 2, 3, 4, 5, 6], house_cost: 10, mortgage: 10}
  - {index: 2, type: tax, name: "Tax", amount: 5}
  - {index: 3, type: street, name: "High Road", group: brown, price: 20, rents: [1, 2, 3, 4, 5, 6], house_cost: 10, mortgage: 10}
  - {index: 4, type: jail, name: "Jail"}
  - {index: 5, type: railroad, name: "Line", group: railroad, price: 40, rents: [5], mortgage: 20}
  - {index: 6, type: card, name: "Luck", deck: luck}
  - {index: 7, type: go_to_jail, name: "Go to jail"}
decks:
  luck:
    size: 4
    cards:
      - {id: l1, text: "Gift", effect: {type: gain, amount: 5}}
      - {id: l2, text: "To the lane", effect: {type: move_to, square: 1, salary: true}}
      - {id: l3, text: "To the line", effect: {type: move_nearest, kind: railroad, rent_multiplier: 2, salary: true}}
      - {id: l4, text: "A fine", effect: {type: pay, amount: 5}}
"""

RULES = """\
id: village-rules
version: 1
title: "Village rules"
base: classic
board: village
options:
  jail.attempts_max: 2
"""


def own_folder(parent: Path) -> Path:
    """Write both, and return the folder."""
    folder = parent / "own-rules"
    for name, text in (("boards/village.yaml", BOARD), ("rulesets/village-rules.yaml", RULES)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
