"""Tables of what the touch unit does: a line of YAML says what is tapped and what must come of it.

    24 a -> offer -260 @a /24 ; card ; place_token 24 by a ; tick cross m

Before the arrow: a number is the deed of a square, with `?` X is held; `a` to `d` are cards, `ev08` an event
card; `tick`, `cross`, `m` are keys, `wipe` is X held. Behind: the display (word, sign and amount, `@` seat,
`/` square, `L` level, `o=` owner or who is paid, a refusal), the sounds of the last action, the command that
the game was asked for by it (`-` or left out: none), and, if given, what the unit expects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml

from loadtests.touch_game import TouchDesk
from magnate.bank.terminal.step import (
    ACTIVE,
    LOCKED,
    RETIRED,
    Action,
    Hold,
    Insert,
    Press,
    Remove,
    TapCard,
    TapDeed,
    TapEvent,
)
from magnate.rules import purse
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_owner

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.bank.terminal.display import Frame
    from magnate.bank.terminal.step import Move

SEATS = "abcd"
KEYS = {"tick": "TICK", "cross": "CROSS", "m": "M", "5key": "5", "PLUS": "PLUS"}
STANDING = {"lock": LOCKED, "retire": RETIRED, "free": ACTIVE}


@dataclass
class Case:
    """One table of a file."""

    file: str
    name: str
    steps: list[str]
    own: dict[int, str] = field(default_factory=dict)
    levels: dict[int, int] = field(default_factory=dict)
    cash: list[int] = field(default_factory=list)
    asleep: bool = False

    def desk(self) -> TouchDesk:
        """Return the unit and its game as they are when the first line is done."""
        desk = TouchDesk(3)
        state, referee = desk.hosted.state, desk.hosted.referee
        for square, owner in self.own.items():
            set_owner(state, square, SEATS.index(owner))
        for square, level in self.levels.items():
            state.extras.rent_level[square] = level
        for seat, cash in enumerate(self.cash):
            paid = state.cash[seat] - cash
            if paid:
                purse.moved(state, seat, BANK, paid)
                referee.moved(seat, BANK, paid)
        if not self.asleep:
            desk.do(Press("CROSS"))
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
        words = doing.split()
        if words[0] == "balances":
            assert [str(one) for one in desk.balances()] == words[1:], f"{case.name}: {line}"
            continue
        if words[0] == "closed":
            assert desk.closed, f"{case.name}: {line}"
            continue
        wanted = [" ".join(part.split()) for part in expected.split(";")]
        sounds: list[str] = []
        move: Move | None = None
        for word in words:
            if change_table(desk, word):
                continue
            step = desk.do(action_of(word))
            sounds, move = step.sounds, desk.move
        frame = desk.frame()
        came = [frame_text(frame), ", ".join(sounds), move_text(move), " ".join(frame.expects)]
        wanted += ["", "-"][len(wanted) - 1 :]
        assert came[: len(wanted)] == wanted, f"{case.name}: {line}"


def action_of(word: str) -> Action:
    """Return what a word of a line does to the unit."""
    name, _, value = word.partition("=")
    if name == "slot":
        return Insert(int(value), 0)
    if name == "out":
        return Remove(int(value))
    if word == "wipe":
        return Hold("CROSS")
    if word in KEYS:
        return Press(KEYS[word])
    if word.startswith("ev"):
        return TapEvent(word)
    if word[0].isdecimal():
        return TapDeed(int(word.rstrip("?")), word.endswith("?"))
    return TapCard(SEATS.find(word))


def change_table(desk: TouchDesk, word: str) -> bool:
    """Change the table as a word says; False when the word is about the unit."""
    name, _, value = word.partition("=")
    if name == "wait":
        desk.wait(int(value))
    elif name in {"pause", "resume"}:
        desk.paused = name == "pause"
    elif name in STANDING:
        desk.cards[int(value)] = STANDING[name]
    else:
        return False
    return True


def move_text(move: Move | None) -> str:
    """Return a command as the lines have it."""
    if move is None:
        return "-"
    hidden = {"deck", "by_card"}
    numbers = [number for name, number in move.numbers.items() if name not in hidden] + move.lots
    return " ".join([move.kind, *map(str, numbers), f"by {SEATS[move.seat]}"])


def frame_text(frame: Frame) -> str:
    """Return a display as the lines have it."""
    parts = [
        frame.word,
        f"{frame.sign}{frame.text}{frame.suffix}",
        f"@{SEATS[frame.seat]}" if frame.seat >= 0 else "",
        f"/{frame.square}" if frame.square >= 0 else "",
        f"L{frame.level}" if frame.level else "",
        f"o={SEATS[frame.owner]}" if frame.owner >= 0 else "",
        frame.refusal,
    ]
    return " ".join(part for part in parts if part)
