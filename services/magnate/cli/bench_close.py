"""`magnate bench close`: how late auctions close when nothing else is to be done."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from magnate.cli.bench_timers import stored_log
from magnate.cli.output import FAILED, OK, result, say
from magnate.cli.percentile import percentile

if TYPE_CHECKING:
    from magnate.cli.stack import Stack

GAMES: Final = 8
AUCTIONS_MIN: Final = 100
STEPS_MAX: Final = 400
CLOSE_MS: Final = 1000
_OPTIONS: Final = {"auction.close_seconds": "1"}


class Closes:
    """The ends of auctions, as a reader of the log sees them."""

    def __init__(self) -> None:
        self.due_ms: dict[tuple[str, str], int] = {}
        self.seen_late_ms: list[float] = []
        self.stored_late_ms: list[float] = []

    async def follow(self, stack: Stack) -> None:
        """Read what every commit says about the deadlines of auctions, for ever."""
        from magnate.kit.log.commit import parse_commit
        from magnate.kit.log.port import Followed
        from magnate.timer.codec import changes
        from magnate.timer.domain.schedule import DeadlineCleared, DeadlineSet

        async with stored_log(stack) as (log, keys), aclosing(log.watch_all({})) as items:
            async for item in items:
                now_ms = time.time() * 1000
                if not isinstance(item, Followed):
                    continue
                commit = parse_commit(keys, item.game_id, item.data, item.sequence)
                for change in changes(commit):
                    key = (item.game_id, change.deadline_id)
                    if isinstance(change, DeadlineSet) and change.owner == "auction":
                        self.due_ms[key] = change.due_ms
                    elif isinstance(change, DeadlineCleared) and key in self.due_ms:
                        due_ms = self.due_ms.pop(key)
                        self.seen_late_ms.append(now_ms - due_ms)
                        self.stored_late_ms.append(commit.time_ms - due_ms)


async def bench_close(stack: Stack, *, json_mode: bool) -> int:
    """Play a few games in which everybody declines and nobody bids, so that each auction ends at its time."""
    closes = Closes()
    following = asyncio.create_task(closes.follow(stack))
    say(f"{GAMES} games in which nobody buys, until {AUCTIONS_MIN} auctions have closed", json_mode=json_mode)
    try:
        playing = [asyncio.create_task(_play(stack, closes)) for _ in range(GAMES)]
        await asyncio.gather(*playing)
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
    late = closes.seen_late_ms
    values = {
        "lateness_p99_ms": round(percentile(late, 99), 2),
        "lateness_p50_ms": round(percentile(late, 50), 2),
        "stored_p99_ms": round(percentile(closes.stored_late_ms, 99), 2),
        "auctions": len(late),
    }
    result(values, json_mode=json_mode)
    return OK if len(late) >= AUCTIONS_MIN and min(closes.stored_late_ms) >= 0 else FAILED


async def _play(stack: Stack, closes: Closes) -> None:
    """Throw, decline, wait for the end of the auction, and so on."""
    from magnate.client.quick import PLAIN
    from magnate.client.session import Session
    from magnate.rules.v1 import vocabulary_pb2

    async with Session(stack.addresses("game")[0]) as session:
        game_id = await session.create_game(seat_count=2, title="close", options=_OPTIONS)
        tokens = [(await session.join(game_id, f"Player {seat}")).token for seat in range(2)]
        situation = (await session.start(game_id, tokens[0])).situation
        commands = {
            vocabulary_pb2.PHASE_ROLL: PLAIN["roll"],
            vocabulary_pb2.PHASE_JAIL: PLAIN["roll"],
            vocabulary_pb2.PHASE_BUY: PLAIN["decline_lot"],
            vocabulary_pb2.PHASE_ACT: PLAIN["end_turn"],
        }
        for _ in range(STEPS_MAX):
            if len(closes.seen_late_ms) >= AUCTIONS_MIN:
                return
            if situation.phase == vocabulary_pb2.PHASE_AUCTION:
                await asyncio.sleep(CLOSE_MS / 1000 + 0.1)
                situation = (await session.game(game_id)).situation
                continue
            command = commands.get(situation.phase)
            if command is None:
                return  # it asks for more than this can answer
            seat = situation.turn_seat
            situation = (await session.act(game_id, tokens[seat], command)).situation
