"""Use cases of tables, without protobuf and gRPC: what a caller may do, and what comes of it.

Money moves only as ledger entries in the commit that stores why. Who may do what is decided before, in
`access`; what the table's state forbids is decided in `decide`, from the newest state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.bank.codec import SECTION_VERSION as LEDGER_VERSION
from magnate.bank.codec import encode, encode_hidden
from magnate.bank.domain.instructions import CaptureHold, Reverse, Transfer
from magnate.bank.domain.ledger import decide as decide_ledger
from magnate.bank.domain.records import parted
from magnate.bank.instructions_codec import read_instruction
from magnate.bank.tables import decide as tables
from magnate.bank.tables.codec import terminal_section
from magnate.bank.tables.credentials import card_id_of, card_secret, secret_digest
from magnate.bank.tables.decide import Decision
from magnate.bank.tables.events import CardIssued, PinSet
from magnate.bank.tables.history import entry_ids
from magnate.bank.tables.pending import hammer_due, stopping
from magnate.bank.tables.pins import hash_pin, pin_holds
from magnate.kit.ids import derive_game_id
from magnate.kit.log import heard
from magnate.kit.log.commit import LEDGER, Section, parse_commit
from magnate.kit.log.errors import DataLossError
from magnate.kit.transact_types import Done, Proposal, Refused, moved
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection

TRANSFER_PREFIX: Final = "terminal:"
"""How the ids of the transfers begin that are made here; a client's own may not."""

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.domain.instructions import Instruction
    from magnate.bank.tables.events import TableOpened
    from magnate.bank.tables.state import TableState
    from magnate.bank.terminal.step import Action, GameView
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import Command
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor
    from magnate.peers.auction import Auctions

Result: TypeAlias = "Done[TableState] | Refused[TableState, Rejection]"
Decide: TypeAlias = Callable[["TableState", int, int], Awaitable[Decision | Rejection | None]]
"""Decides from the state, the version of the next commit and the time; None: the log is further on."""


class Opening:
    """What a caller asks for who opens a table."""

    __slots__ = ("opened", "players")

    def __init__(self, opened: TableOpened, players: list[str]) -> None:
        self.opened = opened
        self.players = players


class TableService:
    """Opens tables, issues cards, works units."""

    def __init__(
        self,
        transactor: Transactor[TableState],
        keys: KeyRing,
        clock: Clock,
        *,
        tenant: str,
        epoch: int,
        shards: int,
        auctions: Auctions | None = None,
    ) -> None:
        self.transactor = transactor
        self._keys = keys
        self._clock = clock
        self._tenant = tenant
        self._epoch = epoch
        self._shards = shards
        self._auctions = auctions

    def table_id(self, principal: str, command_id: str) -> str:
        """Return the id of the table that this command opens."""
        return derive_game_id(
            self._tenant, f"table|{principal}", command_id, epoch=self._epoch, shards=self._shards
        )

    async def open(self, table_id: str, command: Command, asked: Opening) -> Result:
        """Open a table with a card for each player."""

        async def decide(_state: TableState, _version: int, _now_ms: int) -> Decision | Rejection:
            cards = [self.issue(table_id, seat, name) for seat, name in enumerate(asked.players)]
            return tables.decide_open(asked.opened, cards)

        return await self._run(table_id, command, decide)

    async def add_card(self, table_id: str, command: Command, name: str) -> Result:
        """Issue a card for one more player (refusals: `decide.decide_add`)."""

        async def decide(state: TableState, _version: int, _now_ms: int) -> Decision | Rejection:
            issued = self.issue(table_id, len(state.table.cards), name)
            return tables.decide_add(state.table, issued)

        return await self._run(table_id, command, decide)

    async def retire_card(self, table_id: str, command: Command, card_id: str) -> Result:
        """Take a card out of use (refusals: `decide.decide_retire`)."""

        async def decide(state: TableState, _version: int, now_ms: int) -> Decision | Rejection:
            return tables.decide_retire(state, card_id, now_ms)

        return await self._run(table_id, command, decide)

    async def claim_card(
        self, table_id: str, command: Command, card_id: str, pin: str | None, *, proven: bool
    ) -> Result:
        """Give a card to a device: to one that has proved that it is its own, else only if nobody has it yet.

        `pin` None: it need not be shown. Refusals: `decide.decide_claim`, PIN_REQUIRED. A wrong PIN is no
        refusal but an event: it counts.
        """

        async def decide(state: TableState, _version: int, _now_ms: int) -> Decision | Rejection:
            decision = tables.decide_claim(state.table, card_id, proven=proven)
            if isinstance(decision, Rejection) or pin is None:
                return decision
            return await self._with_pin(state, table_id, card_id, pin, decision)

        return await self._run(table_id, command, decide)

    async def set_pin(
        self, table_id: str, command: Command, card_id: str, old_pin: str, new_pin: str
    ) -> Result:
        """Set, change or remove a card's PIN (refusals: as of `claim_card`)."""

        async def decide(state: TableState, _version: int, _now_ms: int) -> Decision | Rejection:
            card = tables.usable(state.table, card_id)
            if isinstance(card, Rejection):
                return card
            if card.locked:
                return tables.locked(card)
            pin_hash = await hash_pin(self._keys, table_id, card_id, new_pin) if new_pin else ""
            decision = Decision([PinSet(card_id, pin_hash, self._keys.current_id)])
            return await self._with_pin(state, table_id, card_id, old_pin, decision)

        return await self._run(table_id, command, decide)

    async def unlock_card(self, table_id: str, command: Command, card_id: str) -> Result:
        """Unlock a card (refusals: `decide.decide_unlock`)."""

        async def decide(state: TableState, _version: int, _now_ms: int) -> Decision | Rejection:
            return tables.decide_unlock(state.table, card_id)

        return await self._run(table_id, command, decide)

    async def operate(
        self,
        table_id: str,
        command: Command,
        action: Action,
        *,
        owner: int = -1,
        card_id: str = "",
        pin: str | None = None,
    ) -> Result:
        """Work the unit; with `owner`, only by pulling this seat's own card out.

        With `pin`, after the card of this id has shown its PIN, if it has one. Refusals: TABLE_CLOSED NO_UNIT
        NOT_THE_BANKER PIN_REQUIRED. What the unit refuses is stored with it.
        """

        async def decide(state: TableState, _version: int, now_ms: int) -> Decision | Rejection:
            decision = tables.decide_operate(state, action, now_ms, owner)
            return await self.shown_pin(state, table_id, card_id, pin, decision)

        return await self._run(table_id, command, decide)

    async def shown_pin(
        self,
        state: TableState,
        table_id: str,
        card_id: str,
        pin: str | None,
        decision: Decision | Rejection,
    ) -> Decision | Rejection:
        """Return the decision, unless the card that was used has a PIN that is missing or wrong."""
        card = state.table.card(card_id)
        if isinstance(decision, Rejection) or pin is None or card is None or card.locked:
            return decision
        return await self._with_pin(state, table_id, card_id, pin, decision)

    async def undo(self, table_id: str, command: Command, version: int, note: str) -> Result:
        """Take back the operation that the banker saw last: reversals of its transfers, the last one first.

        Refusals: `decide.last_standing`, AUCTIONS_RUN (it was a bid that is paid), then those of the ledger.
        """

        async def decide(state: TableState, _version: int, _now_ms: int) -> Decision | Rejection:
            last = tables.last_standing(state, version)
            if isinstance(last, Rejection):
                return last
            stored = await self.transactor.log.read(table_id, last.sequence)
            if stored is None:
                raise DataLossError(table_id, last.version, f"not at sequence {last.sequence} any more")
            commit = parse_commit(self._keys, table_id, stored.data, stored.sequence)
            transfers = entry_ids(commit)
            refused = tables.refuse_bids_back(state, transfers)
            return refused or tables.decide_undo(last.version, note, transfers)

        return await self._run(table_id, command, decide)

    async def pause(self, table_id: str, command: Command) -> Result:
        """Stop the unit (refusals: `decide.decide_pause`)."""

        async def decide(state: TableState, version: int, now_ms: int) -> Decision | Rejection | None:
            loaded = self.transactor.peek(table_id)
            assert loaded is not None, "it is decided from what is held"
            stopped = stopping(state.pending)
            again_ms = {
                deadline_id: await heard.again_ms(self.transactor, loaded, one, now_ms)
                for deadline_id, one in stopped.items()
                if one.due_ms <= now_ms
            }
            now_ms = max(now_ms, self._clock.now_ms())  # looking for what was missed takes time, too
            left_ms = {
                deadline_id: again_ms.get(deadline_id, max(0, one.due_ms - now_ms))
                for deadline_id, one in stopped.items()
            }
            due = hammer_due(state.pending, command.received_at_ms)
            if due and not left_ms[due] and self._auctions is not None:
                await self._auctions.expire(table_id, due, version - 1)  # it falls before the break
                return None
            return tables.decide_pause(state.table, left_ms)

        return await self._run(table_id, command, decide)

    async def resume(self, table_id: str, command: Command) -> Result:
        """Let the unit work again (refusals: `decide.decide_resume`)."""

        async def decide(state: TableState, _version: int, now_ms: int) -> Decision | Rejection:
            return tables.decide_resume(state, now_ms)

        return await self._run(table_id, command, decide)

    async def close(self, table_id: str, command: Command, game: GameView | None = None) -> Result:
        """End the table, that of a game if it is one's, and its auctions.

        Refusals: `decide_close`, AUCTIONS_RUN.
        """

        async def decide(state: TableState, version: int, _now_ms: int) -> Decision | Rejection | None:
            decision = tables.decide_close(state, game)
            if isinstance(decision, Rejection) or state.table.in_game or not state.auctions:
                return decision
            if self._auctions is None:
                what = "auctions run here, and this bank knows no auction service to cancel them"
                return Rejection(names.AUCTIONS_RUN, what)
            at_ms = command.received_at_ms  # where an auction's time was up then, its hammer falls first
            cancelled = await self._auctions.cancel(table_id, version - 1, at_ms, state.auctions)
            if cancelled is None:
                return None
            asks = [read_instruction(place, one) for place, one in enumerate(cancelled.instructions)]
            decision = tables.decide_close(state, game, moved_by(asks, state))
            assert isinstance(decision, Decision), "it was not refused a moment ago"
            decision.sections += cancelled.sections
            decision.instructions += asks
            return decision

        return await self._run(table_id, command, decide)

    def issue(self, table_id: str, seat: int, name: str) -> CardIssued:
        """Return a new card for a seat of a table."""
        key_id = self._keys.current_id
        card_id = card_id_of(table_id, seat)
        secret = card_secret(self._keys, key_id, table_id, card_id)
        digest = secret_digest(self._keys, key_id, table_id, secret)
        return CardIssued(card_id, seat, name, digest, key_id)

    async def _with_pin(
        self, state: TableState, table_id: str, card_id: str, pin: str, decision: Decision
    ) -> Decision | Rejection:
        """Return the decision if the card has no PIN or this is it; a wrong one is noted instead."""
        card = state.table.card(card_id)
        assert card is not None, "the card was looked at before"
        if not card.pin_hash:
            return decision
        if not pin:
            return Rejection(names.PIN_REQUIRED, f"the card of {card.name} has a PIN")
        right = await pin_holds(self._keys, table_id, card, pin)
        noted = tables.decide_pin(card, right=right)
        if not right:
            return Decision(noted)
        decision.events[:0] = noted
        return decision

    async def _run(self, table_id: str, command: Command, decide: Decide) -> Result:
        """Decide from the newest state and store events and entries in one commit."""

        async def propose(loaded: Loaded[TableState]) -> Proposal[TableState, Rejection] | Rejection:
            now_ms = max(self._clock.now_ms(), loaded.time_ms)
            version = loaded.version + 1
            decision = await decide(loaded.state.at(now_ms), version, now_ms)
            if decision is None:
                return Proposal(commit=moved)
            if not isinstance(decision, Decision):
                return decision
            name_transfers(decision, version)
            proposal = self._proposal(loaded.state, decision, version, now_ms)
            if isinstance(proposal, Rejection) and decision.step is not None:
                decision = tables.decide_refused(decision, proposal.name, proposal.detail, now_ms)
                proposal = self._proposal(loaded.state, decision, version, now_ms)
                assert not isinstance(proposal, Rejection), "nothing is asked of the ledger"
            return proposal

        return await self.transactor.run(table_id, command, propose)

    def _proposal(
        self, state: TableState, decision: Decision, version: int, now_ms: int
    ) -> Proposal[TableState, Rejection] | Rejection:
        secret: list[Section] = []
        sections = [terminal_section(decision.events)] if decision.events else []
        sections += decision.sections
        if decision.instructions:
            posted = decide_ledger(state.ledger, decision.instructions, version, now_ms)
            if isinstance(posted, Rejection):
                return posted
            public, hidden = parted(posted.records)
            sections.append(Section(LEDGER, LEDGER_VERSION, encode(state.ledger.version, public)))
            if hidden:
                secret.append(Section(LEDGER, LEDGER_VERSION, encode_hidden(hidden)))
        return Proposal(sections, secret_sections=secret)


def moved_by(asks: Sequence[Instruction], state: TableState) -> Counter[str]:
    """Return by how much transfers, and payments from holds, change what is on each account."""
    moved: Counter[str] = Counter()
    for ask in asks:
        if isinstance(ask, Transfer):
            moved[ask.debit] -= ask.amount
            moved[ask.credit] += ask.amount
        elif isinstance(ask, CaptureHold):
            payer = state.ledger.names[state.ledger.holds[ask.hold_id].account]
            moved[payer] -= ask.amount
            moved[ask.to] += ask.amount
    return moved


def name_transfers(decision: Decision, version: int) -> None:
    """Give each transfer of a commit the id by which it can be taken back."""
    for place, ask in enumerate(decision.instructions):
        if isinstance(ask, Transfer | Reverse) and not ask.transfer_id:
            ask.transfer_id = f"{TRANSFER_PREFIX}{version}.{place}"
