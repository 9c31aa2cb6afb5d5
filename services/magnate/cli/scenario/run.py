"""Runs one scenario on a driver: the steps, what each comes to, the invariants after each, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.scenario.commands import command_of
from magnate.cli.scenario.driver import CannotRunError, balances_in, held_in
from magnate.cli.scenario.mirror import Mirror
from magnate.cli.scenario.model import Bid, Deal, Do, Plain, Wait
from magnate.cli.scenario.names import AUCTION_EVENTS, KINDS, RULES_EVENTS
from magnate.kit.log.commit import AUCTION, RULES, TABLE
from magnate.rules import plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.cli.scenario.driver import Driver, Live, Refusal
    from magnate.cli.scenario.mirror import Came
    from magnate.cli.scenario.model import Action, LegalExpectation, Scenario, Step, ViewExpectation
    from magnate.game.v1 import game_pb2

READS_MAX: Final = 10
"""How often log and live state are read before they count as different."""


class StoppedError(Exception):
    """A step went wrong in a way that makes all later ones meaningless."""


async def run_scenario(scenario: Scenario, connect: Callable[[], Driver]) -> list[str]:
    """Return what failed; empty when everything came out as it must."""
    run = Run(scenario, connect())
    try:
        await run.play()
    except (StoppedError, CannotRunError) as error:
        run.failures.append(str(error))
    finally:
        await run.driver.close()
    return run.failures


class Run:
    """A scenario being played."""

    def __init__(self, scenario: Scenario, driver: Driver) -> None:
        self.scenario = scenario
        self.driver = driver
        self.failures: list[str] = []
        self._players = scenario.table.players
        self._offers: dict[str, int] = {}
        self._game = Mirror("", self._players)

    async def play(self) -> None:
        """Set the table, take every step, look at the end."""
        await self._set_table()
        for step in self.scenario.steps:
            await self._take(step)
        await self._compare()

    async def _set_table(self) -> None:
        await self.driver.open(self.scenario)
        self._game = Mirror(self.driver.game_id, self._players)
        await self._follow("opening the table")
        if self.scenario.given is not None:
            await self._begin()

    async def _begin(self) -> None:
        """Start from the position; bids and passes that belong to it are made by command."""
        given = self.scenario.given
        assert given is not None
        refusal = await self.driver.start()
        if refusal is not None:
            raise CannotRunError(f"the position was refused: {refusal.reason}: {refusal.message}")
        await self._follow("the position")
        for number, offer_id in enumerate(given.offer_ids, start=1):
            self._remember(offer_id, number)
        auction = given.auction
        if auction is None:
            return
        before: list[tuple[int, Action]] = [(seat, Plain("pass")) for seat in auction.passed]
        if auction.price:
            before.insert(0, (auction.leader, Bid(auction.lot, auction.price)))
        for seat, action in before:
            refusal = await self._act(seat, action)
            if refusal is not None:
                raise CannotRunError(f"given.auction: {self._players[seat]} was refused: {refusal.reason}")
            await self._follow("given.auction")
        if self._game.state.auction is None:
            raise CannotRunError("given.auction: this auction would be over already")

    async def _take(self, step: Step) -> None:
        refusal = await self._do(step)
        came = await self._follow(step.text)
        if refusal is not None and step.rejected is None:
            raise StoppedError(f"{step.text}: was refused with {refusal.reason} ({refusal.message})")
        if step.rejected is not None:
            if refusal is None:
                raise StoppedError(f"{step.text}: was accepted, must be refused with {step.rejected}")
            if refusal.reason != step.rejected:
                self._fail(step, f"was refused with {refusal.reason}, must be {step.rejected}")
            if came.commits:
                self._fail(step, f"was refused, but appended {came.commits} commits")
            return
        if isinstance(step.action, Deal):
            self._remember(step.action.offer_id, self._game.rules.offer_count)
        if step.events is not None:
            self._check_events(step, step.events, came)
        if step.pays is not None and step.pays != came.pays:
            self._fail(step, f"pays {_shown(came.pays)}, must be {_shown(step.pays)}")

    async def _do(self, step: Step) -> Refusal | None:
        action = step.action
        if isinstance(action, Wait):
            await self.driver.wait(action.by_ms)
            return None
        if isinstance(action, Do):
            return await self._arrange(action)
        return await self._act(step.seat, action)

    async def _arrange(self, action: Do) -> Refusal | None:
        driver = self.driver
        if action.word == "start":
            return await driver.start()
        if action.word == "extra_time":
            return await driver.grant(action.seat, action.to, action.time_ms)
        if action.word in {"connect", "disconnect"}:
            await driver.presence(action.seat, connected=action.word == "connect")
            return None
        return await (driver.pause if action.word == "pause" else driver.resume)(action.seat)

    async def _act(self, seat: int, action: Action) -> Refusal | None:
        return await self.driver.act(seat, command_of(action, seat, self._game, self._offers))

    def _remember(self, offer_id: str, number: int) -> None:
        """Note which offer an id of the file stands for now; after a counter-offer that is the new one."""
        self._offers[offer_id] = number
        self._game.offer_ids[number] = offer_id

    async def _follow(self, what: str) -> Came:
        """Read on in the log, and check everything that must always hold."""
        records, live = await self._read()
        came = self._game.follow(records)
        self.failures.extend(f"{what}: invariant: {wrong}" for wrong in self._game.violations())
        rules, auction = self._game.state.rules, self._game.state.auction
        folded = "" if rules is None else plain.digest(rules)
        bids = None if auction is None else (auction.auction, auction.lot, auction.leader, auction.price)
        if (live.version, live.state_hash, live.auction) != (self._game.version, folded, bids):
            at = f"version {self._game.version}, the live state at {live.version}"
            self.failures.append(
                f"{what}: invariant: the fold of the log is not the live state (log at {at})"
            )
        return came

    async def _read(self) -> tuple[list[game_pb2.ExportGameResponse], Live]:
        """Return what is new in the log and the live state, of one version: a clock may append in between."""
        for _ in range(READS_MAX):
            records, live = await self.driver.records(self._game.version), await self.driver.live()
            if live.version <= self._game.version + len(records):
                break
        return records, live

    def _check_events(self, step: Step, expected: list[str], came: Came) -> None:
        """Each family of events is a sequence of its own: a commit stores them in sections."""
        for kind in (TABLE, RULES, AUCTION):
            wanted = [name for name in expected if _family(name) == kind]
            left = list(came.events[kind])
            for name in wanted:
                if name not in left:
                    self._fail(step, f"lacks event {name} (in this order); there were {came.all_events()}")
                    return
                del left[: left.index(name) + 1]

    async def _compare(self) -> None:
        for one in self.scenario.expect:
            if self._game.state.rules is None:
                raise StoppedError(f"{one.key}: the game has not begun")
            found = one.read(self._game)
            if found != one.expected:
                self.failures.append(f"{one.key}: is {_shown(found)}, must be {_shown(one.expected)}")
        for legal in self.scenario.legal:
            await self._compare_legal(legal)
        for view in self.scenario.views:
            await self._compare_view(view)
        for time in self.scenario.times:
            found = getattr(await self.driver.times(time.seat), time.word)
            if not self.driver.is_time(found, time.expected):
                self.failures.append(f"{time.key}: is {_time(found)}, must be {_time(time.expected)}")

    async def _compare_legal(self, expected: LegalExpectation) -> None:
        kinds = await self.driver.legal(expected.seat)
        for word in expected.words:
            if (KINDS[word] in kinds) != expected.legal:
                verdict = "is not legal" if expected.legal else "is legal"
                self.failures.append(f"{expected.key}: {word} {verdict}; legal is {', '.join(sorted(kinds))}")

    async def _compare_view(self, expected: ViewExpectation) -> None:
        view = await self.driver.view(expected.viewer)
        if expected.bids:
            held = held_in(view)
            if held != expected.shown:
                seen, wanted = (
                    ", ".join(f"{self._players[seat]} {amount}" for seat, amount in one.items()) or "nothing"
                    for one in (held, expected.shown)
                )
                self.failures.append(f"{expected.key}: shows on hold {seen}, must show {wanted}")
            return
        shown = balances_in(view)
        if sorted(shown) != sorted(expected.shown):
            seen, wanted = (
                ", ".join(self._players[seat] for seat in sorted(seats)) or "nobody's"
                for seats in (shown, expected.shown)
            )
            self.failures.append(f"{expected.key}: shows {seen}, must show {wanted}")
        wrong = [seat for seat, cash in shown.items() if cash != self._game.rules.cash[seat]]
        self.failures.extend(f"{expected.key}: {self._players[seat]} has something else" for seat in wrong)

    def _fail(self, step: Step, what: str) -> None:
        self.failures.append(f"{step.text}: {what}")


def _family(name: str) -> int:
    if name in RULES_EVENTS:
        return RULES
    return AUCTION if name in AUCTION_EVENTS else TABLE


def _time(value: object) -> str:
    return f"{value} ms" if isinstance(value, int) and not isinstance(value, bool) else _shown(value)


def _shown(value: object) -> str:
    if isinstance(value, list) and all(isinstance(one, tuple) and len(one) == 3 for one in value):
        return "[" + ", ".join(f"{payer} -> {payee} {amount}" for payer, payee, amount in value) + "]"
    return "nobody" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
