"""Whatever is posted, by whom ever: a response or an error of the table, never a bug, and never money."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry

from magnate.bank.metrics import BankMetrics
from magnate.bank.poster import Poster
from magnate.bank.posting import Posting
from magnate.bank.tables.fold import TableFold
from magnate.bank.v1 import bank_pb2, ledger_pb2
from magnate.kit.clock import FakeClock
from magnate.kit.errors import KitError
from magnate.kit.ids import InvalidIdError
from magnate.kit.log.memory import MemoryLog
from magnate.kit.rpc.call import ANONYMOUS, Principal
from magnate.kit.tokens import mint_seat, mint_table
from magnate.kit.transact import Transactor
from magnate.rules.rejections import REJECTIONS
from tests.support.banking import KEYS, START_MS, new_game

if TYPE_CHECKING:
    from magnate.bank.tables.state import TableState

CLOCK = FakeClock(START_MS)
OPENING = ledger_pb2.OpenLedgerRequest(
    command_id="c" * 22, accounts=[ledger_pb2.NewAccount(account=f"seat-{seat}") for seat in range(3)]
)
TEXTS = st.one_of(
    st.sampled_from(["", "bank", "seat-0", "seat-1", "seat-9", "pot-x", "t", "h", "rent", "terminal:1.0"]),
    st.text(max_size=70),
)
NUMBERS = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.sampled_from([0, 1, 5, 100, START_MS - 1, START_MS + 1])
)
INSTRUCTIONS = st.one_of(
    st.builds(
        lambda a, b, n, r, i, u, k: bank_pb2.Instruction(
            linked=k,
            transfer=bank_pb2.Transfer(debit=a, credit=b, amount=n, reason=r, transfer_id=i, up_to=u),
        ),
        TEXTS, TEXTS, NUMBERS, TEXTS, TEXTS, st.booleans(), st.booleans(),
    ),
    st.builds(
        lambda h, a, n, e: bank_pb2.Instruction(
            place_hold=bank_pb2.PlaceHold(hold_id=h, account=a, amount=n, expires_at_ms=e)
        ),
        TEXTS, TEXTS, NUMBERS, NUMBERS,
    ),
    st.builds(
        lambda h, a, n, i: bank_pb2.Instruction(
            capture_hold=bank_pb2.CaptureHold(hold_id=h, to=a, amount=n, reason="x", transfer_id=i)
        ),
        TEXTS, TEXTS, NUMBERS, TEXTS,
    ),
    st.builds(lambda h: bank_pb2.Instruction(release_hold=bank_pb2.ReleaseHold(hold_id=h)), TEXTS),
    st.builds(
        lambda i, r, n: bank_pb2.Instruction(reverse=bank_pb2.Reverse(transfer_id=i, reverses=r, note=n)),
        TEXTS, TEXTS, TEXTS,
    ),
    st.builds(
        lambda a, p: bank_pb2.Instruction(open_account=bank_pb2.OpenAccount(account=a, private=p)),
        TEXTS, st.booleans(),
    ),
    st.builds(lambda a: bank_pb2.Instruction(close_account=bank_pb2.CloseAccount(account=a)), TEXTS),
    st.builds(
        lambda u, s: bank_pb2.Instruction(open_ledger=bank_pb2.OpenLedger(unit=u, scale=s)), TEXTS, NUMBERS
    ),
    st.just(bank_pb2.Instruction()),
)  # fmt: skip


def bank() -> tuple[Poster, Posting]:
    """Return a bank over a log of its own."""
    transactor: Transactor[TableState] = Transactor(MemoryLog(), KEYS, TableFold(), clock=CLOCK)
    posting = Posting(transactor, CLOCK, tenant="main", epoch=1, shards=4)
    return Poster(posting, KEYS, CLOCK, BankMetrics(CollectorRegistry())), posting


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.lists(INSTRUCTIONS, max_size=5),
            TEXTS,
            st.integers(0, 2**64 - 1),
            st.booleans(),
            st.sampled_from(["banker", "card", "guest", "nobody", "seat", "other"]),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_no_post_does_harm(
    posts: list[tuple[list[bank_pb2.Instruction], str, int, bool, str]],
) -> None:
    """Only the banker and cards change anything; results name rejections that exist; the books balance."""
    asyncio.run(posted(posts))


async def posted(posts: list[tuple[list[bank_pb2.Instruction], str, int, bool, str]]) -> None:
    """Post all of it and look at the ledger after each."""
    poster, posting = bank()
    ledger = await poster.open(OPENING, ANONYMOUS)
    ledger_id = ledger.ledger_id
    tokens = {
        "banker": ledger.banker_token,
        "card": ledger.account_tokens[0].token,
        "guest": mint_table(KEYS, ledger_id, "guest"),
        "nobody": "",
        "seat": mint_seat(KEYS, ledger_id, 0),
        "other": mint_table(KEYS, new_game("other"), "banker"),
    }
    for number, (asks, command_id, seen, whole, who) in enumerate(posts):
        before = (await posting.transactor.view(ledger_id)).state.ledger
        request = ledger_pb2.PostRequest(
            ledger_id=ledger_id,
            command_id=command_id if number % 2 else f"c{number}",
            seen_version=seen if number % 3 == 2 else 0,
            instructions=asks,
            all_or_none=whole,
            token=tokens[who],
        )
        try:
            response = await poster.post(request, Principal("anonymous"))
        except (KitError, InvalidIdError):
            response = None
        after = (await posting.transactor.view(ledger_id)).state.ledger
        assert sum(after.posted) == 0
        assert all(
            posted >= 0 for name, posted in zip(after.names, after.posted, strict=True) if name != "bank"
        )
        if response is None or who not in {"banker", "card"}:
            assert after.same_as(before)
            continue
        assert len(response.results) == len(asks)
        for result in response.results:
            assert result.rejection in {"", *REJECTIONS}
            assert result.moved >= 0
