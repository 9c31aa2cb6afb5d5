"""A whole evening at the touch unit over real processes, to the ranking, while processes are killed."""

from __future__ import annotations

import asyncio
import random
import sys
from typing import TYPE_CHECKING

import pytest

from magnate.bank.v1 import terminal_pb2
from magnate.cli.stack import Stack, StackOptions
from magnate.client.terminal import KEYS, TerminalClient
from tests.support.killing import kill_and_wait

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(300)]

ANN, BOB, CYD = range(3)
EVENING = """
    35 ann        -> offer -400 ann 35 ; card
    tick          -> booked -400 ann ; booked
    35 bob        -> booked -300 bob>ann ; booked
    look35        -> query 400 ann 35 L2 ; card
    tick          -> error KEY_OUT_OF_ORDER ; error
    cross         -> idle ; key
    m bob         -> booked +200 bob ; booked
    bob           -> balance 1400 bob ; card
    cross         -> idle ; key
    ev08 ann      -> choose ann ; card
    1             -> error INVALID_TARGET ; error
    35            -> query 1600 ann 35 L5 ; card
    7 cyd         -> choose -100 cyd ; card
    1             -> offer -60 cyd 1 ; booked
    tick          -> booked -60 cyd ; booked
    13 bob        -> offer -160 bob 13 ; card
    14 cyd        -> error NOT_YOUR_TURN ; error
    cross         -> auction 0 13 ; card
    cyd           -> auction 20 cyd 13 ; card
    bob           -> auction 40 bob 13 ; card
    bob           -> error ALREADY_LEADING ; error
    hammer        -> idle
    look13        -> query 130 bob 13 L1 ; card
    27 cyd        -> query 27 ; card
    cyd           -> offer -100 cyd ; card
    tick          -> booked -100 cyd ; booked
    ev23 bob      -> choose bob ; card
    ann           -> idle ; card
    35 bob        -> query 1600 ann 35 L5 ; card
    look35        -> query 1600 ann 35 L5 ; card
    cross         -> idle ; key
    ann           -> offer -100 ann ; card
    tick          -> booked -100 ann ; booked
    3 bob         -> offer -60 bob 3 ; card
    tick          -> booked -60 bob ; booked
    m bob         -> booked +200 bob ; booked
    35 bob        -> owes -1600 bob ; card
    bob tick      -> error CAN_STILL_PAY ; error
    3             -> offer +60 bob 3 L1 ; card
    cross         -> owes -1600 bob ; key
    13 tick       -> booked +160 bob ; booked
    18 bob        -> query 18 ; card
    35 bob        -> owes -1600 bob ; card
    bob           -> owes -1600 bob ; card
    tick          -> ranking 3420 ann ; booked, fanfare
    m             -> ranking 1300 cyd ; key
"""
"""What is done, and what must be shown: word, sign and amount, seat>paid seat, square, level; sounds."""

PLAYERS = ("ann", "bob", "cyd")
VICTIMS = ("bank-0", "game-0")
"""Killed in turn while every fifth line is under way; the supervisor waits longer each time."""


def action(word: str, cards: list[str]) -> terminal_pb2.OperateRequest:
    """Return the action that a word of the evening stands for."""
    if word in PLAYERS:
        return terminal_pb2.OperateRequest(tap_card=terminal_pb2.TapCard(card_id=cards[PLAYERS.index(word)]))
    if word.startswith("look"):
        tap = terminal_pb2.TapDeed(square=int(word.removeprefix("look")), query=True)
        return terminal_pb2.OperateRequest(tap_deed=tap)
    if word.isdecimal():
        return terminal_pb2.OperateRequest(tap_deed=terminal_pb2.TapDeed(square=int(word)))
    if word.startswith("ev"):
        return terminal_pb2.OperateRequest(tap_event=terminal_pb2.TapEvent(card=word))
    return terminal_pb2.OperateRequest(press=terminal_pb2.Press(key=KEYS[word.upper()]))


def shown(frame: terminal_pb2.Frame) -> str:
    """Return a display as the lines have it."""
    seat = PLAYERS[frame.seat] if frame.seat >= 0 and frame.state not in {"error", "idle"} else ""
    if frame.state == "booked" and frame.owner >= 0:
        seat += f">{PLAYERS[frame.owner]}"
    parts = [frame.state]
    if frame.state == "error":
        parts.append(frame.refusal)
    else:
        square = str(frame.square) if frame.square >= 0 else ""
        level = f"L{frame.level}" if frame.level else ""
        parts += [frame.sign + frame.text, seat, square, level]
    return " ".join(part for part in parts if part)


class Evening:
    """The unit, its table, and the processes that are killed meanwhile."""

    def __init__(self, stack: Stack, bank: TerminalClient, opened: terminal_pb2.OpenTableResponse) -> None:
        self.stack = stack
        self.bank = bank
        self.table_id = opened.table.table_id
        self.token = opened.banker_token
        self.cards = [card.card_id for card in opened.cards]
        self.dice = random.Random(7)
        self.kills = 0

    async def act(self, word: str, victim: str) -> terminal_pb2.OperateResponse:
        """Do one action; kill a process while it is under way, if one is named."""
        request = action(word, self.cards)
        request.table_id = self.table_id
        acting = asyncio.create_task(self.bank.operate(request, self.token))
        if victim:
            await asyncio.sleep(self.dice.choice((0.0, 0.002, 0.005, 0.01, 0.02)))
            await self.kill(victim)
        return await acting

    async def kill(self, name: str) -> None:
        """Kill a process by its pid and wait until the supervisor has started another."""
        await kill_and_wait(self.stack, name)
        self.kills += 1

    async def hammer(self) -> terminal_pb2.Table:
        """Wait until the auction closes by the game's own clock; watchers see it without a press."""
        updates = self.bank.watch(self.table_id, self.token)
        async with asyncio.timeout(60):
            async for update in updates:
                shown_now = update.table.unit.frame.state
                if update.HasField("table") and shown_now not in {"auction", "error"}:
                    return update.table
        raise AssertionError("the stream ended")


async def _evening(data: Path) -> None:
    stack = Stack(StackOptions(data=data, free_ports=True))
    await stack.start()
    try:
        async with TerminalClient(stack.addresses("bank")[0]) as bank:
            opened = await bank.open_table(["ann", "bob", "cyd"], edition="ultimate-banking")
            assert (opened.table.model, opened.table.in_game) == (terminal_pb2.UNIT_MODEL_TOUCH, True)
            evening = Evening(stack, bank, opened)
            lines = [line for line in EVENING.splitlines() if line.strip()]
            for number, line in enumerate(lines):
                doing, _, expected = line.partition("->")
                wanted, _, heard = (part.strip() for part in expected.partition(";"))
                victim = VICTIMS[number // 5 % 2] if number % 5 == 1 else ""
                if doing.strip() == "hammer":
                    table = await evening.hammer()
                    assert shown(table.unit.frame) == wanted, line
                    continue
                for word in doing.split():
                    answer = await evening.act(word, victim if word == doing.split()[-1] else "")
                sounds = ", ".join(
                    terminal_pb2.Sound.Name(one).removeprefix("SOUND_").lower() for one in answer.sounds
                )
                assert (shown(answer.unit.frame), sounds) == (wanted, heard), line
            assert evening.kills == 8
            table = await bank.table(evening.table_id, evening.token)
            assert [(one.place, one.seat) for one in table.ranking] == [(1, ANN), (2, CYD), (3, BOB)]
            assert sum(card.balance for card in table.cards) > 0
            closed = await bank.hold(evening.table_id, evening.token, "CROSS")
            assert list(closed.sounds) == [terminal_pb2.SOUND_RESET]
            table = await bank.table(evening.table_id, evening.token)
            assert table.status == terminal_pb2.TABLE_STATUS_CLOSED
            assert [(one.place, one.seat) for one in table.ranking] == [(1, ANN), (2, CYD), (3, BOB)]
            await _audited(data, evening.table_id)
    finally:
        await stack.stop()


async def _audited(data: Path, table_id: str) -> None:
    """The log verifies: chain, balance, deeds against the ledger."""
    audit = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "magnate.cli", "audit", "--all", "--data", str(data), "--json"),
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await audit.communicate()
    assert audit.returncode == 0, told
    assert table_id.encode() in told


def test_an_evening_at_the_touch_unit(tmp_path: Path) -> None:
    """Buying, rent, levels, GO, events, a location, an auction, jail, debt, bankruptcy; and kill -9."""
    asyncio.run(_evening(tmp_path))
