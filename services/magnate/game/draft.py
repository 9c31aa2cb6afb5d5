"""A commit in the making: what rules, table and auctions add to it, folded as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game.codec import deadlines_section, rules_section, table_section
from magnate.game.domain import table
from magnate.game.fold import count_script
from magnate.game.ports import OWNER, TIMER, AuctionProposal, DeadlineChange
from magnate.game.state import Deadline
from magnate.peers.accounts import ACCOUNT_NAMES, ACCOUNTS, REASONS
from magnate.peers.bank import Capture, Disclose, Pay, Place, Release, Reveal
from magnate.rules import bidding_fold, purse
from magnate.rules.decision import BANK, NOBODY
from magnate.rules.vocabulary import PHASE_OVER, TRANSFER_REASON_AUCTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.state import GameState
    from magnate.kit.log.commit import Section
    from magnate.peers.bank import Instruction
    from magnate.rules.decision import Decision, Transfer
    from magnate.rules.vocabulary import AuctionOutcome


class Draft:
    """A commit in the making: the state with everything folded in, and what goes into the sections."""

    __slots__ = (
        "auction", "bid", "deadlines", "decision", "first", "folded", "holds", "last", "moves", "paid",
        "seat", "state", "table_events",
    )  # fmt: skip

    def __init__(
        self,
        state: GameState,
        decision: Decision,
        *,
        table_events: Sequence[table.TableEvent] = (),
        deadlines: Sequence[DeadlineChange] = (),
        first: Sequence[Instruction] = (),
        seat: int = NOBODY,
    ) -> None:
        self.state = state
        self.decision = decision
        self.table_events = list(table_events)
        self.deadlines = list(deadlines)
        self.first = list(first)
        self.last: list[Instruction] = []
        self.auction: AuctionProposal | None = None
        self.seat = seat  # whose command it is
        self.folded = 0  # so many table events are in the state
        self.bid = 0  # so many events of auctions are
        self.holds = state.holds  # before the commit
        self.moves: list[Instruction] = []  # what the bank does after `first`, in the order of deciding
        self.paid = 0  # so many transfers of the rules are among them

    def tell(self, event: table.TableEvent) -> None:
        """Add an event of the table, and fold it."""
        self.table_events.append(event)
        self._fold_table()

    def _fold_table(self) -> None:
        if self.folded == len(self.table_events):
            return
        if self.folded == 0:
            self.state.table = self.state.table.copy()
        for event in self.table_events[self.folded :]:
            table.evolve(self.state.table, event)
        self.folded = len(self.table_events)

    def _fold_auctions(self) -> None:
        events = [] if self.auction is None else self.auction.events[self.bid :]
        if events:
            self.state.auctions = bidding_fold.copied(self.state.auctions)
            for event in events:
                bidding_fold.fold_into(self.state.auctions, event)
            self.bid += len(events)

    def auctions_run(self) -> bool:
        """Say whether any auction runs by now."""
        self._fold_auctions()
        return bool(self.state.auctions)

    def catch_up(self) -> None:
        """Fold what the table and auctions have said by now, and end the game if the rules say so."""
        self._fold_table()
        self._fold_auctions()
        self.end_if_over()

    def end_if_over(self) -> None:
        """When the rules say that the game is over: reveal the seed, clear our and clients' deadlines."""
        state = self.state
        if state.rules is not None and state.rules.phase == PHASE_OVER and state.table.status != table.OVER:
            self.end()

    def end(self) -> None:
        """Close the table: nothing is secret any more."""
        self.tell(table.SeedRevealed(self.state.table.seed))
        rules = self.state.rules
        if rules is not None and not rules.rules.table_balances_public:
            self.last.append(Disclose())
        self.deadlines.extend(
            DeadlineChange("cleared", deadline_id)
            for deadline_id, deadline in self.state.deadlines.items()
            if deadline.owner in (OWNER, TIMER)
        )

    def fold(self) -> None:
        """Fold what was added besides the rules' events and transfers into the state."""
        state = self.state
        self._fold_table()
        self._fold_auctions()
        if state.table.sandbox is not None:
            count_script(state, self.decision.events)
        if self.all_deadlines():
            state.deadlines = dict(state.deadlines)
            for change in self.all_deadlines():
                fold_deadline(state.deadlines, change)

    def follow(self, instruction: Instruction) -> None:
        """Have the bank do what auctions ask, and fold it: the rules go on with the money there will be.

        What was on hold before is free before anything else is done: who leaves has paid with it.
        """
        known = isinstance(instruction, Release | Reveal) and instruction.hold_id in self.holds
        (self.first if known else self.moves).append(instruction)
        state = self.state
        rules = state.rules
        assert rules is not None
        if isinstance(instruction, Release):
            purse.hold_released(rules, *state.holds[instruction.hold_id])
            self.forget_hold(instruction.hold_id)
        elif isinstance(instruction, Place):
            seat = ACCOUNTS[instruction.account]
            purse.hold_placed(rules, seat, instruction.amount)
            state.holds = {**state.holds, instruction.hold_id: (seat, instruction.amount)}
        elif isinstance(instruction, Pay):
            payer, payee = ACCOUNTS[instruction.debit], ACCOUNTS[instruction.credit]
            purse.moved(rules, payer, payee, instruction.amount)
        else:
            assert isinstance(instruction, Reveal), instruction
            state.concealed -= {instruction.hold_id}

    def forget_hold(self, hold_id: str) -> None:
        """Take a hold that is released or captured out of the state."""
        if hold_id in self.state.holds:
            self.state.holds = {key: held for key, held in self.state.holds.items() if key != hold_id}
            self.state.concealed -= {hold_id}

    def all_deadlines(self) -> list[DeadlineChange]:
        """Return the changes of this service and of the auction."""
        return self.deadlines if self.auction is None else [*self.auction.deadlines, *self.deadlines]

    def sections(self) -> list[Section]:
        """Return the sections in the order in which they are stored."""
        found: list[Section] = []
        if self.table_events:
            found.append(table_section(self.table_events))
        if self.decision.events:
            found.append(rules_section(self.decision.events))
        if self.auction is not None and self.auction.section is not None:
            found.append(self.auction.section)
        changes = self.all_deadlines()
        if changes:
            found.append(deadlines_section(changes))
        return found

    def pay(self) -> None:
        """Let what auctions do from here on come after what the rules have paid by now."""
        self.moves += self._unpaid()
        self.paid = len(self.decision.transfers)

    def capture(self, won: AuctionOutcome) -> None:
        """Take the price of a lot, as far as it is on hold."""
        if won.winner != NOBODY and won.hold_id:
            amount = won.price if won.held is None else won.held
            reason = REASONS[TRANSFER_REASON_AUCTION]
            self.moves.append(Capture(won.hold_id, ACCOUNT_NAMES[BANK], amount, reason))
        self.forget_hold(won.hold_id)

    def instructions(self) -> list[Instruction]:
        """Return what the bank has to do, in order."""
        return [*self.first, *self.moves, *self._unpaid(), *self.last]

    def payments(self) -> list[Instruction]:
        """Return what of it the rules and the table ask for."""
        return [*(pay_of(one) for one in self.decision.transfers), *self.last]

    def _unpaid(self) -> list[Instruction]:
        return [pay_of(one) for one in self.decision.transfers[self.paid :]]


def pay_of(transfer: Transfer) -> Pay:
    """Return a transfer of the rules as an instruction for the bank."""
    names = ACCOUNT_NAMES
    return Pay(names[transfer.payer], names[transfer.payee], transfer.amount, REASONS[transfer.reason])


def fold_deadline(deadlines: dict[str, Deadline], change: DeadlineChange) -> None:
    """Fold one change of a deadline."""
    if change.what == "set":
        deadlines[change.deadline_id] = Deadline(change.owner, change.kind, change.due_ms)
    elif change.what == "cleared":
        deadlines.pop(change.deadline_id, None)
    elif change.what == "paused":
        old = deadlines[change.deadline_id]
        deadlines[change.deadline_id] = old.paused(change.left_ms, held=change.held)
    else:
        shifted = change.what == "shifted"
        old = deadlines[change.deadline_id]
        deadlines[change.deadline_id] = old.running(change.due_ms, shifted=shifted)
