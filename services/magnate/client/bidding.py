"""Bidding, in games and at tables of the bank: calls on the auction service, and watching."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.client.session import (
    CALL_TIMEOUT_SECONDS,
    RETRY_SECONDS_MAX,
    RETRY_WAIT_SECONDS,
    Connection,
    bearer,
    may_retry,
    new_command_id,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class BiddingSession(Connection):
    """One connection to an auction service. `async with BiddingSession(address) as session: …`.

    `token` is that of a seat of the game, or of a card at the table.
    """

    def __init__(self, address: str, *, retry_seconds: float = RETRY_SECONDS_MAX) -> None:
        super().__init__(address, retry_seconds=retry_seconds)
        self.stub = auction_pb2_grpc.AuctionServiceStub(self._channel)

    async def auctions(self, game_id: str, *, token: str = "") -> auction_pb2.GetAuctionResponse:
        """Return what is under the hammer now."""
        request = auction_pb2.GetAuctionRequest(game_id=game_id)
        return await self.call(
            lambda: self.stub.GetAuction(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )

    async def bid(
        self, game_id: str, token: str, amount: int, lot: int = 0, *, seen_version: int = 0
    ) -> auction_pb2.PlaceBidResponse:
        """Bid for a lot, 0 for the only one; sent again until it is answered, it has one effect."""
        request = bid_request(game_id, amount, lot, seen_version=seen_version)
        return await self.call(
            lambda: self.stub.PlaceBid(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )

    async def pass_(
        self, game_id: str, token: str, lot: int = 0, *, seen_version: int = 0
    ) -> auction_pb2.PassAuctionResponse:
        """Take no further part in the auction of a lot, 0 for the only one."""
        request = auction_pb2.PassAuctionRequest(
            game_id=game_id, command_id=new_command_id(), seen_version=seen_version, lot=lot
        )
        return await self.call(
            lambda: self.stub.PassAuction(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )

    async def watch(
        self, game_id: str, from_version: int = 0, *, token: str = ""
    ) -> AsyncIterator[auction_pb2.WatchAuctionResponse]:
        """Yield the state of now, then every change, over reconnects, until the game is over."""
        seen = from_version
        while True:
            request = auction_pb2.WatchAuctionRequest(game_id=game_id, from_version=seen)
            try:
                async for update in self.stub.WatchAuction(request, metadata=bearer(token)):
                    seen = update.version
                    yield update
            except grpc.aio.AioRpcError as error:
                if not may_retry(error):
                    raise refused(error) from None
            else:
                return
            await asyncio.sleep(RETRY_WAIT_SECONDS)


def bid_request(
    game_id: str, amount: int, lot: int = 0, *, seen_version: int = 0
) -> auction_pb2.PlaceBidRequest:
    """Return a bid with a fresh command id."""
    return auction_pb2.PlaceBidRequest(
        game_id=game_id, command_id=new_command_id(), seen_version=seen_version, lot=lot, amount=amount
    )
