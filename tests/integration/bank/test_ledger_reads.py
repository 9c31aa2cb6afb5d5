"""Reading ledgers over gRPC: at a time, filtered, private, proven; for games and for tables alike."""

from __future__ import annotations

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from magnate.bank.v1 import bank_pb2, bank_pb2_grpc, ledger_pb2
from magnate.client.ledger import transfer
from magnate.client.proof import ProofError, verify
from magnate.client.session import RefusedError
from magnate.kit.clock import FakeClock
from magnate.kit.rpc.channels import peer_metadata
from tests.support.banking import KEYS, START_MS, new_game
from tests.support.game_api import bearer, refused
from tests.support.ledgers import SEATS, Served, capture, hold, reverse, serving

pytestmark = pytest.mark.asyncio
SECOND = 1000


def at(time_ms: int) -> Timestamp:
    """Return a time in the words of the proto."""
    return Timestamp(seconds=time_ms // 1000, nanos=time_ms % 1000 * 1_000_000)


async def told(served: Served, *, private: bool = False) -> ledger_pb2.OpenLedgerResponse:
    """Return a ledger with one commit a second: opened, start, rent and holds, capture, reversal."""
    ledger = await served.session.open(SEATS, unit="M", scale=1000, private=private)
    for batch in [
        [transfer("bank", "seat-0", 100, "start"), transfer("bank", "seat-1", 100, "start")],
        [
            transfer("seat-0", "seat-1", 30, "rent", transfer_id="rent"),
            hold("bid", "seat-1", 50, START_MS + 9 * SECOND),
            hold("short", "seat-1", 10, START_MS + 5 * SECOND),
        ],
        [capture("bid", "bank", 20, "price")],
        [reverse("back", "rent", "wrong lot")],
    ]:
        served.clock.advance(SECOND)
        answer = await served.session.post(ledger.ledger_id, ledger.banker_token, batch)
        assert not any(one.rejection for one in answer.results)
    return ledger


async def test_figures_at_a_time_and_at_a_version() -> None:
    """A time has the version that was newest then; a hold that lapsed is not held, commit or not."""
    async with serving() as served:
        ledger = await told(served)
        stub, ledger_id = served.session.stub, ledger.ledger_id
        for seconds, version, figures in [
            (0, 1, (0, 0)),
            (1, 2, (100, 0)),
            (1.999, 2, (100, 0)),
            (2, 3, (130, 60)),
            (3, 4, (110, 10)),
            (4, 5, (80, 10)),
            (4.999, 5, (80, 10)),
            (5, 5, (80, 0)),
            (86400, 5, (80, 0)),
        ]:
            asked = ledger_pb2.GetBalancesRequest(
                ledger_id=ledger_id, time=at(START_MS + int(seconds * SECOND))
            )
            answer = await stub.GetBalances(asked)
            [seat] = [one for one in answer.balances if one.account == "seat-1"]
            assert (answer.version, (seat.posted, seat.held)) == (version, figures), seconds
            assert seat.available == seat.posted - seat.held
            assert answer.time == asked.time
            trial = await stub.GetTrialBalance(
                ledger_pb2.GetTrialBalanceRequest(ledger_id=ledger_id, time=asked.time)
            )
            assert (trial.version, trial.debit_total) == (version, trial.credit_total)
            holds = await stub.ListHolds(ledger_pb2.ListHoldsRequest(ledger_id=ledger_id, time=asked.time))
            assert sum(one.amount for one in holds.holds) == figures[1]
            assert (holds.currency.unit, trial.currency.scale) == ("M", 1000)
        before = ledger_pb2.GetBalancesRequest(ledger_id=ledger_id, time=at(START_MS - 1))
        assert (await refused(stub.GetBalances(before))).reason == "TIME_BEFORE_LEDGER"
        before.time.CopyFrom(at(START_MS))
        before.version = 1
        error = await refused(stub.GetBalances(before))
        assert (error.reason, error.violations[0][0]) == ("INVALID_ARGUMENT", "time")
        before.version = 0
        before.time.seconds = -5
        assert (await refused(stub.GetBalances(before))).reason == "INVALID_ARGUMENT"


async def test_now_is_now_though_nothing_was_committed() -> None:
    """The newest figures let go of a hold at its very moment, and money can be spent from then on."""
    async with serving() as served:
        ledger = await told(served)
        for by, held in ((0, 10), (999, 10), (1, 0)):
            served.clock.advance(by)
            seat = (await served.session.balances(ledger.ledger_id))["seat-1"]
            assert (seat.posted, seat.held) == (80, held)
        whole = [transfer("seat-1", "bank", 80, "all")]
        [result] = (await served.session.post(ledger.ledger_id, ledger.banker_token, whole)).results
        assert result.rejection == ""


async def test_a_clock_that_goes_back_frees_nothing_early_and_nothing_twice() -> None:
    """Time never goes back in the log: a hold that lapsed in it stays so, one that did not is still held."""
    clock = FakeClock(START_MS)
    async with serving(clock=clock) as served:
        session = served.session
        ledger = await session.open(SEATS)
        ledger_id, token = ledger.ledger_id, ledger.banker_token
        batch = [
            transfer("bank", "seat-0", 100, "start"),
            hold("a", "seat-0", 60, START_MS + 10 * SECOND),
            hold("b", "seat-0", 40, START_MS + 30 * SECOND),
        ]
        await session.post(ledger_id, token, batch)
        clock.set(START_MS - 3600 * SECOND)
        [early] = (await session.post(ledger_id, token, [transfer("seat-0", "seat-1", 1)])).results
        assert early.rejection == "INSUFFICIENT_FUNDS"
        clock.set(START_MS + 10 * SECOND)
        [due] = (await session.post(ledger_id, token, [transfer("seat-0", "seat-1", 60)])).results
        assert due.rejection == ""
        clock.set(START_MS - 3600 * SECOND)
        for batch in (
            [capture("a", "seat-1", 1, "late")],
            [transfer("seat-0", "seat-1", 1)],
            [hold("c", "seat-0", 1, START_MS + 5 * SECOND)],
        ):
            [result] = (await session.post(ledger_id, token, batch)).results
            assert result.rejection in {"UNKNOWN_HOLD", "INSUFFICIENT_FUNDS", "INVALID_EXPIRY"}
        balances = await session.balances(ledger_id)
        assert (balances["seat-0"].posted, balances["seat-0"].held) == (40, 40)
        asked = ledger_pb2.GetBalancesRequest(ledger_id=ledger_id)
        answer = await session.stub.GetBalances(asked)
        assert answer.time == answer.commit_time == at(START_MS + 10 * SECOND)
        lines = await session.statement(ledger_id)
        times = [line.post_time.ToMilliseconds() for line in lines]
        assert times == sorted(times)
        clock.set(START_MS + 3600 * SECOND)
        assert (await session.balances(ledger_id))["seat-0"].available == 40


async def test_a_statement_by_counterparty_and_reason() -> None:
    """Each filter alone and together, page by page; a token belongs to its statement."""
    async with serving() as served:
        ledger = await told(served)
        session, ledger_id = served.session, ledger.ledger_id
        for account, counterparty, reason, expected in [
            ("", "", "", ["start", "start", "rent", "capture", "reversal"]),
            ("seat-1", "", "", ["start", "rent", "capture", "reversal"]),
            ("seat-1", "bank", "", ["start", "capture"]),
            ("bank", "seat-1", "capture", ["capture"]),
            ("", "seat-0", "", ["start", "rent", "reversal"]),
            ("", "", "start", ["start", "start"]),
            ("seat-0", "seat-0", "", []),
            ("seat-0", "seat-2", "", []),
        ]:
            lines = await session.statement(ledger_id, account, counterparty=counterparty, reason=reason)
            assert [line.reason for line in lines] == expected
        request = ledger_pb2.GetStatementRequest(
            ledger_id=ledger_id, account="seat-1", counterparty="bank", page_size=1
        )
        first = await session.stub.GetStatement(request)
        request.page_token = first.next_page_token
        second = await session.stub.GetStatement(request)
        assert [first.lines[0].balance, second.lines[0].balance] == [100, 110]
        assert second.next_page_token == ""
        request.counterparty = "seat-0"
        assert (await refused(session.stub.GetStatement(request))).violations[0][0] == "page_token"
        request.page_token, request.counterparty = "", "seat-9"
        assert (await refused(session.stub.GetStatement(request))).reason == "UNKNOWN_ACCOUNT"


async def test_private_balances_of_a_stand_alone_ledger() -> None:
    """A seat sees its own, the banker all, others none, by any way of asking; payments are in the open."""
    async with serving() as served:
        ledger = await told(served, private=True)
        stub, ledger_id = served.session.stub, ledger.ledger_id
        cards = {one.account: one.token for one in ledger.account_tokens}
        everything = {"bank", *SEATS}
        for token, shown in [
            ("", {"bank"}),
            (cards["seat-1"], {"bank", "seat-1"}),
            (ledger.banker_token, everything),
        ]:
            metadata = bearer(token)
            for moment in ({}, {"version": 2}, {"time": at(START_MS + SECOND)}):
                balances = (
                    await stub.GetBalances(
                        ledger_pb2.GetBalancesRequest(ledger_id=ledger_id, **moment), metadata=metadata
                    )
                ).balances
                assert {one.account for one in balances if not one.hidden} == shown
                assert not any(one.posted or one.held or one.available for one in balances if one.hidden)
                rows = (
                    await stub.GetTrialBalance(
                        ledger_pb2.GetTrialBalanceRequest(ledger_id=ledger_id, **moment), metadata=metadata
                    )
                ).rows
                assert {one.account for one in rows if not one.hidden} == shown
            for account in everything:
                for counterparty, reason in (("", ""), ("bank", ""), ("", "start")):
                    asked = ledger_pb2.GetStatementRequest(
                        ledger_id=ledger_id, account=account, counterparty=counterparty, reason=reason
                    )
                    if account in shown:
                        await stub.GetStatement(asked, metadata=metadata)
                    else:
                        error = await refused(stub.GetStatement(asked, metadata=metadata))
                        assert error.reason == "BALANCE_HIDDEN"
        by_payee = ledger_pb2.GetStatementRequest(ledger_id=ledger_id, counterparty="seat-1")
        assert not any(line.balance for line in (await stub.GetStatement(by_payee)).lines)


async def test_an_entry_is_proven_and_no_changed_byte_passes() -> None:
    """The chain from its commit to the head arrives at the known hash, and only with the very bytes."""
    async with serving() as served:
        ledger = await told(served)
        session, ledger_id = served.session, ledger.ledger_id
        stored = await served.log.last(ledger_id)
        assert stored is not None
        lines = await session.statement(ledger_id)
        proof = await session.proof(ledger_id, lines[0].entry_id)
        known = proof.head_hash
        for line in lines:
            proof = await session.proof(ledger_id, line.entry_id)
            assert (proof.head_version, proof.head_hash) == (5, known)
            entry = verify(proof, known)
            assert (entry.debit, entry.credit, entry.amount) == (line.debit, line.credit, line.amount)
            assert (entry.reason, entry.transfer_id) == (line.reason, line.transfer_id)
            assert (entry.ledger_id, entry.time_ms) == (ledger_id, line.post_time.ToMilliseconds())
        proof = await session.proof(ledger_id, lines[2].entry_id)
        for name in ("public", "secret_digest", "previous_hash"):
            whole: bytes = getattr(proof, name)
            for place in range(len(whole)):
                forged = type(proof).FromString(proof.SerializeToString())
                setattr(forged, name, whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
                with pytest.raises(ProofError):
                    verify(forged, known)
        for number in range(len(proof.links)):
            forged = type(proof).FromString(proof.SerializeToString())
            forged.links[number].public_digest = bytes(32)
            with pytest.raises(ProofError):
                verify(forged, known)
        with pytest.raises(ProofError, match="known hash"):
            verify(proof, bytes(32))


async def test_a_proof_says_only_what_it_proves() -> None:
    """Of another log, another version, a record that is no entry, too few links: each is refused."""
    async with serving() as served:
        ledger = await told(served)
        session, ledger_id = served.session, ledger.ledger_id
        proof = await session.proof(ledger_id, "3.0", 4)
        known = proof.head_hash
        assert verify(proof, known).reason == "rent"
        for name, value in [
            ("ledger_id", new_game("other")),
            ("entry_id", "2.0"),
            ("entry_id", "3.1"),
            ("entry_id", "3.9"),
            ("entry_id", "3.x"),
            ("head_version", 5),
        ]:
            forged = type(proof).FromString(proof.SerializeToString())
            setattr(forged, name, value)
            with pytest.raises(ProofError):
                verify(forged, known)
        for entry_id, reason in [
            ("3.1", "UNKNOWN_ENTRY"),
            ("3.9", "UNKNOWN_ENTRY"),
            ("9.0", "UNKNOWN_ENTRY"),
            ("3", "INVALID_ARGUMENT"),
            ("03.0", "INVALID_ARGUMENT"),
            ("0.0", "INVALID_ARGUMENT"),
            ("-3.0", "INVALID_ARGUMENT"),
            ("", "INVALID_ARGUMENT"),
        ]:
            with pytest.raises(RefusedError) as caught:
                await session.proof(ledger_id, entry_id)
            assert caught.value.reason == reason
        for head, reason in ((2, "INVALID_ARGUMENT"), (6, "VERSION_NOT_REACHED")):
            with pytest.raises(RefusedError) as caught:
                await session.proof(ledger_id, "3.0", head)
            assert caught.value.reason == reason


async def test_a_games_ledger_is_served_by_the_same_calls() -> None:
    """Also one of a release that stored neither currency nor ids: what is not known is left out."""
    async with serving() as served:
        game_id = new_game("old")
        request = bank_pb2.CommitRequest(game_id=game_id, now_ms=START_MS, received_at_ms=START_MS)
        request.command.command_id = "create"
        for name in ("bank", "seat-0"):
            request.instructions.add().open_account.account = name
        pay = request.instructions.add().transfer
        pay.debit, pay.credit, pay.amount, pay.reason = "bank", "seat-0", 1500, "start"
        peer = bank_pb2_grpc.BankPeerServiceStub(served.session._channel)
        await peer.Commit(request, metadata=peer_metadata(KEYS, "game"))
        session = served.session
        answer = await session.stub.GetBalances(ledger_pb2.GetBalancesRequest(ledger_id=game_id))
        assert not answer.HasField("currency")
        assert not answer.standalone
        [line] = await session.statement(game_id, "seat-0")
        assert (line.entry_id, line.transfer_id, line.balance) == ("1.2", "", 1500)
        proof = await session.proof(game_id, line.entry_id)
        assert verify(proof, proof.head_hash).amount == 1500
