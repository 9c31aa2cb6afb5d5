"""Units attached to running games, over real processes: what is owed shows, and one key pays it."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio

from magnate.bank.tables.credentials import veiled
from magnate.bank.v1 import terminal_pb2
from magnate.cli.check import check_game
from magnate.client.bots.sensible import SensibleBot
from magnate.client.player import Player
from magnate.client.session import RefusedError, Session
from magnate.client.terminal import TerminalClient
from magnate.game.v1 import game_pb2
from magnate.kit.ids import rendezvous
from magnate.kit.rpc.channels import Peers
from magnate.log.v1 import log_pb2
from magnate.peers.game import SeatCommands
from magnate.rules.v1 import vocabulary_pb2
from tests.support.dice import to_a_lot
from tests.support.game_api import Table, act_request, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.game_api import Running

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("units-in-games"),
    pytest.mark.asyncio(loop_scope="session"),
]

BY_CARD = {"debt.payment": "by_card"}
TWO_SLOT, ONE_SLOT = terminal_pb2.UNIT_MODEL_TWO_SLOT, terminal_pb2.UNIT_MODEL_ONE_SLOT


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """Run a server with two workers of each service, where sandboxes are allowed."""
    async with running(tmp_path_factory.mktemp("units"), workers=2, sandbox=True) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def bank(server: Running) -> AsyncIterator[TerminalClient]:
    """Connect to the first worker of the bank."""
    async with TerminalClient(server.stack.addresses("bank")[0]) as client:
        yield client


async def charged(server: Running, options: dict[str, str] = BY_CARD, **fields: Any) -> Table:
    """Return a table for two at which seat 1 owes seat 0 the rent of lot 6."""
    sandbox = game_pb2.Sandbox(dice=[*to_a_lot(more=0), 2, 4, *([1, 2] * 9)], **fields)
    table = await server.api.begun(2, options, sandbox=sandbox)
    await server.api.act(table, 0, roll={})
    await server.api.act(table, 0, buy_lot={})
    await server.api.act(table, 0, end_turn={})
    await server.api.act(table, 1, roll={})
    return table


def cards_of(table: terminal_pb2.Table) -> list[str]:
    """Return the ids of the cards by seat."""
    return [card.card_id for card in table.cards]


def shown(answer: terminal_pb2.OperateResponse) -> tuple[str, str, str, int, str]:
    """Return word, sign, text, seat and refusal of the display."""
    frame = answer.unit.frame
    return (frame.state, frame.sign, frame.text, frame.seat, frame.refusal)


async def cash(server: Running, table: Table) -> list[int]:
    """Return what each seat has, as its own token is told."""
    found = []
    for seat, token in enumerate(table.tokens):
        answer = await server.api.call("GetGame", game_pb2.GetGameRequest(game_id=table.game_id), token)
        found.append(answer.game.seats[seat].cash)
    return found


@pytest.mark.parametrize(("model", "right", "key"), [(TWO_SLOT, True, "M"), (ONE_SLOT, False, "MINUS")])
async def test_the_card_shows_what_is_owed_and_a_key_pays_it(
    server: Running, bank: TerminalClient, model: terminal_pb2.UnitModel.ValueType, right: bool, key: str
) -> None:
    """The rent waits for the card; what moves is the game's own entry, once; the game goes on."""
    game = await charged(server)
    game_id, mine = game.game_id, game.tokens[1]
    table = await bank.attach_unit(game_id, game.tokens[0], model)
    cards = cards_of(table)
    assert (table.in_game, table.model, table.opening_amount, table.go_amount) == (True, model, 1500, 200)
    assert [card.owes for card in table.cards] == [0, 6]
    seen = await bank.insert(game_id, mine, cards[1], right=right)
    assert shown(seen) == ("owes", "-", "6", 1, "")
    assert await cash(server, game) == [1400, 1500]

    request = terminal_pb2.OperateRequest(table_id=game_id, command_id="press-1")
    request.press.key = terminal_pb2.KEY_M if key == "M" else terminal_pb2.KEY_MINUS
    paid = await bank.operate(request, mine)
    assert shown(paid) == ("booked", "", "1494", 1, "")
    assert (list(paid.sounds), paid.refusal, paid.unit.outcome) == ([terminal_pb2.SOUND_BOOKED], "", "booked")
    again = await bank.operate(request, mine)
    assert again.replayed
    assert (again.version, shown(again)) == (paid.version, shown(paid))
    bounced = await bank.press(game_id, mine, key)
    assert (bounced.refusal, list(bounced.sounds)) == ("ALREADY_BOOKED", [terminal_pb2.SOUND_ERROR])
    await bank.press(game_id, mine, "C")
    nothing = await bank.press(game_id, mine, key)
    assert shown(nothing) == ("error", "", "1494", 1, "NOT_IN_DEBT")

    view = await server.api.view(game)
    assert not view.debts
    assert await cash(server, game) == [1406, 1494]
    history = [one async for one in bank.operations(game_id, mine)]
    assert (history[0].kind, [entry.amount for entry in history[0].entries]) == ("rent", [6])
    assert (history[0].actor, history[-1].kind) == (f"card:{cards[1]}", "start_money")
    await server.api.act(game, 1, end_turn={})
    await server.api.act(game, 0, roll={})


async def test_nothing_else_moves_the_money_of_a_game(server: Running, bank: TerminalClient) -> None:
    """Amounts, GO and a new game are refused by the unit; cards and money by the table."""
    game = await charged(server)
    mine = game.tokens[1]
    cards = cards_of(await bank.attach_unit(game.game_id, mine, TWO_SLOT))
    await bank.insert(game.game_id, mine, cards[1])
    for key in ("5", "0", "ARROW", "K"):
        answer = await bank.press(game.game_id, mine, key)
        assert answer.refusal == ("NO_CARD" if key == "K" else "GAME_MOVES_MONEY"), key
    assert (await bank.hold(game.game_id, mine, "C")).refusal == "GAME_MOVES_MONEY"
    assert (await bank.press(game.game_id, mine, "PLUS")).refusal == "UNKNOWN_KEY"
    assert shown(await bank.press(game.game_id, mine, "."))[0] == "volume"
    with pytest.raises(RefusedError, match="NOT_THE_BANKER"):
        await bank.undo(game.game_id, mine, 2)
    assert await cash(server, game) == [1400, 1500]


async def test_what_the_rules_refuse_the_unit_refuses(server: Running, bank: TerminalClient) -> None:
    """Who has not the money sees so on the display, hears it, and still owes; then he raises it and pays."""
    sandbox = game_pb2.Sandbox(dice=[2, 4, 1, 2], cash=[1400, 5])
    position = sandbox.position
    position.turn_seat, position.phase, position.round = 1, vocabulary_pb2.PHASE_ROLL, 1
    for by_seat in (position.at, position.jailed, position.jail_tries, position.out):
        by_seat.extend([0, 0])
    position.owner.extend(0 if square == 6 else 1 if square == 8 else -1 for square in range(40))
    position.level.extend([0] * 40)
    position.mortgaged.extend([0] * 40)
    position.houses, position.hotels, position.offered_lot = 32, 12, -1
    game = await server.api.begun(2, BY_CARD, sandbox=sandbox)
    await server.api.act(game, 1, roll={})
    mine = game.tokens[1]
    cards = cards_of(await bank.attach_unit(game.game_id, mine, ONE_SLOT))
    assert shown(await bank.insert(game.game_id, mine, cards[1])) == ("owes", "-", "6", 1, "")
    before = (await server.api.view(game)).version
    poor = await bank.press(game.game_id, mine, "MINUS")
    assert shown(poor) == ("error", "-", "6", 1, "INSUFFICIENT_FUNDS")
    assert (list(poor.sounds), poor.unit.outcome) == ([terminal_pb2.SOUND_ERROR], "refused")
    assert poor.detail == "6 is owed, and less is there"
    view = await server.api.view(game)
    assert ([debt.amount for debt in view.debts], view.version) == ([6], before + 1)
    await server.api.act(game, 1, mortgage_lots={"lots": [8]})
    assert shown(await bank.press(game.game_id, mine, "MINUS")) == ("booked", "", "49", 1, "")
    assert await cash(server, game) == [1406, 49]


async def test_who_may_do_what_at_the_unit_of_a_game(server: Running, bank: TerminalClient) -> None:
    """A seat's token is as good as its card's; guests look on; nobody takes a card that is not his."""
    game = await charged(server)
    table = await bank.attach_unit(game.game_id, game.tokens[0])
    cards = cards_of(table)
    guest = (await bank.join(table.join_code)).guest_token
    stranger = await server.api.begun(2)

    async def refusal(call: Any) -> str:
        with pytest.raises(RefusedError) as error:
            await call
        return error.value.reason

    assert await refusal(bank.attach_unit(game.game_id, game.tokens[1])) == "ALREADY_ATTACHED"
    assert await refusal(bank.attach_unit(game.game_id, stranger.tokens[0])) == "TOKEN_FOR_OTHER_GAME"
    assert await refusal(bank.attach_unit("1-0-" + "f" * 24, guest)) == "TOKEN_MISSING"
    assert await refusal(bank.table(game.game_id, stranger.tokens[0])) == "TOKEN_MISSING"
    assert await refusal(bank.claim(game.game_id, cards[0], token=guest)) == "NOT_YOUR_CARD"
    assert await refusal(bank.claim(game.game_id, cards[0], token=game.tokens[1])) == "NOT_YOUR_CARD"
    assert await refusal(bank.press(game.game_id, guest, "M")) == "NOT_THE_BANKER"
    assert await refusal(bank.insert(game.game_id, game.tokens[0], cards[1])) == "NOT_YOUR_CARD"
    claimed = await bank.claim(game.game_id, cards[1], token=game.tokens[1])
    again = await bank.claim(game.game_id, cards[1], secret=claimed.secret)
    assert again.card_token == claimed.card_token
    await bank.insert(game.game_id, claimed.card_token, cards[1], right=True)
    paid = await bank.press(game.game_id, game.tokens[0], "M")  # any seat may press: the card is in
    assert paid.unit.frame.state == "booked"


async def test_hidden_balances_stay_hidden(server: Running, bank: TerminalClient) -> None:
    """Row 88: what is on a card its holder sees, on the display, too; the debt lies open."""
    game = await charged(server)
    table = await bank.attach_unit(game.game_id, game.tokens[0])
    cards, guest = cards_of(table), (await bank.join(table.join_code)).guest_token
    assert [(card.hidden, card.balance) for card in table.cards] == [(False, 1400), (True, 0)]
    seen = await bank.insert(game.game_id, game.tokens[1], cards[1], right=True)
    assert shown(seen) == ("owes", "-", "6", 1, "")
    for token in (guest, game.tokens[0]):
        assert (await bank.table(game.game_id, token)).unit.frame.text == "6"
    paid = await bank.press(game.game_id, game.tokens[0], "M")
    assert (paid.unit.frame.state, paid.unit.frame.text) == ("booked", "")
    for token, text in ((guest, ""), (game.tokens[0], ""), (game.tokens[1], "1494")):
        looked = await bank.table(game.game_id, token)
        assert (looked.unit.frame.text, looked.cards[1].hidden) == (text, text == "")
    assert all(card.hidden for card in (await bank.table(game.game_id, guest)).cards)


async def test_watchers_see_the_game_move(server: Running, bank: TerminalClient) -> None:
    """A debt that comes about in the game shows at the unit without anybody pressing anything."""
    game = await server.api.begun(2, BY_CARD, sandbox=game_pb2.Sandbox(dice=[*to_a_lot(more=0), 2, 4, 1, 2]))
    mine = game.tokens[1]
    cards = cards_of(await bank.attach_unit(game.game_id, mine, ONE_SLOT))
    await bank.insert(game.game_id, mine, cards[1])
    updates = bank.watch(game.game_id, mine)
    first = await anext(updates)
    assert (first.table.unit.frame.state, first.table.unit.frame.text) == ("balance", "1500")
    for seat, command in ((0, "roll"), (0, "buy_lot"), (0, "end_turn"), (1, "roll")):
        fields: dict[str, Any] = {command: {}}
        await server.api.act(game, seat, **fields)
    owing = None
    async with asyncio.timeout(20):
        while owing is None:
            update = await anext(updates)
            if update.HasField("table") and update.table.cards[1].owes:
                owing = update.table
    assert (owing.unit.frame.state, owing.unit.frame.text, owing.unit.frame.sign) == ("owes", "6", "-")
    await bank.press(game.game_id, mine, "MINUS")
    operations: list[str] = []
    async with asyncio.timeout(20):
        while "rent" not in operations or not update.sounds:
            update = await anext(updates)
            operations += [one.kind for one in update.operations]
    assert list(update.sounds) == [terminal_pb2.SOUND_BOOKED]
    assert (update.table.unit.frame.state, update.table.cards[1].owes) == ("booked", 0)
    await updates.aclose()  # type: ignore[attr-defined]


async def test_a_unit_needs_a_game_in_play(server: Running, bank: TerminalClient) -> None:
    """Not before it begins, not when it is over; and only a model that there is."""
    game = await server.api.full_table(2)
    with pytest.raises(RefusedError, match="NOT_STARTED"):
        await bank.attach_unit(game.game_id, game.tokens[0])
    await server.api.start(game)
    with pytest.raises(RefusedError, match="model"):
        await bank.attach_unit(game.game_id, game.tokens[0], terminal_pb2.UNIT_MODEL_NONE)
    await server.api.act(game, 0, resign={})
    with pytest.raises(RefusedError, match="GAME_OVER"):
        await bank.attach_unit(game.game_id, game.tokens[0])
    other = await charged(server)
    request = terminal_pb2.AttachUnitRequest(game_id=other.game_id, command_id="attach-1")
    metadata = (("authorization", f"Bearer {other.tokens[0]}"),)
    first = await bank.stub.AttachUnit(request, metadata=metadata)
    again = await bank.stub.AttachUnit(request, metadata=metadata)
    assert cards_of(first.table) == cards_of(again.table)
    with contextlib.suppress(grpc.aio.AioRpcError):
        request.model = ONE_SLOT
        await bank.stub.AttachUnit(request, metadata=metadata)
        raise AssertionError("another request under the same id was taken")


async def test_a_press_whose_bank_died_in_the_middle_ends_as_if_nothing_had_been(
    server: Running, bank: TerminalClient
) -> None:
    """The rules have paid, the unit has not heard of it: the press comes again, and nothing is paid twice."""
    game = await charged(server)
    mine = game.tokens[1]
    table = await bank.attach_unit(game.game_id, mine, ONE_SLOT)
    await bank.insert(game.game_id, mine, cards_of(table)[1])
    digest = veiled(server.keys, server.keys.current_id, game.game_id, "move", "press-x").hex()[:32]
    made = act_request(game, command_id=f"unit:{digest}", pay_debt={"by_card": True})
    seats = SeatCommands(Peers(server.stack.addresses("game"), rendezvous), server.keys, "bank")
    result = await seats.act(made, 1, int(time.time() * 1000))
    await seats.close()
    assert result.accepted.events[0].debt_paid.amount == 6
    assert not (await server.api.view(game)).debts
    request = terminal_pb2.OperateRequest(table_id=game.game_id, command_id="press-x")
    request.press.key = terminal_pb2.KEY_MINUS
    paid = await bank.operate(request, mine)
    assert (shown(paid), paid.replayed) == (("booked", "", "1494", 1, ""), False)
    assert paid.version == result.accepted.version + 1
    assert await cash(server, game) == [1406, 1494]


async def test_several_presses_at_once_pay_once(server: Running, bank: TerminalClient) -> None:
    """Both workers of the bank, several phones: one payment, and every other press is told so."""
    game = await charged(server)
    mine = game.tokens[1]
    table = await bank.attach_unit(game.game_id, mine, TWO_SLOT, shared_unit=True)
    await bank.insert(game.game_id, mine, cards_of(table)[1], right=True)
    async with TerminalClient(server.stack.addresses("bank")[1]) as other:
        presses = [one.press(game.game_id, mine, "M") for one in (bank, other) * 4]
        answers = await asyncio.gather(*presses)
    refusals = sorted(one.refusal for one in answers)
    assert refusals.count("") == 1
    assert set(refusals) <= {"", "ALREADY_BOOKED", "NOT_IN_DEBT"}
    assert await cash(server, game) == [1406, 1494]


async def test_bots_pay_at_the_unit_until_the_game_is_over(server: Running, bank: TerminalClient) -> None:
    """Every payment of a whole game waits for its card; the unit and the players write to one log at once."""
    seats = 3
    options = {**BY_CARD, "end.turns_max": "60"}
    async with Session(server.stack.addresses("game")[0]) as session:
        game_id = await session.create_game(ruleset="short", seat_count=seats, options=options)
        joined = [await session.join(game_id, f"bot {seat}") for seat in range(seats)]
        await session.start(game_id, joined[0].token)
        table = await bank.attach_unit(game_id, joined[0].token, ONE_SLOT)
        cards, tokens = cards_of(table), [one.token for one in joined]
        players = [
            Player(session, game_id, seat, tokens[seat], SensibleBot(random.Random(seat)))
            for seat in range(seats)
        ]
        playing = [asyncio.create_task(one.play()) for one in players]
        paid = 0
        async for update in bank.watch(game_id, tokens[0]):
            if update.HasField("table") and update.table.ranking:
                break
            for owing in [card.seat for card in update.table.cards if card.owes]:
                own = (await bank.table(game_id, tokens[owing])).cards[owing]
                if 0 < own.owes <= own.balance:
                    await bank.insert(game_id, tokens[owing], cards[owing])
                    answer = await bank.press(game_id, tokens[owing], "MINUS")
                    assert answer.refusal in {"", "INSUFFICIENT_FUNDS", "NOT_IN_DEBT"}, answer
                    paid += not answer.refusal
                    await bank.remove(game_id, tokens[owing])
        await asyncio.gather(*playing)
        view = await session.game(game_id)
        assert view.status == game_pb2.GAME_STATUS_OVER
        assert paid > 0
        events = [
            event.WhichOneof("kind")
            for record in await session.export(game_id)
            for section in log_pb2.PublicPart.FromString(record.public).sections
            if section.kind == log_pb2.SECTION_KIND_RULES
            for event in game_pb2.RulesSection.FromString(section.body).events
        ]
        assert events.count("debt_paid") == paid
        checked = await check_game(session, game_id, server.stack.addresses("bank")[0])
        assert checked.ok, checked.faults
        table = await bank.table(game_id, tokens[0])
        assert [one.seat for one in table.ranking] == list(view.ranking)
        assert not any(card.hidden for card in table.cards)
