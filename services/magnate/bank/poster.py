"""Posting as clients ask for it: who may, one call or many on an open stream, and how it is answered."""

from __future__ import annotations

import time
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.bank.domain.accounts import KIND_SEAT, kind_of
from magnate.bank.ledger_messages import write_result
from magnate.bank.posting import NotPosted, Outcome, Posted, actor_of, refuse_stranger
from magnate.bank.requests import content_of, read_batch, read_command, read_opening
from magnate.bank.v1 import ledger_pb2
from magnate.kit.errors import RefusedError
from magnate.kit.ids import derived_id
from magnate.kit.rpc.interceptors.auth import token_principal
from magnate.kit.rpc.lanes import Lanes
from magnate.kit.rpc.status import failure_of, put_failure
from magnate.kit.tokens import mint_table
from magnate.kit.transact_types import Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from magnate.bank.metrics import BankMetrics
    from magnate.bank.posting import Posting
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.call import Principal

Received: TypeAlias = "tuple[ledger_pb2.PostRequest, int]"
"""A batch and when it came."""
TOKENS_CACHED_MAX: Final = 65_536
OPENING_DIGEST_CHARS: Final = 32
RESULTS_PER_MESSAGE_MAX: Final = 2048
"""Of a stream: some 2 MB if each is a refusal in a thousand letters, where clients take 4 MB."""


class Poster:
    """Answers OpenLedger, Post and PostStream."""

    def __init__(self, posting: Posting, keys: KeyRing, clock: Clock, metrics: BankMetrics) -> None:
        self._posting = posting
        self._metrics = metrics
        self._keys = keys
        self._clock = clock
        self._principals: dict[str, Principal] = {}

    async def open(
        self, request: ledger_pb2.OpenLedgerRequest, caller: Principal
    ) -> ledger_pb2.OpenLedgerResponse:
        """Open a ledger.

        Whoever sends it again gets the tokens again. The log is open to all, so the command id that is stored
        is a digest, from which nobody can make the request again.
        """
        ledger, accounts = read_opening(request)
        command = read_command(
            request.command_id,
            content_of(request, "command_id"),
            actor="banker",
            received_at_ms=self._clock.now_ms(),
        )
        ledger_id = self._posting.ledger_id(caller.name, request.command_id)
        digest = sha256(f"{ledger_id}|{request.command_id}".encode()).hexdigest()
        command.command_id = derived_id("open", digest[:OPENING_DIGEST_CHARS])
        result = await self._posting.open(ledger_id, command, ledger, accounts)
        if isinstance(result, Refused):
            assert not isinstance(result.rejection, Posted), "nothing is posted when a ledger is opened"
            raise RefusedError(result.rejection, {"ledger_id": ledger_id})
        response = ledger_pb2.OpenLedgerResponse()
        response.ledger_id = ledger_id
        response.version = result.commit.version
        response.banker_token = mint_table(self._keys, ledger_id, "banker")
        response.replayed = result.replayed
        for one in accounts:
            if kind_of(one.account) == KIND_SEAT:
                added = response.account_tokens.add()
                added.account = one.account
                seat = int(one.account.removeprefix("seat-"))
                added.token = mint_table(self._keys, ledger_id, "card", seat)
        return response

    async def post(self, request: ledger_pb2.PostRequest, caller: Principal) -> ledger_pb2.PostResponse:
        """Post a batch; raises what the call is to end with."""
        response = ledger_pb2.PostResponse()
        await self._put_response(request, caller, self._clock.now_ms(), response)
        return response

    async def _put_response(
        self,
        request: ledger_pb2.PostRequest,
        caller: Principal,
        received_at_ms: int,
        response: ledger_pb2.PostResponse,
    ) -> None:
        started = time.perf_counter()
        try:
            outcome = await self._post(request, caller, received_at_ms)
        except BaseException:
            self._metrics.post_failed.inc()
            raise
        self._count(outcome, time.perf_counter() - started)
        if isinstance(outcome, NotPosted):
            about = {"ledger_id": request.ledger_id, "version": str(outcome.version)}
            raise RefusedError(outcome.rejection, about)
        response.ledger_id = request.ledger_id
        response.command_id = request.command_id
        response.version = outcome.version
        response.replayed = outcome.replayed
        for result in outcome.results:
            write_result(response.results.add(), result)

    async def stream(
        self, messages: AsyncIterator[ledger_pb2.PostStreamRequest], caller: Principal
    ) -> AsyncIterator[ledger_pb2.PostStreamResponse]:
        """Post the batches of a stream."""

        def received(message: ledger_pb2.PostStreamRequest) -> list[Received]:
            now_ms = self._clock.now_ms()
            return [(request, now_ms) for request in message.posts]

        async def carry_out(one: Received) -> ledger_pb2.PostReply:
            return await self._reply(one[0], caller, one[1])

        lanes: Lanes[ledger_pb2.PostStreamRequest, Received, ledger_pb2.PostReply]
        lanes = Lanes(received, lambda one: one[0].ledger_id, carry_out)
        async for ready in lanes.answers(messages):
            for replies in portions(ready):
                yield ledger_pb2.PostStreamResponse(replies=replies)

    async def _reply(
        self, request: ledger_pb2.PostRequest, caller: Principal, received_at_ms: int
    ) -> ledger_pb2.PostReply:
        reply = ledger_pb2.PostReply()
        reply.ledger_id = request.ledger_id
        reply.command_id = request.command_id
        try:
            await self._put_response(request, caller, received_at_ms, reply.response)
        except Exception as error:  # noqa: BLE001 - one batch's trouble is its own answer
            put_failure(failure_of(error), reply.failure)
        return reply

    async def _post(self, request: ledger_pb2.PostRequest, caller: Principal, received_at_ms: int) -> Outcome:
        batch = read_batch(request)
        if request.token:
            caller = self._principal(request.token)
        refuse_stranger(caller, batch)
        command = read_command(
            request.command_id,
            content_of(request, "command_id", "seen_version", "token"),
            actor=actor_of(caller),
            received_at_ms=received_at_ms,
            seen_version=request.seen_version,
        )
        return await self._posting.post(batch, command)

    def _count(self, outcome: Outcome, seconds: float) -> None:
        metrics = self._metrics
        metrics.post_seconds.observe(seconds)
        if isinstance(outcome, NotPosted):
            metrics.post_refused.inc()
            return
        (metrics.posted_again if outcome.replayed else metrics.posted).inc()
        done = 0
        for result in outcome.results:
            if result.rejection is None:
                done += 1
            else:
                metrics.post_results.labels(result.rejection.name).inc()
        metrics.post_results.labels("none").inc(done)

    def _principal(self, token: str) -> Principal:
        """Return who a token stands for; a verification costs 20 us, and a stream shows the same ones."""
        caller = self._principals.get(token)
        if caller is None:
            caller = token_principal(self._keys, token)
            if len(self._principals) >= TOKENS_CACHED_MAX:
                self._principals.clear()
            self._principals[token] = caller
        return caller


def portions(ready: list[ledger_pb2.PostReply]) -> Iterator[list[ledger_pb2.PostReply]]:
    """Cut answers into what fits into a message each."""
    portion: list[ledger_pb2.PostReply] = []
    results = 0
    for reply in ready:
        count = len(reply.response.results)
        if portion and results + count > RESULTS_PER_MESSAGE_MAX:
            yield portion
            portion, results = [], 0
        portion.append(reply)
        results += count
    if portion:
        yield portion
