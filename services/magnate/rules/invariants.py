"""What must hold after every event of every game: `check` compares counters with scans and lists violations.

For tests, scenarios and simulations; far too slow for a service. That all accounts sum to zero is the
ledger's own promise; here is what the rules can see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import kinds
from magnate.rules.choices import SCOPE_LOT
from magnate.rules.decision import NOBODY
from magnate.rules.effects import EFFECT_JAIL_FREE
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.offers import OFFERS_OPEN_MAX, open_offers_of
from magnate.rules.state import CARDS_PER_DECK_MAX, UNLIMITED
from magnate.rules.steps.build import is_even
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_BUY, PHASE_CHOICE, PHASE_DEBT, PHASE_OVER

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
    return check_things(state) + _money(state, accounts) + _seats(state) + _offers(state)


def check_things(state: State) -> list[str]:
    """What is wrong with deeds, buildings and cards, whatever the money."""
    return _deeds(state) + _counters(state) + _buildings(state) + _cards(state)


def check_waiting(state: State) -> list[str]:
    """Whether the game waits for somebody who can act, or for an auction; holds between commands."""
    if state.phase in (0, PHASE_OVER):
        return []
    wrong: list[str] = []
    if (state.phase == PHASE_DEBT) != bool(state.debts):
        wrong.append(f"phase {state.phase} with {len(state.debts)} debts")
    if state.phase == PHASE_AUCTION and not state.auction:
        wrong.append("phase AUCTION without an auction")
    if state.phase == PHASE_BUY and state.offered_lot == NOBODY:
        wrong.append("phase BUY without an offered lot")
    if state.phase == PHASE_CHOICE and state.choice_deck < 0:
        wrong.append("phase CHOICE without a card that asks")
    if state.out[state.turn_seat] and state.phase not in (PHASE_DEBT, PHASE_AUCTION):
        wrong.append(f"seat {state.turn_seat} is on turn and out")
    if state.phase == PHASE_AUCTION:
        return wrong
    waiting = [debt.debtor for debt in state.debts] or [state.turn_seat]
    if not any(_can_go_on(state, seat) for seat in waiting):
        wrong.append(f"nobody can act in phase {state.phase}")
    return wrong


def _can_go_on(state: State, seat: int) -> bool:
    return legal_kinds(state, seat) & ~_IDLE != 0


def _money(state: State, accounts: list[int] | None) -> list[str]:
    wrong: list[str] = []
    for seat in range(state.seats):
        if state.cash[seat] < 0:
            wrong.append(f"seat {seat} has {state.cash[seat]}")
        if not 0 <= state.held[seat] <= state.cash[seat]:
            wrong.append(f"seat {seat} has {state.cash[seat]}, of which {state.held[seat]} is on hold")
        if accounts is not None and accounts[seat] != state.cash[seat]:
            wrong.append(f"seat {seat} has {state.cash[seat]}, in the ledger {accounts[seat]}")
    for debt in state.debts:
        if debt.amount <= 0 or debt.debtor == debt.creditor:
            wrong.append(f"{debt!r} is no debt")
        if state.out[debt.debtor] or (debt.creditor >= 0 and state.out[debt.creditor]):
            wrong.append(f"{debt!r} is of a seat that is out")
    return wrong


def _deeds(state: State) -> list[str]:
    wrong: list[str] = []
    board = state.board
    for square in range(board.size):
        owner = state.owner[square]
        if owner != NOBODY and (board.group[square] < 0 or not 0 <= owner < state.seats):
            wrong.append(f"square {square} belongs to {owner}")
        elif owner != NOBODY and state.out[owner]:
            wrong.append(f"square {square} belongs to seat {owner}, which is out")
        if state.mortgaged[square] not in (0, 1) or (state.mortgaged[square] and board.group[square] < 0):
            wrong.append(f"square {square} is mortgaged {state.mortgaged[square]}")
    return wrong


def _counters(state: State) -> list[str]:
    wrong: list[str] = []
    board = state.board
    built_mask = mortgaged_mask = 0
    for group, members in enumerate(board.members):
        buildings = sum(state.level[lot] for lot in members)
        if state.group_buildings[group] != buildings:
            wrong.append(f"group_buildings[{group}] is {state.group_buildings[group]}, counted {buildings}")
        if buildings:
            built_mask |= board.group_mask[group]
        mortgaged = sum(state.mortgaged[lot] for lot in members)
        if state.group_mortgaged[group] != mortgaged:
            wrong.append(f"group_mortgaged[{group}] is {state.group_mortgaged[group]}, counted {mortgaged}")
        for seat in range(state.seats):
            count = sum(1 for lot in members if state.owner[lot] == seat)
            known = state.group_count[group * state.seats + seat]
            if known != count:
                wrong.append(f"group_count of group {group}, seat {seat} is {known}, counted {count}")
            full = count == len(members) and board.house_cost[group] > 0
            if bool(state.full[seat] >> group & 1) != full:
                wrong.append(f"full[{seat}] is wrong about group {group}")
    for seat in range(state.seats):
        own = [lot for lot in board.lots if state.owner[lot] == seat]
        if state.owned[seat] != sum(1 << lot for lot in own):
            wrong.append(f"owned[{seat}] is {state.owned[seat]:b}, counted {own}")
        if state.built[seat] != sum(state.level[lot] for lot in own):
            wrong.append(f"built[{seat}] is {state.built[seat]}")
    mortgaged_mask = sum(1 << lot for lot in board.lots if state.mortgaged[lot])
    if state.built_mask != built_mask or state.mortgaged_mask != mortgaged_mask:
        wrong.append("built_mask or mortgaged_mask differs from a scan")
    return wrong


def _buildings(state: State) -> list[str]:
    wrong: list[str] = []
    board = state.board
    hotel = state.hotel_level
    houses = sum(level for level in state.level if level < hotel)
    hotels = sum(1 for level in state.level if level == hotel)
    for name, stand, left, supply in (
        ("houses", houses, state.houses_left, board.supply_houses),
        ("hotels", hotels, state.hotels_left, board.supply_hotels),
    ):
        if left < 0 or stand + left != (UNLIMITED if supply < 0 else supply):
            wrong.append(f"{name}: {stand} stand, {left} are left of {supply}")
    for group, members in enumerate(board.members):
        if not state.group_buildings[group]:
            continue
        if board.house_cost[group] == 0 or any(not 0 <= state.level[lot] <= hotel for lot in members):
            wrong.append(f"group {group} has levels it cannot have")
        built = [lot for lot in members if state.level[lot]]
        clear = built if state.rules.mortgage_clear == SCOPE_LOT else members
        if any(state.mortgaged[lot] for lot in clear):
            wrong.append(f"group {group} is built and mortgaged")
        owners = {state.owner[lot] for lot in (built if state.rules.trade_clear == SCOPE_LOT else members)}
        if len(owners) != 1 or NOBODY in owners:
            wrong.append(f"group {group} is built and not of one owner")
        if state.rules.build_even and not is_even(board, state.level, group):
            wrong.append(f"group {group} is built unevenly")
    return wrong


def _cards(state: State) -> list[str]:
    wrong: list[str] = []
    for deck, pile in enumerate(state.board.decks):
        kept = [
            code % CARDS_PER_DECK_MAX
            for hand in state.cards
            for code in hand
            if code // CARDS_PER_DECK_MAX == deck
        ]
        if sorted(state.unseen[deck] + state.seen[deck] + kept) != list(range(len(pile.cards))):
            wrong.append(f"deck {deck}: {state.unseen[deck]} unseen, {state.seen[deck]} seen, {kept} kept")
        wrong.extend(
            f"card {card} of deck {deck} is kept and opens no jail"
            for card in kept
            if not any(effect.kind == EFFECT_JAIL_FREE for effect in pile.cards[card].effects)
        )
    return wrong


def _seats(state: State) -> list[str]:
    wrong: list[str] = []
    out = [seat for seat in range(state.seats) if state.out[seat]]
    if state.alive != state.seats - len(out) or sorted(state.eliminated) != out:
        wrong.append(f"alive {state.alive}, eliminated {state.eliminated}, out {out}")
    wrong.extend(
        f"seat {seat} is out and still has something"
        for seat in out
        if state.cash[seat] or state.held[seat] or state.cards[seat] or state.owned[seat]
    )
    for seat in range(state.seats):
        if state.jailed[seat] and state.at[seat] != state.board.jail_square:
            wrong.append(f"seat {seat} is jailed on square {state.at[seat]}")
        if not 0 <= state.at[seat] < state.board.size:
            wrong.append(f"seat {seat} is on square {state.at[seat]}")
    for square in range(state.board.size):
        waiting = state.estate.count(square) + (state.auction_lot == square)
        if waiting > 1 or (waiting and state.owner[square] != NOBODY):
            wrong.append(f"square {square} waits for {waiting} auctions and belongs to {state.owner[square]}")
    if sorted(state.order) != list(range(state.seats)):
        wrong.append(f"the order is {state.order}")
    return wrong


def _offers(state: State) -> list[str]:
    wrong: list[str] = []
    for number, offer in state.offers.items():
        if number != offer.offer or not 0 < number <= state.offer_count:
            wrong.append(f"offer {number} is {offer!r}")
        if state.out[offer.from_seat] or state.out[offer.to_seat]:
            wrong.append(f"offer {number} is of a seat that is out")
    wrong.extend(
        f"seat {seat} has too many open offers"
        for seat in range(state.seats)
        if open_offers_of(state, seat) > OFFERS_OPEN_MAX
    )
    return wrong
