"""Stand-alone ledgers over gRPC: opening one, and who may post to it."""

from __future__ import annotations

import grpc
import pytest

from magnate.bank.v1 import bank_pb2, bank_pb2_grpc, ledger_pb2
from magnate.client.ledger import transfer
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.tokens import mint_seat, mint_table
from tests.integration.bank.standing import opened, posted, refusal
from tests.support.banking import KEYS, START_MS, new_game
from tests.support.game_api import refused
from tests.support.ledgers import hold, reverse, serving

pytestmark = pytest.mark.asyncio


async def test_a_ledger_is_opened_once_and_says_its_currency() -> None:
    """The same command opens the same ledger and is given the same tokens; every answer has the currency."""
    async with serving() as served:
        request = ledger_pb2.OpenLedgerRequest(command_id="c" * 22)
        request.accounts.add().account = "seat-3"
        request.currency.unit = "руб."
        first = await served.session.stub.OpenLedger(request)
        again = await served.session.stub.OpenLedger(request)
        assert (first.version, first.replayed, again.replayed) == (1, False, True)
        again.replayed = False
        assert again == first
        assert [one.account for one in first.account_tokens] == ["seat-3"]
        about = ledger_pb2.GetBalancesRequest(ledger_id=first.ledger_id)
        balances = await served.session.stub.GetBalances(about)
        assert balances.standalone
        assert (balances.currency.unit, balances.currency.scale) == ("руб.", 1)
        assert [one.account for one in balances.balances] == ["bank", "seat-3"]
        request.accounts.add().account = "seat-4"
        assert await refusal(served.session.call(lambda: served.session.stub.OpenLedger(request))) == (
            "ALREADY_EXISTS",
            "COMMAND_ID_REUSED",
        )


@pytest.mark.parametrize(
    ("field", "command_id", "accounts"),
    [
        ("command_id", "c" * 21, []),
        ("command_id", "expire:" + "c" * 22, []),
        ("accounts[0].account", "c" * 22, ["x"]),
        ("accounts[1].account", "c" * 22, ["seat-0", "bank"]),
        ("accounts", "c" * 22, [f"pot-{number}" for number in range(256)]),
    ],
)
async def test_a_malformed_opening_is_refused(field: str, command_id: str, accounts: list[str]) -> None:
    """The field is named, and nothing is opened."""
    request = ledger_pb2.OpenLedgerRequest(
        command_id=command_id, accounts=[ledger_pb2.NewAccount(account=name) for name in accounts]
    )
    async with serving() as served:
        error = await refused(served.session.stub.OpenLedger(request))
        assert (error.code.name, error.violations[0][0]) == ("INVALID_ARGUMENT", field)


async def test_an_opening_may_be_refused_by_the_ledger() -> None:
    """Accounts twice, or a currency that is none."""
    async with serving() as served:
        assert await refusal(served.session.open(["seat-0", "seat-0"])) == (
            "ALREADY_EXISTS",
            "ACCOUNT_EXISTS",
        )
        assert await refusal(served.session.open([], unit="u" * 101)) == (
            "INVALID_ARGUMENT",
            "INVALID_CURRENCY",
        )
        assert await refusal(served.session.open([], scale=-1)) == ("INVALID_ARGUMENT", "INVALID_CURRENCY")


async def test_who_may_post() -> None:
    """The banker anything, a card out of its own account, nobody else anything (case C050)."""
    async with serving() as served:
        ledger = await opened(served)
        ledger_id = ledger.ledger_id
        card = {one.account: one.token for one in ledger.account_tokens}["seat-1"]
        paid = await served.session.post(ledger_id, card, [transfer("seat-1", "seat-2", 5)])
        assert paid.results[0].rejection == ""
        [line] = await served.session.statement(ledger_id, counterparty="seat-2")
        assert (line.actor, line.amount) == ("seat-1", 5)
        other = new_game("elsewhere")
        for token, instruction, expected in [
            ("", transfer("seat-1", "seat-2", 5), ("UNAUTHENTICATED", "TOKEN_MISSING")),
            (
                mint_seat(KEYS, ledger_id, 1),
                transfer("seat-1", "seat-2", 5),
                ("UNAUTHENTICATED", "TOKEN_MISSING"),
            ),
            (
                mint_table(KEYS, other, "banker"),
                transfer("bank", "seat-1", 5),
                ("PERMISSION_DENIED", "TOKEN_FOR_OTHER_TABLE"),
            ),
            (
                mint_table(KEYS, ledger_id, "guest"),
                transfer("seat-1", "seat-2", 5),
                ("PERMISSION_DENIED", "NOT_THE_BANKER"),
            ),
            (card, transfer("bank", "seat-1", 500), ("PERMISSION_DENIED", "NOT_YOUR_CARD")),
            (card, transfer("seat-0", "seat-1", 5), ("PERMISSION_DENIED", "NOT_YOUR_CARD")),
            (card, hold("h", "seat-1", 5), ("PERMISSION_DENIED", "NOT_THE_BANKER")),
            (card, reverse("x", "y"), ("PERMISSION_DENIED", "NOT_THE_BANKER")),
        ]:
            assert await refusal(served.session.post(ledger_id, token, [instruction])) == expected
        assert await posted(served, ledger_id) == [100, 95, 5]


async def test_the_ledger_of_a_game_is_not_posted_to() -> None:
    """Its rules move the money; an id of nothing is not there at all."""
    async with serving() as served:
        game_id = new_game("of-rules")
        peer = bank_pb2.CommitRequest(game_id=game_id, now_ms=START_MS, received_at_ms=START_MS)
        peer.command.command_id = "create"
        for name in ("bank", "seat-0"):
            peer.instructions.add().open_account.account = name
        async with grpc.aio.insecure_channel(served.session.address) as channel:
            stub = bank_pb2_grpc.BankPeerServiceStub(channel)
            await stub.Commit(peer, metadata=peer_metadata(KEYS, "game"))
        token = mint_table(KEYS, game_id, "banker")
        assert await refusal(served.session.post(game_id, token, [transfer("bank", "seat-0", 5)])) == (
            "FAILED_PRECONDITION",
            "GAME_MOVES_MONEY",
        )
        nothing = new_game("nothing")
        token = mint_table(KEYS, nothing, "banker")
        assert await refusal(served.session.post(nothing, token, [transfer("bank", "seat-0", 5)])) == (
            "NOT_FOUND",
            "UNKNOWN_LEDGER",
        )
