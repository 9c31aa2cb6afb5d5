"""Deals, row by row (37, 64 to 70, 76)."""

from __future__ import annotations

import pytest

from magnate.rules.chance import RandomChance
from magnate.rules.decision import BANK, Transfer
from magnate.rules.loader import find_ruleset, load_board, load_ruleset
from magnate.rules.offers import CASH_MAX, OFFERS_OPEN_MAX
from magnate.rules.ruleset import RuleSet
from magnate.rules.vocabulary import (
    PHASE_DEBT,
    PHASE_JAIL,
    TRANSFER_REASON_MORTGAGE_INTEREST,
    TRANSFER_REASON_REDEMPTION,
    TRANSFER_REASON_RENT,
    TRANSFER_REASON_TAX,
    TRANSFER_REASON_TRADE,
    AcceptOffer,
    Build,
    Card,
    CounterOffer,
    HeldCard,
    LotLevel,
    MortgageLots,
    OfferClosed,
    OfferTrade,
    OpenDebt,
    RejectOffer,
    Terms,
    UseJailCard,
    WithdrawOffer,
)
from tests.support.playing import Position, Table

BOARD = load_board("classic-us")
RULES = load_ruleset("classic")
JAIL_CARD = next(
    (deck, card)
    for deck, pile in enumerate(BOARD.decks)
    for card, one in enumerate(pile.cards)
    if any(effect.kind == 9 for effect in one.effects)
)


def at(**house: int | str) -> Position:
    """Begin a position on the classic board."""
    if not house:
        return Position(BOARD, RULES)
    rules = find_ruleset("classic", {name.replace("__", "."): value for name, value in house.items()})
    assert isinstance(rules, RuleSet)
    return Position(BOARD, rules)


def play(position: Position) -> Table:
    """Begin the game there."""
    return position.table(RandomChance(1))


def terms(
    *,
    give: int = 0,
    give_lots: list[int] | None = None,
    give_cards: list[Card] | None = None,
    take: int = 0,
    take_lots: list[int] | None = None,
    take_cards: list[Card] | None = None,
    settles: int = 0,
) -> Terms:
    """Write terms by name."""
    return Terms(
        give, give_lots or [], give_cards or [], take, take_lots or [], take_cards or [], settles
    )  # fmt: skip


def deal(table: Table, seat: int, to_seat: int, what: Terms, redeem: list[int] | None = None) -> str:
    """Offer and accept; the refusal of either, or empty."""
    refused = table.act(seat, OfferTrade(to_seat, what))
    if refused is None:
        refused = table.act(to_seat, AcceptOffer(table.state.offer_count, redeem or []))
    return "" if refused is None else refused.name


def test_any_mix_changes_hands_at_once() -> None:
    """Cash, lots and a jail card against lots and nothing else (row 64)."""
    position = at().own(0, 1, 5).own(1, 39)
    position.cards = [HeldCard(0, *JAIL_CARD)]
    table = play(position)
    assert (
        deal(table, 0, 1, terms(give=50, give_lots=[1], give_cards=[Card(*JAIL_CARD)], take_lots=[39])) == ""
    )
    state = table.state
    assert (state.owner[1], state.owner[39]) == (1, 0)
    assert state.cards[1] == [JAIL_CARD[0] * 64 + JAIL_CARD[1]]
    assert table.decision.transfers == [Transfer(0, 1, 50, TRANSFER_REASON_TRADE)]
    assert state.offers == {}


def test_a_mortgaged_lot_costs_its_receiver_ten_percent_at_once() -> None:
    """Mortgaged for 30: the buyer pays 3 now and 33 later, or 33 at once (row 76)."""
    table = play(at().own(0, 1, 3, mortgaged=1))
    assert deal(table, 0, 1, terms(give_lots=[1], take=20)) == ""
    assert table.decision.transfers == [
        Transfer(1, 0, 20, TRANSFER_REASON_TRADE),
        Transfer(1, BANK, 3, TRANSFER_REASON_MORTGAGE_INTEREST),
    ]
    assert table.state.mortgaged[1] == 1
    assert deal(table, 0, 1, terms(give_lots=[3]), redeem=[3]) == ""
    assert table.decision.transfers == [Transfer(1, BANK, 33, TRANSFER_REASON_REDEMPTION)]
    assert table.state.mortgaged[3] == 0


def test_the_maker_pays_the_interest_on_what_he_receives() -> None:
    """The interest falls to whoever gets the lot, and is paid out of what the deal brings."""
    position = at().own(1, 1, mortgaged=1)
    position.cash[0] = 0
    table = play(position)
    assert deal(table, 0, 1, terms(take_lots=[1])) == "INSUFFICIENT_FUNDS"
    assert deal(table, 0, 1, terms(take_lots=[1], take=3)) == ""
    assert table.state.cash[0] == 0


@pytest.mark.parametrize(
    ("to_seat", "what", "name"),
    [
        (7, terms(give=1), "UNKNOWN_SEAT"),
        (-1, terms(give=1), "UNKNOWN_SEAT"),
        (0, terms(give=1), "SELF_TRADE"),
        (1, terms(give_lots=[1] * 65), "OFFER_TOO_LARGE"),
        (1, terms(give=-1), "INVALID_AMOUNT"),
        (1, terms(take=CASH_MAX + 1), "INVALID_AMOUNT"),
        (1, terms(), "EMPTY_OFFER"),
        (1, terms(settles=10), "EMPTY_OFFER"),
        (1, terms(give_lots=[0]), "UNKNOWN_LOT"),
        (1, terms(give_lots=[1, 1]), "DUPLICATE_LOT"),
        (1, terms(give_lots=[39]), "NOT_OWNER"),
        (1, terms(take_lots=[1]), "NOT_OWNER"),
        (1, terms(give_lots=[16]), "GROUP_BUILT"),
        (1, terms(give_lots=[19]), "GROUP_BUILT"),
        (1, terms(give_cards=[Card(*JAIL_CARD)] * 2), "DUPLICATE_CARD"),
        (1, terms(give_cards=[Card(9, 9)]), "NO_JAIL_CARD"),
        (1, terms(take_cards=[Card(*JAIL_CARD)]), "NO_JAIL_CARD"),
        (1, terms(give=1, settles=10), "NOT_A_CREDITOR"),
        (1, terms(give=1501), "INSUFFICIENT_FUNDS"),
    ],
)
def test_an_offer_is_refused(to_seat: int, what: Terms, name: str) -> None:
    """One precondition, one name; no lot of a built group changes hands (row 65)."""
    position = at().own(0, 1).own(1, 39).own(0, 16, 18, level=1).own(0, 19)
    position.cards = [HeldCard(0, *JAIL_CARD)]
    assert play(position).refused(0, OfferTrade(to_seat, what)) == name


def test_open_offers_are_bounded() -> None:
    """A seat has so many open offers and no more; withdrawing one makes room."""
    table = play(at())
    for _ in range(OFFERS_OPEN_MAX):
        assert table.act(0, OfferTrade(1, terms(give=1))) is None
    assert table.refused(0, OfferTrade(1, terms(give=1))) == "OFFER_LIMIT_REACHED"
    assert table.act(0, WithdrawOffer(3)) is None
    assert table.act(0, OfferTrade(1, terms(give=1))) is None


def test_a_counter_offer_takes_the_place_of_the_first() -> None:
    """The terms are seen from the seat that counters; the first offer is gone."""
    table = play(at().own(0, 1))
    assert table.act(0, OfferTrade(1, terms(give_lots=[1], take=100))) is None
    assert table.refused(2, CounterOffer(1, terms(give=1))) == "NOT_OFFER_PARTY"
    assert table.act(1, CounterOffer(1, terms(give=80, take_lots=[1]))) is None
    assert table.refused(1, AcceptOffer(1, [])) == "UNKNOWN_OFFER"
    assert table.refused(1, AcceptOffer(2, [])) == "NOT_OFFER_PARTY"
    assert table.act(0, AcceptOffer(2, [])) is None
    assert table.state.owner[1] == 1
    assert table.state.cash == [1580, 1420, 1500]


def test_answers_are_for_those_concerned() -> None:
    """Only the addressee rejects, only the maker withdraws, and only once."""
    table = play(at())
    assert table.refused(1, RejectOffer(1)) == "UNKNOWN_OFFER"
    assert table.act(0, OfferTrade(1, terms(give=5))) is None
    assert table.refused(2, RejectOffer(1)) == "NOT_OFFER_PARTY"
    assert table.refused(1, WithdrawOffer(1)) == "NOT_OFFER_PARTY"
    assert table.act(1, RejectOffer(1)) is None
    assert table.refused(0, WithdrawOffer(1)) == "UNKNOWN_OFFER"


def test_an_offer_is_stale_when_its_lot_changes_state() -> None:
    """The promised lot was mortgaged: the offer is closed in that command and cannot be accepted."""
    table = play(at().own(0, 1).own(1, 5))
    assert table.act(0, OfferTrade(1, terms(give=50, give_lots=[1], take_lots=[5]))) is None
    assert table.act(0, MortgageLots([1])) is None
    assert OfferClosed(1, 3) in table.decision.events
    assert table.refused(1, AcceptOffer(1, [])) == "OFFER_STALE"


def test_an_offer_is_stale_when_its_maker_spent_the_money() -> None:
    """Who promised more than he has now cannot be held to it; nothing moves."""
    position = at().own(1, 5, 39)
    position.cash[0] = 100
    table = play(position)
    assert table.act(0, OfferTrade(1, terms(give=80, take_lots=[5]))) is None
    assert deal(table, 0, 1, terms(give=60, take_lots=[39])) == ""
    assert table.refused(1, AcceptOffer(1, [])) == "OFFER_STALE"


def test_two_offers_promise_the_same_lot() -> None:
    """The first acceptance wins; the other offer is closed with it."""
    table = play(at().own(0, 19))
    assert table.act(0, OfferTrade(1, terms(give_lots=[19], take=10))) is None
    assert table.act(0, OfferTrade(2, terms(give_lots=[19], take=20))) is None
    assert table.act(1, AcceptOffer(1, [])) is None
    assert OfferClosed(2, 3) in table.decision.events
    assert table.refused(2, AcceptOffer(2, [])) == "OFFER_STALE"


def test_building_voids_offers_of_the_group() -> None:
    """A lot that is built on can no longer be handed over."""
    table = play(at().own(0, 1, 3))
    assert table.act(0, OfferTrade(1, terms(give_lots=[3]))) is None
    assert table.act(0, Build([LotLevel(1, 1)])) is None
    assert table.refused(1, AcceptOffer(1, [])) == "OFFER_STALE"


def test_a_used_jail_card_is_no_longer_on_offer() -> None:
    """The card went back under its deck."""
    position = at()
    position.cards = [HeldCard(0, *JAIL_CARD)]
    position.jailed[0] = 1
    position.at[0] = BOARD.jail_square
    position.phase = PHASE_JAIL
    table = play(position)
    assert table.act(0, OfferTrade(1, terms(give_cards=[Card(*JAIL_CARD)]))) is None
    assert table.act(0, UseJailCard()) is None
    assert table.refused(1, AcceptOffer(1, [])) == "OFFER_STALE"


def test_the_last_coin_may_be_spent() -> None:
    """Having nothing is no bankruptcy."""
    position = at().own(1, 39)
    position.cash[0] = 300
    table = play(position)
    assert deal(table, 0, 1, terms(give=300, take_lots=[39])) == ""
    assert table.state.cash[0] == 0
    assert table.state.debts == []


@pytest.mark.parametrize(
    ("redeem", "name"),
    [([0], "UNKNOWN_LOT"), ([1, 1], "DUPLICATE_LOT"), ([5], "INVALID_TARGET"), ([3], "NOT_MORTGAGED")],
)
def test_only_received_mortgaged_lots_are_redeemed_with_the_deal(redeem: list[int], name: str) -> None:
    """What is named beside the acceptance must come with it, mortgaged."""
    table = play(at().own(0, 1, mortgaged=1).own(0, 3).own(1, 5, mortgaged=1))
    assert deal(table, 0, 1, terms(give_lots=[1, 3]), redeem) == name


def in_debt(amount: int, creditor: int, reason: int, cash: int) -> Position:
    """Begin with seat 0 owing what it cannot pay."""
    position = at().own(0, 5, 15).own(1, 39)
    position.cash[0] = cash
    position.phase = PHASE_DEBT
    position.debts = [OpenDebt(0, creditor, amount, reason, -1)]
    return position


def test_a_debtor_sells_but_buys_nothing() -> None:
    """A deal may bring a debtor what he needs; it may not cost him cash he owes."""
    table = play(in_debt(75, BANK, TRANSFER_REASON_TAX, 20))
    assert table.refused(0, OfferTrade(1, terms(give=5, take_lots=[39]))) == "MUST_PAY_FIRST"
    assert table.act(1, OfferTrade(0, terms(give_lots=[39], take=5))) is None
    assert table.refused(0, AcceptOffer(1, [])) == "MUST_PAY_FIRST"
    assert deal(table, 0, 2, terms(give_lots=[5], take=100)) == ""
    assert table.state.debts == []
    assert table.state.cash[0] == 45


def test_an_offer_from_before_the_debt_is_stale_while_it_lasts() -> None:
    """What was offered in better days cannot be accepted now; a new offer can."""
    position = at().own(0, 5).own(1, 39, level=0)
    position.cash[0] = 10
    position.at[0] = 32
    table = play(position)
    assert table.act(0, OfferTrade(2, terms(give_lots=[5], take=50))) is None
    state = table.state
    for twin in (state, table.twin):
        twin.debts.append(OpenDebt(0, BANK, 75, TRANSFER_REASON_TAX, -1))
        twin.debt_mark[0] = twin.offer_count
        twin.phase = PHASE_DEBT
    assert table.refused(2, AcceptOffer(1, [])) == "OFFER_STALE"
    assert deal(table, 0, 2, terms(give_lots=[5], take=80)) == ""
    assert state.debts == []


def test_rent_is_paid_in_kind_if_the_creditor_agrees() -> None:
    """A lot and all his cash settle what is owed; no money is created (row 37)."""
    table = play(in_debt(200, 1, TRANSFER_REASON_RENT, 40))
    assert table.refused(0, OfferTrade(1, terms(give_lots=[5], settles=201))) == "INVALID_AMOUNT"
    assert deal(table, 0, 1, terms(give=40, give_lots=[5], settles=200)) == ""
    assert table.state.debts == []
    assert table.state.owner[5] == 1
    assert table.decision.transfers == [Transfer(0, 1, 40, TRANSFER_REASON_TRADE)]


def test_the_creditor_may_propose_payment_in_kind_too() -> None:
    """The debt between the two counts, whoever makes the offer; what is left stays owed."""
    table = play(in_debt(200, 1, TRANSFER_REASON_RENT, 40))
    assert deal(table, 1, 0, terms(take_lots=[15], settles=170)) == ""
    assert table.state.debts == []  # thirty were left, and there
    assert table.state.cash[0] == 10


def test_only_rent_is_paid_in_kind() -> None:
    """What is owed to the bank, or for a card, is money."""
    table = play(in_debt(75, BANK, TRANSFER_REASON_TAX, 40))
    assert table.refused(0, OfferTrade(1, terms(give_lots=[5], settles=75))) == "NOT_A_CREDITOR"


def test_deals_are_options() -> None:
    """No deals at all, only in one's own turn, no mortgaged lots."""
    assert play(at(trade__when="never")).refused(0, OfferTrade(1, terms(give=1))) == "TRADE_NOT_ALLOWED"
    table = play(at(trade__when="own_turn"))
    assert table.refused(1, OfferTrade(0, terms(give=1))) == "NOT_YOUR_TURN"
    assert table.refused(0, OfferTrade(1, terms(give=1))) == ""
    position = at(trade__mortgaged_allowed=False).own(0, 1, mortgaged=1)
    assert play(position).refused(0, OfferTrade(1, terms(give_lots=[1]))) == "MORTGAGED"
