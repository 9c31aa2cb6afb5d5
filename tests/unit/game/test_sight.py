"""Who sees what a seat has, at tables that keep balances private and at those that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.bank.v1 import bank_pb2
from magnate.cli.records import read_records
from magnate.game.sight import hidden_seats, refuse_hidden
from magnate.game.view import game_view
from magnate.kit.errors import RefusedError
from magnate.kit.log.commit import LEDGER
from magnate.kit.rpc.call import ANONYMOUS, Principal
from magnate.rules.vocabulary import Resign
from tests.support.local_client import LocalSession, play_to_end, sensible_bots
from tests.support.tables import LocalTable

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit

PRIVATE = {"table.balances_public": "false"}

pytestmark = pytest.mark.asyncio


def seat_of(table: LocalTable, seat: int) -> Principal:
    """Return the holder of a seat's token."""
    return Principal("seat", game_id=table.game_id, seat=seat)


def records(commit: ParsedCommit, kind: str) -> list[bank_pb2.Record]:
    """Return the ledger records of one kind in a commit."""
    section = commit.section(LEDGER)
    found = [] if section is None else bank_pb2.LedgerSection.FromString(section.body).records
    return [one for one in found if one.WhichOneof("record") == kind]


async def test_each_seat_sees_its_own_until_the_game_is_over() -> None:
    """Others, holders of other games' tokens and watchers see none; afterwards everybody sees all."""
    table = LocalTable()
    await table.begin(options=PRIVATE)
    state = (await table.loaded()).state
    assert hidden_seats(state, table.game_id, seat_of(table, 1)) == [0, 2]
    elsewhere = Principal("seat", game_id="1-0-" + "f" * 24, seat=1)
    for caller in (ANONYMOUS, elsewhere):
        assert hidden_seats(state, table.game_id, caller) == [0, 1, 2]
        with pytest.raises(RefusedError) as caught:
            refuse_hidden(state, table.game_id, 1, caller)
        assert (caught.value.reason, caught.value.category) == ("BALANCE_HIDDEN", "forbidden")
    refuse_hidden(state, table.game_id, 1, seat_of(table, 1))
    shown = game_view(await table.loaded(), [0, 2]).seats
    assert [(one.cash, one.cash_hidden) for one in shown] == [(0, True), (1500, False), (0, True)]
    for seat in (0, 1):
        await table.act(seat, Resign())
    state = (await table.loaded()).state
    assert hidden_seats(state, table.game_id, ANONYMOUS) == []
    await table.close()


async def test_the_bank_is_told_at_the_start_and_at_the_end() -> None:
    """Seats' accounts are opened as private, no other one is; the last commit discloses, and none before."""
    table = LocalTable()
    await table.begin(options=PRIVATE | {"parking.pot": "true"})
    for seat in (0, 1):
        await table.act(seat, Resign())
    commits = await table.commits()
    opened = [one.account_opened for commit in commits for one in records(commit, "account_opened")]
    assert {one.account for one in opened if one.private} == {"seat-0", "seat-1", "seat-2"}
    assert {one.account for one in opened if not one.private} == {"bank", "pot-parking"}
    assert [len(records(commit, "balances_disclosed")) for commit in commits][-2:] == [0, 1]
    await table.close()


async def test_open_balances_leave_no_trace() -> None:
    """The ledger of a game with open balances is what it always was."""
    table = LocalTable()
    await table.begin(options={"table.balances_public": "true"})
    for seat in (0, 1):
        await table.act(seat, Resign())
    commits = await table.commits()
    opened = [one.account_opened for commit in commits for one in records(commit, "account_opened")]
    assert not any(one.private for one in opened)
    assert not any(records(commit, "balances_disclosed") for commit in commits)
    state = (await table.loaded()).state
    assert hidden_seats(state, table.game_id, ANONYMOUS) == []
    await table.close()


async def test_a_game_that_never_began_has_nothing_to_disclose() -> None:
    """It is over without an account."""
    table = LocalTable()
    await table.open(options=PRIVATE)
    await table.join("alone")
    await table.services.advance(table.game_id, 31 * 86_400_000)
    commits = await table.commits()
    assert (await table.loaded()).state.table.revealed_seed
    assert all(commit.section(LEDGER) is None for commit in commits)
    await table.close()


async def test_bots_end_a_game_of_private_balances() -> None:
    """Whatever ends it, the last commit with money discloses."""
    session = LocalSession()
    game_id = await session.open(3, "millionaire")
    await play_to_end(session, game_id, sensible_bots(3, 4))
    commits = read_records(game_id, await session.export(game_id))
    assert [bool(records(commit, "balances_disclosed")) for commit in commits].index(True) == len(commits) - 1
    await session.services.close()
