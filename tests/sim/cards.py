"""A card table instead of a game: what a ledger of clients has, and cards, a unit, pauses and an end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.bank.v1 import terminal_pb2, terminal_pb2_grpc
from magnate.kit.rpc.status import remote_error
from tests.sim.channel import SimChannel
from tests.sim.players import BUGS
from tests.sim.sale import OPENING_ID, START_MONEY, Sale
from tests.sim.world import ADDRESSES

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from magnate.bank.tables.state import Card
    from tests.sim.players import Clients, Metadata

MODELS: Final = (
    terminal_pb2.UNIT_MODEL_NONE,
    terminal_pb2.UNIT_MODEL_TWO_SLOT,
    terminal_pb2.UNIT_MODEL_ONE_SLOT,
)
"""Units that need no game."""
KEYS: Final = (
    *(terminal_pb2.KEY_1, terminal_pb2.KEY_2, terminal_pb2.KEY_5, terminal_pb2.KEY_0) * 2,
    *(terminal_pb2.KEY_PLUS, terminal_pb2.KEY_MINUS, terminal_pb2.KEY_ARROW) * 2,
    *(terminal_pb2.KEY_THREE, terminal_pb2.KEY_POINT, terminal_pb2.KEY_K, terminal_pb2.KEY_CLEAR),
)
SLOTS: Final = (terminal_pb2.SLOT_LEFT, terminal_pb2.SLOT_RIGHT)
PINS: Final = ("", "1234", "4321")
WATCH_SECONDS: Final = 15.0


class CardTable(Sale):
    """The table, its banker and its cards."""

    def __init__(self, clients: Clients) -> None:
        super().__init__(clients)
        channels: list[Any] = [SimChannel(clients.world.net, None, one) for one in ADDRESSES["bank"]]
        self.terminals: list[Any] = [terminal_pb2_grpc.TerminalServiceStub(one) for one in channels]
        chance = clients.world.chance("card table")
        self.model = chance.choice(MODELS)
        self.shared = self.cards_sell = chance.random() < 0.5
        self.ends = chance.random() < 0.3
        self.seen = 0

    async def open(self) -> None:
        """Open the table; everybody claims his card."""
        clients, seats = self.clients, range(self.clients.world.plan.seats)
        request = terminal_pb2.OpenTableRequest(
            command_id=OPENING_ID,
            opening_amount=START_MONEY,
            go_amount=200,
            model=self.model,
            players=[f"Player {seat}" for seat in seats],
            shared_unit=self.shared,
        )
        opened = await clients.sure("open", "OpenTable", request, self.terminals)
        clients.game_id = opened.table.table_id
        self.banker = (("authorization", f"Bearer {opened.banker_token}"),)
        for card in opened.cards:
            await self._claim(f"claim-{card.card_id}-for-whom-it-is", card)

    async def go_on(self) -> None:
        """The faults are over: a paused table is resumed, and money moves at once."""
        truth = self.clients.truth
        if truth.closed:
            return
        if truth.auction.table is not None and truth.auction.table.paused:
            await self._command("ResumeTable", terminal_pb2.ResumeTableRequest())
        cards = [card for card in truth.table.table.cards if not card.retired]
        if cards:
            await self.pay("bank", f"seat-{cards[0].seat}", 1)

    def actors(self, until: Callable[[], bool]) -> list[Any]:
        """Return what everybody does until the end."""
        return [
            *super().actors(until),
            self._every(1.0, self._bid, -1, until),
            self._every(1.0, self._use_unit, 0, until),
            self._every(12.0, self._keep, 0, until),
            self._every(6.0, self._pin, 0, until),
            self._watch(until),
        ]

    async def _claim(self, command_id: str, card: terminal_pb2.CardSecret) -> None:
        clients = self.clients
        claim = terminal_pb2.ClaimCardRequest(
            table_id=clients.game_id, command_id=command_id, card_id=card.card_id, secret=card.secret
        )
        claimed = await clients.sure(command_id, "ClaimCard", claim, self.terminals)
        clients.tokens.append(claimed.card_token)

    async def _command(self, word: str, request: Any, who: Metadata | None = None) -> Any:
        """Send a command of the banker's, or a card's, sometimes twice."""
        clients = self.clients
        command_id = clients.new_id("k")
        request.table_id, request.command_id = clients.game_id, command_id
        who = self.banker if who is None else who
        clients.world.tell("table", f"{command_id} {word}")
        again = clients.world.chance("twice").random() < 0.1
        sending = [clients.sure(command_id, word, request, self.terminals, who) for _ in range(1 + again)]
        answers = await asyncio.gather(*sending, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        clients.accepted += 1
        clients.promises.done(command_id)
        return answers[0]

    async def _keep(self, chance: Random, _seat: int) -> None:
        """Do what only the banker may."""
        truth = self.clients.truth
        table = truth.auction.table
        assert table is not None
        cards = truth.table.table.cards
        what = chance.random()
        if table.paused or what < 0.4:
            word = "ResumeTable" if table.paused else "PauseTable"
            await self._command(word, getattr(terminal_pb2, f"{word}Request")())
        elif what < 0.5 and len(cards) < len(self.clients.tokens) + 1:
            added = await self._command("AddCard", terminal_pb2.AddCardRequest(name=f"Late {len(cards)}"))
            await self._claim(f"claim-{added.card.card_id}-for-whom-it-is", added.card)
        elif what < 0.6 and cards:
            request = terminal_pb2.RetireCardRequest(card_id=chance.choice(cards).card_id)
            await self._command("RetireCard", request)
        elif what < 0.85 and truth.table.standing:
            version = truth.table.standing[-1].version
            await self._command("UndoOperation", terminal_pb2.UndoOperationRequest(version=version))
        elif self.ends and what > 0.95:
            await self._command("CloseTable", terminal_pb2.CloseTableRequest())

    async def _pin(self, chance: Random, _seat: int) -> None:
        """Set a PIN, show a wrong one, unlock what that has locked."""
        card = self._any_card(chance)
        if card.locked:
            await self._command("UnlockCard", terminal_pb2.UnlockCardRequest(card_id=card.card_id))
        elif not card.pin_hash or chance.random() < 0.2:
            request: Any = terminal_pb2.SetPinRequest(card_id=card.card_id)
            request.old_pin, request.new_pin = chance.choice(PINS), chance.choice(PINS)
            await self._command("SetPin", request, self._holder(card))
        else:
            for _ in range(chance.randint(1, 4)):
                insert = terminal_pb2.InsertCard(slot=chance.choice(SLOTS), card_id=card.card_id)
                insert.pin = chance.choice(PINS)
                await self._command("Operate", terminal_pb2.OperateRequest(insert=insert))

    async def _use_unit(self, chance: Random, _seat: int) -> None:
        """Put a card in or pull it out, and press keys."""
        if self.model == terminal_pb2.UNIT_MODEL_NONE and chance.random() < 0.95:
            return
        card = self._any_card(chance)
        request = terminal_pb2.OperateRequest(seen_version=self.clients.truth.version)
        what = chance.random()
        if what < 0.2:
            request.insert.slot, request.insert.card_id = chance.choice(SLOTS), card.card_id
        elif what < 0.3:
            request.remove.slot = chance.choice(SLOTS)
        else:
            request.press.key = chance.choice(KEYS)
        by_card = chance.random() < 0.3
        answer = await self._command("Operate", request, self._holder(card) if by_card else None)
        self.clients.world.met[f"unit {answer.refusal or 'took it'}"] += 1

    def _any_card(self, chance: Random) -> Card:
        return chance.choice(self.clients.truth.table.table.cards[: len(self.clients.tokens)])

    def _holder(self, card: Card) -> Metadata:
        return self.clients.who(card.seat)

    async def _watch(self, until: Callable[[], bool]) -> None:
        """Watch the table, now on this process, now on that one: each operation comes once."""
        chance = self.clients.world.chance("table watcher")
        while not until():
            request = terminal_pb2.WatchTableRequest(table_id=self.clients.game_id, after_version=self.seen)
            call = chance.choice(self.terminals).WatchTable(request, metadata=self.banker)
            reading = asyncio.ensure_future(self._read(call))
            try:
                await asyncio.wait({reading}, timeout=chance.expovariate(1 / WATCH_SECONDS))
            finally:
                call.cancel()
                reading.cancel()
            if reading.done() and not reading.cancelled():
                reading.result()
            await asyncio.sleep(chance.random() * 5)

    async def _read(self, call: Any) -> None:
        promises, truth = self.clients.promises, self.clients.truth
        version = 0
        try:
            async for update in call:
                if not version <= update.version <= truth.version:
                    what = f"version {update.version} of a table after {version}"
                    promises.fail("watchers see every version once and in order", what)
                version = update.version
                for operation in update.operations:
                    if operation.version <= self.seen:
                        what = f"operation {operation.version} of a table after {self.seen}"
                        promises.fail("watchers see every version once and in order", what)
                    self.seen = operation.version
        except grpc.aio.AioRpcError as error:
            failure = remote_error(error)
            if failure.code in BUGS:
                promises.fail("no call ends in an error of ours", f"the table's watcher: {failure}")
