"""What only some boards have: a bonus for stopping on GO, pots, time rules, jackpots, rent levels.

A board without any of it has the defaults, which its content hash leaves out.
"""

from typing import Final

from magnate.rules.digest import Canonical, sparse

NO_SQUARE: Final = -1
"""As a square: there is none."""

ANY_SYMBOL: Final = -1
"""In a winning combination: whatever this column shows."""


class TimeRule:
    """What holds from a minute of the game on, until the next rule.

    `start_bonus` is 1 while GO pays, 0 when neither salary nor landing bonus are paid any more;
    `rent_tax_percent` of a rent, and of what cards pay by chance, goes to the bank. A rule says both, so the
    one entered last is all there is to know.
    """

    __slots__ = ("minute", "rent_tax_percent", "start_bonus")

    def __init__(self, minute: int, start_bonus: int, rent_tax_percent: int) -> None:
        self.minute = minute
        self.start_bonus = start_bonus
        self.rent_tax_percent = rent_tax_percent

    def canonical(self) -> list[Canonical]:
        """The three numbers in order."""
        return [self.minute, self.start_bonus, self.rent_tax_percent]


class MachineWin:
    """A line of the jackpot machine that wins: a symbol a column, or ANY_SYMBOL.

    The prize is `amount`; or, where `whole_desk` is 1, all that lies in the jackpot desk, made up by the bank
    to `at_least`, and the bank then puts `refill` into the desk.
    """

    __slots__ = ("amount", "at_least", "combination", "refill", "whole_desk")

    def __init__(
        self, combination: list[int], amount: int = 0, whole_desk: int = 0, at_least: int = 0, refill: int = 0
    ) -> None:
        self.combination = combination
        self.amount = amount
        self.whole_desk = whole_desk
        self.at_least = at_least
        self.refill = refill

    def canonical(self) -> list[Canonical]:
        """Everything in order."""
        combination: list[Canonical] = list(self.combination)
        return [combination, self.amount, self.whole_desk, self.at_least, self.refill]


class JackpotMachine:
    """A machine of some columns, each moved by a die of its own; a stake that does not win stays in the desk.

    `reels[column][face - 1]` is the symbol that a face of the die shows, as an index into `symbols`. The
    first of `wins` that fits pays.
    """

    __slots__ = ("bet", "reels", "symbols", "wins")

    def __init__(self, bet: int, symbols: list[str], reels: list[list[int]], wins: list[MachineWin]) -> None:
        self.bet = bet
        self.symbols = symbols
        self.reels = reels
        self.wins = wins

    def canonical(self) -> list[Canonical]:
        """Everything in order."""
        symbols: list[Canonical] = list(self.symbols)
        reels: list[Canonical] = []
        for reel in self.reels:
            symbols_of_reel: list[Canonical] = list(reel)
            reels.append(symbols_of_reel)
        wins: list[Canonical] = [win.canonical() for win in self.wins]
        return [self.bet, symbols, reels, wins]


class JackpotNumbers:
    """A bet on some faces of one die of `faces` faces: `payouts[k - 1]` when one of k chosen faces falls."""

    __slots__ = ("bet", "faces", "payouts")

    def __init__(self, bet: int, faces: int, payouts: list[int]) -> None:
        self.bet = bet
        self.faces = faces
        self.payouts = payouts

    def canonical(self) -> list[Canonical]:
        """Everything in order."""
        payouts: list[Canonical] = list(self.payouts)
        return [self.bet, self.faces, payouts]


class BoardExtras:
    """What a board says once, beyond what every board says. Read only.

    go_landing_bonus      what stopping on GO pays on top of the salary
    location_fee          what going to any lot from a location square costs
    auction_step          by what steps bids go up where they begin at the list price or at 0
    rent_levels           how many rent levels the streets have; 0: rents follow the buildings
    sides                 the lots of each side of the board
    black_business_to     where a black business square sends the token, which pays `black_business_fine`
                          into the charity fund there
    pot_parking, pot_jackpot, pot_charity   what the bank puts into the pots at the start
    loan_amount           what the bank lends at most
    time_rules            in the order of their minutes
    jackpot_machine, jackpot_numbers        how the jackpot square is played; one of them at most
    """

    __slots__ = (
        "auction_step", "black_business_fine", "black_business_to", "go_landing_bonus", "jackpot_machine",
        "jackpot_numbers", "loan_amount", "location_fee", "pot_charity", "pot_jackpot", "pot_parking",
        "rent_levels", "sides", "time_rules",
    )  # fmt: skip

    def __init__(
        self,
        go_landing_bonus: int = 0,
        location_fee: int = 0,
        auction_step: int = 1,
        rent_levels: int = 0,
        sides: list[list[int]] | None = None,
        black_business_to: int = NO_SQUARE,
        black_business_fine: int = 0,
        pot_parking: int = 0,
        pot_jackpot: int = 0,
        pot_charity: int = 0,
        loan_amount: int = 0,
        time_rules: list[TimeRule] | None = None,
        jackpot_machine: JackpotMachine | None = None,
        jackpot_numbers: JackpotNumbers | None = None,
    ) -> None:
        self.go_landing_bonus = go_landing_bonus
        self.location_fee = location_fee
        self.auction_step = auction_step
        self.rent_levels = rent_levels
        self.sides: list[list[int]] = [] if sides is None else sides
        self.black_business_to = black_business_to
        self.black_business_fine = black_business_fine
        self.pot_parking = pot_parking
        self.pot_jackpot = pot_jackpot
        self.pot_charity = pot_charity
        self.loan_amount = loan_amount
        self.time_rules: list[TimeRule] = [] if time_rules is None else time_rules
        self.jackpot_machine = jackpot_machine
        self.jackpot_numbers = jackpot_numbers

    def canonical(self) -> list[Canonical]:
        """By field names, without what is at its default."""
        sides: list[Canonical] = []
        for side in self.sides:
            lots: list[Canonical] = list(side)
            sides.append(lots)
        rules: list[Canonical] = [rule.canonical() for rule in self.time_rules]
        no_jackpot: list[Canonical] = []
        machine = no_jackpot if self.jackpot_machine is None else self.jackpot_machine.canonical()
        numbers = no_jackpot if self.jackpot_numbers is None else self.jackpot_numbers.canonical()
        return sparse(
            [
                ("go_landing_bonus", self.go_landing_bonus, 0),
                ("location_fee", self.location_fee, 0),
                ("auction_step", self.auction_step, 1),
                ("rent_levels", self.rent_levels, 0),
                ("sides", sides, []),
                ("black_business_to", self.black_business_to, NO_SQUARE),
                ("black_business_fine", self.black_business_fine, 0),
                ("pot_parking", self.pot_parking, 0),
                ("pot_jackpot", self.pot_jackpot, 0),
                ("pot_charity", self.pot_charity, 0),
                ("loan_amount", self.loan_amount, 0),
                ("time_rules", rules, []),
                ("jackpot_machine", machine, []),
                ("jackpot_numbers", numbers, []),
            ]
        )
