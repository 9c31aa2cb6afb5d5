"""Commands over gRPC: one effect each, every refusal by name, two workers, many commands on one stream."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc
import pytest

from magnate.cli.records import read_records
from magnate.game.v1 import game_pb2
from magnate.kit.tokens import mint_seat
from tests.support.game_api import CALL_SECONDS, OPEN_BALANCES, SERVICE, Table, act_request, new_id, refused

if TYPE_CHECKING:
    from tests.support.game_api import Running

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
    pytest.mark.asyncio(loop_scope="session"),
]

UNKNOWN = "1-0-" + "f" * 24
CASH_OFFER = {"to_seat": 1, "terms": {"give_cash": 1}}


async def test_a_command_has_one_effect_at_both_workers(pair: Running) -> None:
    """Sent to both at the same moment and again later: one commit, and one answer that is not a replay."""
    table = await pair.api.begun()
    version = (await pair.api.view(table)).version
    one = new_id()
    answers = await asyncio.gather(
        *(worker.act(table, 0, command_id=one, offer_trade=CASH_OFFER) for worker in pair.workers * 3)
    )
    again = await pair.workers[1].act(table, 0, command_id=one, offer_trade=CASH_OFFER)
    assert {answer.version for answer in (*answers, again)} == {version + 1}
    assert [answer.replayed for answer in answers].count(False) == 1
    assert again.replayed
    assert all(list(answer.events) == list(again.events) for answer in answers)
    assert all(answer.command_id == one for answer in answers)
    assert len(await pair.api.export(table)) == version + 1


async def test_bids_have_one_effect_too(pair: Running) -> None:
    """A bid goes on to the auction service, from either worker, with its id."""
    table = await pair.api.at_auction(OPEN_BALANCES)
    one, bid = new_id(), {"lot": 6, "amount": 10}
    first = await pair.workers[0].act(table, 1, command_id=one, place_bid=bid)
    again = await pair.workers[1].act(table, 1, command_id=one, place_bid=bid)
    assert (first.replayed, again.replayed) == (False, True)
    assert first.version == again.version
    assert first.auction_events[0].bid_placed.amount == 10
    assert list(again.auction_events) == list(first.auction_events)
    assert first.situation.auction.leader == 1
    assert first.situation.waiting_seats == [0]
    error = await refused(pair.api.act(table, 1, command_id=one, place_bid={"lot": 6, "amount": 11}))
    assert error.reason == "COMMAND_ID_REUSED"
    ended = await pair.workers[1].act(table, 0, pass_auction={"lot": 6})
    assert [event.WhichOneof("kind") for event in ended.auction_events][-1] == "auction_closed"
    view = await pair.api.view(table)
    assert [lot.owner for lot in view.lots if lot.lot == 6] == [1]
    assert [seat.cash for seat in view.seats] == [1500, 1490]


async def test_what_a_bid_cannot_be_is_refused_by_name(pair: Running) -> None:
    """The auction service's own words come through the game service."""
    table = await pair.api.at_auction()
    await pair.api.act(table, 1, place_bid={"lot": 6, "amount": 10})
    for seat, command, reason in (
        (0, {"place_bid": {"lot": 6, "amount": 10}}, "BID_TOO_LOW"),
        (0, {"place_bid": {"lot": 6, "amount": 1501}}, "BID_EXCEEDS_FUNDS"),
        (0, {"place_bid": {"lot": 8, "amount": 20}}, "NO_AUCTION"),
        (0, {"place_bid": {"lot": 6, "amount": -5}}, "INVALID_AMOUNT"),
        (1, {"place_bid": {"lot": 6, "amount": 20}}, "ALREADY_LEADING"),
        (1, {"pass_auction": {"lot": 6}}, "ALREADY_LEADING"),
        (0, {"roll": {}}, "WRONG_PHASE"),
    ):
        error = await refused(pair.api.act(table, seat, **command))
        assert error.reason == reason, command
        assert error.metadata["game_id"] == table.game_id


async def test_a_command_for_something_else_keeps_its_id(pair: Running) -> None:
    """Other content or another seat under the same id is refused, at both workers."""
    table = await pair.api.begun()
    one = new_id()
    await pair.api.act(table, 0, command_id=one, offer_trade=CASH_OFFER)
    for worker in pair.workers:
        other = {"to_seat": 1, "terms": {"give_cash": 2}}
        error = await refused(worker.act(table, 0, command_id=one, offer_trade=other))
        assert (error.code, error.reason) == (grpc.StatusCode.ALREADY_EXISTS, "COMMAND_ID_REUSED")
        error = await refused(worker.act(table, 1, command_id=one, offer_trade=CASH_OFFER))
        assert error.reason == "COMMAND_ID_REUSED"


async def test_what_is_wrong_in_itself_names_the_field(pair: Running) -> None:
    """Ids, kinds and tokens of games that do not exist; nothing is stored."""
    table = await pair.api.begun()
    before = (await pair.api.view(table)).version
    nonsense = Table("nonsense", table.tokens)
    stranger = Table(UNKNOWN, [mint_seat(pair.keys, UNKNOWN, 0)])
    for worker in pair.workers:
        error = await refused(worker.act(nonsense, 0, roll={}))
        assert (error.code, error.violations[0][0]) == (grpc.StatusCode.INVALID_ARGUMENT, "game_id")
        error = await refused(worker.act(table, 0, command_id="a b", roll={}))
        assert (error.code, error.violations[0][0]) == (grpc.StatusCode.INVALID_ARGUMENT, "command_id")
        error = await refused(worker.act(table, 0))
        assert (error.code, error.violations[0][0]) == (grpc.StatusCode.INVALID_ARGUMENT, "command")
        error = await refused(worker.act(stranger, 0, roll={}))
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME")
        error = await refused(worker.act(stranger, 0, place_bid={"lot": 1, "amount": 1}))
        assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME")
        error = await refused(worker.act(table, 0, seen_version=1 << 60, roll={}))
        assert (error.code, error.reason) == (grpc.StatusCode.OUT_OF_RANGE, "SEEN_VERSION_AHEAD")
    assert (await pair.api.view(table)).version == before


async def test_reading_what_is_not_there_says_so(pair: Running) -> None:
    """Unknown games, seats and versions, for every method that reads."""
    table = await pair.api.begun()
    unknown = Table(UNKNOWN, [])
    assert (await refused(pair.api.view(unknown))).reason == "UNKNOWN_GAME"
    assert (await refused(pair.api.export(unknown))).reason == "UNKNOWN_GAME"
    assert (await refused(pair.api.view(Table("x", [])))).violations[0][0] == "game_id"
    watching = pair.api.stub.WatchGame(game_pb2.WatchGameRequest(game_id=UNKNOWN), timeout=CALL_SECONDS)
    assert (await refused(anext(aiter(watching)))).reason == "UNKNOWN_GAME"
    assert (await refused(pair.api.view(table, at_version=99))).violations[0][0] == "at_version"
    ahead = game_pb2.WatchGameRequest(game_id=table.game_id, after_version=99)
    watching = pair.api.stub.WatchGame(ahead, timeout=CALL_SECONDS)
    assert (await refused(anext(aiter(watching)))).violations[0][0] == "after_version"
    for seat in (-1, 2, 1 << 30):
        request = game_pb2.GetLegalActionsRequest(game_id=table.game_id, seat=seat)
        assert (await refused(pair.api.call("GetLegalActions", request))).reason == "UNKNOWN_SEAT"
    seen = game_pb2.GetGameRequest(game_id=table.game_id, seen_version=99)
    assert (await refused(pair.api.call("GetGame", seen))).violations[0][0] == "seen_version"


async def test_who_says_what_it_has_seen_reads_at_least_that(pair: Running) -> None:
    """One's own command is in what either worker shows next, and so is any version up to there."""
    table = await pair.api.begun()
    for number in range(1, 11):
        made = await pair.workers[number % 2].act(table, 0, offer_trade=CASH_OFFER)
        other = pair.workers[1 - number % 2]
        seen = game_pb2.GetGameRequest(game_id=table.game_id, seen_version=made.version)
        assert len((await other.call("GetGame", seen)).game.offers) >= 1
        legal = game_pb2.GetLegalActionsRequest(game_id=table.game_id, seat=0, seen_version=made.version)
        answer = await other.call("GetLegalActions", legal, table.tokens[0])
        assert answer.version >= made.version
        at = game_pb2.GetGameRequest(game_id=table.game_id, seen_version=1, at_version=made.version)
        assert (await other.call("GetGame", at)).game.version == made.version
        await pair.workers[number % 2].act(table, 0, withdraw_offer={"offer": number})


@pytest.mark.parametrize("method", ["CreateGame", "JoinGame", "Act", "GetGame", "WatchGame"])
async def test_bytes_that_are_no_message_are_refused(pair: Running, method: str) -> None:
    """INVALID_ARGUMENT with a reason, and the worker goes on."""
    error = await refused(pair.api.raw(method, b"\xff\xff\xff\xff"))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE")


async def test_a_message_that_is_too_large_is_refused(pair: Running) -> None:
    """Nothing beyond the server's bound is read, and an unknown method does not exist."""
    error = await refused(pair.api.raw("JoinGame", bytes(17 << 20)))
    assert error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (await refused(pair.api.raw("NoSuchMethod", b""))).code is grpc.StatusCode.UNIMPLEMENTED


async def test_a_command_without_bounds_is_refused(pair: Running) -> None:
    """A hundred thousand targets or lots, and amounts beyond all money, get an answer of the rules."""
    table = await pair.api.begun()
    many = list(range(100_000))
    for command in (
        {"mortgage_lots": {"lots": many}},
        {"build": {"targets": [{"lot": lot, "level": 1} for lot in many]}},
        {"offer_trade": {"to_seat": 1, "terms": {"give_lots": many}}},
        {"offer_trade": {"to_seat": 1, "terms": {"give_cash": (1 << 63) - 1}}},
        {"offer_trade": {"to_seat": -(1 << 31), "terms": {"give_cash": 1}}},
        {"choose_option": {"option": -1}},
    ):
        error = await refused(pair.api.act(table, 0, **command))
        assert error.code in {
            grpc.StatusCode.INVALID_ARGUMENT,
            grpc.StatusCode.FAILED_PRECONDITION,
            grpc.StatusCode.NOT_FOUND,
        }, (command.keys(), error)


async def test_a_command_that_has_seen_too_little_is_refused(pair: Running) -> None:
    """After more commands than a game remembers; and what is seen may be what the last answer said."""
    table = await pair.api.begun()
    version = 4
    for _ in range(130):
        made = game_pb2.PlayRequest(acts=[act_request(table, seen_version=version, offer_trade=CASH_OFFER)])
        [result] = await pair.api.play(made, token=table.tokens[0])
        [event] = [one.offer_made for one in result.accepted.events if one.HasField("offer_made")]
        answer = await pair.api.act(
            table, 0, seen_version=result.accepted.version, withdraw_offer={"offer": event.offer}
        )
        version = answer.version
    assert version > 256
    for worker in pair.workers:
        for seen in (0, 1):
            error = await refused(worker.act(table, 0, seen_version=seen, offer_trade=CASH_OFFER))
            assert error.reason == "COMMAND_TOO_OLD"
    pause = game_pb2.PauseGameRequest(command_id=new_id(), game_id=table.game_id, seen_version=version)
    paused = await pair.workers[1].call("PauseGame", pause, table.tokens[1])
    assert paused.version == version + 1


async def test_a_stream_carries_many_commands_in_one_message(pair: Running) -> None:
    """Of several seats and games; each gets its own result, refusals too, and the stream goes on."""
    table, other = await pair.api.begun(), await pair.api.begun()
    first = [
        act_request(table, command_id="offer", offer_trade=CASH_OFFER),
        act_request(table, command_id="self", offer_trade={"to_seat": 0, "terms": {"give_cash": 1}}),
        act_request(table, command_id="nothing"),
        act_request(Table("nonsense", []), command_id="nowhere", roll={}),
        act_request(table, command_id="reject", token=table.tokens[1], reject_offer={"offer": 1}),
        act_request(other, command_id="foreign", offer_trade=CASH_OFFER),
        act_request(other, command_id="other", token=other.tokens[0], offer_trade=CASH_OFFER),
    ]
    second = [act_request(table, command_id="offer", offer_trade=CASH_OFFER)]
    for worker in pair.workers:
        results = await worker.play(
            game_pb2.PlayRequest(acts=first), game_pb2.PlayRequest(acts=second), token=table.tokens[0]
        )
        found: dict[str, list[game_pb2.PlayResult]] = {}
        for result in results:
            found.setdefault(result.command_id, []).append(result)
        assert sum(len(one) for one in found.values()) == len(first) + len(second)
        reasons = {key: one[0].refused.reason for key, one in found.items()}
        assert reasons == {
            "offer": "", "self": "SELF_TRADE", "nothing": "INVALID_ARGUMENT", "nowhere": "INVALID_ARGUMENT",
            "reject": "", "foreign": "TOKEN_FOR_OTHER_GAME", "other": "",
        }  # fmt: skip
        [offered] = {one.accepted.version for one in found["offer"]}
        assert found["offer"][1].accepted.replayed
        assert found["reject"][0].accepted.version > offered
        assert found["self"][0].refused.game_id == table.game_id
    commits = read_records(table.game_id, await pair.api.export(table))
    actors = [commit.actor for commit in commits[4:] if commit.actor != "presence"]  # the stream was noted
    assert actors == ["seat-0", "seat-1"]
    assert (await pair.api.view(other)).version == 5


async def test_commands_of_one_stream_are_done_in_their_order(pair: Running) -> None:
    """An offer and its withdrawal a hundred times over, without waiting for any answer, at either worker."""
    for worker in pair.workers:
        table = await pair.api.begun()
        acts = []
        for number in range(1, 51):
            acts.append(act_request(table, token=table.tokens[0], offer_trade=CASH_OFFER))
            acts.append(act_request(table, token=table.tokens[0], withdraw_offer={"offer": number}))
        messages = [game_pb2.PlayRequest(acts=acts[at : at + 7]) for at in range(0, len(acts), 7)]
        results = await worker.play(*messages)
        assert [one.refused.reason for one in results if one.HasField("refused")] == []
        assert sorted(one.accepted.version for one in results) == list(range(5, 105))


async def test_a_stream_with_a_broken_message_ends(pair: Running) -> None:
    """What came before it is answered; then the stream says what was wrong instead of hanging."""
    table = await pair.api.begun()
    good = game_pb2.PlayRequest(acts=[act_request(table, token=table.tokens[0], offer_trade=CASH_OFFER)])
    call = pair.api.channel.stream_stream(
        f"/{SERVICE}/Play", lambda data: data, game_pb2.PlayResponse.FromString
    )
    stream = call(iter([good.SerializeToString(), b"\xff\xff\xff"]), timeout=CALL_SECONDS)
    messages = aiter(stream)
    [result] = (await anext(messages)).results
    assert result.accepted.version == 5
    error = await refused(anext(messages))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE")


async def test_both_workers_play_one_game(pair: Running) -> None:
    """Two seats, each at a worker of its own, act at once: every command lands, in one order of versions."""
    table = await pair.api.begun()

    async def talk(seat: int) -> list[int]:
        worker, versions = pair.workers[seat], []
        for _ in range(20):
            offer = {"to_seat": 1 - seat, "terms": {"give_cash": 1}}
            made = await worker.act(table, seat, offer_trade=offer)
            [event] = [one.offer_made for one in made.events if one.HasField("offer_made")]
            gone = await worker.act(table, seat, withdraw_offer={"offer": event.offer})
            versions += [made.version, gone.version]
        return versions

    mine, theirs = await asyncio.gather(talk(0), talk(1))
    assert sorted(mine + theirs) == list(range(5, 85))
    assert mine == sorted(mine)
    assert theirs == sorted(theirs)
