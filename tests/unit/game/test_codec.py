"""Stored bytes of the game service: what is written is what is read, and the unknown is refused."""

from __future__ import annotations

import pytest

from magnate.game.codec import (
    deadlines_section,
    decode_sandbox,
    decode_table_event,
    encode_sandbox,
    encode_table_event,
    rules_section,
    table_section,
)
from magnate.game.domain import standing, table
from magnate.game.domain.sandbox import Beginning, Sandbox
from magnate.game.draft import fold_deadline
from magnate.game.fold import GameFold
from magnate.game.ports import DeadlineChange
from magnate.game.state import Deadline, GameState
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import UnknownKindError
from magnate.kit.log.commit import RULES, TABLE, Command, ParsedCommit, Section, build_commit
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.rules.loader import find_ruleset, load_board
from magnate.rules.ruleset import RuleSet
from magnate.rules.vocabulary import Card, HeldCard, OfferMade, OpenDebt, PositionGiven, Terms, TurnStarted
from tests.support.banking import KEYS

SEED = bytes(range(32))
GAME = "1-0-" + "0" * 24


def sandbox() -> Sandbox:
    """Return a sandbox that has something of everything."""
    position = PositionGiven(
        1, 5, 3, 1, [1, 2], [0, 1], [0, 2], [0, 0], [-1, 0, 1], [0, 3, 0], [0, 0, 1],
        29, 12, [HeldCard(0, 1, 2)], [OpenDebt(0, 1, 1 << 40, 4, 2)], -1,
    )  # fmt: skip
    terms = Terms(5, [1], [Card(0, 1)], 6, [2], [Card(1, 2)], 7)
    return Sandbox([(1, 2), (6, 6)], [Card(0, 3)], position, [100, 1 << 50], [OfferMade(1, 0, 1, terms, 0)])


def opening(chosen: Sandbox | None = None, start: Beginning | None = None) -> table.TableOpened:
    """Return the opening of a table for two."""
    rules = find_ruleset("classic", {"start.position_allowed": True})
    assert isinstance(rules, RuleSet)
    made = table.decide_open(rules, load_board("classic-ru"), 2, "Заголовок", SEED, chosen, start)
    assert isinstance(made, table.TableOpened)
    return made


def beginning() -> Beginning:
    """Return a position for a table with fair dice."""
    given = sandbox()
    assert given.position is not None
    return Beginning(given.position, given.cash, given.offers)


EVENTS: list[table.TableEvent] = [
    opening(),
    opening(sandbox()),
    opening(None, beginning()),
    table.SeatTaken(3, "Ж", b"\x00\xff"),
    table.SeatTaken(0, "A", b""),
    table.TableStarted(1_000),
    table.TablePaused(1 << 41),
    table.TableResumed(5_000),
    table.SeedRevealed(SEED),
    standing.ReserveChanged(0, 0),
    standing.ReserveChanged(7, 1 << 40, 12),
    standing.AllowanceChanged(0, 0),
    standing.AllowanceChanged(1, 60_000),
    standing.ClockMissed(0, 0),
    standing.ClockMissed(2, 3),
    standing.StandInSeated(0),
    standing.StandInLeft(0),
    standing.SeatPresence(0, False, "", 1 << 41),
    standing.SeatPresence(1, True, "c-1", 1 << 41),
    standing.PauseProposed(0, False),
    standing.PauseProposed(1, True),
    standing.ExtraTimeGranted(-1, 0, "roll-0-7", 30_000),
    standing.ProposalLapsed(),
]


def encoded(event: table.TableEvent) -> bytes:
    """Return the bytes of a table event."""
    message = game_pb2.TableEvent()
    encode_table_event(event, message)
    return message.SerializeToString(deterministic=True)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_a_table_event_comes_back_as_it_was(event: table.TableEvent) -> None:
    """Read and written again it has the same bytes and is of the same kind."""
    data = encoded(event)
    read = decode_table_event(game_pb2.TableEvent.FromString(data))
    assert type(read) is type(event)
    assert encoded(read) == data


def test_a_sandbox_comes_back_as_it_was() -> None:
    """Dice, cards, position, cash and offers."""
    message, again = game_pb2.Sandbox(), game_pb2.Sandbox()
    encode_sandbox(sandbox(), message)
    read = decode_sandbox(message)
    encode_sandbox(read, again)
    assert message == again
    assert read.dice == [(1, 2), (6, 6)]
    assert read.cash == [100, 1 << 50]


@pytest.mark.parametrize("dice", [[1], [0, 1], [7, 1], [1, 2, 3]])
def test_a_sandbox_with_impossible_dice_is_refused(dice: list[int]) -> None:
    """Dice come in pairs and show one to six."""
    with pytest.raises(ValueError, match="dice"):
        decode_sandbox(game_pb2.Sandbox(dice=dice))


def test_setups_that_many_games_share_are_read_once() -> None:
    """Two tables of one rule set and board share them in memory."""
    first = decode_table_event(game_pb2.TableEvent.FromString(encoded(opening())))
    second = decode_table_event(game_pb2.TableEvent.FromString(encoded(opening())))
    assert isinstance(first, table.TableOpened)
    assert isinstance(second, table.TableOpened)
    assert first.board is second.board
    assert first.ruleset is second.ruleset


def test_an_unknown_table_event_is_no_table_event() -> None:
    """What a later release wrote is not skipped."""
    with pytest.raises(UnknownKindError):
        decode_table_event(game_pb2.TableEvent())


def commit_of(*sections: Section) -> ParsedCommit:
    """Return the first commit of a game with these sections."""
    command = Command("c", b"h" * 32, actor="test", received_at_ms=1)
    return build_commit(
        KEYS,
        GAME,
        command,
        sections,
        previous_version=0,
        previous_hash=bytes(32),
        previous_time_ms=0,
        now_ms=1,
    )


@pytest.mark.parametrize(
    "section",
    [
        Section(TABLE, 2, b""),
        Section(RULES, 9, b""),
        Section(TABLE, 1, game_pb2.TableSection(events=[game_pb2.TableEvent()]).SerializeToString()),
    ],
)
def test_a_section_of_a_later_release_stops_the_game(section: Section) -> None:
    """A version or an event that this build does not know: the log is newer than the build."""
    with pytest.raises(LogNewerError):
        GameFold().apply(GameState(GAME), commit_of(section))


@pytest.mark.parametrize(
    "section",
    [
        Section(TABLE, 1, b"\xff\xff"),
        Section(RULES, 1, b"\x0a\xff"),
        rules_section([TurnStarted(0, 1, 1)]),
        deadlines_section([DeadlineChange("paused", "never-set", left_ms=1)]),
    ],
)
def test_a_section_that_does_not_fit_is_data_loss(section: Section) -> None:
    """Bytes that do not parse, and facts that cannot follow from what came before."""
    with pytest.raises(DataLossError):
        GameFold().apply(GameState(GAME), commit_of(section))


def test_deadlines_are_folded_from_the_log_as_from_the_draft() -> None:
    """Set, paused, resumed, cleared: both ways lead to the same."""
    changes = [
        DeadlineChange("set", "a", owner="game", kind="abandon", due_ms=100),
        DeadlineChange("set", "b", owner="auction", kind="close", due_ms=50),
        DeadlineChange("paused", "b", left_ms=20),
        DeadlineChange("set", "c", owner="auction", kind="close", due_ms=60),
        DeadlineChange("resumed", "b", due_ms=90),
        DeadlineChange("cleared", "c"),
        DeadlineChange("paused", "a", left_ms=5),
    ]
    state, drafted = GameState(GAME), dict[str, Deadline]()
    for change in changes:
        GameFold().apply(state, commit_of(deadlines_section([change])))
        fold_deadline(drafted, change)
        assert _plain(state.deadlines) == _plain(drafted)
    assert _plain(drafted) == {"a": ("game", "abandon", 0, 5), "b": ("auction", "close", 90, 0)}


def test_a_table_section_folds_to_the_table() -> None:
    """Opened, joined, started: the fold knows what the section says."""
    section = table_section([opening(), table.SeatTaken(0, "A", b"x"), table.SeatTaken(1, "B", b"")])
    state = GameFold().apply(GameState(GAME), commit_of(section))
    assert state.table.names == ["A", "B"]
    assert state.table.title == "Заголовок"
    assert state.table.status == table.OPEN
    assert state.table.board is not None
    assert state.table.board.head.board_id == "classic-ru"


def _plain(deadlines: dict[str, Deadline]) -> dict[str, tuple[str, str, int, int]]:
    return {key: (one.owner, one.kind, one.due_ms, one.left_ms) for key, one in deadlines.items()}
