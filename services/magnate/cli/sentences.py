"""A sentence for each event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from magnate.rules.v1 import vocabulary_pb2
from magnate.rules.vocabulary import OFFER_END_NAMES, PHASE_NAMES, TRANSFER_REASON_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.cli.names import Names

_BUILDINGS: Final[dict[int, str]] = {
    vocabulary_pb2.BUILDING_HOUSE: "house",
    vocabulary_pb2.BUILDING_HOTEL: "hotel",
}


def _building(number: int) -> str:
    """Return what a building is called."""
    return _BUILDINGS.get(number, "building")


def _word(names: tuple[str, ...], number: int) -> str:
    return names[number].lower().replace("_", " ") if 0 <= number < len(names) else str(number)


def _interest(n: Names, e: vocabulary_pb2.MortgageInterestCharged) -> str:
    return f"{n.who(e.seat)} owes {n.money(e.amount)} interest on the mortgage of {n.what(e.lot)}"


def _paid(n: Names, e: vocabulary_pb2.DebtPaid) -> str:
    reason = _word(TRANSFER_REASON_NAMES, e.reason)
    return f"{n.who(e.debtor)} pays {n.who(e.creditor)} the {n.money(e.amount)} owed ({reason})"


def _closed(n: Names, e: vocabulary_pb2.AuctionClosed) -> str:
    return f"gone to {n.who(e.winner)} for {n.money(e.price)}" if e.winner >= 0 else "gone to nobody"


def _passed_on(n: Names, e: vocabulary_pb2.CardTransferred) -> str:
    return f"{n.who(e.to_seat)} gets from {n.who(e.from_seat)} the card {n.card(e.deck, e.card)!r}"


def _question(n: Names, e: vocabulary_pb2.QuestionAsked) -> str:
    who, where, amount = n.who(e.seat), n.what(e.square), n.money(e.amount)
    if e.question == vocabulary_pb2.QUESTION_LOCATION:
        return f"{who} may pay {amount} and go to any lot"
    if e.question == vocabulary_pb2.QUESTION_TAX:
        return f"{who} pays {amount} tax, or a share of all there is"
    if e.question == vocabulary_pb2.QUESTION_STAKE:
        return f"{who} may stake {amount} on the jackpot"
    if e.question == vocabulary_pb2.QUESTION_SWAP:
        return f"{who} chooses what to take for {where}"
    if e.question == vocabulary_pb2.QUESTION_RENT:
        return f"{who} may play a card instead of {amount} rent for {where}"
    if e.question == vocabulary_pb2.QUESTION_DRAW:
        return f"{who} draws a card and tells which"
    return f"{who} is asked"


def _stake(n: Names, e: vocabulary_pb2.StakePlaced) -> str:
    on = f" on {', '.join(map(str, e.faces))}" if e.faces else ""
    return f"{n.who(e.seat)} stakes {n.money(e.amount)}{on}"


def _jackpot(n: Names, e: vocabulary_pb2.JackpotPlayed) -> str:
    symbols = n.board.jackpot_machine.symbols
    reels = n.board.jackpot_machine.reels
    fell = [str(face) for face in e.faces]
    if symbols and len(reels) == len(e.faces):
        places = [
            reel.symbols[face - 1] if 0 < face <= len(reel.symbols) else -1
            for reel, face in zip(reels, e.faces, strict=True)
        ]
        fell = [symbols[place] if 0 <= place < len(symbols) else "?" for place in places]
    won = f"wins {n.money(e.prize)}" if e.prize else "wins nothing"
    return f"{', '.join(fell) or 'nothing'}: {n.who(e.seat)} {won}"


def _loan(n: Names, e: vocabulary_pb2.LoanTaken) -> str:
    due = f", to be paid back by round {e.loan.due_round}" if e.loan.due_round else ""
    return f"{n.who(e.loan.debtor)} borrows {n.money(e.loan.amount)} from {n.who(e.loan.creditor)}{due}"


def _loan_ended(n: Names, e: vocabulary_pb2.LoanEnded) -> str:
    loan = e.loan
    what = "falls due" if e.due else "is over"
    return f"the loan of {n.money(loan.amount)} from {n.who(loan.creditor)} to {n.who(loan.debtor)} {what}"


def _shortage(n: Names, e: vocabulary_pb2.ShortageOpened) -> str:
    who = ", ".join(n.who(seat) for seat in e.seats) or "nobody"
    return f"there are not enough {_building(e.building)}s for all: {who} may say who wants one"


def _auctioned(n: Names, e: vocabulary_pb2.BuildingAuctioned) -> str:
    if e.winner < 0:
        return f"nobody wants the {_building(e.building)}"
    return f"{n.who(e.winner)} wins a {_building(e.building)} for {n.money(e.price)}"


def _pass(n: Names, e: vocabulary_pb2.PassChanged) -> str:
    left = f"{e.visits} free visits" if e.visits else "no free visit"
    return f"{n.who(e.seat)} has {left} of {n.what(e.lot)} left"


def _time_rule(n: Names, e: vocabulary_pb2.TimeRuleEntered) -> str:
    rules = n.board.time_rules
    if not 0 < e.rule <= len(rules):
        return f"rule {e.rule} of the clock holds now"
    rule = rules[e.rule - 1]
    start = "GO pays nothing" if rule.start_bonus_ended else "GO pays"
    tax = f", {rule.rent_tax_percent}% of every rent goes to the bank" if rule.rent_tax_percent else ""
    return f"from minute {rule.minute} on: {start}{tax}"


def _capped(_n: Names, e: vocabulary_pb2.RentsCapped) -> str:
    if not e.payments:
        return "rents are charged as usual again"
    return f"the next {e.payments} rents are charged at level {e.level}"


def _term(n: Names, e: vocabulary_pb2.MortgageTermSet) -> str:
    if not e.last_round:
        return f"{n.what(e.lot)} has no term any more"
    return f"{n.what(e.lot)} is lost unless it is redeemed by round {e.last_round}"


def _level(n: Names, e: vocabulary_pb2.RentLevelSet) -> str:
    return f"{n.what(e.lot)} has rent level {e.level}" if e.level else f"{n.what(e.lot)} has no rent level"


def _discount(n: Names, e: vocabulary_pb2.DiscountSet) -> str:
    if not e.percent:
        return f"{n.who(e.seat)} builds at the full price again"
    return f"the next building of {n.who(e.seat)} costs {e.percent}% less"


def _granted(n: Names, e: vocabulary_pb2.PassGranted) -> str:
    one = e.granted
    return f"{n.who(one.seat)} may visit {n.what(one.lot)} freely {one.visits} times"


def _dealt(n: Names, e: vocabulary_pb2.DeedDealt) -> str:
    price = f" for {n.money(e.price)}" if e.price else ""
    return f"{n.who(e.seat)} is dealt {n.what(e.lot)}{price}"


def _revealed(n: Names, e: vocabulary_pb2.BidsRevealed) -> str:
    bids = [f"{n.who(one.seat)} {n.money(one.amount)}" for one in e.bids]
    return f"the bids are opened: {', '.join(bids) or 'there are none'}"


def _offer(n: Names, e: vocabulary_pb2.OfferMade) -> str:
    t = e.terms
    given = n.side(t.give_cash, list(t.give_lots), list(t.give_cards), list(t.give_immunity), t.give_loan)
    taken = n.side(t.take_cash, list(t.take_lots), list(t.take_cards), list(t.take_immunity), t.take_loan)
    settled = f", settling {n.money(t.settles_debt)} of what is owed" if t.settles_debt else ""
    return f"{n.who(e.from_seat)} offers {n.who(e.to_seat)} {given} for {taken}{settled}"


def _levels(n: Names, levels: list[vocabulary_pb2.LotLevel]) -> str:
    words = {0: "bare", 1: "1 house", n.hotel: "hotel"}
    return ", ".join(f"{n.what(one.lot)}: {words.get(one.level, f'{one.level} houses')}" for one in levels)


def _dice(n: Names, e: vocabulary_pb2.DiceThrown) -> str:
    return f"{n.who(e.seat)} throws {e.first}" + (f" and {e.second}" if e.second else "")


def _opened(n: Names, e: vocabulary_pb2.AuctionOpened) -> str:
    what = f"a {_building(e.building)}" if e.building else n.what(e.lot)
    return f"{what} goes under the hammer"


def _ended(n: Names, e: vocabulary_pb2.GameEnded) -> str:
    places = [f"{place}. {n.who(seat)}" for place, seat in enumerate(e.ranking, start=1)]
    return f"the game is over: {', '.join(places)}"


SENTENCES: Final[dict[str, Callable[[Names, Any], str]]] = {
    "game_started": lambda n, e: f"the game begins; {n.who(e.first_seat)} goes first",
    "turn_started": lambda n, e: f"turn {e.turn}: {n.who(e.seat)}",
    "dice_thrown": _dice,
    "token_moved": lambda n, e: f"{n.who(e.seat)} comes to {n.what(e.to_square)}",
    "salary_earned": lambda n, e: f"{n.who(e.seat)} gets {n.money(e.amount)} for GO",
    "lot_bought": lambda n, e: f"{n.who(e.seat)} buys {n.what(e.lot)} for {n.money(e.price)}",
    "lot_declined": lambda n, e: f"{n.who(e.seat)} does not buy {n.what(e.lot)}",
    "lot_auctioned": lambda n, e: f"{n.who(e.winner)} wins {n.what(e.lot)} for {n.money(e.price)}",
    "lot_unsold": lambda n, e: f"nobody wants {n.what(e.lot)}",
    "rent_charged": lambda n, e: f"{n.who(e.payer)} owes {n.who(e.owner)} {n.money(e.amount)} rent",
    "tax_charged": lambda n, e: f"{n.who(e.seat)} owes {n.money(e.amount)} tax",
    "card_drawn": lambda n, e: f"{n.who(e.seat)} draws: {n.card(e.deck, e.card)}",
    "card_charged": lambda n, e: f"{n.who(e.payer)} pays {n.who(e.payee)} {n.money(e.amount)}",
    "jail_entered": lambda n, e: f"{n.who(e.seat)} goes to jail",
    "jail_left": lambda n, e: f"{n.who(e.seat)} leaves jail",
    "buildings_built": lambda n, e: f"{n.who(e.seat)} builds ({_levels(n, e.levels)})",
    "buildings_sold": lambda n, e: f"{n.who(e.seat)} sells buildings ({_levels(n, e.levels)})",
    "lots_mortgaged": lambda n, e: f"{n.who(e.seat)} mortgages {n.lots(e.lots)} for {n.money(e.amount)}",
    "lots_redeemed": lambda n, e: f"{n.who(e.seat)} redeems {n.lots(e.lots)} for {n.money(e.amount)}",
    "debt_incurred": lambda n, e: f"{n.who(e.debt.debtor)} cannot pay {n.money(e.debt.amount)} yet",
    "offer_made": _offer,
    "offer_accepted": lambda _n, e: f"offer {e.offer} is accepted",
    "lot_transferred": lambda n, e: f"{n.what(e.lot)} goes to {n.who(e.to_seat)}",
    "bankruptcy_declared": lambda n, e: f"{n.who(e.seat)} is bankrupt, owing to {n.who(e.creditor)}",
    "seat_eliminated": lambda n, e: f"{n.who(e.seat)} is out",
    "game_ended": _ended,
    "auction_opened": _opened,
    "bid_placed": lambda n, e: f"{n.who(e.seat)} bids {n.money(e.amount)}",
    "bidder_passed": lambda n, e: f"{n.who(e.seat)} passes",
    # what only some rule sets have
    "deed_dealt": _dealt,
    "order_drawn": lambda n, e: f"lot decides: {', '.join(n.who(seat) for seat in e.order)}",
    "landing_bonus_earned": lambda n, e: f"{n.who(e.seat)} gets {n.money(e.amount)} for stopping on GO",
    "question_asked": _question,
    "skipped": lambda n, e: f"{n.who(e.seat)} leaves it alone",
    "choice_made": lambda n, e: f"{n.who(e.seat)} chooses {e.option}",
    "pot_taken": lambda n, e: f"{n.who(e.seat)} takes {n.money(e.amount)} from {n.who(e.pot)}",
    "square_charged": lambda n, e: f"{n.who(e.seat)} owes {n.who(e.payee)} {n.money(e.amount)}",
    "rent_claimable": lambda n, e: (
        f"{n.who(e.claim.owner)} may claim {n.money(e.claim.amount)} rent from {n.who(e.claim.payer)}"
    ),
    "rent_lapsed": lambda n, e: f"{n.who(e.owner)} did not claim the rent of {n.what(e.lot)} in time",
    "rent_taxed": lambda n, e: f"{n.money(e.amount)} of the rent goes to the bank",
    "rent_spared": lambda n, e: f"{n.who(e.payer)} need not pay for {n.what(e.lot)}",
    "loan_taken": _loan,
    "loan_ended": _loan_ended,
    "turns_lost": lambda n, e: f"{n.who(e.seat)} loses {e.turns} turns",
    "turn_skipped": lambda n, e: f"{n.who(e.seat)} loses this turn",
    "move_reversed": lambda n, e: f"{n.who(e.seat)} goes backwards next time",
    "stake_placed": _stake,
    "jackpot_played": _jackpot,
    "amount_drawn": lambda n, e: f"the amount is {n.money(e.amount)}",
    "square_drawn": lambda n, e: f"the square is {n.what(e.square)}",
    "rent_level_set": _level,
    "rents_capped": _capped,
    "lot_returned": lambda n, e: (
        f"{n.who(e.seat)} gives {n.what(e.lot)} back to the bank, which counts {n.money(e.amount)}"
    ),
    "mortgage_term_set": _term,
    "lot_forfeited": lambda n, e: f"{n.who(e.seat)} did not redeem {n.what(e.lot)} in time: it is the bank's",
    "building_wanted": lambda n, e: f"{n.who(e.seat)} wants a {_building(e.building)}",
    "building_not_wanted": lambda n, e: f"{n.who(e.seat)} wants none",
    "shortage_opened": _shortage,
    "shortage_closed": lambda _n, e: f"nobody else says that he wants a {_building(e.building)}",
    "building_put_up": lambda _n, e: f"a {_building(e.building)} is put up for auction",
    "building_auctioned": _auctioned,
    "building_placed": lambda n, e: f"{n.who(e.seat)} puts the {_building(e.building)} on {n.what(e.lot)}",
    "building_returned": lambda n, e: (
        f"the {_building(e.building)} can stand nowhere: {n.who(e.seat)} gets {n.money(e.amount)} back"
    ),
    "time_rule_entered": _time_rule,
    "time_up": lambda _n, _e: "the agreed time is over",
    "time_expired": lambda n, e: f"{n.who(e.seat)} did not act in time",
    "pass_granted": _granted,
    "pass_changed": _pass,
    "card_played": lambda n, e: f"{n.who(e.seat)} plays: {n.card(e.deck, e.card)}",
    "discount_set": _discount,
    "bankruptcy_counted": lambda _n, e: f"bankruptcies so far: {e.bankruptcies}",
    "lots_frozen": lambda n, e: f"nobody can have {n.lots(list(e.lots))} any more",
    "redemption_offered": lambda n, e: (
        f"until the next throw {n.who(e.seat)} redeems {n.what(e.lot)} for {n.money(e.amount)}"
    ),
    # small steps
    "phase_entered": lambda _n, e: f"phase: {_word(PHASE_NAMES, e.phase)}",
    "turn_ended": lambda n, e: f"{n.who(e.seat)}'s turn is over",
    "extra_roll_granted": lambda n, e: f"{n.who(e.seat)} may throw again",
    "lot_offered": lambda n, e: f"{n.who(e.seat)} may buy {n.what(e.lot)} for {n.money(e.price)}",
    "lot_put_up": lambda n, e: f"{n.what(e.lot)} is put up for auction",
    "card_kept": lambda n, e: f"{n.who(e.seat)} keeps: {n.card(e.deck, e.card)}",
    "card_returned": lambda n, e: f"{n.who(e.seat)} gives back: {n.card(e.deck, e.card)}",
    "card_transferred": _passed_on,
    "repairs_charged": lambda n, e: f"{n.who(e.seat)} owes {n.money(e.amount)} for repairs",
    "jail_throw_failed": lambda n, e: f"{n.who(e.seat)} stays in jail (try {e.tries})",
    "fine_charged": lambda n, e: f"{n.who(e.seat)} owes a fine of {n.money(e.amount)}",
    "move_pending": lambda n, e: f"{n.who(e.seat)} then goes on {e.steps} squares",
    "debt_paid": _paid,
    "debts_assigned": lambda n, e: (
        f"what was owed to {n.who(e.from_creditor)} is owed to {n.who(e.to_creditor)}"
    ),
    "mortgage_interest_charged": _interest,
    "offer_closed": lambda _n, e: f"offer {e.offer} is over ({_word(OFFER_END_NAMES, e.end)})",
    "seat_resigned": lambda n, e: f"{n.who(e.seat)} leaves the game",
    "estate_queued": lambda n, e: f"to be auctioned: {n.lots(list(e.lots))}",
    "bidder_dropped": lambda n, e: f"{n.who(e.seat)} bids no more",
    "opening_declined": lambda n, e: f"{n.who(e.seat)} does not open",
    "auction_extended": lambda _n, _e: "the end of the auction moves",
    "auction_called": lambda _n, e: "going twice" if e.count > 1 else "going once",
    "proxy_set": lambda n, e: f"bids are made for {n.who(e.seat)} up to {n.money(e.ceiling)}",
    "bid_sealed": lambda n, e: f"{n.who(e.seat)} hands in a sealed bid",
    "sealed_bid": lambda n, e: f"{n.who(e.seat)} has bid {n.money(e.amount)} under seal",
    "bids_revealed": _revealed,
    "bids_refunded": lambda n, e: f"{n.who(e.seat)} gets back {n.money(e.amount)} paid for bids",
    "lead_restored": lambda n, e: f"{n.who(e.seat)} leads again with {n.money(e.amount)}",
    "lot_reserved": lambda n, e: f"{n.who(e.winner)} has {n.what(e.lot)} when {n.money(e.owed)} more is paid",
    "lot_delivered": lambda n, e: f"{n.what(e.lot)} is paid, and goes to {n.who(e.seat)}",
    "lot_forsaken": lambda n, e: f"{n.who(e.seat)} has not paid {n.what(e.lot)}: it is sold again",
    "auction_closed": _closed,
    "auction_cancelled": lambda _n, _e: "the auction is called off",
}
