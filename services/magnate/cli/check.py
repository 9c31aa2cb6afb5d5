"""The whole examination of one game, from what any client can ask for: chain, fold, money, chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import grpc

from magnate.bank.v1 import ledger_pb2, ledger_pb2_grpc
from magnate.cli.fairness import check_fairness
from magnate.cli.money import add_up
from magnate.cli.records import read_records, replay
from magnate.client.sealed import verify_sealed
from magnate.game.v1 import game_pb2
from magnate.game.watch import put_commit
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.rules import plain

if TYPE_CHECKING:
    from magnate.client.session import Session
    from magnate.game.state import GameState
    from magnate.kit.log.commit import ParsedCommit

BANK_TIMEOUT_SECONDS: Final = 20.0


class Checked:
    """What the examination found. `faults` is empty when all is well; `fairness_ok` None: not known yet."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.view = game_pb2.GameView()
        self.state: GameState | None = None
        self.commits = 0
        self.events = 0
        self.entries = 0
        self.draws_checked = 0
        self.sealed_checked = 0
        self.sealed_secret = 0
        self.chain_ok = False
        self.replay_identical = False
        self.ledger_sum = 0
        self.ledger_ok = False
        self.fairness_ok: bool | None = None
        self.faults: list[str] = []

    @property
    def ok(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.faults

    def values(self) -> dict[str, object]:
        """Return the findings by name, as `magnate verify --json` prints them."""
        return {
            "game_id": self.game_id,
            "version": self.view.version,
            "status": game_pb2.GameStatus.Name(self.view.status).removeprefix("GAME_STATUS_").lower(),
            "commits": self.commits,
            "events": self.events,
            "entries": self.entries,
            "chain_ok": self.chain_ok,
            "replay_identical": self.replay_identical,
            "ledger_ok": self.ledger_ok,
            "ledger_sum": self.ledger_sum,
            "fairness_ok": self.fairness_ok,
            "draws_checked": self.draws_checked,
            "sealed_bids_checked": self.sealed_checked,
            "sealed_bids_secret": self.sealed_secret,
            "faults": self.faults,
        }


async def check_game(session: Session, game_id: str, bank_address: str = "") -> Checked:
    """Examine a game at the version that the server shows now; with a bank's address, ask the bank too.

    Raises:
        RefusedError: the server knows no such game, or does not answer.
        grpc.aio.AioRpcError: the bank does not answer.
    """
    checked = Checked(game_id)
    checked.view = view = await session.game(game_id)
    records = (await session.export(game_id))[: view.version]
    checked.commits = len(records)
    if len(records) < view.version:
        checked.faults.append(f"the server shows version {view.version}, the log has {len(records)} records")
    try:
        commits = read_records(game_id, records)
        checked.chain_ok = True
        state = checked.state = replay(game_id, commits)
    except (DataLossError, LogNewerError) as error:
        checked.faults.append(str(error))
        return checked
    checked.events = _count_events(commits)
    _compare(checked, state)
    money = add_up(game_id, commits)
    checked.entries, checked.ledger_sum = money.entries, money.total
    faults = list(money.faults)
    for shown in view.seats if state.rules is not None else ():
        posted = money.balances.get(f"seat-{shown.seat}")
        if posted != shown.cash and not shown.cash_hidden:
            faults.append(f"seat {shown.seat} shows {shown.cash}, its account has {posted}")
    if money.total:
        faults.append(f"the balances add up to {money.total}")
    if bank_address and state.rules is not None:
        faults.extend(await ask_bank(bank_address, game_id, view.version, money.balances))
    checked.ledger_ok = not faults
    checked.faults.extend(faults)
    fairness = check_fairness(commits, state)
    checked.fairness_ok, checked.draws_checked = fairness.ok, fairness.checked
    checked.faults.extend(fairness.faults)
    sealed = verify_sealed(records)
    checked.sealed_checked, checked.sealed_secret = sealed.checked, sealed.secret
    checked.faults.extend(sealed.faults)
    return checked


def _compare(checked: Checked, state: GameState) -> None:
    mine = "" if state.rules is None else plain.digest(state.rules)
    checked.replay_identical = mine == checked.view.state_hash
    if not checked.replay_identical:
        checked.faults.append("the rebuilt state is not the one that the server shows")


def _count_events(commits: list[ParsedCommit]) -> int:
    total = 0
    for commit in commits:
        public = game_pb2.PublicCommit()
        put_commit(commit, public)
        total += len(public.table_events) + len(public.events) + len(public.auction_events)
    return total


async def ask_bank(address: str, game_id: str, version: int, balances: dict[str, int]) -> list[str]:
    """Compare the bank's trial balance with what the records add up to."""
    async with grpc.aio.insecure_channel(address) as channel:
        stub = ledger_pb2_grpc.LedgerServiceStub(channel)
        answer = await stub.GetTrialBalance(
            ledger_pb2.GetTrialBalanceRequest(ledger_id=game_id, version=version),
            timeout=BANK_TIMEOUT_SECONDS,
        )
    faults = []
    if answer.debit_total != answer.credit_total:
        faults.append(f"trial balance: debit {answer.debit_total}, credit {answer.credit_total}")
    # The bank shows what is private to nobody but its owner; its totals count it.
    shown = {row.account: row.credit - row.debit for row in answer.rows if not row.hidden}
    known = {row.account: balances.get(row.account) for row in answer.rows if not row.hidden}
    debit = sum(-posted for posted in balances.values() if posted < 0)
    if shown != known or len(answer.rows) != len(balances) or answer.debit_total != debit:
        faults.append(f"the bank's balances {shown} are not those of the log {balances}")
    return faults
