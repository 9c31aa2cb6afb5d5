"""Bidding, in games and at tables of the bank: calls on the auction service, and watching."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.client.session import (
    RETRY_SECONDS_MAX,
    RETRY_WAIT_SECONDS,
    Connection,
    bearer,
    may_retry,
    new_command_id,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence


class BiddingSession(Connection):
    """One connection to an auction service. `async with BiddingSession(address) as session: …`.

    `token` is that of a seat of the game, or of a card at the table. Every command is sent again until it is
    answered, and has one effect (see `Connection.command`).
    """

    def __init__(self, address: str, *, retry_seconds: float = RETRY_SECONDS_MAX) -> None:
        super().__init__(address, retry_seconds=retry_seconds)
        self.stub = auction_pb2_grpc.AuctionServiceStub(self._channel)

    async def auctions(self, game_id: str, *, token: str = "") -> auction_pb2.GetAuctionResponse:
        """Return what is under the hammer now."""
        request = auction_pb2.GetAuctionRequest(game_id=game_id)
        return await self.ask(self.stub.GetAuction, request, token)

    async def bid(
        self, game_id: str, token: str, amount: int, lot: int = 0, *, seen_version: int = 0
    ) -> auction_pb2.PlaceBidResponse:
        """Bid for a lot, 0 for the only one."""
        request = auction_pb2.PlaceBidRequest(
            game_id=game_id, seen_version=seen_version, lot=lot, amount=amount
        )
        return await self.command(self.stub.PlaceBid, request, token)

    async def pass_(
        self, game_id: str, token: str, lot: int = 0, *, seen_version: int = 0
    ) -> auction_pb2.PassAuctionResponse:
        """Take no further part in the auction of a lot, 0 for the only one."""
        request = auction_pb2.PassAuctionRequest(game_id=game_id, seen_version=seen_version, lot=lot)
        return await self.command(self.stub.PassAuction, request, token)

    async def set_ceiling(
        self, game_id: str, token: str, ceiling: int, lot: int = 0, *, seen_version: int = 0
    ) -> auction_pb2.SetProxyBidResponse:
        """Have bids made up to a ceiling that nobody else sees; 0 withdraws it."""
        request = auction_pb2.SetProxyBidRequest(
            game_id=game_id, seen_version=seen_version, lot=lot, ceiling=ceiling
        )
        return await self.command(self.stub.SetProxyBid, request, token)

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
            label=label,
            payee=payee,
            bidders=bidders,
            terms=terms,
        )
        return await self.command(self.stub.OpenAuction, request, token)

    async def cancel(self, table_id: str, token: str, auction: int) -> auction_pb2.CancelAuctionResponse:
        """End an auction at a table without a sale."""
        request = auction_pb2.CancelAuctionRequest(table_id=table_id, auction=auction)
        return await self.command(self.stub.CancelAuction, request, token)

    async def watch(
        self, game_id: str, from_version: int = 0, *, token: str = ""
    ) -> AsyncGenerator[auction_pb2.WatchAuctionResponse, None]:
        """Yield the state of now, then every change, over reconnects, until the game is over."""
        seen = from_version
        while True:
            request = auction_pb2.WatchAuctionRequest(game_id=game_id, from_version=seen)
            try:
                async for update in self.stub.WatchAuction(request, metadata=bearer(token)):
                    seen = update.version
                    self.note(game_id, seen)
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
