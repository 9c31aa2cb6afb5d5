"""Makes one commit out of what the rules decided and what auctions and the bank add to it.

The rules' asks go to the auction service; auctions that end at once come back as outcomes, which the rules
settle on the same draft, which may ask again. The longer list is asked from the same head, and its answer
replaces the shorter one's. If money moves, the bank appends; else the transactor does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game import clockwork
from magnate.game.chance import chance_of
from magnate.game.ports import AUCTION, CLOSE, AskStep, Behind
from magnate.kit.transact_types import Proposal, moved
from magnate.peers.bank import Open
from magnate.rules.decide import settle
from magnate.rules.steps.auction import bid_limits
from magnate.rules.vocabulary import AutoPass, DropBidder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.draft import Draft
    from magnate.game.ports import AuctionPeer
    from magnate.game.state import GameState
    from magnate.kit.log.commit import Command, Section
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact_types import CommitOutcome
    from magnate.peers.bank import BankPeer
    from magnate.rules.rejections import Rejection
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Ask

ROUNDS_MAX: Final = 256


class Composer:
    """Asks the peers until the commit is whole."""

    def __init__(self, auction: AuctionPeer, bank: BankPeer) -> None:
        self._auction = auction
        self._bank = bank

    async def close_due(self, loaded: Loaded[GameState], at_ms: int) -> Proposal[GameState, Rejection] | None:
        """Let the hammer fall where its time had come by then, before anything that came at that time.

        Else a leader might leave, or the game end, between the end of the bidding and the sale. Returns what
        has the command decided anew, on the state after it; None where no hammer is due.
        """
        if not loaded.state.auctions:
            return None
        for deadline_id, one in loaded.state.deadlines.items():
            if one.owner == AUCTION and one.kind == CLOSE and 0 < one.due_ms <= at_ms:
                await self._auction.expire(loaded.game_id, deadline_id, loaded.version)
                return Proposal(commit=moved)
        return None

    async def compose(
        self,
        loaded: Loaded[GameState],
        draft: Draft,
        command: Command,
        now_ms: int,
        secret_sections: Sequence[Section] = (),
    ) -> Proposal[GameState, Rejection]:
        """Return the proposal of a commit after `loaded`."""
        if (draft.decision.asks or draft.state.auctions) and not await self._ask(loaded, draft, now_ms):
            return Proposal(commit=moved)
        settle_deadlines(draft, loaded, now_ms, command.received_at_ms)
        sections, instructions = draft.sections(), draft.instructions()
        draft.fold()
        assert not (instructions and secret_sections), "what moves money keeps no secrets"
        if not instructions:
            return Proposal(sections, secret_sections=secret_sections, draft=draft.state)

        async def commit(head: Loaded[GameState]) -> CommitOutcome[Rejection]:
            return await self._bank.commit(head, command, now_ms, sections, instructions)

        opening = any(isinstance(one, Open) for one in draft.first)
        return Proposal(draft=None if opening else draft.state, commit=commit)

    async def _ask(self, loaded: Loaded[GameState], draft: Draft, now_ms: int) -> bool:
        """Have the auction service answer the asks; False if it knows a newer head."""
        rules = draft.state.rules
        assert rules is not None
        time_ms = max(loaded.time_ms, now_ms)
        steps: list[AskStep] = []
        settled = done = 0
        asks = draft.decision.asks
        seen = None if loaded.state.rules is None else _purses(loaded.state.rules)  # by running auctions
        for _ in range(ROUNDS_MAX):
            available, limits = purses = _purses(rules)
            if len(asks) == len(steps) and purses != seen and draft.auctions_run():
                asks.append(AutoPass(0))
            if len(asks) == len(steps):
                return True
            steps.extend(AskStep(ask, available, limits) for ask in _batch(asks[len(steps) :]))
            answer = await self._auction.propose(draft.state.game_id, loaded.version, time_ms, steps)
            if isinstance(answer, Behind):
                return False
            draft.auction = answer
            draft.pay()
            for instruction in answer.instructions[done:]:
                draft.follow(instruction)
            done = len(answer.instructions)
            if isinstance(steps[-1].ask, AutoPass):  # they have seen all, up to one that ended
                seen = _purses(rules) if len(answer.outcomes) == settled else None
            for outcome in answer.outcomes[settled:]:
                settle(rules, outcome, chance_of(draft.state), draft.decision)
                draft.capture(outcome)
            settled = len(answer.outcomes)
        raise AssertionError("auctions that end at once did not come to an end")


def _purses(rules: State) -> list[list[int]]:
    """Return by seat what it can spend, and (where bids may be as high) what it could raise."""
    return [[rules.available(seat) for seat in range(rules.seats)], bid_limits(rules)]


def _batch(asks: Sequence[Ask]) -> Sequence[Ask]:
    """Of what the rules ask, what can be answered by the money there is now: up to the first leaver.

    What he leads may go to an earlier bid of somebody else, who then has less for the next auction.
    """
    for place, ask in enumerate(asks):
        if isinstance(ask, DropBidder):
            return asks[: place + 1]
    return asks


def settle_deadlines(draft: Draft, loaded: Loaded[GameState], now_ms: int, at_ms: int = 0) -> None:
    """Set and clear what the new position asks for; nothing is left when the game is over.

    `at_ms` is when the command came that is carried out, if one is.
    """
    draft.catch_up()
    time_ms = max(loaded.time_ms, now_ms)
    turn = 0 if loaded.state.rules is None else loaded.state.rules.turn
    moment = clockwork.Moment(loaded.version + 1, time_ms, at_ms or time_ms, draft.seat, turn)
    clockwork.settle(draft, loaded.state, moment)
