"""What only some board files have: pots, jackpots, time rules, a loan, sides; and where figures come from."""

from functools import partial
from typing import Final

from magnate.rules.board import SQUARES_MAX
from magnate.rules.board_extras import (
    ANY_SYMBOL,
    BoardExtras,
    JackpotMachine,
    JackpotNumbers,
    MachineWin,
    TimeRule,
)
from magnate.rules.files.reading import Faults, Reader

MONEY_MAX: Final = 10**12
"""Far below 2**62 even when every amount of a game is added up."""

DIE_FACES: Final = 6
COLUMNS_MAX: Final = 8
WINS_MAX: Final = 50
MINUTES_MAX: Final = 10_000

EXTRAS: Final = {
    "auction", "black_business", "jackpot_machine", "jackpot_numbers", "loan", "location", "pots", "sides",
    "time_rules",
}  # fmt: skip
"""The keys of a board file that this module reads, all optional."""

CONFIDENCE: Final = {"stated": 0, "found": 1, "recalled": 2, "own design": 3}
"""How sure a figure is: stated in printed rules, found in public sources, recalled, or our own."""


def read_extras(top: dict[str, Reader]) -> BoardExtras:
    """All of it; the rent levels are for the squares to say."""
    extras = BoardExtras()
    faults = Faults()
    go = top["go"].fields({"salary"}, {"landing_bonus"})
    if "landing_bonus" in go:
        extras.go_landing_bonus = go["landing_bonus"].whole(1, MONEY_MAX)
    for key, attribute, amount in (
        ("location", "location_fee", "fee"),
        ("auction", "auction_step", "step"),
        ("loan", "loan_amount", "amount"),
    ):
        if key in top:
            setattr(extras, attribute, faults.read(partial(_read_amount, top[key], amount)) or 0)
    for key, reading in (
        ("pots", _read_pots),
        ("black_business", _read_black_business),
        ("sides", _read_sides),
        ("time_rules", _read_time_rules),
        ("jackpot_machine", _read_machine),
        ("jackpot_numbers", _read_numbers),
    ):
        if key in top:
            faults.read(partial(reading, top[key], extras))
    faults.done()
    return extras


def _read_amount(root: Reader, key: str) -> int:
    return root.fields({key})[key].whole(1, MONEY_MAX)


def _read_pots(root: Reader, extras: BoardExtras) -> None:
    fields = root.fields(set(), {"parking", "jackpot", "charity_fund"})
    for key, attribute in (
        ("parking", "pot_parking"),
        ("jackpot", "pot_jackpot"),
        ("charity_fund", "pot_charity"),
    ):
        if key in fields:
            setattr(extras, attribute, fields[key].whole(0, MONEY_MAX))


def _read_black_business(root: Reader, extras: BoardExtras) -> None:
    fields = root.fields({"moves_to", "fine"})
    extras.black_business_to = fields["moves_to"].whole(0, SQUARES_MAX - 1)
    extras.black_business_fine = fields["fine"].whole(1, MONEY_MAX)


def _read_sides(root: Reader, extras: BoardExtras) -> None:
    for side in root.items():
        extras.sides.append([node.whole(0, SQUARES_MAX - 1) for node in side.items()])


def _read_time_rules(root: Reader, extras: BoardExtras) -> None:
    """A rule of the file says what changes; what it is silent on stays as the rule before left it."""
    minute, bonus, tax = 0, 1, 0
    for node in root.items():
        fields = node.fields({"minute"}, {"start_bonus", "rent_tax_percent"})
        if len(fields) < 2:
            raise node.error("must say what changes: start_bonus, rent_tax_percent")
        minute = fields["minute"].whole(minute + 1, MINUTES_MAX)
        if "start_bonus" in fields:
            bonus = int(fields["start_bonus"].truth())
        if "rent_tax_percent" in fields:
            tax = fields["rent_tax_percent"].whole(0, 100)
        extras.time_rules.append(TimeRule(minute, bonus, tax))


def _read_numbers(root: Reader, extras: BoardExtras) -> None:
    fields = root.fields({"bet", "faces", "payouts"})
    bet = fields["bet"].whole(1, MONEY_MAX)
    faces = fields["faces"].whole(2, DIE_FACES)
    payouts = [node.whole(1, MONEY_MAX) for node in fields["payouts"].items()]
    if not 0 < len(payouts) < faces:
        raise fields["payouts"].error(f"must have from 1 to {faces - 1} entries, has {len(payouts)}")
    extras.jackpot_numbers = JackpotNumbers(bet, faces, payouts)


def _read_machine(root: Reader, extras: BoardExtras) -> None:
    fields = root.fields({"bet", "symbols", "reels", "wins"})
    symbols = [node.text() for node in fields["symbols"].items()]
    if len(set(symbols)) != len(symbols) or "any" in symbols:
        raise fields["symbols"].error("must all be different, and none of them any")
    index = {symbol: i for i, symbol in enumerate(symbols)}
    reels = [[face.word(index) for face in reel.items()] for reel in fields["reels"].items()]
    if not 0 < len(reels) <= COLUMNS_MAX or any(len(reel) != DIE_FACES for reel in reels):
        raise fields["reels"].error(f"must be lists of {DIE_FACES} symbols, a face of a die each")
    wins = [_read_win(node, {**index, "any": ANY_SYMBOL}, len(reels)) for node in fields["wins"].items()]
    if not 0 < len(wins) <= WINS_MAX:
        raise fields["wins"].error(f"must have from 1 to {WINS_MAX} entries")
    extras.jackpot_machine = JackpotMachine(fields["bet"].whole(1, MONEY_MAX), symbols, reels, wins)


def _read_win(root: Reader, symbols: dict[str, int], columns: int) -> MachineWin:
    fields = root.fields({"combination", "prize"})
    combination = [node.word(symbols) for node in fields["combination"].items()]
    if len(combination) != columns:
        raise fields["combination"].error(f"must have {columns} entries, one for each column")
    prize = fields["prize"]
    if not prize.is_mapping:
        return MachineWin(combination, amount=prize.whole(1, MONEY_MAX))
    desk = prize.fields({"desk", "at_least", "refill"})
    desk["desk"].word({"all": 1})
    least, refill = desk["at_least"].whole(0, MONEY_MAX), desk["refill"].whole(0, MONEY_MAX)
    return MachineWin(combination, whole_desk=1, at_least=least, refill=refill)


def check_confidence(root: Reader) -> None:
    """Every key of `confidence` must lead to something in the file, and every word be a known one."""
    faults = Faults()
    for path, node in root.entries()["confidence"].entries().items():
        faults.read(partial(node.word, CONFIDENCE))
        if not _reached(root, path.split(".")):
            faults.found.append(node.error("leads to nothing in this file"))
    faults.done()


def _reached(root: Reader, path: list[str]) -> bool:
    """Whether the steps lead from here to something; `*` is any key or entry, a number an entry."""
    if not path:
        return True
    if root.is_mapping:
        below = root.entries()
    elif root.is_list:
        below = {str(i): node for i, node in enumerate(root.items())}
    else:
        return False
    steps = list(below.values()) if path[0] == "*" else [below[path[0]]] if path[0] in below else []
    return any(_reached(node, path[1:]) for node in steps)


def check_notes(root: Reader, start_money: int) -> None:
    """The notes of the start ([value, count] each) must come to the start money."""
    total = 0
    for node in root.items():
        note = node.items()
        if len(note) != 2:
            raise node.error("must be a value and a count")
        total += note[0].whole(1, MONEY_MAX) * note[1].whole(1, 1000)
    if total != start_money:
        raise root.error(f"come to {total}, start_money is {start_money}")
