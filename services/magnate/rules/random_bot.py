"""A player that chooses at random among `kinds_without_deals`: for measuring, and for long random games.

It goes on with the game, and now and then builds, mortgages, redeems, borrows or pays back beside; a debtor
sells, mortgages, borrows, gives back, or goes bankrupt when nothing else is left. Deals and resignations are
left out. Where a payment waits for a card, it does what the bank's terminal would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.buildings import first_price, levels_allowed, places_for
from magnate.rules.choices import PAYMENT_BY_CARD, TOKENS_BY_HAND
from magnate.rules.deeds import lowest
from magnate.rules.kinds import (
    BUILD,
    BUY_LOT,
    DECLARE_BANKRUPTCY,
    DECLINE_LOT,
    END_TURN,
    MORTGAGE_LOTS,
    PAY_DEBT,
    PAY_FINE,
    PLACE_BUILDING,
    PLAY_CARD,
    REDEEM_LOTS,
    REPAY_LOAN,
    RETURN_LOTS,
    ROLL,
    SELL_BUILDINGS,
    TAKE_LOAN,
    USE_JAIL_CARD,
    WANT_BUILDING,
)
from magnate.rules.legal_kinds import kinds_to_go_on, kinds_without_deals
from magnate.rules.random_answers import ANSWERS, answer, one_of
from magnate.rules.random_hands import RandomHands
from magnate.rules.steps.debt import can_pay
from magnate.rules.steps.loan import repayable
from magnate.rules.steps.mortgage import redemption, refuse_redemption
from magnate.rules.vocabulary import (
    PHASE_DEBT,
    Build,
    BuyLot,
    Command,
    DeclareBankruptcy,
    DeclineLot,
    EndTurn,
    LotLevel,
    MortgageLots,
    PayDebt,
    PayFine,
    PlaceBuilding,
    RedeemLots,
    RepayLoan,
    Roll,
    SellBuildings,
    TakeLoan,
    UseJailCard,
    WantBuilding,
)

if TYPE_CHECKING:
    from magnate.rules.chance import RandomChance
    from magnate.rules.state import State

# What a bot always wants to go on with, and what it only sometimes does beside.
_ONWARD: Final = (
    ROLL | BUY_LOT | DECLINE_LOT | PAY_FINE | USE_JAIL_CARD | ANSWERS
    | END_TURN | WANT_BUILDING | PLACE_BUILDING
) & ~RETURN_LOTS  # fmt: skip
_ASIDE: Final = BUILD | MORTGAGE_LOTS | REDEEM_LOTS | PLAY_CARD | TAKE_LOAN | REPAY_LOAN
_RAISING: Final = SELL_BUILDINGS | MORTGAGE_LOTS | RETURN_LOTS | TAKE_LOAN | PAY_DEBT | DECLARE_BANKRUPTCY
_ASIDE_ONE_IN: Final = 8
_PAY_ONE_IN: Final = 8  # so often a debtor who could pay does something else first

_WITHOUT_PARAMETERS: Final = (
    ROLL | BUY_LOT | DECLINE_LOT | PAY_FINE | USE_JAIL_CARD | DECLARE_BANKRUPTCY | END_TURN
)  # fmt: skip
_PLAIN: Final[dict[int, Command]] = {
    ROLL: Roll(),
    BUY_LOT: BuyLot(),
    DECLINE_LOT: DeclineLot(),
    PAY_FINE: PayFine(),
    USE_JAIL_CARD: UseJailCard(),
    DECLARE_BANKRUPTCY: DeclareBankruptcy(),
    END_TURN: EndTurn(),
}


class RandomBot:
    """Plays all seats of one game; its `random` is not the chance of the game."""

    __slots__ = ("hands", "random", "state")

    def __init__(self, state: State, random: RandomChance) -> None:
        self.state = state
        self.random = random
        self.hands = RandomHands(state, random)

    def command(self, seat: int) -> Command:
        """A command of the seat that is to act (no bids: they are the simulation's)."""
        state = self.state
        if state.rules.table_tokens == TOKENS_BY_HAND:
            told = self.hands.tell(seat)
            if told is not None:
                return told
        if state.phase == PHASE_DEBT:
            pays = can_pay(state, seat)
            if pays and self.random.below(_PAY_ONE_IN):
                return _pay(state)
            found = kinds_without_deals(state, seat)
            if pays:  # also where the payment waits for a card: the bot has the bank's terminal too
                found |= PAY_DEBT
            wanted = found & _RAISING
        elif self.random.below(_ASIDE_ONE_IN) == 0:
            found = kinds_without_deals(state, seat)
            wanted = found & _ASIDE or found & _ONWARD
        else:
            found = kinds_to_go_on(state, seat)
            wanted = found & _ONWARD
        command = _PLAIN.get(wanted)  # the usual case, quickly: there is only this to do
        if command is not None:
            return command
        command = self._command(seat, one_of(wanted, self.random))
        if command is None:  # only a larger building command would do, which this bot does not think of
            command = self._command(seat, one_of(found & _ONWARD, self.random))
            assert command is not None
        return command

    def _command(self, seat: int, kind: int) -> Command | None:
        if kind & _WITHOUT_PARAMETERS:
            return _PLAIN[kind]
        if kind & ANSWERS:
            return answer(self.state, seat, kind, self.random)
        if kind == BUILD:
            return self._build(seat)
        if kind == MORTGAGE_LOTS:
            return MortgageLots([self._mortgage(seat)])
        if kind == REDEEM_LOTS:
            return RedeemLots([self._redeem(seat)])
        if kind == PAY_DEBT:
            return _pay(self.state)
        if kind == SELL_BUILDINGS:
            return self._sell(seat)
        if kind == TAKE_LOAN:
            return TakeLoan(self.state.board.loan_amount)
        if kind == REPAY_LOAN:
            return RepayLoan(repayable(self.state, seat)[0])
        if kind == WANT_BUILDING:
            return WantBuilding(self.state.extras.shortage_building)
        if kind == PLACE_BUILDING:
            places = places_for(self.state, seat, self.state.extras.placing_building)
            return PlaceBuilding(places[self.random.below(len(places))])
        raise AssertionError(f"no command for the kinds {kind:b}")

    def _build(self, seat: int) -> Command | None:
        """One more building on the lowest lot of a group where that is possible, if there is one."""
        state = self.state
        money = state.available(seat)
        groups = state.full[seat]
        group = 0
        while groups:
            if groups & 1 and state.group_mortgaged[group] == 0 and first_price(state, seat, group) <= money:
                lowest = state.board.members[group][0]
                for lot in state.board.members[group]:
                    if state.level[lot] < state.level[lowest]:
                        lowest = lot
                level = state.level[lowest] + 1
                stock = state.hotels_left if level == state.hotel_level else state.houses_left
                if level <= state.hotel_level and stock > 0 and levels_allowed(state, seat, group) > 0:
                    return Build([LotLevel(lowest, level)])
            groups >>= 1
            group += 1
        return None

    def _sell(self, seat: int) -> Command:
        """All buildings of the first built group: always even, and never short of houses."""
        state = self.state
        for lot in state.board.streets:
            if state.owner[lot] == seat and state.level[lot]:
                group = state.board.group[lot]
                return SellBuildings(
                    [LotLevel(other, 0) for other in state.board.members[group] if state.level[other]]
                )
        raise AssertionError("there is nothing to sell")

    def _mortgage(self, seat: int) -> int:
        state = self.state
        free = state.owned[seat] & ~state.mortgaged_mask
        if free & ~state.built_mask:
            return lowest(free & ~state.built_mask)
        assert free
        lot = lowest(free)  # by an option a bare lot of a built group will do (row 71)
        while state.level[lot]:
            free &= free - 1
            lot = lowest(free)
        return lot

    def _redeem(self, seat: int) -> int:
        state = self.state
        money = state.available(seat)
        lots = state.owned[seat] & state.mortgaged_mask
        while lots:
            lot = lowest(lots)
            if redemption(state, lot) <= money and not refuse_redemption(state, seat, lot):
                return lot
            lots &= lots - 1
        raise AssertionError("there is nothing to redeem")


def _pay(state: State) -> Command:
    return PayDebt(state.rules.debt_payment == PAYMENT_BY_CARD)
