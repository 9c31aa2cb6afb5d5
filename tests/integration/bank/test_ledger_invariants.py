"""Fifteen things that hold of every ledger worth the name, each shown through the public API alone.

The list is that of an open conformance kit for ledgers; the words are our own.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest

from magnate.bank.fold import LedgerFold
from magnate.bank.v1 import bank_pb2, ledger_pb2
from magnate.client.ledger import LedgerSession, transfer
from magnate.client.proof import ProofError, verify
from magnate.kit.log.fold import Loader
from tests.support.banking import KEYS
from tests.support.ledgers import SEATS, Served, capture, hold, release, reverse, serving

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.asyncio
MOST = 2**63 - 1


class Book:
    """A stand-alone ledger with 1000 on each seat's account."""

    def __init__(self, served: Served, ledger: ledger_pb2.OpenLedgerResponse) -> None:
        self.session: LedgerSession = served.session
        self.ledger_id = ledger.ledger_id
        self.token = ledger.banker_token

    async def post(
        self, *asks: bank_pb2.Instruction, all_or_none: bool = False
    ) -> list[ledger_pb2.PostResult]:
        """Post a batch and return its results."""
        answer = await self.session.post(self.ledger_id, self.token, asks, all_or_none=all_or_none)
        return list(answer.results)

    async def balances(self) -> dict[str, int]:
        """Return what is posted on each account."""
        found = await self.session.balances(self.ledger_id)
        return {name: one.posted for name, one in found.items()}

    async def entries(self) -> list[ledger_pb2.StatementLine]:
        """Return all entries."""
        return await self.session.statement(self.ledger_id)


async def book(served: Served) -> Book:
    """Open one."""
    made = Book(served, await served.session.open([*SEATS, "pot-parking"], unit="$"))
    await made.post(*(transfer("bank", seat, 1000, "start") for seat in SEATS))
    return made


def some(seed: int, count: int) -> list[bank_pb2.Instruction]:
    """Return transfers, holds and the like, right and wrong ones mixed."""
    draw = random.Random(seed)
    names = [*SEATS, "pot-parking", "bank"]
    asks = []
    for number in range(count):
        amount, key = draw.choice([1, 40, 700, 5000]), f"{seed}-{number}"
        older = f"{seed}-{draw.randrange(number + 1)}"
        asks.append(
            draw.choice(
                [
                    transfer(draw.choice(names), draw.choice(names), amount, transfer_id=key),
                    transfer(draw.choice(names), draw.choice(names), amount, transfer_id=key, up_to=True),
                    hold(key, draw.choice(names), amount),
                    capture(older, draw.choice(names), amount, key),
                    release(older),
                    reverse(key, older),
                ]
            )
        )
    return asks


def told(results: Sequence[ledger_pb2.PostResult]) -> list[str]:
    """Return the rejections."""
    return [one.rejection for one in results]


async def test_1_every_entry_balances() -> None:
    """Each takes from one account what it gives to another, so all accounts together stand at zero."""
    async with serving() as served:
        one = await book(served)
        await one.post(*some(1, 120))
        assert all(line.amount > 0 and line.debit != line.credit for line in await one.entries())
        for version in (1, 2, 3):
            trial = await one.session.stub.GetTrialBalance(
                ledger_pb2.GetTrialBalanceRequest(ledger_id=one.ledger_id, version=version)
            )
            assert trial.debit_total == trial.credit_total
        assert sum((await one.balances()).values()) == 0


async def test_2_what_was_written_is_never_changed() -> None:
    """Whatever comes later, earlier versions, their entries and their bytes stay as they were."""
    async with serving() as served:
        one = await book(served)
        await one.post(*some(2, 30))
        before = await one.entries()
        stored = [commit.data for commit in await served.log.load(one.ledger_id)]
        balances = await one.session.balances(one.ledger_id, 2)
        await one.post(*some(3, 30), *(reverse(f"r{line.entry_id}", line.transfer_id) for line in before))
        assert (await one.entries())[: len(before)] == before
        now = [commit.data for commit in await served.log.load(one.ledger_id)]
        assert now[: len(stored)] == stored
        assert await one.session.balances(one.ledger_id, 2) == balances


async def test_3_the_log_is_a_chain_of_hashes() -> None:
    """A commit that is changed breaks the chain for everybody who knows a later hash."""
    async with serving() as served:
        one = await book(served)
        for number in range(5):
            await one.post(transfer("seat-0", "seat-1", 1 + number))
        proof = await one.session.proof(one.ledger_id, "2.0")
        assert verify(proof, proof.head_hash).amount == 1000
        proof.public = proof.public.replace(b"seat-0", b"seat-9", 1)
        with pytest.raises(ProofError):
            verify(proof, proof.head_hash)


async def test_4_a_duplicate_changes_nothing() -> None:
    """By command or by transfer: the answer is the first one's, and nothing is written."""
    async with serving() as served:
        one = await book(served)
        ask = transfer("seat-0", "seat-1", 100, transfer_id="x")
        first = await one.session.post(one.ledger_id, one.token, [ask], command_id="c")
        for command_id in ("c", "other"):
            again = await one.session.post(one.ledger_id, one.token, [ask], command_id=command_id)
            assert again.results[0].entry_id == first.results[0].entry_id
            assert again.replayed or again.results[0].replayed
        assert len(await served.log.load(one.ledger_id)) == first.version
        other = transfer("seat-0", "seat-1", 101, transfer_id="x")
        assert told(await one.post(other)) == ["TRANSFER_ID_REUSED"]


async def test_5_duplicates_at_the_same_moment_become_one() -> None:
    """Also by different commands, whose transfers race each other."""
    async with serving() as served:
        one = await book(served)
        answers = await asyncio.gather(
            *(one.post(transfer("seat-0", "seat-1", 100, transfer_id="x")) for _ in range(16))
        )
        assert len({answer[0].entry_id for answer in answers}) == 1
        assert [answer[0].replayed for answer in answers].count(False) == 1
        assert (await one.balances())["seat-1"] == 1100


async def test_6_no_update_of_a_busy_account_is_lost() -> None:
    """A hundred payments into one account from many clients all count."""
    async with serving() as served:
        one = await book(served)
        await asyncio.gather(*(one.post(transfer("bank", "pot-parking", 1 + n)) for n in range(100)))
        assert (await one.balances())["pot-parking"] == sum(range(1, 101))


async def test_7_transfers_between_accounts_keep_their_sum() -> None:
    """However many run at once, what the seats have together stays what it was."""
    async with serving() as served:
        one = await book(served)
        draw = random.Random(7)
        pairs = [draw.sample(SEATS, 2) for _ in range(60)]
        await asyncio.gather(*(one.post(transfer(a, b, draw.randint(1, 900))) for a, b in pairs))
        balances = await one.balances()
        assert sum(balances[seat] for seat in SEATS) == 3000


async def test_8_balances_are_what_entries_add_up_to() -> None:
    """At every version, and the statement's running balance ends at them."""
    async with serving() as served:
        one = await book(served)
        for seed in range(4):
            await one.post(*some(80 + seed, 20))
        lines = await one.entries()
        for version in range(1, lines[-1].version + 1):
            sums = dict.fromkeys(await one.balances(), 0)
            for line in lines:
                if line.version <= version:
                    sums[line.debit] -= line.amount
                    sums[line.credit] += line.amount
            found = await one.session.balances(one.ledger_id, version)
            assert {name: account.posted for name, account in found.items()} == {
                name: sums[name] for name in found
            }
        for name, posted in (await one.balances()).items():
            mine = await one.session.statement(one.ledger_id, name)
            assert (mine[-1].balance if mine else 0) == posted


async def test_9_draining_never_overdraws() -> None:
    """Many clients take from one account until it is empty: it ends at zero, and holds are left alone."""
    async with serving() as served:
        one = await book(served)
        await one.post(hold("kept", "seat-0", 100))
        answers = await asyncio.gather(*(one.post(transfer("seat-0", "bank", 70)) for _ in range(40)))
        done = [answer[0].rejection for answer in answers].count("")
        assert done == 12
        seat = (await one.session.balances(one.ledger_id))["seat-0"]
        assert (seat.posted, seat.held, seat.available) == (160, 100, 60)


async def test_10_amounts_lose_no_digit() -> None:
    """Whole numbers of 64 bits, up to the last one; nothing wraps, nothing is rounded."""
    async with serving() as served:
        one = Book(served, await served.session.open(["seat-0", "pot-parking"]))
        odd = 2**53 + 1
        whole = [transfer("bank", "seat-0", odd), transfer("bank", "seat-0", MOST - odd)]
        assert told(await one.post(*whole)) == ["", ""]
        assert await one.balances() == {"bank": -MOST, "seat-0": MOST, "pot-parking": 0}
        assert told(await one.post(transfer("bank", "seat-0", 1))) == ["AMOUNT_OVERFLOW"]
        assert told(await one.post(transfer("bank", "pot-parking", 1))) == ["AMOUNT_OVERFLOW"]
        assert told(await one.post(transfer("seat-0", "pot-parking", MOST))) == [""]


async def test_11_a_ledger_has_one_currency() -> None:
    """It is named once, with the first record, and cannot become another."""
    async with serving() as served:
        one = await book(served)
        other = bank_pb2.Instruction(open_ledger=bank_pb2.OpenLedger(unit="€", scale=1))
        assert told(await one.post(other)) == ["LEDGER_EXISTS"]
        about = ledger_pb2.GetStatementRequest(ledger_id=one.ledger_id)
        assert (await one.session.stub.GetStatement(about)).currency.unit == "$"


async def test_12_taking_back_is_a_new_entry() -> None:
    """The old one stays; together they come to nothing, once."""
    async with serving() as served:
        one = await book(served)
        before = await one.balances()
        await one.post(transfer("seat-0", "seat-1", 300, transfer_id="x"))
        assert told(await one.post(reverse("y", "x"), reverse("z", "x"))) == ["", "ALREADY_REVERSED"]
        assert await one.balances() == before
        assert [line.transfer_id for line in (await one.entries())[-2:]] == ["x", "y"]


async def test_13_the_state_is_rebuilt_from_the_log() -> None:
    """A process that has never seen it folds the same figures, holds and known transfers from the bytes."""
    async with serving() as served:
        one = await book(served)
        for seed in range(3):
            await one.post(*some(130 + seed, 40))
        loaded = await Loader(served.log, KEYS, LedgerFold()).load(one.ledger_id)
        state = loaded.state
        assert dict(zip(state.names, state.posted, strict=True)) == await one.balances()
        async with serving(served.log, served.clock) as heir:
            entries = await heir.session.statement(one.ledger_id)
            assert entries == await one.entries()
            again = await heir.session.post(one.ledger_id, one.token, some(132, 40))
            for asked, result in zip(some(132, 40), again.results, strict=True):
                line = [one for one in entries if one.transfer_id == asked.transfer.transfer_id]
                if asked.HasField("transfer") and line:
                    assert (result.replayed, result.entry_id) == (True, line[0].entry_id)


async def test_14_the_entries_of_an_account_are_in_one_order() -> None:
    """Versions, places and times only rise, and every reader sees the same order."""
    async with serving() as served:
        one = await book(served)
        draw = random.Random(14)

        async def client() -> None:
            for _ in range(10):
                served.clock.advance(draw.randint(-50, 50))
                payer, payee = draw.sample(SEATS, 2)
                await one.post(transfer(payer, payee, draw.randint(1, 9)))

        await asyncio.gather(*(client() for _ in range(6)))
        for name in SEATS:
            lines = await one.session.statement(one.ledger_id, name)
            places = [tuple(int(part) for part in line.entry_id.split(".")) for line in lines]
            assert places == sorted(set(places))
            times = [line.post_time.ToMilliseconds() for line in lines]
            assert times == sorted(times)


async def test_15_a_refusal_sent_again_is_not_told_as_done() -> None:
    """The same command and the same transfer are refused again, and done once the money is there."""
    async with serving() as served:
        one = await book(served)
        ask = [transfer("seat-0", "seat-1", 1500, transfer_id="x")]
        for _ in range(2):
            answer = await one.session.post(one.ledger_id, one.token, ask, command_id="c")
            assert (answer.replayed, answer.results[0].rejection) == (False, "INSUFFICIENT_FUNDS")
            assert not answer.results[0].replayed
        mixed = [*ask, transfer("seat-2", "seat-1", 1, transfer_id="y")]
        for replayed in (False, True):
            answer = await one.session.post(one.ledger_id, one.token, mixed, command_id="mixed")
            assert answer.replayed is replayed
            assert told(answer.results) == ["INSUFFICIENT_FUNDS", ""]
        await one.post(transfer("bank", "seat-0", 500))
        answer = await one.session.post(one.ledger_id, one.token, ask, command_id="c")
        assert (answer.replayed, answer.results[0].rejection) == (False, "")
