"""Two processes of every service on one game, with faults: one effect each, and caches that equal the log."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

import pytest

from magnate.cli.local import LocalServices
from magnate.game.acting import Acted
from magnate.game.peer_servicer import GamePeerServicer
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import encode_command
from magnate.kit.errors import KitError, UnavailableError
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.kit.log.skew import GUARD, ClockSkewedError
from magnate.kit.rpc.call import Principal
from magnate.kit.rpc.exchange import PeerUnavailableError, _error_of
from magnate.kit.rpc.status import failure_of
from magnate.kit.transact_types import Refused
from magnate.rules import plain
from magnate.rules.vocabulary import PHASE_OVER, Roll
from tests.support.random_play import choose, inside
from tests.support.tables import LocalTable, View

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from magnate.game.acting import Outcome
    from magnate.game.state import GameState
    from magnate.kit.log.fold import Loaded
    from magnate.kit.log.memory import Fault

FAULTS: list[Fault] = ["lost_ack", "lost", "unavailable", "in_flight"]
ROUNDS = 60


class Pair:
    """One table, at which any of two processes carries out what any seat sends."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.table = LocalTable(f"pair-{seed}")
        self.processes = [self.table.services, LocalServices(self.table.services)]
        self.sent = 0

    async def round(self) -> bool:
        """Send commands to both at once, some to both; False when the game is over."""
        rng, table = self.rng, self.table
        loaded = await table.loaded()
        assert loaded.state.rules is not None
        if loaded.state.rules.phase == PHASE_OVER:
            return False
        table.clock.advance(rng.choice((10, 400)))
        table.services.log.faults.extend(rng.choices(FAULTS, k=rng.choice((0, 0, 1, 3))))
        jobs: list[Awaitable[tuple[str, Outcome] | None]] = []
        if rng.random() < 0.3:
            jobs.append(self.expire())
        for _ in range(rng.choice((1, 2, 4))):
            seat, request = self.request(loaded)
            to = rng.choice(([0], [1], [0, 1], [0, 1, 0]))
            jobs += [self.act(process, seat, request, attempt) for attempt, process in enumerate(to)]
        async with asyncio.timeout(30):
            outcomes = [one for one in await asyncio.gather(*jobs) if one is not None]
        table.services.log.faults.clear()
        await self.check(outcomes)
        return True

    def request(self, loaded: Loaded[GameState]) -> tuple[int, game_pb2.ActRequest]:
        """Return something that a seat may do, as it looked before others did something."""
        view = View(loaded)
        seat, action = choose(view, self.rng)  # type: ignore[arg-type]  # it looks like a Table
        self.sent += 1
        request = game_pb2.ActRequest(
            game_id=self.table.game_id, command_id=f"c{self.sent}", seen_version=loaded.version
        )
        encode_command(inside(view, self.rng, seat, action), request.command)  # type: ignore[arg-type]
        return seat, request

    async def act(
        self, process: int, seat: int, request: game_pb2.ActRequest, attempt: int
    ) -> tuple[str, Outcome] | None:
        """Send a command to one process; None when its outcome is unknown."""
        for _ in range(self.rng.randrange(4)):
            await asyncio.sleep(0)
        caller = Principal("seat", game_id=self.table.game_id, seat=seat)
        try:
            acting = self.processes[process].game.acting
            outcome = await acting.act(request, caller, self.table.clock.now_ms() - attempt)
        except UnavailableError:
            return None
        return request.command_id, outcome

    async def expire(self) -> None:
        """Let the time of a running auction be over."""
        services = self.rng.choice(self.processes)
        for deadline in await services.pending(self.table.game_id):
            if deadline.owner == "auction":
                self.table.clock.set(max(self.table.clock.now_ms(), deadline.due_ms))
                try:
                    await services.auction.expire(self.table.game_id, deadline.deadline_id, 0)
                except KitError as error:
                    if error.category != "unavailable":
                        raise

    async def check(self, outcomes: list[tuple[str, Outcome]]) -> None:
        """Each command is in the log once or not at all, as was answered; every cache is as the log."""
        versions = {commit.command_id: commit.version for commit in await self.table.commits()}
        assert len(versions) == (await self.table.loaded()).version
        done = [(name, one) for name, one in outcomes if isinstance(one, Acted)]
        assert all(versions[name] == one.commit.version for name, one in done)
        first = [name for name, one in done if not one.replayed]
        assert len(first) == len(set(first))
        for process in self.processes:
            transactor = process.game.transactor
            held = transactor.peek(self.table.game_id)
            if held is not None:
                cold = await transactor.loader.load_at(self.table.game_id, held.version)
                assert facts(held) == facts(cold)


def facts(loaded: Loaded[GameState]) -> list[object]:
    """Return all that a process knows of a game, to compare."""
    state = loaded.state
    assert state.rules is not None
    deadlines = [
        (key, one.owner, one.kind, one.due_ms, one.left_ms) for key, one in sorted(state.deadlines.items())
    ]
    return [
        loaded.hash, loaded.ledger_version, list(loaded.window.entries.items()), plain.digest(state.rules),
        state.auction, state.holds, deadlines, state.table.status,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (1, {}),
        (2, {}),
        (4, {"auction.mode": "penny"}),
        (5, {"auction.style": "by_turn", "auction.unsold": "put_up_again"}),
        (6, {"auction.bid_limit": "liquidation", "auction.extend_seconds": "5"}),
        (7, {"auction.bid_limit": "none", "build.shortage": "auction"}),
    ],
)
@pytest.mark.asyncio
async def test_two_processes_agree_with_the_log(seed: int, options: dict[str, str]) -> None:
    """Commands at both at once, retries at either, lost acks, an auction's time over meanwhile."""
    pair = Pair(seed)
    await pair.table.begin(seats=3, options=options)
    for _ in range(ROUNDS):
        if not await pair.round():
            break
    conflicts = sum(one.game.transactor.stats.conflicts for one in pair.processes)
    assert conflicts > 0, "they were in each other's way"
    for process in pair.processes:
        await process.close()


class Gone:
    """A preferred worker that has broken off, after it carried the command out or before."""

    def __init__(self, services: LocalServices, *, acts: bool) -> None:
        self.services = services
        self.acts = acts

    def elsewhere(self, game_id: str) -> bool:
        """Every game is its own."""
        return bool(game_id)

    async def act(self, request: game_pb2.ActRequest, seat: int, received_at_ms: int) -> game_pb2.PlayResult:
        """Answer nothing."""
        if self.acts:
            await self.services.game.acting.act_here(request, seat, received_at_ms)
        self.services.clock.advance(1000)
        raise PeerUnavailableError("gone", outcome_unknown=self.acts)


@pytest.mark.parametrize("acts", [False, True])
@pytest.mark.asyncio
async def test_a_worker_acts_for_one_that_is_gone(acts: bool) -> None:
    """Once, whether or not the other had done it."""
    pair = Pair(3)
    await pair.table.begin(seats=2)
    version = (await pair.table.loaded()).version
    pair.table.game.acting.forward_to(Gone(pair.processes[1], acts=acts))
    outcome = await pair.table.act((await pair.table.rules()).turn_seat, Roll())
    assert isinstance(outcome, Acted)
    assert (outcome.commit.version, outcome.replayed) == (version + 1, acts)
    assert len(await pair.table.commits()) == version + 1


@pytest.mark.asyncio
async def test_a_process_whose_clock_is_off_passes_nothing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its clock a bid that came late would be in time, whoever carries it out."""
    pair = Pair(3)
    await pair.table.begin(seats=2)
    before = len(await pair.table.commits())
    seat = (await pair.table.rules()).turn_seat
    monkeypatch.setattr(GUARD, "why", "an hour behind")
    for forwarder in (Gone(pair.processes[1], acts=True), None):
        pair.table.game.acting.forward_to(forwarder)
        with pytest.raises(ClockSkewedError):
            await pair.table.act(seat, Roll())
    monkeypatch.undo()
    assert len(await pair.table.commits()) == before


@pytest.mark.asyncio
async def test_a_deadline_is_not_judged_by_a_clock_that_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if the clock is set right before anything is carried out: the moment was taken from it."""
    pair = Pair(3)
    await pair.table.begin(seats=2)
    service = pair.table.services.game.service
    monkeypatch.setattr(GUARD, "why", "an hour ahead")
    with pytest.raises(ClockSkewedError):
        await service.expire(pair.table.game_id, "roll-0-99")
    monkeypatch.undo()
    assert isinstance(await service.expire(pair.table.game_id, "roll-0-99"), Refused)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ClockSkewedError("an hour behind"), True),
        (LogNewerError("1-0-a", 3, "an event"), True),
        (DataLossError("1-0-a", 3, "an event"), False),
    ],
)
@pytest.mark.asyncio
async def test_what_another_process_could_do_is_not_the_answer(
    monkeypatch: pytest.MonkeyPatch, error: Exception, told: bool
) -> None:
    """Else nobody could play the games of a process whose clock is off, by whichever process he asked."""

    class Failing:
        async def act_for(self, *_: object) -> Acted:
            raise error

    monkeypatch.setattr("magnate.game.peer_servicer.principal", lambda: None)
    servicer = GamePeerServicer(LocalTable("peer").services.game.service, Failing())  # type: ignore[arg-type]
    ask = game_pb2.ForwardedAct(act=game_pb2.ActRequest(command_id="c1"))
    if told:
        with pytest.raises(type(error)):
            await servicer.answer(ask)
        assert isinstance(_error_of(failure_of(error), "game"), PeerUnavailableError)
    else:
        result = await servicer.answer(ask)
        assert isinstance(result, game_pb2.PlayResult)
        assert result.refused.reason == "DATA_LOSS"
