"""Use cases of stand-alone ledgers, without protobuf and gRPC: open one, post a batch to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, final

from magnate.bank import codec
from magnate.bank.domain.accounts import BANK, KIND_SEAT, kind_of, seat_account
from magnate.bank.domain.batch import BatchDecision, Result, decide_batch, recall
from magnate.bank.domain.instructions import (
    CloseAccount,
    Instruction,
    OpenAccount,
    OpenLedger,
    Reverse,
    Transfer,
)
from magnate.bank.domain.ledger import decide
from magnate.bank.fold import read_section
from magnate.bank.queries import unknown_ledger
from magnate.bank.tables.decide import refuse_bids_back
from magnate.bank.tables.state import CLOSED, MISSING, PAUSED, TableState
from magnate.kit.errors import ForbiddenError
from magnate.kit.ids import derive_game_id
from magnate.kit.log.commit import LEDGER, Section
from magnate.kit.transact_types import Proposal, Refused
from magnate.rules.rejections import (
    ACCOUNT_OF_CARD,
    CARD_LOCKED,
    GAME_MOVES_MONEY,
    NOT_THE_BANKER,
    NOT_YOUR_CARD,
    TABLE_CLOSED,
    TABLE_PAUSED,
    Rejection,
)

if TYPE_CHECKING:
    from magnate.bank.tables.state import Table
    from magnate.kit.clock import Clock
    from magnate.kit.log.commit import Command, ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.rpc.call import Principal
    from magnate.kit.transact import Transactor
    from magnate.kit.transact_types import Done, KitRejection

OPENING_ID_CHARS_MIN: Final = 22
"""Of the id of a command that opens a ledger: who knows it gets the banker's token, so it is not guessed."""


@final
class Batch:
    """What a caller asks to be posted; `links` says of each instruction whether it is linked to the next."""

    __slots__ = ("instructions", "ledger_id", "links")

    def __init__(self, ledger_id: str, instructions: list[Instruction], links: list[bool]) -> None:
        self.ledger_id = ledger_id
        self.instructions = instructions
        self.links = links


@final
class Posted:
    """What became of a batch: a result for each instruction, as of a version. `replayed`: done before."""

    __slots__ = ("replayed", "results", "version")

    def __init__(self, version: int, results: list[Result], *, replayed: bool = False) -> None:
        self.version = version
        self.results = results
        self.replayed = replayed


@final
class NotPosted:
    """The batch as a whole was refused, at a version."""

    __slots__ = ("rejection", "version")

    def __init__(self, rejection: Rejection | KitRejection, version: int) -> None:
        self.rejection = rejection
        self.version = version


Outcome: TypeAlias = Posted | NotPosted
Answer: TypeAlias = Posted | Rejection
"""What a decision may come to without a commit."""


class Posting:
    """Opens stand-alone ledgers and posts to them."""

    def __init__(
        self, transactor: Transactor[TableState], clock: Clock, *, tenant: str, epoch: int, shards: int
    ) -> None:
        self.transactor = transactor
        self._clock = clock
        self._tenant = tenant
        self._epoch = epoch
        self._shards = shards

    def ledger_id(self, principal: str, command_id: str) -> str:
        """Return the id of the ledger that this command opens; no game and no table has the same."""
        return derive_game_id(
            self._tenant, f"ledger|{principal}", command_id, epoch=self._epoch, shards=self._shards
        )

    async def open(
        self, ledger_id: str, command: Command, ledger: OpenLedger, accounts: list[OpenAccount]
    ) -> Done[TableState] | Refused[TableState, Answer]:
        """Open a ledger with these accounts besides the bank's (refusals: those of the instructions)."""
        asks: list[Instruction] = [ledger, OpenAccount(BANK), *accounts]

        async def propose(loaded: Loaded[TableState]) -> Proposal[TableState, Answer] | Answer:
            draft = loaded.state.copy()
            decision = decide(draft.ledger, asks, loaded.version + 1, self._now_ms(loaded))
            if isinstance(decision, Rejection):
                return decision
            body = codec.encode(draft.ledger.version, decision.records)
            draft.ledger = decision.state
            return Proposal([Section(LEDGER, codec.SECTION_VERSION, body)], draft=draft)

        return await self.transactor.run(ledger_id, command, propose)

    async def post(self, batch: Batch, command: Command) -> Outcome:
        """Post a batch.

        Refusals of the whole: UNKNOWN_LEDGER GAME_MOVES_MONEY TABLE_CLOSED TABLE_PAUSED CARD_LOCKED
        ACCOUNT_OF_CARD AUCTIONS_RUN, those of a command.
        Who has seen no version is taken to have seen what is held here: ids of transfers keep them from being
        made twice, however late a command comes again.
        """
        decided: BatchDecision | None = None
        if command.seen_version == 0:
            command.seen_version = (await self.transactor.view(batch.ledger_id, newest=False)).version

        async def propose(loaded: Loaded[TableState]) -> Proposal[TableState, Answer] | Answer:
            nonlocal decided
            if loaded.version == 0:
                return unknown_ledger(batch.ledger_id)
            ledger = loaded.state.ledger
            if not ledger.standalone:
                return Rejection(GAME_MOVES_MONEY, "the rules of this game move its money; clients read it")
            stopped = refuse_stopped(loaded.state.table, command.actor)
            stopped = stopped or refuse_cards(loaded.state.table, batch)
            stopped = stopped or refuse_bids_back(
                loaded.state, [ask.reverses for ask in batch.instructions if isinstance(ask, Reverse)]
            )
            if stopped is not None:
                return stopped
            decided = decide_batch(
                ledger, batch.instructions, batch.links, loaded.version + 1, self._now_ms(loaded)
            )
            if decided.done() == 0:
                return Posted(loaded.version, decided.results)
            body = codec.encode(ledger.version, decided.records, decided.refused())
            return Proposal(
                [Section(LEDGER, codec.SECTION_VERSION, body)], draft=drafted(loaded.state, decided)
            )

        result: Done[TableState] | Refused[TableState, Answer]
        result = await self.transactor.run(batch.ledger_id, command, propose)
        if isinstance(result, Refused):
            if isinstance(result.rejection, Posted):
                return result.rejection
            return NotPosted(result.rejection, 0 if result.loaded is None else result.loaded.version)
        if decided is not None and not result.replayed:
            return Posted(result.commit.version, decided.results)
        return Posted(result.commit.version, results_of(result.commit, batch, result.loaded), replayed=True)

    def _now_ms(self, loaded: Loaded[TableState]) -> int:
        return max(self._clock.now_ms(), loaded.time_ms)


def drafted(state: TableState, decided: BatchDecision) -> TableState | None:
    """Return the state with a batch posted; None at a table with cards, which notes what can be undone."""
    if state.table.status != MISSING:
        return None
    draft = state.copy()
    draft.ledger = decided.state
    return draft


def results_of(commit: ParsedCommit, batch: Batch, loaded: Loaded[TableState]) -> list[Result]:
    """Return the results of a batch that was stored before."""
    section, stored = read_section(commit), commit.section(LEDGER)
    assert section is not None, "what is posted has a ledger section"
    assert stored is not None, "the same"
    refused = codec.decode_refused(stored.body)
    return recall(loaded.state.ledger, batch.instructions, commit.version, section.records, refused)


def refuse_stopped(table: Table, actor: str) -> Rejection | None:
    """Say that the table of this ledger is closed or paused, if it has a table, or that the card that pays is
    locked.
    """  # noqa: D205
    if table.status == CLOSED:
        return Rejection(TABLE_CLOSED, "the table is closed")
    if table.status == PAUSED:
        return Rejection(TABLE_PAUSED, "the table is paused")
    for card in table.cards:
        if card.locked and actor == card.account:
            return Rejection(CARD_LOCKED, f"the card of {card.name} is locked")
    return None


def refuse_cards(table: Table, batch: Batch) -> Rejection | None:
    """Say that accounts of seats are opened and closed with their cards, where the ledger has cards."""
    for ask in batch.instructions if table.cards else ():
        if isinstance(ask, OpenAccount | CloseAccount) and kind_of(ask.account) == KIND_SEAT:
            detail = f"{ask.account} is opened and closed with its card (AddCard, RetireCard)"
            return Rejection(ACCOUNT_OF_CARD, detail)
    return None


def actor_of(caller: Principal) -> str:
    """Return who posts, as the log names it: `banker`, or the seat of a card."""
    return seat_account(caller.seat) if caller.role == "card" else caller.role


def refuse_stranger(caller: Principal, batch: Batch) -> None:
    """Raise unless the caller may post this: a banker anything, a card what is paid from its own account.

    Raises:
        UnauthenticatedError: no token of a table (TOKEN_MISSING).
        ForbiddenError: TOKEN_FOR_OTHER_TABLE, NOT_THE_BANKER, NOT_YOUR_CARD.
    """
    role = caller.role_at(batch.ledger_id)
    if role == "banker":
        return
    own = seat_account(caller.seat)
    for place, ask in enumerate(batch.instructions):
        if role != "card" or not isinstance(ask, Transfer):
            raise ForbiddenError(f"instructions[{place}] is for the banker to ask", reason=NOT_THE_BANKER)
        if ask.debit != own:
            detail = f"instructions[{place}] is paid from {ask.debit}; this card is of {own}"
            raise ForbiddenError(detail, reason=NOT_YOUR_CARD)
