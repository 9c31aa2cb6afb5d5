"""A table in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from google.protobuf.timestamp_pb2 import Timestamp

from magnate.bank.tables.codec import put_ranking
from magnate.bank.tables.credentials import join_code
from magnate.bank.tables.decide import unit_table
from magnate.bank.tables.events import Rank
from magnate.bank.tables.state import CLOSED, MODEL_NONE
from magnate.bank.terminal import display, machine
from magnate.bank.terminal.step import LEFT, RIGHT
from magnate.bank.v1 import terminal_pb2

if TYPE_CHECKING:
    from magnate.bank.tables.history import Operation
    from magnate.bank.tables.state import TableState
    from magnate.bank.terminal.step import GameView
    from magnate.kit.keys import KeyRing

OPEN_WORDS: Final = frozenset(
    {display.OWES, display.QUERY, display.OFFER, display.CHOOSE, display.AUCTION, display.RANKING}
)
"""What a display shows of a seat that is no balance."""


@final
class Seen:
    """For whom a table is written: the seat whose card he has, or -1; and the game, if the unit is in one."""

    __slots__ = ("game", "viewer")

    def __init__(self, viewer: int = -1, game: GameView | None = None) -> None:
        self.viewer = viewer
        self.game = game


NOT_IN_A_GAME: Final = Seen()


def timestamp(time_ms: int) -> Timestamp:
    """Return milliseconds since the Unix epoch as a Timestamp."""
    return Timestamp(seconds=time_ms // 1000, nanos=time_ms % 1000 * 1_000_000)


def put_table(
    state: TableState,
    table_id: str,
    version: int,
    keys: KeyRing,
    now_ms: int,
    message: terminal_pb2.Table,
    seen: Seen = NOT_IN_A_GAME,
) -> None:
    """Write a table as somebody at it sees it at a time."""
    state = state.at(now_ms).seen(seen.viewer)
    table = state.table
    money = table.money
    message.table_id, message.version = table_id, version
    message.edition = money.edition_id
    message.currency.unit, message.currency.scale = money.currency, money.scale
    message.opening_amount, message.go_amount = money.opening_amount, money.go_amount
    message.model = terminal_pb2.UnitModel.ValueType(table.model)
    message.status = terminal_pb2.TableStatus.ValueType(table.status)
    message.shared_unit, message.in_game = table.shared_unit, table.in_game
    message.join_code = join_code(keys, table.key_id, table_id)
    message.open_time.CopyFrom(timestamp(table.opened_at_ms))
    for card in table.cards:
        hidden = state.hidden(card.seat, seen.viewer)
        message.cards.add(
            card_id=card.card_id,
            seat=card.seat,
            name=card.name,
            balance=0 if hidden else state.balance(card.seat),
            hidden=hidden,
            retired=card.retired,
            locked=card.locked,
            has_pin=bool(card.pin_hash),
            claimed=card.claimed,
            owes=0 if seen.game is None else seen.game.owes[card.seat],
        )
    put_ranking(table.ranking or ranking_of(seen.game), message)
    if table.model != MODEL_NONE:
        put_unit(state, now_ms, message.unit, seen)


def ranking_of(game: GameView | None) -> list[Rank]:
    """Return the ranking of a game that is over; equal sums share a place."""
    ranking: list[Rank] = []
    if game is None or not game.over:
        return ranking
    for number, (seat, score) in enumerate(zip(game.ranking, game.scores, strict=True), start=1):
        shared = ranking and ranking[-1].total == score
        ranking.append(Rank(ranking[-1].place if shared else number, seat, score))
    return ranking


def put_unit(state: TableState, now_ms: int, message: terminal_pb2.Unit, seen: Seen = NOT_IN_A_GAME) -> None:
    """Write a unit as it is at a time; a balance that is not for the viewer is left dark (row 88)."""
    state = state.at(now_ms)
    table = state.table
    assert table.unit is not None, "a table with a model has a unit"
    unit = machine.settle(table.unit, now_ms)
    shown = machine.frame(unit, unit_table(state, seen.game), now_ms)
    if shown.word not in OPEN_WORDS and shown.seat >= 0 and state.hidden(shown.seat, seen.viewer):
        shown.text, shown.suffix, shown.more = "", "", False
    frame = message.frame
    frame.text, frame.suffix, frame.sign = shown.text, shown.suffix, shown.sign
    frame.state = "closed" if table.status == CLOSED else shown.word
    frame.seat, frame.refusal, frame.more = shown.seat, shown.refusal, shown.more
    frame.square, frame.level, frame.owner = shown.square, shown.level, shown.owner
    frame.expects.extend(shown.expects)
    until_ms = shown.until_ms or unit.until_ms
    if until_ms:
        frame.until.CopyFrom(timestamp(until_ms))
    ids = [table.cards[seat].card_id if seat >= 0 else "" for seat in unit.slots]
    message.left_card_id = ids[LEFT] if ids else ""
    message.right_card_id = ids[RIGHT] if len(ids) > RIGHT else ""
    message.volume, message.operation, message.outcome = unit.volume, unit.operation, unit.outcome


def put_operation(operation: Operation, message: terminal_pb2.Operation) -> None:
    """Write an operation."""
    message.version = operation.version
    message.time.CopyFrom(timestamp(operation.time_ms))
    message.kind, message.actor, message.note = operation.kind, operation.actor, operation.note
    message.reverses, message.reversed_by = operation.reverses, operation.reversed_by
    for entry in operation.entries:
        message.entries.add(
            entry_id=f"{operation.version}.{entry.index}",
            debit=entry.debit,
            credit=entry.credit,
            amount=entry.amount,
        )
