"""Calls and replies in the messages of open streams: what one side packs, the other side reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import bank_pb2
from magnate.game.v1 import game_pb2
from magnate.kit.rpc.calls import AnsweringCodec, AskingCodec
from magnate.kit.rpc.status import Failure
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from google.protobuf.message import Message

EXPIRE = timer_pb2.ExpireRequest(game_id="g", deadline_id="d")
EXPIRED = timer_pb2.ExpireReply(gone=timer_pb2.ExpireGone(version=3))
PAIRS: list[tuple[Any, Message, Message]] = [
    (bank_pb2, bank_pb2.CommitRequest(game_id="g"), bank_pb2.CommitResponse(conflict=bank_pb2.Conflict())),
    (auction_pb2, auction_pb2.ProposeRequest(game_id="g"), auction_pb2.ProposeResponse()),
    (auction_pb2, auction_pb2.ActRequest(game_id="g", seat=2), auction_pb2.ActResponse()),
    (auction_pb2, EXPIRE, EXPIRED),
    (game_pb2, game_pb2.ProposeRequest(game_id="g"), game_pb2.ProposeResponse()),
    (game_pb2, game_pb2.ForwardedAct(seat=1), game_pb2.PlayResult(command_id="c")),
    (game_pb2, EXPIRE, EXPIRED),
]


@pytest.mark.parametrize(("service", "ask", "answer"), PAIRS)
def test_what_is_packed_is_read(service: Any, ask: Message, answer: Message) -> None:
    """Every kind of call and reply of every service, and a failure instead, goes there and back."""
    asking: AskingCodec[Any, Any] = AskingCodec(service.ExchangeRequest)
    answering: AnsweringCodec[Any, Any] = AnsweringCodec(service.ExchangeResponse)
    sent = service.ExchangeRequest.FromString(asking.request([(7, ask), (9, ask)]).SerializeToString())
    assert list(answering.calls(sent)) == [(7, ask), (9, ask)]
    failure = Failure(grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME", "no such game")
    got = answering.response([(9, failure), (7, answer)]).SerializeToString()
    (first, failed), (second, read) = asking.replies(service.ExchangeResponse.FromString(got))
    assert (first, failed.code, failed.reason, failed.message) == (
        9,
        failure.code,
        failure.reason,
        failure.message,
    )
    assert (second, read) == (7, answer)


@pytest.mark.parametrize("service", [bank_pb2, auction_pb2, game_pb2])
def test_a_kind_of_another_release_is_told_apart(service: Any) -> None:
    """A call of an unknown kind is None for who answers; such a reply is a failure, never an empty answer."""
    asking: AskingCodec[Any, Any] = AskingCodec(service.ExchangeRequest)
    answering: AnsweringCodec[Any, Any] = AnsweringCodec(service.ExchangeResponse)
    request, response = service.ExchangeRequest(), service.ExchangeResponse()
    request.calls.add().id = 4
    response.replies.add().id = 4
    assert list(answering.calls(request)) == [(4, None)]
    ((number, failure),) = asking.replies(response)
    assert (number, failure.code) == (4, grpc.StatusCode.UNIMPLEMENTED)
