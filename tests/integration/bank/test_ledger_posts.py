"""Batches posted to stand-alone ledgers over gRPC: what lands, what is refused, what is answered again."""

from __future__ import annotations

import asyncio

import pytest

from magnate.bank.v1 import bank_pb2, ledger_pb2
from magnate.client.ledger import post_request, transfer
from magnate.client.posting import PostStream
from magnate.client.session import RefusedError, bearer
from tests.integration.bank.standing import opened, posted, refusal
from tests.support.game_api import refused
from tests.support.ledgers import capture, hold, release, reverse, serving

pytestmark = pytest.mark.asyncio


async def test_a_batch_has_a_result_for_each() -> None:
    """Done, refused and balanced ones side by side; the same command again has the same results."""
    async with serving() as served:
        ledger = await opened(served)
        batch = [
            transfer("seat-0", "seat-2", 60, "rent", transfer_id="a"),
            transfer("seat-0", "seat-2", 60, "rent", transfer_id="b"),
            transfer("seat-0", "seat-2", 60, "debt", transfer_id="c", up_to=True),
            transfer("seat-0", "seat-2", 60, "debt", transfer_id="d", up_to=True),
            hold("h", "seat-1", 70),
            capture("h", "bank", 50, "e"),
            bank_pb2.Instruction(open_account=bank_pb2.OpenAccount(account="escrow-x")),
            transfer("seat-0", "seat-2", 60, "rent", transfer_id="a"),
        ]
        once = await served.session.post(ledger.ledger_id, ledger.banker_token, batch, command_id="one")
        assert [(one.entry_id, one.moved, one.replayed, one.rejection) for one in once.results] == [
            ("3.0", 60, False, ""),
            ("", 0, False, "INSUFFICIENT_FUNDS"),
            ("3.1", 40, False, ""),
            ("", 0, False, "NOTHING_TO_MOVE"),
            ("", 70, False, ""),
            ("3.3", 50, False, ""),
            ("", 0, False, ""),
            ("3.0", 60, True, ""),
        ]
        again = await served.session.post(ledger.ledger_id, ledger.banker_token, batch, command_id="one")
        assert (again.version, again.replayed) == (3, True)
        assert [(one.entry_id, one.moved, one.replayed, one.rejection) for one in again.results] == [
            (one.entry_id, one.moved, one.replayed, one.rejection) for one in once.results
        ]
        later = await served.session.post(ledger.ledger_id, ledger.banker_token, batch, command_id="two")
        assert [one.replayed for one in later.results] == [True, False, True, False, True, True, False, True]
        assert [one.rejection for one in later.results] == [
            "", "INSUFFICIENT_FUNDS", "", "NOTHING_TO_MOVE", "", "", "ACCOUNT_EXISTS", "",
        ]  # fmt: skip
        assert (later.version, later.replayed) == (3, False)
        assert await posted(served, ledger.ledger_id) == [0, 50, 100]


async def test_a_command_id_stands_for_one_batch_of_one_caller() -> None:
    """Another batch, the same by another caller, or all of it or none: refused, and nothing is posted."""
    async with serving() as served:
        ledger = await opened(served)
        card = {one.account: one.token for one in ledger.account_tokens}["seat-0"]
        batch = [transfer("seat-0", "seat-1", 5, transfer_id="a")]
        await served.session.post(ledger.ledger_id, ledger.banker_token, batch, command_id="c")
        other = [transfer("seat-0", "seat-1", 6, transfer_id="b")]
        for token, asks, whole in (
            (ledger.banker_token, other, False),
            (ledger.banker_token, batch, True),
            (card, batch, False),
        ):
            again = served.session.post(ledger.ledger_id, token, asks, all_or_none=whole, command_id="c")
            assert await refusal(again) == ("ALREADY_EXISTS", "COMMAND_ID_REUSED")
        assert await posted(served, ledger.ledger_id) == [95, 105, 0]


async def test_chains_and_whole_batches_land_all_or_none() -> None:
    """A chain that fails leaves the others alone; all_or_none leaves nothing."""
    async with serving() as served:
        ledger = await opened(served)
        batch = [
            transfer("seat-0", "seat-2", 10, linked=True),
            transfer("seat-2", "seat-1", 200),
            transfer("seat-1", "seat-2", 7),
            transfer("seat-0", "seat-2", 1, linked=True),
            transfer("seat-2", "seat-1", 8),
            transfer("seat-0", "seat-2", 1, linked=True),
        ]
        answer = await served.session.post(ledger.ledger_id, ledger.banker_token, batch)
        assert [one.rejection for one in answer.results] == [
            "LINKED_REFUSED", "INSUFFICIENT_FUNDS", "", "", "", "LINKED_CHAIN_OPEN",
        ]  # fmt: skip
        assert await posted(served, ledger.ledger_id) == [99, 101, 0]
        whole = await served.session.post(
            ledger.ledger_id,
            ledger.banker_token,
            [transfer("seat-0", "seat-2", 1), transfer("seat-2", "seat-1", 2)],
            all_or_none=True,
        )
        assert [one.rejection for one in whole.results] == ["LINKED_REFUSED", "INSUFFICIENT_FUNDS"]
        assert whole.version == answer.version
        assert await posted(served, ledger.ledger_id) == [99, 101, 0]


async def test_a_transfer_is_taken_back_once() -> None:
    """By a new entry that names it, with note and actor; never twice, never into overdraft."""
    async with serving() as served:
        ledger = await opened(served)
        session, ledger_id, token = served.session, ledger.ledger_id, ledger.banker_token
        await session.post(ledger_id, token, [transfer("seat-0", "seat-2", 30, "rent", transfer_id="rent")])
        await session.post(ledger_id, token, [transfer("seat-2", "bank", 10, "tax")])
        [short] = (await session.post(ledger_id, token, [reverse("back", "rent")])).results
        assert short.rejection == "INSUFFICIENT_FUNDS"
        await session.post(ledger_id, token, [transfer("bank", "seat-2", 10, "gift")])
        batch = [reverse("back", "rent", "wrong lot"), reverse("twice", "rent"), reverse("of", "back")]
        done = (await session.post(ledger_id, token, batch)).results
        assert [one.rejection for one in done] == ["", "ALREADY_REVERSED", "NOT_REVERSIBLE"]
        assert await posted(served, ledger_id) == [100, 100, 0]
        [line] = await session.statement(ledger_id, reason="reversal")
        assert (line.entry_id, line.debit, line.credit, line.amount) == (
            done[0].entry_id,
            "seat-2",
            "seat-0",
            30,
        )
        assert (line.reverses, line.note, line.actor) == ("rent", "wrong lot", "banker")
        about = ledger_pb2.GetTransferRequest(ledger_id=ledger_id, transfer_id="rent")
        old = await session.stub.GetTransfer(about)
        assert (old.kind, old.reversed_by, old.amount) == (ledger_pb2.TRANSFER_KIND_TRANSFER, "back", 30)
        about.transfer_id = "back"
        new = await session.stub.GetTransfer(about)
        assert (new.kind, new.reverses) == (ledger_pb2.TRANSFER_KIND_REVERSAL, "rent")
        about.transfer_id = "none"
        assert await refusal(session.call(lambda: session.stub.GetTransfer(about))) == (
            "NOT_FOUND",
            "UNKNOWN_TRANSFER",
        )


async def test_a_capture_is_taken_back_like_a_transfer() -> None:
    """A hold that was captured cannot be captured or released again, but its payment can be taken back."""
    async with serving() as served:
        ledger = await opened(served)
        batch = [
            hold("h", "seat-0", 80),
            capture("h", "seat-2", 50, "pay"),
            release("h"),
            reverse("back", "pay"),
            reverse("hold-back", "h"),
        ]
        answer = await served.session.post(ledger.ledger_id, ledger.banker_token, batch)
        assert [one.rejection for one in answer.results] == ["", "", "UNKNOWN_HOLD", "", "NOT_REVERSIBLE"]
        assert await posted(served, ledger.ledger_id) == [100, 100, 0]


async def test_a_malformed_batch_names_its_field() -> None:
    """Nothing of it is posted."""
    async with serving() as served:
        ledger = await opened(served)
        without_id = transfer("seat-0", "seat-1", 5)
        without_id.transfer.transfer_id = ""
        no_capture_id = capture("h", "seat-1", 5, "")
        for field, batch in {
            "instructions": [],
            r"instructions\[0\]": [bank_pb2.Instruction()],
            r"instructions\[1\].transfer.transfer_id": [transfer("seat-0", "seat-1", 5), without_id],
            r"instructions\[0\].capture_hold.transfer_id": [no_capture_id],
            "terminal:": [transfer("seat-0", "seat-1", 5, transfer_id="terminal:5.0")],
            "1025": [release("h")] * 1025,
        }.items():
            with pytest.raises(RefusedError, match=field) as caught:
                await served.session.post(ledger.ledger_id, ledger.banker_token, batch)
            assert caught.value.reason == "INVALID_ARGUMENT"
        for command_id in ("", "expire:x", "a b", "c" * 129):
            request = post_request(ledger.ledger_id, [release("h")])
            request.command_id = command_id
            error = await refused(served.session.stub.Post(request, metadata=bearer(ledger.banker_token)))
            assert (error.code.name, error.violations[0][0]) == ("INVALID_ARGUMENT", "command_id")
        assert await posted(served, ledger.ledger_id) == [100, 100, 0]


@pytest.mark.parametrize("amount", [0, -100, -(2**63)])
async def test_amounts_that_are_none_move_nothing(amount: int) -> None:
    """Case C043: a negative amount takes nothing from the payee."""
    async with serving() as served:
        ledger = await opened(served)
        for instruction in (
            transfer("seat-0", "seat-1", amount),
            transfer("seat-0", "seat-1", amount, up_to=True),
            hold("h", "seat-0", amount),
            transfer("seat-0", "seat-0", 40),
        ):
            [result] = (
                await served.session.post(ledger.ledger_id, ledger.banker_token, [instruction])
            ).results
            assert result.rejection in {"INVALID_AMOUNT", "SAME_ACCOUNT"}
        assert await posted(served, ledger.ledger_id) == [100, 100, 0]


async def test_a_pot_is_an_account_of_its_own() -> None:
    """Case C045: it is fed by the bank and by players, pays out what is in it, and is never below zero."""
    async with serving() as served:
        ledger = await opened(served)
        batch = [
            transfer("bank", "pot-parking", 500, "pot"),
            transfer("seat-0", "pot-parking", 100, "tax"),
            transfer("pot-parking", "seat-1", 2**62, "parking", up_to=True),
            transfer("pot-parking", "seat-2", 2**62, "parking", up_to=True),
            transfer("pot-parking", "seat-2", 1, "parking"),
        ]
        answer = await served.session.post(ledger.ledger_id, ledger.banker_token, batch)
        assert [(one.moved, one.rejection) for one in answer.results] == [
            (500, ""),
            (100, ""),
            (600, ""),
            (0, "NOTHING_TO_MOVE"),
            (0, "INSUFFICIENT_FUNDS"),
        ]
        assert await posted(served, ledger.ledger_id) == [0, 700, 0]


async def test_a_stream_carries_many_batches_and_names_each_failure() -> None:
    """Batches of one ledger in their order; a failing one is its own answer."""
    async with serving() as served:
        ledgers = [await opened(served) for _ in range(3)]
        async with PostStream(served.session) as stream:
            requests = [
                post_request(one.ledger_id, [transfer("seat-0", "seat-2", 10)], token=one.banker_token)
                for _ in range(12)
                for one in ledgers
            ]
            requests.append(post_request("nonsense", [release("h")], token=ledgers[0].banker_token))
            requests.append(post_request(ledgers[0].ledger_id, [release("h")], token="v1.no.token"))
            replies = await asyncio.gather(*(stream.post(request) for request in requests))
        for number, one in enumerate(ledgers):
            results = [reply.response.results[0].rejection for reply in replies[number:36:3]]
            assert results == [""] * 10 + ["INSUFFICIENT_FUNDS"] * 2
            assert await posted(served, one.ledger_id) == [0, 100, 100]
        assert (replies[36].failure.code, replies[36].failure.reason) == (3, "INVALID_ARGUMENT")
        assert (replies[37].failure.code, replies[37].failure.reason) == (16, "TOKEN_MALFORMED")


async def test_two_devices_pay_eighty_from_a_hundred() -> None:
    """Case C048: exactly one of two succeeds, whatever their order."""
    async with serving() as served:
        for _ in range(10):
            ledger = await opened(served)
            answers = await asyncio.gather(
                *(
                    served.session.post(
                        ledger.ledger_id, ledger.banker_token, [transfer("seat-0", "seat-2", 80)]
                    )
                    for _ in range(2)
                )
            )
            results = [one.results[0].rejection for one in answers]
            assert sorted(results) == ["", "INSUFFICIENT_FUNDS"]
            assert await posted(served, ledger.ledger_id) == [20, 100, 80]


async def test_an_old_client_need_not_know_the_version() -> None:
    """After more commits than commands are remembered, ids of transfers still keep each from acting twice."""
    async with serving() as served:
        ledger = await opened(served)
        first = [transfer("bank", "seat-2", 1, transfer_id="n0")]
        request = post_request(ledger.ledger_id, first, command_id="c0", token=ledger.banker_token)
        async with PostStream(served.session) as stream:
            await stream.post(request)
            for number in range(1, 300):
                batch = [transfer("bank", "seat-2", 1, transfer_id=f"n{number}")]
                reply = await stream.post(post_request(ledger.ledger_id, batch, token=ledger.banker_token))
                assert reply.response.results[0].rejection == ""
            again = await stream.post(request)
            assert again.response.results[0].replayed
            request.seen_version = 2
            assert (await stream.post(request)).failure.reason == "COMMAND_TOO_OLD"
        assert await posted(served, ledger.ledger_id) == [100, 100, 300]
