"""What must hold, checked after every commit and every answer (ARCHITECTURE: what we promise)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from magnate.bank.domain.ledger import LedgerDamagedError, check
from magnate.bank.v1 import bank_pb2
from magnate.game.domain.table import OVER
from magnate.game.vocabulary_codec import decode_auction_event
from magnate.kit.errors import KitError
from magnate.kit.log.commit import AUCTION, LEDGER
from magnate.rules import invariants
from magnate.rules.bidding import LIMIT_CASH, MODE_DUTCH, MODE_PENNY, MODE_SEALED, MODE_VICKREY
from magnate.rules.decision import NOBODY
from magnate.rules.vocabulary import (
    PHASE_AUCTION,
    AuctionCancelled,
    AuctionClosed,
    AuctionOpened,
    BidPlaced,
    BidSealed,
    ProxySet,
    SealedBid,
)
from tests.sim.deadlines import SKEW_MS, Deadlines
from tests.sim.naive import Account, Offer, Wrong
from tests.sim.truth import BYTES, Truth

if TYPE_CHECKING:
    from magnate.auction.v1 import auction_pb2 as _auction_pb2
    from magnate.kit.log.commit import ParsedCommit
    from tests.sim.process import Process
    from tests.sim.world import World

SEALED: Final = (MODE_SEALED, MODE_VICKREY)
AT_TABLE: Final = "auction:"
"""How the ids of an auction's holds begin at a ledger of clients."""
COMPARE_SECONDS: Final = 0.02
"""After so long whoever appended a commit has usually folded it."""


class Promises:
    """Watches the log and the answers."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.truth: Truth | None = None
        self.ids: dict[str, int] = {}
        self._deadlines = Deadlines(world)
        self.auctions: dict[int, str] = {}
        self.opened: dict[int, AuctionOpened] = {}
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.offers: dict[str, Offer] = {}
        self._account = Account(self.offers)
        self.sent: dict[str, int] = {}  # when a client thought of a command
        self.checked = 0
        world.store.on_stored = self.stored

    def stored(self, game_id: str, data: bytes, sequence: int) -> None:
        """A commit was stored."""
        truth = self.truth
        if truth is None:
            truth = self.truth = self.world.races.truth = Truth(game_id, unit=self.world.plan.unit)
        before = dict(truth.schedule.deadlines)
        closing, was = self._closing(), self.world.races.before()
        try:
            commit = truth.take(data, sequence)
        except KitError as error:
            self.fail("every commit follows from the ones before and folds", f"sequence {sequence}: {error}")
            return
        sections = ",".join(str(section.kind) for section in commit.sections)
        self.world.tell(
            "commit",
            f"{commit.version} {commit.command_id} {commit.actor} [{sections}] {commit.hash[:4].hex()}",
        )
        self.world.races.stored(was)
        self._clocks(commit)
        self._secrets(truth, commit)
        self._once(commit)
        self._deadlines.take(commit, before, truth.schedule)
        self._auctions(commit, closing)
        self._money(truth)
        self._position(truth)
        self._who_acts(commit, truth)
        if not truth.is_game:
            self._naively(commit, truth)
        self.world.loop.call_later(
            COMPARE_SECONDS, self._compare_at, commit.version, context=self.world.context
        )

    def fail(self, promise: str, detail: str) -> None:
        """A promise is broken."""
        self.world.fail(promise, detail)

    def _clocks(self, commit: ParsedCommit) -> None:
        """Whoever wrote this had a clock that is right, by the log server's."""
        ahead = commit.time_ms - self.world.now_ms()
        if ahead > SKEW_MS:
            self.fail("no commit comes from the future", f"version {commit.version}: {ahead} ms ahead")
        early = self.sent.get(commit.command_id, 0) - commit.received_at_ms
        if early > SKEW_MS:
            what = f"{commit.command_id} in version {commit.version}: {early} ms before"
            self.fail("no command is received before it is sent", what)

    def _once(self, commit: ParsedCommit) -> None:
        earlier = self.ids.setdefault(commit.command_id, commit.version)
        if earlier != commit.version:
            self.fail(
                "a command has one effect",
                f"{commit.command_id} made version {earlier} and version {commit.version}",
            )

    def _secrets(self, truth: Truth, commit: ParsedCommit) -> None:
        table = truth.game.table
        if table.status != OVER and table.seed and table.seed in commit.public:
            self.fail("nobody sees what is hidden", f"the seed in version {commit.version}")
        sealed = tuple(f"a{one.auction}-" for one in truth.auctions() if one.opened.mode in SEALED)
        section = commit.section(LEDGER)
        if not sealed or section is None:
            return
        for record in bank_pb2.LedgerSection.FromString(section.body).records:
            hold_id = getattr(getattr(record, str(record.WhichOneof("record"))), "hold_id", "")
            if hold_id.removeprefix(AT_TABLE).startswith(sealed):
                self.fail("nobody sees what is hidden", f"hold {hold_id} in version {commit.version}")

    def _closing(self) -> dict[str, int]:
        """Return when each pending deadline of auctions is due."""
        assert self.truth is not None
        return {
            one.deadline_id: one.due_ms
            for one in self.truth.schedule.deadlines.values()
            if one.owner == "auction" and one.kind == "close" and one.due_ms
        }

    def _auctions(self, commit: ParsedCommit, closing: dict[str, int]) -> None:
        section = commit.section(AUCTION)
        if section is None:
            return
        from magnate.auction.v1 import auction_pb2

        message: _auction_pb2.AuctionSection = auction_pb2.AuctionSection.FromString(section.body)
        for stored in message.events:
            event = decode_auction_event(stored)
            number = getattr(event, "auction", 0)
            self.world.met[type(event).__name__] += 1
            state = self.auctions.get(number)
            if isinstance(event, AuctionOpened):
                if state is not None:
                    self.fail("an auction's number is never reused", f"auction {number}")
                self.auctions[number] = "open"
                self.opened[number] = event
            elif state != "open":
                self.fail("an auction ends once", f"auction {number} is {state}, and then {event!r}")
            elif isinstance(event, AuctionClosed | AuctionCancelled):
                self.auctions[number] = "closed"
            if isinstance(event, SealedBid | ProxySet):
                self.fail("nobody sees what is hidden", f"{event!r} in version {commit.version}")
            if isinstance(event, BidSealed) or (isinstance(event, BidPlaced) and not event.by_proxy):
                self._in_time(commit, number, closing)
            elif isinstance(event, AuctionClosed) and event.winner != NOBODY:
                self._paid(commit, event)

    def _in_time(self, commit: ParsedCommit, number: int, closing: dict[str, int]) -> None:
        for deadline_id, due_ms in closing.items():
            if deadline_id.startswith(f"a{number}-") and commit.received_at_ms >= due_ms:
                self.fail(
                    "no bid counts that came at the deadline or later",
                    f"version {commit.version}: {commit.received_at_ms - due_ms} ms late",
                )

    def _paid(self, commit: ParsedCommit, event: AuctionClosed) -> None:
        """The winner pays the price from his hold, where nobody may bid more than his money."""
        section = commit.section(LEDGER)
        records = [] if section is None else bank_pb2.LedgerSection.FromString(section.body).records
        paid = 0
        for record in records:
            captured = record.hold_captured
            hold_id = captured.hold_id.removeprefix(AT_TABLE)
            if record.WhichOneof("record") == "hold_captured" and hold_id.startswith(f"a{event.auction}-"):
                paid += captured.captured
                if captured.account != f"seat-{event.winner}":
                    self.fail("the winner pays the price", f"{event!r}: {captured.account} pays")
        opened = self.opened[event.auction]
        if opened.mode in (MODE_PENNY, MODE_DUTCH):
            return  # paid bid by bid, or at once with the bid
        if paid > event.price or (opened.bid_limit == LIMIT_CASH and paid != event.price):
            self.fail("the winner pays the price", f"{event!r}: {paid} in version {commit.version}")

    def _naively(self, commit: ParsedCommit, truth: Truth) -> None:
        try:
            self._account.take(commit, truth)
        except Wrong as wrong:
            self.fail("a naive account of a table's auctions agrees", str(wrong))

    def _money(self, truth: Truth) -> None:
        ledger, rules = truth.ledger, truth.rules
        try:
            check(ledger)
        except LedgerDamagedError as error:
            self.fail("money is conserved, and no seat is below zero", str(error))
        if sum(hold.amount for hold in ledger.holds.values()) != sum(ledger.held):
            self.fail("holds add up", f"version {truth.version}")
        if rules is None:
            return
        for seat in range(rules.seats):
            account = ledger.index.get(f"seat-{seat}", -1)
            if account < 0:
                continue
            ours = (ledger.posted[account], ledger.held[account])
            if ours != (rules.cash[seat], rules.held[seat]):
                theirs = (rules.cash[seat], rules.held[seat])
                self.fail("game and bank agree on money", f"seat {seat}: bank {ours}, game {theirs}")
            auction = truth.auction
            if seat < len(auction.posted) and ours != (auction.posted[seat], auction.held[seat]):
                self.fail("auction and bank agree on money", f"seat {seat}: bank {ours}")

    def _position(self, truth: Truth) -> None:
        rules = truth.rules
        if rules is None or not truth.started:
            if truth.schedule.deadlines and truth.exists and not truth.started and rules is not None:
                self.fail("nothing is pending when the game is over", repr(list(truth.schedule.deadlines)))
            return
        for wrong in (*invariants.check(rules), *invariants.check_waiting(rules)):
            self.fail("the position is sound, and somebody can act", f"version {truth.version}: {wrong}")
            return
        ours = sorted(auction.auction for auction in truth.auctions())
        self.world.met["several auctions"] += len(ours) > 1
        if rules.phase == PHASE_AUCTION and not ours:
            self.fail("phase AUCTION has an auction", f"version {truth.version}")
        for number in ours:
            pending = [one for one in truth.schedule.deadlines if one.startswith(f"a{number}-")]
            if not pending:
                self.fail("a running auction has a deadline", f"auction {number}: {pending}")
        for deadline_id in truth.schedule.deadlines:
            number_text = deadline_id[1:].partition("-")[0]
            if deadline_id[0] == "a" and number_text.isdecimal() and int(number_text) not in ours:
                self.fail("no deadline outlives its auction", deadline_id)

    def _who_acts(self, commit: ParsedCommit, truth: Truth) -> None:
        """A seat that acts is there, and no stand-in plays for it any more, in the very commit."""
        seat = commit.actor.removeprefix("seat-")
        if seat == commit.actor or not truth.is_game or not truth.started:
            return
        standing = truth.game.table.standing(int(seat))
        if standing.stand_in or standing.away_since_ms:
            self.fail("who acts is there, and plays himself", f"seat {seat} in version {commit.version}")

    def acknowledged(self, command_id: str, version: int, content: bytes) -> None:
        """A client got an answer: the command made this version, with these events."""
        truth = self.truth
        earlier = self.answers.setdefault(command_id, (version, content))
        if earlier != (version, content):
            self.fail(
                "every answer to a command is the same", f"{command_id}: version {earlier[0]}, then {version}"
            )
        if truth is None or version > truth.version:
            self.fail("an acknowledged command is in the log", f"{command_id} as version {version}")
        elif truth.commits[version - 1].command_id != command_id:
            other = truth.commits[version - 1].command_id
            self.fail("an acknowledged command is in the log", f"{command_id} as version {version}: {other}")

    def done(self, command_id: str) -> None:
        """A client got an answer that does not say which version its command made."""
        if command_id not in self.ids:
            self.fail("an acknowledged command is in the log", command_id)

    def refused(self, command_id: str, name: str, version: int, sent_at_version: int) -> None:
        """A client was refused: from a state that was the newest after it asked."""
        if version and version < sent_at_version:
            self.fail(
                "a refusal is given from the newest state",
                f"{command_id} {name} at version {version}, though it was sent at {sent_at_version}",
            )

    def _compare_at(self, version: int) -> None:
        if self.truth is not None and self.truth.version == version:
            self.compare()

    def compare(self, *, all_newest: bool = False) -> None:
        """Compare what every instance holds of the game with what the log alone says."""
        truth = self.truth
        if truth is None:
            return
        bytes_of: dict[str, bytes] = {}
        for process in self.world.processes.values():
            if not process.alive:
                continue
            books = process.parts.get("books")
            if books is not None:
                self._compare_books(process, books)
            transactor = process.parts.get("transactor")
            if transactor is None or not truth.is_of(process.service):
                continue
            loaded = transactor.peek(truth.game_id)
            if loaded is None or loaded.version != truth.version:
                if all_newest and loaded is not None:
                    where = f"{process} is at {loaded.version}"
                    self.fail("every instance gets to the newest version", where)
            elif process.parts.get("compared") is not loaded:
                process.parts["compared"] = loaded
                self._compare_state(process, loaded.state, bytes_of)

    def _compare_state(self, process: Process, state: Any, bytes_of: dict[str, bytes]) -> None:
        assert self.truth is not None
        encode = BYTES[process.service]
        expected = bytes_of.get(process.service) or encode(self.truth.state_of(process.service))
        bytes_of[process.service] = expected
        self.checked += 1
        found = encode(state)
        if process.service == "bank" and not state.ledger.same_as(self.truth.ledger):
            found += b" with another ledger"
        if found != expected:
            where = f"{process} at version {self.truth.version}: {first_difference(found, expected)}"
            self.fail("folding the log gives what every instance holds", where)

    def _compare_books(self, process: Process, books: Any) -> None:
        """The bank holds ledgers, at the version of the newest ledger section or later."""
        assert self.truth is not None
        book = books._books.get(self.truth.game_id)
        if book is None or book.loaded is None:
            return
        ours, ledger = book.loaded.state, self.truth.ledger
        if process.parts.get("compared book") is book.loaded:
            return
        process.parts["compared book"] = book.loaded
        if ours.version == ledger.version and not ours.same_as(ledger):
            self.fail(
                "folding the log gives what every instance holds", f"{process} at version {ours.version}"
            )

    def overdue(self) -> list[str]:
        """Return the deadlines that should have expired long ago."""
        return [] if self.truth is None else self._deadlines.overdue(self.truth.schedule)


def first_difference(one: bytes, other: bytes) -> str:
    """Return where two texts part."""
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            start = max(0, place - 60)
            return f"{one[start : place + 60]!r} and {other[start : place + 60]!r}"
    return f"lengths {len(one)} and {len(other)}"
