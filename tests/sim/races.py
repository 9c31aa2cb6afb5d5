"""The races that must have been run: each is counted when it happens, to see that it happens at all."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from magnate.kit.expiry import NotYet
from magnate.timer.peers import OwnerClients

if TYPE_CHECKING:
    from magnate.kit.expiry import Expiry
    from magnate.timer.domain.agenda import Due
    from tests.sim.process import Process
    from tests.sim.truth import Truth
    from tests.sim.world import World

NEAR_MS: Final = 50
"""So close to a deadline a command races it."""
LAST_MS: Final = 1000
"""The last second of an auction."""
BID_AT_CLOSE: Final = "a bid against the close"
COMMAND_AT_EXPIRY: Final = "a command against the expiry"
BOTH_EXPIRE: Final = "two instances expire the same deadline"
CLOSED_TWICE: Final = "a close is delivered twice"
CRASH_AT_APPEND: Final = "a crash between append and acknowledgement"
ELIMINATED: Final = "a bidder is eliminated in mid-auction"
PAUSED: Final = "the game is paused in mid-auction"
OVER: Final = "the game is over in mid-auction"
ELECTION: Final = "a new log leader is elected in the last second"
RACES: Final = (
    *(BID_AT_CLOSE, COMMAND_AT_EXPIRY, BOTH_EXPIRE, CLOSED_TWICE, CRASH_AT_APPEND),
    *(ELIMINATED, PAUSED, OVER, ELECTION),
)
"""All of them: no 500 seeds without each."""
_COUNTED: Final = "race: "


class Before(NamedTuple):
    """How a game stood before a commit, while something is under the hammer there."""

    running: bool
    out: tuple[int, ...]
    bidders: frozenset[int]


class Races:
    """Counts the races of one seed."""

    def __init__(self, world: World) -> None:
        self.truth: Truth | None = None
        self._world = world
        self._asked: dict[str, set[str]] = {}  # by deadline: which timers have asked its owner
        self._told: dict[str, int] = {}  # by deadline: how often its owner has dealt with it

    def closings_ms(self) -> list[int]:
        """Return when the running auctions are to close."""
        if self.truth is None:
            return []
        pending = self.truth.schedule.deadlines.values()
        return [
            one.due_ms for one in pending if one.owner == "auction" and one.kind == "close" and one.due_ms
        ]

    def sent(self, due_ms: int, *, bid: bool) -> None:
        """A command is sent for which there was, or is, time until then."""
        if due_ms and abs(due_ms - self._world.now_ms()) <= NEAR_MS:
            self._seen(BID_AT_CLOSE if bid else COMMAND_AT_EXPIRY)

    def asks(self, timer: Process, due: Due) -> None:
        """A timer tells an owner that a deadline has come."""
        deadline_id = due.deadline.deadline_id
        asked = self._asked.setdefault(deadline_id, set())
        first = timer.name not in asked
        asked.add(timer.name)
        if first and len(asked) > 1 and self.truth and deadline_id in self.truth.schedule.deadlines:
            self._seen(BOTH_EXPIRE)

    def answered(self, due: Due, reply: Expiry) -> None:
        """The owner has answered."""
        if due.deadline.kind == "close" and not isinstance(reply, NotYet):
            deadline_id = due.deadline.deadline_id
            self._told[deadline_id] = self._told.get(deadline_id, 0) + 1
            if self._told[deadline_id] == 2:
                self._seen(CLOSED_TWICE)

    def killed(self, process: Process) -> None:
        """A process is killed, perhaps while nobody has told it that what it appended is stored."""
        answer = process.parts.get("unacknowledged")
        if answer is not None and not answer.done():
            self._seen(CRASH_AT_APPEND)

    def elects(self) -> None:
        """The log has lost its leader."""
        now_ms = self._world.now_ms()
        if any(0 <= due_ms - now_ms <= LAST_MS for due_ms in self.closings_ms()):
            self._seen(ELECTION)

    def before(self) -> Before | None:
        """Return how the game stands, if something is under the hammer."""
        truth = self.truth
        if truth is None or truth.rules is None or not truth.game.auctions:
            return None
        bidders = {seat for auction in truth.auctions() for seat in auction.active}
        return Before(truth.running, tuple(truth.rules.out), frozenset(bidders))

    def stored(self, was: Before | None) -> None:
        """A commit was stored, and the game stood so before it."""
        truth = self.truth
        if was is None or truth is None or truth.rules is None:
            return
        if any(truth.rules.out[seat] and not was.out[seat] for seat in was.bidders):
            self._seen(ELIMINATED)
        if not truth.started:
            self._seen(OVER)
        elif was.running and not truth.running:
            self._seen(PAUSED)

    def _seen(self, race: str) -> None:
        self._world.met[_COUNTED + race] += 1


class SeenOwners(OwnerClients):
    """The owners of deadlines as a timer reaches them, while it is noted who asks, and what is answered."""

    races: Races
    timer: Process

    async def expire(self, due: Due, now_ms: int) -> Expiry:
        """Tell the owner of a deadline that its time has come."""
        self.races.asks(self.timer, due)
        reply = await super().expire(due, now_ms)
        self.races.answered(due, reply)
        return reply


class Coverage:
    """How often each race was seen, in how many seeds."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()
        self.seeds: Counter[str] = Counter()

    def add(self, met: Counter[str]) -> None:
        """Add what happened in a seed."""
        for race in RACES:
            seen = met[_COUNTED + race]
            self.times[race] += seen
            self.seeds[race] += seen > 0

    def missed(self) -> list[str]:
        """Return which races no seed has run."""
        return [race for race in RACES if not self.times[race]]

    def table(self) -> str:
        """Return it as a table."""
        lines = [f"{self.times[race]:8} {self.seeds[race]:8}  {race}" for race in RACES]
        return "\n".join(("   times    seeds  race", *lines))
