"""Sealed and Dutch auctions in games, over gRPC: settled, verified, left, cancelled, repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
import pytest

from magnate.auction.fold import AuctionFold
from magnate.auction.snapshot import AuctionSnapshots
from magnate.auction.v1 import auction_pb2
from magnate.bank.fold import LedgerFold
from magnate.bank.snapshot import LedgerSnapshots
from magnate.bank.v1 import ledger_pb2
from magnate.cli.audit.table import examine
from magnate.cli.check import check_game
from magnate.cli.local import KEYS
from magnate.client.sealed import verify_sealed
from magnate.client.session import Session
from magnate.game.fold import GameFold
from magnate.game.snapshot import GameSnapshots
from magnate.game.v1 import game_pb2
from magnate.kit.log.fold import Loader
from magnate.kit.rpc.status import remote_error
from magnate.log.v1 import log_pb2
from tests.integration.auction.test_sealed_secrets import at_auction
from tests.support.dice import LOT
from tests.support.game_api import CALL_SECONDS, bearer
from tests.support.glass import Glass, glass_house

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from magnate.cli.check import Checked

pytestmark = pytest.mark.asyncio


async def records_of(glass: Glass) -> list[game_pb2.ExportGameResponse]:
    """Return what everybody may have of the log."""
    request = game_pb2.ExportGameRequest(game_id=glass.game_id)
    return [one async for one in glass.game.ExportGame(request, timeout=CALL_SECONDS)]


async def verified(glass: Glass) -> Checked:
    """Return what `magnate verify` finds, which must be nothing, and audit the log itself."""
    async with Session(glass.address) as session:
        checked = await check_game(session, glass.game_id, glass.address)
    assert checked.faults == []
    stored = await glass.services.log.load(glass.game_id)
    finding = examine(KEYS, glass.game_id, stored, None, 0)
    assert finding.faults == []
    return checked


async def view(glass: Glass, token: str = "") -> game_pb2.GameView:
    """Return the game as somebody sees it."""
    request = game_pb2.GetGameRequest(game_id=glass.game_id)
    return (await glass.game.GetGame(request, metadata=bearer(token), timeout=CALL_SECONDS)).game


async def holds(glass: Glass, seat: int = -1, version: int = 0) -> list[tuple[str, int]]:
    """Return the holds that a seat, or anybody, sees."""
    token = glass.tokens[seat] if seat >= 0 else ""
    request = ledger_pb2.ListHoldsRequest(ledger_id=glass.game_id, version=version)
    answer = await glass.ledger.ListHolds(request, metadata=bearer(token), timeout=CALL_SECONDS)
    return [(one.account, one.amount) for one in answer.holds]


async def refused(call: Awaitable[object]) -> str:
    """Return the name of a refusal, which there must be."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return remote_error(caught.value).reason


@pytest.mark.parametrize(("mode", "price"), [("sealed", 220), ("vickrey", 100)])
async def test_a_game_with_sealed_bids_is_settled_and_verifies_from_outside(mode: str, price: int) -> None:
    """Before the close nobody finds fault though he sees nothing; after it every bid can be checked."""
    async with glass_house() as glass:
        await at_auction(glass, mode)
        await glass.bid(1, 220)
        await glass.act(2, place_bid={"lot": LOT, "amount": 100})
        before = await verified(glass)
        assert (before.sealed_checked, before.sealed_secret) == (0, 2)
        running = await glass.version()
        assert await holds(glass) == []
        assert await holds(glass, 1) == [("seat-1", 220)]
        assert all(not one.opened_secret for one in await records_of(glass))
        await glass.bid(0, 50)
        await glass.act(3, pass_auction={"lot": LOT})
        after = await verified(glass)
        assert (after.sealed_checked, after.sealed_secret) == (3, 0)
        shown = await view(glass)
        assert {lot.lot: lot.owner for lot in shown.lots}[LOT] == 1
        assert [(seat.cash, seat.held) for seat in shown.seats] == [
            (1500, 0), (1500 - price, 0), (1500, 0), (1500, 0),
        ]  # fmt: skip
        assert await holds(glass, 1) == []
        assert await holds(glass, version=running) == [], "what was hidden then is not shown later either"
        assert await holds(glass, 1, running) == [("seat-1", 220)]


async def test_the_verifier_finds_a_bid_that_was_changed() -> None:
    """Another secret part, another amount, a bid left out, another winner: each is told."""
    async with glass_house() as glass:
        await at_auction(glass, "sealed")
        for seat, amount in enumerate((50, 220, 100, 10)):
            await glass.bid(seat, amount)
        records = await records_of(glass)
    assert verify_sealed(records).faults == []
    assert verify_sealed(records).checked == 4
    bidding = next(one for one in records if one.opened_secret)
    bidding.opened_secret += b" "
    assert "not the committed one" in verify_sealed(records).faults[0]
    bidding.opened_secret = b""
    assert "was not opened" in verify_sealed(records).faults[0]
    for change, told in ((_raised, "not the one that was handed in"), (_suppressed, "were revealed, of")):
        assert told in verify_sealed(_changed(records, change)).faults[0]
    assert any("won by" in fault for fault in verify_sealed(_changed(records, _robbed)).faults)


def _changed(records: list[game_pb2.ExportGameResponse], change: object) -> list[game_pb2.ExportGameResponse]:
    """Return the records with the close told differently."""
    assert callable(change)
    changed = []
    for record in records:
        public = log_pb2.PublicPart.FromString(record.public)
        for section in public.sections:
            if section.kind == log_pb2.SECTION_KIND_AUCTION:
                stored = auction_pb2.AuctionSection.FromString(section.body)
                for event in stored.events:
                    change(event)
                section.body = stored.SerializeToString()
        twin = game_pb2.ExportGameResponse()
        twin.CopyFrom(record)
        twin.public = public.SerializeToString()
        changed.append(twin)
    return changed


def _raised(event: object) -> None:
    if event.HasField("bids_revealed"):  # type: ignore[attr-defined]
        event.bids_revealed.bids[1].amount += 1  # type: ignore[attr-defined]


def _suppressed(event: object) -> None:
    if event.HasField("bids_revealed"):  # type: ignore[attr-defined]
        del event.bids_revealed.bids[0]  # type: ignore[attr-defined]


def _robbed(event: object) -> None:
    if event.HasField("auction_closed"):  # type: ignore[attr-defined]
        event.auction_closed.winner = 2  # type: ignore[attr-defined]


async def test_the_services_keep_secrets_over_a_snapshot() -> None:
    """What each of them had folded in the middle of the auction is the same after it was stored."""
    async with glass_house() as glass:
        await at_auction(glass, "sealed")
        await glass.bid(1, 220)
        await glass.act(2, resign={})
        log, game_id = glass.services.log, glass.game_id
        game = (await Loader(log, KEYS, GameFold()).load(game_id)).state
        again = GameSnapshots().decode(GameSnapshots().encode(game))
        assert (again.concealed, again.holds, again.auctions) == (game.concealed, game.holds, game.auctions)
        assert len(game.concealed) == 1
        auction = (await Loader(log, KEYS, AuctionFold()).load(game_id)).state
        assert AuctionSnapshots().decode(AuctionSnapshots().encode(auction)).auctions.running == (
            auction.auctions.running
        )
        assert list(auction.auctions.running[1].sealed) == [1]
        ledger = (await Loader(log, KEYS, LedgerFold()).load(game_id)).state
        assert LedgerSnapshots().decode(LedgerSnapshots().encode(ledger)).same_as(ledger)


async def test_who_resigns_takes_his_bid_with_him_and_it_is_told_at_the_close() -> None:
    """Its money is free in secret; the others decide who wins; the withdrawn bid can be checked, too."""
    async with glass_house() as glass:
        await at_auction(glass, "sealed")
        await glass.bid(1, 700)
        await glass.bid(2, 100)
        await glass.act(1, resign={})
        assert (await verified(glass)).sealed_secret == 2
        assert all(not one.opened_secret for one in await records_of(glass))
        await glass.bid(0, 50)
        await glass.act(3, pass_auction={"lot": LOT})
        checked = await verified(glass)
        assert (checked.sealed_checked, checked.sealed_secret) == (3, 0)
        assert {lot.lot: lot.owner for lot in (await view(glass)).lots}[LOT] == 2


async def test_what_a_cancelled_auction_had_stays_secret() -> None:
    """The game ends in the middle of it: the money is back, no bid is shown, the digests stay."""
    async with glass_house() as glass:
        await at_auction(glass, "sealed")
        await glass.bid(1, 700)
        for seat in (0, 2, 3):
            await glass.act(seat, resign={})
        shown = await view(glass)
        assert shown.status == game_pb2.GAME_STATUS_OVER
        assert (shown.seats[1].cash, shown.seats[1].held) == (1500, 0)
        checked = await verified(glass)
        assert (checked.sealed_checked, checked.sealed_secret) == (0, 1)
        assert all(not one.opened_secret for one in await records_of(glass))


@pytest.mark.parametrize("mode", ["open", "sealed", "vickrey", "dutch"])
@pytest.mark.parametrize("by_game", [True, False])
async def test_a_bid_sent_again_must_be_the_same_one(mode: str, *, by_game: bool) -> None:
    """The amount is in no digest, so it is compared with what was stored; by either way."""
    async with glass_house() as glass:
        await at_auction(glass, mode)

        async def bid(amount: int) -> bool:
            if not by_game:
                return (await glass.bid(1, amount, "mine")).replayed
            request = game_pb2.ActRequest(game_id=glass.game_id, command_id="mine")
            request.command.place_bid.amount = amount
            metadata = bearer(glass.tokens[1])
            return (await glass.game.Act(request, metadata=metadata, timeout=CALL_SECONDS)).replayed

        assert not await bid(300)
        version = await glass.version()
        assert await bid(300)
        assert await refused(bid(301)) == "COMMAND_ID_REUSED"
        assert await refused(bid(299)) == "COMMAND_ID_REUSED"
        assert await glass.version() == version


async def test_either_way_in_makes_the_same_digest() -> None:
    """A bid sent through the one service is known to the other."""
    async with glass_house() as glass:
        await at_auction(glass, "sealed")
        await glass.bid(1, 300, "mine")
        request = game_pb2.ActRequest(game_id=glass.game_id, command_id="mine")
        request.command.place_bid.amount = 300
        answer = await glass.game.Act(request, metadata=bearer(glass.tokens[1]), timeout=CALL_SECONDS)
        assert answer.replayed
        assert [event.WhichOneof("kind") for event in answer.auction_events] == ["bid_sealed"]


async def test_a_dutch_auction_is_taken_at_the_price_of_the_moment() -> None:
    """The price falls by the clock; legal actions and the view show it; a pause stops it."""
    async with glass_house() as glass:
        await at_auction(glass, "dutch", auction__dutch_start_percent="200", auction__dutch_step_percent="10")
        legal = game_pb2.GetLegalActionsRequest(game_id=glass.game_id, seat=1)

        async def least() -> int:
            answer = await glass.game.GetLegalActions(legal, timeout=CALL_SECONDS)
            (bid,) = [one for one in answer.actions if one.kind == "place_bid"]
            assert (await view(glass)).situation.auction.next_minimum == bid.amount_min
            return bid.amount_min

        assert await least() == 200
        await glass.services.advance(glass.game_id, 6_000)
        assert await least() == 170
        assert await refused(glass.bid(1, 169)) == "BID_TOO_LOW"
        await glass.bid(1, 999)
        shown = await view(glass)
        assert {lot.lot: lot.owner for lot in shown.lots}[LOT] == 1
        assert shown.seats[1].cash == 1500 - 170
        await verified(glass)
