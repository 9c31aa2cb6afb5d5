"""Reads `given`: the position a scenario begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.cli.scenario.model import Given, GivenAuction
from magnate.cli.scenario.names import GIVEN_WORDS, PHASE_NUMBERS, PHASES, QUESTIONS
from magnate.cli.scenario.read_parts import MONEY_MAX, read_amount, read_card, read_party, read_terms
from magnate.rules.board import JACKPOT, LOCATION, TAX
from magnate.rules.decision import BANK
from magnate.rules.position import fault
from magnate.rules.state import State
from magnate.rules.steps.start import pots_at_start
from magnate.rules.vocabulary import (
    PHASE_CHOICE,
    QUESTION_LOCATION,
    QUESTION_STAKE,
    QUESTION_TAX,
    TRANSFER_REASON_RENT,
    TRANSFER_REASON_TAX,
    HeldCard,
    LotPass,
    OfferMade,
    OpenDebt,
    OpenLoan,
    PositionGiven,
)

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Table
    from magnate.cli.scenario.node import Node

NOBODY = -1
POT_ORDER = ("parking", "jackpot", "charity_fund")
"""As `PositionGiven.pots` has them."""
SQUARES_THAT_ASK = {JACKPOT: QUESTION_STAKE, LOCATION: QUESTION_LOCATION, TAX: QUESTION_TAX}
SEAT_WORDS = (
    "cash", "at", "jailed", "jail_tries", "cards_held", "skip_turns", "reverse", "loan", "out",
)  # fmt: skip


def read_given(node: Node | None, document: Node, table: Table) -> Given:
    """Return the position; what the rules cannot have brought about is an error."""
    at = document if node is None else node
    fields = {} if node is None else node.fields((), (*GIVEN_WORDS, *table.players))
    position = _empty(table)
    if "round" in fields:
        position.round = fields["round"].whole(1, 100_000)
    cash = [table.board.start_money] * len(table.players)
    for name in table.players:
        if name in fields:
            _read_seat(fields[name], table, table.players.index(name), position, cash)
    if "lots" in fields:
        _read_lots(fields["lots"], table, position)
    _read_stock(fields.get("bank"), table, position)
    if "turn" in fields:
        position.turn_seat = table.seat(fields["turn"])
    if "doubles" in fields:
        position.doubles = fields["doubles"].whole(0, 2)
    if "debts" in fields:
        position.debts = [_read_debt(one, table) for one in fields["debts"].items()]
    _read_rest(fields, table, position)
    auction = _read_auction(fields["auction"], table) if "auction" in fields else None
    _read_phase(fields, at, position, auction)
    _read_question(fields, table, position)
    offers, ids = _read_offers(fields.get("offers"), table)
    wrong = fault(State(table.board, table.rules, len(table.players)), position, cash)
    if wrong:
        raise at.error(f"the position is impossible: {wrong}", "" if node else "given")
    clocks = "clocks" in fields and fields["clocks"].one_of(("on", "off")) == "on"
    return Given(position, cash, offers, ids, auction, clocks)


def _empty(table: Table) -> PositionGiven:
    """Return the table at the start: nobody owns anything, the first player is to throw."""
    seats, squares, board = len(table.players), table.board.size, table.board
    state = State(board, table.rules, seats)
    return PositionGiven(
        0, PHASE_NUMBERS["roll"], 1, 0, [0] * seats, [0] * seats, [0] * seats, [0] * seats,
        [NOBODY] * squares, [0] * squares, [0] * squares, state.houses_left, state.hotels_left,
        [], [], NOBODY,
        pots=pots_at_start(state), skip_turns=[0] * seats, reverse=[0] * seats, rent_level=[0] * squares,
        mortgaged_rounds=[0] * squares,
    )  # fmt: skip


def _read_rest(fields: dict[str, Node], table: Table, position: PositionGiven) -> None:
    """What only some rule sets have: time, pots, loans, free visits."""
    if "elapsed" in fields:
        position.elapsed_ms = fields["elapsed"].duration_ms()
    if "pots" in fields:
        for name, pot in fields["pots"].fields((), POT_ORDER).items():
            position.pots[POT_ORDER.index(name)] = read_amount(pot)
    for one in fields["loans"].items() if "loans" in fields else ():
        loan = one.fields(("from", "to", "amount"), ("due_round",))
        debtor, creditor = table.seat(loan["from"]), read_party(loan["to"], table)
        due = loan["due_round"].whole(0, 100_000) if "due_round" in loan else 0
        position.loans.append(OpenLoan(debtor, creditor, read_amount(loan["amount"], 1), due))
    for one in fields["passes"].items() if "passes" in fields else ():
        free = one.fields(("seat", "lot", "visits"))
        lot = table.square(free["lot"])
        position.passes.append(
            LotPass(lot, position.owner[lot], table.seat(free["seat"]), free["visits"].whole(1, 10**6))
        )


def _read_seat(node: Node, table: Table, seat: int, position: PositionGiven, cash: list[int]) -> None:
    fields = node.fields((), SEAT_WORDS)
    if "skip_turns" in fields:
        position.skip_turns[seat] = fields["skip_turns"].whole(0, 100)
    if "reverse" in fields:
        position.reverse[seat] = int(fields["reverse"].truth())
    if "loan" in fields and read_amount(fields["loan"]):
        due = position.round + table.rules.loan_rounds
        position.loans.append(OpenLoan(seat, BANK, read_amount(fields["loan"]), due))
    if "out" in fields and fields["out"].truth():
        position.out[seat] = 1
        cash[seat] = 0
    if "cash" in fields:
        cash[seat] = read_amount(fields["cash"])
    if "jailed" in fields and fields["jailed"].truth():
        position.jailed[seat] = 1
        position.at[seat] = table.board.jail_square
    if "at" in fields:
        position.at[seat] = table.square(fields["at"])
    if "jail_tries" in fields:
        position.jail_tries[seat] = fields["jail_tries"].whole(0, 100)
    if "cards_held" in fields:
        for one in fields["cards_held"].items():
            card = read_card(one, table)
            position.cards.append(HeldCard(seat, card.deck, card.card))


def _read_lots(node: Node, table: Table, position: PositionGiven) -> None:
    board = table.board
    for name, one in node.entries().items():
        if not name.isdecimal() or int(name) not in board.lots:
            raise one.error("is no lot of this board")
        lot = int(name)
        fields = one.fields(("owner",), ("buildings", "mortgaged", "level", "mortgaged_rounds"))
        if not fields["owner"].is_null:
            position.owner[lot] = table.seat(fields["owner"])
            position.rent_level[lot] = int(board.rent_levels > 0 and lot in board.streets)
        if "level" in fields and fields["level"].whole(0, 10) != int(not board.rent_levels):
            position.rent_level[lot] = fields["level"].whole(0, 10)
        if "mortgaged_rounds" in fields:
            position.mortgaged_rounds[lot] = fields["mortgaged_rounds"].whole(0, 1000)
        if "buildings" in fields:
            position.level[lot] = fields["buildings"].whole(0, table.rules.build_houses_before_hotel + 1)
        if "mortgaged" in fields:
            position.mortgaged[lot] = int(fields["mortgaged"].truth())


def _read_stock(node: Node | None, table: Table, position: PositionGiven) -> None:
    """The bank has what the lots leave over; a file may say so, but nothing else."""
    hotel = table.rules.build_houses_before_hotel + 1
    position.houses -= sum(level for level in position.level if level < hotel)
    position.hotels -= sum(1 for level in position.level if level == hotel)
    left = {"houses": position.houses, "hotels": position.hotels}
    if node is None:
        return
    for name, one in node.fields((), tuple(left)).items():
        if one.whole(0, MONEY_MAX) != left[name]:
            raise one.error(f"the lots leave {left[name]} of the supply over, which is something else")


def _read_debt(node: Node, table: Table) -> OpenDebt:
    fields = node.fields(("from", "to", "amount"))
    debtor, creditor = table.seat(fields["from"]), read_party(fields["to"], table)
    reason = TRANSFER_REASON_RENT if creditor >= 0 else TRANSFER_REASON_TAX
    return OpenDebt(debtor, creditor, read_amount(fields["amount"], 1), reason, NOBODY)


def _read_auction(node: Node, table: Table) -> GivenAuction:
    fields = node.fields(("lot",), ("kind", "leader", "price", "passed"))
    if "kind" in fields:
        kind = fields["kind"].one_of(("open", "penny", "sealed", "vickrey", "dutch"))
        if kind != "open":
            raise fields["kind"].unplayed(f"{kind} auctions")
    leader, price = NOBODY, 0
    if "leader" in fields and not fields["leader"].is_null:
        leader = table.seat(fields["leader"])
    if "price" in fields:
        price = read_amount(fields["price"])
    if (leader == NOBODY) != (price == 0):
        raise node.error("a leader and a price come together only")
    passed = [table.seat(one) for one in fields["passed"].items()] if "passed" in fields else []
    if leader in passed:
        raise fields["passed"].error("names the leader")
    return GivenAuction(table.square(fields["lot"]), leader, price, passed)


def _read_phase(
    fields: dict[str, Node], at: Node, position: PositionGiven, auction: GivenAuction | None
) -> None:
    """Take the phase from the file, or from what else is given."""
    if "phase" in fields:
        phase = fields["phase"].one_of(PHASES)
        if phase in {"card", "over", "shortage", "place"}:
            raise fields["phase"].unplayed(f"a position that begins in phase {phase}")
    elif auction is not None:
        phase = "auction"
    elif position.debts:
        phase = "debt"
    elif "asks" in fields:
        phase = "choice"
    else:
        phase = "jail" if position.jailed[position.turn_seat] else "roll"
    position.phase = PHASE_NUMBERS[phase]
    if (phase == "auction") != (auction is not None):
        raise at.error("phase auction and an auction come together only", "phase")
    if auction is not None:
        position.offered_lot = auction.lot
    elif phase == "buy":
        position.offered_lot = position.at[position.turn_seat]


def _read_question(fields: dict[str, Node], table: Table, position: PositionGiven) -> None:
    """What is asked in phase choice: by the square under the token, or by a card, which has to be named."""
    if "asks" in fields:
        asked = fields["asks"].word()
        if asked in QUESTIONS:
            position.question = QUESTIONS[asked]
        else:
            position.asking_cards = [read_card(fields["asks"], table)]
    elif position.phase == PHASE_CHOICE:
        square = position.at[position.turn_seat]
        position.question = SQUARES_THAT_ASK.get(table.board.kind[square], 0)


def _read_offers(node: Node | None, table: Table) -> tuple[list[OfferMade], list[str]]:
    offers: list[OfferMade] = []
    ids: list[str] = []
    for number, one in enumerate(node.items() if node is not None else [], start=1):
        fields = one.fields(("id", "from", "to"), ("give", "take"))
        terms = read_terms(one, table, fields)
        offers.append(OfferMade(number, table.seat(fields["from"]), table.seat(fields["to"]), terms, 0))
        if fields["id"].word() in ids:
            raise fields["id"].error("stands twice")
        ids.append(fields["id"].word())
    return offers, ids
