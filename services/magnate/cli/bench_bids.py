"""`magnate bench bids`: a hundred bidders on one lot, three hundred bids a second, every bid answered."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Final

from magnate.cli.output import FAILED, OK, result, say
from magnate.cli.percentile import percentile

if TYPE_CHECKING:
    from magnate.cli.stack import Stack

BIDDERS: Final = 100
BIDS_PER_SECOND: Final = 300
WARM_UP_SECONDS: Final = 1.0
YARDSTICK_SECONDS_MAX: Final = 2.0


async def bench_bids(stack: Stack, seconds: float, *, json_mode: bool) -> int:
    """Bid in a game of eight seats; a bid that has to wait counts from when it was to be sent."""
    from magnate.cli import yardstick
    from magnate.cli.load_bids import game_lot, verify_game

    say("bare gRPC on this machine, to compare with", json_mode=json_mode)
    bare = await yardstick.measure(BIDDERS, min(seconds, YARDSTICK_SECONDS_MAX))
    async with await game_lot(stack, BIDDERS) as lot:
        say(f"{BIDDERS} bidders on one lot, {BIDS_PER_SECOND} bids a second", json_mode=json_mode)
        await lot.offer(BIDS_PER_SECOND, WARM_UP_SECONDS)
        gc.disable()
        bids = await lot.offer(BIDS_PER_SECOND, seconds)
        gc.enable()
    say("verifying the game", json_mode=json_mode)
    faults = await verify_game(stack, lot)
    for fault in faults:
        say(f"magnate: {fault}", json_mode=True)
    values = {
        "bids_per_second": round(bids.answered / bids.seconds, 1),
        "p99_ms": round(percentile(bids.took, 99) * 1000, 2),
        "answered": bids.answered == bids.offered,
        "verified": not faults,
        "p50_ms": round(percentile(bids.took, 50) * 1000, 2),
        "offered": bids.offered,
        "accepted": bids.accepted,
        "refused": bids.refused,
        "yardstick_unary_per_second": round(bare.unary_per_second),
        "yardstick_lone_p50_ms": round(bare.lone_p50_ms, 3),
    }
    result(values, json_mode=json_mode)
    return FAILED if faults or bids.answered < bids.offered else OK
