"""Time that ran out (rows 84, 89; C38, case C052): bankrupt, or the simplest thing is done for the seat.

The simplest thing (timers.expiry: default_action) is to throw, to decline, to skip, else to choose the first
answer, to put a building on the first lot that will do, to end the turn. A debtor pays, also without the card
that the terminal waits for; if he has not enough he first mortgages lots, then sells buildings, then gives
lots back, as far as needed, in the order of the board; if all that is not enough he is bankrupt. Who runs out
of time without owing anything is bankrupt to the bank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import EXPIRY_BANKRUPT
from magnate.rules.decide import act
from magnate.rules.draft import Draft
from magnate.rules.flow import proceed
from magnate.rules.gates import in_game
from magnate.rules.legal import legal_actions
from magnate.rules.rejections import UNKNOWN_OFFER, Rejection
from magnate.rules.steps.bankrupt import go_bankrupt
from magnate.rules.steps.clock import tick
from magnate.rules.steps.debt import awaits_card
from magnate.rules.vocabulary import (
    OFFER_END_EXPIRED,
    ChooseOption,
    Command,
    DeclareBankruptcy,
    DeclineLot,
    EndTurn,
    LotLevel,
    MortgageLots,
    OfferClosed,
    PayDebt,
    PlaceBuilding,
    Resign,
    ReturnLots,
    Roll,
    SellBuildings,
    Skip,
    TimeExpired,
)
from magnate.rules.waiting import waiting_seats

if TYPE_CHECKING:
    from magnate.rules.chance import Chance
    from magnate.rules.decision import Decision
    from magnate.rules.legal_values import LegalAction
    from magnate.rules.state import State

STEPS_MAX: Final = 200
"""More than anybody needs to sell and mortgage all he has."""

ONWARD: Final = ("roll", "decline_lot", "skip", "choose_option", "place_building", "end_turn")
_RAISING: Final = ("pay_debt", "mortgage_lots", "sell_buildings", "return_lots", "declare_bankruptcy")
_PLAIN: Final[dict[str, Command]] = {
    "roll": Roll(),
    "decline_lot": DeclineLot(),
    "skip": Skip(),
    "end_turn": EndTurn(),
    "pay_debt": PayDebt(),
    "declare_bankruptcy": DeclareBankruptcy(),
}


def time_out(
    state: State,
    seat: int,
    chance: Chance,
    decision: Decision,
    elapsed_ms: int = 0,
    *,
    resigns: bool = False,
) -> Rejection | None:
    """The seat did not do what the game waited for: in place. NOT_STARTED, GAME_OVER, SEAT_OUT.

    `resigns`: it has let its time run out too often, and leaves the game.
    """
    draft = Draft(state, chance, decision)
    draft.elapsed_ms = elapsed_ms
    refused = in_game(state, seat)
    if refused is not None:
        return refused
    draft.emit(TimeExpired(seat))
    if state.rules.timers_expiry == EXPIRY_BANKRUPT:
        tick(draft)
        go_bankrupt(draft, seat)
        proceed(draft)
    elif resigns:
        refused = act(draft, seat, Resign())
        assert refused is None, f"a seat could not resign: {refused!r}"
    elif state.in_debt(seat):
        pay_all(draft, seat)
    else:
        command = default_command(state, seat)
        if command is not None:
            refused = act(draft, seat, command)
            assert refused is None, f"{command!r} was listed and refused: {refused!r}"
    return None


def close_offer(state: State, number: int, chance: Chance, decision: Decision) -> Rejection | None:
    """An offer was not answered in its time: in place. UNKNOWN_OFFER."""
    if number not in state.offers:
        return Rejection(UNKNOWN_OFFER)
    draft = Draft(state, chance, decision)
    draft.emit(OfferClosed(number, OFFER_END_EXPIRED))
    proceed(draft)
    return None


def default_command(state: State, seat: int) -> Command | None:
    """What is done for a seat that owes nothing; None if the game does not wait for it."""
    if seat not in waiting_seats(state):
        return None
    return first_legal(state, seat, ONWARD)


def pay_all(draft: Draft, seat: int) -> None:
    """Pay all that the seat owes, raising what is needed; else it is bankrupt."""
    state = draft.state
    for _ in range(STEPS_MAX):
        if state.out[seat] or not state.in_debt(seat):
            return
        command = PayDebt(by_card=True) if awaits_card(state, seat) else first_legal(state, seat, _RAISING)
        if command is None or act(draft, seat, command) is not None:
            break
    go_bankrupt(draft, seat)
    proceed(draft)


def first_legal(state: State, seat: int, order: tuple[str, ...]) -> Command | None:
    """The first kind of these that is legal, as a command."""
    legal: dict[str, LegalAction] = {action.kind: action for action in legal_actions(state, seat)}
    for kind in order:
        if kind in legal:
            return _command(state, seat, legal[kind])
    return None


def _command(state: State, seat: int, action: LegalAction) -> Command:
    kind = action.kind
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind == "choose_option":
        return ChooseOption(action.answers[0] if action.answers else 0)
    if kind == "place_building":
        return PlaceBuilding(action.lots[0].lot)
    if kind == "mortgage_lots":
        return MortgageLots([action.lots[0].lot])
    if kind == "return_lots":
        return ReturnLots([action.lots[0].lot])
    assert kind == "sell_buildings"
    return SellBuildings(_first_group(state, seat))


def _first_group(state: State, seat: int) -> list[LotLevel]:
    """All buildings of the first group that is built: always even, and never short of houses."""
    for lot in state.board.streets:
        if state.owner[lot] == seat and state.level[lot]:
            members = state.board.members[state.board.group[lot]]
            return [LotLevel(one, 0) for one in members if state.owner[one] == seat and state.level[one]]
    raise AssertionError("there is nothing to sell")
