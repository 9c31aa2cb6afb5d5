"""What a bot is: it sees the public state and its legal actions, and answers with a command or waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.v1 import game_pb2


class Bot(Protocol):
    """Chooses what a seat does next."""

    def choose(
        self, seat: int, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]
    ) -> vocabulary_pb2.Command | None:
        """Return the next command of `seat`, one of its legal `actions`; None to leave it to others."""


def simple(kind: str) -> vocabulary_pb2.Command:
    """Return the command of this kind that has no parameters."""
    command = vocabulary_pb2.Command()
    getattr(command, kind).SetInParent()
    return command


def bid(action: game_pb2.LegalAction, amount: int) -> vocabulary_pb2.Command:
    """Return a bid in the auction that the action is about."""
    lot = action.lots[0].lot if action.lots else 0
    return vocabulary_pb2.Command(
        place_bid=vocabulary_pb2.PlaceBid(lot=lot, amount=amount, auction=action.auction)
    )


def have_bid(action: game_pb2.LegalAction, ceiling: int) -> vocabulary_pb2.Command:
    """Have bids made in the auction that the action is about, up to a ceiling."""
    lot = action.lots[0].lot if action.lots else 0
    return vocabulary_pb2.Command(
        set_proxy_bid=vocabulary_pb2.SetProxyBid(lot=lot, ceiling=ceiling, auction=action.auction)
    )


def let_go(action: game_pb2.LegalAction) -> vocabulary_pb2.Command:
    """Return a pass in the auction that the action is about."""
    lot = action.lots[0].lot if action.lots else 0
    return vocabulary_pb2.Command(pass_auction=vocabulary_pb2.PassAuction(lot=lot, auction=action.auction))


def claim(legal: dict[str, game_pb2.LegalAction]) -> vocabulary_pb2.Command | None:
    """Ask for rent that has to be claimed, if there is any: the next throw of another ends the right."""
    if "claim_rent" not in legal:
        return None
    lot = legal["claim_rent"].lots[0].lot
    return vocabulary_pb2.Command(claim_rent=vocabulary_pb2.ClaimRent(lot=lot))


def in_steps(amount: int, action: game_pb2.LegalAction) -> int:
    """Return the highest amount up to this one that may be bid: bids may go up by fixed steps."""
    return amount - (amount - action.amount_min) % max(1, action.amount_step)


def last_building(legal: dict[str, game_pb2.LegalAction], *, wants: bool) -> vocabulary_pb2.Command | None:
    """Return what to say when the last buildings are asked about, or where to put the one that was won."""
    if "place_building" in legal:
        lot = legal["place_building"].lots[0].lot
        return vocabulary_pb2.Command(place_building=vocabulary_pb2.PlaceBuilding(lot=lot))
    if "want_building" in legal and wants:
        building = legal["want_building"].answers[0]
        return vocabulary_pb2.Command(want_building=vocabulary_pb2.WantBuilding(building=building))
    return simple("skip") if "skip" in legal else None


def lot_levels(kind: str, targets: dict[int, int]) -> vocabulary_pb2.Command:
    """Return `build` or `sell_buildings` with target levels by lot."""
    command = vocabulary_pb2.Command()
    inner = getattr(command, kind)
    inner.SetInParent()
    for lot, level in targets.items():
        inner.targets.add(lot=lot, level=level)
    return command


def lots(kind: str, chosen: Sequence[int]) -> vocabulary_pb2.Command:
    """Return `mortgage_lots` or `redeem_lots`."""
    command = vocabulary_pb2.Command()
    inner = getattr(command, kind)
    inner.SetInParent()
    inner.lots.extend(chosen)
    return command


def offer_answer(kind: str, offer: int) -> vocabulary_pb2.Command:
    """Return `accept_offer`, `reject_offer` or `withdraw_offer`."""
    command = vocabulary_pb2.Command()
    inner = getattr(command, kind)
    inner.SetInParent()
    inner.offer = offer
    return command


def by_kind(actions: Sequence[game_pb2.LegalAction]) -> dict[str, game_pb2.LegalAction]:
    """Return the actions by their kind; where several auctions run, the one that was opened first."""
    found: dict[str, game_pb2.LegalAction] = {}
    for action in actions:
        if not (action.auction and action.kind in found):
            found[action.kind] = action
    return found
