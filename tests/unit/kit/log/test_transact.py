"""One command, one effect, whatever the log answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from magnate.kit.log.commit import RULES, Section
from magnate.kit.log.errors import CommitTooLargeError, LogUnavailableError
from magnate.kit.log.memory import Fault, MemoryLog
from magnate.kit.transact_types import (
    Certain,
    Done,
    Proposal,
    Refused,
)
from tests.support.counter import (
    Counter,
    add,
    command,
    game,
)
from tests.unit.kit.log.counting import name_of, transactor

if TYPE_CHECKING:
    from magnate.kit.log.fold import Loaded

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.asyncio
async def test_a_command_is_stored_once_and_folded() -> None:
    """A proposal becomes one commit and the state after it."""
    log = MemoryLog()
    done = await transactor(log).run(game(), command("a"), add(5))
    assert isinstance(done, Done)
    assert (done.commit.version, done.loaded.state.total, done.replayed) == (1, 5, False)
    assert done.commit.sequence == done.loaded.sequence
    assert len(await log.load(game())) == 1


@pytest.mark.asyncio
async def test_the_same_id_answers_from_the_stored_commit() -> None:
    """A repeated command has no second effect and says that it is a replay."""
    log = MemoryLog()
    one = transactor(log)
    first = await one.run(game(), command("a"), add(5))
    await one.run(game(), command("b"), add(1))
    again = await one.run(game(), command("a"), add(5))
    elsewhere = await transactor(log).run(game(), command("a"), add(5))
    assert isinstance(first, Done)
    for outcome in (again, elsewhere):
        assert isinstance(outcome, Done)
        assert outcome.replayed
        assert outcome.commit.data == first.commit.data
        assert outcome.loaded.state.total == 6
    assert len(await log.load(game())) == 2


@pytest.mark.asyncio
async def test_a_reused_id_with_other_content_is_refused() -> None:
    """Same id, other request: COMMAND_ID_REUSED, and nothing is stored."""
    log = MemoryLog()
    one = transactor(log)
    await one.run(game(), command("a", b"x"), add(5))
    assert name_of(await one.run(game(), command("a", b"y"), add(5))) == "COMMAND_ID_REUSED"
    assert len(await log.load(game())) == 1


@pytest.mark.asyncio
async def test_a_command_older_than_the_window_is_refused() -> None:
    """Beyond 256 commits nobody knows whether it was done; the creating command is remembered for ever."""
    log = MemoryLog()
    one = transactor(log)
    for number in range(300):
        await one.run(game(), command(f"c{number}", seen_version=number), add(1))
    assert name_of(await one.run(game(), command("new", seen_version=40), add(1))) == "COMMAND_TOO_OLD"
    assert name_of(await one.run(game(), command("c10"), add(1))) == "COMMAND_TOO_OLD"
    assert isinstance(await one.run(game(), command("new", seen_version=44), add(1)), Done)
    created = await one.run(game(), command("c0"), add(1))
    assert isinstance(created, Done)
    assert (created.commit.version, created.replayed) == (1, True)


@pytest.mark.asyncio
async def test_a_version_from_the_future_is_refused_only_after_a_look() -> None:
    """A stale instance catches up before it doubts what the sender has seen."""
    log = MemoryLog()
    stale, other = transactor(log), transactor(log)
    await stale.run(game(), command("a"), add(1))
    await other.run(game(), command("b"), add(1))
    assert isinstance(await stale.run(game(), command("c", seen_version=2), add(1)), Done)
    assert name_of(await stale.run(game(), command("d", seen_version=9), add(1))) == "SEEN_VERSION_AHEAD"


@pytest.mark.asyncio
async def test_a_command_for_one_version_has_no_effect_at_another() -> None:
    """Also when the instance that decides is behind; but it is replayed as ever, and refusals come first."""
    log = MemoryLog()
    stale, other = transactor(log), transactor(log)
    await stale.run(game(), command("a"), add(1))
    await other.run(game(), command("b"), add(1))
    for expected_version in (1, 3):
        late = command("c", expected_version=expected_version)
        assert name_of(await stale.run(game(), late, add(1))) == "STALE_VERSION"
    below = await other.run(game(), command("d", expected_version=1), add(-9))
    assert isinstance(below, Refused)
    assert below.rejection == "BELOW_ZERO"
    first = await stale.run(game(), command("e", expected_version=2), add(1))
    again = await stale.run(game(), command("e", expected_version=2), add(1))
    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert (first.commit.version, again.commit.version, again.replayed) == (3, 3, True)


@pytest.mark.asyncio
async def test_of_two_commands_for_one_version_one_is_carried_out() -> None:
    """A double click at two instances at once, with two ids (case C051)."""
    log = MemoryLog()
    instances = [transactor(log) for _ in range(2)]
    await instances[0].run(game(), command("a"), add(1))
    twice = [command(f"c{n}", expected_version=1) for n in range(4)]
    outcomes = await asyncio.gather(
        *(instances[n % 2].run(game(), one, add(1)) for n, one in enumerate(twice))
    )
    refused = [name_of(one) for one in outcomes if not isinstance(one, Done)]
    assert refused == ["STALE_VERSION"] * 3


@pytest.mark.asyncio
async def test_two_instances_race_and_both_commands_land() -> None:
    """Whoever loses reads, decides again and lands after the winner."""
    log = MemoryLog()
    instances = [transactor(log) for _ in range(4)]
    commands = [(instances[n % 4], command(f"c{n}")) for n in range(40)]
    outcomes = await asyncio.gather(*[one.run(game(), c, add(1)) for one, c in commands])
    assert all(isinstance(outcome, Done) and not outcome.replayed for outcome in outcomes)
    final = await instances[0].view(game())
    assert (final.version, final.state.total) == (40, 40)


@pytest.mark.asyncio
async def test_the_same_command_at_two_instances_has_one_effect() -> None:
    """A client that retries elsewhere while the first call still runs gets the same commit."""
    log = MemoryLog()
    one, two = transactor(log), transactor(log)
    await one.run(game(), command("first"), add(1))
    await two.view(game())
    outcomes = await asyncio.gather(
        one.run(game(), command("a"), add(1)), two.run(game(), command("a"), add(1))
    )
    assert {outcome.commit.version for outcome in outcomes if isinstance(outcome, Done)} == {2}
    assert len(await log.load(game())) == 2


@pytest.mark.parametrize(
    "faults", [["lost_ack"], ["lost"], ["unavailable"], ["in_flight"], ["lost", "lost_ack"]]
)
@pytest.mark.asyncio
async def test_an_unknown_outcome_is_found_out(faults: list[Fault]) -> None:
    """Whatever happens to an append, the command is stored exactly once and answered as its own."""
    log = MemoryLog()
    one = transactor(log)
    await one.run(game(), command("first"), add(1))
    log.faults.extend(faults)
    done = await one.run(game(), command("a"), add(5))
    assert isinstance(done, Done)
    assert (done.commit.version, done.loaded.state.total, done.replayed) == (2, 6, False)
    assert len(await log.load(game())) == 2


@pytest.mark.asyncio
async def test_a_log_that_stays_silent_ends_as_unavailable() -> None:
    """After the time for retries the sender is told to send the same id again, and may."""
    log = MemoryLog()
    one = transactor(log, retry=0.05)
    log.faults.extend(["lost"] * 100)
    with pytest.raises(LogUnavailableError, match="may be sent again"):
        await one.run(game(), command("a"), add(5))
    log.faults.clear()
    assert isinstance(await one.run(game(), command("a"), add(5)), Done)
    assert len(await log.load(game())) == 1


@pytest.mark.asyncio
async def test_a_refusal_comes_from_the_newest_state_only() -> None:
    """A stale instance does not refuse what the newest state allows."""
    log = MemoryLog()
    stale, other = transactor(log), transactor(log)
    await stale.run(game(), command("a"), add(1))
    await other.run(game(), command("b"), add(9))
    done = await stale.run(game(), command("c"), add(-10))
    assert isinstance(done, Done)
    refused = await stale.run(game(), command("d"), add(-1))
    assert isinstance(refused, Refused)
    assert refused.rejection == "BELOW_ZERO"
    assert len(await log.load(game())) == 3


@pytest.mark.asyncio
async def test_a_storm_of_refusals_costs_two_looks_at_the_log() -> None:
    """All commands that arrived before the look are answered by it."""
    log = MemoryLog()
    one = transactor(log)
    await one.run(game(), command("a"), add(1))
    before = one.stats.newest_checks
    outcomes = await asyncio.gather(*[one.run(game(), command(f"d{n}"), add(-5)) for n in range(100)])
    assert all(isinstance(outcome, Refused) for outcome in outcomes)
    # The first looks before the others are here; the second look serves them all.
    assert one.stats.newest_checks <= before + 2


@pytest.mark.asyncio
async def test_a_certain_answer_looks_at_nothing() -> None:
    """An answer that holds in every later state is given at once."""
    log = MemoryLog()
    one = transactor(log)
    await one.run(game(), command("a"), add(1))
    before = one.stats.newest_checks

    async def decide(loaded: Loaded[Counter]) -> Certain[str] | str:
        del loaded
        return Certain("MOVED")

    outcome = await one.run(game(), command("b"), decide)
    assert isinstance(outcome, Refused)
    assert outcome.rejection == "MOVED"
    assert one.stats.newest_checks == before


@pytest.mark.asyncio
async def test_a_full_queue_refuses_at_once() -> None:
    """The queue of a game is bounded; what is in it is answered in order."""
    one = transactor(MemoryLog(), queue=3)
    outcomes = await asyncio.gather(*[one.run(game(), command(f"c{n}"), add(1)) for n in range(5)])
    assert [isinstance(outcome, Done) for outcome in outcomes] == [True, True, True, False, False]
    assert name_of(outcomes[3]) == "GAME_QUEUE_FULL"


@pytest.mark.asyncio
async def test_those_who_only_look_leave_the_queue_to_commands() -> None:
    """However many watch a game, whoever plays it is not refused for them."""
    one = transactor(MemoryLog(), queue=3)
    await one.run(game(), command("a"), add(1))
    looks = [asyncio.create_task(one.view(game())) for _ in range(50)]
    await asyncio.sleep(0)
    assert isinstance(await one.run(game(), command("b"), add(1)), Done)
    await asyncio.gather(*looks)
    assert one.busy(game()) is False


@pytest.mark.asyncio
async def test_games_beyond_the_bound_are_forgotten() -> None:
    """The cache holds what was used last; an unknown game leaves nothing behind."""
    one = transactor(MemoryLog(), cached=2)
    for name in ("a", "b", "c"):
        await one.run(game(name), command("x"), add(1))
    assert one.peek(game("a")) is None
    assert one.peek(game("c")) is not None
    await one.run(game("nobody"), command("x"), add(-1))
    assert one.peek(game("nobody")) is None
    assert one.peek(game("c")) is not None


@pytest.mark.asyncio
async def test_a_draft_is_taken_as_it_is() -> None:
    """A proposal that brings the advanced state is not folded again."""
    log = MemoryLog()
    one = transactor(log)
    draft = Counter(7, 1)

    async def decide(loaded: Loaded[Counter]) -> Proposal[Counter, str] | str:
        del loaded
        return Proposal([Section(RULES, 1, b"7")], draft=draft)

    done = await one.run(game(), command("a"), decide)
    assert isinstance(done, Done)
    assert done.loaded.state is draft


@pytest.mark.asyncio
async def test_published_states_never_change() -> None:
    """What a query holds stays as it was while later commands run."""
    one = transactor(MemoryLog())
    await one.run(game(), command("a"), add(1))
    held = await one.view(game())
    await one.run(game(), command("b"), add(1))
    assert (held.version, held.state.total) == (1, 1)


@pytest.mark.asyncio
async def test_an_oversized_commit_is_refused_before_it_is_sent() -> None:
    """What the stream would not take is named, and the game goes on."""
    one = transactor(MemoryLog())

    async def huge(loaded: Loaded[Counter]) -> Proposal[Counter, str] | str:
        del loaded
        return Proposal([Section(RULES, 1, b"1" * 300_000)])

    with pytest.raises(CommitTooLargeError, match="commit of 30"):
        await one.run(game(), command("a"), huge)
    assert isinstance(await one.run(game(), command("b"), add(1)), Done)


@pytest.mark.asyncio
async def test_a_cancelled_call_leaves_the_game_usable() -> None:
    """A sender that goes away in the middle of an append spoils nothing for the next."""
    log = MemoryLog()
    one = transactor(log)
    await one.run(game(), command("a"), add(1))
    task = asyncio.create_task(one.run(game(), command("b"), add(1)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert isinstance(await one.run(game(), command("c"), add(1)), Done)
    assert isinstance(await one.run(game(), command("b"), add(1)), Done)
    assert (await one.view(game())).state.total == 3


@pytest.mark.asyncio
async def test_a_view_looks_at_the_log_only_when_it_must() -> None:
    """What is held will do for a reader that has seen no more; a newer version is fetched."""
    log = MemoryLog()
    one, other = transactor(log), transactor(log)
    await one.run(game(), command("a"), add(1))
    await other.run(game(), command("b"), add(1))
    before = one.stats.newest_checks
    assert (await one.view(game(), newest=False, at_least=1)).version == 1
    assert one.stats.newest_checks == before
    assert (await one.view(game(), newest=False, at_least=2)).version == 2
    assert (await one.view(game(), newest=False, at_least=99)).version == 2
    await other.run(game(), command("c"), add(1))
    assert (await one.view(game(), newest=False)).version == 2
    assert (await one.view(game())).version == 3
