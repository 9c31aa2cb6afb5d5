"""The bank's unit at a game: seats put their cards in and press keys, which pays what they owe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.bank.v1 import terminal_pb2
from tests.sim.cards import KEYS, CardTable
from tests.sim.players import Unanswered

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from magnate.bank.tables.state import Card
    from tests.sim.players import Clients

MODELS: Final = (terminal_pb2.UNIT_MODEL_TWO_SLOT, terminal_pb2.UNIT_MODEL_ONE_SLOT)
PAY: Final = {
    terminal_pb2.UNIT_MODEL_TWO_SLOT: (terminal_pb2.SLOT_RIGHT, terminal_pb2.KEY_M),
    terminal_pb2.UNIT_MODEL_ONE_SLOT: (terminal_pb2.SLOT_LEFT, terminal_pb2.KEY_MINUS),
}
"""Where the payer's card goes, and the key that pays."""


class UnitInGame(CardTable):
    """The unit, and who uses it."""

    def __init__(self, clients: Clients) -> None:
        super().__init__(clients)
        self.model = clients.world.chance("card table").choice(MODELS)

    async def open(self) -> None:
        """Attach the unit to the game that is being played."""
        seat = self.clients.world.chance("card table").randrange(len(self.clients.tokens))
        request = terminal_pb2.AttachUnitRequest(
            game_id=self.clients.game_id, model=self.model, shared_unit=self.shared
        )
        self.banker = self.clients.who(seat)
        request.command_id = self.clients.new_id("u")
        try:
            await self.clients.sure(request.command_id, "AttachUnit", request, self.terminals, self.banker)
        except (grpc.aio.AioRpcError, Unanswered) as error:
            self.clients.world.tell("no unit", repr(error))
        else:
            self.clients.unit = True
            self.clients.promises.done(request.command_id)

    def actors(self, until: Callable[[], bool]) -> list[Any]:
        """Return what everybody does until the end."""
        if not self.clients.unit:
            return []
        return [
            self._every(1.0, self._pay_by_card, 0, until),
            self._every(4.0, self._use_unit, 0, until),
            self._watch(until),
        ]

    async def _pay_by_card(self, chance: Random, _seat: int) -> None:
        """Whoever owes something puts his card in and presses the key."""
        rules = self.clients.truth.rules
        assert rules is not None
        debtors = [debt.debtor for debt in rules.debts]
        if not debtors:
            return
        slot, key = PAY[self.model]
        card = self.clients.truth.table.table.cards[chance.choice(debtors)]
        insert = terminal_pb2.InsertCard(slot=slot, card_id=card.card_id)
        await self._operate(card, terminal_pb2.OperateRequest(insert=insert))
        paid = await self._operate(card, terminal_pb2.OperateRequest(press=terminal_pb2.Press(key=key)))
        self.clients.world.met[f"by card {paid.refusal or paid.unit.outcome or 'nothing'}"] += 1
        await self._operate(card, terminal_pb2.OperateRequest(remove=terminal_pb2.RemoveCard(slot=slot)))

    async def _use_unit(self, chance: Random, _seat: int) -> None:
        """Press a key, whichever: nothing moves money but what the rules let."""
        card = self._any_card(chance)
        await self._operate(
            card, terminal_pb2.OperateRequest(press=terminal_pb2.Press(key=chance.choice(KEYS)))
        )

    async def _operate(self, card: Card, request: terminal_pb2.OperateRequest) -> Any:
        request.seen_version = self.clients.truth.version
        return await self._command("Operate", request, self._holder(card))
