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
    from collections.abc import AsyncIterator, Sequence


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

    async def set_ceiling(
        self, game_id: str, token: str, ceiling: int, lot: int = 0, *, seen_version: int = 0
    ) -> auction_pb2.SetProxyBidResponse:
        """Have bids made up to a ceiling that nobody else sees; 0 withdraws it."""
        request = auction_pb2.SetProxyBidRequest(
            game_id=game_id, command_id=new_command_id(), seen_version=seen_version, lot=lot, ceiling=ceiling
        )
        return await self.call(
            lambda: self.stub.SetProxyBid(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )

    async def sell(
        self,
        table_id: str,
        token: str,
        label: str,
        terms: auction_pb2.AuctionTerms,
        *,
        payee: str = "",
        bidders: Sequence[int] = (),
    ) -> auction_pb2.OpenAuctionResponse:
        """Open an auction at a table of the bank or a ledger; its number is that of the lot, too."""
        request = auction_pb2.OpenAuctionRequest(
            table_id=table_id,
            command_id=new_command_id(),
            label=label,
            payee=payee,
            bidders=bidders,
            terms=terms,
        )
        return await self.call(
            lambda: self.stub.OpenAuction(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )

    async def cancel(self, table_id: str, token: str, auction: int) -> auction_pb2.CancelAuctionResponse:
        """End an auction at a table without a sale."""
        request = auction_pb2.CancelAuctionRequest(
            table_id=table_id, command_id=new_command_id(), auction=auction
        )
        return await self.call(
            lambda: self.stub.CancelAuction(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
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
