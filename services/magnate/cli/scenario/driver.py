"""What runs a scenario: a table somewhere. Two drivers keep this small promise; everything else is shared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import put_card, put_offer_made, put_position_given

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Given, Scenario
    from magnate.rules.v1 import vocabulary_pb2


DECISIONS: Final = ("roll", "pay", "stand_in")
"""The kinds of clocks that time what a seat has to do."""


class CannotRunError(Exception):
    """The table could not be set up, or the scenario needs what this driver cannot do."""


@dataclass(slots=True)
class Refusal:
    """A command was refused: the stable name, and a sentence."""

    reason: str
    message: str


@dataclass(slots=True)
class Live:
    """The state as the server has it: what must equal the fold of its log."""

    version: int
    state_hash: str
    auction: tuple[int, int, int, int] | None
    """Number, lot, leader and price of the running auction."""


@dataclass(slots=True)
class Times:
    """What a seat has of its clocks, in milliseconds; `clock` is None where it is not waited for."""

    clock: int | None
    stands: bool
    reserve: int
    allowance: int
    misses: int
    stand_in: bool
    away: bool


class Driver(Protocol):
    """A sandbox table."""

    game_id: str

    async def open(self, scenario: Scenario) -> None:
        """Open the table and seat the players; CannotRunError if that is refused."""
        ...

    async def start(self) -> Refusal | None:
        """Begin."""
        ...

    async def act(self, seat: int, command: vocabulary_pb2.Command) -> Refusal | None:
        """Send a seat's command."""
        ...

    async def pause(self, seat: int) -> Refusal | None:
        """Stop the clocks, as a seat wishes."""
        ...

    async def resume(self, seat: int) -> Refusal | None:
        """Let the clocks run on, as a seat wishes."""
        ...

    async def presence(self, seat: int, *, connected: bool) -> None:
        """Let a seat come, or go away; the log says so after it."""
        ...

    async def grant(self, by_seat: int, seat: int, time_ms: int) -> Refusal | None:
        """Give a seat's running clock more time."""
        ...

    async def times(self, seat: int) -> Times:
        """Return what a seat has of its clocks now."""
        ...

    def is_time(self, found: object, expected: object) -> bool:
        """Say whether a time is the one expected: to the millisecond where time is moved by hand."""
        ...

    async def wait(self, by_ms: int | None) -> None:
        """Let time pass; None: up to the next deadline. What falls due until then has happened after it."""
        ...

    async def records(self, after_version: int) -> list[game_pb2.ExportGameResponse]:
        """Return the stored records after a version."""
        ...

    async def live(self) -> Live:
        """Return what the server says the state is."""
        ...

    async def legal(self, seat: int) -> set[str]:
        """Return the kinds of commands that a seat may send now."""
        ...

    async def view(self, viewer: int) -> game_pb2.GameView:
        """Return the game as it is shown to a seat, or to model.WATCHER."""
        ...

    async def close(self) -> None:
        """Leave the table."""
        ...


def times_in(standing: game_pb2.Standing, seat: int) -> Times:
    """Return what a seat has of its clocks, of all that a watch begins with."""
    shown = standing.seats[seat]
    clock: int | None = None
    stands = False
    for one in standing.clocks:
        if one.seat == seat and one.kind in DECISIONS and (clock is None or stands):
            clock, stands = one.remaining_ms, one.stands
    away = shown.presence == game_pb2.PRESENCE_AWAY
    return Times(clock, stands, shown.reserve_ms, shown.allowance_ms, shown.misses, shown.stand_in, away)


def balances_in(view: game_pb2.GameView) -> dict[int, int]:
    """Return the cash, by seat, that a view shows."""
    return {shown.seat: shown.cash for shown in view.seats if not shown.cash_hidden}


def held_in(view: game_pb2.GameView) -> dict[int, int]:
    """Return what is on hold, by seat, as far as a view shows it."""
    return {shown.seat: shown.held for shown in view.seats if shown.held}


def sandbox_of(scenario: Scenario) -> game_pb2.Sandbox:
    """Return the sandbox that a scenario asks for."""
    message = game_pb2.Sandbox()
    script = scenario.script
    for first, second in script.dice:
        message.dice.extend((first, second))
    for card in script.cards:
        put_card(card, message.cards.add())
    message.amounts.extend(script.amounts)
    message.squares.extend(script.squares)
    message.deals.extend(script.deals)
    message.drawn_seats.extend(script.seats)
    given = scenario.given
    if given is not None:
        message.clocks = given.clocks
        if not scenario.table.rules.start_position_allowed:
            _put_given(given, message)
    return message


def start_of(scenario: Scenario) -> game_pb2.StartPosition | None:
    """Return the position of a scenario, where its rule set lets any table begin from one."""
    if scenario.given is None or not scenario.table.rules.start_position_allowed:
        return None
    message = game_pb2.StartPosition()
    _put_given(scenario.given, message)
    return message


def _put_given(given: Given, message: game_pb2.Sandbox | game_pb2.StartPosition) -> None:
    message.position.SetInParent()
    put_position_given(given.position, message.position)
    message.cash.extend(given.cash)
    for offer in given.offers:
        put_offer_made(offer, message.offers.add())


def options_of(scenario: Scenario) -> dict[str, str]:
    """Return the house rules of a scenario as the API takes them."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in scenario.table.options.items()
    }
