"""What every client says with a command: an id, and the newest version that it has seen of that log."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Final

import grpc
import pytest

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import terminal_pb2
from magnate.client.bidding import BiddingSession
from magnate.client.session import RefusedError, Session
from magnate.client.terminal import TerminalClient
from magnate.client.timers import TimerSession
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2
from tests.support.stubs import SERVICES, Recorder, failed

if TYPE_CHECKING:
    from grpc.aio import AioRpcError

pytestmark = pytest.mark.asyncio

LOG: Final = "a-log"
WHO: Final = (LOG, "token")
SEEN: Final = 300
NEWER: Final = 900


async def _ask_of_the_bank(bank: TerminalClient) -> None:
    await bank.claim(LOG, "card")
    await bank.press(*WHO, "ARROW")
    await bank.add_card(*WHO, "Eve")
    await bank.retire_card(*WHO, "card")
    await bank.set_pin(*WHO, "card", "4711")
    await bank.unlock_card(*WHO, "card")
    await bank.undo(*WHO, 7)
    await bank.pause(*WHO)
    await bank.resume(*WHO)
    await bank.close_table(*WHO)


async def _ask_of_the_hall(hall: BiddingSession) -> None:
    await hall.bid(*WHO, 10)
    await hall.pass_(*WHO)
    await hall.set_ceiling(*WHO, 10)
    await hall.sell(*WHO, "a lamp", auction_pb2.AuctionTerms())
    await hall.cancel(*WHO, 1)


async def _ask_of_timers(timers: TimerSession) -> None:
    await timers.schedule(*WHO, after_ms=1000)
    await timers.reschedule(*WHO, "t-1", after_ms=1000)
    await timers.cancel(*WHO, "t-1")
    await timers.pause(*WHO, "t-1")
    await timers.resume(*WHO, "t-1")


async def _ask_of_a_game(games: Session) -> None:
    await games.act(*WHO, vocabulary_pb2.Command())
    await games.pause(*WHO)
    await games.resume(*WHO)
    await games.grant_time(*WHO, 1, 30)


async def test_all_clients_say_what_they_have_seen() -> None:
    """Every command whose request has a place for it; of its own log, and never less than before."""
    asked = []
    async with AsyncExitStack() as exits:
        for kind, service, ask in (
            (TerminalClient, "TerminalService", _ask_of_the_bank),
            (BiddingSession, "AuctionService", _ask_of_the_hall),
            (TimerSession, "TimerService", _ask_of_timers),
            (Session, "GameService", _ask_of_a_game),
        ):
            client: Any = await exits.enter_async_context(kind("127.0.0.1:1"))
            recorder = Recorder(client, service)
            for log_id, version in ((LOG, SEEN), (LOG, SEEN - 1), ("another", NEWER)):
                client.note(log_id, version)
            await ask(client)
            asked += recorder.asked
            says = {
                method.input_type.name
                for method in SERVICES[service].methods
                if {"command_id", "seen_version"} <= set(method.input_type.fields_by_name.keys())
            }
            assert {one.DESCRIPTOR.name for one in recorder.asked} == says
    assert [(one.DESCRIPTOR.name, one.seen_version) for one in asked if one.seen_version != SEEN] == []
    assert len({one.command_id for one in asked if one.command_id}) == len(asked)


async def test_every_answer_counts_as_seen() -> None:
    """Whether it tells its version itself, or of a table or a game that has one."""
    async with TerminalClient("127.0.0.1:1") as bank, Session("127.0.0.1:1") as games:
        told = terminal_pb2.Table(table_id=LOG, version=40)
        bank_stub = Recorder(bank, "TerminalService", terminal_pb2.JoinTableResponse(table=told))
        await bank.join("ABCD-EFGH")  # the request names no table, the answer does
        await bank.pause(*WHO)
        assert bank_stub.asked[-1].seen_version == 40
        shown = game_pb2.GameView(game_id=LOG, version=50)
        game_stub = Recorder(
            games, "GameService", game_pb2.GetGameResponse(game=shown), game_pb2.ActResponse(version=51)
        )
        await games.game(LOG)
        await games.act(*WHO, vocabulary_pb2.Command())
        await games.act(*WHO, vocabulary_pb2.Command())
        assert [one.seen_version for one in game_stub.asked[1:]] == [50, 51]


async def _versions_said(
    *failures: AioRpcError, seen_version: int = 0, command_id: str = ""
) -> tuple[list[int], RefusedError | None]:
    """Press a key at a bank that fails so; return which versions were said, and how it ended."""
    async with TerminalClient("127.0.0.1:1") as bank:
        stub = Recorder(bank, "TerminalService", *failures)
        bank.note(LOG, SEEN)
        request = terminal_pb2.OperateRequest(table_id=LOG, seen_version=seen_version, command_id=command_id)
        error = None
        try:
            await bank.operate(request, "token")
        except RefusedError as refusal:
            error = refusal
        assert len({one.command_id for one in stub.asked}) == 1
        return [one.seen_version for one in stub.asked], error


def _too_old(version: int) -> AioRpcError:
    return failed(grpc.StatusCode.ABORTED, "COMMAND_TOO_OLD", version)


async def test_a_new_command_of_who_has_not_looked_for_long_is_sent_again() -> None:
    """The server cannot know that its id is new, but its sender does: as often as others are quicker."""
    assert await _versions_said(_too_old(NEWER)) == ([SEEN, NEWER], None)
    assert await _versions_said(_too_old(NEWER), _too_old(2000)) == ([SEEN, NEWER, 2000], None)


@pytest.mark.parametrize(
    ("named", "failures"),
    [
        ({}, [failed(grpc.StatusCode.UNAVAILABLE), _too_old(NEWER)]),
        ({}, [_too_old(NEWER), failed(grpc.StatusCode.UNAVAILABLE), _too_old(2000)]),
        ({}, [_too_old(SEEN)]),
        ({"command_id": "of-yesterday"}, [_too_old(NEWER)]),
        ({"seen_version": 10}, [_too_old(NEWER)]),
    ],
    ids=["outcome-unknown", "outcome-unknown-then", "nothing-newer", "own-id", "own-version"],
)
async def test_a_command_that_may_have_been_carried_out_is_not(
    named: dict[str, object], failures: list[AioRpcError]
) -> None:
    """It would act a second time; and who names an id or a version is told what became of just that."""
    said, error = await _versions_said(*failures, **named)  # type: ignore[arg-type]  # as they are named
    assert error is not None
    assert error.reason == "COMMAND_TOO_OLD"
    assert len(said) == len(failures)


async def test_a_refusal_is_told_as_it_is() -> None:
    """Also of what has no place for a version, such as to open a table."""
    async with TerminalClient("127.0.0.1:1") as bank:
        stub = Recorder(bank, "TerminalService", failed(grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_EDITION"))
        with pytest.raises(RefusedError) as refusal:
            await bank.open_table(["Ann"], edition="none")
        assert refusal.value.reason == "UNKNOWN_EDITION"
        assert len(stub.asked) == 1
