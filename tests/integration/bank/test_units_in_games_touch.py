"""Touch units over real processes: the game they host, whose cards and keys count, pausing, wiping."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio

from magnate.bank.v1 import terminal_pb2
from magnate.client.session import RefusedError, Session
from magnate.client.terminal import TerminalClient
from magnate.game.v1 import game_pb2
from magnate.kit.limits import WINDOW_COMMANDS
from magnate.kit.tokens import mint_seat
from tests.support.game_api import Table, bearer, refused, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from tests.support.game_api import Running

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("units-in-games"),
    pytest.mark.asyncio(loop_scope="session"),
]

TOUCH = terminal_pb2.UNIT_MODEL_TOUCH


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """Run a server with two workers of each service."""
    async with running(tmp_path_factory.mktemp("touch"), workers=2, sandbox=False) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def bank(server: Running) -> AsyncIterator[TerminalClient]:
    """Connect to the first worker of the bank."""
    async with TerminalClient(server.stack.addresses("bank")[0]) as client:
        yield client


class Unit:
    """A table with a touch unit."""

    def __init__(self, bank: TerminalClient, opened: terminal_pb2.OpenTableResponse) -> None:
        self.bank = bank
        self.table_id = opened.table.table_id
        self.banker = opened.banker_token
        self.code = opened.table.join_code
        self.cards = [card.card_id for card in opened.cards]
        self.secrets = [card.secret for card in opened.cards]

    async def place(self, seat: int, square: int, token: str = "") -> terminal_pb2.OperateResponse:
        """Tap a deed and then a card."""
        await self.bank.tap_deed(self.table_id, token or self.banker, square)
        return await self.bank.tap_card(self.table_id, token or self.banker, self.cards[seat])

    async def press(self, key: str, token: str = "") -> terminal_pb2.OperateResponse:
        """Press a key."""
        return await self.bank.press(self.table_id, token or self.banker, key)

    async def table(self) -> terminal_pb2.Table:
        """Return the table as it is."""
        return await self.bank.table(self.table_id, self.banker)


async def opened(bank: TerminalClient, *, shared: bool = False) -> Unit:
    """Open a table for three."""
    players = ["ann", "bob", "cyd"]
    return Unit(bank, await bank.open_table(players, edition="ultimate-banking", shared_unit=shared))


async def reason(call: Awaitable[object]) -> str:
    """Return why a call is refused; it must be."""
    with pytest.raises(RefusedError) as error:
        await call
    return error.value.reason


async def test_a_table_is_opened_once(server: Running, bank: TerminalClient) -> None:
    """The command that comes again, at whichever worker, has the same game, cards and secrets."""
    request = terminal_pb2.OpenTableRequest(
        command_id=secrets.token_hex(16), edition="ultimate-banking", players=["ann", "bob"], model=TOUCH
    )
    first = await bank.stub.OpenTable(request)
    async with TerminalClient(server.stack.addresses("bank")[1]) as other:
        again = await other.stub.OpenTable(request)
    assert again.table.table_id == first.table.table_id
    assert list(again.cards) == list(first.cards)
    assert (first.table.in_game, first.table.edition, first.table.model) == (True, "ultimate-banking", TOUCH)
    assert [(card.name, card.balance) for card in first.table.cards] == [("ann", 1500), ("bob", 1500)]
    for change in ({"players": ["ann", "eve"]}, {"players": ["ann", "bob", "cyd"]}, {"shared_unit": True}):
        changed = terminal_pb2.OpenTableRequest()
        changed.CopyFrom(request)
        for name, value in change.items():
            changed.ClearField(name)  # type: ignore[arg-type]  # a name of a field
            changed.MergeFrom(terminal_pb2.OpenTableRequest(**{name: value}))  # type: ignore[arg-type]
        assert (await refused(bank.stub.OpenTable(changed))).reason == "COMMAND_ID_REUSED"
    listed = await server.api.view(Table(first.table.table_id, []))
    assert [seat.name for seat in listed.seats] == ["ann", "bob"]


async def test_what_cannot_be_opened(bank: TerminalClient) -> None:
    """Too few and too many players, another edition: named, and nothing is left behind."""
    assert await reason(bank.open_table(["ann"], edition="ultimate-banking")) == "INVALID_SEAT_COUNT"
    many = [f"player {number}" for number in range(5)]
    assert await reason(bank.open_table(many, edition="ultimate-banking")) == "INVALID_SEAT_COUNT"
    assert await reason(bank.open_table(["ann", "bob"], edition="classic", model=TOUCH)) == "INVALID_ARGUMENT"
    slots = await bank.open_table(["ann"], edition="ultimate-banking", model=terminal_pb2.UNIT_MODEL_ONE_SLOT)
    assert not slots.table.in_game  # a bank without a game, as with any edition


async def test_whose_cards_and_keys_count(bank: TerminalClient) -> None:
    """The banker does everything; a card's holder taps his own card; guests claim what nobody has."""
    unit = await opened(bank)
    guest = (await bank.join(unit.code)).guest_token
    mine = (await bank.claim(unit.table_id, unit.cards[0], token=guest)).card_token
    assert await reason(bank.claim(unit.table_id, unit.cards[0], token=guest)) == "NOT_YOUR_CARD"
    assert await reason(bank.tap_deed(unit.table_id, mine, 24)) == "NOT_THE_BANKER"
    assert await reason(bank.tap_event(unit.table_id, guest, "ev01")) == "NOT_THE_BANKER"
    assert await reason(bank.tap_card(unit.table_id, mine, unit.cards[1])) == "NOT_YOUR_CARD"
    await bank.tap_deed(unit.table_id, unit.banker, 24)
    answer = await bank.tap_card(unit.table_id, mine, unit.cards[0])
    assert (answer.unit.frame.state, answer.unit.frame.square) == ("offer", 24)
    assert list(answer.unit.frame.expects) == ["tick", "cross", "m"]
    bought = await unit.press("TICK")
    assert not bought.HasField("operation")  # the money moved by the commit of the game
    [purchase] = [one async for one in bank.operations(unit.table_id, guest) if one.kind == "purchase"]
    assert [(one.debit, one.credit, one.amount) for one in purchase.entries] == [("seat-0", "bank", 260)]
    assert await reason(bank.undo(unit.table_id, unit.banker, purchase.version)) == "GAME_MOVES_MONEY"
    assert await reason(bank.add_card(unit.table_id, unit.banker, "dan")) == "GAME_MOVES_MONEY"
    assert await reason(bank.retire_card(unit.table_id, unit.banker, unit.cards[2])) == "GAME_MOVES_MONEY"


async def test_a_card_may_have_a_pin(bank: TerminalClient) -> None:
    """It is asked of everybody but the card's holder, before anything happens in the game."""
    unit = await opened(bank, shared=True)
    mine = (await bank.claim(unit.table_id, unit.cards[0], secret=unit.secrets[0])).card_token
    await bank.set_pin(unit.table_id, mine, unit.cards[0], "1234")
    for key in ("CROSS", "M"):  # the first key starts the unit
        await unit.press(key)

    async def tap(pin: str) -> terminal_pb2.OperateResponse:
        return await bank.tap_card(unit.table_id, unit.banker, unit.cards[0], pin=pin)

    assert await reason(tap("")) == "PIN_REQUIRED"
    assert await reason(tap("4321")) == "WRONG_PIN"
    assert [card.balance for card in (await unit.table()).cards] == [1500, 1500, 1500]
    paid = await tap("1234")
    assert (paid.unit.frame.state, paid.unit.frame.text) == ("booked", "200")
    assert [card.balance for card in (await unit.table()).cards] == [1700, 1500, 1500]


async def test_a_pause_stops_the_clock_of_an_auction(server: Running, bank: TerminalClient) -> None:
    """Nobody's bid is lost while the family eats."""
    unit = await opened(bank)
    await unit.place(0, 13)
    await unit.press("CROSS")
    running_ = (await unit.table()).unit.frame
    assert (running_.state, running_.HasField("until")) == ("auction", True)
    paused = await bank.pause(unit.table_id, unit.banker)
    assert paused.status == terminal_pb2.TABLE_STATUS_PAUSED
    game = await server.api.view(Table(unit.table_id, []))
    assert game.status == game_pb2.GAME_STATUS_PAUSED
    answer = await bank.tap_card(unit.table_id, unit.banker, unit.cards[1])
    assert answer.refusal == "TABLE_PAUSED"
    updates = bank.watch(unit.table_id, unit.banker)
    await anext(updates)
    await bank.resume(unit.table_id, unit.banker)
    bid = await bank.tap_card(unit.table_id, unit.banker, unit.cards[1])
    assert (bid.unit.frame.state, bid.unit.frame.text, bid.unit.frame.seat) == ("auction", "20", 1)
    ticks = 0
    async with asyncio.timeout(30):
        async for update in updates:
            ticks += list(update.sounds).count(terminal_pb2.SOUND_TICK)
            if update.HasField("table") and update.table.unit.frame.state == "idle":
                break
    assert 1 <= ticks <= 3  # the last three seconds are heard; one that is past is not made up for
    assert update.operations[0].kind == "auction"
    await updates.aclose()  # type: ignore[attr-defined]


async def test_a_long_game_is_paused(server: Running, bank: TerminalClient) -> None:
    """Also when its first commits are no longer remembered."""
    unit = await opened(bank)
    while (await server.api.view(Table(unit.table_id, []))).version <= WINDOW_COMMANDS:
        await bank.pause(unit.table_id, unit.banker)
        await bank.resume(unit.table_id, unit.banker)
    paused = await bank.pause(unit.table_id, unit.banker)
    assert paused.status == terminal_pb2.TABLE_STATUS_PAUSED
    async with Session(server.stack.addresses("game")[0]) as session:
        await session.resume(unit.table_id, mint_seat(server.keys, unit.table_id, 0))
    game = await server.api.view(Table(unit.table_id, []))
    assert game.status == game_pb2.GAME_STATUS_RUNNING


async def test_a_game_of_players_may_have_a_touch_unit(server: Running, bank: TerminalClient) -> None:
    """If its tokens are moved by hand; a rent then may wait for the card that is tapped."""
    engine = await server.api.begun(2, ruleset="ultimate-banking")
    assert await reason(bank.attach_unit(engine.game_id, engine.tokens[0], TOUCH)) == "INVALID_ARGUMENT"
    options = {"table.tokens": "by_hand", "debt.payment": "by_card"}
    game = await server.api.begun(2, options, ruleset="ultimate-banking")
    table = await bank.attach_unit(game.game_id, game.tokens[0], TOUCH)
    cards = [card.card_id for card in table.cards]
    await server.api.act(game, 0, place_token={"square": 24})
    await server.api.act(game, 0, buy_lot={})
    await bank.tap_deed(game.game_id, game.tokens[1], 24)
    owing = await bank.tap_card(game.game_id, game.tokens[1], cards[1])
    assert (owing.unit.frame.state, owing.unit.frame.text, owing.unit.frame.seat) == ("owes", "200", 1)
    paid = await bank.tap_card(game.game_id, game.tokens[1], cards[1])
    frame = paid.unit.frame
    assert (frame.state, frame.sign, frame.text, frame.seat, frame.owner) == ("booked", "-", "200", 1, 0)


async def test_a_wiped_game_is_over_for_the_unit(bank: TerminalClient) -> None:
    """X held for as long as it takes: the table is closed and ranks its players, watchers see it at once."""
    unit = await opened(bank)
    await unit.place(0, 35)
    await unit.press("TICK")
    await unit.place(1, 35)
    updates = bank.watch(unit.table_id, unit.banker)
    await anext(updates)
    wiped = await bank.hold(unit.table_id, unit.banker, "CROSS")
    assert (list(wiped.sounds), wiped.unit.frame.state) == ([terminal_pb2.SOUND_RESET], "closed")
    async with asyncio.timeout(20):
        while not (update := await anext(updates)).HasField("table"):
            pass
    assert update.table.status == terminal_pb2.TABLE_STATUS_CLOSED
    assert [(one.place, one.seat, one.total) for one in update.table.ranking] == [
        (1, 0, 1500 - 400 + 300 + 400),
        (2, 2, 1500),
        (3, 1, 1200),
    ]
    await updates.aclose()  # type: ignore[attr-defined]
    assert await reason(unit.press("TICK")) == "TABLE_CLOSED"
    assert await reason(bank.hold(unit.table_id, unit.banker, "CROSS")) == "TABLE_CLOSED"
    again = await opened(bank)
    assert again.table_id != unit.table_id


async def test_malformed_taps_name_what_is_wrong(bank: TerminalClient) -> None:
    """Numbers no board has, cards and tables there are not: each its own refusal."""
    unit = await opened(bank)
    far = await bank.tap_deed(unit.table_id, unit.banker, 2**32 - 1)
    assert far.refusal == "UNKNOWN_LOT"
    foreign = await opened(bank)
    card = await bank.tap_card(unit.table_id, unit.banker, foreign.cards[0])
    assert card.refusal == "CARD_UNKNOWN"
    assert (await bank.tap_event(unit.table_id, unit.banker, "x" * 200)).refusal == "INVALID_TARGET"
    assert (await bank.insert(unit.table_id, unit.banker, unit.cards[0])).refusal == "UNKNOWN_SLOT"
    request: Any = terminal_pb2.OperateRequest(table_id=unit.table_id, command_id="none")
    nothing = await refused(bank.stub.Operate(request, metadata=bearer(unit.banker)))
    assert (nothing.code, nothing.violations[0][0]) == (grpc.StatusCode.INVALID_ARGUMENT, "action")
