"""Tables of what units with card slots do: a line of YAML says what is pressed and what must come of it.

    left=0 1 5 0 K -> armed +150K @0 ; key
    K              -> booked 15.15M @0 ; booked ; bank>0 150 terminal_credit

Behind the arrow: the word of the display with sign, text, suffix, `>` where there is more than is shown, the
seat it is about and a refusal; then the sounds of the last action; then every payment of the line, none if
left out. `slots 0 -` and `balances 15150 15000` ask for cards and money instead. `wait=3000`, `pause`,
`resume`, `lock=1`, `retire=1` and `give=0:5` are done to the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from loadtests.fuzz_terminal import Desk
from magnate.bank.domain.accounts import BANK, seat_account
from magnate.bank.domain.instructions import Transfer
from magnate.bank.terminal.edition import EDITIONS, own_edition
from magnate.bank.terminal.step import LOCKED, RETIRED, Action, Hold, Insert, Press, Remove

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.bank.terminal.display import Frame

SLOTS = {"left": 0, "card": 0, "right": 1}
NAMED_KEYS = {"arrow": "ARROW", "plus": "PLUS", "minus": "MINUS", "three": "THREE"}


@dataclass
class Case:
    """One table of a file."""

    file: str
    name: str
    unit: str
    steps: list[str]
    edition: str = "e-banking"
    own: dict[str, Any] = field(default_factory=dict)
    seats: int = 3
    asleep: bool = False
    about: str = ""

    def desk(self) -> Desk:
        """Return the table as it is when the first line is done; its unit is on unless said otherwise."""
        edition = own_edition(**self.own, model=self.unit) if self.own else EDITIONS[self.edition]
        desk = Desk(self.unit, edition, self.seats)
        if not self.asleep:
            desk.do(Press("C"))
        return desk


def read_cases(*files: Path) -> list[Case]:
    """Read the tables of some files."""
    return [
        Case(file=file.stem, **case)
        for file in files
        for case in yaml.safe_load(file.read_text(encoding="utf-8"))
    ]


def play(case: Case) -> None:
    """Do what the lines say; AssertionError names the first that comes out differently."""
    desk = case.desk()
    for line in case.steps:
        doing, _, expected = line.partition("->")
        wanted = [" ".join(part.split()) for part in expected.split(";")]
        words = doing.split()
        if words[0] in {"slots", "balances"}:
            found = desk.unit.slots if words[0] == "slots" else desk.balances()
            texts = ["-" if one < 0 else str(one) for one in found]
            assert texts == words[1:], f"{case.name}: {line}"
            continue
        sounds: list[str] = []
        payments: list[str] = []
        for word in words:
            if change_table(desk, word):
                continue
            step = desk.do(action_of(word))
            sounds = step.sounds
            payments += [
                f"{short(one.debit)}>{short(one.credit)} {one.amount} {one.reason}" for one in step.payments
            ]
        came = [frame_text(desk.frame()), ", ".join(sounds)]
        if payments:
            came.append(", ".join(payments))
        assert came == wanted, f"{case.name}: {line}"


def short(account: str) -> str:
    """Return the number of a seat's account, and the name of any other."""
    return account.removeprefix("seat-")


def action_of(word: str) -> Action:
    """Return what a word of a line does to the unit."""
    name, _, value = word.partition("=")
    if name == "hold":
        return Hold(NAMED_KEYS.get(value, value))
    if name == "out":
        return Remove(SLOTS[value])
    if name == "in":
        slot, _, seat = value.partition(":")
        return Insert(int(slot), int(seat))
    if name == "pull":
        return Remove(int(value))
    if name in SLOTS:
        return Insert(SLOTS[name], int(value))
    return Press(NAMED_KEYS.get(word, word))


def change_table(desk: Desk, word: str) -> bool:
    """Change the table as a word says; False when the word is about the unit."""
    name, _, value = word.partition("=")
    if name == "wait":
        desk.now_ms += int(value)
    elif name in {"pause", "resume"}:
        desk.paused = name == "pause"
    elif name in {"lock", "retire"}:
        desk.cards[int(value)] = LOCKED if name == "lock" else RETIRED
    elif name == "give":
        seat, _, amount = value.partition(":")
        assert desk.post([Transfer(BANK, seat_account(int(seat)), int(amount), "test")]) is None
    else:
        return False
    return True


def frame_text(frame: Frame) -> str:
    """Return a display as the lines have it."""
    shown = f"{frame.sign}{frame.text}{frame.suffix}{'>' if frame.more else ''}"
    seat = f"@{frame.seat}" if frame.seat >= 0 else ""
    return " ".join(part for part in (frame.word, shown, seat, frame.refusal) if part)
