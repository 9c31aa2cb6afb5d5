"""How the auction service folds the log of a game or of a table of the bank.

It reads TABLE (the end of a game), TERMINAL (the cards of a table), LEDGER, AUCTION and DEADLINES.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from google.protobuf.message import DecodeError

from magnate.auction.domain.auctions import evolve
from magnate.auction.state import Deadline, GameState
from magnate.auction.tables.fold import fold_auction, fold_ledger, fold_terminal, seat_of
from magnate.auction.v1 import auction_pb2
from magnate.auction.vocabulary_codec import UnknownKindError, decode_auction_event
from magnate.bank.v1 import terminal_pb2
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import AUCTION, DEADLINES, LEDGER, TABLE, TERMINAL, require_version
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.peers.ledger import ledger_records
from magnate.rules.vocabulary import AuctionCancelled, AuctionClosed
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.kit.log.commit import ParsedCommit, Section

_MONEYLESS: Final = (
    "ledger_opened",
    "account_opened",
    "account_closed",
    "balances_disclosed",
    "hold_revealed",
)


class _NewerError(Exception):
    """A record of a kind this build does not know."""


@final
class AuctionFold:
    """Folds commits into `GameState`."""

    def initial(self, game_id: str) -> GameState:
        """Return the state of a game that does not exist yet."""
        del game_id
        return GameState()

    def apply(self, state: GameState, commit: ParsedCommit) -> GameState:
        """Fold a commit in place; DataLossError when it contradicts the ones before."""
        secret = [one for one in commit.secret_sections() if one.kind == AUCTION] if commit.secret else []
        for section in (*secret, *commit.sections):
            fold = _FOLDS.get(section.kind)
            if fold is None:
                continue
            require_version(commit, section, 1)
            try:
                fold(state, commit, section)
            except (_NewerError, UnknownKindError) as error:
                raise LogNewerError(commit.game_id, commit.version, str(error)) from error
            except (DecodeError, KeyError, ValueError) as error:
                raise DataLossError(commit.game_id, commit.version, repr(error)) from error
        return state

    def copy(self, state: GameState) -> GameState:
        """Return an independent copy."""
        return state.copy()


def _fold_table(state: GameState, _commit: ParsedCommit, section: Section) -> None:
    for event in game_pb2.TableSection.FromString(section.body).events:
        kind = event.WhichOneof("kind")
        if kind is None:
            raise _NewerError("a table event of a kind unknown here")
        if kind == "seed_revealed":
            state.over = True


def _fold_terminal(state: GameState, _commit: ParsedCommit, section: Section) -> None:
    for event in terminal_pb2.TerminalSection.FromString(section.body).events:
        if event.WhichOneof("event") is None:
            raise _NewerError("a terminal event of a kind unknown here")
        state.table = fold_terminal(state.table, event)
    if state.table is not None and state.table.closed:
        state.over = True


def _fold_auctions(state: GameState, commit: ParsedCommit, section: Section) -> None:
    for message in auction_pb2.AuctionSection.FromString(section.body).events:
        event = decode_auction_event(message)
        evolve(state.auctions, event)
        if isinstance(event, AuctionClosed | AuctionCancelled):
            state.closed_ms[event.auction] = commit.time_ms
        if state.table is not None:
            state.table = fold_auction(state.table, event, commit.actor)


def _fold_ledger(state: GameState, commit: ParsedCommit, section: Section) -> None:
    for record in ledger_records(commit, section):
        kind = record.WhichOneof("record")
        state.table = fold_ledger(state.table, record)
        if kind == "entry_posted":
            entry = record.entry_posted
            _post(state, entry.debit, -entry.amount)
            _post(state, entry.credit, entry.amount)
        elif kind == "hold_placed":
            _hold(state, record.hold_placed.account, record.hold_placed.amount)
        elif kind == "hold_captured":
            captured = record.hold_captured
            _hold(state, captured.account, -captured.captured - captured.released)
            _post(state, captured.account, -captured.captured)
            _post(state, captured.to, captured.captured)
        elif kind == "hold_released":
            _hold(state, record.hold_released.account, -record.hold_released.released)
        elif kind == "hold_expired":
            _hold(state, record.hold_expired.account, -record.hold_expired.released)
        elif kind not in _MONEYLESS:
            raise _NewerError("a ledger record of a kind unknown here")


def _post(state: GameState, account: str, amount: int) -> None:
    seat = seat_of(account)
    if seat >= 0:
        _make_room(state, seat)
        state.posted[seat] += amount


def _hold(state: GameState, account: str, amount: int) -> None:
    seat = seat_of(account)
    if seat >= 0:
        _make_room(state, seat)
        state.held[seat] += amount


def _make_room(state: GameState, seat: int) -> None:
    missing = seat + 1 - len(state.posted)
    if missing > 0:
        state.posted += [0] * missing
        state.held += [0] * missing


def _fold_deadlines(state: GameState, _commit: ParsedCommit, section: Section) -> None:
    deadlines = state.deadlines
    for change in timer_pb2.DeadlinesSection.FromString(section.body).changes:
        kind = change.WhichOneof("change")
        if kind == "set":
            one = change.set
            deadlines[one.deadline_id] = Deadline(one.owner, one.due_ms, kind=one.kind)
        elif kind == "cleared":
            del deadlines[change.cleared.deadline_id]
        elif kind == "fired":
            del deadlines[change.fired.deadline_id]
        elif kind == "paused":
            paused = change.paused
            deadlines[paused.deadline_id] = deadlines[paused.deadline_id].stopped(paused.left_ms)
        elif kind == "resumed":
            resumed = change.resumed
            deadlines[resumed.deadline_id] = deadlines[resumed.deadline_id].running(resumed.due_ms)
        elif kind == "shifted":
            late = change.shifted
            deadlines[late.deadline_id] = deadlines[late.deadline_id].running(late.due_ms, shifted=True)
        else:
            raise _NewerError("a change of a deadline of a kind unknown here")


_FOLDS: Final[dict[int, Callable[[GameState, ParsedCommit, Section], None]]] = {
    TABLE: _fold_table,
    TERMINAL: _fold_terminal,
    LEDGER: _fold_ledger,
    AUCTION: _fold_auctions,
    DEADLINES: _fold_deadlines,
}
