"""The bank is killed between any two presses of an evening: nothing is lost, nothing is booked twice."""

from __future__ import annotations

import asyncio
import random
import sys
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from magnate.bank.v1 import terminal_pb2
from magnate.cli.stack import Stack, StackOptions
from magnate.client.session import RefusedError, Session
from magnate.client.terminal import TerminalClient
from magnate.game.v1 import game_pb2
from magnate.kit.keys import KeyRing
from tests.support.bank_process import BankProcess
from tests.support.bank_tables import KEY, serving
from tests.support.nats import NatsServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from magnate.bank.v1.terminal_pb2 import OpenTableResponse

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(420)]

ANN, BOB, CYD = range(3)
EVENING = """
    GO left=0 GO out=left
    left=1 right=2 1 . 5 M K C 1 . 5 M M out=left out=right
    . . 2 right=0 5 0 0 K K out=right
    left=2 9 9 9 9 9 M M out=left
    right=1 9 9 M M C out=right
    left=0 2 M out=left left=1 GO GO out=left
    left=1 1 2 0 K
    hold=C 1
"""
"""What is done at the unit, in the order of a family that slips now and then: `left=0` puts a card in."""


def action(word: str, cards: list[str]) -> dict[str, Any]:
    """Return the action that a word of the evening stands for."""
    what, _, value = word.partition("=")
    if what in {"left", "right"}:
        slot = terminal_pb2.SLOT_LEFT if what == "left" else terminal_pb2.SLOT_RIGHT
        return {"insert": terminal_pb2.InsertCard(slot=slot, card_id=cards[int(value)])}
    if what == "out":
        slot = terminal_pb2.SLOT_LEFT if value == "left" else terminal_pb2.SLOT_RIGHT
        return {"remove": terminal_pb2.RemoveCard(slot=slot)}
    if what == "hold":
        return {"hold": terminal_pb2.HoldKey(key=KEY[value])}
    return {"press": terminal_pb2.Press(key=KEY[word])}


def shown(answer: terminal_pb2.OperateResponse, cards: list[str]) -> tuple[object, ...]:
    """Return what an action led to, without what differs between two tables."""
    unit, frame = answer.unit, answer.unit.frame
    slots = [cards.index(one) if one else None for one in (unit.left_card_id, unit.right_card_id)]
    entries = [(one.debit, one.credit, one.amount) for one in answer.operation.entries]
    return (
        (answer.version, answer.refusal, list(answer.sounds), answer.operation.kind, entries),
        (frame.text, frame.suffix, frame.sign, frame.state, frame.seat, frame.refusal),
        (unit.volume, unit.operation, unit.outcome, slots),
    )


async def undisturbed() -> tuple[list[tuple[object, ...]], list[int]]:
    """Return what every action of the evening leads to, and the balances at its end."""
    async with serving() as bank:
        table = await bank.open(["Ann", "Bob", "Cyd"])
        seen = []
        for word in EVENING.split():
            seen.append(shown(await table.operate(**action(word, table.cards)), table.cards))
            bank.clock.advance(100)
        return seen, await table.balances()


class Killed:
    """The same evening at a bank that does not live long."""

    def __init__(self, bank: BankProcess, client: TerminalClient, opened: OpenTableResponse) -> None:
        self.bank = bank
        self.client = client
        self.table_id = opened.table.table_id
        self.token = opened.banker_token
        self.cards = [card.card_id for card in opened.cards]

    async def act(self, word: str, moment: float) -> terminal_pb2.OperateResponse:
        """Do one action and kill the bank before it, or so many seconds after it was sent."""
        request = terminal_pb2.OperateRequest(table_id=self.table_id, **action(word, self.cards))
        if moment < 0:
            await self.bank.kill()
            self.bank.start()
            return await self.client.operate(request, self.token)
        acting = asyncio.create_task(self.client.operate(request, self.token))
        await asyncio.sleep(moment)
        await self.bank.kill()
        self.bank.start()
        return await acting


@pytest_asyncio.fixture
async def bank(tmp_path: Path) -> AsyncIterator[BankProcess]:
    """Run a nats-server that syncs each append, and a bank on it."""
    server = NatsServer(tmp_path / "nats")
    server.start()
    await server.ready()
    process = BankProcess(server.url, tmp_path, KeyRing.generate())
    process.start()
    try:
        yield process
    finally:
        process.stop()
        server.stop()


@pytest.mark.asyncio
async def test_the_bank_is_killed_between_any_two_presses(bank: BankProcess) -> None:
    """Every press does what it does in a bank that nobody kills; each acknowledged booking is there once."""
    expected, balances = await undisturbed()
    dice = random.Random(4)
    async with TerminalClient(bank.address) as client:
        opened = await client.open_table(["Ann", "Bob", "Cyd"], edition="e-banking")
        evening = Killed(bank, client, opened)
        booked = []
        words = EVENING.split()
        for number, word in enumerate(words):
            moment = -1.0 if number % 2 else dice.choice((0.0, 0.001, 0.003, 0.01))
            answer = await evening.act(word, moment)
            answer.replayed = False
            assert shown(answer, evening.cards) == expected[number], (number, word)
            if answer.HasField("operation"):
                booked.append(answer.operation.version)
        assert bank.starts == 1 + len(words)
        table = await client.table(evening.table_id, evening.token)
        assert table.version == 1 + len(words)
        assert [card.balance for card in table.cards] == balances
        history = [one async for one in client.operations(evening.table_id, evening.token)]
        assert [one.version for one in reversed(history)] == [1, *booked]
        found = await client.join(table.join_code)
        assert found.table.table_id == table.table_id


async def _beside_games(data: Path) -> None:
    """Run everything, play at a table of the bank and open a game, and look from both sides."""
    stack = Stack(StackOptions(data=data, free_ports=True))
    await stack.start()
    try:
        async with (
            TerminalClient(stack.addresses("bank")[0]) as bank,
            Session(stack.addresses("game")[0]) as games,
        ):
            opened = await bank.open_table(["Ann", "Bob"], edition="e-banking")
            table_id, token = opened.table.table_id, opened.banker_token
            game_id = await games.create_game(seat_count=2)
            await bank.insert(table_id, token, opened.cards[0].card_id)
            paid = await bank.press(table_id, token, "ARROW")
            with pytest.raises(RefusedError) as unknown:
                await games.game(table_id)
            assert unknown.value.reason == "UNKNOWN_GAME"
            with pytest.raises(RefusedError) as no_table:
                await bank.table(game_id, token)
            assert no_table.value.reason == "TOKEN_FOR_OTHER_TABLE"
            async with asyncio.timeout(20):
                while True:  # heads are written at most once a second
                    listed = (await games.stub.ListGames(game_pb2.ListGamesRequest())).games
                    if listed:
                        break
            assert [one.game_id for one in listed] == [game_id]
            await bank.undo(table_id, token, paid.operation.version)
            await bank.close_table(table_id, token)
            audit = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "magnate.cli", "audit", "--all", "--data", str(data), "--json"),
                stdout=asyncio.subprocess.PIPE,
            )
            told, _ = await audit.communicate()
            assert audit.returncode == 0, told
            assert table_id.encode() in told
    finally:
        await stack.stop()


def test_tables_beside_games(tmp_path: Path) -> None:
    """No list and no call of games knows a table of the bank, but the audit of the whole log covers it."""
    asyncio.run(_beside_games(tmp_path))
