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
# A card or a square asks the seat on turn to choose.
PHASE_CHOICE: Final = 7
# The game is over.
PHASE_OVER: Final = 8
# The last buildings of the bank are wanted by several: who else wants one says so.
PHASE_SHORTAGE: Final = 9
# Whoever won a building at auction puts it on a lot.
PHASE_PLACE: Final = 10
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
    "SHORTAGE",
    "PLACE",
)

# Why dice were thrown.
DICE_PURPOSE_UNSPECIFIED: Final = 0
DICE_PURPOSE_ORDER: Final = 1
DICE_PURPOSE_MOVE: Final = 2
DICE_PURPOSE_JAIL: Final = 3
# A new throw that only sets a utility's rent; it moves nobody and is no double.
DICE_PURPOSE_UTILITY: Final = 4
# A single die (the second is 0): a column of the jackpot machine, or the number one has staked on.
DICE_PURPOSE_JACKPOT: Final = 5
DICE_PURPOSE_NAMES: Final[tuple[str, ...]] = ("UNSPECIFIED", "ORDER", "MOVE", "JAIL", "UTILITY", "JACKPOT")

# What moved a token.
MOVE_CAUSE_UNSPECIFIED: Final = 0
MOVE_CAUSE_DICE: Final = 1
MOVE_CAUSE_CARD: Final = 2
MOVE_CAUSE_CARD_BACK: Final = 3
# The dice, backwards: a card reversed the move.
MOVE_CAUSE_DICE_BACK: Final = 4
# A square sent the token on.
MOVE_CAUSE_SQUARE: Final = 5
# Somewhere at random.
MOVE_CAUSE_TELEPORT: Final = 6
# A player's hand: the game was told where the token stands.
MOVE_CAUSE_HAND: Final = 7
MOVE_CAUSE_NAMES: Final[tuple[str, ...]] = (
    "UNSPECIFIED",
    "DICE",
    "CARD",
    "CARD_BACK",
    "DICE_BACK",
    "SQUARE",
    "TELEPORT",
    "HAND",
)

# What sent a seat to jail.
JAIL_CAUSE_UNSPECIFIED: Final = 0
JAIL_CAUSE_SQUARE: Final = 1
JAIL_CAUSE_CARD: Final = 2
JAIL_CAUSE_DOUBLES: Final = 3
# Another seat's card.
JAIL_CAUSE_SENT: Final = 4
JAIL_CAUSE_NAMES: Final[tuple[str, ...]] = ("UNSPECIFIED", "SQUARE", "CARD", "DOUBLES", "SENT")

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
# Stopping on GO earns more than passing it.
TRANSFER_REASON_LANDING_BONUS: Final = 17
# The part of a rent that goes to the bank.
TRANSFER_REASON_RENT_TAX: Final = 18
# Into a pot, or what a pot holds.
TRANSFER_REASON_POT: Final = 19
TRANSFER_REASON_LOAN: Final = 20
TRANSFER_REASON_LOAN_REPAYMENT: Final = 21
TRANSFER_REASON_STAKE: Final = 22
TRANSFER_REASON_PRIZE: Final = 23
# The fee for going wherever one likes.
TRANSFER_REASON_LOCATION: Final = 24
# A lot given back to the bank for a debt.
TRANSFER_REASON_RETURN: Final = 25
# The bank makes good what a bankrupt cannot pay.
TRANSFER_REASON_COMPENSATION: Final = 26
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
    "LANDING_BONUS",
    "RENT_TAX",
    "POT",
    "LOAN",
    "LOAN_REPAYMENT",
    "STAKE",
    "PRIZE",
    "LOCATION",
    "RETURN",
    "COMPENSATION",
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
# It was not answered in its time.
OFFER_END_EXPIRED: Final = 6
OFFER_END_NAMES: Final[tuple[str, ...]] = (
    "UNSPECIFIED",
    "WITHDRAWN",
    "REJECTED",
    "STALE",
    "COUNTERED",
    "SEAT_OUT",
    "EXPIRED",
)

# Why a game ended.
END_REASON_UNSPECIFIED: Final = 0
END_REASON_LAST_PLAYER: Final = 1
END_REASON_TURN_CAP: Final = 2
END_REASON_ABANDONED: Final = 3
END_REASON_FIRST_BANKRUPTCY: Final = 4
END_REASON_SECOND_BANKRUPTCY: Final = 5
# The agreed time is over.
END_REASON_TIME: Final = 6
END_REASON_ROUND_CAP: Final = 7
END_REASON_NAMES: Final[tuple[str, ...]] = (
    "UNSPECIFIED",
    "LAST_PLAYER",
    "TURN_CAP",
    "ABANDONED",
    "FIRST_BANKRUPTCY",
    "SECOND_BANKRUPTCY",
    "TIME",
    "ROUND_CAP",
)

# What the seat on turn is asked in phase CHOICE.
QUESTION_UNSPECIFIED: Final = 0
# A drawn card asks; its effect says what for: an option's number, a seat or a square.
QUESTION_CARD: Final = 1
# Pay the fee and go to a lot of one's choice (its square), or skip.
QUESTION_LOCATION: Final = 2
# 0 pay the sum of the tax square, 1 pay the share of all one has.
QUESTION_TAX: Final = 3
# Stake, or skip.
QUESTION_STAKE: Final = 4
# Which lot (its square) to take for the lot that was chosen to be given.
QUESTION_SWAP: Final = 5
# Play the card that spares a rent, or skip and pay.
QUESTION_RENT: Final = 6
# Which card (its place in the deck) was drawn from the deck of the square, where cards are drawn by hand.
QUESTION_DRAW: Final = 7
QUESTION_NAMES: Final[tuple[str, ...]] = (
    "UNSPECIFIED",
    "CARD",
    "LOCATION",
    "TAX",
    "STAKE",
    "SWAP",
    "RENT",
    "DRAW",
)

# Buildings by name, for the auction of the last ones.
BUILDING_UNSPECIFIED: Final = 0
BUILDING_HOUSE: Final = 1
BUILDING_HOTEL: Final = 2
BUILDING_NAMES: Final[tuple[str, ...]] = ("UNSPECIFIED", "HOUSE", "HOTEL")


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


class Immunity:
    """Free visits of a lot, as part of a deal: whoever gets them pays no rent there so many times."""

    __slots__ = ("lot", "visits")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "visits")

    def __init__(self, lot: int, visits: int) -> None:
        self.lot = lot
        self.visits = visits

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Immunity) and self.lot == other.lot and self.visits == other.visits

    def __repr__(self) -> str:
        return f"Immunity(lot={self.lot!r}, visits={self.visits!r})"


class Terms:
    """One side gives, the other takes. All lists may be empty, not all at once.

    Attributes:
        settles_debt: So much of the rent that one of the two owes the other is settled by the acceptance
            (paying in kind).
        give_immunity: Free visits of the giver's lots, where the rule set permits them.
        take_immunity: Free visits of the taker's lots.
        give_loan: What the giver lends: paid at once, to be paid back by the taker, where the rule set
            permits it.
        take_loan: What the taker lends.
    """

    __slots__ = (
        "give_cash",
        "give_lots",
        "give_cards",
        "take_cash",
        "take_lots",
        "take_cards",
        "settles_debt",
        "give_immunity",
        "take_immunity",
        "give_loan",
        "take_loan",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "give_cash",
        "give_lots",
        "give_cards",
        "take_cash",
        "take_lots",
        "take_cards",
        "settles_debt",
        "give_immunity",
        "take_immunity",
        "give_loan",
        "take_loan",
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
        give_immunity: list[Immunity] | None = None,
        take_immunity: list[Immunity] | None = None,
        give_loan: int = 0,
        take_loan: int = 0,
    ) -> None:
        self.give_cash = give_cash
        self.give_lots = give_lots
        self.give_cards = give_cards
        self.take_cash = take_cash
        self.take_lots = take_lots
        self.take_cards = take_cards
        self.settles_debt = settles_debt
        self.give_immunity: list[Immunity] = [] if give_immunity is None else give_immunity
        self.take_immunity: list[Immunity] = [] if take_immunity is None else take_immunity
        self.give_loan = give_loan
        self.take_loan = take_loan

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
            and self.give_immunity == other.give_immunity
            and self.take_immunity == other.take_immunity
            and self.give_loan == other.give_loan
            and self.take_loan == other.take_loan
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
            f"settles_debt={self.settles_debt!r}, "
            f"give_immunity={self.give_immunity!r}, "
            f"take_immunity={self.take_immunity!r}, "
            f"give_loan={self.give_loan!r}, "
            f"take_loan={self.take_loan!r})"
        )


class Roll(Command):
    """Throw the dice: on one's turn to move, in jail to try for a double. Not where tokens are moved by
    hand.
    """

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
    """Do not buy it: it goes to auction.

    Attributes:
        minimum: The least first bid, where who declines sets it.
    """

    __slots__ = ("minimum",)
    FIELDS: ClassVar[tuple[str, ...]] = ("minimum",)

    def __init__(self, minimum: int | None = None) -> None:
        self.minimum = minimum

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeclineLot) and self.minimum == other.minimum

    def __repr__(self) -> str:
        return f"DeclineLot(minimum={self.minimum!r})"


class PlaceBid(Command):
    """Bid in the running auction. Handled by the auction service.

    Attributes:
        lot: The lot; 0 where only one auction runs, or where `auction` says which.
        auction: The number of the auction; 0: the lot says which.
    """

    __slots__ = ("lot", "amount", "auction")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "amount", "auction")

    def __init__(self, lot: int, amount: int, auction: int = 0) -> None:
        self.lot = lot
        self.amount = amount
        self.auction = auction

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PlaceBid)
            and self.lot == other.lot
            and self.amount == other.amount
            and self.auction == other.auction
        )

    def __repr__(self) -> str:
        return f"PlaceBid(lot={self.lot!r}, amount={self.amount!r}, auction={self.auction!r})"


class PassAuction(Command):
    """Bid no more in the running auction. Handled by the auction service.

    Attributes:
        lot: As in PlaceBid.
        auction: As in PlaceBid.
    """

    __slots__ = ("lot", "auction")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "auction")

    def __init__(self, lot: int, auction: int = 0) -> None:
        self.lot = lot
        self.auction = auction

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PassAuction) and self.lot == other.lot and self.auction == other.auction

    def __repr__(self) -> str:
        return f"PassAuction(lot={self.lot!r}, auction={self.auction!r})"


class SetProxyBid(Command):
    """Have bids made for this seat, each the least one that leads, up to a secret ceiling. Handled by the
    auction service.

    Attributes:
        lot: As in PlaceBid.
        ceiling: The most that may be bid, or in a penny auction spent in all; 0 withdraws what was set.
        auction: As in PlaceBid.
    """

    __slots__ = ("lot", "ceiling", "auction")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "ceiling", "auction")

    def __init__(self, lot: int, ceiling: int, auction: int = 0) -> None:
        self.lot = lot
        self.ceiling = ceiling
        self.auction = auction

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SetProxyBid)
            and self.lot == other.lot
            and self.ceiling == other.ceiling
            and self.auction == other.auction
        )

    def __repr__(self) -> str:
        return f"SetProxyBid(lot={self.lot!r}, ceiling={self.ceiling!r}, auction={self.auction!r})"


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
    """Answer what is asked in phase CHOICE: the number of an option, a seat or a square, as the question
    says.
    """

    __slots__ = ("option",)
    FIELDS: ClassVar[tuple[str, ...]] = ("option",)

    def __init__(self, option: int) -> None:
        self.option = option

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChooseOption) and self.option == other.option

    def __repr__(self) -> str:
        return f"ChooseOption(option={self.option!r})"


class PayDebt(Command):
    """Pay what one owes (needed where payments are asked for).

    Attributes:
        by_card: With the debtor's card on the bank's terminal, where the rule set asks for it. Only the
            bank may say so.
    """

    __slots__ = ("by_card",)
    FIELDS: ClassVar[tuple[str, ...]] = ("by_card",)

    def __init__(self, by_card: bool = False) -> None:
        self.by_card = by_card

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PayDebt) and self.by_card == other.by_card

    def __repr__(self) -> str:
        return f"PayDebt(by_card={self.by_card!r})"


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


class ClaimRent(Command):
    """Ask for the rent of a lot before it lapses (needed where rent has to be claimed)."""

    __slots__ = ("lot",)
    FIELDS: ClassVar[tuple[str, ...]] = ("lot",)

    def __init__(self, lot: int) -> None:
        self.lot = lot

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClaimRent) and self.lot == other.lot

    def __repr__(self) -> str:
        return f"ClaimRent(lot={self.lot!r})"


class TakeLoan(Command):
    """Borrow from the bank."""

    __slots__ = ("amount",)
    FIELDS: ClassVar[tuple[str, ...]] = ("amount",)

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TakeLoan) and self.amount == other.amount

    def __repr__(self) -> str:
        return f"TakeLoan(amount={self.amount!r})"


class RepayLoan(Command):
    """Pay back the oldest loan of a creditor (-1 the bank), whole."""

    __slots__ = ("creditor",)
    FIELDS: ClassVar[tuple[str, ...]] = ("creditor",)

    def __init__(self, creditor: int) -> None:
        self.creditor = creditor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RepayLoan) and self.creditor == other.creditor

    def __repr__(self) -> str:
        return f"RepayLoan(creditor={self.creditor!r})"


class Stake(Command):
    """Play at the jackpot: with the machine the stake alone, else also the faces one bets on."""

    __slots__ = ("amount", "faces")
    FIELDS: ClassVar[tuple[str, ...]] = ("amount", "faces")

    def __init__(self, amount: int, faces: list[int]) -> None:
        self.amount = amount
        self.faces = faces

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stake) and self.amount == other.amount and self.faces == other.faces

    def __repr__(self) -> str:
        return f"Stake(amount={self.amount!r}, faces={self.faces!r})"


class PlayCard(Command):
    """Use a kept card that is not for leaving jail."""

    __slots__ = ("deck", "card")
    FIELDS: ClassVar[tuple[str, ...]] = ("deck", "card")

    def __init__(self, deck: int, card: int) -> None:
        self.deck = deck
        self.card = card

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlayCard) and self.deck == other.deck and self.card == other.card

    def __repr__(self) -> str:
        return f"PlayCard(deck={self.deck!r}, card={self.card!r})"


class WantBuilding(Command):
    """Say that one wants a building of the last ones, BUILDING_HOUSE or BUILDING_HOTEL."""

    __slots__ = ("building",)
    FIELDS: ClassVar[tuple[str, ...]] = ("building",)

    def __init__(self, building: int) -> None:
        self.building = building

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WantBuilding) and self.building == other.building

    def __repr__(self) -> str:
        return f"WantBuilding(building={self.building!r})"


class PlaceBuilding(Command):
    """Put the building won at auction on a lot."""

    __slots__ = ("lot",)
    FIELDS: ClassVar[tuple[str, ...]] = ("lot",)

    def __init__(self, lot: int) -> None:
        self.lot = lot

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlaceBuilding) and self.lot == other.lot

    def __repr__(self) -> str:
        return f"PlaceBuilding(lot={self.lot!r})"


class Skip(Command):
    """Do not do what is offered: do not stake, do not go, do not play the card, do not want a building."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Skip)

    def __repr__(self) -> str:
        return "Skip()"


class ReturnLots(Command):
    """Give lots back to the bank for what one owes."""

    __slots__ = ("lots",)
    FIELDS: ClassVar[tuple[str, ...]] = ("lots",)

    def __init__(self, lots: list[int]) -> None:
        self.lots = lots

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReturnLots) and self.lots == other.lots

    def __repr__(self) -> str:
        return f"ReturnLots(lots={self.lots!r})"


class PlaceToken(Command):
    """Where tokens are moved by hand: my token stands here now. In jail: a double was thrown. The salary is
    asked for with `PassGo`; a third double goes to the square that sends to jail.
    """

    __slots__ = ("square",)
    FIELDS: ClassVar[tuple[str, ...]] = ("square",)

    def __init__(self, square: int) -> None:
        self.square = square

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlaceToken) and self.square == other.square

    def __repr__(self) -> str:
        return f"PlaceToken(square={self.square!r})"


class PassGo(Command):
    """Where tokens are moved by hand: I reached or passed GO."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PassGo)

    def __repr__(self) -> str:
        return "PassGo()"


class DrawnCard(Command):
    """Where cards are drawn by hand: I drew this card, by deck and place in the deck's list."""

    __slots__ = ("deck", "card")
    FIELDS: ClassVar[tuple[str, ...]] = ("deck", "card")

    def __init__(self, deck: int, card: int) -> None:
        self.deck = deck
        self.card = card

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DrawnCard) and self.deck == other.deck and self.card == other.card

    def __repr__(self) -> str:
        return f"DrawnCard(deck={self.deck!r}, card={self.card!r})"


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


class OpenLoan:
    """Money lent that is to be paid back: to the bank (-1) or to a seat, by the end of round `due_round`
    (0: any time).
    """

    __slots__ = ("debtor", "creditor", "amount", "due_round")
    FIELDS: ClassVar[tuple[str, ...]] = ("debtor", "creditor", "amount", "due_round")

    def __init__(self, debtor: int, creditor: int, amount: int, due_round: int) -> None:
        self.debtor = debtor
        self.creditor = creditor
        self.amount = amount
        self.due_round = due_round

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OpenLoan)
            and self.debtor == other.debtor
            and self.creditor == other.creditor
            and self.amount == other.amount
            and self.due_round == other.due_round
        )

    def __repr__(self) -> str:
        return (
            f"OpenLoan("
            f"debtor={self.debtor!r}, "
            f"creditor={self.creditor!r}, "
            f"amount={self.amount!r}, "
            f"due_round={self.due_round!r})"
        )


class LotPass:
    """A seat need not pay the rent of a lot so many times while that belongs to `owner`."""

    __slots__ = ("lot", "owner", "seat", "visits")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "owner", "seat", "visits")

    def __init__(self, lot: int, owner: int, seat: int, visits: int) -> None:
        self.lot = lot
        self.owner = owner
        self.seat = seat
        self.visits = visits

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotPass)
            and self.lot == other.lot
            and self.owner == other.owner
            and self.seat == other.seat
            and self.visits == other.visits
        )

    def __repr__(self) -> str:
        return (
            f"LotPass("
            f"lot={self.lot!r}, "
            f"owner={self.owner!r}, "
            f"seat={self.seat!r}, "
            f"visits={self.visits!r})"
        )


class PositionGiven(Event):
    """A sandbox table starts from a chosen position instead (lists are indexed by seat, or by square).

    Attributes:
        owner: By square: -1 the bank's.
        houses: What the bank has left, as GameView says it: all buildings that do not stand.
        offered_lot: The lot that is offered in phase BUY; -1 none.
        pots: What the pots hold: parking, jackpot, charity fund. May be empty.
        skip_turns: By seat: turns to skip. May be empty.
        reverse: By seat: 1 its next move by dice goes backwards. May be empty.
        rent_level: By square: rent levels of a board that has them, 0 the bank's. May be empty: 1 for every
            lot with an owner.
        mortgaged_rounds: By square: rounds that a mortgaged lot has been mortgaged. May be empty.
        elapsed_ms: Time that has passed since the start.
        question: In phase CHOICE: what the square under the token of the seat on turn asks (QUESTION_…), or
            the card that asks.
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
        "pots",
        "skip_turns",
        "reverse",
        "loans",
        "rent_level",
        "mortgaged_rounds",
        "passes",
        "elapsed_ms",
        "question",
        "asking_cards",
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
        "pots",
        "skip_turns",
        "reverse",
        "loans",
        "rent_level",
        "mortgaged_rounds",
        "passes",
        "elapsed_ms",
        "question",
        "asking_cards",
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
        pots: list[int] | None = None,
        skip_turns: list[int] | None = None,
        reverse: list[int] | None = None,
        loans: list[OpenLoan] | None = None,
        rent_level: list[int] | None = None,
        mortgaged_rounds: list[int] | None = None,
        passes: list[LotPass] | None = None,
        elapsed_ms: int = 0,
        question: int = 0,
        asking_cards: list[Card] | None = None,
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
        self.pots: list[int] = [] if pots is None else pots
        self.skip_turns: list[int] = [] if skip_turns is None else skip_turns
        self.reverse: list[int] = [] if reverse is None else reverse
        self.loans: list[OpenLoan] = [] if loans is None else loans
        self.rent_level: list[int] = [] if rent_level is None else rent_level
        self.mortgaged_rounds: list[int] = [] if mortgaged_rounds is None else mortgaged_rounds
        self.passes: list[LotPass] = [] if passes is None else passes
        self.elapsed_ms = elapsed_ms
        self.question = question
        self.asking_cards: list[Card] = [] if asking_cards is None else asking_cards

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
            and self.pots == other.pots
            and self.skip_turns == other.skip_turns
            and self.reverse == other.reverse
            and self.loans == other.loans
            and self.rent_level == other.rent_level
            and self.mortgaged_rounds == other.mortgaged_rounds
            and self.passes == other.passes
            and self.elapsed_ms == other.elapsed_ms
            and self.question == other.question
            and self.asking_cards == other.asking_cards
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
            f"offered_lot={self.offered_lot!r}, "
            f"pots={self.pots!r}, "
            f"skip_turns={self.skip_turns!r}, "
            f"reverse={self.reverse!r}, "
            f"loans={self.loans!r}, "
            f"rent_level={self.rent_level!r}, "
            f"mortgaged_rounds={self.mortgaged_rounds!r}, "
            f"passes={self.passes!r}, "
            f"elapsed_ms={self.elapsed_ms!r}, "
            f"question={self.question!r}, "
            f"asking_cards={self.asking_cards!r})"
        )


class OpenClaim:
    """Rent that its owner may claim until the next player throws."""

    __slots__ = ("payer", "owner", "lot", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("payer", "owner", "lot", "amount")

    def __init__(self, payer: int, owner: int, lot: int, amount: int) -> None:
        self.payer = payer
        self.owner = owner
        self.lot = lot
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OpenClaim)
            and self.payer == other.payer
            and self.owner == other.owner
            and self.lot == other.lot
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return (
            f"OpenClaim("
            f"payer={self.payer!r}, "
            f"owner={self.owner!r}, "
            f"lot={self.lot!r}, "
            f"amount={self.amount!r})"
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
    """Another throw follows: for a double, or in jail where all tries are made in one turn."""

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
    """Nobody bought the lot: it stays with the bank.

    Attributes:
        again: It is put up once more.
    """

    __slots__ = ("lot", "auction", "again")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "auction", "again")

    def __init__(self, lot: int, auction: int, again: bool = False) -> None:
        self.lot = lot
        self.auction = auction
        self.again = again

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotUnsold)
            and self.lot == other.lot
            and self.auction == other.auction
            and self.again == other.again
        )

    def __repr__(self) -> str:
        return f"LotUnsold(lot={self.lot!r}, auction={self.auction!r}, again={self.again!r})"


class LotReserved(Event):
    """The lot was sold for more than the winner had on hold: the deed passes when he has paid the rest.

    Attributes:
        owed: What he still owes of it.
    """

    __slots__ = ("lot", "auction", "winner", "price", "owed")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "auction", "winner", "price", "owed")

    def __init__(self, lot: int, auction: int, winner: int, price: int, owed: int) -> None:
        self.lot = lot
        self.auction = auction
        self.winner = winner
        self.price = price
        self.owed = owed

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotReserved)
            and self.lot == other.lot
            and self.auction == other.auction
            and self.winner == other.winner
            and self.price == other.price
            and self.owed == other.owed
        )

    def __repr__(self) -> str:
        return (
            f"LotReserved("
            f"lot={self.lot!r}, "
            f"auction={self.auction!r}, "
            f"winner={self.winner!r}, "
            f"price={self.price!r}, "
            f"owed={self.owed!r})"
        )


class LotDelivered(Event):
    """What was owed for a lot that was sold is paid: the deed passes."""

    __slots__ = ("lot", "seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "seat")

    def __init__(self, lot: int, seat: int) -> None:
        self.lot = lot
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LotDelivered) and self.lot == other.lot and self.seat == other.seat

    def __repr__(self) -> str:
        return f"LotDelivered(lot={self.lot!r}, seat={self.seat!r})"


class LotForsaken(Event):
    """The winner left without having paid the lot: it was never his, and is sold again."""

    __slots__ = ("lot", "seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "seat")

    def __init__(self, lot: int, seat: int) -> None:
        self.lot = lot
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LotForsaken) and self.lot == other.lot and self.seat == other.seat

    def __repr__(self) -> str:
        return f"LotForsaken(lot={self.lot!r}, seat={self.seat!r})"


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
    """Buildings went up; `levels` are the new levels of `lots`.

    Attributes:
        counted: They count for how much may be built in a turn.
    """

    __slots__ = ("seat", "levels", "cost", "counted")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "levels", "cost", "counted")

    def __init__(self, seat: int, levels: list[LotLevel], cost: int, counted: bool = False) -> None:
        self.seat = seat
        self.levels = levels
        self.cost = cost
        self.counted = counted

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BuildingsBuilt)
            and self.seat == other.seat
            and self.levels == other.levels
            and self.cost == other.cost
            and self.counted == other.counted
        )

    def __repr__(self) -> str:
        return (
            f"BuildingsBuilt("
            f"seat={self.seat!r}, "
            f"levels={self.levels!r}, "
            f"cost={self.cost!r}, "
            f"counted={self.counted!r})"
        )


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


class RedemptionOffered(Event):
    """A mortgaged lot came by a bankruptcy: until the next throw redeeming it costs its new owner only
    this.
    """

    __slots__ = ("seat", "lot", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lot", "amount")

    def __init__(self, seat: int, lot: int, amount: int) -> None:
        self.seat = seat
        self.lot = lot
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RedemptionOffered)
            and self.seat == other.seat
            and self.lot == other.lot
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"RedemptionOffered(seat={self.seat!r}, lot={self.lot!r}, amount={self.amount!r})"


class DeedDealt(Event):
    """A deed was dealt at the start. `draw` is the draw of chance that chose it."""

    __slots__ = ("seat", "lot", "price", "draw")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lot", "price", "draw")

    def __init__(self, seat: int, lot: int, price: int, draw: int) -> None:
        self.seat = seat
        self.lot = lot
        self.price = price
        self.draw = draw

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DeedDealt)
            and self.seat == other.seat
            and self.lot == other.lot
            and self.price == other.price
            and self.draw == other.draw
        )

    def __repr__(self) -> str:
        return f"DeedDealt(seat={self.seat!r}, lot={self.lot!r}, price={self.price!r}, draw={self.draw!r})"


class OrderDrawn(Event):
    """The first seat, or the whole order, was drawn by lot: a draw for each place that several seats were
    left for, in the order of the places. `draw` is the last of them.
    """

    __slots__ = ("order", "draw")
    FIELDS: ClassVar[tuple[str, ...]] = ("order", "draw")

    def __init__(self, order: list[int], draw: int) -> None:
        self.order = order
        self.draw = draw

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OrderDrawn) and self.order == other.order and self.draw == other.draw

    def __repr__(self) -> str:
        return f"OrderDrawn(order={self.order!r}, draw={self.draw!r})"


class LandingBonusEarned(Event):
    """Stopping on GO earns a bonus."""

    __slots__ = ("seat", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "amount")

    def __init__(self, seat: int, amount: int) -> None:
        self.seat = seat
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LandingBonusEarned)
            and self.seat == other.seat
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"LandingBonusEarned(seat={self.seat!r}, amount={self.amount!r})"


class QuestionAsked(Event):
    """The seat on turn is asked something (QUESTION_…); `square` is the one it is about, or -1.

    Attributes:
        amount: What a yes, or a refusal, costs: the fee, the least stake, the rent.
        deck: The card that asks, with QUESTION_CARD; `square` is -1 then.
    """

    __slots__ = ("seat", "question", "square", "amount", "deck", "card")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "question", "square", "amount", "deck", "card")

    def __init__(
        self,
        seat: int,
        question: int,
        square: int,
        amount: int,
        deck: int = 0,
        card: int = 0,
    ) -> None:
        self.seat = seat
        self.question = question
        self.square = square
        self.amount = amount
        self.deck = deck
        self.card = card

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, QuestionAsked)
            and self.seat == other.seat
            and self.question == other.question
            and self.square == other.square
            and self.amount == other.amount
            and self.deck == other.deck
            and self.card == other.card
        )

    def __repr__(self) -> str:
        return (
            f"QuestionAsked("
            f"seat={self.seat!r}, "
            f"question={self.question!r}, "
            f"square={self.square!r}, "
            f"amount={self.amount!r}, "
            f"deck={self.deck!r}, "
            f"card={self.card!r})"
        )


class Skipped(Event):
    """What was offered was not wanted."""

    __slots__ = ("seat",)
    FIELDS: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Skipped) and self.seat == other.seat

    def __repr__(self) -> str:
        return f"Skipped(seat={self.seat!r})"


class PotTaken(Event):
    """A seat takes all that a pot holds (-2 parking, -3 jackpot, -4 charity fund)."""

    __slots__ = ("seat", "pot", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "pot", "amount")

    def __init__(self, seat: int, pot: int, amount: int) -> None:
        self.seat = seat
        self.pot = pot
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PotTaken)
            and self.seat == other.seat
            and self.pot == other.pot
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"PotTaken(seat={self.seat!r}, pot={self.pot!r}, amount={self.amount!r})"


class SquareCharged(Event):
    """A square asks a payment into a pot, or to the bank (-1)."""

    __slots__ = ("seat", "square", "payee", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "square", "payee", "amount")

    def __init__(self, seat: int, square: int, payee: int, amount: int) -> None:
        self.seat = seat
        self.square = square
        self.payee = payee
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SquareCharged)
            and self.seat == other.seat
            and self.square == other.square
            and self.payee == other.payee
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return (
            f"SquareCharged("
            f"seat={self.seat!r}, "
            f"square={self.square!r}, "
            f"payee={self.payee!r}, "
            f"amount={self.amount!r})"
        )


class RentClaimable(Event):
    """Rent may be claimed until the next player throws."""

    __slots__ = ("claim",)
    FIELDS: ClassVar[tuple[str, ...]] = ("claim",)

    def __init__(self, claim: OpenClaim) -> None:
        self.claim = claim

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RentClaimable) and self.claim == other.claim

    def __repr__(self) -> str:
        return f"RentClaimable(claim={self.claim!r})"


class RentLapsed(Event):
    """Nobody claimed the rent in time."""

    __slots__ = ("payer", "owner", "lot")
    FIELDS: ClassVar[tuple[str, ...]] = ("payer", "owner", "lot")

    def __init__(self, payer: int, owner: int, lot: int) -> None:
        self.payer = payer
        self.owner = owner
        self.lot = lot

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RentLapsed)
            and self.payer == other.payer
            and self.owner == other.owner
            and self.lot == other.lot
        )

    def __repr__(self) -> str:
        return f"RentLapsed(payer={self.payer!r}, owner={self.owner!r}, lot={self.lot!r})"


class RentTaxed(Event):
    """A part of the rent goes to the bank."""

    __slots__ = ("payer", "owner", "lot", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("payer", "owner", "lot", "amount")

    def __init__(self, payer: int, owner: int, lot: int, amount: int) -> None:
        self.payer = payer
        self.owner = owner
        self.lot = lot
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RentTaxed)
            and self.payer == other.payer
            and self.owner == other.owner
            and self.lot == other.lot
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return (
            f"RentTaxed("
            f"payer={self.payer!r}, "
            f"owner={self.owner!r}, "
            f"lot={self.lot!r}, "
            f"amount={self.amount!r})"
        )


class RentSpared(Event):
    """A visit was free: by a pass, or by a kept card."""

    __slots__ = ("payer", "owner", "lot")
    FIELDS: ClassVar[tuple[str, ...]] = ("payer", "owner", "lot")

    def __init__(self, payer: int, owner: int, lot: int) -> None:
        self.payer = payer
        self.owner = owner
        self.lot = lot

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RentSpared)
            and self.payer == other.payer
            and self.owner == other.owner
            and self.lot == other.lot
        )

    def __repr__(self) -> str:
        return f"RentSpared(payer={self.payer!r}, owner={self.owner!r}, lot={self.lot!r})"


class LoanTaken(Event):
    """Money was lent."""

    __slots__ = ("loan",)
    FIELDS: ClassVar[tuple[str, ...]] = ("loan",)

    def __init__(self, loan: OpenLoan) -> None:
        self.loan = loan

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LoanTaken) and self.loan == other.loan

    def __repr__(self) -> str:
        return f"LoanTaken(loan={self.loan!r})"


class LoanEnded(Event):
    """A loan was paid back, or fell due and is a debt from now on."""

    __slots__ = ("loan", "due")
    FIELDS: ClassVar[tuple[str, ...]] = ("loan", "due")

    def __init__(self, loan: OpenLoan, due: bool) -> None:
        self.loan = loan
        self.due = due

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LoanEnded) and self.loan == other.loan and self.due == other.due

    def __repr__(self) -> str:
        return f"LoanEnded(loan={self.loan!r}, due={self.due!r})"


class TurnsLost(Event):
    """A seat will skip turns, so many in all."""

    __slots__ = ("seat", "turns")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "turns")

    def __init__(self, seat: int, turns: int) -> None:
        self.seat = seat
        self.turns = turns

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TurnsLost) and self.seat == other.seat and self.turns == other.turns

    def __repr__(self) -> str:
        return f"TurnsLost(seat={self.seat!r}, turns={self.turns!r})"


class TurnSkipped(Event):
    """A seat's turn, which has just begun, is skipped: it ends at once."""

    __slots__ = ("seat",)
    FIELDS: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TurnSkipped) and self.seat == other.seat

    def __repr__(self) -> str:
        return f"TurnSkipped(seat={self.seat!r})"


class MoveReversed(Event):
    """A seat's next move by dice goes backwards."""

    __slots__ = ("seat",)
    FIELDS: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MoveReversed) and self.seat == other.seat

    def __repr__(self) -> str:
        return f"MoveReversed(seat={self.seat!r})"


class StakePlaced(Event):
    """A seat plays at the jackpot."""

    __slots__ = ("seat", "amount", "faces")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "amount", "faces")

    def __init__(self, seat: int, amount: int, faces: list[int]) -> None:
        self.seat = seat
        self.amount = amount
        self.faces = faces

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, StakePlaced)
            and self.seat == other.seat
            and self.amount == other.amount
            and self.faces == other.faces
        )

    def __repr__(self) -> str:
        return f"StakePlaced(seat={self.seat!r}, amount={self.amount!r}, faces={self.faces!r})"


class JackpotPlayed(Event):
    """What the jackpot came to: the faces that fell and the prize, 0 if none."""

    __slots__ = ("seat", "faces", "prize")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "faces", "prize")

    def __init__(self, seat: int, faces: list[int], prize: int) -> None:
        self.seat = seat
        self.faces = faces
        self.prize = prize

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, JackpotPlayed)
            and self.seat == other.seat
            and self.faces == other.faces
            and self.prize == other.prize
        )

    def __repr__(self) -> str:
        return f"JackpotPlayed(seat={self.seat!r}, faces={self.faces!r}, prize={self.prize!r})"


class AmountDrawn(Event):
    """An amount was drawn at random for a card."""

    __slots__ = ("seat", "amount", "draw")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "amount", "draw")

    def __init__(self, seat: int, amount: int, draw: int) -> None:
        self.seat = seat
        self.amount = amount
        self.draw = draw

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AmountDrawn)
            and self.seat == other.seat
            and self.amount == other.amount
            and self.draw == other.draw
        )

    def __repr__(self) -> str:
        return f"AmountDrawn(seat={self.seat!r}, amount={self.amount!r}, draw={self.draw!r})"


class SquareDrawn(Event):
    """A square was drawn at random for a card."""

    __slots__ = ("seat", "square", "draw")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "square", "draw")

    def __init__(self, seat: int, square: int, draw: int) -> None:
        self.seat = seat
        self.square = square
        self.draw = draw

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SquareDrawn)
            and self.seat == other.seat
            and self.square == other.square
            and self.draw == other.draw
        )

    def __repr__(self) -> str:
        return f"SquareDrawn(seat={self.seat!r}, square={self.square!r}, draw={self.draw!r})"


class RentLevelSet(Event):
    """The rent level of a lot is now this; 0 when it is the bank's."""

    __slots__ = ("lot", "level")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "level")

    def __init__(self, lot: int, level: int) -> None:
        self.lot = lot
        self.level = level

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RentLevelSet) and self.lot == other.lot and self.level == other.level

    def __repr__(self) -> str:
        return f"RentLevelSet(lot={self.lot!r}, level={self.level!r})"


class RentsCapped(Event):
    """The next so many rents are charged at this level."""

    __slots__ = ("level", "payments")
    FIELDS: ClassVar[tuple[str, ...]] = ("level", "payments")

    def __init__(self, level: int, payments: int) -> None:
        self.level = level
        self.payments = payments

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RentsCapped)
            and self.level == other.level
            and self.payments == other.payments
        )

    def __repr__(self) -> str:
        return f"RentsCapped(level={self.level!r}, payments={self.payments!r})"


class LotReturned(Event):
    """A lot was given back to the bank, which counts it at this amount."""

    __slots__ = ("seat", "lot", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lot", "amount")

    def __init__(self, seat: int, lot: int, amount: int) -> None:
        self.seat = seat
        self.lot = lot
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LotReturned)
            and self.seat == other.seat
            and self.lot == other.lot
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"LotReturned(seat={self.seat!r}, lot={self.lot!r}, amount={self.amount!r})"


class MortgageTermSet(Event):
    """A lot stays with its owner only until the end of a round, unless it is redeemed; 0 ends that."""

    __slots__ = ("lot", "last_round")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "last_round")

    def __init__(self, lot: int, last_round: int) -> None:
        self.lot = lot
        self.last_round = last_round

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, MortgageTermSet)
            and self.lot == other.lot
            and self.last_round == other.last_round
        )

    def __repr__(self) -> str:
        return f"MortgageTermSet(lot={self.lot!r}, last_round={self.last_round!r})"


class LotForfeited(Event):
    """A lot fell to the bank because it was not redeemed in time."""

    __slots__ = ("seat", "lot")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "lot")

    def __init__(self, seat: int, lot: int) -> None:
        self.seat = seat
        self.lot = lot

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LotForfeited) and self.seat == other.seat and self.lot == other.lot

    def __repr__(self) -> str:
        return f"LotForfeited(seat={self.seat!r}, lot={self.lot!r})"


class BuildingWanted(Event):
    """A seat wants one of the last buildings."""

    __slots__ = ("seat", "building")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "building")

    def __init__(self, seat: int, building: int) -> None:
        self.seat = seat
        self.building = building

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BuildingWanted)
            and self.seat == other.seat
            and self.building == other.building
        )

    def __repr__(self) -> str:
        return f"BuildingWanted(seat={self.seat!r}, building={self.building!r})"


class ShortageOpened(Event):
    """The bank has fewer buildings of a kind than are wanted: these seats can place one and may say whether
    they want it.

    Attributes:
        first_seat: Who asked for it and has the first claim when nobody else wants one.
        targets: What that seat asked for.
    """

    __slots__ = ("building", "seats", "first_seat", "targets")
    FIELDS: ClassVar[tuple[str, ...]] = ("building", "seats", "first_seat", "targets")

    def __init__(
        self,
        building: int,
        seats: list[int],
        first_seat: int,
        targets: list[LotLevel] | None = None,
    ) -> None:
        self.building = building
        self.seats = seats
        self.first_seat = first_seat
        self.targets: list[LotLevel] = [] if targets is None else targets

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ShortageOpened)
            and self.building == other.building
            and self.seats == other.seats
            and self.first_seat == other.first_seat
            and self.targets == other.targets
        )

    def __repr__(self) -> str:
        return (
            f"ShortageOpened("
            f"building={self.building!r}, "
            f"seats={self.seats!r}, "
            f"first_seat={self.first_seat!r}, "
            f"targets={self.targets!r})"
        )


class ShortageClosed(Event):
    """Nobody else wants one, or the stock changed: the window is closed."""

    __slots__ = ("building",)
    FIELDS: ClassVar[tuple[str, ...]] = ("building",)

    def __init__(self, building: int) -> None:
        self.building = building

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShortageClosed) and self.building == other.building

    def __repr__(self) -> str:
        return f"ShortageClosed(building={self.building!r})"


class BuildingNotWanted(Event):
    """A seat does not want one of the last buildings, or has not said so in time."""

    __slots__ = ("seat", "building")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "building")

    def __init__(self, seat: int, building: int) -> None:
        self.seat = seat
        self.building = building

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BuildingNotWanted)
            and self.seat == other.seat
            and self.building == other.building
        )

    def __repr__(self) -> str:
        return f"BuildingNotWanted(seat={self.seat!r}, building={self.building!r})"


class BuildingPutUp(Event):
    """One building goes under the hammer as auction number `auction`."""

    __slots__ = ("building", "auction")
    FIELDS: ClassVar[tuple[str, ...]] = ("building", "auction")

    def __init__(self, building: int, auction: int) -> None:
        self.building = building
        self.auction = auction

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BuildingPutUp)
            and self.building == other.building
            and self.auction == other.auction
        )

    def __repr__(self) -> str:
        return f"BuildingPutUp(building={self.building!r}, auction={self.auction!r})"


class BuildingAuctioned(Event):
    """A building was sold at auction (winner -1: to nobody); it waits for its place."""

    __slots__ = ("building", "auction", "winner", "price")
    FIELDS: ClassVar[tuple[str, ...]] = ("building", "auction", "winner", "price")

    def __init__(self, building: int, auction: int, winner: int, price: int) -> None:
        self.building = building
        self.auction = auction
        self.winner = winner
        self.price = price

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BuildingAuctioned)
            and self.building == other.building
            and self.auction == other.auction
            and self.winner == other.winner
            and self.price == other.price
        )

    def __repr__(self) -> str:
        return (
            f"BuildingAuctioned("
            f"building={self.building!r}, "
            f"auction={self.auction!r}, "
            f"winner={self.winner!r}, "
            f"price={self.price!r})"
        )


class BuildingPlaced(Event):
    """The building won is on a lot."""

    __slots__ = ("seat", "building", "lot")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "building", "lot")

    def __init__(self, seat: int, building: int, lot: int) -> None:
        self.seat = seat
        self.building = building
        self.lot = lot

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BuildingPlaced)
            and self.seat == other.seat
            and self.building == other.building
            and self.lot == other.lot
        )

    def __repr__(self) -> str:
        return f"BuildingPlaced(seat={self.seat!r}, building={self.building!r}, lot={self.lot!r})"


class BuildingReturned(Event):
    """The building won can stand nowhere any more: it is back in the bank and its price is paid back."""

    __slots__ = ("seat", "building", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "building", "amount")

    def __init__(self, seat: int, building: int, amount: int) -> None:
        self.seat = seat
        self.building = building
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BuildingReturned)
            and self.seat == other.seat
            and self.building == other.building
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"BuildingReturned(seat={self.seat!r}, building={self.building!r}, amount={self.amount!r})"


class TimeRuleEntered(Event):
    """From now on this rule of the board's time rules holds (counted from 1)."""

    __slots__ = ("rule",)
    FIELDS: ClassVar[tuple[str, ...]] = ("rule",)

    def __init__(self, rule: int) -> None:
        self.rule = rule

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TimeRuleEntered) and self.rule == other.rule

    def __repr__(self) -> str:
        return f"TimeRuleEntered(rule={self.rule!r})"


class TimeUp(Event):
    """The agreed time is over: the running round is finished, unless the rule set ends the game at once."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TimeUp)

    def __repr__(self) -> str:
        return "TimeUp()"


class PassGranted(Event):
    """Free visits were granted by a deal."""

    __slots__ = ("granted",)
    FIELDS: ClassVar[tuple[str, ...]] = ("granted",)

    def __init__(self, granted: LotPass) -> None:
        self.granted = granted

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PassGranted) and self.granted == other.granted

    def __repr__(self) -> str:
        return f"PassGranted(granted={self.granted!r})"


class PassChanged(Event):
    """A pass has so many visits now; 0 used up. It also ends, without a word, with the lot's change of
    owner.
    """

    __slots__ = ("lot", "seat", "visits")
    FIELDS: ClassVar[tuple[str, ...]] = ("lot", "seat", "visits")

    def __init__(self, lot: int, seat: int, visits: int) -> None:
        self.lot = lot
        self.seat = seat
        self.visits = visits

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PassChanged)
            and self.lot == other.lot
            and self.seat == other.seat
            and self.visits == other.visits
        )

    def __repr__(self) -> str:
        return f"PassChanged(lot={self.lot!r}, seat={self.seat!r}, visits={self.visits!r})"


class CardPlayed(Event):
    """A kept card was used; with nothing left it goes under its deck.

    Attributes:
        left: How often it can be used still.
    """

    __slots__ = ("seat", "deck", "card", "left")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "deck", "card", "left")

    def __init__(self, seat: int, deck: int, card: int, left: int) -> None:
        self.seat = seat
        self.deck = deck
        self.card = card
        self.left = left

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CardPlayed)
            and self.seat == other.seat
            and self.deck == other.deck
            and self.card == other.card
            and self.left == other.left
        )

    def __repr__(self) -> str:
        return f"CardPlayed(seat={self.seat!r}, deck={self.deck!r}, card={self.card!r}, left={self.left!r})"


class DiscountSet(Event):
    """The next building of the seat costs so many percent less; 0 ends that."""

    __slots__ = ("seat", "percent")
    FIELDS: ClassVar[tuple[str, ...]] = ("seat", "percent")

    def __init__(self, seat: int, percent: int) -> None:
        self.seat = seat
        self.percent = percent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiscountSet) and self.seat == other.seat and self.percent == other.percent

    def __repr__(self) -> str:
        return f"DiscountSet(seat={self.seat!r}, percent={self.percent!r})"


class BankruptcyCounted(Event):
    """So many bankruptcies there have been; said where they end the game."""

    __slots__ = ("bankruptcies",)
    FIELDS: ClassVar[tuple[str, ...]] = ("bankruptcies",)

    def __init__(self, bankruptcies: int) -> None:
        self.bankruptcies = bankruptcies

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BankruptcyCounted) and self.bankruptcies == other.bankruptcies

    def __repr__(self) -> str:
        return f"BankruptcyCounted(bankruptcies={self.bankruptcies!r})"


class LotsFrozen(Event):
    """These lots of a seat that left are for nobody any more: the bank does not sell them."""

    __slots__ = ("lots",)
    FIELDS: ClassVar[tuple[str, ...]] = ("lots",)

    def __init__(self, lots: list[int]) -> None:
        self.lots = lots

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LotsFrozen) and self.lots == other.lots

    def __repr__(self) -> str:
        return f"LotsFrozen(lots={self.lots!r})"


class TimeExpired(Event):
    """A seat did not do in its time what the game waited for."""

    __slots__ = ("seat",)
    FIELDS: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TimeExpired) and self.seat == other.seat

    def __repr__(self) -> str:
        return f"TimeExpired(seat={self.seat!r})"


class AuctionOpened(AuctionEvent):
    """Bidding begins. Only `bidders` may bid; the first bid is at least `minimum`, each next at least
    `increment` more.

    Attributes:
        close_ms: Time without a bid after which the hammer falls.
        building: BUILDING_…: what is sold is a building of the bank; the lot is -1 then.
        barred: Who may not bid although in the game: who declined the lot.
        mode: How bids are made and paid: 0 openly, and held; 1 openly, and every bid is paid at once (penny
            auction); 2 sealed, the highest pays what it bids; 3 sealed, it pays the second highest
            (Vickrey); 4 the price falls until somebody takes it (Dutch).
        by_turn: One after the other, in the order of the bidders.
        bid_limit: What a bid may come to: 0 the bidder's money, 1 what he could raise, 2 anything.
        extend_ms: Not 0: only a bid in the last so many milliseconds moves the end, to so many milliseconds
            from then.
        extensions_max: How often bids may move the end; 0 is no limit.
        fixed_step: Every bid is the minimum and a whole number of increments.
        fee: Penny auction: what each bid costs; 0: the bid itself.
        refund: Penny auction: 1: at the close the losers get back what they paid.
        cap_ms: Not 0: late bids do not move the end beyond so many milliseconds after the opening.
        leaver: When the leader leaves the game: 0 bidding starts again; 1 the best earlier bid of another
            leads again.
        ties: Which of equal sealed bids wins: 0 the earlier one, 1 the first in the order of the bidders.
        calls_ms: Not 0: "going once" and "going twice" are called before the hammer falls, so far apart.
        dutch_start: Dutch auction: the first price, what it falls by, and how often.
        proxies: Bidders may have bids made for them, up to a secret ceiling.
        refund_on_cancel: Penny auction: if it is cancelled everybody gets back what he paid.
        label: At a bank table: what is sold, and the account that gets the price.
        opened_at_ms: When it was opened, milliseconds since the Unix epoch; only where the price hangs on
            it.
    """

    __slots__ = (
        "auction",
        "lot",
        "bidders",
        "minimum",
        "increment",
        "close_ms",
        "building",
        "barred",
        "mode",
        "by_turn",
        "bid_limit",
        "extend_ms",
        "extensions_max",
        "fixed_step",
        "fee",
        "refund",
        "cap_ms",
        "leaver",
        "ties",
        "calls_ms",
        "dutch_start",
        "dutch_step",
        "dutch_tick_ms",
        "proxies",
        "refund_on_cancel",
        "label",
        "payee",
        "opened_at_ms",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "auction",
        "lot",
        "bidders",
        "minimum",
        "increment",
        "close_ms",
        "building",
        "barred",
        "mode",
        "by_turn",
        "bid_limit",
        "extend_ms",
        "extensions_max",
        "fixed_step",
        "fee",
        "refund",
        "cap_ms",
        "leaver",
        "ties",
        "calls_ms",
        "dutch_start",
        "dutch_step",
        "dutch_tick_ms",
        "proxies",
        "refund_on_cancel",
        "label",
        "payee",
        "opened_at_ms",
    )

    def __init__(
        self,
        auction: int,
        lot: int,
        bidders: list[int],
        minimum: int,
        increment: int,
        close_ms: int,
        building: int = 0,
        barred: int | None = None,
        mode: int = 0,
        by_turn: bool = False,
        bid_limit: int = 0,
        extend_ms: int = 0,
        extensions_max: int = 0,
        fixed_step: bool = False,
        fee: int = 0,
        refund: int = 0,
        cap_ms: int = 0,
        leaver: int = 0,
        ties: int = 0,
        calls_ms: int = 0,
        dutch_start: int = 0,
        dutch_step: int = 0,
        dutch_tick_ms: int = 0,
        proxies: bool = False,
        refund_on_cancel: bool = False,
        label: str = "",
        payee: str = "",
        opened_at_ms: int = 0,
    ) -> None:
        self.auction = auction
        self.lot = lot
        self.bidders = bidders
        self.minimum = minimum
        self.increment = increment
        self.close_ms = close_ms
        self.building = building
        self.barred = barred
        self.mode = mode
        self.by_turn = by_turn
        self.bid_limit = bid_limit
        self.extend_ms = extend_ms
        self.extensions_max = extensions_max
        self.fixed_step = fixed_step
        self.fee = fee
        self.refund = refund
        self.cap_ms = cap_ms
        self.leaver = leaver
        self.ties = ties
        self.calls_ms = calls_ms
        self.dutch_start = dutch_start
        self.dutch_step = dutch_step
        self.dutch_tick_ms = dutch_tick_ms
        self.proxies = proxies
        self.refund_on_cancel = refund_on_cancel
        self.label = label
        self.payee = payee
        self.opened_at_ms = opened_at_ms

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AuctionOpened)
            and self.auction == other.auction
            and self.lot == other.lot
            and self.bidders == other.bidders
            and self.minimum == other.minimum
            and self.increment == other.increment
            and self.close_ms == other.close_ms
            and self.building == other.building
            and self.barred == other.barred
            and self.mode == other.mode
            and self.by_turn == other.by_turn
            and self.bid_limit == other.bid_limit
            and self.extend_ms == other.extend_ms
            and self.extensions_max == other.extensions_max
            and self.fixed_step == other.fixed_step
            and self.fee == other.fee
            and self.refund == other.refund
            and self.cap_ms == other.cap_ms
            and self.leaver == other.leaver
            and self.ties == other.ties
            and self.calls_ms == other.calls_ms
            and self.dutch_start == other.dutch_start
            and self.dutch_step == other.dutch_step
            and self.dutch_tick_ms == other.dutch_tick_ms
            and self.proxies == other.proxies
            and self.refund_on_cancel == other.refund_on_cancel
            and self.label == other.label
            and self.payee == other.payee
            and self.opened_at_ms == other.opened_at_ms
        )

    def __repr__(self) -> str:
        return (
            f"AuctionOpened("
            f"auction={self.auction!r}, "
            f"lot={self.lot!r}, "
            f"bidders={self.bidders!r}, "
            f"minimum={self.minimum!r}, "
            f"increment={self.increment!r}, "
            f"close_ms={self.close_ms!r}, "
            f"building={self.building!r}, "
            f"barred={self.barred!r}, "
            f"mode={self.mode!r}, "
            f"by_turn={self.by_turn!r}, "
            f"bid_limit={self.bid_limit!r}, "
            f"extend_ms={self.extend_ms!r}, "
            f"extensions_max={self.extensions_max!r}, "
            f"fixed_step={self.fixed_step!r}, "
            f"fee={self.fee!r}, "
            f"refund={self.refund!r}, "
            f"cap_ms={self.cap_ms!r}, "
            f"leaver={self.leaver!r}, "
            f"ties={self.ties!r}, "
            f"calls_ms={self.calls_ms!r}, "
            f"dutch_start={self.dutch_start!r}, "
            f"dutch_step={self.dutch_step!r}, "
            f"dutch_tick_ms={self.dutch_tick_ms!r}, "
            f"proxies={self.proxies!r}, "
            f"refund_on_cancel={self.refund_on_cancel!r}, "
            f"label={self.label!r}, "
            f"payee={self.payee!r}, "
            f"opened_at_ms={self.opened_at_ms!r})"
        )


class BidPlaced(AuctionEvent):
    """A bid leads; the bid it outbids gets its money back in the same commit.

    Attributes:
        hold_id: The hold that reserves the bid's money; empty if none of it is held.
        held: How much of the bid is held; all of it if not said.
        keeps_end: The bid does not move the end of the auction.
        by_proxy: It was made for the seat, by the ceiling it had set.
    """

    __slots__ = ("auction", "seat", "amount", "hold_id", "held", "keeps_end", "by_proxy")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "auction",
        "seat",
        "amount",
        "hold_id",
        "held",
        "keeps_end",
        "by_proxy",
    )

    def __init__(
        self,
        auction: int,
        seat: int,
        amount: int,
        hold_id: str,
        held: int | None = None,
        keeps_end: bool = False,
        by_proxy: bool = False,
    ) -> None:
        self.auction = auction
        self.seat = seat
        self.amount = amount
        self.hold_id = hold_id
        self.held = held
        self.keeps_end = keeps_end
        self.by_proxy = by_proxy

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BidPlaced)
            and self.auction == other.auction
            and self.seat == other.seat
            and self.amount == other.amount
            and self.hold_id == other.hold_id
            and self.held == other.held
            and self.keeps_end == other.keeps_end
            and self.by_proxy == other.by_proxy
        )

    def __repr__(self) -> str:
        return (
            f"BidPlaced("
            f"auction={self.auction!r}, "
            f"seat={self.seat!r}, "
            f"amount={self.amount!r}, "
            f"hold_id={self.hold_id!r}, "
            f"held={self.held!r}, "
            f"keeps_end={self.keeps_end!r}, "
            f"by_proxy={self.by_proxy!r})"
        )


class BidderPassed(AuctionEvent):
    """A seat bids no more; `forced` when it did not say so: no legal bid was left for it, or its turn's
    time was up.
    """

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


class OpeningDeclined(AuctionEvent):
    """A seat lets the opening go by: it does not bid as long as nobody has bid, and is still in."""

    __slots__ = ("auction", "seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat")

    def __init__(self, auction: int, seat: int) -> None:
        self.auction = auction
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OpeningDeclined)
            and self.auction == other.auction
            and self.seat == other.seat
        )

    def __repr__(self) -> str:
        return f"OpeningDeclined(auction={self.auction!r}, seat={self.seat!r})"


class AuctionExtended(AuctionEvent):
    """A late bid moved the end: this often now, to so many milliseconds from the commit.

    Attributes:
        total_ms: Where the total time is limited: how long the auction lasts now from its opening on,
            pauses not counted.
    """

    __slots__ = ("auction", "extensions", "close_ms", "total_ms")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "extensions", "close_ms", "total_ms")

    def __init__(self, auction: int, extensions: int, close_ms: int, total_ms: int = 0) -> None:
        self.auction = auction
        self.extensions = extensions
        self.close_ms = close_ms
        self.total_ms = total_ms

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AuctionExtended)
            and self.auction == other.auction
            and self.extensions == other.extensions
            and self.close_ms == other.close_ms
            and self.total_ms == other.total_ms
        )

    def __repr__(self) -> str:
        return (
            f"AuctionExtended("
            f"auction={self.auction!r}, "
            f"extensions={self.extensions!r}, "
            f"close_ms={self.close_ms!r}, "
            f"total_ms={self.total_ms!r})"
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


class AuctionCalled(AuctionEvent):
    """"Going once" (1), "going twice" (2): the hammer will fall soon."""

    __slots__ = ("auction", "count")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "count")

    def __init__(self, auction: int, count: int) -> None:
        self.auction = auction
        self.count = count

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AuctionCalled)
            and self.auction == other.auction
            and self.count == other.count
        )

    def __repr__(self) -> str:
        return f"AuctionCalled(auction={self.auction!r}, count={self.count!r})"


class ProxySet(AuctionEvent):
    """Secret: a seat has bids made for it up to this ceiling; 0: no longer."""

    __slots__ = ("auction", "seat", "ceiling")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat", "ceiling")

    def __init__(self, auction: int, seat: int, ceiling: int) -> None:
        self.auction = auction
        self.seat = seat
        self.ceiling = ceiling

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ProxySet)
            and self.auction == other.auction
            and self.seat == other.seat
            and self.ceiling == other.ceiling
        )

    def __repr__(self) -> str:
        return f"ProxySet(auction={self.auction!r}, seat={self.seat!r}, ceiling={self.ceiling!r})"


class BidSealed(AuctionEvent):
    """A seat has handed in its sealed bid. It has one, and cannot take it back."""

    __slots__ = ("auction", "seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat")

    def __init__(self, auction: int, seat: int) -> None:
        self.auction = auction
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BidSealed) and self.auction == other.auction and self.seat == other.seat

    def __repr__(self) -> str:
        return f"BidSealed(auction={self.auction!r}, seat={self.seat!r})"


class SealedBid(AuctionEvent):
    """Secret: what is in a sealed bid, and what is on hold for it.

    Attributes:
        held: How much of the bid is held; all of it if not said.
    """

    __slots__ = ("auction", "seat", "amount", "hold_id", "held")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat", "amount", "hold_id", "held")

    def __init__(
        self,
        auction: int,
        seat: int,
        amount: int,
        hold_id: str = "",
        held: int | None = None,
    ) -> None:
        self.auction = auction
        self.seat = seat
        self.amount = amount
        self.hold_id = hold_id
        self.held = held

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SealedBid)
            and self.auction == other.auction
            and self.seat == other.seat
            and self.amount == other.amount
            and self.hold_id == other.hold_id
            and self.held == other.held
        )

    def __repr__(self) -> str:
        return (
            f"SealedBid("
            f"auction={self.auction!r}, "
            f"seat={self.seat!r}, "
            f"amount={self.amount!r}, "
            f"hold_id={self.hold_id!r}, "
            f"held={self.held!r})"
        )


class BidsRevealed(AuctionEvent):
    """The sealed bids are opened.

    Attributes:
        bids: In the order in which they rank.
        withdrawn: Of those who left before the close: void, and their money was given back then.
    """

    __slots__ = ("auction", "bids", "withdrawn")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "bids", "withdrawn")

    def __init__(self, auction: int, bids: list[SealedBid], withdrawn: list[SealedBid]) -> None:
        self.auction = auction
        self.bids = bids
        self.withdrawn = withdrawn

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BidsRevealed)
            and self.auction == other.auction
            and self.bids == other.bids
            and self.withdrawn == other.withdrawn
        )

    def __repr__(self) -> str:
        return f"BidsRevealed(auction={self.auction!r}, bids={self.bids!r}, withdrawn={self.withdrawn!r})"


class BidsRefunded(AuctionEvent):
    """What a seat paid for its bids was given back."""

    __slots__ = ("auction", "seat", "amount")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat", "amount")

    def __init__(self, auction: int, seat: int, amount: int) -> None:
        self.auction = auction
        self.seat = seat
        self.amount = amount

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BidsRefunded)
            and self.auction == other.auction
            and self.seat == other.seat
            and self.amount == other.amount
        )

    def __repr__(self) -> str:
        return f"BidsRefunded(auction={self.auction!r}, seat={self.seat!r}, amount={self.amount!r})"


class LeadRestored(AuctionEvent):
    """The leader left: the best earlier bid of another leads again.

    Attributes:
        hold_id: As in BidPlaced.
        held: As in BidPlaced.
    """

    __slots__ = ("auction", "seat", "amount", "hold_id", "held")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat", "amount", "hold_id", "held")

    def __init__(
        self,
        auction: int,
        seat: int,
        amount: int,
        hold_id: str = "",
        held: int | None = None,
    ) -> None:
        self.auction = auction
        self.seat = seat
        self.amount = amount
        self.hold_id = hold_id
        self.held = held

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LeadRestored)
            and self.auction == other.auction
            and self.seat == other.seat
            and self.amount == other.amount
            and self.hold_id == other.hold_id
            and self.held == other.held
        )

    def __repr__(self) -> str:
        return (
            f"LeadRestored("
            f"auction={self.auction!r}, "
            f"seat={self.seat!r}, "
            f"amount={self.amount!r}, "
            f"hold_id={self.hold_id!r}, "
            f"held={self.held!r})"
        )


class OpenAuction(Ask):
    """The rules want a lot auctioned.

    Attributes:
        close_ms: Time without a bid after which the hammer falls.
        building: BUILDING_…: what is sold is a building of the bank; the lot is -1 then.
        barred: Who may not bid although in the game: who declined the lot.
        mode: How bids are made and paid: 0 openly, and held; 1 openly, and every bid is paid at once (penny
            auction); 2 sealed, the highest pays what it bids; 3 sealed, it pays the second highest
            (Vickrey); 4 the price falls until somebody takes it (Dutch).
        by_turn: One after the other, in the order of the bidders.
        bid_limit: What a bid may come to: 0 the bidder's money, 1 what he could raise, 2 anything.
        extend_ms: Not 0: only a bid in the last so many milliseconds moves the end, to so many milliseconds
            from then.
        extensions_max: How often bids may move the end; 0 is no limit.
        fixed_step: Every bid is the minimum and a whole number of increments.
        fee: Penny auction: what each bid costs; 0: the bid itself.
        refund: Penny auction: 1: at the close the losers get back what they paid.
        cap_ms: Not 0: late bids do not move the end beyond so many milliseconds after the opening.
        leaver: When the leader leaves the game: 0 bidding starts again; 1 the best earlier bid of another
            leads again.
        ties: Which of equal sealed bids wins: 0 the earlier one, 1 the first in the order of the bidders.
        calls_ms: Not 0: "going once" and "going twice" are called before the hammer falls, so far apart.
        dutch_start: Dutch auction: the first price, what it falls by, and how often.
        proxies: Bidders may have bids made for them, up to a secret ceiling.
        refund_on_cancel: Penny auction: if it is cancelled everybody gets back what he paid.
        label: At a bank table: what is sold, and the account that gets the price.
    """

    __slots__ = (
        "auction",
        "lot",
        "bidders",
        "minimum",
        "increment",
        "close_ms",
        "building",
        "barred",
        "mode",
        "by_turn",
        "bid_limit",
        "extend_ms",
        "extensions_max",
        "fixed_step",
        "fee",
        "refund",
        "cap_ms",
        "leaver",
        "ties",
        "calls_ms",
        "dutch_start",
        "dutch_step",
        "dutch_tick_ms",
        "proxies",
        "refund_on_cancel",
        "label",
        "payee",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "auction",
        "lot",
        "bidders",
        "minimum",
        "increment",
        "close_ms",
        "building",
        "barred",
        "mode",
        "by_turn",
        "bid_limit",
        "extend_ms",
        "extensions_max",
        "fixed_step",
        "fee",
        "refund",
        "cap_ms",
        "leaver",
        "ties",
        "calls_ms",
        "dutch_start",
        "dutch_step",
        "dutch_tick_ms",
        "proxies",
        "refund_on_cancel",
        "label",
        "payee",
    )

    def __init__(
        self,
        auction: int,
        lot: int,
        bidders: list[int],
        minimum: int,
        increment: int,
        close_ms: int,
        building: int = 0,
        barred: int | None = None,
        mode: int = 0,
        by_turn: bool = False,
        bid_limit: int = 0,
        extend_ms: int = 0,
        extensions_max: int = 0,
        fixed_step: bool = False,
        fee: int = 0,
        refund: int = 0,
        cap_ms: int = 0,
        leaver: int = 0,
        ties: int = 0,
        calls_ms: int = 0,
        dutch_start: int = 0,
        dutch_step: int = 0,
        dutch_tick_ms: int = 0,
        proxies: bool = False,
        refund_on_cancel: bool = False,
        label: str = "",
        payee: str = "",
    ) -> None:
        self.auction = auction
        self.lot = lot
        self.bidders = bidders
        self.minimum = minimum
        self.increment = increment
        self.close_ms = close_ms
        self.building = building
        self.barred = barred
        self.mode = mode
        self.by_turn = by_turn
        self.bid_limit = bid_limit
        self.extend_ms = extend_ms
        self.extensions_max = extensions_max
        self.fixed_step = fixed_step
        self.fee = fee
        self.refund = refund
        self.cap_ms = cap_ms
        self.leaver = leaver
        self.ties = ties
        self.calls_ms = calls_ms
        self.dutch_start = dutch_start
        self.dutch_step = dutch_step
        self.dutch_tick_ms = dutch_tick_ms
        self.proxies = proxies
        self.refund_on_cancel = refund_on_cancel
        self.label = label
        self.payee = payee

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OpenAuction)
            and self.auction == other.auction
            and self.lot == other.lot
            and self.bidders == other.bidders
            and self.minimum == other.minimum
            and self.increment == other.increment
            and self.close_ms == other.close_ms
            and self.building == other.building
            and self.barred == other.barred
            and self.mode == other.mode
            and self.by_turn == other.by_turn
            and self.bid_limit == other.bid_limit
            and self.extend_ms == other.extend_ms
            and self.extensions_max == other.extensions_max
            and self.fixed_step == other.fixed_step
            and self.fee == other.fee
            and self.refund == other.refund
            and self.cap_ms == other.cap_ms
            and self.leaver == other.leaver
            and self.ties == other.ties
            and self.calls_ms == other.calls_ms
            and self.dutch_start == other.dutch_start
            and self.dutch_step == other.dutch_step
            and self.dutch_tick_ms == other.dutch_tick_ms
            and self.proxies == other.proxies
            and self.refund_on_cancel == other.refund_on_cancel
            and self.label == other.label
            and self.payee == other.payee
        )

    def __repr__(self) -> str:
        return (
            f"OpenAuction("
            f"auction={self.auction!r}, "
            f"lot={self.lot!r}, "
            f"bidders={self.bidders!r}, "
            f"minimum={self.minimum!r}, "
            f"increment={self.increment!r}, "
            f"close_ms={self.close_ms!r}, "
            f"building={self.building!r}, "
            f"barred={self.barred!r}, "
            f"mode={self.mode!r}, "
            f"by_turn={self.by_turn!r}, "
            f"bid_limit={self.bid_limit!r}, "
            f"extend_ms={self.extend_ms!r}, "
            f"extensions_max={self.extensions_max!r}, "
            f"fixed_step={self.fixed_step!r}, "
            f"fee={self.fee!r}, "
            f"refund={self.refund!r}, "
            f"cap_ms={self.cap_ms!r}, "
            f"leaver={self.leaver!r}, "
            f"ties={self.ties!r}, "
            f"calls_ms={self.calls_ms!r}, "
            f"dutch_start={self.dutch_start!r}, "
            f"dutch_step={self.dutch_step!r}, "
            f"dutch_tick_ms={self.dutch_tick_ms!r}, "
            f"proxies={self.proxies!r}, "
            f"refund_on_cancel={self.refund_on_cancel!r}, "
            f"label={self.label!r}, "
            f"payee={self.payee!r})"
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


class PassBidder(Ask):
    """A stand-in plays for the seat, which takes no further part in the auction: as if it had passed, if it
    may.
    """

    __slots__ = ("auction", "seat")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "seat")

    def __init__(self, auction: int, seat: int) -> None:
        self.auction = auction
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PassBidder) and self.auction == other.auction and self.seat == other.seat

    def __repr__(self) -> str:
        return f"PassBidder(auction={self.auction!r}, seat={self.seat!r})"


class AutoPass(Ask):
    """Money has changed hands: ceilings bid with what has been freed, and who cannot make the least next
    bid any more is passed (case C025).

    Attributes:
        auction: 0: all that run, until nobody has anything to bid.
    """

    __slots__ = ("auction",)
    FIELDS: ClassVar[tuple[str, ...]] = ("auction",)

    def __init__(self, auction: int) -> None:
        self.auction = auction

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AutoPass) and self.auction == other.auction

    def __repr__(self) -> str:
        return f"AutoPass(auction={self.auction!r})"


class CancelAuction(Ask):
    """The running auction must end without a decision.

    Attributes:
        gone: Seats that have left the game meanwhile: they get nothing back of what they paid for bids.
    """

    __slots__ = ("auction", "gone")
    FIELDS: ClassVar[tuple[str, ...]] = ("auction", "gone")

    def __init__(self, auction: int, gone: list[int] | None = None) -> None:
        self.auction = auction
        self.gone: list[int] = [] if gone is None else gone

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CancelAuction)
            and self.auction == other.auction
            and self.gone == other.gone
        )

    def __repr__(self) -> str:
        return f"CancelAuction(auction={self.auction!r}, gone={self.gone!r})"


class AuctionOutcome:
    """How an auction ended; the rules say what follows. `hold_id` names the winner's money.

    Attributes:
        held: How much of the price is held; all of it if not said.
        paid: Every bid was paid when it was made (penny auction): nothing is due.
        barred: Who was not allowed to bid.
        released: What of the winner's hold is given back: it held more than the price (Vickrey auction).
    """

    __slots__ = ("auction", "lot", "winner", "price", "hold_id", "held", "paid", "barred", "released")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "auction",
        "lot",
        "winner",
        "price",
        "hold_id",
        "held",
        "paid",
        "barred",
        "released",
    )

    def __init__(
        self,
        auction: int,
        lot: int,
        winner: int,
        price: int,
        hold_id: str,
        held: int | None = None,
        paid: bool = False,
        barred: int | None = None,
        released: int = 0,
    ) -> None:
        self.auction = auction
        self.lot = lot
        self.winner = winner
        self.price = price
        self.hold_id = hold_id
        self.held = held
        self.paid = paid
        self.barred = barred
        self.released = released

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, AuctionOutcome)
            and self.auction == other.auction
            and self.lot == other.lot
            and self.winner == other.winner
            and self.price == other.price
            and self.hold_id == other.hold_id
            and self.held == other.held
            and self.paid == other.paid
            and self.barred == other.barred
            and self.released == other.released
        )

    def __repr__(self) -> str:
        return (
            f"AuctionOutcome("
            f"auction={self.auction!r}, "
            f"lot={self.lot!r}, "
            f"winner={self.winner!r}, "
            f"price={self.price!r}, "
            f"hold_id={self.hold_id!r}, "
            f"held={self.held!r}, "
            f"paid={self.paid!r}, "
            f"barred={self.barred!r}, "
            f"released={self.released!r})"
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
    ClaimRent,
    TakeLoan,
    RepayLoan,
    Stake,
    PlayCard,
    WantBuilding,
    PlaceBuilding,
    Skip,
    ReturnLots,
    PlaceToken,
    PassGo,
    DrawnCard,
    SetProxyBid,
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
    RedemptionOffered,
    DeedDealt,
    OrderDrawn,
    LandingBonusEarned,
    QuestionAsked,
    Skipped,
    PotTaken,
    SquareCharged,
    RentClaimable,
    RentLapsed,
    RentTaxed,
    RentSpared,
    LoanTaken,
    LoanEnded,
    TurnsLost,
    TurnSkipped,
    MoveReversed,
    StakePlaced,
    JackpotPlayed,
    AmountDrawn,
    SquareDrawn,
    RentLevelSet,
    RentsCapped,
    LotReturned,
    MortgageTermSet,
    LotForfeited,
    BuildingWanted,
    ShortageOpened,
    ShortageClosed,
    BuildingPutUp,
    BuildingAuctioned,
    BuildingPlaced,
    BuildingReturned,
    TimeRuleEntered,
    TimeUp,
    PassGranted,
    PassChanged,
    CardPlayed,
    DiscountSet,
    BuildingNotWanted,
    BankruptcyCounted,
    LotsFrozen,
    TimeExpired,
    LotReserved,
    LotDelivered,
    LotForsaken,
)

AUCTION_EVENT_KINDS: Final[tuple[type[AuctionEvent], ...]] = (
    AuctionOpened,
    BidPlaced,
    BidderPassed,
    BidderDropped,
    AuctionClosed,
    AuctionCancelled,
    OpeningDeclined,
    AuctionExtended,
    AuctionCalled,
    ProxySet,
    BidSealed,
    SealedBid,
    BidsRevealed,
    BidsRefunded,
    LeadRestored,
)

ASK_KINDS: Final[tuple[type[Ask], ...]] = (OpenAuction, DropBidder, CancelAuction, PassBidder, AutoPass)
