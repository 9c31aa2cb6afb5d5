"""How a client reads refusals, and that it sends the same command again after an unknown outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.client.session import RefusedError, Session, bearer, new_command_id, refused
from tests.support.stubs import failed

if TYPE_CHECKING:
    from grpc.aio import AioRpcError


def test_a_refusal_has_its_stable_reason() -> None:
    """The reason comes from the ErrorInfo, not from the text."""
    error = refused(failed(grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN"))
    assert (error.reason, error.message) == ("NOT_YOUR_TURN", "why")
    assert error.code is grpc.StatusCode.FAILED_PRECONDITION
    assert error.version == 7


def test_an_error_without_details_is_named_by_its_status() -> None:
    """A proxy's error still has a reason."""
    error = refused(failed(grpc.StatusCode.UNIMPLEMENTED))
    assert (error.reason, error.version) == ("UNIMPLEMENTED", 0)


async def _attempts(errors: list[AioRpcError], retry_seconds: float) -> tuple[int, Any]:
    tries = 0

    async def send() -> str:
        nonlocal tries
        tries += 1
        if errors:
            raise errors.pop(0)
        return "answer"

    async with Session("127.0.0.1:1", retry_seconds=retry_seconds) as session:
        try:
            return tries, await session.call(send)
        except RefusedError as error:
            return tries, error
        finally:
            assert tries


@pytest.mark.asyncio
async def test_an_unknown_outcome_is_tried_again() -> None:
    """UNAVAILABLE is not an answer."""
    _, answer = await _attempts([failed(grpc.StatusCode.UNAVAILABLE)], 5)
    assert answer == "answer"


@pytest.mark.asyncio
async def test_a_refusal_is_not_tried_again() -> None:
    """A refusal is an answer."""
    _, answer = await _attempts([failed(grpc.StatusCode.FAILED_PRECONDITION, "WRONG_PHASE")], 5)
    assert isinstance(answer, RefusedError)
    assert answer.reason == "WRONG_PHASE"


@pytest.mark.asyncio
async def test_it_gives_up_in_the_end() -> None:
    """After the time there is for it the last error is told."""
    _, answer = await _attempts([failed(grpc.StatusCode.UNAVAILABLE) for _ in range(50)], 0)
    assert isinstance(answer, RefusedError)
    assert answer.code is grpc.StatusCode.UNAVAILABLE


def test_command_ids_differ() -> None:
    """Ids are what makes a command have one effect."""
    assert len({new_command_id() for _ in range(1000)}) == 1000


def test_the_token_travels_as_a_bearer() -> None:
    """The metadata is what the API asks for."""
    assert bearer("v1.a.b") == (("authorization", "Bearer v1.a.b"),)
