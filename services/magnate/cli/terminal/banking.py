"""The banker's tools: take back, pause, add and retire cards, unlock, close."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.v1 import terminal_pb2
from magnate.cli.terminal.dialogs import Ask, Choose, Confirm
from magnate.cli.terminal.sentences import money, sentence
from magnate.client.session import RefusedError, is_passing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.screen import Screen

    from magnate.bank.v1.terminal_pb2 import Card, Table
    from magnate.cli.terminal.live import LiveTable
    from magnate.cli.terminal.texts import Texts


class Banking:
    """What the banker does in dialogs over the unit's screen; each method runs as a worker of it."""

    def __init__(self, screen: Screen[None], live: LiveTable, t: Texts) -> None:
        self._screen = screen
        self._live = live
        self._t = t
        self._tools: dict[str, Callable[[], Awaitable[None]]] = {
            "undo": self.undo,
            "pause": self.pause,
            "resume": self.resume,
            "reset": self.reset,
            "add": self.add,
            "retire": self.retire,
            "unlock": self.unlock,
            "close": self.close,
        }

    async def menu(self) -> None:
        """Offer all tools and use the one that is chosen."""
        table, t = self._live.table, self._t
        open_ = table.status != terminal_pb2.TABLE_STATUS_CLOSED
        free = open_ and not table.in_game
        paused = table.status == terminal_pb2.TABLE_STATUS_PAUSED
        last = self._live.last_standing()
        undo = t("banker.undo")
        if last is not None:
            undo += f": {sentence(last, table, self._live.operations, t)}"
        options = [
            ("undo", undo, free and last is not None),
            ("resume", t("banker.resume"), paused) if paused else ("pause", t("banker.pause"), open_),
            ("reset", t("banker.reset"), free and table.model != terminal_pb2.UNIT_MODEL_NONE),
            ("add", t("banker.add"), free),
            ("retire", t("banker.retire"), free and any(not card.retired for card in table.cards)),
            ("unlock", t("banker.unlock"), open_ and any(card.locked for card in table.cards)),
            ("close", t("banker.close"), free),
        ]
        code = f"{t('join.code')}: {table.join_code}" if table.join_code else ""
        chosen = await self._screen.app.push_screen_wait(Choose(t("term.menu"), options, t, code))
        if chosen is not None:
            await self._tools[chosen]()

    async def undo(self) -> None:
        """Take back the last operation."""
        live, t = self._live, self._t
        last = live.last_standing()
        if last is None:
            self._tell(t("banker.nothing"))
            return
        said = sentence(last, live.table, live.operations, t)
        if not await self._sure("undo", said):
            return
        if await self._run(self._undo(last.version)):
            self._tell(t("banker.undo_done"))

    async def pause(self) -> None:
        """Stop the unit."""
        await self._run(self._live.client.pause(self._live.table.table_id, self._live.token))

    async def resume(self) -> None:
        """Let the unit work again."""
        await self._run(self._live.client.resume(self._live.table.table_id, self._live.token))

    async def reset(self) -> None:
        """Begin a new game, as holding C does."""
        table, t = self._live.table, self._t
        amount = money(table.opening_amount, table.currency, t.language)
        if await self._sure("reset", t("banker.reset_text", amount=amount)):
            self._live.hold("C")

    async def add(self) -> None:
        """Add a card for one more player."""
        t = self._t
        name = await self._screen.app.push_screen_wait(Ask(t("banker.add_title"), t("open.player_name"), t))
        if name and await self._run(self._add(name)):
            self._tell(t("banker.added", name=name))

    async def retire(self) -> None:
        """Retire a card for good."""
        card = await self._which("retire", [card for card in self._live.table.cards if not card.retired])
        if card is not None and await self._sure("retire", self._t("banker.retire_text"), name=card.name):
            live = self._live
            await self._run(live.client.retire_card(live.table.table_id, live.token, card.card_id))

    async def unlock(self) -> None:
        """Unlock a card."""
        card = await self._which("unlock", [card for card in self._live.table.cards if card.locked])
        if card is not None and await self._sure("unlock", self._t("banker.unlock_text"), name=card.name):
            live = self._live
            await self._run(live.client.unlock_card(live.table.table_id, live.token, card.card_id))

    async def close(self) -> None:
        """End the table; the ranking shows by itself."""
        if await self._sure("close", self._t("banker.close_text")):
            await self._run(self._live.client.close_table(self._live.table.table_id, self._live.token))

    async def _undo(self, version: int) -> Table:
        live = self._live
        return (await live.client.undo(live.table.table_id, live.token, version)).table

    async def _add(self, name: str) -> Table:
        return (await self._live.client.add_card(self._live.table.table_id, self._live.token, name)).table

    async def _which(self, tool: str, cards: list[Card]) -> Card | None:
        options = [(card.card_id, card.name, True) for card in cards]
        dialog = Choose(self._t(f"banker.{tool}"), options, self._t)
        chosen = await self._screen.app.push_screen_wait(dialog)
        return next((card for card in cards if card.card_id == chosen), None)

    async def _sure(self, tool: str, text: str, **values: object) -> bool:
        t = self._t
        dialog = Confirm(t(f"banker.{tool}_title", **values), text, t(f"banker.{tool}"), t)
        return await self._screen.app.push_screen_wait(dialog) is True

    def _tell(self, text: str) -> None:
        self._screen.notify(text, markup=False)

    async def _run(self, command: Awaitable[Table]) -> bool:
        """Do it; False when it could not be done, which has been said then."""
        try:
            self._live.show(await command)
        except RefusedError as error:
            t = self._t
            told = t("error.unreachable") if is_passing(error) else t.because(error.reason, error.message)
            self._screen.notify(told, severity="error", markup=False)
            return False
        return True
