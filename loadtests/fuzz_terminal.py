"""`python -m loadtests.fuzz_terminal`: random keys and cards on units whose payments a real ledger judges.

After every press: no exception, five digits at most, every refusal named and without a payment, no seat below
zero, everything together zero, the stored state the same unit, no key that pays again when it bounces, and a
way back to an idle unit. The first press that breaks a promise ends the run with its seed and its number.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Final

from loadtests.fuzz_touch import fuzz_touch
from loadtests.promises import BrokenPromiseError, check_frame, require
from magnate.bank.domain.accounts import BANK, seat_account
from magnate.bank.domain.instructions import Instruction, OpenAccount, Transfer
from magnate.bank.domain.ledger import INITIAL, decide
from magnate.bank.domain.rejections import Rejection
from magnate.bank.terminal import step as words
from magnate.bank.terminal.edition import EDITIONS, ONE_SLOT, TOUCH, TWO_SLOT, Edition
from magnate.bank.terminal.machine import frame, new_unit, operate, refused
from magnate.bank.terminal.step import Action, Hold, Insert, Press, Remove, Step, Table
from magnate.bank.terminal.unit import OPEN, Unit
from magnate.rules.rejections import REJECTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.bank.terminal.display import Frame

MODELS: Final = (TWO_SLOT, ONE_SLOT)
SEATS: Final = 4
PRESSES_A_TABLE: Final = 5_000
EDITION_IDS: Final = ("e-banking", "classic", "roubles")
DIGITS: Final = "0123456789"


class Desk:
    """A unit, its table and the ledger that judges what the unit proposes."""

    def __init__(self, model: str, edition: Edition, seats: int) -> None:
        self.edition = edition
        self.unit = new_unit(model)
        self.cards = [words.ACTIVE] * seats
        self.paused = False
        self.now_ms = 0
        self.version = 0
        self.ledger = INITIAL
        accounts = [BANK, *(seat_account(seat) for seat in range(seats))]
        self.post([OpenAccount(name) for name in accounts])
        self.post([Transfer(BANK, name, edition.opening_amount, "opening") for name in accounts[1:]])

    def post(self, asks: list[Instruction]) -> Rejection | None:
        """Ask the ledger for all of this or nothing."""
        decision = decide(self.ledger, asks, self.version + 1, self.now_ms)
        if isinstance(decision, Rejection):
            return decision
        self.version += 1
        self.ledger = decision.state
        return None

    def balances(self) -> list[int]:
        """Return what each seat has available."""
        ledger = self.ledger
        return [ledger.available(ledger.index[seat_account(seat)]) for seat in range(len(self.cards))]

    def table(self) -> Table:
        """Return the table as the unit sees it."""
        return Table(self.edition, self.balances(), self.cards.copy(), self.paused)

    def do(self, action: Action) -> Step:
        """Do something to the unit and let the ledger judge what it proposes."""
        step = operate(self.unit, action, self.table(), self.now_ms)
        if step.payments:
            bad = self.post([*step.payments])
            if bad is not None:
                step = refused(step.unit, bad.name, self.now_ms)
        self.unit = step.unit
        return step

    def frame(self) -> Frame:
        """Return what the unit shows now."""
        return frame(self.unit, self.table(), self.now_ms)


def random_action(chance: random.Random, desk: Desk) -> Action:
    """Draw an action: mostly what units know, now and then what none has."""
    pick = chance.random()
    if pick < 0.30:
        return Press(chance.choice(DIGITS))
    if pick < 0.55:
        return Press(chance.choice(["M", "M", "K", "K", "PLUS", "MINUS", "THREE", "ARROW"]))
    if pick < 0.62:
        return Press(chance.choice([".", ".", "C"]))
    if pick < 0.80:
        return Insert(chance.randrange(len(desk.unit.slots)), chance.randrange(len(desk.cards)))
    if pick < 0.95:
        return Remove(chance.randrange(len(desk.unit.slots)))
    if pick < 0.97:
        return Hold(chance.choice(["C", "C", "M", "5", "ARROW"]))
    return chance.choice(
        [Press(""), Press("m"), Press("12"), Insert(0, 99), Insert(-1, 0), Insert(0, -1), Remove(7), Action()]
    )


def random_deal(chance: random.Random, desk: Desk) -> list[Action]:
    """Draw what a banker would do in one go, for this or for the other unit, from C to the booking key."""
    first, second = chance.sample(range(len(desk.cards)), 2)
    amount: list[Action] = [Press(key) for key in chance.choice(["1", "250", "0.5", "99999", "1.5", "12345"])]
    key = chance.choice("MK")
    out: list[Action] = [Remove(slot) for slot, seat in enumerate(desk.unit.slots) if seat >= 0]
    begin: list[Action] = [Press("C"), *out]
    if len(desk.unit.slots) == 2:
        cards: list[Action] = chance.choice(
            [[Insert(0, first)], [Insert(1, first)], [Insert(1, first), Insert(0, second)]]
        )
        return [*begin, *cards, *amount, Press(key), Press(key)]
    book = chance.choice(["PLUS", "MINUS", "THREE", "THREE"])
    deal: list[Action] = [*begin, Insert(0, first), *amount, Press(key), Press(book)]
    return [*deal, Remove(0), Insert(0, second), Press("PLUS")] if book == "THREE" else deal


def change_table(chance: random.Random, desk: Desk) -> None:
    """Now and then the table itself changes, and the clock goes on, or back."""
    pick = chance.random()
    desk.now_ms = max(desk.now_ms + chance.choice([0, 1, 100, 2_000, 10_000, -60_000]), 0)
    if pick < 0.01:
        desk.paused = not desk.paused
    elif desk.paused and pick < 0.10:
        desk.paused = False
    elif pick < 0.02:
        seat = chance.randrange(len(desk.cards))
        desk.cards[seat] = chance.choice([words.ACTIVE, words.ACTIVE, words.LOCKED, words.RETIRED])


def check_step(desk: Desk, before: Unit, action: Action, step: Step) -> None:
    """Check what one press did."""
    shown = desk.frame()
    check_frame(shown)
    if step.refusal:
        require(step.refusal in REJECTIONS, f"{step.refusal} is no refusal")
        require(not step.payments, "a refusal pays")
        require(step.sounds == [words.ERROR] and shown.word == "error", "a refusal is not told")
    require(len(step.sounds) == 1, f"{step.sounds} are heard")
    require(sum(desk.ledger.posted) == 0, "the balances do not sum to zero")
    require(min(desk.balances()) >= 0, "a seat is below zero")
    unit = desk.unit
    require(unit.operation - before.operation in {0, 1}, "an operation lost its number")
    if step.payments and words.RESET not in step.sounds:
        require(len(step.payments) == 1, "a booking is one payment")
        again = operate(unit, action, desk.table(), desk.now_ms)
        require(not again.payments, "a key that bounces pays twice")


def check_way_back(desk: Desk) -> None:
    """Check that C and pulling the cards lead to an idle unit, in whatever order, and what is stored too."""
    table, now_ms = desk.table(), desk.now_ms
    table.paused = False
    out: list[Action] = [Remove(slot) for slot, seat in enumerate(desk.unit.slots) if seat >= 0]
    for way in ([Press("C"), *out], [*out, Press("C")]):
        unit = Unit.of(desk.unit.plain())
        for action in way:
            step = operate(unit, action, table, now_ms)
            require(not step.refusal and not step.payments, "the way back is barred")
            unit = step.unit
        require(unit.outcome != OPEN, "an operation is under way without end")
        require(frame(unit, table, now_ms).word == "idle", "the unit is not idle after C and without cards")


def check_alive(desk: Desk) -> None:
    """Check that from any state C and fresh cards lead to a booking."""
    table = Table(desk.edition, [10_000] * len(desk.cards), [words.ACTIVE] * len(desk.cards))
    way: list[Action] = [Press("C"), Press("C"), Insert(0, 0)]
    for slot, seat in enumerate(desk.unit.slots):
        if seat >= 0:
            way.insert(2, Remove(slot))
    way += [Press("1"), Press("M"), Press("M"), Press("PLUS")]
    unit, paid = desk.unit, 0
    for action in way:
        step = operate(unit, action, table, desk.now_ms)
        unit, paid = step.unit, paid + len(step.payments)
    require(paid == 1, "the unit is dead")


def fuzz(model: str, presses: int, seed: int, progress: Callable[[int], None]) -> Counter[str]:
    """Press keys at random; return how often what came of it. BrokenPromiseError names press and promise."""
    chance = random.Random(seed)
    counts: Counter[str] = Counter()
    desk = Desk(model, EDITIONS[EDITION_IDS[0]], SEATS)
    deal: list[Action] = []
    for number in range(presses):
        if number % PRESSES_A_TABLE == 0:
            edition = EDITIONS[EDITION_IDS[number // PRESSES_A_TABLE % len(EDITION_IDS)]]
            desk = Desk(model, edition, SEATS)
            progress(number)
        if not deal and chance.random() < 0.05:
            deal = random_deal(chance, desk)
        by_plan = deal and chance.random() < 0.95
        before, action = desk.unit, deal.pop(0) if by_plan else random_action(chance, desk)
        plain = before.plain()
        try:
            step = desk.do(action)
            check_step(desk, before, action, step)
            require(before.plain() == plain, "a press changed the unit that it was given")
            check_way_back(desk)
            if number % 100 == 0:
                check_alive(desk)
        except Exception as error:
            where = f"{model}, seed {seed}, press {number}: {error}"
            raise BrokenPromiseError(where) from error
        counts[step.refusal or step.sounds[0]] += 1
        change_table(chance, desk)
    progress(presses)
    return counts


def main(arguments: list[str]) -> int:
    """Fuzz the chosen models; 1 when a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m loadtests.fuzz_terminal", description=__doc__)
    parser.add_argument("--presses", type=int, default=1_000_000, help="random presses a model")
    parser.add_argument("--model", choices=[*MODELS, TOUCH, "all"], default="all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.presses < 1:
        parser.error(f"--presses: {options.presses} is less than 1")
    for model in (*MODELS, TOUCH) if options.model == "all" else (options.model,):
        started, tenth = time.process_time(), max(options.presses // 10, 1)

        def progress(done: int, model: str = model, started: float = started, tenth: int = tenth) -> None:
            if done and (done % tenth < PRESSES_A_TABLE or done == options.presses):
                seconds = time.process_time() - started
                print(f"{model}: {done:,} of {options.presses:,} presses, {seconds:.0f} s", file=sys.stderr)

        try:
            if model == TOUCH:
                counts = fuzz_touch(options.presses, options.seed, progress)
            else:
                counts = fuzz(model, options.presses, options.seed, progress)
        except BrokenPromiseError as error:
            print(f"fuzz_terminal: {error}", file=sys.stderr)
            return 1
        told = ", ".join(f"{name} {count:,}" for name, count in counts.most_common())
        seconds = time.process_time() - started
        print(f"{model}: {options.presses:,} presses in {seconds:.0f} s of CPU, every promise kept: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
