"""The use cases of the auction service: bid, pass, close at the deadline, propose, look."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.auction.again import is_same
from magnate.auction.codec import auction_events
from magnate.auction.compose import Composition, compose
from magnate.auction.domain.auctions import decide, find, hammer_before
from magnate.auction.domain.decision import DeadlineDue, Facts
from magnate.auction.domain.draft import auction_of
from magnate.auction.missed import shift, shift_ms
from magnate.auction.ports import Behind, Step
from magnate.auction.tables.money import without_ids
from magnate.auction.tables.selling import AtTable, calling_off, cancelling, opening, refuse_bidder
from magnate.kit.clock import Clock, SystemClock
from magnate.kit.errors import NotFoundError, RefusedError, UnauthenticatedError
from magnate.kit.expiry import Expired, Gone, NotYet
from magnate.kit.ids import expire_id, request_hash
from magnate.kit.log.commit import Command
from magnate.kit.log.skew import GUARD
from magnate.kit.transact_types import (
    Certain,
    CommitRefused,
    Done,
    Proposal,
    Refused,
    command_id_reused,
    moved,
)
from magnate.kit.viewer import Viewer
from magnate.rules import rejections as names
from magnate.rules.bidding import LIMIT_LIQUIDATION, NOBODY
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import PassAuction, PlaceBid, SetProxyBid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.auction.metrics import AuctionMetrics
    from magnate.auction.ports import GamePeer
    from magnate.auction.state import GameState
    from magnate.auction.tables.terms import Asked
    from magnate.kit.expiry import Expiry
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor
    from magnate.kit.transact_types import CommitOutcome, Outcome
    from magnate.peers.bank import BankPeer
    from magnate.rules.vocabulary import AuctionEvent

Act: TypeAlias = PlaceBid | PassAuction | SetProxyBid
_NAMES: Final = {PlaceBid: "bid", PassAuction: "pass", SetProxyBid: "proxy"}
Answer: TypeAlias = "Outcome[GameState, Rejection]"


class UnknownGameError(NotFoundError):
    """There is no such game."""

    reason = "UNKNOWN_GAME"


class AuctionService:
    """Bids, passes and closes, each as one commit with everything that follows from it."""

    def __init__(
        self,
        transactor: Transactor[GameState],
        game: GamePeer,
        bank: BankPeer,
        metrics: AuctionMetrics,
        clock: Clock | None = None,
    ) -> None:
        self.transactor = transactor
        self._viewer: Viewer[GameState] = Viewer(transactor)
        self._game = game
        self._bank = bank
        self._metrics = metrics
        self._clock = clock or SystemClock()

    def now_ms(self) -> int:
        """Return the time, as commands are stamped with when they come."""
        return self._clock.now_ms()

    async def act(
        self, game_id: str, seat: int, command: Command, action: Act, *, at_table: bool | None = None
    ) -> Answer:
        """Carry out a bid or a pass of a seat; `at_table`: its token is that of a card, or (False) of a game.

        Raises:
            UnknownGameError: there is no such game.
            UnauthenticatedError: the token is of the other kind.
            KitError: the log or a peer does not answer; the same command may be sent again.
        """
        outcome = await self._run(game_id, seat, command, action, at_table=at_table)
        if isinstance(outcome, Done) and outcome.replayed and not is_same(outcome.commit, seat, action):
            outcome = Refused(command_id_reused(outcome.commit.version), outcome.loaded)
        return self._counted(_NAMES[type(action)], outcome)

    def _counted(self, kind: str, outcome: Answer) -> Answer:
        if isinstance(outcome, Done):
            self._metrics.accepted(kind, replayed=outcome.replayed)
        else:
            self._metrics.refused(kind, outcome.rejection.name)
            if outcome.loaded is not None:
                self.known(outcome.loaded)
        return outcome

    async def open(self, table_id: str, command: Command, seller: int, asked: Asked) -> Answer:
        """Open an auction at a table, for the banker or a card (refusals: `selling.opening`)."""

        def ask(state: GameState) -> object:
            if state.table is None:
                return Rejection(names.GAME_MOVES_MONEY, "the rules of this game open its auctions")
            return opening(state.table, len(state.auctions.running), seller, asked)

        return self._counted("open", await self._run(table_id, NOBODY, command, AtTable(ask)))

    async def cancel(self, table_id: str, command: Command, seller: int, auction: int) -> Answer:
        """End an auction at a table without a sale (refusals: `selling.cancelling`)."""

        def ask(state: GameState) -> object:
            if state.table is None:
                return Rejection(names.GAME_MOVES_MONEY, "the rules of this game cancel its auctions")
            at_ms = command.received_at_ms
            running = state.auctions.running
            return cancelling(state.table, running, state.ends(), seller, auction, at_ms)

        return self._counted("cancel", await self._run(table_id, NOBODY, command, AtTable(ask, auction)))

    async def expire(self, game_id: str, deadline_id: str, seen_version: int) -> Expiry:
        """Close an auction whose time has come; harmless if it is early, late or has been done before.

        One that was missed while the services were down gets the time back in which nobody could bid.
        `seen_version` is one in which the deadline was pending: ids are never reused, so in a later one from
        which it is missing it is gone for good.
        """
        seen = await self._viewer.at_least(game_id, seen_version)
        if deadline_id not in seen.state.deadlines:
            self._metrics.expired("gone")
            return Gone(seen.version)
        GUARD.require()  # now: until it is carried out the clock may have been set right, and not this time
        now_ms = self._clock.now_ms()
        more_ms = await shift_ms(self.transactor, seen, deadline_id, now_ms)
        if more_ms:
            shifted = await self.transactor.run(game_id, *shift(seen, deadline_id, now_ms, more_ms))
            if shifted.loaded is not None and deadline_id in shifted.loaded.state.deadlines:
                self._metrics.expired("shifted")
                due_ms = shifted.loaded.state.deadlines[deadline_id].due_ms
                return NotYet(max(1, due_ms - self._clock.now_ms()))
        command = Command(
            expire_id(deadline_id),
            request_hash(b"expire", deadline_id.encode()),
            actor="timer",
            received_at_ms=now_ms,
            seen_version=seen.version,
            causation_id=deadline_id,
        )
        outcome = await self._run(game_id, NOBODY, command, DeadlineDue(deadline_id))
        if isinstance(outcome, Refused) and outcome.rejection.name == names.AMOUNT_OVERFLOW:
            outcome = await self._run(
                game_id, NOBODY, command, AtTable(partial(calling_off, deadline_id), auction_of(deadline_id))
            )
        if isinstance(outcome, Done):
            self._metrics.expired("replayed" if outcome.replayed else "done")
            if not outcome.replayed:
                self._metrics.late(outcome.commit.time_ms - seen.state.deadlines[deadline_id].due_ms)
            return Expired(outcome.commit.version)
        name, loaded = outcome.rejection.name, outcome.loaded
        if name == names.NOT_YET and loaded is not None:
            self._metrics.expired("not_yet")
            return NotYet(max(1, loaded.state.deadlines[deadline_id].due_ms - self._clock.now_ms()))
        if name == names.UNKNOWN_DEADLINE and loaded is not None:
            self._metrics.expired("gone")
            return Gone(loaded.version)
        raise RefusedError(outcome.rejection)

    async def propose(
        self, game_id: str, head_version: int, time_ms: int, steps: Sequence[Step]
    ) -> Composition | Behind:
        """Return what auctions make of the rules' asks, from this version of the game; nothing is written."""
        loaded = await self._viewer.at_least(game_id, head_version)
        if loaded.version > head_version:
            return Behind(loaded.version)
        whole = Composition(loaded, time_ms)
        whole.take(steps)
        return whole

    def events(self, commit: ParsedCommit) -> list[AuctionEvent]:
        """Return what a commit did to auctions."""
        return auction_events(commit)

    async def view(self, game_id: str) -> Loaded[GameState]:
        """Return the newest state of a game.

        Raises:
            UnknownGameError: there is no such game.
        """
        return self.known(await self.transactor.view(game_id))

    def known(self, loaded: Loaded[GameState]) -> Loaded[GameState]:
        """Return the game if it exists."""
        if loaded.version == 0:
            raise UnknownGameError(f"there is no game {loaded.game_id}")
        return loaded

    async def _run(
        self, game_id: str, seat: int, command: Command, what: object, *, at_table: bool | None = None
    ) -> Answer:
        """Decide on something and have it written, with all that follows; first, what was due before it."""
        first = ""

        async def attempt(
            loaded: Loaded[GameState],
        ) -> Proposal[GameState, Rejection] | Certain[Rejection] | Rejection:
            nonlocal first
            state = loaded.state
            if loaded.version and at_table not in (None, state.table is not None):
                where = "a table takes the token of a card" if state.table else "a game takes that of a seat"
                raise UnauthenticatedError(f"the token is of another kind: {where}")
            if state.table is not None and isinstance(what, Act):
                stopped = refuse_bidder(state.table, seat)
                if stopped is not None:
                    return stopped
            first = self._hammer_before(state, what, command.received_at_ms)
            if first:
                return Certain(Rejection(names.NOT_YET, f"{first} falls first"))
            asked = what(state) if isinstance(what, AtTable) else what
            if isinstance(asked, Rejection):
                return asked
            now_ms = max(loaded.time_ms, self._clock.now_ms())
            limits = await self._limits(loaded, now_ms)
            if limits is None:
                return Proposal(commit=moved)
            facts = Facts(
                now_ms, command.received_at_ms, state.available(now_ms), state.ends(), limits, state.gone()
            )
            decision = decide(state.auctions, seat, asked, facts)
            if isinstance(decision, Rejection):
                if decision.name == names.NO_AUCTION and state.over:
                    return Rejection(names.GAME_OVER, "the game is over")
                if decision.name == names.NOT_A_BIDDER and state.table is None:
                    return await self._no_bidder(loaded, seat, now_ms) or decision
                return decision
            whole = await compose(self._game, loaded, decision, now_ms, limits)
            return Proposal(commit=moved) if whole is None else self._proposal(command, whole)

        while True:
            outcome = await self.transactor.run(game_id, command, attempt)
            if not first or outcome.loaded is None:
                return outcome
            await self.expire(game_id, first, outcome.loaded.version)

    def _proposal(self, command: Command, whole: Composition) -> Proposal[GameState, Rejection]:
        """Return the commit, which the bank appends where money moves."""
        sections, instructions = whole.sections(), whole.instructions()
        secret = whole.secret_sections()
        if not instructions:
            return Proposal(sections, secret_sections=secret)

        async def commit(head: Loaded[GameState]) -> CommitOutcome[Rejection]:
            outcome = await self._bank.commit(head, command, whole.time_ms, sections, instructions, secret)
            if isinstance(outcome, CommitRefused) and outcome.rejection.name == names.TOO_MANY_TRANSFERS:
                # The ledger is full of ids. What ends an auction takes none, if it must.
                bare = without_ids(instructions)
                return await self._bank.commit(head, command, whole.time_ms, sections, bare, secret)
            return outcome

        return Proposal(sections, commit=commit)

    def _hammer_before(self, state: GameState, what: object, received_at_ms: int) -> str:
        """Return the deadline of the hammer that falls before something is done, empty if none does."""
        auctions, ends = state.auctions, state.ends()
        if isinstance(what, DeadlineDue):
            own = state.deadlines.get(what.deadline_id)
            number, at_ms = auction_of(what.deadline_id), 0 if own is None else own.due_ms
            return hammer_before(auctions, ends, number, at_ms, late=False)
        number = what.auction if isinstance(what, AtTable) else 0
        if isinstance(what, Act):
            found = find(auctions, what.lot, what.auction)
            number = 0 if isinstance(found, Rejection) else found.auction
        at_ms = min(received_at_ms, self._clock.now_ms())  # by which it has fallen due here, too
        return hammer_before(auctions, ends, number, at_ms, late=True)

    async def _limits(self, loaded: Loaded[GameState], now_ms: int) -> list[int] | None:
        """Return what each seat could raise, where bids may be as high; None: the game is further on."""
        limited = [
            auction
            for auction in loaded.state.auctions.running.values()
            if auction.opened.bid_limit == LIMIT_LIQUIDATION
        ]
        if not limited:
            return []
        follow = await self._game.propose(loaded.game_id, loaded.version, now_ms)
        return None if isinstance(follow, Behind) else follow.limits

    async def _no_bidder(
        self, loaded: Loaded[GameState], seat: int, now_ms: int
    ) -> Proposal[GameState, Rejection] | Rejection | None:
        """Say SEAT_OUT of a seat that has left the game: to auctions it is just no bidder."""
        follow = await self._game.propose(loaded.game_id, loaded.version, now_ms)
        if isinstance(follow, Behind):
            return Proposal(commit=moved)
        return Rejection(names.SEAT_OUT, f"seat {seat} has left the game") if seat in follow.out else None
