"""What must hold after every event of every game: `check` compares counters with scans and lists violations.

For tests, scenarios and simulations, which call it after every command of millions of games: so each list is
walked once, and a sentence is made only of what is wrong. `invariants_extras` has what only some rule sets
know. That all accounts sum to zero is the ledger's own promise; here is what the rules can see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import kinds
from magnate.rules.buildings import is_even
from magnate.rules.choices import SCOPE_LOT
from magnate.rules.decision import NOBODY
from magnate.rules.invariants_extras import check_extras, check_kept_cards, check_lot_extras
from magnate.rules.invariants_sales import check_sales
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.offers import OFFERS_OPEN_MAX
from magnate.rules.state import CARDS_PER_DECK_MAX, UNLIMITED
from magnate.rules.steps.debt import awaits_card
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_BUY, PHASE_CHOICE, PHASE_DEBT, PHASE_OVER
from magnate.rules.waiting import waiting_seats

if TYPE_CHECKING:
    from magnate.rules.state import State

_IDLE: Final = (
    kinds.RESIGN | kinds.OFFER_TRADE | kinds.COUNTER_OFFER | kinds.REJECT_OFFER | kinds.WITHDRAW_OFFER
)
"""What is nearly always possible, so no sign that a game can go on."""


def check(state: State, accounts: list[int] | None = None) -> list[str]:
    """Every violation as a sentence; empty when all is well.

    Holds between commands, like `check_waiting`; `check_things` holds after every single event.
    `accounts`: the posted balances by seat as the ledger has them, to be compared with the state's.
    """
    return check_things(state) + check_between(state, accounts)


def check_things(state: State) -> list[str]:
    """What is wrong with deeds, buildings and cards, whatever the money."""
    return check_deeds(state) + check_cards(state)


def check_deeds(state: State) -> list[str]:
    """What is wrong with deeds and buildings."""
    wrong: list[str] = []
    _lots(state, wrong)
    _built_groups(state, wrong)
    check_lot_extras(state, wrong)
    return wrong


def check_cards(state: State) -> list[str]:
    """What is wrong with the cards."""
    wrong: list[str] = []
    _cards(state, wrong)
    check_kept_cards(state, wrong)
    return wrong


def check_between(state: State, accounts: list[int] | None = None) -> list[str]:
    """What is wrong with money, seats, offers and what only some rule sets have."""
    wrong: list[str] = []
    _money(state, accounts, wrong)
    _seats(state, wrong)
    _offers(state, wrong)
    check_extras(state, wrong)
    return wrong


def check_waiting(state: State) -> list[str]:
    """Whether the game waits for somebody who can act, or for an auction; holds between commands."""
    wrong: list[str] = []
    phase = state.phase
    if phase in (0, PHASE_OVER):
        return wrong
    if (phase == PHASE_DEBT) != bool(state.debts):
        wrong.append(f"phase {phase} with {len(state.debts)} debts")
    # a rent claimed while a lot is under the hammer may be more than its payer has
    if (phase == PHASE_AUCTION) != bool(state.auction) and not (phase == PHASE_DEBT and state.auction):
        wrong.append(f"phase {phase} and auction {state.auction}")
    if phase == PHASE_BUY and state.offered_lot == NOBODY:
        wrong.append("phase BUY without an offered lot")
    if phase == PHASE_CHOICE and state.choice_deck < 0 and not state.extras.question:
        wrong.append("phase CHOICE and nothing is asked")
    if phase == PHASE_AUCTION:
        return wrong
    waiting = waiting_seats(state)
    for seat in waiting:
        if state.out[seat]:
            wrong.append(f"the game waits for seat {seat}, which is out")
        elif legal_kinds(state, seat) & ~_IDLE or awaits_card(state, seat):
            return wrong
    wrong.append(f"none of the seats {waiting} can act in phase {phase}")
    return wrong


def _lots(state: State, wrong: list[str]) -> None:
    """Deeds, levels and mortgages in one walk, then every counter against what was found."""
    board = state.board
    seats = state.seats
    hotel = state.hotel_level
    groups = len(board.house_cost)
    owned = [0] * seats
    built = [0] * seats
    count = [0] * (groups * seats)
    buildings = [0] * groups
    mortgaged = [0] * groups
    mortgaged_mask = built_mask = houses = hotels = 0
    for square in range(board.size):
        owner = state.owner[square]
        level = state.level[square]
        group = board.group[square]
        if not NOBODY <= owner < seats or (owner >= 0 and (group < 0 or state.out[owner] != 0)):
            wrong.append(f"square {square} belongs to {owner}")
            continue
        if level or state.mortgaged[square]:
            if not _may_be(state, square):
                wrong.append(f"square {square} of {owner}: level {level}, mortgage {state.mortgaged[square]}")
                continue
            if state.mortgaged[square]:
                mortgaged[group] += 1
                mortgaged_mask |= 1 << square
            if level == hotel:
                hotels += 1
            else:
                houses += level
            buildings[group] += level
        if owner >= 0:
            owned[owner] |= 1 << square
            built[owner] += level
            count[group * seats + owner] += 1
    for group in range(groups):
        if buildings[group]:
            built_mask |= board.group_mask[group]
    if state.owned != owned or state.built != built:
        wrong.append(f"owned and built are {state.owned}, {state.built}; counted {owned}, {built}")
    if state.group_count != count:
        wrong.append(f"group_count is {state.group_count}, counted {count}")
    if state.group_buildings != buildings or state.group_mortgaged != mortgaged:
        wrong.append(f"group_buildings is {state.group_buildings}, counted {buildings}")
        wrong.append(f"group_mortgaged is {state.group_mortgaged}, counted {mortgaged}")
    if state.built_mask != built_mask or state.mortgaged_mask != mortgaged_mask:
        wrong.append("built_mask or mortgaged_mask differs from a scan")
    _full(state, wrong)
    _stock(state, wrong, "houses", houses, state.houses_left, board.supply_houses)
    _stock(state, wrong, "hotels", hotels, state.hotels_left, board.supply_hotels)


def _may_be(state: State, square: int) -> bool:
    """Whether a square that is not bare may be as it is."""
    group = state.board.group[square]
    level = state.level[square]
    if group < 0 or state.mortgaged[square] not in (0, 1) or not 0 <= level <= state.hotel_level:
        return False
    return level == 0 or (state.owner[square] >= 0 and state.board.house_cost[group] > 0)


def _full(state: State, wrong: list[str]) -> None:
    board = state.board
    for seat in range(state.seats):
        full = 0
        for group in range(len(board.house_cost)):
            mask = board.group_mask[group]
            if state.owned[seat] & mask == mask and board.house_cost[group] > 0:
                full |= 1 << group
        if state.full[seat] != full:
            wrong.append(f"full[{seat}] is {state.full[seat]:b}, counted {full:b}")


def _stock(state: State, wrong: list[str], name: str, stand: int, left: int, supply: int) -> None:
    endless = supply < 0 or state.rules.build_unlimited
    if left < 0 or stand + left != (UNLIMITED if endless else supply):
        wrong.append(f"{name}: {stand} stand, {left} are left of {supply}")


def _built_groups(state: State, wrong: list[str]) -> None:
    """What may not stand beside buildings: mortgages, other owners, unevenness (as the options say)."""
    board = state.board
    rules = state.rules
    # A bare lot may leave a built group: by a deal, or when it is lost.
    apart = rules.trade_clear == SCOPE_LOT
    if rules.mortgage_rounds_max and rules.mortgage_clear == SCOPE_LOT:
        apart = True
    for group in range(len(board.house_cost)):
        if not state.group_buildings[group]:
            continue
        owner = NOBODY
        for lot in board.members[group]:
            level = state.level[lot]
            if state.mortgaged[lot] and (level or rules.mortgage_clear != SCOPE_LOT):
                wrong.append(f"group {group} is built and mortgaged")
            if level or not apart:
                if owner not in (NOBODY, state.owner[lot]) or state.owner[lot] < 0:
                    wrong.append(f"group {group} is built and not of one owner")
                owner = state.owner[lot]
        if rules.build_even and not is_even(state, state.level, group):
            wrong.append(f"group {group} is built unevenly")


def _cards(state: State, wrong: list[str]) -> None:
    """Every card is in one place, and kept are only cards that are for keeping."""
    kept = 0
    for hand in state.cards:
        kept += len(hand)
    for deck, pile in enumerate(state.board.decks):
        found = 0  # as bits
        number = len(state.unseen[deck]) + len(state.seen[deck])
        for card in state.unseen[deck]:
            found |= 1 << card
        for card in state.seen[deck]:
            found |= 1 << card
        if kept:
            for hand in state.cards:
                for code in hand:
                    if code // CARDS_PER_DECK_MAX == deck:
                        number += 1
                        found |= 1 << code % CARDS_PER_DECK_MAX
        if number != len(pile.cards) or found != (1 << number) - 1:
            hands = f"{state.unseen[deck]} unseen, {state.seen[deck]} seen"
            wrong.append(f"deck {deck}: {hands}, kept by seat {state.cards}")


def _money(state: State, accounts: list[int] | None, wrong: list[str]) -> None:
    for seat in range(state.seats):
        cash = state.cash[seat]
        if cash < 0 or not 0 <= state.held[seat] <= cash:
            wrong.append(f"seat {seat} has {cash}, of which {state.held[seat]} is on hold")
        if accounts is not None and accounts[seat] != cash:
            wrong.append(f"seat {seat} has {cash}, in the ledger {accounts[seat]}")
    for debt in state.debts:
        if debt.amount <= 0 or debt.debtor == debt.creditor:
            wrong.append(f"{debt!r} is no debt")
        if state.out[debt.debtor] or (debt.creditor >= 0 and state.out[debt.creditor]):
            wrong.append(f"{debt!r} is of a seat that is out")


def _seats(state: State, wrong: list[str]) -> None:
    out = 0
    for seat in range(state.seats):
        at = state.at[seat]
        if not 0 <= at < state.board.size:
            wrong.append(f"seat {seat} is on square {at}")
        if state.jailed[seat] and at != state.board.jail_square:
            wrong.append(f"seat {seat} is jailed on square {at}")
        if state.out[seat]:
            out += 1
            if seat not in state.eliminated:
                wrong.append(f"seat {seat} is out and not in {state.eliminated}")
            if state.cash[seat] or state.held[seat] or state.cards[seat] or state.owned[seat]:
                wrong.append(f"seat {seat} is out and still has something")
    if state.alive != state.seats - out or len(state.eliminated) != out:
        wrong.append(f"alive {state.alive}, eliminated {state.eliminated}, out {state.out}")
    named = 0
    for seat in state.order:
        named |= 1 << seat if 0 <= seat < state.seats else 0
    if len(state.order) != state.seats or named != (1 << state.seats) - 1:
        wrong.append(f"the order is {state.order}")
    if state.auction_lot != NOBODY or state.auction or state.estate or state.extras.reserved_lots:
        check_sales(state, wrong)


def _offers(state: State, wrong: list[str]) -> None:
    if not state.offers:
        return
    made = [0] * state.seats
    for number, offer in state.offers.items():
        if number != offer.offer or not 0 < number <= state.offer_count:
            wrong.append(f"offer {number} is {offer!r}")
        if state.out[offer.from_seat] or state.out[offer.to_seat]:
            wrong.append(f"offer {number} is of a seat that is out")
        made[offer.from_seat] += 1
    if max(made) > OFFERS_OPEN_MAX:
        wrong.append(f"open offers by seat: {made}")
