"""Deeds against ledger: what the rules say was bought, sold, built or mortgaged is what was paid.

The events of the rules in a commit say what each seat owes for deeds and gets for them; its ledger section
must move exactly that, under exactly those reasons. What could not be paid at once is a debt; a later commit
pays it and says so.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from magnate.cli.audit.sales import REASON, Sales
from magnate.peers.accounts import ACCOUNT_NAMES, REASONS
from magnate.rules.decision import BANK, NOBODY
from magnate.rules.vocabulary import (
    TRANSFER_REASON_AUCTION,
    TRANSFER_REASON_BUILDING,
    TRANSFER_REASON_BUILDING_SALE,
    TRANSFER_REASON_LOAN,
    TRANSFER_REASON_MORTGAGE,
    TRANSFER_REASON_MORTGAGE_INTEREST,
    TRANSFER_REASON_PURCHASE,
    TRANSFER_REASON_REDEMPTION,
    TRANSFER_REASON_RETURN,
    TRANSFER_REASON_TRADE,
    BuildingAuctioned,
    BuildingReturned,
    BuildingsBuilt,
    BuildingsSold,
    DebtIncurred,
    DebtPaid,
    DeedDealt,
    LoanEnded,
    LoanTaken,
    LotAuctioned,
    LotBought,
    LotReserved,
    LotReturned,
    LotsMortgaged,
    LotsRedeemed,
    MortgageInterestCharged,
    OfferAccepted,
    OfferMade,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from magnate.bank.domain.records import Record
    from magnate.bank.domain.statement import Line
    from magnate.rules.vocabulary import AuctionEvent, Event

    Payment: TypeAlias = tuple[int, int, int]
    Due: TypeAlias = tuple[int, int, int, int]

DEED_REASONS: Final = frozenset(
    {
        TRANSFER_REASON_PURCHASE,
        TRANSFER_REASON_BUILDING,
        TRANSFER_REASON_BUILDING_SALE,
        TRANSFER_REASON_MORTGAGE,
        TRANSFER_REASON_REDEMPTION,
        TRANSFER_REASON_MORTGAGE_INTEREST,
        TRANSFER_REASON_AUCTION,
        TRANSFER_REASON_RETURN,
        TRANSFER_REASON_TRADE,
        TRANSFER_REASON_LOAN,
    }
)
"""The reasons that come from deeds; every entry under one of them needs its event."""

AT_TABLES: Final = "auction:"
"""How the ids begin of what auctions move at tables, where clients may post for any reason they like."""
_WORDS: Final = frozenset(REASONS[reason] for reason in DEED_REASONS)


def of_deed(event: Event) -> Due | None:
    """Return who pays whom, why and how much for what happened to a deed; None for any other event."""
    if isinstance(event, LotBought | DeedDealt):
        return event.seat, BANK, TRANSFER_REASON_PURCHASE, event.price
    if isinstance(event, BuildingsBuilt):
        return event.seat, BANK, TRANSFER_REASON_BUILDING, event.cost
    if isinstance(event, BuildingsSold):
        return BANK, event.seat, TRANSFER_REASON_BUILDING_SALE, event.proceeds
    if isinstance(event, LotsMortgaged):
        return BANK, event.seat, TRANSFER_REASON_MORTGAGE, event.amount
    if isinstance(event, LotsRedeemed):
        return event.seat, BANK, TRANSFER_REASON_REDEMPTION, event.amount
    if isinstance(event, MortgageInterestCharged):
        return event.seat, BANK, TRANSFER_REASON_MORTGAGE_INTEREST, event.amount
    if isinstance(event, LotReturned):
        return BANK, event.seat, TRANSFER_REASON_RETURN, event.amount
    if isinstance(event, BuildingReturned):
        return BANK, event.seat, TRANSFER_REASON_AUCTION, event.amount
    return None


class Deeds:
    """Follows one game, commit by commit, and says where deeds and ledger part."""

    def __init__(self) -> None:
        self._sales = Sales()
        self._offers: dict[int, OfferMade] = {}

    def check(
        self,
        events: Sequence[Event],
        auction_events: Sequence[AuctionEvent],
        lines: Iterable[Line],
        *,
        in_game: bool = True,
        records: Iterable[Record] = (),
    ) -> list[str]:
        """Return a sentence for each payment of this commit that is missing, wrong or one too many.

        `in_game`: rules say what follows from a hammer. `records` are the ledger's.
        """
        owed = self._sales.payments(auction_events, in_game=in_game)
        self._sales.follow(auction_events, records)
        due: Counter[Payment] = Counter()
        before: Event | None = None
        for event in events:
            if not (isinstance(event, LoanTaken) and _passed_on(before, event)):
                self._event(due, event)
            before = event
        paid: Counter[tuple[str, str, str]] = Counter()
        for line in lines:
            at_table = line.transfer_id.startswith(AT_TABLES) or (auction_events and line.reason == REASON)
            if line.reason in _WORDS if in_game else at_table:
                paid[line.debit, line.credit, line.reason] += line.amount
        for (payer, payee, reason), amount in due.items():
            owed[ACCOUNT_NAMES[payer], ACCOUNT_NAMES[payee], REASONS[reason]] += amount
        return [
            f"{debit} paid {credit} {paid[debit, credit, reason]} for {reason}; "
            f"the deeds say {owed[debit, credit, reason]}"
            for debit, credit, reason in sorted(paid.keys() | owed.keys())
            if paid[debit, credit, reason] != owed[debit, credit, reason]
        ]

    def _event(self, due: Counter[Payment], event: Event) -> None:
        deed = of_deed(event)
        if deed is not None:
            payer, payee, reason, amount = deed
            due[payer, payee, reason] += amount
        elif isinstance(event, LotAuctioned | LotReserved | BuildingAuctioned):
            if event.winner != NOBODY and not self._sales.is_penny(event.auction):
                due[event.winner, BANK, TRANSFER_REASON_AUCTION] += event.price
        elif isinstance(event, DebtIncurred):
            if event.debt.reason in DEED_REASONS:
                due[event.debt.debtor, event.debt.creditor, event.debt.reason] -= event.debt.amount
        elif isinstance(event, DebtPaid):
            if event.reason in DEED_REASONS:
                due[event.debtor, event.creditor, event.reason] += event.amount
        elif isinstance(event, LoanTaken):
            due[event.loan.creditor, event.loan.debtor, TRANSFER_REASON_LOAN] += event.loan.amount
        elif isinstance(event, OfferMade):
            self._offers[event.offer] = event
        elif isinstance(event, OfferAccepted):
            made = self._offers[event.offer]
            due[made.from_seat, made.to_seat, TRANSFER_REASON_TRADE] += made.terms.give_cash
            due[made.to_seat, made.from_seat, TRANSFER_REASON_TRADE] += made.terms.take_cash


def _passed_on(before: Event | None, taken: LoanTaken) -> bool:
    """Say whether a loan only got another creditor, with the estate of who had lent it: nobody is paid."""
    if not isinstance(before, LoanEnded) or before.due:
        return False
    old, new = before.loan, taken.loan
    return (old.debtor, old.amount, old.due_round) == (new.debtor, new.amount, new.due_round)
