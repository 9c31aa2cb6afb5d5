"""Reads `expect`: what must hold at the end. Each key is one comparison; what is not given is not checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.cli.scenario import values
from magnate.cli.scenario.model import (
    WATCHER,
    Expectation,
    LegalExpectation,
    TimeExpectation,
    ViewExpectation,
)
from magnate.cli.scenario.names import (
    END_REASONS,
    EXPECT_WORDS,
    KINDS,
    PHASES,
    POTS,
    QUESTIONS,
    STEPS,
    TIME_WORDS,
    UNPLAYED_STEPS,
    WATCHES,
)
from magnate.cli.scenario.read_parts import BANK, read_amount, read_card, read_party

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.cli.scenario.mirror import Mirror
    from magnate.cli.scenario.model import Table
    from magnate.cli.scenario.node import Node

SEAT_WORDS = (
    "cash", "held", "at", "jailed", "jail_tries", "cards_held", "skip_turns", "reverse", "loan",
    "discount", "out",
)  # fmt: skip

LOT_WORDS = ("owner", "buildings", "mortgaged", "level", "mortgaged_rounds")


class Expects:
    """Collects expectations while the file is read."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.found: list[Expectation] = []
        self.legal: list[LegalExpectation] = []
        self.views: list[ViewExpectation] = []
        self.times: list[TimeExpectation] = []

    @property
    def any(self) -> bool:
        """Whether anything is expected."""
        return bool(self.found or self.legal or self.views or self.times)

    def add(self, node: Node, expected: object, read: Callable[[Mirror], object]) -> None:
        """Add a comparison."""
        self.found.append(Expectation(node.key, expected, read))


def read_expect(node: Node | None, table: Table) -> Expects:
    """Return everything that must hold at the end; a scenario without `expect` expects nothing."""
    expects = Expects(table)
    if node is None:
        return expects
    for name, one in node.fields((), (*EXPECT_WORDS, *table.players)).items():
        if name in table.players:
            _read_seat(expects, one, table.players.index(name))
        else:
            _READERS[name](expects, one)
    return expects


def _read_seat(expects: Expects, node: Node, seat: int) -> None:
    table = expects.table
    for name, one in node.fields((), (*SEAT_WORDS, *TIME_WORDS)).items():
        if name in TIME_WORDS:
            expects.times.append(TimeExpectation(one.key, seat, name, _read_time(name, one)))
        elif name in {"cash", "held"}:
            expects.add(one, read_amount(one), values.money(name, seat))
        elif name in {"at", "jail_tries"}:
            expects.add(one, one.whole(0, 1000), values.number(name, seat))
        elif name in {"jailed", "out"}:
            expects.add(one, one.truth(), values.truth(name, seat))
        elif name == "cards_held":
            ids = [values.card_id(table.board, read_card(card, table)) for card in one.items()]
            expects.add(one, sorted(ids), values.cards_held(seat))
        elif name == "reverse":
            expects.add(one, one.truth(), values.seat_extra(name, seat))
        else:
            expects.add(one, read_amount(one), values.seat_extra(name, seat))


def _read_time(word: str, node: Node) -> object:
    """A time left, a number of misses, yes or no; a seat that is not waited for has no clock."""
    if word == "misses":
        return node.whole(0, 1000)
    if word in {"stands", "stand_in", "away"}:
        return node.truth()
    return None if word == "clock" and node.is_null else node.duration_ms()


def _read_lots(expects: Expects, node: Node) -> None:
    table = expects.table
    for name, one in node.entries().items():
        if not name.isdecimal() or int(name) not in table.board.lots:
            raise one.error("is no lot of this board")
        lot = int(name)
        for word, value in one.fields((), LOT_WORDS).items():
            if word == "owner":
                owner = None if value.is_null else value.one_of(table.players)
                expects.add(value, owner, values.owner(table, lot))
            elif word == "buildings":
                expects.add(value, value.whole(0, 10), values.buildings(lot))
            elif word == "mortgaged":
                expects.add(value, value.truth(), values.mortgaged(lot))
            elif word == "level":
                expects.add(value, value.whole(0, 10), values.rent_level(lot))
            else:
                expects.add(value, value.whole(0, 1000), values.mortgaged_rounds(lot))


def _read_stock(expects: Expects, node: Node) -> None:
    for name, one in node.fields((), ("houses", "hotels")).items():
        expects.add(one, one.whole(0, 10**6), values.stock(name))


def _read_turn(expects: Expects, node: Node) -> None:
    expects.add(node, node.one_of(expects.table.players), values.turn(expects.table))


def _read_phase(expects: Expects, node: Node) -> None:
    expects.add(node, node.one_of(PHASES), values.phase())


def _read_count(expects: Expects, node: Node) -> None:
    expects.add(node, node.whole(0, 10**6), values.count(node.key.rpartition(".")[2]))


def _read_legal(expects: Expects, node: Node) -> None:
    legal = node.key.rpartition(".")[2] == "legal"
    for name, one in node.fields((), expects.table.players).items():
        words = [word.one_of(STEPS) for word in one.items()]
        for place, word in enumerate(words):
            if word in UNPLAYED_STEPS and legal:
                raise one.items()[place].unplayed(UNPLAYED_STEPS[word])
        known = [word for word in words if word in KINDS]
        expects.legal.append(LegalExpectation(one.key, expects.table.players.index(name), known, legal))


def _read_auction(expects: Expects, node: Node) -> None:
    if node.is_null:
        expects.add(node, None, values.auction_running())
        return
    if node.is_list:
        expects.add(node, len(node.items()), values.auctions_running())
    for place, one in enumerate(node.one_or_many()):
        for name, value in one.fields((), ("lot", "leader", "price", "calls")).items():
            expected: object
            if name == "leader":
                expected = None if value.is_null else value.one_of(expects.table.players)
            else:
                expected = expects.table.square(value) if name == "lot" else read_amount(value)
            expects.add(value, expected, values.auction(expects.table, name, place))


def _read_debts(expects: Expects, node: Node) -> None:
    table = expects.table
    expected = []
    for one in node.items():
        fields = one.fields(("from", "to", "amount"))
        creditor = table.name(read_party(fields["to"], table))
        expected.append((fields["from"].one_of(table.players), creditor, read_amount(fields["amount"], 1)))
    expects.add(node, expected, values.debts(table))


def _read_loans(expects: Expects, node: Node) -> None:
    """A loan without `due_round` is compared without it."""
    table = expects.table
    for place, one in enumerate(node.items()):
        fields = one.fields(("from", "to", "amount"), ("due_round",))
        creditor = fields["to"].one_of([BANK, *table.players])
        loan: list[object] = [
            fields["from"].one_of(table.players),
            creditor,
            read_amount(fields["amount"], 1),
        ]
        if "due_round" in fields:
            loan.append(fields["due_round"].whole(0, 100_000))
        expects.add(one, tuple(loan), values.at(values.loans(table), place, len(loan)))
    expects.add(node, len(node.items()), values.how_many(values.loans(table)))


def _read_claims(expects: Expects, node: Node) -> None:
    table = expects.table
    expected = []
    for one in node.items():
        fields = one.fields(("from", "to", "lot", "amount"))
        parties = fields["from"].one_of(table.players), fields["to"].one_of(table.players)
        expected.append((*parties, table.square(fields["lot"]), read_amount(fields["amount"], 1)))
    expects.add(node, expected, values.claims(table))


def _read_passes(expects: Expects, node: Node) -> None:
    table = expects.table
    expected = []
    for one in node.items():
        fields = one.fields(("seat", "lot", "visits"))
        who, lot = fields["seat"].one_of(table.players), table.square(fields["lot"])
        expected.append((who, lot, fields["visits"].whole(1, 10**6)))
    expects.add(node, expected, values.passes(table))


def _read_asks(expects: Expects, node: Node) -> None:
    table = expects.table
    expected: object = None
    if not node.is_null:
        expected = node.word()
        if expected not in QUESTIONS:
            expected = values.card_id(table.board, read_card(node, table))
    expects.add(node, expected, values.asks())


def _read_time_rule(expects: Expects, node: Node) -> None:
    expects.add(node, node.whole(0, 100), values.time_rule())


def _read_time_up(expects: Expects, node: Node) -> None:
    expects.add(node, node.truth(), values.time_up())


def _read_pots(expects: Expects, node: Node) -> None:
    for name, one in node.fields((), tuple(POTS)).items():
        expects.add(one, read_amount(one), values.account(POTS[name]))


def _read_view(expects: Expects, node: Node) -> None:
    table = expects.table
    for name, one in node.fields((), (*table.players, WATCHES)).items():
        viewer = table.players.index(name) if name in table.players else WATCHER
        for word, shown in one.fields((), ("balances", "bids")).items():
            if word == "balances":
                seats = dict.fromkeys((table.seat(seat) for seat in shown.items()), 0)
            elif shown.is_mapping:
                held = shown.fields((), table.players)
                seats = {table.players.index(seat): read_amount(one) for seat, one in held.items()}
            else:
                shown.one_of(("hidden",))
                seats = {}
            expects.views.append(ViewExpectation(shown.key, viewer, seats, word == "bids"))


def _read_offers(expects: Expects, node: Node) -> None:
    expects.add(node, sorted(one.word() for one in node.items()), values.open_offers())


def _read_ranking(expects: Expects, node: Node) -> None:
    names = [one.one_of(expects.table.players) for one in node.items()]
    expects.add(node, names, values.ranking(expects.table))


def _read_reason(expects: Expects, node: Node) -> None:
    expects.add(node, node.one_of(END_REASONS), values.end_reason())


def _read_scores(expects: Expects, node: Node) -> None:
    table = expects.table
    for name, one in node.fields((), table.players).items():
        expects.add(one, read_amount(one), values.score(table.players.index(name)))


_READERS: dict[str, Callable[[Expects, Node], None]] = {
    "lots": _read_lots,
    "bank": _read_stock,
    "turn": _read_turn,
    "phase": _read_phase,
    "doubles": _read_count,
    "round": _read_count,
    "legal": _read_legal,
    "not_legal": _read_legal,
    "auction": _read_auction,
    "debts": _read_debts,
    "loans": _read_loans,
    "claims": _read_claims,
    "passes": _read_passes,
    "asks": _read_asks,
    "time_rule": _read_time_rule,
    "time_up": _read_time_up,
    "pots": _read_pots,
    "view": _read_view,
    "offers": _read_offers,
    "ranking": _read_ranking,
    "end_reason": _read_reason,
    "scores": _read_scores,
}
