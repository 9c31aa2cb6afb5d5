"""What only some rule sets need to remember of a game; in a classic game all of it stays as it begins.

Kept apart from `State` so that the classic path copies and reads no more than it needs. `plain` names only
what is not as it begins, so a digest never changes because a field was added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.vocabulary import LotPass, OpenClaim, OpenLoan

NUMBERS: Final = (
    "bankruptcies", "built_any", "built_groups", "cap_level", "cap_left", "first_wanted", "frozen",
    "placing_building", "placing_price", "placing_seat", "question", "question_amount", "question_square",
    "shortage_building", "time_rule", "time_up", "unsold_lot",
)  # fmt: skip
LISTS: Final = (
    "cards_used", "discount", "lapsed", "last_round", "loan_ended", "more_auctions", "more_lots",
    "more_unsold", "pots", "redeem_offer", "redeem_price", "rent_level", "reserved_for", "reserved_lots",
    "reverse", "shortage_asked", "shortage_targets", "shortage_wanted", "skip",
)  # fmt: skip
EMPTY: Final = (
    "cards_used", "lapsed", "more_auctions", "more_lots", "more_unsold", "redeem_offer", "redeem_price",
    "reserved_for", "reserved_lots", "shortage_asked", "shortage_targets", "shortage_wanted",
)  # fmt: skip
"""The lists that begin empty; the others have a place a seat, a square or a pot."""


class Extras:
    """Numbers begin at 0 and lists empty or 0 everywhere, if nothing else is said.

    pots                what the pots hold: account -2 is pots[0], -3 pots[1], -4 pots[2]; for `purse` only
    skip[seat]          turns the seat will skip
    reverse[seat]       1: its next move by dice goes backwards
    cards_used          kept cards that can be used again: deck * 64 + card, plus 1, once for each use
    discount[seat]      percent that its next building costs less
    loans, passes       money lent and free visits agreed on; values that are replaced, never changed
    claims              rents that may be claimed until the next player throws
    lapsed              the latest claims that lapsed, as (owner + 1) * 64 + lot
    loan_ended[seat]    the round in which the seat paid the bank's loan back; 0 never
    rent_level[square]  rent level of an owned lot on a board that has them, else 0
    cap_level, cap_left the next so many rents are charged at this level
    last_round[square]  the last round in which a mortgaged lot can still be redeemed; 0 no limit
    more_auctions       auctions that run beside `state.auction`, by number; more_lots: what is sold there
    reserved_lots       lots that were sold but not paid in full yet; reserved_for: to whom. These lists, and
                        more_unsold, are replaced and never changed, so that copies share them
    redeem_offer        lots their new owner may redeem cheaper until the next throw; redeem_price: for what
    question            what is asked in phase CHOICE by a square (QUESTION_…), about question_square, and the
                        question_amount that goes with it; a drawn card that asks is `state.choice_card`
    built_groups        groups built on in this turn, as bits; built_any: seats that built in this turn,
                        as bits; both are kept only where a turn has a limit
    bankruptcies        seats that went bankrupt, counted where that ends the game (resigning is none)
    frozen              lots of seats that left, as bits: nobody can have them any more
    shortage_building   BUILDING_… that the running window is about; shortage_asked: who may answer still;
                        shortage_wanted: who wants one; first_wanted: who asked for it, plus 1, and
                        shortage_targets: for what, lot * 16 + level
    placing_seat        seat plus 1 that has to place placing_building, for which it paid placing_price
    time_rule           rules of the board's time rules entered; time_up 1: the agreed time is over
    unsold_lot          the lot that is put up once more after nobody bid, plus 1; more_unsold: further ones
    touched             1 from the first claim, shortage, counted bankruptcy or end of the time on: while it
                        is 0 nobody need look for these. It is no part of `plain`
    """

    __slots__ = (*NUMBERS, *LISTS, "claims", "loans", "passes", "touched")

    bankruptcies: int
    built_any: int
    built_groups: int
    cap_level: int
    cap_left: int
    first_wanted: int
    frozen: int
    placing_building: int
    placing_price: int
    placing_seat: int
    question: int
    question_amount: int
    question_square: int
    shortage_building: int
    time_rule: int
    time_up: int
    unsold_lot: int
    cards_used: list[int]
    discount: list[int]
    lapsed: list[int]
    last_round: list[int]
    loan_ended: list[int]
    more_auctions: list[int]
    more_lots: list[int]
    more_unsold: list[int]
    pots: list[int]
    redeem_offer: list[int]
    redeem_price: list[int]
    rent_level: list[int]
    reserved_for: list[int]
    reserved_lots: list[int]
    reverse: list[int]
    shortage_asked: list[int]
    shortage_targets: list[int]
    shortage_wanted: list[int]
    skip: list[int]
    touched: int
    claims: list[OpenClaim]
    loans: list[OpenLoan]
    passes: list[LotPass]

    def __init__(self, board: Board, seats: int, source: Extras | None = None) -> None:
        """As at the start of a game; or, from a `source`, a copy of it."""
        if source is None:
            self._clear(board.size, seats)
        else:
            self._copy(source)

    def _clear(self, size: int, seats: int) -> None:
        self.bankruptcies = 0
        self.built_any = 0
        self.built_groups = 0
        self.cap_level = 0
        self.cap_left = 0
        self.first_wanted = 0
        self.frozen = 0
        self.placing_building = 0
        self.placing_price = 0
        self.placing_seat = 0
        self.question = 0
        self.question_amount = 0
        self.question_square = -1
        self.shortage_building = 0
        self.time_rule = 0
        self.time_up = 0
        self.unsold_lot = 0
        self.cards_used = []
        self.discount = [0] * seats
        self.lapsed = []
        self.last_round = [0] * size
        self.loan_ended = [0] * seats
        self.more_auctions = []
        self.more_lots = []
        self.more_unsold = []
        self.pots = [0, 0, 0]
        self.redeem_offer = []
        self.redeem_price = []
        self.rent_level = [0] * size
        self.reserved_for = []
        self.reserved_lots = []
        self.reverse = [0] * seats
        self.shortage_asked = []
        self.shortage_targets = []
        self.shortage_wanted = []
        self.skip = [0] * seats
        self.touched = 0
        self.claims = []
        self.loans = []
        self.passes = []

    def _copy(self, source: Extras) -> None:
        self.bankruptcies = source.bankruptcies
        self.built_any = source.built_any
        self.built_groups = source.built_groups
        self.cap_level = source.cap_level
        self.cap_left = source.cap_left
        self.first_wanted = source.first_wanted
        self.frozen = source.frozen
        self.placing_building = source.placing_building
        self.placing_price = source.placing_price
        self.placing_seat = source.placing_seat
        self.question = source.question
        self.question_amount = source.question_amount
        self.question_square = source.question_square
        self.shortage_building = source.shortage_building
        self.time_rule = source.time_rule
        self.time_up = source.time_up
        self.unsold_lot = source.unsold_lot
        self.cards_used = source.cards_used.copy()
        self.discount = source.discount.copy()
        self.lapsed = source.lapsed.copy()
        self.last_round = source.last_round.copy()
        self.loan_ended = source.loan_ended.copy()
        self.more_auctions = source.more_auctions
        self.more_lots = source.more_lots
        self.more_unsold = source.more_unsold
        self.pots = source.pots.copy()
        self.redeem_offer = source.redeem_offer.copy()
        self.redeem_price = source.redeem_price.copy()
        self.rent_level = source.rent_level.copy()
        self.reserved_for = source.reserved_for
        self.reserved_lots = source.reserved_lots
        self.reverse = source.reverse.copy()
        self.shortage_asked = source.shortage_asked.copy()
        self.shortage_targets = source.shortage_targets.copy()
        self.shortage_wanted = source.shortage_wanted.copy()
        self.skip = source.skip.copy()
        self.touched = source.touched
        self.claims = source.claims.copy()
        self.loans = source.loans.copy()
        self.passes = source.passes.copy()


def plain_extras(extras: Extras) -> dict[str, object]:
    """What is not as it begins, by name, as JSON-able values."""
    found: dict[str, object] = {}
    for name in NUMBERS:
        number: int = getattr(extras, name)
        if number != (-1 if name == "question_square" else 0):
            found[name] = number
    for name in LISTS:
        values: list[int] = getattr(extras, name)
        if values if name in EMPTY else any(values):
            found[name] = values
    if extras.claims:
        found["claims"] = [[one.payer, one.owner, one.lot, one.amount] for one in extras.claims]
    if extras.loans:
        found["loans"] = [[one.debtor, one.creditor, one.amount, one.due_round] for one in extras.loans]
    if extras.passes:
        found["passes"] = [[one.lot, one.owner, one.seat, one.visits] for one in extras.passes]
    return found
