"""Random taps and keys on a touch unit; `python -m loadtests.fuzz_terminal --model touch` runs it.

The real rules judge every move, and a referee checks after each that nothing is made of nothing. Besides: no
exception, five digits at most, every refusal named and without an effect on the game, the stored state the
same unit, and from every state some taps that the rules accept, or an auction that ends.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Final

from loadtests.promises import BrokenPromiseError, check_frame, require
from loadtests.touch_game import COMMANDS, TouchDesk
from magnate.bank.terminal import step as words
from magnate.bank.terminal.machine import operate, settle
from magnate.bank.terminal.step import (
    CROSS,
    MILLION,
    TICK,
    Action,
    Hold,
    Insert,
    Press,
    Step,
    TapCard,
    TapDeed,
    TapEvent,
)
from magnate.bank.terminal.unit import Unit
from magnate.rules.decide import decide
from magnate.rules.rejections import REJECTIONS, Rejection
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_OVER

if TYPE_CHECKING:
    from collections.abc import Callable

SQUARES: Final = 36
EVENTS: Final = [f"ev{number:02}" for number in range(1, 24)]
AFTER_THE_END: Final = 20
"""Actions at a unit that shows the ranking, before it is wiped."""
ALIVE_EVERY: Final = 50
SEATS: Final = (2, 3, 4)


def random_action(chance: random.Random, desk: TouchDesk) -> Action:
    """Draw an action: mostly what the unit expects, now and then what none has."""
    seats = len(desk.cards)
    pick = chance.random()
    if pick < 0.30:
        return TapCard(chance.randrange(seats))
    if pick < 0.60:
        at = desk.hosted.state.at[chance.randrange(seats)]
        square = (
            (at + chance.randint(2, 12)) % SQUARES if chance.random() < 0.7 else chance.randrange(SQUARES)
        )
        return TapDeed(square, chance.random() < 0.15)
    if pick < 0.68:
        return TapEvent(chance.choice(EVENTS))
    if pick < 0.85:
        return Press(TICK)
    if pick < 0.91:
        return Press(CROSS)
    if pick < 0.97:
        return Press(MILLION)
    odd: list[Action] = [Press(""), Press("5"), Hold(TICK), Hold(MILLION), TapCard(-1), TapCard(99)]
    odd += [
        TapDeed(-1, False),
        TapDeed(SQUARES, True),
        TapEvent(""),
        TapEvent("ev99"),
        Insert(0, 0),
        Action(),
    ]
    return chance.choice(odd)


def random_turn(chance: random.Random, desk: TouchDesk) -> list[Action]:
    """Draw what a family does in one go: a token that was moved, perhaps past GO, and what comes of it."""
    seat = chance.randrange(len(desk.cards))
    card = TapCard(seat)
    target = desk.hosted.state.at[seat] + chance.randint(2, 12)
    turn: list[Action] = [TapDeed(target % SQUARES, False), card]
    if target >= SQUARES:
        turn += [Press(MILLION), card]
    answer: list[Action] = [Press(TICK), Press(TICK), Press(CROSS), TapEvent(chance.choice(EVENTS))]
    turn.append(chance.choice(answer))
    return turn


def change_table(chance: random.Random, desk: TouchDesk) -> None:
    """Now and then the table itself changes, and the clock goes on, or back."""
    desk.wait(chance.choice([0, 1, 100, 500, 2_000, 2_000, 4_000, -500]))
    pick = chance.random()
    if pick < 0.003:
        desk.paused = not desk.paused
    elif desk.paused and pick < 0.10:
        desk.paused = False
    elif pick < 0.004:
        desk.cards[chance.randrange(len(desk.cards))] = words.LOCKED
    elif pick < 0.05:
        desk.cards[chance.randrange(len(desk.cards))] = words.ACTIVE
    elif pick < 0.06:
        desk.wait(12_000)


def check_step(desk: TouchDesk, commands: int, step: Step) -> None:
    """Check what one action did; the referee has looked at the money."""
    shown = desk.frame()
    check_frame(shown)
    require(not step.payments, "a unit in a game pays by itself")
    if step.refusal:
        require(step.refusal in REJECTIONS, f"{step.refusal} is no refusal")
        require(step.sounds == [words.ERROR] and shown.word == "error", "a refusal is not told")
        require(desk.hosted.game.commands == commands, "a refusal changed the game")
    require(len(step.sounds) in {1, 2}, f"{step.sounds} are heard")
    require(len(shown.expects) == len(set(shown.expects)), f"{shown.expects} are expected")
    require(Unit.of(desk.unit.plain()).plain() == desk.unit.plain(), "the stored unit is another")
    later = settle(desk.unit, desk.now_ms + 60_000)
    require(later.until_ms == 0 and later.word == "", "something is shown for ever that was to end")


def ways(desk: TouchDesk) -> list[list[Action]]:
    """Return what might lead on from a unit on which nothing is tapped."""
    cards: list[Action] = [TapCard(seat) for seat in range(len(desk.cards))]
    deeds: list[Action] = [TapDeed(square, False) for square in range(SQUARES)]
    found: list[list[Action]] = [[Press(TICK)], [Press(CROSS)], [TapEvent("ev01")]]
    found += [[card] for card in cards] + [[deed] for deed in deeds]
    found += [[card, Press(TICK)] for card in cards] + [[deed, Press(TICK)] for deed in deeds]
    found += [[deed, card] for deed in (deeds[0], deeds[5]) for card in cards]
    found += [[TapEvent(event)] for event in EVENTS]
    return found


def check_alive(desk: TouchDesk) -> None:
    """Check that some taps lead on, whatever state the game is in."""
    state = desk.hosted.state
    if state.phase in (PHASE_AUCTION, PHASE_OVER):
        return  # the clock leads on, or there is nothing to come
    table = desk.table()
    table.paused = False
    table.cards = [words.ACTIVE] * len(desk.cards)
    now_ms = desk.now_ms + 60_000
    for way in ways(desk):
        unit = settle(desk.unit, now_ms)
        unit.awake = True
        for action in way:
            step = operate(unit, action, table, now_ms)
            unit = step.unit
        if step.move is not None and step.move.kind in COMMANDS:
            command = COMMANDS[step.move.kind](step.move)
            if not isinstance(decide(state, step.move.seat, command, desk.hosted.game.chance, 0), Rejection):
                return
    raise BrokenPromiseError(f"nothing leads on in phase {state.phase}")


def fuzz_touch(actions: int, seed: int, progress: Callable[[int], None]) -> Counter[str]:
    """Tap at random; return how often what came of it. BrokenPromiseError names action and promise."""
    chance = random.Random(seed)
    counts: Counter[str] = Counter()
    desk, games, after = TouchDesk(SEATS[0], seed), 0, 0
    turn: list[Action] = []
    for number in range(actions):
        over = desk.hosted.state.phase == PHASE_OVER
        after = after + 1 if over else 0
        if not turn and chance.random() < 0.3:
            turn = random_turn(chance, desk)
        action = turn.pop(0) if turn and chance.random() < 0.95 else random_action(chance, desk)
        action = Hold(CROSS) if after > AFTER_THE_END else action
        before, commands = desk.unit.plain(), desk.hosted.game.commands
        unit = desk.unit
        try:
            step = desk.do(action)
            check_step(desk, commands, step)
            require(unit.plain() == before, "an action changed the unit that it was given")
            if number % ALIVE_EVERY == 0:
                check_alive(desk)
            change_table(chance, desk)
        except Exception as error:
            raise BrokenPromiseError(f"touch, seed {seed}, action {number}: {error}") from error
        counts[step.refusal or ("" if desk.move is None else desk.move.kind) or step.sounds[0]] += 1
        if desk.closed:
            games += 1
            counts["games"] += 1
            desk = TouchDesk(SEATS[games % len(SEATS)], seed + games)
            progress(number)
    progress(actions)
    return counts
