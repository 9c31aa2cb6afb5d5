"""Stores the words of the game, generated from protos/magnate/rules/v1/vocabulary.proto by `make proto`. Do not edit.

`put_x` stores a value in an empty message, `get_x` reads one; `encode_event` and `decode_event` choose the right
pair by the event's class or by the name of what is stored. The same goes for the other families.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from magnate.rules import vocabulary as words
from magnate.rules.v1 import vocabulary_pb2 as pb


class UnknownKindError(Exception):
    """The stored bytes hold a kind that this build does not know: the log is newer than the build."""


def put_lot_level(value: words.LotLevel, message: pb.LotLevel) -> None:
    message.lot = value.lot
    message.level = value.level


def get_lot_level(message: pb.LotLevel) -> words.LotLevel:
    return words.LotLevel(message.lot, message.level)


def put_card(value: words.Card, message: pb.Card) -> None:
    message.deck = value.deck
    message.card = value.card


def get_card(message: pb.Card) -> words.Card:
    return words.Card(message.deck, message.card)


def put_terms(value: words.Terms, message: pb.Terms) -> None:
    message.give_cash = value.give_cash
    message.give_lots.extend(value.give_lots)
    for card in value.give_cards:
        put_card(card, message.give_cards.add())
    message.take_cash = value.take_cash
    message.take_lots.extend(value.take_lots)
    for card in value.take_cards:
        put_card(card, message.take_cards.add())
    message.settles_debt = value.settles_debt


def get_terms(message: pb.Terms) -> words.Terms:
    return words.Terms(
        message.give_cash,
        list(message.give_lots),
        [get_card(part) for part in message.give_cards],
        message.take_cash,
        list(message.take_lots),
        [get_card(part) for part in message.take_cards],
        message.settles_debt,
    )


def put_roll(value: words.Roll, message: pb.Roll) -> None:
    message.SetInParent()


def get_roll(message: pb.Roll) -> words.Roll:
    return words.Roll()


def put_buy_lot(value: words.BuyLot, message: pb.BuyLot) -> None:
    message.SetInParent()


def get_buy_lot(message: pb.BuyLot) -> words.BuyLot:
    return words.BuyLot()


def put_decline_lot(value: words.DeclineLot, message: pb.DeclineLot) -> None:
    message.SetInParent()


def get_decline_lot(message: pb.DeclineLot) -> words.DeclineLot:
    return words.DeclineLot()


def put_place_bid(value: words.PlaceBid, message: pb.PlaceBid) -> None:
    message.lot = value.lot
    message.amount = value.amount


def get_place_bid(message: pb.PlaceBid) -> words.PlaceBid:
    return words.PlaceBid(message.lot, message.amount)


def put_pass_auction(value: words.PassAuction, message: pb.PassAuction) -> None:
    message.lot = value.lot


def get_pass_auction(message: pb.PassAuction) -> words.PassAuction:
    return words.PassAuction(message.lot)


def put_build(value: words.Build, message: pb.Build) -> None:
    message.SetInParent()
    for lot_level in value.targets:
        put_lot_level(lot_level, message.targets.add())


def get_build(message: pb.Build) -> words.Build:
    return words.Build([get_lot_level(part) for part in message.targets])


def put_sell_buildings(value: words.SellBuildings, message: pb.SellBuildings) -> None:
    message.SetInParent()
    for lot_level in value.targets:
        put_lot_level(lot_level, message.targets.add())


def get_sell_buildings(message: pb.SellBuildings) -> words.SellBuildings:
    return words.SellBuildings([get_lot_level(part) for part in message.targets])


def put_mortgage_lots(value: words.MortgageLots, message: pb.MortgageLots) -> None:
    message.SetInParent()
    message.lots.extend(value.lots)


def get_mortgage_lots(message: pb.MortgageLots) -> words.MortgageLots:
    return words.MortgageLots(list(message.lots))


def put_redeem_lots(value: words.RedeemLots, message: pb.RedeemLots) -> None:
    message.SetInParent()
    message.lots.extend(value.lots)


def get_redeem_lots(message: pb.RedeemLots) -> words.RedeemLots:
    return words.RedeemLots(list(message.lots))


def put_offer_trade(value: words.OfferTrade, message: pb.OfferTrade) -> None:
    message.to_seat = value.to_seat
    put_terms(value.terms, message.terms)


def get_offer_trade(message: pb.OfferTrade) -> words.OfferTrade:
    return words.OfferTrade(message.to_seat, get_terms(message.terms))


def put_counter_offer(value: words.CounterOffer, message: pb.CounterOffer) -> None:
    message.offer = value.offer
    put_terms(value.terms, message.terms)


def get_counter_offer(message: pb.CounterOffer) -> words.CounterOffer:
    return words.CounterOffer(message.offer, get_terms(message.terms))


def put_accept_offer(value: words.AcceptOffer, message: pb.AcceptOffer) -> None:
    message.offer = value.offer
    message.redeem_lots.extend(value.redeem_lots)


def get_accept_offer(message: pb.AcceptOffer) -> words.AcceptOffer:
    return words.AcceptOffer(message.offer, list(message.redeem_lots))


def put_reject_offer(value: words.RejectOffer, message: pb.RejectOffer) -> None:
    message.offer = value.offer


def get_reject_offer(message: pb.RejectOffer) -> words.RejectOffer:
    return words.RejectOffer(message.offer)


def put_withdraw_offer(value: words.WithdrawOffer, message: pb.WithdrawOffer) -> None:
    message.offer = value.offer


def get_withdraw_offer(message: pb.WithdrawOffer) -> words.WithdrawOffer:
    return words.WithdrawOffer(message.offer)


def put_pay_fine(value: words.PayFine, message: pb.PayFine) -> None:
    message.SetInParent()


def get_pay_fine(message: pb.PayFine) -> words.PayFine:
    return words.PayFine()


def put_use_jail_card(value: words.UseJailCard, message: pb.UseJailCard) -> None:
    message.SetInParent()


def get_use_jail_card(message: pb.UseJailCard) -> words.UseJailCard:
    return words.UseJailCard()


def put_choose_option(value: words.ChooseOption, message: pb.ChooseOption) -> None:
    message.option = value.option


def get_choose_option(message: pb.ChooseOption) -> words.ChooseOption:
    return words.ChooseOption(message.option)


def put_pay_debt(value: words.PayDebt, message: pb.PayDebt) -> None:
    message.SetInParent()


def get_pay_debt(message: pb.PayDebt) -> words.PayDebt:
    return words.PayDebt()


def put_declare_bankruptcy(value: words.DeclareBankruptcy, message: pb.DeclareBankruptcy) -> None:
    message.SetInParent()


def get_declare_bankruptcy(message: pb.DeclareBankruptcy) -> words.DeclareBankruptcy:
    return words.DeclareBankruptcy()


def put_resign(value: words.Resign, message: pb.Resign) -> None:
    message.SetInParent()


def get_resign(message: pb.Resign) -> words.Resign:
    return words.Resign()


def put_end_turn(value: words.EndTurn, message: pb.EndTurn) -> None:
    message.SetInParent()


def get_end_turn(message: pb.EndTurn) -> words.EndTurn:
    return words.EndTurn()


def put_game_started(value: words.GameStarted, message: pb.GameStarted) -> None:
    message.order.extend(value.order)
    message.first_seat = value.first_seat


def get_game_started(message: pb.GameStarted) -> words.GameStarted:
    return words.GameStarted(list(message.order), message.first_seat)


def put_held_card(value: words.HeldCard, message: pb.HeldCard) -> None:
    message.seat = value.seat
    message.deck = value.deck
    message.card = value.card


def get_held_card(message: pb.HeldCard) -> words.HeldCard:
    return words.HeldCard(message.seat, message.deck, message.card)


def put_open_debt(value: words.OpenDebt, message: pb.OpenDebt) -> None:
    message.debtor = value.debtor
    message.creditor = value.creditor
    message.amount = value.amount
    message.reason = value.reason
    message.lot = value.lot


def get_open_debt(message: pb.OpenDebt) -> words.OpenDebt:
    return words.OpenDebt(message.debtor, message.creditor, message.amount, message.reason, message.lot)


def put_position_given(value: words.PositionGiven, message: pb.PositionGiven) -> None:
    message.turn_seat = value.turn_seat
    message.phase = value.phase
    message.round = value.round
    message.doubles = value.doubles
    message.at.extend(value.at)
    message.jailed.extend(value.jailed)
    message.jail_tries.extend(value.jail_tries)
    message.out.extend(value.out)
    message.owner.extend(value.owner)
    message.level.extend(value.level)
    message.mortgaged.extend(value.mortgaged)
    message.houses = value.houses
    message.hotels = value.hotels
    for held_card in value.cards:
        put_held_card(held_card, message.cards.add())
    for open_debt in value.debts:
        put_open_debt(open_debt, message.debts.add())
    message.offered_lot = value.offered_lot


def get_position_given(message: pb.PositionGiven) -> words.PositionGiven:
    return words.PositionGiven(
        message.turn_seat,
        message.phase,
        message.round,
        message.doubles,
        list(message.at),
        list(message.jailed),
        list(message.jail_tries),
        list(message.out),
        list(message.owner),
        list(message.level),
        list(message.mortgaged),
        message.houses,
        message.hotels,
        [get_held_card(part) for part in message.cards],
        [get_open_debt(part) for part in message.debts],
        message.offered_lot,
    )


def put_turn_started(value: words.TurnStarted, message: pb.TurnStarted) -> None:
    message.seat = value.seat
    message.turn = value.turn
    message.round = value.round


def get_turn_started(message: pb.TurnStarted) -> words.TurnStarted:
    return words.TurnStarted(message.seat, message.turn, message.round)


def put_phase_entered(value: words.PhaseEntered, message: pb.PhaseEntered) -> None:
    message.phase = value.phase


def get_phase_entered(message: pb.PhaseEntered) -> words.PhaseEntered:
    return words.PhaseEntered(message.phase)


def put_dice_thrown(value: words.DiceThrown, message: pb.DiceThrown) -> None:
    message.seat = value.seat
    message.first = value.first
    message.second = value.second
    message.purpose = value.purpose
    message.draw = value.draw


def get_dice_thrown(message: pb.DiceThrown) -> words.DiceThrown:
    return words.DiceThrown(message.seat, message.first, message.second, message.purpose, message.draw)


def put_extra_roll_granted(value: words.ExtraRollGranted, message: pb.ExtraRollGranted) -> None:
    message.seat = value.seat


def get_extra_roll_granted(message: pb.ExtraRollGranted) -> words.ExtraRollGranted:
    return words.ExtraRollGranted(message.seat)


def put_token_moved(value: words.TokenMoved, message: pb.TokenMoved) -> None:
    message.seat = value.seat
    message.from_square = value.from_square
    message.to_square = value.to_square
    message.cause = value.cause


def get_token_moved(message: pb.TokenMoved) -> words.TokenMoved:
    return words.TokenMoved(message.seat, message.from_square, message.to_square, message.cause)


def put_salary_earned(value: words.SalaryEarned, message: pb.SalaryEarned) -> None:
    message.seat = value.seat
    message.amount = value.amount


def get_salary_earned(message: pb.SalaryEarned) -> words.SalaryEarned:
    return words.SalaryEarned(message.seat, message.amount)


def put_lot_offered(value: words.LotOffered, message: pb.LotOffered) -> None:
    message.seat = value.seat
    message.lot = value.lot
    message.price = value.price


def get_lot_offered(message: pb.LotOffered) -> words.LotOffered:
    return words.LotOffered(message.seat, message.lot, message.price)


def put_lot_bought(value: words.LotBought, message: pb.LotBought) -> None:
    message.seat = value.seat
    message.lot = value.lot
    message.price = value.price


def get_lot_bought(message: pb.LotBought) -> words.LotBought:
    return words.LotBought(message.seat, message.lot, message.price)


def put_lot_declined(value: words.LotDeclined, message: pb.LotDeclined) -> None:
    message.seat = value.seat
    message.lot = value.lot


def get_lot_declined(message: pb.LotDeclined) -> words.LotDeclined:
    return words.LotDeclined(message.seat, message.lot)


def put_lot_put_up(value: words.LotPutUp, message: pb.LotPutUp) -> None:
    message.lot = value.lot
    message.auction = value.auction
    message.decliner = value.decliner


def get_lot_put_up(message: pb.LotPutUp) -> words.LotPutUp:
    return words.LotPutUp(message.lot, message.auction, message.decliner)


def put_lot_auctioned(value: words.LotAuctioned, message: pb.LotAuctioned) -> None:
    message.lot = value.lot
    message.auction = value.auction
    message.winner = value.winner
    message.price = value.price


def get_lot_auctioned(message: pb.LotAuctioned) -> words.LotAuctioned:
    return words.LotAuctioned(message.lot, message.auction, message.winner, message.price)


def put_lot_unsold(value: words.LotUnsold, message: pb.LotUnsold) -> None:
    message.lot = value.lot
    message.auction = value.auction


def get_lot_unsold(message: pb.LotUnsold) -> words.LotUnsold:
    return words.LotUnsold(message.lot, message.auction)


def put_rent_charged(value: words.RentCharged, message: pb.RentCharged) -> None:
    message.payer = value.payer
    message.owner = value.owner
    message.lot = value.lot
    message.amount = value.amount


def get_rent_charged(message: pb.RentCharged) -> words.RentCharged:
    return words.RentCharged(message.payer, message.owner, message.lot, message.amount)


def put_tax_charged(value: words.TaxCharged, message: pb.TaxCharged) -> None:
    message.seat = value.seat
    message.square = value.square
    message.amount = value.amount


def get_tax_charged(message: pb.TaxCharged) -> words.TaxCharged:
    return words.TaxCharged(message.seat, message.square, message.amount)


def put_card_drawn(value: words.CardDrawn, message: pb.CardDrawn) -> None:
    message.seat = value.seat
    message.deck = value.deck
    message.card = value.card
    message.draw = value.draw


def get_card_drawn(message: pb.CardDrawn) -> words.CardDrawn:
    return words.CardDrawn(message.seat, message.deck, message.card, message.draw)


def put_card_kept(value: words.CardKept, message: pb.CardKept) -> None:
    message.seat = value.seat
    message.deck = value.deck
    message.card = value.card


def get_card_kept(message: pb.CardKept) -> words.CardKept:
    return words.CardKept(message.seat, message.deck, message.card)


def put_card_returned(value: words.CardReturned, message: pb.CardReturned) -> None:
    message.seat = value.seat
    message.deck = value.deck
    message.card = value.card


def get_card_returned(message: pb.CardReturned) -> words.CardReturned:
    return words.CardReturned(message.seat, message.deck, message.card)


def put_card_charged(value: words.CardCharged, message: pb.CardCharged) -> None:
    message.payer = value.payer
    message.payee = value.payee
    message.amount = value.amount


def get_card_charged(message: pb.CardCharged) -> words.CardCharged:
    return words.CardCharged(message.payer, message.payee, message.amount)


def put_repairs_charged(value: words.RepairsCharged, message: pb.RepairsCharged) -> None:
    message.seat = value.seat
    message.houses = value.houses
    message.hotels = value.hotels
    message.amount = value.amount


def get_repairs_charged(message: pb.RepairsCharged) -> words.RepairsCharged:
    return words.RepairsCharged(message.seat, message.houses, message.hotels, message.amount)


def put_choice_offered(value: words.ChoiceOffered, message: pb.ChoiceOffered) -> None:
    message.seat = value.seat
    message.deck = value.deck
    message.card = value.card


def get_choice_offered(message: pb.ChoiceOffered) -> words.ChoiceOffered:
    return words.ChoiceOffered(message.seat, message.deck, message.card)


def put_choice_made(value: words.ChoiceMade, message: pb.ChoiceMade) -> None:
    message.seat = value.seat
    message.option = value.option


def get_choice_made(message: pb.ChoiceMade) -> words.ChoiceMade:
    return words.ChoiceMade(message.seat, message.option)


def put_jail_entered(value: words.JailEntered, message: pb.JailEntered) -> None:
    message.seat = value.seat
    message.cause = value.cause


def get_jail_entered(message: pb.JailEntered) -> words.JailEntered:
    return words.JailEntered(message.seat, message.cause)


def put_jail_throw_failed(value: words.JailThrowFailed, message: pb.JailThrowFailed) -> None:
    message.seat = value.seat
    message.tries = value.tries


def get_jail_throw_failed(message: pb.JailThrowFailed) -> words.JailThrowFailed:
    return words.JailThrowFailed(message.seat, message.tries)


def put_jail_left(value: words.JailLeft, message: pb.JailLeft) -> None:
    message.seat = value.seat
    message.exit = value.exit


def get_jail_left(message: pb.JailLeft) -> words.JailLeft:
    return words.JailLeft(message.seat, message.exit)


def put_fine_charged(value: words.FineCharged, message: pb.FineCharged) -> None:
    message.seat = value.seat
    message.amount = value.amount


def get_fine_charged(message: pb.FineCharged) -> words.FineCharged:
    return words.FineCharged(message.seat, message.amount)


def put_move_pending(value: words.MovePending, message: pb.MovePending) -> None:
    message.seat = value.seat
    message.steps = value.steps


def get_move_pending(message: pb.MovePending) -> words.MovePending:
    return words.MovePending(message.seat, message.steps)


def put_debt_incurred(value: words.DebtIncurred, message: pb.DebtIncurred) -> None:
    message.SetInParent()
    put_open_debt(value.debt, message.debt)


def get_debt_incurred(message: pb.DebtIncurred) -> words.DebtIncurred:
    return words.DebtIncurred(get_open_debt(message.debt))


def put_debt_paid(value: words.DebtPaid, message: pb.DebtPaid) -> None:
    message.debtor = value.debtor
    message.creditor = value.creditor
    message.amount = value.amount
    message.reason = value.reason


def get_debt_paid(message: pb.DebtPaid) -> words.DebtPaid:
    return words.DebtPaid(message.debtor, message.creditor, message.amount, message.reason)


def put_debts_assigned(value: words.DebtsAssigned, message: pb.DebtsAssigned) -> None:
    message.from_creditor = value.from_creditor
    message.to_creditor = value.to_creditor


def get_debts_assigned(message: pb.DebtsAssigned) -> words.DebtsAssigned:
    return words.DebtsAssigned(message.from_creditor, message.to_creditor)


def put_buildings_built(value: words.BuildingsBuilt, message: pb.BuildingsBuilt) -> None:
    message.seat = value.seat
    for lot_level in value.levels:
        put_lot_level(lot_level, message.levels.add())
    message.cost = value.cost


def get_buildings_built(message: pb.BuildingsBuilt) -> words.BuildingsBuilt:
    return words.BuildingsBuilt(
        message.seat,
        [get_lot_level(part) for part in message.levels],
        message.cost,
    )


def put_buildings_sold(value: words.BuildingsSold, message: pb.BuildingsSold) -> None:
    message.seat = value.seat
    for lot_level in value.levels:
        put_lot_level(lot_level, message.levels.add())
    message.proceeds = value.proceeds


def get_buildings_sold(message: pb.BuildingsSold) -> words.BuildingsSold:
    return words.BuildingsSold(
        message.seat,
        [get_lot_level(part) for part in message.levels],
        message.proceeds,
    )


def put_lots_mortgaged(value: words.LotsMortgaged, message: pb.LotsMortgaged) -> None:
    message.seat = value.seat
    message.lots.extend(value.lots)
    message.amount = value.amount


def get_lots_mortgaged(message: pb.LotsMortgaged) -> words.LotsMortgaged:
    return words.LotsMortgaged(message.seat, list(message.lots), message.amount)


def put_lots_redeemed(value: words.LotsRedeemed, message: pb.LotsRedeemed) -> None:
    message.seat = value.seat
    message.lots.extend(value.lots)
    message.amount = value.amount


def get_lots_redeemed(message: pb.LotsRedeemed) -> words.LotsRedeemed:
    return words.LotsRedeemed(message.seat, list(message.lots), message.amount)


def put_mortgage_interest_charged(value: words.MortgageInterestCharged, message: pb.MortgageInterestCharged) -> None:
    message.seat = value.seat
    message.lot = value.lot
    message.amount = value.amount


def get_mortgage_interest_charged(message: pb.MortgageInterestCharged) -> words.MortgageInterestCharged:
    return words.MortgageInterestCharged(message.seat, message.lot, message.amount)


def put_offer_made(value: words.OfferMade, message: pb.OfferMade) -> None:
    message.offer = value.offer
    message.from_seat = value.from_seat
    message.to_seat = value.to_seat
    put_terms(value.terms, message.terms)
    message.counter_to = value.counter_to


def get_offer_made(message: pb.OfferMade) -> words.OfferMade:
    return words.OfferMade(
        message.offer,
        message.from_seat,
        message.to_seat,
        get_terms(message.terms),
        message.counter_to,
    )


def put_offer_accepted(value: words.OfferAccepted, message: pb.OfferAccepted) -> None:
    message.offer = value.offer


def get_offer_accepted(message: pb.OfferAccepted) -> words.OfferAccepted:
    return words.OfferAccepted(message.offer)


def put_offer_closed(value: words.OfferClosed, message: pb.OfferClosed) -> None:
    message.offer = value.offer
    message.end = value.end


def get_offer_closed(message: pb.OfferClosed) -> words.OfferClosed:
    return words.OfferClosed(message.offer, message.end)


def put_lot_transferred(value: words.LotTransferred, message: pb.LotTransferred) -> None:
    message.lot = value.lot
    message.from_seat = value.from_seat
    message.to_seat = value.to_seat


def get_lot_transferred(message: pb.LotTransferred) -> words.LotTransferred:
    return words.LotTransferred(message.lot, message.from_seat, message.to_seat)


def put_card_transferred(value: words.CardTransferred, message: pb.CardTransferred) -> None:
    message.deck = value.deck
    message.card = value.card
    message.from_seat = value.from_seat
    message.to_seat = value.to_seat


def get_card_transferred(message: pb.CardTransferred) -> words.CardTransferred:
    return words.CardTransferred(message.deck, message.card, message.from_seat, message.to_seat)


def put_bankruptcy_declared(value: words.BankruptcyDeclared, message: pb.BankruptcyDeclared) -> None:
    message.seat = value.seat
    message.creditor = value.creditor


def get_bankruptcy_declared(message: pb.BankruptcyDeclared) -> words.BankruptcyDeclared:
    return words.BankruptcyDeclared(message.seat, message.creditor)


def put_seat_resigned(value: words.SeatResigned, message: pb.SeatResigned) -> None:
    message.seat = value.seat


def get_seat_resigned(message: pb.SeatResigned) -> words.SeatResigned:
    return words.SeatResigned(message.seat)


def put_seat_eliminated(value: words.SeatEliminated, message: pb.SeatEliminated) -> None:
    message.seat = value.seat


def get_seat_eliminated(message: pb.SeatEliminated) -> words.SeatEliminated:
    return words.SeatEliminated(message.seat)


def put_estate_queued(value: words.EstateQueued, message: pb.EstateQueued) -> None:
    message.SetInParent()
    message.lots.extend(value.lots)


def get_estate_queued(message: pb.EstateQueued) -> words.EstateQueued:
    return words.EstateQueued(list(message.lots))


def put_turn_ended(value: words.TurnEnded, message: pb.TurnEnded) -> None:
    message.seat = value.seat


def get_turn_ended(message: pb.TurnEnded) -> words.TurnEnded:
    return words.TurnEnded(message.seat)


def put_game_ended(value: words.GameEnded, message: pb.GameEnded) -> None:
    message.reason = value.reason
    message.ranking.extend(value.ranking)
    message.scores.extend(value.scores)


def get_game_ended(message: pb.GameEnded) -> words.GameEnded:
    return words.GameEnded(message.reason, list(message.ranking), list(message.scores))


def put_auction_opened(value: words.AuctionOpened, message: pb.AuctionOpened) -> None:
    message.auction = value.auction
    message.lot = value.lot
    message.bidders.extend(value.bidders)
    message.minimum = value.minimum
    message.increment = value.increment


def get_auction_opened(message: pb.AuctionOpened) -> words.AuctionOpened:
    return words.AuctionOpened(
        message.auction,
        message.lot,
        list(message.bidders),
        message.minimum,
        message.increment,
    )


def put_bid_placed(value: words.BidPlaced, message: pb.BidPlaced) -> None:
    message.auction = value.auction
    message.seat = value.seat
    message.amount = value.amount


def get_bid_placed(message: pb.BidPlaced) -> words.BidPlaced:
    return words.BidPlaced(message.auction, message.seat, message.amount)


def put_bidder_passed(value: words.BidderPassed, message: pb.BidderPassed) -> None:
    message.auction = value.auction
    message.seat = value.seat
    message.forced = value.forced


def get_bidder_passed(message: pb.BidderPassed) -> words.BidderPassed:
    return words.BidderPassed(message.auction, message.seat, message.forced)


def put_bidder_dropped(value: words.BidderDropped, message: pb.BidderDropped) -> None:
    message.auction = value.auction
    message.seat = value.seat


def get_bidder_dropped(message: pb.BidderDropped) -> words.BidderDropped:
    return words.BidderDropped(message.auction, message.seat)


def put_auction_closed(value: words.AuctionClosed, message: pb.AuctionClosed) -> None:
    message.auction = value.auction
    message.lot = value.lot
    message.winner = value.winner
    message.price = value.price


def get_auction_closed(message: pb.AuctionClosed) -> words.AuctionClosed:
    return words.AuctionClosed(message.auction, message.lot, message.winner, message.price)


def put_auction_cancelled(value: words.AuctionCancelled, message: pb.AuctionCancelled) -> None:
    message.auction = value.auction


def get_auction_cancelled(message: pb.AuctionCancelled) -> words.AuctionCancelled:
    return words.AuctionCancelled(message.auction)


def put_open_auction(value: words.OpenAuction, message: pb.OpenAuction) -> None:
    message.auction = value.auction
    message.lot = value.lot
    message.bidders.extend(value.bidders)
    message.minimum = value.minimum
    message.increment = value.increment
    message.close_ms = value.close_ms


def get_open_auction(message: pb.OpenAuction) -> words.OpenAuction:
    return words.OpenAuction(
        message.auction,
        message.lot,
        list(message.bidders),
        message.minimum,
        message.increment,
        message.close_ms,
    )


def put_drop_bidder(value: words.DropBidder, message: pb.DropBidder) -> None:
    message.auction = value.auction
    message.seat = value.seat


def get_drop_bidder(message: pb.DropBidder) -> words.DropBidder:
    return words.DropBidder(message.auction, message.seat)


def put_cancel_auction(value: words.CancelAuction, message: pb.CancelAuction) -> None:
    message.auction = value.auction


def get_cancel_auction(message: pb.CancelAuction) -> words.CancelAuction:
    return words.CancelAuction(message.auction)


def put_auction_outcome(value: words.AuctionOutcome, message: pb.AuctionOutcome) -> None:
    message.auction = value.auction
    message.lot = value.lot
    message.winner = value.winner
    message.price = value.price
    message.hold_id = value.hold_id


def get_auction_outcome(message: pb.AuctionOutcome) -> words.AuctionOutcome:
    return words.AuctionOutcome(
        message.auction,
        message.lot,
        message.winner,
        message.price,
        message.hold_id,
    )


_PUT_COMMAND: Final[dict[type[words.Command], Callable[[Any, pb.Command], None]]] = {
    words.Roll: lambda value, message: put_roll(value, message.roll),
    words.BuyLot: lambda value, message: put_buy_lot(value, message.buy_lot),
    words.DeclineLot: lambda value, message: put_decline_lot(value, message.decline_lot),
    words.PlaceBid: lambda value, message: put_place_bid(value, message.place_bid),
    words.PassAuction: lambda value, message: put_pass_auction(value, message.pass_auction),
    words.Build: lambda value, message: put_build(value, message.build),
    words.SellBuildings: lambda value, message: put_sell_buildings(value, message.sell_buildings),
    words.MortgageLots: lambda value, message: put_mortgage_lots(value, message.mortgage_lots),
    words.RedeemLots: lambda value, message: put_redeem_lots(value, message.redeem_lots),
    words.OfferTrade: lambda value, message: put_offer_trade(value, message.offer_trade),
    words.CounterOffer: lambda value, message: put_counter_offer(value, message.counter_offer),
    words.AcceptOffer: lambda value, message: put_accept_offer(value, message.accept_offer),
    words.RejectOffer: lambda value, message: put_reject_offer(value, message.reject_offer),
    words.WithdrawOffer: lambda value, message: put_withdraw_offer(value, message.withdraw_offer),
    words.PayFine: lambda value, message: put_pay_fine(value, message.pay_fine),
    words.UseJailCard: lambda value, message: put_use_jail_card(value, message.use_jail_card),
    words.ChooseOption: lambda value, message: put_choose_option(value, message.choose_option),
    words.PayDebt: lambda value, message: put_pay_debt(value, message.pay_debt),
    words.DeclareBankruptcy: lambda value, message: put_declare_bankruptcy(value, message.declare_bankruptcy),
    words.Resign: lambda value, message: put_resign(value, message.resign),
    words.EndTurn: lambda value, message: put_end_turn(value, message.end_turn),
}

_GET_COMMAND: Final[dict[str, Callable[[pb.Command], words.Command]]] = {
    "roll": lambda message: get_roll(message.roll),
    "buy_lot": lambda message: get_buy_lot(message.buy_lot),
    "decline_lot": lambda message: get_decline_lot(message.decline_lot),
    "place_bid": lambda message: get_place_bid(message.place_bid),
    "pass_auction": lambda message: get_pass_auction(message.pass_auction),
    "build": lambda message: get_build(message.build),
    "sell_buildings": lambda message: get_sell_buildings(message.sell_buildings),
    "mortgage_lots": lambda message: get_mortgage_lots(message.mortgage_lots),
    "redeem_lots": lambda message: get_redeem_lots(message.redeem_lots),
    "offer_trade": lambda message: get_offer_trade(message.offer_trade),
    "counter_offer": lambda message: get_counter_offer(message.counter_offer),
    "accept_offer": lambda message: get_accept_offer(message.accept_offer),
    "reject_offer": lambda message: get_reject_offer(message.reject_offer),
    "withdraw_offer": lambda message: get_withdraw_offer(message.withdraw_offer),
    "pay_fine": lambda message: get_pay_fine(message.pay_fine),
    "use_jail_card": lambda message: get_use_jail_card(message.use_jail_card),
    "choose_option": lambda message: get_choose_option(message.choose_option),
    "pay_debt": lambda message: get_pay_debt(message.pay_debt),
    "declare_bankruptcy": lambda message: get_declare_bankruptcy(message.declare_bankruptcy),
    "resign": lambda message: get_resign(message.resign),
    "end_turn": lambda message: get_end_turn(message.end_turn),
}


def encode_command(command: words.Command, message: pb.Command) -> None:
    """Store a command in an empty message."""
    _PUT_COMMAND[type(command)](command, message)


def decode_command(message: pb.Command) -> words.Command:
    """Read a command; raise `UnknownKindError` when this build has no word for it."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise UnknownKindError("Command")
    return _GET_COMMAND[kind](message)


_PUT_EVENT: Final[dict[type[words.Event], Callable[[Any, pb.Event], None]]] = {
    words.GameStarted: lambda value, message: put_game_started(value, message.game_started),
    words.PositionGiven: lambda value, message: put_position_given(value, message.position_given),
    words.TurnStarted: lambda value, message: put_turn_started(value, message.turn_started),
    words.PhaseEntered: lambda value, message: put_phase_entered(value, message.phase_entered),
    words.DiceThrown: lambda value, message: put_dice_thrown(value, message.dice_thrown),
    words.ExtraRollGranted: lambda value, message: put_extra_roll_granted(value, message.extra_roll_granted),
    words.TokenMoved: lambda value, message: put_token_moved(value, message.token_moved),
    words.SalaryEarned: lambda value, message: put_salary_earned(value, message.salary_earned),
    words.LotOffered: lambda value, message: put_lot_offered(value, message.lot_offered),
    words.LotBought: lambda value, message: put_lot_bought(value, message.lot_bought),
    words.LotDeclined: lambda value, message: put_lot_declined(value, message.lot_declined),
    words.LotPutUp: lambda value, message: put_lot_put_up(value, message.lot_put_up),
    words.LotAuctioned: lambda value, message: put_lot_auctioned(value, message.lot_auctioned),
    words.LotUnsold: lambda value, message: put_lot_unsold(value, message.lot_unsold),
    words.RentCharged: lambda value, message: put_rent_charged(value, message.rent_charged),
    words.TaxCharged: lambda value, message: put_tax_charged(value, message.tax_charged),
    words.CardDrawn: lambda value, message: put_card_drawn(value, message.card_drawn),
    words.CardKept: lambda value, message: put_card_kept(value, message.card_kept),
    words.CardReturned: lambda value, message: put_card_returned(value, message.card_returned),
    words.CardCharged: lambda value, message: put_card_charged(value, message.card_charged),
    words.RepairsCharged: lambda value, message: put_repairs_charged(value, message.repairs_charged),
    words.ChoiceOffered: lambda value, message: put_choice_offered(value, message.choice_offered),
    words.ChoiceMade: lambda value, message: put_choice_made(value, message.choice_made),
    words.JailEntered: lambda value, message: put_jail_entered(value, message.jail_entered),
    words.JailThrowFailed: lambda value, message: put_jail_throw_failed(value, message.jail_throw_failed),
    words.JailLeft: lambda value, message: put_jail_left(value, message.jail_left),
    words.FineCharged: lambda value, message: put_fine_charged(value, message.fine_charged),
    words.MovePending: lambda value, message: put_move_pending(value, message.move_pending),
    words.DebtIncurred: lambda value, message: put_debt_incurred(value, message.debt_incurred),
    words.DebtPaid: lambda value, message: put_debt_paid(value, message.debt_paid),
    words.DebtsAssigned: lambda value, message: put_debts_assigned(value, message.debts_assigned),
    words.BuildingsBuilt: lambda value, message: put_buildings_built(value, message.buildings_built),
    words.BuildingsSold: lambda value, message: put_buildings_sold(value, message.buildings_sold),
    words.LotsMortgaged: lambda value, message: put_lots_mortgaged(value, message.lots_mortgaged),
    words.LotsRedeemed: lambda value, message: put_lots_redeemed(value, message.lots_redeemed),
    words.MortgageInterestCharged: lambda value, message: put_mortgage_interest_charged(value, message.mortgage_interest_charged),
    words.OfferMade: lambda value, message: put_offer_made(value, message.offer_made),
    words.OfferAccepted: lambda value, message: put_offer_accepted(value, message.offer_accepted),
    words.OfferClosed: lambda value, message: put_offer_closed(value, message.offer_closed),
    words.LotTransferred: lambda value, message: put_lot_transferred(value, message.lot_transferred),
    words.CardTransferred: lambda value, message: put_card_transferred(value, message.card_transferred),
    words.BankruptcyDeclared: lambda value, message: put_bankruptcy_declared(value, message.bankruptcy_declared),
    words.SeatResigned: lambda value, message: put_seat_resigned(value, message.seat_resigned),
    words.SeatEliminated: lambda value, message: put_seat_eliminated(value, message.seat_eliminated),
    words.EstateQueued: lambda value, message: put_estate_queued(value, message.estate_queued),
    words.TurnEnded: lambda value, message: put_turn_ended(value, message.turn_ended),
    words.GameEnded: lambda value, message: put_game_ended(value, message.game_ended),
}

_GET_EVENT: Final[dict[str, Callable[[pb.Event], words.Event]]] = {
    "game_started": lambda message: get_game_started(message.game_started),
    "position_given": lambda message: get_position_given(message.position_given),
    "turn_started": lambda message: get_turn_started(message.turn_started),
    "phase_entered": lambda message: get_phase_entered(message.phase_entered),
    "dice_thrown": lambda message: get_dice_thrown(message.dice_thrown),
    "extra_roll_granted": lambda message: get_extra_roll_granted(message.extra_roll_granted),
    "token_moved": lambda message: get_token_moved(message.token_moved),
    "salary_earned": lambda message: get_salary_earned(message.salary_earned),
    "lot_offered": lambda message: get_lot_offered(message.lot_offered),
    "lot_bought": lambda message: get_lot_bought(message.lot_bought),
    "lot_declined": lambda message: get_lot_declined(message.lot_declined),
    "lot_put_up": lambda message: get_lot_put_up(message.lot_put_up),
    "lot_auctioned": lambda message: get_lot_auctioned(message.lot_auctioned),
    "lot_unsold": lambda message: get_lot_unsold(message.lot_unsold),
    "rent_charged": lambda message: get_rent_charged(message.rent_charged),
    "tax_charged": lambda message: get_tax_charged(message.tax_charged),
    "card_drawn": lambda message: get_card_drawn(message.card_drawn),
    "card_kept": lambda message: get_card_kept(message.card_kept),
    "card_returned": lambda message: get_card_returned(message.card_returned),
    "card_charged": lambda message: get_card_charged(message.card_charged),
    "repairs_charged": lambda message: get_repairs_charged(message.repairs_charged),
    "choice_offered": lambda message: get_choice_offered(message.choice_offered),
    "choice_made": lambda message: get_choice_made(message.choice_made),
    "jail_entered": lambda message: get_jail_entered(message.jail_entered),
    "jail_throw_failed": lambda message: get_jail_throw_failed(message.jail_throw_failed),
    "jail_left": lambda message: get_jail_left(message.jail_left),
    "fine_charged": lambda message: get_fine_charged(message.fine_charged),
    "move_pending": lambda message: get_move_pending(message.move_pending),
    "debt_incurred": lambda message: get_debt_incurred(message.debt_incurred),
    "debt_paid": lambda message: get_debt_paid(message.debt_paid),
    "debts_assigned": lambda message: get_debts_assigned(message.debts_assigned),
    "buildings_built": lambda message: get_buildings_built(message.buildings_built),
    "buildings_sold": lambda message: get_buildings_sold(message.buildings_sold),
    "lots_mortgaged": lambda message: get_lots_mortgaged(message.lots_mortgaged),
    "lots_redeemed": lambda message: get_lots_redeemed(message.lots_redeemed),
    "mortgage_interest_charged": lambda message: get_mortgage_interest_charged(message.mortgage_interest_charged),
    "offer_made": lambda message: get_offer_made(message.offer_made),
    "offer_accepted": lambda message: get_offer_accepted(message.offer_accepted),
    "offer_closed": lambda message: get_offer_closed(message.offer_closed),
    "lot_transferred": lambda message: get_lot_transferred(message.lot_transferred),
    "card_transferred": lambda message: get_card_transferred(message.card_transferred),
    "bankruptcy_declared": lambda message: get_bankruptcy_declared(message.bankruptcy_declared),
    "seat_resigned": lambda message: get_seat_resigned(message.seat_resigned),
    "seat_eliminated": lambda message: get_seat_eliminated(message.seat_eliminated),
    "estate_queued": lambda message: get_estate_queued(message.estate_queued),
    "turn_ended": lambda message: get_turn_ended(message.turn_ended),
    "game_ended": lambda message: get_game_ended(message.game_ended),
}


def encode_event(event: words.Event, message: pb.Event) -> None:
    """Store an event in an empty message."""
    _PUT_EVENT[type(event)](event, message)


def decode_event(message: pb.Event) -> words.Event:
    """Read an event; raise `UnknownKindError` when this build has no word for it."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise UnknownKindError("Event")
    return _GET_EVENT[kind](message)


_PUT_AUCTION_EVENT: Final[dict[type[words.AuctionEvent], Callable[[Any, pb.AuctionEvent], None]]] = {
    words.AuctionOpened: lambda value, message: put_auction_opened(value, message.auction_opened),
    words.BidPlaced: lambda value, message: put_bid_placed(value, message.bid_placed),
    words.BidderPassed: lambda value, message: put_bidder_passed(value, message.bidder_passed),
    words.BidderDropped: lambda value, message: put_bidder_dropped(value, message.bidder_dropped),
    words.AuctionClosed: lambda value, message: put_auction_closed(value, message.auction_closed),
    words.AuctionCancelled: lambda value, message: put_auction_cancelled(value, message.auction_cancelled),
}

_GET_AUCTION_EVENT: Final[dict[str, Callable[[pb.AuctionEvent], words.AuctionEvent]]] = {
    "auction_opened": lambda message: get_auction_opened(message.auction_opened),
    "bid_placed": lambda message: get_bid_placed(message.bid_placed),
    "bidder_passed": lambda message: get_bidder_passed(message.bidder_passed),
    "bidder_dropped": lambda message: get_bidder_dropped(message.bidder_dropped),
    "auction_closed": lambda message: get_auction_closed(message.auction_closed),
    "auction_cancelled": lambda message: get_auction_cancelled(message.auction_cancelled),
}


def encode_auction_event(auction_event: words.AuctionEvent, message: pb.AuctionEvent) -> None:
    """Store an auction event in an empty message."""
    _PUT_AUCTION_EVENT[type(auction_event)](auction_event, message)


def decode_auction_event(message: pb.AuctionEvent) -> words.AuctionEvent:
    """Read an auction event; raise `UnknownKindError` when this build has no word for it."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise UnknownKindError("AuctionEvent")
    return _GET_AUCTION_EVENT[kind](message)


_PUT_ASK: Final[dict[type[words.Ask], Callable[[Any, pb.Ask], None]]] = {
    words.OpenAuction: lambda value, message: put_open_auction(value, message.open_auction),
    words.DropBidder: lambda value, message: put_drop_bidder(value, message.drop_bidder),
    words.CancelAuction: lambda value, message: put_cancel_auction(value, message.cancel_auction),
}

_GET_ASK: Final[dict[str, Callable[[pb.Ask], words.Ask]]] = {
    "open_auction": lambda message: get_open_auction(message.open_auction),
    "drop_bidder": lambda message: get_drop_bidder(message.drop_bidder),
    "cancel_auction": lambda message: get_cancel_auction(message.cancel_auction),
}


def encode_ask(ask: words.Ask, message: pb.Ask) -> None:
    """Store an ask in an empty message."""
    _PUT_ASK[type(ask)](ask, message)


def decode_ask(message: pb.Ask) -> words.Ask:
    """Read an ask; raise `UnknownKindError` when this build has no word for it."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise UnknownKindError("Ask")
    return _GET_ASK[kind](message)
