"""Known faults, put into the product for as long as a test runs: what the simulator must find.

They replace names of modules that are never compiled, or entries of dicts: compiled code calls its own
functions and methods directly, whatever is put in their place.
"""

from __future__ import annotations

import contextlib
import itertools
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import Mock, patch

from magnate.auction import compose as auction_compose
from magnate.auction import fold as auction_fold
from magnate.auction import service as auction_service
from magnate.auction.compose import Composition
from magnate.auction.domain import auctions, decision
from magnate.auction.tables.money import at_table
from magnate.bank.export import exports
from magnate.bank.export.document import closings_of
from magnate.bank.tables import decide as table_decide
from magnate.game import acting, clockwork, lobby, openings, presence, streams
from magnate.game import fold as game_fold
from magnate.game import service as game_service
from magnate.game.draft import Draft
from magnate.kit import transact
from magnate.kit.expiry import Expired
from magnate.kit.ids import expire_id
from magnate.kit.log.commit import Section
from magnate.kit.log.port import Appended, OutcomeUnknown
from magnate.kit.log.skew import SkewWatch
from magnate.kit.log.window import Window
from magnate.peers.accounts import BANK_ACCOUNT as BANK
from magnate.peers.bank import Capture, Place
from magnate.rules.bidding import MODE_SEALED, MODE_VICKREY
from magnate.rules.rejections import UNKNOWN_DEADLINE, Rejection
from magnate.rules.vocabulary import PlaceBid
from magnate.timer import announcer, firing
from magnate.timer import service as timer_service
from magnate.timer.domain.schedule import DeadlineFired, DeadlineSet
from magnate.timer.firing import Firing
from tests.sim.exports import IS_THE_LOG
from tests.sim.rivals import NEWEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from magnate.rules.vocabulary import AuctionOutcome

EARLY_MS: Final = 2500
LONG_MS: Final = 3_600_000
NEW_KIND: Final = 99
"""A kind of section that nobody folds."""


@contextlib.contextmanager
def forgotten_release() -> Iterator[None]:
    """The auction service's fold forgets that money was given back."""
    hold = auction_fold._hold

    def forgetful(state: Any, account: str, amount: int) -> None:
        if amount > 0:
            hold(state, account, amount)

    with patch.object(auction_fold, "_hold", forgetful):
        yield


@contextlib.contextmanager
def early_hammer() -> Iterator[None]:
    """The owner of a deadline acts on it before its time."""
    facts = decision.Facts

    def early(now_ms: int, *rest: Any, **more: Any) -> Any:
        return facts(now_ms + EARLY_MS, *rest, **more)

    def hasty(self: Any) -> int:
        return int(self._clock.now_ms()) + EARLY_MS

    with patch.object(auction_service, "Facts", early), patch.object(announcer.Announcer, "now_ms", hasty):
        yield


@contextlib.contextmanager
def late_bids() -> Iterator[None]:
    """Bids are judged as if they had come long ago."""
    facts = decision.Facts

    def patient(now_ms: int, received_at_ms: int, *rest: Any, **more: Any) -> Any:
        return facts(now_ms, received_at_ms - 60_000, *rest, **more)

    with patch.object(auction_service, "Facts", patient):
        yield


@contextlib.contextmanager
def no_window() -> Iterator[None]:
    """A service does not look for a command among those it remembers."""
    with patch.object(Window, "find", lambda _self, _command_id: None):
        yield


@contextlib.contextmanager
def hopeful_append() -> Iterator[None]:
    """An append that nobody acknowledged is taken for stored."""
    append = transact.Transactor._append

    async def hopeful(self: Any, slot: Any, command: Any, proposal: Any, attempt: Any) -> Any:
        log = self.log

        class Hopeful:
            async def append(self, *asked: Any) -> Any:
                result = await log.append(*asked)
                return Appended(slot.loaded.sequence + 1) if isinstance(result, OutcomeUnknown) else result

            def __getattr__(self, name: str) -> Any:
                return getattr(log, name)

        self.log = Hopeful()
        try:
            return await append(self, slot, command, proposal, attempt)
        finally:
            self.log = log

    with patch.object(transact.Transactor, "_append", hopeful):
        yield


@contextlib.contextmanager
def stale_refusal() -> Iterator[None]:
    """A refusal is given from whatever state is at hand."""

    async def sure(_self: Any, _slot: Any, _attempt: Any) -> bool:
        return True

    with patch.object(transact.Transactor, "_is_newest", sure):
        yield


@contextlib.contextmanager
def draft_with_hold() -> Iterator[None]:
    """The state an instance decides on keeps a hold that the log says is gone."""
    with patch.object(Draft, "forget_hold", lambda _self, _hold_id: None):
        yield


@contextlib.contextmanager
def told_and_forgotten() -> Iterator[None]:
    """The timer takes it for done without asking the owner."""
    until = announcer.Announcer._until_answered

    async def lazy(self: Any, due: Any) -> Any:
        if due.deadline.owner != "auction":
            return await until(self, due)
        reply = Expired(due.version)
        self._take(due, reply, self.now_ms())
        return reply

    with patch.object(announcer.Announcer, "_until_answered", lazy):
        yield


@contextlib.contextmanager
def seed_in_public() -> Iterator[None]:
    """The secret of a game lies in what everybody may see."""
    compose = game_service.GameService._compose

    async def open_handed(self: Any, loaded: Any, draft: Any, command: Any, *, secret: bytes = b"") -> Any:
        proposal = await compose(self, loaded, draft, command, secret=secret)
        if secret:
            proposal.sections = [*proposal.sections, Section(NEW_KIND, 1, secret)]
        return proposal

    with patch.object(game_service.GameService, "_compose", open_handed):
        yield


@contextlib.contextmanager
def fired_twice() -> Iterator[None]:
    """A timer of a client fires again when it is told again."""
    due, count = firing.decide_due, itertools.count()

    def again(table: Any, timer_id: str, now_ms: int, last_ms: int) -> Any:
        decided = due(table, timer_id, now_ms, last_ms)
        if isinstance(decided, Rejection) and decided.name == UNKNOWN_DEADLINE:
            decided = Firing()
            decided.changes.append(DeadlineFired(timer_id))
        return decided

    def fresh_id(timer_id: str) -> str:
        return expire_id(f"{timer_id}:{next(count)}")

    with (
        patch.object(timer_service, "decide_due", again),
        patch.object(timer_service, "expire_id", fresh_id),
    ):
        yield


@contextlib.contextmanager
def hold_for_all_to_see() -> Iterator[None]:
    """The money behind a sealed bid is put on hold in public."""
    place = Place

    def public(hold_id: str, account: str, amount: int, *_concealed: Any, **_more: Any) -> Any:
        return place(hold_id, account, amount)

    with patch.object(auction_compose, "Place", public):
        yield


@contextlib.contextmanager
def never_away() -> Iterator[None]:
    """Nobody notes that a seat's last stream is gone."""
    with (
        patch.object(presence.Presence, "_gone", lambda _self, _key: None),
        patch.object(presence.Presence, "_orphaned", lambda _self, _key, _boot, **_how: None),
    ):
        yield


@contextlib.contextmanager
def old_head() -> Iterator[None]:
    """The list of games does not hear that a deadline is gone."""
    fold = lobby._fold_deadline

    def forgetful(deadlines: Any, change: Any) -> None:
        if change.WhichOneof("change") != "cleared":
            fold(deadlines, change)

    with patch.object(lobby, "_fold_deadline", forgetful):
        yield


@contextlib.contextmanager
def cheap_hammer() -> Iterator[None]:
    """The winner pays a little less than he bid, and keeps the rest."""
    capture = Composition._capture

    def cheap(self: Composition, won: AuctionOutcome) -> None:
        before = len(self.moves)
        capture(self, won)
        for move in self.moves[before:]:
            assert isinstance(move, Capture)
            move.amount = max(1, move.amount - 1)

    with patch.object(Composition, "_capture", cheap):
        yield


@contextlib.contextmanager
def any_clock() -> Iterator[None]:
    """Nobody minds how far the clock of a process is off."""

    async def trusting(self: Any) -> None:
        self._guard.why = ""

    with patch.object(SkewWatch, "look", trusting):
        yield


@contextlib.contextmanager
def late_by_his_clock() -> Iterator[None]:
    """A process whose clock is off passes commands on, which are judged by when they came to it."""
    with patch.object(acting, "GUARD", Mock()):
        yield


@contextlib.contextmanager
def wrong_payee() -> Iterator[None]:
    """What is sold at a table is paid to the bank, whoever sold it."""
    place = at_table

    def to_the_bank(asks: Any, table: Any, _payee_of: Any, version: int) -> Any:
        return place(asks, table, lambda _hold_id: BANK, version)

    with patch.object(auction_compose, "at_table", to_the_bank):
        yield


@contextlib.contextmanager
def pause_in_vain() -> Iterator[None]:
    """A table that is paused stops its unit alone."""
    with patch.object(table_decide, "pausing", lambda *_facts: []):
        yield


@contextlib.contextmanager
def second_price_for_all() -> Iterator[None]:
    """Every sealed auction is sold at the second price."""
    with patch.dict(auctions.KINDS, {MODE_SEALED: auctions.KINDS[MODE_VICKREY]}):
        yield


@contextlib.contextmanager
def hard_close() -> Iterator[None]:
    """Late bids do not move the end: each is taken for one that came long before it."""
    decide = auctions.decide

    def rigid(state: Any, seat: int, command: object, facts: Any) -> Any:
        for end in facts.ends.values():
            if isinstance(command, PlaceBid) and facts.received_at_ms < end.due_ms:
                end.due_ms += LONG_MS
        return decide(state, seat, command, facts)

    with patch.object(auction_service, "decide", rigid):
        yield


@contextlib.contextmanager
def drifting_timer() -> Iterator[None]:
    """A timer that repeats is due a little later each time."""

    def later(timer_id: str, owner: str, kind: str, due_ms: int, *rest: Any) -> DeadlineSet:
        return DeadlineSet(timer_id, owner, kind, due_ms + 100, *rest)

    with patch.object(firing, "DeadlineSet", later):
        yield


@contextlib.contextmanager
def stand_in_stays() -> Iterator[None]:
    """Who comes back has to wait until his stand-in has played."""
    with (
        patch.object(clockwork, "is_there", lambda *_facts: None),
        patch.object(game_fold, "_is_there", lambda *_facts: None),
    ):
        yield


@contextlib.contextmanager
def older_lives() -> Iterator[None]:
    """Nobody minds how many streams a seat has."""
    with patch.object(streams.Streams, "_end", lambda *_facts: 0):
        yield


@contextlib.contextmanager
def open_export() -> Iterator[None]:
    """An export has the secrets of all commits, told or not."""
    with patch.object(openings.Told, "opened", lambda _self, commit: commit.secret):
        yield


@contextlib.contextmanager
def wrong_books() -> Iterator[None]:
    """The balances at the end of an exported ledger are another's."""

    def wrong(state: Any, hidden: set[str]) -> Any:
        closings = closings_of(state, hidden)
        for one in closings:
            one.posted += 1
        return closings

    with patch.object(exports, "closings_of", wrong):
        yield


NAIVE: Final = "a naive account of a table's auctions agrees"
PLANTS: Final[dict[str, tuple[Callable[[], Any], str]]] = {
    "a fold forgets a release": (forgotten_release, "auction and bank agree on money"),
    "a hammer falls early": (early_hammer, "nothing expires early by the log's clock"),
    "late bids count": (late_bids, "no bid counts that came at the deadline or later"),
    "commands are not remembered": (no_window, ""),
    "an append is taken for stored": (hopeful_append, ""),
    "a refusal comes from an old state": (stale_refusal, "a refusal is given from the newest state"),
    "a draft keeps a hold": (draft_with_hold, "folding the log gives what every instance holds"),
    "a deadline is never told": (told_and_forgotten, "no deadline stays pending when the faults are over"),
    "a timer fires twice": (fired_twice, ""),
    "a timer drifts": (drifting_timer, "a timer that repeats keeps its time"),
    "a sealed bid is held in public": (hold_for_all_to_see, "nobody sees what is hidden"),
    "a winner pays less": (cheap_hammer, "the winner pays the price"),
    "a head keeps what is gone": (old_head, "a head tells the earliest deadline"),
    "nobody is ever away": (never_away, "who has no stream is away"),
    "a stand-in stays": (stand_in_stays, "who acts is there, and plays himself"),
    "an older stream lives": (older_lives, NEWEST),
    "a clock may be off": (any_clock, ""),
    "who passes on may be off": (late_by_his_clock, "no command is received before it is sent"),
    "the wrong one is paid": (wrong_payee, NAIVE),
    "a pause stops nothing": (pause_in_vain, NAIVE),
    "every price is the second": (second_price_for_all, NAIVE),
    "late bids move no end": (hard_close, NAIVE),
    "an export tells all": (open_export, "nobody sees what is hidden"),
    "the books are wrong": (wrong_books, IS_THE_LOG),
    "the seed is public": (seed_in_public, "nobody sees what is hidden"),
}
"""By what is wrong: how to make it so, and the promise that must be named (empty: any)."""
