"""Stored bytes of the sections that the game service owns: TABLE, RULES, and deadlines of its own.

Old bytes stay readable for ever: a change adds fields, a new meaning gets a new section version and an
upcaster in `upcast`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from magnate.game.domain import table
from magnate.game.domain.sandbox import Beginning, Sandbox
from magnate.game.domain.standing import ProposalLapsed
from magnate.game.setup_codec import decode_board, decode_ruleset, encode_board, encode_ruleset
from magnate.game.standing_codec import decode_standing_event, encode_standing_event
from magnate.game.upcast import RULES_VERSION
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import (
    encode_event,
    get_card,
    get_offer_made,
    get_position_given,
    put_card,
    put_offer_made,
    put_position_given,
)
from magnate.kit.log.commit import DEADLINES, LEDGER, RULES, TABLE, TERMINAL, Section
from magnate.rules.chance import DIE_FACES
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.domain.table import TableEvent
    from magnate.game.ports import DeadlineChange
    from magnate.kit.log.commit import ParsedCommit
    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet
    from magnate.rules.vocabulary import Event

TABLE_VERSION: Final = 1
DEADLINES_VERSION: Final = 1
SETUPS_CACHED_MAX: Final = 64

_setups: dict[bytes, tuple[RuleSet, Board]] = {}


def rules_section(events: Sequence[Event]) -> Section:
    """Return the section of the rules' events."""
    message = game_pb2.RulesSection()
    add = message.events.add
    for event in events:
        encode_event(event, add())
    return Section(RULES, RULES_VERSION, message.SerializeToString())


def table_section(events: Sequence[TableEvent]) -> Section:
    """Return the section of the table's events."""
    message = game_pb2.TableSection()
    for event in events:
        encode_table_event(event, message.events.add())
    return Section(TABLE, TABLE_VERSION, message.SerializeToString())


def seed_section(seed: bytes) -> Section:
    """Return the secret section that keeps the seed."""
    return Section(TABLE, TABLE_VERSION, game_pb2.TableSecret(seed=seed).SerializeToString())


def deadlines_section(changes: Sequence[DeadlineChange]) -> Section:
    """Return the section of deadlines set, cleared, paused and resumed."""
    message = timer_pb2.DeadlinesSection()
    for change in changes:
        encode_deadline_change(change, message.changes.add())
    return Section(DEADLINES, DEADLINES_VERSION, message.SerializeToString())


def encode_deadline_change(change: DeadlineChange, message: timer_pb2.DeadlineChange) -> None:
    """Store one change of a deadline in an empty message."""
    if change.what == "set":
        message.set.deadline_id = change.deadline_id
        message.set.owner = change.owner
        message.set.kind = change.kind
        message.set.due_ms = change.due_ms
    elif change.what == "cleared":
        message.cleared.deadline_id = change.deadline_id
    elif change.what == "paused":
        message.paused.deadline_id = change.deadline_id
        message.paused.left_ms = change.left_ms
        message.paused.held = change.held
    elif change.what == "shifted":
        message.shifted.deadline_id = change.deadline_id
        message.shifted.due_ms = change.due_ms
    else:
        message.resumed.deadline_id = change.deadline_id
        message.resumed.due_ms = change.due_ms


def encode_table_event(event: TableEvent, message: game_pb2.TableEvent) -> None:
    """Store a table event in an empty message."""
    if isinstance(event, table.TableOpened):
        opened = message.table_opened
        opened.ruleset.CopyFrom(encode_ruleset(event.ruleset))
        opened.board.CopyFrom(encode_board(event.board))
        opened.seat_count = event.seat_count
        opened.title = event.title
        opened.seed_hash = event.seed_hash
        if event.sandbox is not None:
            encode_sandbox(event.sandbox, opened.sandbox)
        if event.start is not None:
            opened.start.position.SetInParent()
            put_position_given(event.start.position, opened.start.position)
            opened.start.cash.extend(event.start.cash)
            for offer in event.start.offers:
                put_offer_made(offer, opened.start.offers.add())
    elif isinstance(event, table.SeatTaken):
        message.seat_taken.seat = event.seat
        message.seat_taken.name = event.name
        message.seat_taken.entropy = event.entropy
    elif isinstance(event, table.TableStarted):
        message.table_started.SetInParent()
        message.table_started.started_at_ms = event.started_at_ms
    elif isinstance(event, table.TablePaused):
        message.table_paused.paused_at_ms = event.paused_at_ms
    elif isinstance(event, table.TableResumed):
        message.table_resumed.SetInParent()
        message.table_resumed.resumed_at_ms = event.resumed_at_ms
    elif isinstance(event, ProposalLapsed):
        message.proposal_lapsed.SetInParent()
    elif isinstance(event, table.SeedRevealed):
        message.seed_revealed.seed = event.seed
    else:
        encode_standing_event(event, message)


def decode_table_event(message: game_pb2.TableEvent) -> TableEvent:
    """Read a table event; UnknownKindError when this build has no word for it."""
    kind = message.WhichOneof("kind")
    if kind == "table_opened":
        return decode_table_opened(message.table_opened)
    if kind == "seat_taken":
        taken = message.seat_taken
        return table.SeatTaken(taken.seat, taken.name, taken.entropy)
    if kind == "table_started":
        return table.TableStarted(message.table_started.started_at_ms)
    if kind == "table_paused":
        return table.TablePaused(message.table_paused.paused_at_ms)
    if kind == "table_resumed":
        return table.TableResumed(message.table_resumed.resumed_at_ms)
    if kind == "proposal_lapsed":
        return ProposalLapsed()
    if kind == "seed_revealed":
        return table.SeedRevealed(message.seed_revealed.seed)
    return decode_standing_event(message, kind)


def decode_table_opened(opened: game_pb2.TableOpened) -> table.TableOpened:
    """Read the opening of a table. Rule sets and boards that many games share are read once."""
    sandbox = decode_sandbox(opened.sandbox) if opened.HasField("sandbox") else None
    start = decode_start(opened.start) if opened.HasField("start") else None
    ruleset, board = _setup(opened)
    return table.TableOpened(
        ruleset, board, opened.seat_count, opened.title, opened.seed_hash, sandbox, start
    )


def decode_start(message: game_pb2.StartPosition) -> Beginning:
    """Read a position to begin from."""
    offers = [get_offer_made(offer) for offer in message.offers]
    return Beginning(get_position_given(message.position), list(message.cash), offers)


def encode_sandbox(sandbox: Sandbox, message: game_pb2.Sandbox) -> None:
    """Store a sandbox in an empty message."""
    for first, second in sandbox.dice:
        message.dice.extend((first, second))
    for card in sandbox.cards:
        put_card(card, message.cards.add())
    if sandbox.position is not None:
        message.position.SetInParent()
        put_position_given(sandbox.position, message.position)
    message.cash.extend(sandbox.cash)
    for offer in sandbox.offers:
        put_offer_made(offer, message.offers.add())
    message.amounts.extend(sandbox.amounts)
    message.squares.extend(sandbox.squares)
    message.deals.extend(sandbox.deals)
    message.drawn_seats.extend(sandbox.drawn_seats)
    message.clocks = sandbox.clocks


def decode_sandbox(message: game_pb2.Sandbox) -> Sandbox:
    """Read a sandbox; ValueError names what is wrong with it."""
    first, second = message.dice[::2], message.dice[1::2]
    if (
        len(first) != len(second)
        or any(not 1 <= die <= DIE_FACES for die in first)
        or any(not 0 <= die <= DIE_FACES for die in second)
    ):
        raise ValueError(
            "sandbox.dice: pairs of numbers from 1 to 6 are needed, the second 0 for a single die"
        )
    dice = list(zip(first, second, strict=True))
    return Sandbox(
        dice,
        [get_card(card) for card in message.cards],
        get_position_given(message.position) if message.HasField("position") else None,
        list(message.cash),
        [get_offer_made(offer) for offer in message.offers],
        list(message.amounts),
        list(message.squares),
        list(message.deals),
        list(message.drawn_seats),
        clocks=message.clocks,
    )


def _setup(opened: game_pb2.TableOpened) -> tuple[RuleSet, Board]:
    key = hashlib.sha256(
        opened.ruleset.SerializeToString() + b"|" + opened.board.SerializeToString()
    ).digest()
    found = _setups.get(key)
    if found is None:
        found = decode_ruleset(opened.ruleset), decode_board(opened.board)
        if len(_setups) >= SETUPS_CACHED_MAX:
            del _setups[next(iter(_setups))]
        _setups[key] = found
    return found


def begins_bank_table(commit: ParsedCommit) -> bool:
    """Say whether the log that this commit is the first of is no game but a table of the bank."""
    kinds = {section.kind for section in commit.sections}
    return TABLE not in kinds and bool(kinds & {LEDGER, TERMINAL})
