"""Answers of an open stream of posts: as many a message as clients take."""

from __future__ import annotations

from magnate.bank.poster import portions
from magnate.bank.v1 import ledger_pb2
from magnate.kit.limits import ERROR_BYTES_MAX


def test_answers_that_are_ready_together_are_sent_in_parts() -> None:
    """A hundred batches of a thousand long refusals: all of them, in order, each message below 4 MB."""
    result = ledger_pb2.PostResult(rejection="UNKNOWN_ACCOUNT", detail="x" * ERROR_BYTES_MAX)
    response = ledger_pb2.PostResponse(results=[result] * 1024)
    ready = [ledger_pb2.PostReply(command_id=str(number), response=response) for number in range(100)]
    messages = [ledger_pb2.PostStreamResponse(replies=replies) for replies in portions(ready)]
    assert max(message.ByteSize() for message in messages) < 4 * 1024 * 1024
    assert [reply for message in messages for reply in message.replies] == ready


def test_few_answers_are_one_message() -> None:
    """Failures have no results, and nothing ready is no message."""
    ready = [ledger_pb2.PostReply(command_id=str(number)) for number in range(256)]
    assert list(portions(ready)) == [ready]
    assert list(portions([])) == []
