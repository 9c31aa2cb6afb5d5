"""What may be done at a table and what comes of it. Pure: time, ids and digests come in as data.

Each function returns a `Decision` or the refusal; refusals are checked in the order that it documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.bank.domain.accounts import BANK, seat_account
from magnate.bank.domain.instructions import CloseAccount, OpenAccount, OpenLedger, Reverse, Transfer
from magnate.bank.domain.known import TRANSFER
from magnate.bank.tables.events import (
    CardClaimed,
    CardRetired,
    CardUnlocked,
    OperationUndone,
    PinFailed,
    PinPassed,
    Rank,
    TableClosed,
    TablePaused,
    TableResumed,
    UnitChanged,
)
from magnate.bank.tables.limits import CARDS_MAX, PIN_TRIES_MAX
from magnate.bank.tables.pending import OF_AUCTIONS, pausing, resuming
from magnate.bank.tables.state import CLOSED, MODELS, PAUSED
from magnate.bank.terminal import machine
from magnate.bank.terminal.step import ACTIVE, LOCKED, RETIRED, Remove
from magnate.bank.terminal.step import Table as UnitTable
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from magnate.bank.domain.instructions import Instruction
    from magnate.bank.tables.events import CardIssued, Event, TableOpened
    from magnate.bank.tables.state import Card, Standing, Table, TableState
    from magnate.bank.terminal.step import Action, GameView, Step
    from magnate.kit.log.commit import Section

OPEN_REASON: Final = "open"
RETIRE_REASON: Final = "retire"


class Decision:
    """What a command leads to: events of the table, and what the ledger is asked for in the same commit.

    `step` is that of the unit, if it was operated. `sections`: what others add to the commit.
    """

    __slots__ = ("events", "instructions", "sections", "step")

    def __init__(
        self,
        events: Sequence[Event],
        instructions: Sequence[Instruction] = (),
        step: Step | None = None,
    ) -> None:
        self.events = list(events)
        self.instructions = list(instructions)
        self.sections: list[Section] = []
        self.step = step


def decide_open(opened: TableOpened, cards: Sequence[CardIssued]) -> Decision:
    """Open a table with these cards; its account is opened for each, with the opening amount on it."""
    ledger = OpenLedger(opened.unit_name, opened.scale, standalone=True)
    decision = Decision([opened, *cards], [ledger, OpenAccount(BANK)])
    for card in cards:
        _endow(decision, card, opened.opening_amount)
    model = MODELS.get(opened.model)
    if model is not None:
        decision.events.append(UnitChanged(machine.new_unit(model), []))
    return decision


def decide_attach(opened: TableOpened, cards: Sequence[CardIssued]) -> Decision:
    """Give a game its unit with a card for each seat; its ledger is there already."""
    return Decision([opened, *cards, UnitChanged(machine.new_unit(MODELS[opened.model]), [])])


def decide_add(table: Table, issued: CardIssued) -> Decision | Rejection:
    """Issue a card. Refusals: TABLE_CLOSED GAME_MOVES_MONEY NAME_TAKEN TOO_MANY_CARDS."""
    refused = refuse_closed(table) or refuse_game(table)
    if refused is not None:
        return refused
    if any(card.name == issued.name and not card.retired for card in table.cards):
        return Rejection(names.NAME_TAKEN, f"somebody at this table is called {issued.name!r}")
    if len(table.cards) >= CARDS_MAX:
        return Rejection(names.TOO_MANY_CARDS, f"{CARDS_MAX} cards were issued at this table")
    decision = Decision([issued])
    _endow(decision, issued, table.money.opening_amount)
    return decision


def decide_retire(state: TableState, card_id: str, now_ms: int) -> Decision | Rejection:
    """Retire a card: its money goes to the bank, its account is closed. Refusals: TABLE_CLOSED UNKNOWN_CARD
    CARD_RETIRED GAME_MOVES_MONEY, then those of the ledger.
    """  # noqa: D205
    table = state.table
    card = usable(table, card_id)
    if isinstance(card, Rejection):
        return card
    refused = refuse_game(table)
    if refused is not None:
        return refused
    decision = Decision([CardRetired(card_id)])
    balance = state.balance(card.seat)
    if balance > 0:
        decision.instructions.append(Transfer(card.account, BANK, balance, RETIRE_REASON))
    decision.instructions.append(CloseAccount(card.account))
    unit = table.unit
    if unit is not None and card.seat in unit.slots:
        pulled = machine.operate(unit, Remove(unit.slots.index(card.seat)), unit_table(state), now_ms)
        decision.events.append(UnitChanged(pulled.unit, pulled.sounds, pulled.refusal, pulled.detail))
    return decision


def decide_claim(table: Table, card_id: str, *, proven: bool) -> Decision | Rejection:
    """Give a card to a device: who has proved nothing takes it only if nobody has.

    Refusals: TABLE_CLOSED UNKNOWN_CARD CARD_RETIRED NOT_YOUR_CARD CARD_LOCKED.
    """
    card = usable(table, card_id)
    if isinstance(card, Rejection):
        return card
    if (card.claimed or table.attached) and not proven:
        return Rejection(names.NOT_YOUR_CARD, f"somebody has the card of {card.name}; show its secret")
    if card.locked:
        return locked(card)
    return Decision([CardClaimed(card_id)])


def decide_pin(card: Card, *, right: bool) -> list[Event]:
    """Return what a PIN that was given leads to: after five wrong ones in a row the card is locked."""
    if right:
        return [PinPassed(card.card_id)] if card.failures else []
    failures = card.failures + 1
    return [PinFailed(card.card_id, failures, locked=failures >= PIN_TRIES_MAX)]


def decide_unlock(table: Table, card_id: str) -> Decision | Rejection:
    """Unlock a card and take its PIN off.

    Refusals: TABLE_CLOSED UNKNOWN_CARD CARD_RETIRED CARD_NOT_LOCKED.
    """
    card = usable(table, card_id)
    if isinstance(card, Rejection):
        return card
    if not card.locked:
        return Rejection(names.CARD_NOT_LOCKED, f"the card of {card.name} is not locked")
    return Decision([CardUnlocked(card_id)])


def decide_pause(table: Table, left_ms: Mapping[str, int]) -> Decision | Rejection:
    """Pause, and with the table its auctions and timers, of which so much is left.

    Refusals: TABLE_CLOSED TABLE_PAUSED.
    """
    refused = refuse_closed(table)
    if refused is not None:
        return refused
    if table.status == PAUSED:
        return Rejection(names.TABLE_PAUSED, "the table is paused already")
    decision = Decision([TablePaused()])
    if not table.in_game:  # the game pauses its own
        decision.sections += pausing(left_ms)
    return decision


def decide_resume(state: TableState, now_ms: int) -> Decision | Rejection:
    """Go on, with all that was left of the time. Refusals: TABLE_CLOSED TABLE_NOT_PAUSED."""
    table = state.table
    refused = refuse_closed(table)
    if refused is not None:
        return refused
    if table.status != PAUSED:
        return Rejection(names.TABLE_NOT_PAUSED, "the table is not paused")
    decision = Decision([TableResumed()])
    if not table.in_game:
        decision.sections += resuming(state.pending, now_ms)
    return decision


def decide_moved(decision: Decision, entries: list[tuple[str, str, int]], game: GameView) -> Decision:
    """Return what the unit does once the rules have accepted its move, and what that has paid."""
    assert decision.step is not None, "a unit has moved"
    step = machine.carried_out(decision.step, entries, game)
    others = [event for event in decision.events if not isinstance(event, UnitChanged)]
    return Decision([*others, UnitChanged(step.unit, step.sounds, step.refusal, step.detail)], (), step)


def decide_close(
    state: TableState, game: GameView | None = None, moved: Mapping[str, int] | None = None
) -> Decision | Rejection:
    """End the table and rank its players, after what is `moved` with it. Refusal: TABLE_CLOSED."""
    refused = refuse_closed(state.table)
    if refused is not None:
        return refused
    more = moved or {}
    counted = [(total + more.get(seat_account(seat), 0), seat) for total, seat in totals(state, game)]
    return Decision([TableClosed(rank(counted))])


def totals(state: TableState, game: GameView | None) -> list[tuple[int, int]]:
    """Return what each seat's money comes to, in a game with the price of its lots (row 86); and the seat."""
    counted: list[tuple[int, int]] = []
    for card in state.table.cards:
        if card.retired:
            continue
        total = state.posted(card.seat)  # what is held is his as long as nobody has captured it
        if game is not None:
            for square, owner in enumerate(game.owner):
                total += game.price[square] if owner == card.seat else 0
        counted.append((total, card.seat))
    return counted


def decide_operate(
    state: TableState, action: Action, now_ms: int, owner: int = -1, game: GameView | None = None
) -> Decision | Rejection:
    """Work the unit, that of a `game` if it is in one; what the unit itself refuses is a decision, too.

    An `owner` may only pull his own card out. Refusals: TABLE_CLOSED NO_UNIT NOT_THE_BANKER.
    """
    table = state.table
    refused = refuse_closed(table)
    if refused is not None:
        return refused
    if table.unit is None:
        return Rejection(names.NO_UNIT, "this table has no unit")
    if owner >= 0 and not (isinstance(action, Remove) and owner in table.unit.slots[action.slot :][:1]):
        return Rejection(
            names.NOT_THE_BANKER, "at this table others than the banker move their own card only"
        )
    step = machine.operate(table.unit, action, unit_table(state, game), now_ms)
    decision = Decision([UnitChanged(step.unit, step.sounds, step.refusal, step.detail)], step.payments, step)
    if step.closes:
        decision.events.append(TableClosed(rank(totals(state, game))))
    return decision


def decide_refused(decision: Decision, refusal: str, detail: str, now_ms: int) -> Decision:
    """Return what the unit does instead when the ledger refused what it asked for."""
    assert decision.step is not None, "only a unit's payments are refused on its display"
    step = machine.refused(decision.step.unit, refusal, now_ms)
    step.detail = detail
    return Decision([UnitChanged(step.unit, step.sounds, step.refusal, step.detail)], (), step)


def last_standing(state: TableState, version: int) -> Standing | Rejection:
    """Return the operation that is taken back next.

    Refusals: TABLE_CLOSED GAME_MOVES_MONEY NOTHING_TO_UNDO NOT_THE_LAST.
    """
    refused = refuse_closed(state.table) or refuse_game(state.table)
    if refused is not None:
        return refused
    if not state.standing:
        return Rejection(names.NOTHING_TO_UNDO, "no operation is left that can be taken back")
    last = state.standing[-1]
    if version != last.version:
        return Rejection(
            names.NOT_THE_LAST, f"operation {version} is not the last one; operation {last.version} is"
        )
    return last


def refuse_bids_back(state: TableState, transfer_ids: Iterable[str]) -> Rejection | None:
    """AUCTIONS_RUN if a payment for a bid would be taken back (penny auctions): as long as auctions run, they
    count on it, and may give it back themselves.
    """  # noqa: D205
    if not state.auctions:
        return None
    for transfer_id in transfer_ids:
        known = state.ledger.known.get(transfer_id)
        if known is not None and known.kind == TRANSFER and transfer_id.startswith(OF_AUCTIONS):
            detail = f"{transfer_id!r} was paid for a bid; while auctions run it is not taken back"
            return Rejection(names.AUCTIONS_RUN, detail)
    return None


def decide_undo(version: int, note: str, transfer_ids: Sequence[str]) -> Decision:
    """Take an operation back, its last transfer first; the ledger refuses it if the money is gone."""
    reversals = [Reverse("", transfer_id, note) for transfer_id in reversed(transfer_ids)]
    return Decision([OperationUndone(version, note)], reversals)


def rank(counted: Sequence[tuple[int, int]]) -> list[Rank]:
    """Return places for (total, seat), the richest first; equal totals share the better place."""
    ranking: list[Rank] = []
    for number, (total, seat) in enumerate(sorted(counted, key=lambda one: (-one[0], one[1])), start=1):
        shared = ranking and ranking[-1].total == total
        ranking.append(Rank(ranking[-1].place if shared else number, seat, total))
    return ranking


def usable(table: Table, card_id: str) -> Card | Rejection:
    """Return a card that is in use. Refusals: TABLE_CLOSED UNKNOWN_CARD CARD_RETIRED."""
    refused = refuse_closed(table)
    if refused is not None:
        return refused
    card = table.card(card_id)
    if card is None:
        return Rejection(names.UNKNOWN_CARD, f"this table has no card {card_id!r}")
    if card.retired:
        return Rejection(names.CARD_RETIRED, f"the card of {card.name} is retired")
    return card


def locked(card: Card) -> Rejection:
    """Say that a card is locked."""
    return Rejection(names.CARD_LOCKED, f"the card of {card.name} is locked; the banker can unlock it")


def refuse_closed(table: Table) -> Rejection | None:
    """Say that the table has ended, if it has."""
    if table.status == CLOSED:
        return Rejection(names.TABLE_CLOSED, "the table is closed")
    return None


def refuse_game(table: Table) -> Rejection | None:
    """Say that only its rules move the money of a game, if the table is one's."""
    if table.in_game:
        return Rejection(names.GAME_MOVES_MONEY, "the rules of this game move its money")
    return None


def unit_table(state: TableState, game: GameView | None = None) -> UnitTable:
    """Return the table as its unit sees it, with the game that it is in.

    Everybody looks at a unit, so it knows nothing of sealed bids; the ledger, which does, has the last word.
    """
    state = state.seen()
    table = state.table
    standings = [RETIRED if card.retired else LOCKED if card.locked else ACTIVE for card in table.cards]
    balances = [state.balance(card.seat) for card in table.cards]
    return UnitTable(table.money, balances, standings, table.status == PAUSED, game)


def _endow(decision: Decision, card: CardIssued, amount: int) -> None:
    account = seat_account(card.seat)
    decision.instructions.append(OpenAccount(account))
    if amount:
        decision.instructions.append(Transfer(BANK, account, amount, OPEN_REASON))
