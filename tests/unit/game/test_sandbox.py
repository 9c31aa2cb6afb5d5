"""Sandbox tables: allowed or not, judged before they begin, and at the end of their script."""

from __future__ import annotations

import pytest

from magnate.game.acting import Acted
from magnate.game.snapshot import GameSnapshots
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import put_offer_made
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.transact_types import Done
from magnate.rules.vocabulary import Card, OfferMade, OfferTrade, RejectOffer, Roll, Terms
from tests.support.tables import LocalTable, done, refusal

pytestmark = pytest.mark.asyncio


async def test_a_sandbox_needs_a_server_that_allows_it() -> None:
    """Off by default; a table that asks for one is refused and not opened without it."""
    table = LocalTable()
    table.game.service._sandbox = False
    assert refusal(await table.open(sandbox=game_pb2.Sandbox())) == "SANDBOX_DISABLED"
    assert await table.commits() == []
    await table.close()


def offer_of(offer: OfferMade) -> game_pb2.Sandbox:
    """Return a sandbox in which this offer stands open, at the start of a game for two."""
    sandbox = game_pb2.Sandbox(cash=[1500, 1500])
    position = sandbox.position
    position.phase, position.round, position.houses, position.hotels = 1, 1, 32, 12
    position.offered_lot = -1
    for name in ("at", "jailed", "jail_tries", "out"):
        getattr(position, name).extend([0, 0])
    position.owner.extend([1 if square == 6 else -1 for square in range(40)])
    position.level.extend([0] * 40)
    position.mortgaged.extend([0] * 40)
    put_offer_made(offer, sandbox.offers.add())
    return sandbox


async def test_an_offer_of_a_sandbox_stands_open() -> None:
    """It can be answered like any other."""
    table = LocalTable()
    await table.begin(seats=2, sandbox=offer_of(OfferMade(1, 1, 0, Terms(0, [6], [], 50, [], [], 0), 0)))
    assert await table.refused(1, RejectOffer(1)) == "NOT_OFFER_PARTY"
    assert isinstance(await table.act(0, RejectOffer(1)), Acted)
    assert isinstance(await table.act(0, OfferTrade(1, Terms(1, [], [], 0, [6], [], 0))), Acted)
    await table.close()


@pytest.mark.parametrize(
    "offer",
    [
        OfferMade(2, 1, 0, Terms(0, [6], [], 0, [], [], 0), 0),
        OfferMade(1, 2, 0, Terms(0, [6], [], 0, [], [], 0), 0),
        OfferMade(1, 1, -1, Terms(0, [6], [], 0, [], [], 0), 0),
        OfferMade(1, 1, 1, Terms(0, [6], [], 0, [], [], 0), 0),
        OfferMade(1, 1, 0, Terms(0, [99], [], 0, [], [], 0), 0),
        OfferMade(1, 0, 1, Terms(0, [6], [], 0, [], [], 0), 0),
        OfferMade(1, 1, 0, Terms(-5, [6], [], 0, [], [], 0), 0),
        OfferMade(1, 1, 0, Terms(0, [], [Card(9, 9)], 0, [], [], 0), 0),
        OfferMade(1, 1, 0, Terms(0, [6], [], 0, [], [], 0), 7),
    ],
)
async def test_an_offer_that_cannot_stand_is_refused_at_the_start(offer: OfferMade) -> None:
    """Its number, its seats and its things are judged before anything is stored."""
    table = LocalTable()
    done(await table.open(seats=2, sandbox=offer_of(offer)))
    done(await table.join("A"))
    done(await table.join("B"))
    result = await table.start()
    assert refusal(result) == "INVALID_POSITION"
    assert not isinstance(result, Done)
    assert "offers[0]" in result.rejection.detail
    assert len(await table.commits()) == 3
    await table.close()


async def test_a_script_that_is_used_up_says_so() -> None:
    """A sandbox never draws by itself, and a refused draw uses nothing up."""
    table = LocalTable()
    await table.begin(seats=2, sandbox=game_pb2.Sandbox(dice=[6, 5, 1, 2]))
    assert await table.refused(0, Roll()) == "SANDBOX_EXHAUSTED"
    assert await table.refused(1, Roll()) == "NOT_YOUR_TURN"
    await table.close()
    empty = LocalTable()
    done(await empty.open(seats=2, sandbox=game_pb2.Sandbox()))
    done(await empty.join("A"))
    done(await empty.join("B"))
    assert refusal(await empty.start()) == "SANDBOX_EXHAUSTED"
    await empty.close()


def start_of(offer: OfferMade) -> game_pb2.StartPosition:
    """Return the same position for a table whose chance is fair."""
    given = offer_of(offer)
    return game_pb2.StartPosition(position=given.position, cash=given.cash, offers=given.offers)


OFFER = OfferMade(1, 1, 0, Terms(0, [6], [], 50, [], [], 0), 0)
ALLOWED = {"start.position_allowed": "true"}


async def test_a_table_may_begin_from_a_position_with_fair_dice() -> None:
    """By a house rule, on any server; its offer stands open and the dice come from the seed."""
    table = LocalTable()
    table.game.service._sandbox = False
    done(await table.open(seats=2, options=ALLOWED, start=start_of(OFFER)))
    done(await table.join("A"))
    done(await table.join("B"))
    done(await table.start())
    state = (await table.loaded()).state
    assert state.table.sandbox is None
    assert state.rules is not None
    assert (state.rules.owner[6], list(state.rules.offers)) == (1, [1])
    assert isinstance(await table.act(0, RejectOffer(1)), Acted)
    assert isinstance(await table.act(0, Roll()), Acted)
    snapshots = GameSnapshots()
    again = snapshots.decode(snapshots.encode((await table.loaded()).state))
    assert again.table.start is not None
    assert again.table.start.cash == [1500, 1500]
    await table.close()


async def test_a_position_needs_the_house_rule() -> None:
    """The refusal names the option; nothing is opened."""
    table = LocalTable()
    result = await table.open(seats=2, start=start_of(OFFER))
    assert refusal(result) == "OPTION_CONFLICT"
    assert not isinstance(result, Done)
    assert "start.position_allowed" in result.rejection.detail
    await table.close()


async def test_a_position_for_fair_dice_is_judged_like_any_other() -> None:
    """What could not have come about does not begin."""
    table = LocalTable()
    wrong = start_of(OFFER)
    wrong.cash[0] = -1
    done(await table.open(seats=2, options=ALLOWED, start=wrong))
    done(await table.join("A"))
    done(await table.join("B"))
    assert refusal(await table.start()) == "INVALID_POSITION"
    await table.close()


async def test_a_game_has_one_beginning() -> None:
    """A position in the sandbox and another one beside it contradict each other."""
    table = LocalTable()
    with pytest.raises(InvalidArgumentError, match="one beginning"):
        await table.open(seats=2, options=ALLOWED, sandbox=offer_of(OFFER), start=start_of(OFFER))
    await table.close()
