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
    from collections.abc import AsyncGenerator, Sequence


class BiddingSession(Connection):
    """One connection to an auction service. `async with BiddingSession(address) as session: …`.

    `token` is that of a seat of the game, or of a card at the table. Every command is sent again until it is
    answered, and has one effect. It says which version was seen: the one that is given, else the newest that
    came through this session, for which the game is looked at if none did.
    """

    def __init__(self, address: str, *, retry_seconds: float = RETRY_SECONDS_MAX) -> None:
        super().__init__(address, retry_seconds=retry_seconds)
        self.stub = auction_pb2_grpc.AuctionServiceStub(self._channel)
        self._newest: dict[str, int] = {}

    async def auctions(self, game_id: str, *, token: str = "") -> auction_pb2.GetAuctionResponse:
        """Return what is under the hammer now."""
        request = auction_pb2.GetAuctionRequest(game_id=game_id)
        answer = await self.call(
            lambda: self.stub.GetAuction(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )
        self._note(game_id, answer.version)
        return answer

    async def bid(
        self, game_id: str, token: str, amount: int, lot: int = 0, *, seen_version: int = 0
    ) -> auction_pb2.PlaceBidResponse:
        """Bid for a lot, 0 for the only one."""
        seen = seen_version or await self._seen(game_id, token)
        request = bid_request(game_id, amount, lot, seen_version=seen)
        answer = await self.call(
            lambda: self.stub.PlaceBid(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )
        self._note(game_id, answer.version)
        return answer

    async def pass_(
        self, game_id: str, token: str, lot: int = 0, *, seen_version: int = 0
    ) -> auction_pb2.PassAuctionResponse:
        """Take no further part in the auction of a lot, 0 for the only one."""
        seen = seen_version or await self._seen(game_id, token)
        request = auction_pb2.PassAuctionRequest(
            game_id=game_id, command_id=new_command_id(), seen_version=seen, lot=lot
        )
        answer = await self.call(
            lambda: self.stub.PassAuction(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )
        self._note(game_id, answer.version)
        return answer

    async def set_ceiling(
        self, game_id: str, token: str, ceiling: int, lot: int = 0, *, seen_version: int = 0
    ) -> auction_pb2.SetProxyBidResponse:
        """Have bids made up to a ceiling that nobody else sees; 0 withdraws it."""
        seen = seen_version or await self._seen(game_id, token)
        request = auction_pb2.SetProxyBidRequest(
            game_id=game_id, command_id=new_command_id(), seen_version=seen, lot=lot, ceiling=ceiling
        )
        answer = await self.call(
            lambda: self.stub.SetProxyBid(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )
        self._note(game_id, answer.version)
        return answer

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
            seen_version=await self._seen(table_id, token),
            label=label,
            payee=payee,
            bidders=bidders,
            terms=terms,
        )
        answer = await self.call(
            lambda: self.stub.OpenAuction(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )
        self._note(table_id, answer.version)
        return answer

    async def cancel(self, table_id: str, token: str, auction: int) -> auction_pb2.CancelAuctionResponse:
        """End an auction at a table without a sale."""
        request = auction_pb2.CancelAuctionRequest(
            table_id=table_id,
            command_id=new_command_id(),
            seen_version=await self._seen(table_id, token),
            auction=auction,
        )
        answer = await self.call(
            lambda: self.stub.CancelAuction(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )
        self._note(table_id, answer.version)
        return answer

    async def _seen(self, game_id: str, token: str) -> int:
        return self._newest.get(game_id) or (await self.auctions(game_id, token=token)).version

    def _note(self, game_id: str, version: int) -> None:
        self._newest[game_id] = max(version, self._newest.get(game_id, 0))

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
                    self._note(game_id, seen)
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
