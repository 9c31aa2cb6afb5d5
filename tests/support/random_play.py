"""A player that does anything legal, and the commands that lie just outside of what is legal."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from magnate.rules.legal_values import LegalAction
from magnate.rules.offers import CASH_MAX
from magnate.rules.steps.build import plan, price_of
from magnate.rules.steps.debt import awaits_card
from magnate.rules.vocabulary import (
    AcceptOffer,
    Build,
    BuyLot,
    Card,
    ChooseOption,
    ClaimRent,
    Command,
    CounterOffer,
    DeclareBankruptcy,
    DeclineLot,
    DrawnCard,
    EndTurn,
    Immunity,
    LotLevel,
    MortgageLots,
    OfferTrade,
    PassAuction,
    PassGo,
    PayDebt,
    PayFine,
    PlaceBid,
    PlaceBuilding,
    PlaceToken,
    PlayCard,
    RedeemLots,
    RejectOffer,
    RepayLoan,
    Resign,
    ReturnLots,
    Roll,
    SellBuildings,
    SetProxyBid,
    Skip,
    Stake,
    TakeLoan,
    Terms,
    UseJailCard,
    WantBuilding,
    WithdrawOffer,
)

if TYPE_CHECKING:
    from random import Random

    from magnate.rules.legal_values import LegalLot
    from magnate.rules.state import State
    from tests.support.playing import Table

PLAIN: dict[str, Command] = {
    "roll": Roll(), "buy_lot": BuyLot(), "decline_lot": DeclineLot(), "pay_fine": PayFine(),
    "use_jail_card": UseJailCard(), "pay_debt": PayDebt(), "declare_bankruptcy": DeclareBankruptcy(),
    "resign": Resign(), "end_turn": EndTurn(), "skip": Skip(), "pass_go": PassGo(),
}  # fmt: skip
WEIGHTS = {
    "roll": 6.0, "end_turn": 4.0, "buy_lot": 3.0, "decline_lot": 0.4, "place_bid": 1.0, "pass_auction": 2.0,
    "build": 3.0, "sell_buildings": 0.1, "mortgage_lots": 0.15, "redeem_lots": 0.3, "offer_trade": 0.3,
    "counter_offer": 0.3, "accept_offer": 2.0, "withdraw_offer": 0.2, "resign": 0.002,
    "pass_go": 0.3, "drawn_card": 0.3, "set_proxy_bid": 0.3,
}  # fmt: skip


def play(table: Table, rng: Random, commands_max: int = 20_000) -> int:
    """Play legal commands until the game is over; how many there were."""
    number = 0
    while table.state.phase != 8:
        assert number < commands_max, "the game does not end"
        seat, action = choose(table, rng)
        command = inside(table, rng, seat, action)
        refused = table.act(seat, command)
        assert refused is None, (seat, action, command, refused)
        number += 1
    return number


def choose(table: Table, rng: Random) -> tuple[int, LegalAction]:
    """Choose a seat and one of its legal actions, or its card on the bank's terminal."""
    seats = range(table.state.seats)
    found = [(seat, action) for seat in seats for action in table.legal(seat)]
    found += [(seat, LegalAction("pay_debt")) for seat in seats if awaits_card(table.state, seat)]
    weights = [WEIGHTS.get(action.kind, 1.0) for _, action in found]
    return rng.choices(found, weights)[0]


def inside(table: Table, rng: Random, seat: int, action: LegalAction) -> Command:
    """Build a command from a legal action; it must be accepted."""
    kind = action.kind
    if kind == "decline_lot" and action.amount_max and rng.random() < 0.5:
        return DeclineLot(rng.randint(action.amount_min, action.amount_max))
    if kind == "pay_debt":
        return PayDebt(by_card=awaits_card(table.state, seat))
    if kind in PLAIN:
        return PLAIN[kind]
    if kind == "place_bid":
        high = min(action.amount_max, action.amount_min + rng.choice((0, 10, 100, 10_000)))
        amount = rng.randint(action.amount_min, high)
        amount -= (amount - action.amount_min) % max(1, action.amount_step)
        return PlaceBid(action.lots[0].lot, amount, action.auction)
    if kind == "pass_auction":
        return PassAuction(action.lots[0].lot, action.auction)
    if kind == "set_proxy_bid":
        return SetProxyBid(action.lots[0].lot, action.amount_min + rng.choice((0, 30, 300)), action.auction)
    if kind == "want_building":
        return WantBuilding(action.answers[0])
    if kind == "place_building":
        return PlaceBuilding(rng.choice(action.lots).lot)
    if kind in ("place_token", "drawn_card"):
        return told(rng, action)
    if kind == "choose_option":
        return ChooseOption(rng.choice(action.answers))
    if kind == "stake":
        faces = rng.sample(range(1, 7), rng.randint(1, action.faces_max)) if action.faces_max else []
        return Stake(action.amount_min, faces)
    if kind == "play_card":
        card = rng.choice(action.cards)
        return PlayCard(card.deck, card.card)
    if kind == "return_lots":
        return ReturnLots([rng.choice(action.lots).lot])
    if kind in ("build", "sell_buildings"):
        return levels(table.state, rng, seat, action)
    if kind == "mortgage_lots":
        return MortgageLots(
            [one.lot for one in rng.sample(action.lots, rng.randint(1, min(2, len(action.lots))))]
        )
    if kind == "claim_rent":
        return ClaimRent(rng.choice(action.lots).lot)
    if kind == "redeem_lots":
        return RedeemLots([rng.choice(action.lots).lot])
    if kind == "take_loan":
        return TakeLoan(rng.choice((action.amount_min, action.amount_max)))
    if kind == "repay_loan":
        return RepayLoan(rng.choice(action.answers))
    return deal(table, rng, seat, action)


def told(rng: Random, action: LegalAction) -> Command:
    """Tell of a token or a card at a table where they are moved by hand."""
    if action.kind == "place_token":
        return PlaceToken(rng.choice(action.answers))
    card = rng.choice(action.cards)
    return DrawnCard(card.deck, card.card)


def deal(table: Table, rng: Random, seat: int, action: LegalAction) -> Command:
    """Build a command about an offer from a legal action."""
    kind = action.kind
    if kind == "offer_trade":
        to_seat = rng.choice(action.seats)
        return OfferTrade(to_seat, terms(table.state, rng, seat, to_seat, action))
    if kind == "counter_offer":
        offer = rng.choice(action.offers)
        maker = table.state.offers[offer].from_seat
        return CounterOffer(offer, terms(table.state, rng, seat, maker, action))
    offer = rng.choice(action.offers)
    if kind == "accept_offer":
        received = table.state.offers[offer].terms.give_lots
        redeem = [one.lot for one in action.lots if one.lot in received][:1]
        if table.refused(seat, AcceptOffer(offer, redeem)):
            redeem = []
        return AcceptOffer(offer, redeem if rng.random() < 0.5 else [])
    return RejectOffer(offer) if kind == "reject_offer" else WithdrawOffer(offer)


def levels(state: State, rng: Random, seat: int, action: LegalAction) -> Command:
    """Move one lot to a listed level, and the others of its group along as far as it takes."""
    one = rng.choice(action.lots)
    up = action.kind == "build"
    even = state.rules.build_even
    if one.level_alone >= 0 and (not even or rng.random() < 0.5):
        targets = [LotLevel(one.lot, one.level_alone)]
        return Build(targets) if up else SellBuildings(targets)
    level = rng.randint(one.level_min, one.level_max)
    # the cheapest first; one of them must be accepted
    for vector in sorted(
        vectors(state, one, level), key=lambda vector: sum(vector.values()) * (1 if up else -1)
    ):
        targets = [LotLevel(lot, value) for lot, value in vector.items() if value != state.level[lot]]
        works = plan(state, seat, targets, up=up)
        if not works.refused and (not up or price_of(state, seat, works) <= action.amount_max):
            return Build(targets) if up else SellBuildings(targets)
    raise AssertionError(f"no way to level {level} of {one}")


def vectors(state: State, one: LegalLot, level: int) -> list[dict[int, int]]:
    """Every way the group of a lot may look when that lot has this level."""
    members = state.board.members[state.board.group[one.lot]]
    others = [lot for lot in members if lot != one.lot]
    return [
        {one.lot: level, **dict(zip(others, found, strict=True))}
        for found in product(range(state.hotel_level + 1), repeat=len(others))
    ]


def terms(state: State, rng: Random, seat: int, other: int, action: LegalAction) -> Terms:
    """Draw terms between two seats from what an entry allows."""
    give = [one.lot for one in action.lots if state.owner[one.lot] == seat]
    take = [one.lot for one in action.lots if state.owner[one.lot] == other]
    give_lots = rng.sample(give, rng.randint(0, min(2, len(give))))
    take_lots = rng.sample(take, rng.randint(0, min(1, len(take))))
    mine = [card for card in action.cards if card.deck * 64 + card.card in state.cards[seat]]
    settles = action.amount_max if action.amount_min == 1 else 0
    interest = sum(one.amount for one in action.lots if one.lot in take_lots)
    spare = (0 if settles else action.amount_max) - interest
    if spare < 0:
        take_lots, spare = [], 0 if settles else action.amount_max
    give_cash = rng.randint(0, min(spare, 200))
    take_cash = 0 if give_cash or settles else rng.randint(0, 100)
    cards = [Card(card.deck, card.card) for card in mine if rng.random() < 0.5]
    if not (give_lots or take_lots or cards or give_cash):
        take_cash = 1
    drawn = Terms(give_cash, give_lots, cards, take_cash, take_lots, [], settles)
    if action.imbalance_percent_max and settles:
        drawn = settled(state, seat, action)
    elif action.imbalance_percent_max:
        drawn = balanced(state, seat, other, drawn, action)
    promise(state, rng, (seat, other), drawn, action)
    return drawn


def balanced(state: State, seat: int, other: int, drawn: Terms, action: LegalAction) -> Terms:
    """Make a deal even: what one side is worth less it adds in cash, or else gives the least there is."""
    worth = {one.lot: one.worth for one in action.lots}
    gives = sum(worth[lot] for lot in drawn.give_lots) + len(drawn.give_cards) * action.card_worth
    takes = sum(worth[lot] for lot in drawn.take_lots)
    spare = action.amount_max - sum(one.amount for one in action.lots if one.lot in drawn.take_lots)
    if takes - gives <= spare and (gives or takes):
        pays = max(0, takes - gives)
        asks = max(0, gives - takes)
        return Terms(pays, drawn.give_lots, drawn.give_cards, asks, drawn.take_lots, [], 0)
    for lot, value in worth.items():
        if state.owner[lot] == seat:
            return Terms(0, [lot], [], value, [], [], 0)
    for card in action.cards:
        if card.deck * 64 + card.card in state.cards[seat]:
            return Terms(0, [], [Card(card.deck, card.card)], action.card_worth, [], [], 0)
    if state.available(seat) > 0:
        return Terms(1, [], [], 1, [], [], 0)  # also a debtor may give what he gets
    if seat in action.borrowers:
        return Terms(0, [], [], 0, [], [], 0, [], [], 0, 1)
    mine = [lot for lot in action.free_lots if state.owner[lot] == seat]
    if mine:
        return Terms(0, [], [], 0, [], [], 0, [Immunity(mine[0], 1)])
    theirs = [lot for lot in action.free_lots if state.owner[lot] == other]
    return Terms(0, [], [], 0, [], [], 0, [], [Immunity(theirs[0], 1)])


def settled(state: State, seat: int, action: LegalAction) -> Terms:
    """Settle a debt for as much as it comes to: in cash, or in one of the debtor's lots."""
    most = action.amount_max
    if any(debt.creditor == seat and debt.debtor == action.seats[0] for debt in state.debts):
        return Terms(0, [], [], most, [], [], most)
    money = min(most, state.available(seat))
    if money:
        return Terms(money, [], [], 0, [], [], money)
    one = next(one for one in action.lots if state.owner[one.lot] == seat)
    return Terms(0, [one.lot], [], max(0, one.worth - most), [], [], min(most, one.worth))


def promise(state: State, rng: Random, sides: tuple[int, int], drawn: Terms, action: LegalAction) -> None:
    """Add free visits and a loan, where the entry allows them."""
    seat, other = sides
    if action.free_lots and rng.random() < 0.3:
        lot = rng.choice(action.free_lots)
        after = dict.fromkeys(drawn.give_lots, other) | dict.fromkeys(drawn.take_lots, seat)
        granter = after.get(lot, state.owner[lot])
        visits = Immunity(lot, rng.choice((1, action.visits_max)))
        if granter == seat:
            drawn.give_immunity = [visits]
        elif granter == other:
            drawn.take_immunity = [visits]
    if seat in action.borrowers and rng.random() < 0.3:
        drawn.take_loan = rng.randint(1, 100)
    if (
        other in action.borrowers
        and rng.random() < 0.3
        and not drawn.settles_debt
        and not drawn.take_lots
        and drawn.give_cash < action.amount_max
    ):
        drawn.give_loan = rng.randint(1, action.amount_max - drawn.give_cash)


def outside(table: Table, seat: int) -> list[Command]:
    """Commands that nobody listed: one step beyond every range, and everything not in a set."""
    state = table.state
    board = state.board
    legal = {action.kind: action for action in table.legal(seat)}
    found: list[Command] = [command for kind, command in PLAIN.items() if kind not in legal]
    answers = legal["choose_option"].answers if "choose_option" in legal else []
    found += [ChooseOption(other) for other in range(-1, board.size + 1) if other not in answers]
    wanted = legal["want_building"].answers if "want_building" in legal else []
    found += [WantBuilding(building) for building in range(-1, 4) if building not in wanted]
    places = [one.lot for one in legal["place_building"].lots] if "place_building" in legal else []
    found += [PlaceBuilding(square) for square in range(-1, board.size + 1) if square not in places]
    decline = legal.get("decline_lot")
    found += [*not_told(table, legal), DeclineLot(0), DeclineLot(decline.amount_max + 1 if decline else 1)]
    claimable = [one.lot for one in legal["claim_rent"].lots] if "claim_rent" in legal else []
    found += [ClaimRent(square) for square in range(-1, board.size + 1) if square not in claimable]
    for kind in ("mortgage_lots", "redeem_lots"):
        listed = [one.lot for one in legal[kind].lots] if kind in legal else []
        for square in range(-1, board.size + 1):
            if square not in listed:
                found.append(MortgageLots([square]) if kind == "mortgage_lots" else RedeemLots([square]))
    for kind in ("accept_offer", "reject_offer", "withdraw_offer"):
        listed = legal[kind].offers if kind in legal else []
        make = {"accept_offer": lambda n: AcceptOffer(n, []), "reject_offer": RejectOffer,
                "withdraw_offer": WithdrawOffer}[kind]  # fmt: skip
        found += [make(number) for number in range(state.offer_count + 2) if number not in listed]
    listed = legal["repay_loan"].answers if "repay_loan" in legal else []
    found += [RepayLoan(to) for to in range(-1, state.seats + 1) if to not in listed]
    loan = legal.get("take_loan")
    low, high = (loan.amount_min, loan.amount_max) if loan else (2, 0)
    found += [TakeLoan(low - 1), TakeLoan(high + 1)]
    offer = legal.get("offer_trade")
    most = offer.amount_max if offer else 0
    seats = offer.seats if offer else []
    for other in range(-1, state.seats + 1):
        if other not in seats:
            found.append(OfferTrade(other, Terms(0, [], [], 1, [], [], 0)))
        else:
            found.append(OfferTrade(other, Terms(most + 1, [], [], 0, [], [], 0)))
            found.append(OfferTrade(other, Terms(0, [], [], CASH_MAX + 1, [], [], 0)))
            found.append(OfferTrade(other, Terms(-1, [], [], 1, [], [], 0)))
            found.append(OfferTrade(other, Terms(0, [], [], 0, [], [], 0)))
            listed = [one.lot for one in offer.lots] if offer else []
            found += [
                OfferTrade(other, Terms(0, [square], [], 0, [], [], 0))
                for square in range(-1, board.size + 1)
                if square not in listed or state.owner[square] != seat
            ]
            found += promised(state, seat, other, offer)
    return found


def not_told(table: Table, legal: dict[str, LegalAction]) -> list[Command]:
    """Squares and cards that nobody listed."""
    board = table.state.board
    squares = legal["place_token"].answers if "place_token" in legal else []
    found: list[Command] = [
        PlaceToken(square) for square in range(-1, board.size + 1) if square not in squares
    ]
    cards = [(card.deck, card.card) for card in legal["drawn_card"].cards] if "drawn_card" in legal else []
    for deck in range(-1, len(board.decks) + 1):
        found += [DrawnCard(deck, card) for card in range(-1, 65) if (deck, card) not in cards]
    return found


def promised(state: State, seat: int, other: int, offer: LegalAction | None) -> list[Command]:
    """Offers with free visits and loans that are not listed."""
    lots = offer.free_lots if offer else []
    most = offer.visits_max if offer else 0
    lends = offer.borrowers if offer else []
    found: list[Command] = []
    for square in range(-1, state.board.size + 1):
        for visits in (0, 1, most + 1):
            if visits != 1 or square not in lots or state.owner[square] != seat:
                bad = Terms(0, [], [], 0, [], [], 0, [Immunity(square, visits)])
                found.append(OfferTrade(other, bad))
    if other not in lends:
        found.append(OfferTrade(other, Terms(0, [], [], 0, [], [], 0, [], [], 1, 0)))
    if seat not in lends:
        found.append(OfferTrade(other, Terms(0, [], [], 0, [], [], 0, [], [], 0, 1)))
    return found
