"""`magnate bench ledger` and `bench transfers`: the ledger alone on one core, and posted to over gRPC."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from magnate.cli.output import FAILED, OK, result, say

if TYPE_CHECKING:
    from magnate.bank.domain.instructions import Instruction
    from magnate.bank.domain.ledger import State
    from magnate.cli.stack import Stack

SEATS: Final = 8
BATCH: Final = 64
BATCHES: Final = 200
START_AMOUNT: Final = 10**12
WARM_UP_SECONDS: Final = 1.0


def bench_ledger(seconds: float) -> dict[str, object]:
    """Decide batches of transfers with ids of their own, and fold their records as a reader of the log does.

    Ledgers are begun anew after some thousand transfers. What is asked for is made beforehand, as it arrives
    ready from outside; only deciding and folding is timed.
    """
    from magnate.bank.domain import ledger
    from magnate.compiled import is_compiled

    opened = _opened()
    batches = _batches()
    rates = {}
    for size in (BATCH, 1):
        done, spent = 0, 0.0
        while spent < seconds / 2:
            count, more = _decide_and_fold(opened, batches, size)
            done, spent = done + count, spent + more
        rates[size] = done / spent
    return {
        "transfers_per_second": round(rates[BATCH]),
        "compiled": is_compiled(ledger),
        "batch": BATCH,
        "single_per_second": round(rates[1]),
    }


def _opened() -> State:
    from magnate.bank.domain.instructions import OpenAccount, OpenLedger, Transfer
    from magnate.bank.domain.ledger import INITIAL, Decision, decide

    asks: list[Instruction] = [OpenLedger("$", 1, standalone=True), OpenAccount("bank")]
    asks += [OpenAccount(f"seat-{seat}") for seat in range(SEATS)]
    asks += [Transfer("bank", f"seat-{seat}", START_AMOUNT, "start") for seat in range(SEATS)]
    decision = decide(INITIAL, asks, 1, 0)
    assert isinstance(decision, Decision)
    return decision.state


def _batches() -> list[list[Instruction]]:
    from magnate.bank.domain.instructions import Transfer

    def transfer(number: int) -> Instruction:
        payer, payee = f"seat-{number % SEATS}", f"seat-{(number * 3 + 1) % SEATS}"
        if payer == payee:
            payee = "bank"
        return Transfer(payer, payee, 1 + number % 500, "rent", f"transfer-{number:012d}")

    return [[transfer(first * BATCH + one) for one in range(BATCH)] for first in range(BATCHES)]


def _decide_and_fold(opened: State, batches: list[list[Instruction]], size: int) -> tuple[int, float]:
    """Return how many transfers were posted, `size` a commit, and the seconds of this core that it took."""
    from magnate.bank.domain.batch import decide_batch
    from magnate.bank.domain.ledger import fold

    sized = batches if size == BATCH else [[ask] for batch in batches[: BATCHES // 8] for ask in batch]
    links = [False] * size
    state, reader, version = opened, opened.copy(), opened.version
    started = time.process_time()
    for asks in sized:
        decision = decide_batch(state, asks, links, version + 1, 0)
        fold(reader, version + 1, version, decision.records)
        state, version = decision.state, version + 1
    spent = time.process_time() - started
    assert state.entries == reader.entries == opened.entries + len(sized) * size
    assert state.posted == reader.posted
    return len(sized) * size, spent


async def bench_transfers(stack: Stack, seconds: float, *, json_mode: bool) -> int:
    """Post to 64 ledgers at once, one transfer a command and 64; then read everything again and compare."""
    from magnate.cli.load import until
    from magnate.cli.load_ledgers import LEDGERS, Ledgers, closed_loop

    async with Ledgers(stack.addresses("bank"), LEDGERS) as ledgers:
        rates = {}
        for size in (1, BATCH):
            say(f"{LEDGERS} ledgers at once, {size} a command", json_mode=json_mode)
            await closed_loop(ledgers, size, until(WARM_UP_SECONDS))
            started = time.perf_counter()
            moved = await closed_loop(ledgers, size, until(seconds))
            rates[size] = moved / (time.perf_counter() - started)
        say("reading every ledger again", json_mode=json_mode)
        faults = await ledgers.verify()
    for fault in faults:
        say(f"magnate: {fault}", json_mode=True)
    values = {
        "single_per_second": round(rates[1]),
        "batched_per_second": round(rates[BATCH]),
        "verified": not faults,
        "batch": BATCH,
        "ledgers": LEDGERS,
        "transfers": ledgers.acknowledged,
    }
    result(values, json_mode=json_mode)
    return FAILED if faults else OK
