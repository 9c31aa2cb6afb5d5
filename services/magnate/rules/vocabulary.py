"""The words of the game, generated from protos/magnate/rules/v1/vocabulary.proto by `make proto`. Do not edit.

Plain slotted classes without protobuf, so that the rules stay pure and mypyc can compile them.
Arguments are positional, in the proto's order. Two values are equal when all their fields are.
"""

from __future__ import annotations

from typing import ClassVar, Final

# What the game waits for.
PHASE_UNSPECIFIED: Final = 0
# The seat on turn must throw the dice.
PHASE_ROLL: Final = 1
# The seat on turn is in jail: throw, pay the fine or use a card.
PHASE_JAIL: Final = 2
# The seat on turn may buy the lot it stands on, or decline it.
PHASE_BUY: Final = 3
# A lot is under the hammer.
PHASE_AUCTION: Final = 4
# Somebody owes more than he has: he may sell, mortgage, trade, or go bankrupt.
PHASE_DEBT: Final = 5
# The seat on turn has thrown and nothing is pending: manage, then end the turn.
PHASE_ACT: Final = 6
# A card asks the seat on turn to choose.
PHASE_CHOICE: Final = 7
# The game is over.
PHASE_OVER: Final = 8
PHASE_NAMES: Final[tuple[str, ...]] = (
    "UNSPECIFIED",
    "ROLL",
    "JAIL",
    "BUY",
    "AUCTION",
    "DEBT",
    "ACT",
    "CHOICE",
    "OVER",
)

# Why dice were thrown.
DICE_PURPOSE_UNSPECIFIED: Final = 0
DICE_PURPOSE_ORDER: Final = 1
DICE_PURPOSE_MOVE: Final = 2
DICE_PURPOSE_JAIL: Final = 3
# A new throw that only sets a utility's rent; it moves nobody and is no double.
DICE_PURPOSE_UTILITY: Final = 4
DICE_PURPOSE_NAMES: Final[tuple[str, ...]] = ("UNSPECIFIED", "ORDER", "MOVE", "JAIL", "UTILITY")

# What moved a token.
MOVE_CAUSE_UNSPECIFIED: Final = 0
MOVE_CAUSE_DICE: Final = 1
MOVE_CAUSE_CARD: Final = 2
MOVE_CAUSE_CARD_BACK: Final = 3
MOVE_CAUSE_NAMES: Final[tuple[str, ...]] = ("UNSPECIFIED", "DICE", "CARD", "CARD_BACK")

# What sent a seat to jail.
JAIL_CAUSE_UNSPECIFIED: Final = 0
JAIL_CAUSE_SQUARE: Final = 1
JAIL_CAUSE_CARD: Final = 2
JAIL_CAUSE_DOUBLES: Final = 3
JAIL_CAUSE_NAMES: Final[tuple[str, ...]] = ("UNSPECIFIED", "SQUARE", "CARD", "DOUBLES")

# How a seat left jail.
JAIL_EXIT_UNSPECIFIED: Final = 0
JAIL_EXIT_FINE: Final = 1
JAIL_EXIT_CARD: Final = 2
JAIL_EXIT_DOUBLE: Final = 3
# After the last failed throw: the fine is due and the throw moves.
JAIL_EXIT_LAST_TRY: Final = 4
JAIL_EXIT_NAMES: Final[tuple[str, ...]] = ("UNSPECIFIED", "FINE", "CARD", "DOUBLE", "LAST_TRY")

# Why money moves; the reason of a ledger entry.
TRANSFER_REASON_UNSPECIFIED: Final = 0
TRANSFER_REASON_START_MONEY: Final = 1
TRANSFER_REASON_SALARY: Final = 2
TRANSFER_REASON_PURCHASE: Final = 3
TRANSFER_REASON_RENT: Final = 4
TRANSFER_REASON_TAX: Final = 5
TRANSFER_REASON_CARD: Final = 6
TRANSFER_REASON_JAIL_FINE: Final = 7
TRANSFER_REASON_BUILDING: Final = 8
TRANSFER_REASON_BUILDING_SALE: Final = 9
TRANSFER_REASON_MORTGAGE: Final = 10
TRANSFER_REASON_REDEMPTION: Final = 11
TRANSFER_REASON_MORTGAGE_INTEREST: Final = 12
TRANSFER_REASON_TRADE: Final = 13
TRANSFER_REASON_AUCTION: Final = 14
TRANSFER_REASON_BANKRUPTCY: Final = 15
# The position a sandbox table starts from.
TRANSFER_REASON_POSITION: Final = 16
TRANSFER_REASON_NAMES: Final[tuple[str, ...]] = (
    "UNSPECIFIED",
    "START_MONEY",
    "SALARY",
    "PURCHASE",
    "RENT",
    "TAX",
    "CARD",
    "JAIL_FINE",
    "BUILDING",
    "BUILDING_SALE",
    "MORTGAGE",
    "REDEMPTION",
    "MORTGAGE_INTEREST",
    "TRADE",
    "AUCTION",
    "BANKRUPTCY",
    "POSITION",
)

# Why an offer ended without being accepted or rejected.
OFFER_END_UNSPECIFIED: Final = 0
OFFER_END_WITHDRAWN: Final = 1
OFFER_END_REJECTED: Final = 2
# Something it promises changed hands or state.
OFFER_END_STALE: Final = 3
# A counter-offer took its place.
OFFER_END_COUNTERED: Final = 4
OFFER_END_SEAT_OUT: Final = 5
OFFER_END_NAMES: Final[tuple[str, ...]] = (
    "UNSPECIFIED",
    "WITHDRAWN",
    "REJECTED",
    "STALE",
    "COUNTERED",
    "SEAT_OUT",
)

# Why a game ended.
END_REASON_UNSPECIFIED: Final = 0
END_REASON_LAST_PLAYER: Final = 1
END_REASON_TURN_CAP: Final = 2
END_REASON_ABANDONED: Final = 3
END_REASON_NAMES: Final[tuple[str, ...]] = ("UNSPECIFIED", "LAST_PLAYER", "TURN_CAP", "ABANDONED")


class Command:
    """What a seat may try."""

    __slots__ = ()


class Event:
    """What became of a command."""

    __slots__ = ()


class AuctionEvent:
    """What happened in an auction."""

    __slots__ = ()


class Ask:
    """What the rules ask of an auction."""

    __slots__ = ()


class LotLevel:
    """A lot and the building level wanted on it: 0 bare, 1, 2 … houses, one more than the last house is the
    hotel.
    """

    __slots__ = ("lot", "level")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "level")

    def __init__(self, lot: int, level: int) -> None:
        self.lot = lot
        self.level = level

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LotLevel) and self.lot == other.lot and self.level == other.level

    def __repr__(self) -> str:
        return f"LotLevel(lot={self.lot!r}, level={self.level!r})"


class Card:
    """A card by deck and place in the deck's list."""

    __slots__ = ("deck", "card")
    FIELDS: ClassVar[tuple[str, ...]] = ("deck", "card")

    def __init__(self, deck: int, card: int) -> None:
        self.deck = deck
        self.card = card

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and self.deck == other.deck and self.card == other.card

    def __repr__(self) -> str:
        return f"Card(deck={self.deck!r}, card={self.card!r})"


class Terms:
    """One side gives, the other takes. All lists may be empty, not all at once.

    Attributes:
        settles_debt: So much of the rent that one of the two owes the other is settled by the acceptance
            (paying in kind).
    """

    __slots__ = (
        "give_cash",
        "give_lots",
        "give_cards",
        "take_cash",
        "take_lots",
        "take_cards",
        "settles_debt",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "give_cash",
        "give_lots",
        "give_cards",
        "take_cash",
        "take_lots",
        "take_cards",
        "settles_debt",
    )

    def __init__(
        self,
        give_cash: int,
        give_lots: list[int],
        give_cards: list[Card],
        take_cash: int,
        take_lots: list[int],
        take_cards: list[Card],
        settles_debt: int,
    ) -> None:
        self.give_cash = give_cash
        self.give_lots = give_lots
        self.give_cards = give_cards
        self.take_cash = take_cash
        self.take_lots = take_lots
        self.take_cards = take_cards
        self.settles_debt = settles_debt

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Terms)
            and self.give_cash == other.give_cash
            and self.give_lots == other.give_lots
            and self.give_cards == other.give_cards
            and self.take_cash == other.take_cash
            and self.take_lots == other.take_lots
            and self.take_cards == other.take_cards
            and self.settles_debt == other.settles_debt
        )

    def __repr__(self) -> str:
        return (
            f"Terms("
            f"give_cash={self.give_cash!r}, "
            f"give_lots={self.give_lots!r}, "
            f"give_cards={self.give_cards!r}, "
            f"take_cash={self.take_cash!r}, "
            f"take_lots={self.take_lots!r}, "
            f"take_cards={self.take_cards!r}, "
            f"settles_debt={self.settles_debt!r})"
        )


class Roll(Command):
    """Throw the dice: on one's turn to move, in jail to try for a double."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Roll)

    def __repr__(self) -> str:
        return "Roll()"


class BuyLot(Command):
    """Buy the lot one stands on at its price."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BuyLot)

    def __repr__(self) -> str:
        return "BuyLot()"


class DeclineLot(Command):
    """Do not buy it: it goes to auction."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeclineLot)

    def __repr__(self) -> str:
        return "DeclineLot()"


class PlaceBid(Command):
    """Bid in the running auction. Handled by the auction service."""

    __slots__ = ("lot", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "amount")

    def __init__(self, lot: int, amount: int) -> None:
        self.lot = lot
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlaceBid) and self.lot == other.lot and self.amount == other.amount

    def __repr__(self) -> str:
        return f"PlaceBid(lot={self.lot!r}, amount={self.amount!r})"


class PassAuction(Command):
    """Bid no more in the running auction. Handled by the auction service."""

    __slots__ = ("lot",)
    FIELDS: ClassVar[tuple[str, ...]] = ("lot",)

    def __init__(self, lot: int) -> None:
        self.lot = lot

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PassAuction) and self.lot == other.lot

    def __repr__(self) -> str:
        return f"PassAuction(lot={self.lot!r})"


class Build(Command):
    """Build up to the target levels, all or nothing."""

    __slots__ = ("targets",)
    FIELDS: ClassVar[tuple[str, ...]] = ("targets",)

    def __init__(self, targets: list[LotLevel]) -> None:
        self.targets = targets

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Build) and self.targets == other.targets

    def __repr__(self) -> str:
        return f"Build(targets={self.targets!r})"


class SellBuildings(Command):
    """Sell buildings down to the target levels, all or nothing."""

    __slots__ = ("targets",)
    FIELDS: ClassVar[tuple[str, ...]] = ("targets",)

    def __init__(self, targets: list[LotLevel]) -> None:
        self.targets = targets

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SellBuildings) and self.targets == other.targets

    def __repr__(self) -> str:
        return f"SellBuildings(targets={self.targets!r})"


class MortgageLots(Command):
    """Mortgage lots, all or nothing."""

    __slots__ = ("lots",)
    FIELDS: ClassVar[tuple[str, ...]] = ("lots",)

    def __init__(self, lots: list[int]) -> None:
        self.lots = lots

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MortgageLots) and self.lots == other.lots

    def __repr__(self) -> str:
        return f"MortgageLots(lots={self.lots!r})"


class RedeemLots(Command):
    """Redeem mortgaged lots, all or nothing."""

    __slots__ = ("lots",)
    FIELDS: ClassVar[tuple[str, ...]] = ("lots",)

    def __init__(self, lots: list[int]) -> None:
        self.lots = lots

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RedeemLots) and self.lots == other.lots

    def __repr__(self) -> str:
        return f"RedeemLots(lots={self.lots!r})"


class OfferTrade(Command):
    """Offer a deal to another seat."""

    __slots__ = ("to_seat", "terms")
    FIELDS: ClassVar[tuple[str, ...]] = ("to_seat", "terms")

    def __init__(self, to_seat: int, terms: Terms) -> None:
        self.to_seat = to_seat
        self.terms = terms

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OfferTrade) and self.to_seat == other.to_seat and self.terms == other.terms

    def __repr__(self) -> str:
        return f"OfferTrade(to_seat={self.to_seat!r}, terms={self.terms!r})"


class CounterOffer(Command):
    """Answer an offer with another one; the terms are seen from the seat that sends the command."""

    __slots__ = ("offer", "terms")
    FIELDS: ClassVar[tuple[str, ...]] = ("offer", "terms")

    def __init__(self, offer: int, terms: Terms) -> None:
        self.offer = offer
        self.terms = terms

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CounterOffer) and self.offer == other.offer and self.terms == other.terms

    def __repr__(self) -> str:
        return f"CounterOffer(offer={self.offer!r}, terms={self.terms!r})"


class AcceptOffer(Command):
    """Accept an offer; received mortgaged lots named in `redeem_lots` are redeemed in the same command."""

    __slots__ = ("offer", "redeem_lots")
    FIELDS: ClassVar[tuple[str, ...]] = ("offer", "redeem_lots")

    def __init__(self, offer: int, redeem_lots: list[int]) -> None:
        self.offer = offer
        self.redeem_lots = redeem_lots

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AcceptOffer)
            and self.offer == other.offer
            and self.redeem_lots == other.redeem_lots
        )

    def __repr__(self) -> str:
        return f"AcceptOffer(offer={self.offer!r}, redeem_lots={self.redeem_lots!r})"


class RejectOffer(Command):
    """Refuse an offer."""

    __slots__ = ("offer",)
    FIELDS: ClassVar[tuple[str, ...]] = ("offer",)

    def __init__(self, offer: int) -> None:
        self.offer = offer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RejectOffer) and self.offer == other.offer

    def __repr__(self) -> str:
        return f"RejectOffer(offer={self.offer!r})"


class WithdrawOffer(Command):
    """Take back one's own offer."""

    __slots__ = ("offer",)
    FIELDS: ClassVar[tuple[str, ...]] = ("offer",)

    def __init__(self, offer: int) -> None:
        self.offer = offer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WithdrawOffer) and self.offer == other.offer

    def __repr__(self) -> str:
        return f"WithdrawOffer(offer={self.offer!r})"


class PayFine(Command):
    """Pay the fine before throwing."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PayFine)

    def __repr__(self) -> str:
        return "PayFine()"


class UseJailCard(Command):
    """Use a kept card to leave jail."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UseJailCard)

    def __repr__(self) -> str:
        return "UseJailCard()"


class ChooseOption(Command):
    """Choose an option of the card that asks."""

    __slots__ = ("option",)
    FIELDS: ClassVar[tuple[str, ...]] = ("option",)

    def __init__(self, option: int) -> None:
        self.option = option

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChooseOption) and self.option == other.option

    def __repr__(self) -> str:
        return f"ChooseOption(option={self.option!r})"


class PayDebt(Command):
    """Pay what one owes (needed where payments are asked for)."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PayDebt)

    def __repr__(self) -> str:
        return "PayDebt()"


class DeclareBankruptcy(Command):
    """Give up because the debt cannot be paid."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeclareBankruptcy)

    def __repr__(self) -> str:
        return "DeclareBankruptcy()"


class Resign(Command):
    """Leave the game for good."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resign)

    def __repr__(self) -> str:
        return "Resign()"


class EndTurn(Command):
    """End one's turn."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EndTurn)

    def __repr__(self) -> str:
        return "EndTurn()"


class GameStarted(Event):
    """The game begins: seats in turn order, and the seat that has the first turn."""

    __slots__ = ("order", "first_seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("order", "first_seat")

    def __init__(self, order: list[int], first_seat: int) -> None:
        self.order = order
        self.first_seat = first_seat

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, GameStarted)
            and self.order == other.order
            and self.first_seat == other.first_seat
        )

    def __repr__(self) -> str:
        return f"GameStarted(order={self.order!r}, first_seat={self.first_seat!r})"


class HeldCard:
    """A kept card and the seat that holds it."""

    __slots__ = ("seat", "deck", "card")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "deck", "card")

    def __init__(self, seat: int, deck: int, card: int) -> None:
        self.seat = seat
        self.deck = deck
        self.card = card

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, HeldCard)
            and self.seat == other.seat
            and self.deck == other.deck
            and self.card == other.card
        )

    def __repr__(self) -> str:
        return f"HeldCard(seat={self.seat!r}, deck={self.deck!r}, card={self.card!r})"


class OpenDebt:
    """A debt that waits to be paid.

    Attributes:
        lot: The lot it is owed for, or -1.
    """

    __slots__ = ("debtor", "creditor", "amount", "reason", "lot")
    FIELDS: ClassVar[tuple[str, ...]] = ("debtor", "creditor", "amount", "reason", "lot")

    def __init__(self, debtor: int, creditor: int, amount: int, reason: int, lot: int) -> None:
        self.debtor = debtor
        self.creditor = creditor
        self.amount = amount
        self.reason = reason
        self.lot = lot

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OpenDebt)
            and self.debtor == other.debtor
            and self.creditor == other.creditor
            and self.amount == other.amount
            and self.reason == other.reason
            and self.lot == other.lot
        )

    def __repr__(self) -> str:
        return (
            f"OpenDebt("
            f"debtor={self.debtor!r}, "
            f"creditor={self.creditor!r}, "
            f"amount={self.amount!r}, "
            f"reason={self.reason!r}, "
            f"lot={self.lot!r})"
        )


class PositionGiven(Event):
    """A sandbox table starts from a chosen position instead (lists are indexed by seat, or by square).

    Attributes:
        owner: By square: -1 the bank's.
        offered_lot: The lot that is offered in phase BUY; -1 none.
    """

    __slots__ = (
        "turn_seat",
        "phase",
        "round",
        "doubles",
        "at",
        "jailed",
        "jail_tries",
        "out",
        "owner",
        "level",
        "mortgaged",
        "houses",
        "hotels",
        "cards",
        "debts",
        "offered_lot",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "turn_seat",
        "phase",
        "round",
        "doubles",
        "at",
        "jailed",
        "jail_tries",
        "out",
        "owner",
        "level",
        "mortgaged",
        "houses",
        "hotels",
        "cards",
        "debts",
        "offered_lot",
    )

    def __init__(
        self,
        turn_seat: int,
        phase: int,
        round: int,
        doubles: int,
        at: list[int],
        jailed: list[int],
        jail_tries: list[int],
        out: list[int],
        owner: list[int],
        level: list[int],
        mortgaged: list[int],
        houses: int,
        hotels: int,
        cards: list[HeldCard],
        debts: list[OpenDebt],
        offered_lot: int,
    ) -> None:
        self.turn_seat = turn_seat
        self.phase = phase
        self.round = round
        self.doubles = doubles
        self.at = at
        self.jailed = jailed
        self.jail_tries = jail_tries
        self.out = out
        self.owner = owner
        self.level = level
        self.mortgaged = mortgaged
        self.houses = houses
        self.hotels = hotels
        self.cards = cards
        self.debts = debts
        self.offered_lot = offered_lot

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PositionGiven)
            and self.turn_seat == other.turn_seat
            and self.phase == other.phase
            and self.round == other.round
            and self.doubles == other.doubles
            and self.at == other.at
            and self.jailed == other.jailed
            and self.jail_tries == other.jail_tries
            and self.out == other.out
            and self.owner == other.owner
            and self.level == other.level
            and self.mortgaged == other.mortgaged
            and self.houses == other.houses
            and self.hotels == other.hotels
            and self.cards == other.cards
            and self.debts == other.debts
            and self.offered_lot == other.offered_lot
        )

    def __repr__(self) -> str:
        return (
            f"PositionGiven("
            f"turn_seat={self.turn_seat!r}, "
            f"phase={self.phase!r}, "
            f"round={self.round!r}, "
            f"doubles={self.doubles!r}, "
            f"at={self.at!r}, "
            f"jailed={self.jailed!r}, "
            f"jail_tries={self.jail_tries!r}, "
            f"out={self.out!r}, "
            f"owner={self.owner!r}, "
            f"level={self.level!r}, "
            f"mortgaged={self.mortgaged!r}, "
            f"houses={self.houses!r}, "
            f"hotels={self.hotels!r}, "
            f"cards={self.cards!r}, "
            f"debts={self.debts!r}, "
            f"offered_lot={self.offered_lot!r})"
        )


class TurnStarted(Event):
    """A seat's turn begins. `turn` counts from 1 over the whole game, `round` over rounds of all seats."""

    __slots__ = ("seat", "turn", "round")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "turn", "round")

    def __init__(self, seat: int, turn: int, round: int) -> None:
        self.seat = seat
        self.turn = turn
        self.round = round

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TurnStarted)
            and self.seat == other.seat
            and self.turn == other.turn
            and self.round == other.round
        )

    def __repr__(self) -> str:
        return f"TurnStarted(seat={self.seat!r}, turn={self.turn!r}, round={self.round!r})"


class PhaseEntered(Event):
    """The game waits for something else than before."""

    __slots__ = ("phase",)
    FIELDS: ClassVar[tuple[str, ...]] = ("phase",)

    def __init__(self, phase: int) -> None:
        self.phase = phase

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PhaseEntered) and self.phase == other.phase

    def __repr__(self) -> str:
        return f"PhaseEntered(phase={self.phase!r})"


class DiceThrown(Event):
    """Two dice fell. `draw` numbers the draws of chance of this game, for `verify`."""

    __slots__ = ("seat", "first", "second", "purpose", "draw")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "first", "second", "purpose", "draw")

    def __init__(self, seat: int, first: int, second: int, purpose: int, draw: int) -> None:
        self.seat = seat
        self.first = first
        self.second = second
        self.purpose = purpose
        self.draw = draw

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DiceThrown)
            and self.seat == other.seat
            and self.first == other.first
            and self.second == other.second
            and self.purpose == other.purpose
            and self.draw == other.draw
        )

    def __repr__(self) -> str:
        return (
            f"DiceThrown("
            f"seat={self.seat!r}, "
            f"first={self.first!r}, "
            f"second={self.second!r}, "
            f"purpose={self.purpose!r}, "
            f"draw={self.draw!r})"
        )


class ExtraRollGranted(Event):
    """A double gives another throw."""

    __slots__ = ("seat",)
    FIELDS: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExtraRollGranted) and self.seat == other.seat

    def __repr__(self) -> str:
        return f"ExtraRollGranted(seat={self.seat!r})"


class TokenMoved(Event):
    """A token went to a square."""

    __slots__ = ("seat", "from_square", "to_square", "cause")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "from_square", "to_square", "cause")

    def __init__(self, seat: int, from_square: int, to_square: int, cause: int) -> None:
        self.seat = seat
        self.from_square = from_square
        self.to_square = to_square
        self.cause = cause

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TokenMoved)
            and self.seat == other.seat
            and self.from_square == other.from_square
            and self.to_square == other.to_square
            and self.cause == other.cause
        )

    def __repr__(self) -> str:
        return (
            f"TokenMoved("
            f"seat={self.seat!r}, "
            f"from_square={self.from_square!r}, "
            f"to_square={self.to_square!r}, "
            f"cause={self.cause!r})"
        )


class SalaryEarned(Event):
    """GO was reached or passed and pays."""

    __slots__ = ("seat", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "amount")

    def __init__(self, seat: int, amount: int) -> None:
        self.seat = seat
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SalaryEarned) and self.seat == other.seat and self.amount == other.amount

    def __repr__(self) -> str:
        return f"SalaryEarned(seat={self.seat!r}, amount={self.amount!r})"


class LotOffered(Event):
    """The lot stood on is for sale to the seat on turn."""

    __slots__ = ("seat", "lot", "price")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lot", "price")

    def __init__(self, seat: int, lot: int, price: int) -> None:
        self.seat = seat
        self.lot = lot
        self.price = price

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotOffered)
            and self.seat == other.seat
            and self.lot == other.lot
            and self.price == other.price
        )

    def __repr__(self) -> str:
        return f"LotOffered(seat={self.seat!r}, lot={self.lot!r}, price={self.price!r})"


class LotBought(Event):
    """The lot was bought from the bank at its price."""

    __slots__ = ("seat", "lot", "price")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lot", "price")

    def __init__(self, seat: int, lot: int, price: int) -> None:
        self.seat = seat
        self.lot = lot
        self.price = price

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotBought)
            and self.seat == other.seat
            and self.lot == other.lot
            and self.price == other.price
        )

    def __repr__(self) -> str:
        return f"LotBought(seat={self.seat!r}, lot={self.lot!r}, price={self.price!r})"


class LotDeclined(Event):
    """The lot was not bought."""

    __slots__ = ("seat", "lot")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lot")

    def __init__(self, seat: int, lot: int) -> None:
        self.seat = seat
        self.lot = lot

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LotDeclined) and self.seat == other.seat and self.lot == other.lot

    def __repr__(self) -> str:
        return f"LotDeclined(seat={self.seat!r}, lot={self.lot!r})"


class LotPutUp(Event):
    """The lot goes under the hammer as auction number `auction`.

    Attributes:
        decliner: Who declined it, or -1 for a bankrupt's estate.
    """

    __slots__ = ("lot", "auction", "decliner")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "auction", "decliner")

    def __init__(self, lot: int, auction: int, decliner: int) -> None:
        self.lot = lot
        self.auction = auction
        self.decliner = decliner

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotPutUp)
            and self.lot == other.lot
            and self.auction == other.auction
            and self.decliner == other.decliner
        )

    def __repr__(self) -> str:
        return f"LotPutUp(lot={self.lot!r}, auction={self.auction!r}, decliner={self.decliner!r})"


class LotAuctioned(Event):
    """The lot was sold at auction at the hammer price."""

    __slots__ = ("lot", "auction", "winner", "price")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "auction", "winner", "price")

    def __init__(self, lot: int, auction: int, winner: int, price: int) -> None:
        self.lot = lot
        self.auction = auction
        self.winner = winner
        self.price = price

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotAuctioned)
            and self.lot == other.lot
            and self.auction == other.auction
            and self.winner == other.winner
            and self.price == other.price
        )

    def __repr__(self) -> str:
        return (
            f"LotAuctioned("
            f"lot={self.lot!r}, "
            f"auction={self.auction!r}, "
            f"winner={self.winner!r}, "
            f"price={self.price!r})"
        )


class LotUnsold(Event):
    """Nobody bought the lot: it stays with the bank."""

    __slots__ = ("lot", "auction")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "auction")

    def __init__(self, lot: int, auction: int) -> None:
        self.lot = lot
        self.auction = auction

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LotUnsold) and self.lot == other.lot and self.auction == other.auction

    def __repr__(self) -> str:
        return f"LotUnsold(lot={self.lot!r}, auction={self.auction!r})"


class RentCharged(Event):
    """Rent is owed for landing on a lot."""

    __slots__ = ("payer", "owner", "lot", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("payer", "owner", "lot", "amount")

    def __init__(self, payer: int, owner: int, lot: int, amount: int) -> None:
        self.payer = payer
        self.owner = owner
        self.lot = lot
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RentCharged)
            and self.payer == other.payer
            and self.owner == other.owner
            and self.lot == other.lot
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return (
            f"RentCharged("
            f"payer={self.payer!r}, "
            f"owner={self.owner!r}, "
            f"lot={self.lot!r}, "
            f"amount={self.amount!r})"
        )


class TaxCharged(Event):
    """A tax square asks its sum."""

    __slots__ = ("seat", "square", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "square", "amount")

    def __init__(self, seat: int, square: int, amount: int) -> None:
        self.seat = seat
        self.square = square
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TaxCharged)
            and self.seat == other.seat
            and self.square == other.square
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"TaxCharged(seat={self.seat!r}, square={self.square!r}, amount={self.amount!r})"


class CardDrawn(Event):
    """A card was drawn. `draw` is the draw of chance that chose it, or 0 where the order was already known.
    """

    __slots__ = ("seat", "deck", "card", "draw")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "deck", "card", "draw")

    def __init__(self, seat: int, deck: int, card: int, draw: int) -> None:
        self.seat = seat
        self.deck = deck
        self.card = card
        self.draw = draw

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CardDrawn)
            and self.seat == other.seat
            and self.deck == other.deck
            and self.card == other.card
            and self.draw == other.draw
        )

    def __repr__(self) -> str:
        return f"CardDrawn(seat={self.seat!r}, deck={self.deck!r}, card={self.card!r}, draw={self.draw!r})"


class CardKept(Event):
    """The drawn card is kept by the seat."""

    __slots__ = ("seat", "deck", "card")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "deck", "card")

    def __init__(self, seat: int, deck: int, card: int) -> None:
        self.seat = seat
        self.deck = deck
        self.card = card

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CardKept)
            and self.seat == other.seat
            and self.deck == other.deck
            and self.card == other.card
        )

    def __repr__(self) -> str:
        return f"CardKept(seat={self.seat!r}, deck={self.deck!r}, card={self.card!r})"


class CardReturned(Event):
    """A kept card went back under its deck."""

    __slots__ = ("seat", "deck", "card")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "deck", "card")

    def __init__(self, seat: int, deck: int, card: int) -> None:
        self.seat = seat
        self.deck = deck
        self.card = card

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CardReturned)
            and self.seat == other.seat
            and self.deck == other.deck
            and self.card == other.card
        )

    def __repr__(self) -> str:
        return f"CardReturned(seat={self.seat!r}, deck={self.deck!r}, card={self.card!r})"


class CardCharged(Event):
    """A card makes one pay another (-1 is the bank)."""

    __slots__ = ("payer", "payee", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("payer", "payee", "amount")

    def __init__(self, payer: int, payee: int, amount: int) -> None:
        self.payer = payer
        self.payee = payee
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CardCharged)
            and self.payer == other.payer
            and self.payee == other.payee
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"CardCharged(payer={self.payer!r}, payee={self.payee!r}, amount={self.amount!r})"


class RepairsCharged(Event):
    """A card charges for buildings."""

    __slots__ = ("seat", "houses", "hotels", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "houses", "hotels", "amount")

    def __init__(self, seat: int, houses: int, hotels: int, amount: int) -> None:
        self.seat = seat
        self.houses = houses
        self.hotels = hotels
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RepairsCharged)
            and self.seat == other.seat
            and self.houses == other.houses
            and self.hotels == other.hotels
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return (
            f"RepairsCharged("
            f"seat={self.seat!r}, "
            f"houses={self.houses!r}, "
            f"hotels={self.hotels!r}, "
            f"amount={self.amount!r})"
        )


class ChoiceOffered(Event):
    """A card asks its reader to choose."""

    __slots__ = ("seat", "deck", "card")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "deck", "card")

    def __init__(self, seat: int, deck: int, card: int) -> None:
        self.seat = seat
        self.deck = deck
        self.card = card

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ChoiceOffered)
            and self.seat == other.seat
            and self.deck == other.deck
            and self.card == other.card
        )

    def __repr__(self) -> str:
        return f"ChoiceOffered(seat={self.seat!r}, deck={self.deck!r}, card={self.card!r})"


class ChoiceMade(Event):
    """The choice was made."""

    __slots__ = ("seat", "option")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "option")

    def __init__(self, seat: int, option: int) -> None:
        self.seat = seat
        self.option = option

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChoiceMade) and self.seat == other.seat and self.option == other.option

    def __repr__(self) -> str:
        return f"ChoiceMade(seat={self.seat!r}, option={self.option!r})"


class JailEntered(Event):
    """A seat goes to jail; its turn is over."""

    __slots__ = ("seat", "cause")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "cause")

    def __init__(self, seat: int, cause: int) -> None:
        self.seat = seat
        self.cause = cause

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JailEntered) and self.seat == other.seat and self.cause == other.cause

    def __repr__(self) -> str:
        return f"JailEntered(seat={self.seat!r}, cause={self.cause!r})"


class JailThrowFailed(Event):
    """No double was thrown in jail; `tries` have been made now."""

    __slots__ = ("seat", "tries")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "tries")

    def __init__(self, seat: int, tries: int) -> None:
        self.seat = seat
        self.tries = tries

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JailThrowFailed) and self.seat == other.seat and self.tries == other.tries

    def __repr__(self) -> str:
        return f"JailThrowFailed(seat={self.seat!r}, tries={self.tries!r})"


class JailLeft(Event):
    """A seat is out of jail."""

    __slots__ = ("seat", "exit")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "exit")

    def __init__(self, seat: int, exit: int) -> None:
        self.seat = seat
        self.exit = exit

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JailLeft) and self.seat == other.seat and self.exit == other.exit

    def __repr__(self) -> str:
        return f"JailLeft(seat={self.seat!r}, exit={self.exit!r})"


class FineCharged(Event):
    """The fine is owed."""

    __slots__ = ("seat", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "amount")

    def __init__(self, seat: int, amount: int) -> None:
        self.seat = seat
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FineCharged) and self.seat == other.seat and self.amount == other.amount

    def __repr__(self) -> str:
        return f"FineCharged(seat={self.seat!r}, amount={self.amount!r})"


class MovePending(Event):
    """After the debt is paid the throw still moves the token this far."""

    __slots__ = ("seat", "steps")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "steps")

    def __init__(self, seat: int, steps: int) -> None:
        self.seat = seat
        self.steps = steps

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MovePending) and self.seat == other.seat and self.steps == other.steps

    def __repr__(self) -> str:
        return f"MovePending(seat={self.seat!r}, steps={self.steps!r})"


class DebtIncurred(Event):
    """A seat owes what it cannot pay at once."""

    __slots__ = ("debt",)
    FIELDS: ClassVar[tuple[str, ...]] = ("debt",)

    def __init__(self, debt: OpenDebt) -> None:
        self.debt = debt

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DebtIncurred) and self.debt == other.debt

    def __repr__(self) -> str:
        return f"DebtIncurred(debt={self.debt!r})"


class DebtPaid(Event):
    """Part or all of the oldest debt between the two was paid."""

    __slots__ = ("debtor", "creditor", "amount", "reason")
    FIELDS: ClassVar[tuple[str, ...]] = ("debtor", "creditor", "amount", "reason")

    def __init__(self, debtor: int, creditor: int, amount: int, reason: int) -> None:
        self.debtor = debtor
        self.creditor = creditor
        self.amount = amount
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DebtPaid)
            and self.debtor == other.debtor
            and self.creditor == other.creditor
            and self.amount == other.amount
            and self.reason == other.reason
        )

    def __repr__(self) -> str:
        return (
            f"DebtPaid("
            f"debtor={self.debtor!r}, "
            f"creditor={self.creditor!r}, "
            f"amount={self.amount!r}, "
            f"reason={self.reason!r})"
        )


class DebtsAssigned(Event):
    """What a seat owes to a bankrupt passes to his creditor."""

    __slots__ = ("from_creditor", "to_creditor")
    FIELDS: ClassVar[tuple[str, ...]] = ("from_creditor", "to_creditor")

    def __init__(self, from_creditor: int, to_creditor: int) -> None:
        self.from_creditor = from_creditor
        self.to_creditor = to_creditor

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DebtsAssigned)
            and self.from_creditor == other.from_creditor
            and self.to_creditor == other.to_creditor
        )

    def __repr__(self) -> str:
        return f"DebtsAssigned(from_creditor={self.from_creditor!r}, to_creditor={self.to_creditor!r})"


class BuildingsBuilt(Event):
    """Buildings went up; `levels` are the new levels of `lots`."""

    __slots__ = ("seat", "levels", "cost")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "levels", "cost")

    def __init__(self, seat: int, levels: list[LotLevel], cost: int) -> None:
        self.seat = seat
        self.levels = levels
        self.cost = cost

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BuildingsBuilt)
            and self.seat == other.seat
            and self.levels == other.levels
            and self.cost == other.cost
        )

    def __repr__(self) -> str:
        return f"BuildingsBuilt(seat={self.seat!r}, levels={self.levels!r}, cost={self.cost!r})"


class BuildingsSold(Event):
    """Buildings went back to the bank; `levels` are the new levels."""

    __slots__ = ("seat", "levels", "proceeds")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "levels", "proceeds")

    def __init__(self, seat: int, levels: list[LotLevel], proceeds: int) -> None:
        self.seat = seat
        self.levels = levels
        self.proceeds = proceeds

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BuildingsSold)
            and self.seat == other.seat
            and self.levels == other.levels
            and self.proceeds == other.proceeds
        )

    def __repr__(self) -> str:
        return f"BuildingsSold(seat={self.seat!r}, levels={self.levels!r}, proceeds={self.proceeds!r})"


class LotsMortgaged(Event):
    """Lots were mortgaged."""

    __slots__ = ("seat", "lots", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lots", "amount")

    def __init__(self, seat: int, lots: list[int], amount: int) -> None:
        self.seat = seat
        self.lots = lots
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotsMortgaged)
            and self.seat == other.seat
            and self.lots == other.lots
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"LotsMortgaged(seat={self.seat!r}, lots={self.lots!r}, amount={self.amount!r})"


class LotsRedeemed(Event):
    """Lots were redeemed."""

    __slots__ = ("seat", "lots", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lots", "amount")

    def __init__(self, seat: int, lots: list[int], amount: int) -> None:
        self.seat = seat
        self.lots = lots
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotsRedeemed)
            and self.seat == other.seat
            and self.lots == other.lots
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"LotsRedeemed(seat={self.seat!r}, lots={self.lots!r}, amount={self.amount!r})"


class MortgageInterestCharged(Event):
    """Interest is owed because a mortgaged lot changed hands."""

    __slots__ = ("seat", "lot", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lot", "amount")

    def __init__(self, seat: int, lot: int, amount: int) -> None:
        self.seat = seat
        self.lot = lot
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, MortgageInterestCharged)
            and self.seat == other.seat
            and self.lot == other.lot
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"MortgageInterestCharged(seat={self.seat!r}, lot={self.lot!r}, amount={self.amount!r})"


class OfferMade(Event):
    """A deal was offered. `counter_to` is the offer it answers, or 0."""

    __slots__ = ("offer", "from_seat", "to_seat", "terms", "counter_to")
    FIELDS: ClassVar[tuple[str, ...]] = ("offer", "from_seat", "to_seat", "terms", "counter_to")

    def __init__(self, offer: int, from_seat: int, to_seat: int, terms: Terms, counter_to: int) -> None:
        self.offer = offer
        self.from_seat = from_seat
        self.to_seat = to_seat
        self.terms = terms
        self.counter_to = counter_to

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OfferMade)
            and self.offer == other.offer
            and self.from_seat == other.from_seat
            and self.to_seat == other.to_seat
            and self.terms == other.terms
            and self.counter_to == other.counter_to
        )

    def __repr__(self) -> str:
        return (
            f"OfferMade("
            f"offer={self.offer!r}, "
            f"from_seat={self.from_seat!r}, "
            f"to_seat={self.to_seat!r}, "
            f"terms={self.terms!r}, "
            f"counter_to={self.counter_to!r})"
        )


class OfferAccepted(Event):
    """The deal was struck."""

    __slots__ = ("offer",)
    FIELDS: ClassVar[tuple[str, ...]] = ("offer",)

    def __init__(self, offer: int) -> None:
        self.offer = offer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OfferAccepted) and self.offer == other.offer

    def __repr__(self) -> str:
        return f"OfferAccepted(offer={self.offer!r})"


class OfferClosed(Event):
    """The offer is gone."""

    __slots__ = ("offer", "end")
    FIELDS: ClassVar[tuple[str, ...]] = ("offer", "end")

    def __init__(self, offer: int, end: int) -> None:
        self.offer = offer
        self.end = end

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OfferClosed) and self.offer == other.offer and self.end == other.end

    def __repr__(self) -> str:
        return f"OfferClosed(offer={self.offer!r}, end={self.end!r})"


class LotTransferred(Event):
    """A lot changed hands outside an auction (-1 is the bank)."""

    __slots__ = ("lot", "from_seat", "to_seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "from_seat", "to_seat")

    def __init__(self, lot: int, from_seat: int, to_seat: int) -> None:
        self.lot = lot
        self.from_seat = from_seat
        self.to_seat = to_seat

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotTransferred)
            and self.lot == other.lot
            and self.from_seat == other.from_seat
            and self.to_seat == other.to_seat
        )

    def __repr__(self) -> str:
        return f"LotTransferred(lot={self.lot!r}, from_seat={self.from_seat!r}, to_seat={self.to_seat!r})"


class CardTransferred(Event):
    """A kept card changed hands."""

    __slots__ = ("deck", "card", "from_seat", "to_seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("deck", "card", "from_seat", "to_seat")

    def __init__(self, deck: int, card: int, from_seat: int, to_seat: int) -> None:
        self.deck = deck
        self.card = card
        self.from_seat = from_seat
        self.to_seat = to_seat

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CardTransferred)
            and self.deck == other.deck
            and self.card == other.card
            and self.from_seat == other.from_seat
            and self.to_seat == other.to_seat
        )

    def __repr__(self) -> str:
        return (
            f"CardTransferred("
            f"deck={self.deck!r}, "
            f"card={self.card!r}, "
            f"from_seat={self.from_seat!r}, "
            f"to_seat={self.to_seat!r})"
        )


class BankruptcyDeclared(Event):
    """A seat is bankrupt, owing to `creditor` (-1 the bank)."""

    __slots__ = ("seat", "creditor")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "creditor")

    def __init__(self, seat: int, creditor: int) -> None:
        self.seat = seat
        self.creditor = creditor

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BankruptcyDeclared)
            and self.seat == other.seat
            and self.creditor == other.creditor
        )

    def __repr__(self) -> str:
        return f"BankruptcyDeclared(seat={self.seat!r}, creditor={self.creditor!r})"


class SeatResigned(Event):
    """A seat left of its own will."""

    __slots__ = ("seat",)
    FIELDS: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SeatResigned) and self.seat == other.seat

    def __repr__(self) -> str:
        return f"SeatResigned(seat={self.seat!r})"


class SeatEliminated(Event):
    """A seat is out of the game."""

    __slots__ = ("seat",)
    FIELDS: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SeatEliminated) and self.seat == other.seat

    def __repr__(self) -> str:
        return f"SeatEliminated(seat={self.seat!r})"


class EstateQueued(Event):
    """These lots of a bankrupt wait to be auctioned one after another."""

    __slots__ = ("lots",)
    FIELDS: ClassVar[tuple[str, ...]] = ("lots",)

    def __init__(self, lots: list[int]) -> None:
        self.lots = lots

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EstateQueued) and self.lots == other.lots

    def __repr__(self) -> str:
        return f"EstateQueued(lots={self.lots!r})"


class TurnEnded(Event):
    """The turn is over."""

    __slots__ = ("seat",)
    FIELDS: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TurnEnded) and self.seat == other.seat

    def __repr__(self) -> str:
        return f"TurnEnded(seat={self.seat!r})"


class GameEnded(Event):
    """The game is over. `ranking` lists the seats, best first; `scores` in the same order."""

    __slots__ = ("reason", "ranking", "scores")
    FIELDS: ClassVar[tuple[str, ...]] = ("reason", "ranking", "scores")

    def __init__(self, reason: int, ranking: list[int], scores: list[int]) -> None:
        self.reason = reason
        self.ranking = ranking
        self.scores = scores

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, GameEnded)
            and self.reason == other.reason
            and self.ranking == other.ranking
            and self.scores == other.scores
        )

    def __repr__(self) -> str:
        return f"GameEnded(reason={self.reason!r}, ranking={self.ranking!r}, scores={self.scores!r})"


class AuctionOpened(AuctionEvent):
    """Bidding begins. Only `bidders` may bid; the first bid is at least `minimum`, each next at least
    `increment` more.

    Attributes:
        close_ms: Time without a bid after which the hammer falls.
    """

    __slots__ = ("auction", "lot", "bidders", "minimum", "increment", "close_ms")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "lot", "bidders", "minimum", "increment", "close_ms")

    def __init__(
        self,
        auction: int,
        lot: int,
        bidders: list[int],
        minimum: int,
        increment: int,
        close_ms: int,
    ) -> None:
        self.auction = auction
        self.lot = lot
        self.bidders = bidders
        self.minimum = minimum
        self.increment = increment
        self.close_ms = close_ms

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AuctionOpened)
            and self.auction == other.auction
            and self.lot == other.lot
            and self.bidders == other.bidders
            and self.minimum == other.minimum
            and self.increment == other.increment
            and self.close_ms == other.close_ms
        )

    def __repr__(self) -> str:
        return (
            f"AuctionOpened("
            f"auction={self.auction!r}, "
            f"lot={self.lot!r}, "
            f"bidders={self.bidders!r}, "
            f"minimum={self.minimum!r}, "
            f"increment={self.increment!r}, "
            f"close_ms={self.close_ms!r})"
        )


class BidPlaced(AuctionEvent):
    """A bid leads; the bid it outbids gets its money back in the same commit.

    Attributes:
        hold_id: The hold that reserves the bid's money.
    """

    __slots__ = ("auction", "seat", "amount", "hold_id")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat", "amount", "hold_id")

    def __init__(self, auction: int, seat: int, amount: int, hold_id: str) -> None:
        self.auction = auction
        self.seat = seat
        self.amount = amount
        self.hold_id = hold_id

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BidPlaced)
            and self.auction == other.auction
            and self.seat == other.seat
            and self.amount == other.amount
            and self.hold_id == other.hold_id
        )

    def __repr__(self) -> str:
        return (
            f"BidPlaced("
            f"auction={self.auction!r}, "
            f"seat={self.seat!r}, "
            f"amount={self.amount!r}, "
            f"hold_id={self.hold_id!r})"
        )


class BidderPassed(AuctionEvent):
    """A seat bids no more; `forced` when no legal bid was left for it."""

    __slots__ = ("auction", "seat", "forced")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat", "forced")

    def __init__(self, auction: int, seat: int, forced: bool) -> None:
        self.auction = auction
        self.seat = seat
        self.forced = forced

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BidderPassed)
            and self.auction == other.auction
            and self.seat == other.seat
            and self.forced == other.forced
        )

    def __repr__(self) -> str:
        return f"BidderPassed(auction={self.auction!r}, seat={self.seat!r}, forced={self.forced!r})"


class BidderDropped(AuctionEvent):
    """A seat left the game; if it led, bidding starts again from what the others may bid."""

    __slots__ = ("auction", "seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat")

    def __init__(self, auction: int, seat: int) -> None:
        self.auction = auction
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BidderDropped)
            and self.auction == other.auction
            and self.seat == other.seat
        )

    def __repr__(self) -> str:
        return f"BidderDropped(auction={self.auction!r}, seat={self.seat!r})"


class AuctionClosed(AuctionEvent):
    """The hammer fell: `winner` is -1 when nobody bid."""

    __slots__ = ("auction", "lot", "winner", "price")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "lot", "winner", "price")

    def __init__(self, auction: int, lot: int, winner: int, price: int) -> None:
        self.auction = auction
        self.lot = lot
        self.winner = winner
        self.price = price

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AuctionClosed)
            and self.auction == other.auction
            and self.lot == other.lot
            and self.winner == other.winner
            and self.price == other.price
        )

    def __repr__(self) -> str:
        return (
            f"AuctionClosed("
            f"auction={self.auction!r}, "
            f"lot={self.lot!r}, "
            f"winner={self.winner!r}, "
            f"price={self.price!r})"
        )


class AuctionCancelled(AuctionEvent):
    """The auction ended without a decision (the game is over)."""

    __slots__ = ("auction",)
    FIELDS: ClassVar[tuple[str, ...]] = ("auction",)

    def __init__(self, auction: int) -> None:
        self.auction = auction

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AuctionCancelled) and self.auction == other.auction

    def __repr__(self) -> str:
        return f"AuctionCancelled(auction={self.auction!r})"


class OpenAuction(Ask):
    """The rules want a lot auctioned.

    Attributes:
        close_ms: Time without a bid after which the hammer falls.
    """

    __slots__ = ("auction", "lot", "bidders", "minimum", "increment", "close_ms")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "lot", "bidders", "minimum", "increment", "close_ms")

    def __init__(
        self,
        auction: int,
        lot: int,
        bidders: list[int],
        minimum: int,
        increment: int,
        close_ms: int,
    ) -> None:
        self.auction = auction
        self.lot = lot
        self.bidders = bidders
        self.minimum = minimum
        self.increment = increment
        self.close_ms = close_ms

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OpenAuction)
            and self.auction == other.auction
            and self.lot == other.lot
            and self.bidders == other.bidders
            and self.minimum == other.minimum
            and self.increment == other.increment
            and self.close_ms == other.close_ms
        )

    def __repr__(self) -> str:
        return (
            f"OpenAuction("
            f"auction={self.auction!r}, "
            f"lot={self.lot!r}, "
            f"bidders={self.bidders!r}, "
            f"minimum={self.minimum!r}, "
            f"increment={self.increment!r}, "
            f"close_ms={self.close_ms!r})"
        )


class DropBidder(Ask):
    """A seat left the game and may not go on bidding."""

    __slots__ = ("auction", "seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat")

    def __init__(self, auction: int, seat: int) -> None:
        self.auction = auction
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DropBidder) and self.auction == other.auction and self.seat == other.seat

    def __repr__(self) -> str:
        return f"DropBidder(auction={self.auction!r}, seat={self.seat!r})"


class CancelAuction(Ask):
    """The running auction must end without a decision."""

    __slots__ = ("auction",)
    FIELDS: ClassVar[tuple[str, ...]] = ("auction",)

    def __init__(self, auction: int) -> None:
        self.auction = auction

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CancelAuction) and self.auction == other.auction

    def __repr__(self) -> str:
        return f"CancelAuction(auction={self.auction!r})"


class AuctionOutcome:
    """How an auction ended; the rules say what follows. `hold_id` names the winner's money."""

    __slots__ = ("auction", "lot", "winner", "price", "hold_id")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "lot", "winner", "price", "hold_id")

    def __init__(self, auction: int, lot: int, winner: int, price: int, hold_id: str) -> None:
        self.auction = auction
        self.lot = lot
        self.winner = winner
        self.price = price
        self.hold_id = hold_id

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AuctionOutcome)
            and self.auction == other.auction
            and self.lot == other.lot
            and self.winner == other.winner
            and self.price == other.price
            and self.hold_id == other.hold_id
        )

    def __repr__(self) -> str:
        return (
            f"AuctionOutcome("
            f"auction={self.auction!r}, "
            f"lot={self.lot!r}, "
            f"winner={self.winner!r}, "
            f"price={self.price!r}, "
            f"hold_id={self.hold_id!r})"
        )


COMMAND_KINDS: Final[tuple[type[Command], ...]] = (
    Roll,
    BuyLot,
    DeclineLot,
    PlaceBid,
    PassAuction,
    Build,
    SellBuildings,
    MortgageLots,
    RedeemLots,
    OfferTrade,
    CounterOffer,
    AcceptOffer,
    RejectOffer,
    WithdrawOffer,
    PayFine,
    UseJailCard,
    ChooseOption,
    PayDebt,
    DeclareBankruptcy,
    Resign,
    EndTurn,
)

EVENT_KINDS: Final[tuple[type[Event], ...]] = (
    GameStarted,
    PositionGiven,
    TurnStarted,
    PhaseEntered,
    DiceThrown,
    ExtraRollGranted,
    TokenMoved,
    SalaryEarned,
    LotOffered,
    LotBought,
    LotDeclined,
    LotPutUp,
    LotAuctioned,
    LotUnsold,
    RentCharged,
    TaxCharged,
    CardDrawn,
    CardKept,
    CardReturned,
    CardCharged,
    RepairsCharged,
    ChoiceOffered,
    ChoiceMade,
    JailEntered,
    JailThrowFailed,
    JailLeft,
    FineCharged,
    MovePending,
    DebtIncurred,
    DebtPaid,
    DebtsAssigned,
    BuildingsBuilt,
    BuildingsSold,
    LotsMortgaged,
    LotsRedeemed,
    MortgageInterestCharged,
    OfferMade,
    OfferAccepted,
    OfferClosed,
    LotTransferred,
    CardTransferred,
    BankruptcyDeclared,
    SeatResigned,
    SeatEliminated,
    EstateQueued,
    TurnEnded,
    GameEnded,
)

AUCTION_EVENT_KINDS: Final[tuple[type[AuctionEvent], ...]] = (
    AuctionOpened,
    BidPlaced,
    BidderPassed,
    BidderDropped,
    AuctionClosed,
    AuctionCancelled,
)

ASK_KINDS: Final[tuple[type[Ask], ...]] = (OpenAuction, DropBidder, CancelAuction)
