"""`magnate bench bids`: a hundred bidders on one lot, three hundred bids a second, every bid answered."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Final

from magnate.cli.output import FAILED, OK, result, say
from magnate.cli.percentile import percentile

if TYPE_CHECKING:
    from magnate.cli.load_bids import Bids
    from magnate.cli.stack import Stack

BIDDERS: Final = 100
BIDS_PER_SECOND: Final = 300
WARM_UP_SECONDS: Final = 1.0
YARDSTICK_SECONDS_MAX: Final = 2.0


async def bench_bids(stack: Stack, seconds: float, *, json_mode: bool) -> int:
    """Bid at a ledger with an account for each bidder, then in a game, whose eight seats have several each.

    A bid that has to wait counts from when it was to be sent.
    """
    from magnate.cli import yardstick
    from magnate.cli.load_bids import game_lot, table_lot, verify_game, verify_table

    say("bare gRPC on this machine, to compare with", json_mode=json_mode)
    bare = await yardstick.measure(BIDDERS, min(seconds, YARDSTICK_SECONDS_MAX))
    found: list[Bids] = []
    faults: list[str] = []
    for where, put_up, verify in (("table", table_lot, verify_table), ("game", game_lot, verify_game)):
        async with await put_up(stack, BIDDERS) as lot:
            what = f"{BIDDERS} bidders on one lot of a {where}, {BIDS_PER_SECOND} bids a second"
            say(what, json_mode=json_mode)
            await lot.offer(BIDS_PER_SECOND, WARM_UP_SECONDS)
            gc.disable()
            found.append(await lot.offer(BIDS_PER_SECOND, seconds))
            gc.enable()
        faults += await verify(stack, lot)
    for fault in faults:
        say(f"magnate: {fault}", json_mode=True)
    table, game = found
    answered = all(bids.answered == bids.offered for bids in found)
    values = {
        "bids_per_second": round(table.answered / table.seconds, 1),
        "p99_ms": round(percentile(table.took, 99) * 1000, 2),
        "answered": answered,
        "verified": not faults,
        "p50_ms": round(percentile(table.took, 50) * 1000, 2),
        "offered": table.offered,
        "accepted": table.accepted,
        "refused": table.refused,
        "game_bids_per_second": round(game.answered / game.seconds, 1),
        "game_p50_ms": round(percentile(game.took, 50) * 1000, 2),
        "game_p99_ms": round(percentile(game.took, 99) * 1000, 2),
        "yardstick_unary_per_second": round(bare.unary_per_second),
        "yardstick_lone_p50_ms": round(bare.lone_p50_ms, 3),
    }
    result(values, json_mode=json_mode)
    return OK if answered and not faults else FAILED
