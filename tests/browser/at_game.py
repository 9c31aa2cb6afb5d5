"""Somebody who watches a game on the page or plays a seat of it; and the game, made through the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playwright.async_api import expect

from magnate.client.session import Session
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2
from tests.browser.at_table import AtTable
from tests.support.dice import LOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.browser.phones import Phone, Phones

SQUARES: Final = 40
LOT_NAME: Final = "Oriental Avenue"
SKEW: Final = """(() => {
    const Real = Date, skew = %d;
    globalThis.Date = class extends Real {
        constructor(...given) { if (given.length) super(...given); else super(Real.now() + skew); }
        static now() { return Real.now() + skew; }
    };
})();"""
"""A phone whose time of day is wrong by so many milliseconds; its stopwatch runs as all do."""


class AtGame(AtTable):
    """A person at a game."""

    def __init__(self, phone: Phone) -> None:
        super().__init__(phone)
        self.panel = self.page.locator(".auction")

    async def time_left(self) -> float:
        """Return the countdown in seconds as it is shown."""
        minutes, _, seconds = (await self.page.locator(".countdown .time").inner_text()).rpartition(":")
        return int(minutes or 0) * 60 + float(seconds)

    async def sees_lead(self, text: str) -> None:
        """Wait for who leads."""
        await expect(self.seen("lead").locator(".text")).to_have_text(text)

    async def bid(self, amount: int | None = None) -> None:
        """Bid what stands there, or an amount that is typed."""
        if amount is not None:
            await self.page.locator(".stepper input").fill(str(amount))
        await self.seen("bid").click()

    async def sees_log(self, text: str) -> None:
        """Wait for what happened."""
        await expect(self.seen("log").filter(has_text=text)).to_be_visible()


class Game:
    """A game with a lot under the hammer, or about to be, and the tokens of its seats."""

    def __init__(self, address: str, game_id: str, tokens: list[str]) -> None:
        self.address = address
        self.game_id = game_id
        self.tokens = tokens
        self.declined = False

    async def declines(self) -> None:
        """Have the first player decline the lot: it goes under the hammer."""
        self.declined = True
        await self.act(0, vocabulary_pb2.Command(decline_lot=vocabulary_pb2.DeclineLot()))

    def link(self, seat: int = -1) -> str:
        """Return the address by which a seat comes to the page; that of a spectator for none."""
        return f"/#/game/{self.game_id}" if seat < 0 else f"/#seat={self.game_id}/{seat}/{self.tokens[seat]}"

    async def act(self, seat: int, command: vocabulary_pb2.Command) -> None:
        """Send a command of a seat."""
        async with Session(self.address) as session:
            await session.act(self.game_id, self.tokens[seat], command)

    async def bid(self, seat: int, amount: int) -> None:
        """Bid for the lot from elsewhere."""
        await self.act(
            seat, vocabulary_pb2.Command(place_bid=vocabulary_pb2.PlaceBid(lot=LOT, amount=amount))
        )

    async def view(self, seat: int = -1) -> game_pb2.GameView:
        """Return the game as a seat sees it."""
        async with Session(self.address) as session:
            return await session.game(self.game_id, token=self.tokens[seat] if seat >= 0 else "")

    async def opens(self, phones: Phones, name: str, seat: int = -1, *, skew_ms: int = 0) -> AtGame:
        """Open the game on a phone, as a seat or as a spectator; wait until it is seen."""
        phone = await phones(name)
        if skew_ms:
            await phone.context.add_init_script(SKEW % skew_ms)
        await phone.page.goto(self.link(seat))
        if skew_ms:
            await phone.page.reload()
        one = AtGame(phone)
        await one.link("live")
        if self.declined:
            await one.panel.wait_for()
        return one


async def at_auction(
    address: str,
    *names: str,
    seconds: int = 120,
    options: Mapping[str, str] | None = None,
    declined: bool = True,
) -> Game:
    """Begin a game in which the first player is offered a lot and declines: it goes under the hammer.

    Where the time is short `declined` is False: the phones are opened first, and then it `declines`.
    """
    count = len(names)
    settings = {
        "start.position_allowed": "true",
        "auction.close_seconds": str(seconds),
        **(options or {}),
    }
    position = vocabulary_pb2.PositionGiven(
        turn_seat=0,
        phase=vocabulary_pb2.PHASE_BUY,
        round=1,
        at=[LOT, *[0] * (count - 1)],
        jailed=[0] * count,
        jail_tries=[0] * count,
        out=[0] * count,
        owner=[-1] * SQUARES,
        level=[0] * SQUARES,
        mortgaged=[0] * SQUARES,
        houses=32,
        hotels=12,
        offered_lot=LOT,
    )
    start = game_pb2.StartPosition(position=position, cash=[1500] * count)
    async with Session(address) as session:
        game_id = await session.create_game(seat_count=count, title="Friday", options=settings, start=start)
        tokens = [(await session.join(game_id, name)).token for name in names]
        await session.start(game_id, tokens[0])
    game = Game(address, game_id, tokens)
    if declined:
        await game.declines()
    return game
