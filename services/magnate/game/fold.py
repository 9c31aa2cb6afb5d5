"""Folds a game's commits into what the game service knows. Never decides, never draws, never reads a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from magnate.auction.v1 import auction_pb2
from magnate.game.codec import begins_bank_table, decode_table_event
from magnate.game.domain import table
from magnate.game.domain.standing import SeatPresence, StandInLeft
from magnate.game.state import AMOUNTS, DEALS, SQUARES, Deadline, GameState
from magnate.game.upcast import RULES_VERSIONS, rules_events
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import UnknownKindError, decode_auction_event, decode_event
from magnate.kit.errors import NotFoundError
from magnate.kit.log.commit import AUCTION, DEADLINES, LEDGER, RULES, TABLE, require_version
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.peers.accounts import ACCOUNTS
from magnate.peers.ledger import ledger_records
from magnate.rules import bidding_fold, purse
from magnate.rules.evolve import EVOLVE
from magnate.rules.state import State
from magnate.rules.vocabulary import AmountDrawn, CardDrawn, DeedDealt, DiceThrown, SquareDrawn
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.v1 import bank_pb2
    from magnate.kit.log.commit import ParsedCommit, Section
    from magnate.rules.vocabulary import Event

SECTION_VERSION = 1
_SEAT: Final = "seat-"


class GameFold:
    """The fold of the game service (see `kit.log.fold.Fold`)."""

    def initial(self, game_id: str) -> GameState:
        """Return a table that does not exist yet."""
        return GameState(game_id)

    def copy(self, state: GameState) -> GameState:
        """Return an independent copy."""
        return state.copy()

    def apply(self, state: GameState, commit: ParsedCommit) -> GameState:
        """Fold one commit, in place.

        Raises:
            NotFoundError: it is the first of a log that is no game but a table of the bank.
            LogNewerError: it holds something that a later release wrote.
            DataLossError: a section does not parse or does not fit what came before.
        """
        if commit.version == 1 and begins_bank_table(commit):
            raise NotFoundError(f"there is no game {commit.game_id}", reason="UNKNOWN_GAME")
        secret = [one for one in commit.secret_sections() if one.kind == AUCTION] if commit.secret else []
        for section in (*secret, *commit.sections):
            fold = _FOLDS.get(section.kind)
            if fold is None:
                continue
            known = RULES_VERSIONS if section.kind == RULES else (SECTION_VERSION,)
            require_version(commit, section, *known)
            try:
                fold(state, commit, section)
            except UnknownKindError as error:
                raise LogNewerError(commit.game_id, commit.version, f"unknown {error}") from error
            except (DecodeError, AssertionError, KeyError, IndexError, ValueError) as error:
                what = f"section {section.kind} does not fold: {type(error).__name__} {error}"
                raise DataLossError(commit.game_id, commit.version, what) from error
        if state.table.standings and commit.actor.startswith(_SEAT):
            _is_there(state.table, int(commit.actor.removeprefix(_SEAT)), commit.time_ms)
        return state


def _is_there(opened: table.TableState, seat: int, at_ms: int) -> None:
    """Whoever acts is there and plays himself; the services that write bids and timers say nothing of it."""
    standing = opened.standing(seat)
    if standing.stand_in or standing.misses:
        table.evolve(opened, StandInLeft(seat))
    if standing.away_since_ms:
        table.evolve(opened, SeatPresence(seat, True, "", at_ms))


def _fold_table(state: GameState, commit: ParsedCommit, section: Section) -> None:
    for message in game_pb2.TableSection.FromString(section.body).events:
        event = decode_table_event(message)
        if isinstance(event, table.TableStarted):
            event.started_at_ms = event.started_at_ms or commit.time_ms
        elif isinstance(event, table.TableResumed):
            event.resumed_at_ms = event.resumed_at_ms or commit.time_ms
        table.evolve(state.table, event)
        if isinstance(event, table.TableOpened):
            state.opened = message.table_opened.SerializeToString()
            for secret in commit.secret_sections():
                if secret.kind == TABLE:
                    state.table.seed = game_pb2.TableSecret.FromString(secret.body).seed


def _fold_rules(state: GameState, _commit: ParsedCommit, section: Section) -> None:
    rules = state.rules
    if rules is None:
        opened = state.table
        if opened.board is None or opened.ruleset is None:
            raise ValueError("rules before the table was opened")
        rules = state.rules = State(opened.board, opened.ruleset, len(opened.names))
    events = [decode_event(message) for message in rules_events(section)]
    for event in events:
        EVOLVE[type(event)](rules, event)
    if state.table.sandbox is not None:
        count_script(state, events)


def count_script(state: GameState, events: Sequence[Event]) -> None:
    """Count what a sandbox's script was used for."""
    cards, used = dict(state.cards_used), list(state.script_used)
    for event in events:
        if isinstance(event, DiceThrown):
            state.throws_used += 1
        elif isinstance(event, CardDrawn) and event.draw > 0:
            cards[event.deck] = cards.get(event.deck, 0) + 1
        elif isinstance(event, AmountDrawn):
            used[AMOUNTS] += 1
        elif isinstance(event, SquareDrawn):
            used[SQUARES] += 1
        elif isinstance(event, DeedDealt):
            used[DEALS] += 1
    state.cards_used, state.script_used = cards, used


def _fold_ledger(state: GameState, commit: ParsedCommit, section: Section) -> None:
    rules = state.rules
    for record in ledger_records(commit, section):
        kind = record.WhichOneof("record")
        if kind == "entry_posted":
            if rules is not None:
                entry = record.entry_posted
                purse.moved(rules, ACCOUNTS[entry.debit], ACCOUNTS[entry.credit], entry.amount)
        elif kind == "hold_placed":
            placed = record.hold_placed
            seat = ACCOUNTS[placed.account]
            state.holds[placed.hold_id] = (seat, placed.amount)
            if placed.concealed:
                state.concealed |= {placed.hold_id}
            if rules is not None:
                purse.hold_placed(rules, seat, placed.amount)
        elif kind == "hold_revealed":
            _reveal(state, record.hold_revealed)
        elif kind == "hold_captured":
            captured = record.hold_captured
            seat, _ = state.pop_hold(captured.hold_id)
            if rules is not None:
                purse.hold_captured(rules, seat, ACCOUNTS[captured.to], captured.captured, captured.released)
        elif kind in {"hold_released", "hold_expired"}:
            gone = record.hold_released if kind == "hold_released" else record.hold_expired
            seat, amount = state.pop_hold(gone.hold_id)
            if rules is not None:
                purse.hold_released(rules, seat, amount)
        elif kind is None:
            raise UnknownKindError("ledger record")


def _reveal(state: GameState, revealed: bank_pb2.HoldRevealed) -> None:
    """Fold that a hold is concealed no longer; who has no secrets learns of it here."""
    if revealed.hold_id in state.holds:
        state.concealed -= {revealed.hold_id}
        return
    seat = ACCOUNTS[revealed.account]
    state.holds[revealed.hold_id] = (seat, revealed.amount)
    if state.rules is not None:
        purse.hold_placed(state.rules, seat, revealed.amount)


def _fold_auction(state: GameState, _commit: ParsedCommit, section: Section) -> None:
    for message in auction_pb2.AuctionSection.FromString(section.body).events:
        bidding_fold.fold_into(state.auctions, decode_auction_event(message))


def _fold_deadlines(state: GameState, _commit: ParsedCommit, section: Section) -> None:
    deadlines = state.deadlines
    for change in timer_pb2.DeadlinesSection.FromString(section.body).changes:
        kind = change.WhichOneof("change")
        if kind == "set":
            one = change.set
            through = one.runs_through_pause
            deadlines[one.deadline_id] = Deadline(one.owner, one.kind, one.due_ms, 0, through)
        elif kind == "cleared":
            deadlines.pop(change.cleared.deadline_id, None)
        elif kind == "fired":
            deadlines.pop(change.fired.deadline_id, None)
        elif kind == "paused":
            stopped = change.paused
            old = deadlines[stopped.deadline_id]
            deadlines[stopped.deadline_id] = old.paused(stopped.left_ms, held=stopped.held)
        elif kind == "resumed":
            old = deadlines[change.resumed.deadline_id]
            deadlines[change.resumed.deadline_id] = old.running(change.resumed.due_ms)
        elif kind == "shifted":
            old = deadlines[change.shifted.deadline_id]
            deadlines[change.shifted.deadline_id] = old.running(change.shifted.due_ms, shifted=True)
        else:
            raise UnknownKindError("deadline change")


_FOLDS = {
    TABLE: _fold_table,
    RULES: _fold_rules,
    LEDGER: _fold_ledger,
    AUCTION: _fold_auction,
    DEADLINES: _fold_deadlines,
}
